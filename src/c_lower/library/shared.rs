//! Functions on objects that threads share, as `include/c/shared.c` has them in C: each is written out where it is called.
//!
//! The text knows neither the program's types nor where its pointers lead, so it is read as a tree without types: a literal
//! has the type of the expression beside it, and a member is found by its name in the object that is meant.

use super::misuse::{GONE, MADE};
use super::{Call, Handler, Value};
use crate::place::Where;
use crate::{Lowered, Lowerer, refuse};
use base::source::Span;
use c::tree::{
    Base, BinaryOp as COp, DeclId, DeclKind, DeclaratorId, Derivation, Enumerator,
    ExprId as TextId, ExprKind as C, InitKind, Param, SpecId, Specifiers, StmtId, StmtKind as S,
    Storage, Symbol, Tree, UnaryOp,
};
use c::typed::ExprId as CExprId;
use c::types::Library;
use ir::lower::Lower;
use ir::{
    AwaitKind, BinaryOp, EnumType, ErrorKind, ExprId, LocalId, Place, RecordType, Step, StmtKind,
    Type, TypeId, Types,
};
use std::sync::LazyLock;

/// The text, read once.
static TEXT: LazyLock<Tree> = LazyLock::new(|| {
    let (tree, wrong) = c::tree(c::headers::SHARED);
    debug_assert!(wrong.is_empty(), "{wrong:?}");
    tree
});

struct Function {
    specs: Specifiers,
    params: &'static [Param],
    body: StmtId,
}

/// The meaning of a name of the text.
#[derive(Clone, Copy)]
enum Meaning {
    Object(usize),
    Nothing,
    /// A function: the argument in C, and the value that says which of its functions it is.
    Function(CExprId, ExprId),
    Value(ExprId),
    Local(LocalId),
}

/// The target of a pointer: an object of the library, or a variable.
struct Object {
    library: Option<Library>,
    found: Where,
    /// The object that is meant, while [`Lowerer::shared_each`] runs.
    place: Option<Place>,
}

/// The state while a call is written out.
#[derive(Default)]
pub(crate) struct Writing {
    name: String,
    span: Span,
    names: Vec<(Symbol, Meaning)>,
    objects: Vec<Object>,
    /// The type of the result.
    result: Option<TypeId>,
}

/// The value of a `return`.
type Returned = Option<ExprId>;

fn function(name: &str) -> Option<Function> {
    let name = TEXT.names.get(name)?;
    TEXT.items.iter().find_map(|&item| match TEXT[item].kind {
        DeclKind::Function {
            specs,
            declarator,
            body,
            ..
        } => {
            let (own, specs) = (TEXT[declarator], TEXT[specs]);
            let &Derivation::Function { params, .. } = TEXT[own.steps].first()? else {
                return None;
            };
            let params = &TEXT[params];
            (own.name?.symbol == name).then_some(Function {
                specs,
                params,
                body,
            })
        }
        _ => None,
    })
}

/// Returns the types that the text defines.
fn made() -> impl Iterator<Item = Base> {
    TEXT.items.iter().filter_map(|&item| match TEXT[item].kind {
        DeclKind::Plain(specs, _) => Some(TEXT[specs].base),
        _ => None,
    })
}

fn enumerators(base: Base) -> &'static [Enumerator] {
    match base {
        Base::Enum(id) => TEXT[id].members.map_or(&[], |members| &TEXT[members]),
        _ => &[],
    }
}

fn name_of(declarator: DeclaratorId) -> Option<Symbol> {
    TEXT[declarator].name.map(|name| name.symbol)
}

/// Returns the name and the arguments of a call.
fn called(e: TextId) -> Option<(&'static str, &'static [TextId])> {
    match TEXT[e].kind {
        C::Call(callee, args) => match TEXT[callee].kind {
            C::Name(name) => Some((TEXT.names.resolve(name), &TEXT[args])),
            _ => None,
        },
        _ => None,
    }
}

fn literal(e: TextId) -> Option<i128> {
    match TEXT[e].kind {
        C::Int(value, _) => Some(i128::from(value)),
        C::Unary(UnaryOp::Neg, of) => literal(of).map(|n| -n),
        C::Name(name) => {
            let found = made()
                .flat_map(enumerators)
                .find(|one| one.name.symbol == name);
            literal(found?.value?)
        }
        _ => None,
    }
}

