//! Calls of the program's own functions, and the end of the program.

use super::{Lowered, Lowerer, Role, refuse};
use crate::c::typed::{Callee, ExprId as CExprId, ExprKind as C, FunctionId};
use crate::ir::{ExprId, Place, PreemptKind, Root, StmtKind, Types};
use crate::source::Span;

impl Lowerer<'_> {
    /// A call; its value if it has one.
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
                _ => return refuse(span, "a call through a pointer is"),
            },
        };
        let name = self.unit.name(self.unit[function].name).to_owned();
        if matches!(
            name.as_str(),
            "__VERIFIER_atomic_begin" | "__VERIFIER_atomic_end"
        ) {
            return refuse(span, "an atomic section that is not within one block is");
        }
        if let Some(value) = self.library_call(&name, e, function, args)? {
            return Ok(value.0);
        }
        if self.unit[function].body.is_none() {
            return refuse(span, format!("the external function `{name}` is"));
        }
        if self.unit.main == Some(function) {
            return refuse(span, "a call of `main` is");
        }
        let values = self.arguments(function, args, span)?;
        if name.starts_with("__VERIFIER_atomic_") && !self.body.atomic {
            return self.in_one_step(|l| l.run(function, values, span));
        }
        self.run(function, values, span)
    }

    fn arguments(
        &mut self,
        function: FunctionId,
        args: &[CExprId],
        span: Span,
    ) -> Lowered<Vec<ExprId>> {
        let unit = self.unit;
        let params = &unit[function].params;
        if params.len() != args.len() {
            return refuse(span, "a call with another number of arguments is");
        }
        let mut values = Vec::new();
        for (index, (&arg, &param)) in args.iter().zip(params).enumerate() {
            let ty = self.scalar_type(unit[param].ty.ty, unit[arg].span)?;
            let mut value = self.value(arg)?;
            if self.build.ty(value) != ty {
                return refuse(unit[arg].span, "an argument of another type is");
            }
            if args[index + 1..].iter().any(|&later| self.acts(later)) {
                value = self.keep(value);
            }
            values.push(value);
        }
        Ok(values)
    }

    fn run(
        &mut self,
        function: FunctionId,
        values: Vec<ExprId>,
        span: Span,
    ) -> Lowered<Option<ExprId>> {
        let unit = self.unit;
        let id = self.version((function, Role::Called, self.body.atomic));
        let result = unit.types.function(unit[function].ty).map(|f| f.result);
        let to = match result.filter(|&ty| !self.is_void(ty)) {
            Some(ty) => {
                let ty = self.scalar_type(ty, span)?;
                Some(self.temporary(ty))
            }
            None => None,
        };
        self.emit(StmtKind::Call(to, id, values));
        Ok(to.map(|local| self.read_local(local)))
    }

    /// The program ends here: other threads may come before that, and nothing comes after it.
    pub(super) fn end_program(&mut self) {
        if !self.body.atomic {
            self.emit(StmtKind::Preempt(PreemptKind::Implicit));
        }
        let place = Place {
            root: Root::Global(self.exited),
            path: Vec::new(),
            ty: Types::BOOL,
        };
        let yes = self.build.bool(true);
        self.store(place, yes);
        self.finish();
    }
}
