//! Statements one after the other; declarations.

use super::seen::is_within;
use super::{Lowered, Lowerer, Role, calls, refuse};
use c::sema::SPAWN;
use c::typed::{
    ExprId as CExprId, ExprKind as C, Init, InitId, Lifetime, StmtId, StmtKind as S, VarId,
};
use c::types::{Length, Type as CType, TypeId as CTypeId};
use c_memory::{Object, size_of};
use ir::lower::Lower;
use ir::{Behind, BinaryOp, Block, ErrorKind, LoopId, Place, Step, Stmt, StmtKind, Type};

const ASSEMBLER: &str = "assembler like this (write what it does in C, `#ifdef` around it) is";

/// Each length of a row up to this one has paths of its own.
const MOST_KNOWN: u32 = 16;

impl Lowerer<'_> {
    pub(super) fn statement(&mut self, id: StmtId) -> Lowered<()> {
        let unit = self.unit;
        let span = unit[id].span;
        let outer = std::mem::replace(&mut self.body.span, span);
        self.may_end_before(id)?;
        match &unit[id].kind {
            S::Empty => {}
            S::Asm => return refuse(span, ASSEMBLER),
            S::Expr(e) => self.effect(*e)?,
            S::Declare(variable) => {
                let done = self.declare(*variable);
                if done.is_err() {
                    self.lost.insert(*variable);
                }
                done?;
            }
            S::Block(statements) => self.sequence(statements)?,
            S::If(cond, yes, no) => {
                let cond = self.condition_past(*cond, *yes, *no)?;
                let (yes, ()) = self.apart(|l| l.statement(*yes))?;
                let (no, ()) = self.apart(|l| match no {
                    Some(no) => l.statement(*no),
                    None => Ok(()),
                })?;
                self.body.span = self.if_span(id);
                self.emit(StmtKind::If(cond, yes, no));
            }
            S::Switch(..) if !self.entries(&[id]).is_empty() => {
                return refuse(span, "a `goto` into a `switch` is");
            }
            S::While(cond, body) => self.while_loop(*cond, *body)?,
            S::DoWhile(body, cond) => self.do_loop(*body, *cond)?,
            S::For(first, cond, step, body) => {
                self.unless_entered(&[*body], |l| {
                    first.iter().try_for_each(|&stmt| l.statement(stmt))
                })?;
                self.for_loop(*cond, *step, *body)?;
            }
            S::Switch(value, body, cases) => self.switch(*value, *body, cases, span)?,
            S::Case => return refuse(span, "a case in a block of its own is"),
            S::Label(label) => self.at_label(*label),
            S::Goto(label) => self.jump(*label)?,
            S::GotoValue(_) => {
                self.never(ErrorKind::Deref, "this leads to no label of its function");
            }
            S::Break => match self.body.targets.on_break {
                Some(id) => self.emit(StmtKind::Break(id)),
                None => return self.in_turn(span, "a `break` out of an atomic section is"),
            },
            S::Continue => match self.body.targets.on_continue {
                Some((id, true)) => self.emit(StmtKind::Break(id)),
                Some((id, false)) => self.emit(StmtKind::Continue(id)),
                None => return self.in_turn(span, "a `continue` out of an atomic section is"),
            },
            S::Return(value) => self.give_back(*value)?,
        }
        if self.all_joined == Some(id) && self.body.role == Role::Main {
            self.joined = Some(self.body.block.len());
        }
        self.body.span = outer;
        Ok(())
    }

    /// Returns the span of an `if`'s condition, so that the whole block does not look like one statement.
    fn if_span(&self, id: StmtId) -> base::source::Span {
        match &self.unit[id].kind {
            S::If(cond, ..) => self.unit[*cond].span,
            _ => self.unit[id].span,
        }
    }

    fn give_back(&mut self, value: Option<CExprId>) -> Lowered<()> {
        if self.body.section.is_some() {
            return self.in_turn(self.body.span, "a `return` out of an atomic section is");
        }
        match (value, self.body.role) {
            (None, Role::Main) => self.end_of_main()?,
            (None, Role::Start) => {
                self.end_thread()?;
                self.finish();
            }
            (None, Role::Called) => self.without_value()?,
            (Some(value), Role::Main) => {
                self.effect(value)?;
                self.end_of_main()?;
            }
            // A join may ask for the result of a thread.
            (Some(value), Role::Start) => {
                self.thread_result(value)?;
                self.end_thread()?;
                self.finish();
            }
            (Some(value), Role::Called) => match self.body.result {
                Some(ty) => {
                    let value = self.value(value)?;
                    self.same(value, ty, self.body.span)?;
                    self.frame_ends()?;
                    self.emit(StmtKind::Return(Some(value)));
                }
                None => {
                    self.effect(value)?;
                    self.frame_ends()?;
                    self.finish();
                }
            },
        }
        Ok(())
    }

    /// Ends `main`. Threads from `__CPROVER_ASYNC` go on then: the tools that know this label say so.
    fn end_of_main(&mut self) -> Lowered<()> {
        if calls(self.unit, SPAWN).next().is_some() {
            return self.leave_thread();
        }
        self.run_handlers_at_exit()?;
        self.end_program();
        Ok(())
    }

    /// Lowers the result of a thread for its effects, since no join asks for it.
    pub(super) fn effect_of_result(&mut self, value: CExprId) -> Lowered<()> {
        if self.acts(value) || !self.names_only(value) {
            self.effect(value)?;
        }
        Ok(())
    }

    /// Leaves the function. The value does not matter: no caller uses it, or the program ends.
    pub(super) fn finish(&mut self) {
        let value = self.body.result.map(|ty| self.zero(ty));
        self.emit(StmtKind::Return(value));
    }

    /// Lowers the end of a function, where control falls off.
    pub(super) fn falls_off(&mut self) -> Lowered<()> {
        match (self.body.role, self.body.result) {
            (Role::Main, _) => self.end_of_main()?,
            (Role::Start, _) => self.end_thread()?,
            (_, Some(_)) => self.without_value()?,
            (_, None) => self.frame_ends()?,
        }
        Ok(())
    }

    /// Leaves the function without the value that it should return. A caller that uses the value gets any.
    fn without_value(&mut self) -> Lowered<()> {
        self.frame_ends()?;
        match self.body.result {
            Some(ty) if self.used.contains(&self.body.function) => {
                let value = self.any(ty);
                self.emit(StmtKind::Return(Some(value)));
            }
            _ => self.finish(),
        }
        Ok(())
    }

    /// Ends a thread: marks its variables as gone, and gives the values of keys to their destructors.
    pub(super) fn end_thread(&mut self) -> Lowered<()> {
        self.frame_ends()?;
        self.run_destructors()?;
        self.ends_as_seen()?;
        self.own_variables_end()
    }

    /// A block that is run once, and that `Break` leaves.
    pub(super) fn once(&mut self, id: LoopId, block: &mut Block) {
        let span = self.body.span;
        let mut body = std::mem::take(block);
        body.push(Stmt {
            kind: StmtKind::Break(id),
            span,
        });
        body.shrink_to_fit();
        self.endless(id, body);
    }

    /// A loop that only `Break` leaves.
    pub(super) fn endless(&mut self, id: LoopId, body: Block) {
        let cond = self.build.bool(true);
        self.emit(StmtKind::Loop(Box::new(ir::Loop {
            id,
            pre: Block::new(),
            cond,
            body,
            step: Block::new(),
        })));
    }

    pub(super) fn declare(&mut self, id: VarId) -> Lowered<()> {
        let unit = self.unit;
        let variable = &unit[id];
        if variable.lifetime != Lifetime::Local {
            return Ok(());
        }
        self.not_open(variable.ty.ty, variable.span)?;
        let ty = self.object_type(variable.ty.ty, variable.span)?;
        let resident = self.memory.area(Object::Variable(id)).is_some();
        let place = if resident {
            self.variable(id, variable.span)?
        } else {
            let local = match self.body.variables.get(&id) {
                Some(&local) => local,
                None => {
                    let hidden = variable.hidden
                        || variable.name.is_none()
                        || self.is_list_type(variable.ty.ty);
                    let local = self.local(self.variable_name(id), ty, hidden);
                    self.body.variables.insert(id, local);
                    local
                }
            };
            self.local_place(local)
        };
        self.lengths_begin(id, variable.ty.ty)?;
        if self.is_list_type(variable.ty.ty) && variable.init.is_none() {
            self.list_begins(&place);
            return Ok(());
        }
        match variable.init {
            Some(init) => {
                let around = self.body.begins;
                // A single value that reads its own variable gets any value. Elements may read those before them.
                self.body.begins = matches!(unit[init], Init::Value(_)).then_some(id);
                let done = self.initialise(place, init, variable.ty.ty);
                self.body.begins = around;
                done
            }
            None => self.unset_parts(place, variable.ty.ty),
        }
    }

    /// Checks the lengths of an array that are only known when the program runs, and keeps its size where pointers reach it.
    fn lengths_begin(&mut self, id: VarId, ty: CTypeId) -> Lowered<()> {
        if !self.unit.types.is_variable(ty) {
            return Ok(());
        }
        let (span, pointer) = (self.unit[id].span, self.pointer_type());
        let most = self.options.heap;
        let end = self.build.int(i128::from(most), pointer);
        let why = format!("this array has more than {most} elements (`--heap`)");
        let mut inner = ty;
        while self.unit.types.is_variable(inner)
            && let CType::Array(element, said) = *self.unit.types.shape(inner)
            && let Some(length) = self.length(inner, pointer, span)?
        {
            if let Length::Variable(said) = said {
                self.length_begins(said)?;
            }
            let fits = self.build.binary(BinaryOp::Le, length, end);
            self.unless(fits, |l| l.beyond_heap(why.clone(), Behind::Unknown));
            if let Length::Variable(said) = said
                && inner != ty
            {
                self.by_length_of_rows(said)?;
            }
            inner = element.ty;
        }
        let bytes = self.bytes_of(ty, pointer, span)?;
        if c_memory::has_rows(self.unit, ty) {
            let most = i128::from(most) * i128::from(size_of(self.unit, inner));
            let most = self.build.int(most, pointer);
            let fits = self.build.binary(BinaryOp::Le, bytes, most);
            self.unless(fits, |l| l.beyond_heap(why, Behind::Unknown));
        }
        let Some(extent) = self.extent(id) else {
            return Ok(());
        };
        let mut place = self.global_place(extent);
        self.own_instance(&mut place, id, span)?;
        self.store_place(place, bytes);
        Ok(())
    }

    /// Checks that the length of an array of variable length is positive.
    fn length_begins(&mut self, length: CExprId) -> Lowered<()> {
        let length = self.value(length)?;
        let zero = self.build.int(0, self.build.ty(length));
        let some = self.build.binary(BinaryOp::Lt, zero, length);
        let what = "the length of this array is not positive";
        self.expect(ErrorKind::Index, some, what);
        Ok(())
    }

    /// Gives each length of rows paths of its own: otherwise the place of an element would be a product of open values.
    fn by_length_of_rows(&mut self, length: CExprId) -> Lowered<()> {
        if let C::Load(place) = self.unit[length].kind {
            let place = self.place(place)?;
            for known in 1..=self.options.heap.min(MOST_KNOWN) {
                let length = self.value(length)?;
                let known = self.build.int(known.into(), place.ty);
                let here = self.build.binary(BinaryOp::Eq, length, known);
                self.store_if(here, &place, known)?;
            }
        }
        Ok(())
    }

    fn initialise(&mut self, mut place: Place, init: InitId, ty: CTypeId) -> Lowered<()> {
        let unit = self.unit;
        match &unit[init] {
            Init::Value(e) if unit.types.library(ty).is_none() || unit.types.is_scalar(ty) => {
                let value = self.value(*e)?;
                let value = self.operand(value, place.ty, unit[*e].span)?;
                self.give(&place, value, unit[*e].span)
            }
            Init::Parts(parts) if unit.types.library(ty).is_none() => {
                // A part of a union is zero already: the union as a whole was set to zero.
                if !is_within(&place) {
                    let zero = self.zero(place.ty);
                    self.store_place(place.clone(), zero);
                }
                for part in parts {
                    for at in part.at..part.at.saturating_add(part.count) {
                        let (own, inner) = (place.ty, place.path.len());
                        let element = self.part(&mut place, ty, at)?;
                        self.initialise(place.clone(), part.init, element)?;
                        place.path.truncate(inner);
                        place.ty = own;
                    }
                }
                Ok(())
            }
            _ => {
                let span = self.body.span;
                let value = self.constant(Some(init), ty, span)?;
                self.give(&place, value, span)
            }
        }
    }

    /// Steps into a part of an object; gives its type.
    fn part(&mut self, place: &mut Place, ty: CTypeId, at: u64) -> Lowered<CTypeId> {
        let unit = self.unit;
        match self.build.types().get(place.ty).clone() {
            Type::Array(len, element) if at < u64::from(len) => {
                let index = self.build.int(i128::from(at), ir::Types::INT);
                place.path.push(Step::Index(index));
                place.ty = element;
                if let Some(element) = unit.types.element(ty) {
                    return Ok(element.ty);
                }
            }
            Type::Record(_) => {
                let index = u32::try_from(at).unwrap_or(u32::MAX);
                let record = unit.types.record(ty);
                if let Some(field) = record.and_then(|r| unit.types.member_at(r, index)) {
                    self.member(place, record, index, self.body.span)?;
                    return Ok(field.ty.ty);
                }
            }
            _ => {}
        }
        refuse(self.body.span, "this initial value is")
    }
}
