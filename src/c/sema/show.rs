//! Types as a person reads them.

use super::Sema;
use crate::types::{FloatKind, IntKind, Length, QualType, Type, TypeId};

/// Longer names are cut.
const LONGEST: usize = 60;

impl Sema<'_> {
    /// A type in quotes, for a message.
    pub(super) fn show(&self, ty: TypeId) -> String {
        self.show_qualified(QualType::plain(ty))
    }

    pub(super) fn show_qualified(&self, ty: QualType) -> String {
        let mut text = String::new();
        self.write_qualified(ty, &mut text);
        crate::literal::short(&text)
    }

    fn write_qualified(&self, ty: QualType, out: &mut String) {
        for (set, word) in [
            (ty.quals.constant, "const "),
            (ty.quals.volatile, "volatile "),
            (ty.quals.atomic, "_Atomic "),
        ] {
            if set {
                out.push_str(word);
            }
        }
        self.write(ty.ty, out);
    }

    fn write(&self, ty: TypeId, out: &mut String) {
        if out.len() > LONGEST {
            return;
        }
        let types = &self.unit.types;
        match &types[ty] {
            Type::Error => out.push('?'),
            Type::Void => out.push_str("void"),
            Type::Bool => out.push_str("_Bool"),
            Type::Int(kind) => out.push_str(int_name(*kind)),
            Type::Float(kind) => out.push_str(match kind {
                FloatKind::Float => "float",
                FloatKind::Double => "double",
                FloatKind::LongDouble => "long double",
                FloatKind::Float128 => "_Float128",
            }),
            Type::Enum(id) => self.write_tag("enum", types[*id].tag, out),
            Type::Record(id) => {
                let record = &types[*id];
                let word = if record.is_union { "union" } else { "struct" };
                self.write_tag(word, record.tag, out);
            }
            Type::Pointer(to) => {
                self.write_qualified(*to, out);
                out.push_str(if out.ends_with('*') { "*" } else { " *" });
            }
            Type::Array(element, length) => {
                self.write_qualified(*element, out);
                match length {
                    Length::Known(n) => out.push_str(&format!("[{n}]")),
                    _ => out.push_str("[]"),
                }
            }
            Type::Function(function) => {
                self.write(function.result, out);
                out.push_str(" (");
                for (i, param) in function.params.iter().enumerate() {
                    out.push_str(if i == 0 { "" } else { ", " });
                    self.write_qualified(*param, out);
                }
                out.push(')');
            }
            Type::VaList => out.push_str("va_list"),
            Type::Library(library, _) => out.push_str(library.name()),
            Type::Aligned(_, of) => self.write(*of, out),
        }
    }

    fn write_tag(&self, word: &str, tag: Option<ast::symbol::Symbol>, out: &mut String) {
        out.push_str(word);
        out.push(' ');
        out.push_str(tag.map_or("{…}", |tag| self.text(tag)));
    }
}

fn int_name(kind: IntKind) -> &'static str {
    match kind {
        IntKind::Char => "char",
        IntKind::SChar => "signed char",
        IntKind::UChar => "unsigned char",
        IntKind::Short => "short",
        IntKind::UShort => "unsigned short",
        IntKind::Int => "int",
        IntKind::UInt => "unsigned int",
        IntKind::Long => "long",
        IntKind::ULong => "unsigned long",
        IntKind::LongLong => "long long",
        IntKind::ULongLong => "unsigned long long",
        IntKind::Int128 => "__int128",
        IntKind::UInt128 => "unsigned __int128",
    }
}
