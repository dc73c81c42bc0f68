//! From specifiers and declarators to types.

use super::Sema;
use super::scope::Binding;
use crate::headers;
use crate::tree;
use crate::tree::{
    Attributes, Base, DeclaratorId, Derivation, List, Param, SpecId, TypeNameId, Words,
};
use crate::types::{
    FloatKind, FunctionType, IntKind, Length, MAX_SIZE, QualType, Type, TypeId, Types,
};
use ast::MAX_DEPTH;
use base::diagnostic::Diagnostic;
use base::source::Span;

/// How deep an expression is looked into for a constant.
pub(super) const LOOKS: u8 = 12;

impl Sema<'_> {
    /// The type that specifiers name.
    pub(super) fn specifiers(&mut self, id: SpecId) -> QualType {
        let specs = self.tree[id];
        let ty = match specs.base {
            Base::Missing | Base::Auto => QualType::plain(Types::INT),
            Base::Words(words) => QualType::plain(self.words(words, specs.span)),
            Base::Record(record) => QualType::plain(self.record(record)),
            Base::Enum(id) => QualType::plain(self.enumeration(id)),
            Base::Named(name) => match self.scopes.name(name.symbol) {
                Some(Binding::Typedef(ty)) => ty,
                None if let Some(ty) = Types::undeclared(self.text(name.symbol)) => {
                    QualType::plain(ty)
                }
                _ => {
                    let message = format!("unknown type {}", self.quoted(name.symbol));
                    let complaint = Diagnostic::error("unknown-type", name.span, message);
                    let complaint = headers::advise(complaint, self.text(name.symbol));
                    self.complaints.add(complaint);
                    QualType::plain(Types::ERROR)
                }
            },
            Base::TypeofExpr(e, qualified) => {
                let place = self.expr(e);
                self.qualified_if(qualified, self.unit[place].ty)
            }
            Base::TypeofType(ty, qualified) => {
                let ty = self.type_name(ty);
                self.qualified_if(qualified, ty)
            }
            Base::Atomic(ty) => self.type_name(ty).with(tree::Quals {
                atomic: true,
                ..tree::Quals::default()
            }),
        };
        self.attributed(ty.with(specs.quals), &specs.attributes, specs.span)
    }

    /// A type, or the same without qualifiers. Those of an array are those of its elements.
    fn qualified_if(&mut self, qualified: bool, ty: QualType) -> QualType {
        match *self.unit.types.shape(ty.ty) {
            _ if qualified => ty,
            Type::Array(element, length) => {
                let element = self.qualified_if(false, element);
                QualType::plain(self.unit.types.intern(Type::Array(element, length)))
            }
            _ => QualType::plain(ty.ty),
        }
    }

    /// The type that attributes make of another one.
    pub(super) fn attributed(
        &mut self,
        ty: QualType,
        attributes: &Attributes,
        span: Span,
    ) -> QualType {
        if attributes.vector.is_some() {
            self.error("unsupported", span, "vectors are not supported");
            return QualType::plain(Types::ERROR);
        }
        let Some(mode) = attributes.mode else {
            return ty;
        };
        let Some(kind) = self.unit.types.int_kind(ty.ty) else {
            return ty;
        };
        let word = match self.unit.types.model {
            crate::types::DataModel::Lp64 => IntKind::Long,
            crate::types::DataModel::Ilp32 => IntKind::Int,
        };
        let signed = match self.text(mode).trim_matches('_') {
            "QI" | "byte" => IntKind::SChar,
            "HI" => IntKind::Short,
            "SI" => IntKind::Int,
            "DI" if word == IntKind::Long => IntKind::Long,
            "DI" => IntKind::LongLong,
            "TI" => IntKind::Int128,
            "word" | "pointer" => word,
            _ => return ty,
        };
        let kind = if kind.signed() {
            signed
        } else {
            signed.to_unsigned()
        };
        QualType {
            ty: Types::int(kind),
            ..ty
        }
    }

    /// The arithmetic type that words name.
    fn words(&mut self, words: Words, span: Span) -> TypeId {
        if let Some(ty) = arithmetic(words) {
            return ty;
        }
        if words.complex > 0 {
            self.error("unsupported", span, "complex numbers are not supported");
        } else {
            self.error("type-words", span, "these words together are no type");
        }
        Types::ERROR
    }

    /// The type that a type's name stands for.
    pub(super) fn type_name(&mut self, id: TypeNameId) -> QualType {
        let name = self.tree[id];
        let base = self.specifiers(name.specs);
        self.declared(base, name.declarator)
    }

    /// The type of a declarator, given that of the words before it.
    pub(super) fn declared(&mut self, base: QualType, declarator: DeclaratorId) -> QualType {
        let tree = self.tree;
        let declarator = tree[declarator];
        let steps = &tree[declarator.steps];
        let mut ty = base;
        for step in steps.iter().rev() {
            ty = self.derive(ty, *step, declarator.span);
        }
        ty
    }

    fn derive(&mut self, of: QualType, step: Derivation, span: Span) -> QualType {
        if self.unit.types.depth(of.ty) as usize >= MAX_DEPTH {
            self.error("too-deep", span, "the type is nested too deeply");
            return QualType::plain(Types::ERROR);
        }
        match step {
            Derivation::Pointer(quals) => QualType {
                ty: self.unit.types.pointer(of),
                quals,
            },
            Derivation::Array(length, span) => self.array(of, length, span),
            Derivation::AnyLength(_) => {
                QualType::plain(self.unit.types.intern(Type::Array(of, Length::Any)))
            }
            Derivation::Function {
                params,
                variadic,
                prototype,
            } => self.function_type(of, params, variadic, prototype, span),
        }
    }

    fn array(&mut self, of: QualType, length: Option<tree::ExprId>, span: Span) -> QualType {
        if !self.unit.types.is_complete(of.ty) {
            let message = format!("an array of {} cannot be made", self.show(of.ty));
            self.error("incomplete", span, message);
            return QualType::plain(Types::ERROR);
        }
        let length = match length {
            None => Length::Unknown,
            Some(e) => match self.length(e, of.ty) {
                Some(length) => length,
                None => return QualType::plain(Types::ERROR),
            },
        };
        QualType::plain(self.unit.types.intern(Type::Array(of, length)))
    }

    /// The length of an array: a constant, perhaps from a `const` variable, or a hidden variable that is set here.
    fn length(&mut self, e: tree::ExprId, element: TypeId) -> Option<Length> {
        let value = self.value(e);
        let span = self.span(value);
        let ty = self.ty(value);
        if ty == Types::ERROR {
            return None;
        }
        if !self.unit.types.is_integer(ty) {
            self.error("array-length", span, "the length of an array is no integer");
            return None;
        }
        let lasting = || {
            let value = self.unit.lasting(value, LOOKS)?;
            (value > 0 && self.function().is_some()).then_some(value)
        };
        let Some(constant) = self.unit.constant(value).or_else(lasting) else {
            if self.prototypes > 0 {
                return Some(Length::Any);
            }
            if self.function().is_none() {
                let message = "the length of an array is not constant";
                self.error("not-constant", span, message);
                return None;
            }
            return Some(Length::Variable(self.hidden_length(value)));
        };
        let Ok(count) = u64::try_from(constant) else {
            self.error("array-length", span, "the length of an array is negative");
            return None;
        };
        let size = self.unit.types.layout(element).map_or(0, |l| l.size);
        if count.checked_mul(size).is_none_or(|n| n > MAX_SIZE) {
            self.error("array-length", span, "the array is too large");
            return None;
        }
        Some(Length::Known(count))
    }

    fn function_type(
        &mut self,
        result: QualType,
        params: List<Param>,
        variadic: bool,
        prototype: bool,
        span: Span,
    ) -> QualType {
        if matches!(
            self.unit.types.shape(result.ty),
            Type::Function(_) | Type::Array(..)
        ) {
            let message = format!("a function cannot return {}", self.show(result.ty));
            self.error("function-result", span, message);
            return QualType::plain(Types::ERROR);
        }
        let tree = self.tree;
        let params = &tree[params];
        let types = if prototype && !self.is_void_list(params) {
            self.scopes.open();
            self.prototypes += 1;
            let needs_names = params.iter().any(|p| self.has_inner_length(p.declarator));
            let types = params
                .iter()
                .map(|p| {
                    let ty = self.param_type(*p);
                    if needs_names {
                        self.param(*p, ty);
                    }
                    ty
                })
                .collect();
            self.prototypes -= 1;
            self.scopes.close();
            types
        } else {
            Box::default()
        };
        QualType::plain(self.unit.types.intern(Type::Function(FunctionType {
            result: result.ty,
            params: types,
            variadic,
            prototype,
        })))
    }

    /// Whether a parameter is an array of arrays. Other parameters may then give the inner lengths.
    fn has_inner_length(&self, declarator: DeclaratorId) -> bool {
        let steps = self.tree[declarator].steps;
        let inner = self.tree[steps].iter().skip(1);
        inner
            .into_iter()
            .any(|step| matches!(step, Derivation::Array(Some(_), _)))
    }

    pub(super) fn is_void_list(&self, params: &[Param]) -> bool {
        let [only] = params else {
            return false;
        };
        let void = Words {
            void: 1,
            ..Words::default()
        };
        let declarator = self.tree[only.declarator];
        if declarator.name.is_some() || !declarator.steps.is_empty() {
            return false;
        }
        match self.tree[only.specs].base {
            Base::Words(words) => words == void,
            Base::Named(name) => {
                matches!(self.scopes.name(name.symbol), Some(Binding::Typedef(ty)) if ty.ty == Types::VOID)
            }
            _ => false,
        }
    }

    /// The type of a parameter: arrays and functions are pointers.
    pub(super) fn param_type(&mut self, param: Param) -> QualType {
        let tree = self.tree;
        let base = self.specifiers(param.specs);
        let declarator = tree[param.declarator];
        let steps = &tree[declarator.steps];
        let mut ty = base;
        for (i, step) in steps.iter().enumerate().rev() {
            // The outermost length of a parameter says nothing.
            let step = match *step {
                Derivation::Array(_, span) if i == 0 => Derivation::Array(None, span),
                step => step,
            };
            ty = self.derive(ty, step, declarator.span);
        }
        self.adjusted(ty, declarator.span)
    }

    /// The type of a parameter that is declared with type `ty`: arrays and functions become pointers.
    pub(super) fn adjusted(&mut self, ty: QualType, span: Span) -> QualType {
        match *self.unit.types.shape(ty.ty) {
            Type::Array(element, _) => {
                QualType::plain(self.unit.types.pointer(element.with(ty.quals)))
            }
            Type::Function(_) => QualType::plain(self.unit.types.pointer(ty)),
            Type::Void => {
                self.error("incomplete", span, "a parameter cannot be `void`");
                QualType::plain(Types::ERROR)
            }
            _ => ty,
        }
    }
}

