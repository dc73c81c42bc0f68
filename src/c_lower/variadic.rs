//! Arguments that a function does not name: `...`, `va_start` and `va_arg`.
//!
//! A function that reads such arguments is lowered once for each list of their types; there they are parameters like others.
//! A `va_list` is the number of the argument that comes next. A list that is given to another function takes the arguments
//! with it. It is not used again, since nobody knows how many arguments that function has read.

use super::{Lowered, Lowerer, refuse};
use base::source::Span;
use c::typed::{Builtin, ExprId as CExprId, ExprKind as C, FunctionId, Lifetime, VarId};
use c::types::{Type as CType, TypeId as CTypeId};
use ir::lower::Lower;
use ir::{BinaryOp, ErrorKind, ExprId, LocalId, Place, Types};

/// A `va_list` that was not begun, or that has ended.
const ENDED: i128 = 255;
/// How many unnamed arguments a call may have at most.
const MOST: usize = 100;

const SEVERAL: &str = "a function that reads several lists of arguments is";
const NO_VARIABLE: &str = "a list of arguments that is no plain variable of its function is";

pub(super) const NO_ARGUMENT: &str = "there is no further argument here";
pub(super) const OTHER_ARGUMENT: &str = "the argument that comes next has another type";

/// The types of the arguments that a version of a function gets and does not name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct RestId(u32);

/// Such arguments: where they are, and their types.
pub(super) type Rest<V> = Vec<(V, CTypeId)>;

