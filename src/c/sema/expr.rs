//! Expressions: names, constants, members, and the way to everything else.

use super::Sema;
use super::scope::Binding;
use crate::headers;
use crate::literal::{Suffix, Width};
use crate::typed::{Conversion, ExprId, ExprKind, Lifetime, Text, TextId};
use crate::types::{FloatKind, IntKind, Length, QualType, Type, TypeId, Types};
use crate::{
    tree,
    tree::{Designator, ExprKind as K, Quals},
};
use ast::symbol::Symbol;
use base::diagnostic::Diagnostic;
use base::source::Span;
use base::suggest;

impl Sema<'_> {
    /// A place or a value. Arrays are places still, and functions have their own type.
    pub(super) fn expr(&mut self, e: tree::ExprId) -> ExprId {
        let tree = self.tree;
        let tree::Expr { kind, span } = tree[e];
        match kind {
            K::Error => self.failed(span),
            K::Int(value, suffix) => self.int_literal(value, suffix, span),
            K::Float(value, size) => self.float_literal(value, size, span),
            K::Char(value, width) => self.char_literal(value, width, span),
            K::Text(text) => {
                let text = &tree[text];
                self.string(text.width, text.values.clone(), span)
            }
            K::Name(symbol) => self.name(symbol, span),
            K::Unary(op, operand) => self.unary(op, operand, span),
            K::Step {
                operand,
                up,
                before,
            } => self.step(operand, up, before, span),
            K::Binary(op, l, r) => self.binary(op, l, r, span),
            K::Assign(None, l, r) => self.assign(l, r, span),
            K::Assign(Some(op), l, r) => self.compound_assign(op, l, r, span),
            K::Conditional(c, a, b) => self.conditional(c, a, b, span),
            K::Comma(l, r) => {
                let l = self.value(l);
                let r = self.value(r);
                let ty = self.ty(r);
                self.make(ExprKind::Comma(l, r), ty, span)
            }
            K::Call(callee, args) => self.call(callee, &tree[args], span),
            K::Index(a, i) => self.index(a, i, span),
            K::Member(record, name) => self.member_of(record, name, span),
            K::Arrow(pointer, name) => {
                let pointer = self.value(pointer);
                let record = self.deref(pointer, span);
                self.select(record, name, span)
            }
            K::Cast(ty, value) => self.cast(ty, value, span),
            K::Compound(ty, init) => self.compound_literal(ty, init, span),
            K::SizeofExpr(_) | K::SizeofType(_) | K::AlignofType(_) | K::AlignofExpr(_) => {
                self.size_of(kind, span)
            }
            K::Offsetof(ty, steps) => self.offset_of(ty, &tree[steps], span),
            K::Block(block) => self.block_value(block, span),
            K::Generic(value, choices) => self.generic(value, &tree[choices], span),
            K::VaArg(list, ty) => self.va_arg(list, ty, span),
            K::TypesCompatible(a, b) => {
                let (a, b) = (self.type_name(a), self.type_name(b));
                let same = self.same(a.ty, b.ty);
                self.number(same.into(), Types::INT, span)
            }
            K::Choose(condition, a, b) => self.chosen(condition, (a, b), span),
            K::ByTypes(call, written) if self.calls_ours(call) => self.expr(written),
            K::ByTypes(call, _) => self.expr(call),
            K::LabelAddress(name) => self.label_address(name, span),
        }
    }

    pub(super) fn float_literal(&mut self, value: f64, size: u8, span: Span) -> ExprId {
        let kind = match size {
            4 => FloatKind::Float,
            8 => FloatKind::Double,
            _ => FloatKind::LongDouble,
        };
        let ty = self.unit.types.intern(Type::Float(kind));
        self.make(ExprKind::Float(value), ty, span)
    }

    fn char_literal(&mut self, value: i64, width: Width, span: Span) -> ExprId {
        let ty = match width {
            Width::Char8 => Types::int(IntKind::UChar),
            Width::Char16 => Types::int(IntKind::UShort),
            Width::Char32 => Types::int(IntKind::UInt),
            Width::Char | Width::Wide => Types::INT,
        };
        self.number(value.into(), ty, span)
    }

    /// `__builtin_choose_expr`
    fn chosen(
        &mut self,
        condition: tree::ExprId,
        (a, b): (tree::ExprId, tree::ExprId),
        span: Span,
    ) -> ExprId {
        let condition = self.value(condition);
        match self.unit.constant(condition) {
            Some(0) => self.expr(b),
            Some(_) => self.expr(a),
            None => self.fail("not-constant", span, "the condition is not constant"),
        }
    }

    fn int_literal(&mut self, value: u64, suffix: Suffix, span: Span) -> ExprId {
        use IntKind::{Int, Long, LongLong, UInt, ULong, ULongLong};
        let signed = [Int, Long, LongLong];
        let unsigned = [UInt, ULong, ULongLong];
        let from = usize::from(suffix.longs);
        let fits = |kind: IntKind| {
            let bounds = self.unit.types.bounds(Types::int(kind));
            bounds.is_some_and(|(_, greatest)| i128::from(value) <= greatest)
        };
        let mut kinds = (from..3).flat_map(|i| {
            let with_sign = (!suffix.unsigned).then_some(signed[i]);
            let without = (suffix.unsigned || suffix.radix).then_some(unsigned[i]);
            with_sign.into_iter().chain(without)
        });
        let kind = kinds.find(|&k| fits(k)).unwrap_or(ULongLong);
        self.number(value.into(), Types::int(kind), span)
    }

    /// A string as a place.
    pub(super) fn string(&mut self, width: Width, values: Box<[u32]>, span: Span) -> ExprId {
        let element = match width {
            Width::Char | Width::Char8 => Types::int(IntKind::Char),
            Width::Char16 => Types::int(IntKind::UShort),
            Width::Char32 => Types::int(IntKind::UInt),
            Width::Wide => Types::INT,
        };
        let length = Length::Known(values.len() as u64 + 1);
        let ty = Type::Array(QualType::plain(element), length);
        let ty = self.unit.types.intern(ty);
        let next = TextId(u32::try_from(self.unit.texts.len()).unwrap_or(u32::MAX));
        // Compilers keep equal strings of a file once.
        let id = *self
            .strings
            .entry((element, values.clone()))
            .or_insert(next);
        if id == next {
            self.unit.texts.push(Text { values, element });
        }
        self.make(ExprKind::Text(id), ty, span)
    }

    fn name(&mut self, symbol: Symbol, span: Span) -> ExprId {
        match self.scopes.name(symbol) {
            Some(Binding::Variable(var)) => {
                let ty = self.unit[var].ty;
                self.add(ExprKind::Var(var), ty, span)
            }
            Some(Binding::Function(function)) => {
                let ty = self.unit[function].ty;
                self.make(ExprKind::Function(function), ty, span)
            }
            Some(Binding::Constant(value, ty)) => self.number(value, ty, span),
            Some(Binding::Typedef(_)) => {
                let message = format!("{} is a type, not a value", self.quoted(symbol));
                self.fail("type-as-value", span, message)
            }
            None => self.unknown(symbol, span),
        }
    }

    /// A name that is not declared: that of the function around, a builtin, or a mistake.
    fn unknown(&mut self, symbol: Symbol, span: Span) -> ExprId {
        let text = self.text(symbol).to_owned();
        if matches!(
            text.as_str(),
            "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__"
        ) {
            let name = self.function().map(|f| self.unit[f].name);
            let name = name.map_or("", |n| self.text(n));
            let values = name.bytes().map(u32::from).collect();
            return self.string(Width::Char, values, span);
        }
        // Words since C23.
        match text.as_str() {
            "true" | "false" => return self.number(i128::from(text == "true"), Types::INT, span),
            "nullptr" => {
                let pointer = self.unit.types.pointer(QualType::plain(Types::VOID));
                let zero = self.number(0, Types::INT, span);
                return self.converted(zero, pointer);
            }
            _ => {}
        }
        if let Some(function) = self.builtin_function(symbol, span) {
            let ty = self.unit[function].ty;
            return self.make(ExprKind::Function(function), ty, span);
        }
        let wrong = |b| matches!(b, Binding::Variable(v) if self.unit[v].ty.ty == Types::ERROR);
        let visible = self.scopes.visible().filter(|&(_, b)| !wrong(b));
        let names = visible.map(|(s, _)| self.unit.names.resolve(s));
        let similar = suggest::closest(&text, names).map(str::to_owned);
        let message = format!("{} is not declared", self.quoted(symbol));
        let complaint = Diagnostic::error("unknown-name", span, message);
        let mut complaint = headers::advise(complaint, &text);
        if let Some(similar) = similar {
            complaint = complaint.note(format!("did you mean `{similar}`?"));
        }
        self.complaints.add(complaint);
        // Declares the name, so that its next use is no second complaint.
        let var = self.new_variable(
            Some(symbol),
            QualType::plain(Types::ERROR),
            Lifetime::Static,
            span,
        );
        self.scopes.declare(symbol, Binding::Variable(var));
        self.failed(span)
    }

    /// The place to which a pointer value points.
    pub(super) fn deref(&mut self, pointer: ExprId, span: Span) -> ExprId {
        let ty = self.ty(pointer);
        if ty == Types::ERROR {
            return self.failed(span);
        }
        match self.unit.types.pointee(ty) {
            Some(to) => self.add(ExprKind::Deref(pointer), to, span),
            None => {
                let message = format!("{} is no pointer", self.show(ty));
                self.fail("no-pointer", span, message)
            }
        }
    }

    /// `a[i]`, or `i[a]`
    fn index(&mut self, a: tree::ExprId, i: tree::ExprId, span: Span) -> ExprId {
        let (mut base, mut index) = (self.value(a), self.value(i));
        if self.unit.types.pointee(self.ty(index)).is_some() {
            std::mem::swap(&mut base, &mut index);
        }
        let (base_ty, index_ty) = (self.ty(base), self.ty(index));
        if base_ty == Types::ERROR || index_ty == Types::ERROR {
            return self.failed(span);
        }
        let Some(to) = self.unit.types.pointee(base_ty) else {
            let message = format!("{} is neither an array nor a pointer", self.show(base_ty));
            return self.fail("no-pointer", span, message);
        };
        if !self.unit.types.is_integer(index_ty) {
            let message = format!("an index is an integer, not {}", self.show(index_ty));
            return self.fail("type-mismatch", span, message);
        }
        if !self.has_size(to.ty) {
            let message = format!("{} has no size to count in", self.show(to.ty));
            return self.fail("incomplete", span, message);
        }
        let index = self.counted(index);
        self.add(ExprKind::Index(base, index), to, span)
    }

    /// Whether pointers to a type allow arithmetic; pointers to `void` and functions count bytes, as in GNU C.
    pub(super) fn has_size(&self, ty: TypeId) -> bool {
        matches!(self.unit.types.shape(ty), Type::Void | Type::Function(_))
            || self.unit.types.is_complete(ty)
    }

    fn member_of(&mut self, record: tree::ExprId, name: Symbol, span: Span) -> ExprId {
        let mut place = self.expr(record);
        if !self.unit.is_place(place) && self.ty(place) != Types::ERROR {
            let ty = self.ty(place);
            place = self.make(ExprKind::Temporary(place), ty, span);
        }
        self.select(place, name, span)
    }

    /// A member of a place by its name.
    fn select(&mut self, mut place: ExprId, name: Symbol, span: Span) -> ExprId {
        let QualType { ty, quals } = self.unit[place].ty;
        if ty == Types::ERROR {
            return self.failed(span);
        }
        let Some(record) = self.unit.types.record(ty) else {
            let message = format!("{} has no members", self.show(ty));
            let mut complaint = Diagnostic::error("no-record", span, message);
            if let Some(to) = self.unit.types.pointee(ty)
                && self.unit.types.record(to.ty).is_some()
            {
                complaint = complaint.note("members behind a pointer are written `p->member`");
            }
            self.complaints.add(complaint);
            return self.failed(span);
        };
        let Some((path, _)) = self.unit.types.member(record, name) else {
            return self.no_member(ty, name, span);
        };
        let mut record = record;
        let mut quals = Quals {
            atomic: false,
            ..quals
        };
        for index in path {
            let fields = self.unit.types[record].fields.as_deref().unwrap_or(&[]);
            let field = fields[index as usize];
            let ty = field.ty.with(quals);
            place = self.add(ExprKind::Member(place, index), ty, span);
            quals = Quals {
                atomic: false,
                ..ty.quals
            };
            if let Some(inner) = self.unit.types.record(ty.ty) {
                record = inner;
            }
        }
        place
    }

    fn no_member(&mut self, ty: TypeId, name: Symbol, span: Span) -> ExprId {
        let known = self
            .unit
            .types
            .record(ty)
            .is_some_and(|r| self.unit.types[r].fields.is_some());
        let message = if known {
            format!("{} has no member {}", self.show(ty), self.quoted(name))
        } else {
            format!("the members of {} are not known here", self.show(ty))
        };
        self.fail("unknown-member", span, message)
    }

    fn cast(&mut self, ty: tree::TypeNameId, value: tree::ExprId, span: Span) -> ExprId {
        let to = self.type_name(ty).ty;
        let value = self.value(value);
        let from = self.ty(value);
        if from == Types::ERROR || to == Types::ERROR {
            return self.failed(span);
        }
        if to == Types::VOID {
            let kind = ExprKind::Convert(Conversion::Void, value);
            return self.make(kind, to, span);
        }
        let types = &self.unit.types;
        let same_record =
            types.record(to).is_some() && types.canonical(from) == types.canonical(to);
        let mixed = matches!(
            (types.shape(from), types.shape(to)),
            (Type::Float(_), Type::Pointer(_)) | (Type::Pointer(_), Type::Float(_))
        );
        if same_record {
            return value;
        }
        if let Some(at) = types.record(to).and_then(|id| self.union_takes(id, from)) {
            return self.union_with(value, at, to);
        }
        if mixed || !types.is_scalar(from) || !types.is_scalar(to) {
            let message = format!("{} cannot become {}", self.show(from), self.show(to));
            return self.fail("type-mismatch", span, message);
        }
        let result = self.converted(value, to);
        // A bit-field is promoted by its width. A cast of one to its own type is not.
        let kept = match self.bit_width(value) {
            Some(_) => Some(Conversion::Integer),
            None => types_differ(self, value, to).then_some(Conversion::Same),
        };
        match kept.filter(|_| result == value) {
            Some(kept) => self.make(ExprKind::Convert(kept, value), to, span),
            None => result,
        }
    }

    /// Which member of a union has a type (GNU C: a cast to the union is allowed).
    fn union_takes(&self, record: crate::types::RecordId, from: TypeId) -> Option<usize> {
        let record = &self.unit.types[record];
        let mut fields = record.fields.iter().flatten();
        let found = fields.position(|f| self.same(f.ty.ty, from));
        found.filter(|_| record.is_union)
    }

    fn compound_literal(&mut self, ty: tree::TypeNameId, init: tree::InitId, span: Span) -> ExprId {
        let words = self.tree[self.tree[ty].specs];
        let ty = self.type_name(ty);
        if ty.ty == Types::ERROR {
            return self.failed(span);
        }
        if !self.unit.types.is_complete(ty.ty) && !self.is_open_array(ty.ty) {
            let message = format!("the size of {} is not known here", self.show(ty.ty));
            return self.fail("incomplete", span, message);
        }
        let lifetime = self.lifetime(words.storage, words.thread_local);
        let var = self.new_variable(None, ty, lifetime, span);
        let (init, complete) = self.initializer(ty.ty, init);
        self.unit[var].ty.ty = complete;
        self.unit[var].init = Some(init);
        self.check_constant_init(var);
        let ty = self.unit[var].ty;
        self.add(ExprKind::Literal(var), ty, span)
    }

    fn size_of(&mut self, kind: K, span: Span) -> ExprId {
        let size = self.unit.types.size_type();
        let mut declared = None;
        let (ty, wants_size) = match kind {
            K::SizeofType(ty) => (self.type_name(ty).ty, true),
            K::AlignofType(ty) => (self.type_name(ty).ty, false),
            K::SizeofExpr(e) => {
                let operand = self.operand(e);
                (self.ty(operand), true)
            }
            K::AlignofExpr(e) => {
                let operand = self.operand(e);
                declared = self.declared_alignment(operand);
                (self.ty(operand), false)
            }
            _ => (Types::ERROR, true),
        };
        if ty == Types::ERROR {
            return self.failed(span);
        }
        if wants_size && self.unit.types.is_variable(ty) {
            return self.variable_size(ty, span);
        }
        let layout = match self.unit.types.shape(ty) {
            // GNU C counts them as one byte.
            Type::Void | Type::Function(_) => Some(crate::types::Layout { size: 1, align: 1 }),
            _ => self.unit.types.layout(ty),
        };
        let Some(layout) = layout else {
            let message = format!("the size of {} is not known here", self.show(ty));
            return self.fail("incomplete", span, message);
        };
        let value = if wants_size {
            layout.size
        } else {
            declared.unwrap_or(layout.align)
        };
        self.number(value.into(), size, span)
    }

    /// An operand that is not evaluated.
    fn operand(&mut self, e: tree::ExprId) -> ExprId {
        let operand = self.expr(e);
        if self.field_bits(operand).is_some() {
            let span = self.span(operand);
            self.error("bit-field", span, "a bit-field has no size");
        }
        operand
    }

    /// The alignment of a variable or a member, where its declaration decides it.
    fn declared_alignment(&self, place: ExprId) -> Option<u64> {
        match self.unit[place].kind {
            ExprKind::Var(variable) => self.unit[variable].align,
            ExprKind::Member(of, index) => {
                let record = self.unit.types.record(self.ty(of))?;
                let fields = self.unit.types[record].fields.as_deref()?;
                fields.get(index as usize).map(|field| field.align)
            }
            _ => None,
        }
    }

    /// The size of an array of variable length, computed.
    pub(super) fn variable_size(&mut self, ty: TypeId, span: Span) -> ExprId {
        let size = self.unit.types.size_type();
        let Type::Array(element, length) = *self.unit.types.shape(ty) else {
            let bytes = self.unit.types.layout(ty).map_or(1, |l| l.size);
            return self.number(bytes.into(), size, span);
        };
        let inner = self.variable_size(element.ty, span);
        let count = match length {
            Length::Variable(e) => self.converted(e, size),
            Length::Known(n) => self.number(n.into(), size, span),
            Length::Unknown | Length::Any => {
                return self.fail("incomplete", span, "the size is not known here");
            }
        };
        let kind = ExprKind::Binary(crate::typed::BinaryOp::Mul, count, inner);
        self.make(kind, size, span)
    }

    /// `__builtin_offsetof(T, a.b[1])`: as the address of that part of an object at zero.
    fn offset_of(&mut self, ty: tree::TypeNameId, steps: &[Designator], span: Span) -> ExprId {
        let size = self.unit.types.size_type();
        let ty = self.type_name(ty);
        let pointer = self.unit.types.pointer(ty);
        let zero = self.number(0, Types::INT, span);
        let null = self.converted(zero, pointer);
        let mut place = self.deref(null, span);
        for step in steps {
            place = match *step {
                Designator::Field(name) => self.select(place, name.symbol, name.span),
                Designator::Index(e) | Designator::Range(e, _) => {
                    let base = self.rvalue(place);
                    let index = self.value(e);
                    let Some(to) = self.unit.types.pointee(self.ty(base)) else {
                        return self.fail("no-pointer", span, "that is no array");
                    };
                    self.add(ExprKind::Index(base, index), to, span)
                }
            };
        }
        let to = QualType::plain(self.ty(place));
        if to.ty == Types::ERROR {
            return self.failed(span);
        }
        let pointer = self.unit.types.pointer(to);
        let address = self.make(ExprKind::AddressOf(place), pointer, span);
        let offset = self.converted(address, size);
        match self.unit.constant(offset) {
            Some(value) => self.number(value, size, span),
            None => offset,
        }
    }

    fn generic(&mut self, value: tree::ExprId, choices: &[tree::Choice], span: Span) -> ExprId {
        let value = self.value(value);
        let ty = self.ty(value);
        let mut chosen = None;
        for choice in choices {
            match choice.ty {
                None => chosen = chosen.or(Some(choice.value)),
                Some(name) => {
                    let of = self.type_name(name);
                    if of.quals == Quals::default() && self.same(of.ty, ty) {
                        chosen = Some(choice.value);
                        break;
                    }
                }
            }
        }
        match chosen {
            Some(e) => self.expr(e),
            None => {
                let message = format!("no choice is for {}", self.show(ty));
                self.fail("generic", span, message)
            }
        }
    }
}

/// Whether the type of a value has another id than `to`, though it may be the same type under another name.
fn types_differ(sema: &Sema<'_>, value: ExprId, to: TypeId) -> bool {
    sema.ty(value) != to
}