/// The arithmetic type that words name, if they name one.
fn arithmetic(words: Words) -> Option<TypeId> {
    let Words {
        void,
        boolean,
        char,
        short,
        int,
        int128,
        long,
        signed,
        unsigned,
        float,
        double,
        float128,
        complex,
    } = words;
    let others = [
        void, boolean, char, short, int, int128, float, double, float128, complex,
    ];
    if others.iter().any(|&n| n > 1) || long > 2 || signed > 1 || unsigned > 1 {
        return None;
    }
    let mains: u8 = [void, boolean, char, int128, float, double, float128]
        .iter()
        .sum();
    let sign = signed + unsigned;
    if complex > 0 || sign > 1 || mains > 1 || short > 0 && long > 0 {
        return None;
    }
    let alone = sign + short + long + int == 0;
    let kind = |signed: IntKind| {
        Some(Types::int(if unsigned > 0 {
            signed.to_unsigned()
        } else {
            signed
        }))
    };
    match (mains, short, long) {
        (1, ..) if void > 0 => alone.then_some(Types::VOID),
        (1, ..) if boolean > 0 => alone.then_some(Types::BOOL),
        (1, ..) if float > 0 => alone.then(|| Types::float(FloatKind::Float)),
        (1, ..) if float128 > 0 => alone.then(|| Types::float(FloatKind::Float128)),
        (1, 0, 1) if double > 0 && sign + int == 0 => Some(Types::float(FloatKind::LongDouble)),
        (1, ..) if double > 0 => alone.then_some(Types::DOUBLE),
        (1, 0, 0) if int == 0 && int128 > 0 => kind(IntKind::Int128),
        (1, 0, 0) if int == 0 && signed > 0 => Some(Types::int(IntKind::SChar)),
        (1, 0, 0) if int == 0 => kind(IntKind::Char),
        (0, 1, 0) => kind(IntKind::Short),
        (0, 0, 1) => kind(IntKind::Long),
        (0, 0, 2) => kind(IntKind::LongLong),
        (0, 0, 0) => kind(IntKind::Int),
        _ => None,
    }
}
