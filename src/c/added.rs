//! Adds nodes to the typed tree: for what a program says, and for what rewriting makes of it.

use crate::typed::{
    Conversion, Expr, ExprId, ExprKind, FunctionId, Init, InitId, Label, LabelId, Lifetime, ListId,
    NumberId, Stmt, StmtId, StmtKind, Unit, VarId, Variable,
};
use crate::types::{QualType, Type, TypeId, Types};
use base::memory::push_slowly;
use base::source::Span;

impl Unit {
    pub fn add(&mut self, kind: ExprKind, ty: QualType, span: Span) -> ExprId {
        push_slowly(&mut self.exprs, Expr { kind, ty, span });
        ExprId(self.exprs.len() as u32 - 1)
    }

    pub fn add_statement(&mut self, kind: StmtKind, span: Span) -> StmtId {
        push_slowly(&mut self.stmts, Stmt { kind, span });
        StmtId(self.stmts.len() as u32 - 1)
    }

    pub fn add_block(&mut self, all: impl IntoIterator<Item = StmtId>, span: Span) -> StmtId {
        self.add_statement(StmtKind::Block(all.into_iter().collect()), span)
    }

    pub fn add_list(&mut self, list: impl Into<Box<[ExprId]>>) -> ListId {
        self.lists.push(list.into());
        ListId(self.lists.len() as u32 - 1)
    }

    pub fn add_number(&mut self, value: i128, ty: QualType, span: Span) -> ExprId {
        self.numbers.push(value);
        let number = NumberId(self.numbers.len() as u32 - 1);
        self.add(ExprKind::Int(number), ty, span)
    }

    pub fn add_init(&mut self, init: Init) -> InitId {
        self.inits.push(init);
        InitId(self.inits.len() as u32 - 1)
    }

    pub fn add_label(&mut self, label: Label) -> LabelId {
        self.labels.push(label);
        LabelId(self.labels.len() as u32 - 1)
    }

    /// Adds a label that the program does not name.
    pub fn add_own_label(&mut self, function: FunctionId, name: &str, span: Span) -> LabelId {
        let name = self.names.intern(name);
        self.add_label(Label {
            name,
            function,
            address: None,
            span,
        })
    }

    /// Adds a pointer to a variable.
    pub fn add_address(&mut self, variable: VarId, span: Span) -> ExprId {
        let ty = self[variable].ty;
        let place = self.add(ExprKind::Var(variable), ty, span);
        let pointer = QualType::plain(self.types.pointer(ty));
        self.add(ExprKind::AddressOf(place), pointer, span)
    }

    /// Adds the address of a label whose address the program takes.
    pub fn add_label_address(&mut self, label: LabelId, span: Span) -> ExprId {
        let Some(variable) = self[label].address else {
            return self.add(ExprKind::Error, QualType::plain(Types::ERROR), span);
        };
        let address = self.add_address(variable, span);
        let any = QualType::plain(self.types.pointer(QualType::plain(Types::VOID)));
        self.add(ExprKind::Convert(Conversion::Pointer, address), any, span)
    }

    /// Adds a local variable without a name.
    pub fn add_local(
        &mut self,
        function: FunctionId,
        ty: TypeId,
        init: impl Into<Option<Init>>,
        span: Span,
    ) -> VarId {
        let init = init.into().map(|init| self.add_init(init));
        self.add_variable(Variable {
            name: None,
            ty: QualType::plain(ty),
            align: None,
            lifetime: Lifetime::Local,
            function: Some(function),
            init,
            cleanup: None,
            external: false,
            hidden: true,
            span,
        })
    }

    /// The same, and the statement at which it begins.
    pub fn add_begun(
        &mut self,
        function: FunctionId,
        ty: TypeId,
        init: impl Into<Option<Init>>,
        span: Span,
    ) -> (VarId, StmtId) {
        let variable = self.add_local(function, ty, init, span);
        (
            variable,
            self.add_statement(StmtKind::Declare(variable), span),
        )
    }

    /// Adds a statement that computes a value, and an expression that reads it then; none if the value is `void`.
    pub fn add_kept(
        &mut self,
        function: FunctionId,
        value: ExprId,
        span: Span,
    ) -> (StmtId, Option<ExprId>) {
        let ty = self[value].ty.ty;
        if matches!(self.types.shape(ty), Type::Void) {
            return (self.add_statement(StmtKind::Expr(value), span), None);
        }
        let (result, set) = self.add_begun(function, ty, Init::Value(value), span);
        (set, Some(self.add_read(result, span)))
    }

    pub fn add_variable(&mut self, variable: Variable) -> VarId {
        push_slowly(&mut self.variables, variable);
        VarId(self.variables.len() as u32 - 1)
    }

    /// Adds the value of a variable.
    pub fn add_read(&mut self, variable: VarId, span: Span) -> ExprId {
        let ty = self[variable].ty;
        let place = self.add(ExprKind::Var(variable), ty, span);
        self.add(ExprKind::Load(place), QualType::plain(ty.ty), span)
    }

    /// Adds a statement that gives a variable a value.
    pub fn add_assignment(&mut self, variable: VarId, value: ExprId, span: Span) -> StmtId {
        let ty = self[variable].ty;
        let place = self.add(ExprKind::Var(variable), ty, span);
        let all = self.add(ExprKind::Assign(place, value), QualType::plain(ty.ty), span);
        self.add_statement(StmtKind::Expr(all), span)
    }

    /// Adds a value that is 0 or 1.
    pub fn add_truth(&mut self, kind: ExprKind, span: Span) -> ExprId {
        self.add(kind, QualType::plain(Types::INT), span)
    }
}
