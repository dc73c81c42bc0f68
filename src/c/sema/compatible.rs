//! Whether two types are compatible: two declarations of one thing may have them.

use super::Sema;
use crate::types::{Length, QualType, Type, TypeId, Types};

impl Sema<'_> {
    /// Whether two types are compatible. A type that could not be understood is compatible with everything.
    pub(super) fn same(&self, a: TypeId, b: TypeId) -> bool {
        compatible(&self.unit.types, a, b)
    }
}

fn qualified(types: &Types, a: QualType, b: QualType) -> bool {
    a.quals == b.quals && compatible(types, a.ty, b.ty)
}

fn compatible(types: &Types, a: TypeId, b: TypeId) -> bool {
    let (a, b) = (types.canonical(a), types.canonical(b));
    if a == b {
        return true;
    }
    match (&types[a], &types[b]) {
        (Type::Error, _) | (_, Type::Error) => true,
        (Type::Pointer(x), Type::Pointer(y)) => qualified(types, *x, *y),
        (Type::Array(x, m), Type::Array(y, n)) => {
            let lengths = match (m, n) {
                (Length::Known(m), Length::Known(n)) => m == n,
                _ => true,
            };
            lengths && qualified(types, *x, *y)
        }
        (Type::Enum(id), Type::Int(kind)) | (Type::Int(kind), Type::Enum(id)) => {
            types[*id].kind == *kind
        }
        (Type::Function(f), Type::Function(g)) => {
            if !compatible(types, f.result, g.result) {
                return false;
            }
            if !f.prototype || !g.prototype {
                return true;
            }
            f.variadic == g.variadic
                && f.params.len() == g.params.len()
                && f.params
                    .iter()
                    .zip(&g.params)
                    .all(|(x, y)| compatible(types, x.ty, y.ty))
        }
        _ => false,
    }
}