impl Lowerer<'_> {
    /// Returns the id of a list of types.
    pub(super) fn rest_of_types(&mut self, types: Vec<CTypeId>) -> RestId {
        let known = self.rests.iter().position(|r| *r == types);
        let at = known.unwrap_or_else(|| {
            self.rests.push(types);
            self.rests.len() - 1
        });
        RestId(u32::try_from(at).unwrap_or(u32::MAX))
    }

    /// Makes a local of the running version for each argument that the function does not name.
    pub(super) fn rest_parameters(&mut self, rest: RestId) -> Lowered<()> {
        let types = self.rests[rest.0 as usize].clone();
        let mut all = Vec::new();
        for (number, ty) in types.into_iter().enumerate() {
            let own = self.value_type(ty, self.body.span)?;
            all.push((self.local(format!("...{number}"), own, true), ty));
        }
        self.body.rest = Some(all);
        Ok(())
    }

    /// Evaluates the arguments that a function does not name. `None` if the function does not read them.
    pub(super) fn rest_arguments(
        &mut self,
        function: FunctionId,
        args: &[CExprId],
        span: Span,
    ) -> Lowered<Option<Rest<ExprId>>> {
        let named = self.unit[function].params.len().min(args.len());
        let (named, more) = args.split_at(named);
        if !self.memory.reads_rest(function) {
            // The function can only print them.
            for &arg in more {
                self.effect(arg)?;
            }
            return Ok(None);
        }
        if more.len() > MOST {
            return refuse(span, SEVERAL);
        }
        if self.passes_list(named, self.is_variadic(function), span)? {
            return self.own_rest(span).map(Some);
        }
        let mut rest = Vec::new();
        for (index, &arg) in more.iter().enumerate() {
            let ty = self.unit[arg].ty.ty;
            let own = self.value_type(ty, self.unit[arg].span)?;
            let value = self.value(arg)?;
            let mut value = self.converted(value, own, self.unit[arg].span)?;
            if more[index + 1..].iter().any(|&later| self.acts(later)) {
                value = self.keep(value);
            }
            rest.push((value, ty));
        }
        Ok(Some(rest))
    }

    /// Whether a list is passed to a function that reads it.
    pub(super) fn passes_list(
        &self,
        args: &[CExprId],
        variadic: bool,
        span: Span,
    ) -> Lowered<bool> {
        let lists = || args.iter().filter(|&&arg| self.is_list(arg));
        if lists().count() > 1 || variadic && lists().next().is_some() {
            return refuse(span, SEVERAL);
        }
        match lists().next() {
            Some(&list) if self.own_list(list).is_none() => refuse(span, NO_VARIABLE),
            list => Ok(list.is_some()),
        }
    }

    /// Does what [`Self::rest_arguments`] does, for arguments that are values already.
    pub(super) fn rest_values(
        &mut self,
        function: FunctionId,
        values: &[(ExprId, CTypeId)],
        span: Span,
    ) -> Lowered<Option<Rest<ExprId>>> {
        if !self.memory.reads_rest(function) {
            return Ok(None);
        }
        let named = self.unit[function].params.len().min(values.len());
        let (named, more) = values.split_at(named);
        if named.iter().any(|(_, ty)| self.is_list_type(*ty)) {
            return self.own_rest(span).map(Some);
        }
        Ok(Some(more.to_vec()))
    }

    pub(super) fn is_variadic(&self, function: FunctionId) -> bool {
        let ty = self.unit.types.function(self.unit[function].ty);
        ty.is_some_and(|f| f.variadic)
    }

    /// The arguments of the running function that it does not name.
    fn own_rest(&mut self, span: Span) -> Lowered<Rest<ExprId>> {
        let Some(rest) = self.body.rest.clone() else {
            return refuse(
                span,
                "a list of arguments that does not come from `...` or a parameter here is",
            );
        };
        let read = rest
            .into_iter()
            .map(|(local, ty)| (self.read_local(local), ty));
        Ok(read.collect())
    }

    /// Whether an expression is a `va_list`.
    pub(super) fn is_list(&self, e: CExprId) -> bool {
        self.is_list_type(self.unit[e].ty.ty)
    }

    pub(super) fn is_list_type(&self, ty: CTypeId) -> bool {
        matches!(self.unit.types.shape(ty), CType::VaList)
    }

    /// Begins a `va_list` as one that has ended.
    pub(super) fn list_begins(&mut self, place: &Place) {
        self.set(place, ENDED);
    }

    /// Returns the value of a `va_list` that is given away, and ends the list. A list that is no plain variable is only printed.
    pub(super) fn given_list(&mut self, e: CExprId) -> Lowered<ExprId> {
        match self.own_list(e) {
            Some(id) => {
                let span = self.unit[e].span;
                let place = self.variable(id, span)?;
                let at = self.begun(&place, span);
                self.set(&place, ENDED);
                Ok(at)
            }
            None => self.value(e),
        }
    }

    /// Returns the variable of a list, if it is a local of the running function that no pointer reaches.
    pub(super) fn own_list(&self, e: CExprId) -> Option<VarId> {
        match self.unit[e].kind {
            C::Var(id) => {
                let local = matches!(self.unit[id].lifetime, Lifetime::Local | Lifetime::Param);
                (local && self.body.variables.contains_key(&id)).then_some(id)
            }
            C::Load(of) | C::Convert(_, of) => self.own_list(of),
            _ => None,
        }
    }

    /// Returns the place of a list that is read.
    fn list(&mut self, e: CExprId) -> Lowered<Place> {
        let span = self.unit[e].span;
        match self.own_list(e) {
            Some(id) => self.variable(id, span),
            None => refuse(span, NO_VARIABLE),
        }
    }

    /// Reads the number in a list, and checks that the list was begun.
    fn begun(&mut self, place: &Place, span: Span) -> ExprId {
        let at = self.peek(place);
        let at = self.keep(at);
        let end = self.build.int(ENDED, place.ty);
        let ended = self.build.binary(BinaryOp::Eq, at, end);
        let begun = self.build.not(ended);
        let what = "this list of arguments was not begun, has ended, or was given to another function before";
        self.at(span, |l| l.expect(ErrorKind::Index, begun, what));
        at
    }

    /// `va_start`, `va_end`, `va_copy`
    pub(super) fn change_list(
        &mut self,
        builtin: Builtin,
        operands: &[CExprId],
        span: Span,
    ) -> Lowered<()> {
        match (builtin, operands) {
            (Builtin::VaStart | Builtin::VaEnd, &[list]) => {
                // Nobody reads lists that are no plain variables.
                if let Some(id) = self.own_list(list) {
                    let place = self.variable(id, span)?;
                    let at = if builtin == Builtin::VaStart {
                        0
                    } else {
                        ENDED
                    };
                    self.set(&place, at);
                }
            }
            (Builtin::VaCopy, &[to, from]) => {
                let from = self.list(from)?;
                let at = self.begun(&from, span);
                if let Some(id) = self.own_list(to) {
                    let to = self.variable(id, span)?;
                    self.store_place(to, at);
                }
            }
            _ => return refuse(span, "this function of the compiler is"),
        }
        Ok(())
    }

    /// `va_arg(list, ty)`
    pub(super) fn next_argument(
        &mut self,
        list: CExprId,
        ty: CTypeId,
        span: Span,
    ) -> Lowered<ExprId> {
        let Some(rest) = self.body.rest.clone() else {
            return refuse(
                span,
                "`va_arg` in a function without `...` and without a list as a parameter is",
            );
        };
        if self.is_promoted(ty) {
            return refuse(
                span,
                "`va_arg` of a type that no argument has (it is passed as an `int` or a `double`) is",
            );
        }
        let place = self.list(list)?;
        let at = self.begun(&place, span);
        let own = self.value_type(ty, span)?;
        let result = self.temporary(own);
        let end = self.build.int(rest.len() as i128, place.ty);
        let more = self.build.binary(BinaryOp::Lt, at, end);
        self.at(span, |l| {
            l.expect(ErrorKind::Index, more, NO_ARGUMENT);
            l.read_argument(&rest, at, result, ty, span)
        })?;
        self.count(&place, 1);
        Ok(self.read_local(result))
    }

    /// Reads the next argument, and checks that it can be read as the wanted type.
    fn read_argument(
        &mut self,
        rest: &[(LocalId, CTypeId)],
        at: ExprId,
        result: LocalId,
        ty: CTypeId,
        span: Span,
    ) -> Lowered<()> {
        let to = self.local_place(result);
        let mut fits = self.build.bool(false);
        let mut reads = Vec::new();
        for (number, &(local, given)) in (0..).zip(rest) {
            if !self.is_read_as(given, ty) {
                continue;
            }
            let number = self.build.int(number, self.build.ty(at));
            let this = self.build.binary(BinaryOp::Eq, at, number);
            fits = self.build.binary(BinaryOp::Or, fits, this);
            reads.push((this, local));
        }
        self.expect(ErrorKind::Index, fits, OTHER_ARGUMENT);
        let zero = self.zero(to.ty);
        self.store_place(to.clone(), zero);
        for (this, local) in reads {
            let value = self.read_local(local);
            if self.build.ty(value) == Types::TASK && to.ty != Types::TASK {
                // The number of a thread's handle is not known.
                self.when(this, |l| l.havoc(to.clone()));
                continue;
            }
            let value = self.converted(value, to.ty, span)?;
            self.when(this, |l| {
                l.store_place(to.clone(), value);
            });
        }
        Ok(())
    }

    /// Whether no argument has this type, since its values are passed in a larger one.
    fn is_promoted(&self, ty: CTypeId) -> bool {
        let types = &self.unit.types;
        let small = |ty| types.layout(ty).is_some_and(|l| l.size < 4);
        match types.shape(ty) {
            CType::Bool => true,
            CType::Int(_) => small(ty),
            CType::Float(_) => types.layout(ty).is_some_and(|l| l.size < 8),
            _ => false,
        }
    }

    /// Whether an argument of one type can be read as one of another.
    fn is_read_as(&self, given: CTypeId, wanted: CTypeId) -> bool {
        let types = &self.unit.types;
        let size = |ty| types.layout(ty).map(|l| l.size);
        if types.canonical(given) == types.canonical(wanted) {
            return true;
        }
        match (types.shape(given), types.shape(wanted)) {
            (CType::Int(_) | CType::Enum(_), CType::Int(_) | CType::Enum(_)) => {
                size(given) == size(wanted)
            }
            (CType::Pointer(_), CType::Pointer(_)) => true,
            _ => false,
        }
    }
}