fn string(e: TextId) -> String {
    match TEXT[e].kind {
        C::Text(text) => TEXT[text]
            .values
            .iter()
            .filter_map(|&c| char::from_u32(c))
            .collect(),
        _ => String::new(),
    }
}

impl Writing {
    fn meaning(&self, e: TextId) -> Option<Meaning> {
        let C::Name(name) = TEXT[e].kind else {
            return None;
        };
        let found = self.names.iter().rev().find(|(own, _)| *own == name);
        found.map(|(_, meaning)| *meaning)
    }

    fn object(&mut self, e: TextId) -> Lowered<&mut Object> {
        match self.meaning(e) {
            Some(Meaning::Object(at)) => Ok(&mut self.objects[at]),
            _ => self.unknown(),
        }
    }

    /// Returns the object that an expression of the text means, and its type in the library.
    fn meant(&mut self, e: TextId) -> Lowered<(Place, Library)> {
        let own = self.object(e)?;
        match own.place.clone().zip(own.library) {
            Some(meant) => Ok(meant),
            None => self.unknown(),
        }
    }

    fn unknown<T>(&self) -> Lowered<T> {
        refuse(self.span, format!("`{}` is", self.name))
    }
}

impl Lowerer<'_> {
    pub(super) fn shared_call(&mut self, call: Call<'_>) -> Lowered<Option<Value>> {
        // Only the text itself calls a `static` function.
        let found = function(call.name).filter(|f| f.specs.storage != Storage::Static);
        let Some(function) = found else {
            return Ok(None);
        };
        let ty = self.unit[call.e].ty.ty;
        let void = self.is_void(ty);
        let mut writing = Writing {
            name: call.name.to_owned(),
            span: call.span,
            ..Writing::default()
        };
        if !void {
            writing.result = Some(self.scalar_type(ty, call.span)?);
        }
        if function.params.len() != call.args.len() {
            return refuse(call.span, "a call with another number of arguments is");
        }
        for (param, &arg) in function.params.iter().zip(call.args) {
            self.shared_parameter(param, arg, &mut writing)?;
        }
        self.writing = writing;
        let value = self.shared_statement(function.body)?.filter(|_| !void);
        Ok(Some(Value(value.map(|v| self.keep(v)))))
    }

    /// Notes the meaning of a parameter.
    fn shared_parameter(
        &mut self,
        param: &Param,
        arg: CExprId,
        writing: &mut Writing,
    ) -> Lowered<()> {
        let Some(name) = name_of(param.declarator) else {
            return self.effects(&[arg]);
        };
        let library = match TEXT[param.specs].base {
            Base::Named(name) => Library::of(TEXT.names.resolve(name.symbol)).map(|(own, _)| own),
            _ => None,
        };
        let begins = writing.name.ends_with("_init");
        let meaning = match &TEXT[TEXT[param.declarator].steps] {
            [Derivation::Pointer(_)]
                if begins && !writing.names.is_empty() && self.is_null(arg) =>
            {
                Meaning::Nothing
            }
            [Derivation::Pointer(_)] => {
                let found = match library {
                    Some(library) => self.whole_object(arg, library)?,
                    None => self.pointed(arg)?,
                };
                // To begin or to end an object is no use of it.
                if !begins && !writing.name.ends_with("_destroy") {
                    library.map_or(Ok(()), |library| self.uses(&found, library))?;
                }
                let place = None;
                writing.objects.push(Object {
                    library,
                    found,
                    place,
                });
                Meaning::Object(writing.objects.len() - 1)
            }
            steps => {
                let value = self.value(arg)?;
                let value = self.keep(value);
                match steps {
                    [] => Meaning::Value(value),
                    _ => Meaning::Function(arg, value),
                }
            }
        };
        writing.names.push((name, meaning));
        Ok(())
    }

    fn shared_statement(&mut self, id: StmtId) -> Lowered<Returned> {
        match TEXT[id].kind {
            S::Block(all) => {
                let outer = self.writing.names.len();
                let mut all = TEXT[all].iter();
                let returned = all.find_map(|&one| self.shared_statement(one).transpose());
                self.writing.names.truncate(outer);
                return returned.transpose();
            }
            S::Decl(id) => self.shared_locals(id)?,
            S::Expr(e) => self.shared_action(e)?,
            S::If(cond, yes, no) => return self.shared_branch(cond, yes, no),
            S::Return(Some(e)) => {
                return self.shared_value(e, self.writing.result).map(Some);
            }
            _ => {}
        }
        Ok(None)
    }

    fn shared_locals(&mut self, id: DeclId) -> Lowered<()> {
        let DeclKind::Plain(specs, declared) = TEXT[id].kind else {
            return self.writing.unknown();
        };
        for one in &TEXT[declared] {
            let ty = self.shared_part(specs, "");
            let local = self.temporary(ty);
            if let Some(InitKind::Value(e)) = one.init.map(|i| TEXT[i].kind) {
                let value = self.shared_value(e, Some(ty))?;
                self.assign_local(local, value);
            }
            let name = name_of(one.declarator);
            self.writing
                .names
                .extend(name.map(|name| (name, Meaning::Local(local))));
        }
        Ok(())
    }

    /// Returns the type of an object of the library. An object with one member has the type of that member.
    pub(crate) fn shared_type(&mut self, library: Library) -> TypeId {
        let name = library.name();
        let plain = library == Library::Mutex && !self.kinds;
        let tag = if plain { Library::Spin } else { library };
        let tag = TEXT.names.get(tag.name());
        let members = made().find_map(|base| match base {
            Base::Record(id) if TEXT[id].tag.map(|t| t.symbol) == tag => TEXT[id].members,
            _ => None,
        });
        let mut fields = Vec::new();
        for member in &TEXT[members.unwrap_or_default()] {
            let own = member
                .declarator
                .and_then(name_of)
                .map(|own| TEXT.names.resolve(own));
            let ty = self.shared_part(member.specs, name);
            fields.push((own.unwrap_or_default().to_owned(), ty));
        }
        if let &[(_, ty)] = fields.as_slice() {
            return ty;
        }
        let name = name.to_owned();
        let record = Type::Record(RecordType { name, fields });
        self.build.program.types.intern(record)
    }

    /// The type of a local, or of a member of an object.
    fn shared_part(&mut self, specs: SpecId, object: &str) -> TypeId {
        let width = match TEXT[specs].base {
            Base::Named(_) => return Types::TASK,
            enumeration @ Base::Enum(_) => {
                let names = enumerators(enumeration).iter();
                let names = names.map(|one| TEXT.names.resolve(one.name.symbol).to_owned());
                let (name, members) = (object.to_owned(), names.collect());
                let ty = Type::Enum(EnumType { name, members });
                return self.build.program.types.intern(ty);
            }
            Base::Words(words) if words.boolean > 0 => return Types::BOOL,
            Base::Words(words) if words.char > 0 => 8,
            Base::Words(words) if words.short > 0 => 16,
            Base::Words(words) if words.long > 0 => 64,
            _ => 32,
        };
        self.counter_type(width)
    }

    /// Lowers an `if`. Skips a branch that this program never takes.
    fn shared_branch(
        &mut self,
        cond: TextId,
        yes: StmtId,
        no: Option<StmtId>,
    ) -> Lowered<Returned> {
        let (cond, yes, no) = match TEXT[cond].kind {
            C::Unary(UnaryOp::Not, of) => (of, no, Some(yes)),
            _ => (cond, Some(yes), no),
        };
        let cond = self.shared_condition(cond)?;
        let branch =
            |l: &mut Self, id: Option<StmtId>| id.map_or(Ok(None), |id| l.shared_statement(id));
        if self.build.is_constant(cond) {
            return branch(self, if self.build.is_true(cond) { yes } else { no });
        }
        let (yes, first) = self.apart(|l| branch(l, yes))?;
        let (no, second) = self.apart(|l| branch(l, no))?;
        self.emit(StmtKind::If(cond, yes, no));
        match first.or(second) {
            Some(_) => self.writing.unknown(),
            None => Ok(None),
        }
    }

    /// Lowers an expression for its effects.
    fn shared_action(&mut self, e: TextId) -> Lowered<()> {
        match TEXT[e].kind {
            C::Block(all) => self.shared_statement(all).map(|_| ()),
            C::Comma(first, second) => {
                self.shared_action(first)?;
                self.shared_action(second)
            }
            C::Step { operand, up, .. } => {
                let place = self.shared_place(operand)?;
                self.count(&place, if up { 1 } else { -1 });
                Ok(())
            }
            C::Assign(None, to, from) => self.shared_assign(to, from),
            C::Call(..) => self.shared_intrinsic(e),
            _ => Ok(()),
        }
    }

    fn shared_assign(&mut self, to: TextId, from: TextId) -> Lowered<()> {
        if let C::Unary(UnaryOp::Deref, pointer) = TEXT[to].kind {
            let into = self.writing.object(pointer)?.found.clone();
            let value = self.shared_value(from, Some(into.ty))?;
            let value = self.keep(value);
            return self.store(&into, value);
        }
        let place = self.shared_place(to)?;
        let value = self.shared_value(from, Some(place.ty))?;
        self.store_place(place, value);
        Ok(())
    }

    /// Returns the place of a local, or of a member of the object that is meant. An object with one member is that member.
    fn shared_place(&mut self, e: TextId) -> Lowered<Place> {
        if let C::Arrow(object, member) = TEXT[e].kind {
            let (place, _) = self.writing.meant(object)?;
            let Type::Record(record) = self.build.types().get(place.ty) else {
                return Ok(place);
            };
            let name = TEXT.names.resolve(member);
            let found = record.fields.iter().position(|(own, _)| own == name);
            return Ok(self.field(&place, found.unwrap_or(0) as u32));
        }
        match self.writing.meaning(e) {
            Some(Meaning::Local(local)) => Ok(self.local_place(local)),
            _ => self.writing.unknown(),
        }
    }

    fn shared_condition(&mut self, e: TextId) -> Lowered<ExprId> {
        match (TEXT[e].kind, self.writing.meaning(e)) {
            (C::Unary(UnaryOp::Not, of), _) => {
                let cond = self.shared_condition(of)?;
                Ok(self.build.not(cond))
            }
            (C::Binary(op @ (COp::And | COp::Or), l, r), _) => {
                let (l, and) = (self.shared_condition(l)?, op == COp::And);
                if self.build.is_constant(l) {
                    let decided = self.build.is_true(l) != and;
                    return if decided {
                        Ok(l)
                    } else {
                        self.shared_condition(r)
                    };
                }
                let r = self.shared_condition(r)?;
                let op = if and { BinaryOp::And } else { BinaryOp::Or };
                Ok(self.build.binary(op, l, r))
            }
            (_, Some(Meaning::Object(_))) => Ok(self.build.bool(true)),
            (_, Some(Meaning::Nothing)) => Ok(self.build.bool(false)),
            _ => {
                let value = self.shared_value(e, None)?;
                let decides = self.build.ty(value) == Types::BOOL;
                Ok(if decides {
                    value
                } else {
                    self.build.nonzero(value)
                })
            }
        }
    }

    /// Lowers a value. A literal gets the type `wanted` if there is one.
    fn shared_value(&mut self, e: TextId, wanted: Option<TypeId>) -> Lowered<ExprId> {
        let literal = match called(e) {
            Some(("kinds", [])) => Some(i128::from(self.kinds)),
            Some(("watched", [])) => Some(i128::from(self.options.wanted.has(ErrorKind::Misuse))),
            // A program that asks a clock has too many times to tell them apart.
            Some(("times", [])) => Some(i128::from(!self.asks_clock())),
            Some(("spurious", [])) => Some(i128::from(self.options.spurious)),
            _ => literal(e),
        };
        if let Some(n) = literal {
            let ty = wanted.unwrap_or(self.counter_type(32));
            let n = ir::arith::convert(self.build.types(), ty, n);
            return Ok(self.build.scalar(n, ty));
        }
        let value = match (TEXT[e].kind, self.writing.meaning(e)) {
            (_, Some(Meaning::Value(value))) => value,
            (C::Unary(UnaryOp::Not, _) | C::Binary(COp::And | COp::Or, ..), _) => {
                self.shared_condition(e)?
            }
            (C::Binary(op, l, r), _) => self.shared_binary(op, l, r)?,
            (C::Conditional(cond, Some(yes), no), _) => {
                let cond = self.shared_condition(cond)?;
                if self.build.is_constant(cond) {
                    let taken = if self.build.is_true(cond) { yes } else { no };
                    return self.shared_value(taken, wanted);
                }
                let yes = self.shared_value(yes, wanted)?;
                let no = self.shared_value(no, wanted)?;
                self.build.ite(cond, yes, no)
            }
            (C::Call(..), _) => match called(e) {
                Some(("valid", &[time])) => self.shared_time(time)?,
                Some(("self", [])) => self.build.self_task(),
                // Traces do not show the choice itself: its result is seen.
                Some(("any", [])) => self.at(Span::default(), |l| l.any(Types::BOOL)),
                _ => match self.shared_function(e)? {
                    Some(value) => value,
                    None => return self.writing.unknown(),
                },
            },
            _ => {
                let place = self.shared_place(e)?;
                self.peek(&place)
            }
        };
        match wanted {
            Some(ty) if self.build.ty(value) == ty => Ok(value),
            Some(Types::BOOL) => Ok(self.build.nonzero(value)),
            Some(ty) => self.converted(value, ty, self.writing.span),
            None => Ok(value),
        }
    }

    fn asks_clock(&self) -> bool {
        let names = ["clock_gettime", "gettimeofday", "timespec_get"];
        (names.iter()).any(|name| crate::calls(self.unit, name).next().is_some())
    }

    /// Whether a time has the nanoseconds of a second.
    fn shared_time(&mut self, time: TextId) -> Lowered<ExprId> {
        let found = self.writing.object(time)?.found.clone();
        let part = match self.build.types().get(found.ty) {
            Type::Record(time) if time.fields.len() == 2 => time.fields[1].1,
            _ => return self.writing.unknown(),
        };
        let value = self.load(&found.part(Step::Field(1), part))?;
        let ends = [0, 1_000_000_000].map(|end| self.build.int(end, part));
        let below = self.build.binary(BinaryOp::Lt, value, ends[0]);
        let within = self.build.binary(BinaryOp::Lt, value, ends[1]);
        let from = self.build.not(below);
        Ok(self.build.binary(BinaryOp::And, from, within))
    }

    fn shared_binary(&mut self, op: COp, l: TextId, r: TextId) -> Lowered<ExprId> {
        let l = self.shared_value(l, None)?;
        let r = self.shared_value(r, Some(self.build.ty(l)))?;
        let op = match op {
            COp::Eq => BinaryOp::Eq,
            COp::Ne => {
                let equal = self.build.binary(BinaryOp::Eq, l, r);
                return Ok(self.build.not(equal));
            }
            COp::Lt => BinaryOp::Lt,
            COp::Le => BinaryOp::Le,
            COp::Add => BinaryOp::Add,
            COp::Sub => BinaryOp::Sub,
            COp::BitAnd => BinaryOp::BitAnd,
            _ => return self.writing.unknown(),
        };
        Ok(self.build.binary(op, l, r))
    }

    /// Writes out a call of another function of the text.
    fn shared_function(&mut self, call: TextId) -> Lowered<Returned> {
        let found = called(call).and_then(|(name, args)| Some((function(name)?, args)));
        let Some((function, args)) = found else {
            return self.writing.unknown();
        };
        let mut names = Vec::new();
        for (param, &arg) in function.params.iter().zip(args) {
            let meaning = match self.writing.meaning(arg) {
                Some(meaning) => meaning,
                None => {
                    let ty = self.shared_part(param.specs, "");
                    Meaning::Value(self.shared_value(arg, Some(ty))?)
                }
            };
            names.extend(name_of(param.declarator).map(|name| (name, meaning)));
        }
        let names = std::mem::replace(&mut self.writing.names, names);
        let result = self.writing.result;
        if matches!(function.specs.base, Base::Words(words) if words.boolean > 0) {
            self.writing.result = Some(Types::BOOL);
        }
        let returned = self.shared_statement(function.body);
        self.writing.names = names;
        self.writing.result = result;
        returned
    }

    /// Runs `act` for each object that an expression of the text may mean.
    fn shared_each(
        &mut self,
        object: TextId,
        act: &mut dyn FnMut(&mut Self) -> Lowered<()>,
    ) -> Lowered<()> {
        let own = self.writing.object(object)?;
        if own.place.is_some() {
            return act(self);
        }
        let found = own.found.clone();
        self.each(&found, &mut |l, place| {
            l.writing.object(object)?.place = Some(place.clone());
            act(l)?;
            l.writing.object(object)?.place = None;
            Ok(None)
        })?;
        Ok(())
    }

    fn shared_intrinsic(&mut self, e: TextId) -> Lowered<()> {
        let Some((name, args)) = called(e) else {
            return self.writing.unknown();
        };
        match (name, args) {
            ("at", &[object, action]) => self.shared_each(object, &mut |l| l.shared_action(action)),
            ("step", &[object, action]) => {
                self.in_one_step(|l| l.shared_each(object, &mut |l| l.shared_action(action)))
            }
            ("passes", []) => {
                let always = self.build.bool(true);
                self.emit(StmtKind::Assume(always));
                Ok(())
            }
            ("await" | "wait", &[object, cond, action, ref more @ ..]) => {
                self.shared_wait(object, (cond, action), more, name == "wait")
            }
            ("made" | "destroyed", &[object, ref more @ ..]) => {
                self.in_one_step(|l| l.shared_each(object, &mut |l| l.shared_life(object, more)))
            }
            ("check", &[cond, what]) => self.shared_check(cond, what),
            ("call", &[object, function]) => {
                let object = self.writing.object(object)?.found.clone();
                let Some(Meaning::Function(arg, chosen)) = self.writing.meaning(function) else {
                    return self.writing.unknown();
                };
                let functions = self.functions_of(arg);
                self.body.handlers.push(Handler::NotDone(object));
                let done = self.call_one(&functions, chosen, &[], None, self.writing.span);
                self.body.handlers.pop();
                done
            }
            ("failed", &[cond, number]) => {
                let cond = self.shared_condition(cond)?;
                let number = self.shared_value(number, None)?;
                let number = self.build.literal(number).unwrap_or_default();
                self.failed(cond, number, self.writing.span)
            }
            ("clear", &[object]) => {
                let (place, _) = self.writing.meant(object)?;
                let zero = self.zero(place.ty);
                self.store_place(place, zero);
                Ok(())
            }
            ("cancellation", []) => self.cancellation_point(),
            _ => self.shared_function(e).map(|_| ()),
        }
    }

    /// Waits. A thread that is cancelled does `more[0]` in the same step, and `more[1]` before it ends.
    fn shared_wait(
        &mut self,
        object: TextId,
        (cond, action): (TextId, TextId),
        more: &[TextId],
        cancelled: bool,
    ) -> Lowered<()> {
        let more = |l: &mut Self, at| more.get(at).map_or(Ok(()), |&e| l.shared_action(e));
        self.shared_each(object, &mut |l| {
            let (span, cond) = (l.writing.span, l.shared_condition(cond)?);
            let (body, ()) = l.apart(|l| l.shared_action(action))?;
            if !cancelled {
                return l.wait(AwaitKind::Await, cond, body, span);
            }
            let (undo, ()) = l.apart(|l| more(l, 0))?;
            let last = &mut |l: &mut Self| more(l, 1);
            l.wait_or_end(AwaitKind::Await, cond, (body, span), undo, last)
        })
    }

    /// Begins an object with an action, or ends an object, which must be idle.
    fn shared_life(&mut self, object: TextId, how: &[TextId]) -> Lowered<()> {
        let (place, library) = self.writing.meant(object)?;
        match *how {
            [action] => {
                self.is_made(&place, library);
                self.shared_action(action)?;
                self.becomes(&place, MADE);
            }
            [idle, what] => {
                self.usable(&place, library);
                self.shared_check(idle, what)?;
                self.becomes(&place, GONE);
            }
            _ => {}
        }
        Ok(())
    }

    /// Checks a condition whose failure is misuse.
    fn shared_check(&mut self, cond: TextId, what: TextId) -> Lowered<()> {
        if self.options.wanted.has(ErrorKind::Misuse) {
            let cond = self.shared_condition(cond)?;
            self.expect(ErrorKind::Misuse, cond, string(what));
        }
        Ok(())
    }
}
