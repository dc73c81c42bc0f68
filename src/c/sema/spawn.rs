//! `__CPROVER_ASYNC_1: statement`: the statement after such a label runs in a thread of its own, which begins there.
//!
//! The statement becomes the body of a function that no program can name; a call that starts it takes its place. The call
//! passes the value of one local variable. Other uses of local variables are errors, since the thread only has a copy.

use super::Sema;
use super::stmt::Body;
use crate::tree;
use crate::typed::{
    Callee, ExprId, ExprKind, FunctionId, Lifetime, StmtId, StmtKind, VarId, Variable,
};
use crate::types::{FunctionType, QualType, Type, TypeId, Types};
use base::source::Span;

/// The beginning of the labels that make threads.
const LABEL: &str = "__CPROVER_ASYNC";

/// The name of the function whose call makes such a thread. No program can write this name.
pub const SPAWN: &str = "thread of a statement";

impl Sema<'_> {
    /// The name of a label that makes a thread of the statement after it.
    pub(super) fn makes_thread(&self, stmt: tree::StmtId) -> Option<tree::Name> {
        match self.tree[stmt].kind {
            tree::StmtKind::Label(name) if self.text(name.symbol).starts_with(LABEL) => Some(name),
            _ => None,
        }
    }

    /// A statement as a thread: the call that makes it.
    pub(super) fn spawned(&mut self, label: tree::Name, stmt: tree::StmtId) -> StmtId {
        let span = self.tree[stmt].span;
        let (first, known) = (self.unit.exprs.len(), self.unit.variables.len());
        let function = self.new_function(label, Types::VOID);
        let outer = self.body.replace(Body::new(function, Types::VOID));
        let typed = self.statement(stmt);
        self.check_labels();
        self.body = outer;
        let own = self.taken_along(first, known);
        let (params, arg) = match own {
            Some(variable) => {
                let param = self.given(variable, function, first);
                let ty = self.unit[variable].ty;
                let place = self.add(ExprKind::Var(variable), ty, span);
                let value = self.make(ExprKind::Load(place), ty.ty, span);
                (vec![param], value)
            }
            None => (Vec::new(), self.number(0, Types::INT, span)),
        };
        self.unit[function].ty = self.signature_of(Types::VOID, &params);
        self.unit[function].params = params;
        self.unit[function].body = Some(typed);
        self.call_of_thread(function, arg, span)
    }

    fn signature_of(&mut self, result: TypeId, params: &[VarId]) -> TypeId {
        let params = params.iter().map(|&p| QualType::plain(self.unit[p].ty.ty));
        let params = params.collect();
        self.unit.types.intern(Type::Function(FunctionType {
            result,
            params,
            variadic: false,
            prototype: true,
        }))
    }

    /// The local variable of the enclosing function that a thread's statement reads. Complains of all other uses.
    fn taken_along(&mut self, first: usize, known: usize) -> Option<VarId> {
        let local = |v: VarId| {
            let lifetime = self.unit[v].lifetime;
            v.index() < known && matches!(lifetime, Lifetime::Local | Lifetime::Param)
        };
        let place = |e: ExprId| match self.unit[e].kind {
            ExprKind::Var(v) if local(v) => Some((v, self.unit[e].span)),
            _ => None,
        };
        let all = (first..self.unit.exprs.len()).map(|e| ExprId(e as u32));
        let named: Vec<(VarId, Span)> = all.clone().filter_map(place).collect();
        let read = all.filter(|&e| {
            matches!(self.unit[e].kind, ExprKind::Load(of) if of.index() >= first && place(of).is_some())
        });
        let &(variable, span) = named.first()?;
        if read.count() != named.len() || named.iter().any(|&(v, _)| v != variable) {
            let message = "a thread of a statement that uses local variables otherwise than to read one of them is not supported yet in C programs";
            self.error("c-unsupported", span, message);
        }
        Some(variable)
    }

    /// The parameter through which a thread's statement reads a variable.
    fn given(&mut self, variable: VarId, function: FunctionId, first: usize) -> VarId {
        let own = Variable {
            lifetime: Lifetime::Param,
            function: Some(function),
            init: None,
            ..self.unit[variable].clone()
        };
        let param = self.unit.add_variable(own);
        for expr in &mut self.unit.exprs[first..] {
            if expr.kind == ExprKind::Var(variable) {
                expr.kind = ExprKind::Var(param);
            }
        }
        param
    }

    fn call_of_thread(&mut self, function: FunctionId, arg: ExprId, span: Span) -> StmtId {
        let symbol = self.unit.names.intern(SPAWN);
        let ty = self.signature_of(Types::VOID, &[]);
        let spawn = self.new_function(tree::Name { symbol, span }, ty);
        let pointer = QualType::plain(self.unit[function].ty);
        let pointer = self.unit.types.pointer(pointer);
        let start = self.make(ExprKind::Function(function), pointer, span);
        let call = ExprKind::Call(Callee::Direct(spawn), self.unit.add_list([start, arg]));
        let call = self.make(call, Types::VOID, span);
        self.add_stmt(StmtKind::Expr(call), span)
    }
}
