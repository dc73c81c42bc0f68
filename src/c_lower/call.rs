//! Calls of the program's own functions, and the end of the program.

use super::section::{BEGINS, ENDS};
use super::variadic::Rest;
use super::{Lowered, Lowerer, Refused, Role, Version, refuse};
use base::source::Span;
use c::typed::{Callee, ExprId as CExprId, ExprKind as C, FunctionId, Unit};
use c::types::{Library, TypeId};
use c_memory::{Memory, RUNS_HANDLERS};
use ir::lower::Lower;
use ir::{Behind, BinaryOp, ErrorKind, ExprId, Order, Place, PreemptKind, Root, StmtKind, Types};
use thin_vec::ThinVec;

impl Lowerer<'_> {
    /// Lowers a call. Returns its value if it has one.
    pub(super) fn call(
        &mut self,
        e: CExprId,
        callee: Callee,
        args: &[CExprId],
    ) -> Lowered<Option<ExprId>> {
        let span = self.unit[e].span;
        let function = match callee {
            Callee::Direct(function) => function,
            Callee::Pointer(pointer) => match self.unit[pointer].kind {
                C::Function(function) => function,
                _ => return self.call_through(e, pointer, args),
            },
        };
        let name = self.unit.name(self.unit[function].name).to_owned();
        let begins = BEGINS.contains(&name.as_str());
        if begins || ENDS.contains(&name.as_str()) {
            let Some(section) = self.exclusive else {
                return self.in_turn(span, "an atomic section that is not within one block is");
            };
            self.begins_or_ends(section, begins);
            return Ok(None);
        }
        self.say_what_it_is_taken_as(&name, args, span);
        if let Some(value) = self.library_call(&name, e, function, args)? {
            return Ok(value.0);
        }
        let written = c_memory::written(self.unit, &self.memory.dropped, e, &name, args);
        let function = written.unwrap_or(function);
        if self.unit[function].body.is_none() {
            return self.defined_nowhere(&name, function, e, args);
        }
        if self.unit.main == Some(function) {
            return refuse(span, "a call of `main` is");
        }
        let (values, rest) = self.arguments(function, args, span)?;
        let atomic = name.starts_with("__VERIFIER_atomic_") && !self.body.atomic;
        if let Some(section) = self.exclusive.filter(|_| atomic) {
            self.begins_or_ends(section, true);
            let result = self.run_with(function, values, rest, span)?;
            let result = result.map(|result| self.keep(result));
            self.begins_or_ends(section, false);
            return Ok(result);
        }
        if atomic {
            return self.in_order(Order::Foreign, |l| l.run_with(function, values, rest, span));
        }
        self.run_with(function, values, rest, span)
    }

    /// Lowers a call of a function that no file defines.
    fn defined_nowhere(
        &mut self,
        name: &str,
        function: FunctionId,
        e: CExprId,
        args: &[CExprId],
    ) -> Lowered<Option<ExprId>> {
        let (ty, span) = (self.unit[e].ty.ty, self.unit[e].span);
        self.must_be_stub(name, function, span)?;
        self.effects(args)?;
        self.stub_gives(name, ty, span)
    }

    /// Notes that a function is a stub. Refuses any other function.
    fn must_be_stub(&mut self, name: &str, function: FunctionId, span: Span) -> Lowered<()> {
        if !self.options.stubs.iter().any(|stub| stub == name) {
            self.missing.insert(function);
            return Err(Refused { span, what: None });
        }
        let what = format!("`{name}` gives any result and touches nothing (`--stub`)");
        let unsaid = &mut self.build.program.scope.unsaid;
        if !unsaid.iter().any(|(_, said)| *said == what) {
            unsaid.push((span, what));
        }
        Ok(())
    }

    fn stub_gives(&mut self, name: &str, ty: TypeId, span: Span) -> Lowered<Option<ExprId>> {
        if self.is_void(ty) {
            return Ok(None);
        }
        if self.is_pointer(ty) {
            let what = format!(
                "`--stub {name}`, whose result is a pointer (write the function in C instead),"
            );
            return refuse(span, what);
        }
        self.any_of(ty, span).map(Some)
    }

    fn arguments(
        &mut self,
        function: FunctionId,
        args: &[CExprId],
        span: Span,
    ) -> Lowered<(Vec<ExprId>, Option<Rest<ExprId>>)> {
        let unit = self.unit;
        let params = &unit[function].params;
        if !takes(unit, function, args.len()) {
            return refuse(span, "a call with another number of arguments is");
        }
        let mut values = Vec::new();
        for (index, (&arg, &param)) in args.iter().zip(params).enumerate() {
            let ty = self.value_type(unit[param].ty.ty, unit[arg].span)?;
            let value = if self.is_list(arg) {
                self.given_list(arg)?
            } else {
                self.value(arg)?
            };
            let mut value = self.converted(value, ty, unit[arg].span)?;
            if args[index + 1..].iter().any(|&later| self.acts(later)) {
                value = self.keep(value);
            }
            values.push(value);
        }
        let rest = self.rest_arguments(function, args, span)?;
        Ok((values, rest))
    }

    pub(super) fn run(
        &mut self,
        function: FunctionId,
        values: Vec<ExprId>,
        span: Span,
    ) -> Lowered<Option<ExprId>> {
        self.run_with(function, values, None, span)
    }

    /// Does what [`Self::run`] does, and passes unnamed arguments to a function that reads them.
    pub(super) fn run_with(
        &mut self,
        function: FunctionId,
        values: Vec<ExprId>,
        rest: Option<Rest<ExprId>>,
        span: Span,
    ) -> Lowered<Option<ExprId>> {
        let unit = self.unit;
        if self.unit[function].body.is_none() {
            return refuse(span, "a call of a function without a body is");
        }
        if rest.is_none() && self.memory.reads_rest(function) {
            return refuse(
                span,
                "a call of a function that reads arguments beyond those that it names here is",
            );
        }
        let mut version = Version::new(function, Role::Called, self.body.atomic);
        if let Some(rest) = &rest {
            let types = rest.iter().map(|(_, ty)| *ty).collect();
            version.rest = Some(self.rest_of_types(types));
        }
        let id = self.version(version);
        let result = unit.types.function(unit[function].ty).map(|f| f.result);
        let to = match result.filter(|&ty| !self.is_void(ty)) {
            Some(ty) => {
                let ty = self.value_type(ty, span)?;
                Some(self.temporary(ty))
            }
            None => None,
        };
        let mut all: Vec<ExprId> = Vec::new();
        if self.counter.is_some() {
            all.push(self.own_number(span)?);
        }
        if self.is_framed(function) {
            all.push(self.inner_frame(span)?);
        }
        all.extend(values);
        all.extend(rest.into_iter().flatten().map(|(value, _)| value));
        self.emit(StmtKind::Call(to, id, all.into()));
        self.leave_if_ended()?;
        Ok(to.map(|local| self.read_local(local)))
    }

    /// Lowers a call of the function to which a pointer leads.
    fn call_through(
        &mut self,
        e: CExprId,
        pointer: CExprId,
        args: &[CExprId],
    ) -> Lowered<Option<ExprId>> {
        let (unit, span) = (self.unit, self.unit[e].span);
        let chosen = match unit[pointer].kind {
            C::Deref(of) => self.value(of)?,
            _ => self.value(pointer)?,
        };
        let chosen = self.keep(chosen);
        let mut values = Vec::new();
        for &arg in args {
            let value = match self.is_list(arg) {
                true => self.given_list(arg)?,
                false => self.value(arg)?,
            };
            values.push((self.keep(value), unit[arg].ty.ty));
        }
        let mut functions = self.functions_of(pointer);
        functions.retain(|&f| self.may_be_called(f, e, args));
        for &function in &functions {
            let named = unit[function].params.len().min(args.len());
            if self.memory.reads_rest(function) {
                self.passes_list(&args[..named], self.is_variadic(function), span)?;
            }
        }
        let ty = unit[e].ty.ty;
        let result = if self.is_void(ty) {
            None
        } else {
            let ty = self.value_type(ty, span)?;
            let local = self.temporary(ty);
            let (place, zero) = (self.local_place(local), self.zero(ty));
            self.store_place(place, zero);
            Some(local)
        };
        self.call_one(&functions, chosen, &values, result, span)?;
        Ok(result.map(|local| self.read_local(local)))
    }

    /// Whether a call by a pointer may reach a function. It has as many parameters as the call has arguments, and the same
    /// structures and floating numbers. A pointer is no thread.
    fn may_be_called(&self, function: FunctionId, e: CExprId, args: &[CExprId]) -> bool {
        let unit = self.unit;
        let record = |ty: TypeId| unit.types.record(ty).filter(|_| self.is_structure(ty));
        let passed = |ty: TypeId| (record(ty), self.is_floating(ty));
        let result = unit.types.function(unit[function].ty).map(|f| f.result);
        let params = unit[function].params.iter().map(|&p| unit[p].ty.ty);
        let mut both = params.zip(args.iter().map(|&arg| unit[arg].ty.ty));
        let is_thread = |ty: TypeId| unit.types.library(ty) == Some(Library::Thread);
        let differ = |a, b| is_thread(a) && self.is_pointer(b);
        let fits = |(param, arg)| {
            passed(param) == passed(arg) && !differ(param, arg) && !differ(arg, param)
        };
        takes(unit, function, args.len())
            && both.all(fits)
            && (result.is_none_or(|ty| self.is_void(ty) || passed(ty) == passed(unit[e].ty.ty)))
    }

    /// Calls the one of these functions that `chosen` points to. Each argument has its type in C beside it.
    pub(super) fn call_one(
        &mut self,
        functions: &[FunctionId],
        chosen: ExprId,
        values: &[(ExprId, TypeId)],
        result: Option<ir::LocalId>,
        span: Span,
    ) -> Lowered<()> {
        let Some((&function, rest)) = functions.split_first() else {
            self.never(
                ErrorKind::Deref,
                "this pointer leads to no function that may be called so",
            );
            return Ok(());
        };
        let unit = self.unit;
        let name = unit.name(unit[function].name);
        let known = c::headers::declaring(name).is_some() || name.starts_with("__");
        let undefined = unit[function].body.is_none();
        let stub = undefined && (!known || self.options.stubs.iter().any(|stub| stub == name));
        let by_name = !stub && (undefined || unit.main == Some(function));
        let ty = self.build.ty(chosen);
        let own = self
            .build
            .int(i128::from(Memory::function_address(function)), ty);
        let guard = self.build.binary(BinaryOp::Eq, chosen, own);
        let (yes, ()) = self.apart(|l| {
            if by_name {
                let why = format!("`{name}` is called through a pointer here, not by its name");
                l.unknown(why, Behind::Unknown);
                return Ok(());
            }
            let value = match stub {
                true => {
                    l.must_be_stub(name, function, span)?;
                    let ty = unit.types.function(unit[function].ty).map(|f| f.result);
                    match ty.filter(|_| result.is_some()) {
                        Some(ty) => l.stub_gives(name, ty, span)?,
                        None => None,
                    }
                }
                false => l.run_one(function, values, span)?,
            };
            if let (Some(value), Some(local)) = (value, result) {
                let place = l.local_place(local);
                let value = l.converted(value, place.ty, span)?;
                l.store_place(place, value);
            }
            Ok(())
        })?;
        let (no, ()) = self.apart(|l| l.call_one(rest, chosen, values, result, span))?;
        self.emit(StmtKind::If(guard, yes, no));
        Ok(())
    }

    /// Calls a function with arguments that have their types in C beside them.
    fn run_one(
        &mut self,
        function: FunctionId,
        values: &[(ExprId, TypeId)],
        span: Span,
    ) -> Lowered<Option<ExprId>> {
        let mut args = Vec::new();
        for (&(value, _), &param) in values.iter().zip(&self.unit[function].params) {
            let ty = self.value_type(self.unit[param].ty.ty, span)?;
            args.push(self.converted(value, ty, span)?);
        }
        let rest = self.rest_values(function, values, span)?;
        self.run_with(function, args, rest, span)
    }

    /// Runs the functions that `atexit` got, and then the destructors.
    pub(super) fn run_handlers_at_exit(&mut self) -> Lowered<()> {
        if self.has_handlers()
            && let Some(function) = c_memory::own_function(self.unit, RUNS_HANDLERS)
        {
            self.run(function, Vec::new(), self.body.span)?;
        }
        self.run_by_themselves(true)
    }

    /// Runs the constructors in the order of their numbers and of the text, or at the end the destructors in the reverse order.
    pub(super) fn run_by_themselves(&mut self, at_end: bool) -> Lowered<()> {
        let unit = self.unit;
        let turn = |f: FunctionId| match at_end {
            true => unit[f].destructor,
            false => unit[f].constructor,
        };
        let mut all = c_memory::called_by_themselves(unit);
        all.retain(|&f| turn(f).is_some());
        all.sort_by_key(|&f| (turn(f), unit[f].span.start));
        if at_end {
            all.reverse();
        }
        for function in all {
            let own = &unit[function];
            if !own.params.is_empty() {
                return refuse(own.span, "a constructor or destructor with parameters is");
            }
            self.run(function, Vec::new(), own.span)?;
        }
        Ok(())
    }

    /// Ends the program here. Other threads may run before that; nothing runs after it.
    pub(super) fn end_program(&mut self) {
        if !self.body.atomic {
            self.emit(StmtKind::Preempt(PreemptKind::Implicit));
        }
        let place = Place {
            root: Root::Global(self.exited),
            path: ThinVec::new(),
            ty: Types::BOOL,
        };
        let yes = self.build.bool(true);
        self.store_place(place, yes);
        self.finish();
    }
}

/// Whether a function can be called with this number of arguments.
fn takes(unit: &Unit, function: FunctionId, args: usize) -> bool {
    let own = unit.types.function(unit[function].ty);
    let variadic = own.is_some_and(|f| f.variadic);
    let params = match own {
        Some(own) if unit[function].body.is_none() && own.prototype => own.params.len(),
        _ if unit[function].body.is_none() => args,
        _ => unit[function].params.len(),
    };
    params == args || variadic && params < args
}
