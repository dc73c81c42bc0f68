//! Conversions: C does them by itself, and the typed tree shows them.

use super::Sema;
use crate::tree;
use crate::typed::{Conversion, ExprId, ExprKind, Init, Lifetime, Part};
use crate::types::{IntKind, Library, QualType, RecordId, Type, TypeId, Types};

impl Sema<'_> {
    /// The value of an expression of the tree.
    pub(super) fn value(&mut self, e: tree::ExprId) -> ExprId {
        let typed = self.expr(e);
        self.rvalue(typed)
    }

    /// The value of a place; arrays and functions become pointers. Values stay as they are.
    pub(super) fn rvalue(&mut self, e: ExprId) -> ExprId {
        let QualType { ty, quals } = self.unit[e].ty;
        let span = self.span(e);
        match *self.unit.types.shape(ty) {
            Type::Function(_) => {
                if let ExprKind::Deref(pointer) = self.unit[e].kind {
                    return pointer;
                }
                self.function_pointer(e)
            }
            Type::Array(element, _) if self.unit.is_place(e) => {
                let ty = self.unit.types.pointer(element.with(quals));
                self.make(ExprKind::Decay(e), ty, span)
            }
            _ if !self.unit.is_place(e) => e,
            Type::Error => e,
            Type::Void => self.make(ExprKind::Convert(Conversion::Void, e), Types::VOID, span),
            _ => {
                if !self.unit.types.is_complete(ty) {
                    let message = format!("the members of {} are not known here", self.show(ty));
                    return self.fail("incomplete", span, message);
                }
                let fixed = match self.unit[e].kind {
                    ExprKind::Var(var) => self.fixed.get(&var).cloned(),
                    _ => None,
                };
                self.make(fixed.unwrap_or(ExprKind::Load(e)), ty, span)
            }
        }
    }

    /// A function's name becomes a pointer to it.
    pub(super) fn function_pointer(&mut self, e: ExprId) -> ExprId {
        if let ExprKind::Function(_) = self.unit[e].kind {
            let ty = QualType::plain(self.ty(e));
            let pointer = self.unit.types.pointer(ty);
            self.unit[e].ty = QualType::plain(pointer);
        }
        e
    }

    /// Converts a value to another type by whatever conversion fits. Returns the value itself if the types are equal.
    pub(super) fn converted(&mut self, e: ExprId, to: TypeId) -> ExprId {
        let from = self.ty(e);
        let types = &self.unit.types;
        if types.canonical(from) == types.canonical(to) {
            return e;
        }
        let span = self.span(e);
        let integer = types.is_integer(from);
        let conversion = match (types.shape(from), types.shape(to)) {
            (Type::Error, _) | (_, Type::Error) => return self.failed(span),
            (_, Type::Void) => Conversion::Void,
            (_, Type::Bool) => Conversion::Bool,
            (Type::Float(_), _) | (_, Type::Float(_)) => Conversion::Float,
            (Type::Pointer(_), Type::Pointer(_)) => Conversion::Pointer,
            (Type::Pointer(_), _) => Conversion::PointerToInt,
            (_, Type::Pointer(_)) if integer => {
                if self.unit.constant(e) == Some(0) {
                    Conversion::Null
                } else {
                    Conversion::IntToPointer
                }
            }
            _ if integer && types.is_integer(to) => {
                if let ExprKind::Int(number) = self.unit[e].kind {
                    let value = self.unit.types.wrap(to, self.unit[number]);
                    return self.number(value, to, span);
                }
                Conversion::Integer
            }
            _ => Conversion::Same,
        };
        self.make(ExprKind::Convert(conversion, e), to, span)
    }

    /// Whether a type is that of threads' handles. A handle becomes a number only where the program asks for one.
    pub(super) fn is_handle(&self, ty: TypeId) -> bool {
        self.unit.types.library(ty) == Some(Library::Thread)
    }

    /// Converts a value as [`Self::converted`] does; a handle to a number and back also where both have one representation.
    pub(super) fn converted_handle(&mut self, e: ExprId, to: TypeId) -> ExprId {
        let from = self.ty(e);
        let types = &self.unit.types;
        let differ = types.canonical(from) != types.canonical(to);
        if differ || self.is_handle(from) == self.is_handle(to) {
            return self.converted(e, to);
        }
        let span = self.span(e);
        self.make(ExprKind::Convert(Conversion::Integer, e), to, span)
    }

    /// The type of an integer in arithmetic: at least `int`.
    pub(super) fn promoted_type(&self, e: ExprId) -> TypeId {
        let ty = self.ty(e);
        let types = &self.unit.types;
        if let Some(width) = self.bit_width(e) {
            let kind = types.int_kind(ty);
            let int_bits = 32;
            if width < int_bits || width == int_bits && kind.is_some_and(IntKind::signed) {
                return Types::INT;
            }
        }
        match types.shape(ty) {
            Type::Bool => Types::INT,
            _ if types
                .int_kind(ty)
                .is_some_and(|kind| kind.rank() < IntKind::Int.rank()) =>
            {
                Types::INT
            }
            Type::Enum(id) => Types::int(types[*id].kind),
            _ => types.canonical(ty),
        }
    }

    /// The width of the bit-field whose value an expression is. The expression reads the bit-field, or gives what it has written.
    pub(super) fn bit_width(&self, e: ExprId) -> Option<u32> {
        match &self.unit[e].kind {
            ExprKind::Load(place) | ExprKind::Assign(place, _) => self.field_bits(*place),
            ExprKind::Update(update) if !update.old => self.field_bits(update.place),
            ExprKind::Comma(_, last) => self.bit_width(*last),
            _ => None,
        }
    }

    /// The width of the bit-field that a place is.
    pub(super) fn field_bits(&self, place: ExprId) -> Option<u32> {
        let ExprKind::Member(record, field) = self.unit[place].kind else {
            return None;
        };
        let id = self.unit.types.record(self.ty(record))?;
        let fields = self.unit.types[id].fields.as_ref()?;
        fields.get(field as usize)?.bits.map(|b| b.width)
    }

    /// Promotes an integer, as arithmetic does.
    pub(super) fn promoted(&mut self, e: ExprId) -> ExprId {
        let ty = self.promoted_type(e);
        self.converted(e, ty)
    }

    /// Promotes a truth value that is a number of elements.
    pub(super) fn counted(&mut self, e: ExprId) -> ExprId {
        let truth = self.ty(e) == Types::BOOL;
        if truth { self.promoted(e) } else { e }
    }

    /// The type in which arithmetic computes with two numbers.
    pub(super) fn common_type(&self, l: ExprId, r: ExprId) -> TypeId {
        let (l, r) = (self.promoted_type(l), self.promoted_type(r));
        let types = &self.unit.types;
        match (types.shape(l), types.shape(r)) {
            (Type::Float(x), Type::Float(y)) => {
                if x >= y {
                    l
                } else {
                    r
                }
            }
            (Type::Float(_), _) => l,
            (_, Type::Float(_)) => r,
            (Type::Int(x), Type::Int(y)) => Types::int(common_kind(*x, *y, types)),
            _ => l,
        }
    }

    /// A value that is given to something of a type: assigned, passed, returned.
    pub(super) fn assigned(&mut self, e: ExprId, to: TypeId) -> ExprId {
        let from = self.ty(e);
        let span = self.span(e);
        if from == Types::ERROR || to == Types::ERROR {
            return e;
        }
        let types = &self.unit.types;
        let fits = match (types.shape(from), types.shape(to)) {
            (Type::Record(a), Type::Record(b)) if a == b => true,
            (_, Type::Record(id)) => return self.union_of(e, *id, to),
            (Type::VaList, Type::VaList) => true,
            (Type::Float(_), Type::Pointer(_)) | (Type::Pointer(_), Type::Float(_)) => false,
            _ => types.is_scalar(from) && types.is_scalar(to),
        };
        if !fits {
            let message = format!("{} is no {}", self.show(from), self.show(to));
            return self.fail("type-mismatch", span, message);
        }
        self.converted_handle(e, to)
    }

    /// A value where a union is wanted: a transparent one takes a value of any of its members.
    fn union_of(&mut self, e: ExprId, id: RecordId, to: TypeId) -> ExprId {
        let (from, span) = (self.ty(e), self.span(e));
        if self.unit.types[id].transparent {
            let types = &self.unit.types;
            let leads = |ty: TypeId| types.pointee(ty).map(|p| p.ty);
            let takes = |ty: TypeId| match (leads(from), leads(ty)) {
                (Some(a), Some(b)) => self.same(a, b),
                _ => self.same(from, ty),
            };
            // A pointer to anything, and a null pointer, fit each member that is a pointer.
            let null = types.is_integer(from) && self.unit.constant(e) == Some(0);
            let open = null || leads(from) == Some(Types::VOID);
            let fields = types[id].fields.as_deref().unwrap_or(&[]);
            let exact = fields.iter().position(|f| takes(f.ty.ty));
            let any = || fields.iter().position(|f| open && leads(f.ty.ty).is_some());
            if let Some(at) = exact.or_else(any) {
                return self.union_with(e, at, to);
            }
        }
        let message = format!("{} is no {}", self.show(from), self.show(to));
        self.fail("type-mismatch", span, message)
    }

    /// Makes a union whose member number `at` has the value `e`.
    pub(super) fn union_with(&mut self, e: ExprId, at: usize, to: TypeId) -> ExprId {
        let span = self.span(e);
        let fields = self.unit.types.record(to).map(|id| &self.unit.types[id]);
        let field = fields.and_then(|r| r.fields.as_ref()?.get(at));
        let Some(member) = field.map(|f| f.ty.ty) else {
            return self.failed(span);
        };
        let value = self.assigned(e, member);
        let init = self.unit.add_init(Init::Value(value));
        let part = Part {
            at: at as u64,
            count: 1,
            init,
        };
        let init = self.unit.add_init(Init::Parts(vec![part]));
        let ty = QualType::plain(to);
        let lifetime = if self.function().is_none() {
            Lifetime::Static
        } else {
            Lifetime::Local
        };
        let var = self.new_variable(None, ty, lifetime, span);
        self.unit[var].init = Some(init);
        let literal = self.add(ExprKind::Literal(var), ty, span);
        self.rvalue(literal)
    }

    /// A value that is compared with zero.
    pub(super) fn condition(&mut self, e: tree::ExprId) -> ExprId {
        let value = self.value(e);
        self.scalar(value)
    }

    /// A value that must be a number or a pointer.
    pub(super) fn scalar(&mut self, value: ExprId) -> ExprId {
        let ty = self.ty(value);
        if self.unit.types.is_scalar(ty) {
            return value;
        }
        let message = format!("{} is neither a number nor a pointer", self.show(ty));
        let span = self.span(value);
        self.fail("type-mismatch", span, message)
    }
}

/// The type in which arithmetic computes with two integers that are both at least as wide as `int`.
fn common_kind(x: IntKind, y: IntKind, types: &Types) -> IntKind {
    if x.signed() == y.signed() {
        return if x.rank() >= y.rank() { x } else { y };
    }
    let (signed, unsigned) = if x.signed() { (x, y) } else { (y, x) };
    if unsigned.rank() >= signed.rank() {
        unsigned
    } else if signed.size(types.model) > unsigned.size(types.model) {
        signed
    } else {
        signed.to_unsigned()
    }
}
