//! Types, expressions and statements: what their names mean, and the types of values.

use ast::tree::{
    BinaryOp, ExprId, ExprKind, ExprList, InitList, Name, Rhs, StmtId, StmtKind, TypeId, TypeKind,
    UnaryOp,
};
use base::source::Span;

use super::items::Reader;
use super::types::{Home, Ty, bits_name};
use super::{Kind, Target};

impl Reader<'_> {
    /// Reads a written type.
    pub(super) fn written(&mut self, ty: Option<TypeId>) {
        let Some(ty) = ty else { return };
        match self.ast.ty(ty).kind {
            TypeKind::Range(lo, hi) => {
                self.expr(lo);
                self.expr(hi);
            }
            TypeKind::Record(fields) => {
                for field in self.ast.fields(fields) {
                    self.written(Some(field.ty));
                }
            }
            TypeKind::Named(name, args) => {
                let target = self.view().type_named(Home::Here, name);
                self.note(name.span, target);
                self.type_arguments(target, args);
            }
            TypeKind::Array(length, element) => {
                self.expr(length);
                self.written(Some(element));
            }
            TypeKind::Map(key, value) => {
                self.written(Some(key));
                self.written(Some(value));
            }
            TypeKind::Bracket(name, element) => {
                let constant = self.value(name.symbol);
                let target = constant.or_else(|| self.view().type_named(Home::Here, name));
                self.note(name.span, target);
                self.written(Some(element));
            }
            TypeKind::Error
            | TypeKind::Bool
            | TypeKind::Int
            | TypeKind::Task
            | TypeKind::Type
            | TypeKind::Bits(_)
            | TypeKind::Enum(_) => {}
        }
    }

    /// Reads the arguments of an object type. Its parameters decide whether a lone name is a type or a value.
    fn type_arguments(&mut self, object: Option<Target>, args: ExprList) {
        let params = object.map_or(Vec::new(), |object| self.view().takes_types(object));
        for (place, &arg) in self.ast.expr_list(args).iter().enumerate() {
            match params.get(place) {
                Some(true) => _ = self.type_argument(arg),
                _ => _ = self.expr(arg),
            }
        }
    }

    /// A type where an expression can stand.
    fn type_argument(&mut self, arg: ExprId) -> Ty {
        let expr = self.ast.expr(arg);
        match expr.kind {
            ExprKind::Name(symbol) => {
                let span = expr.span;
                let target = self.view().type_named(Home::Here, Name { symbol, span });
                self.note(span, target);
                target.map_or(Ty::Unknown, Ty::Named)
            }
            ExprKind::Type(ty) => {
                self.written(Some(ty));
                Ty::Written(Home::Here, ty)
            }
            _ => self.expr(arg),
        }
    }

    fn exprs(&mut self, list: ExprList) {
        for &expr in self.ast.expr_list(list) {
            self.expr(expr);
        }
    }

    /// Reads an expression; gives its type.
    pub(super) fn expr(&mut self, id: ExprId) -> Ty {
        let expr = self.ast.expr(id);
        match expr.kind {
            ExprKind::Error | ExprKind::Star => Ty::Unknown,
            ExprKind::Bool(_) => Ty::Basic("bool"),
            ExprKind::Int(_) => Ty::Number,
            ExprKind::Name(symbol) => self.name(symbol, expr.span),
            ExprKind::Paren(inner) => self.expr(inner),
            ExprKind::Unary(op, operand) => {
                let ty = self.expr(operand);
                if op == UnaryOp::Not {
                    Ty::Basic("bool")
                } else {
                    self.view().read(ty)
                }
            }
            ExprKind::Binary(op, left, right) => self.binary(op, left, right),
            ExprKind::IfThenElse(cond, yes, no) => {
                self.expr(cond);
                let (yes, no) = (self.expr(yes), self.expr(no));
                self.joined(yes, no)
            }
            ExprKind::Index(base, index) => {
                let base = self.expr(base);
                self.expr(index);
                self.view().element(&base)
            }
            ExprKind::Field(base, name) => self.field(base, name),
            ExprKind::ArrayLit(list) => self.array(list),
            ExprKind::ArrayRepeat(value, length) => {
                let ty = self.expr(value);
                self.expr(length);
                let length = self.ast.expr(length).span;
                Ty::Array(
                    Box::new(ty),
                    super::slice(self.view().text, length).to_owned(),
                )
            }
            ExprKind::Fill(value) => {
                self.expr(value);
                Ty::Unknown
            }
            ExprKind::RecordLit(name, inits) => self.record(name, inits),
            ExprKind::Convert(ty, operand) => {
                self.expr(operand);
                self.simple(ty)
            }
            ExprKind::Method(object, name, args) => self.method(object, name, args),
            ExprKind::Apply(name, args) => self.applied(name, args),
            ExprKind::Type(ty) => {
                self.written(Some(ty));
                Ty::Unknown
            }
        }
    }

    fn name(&mut self, symbol: ast::symbol::Symbol, span: Span) -> Ty {
        let target = self.value(symbol);
        if target.is_none() && self.ast.text(symbol) == "self" {
            return Ty::Basic("task");
        }
        self.note(span, target);
        target.map_or(Ty::Unknown, |t| self.view().type_of(t))
    }

    fn simple(&self, ty: TypeId) -> Ty {
        match self.ast.ty(ty).kind {
            TypeKind::Bits(bits) => Ty::Basic(bits_name(bits)),
            TypeKind::Int => Ty::Basic("int"),
            _ => Ty::Unknown,
        }
    }

    fn binary(&mut self, op: BinaryOp, left: ExprId, right: ExprId) -> Ty {
        let (left, right) = (self.expr(left), self.expr(right));
        let logic = matches!(
            op,
            BinaryOp::And | BinaryOp::Or | BinaryOp::Implies | BinaryOp::Iff
        );
        if logic || op.is_comparison() {
            return Ty::Basic("bool");
        }
        self.joined(left, right)
    }

    /// The type of two values that have one type. Either may be unknown, or a number without a type of its own.
    fn joined(&self, one: Ty, other: Ty) -> Ty {
        match self.view().read(one) {
            Ty::Number if other != Ty::Unknown => self.view().read(other),
            Ty::Unknown => self.view().read(other),
            known => known,
        }
    }

    fn field(&mut self, base: ExprId, name: Name) -> Ty {
        let base = self.expr(base);
        let field = self.view().field(&base, self.ast.text(name.symbol));
        self.note(name.span, field);
        self.index.bases.insert(name.span.start, base);
        field.map_or(Ty::Unknown, |f| self.view().type_of(f))
    }

    fn array(&mut self, list: ExprList) -> Ty {
        let mut element = Ty::Unknown;
        for &expr in self.ast.expr_list(list) {
            let ty = self.expr(expr);
            element = self.joined(element, ty);
        }
        Ty::Array(Box::new(element), list.len.to_string())
    }

    fn record(&mut self, name: Name, inits: InitList) -> Ty {
        let target = self.view().type_named(Home::Here, name);
        self.note(name.span, target);
        let ty = target.map_or(Ty::Unknown, Ty::Named);
        for init in self.ast.inits(inits) {
            let field = self.view().field(&ty, self.ast.text(init.name.symbol));
            self.note(init.name.span, field);
            self.expr(init.value);
        }
        ty
    }

    fn method(&mut self, object: ExprId, name: Name, args: ExprList) -> Ty {
        let object = self.expr(object);
        let member = self.view().member(&object, self.ast.text(name.symbol));
        self.note(name.span, member);
        let result = member.map_or(Ty::Unknown, |m| self.view().type_of(m));
        let result = self.view().given(&object, result);
        self.index.bases.insert(name.span.start, object);
        self.exprs(args);
        result
    }

    /// `default(T)`, a conversion, or what should be a call.
    fn applied(&mut self, name: Name, args: ExprList) -> Ty {
        if self.callee(name.symbol).is_some() {
            return self.call(name, args);
        }
        if let Some(ty) = self.view().type_named(Home::Here, name) {
            self.note(name.span, Some(ty));
            self.exprs(args);
            return self.view().read(Ty::Named(ty));
        }
        match self.ast.expr_list(args) {
            &[ty] if self.ast.text(name.symbol) == "default" => {
                let ty = self.type_argument(ty);
                self.view().read(ty)
            }
            _ => self.call(name, args),
        }
    }

    fn call(&mut self, name: Name, args: ExprList) -> Ty {
        let target: Option<Target> = self.callee(name.symbol);
        self.note(name.span, target);
        self.exprs(args);
        target.map_or(Ty::Unknown, |t| self.view().type_of(t))
    }

    /// Reads the right side of `:=`; gives the types of its values.
    fn rhs(&mut self, rhs: Rhs) -> Vec<Ty> {
        match rhs {
            Rhs::Exprs(list) => {
                let list = self.ast.expr_list(list);
                let types = list.iter().map(|&e| {
                    let ty = self.expr(e);
                    self.view().read(ty)
                });
                types.collect()
            }
            Rhs::Call(name, args) => {
                let result = self.call(name, args);
                vec![result]
            }
            Rhs::Post(name, args) => {
                self.call(name, args);
                vec![Ty::Basic("task")]
            }
        }
    }

    fn declare_locals(
        &mut self,
        kind: Kind,
        names: &[Name],
        ty: Option<TypeId>,
        value: Option<Rhs>,
        (whole, block): (Span, Span),
    ) {
        self.written(ty);
        let values = value.map_or(Vec::new(), |rhs| self.rhs(rhs));
        let scope = Span::new(whole.end, block.end);
        for (at, &name) in names.iter().enumerate() {
            let inferred = values.get(at).or(values.first()).cloned();
            let id = self.local(kind, name, whole, scope);
            let known = ty.map(|t| Ty::Written(Home::Here, t)).or(inferred);
            self.decl(id).ty = known.unwrap_or(Ty::Unknown);
        }
    }

    /// Reads a statement of a block.
    pub(super) fn stmt(&mut self, id: StmtId, block: Span) {
        let stmt = self.ast.stmt(id);
        match stmt.kind {
            StmtKind::Error
            | StmtKind::Skip
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Yield
            | StmtKind::Sleep
            | StmtKind::Return(None) => {}
            StmtKind::Assign(targets, rhs) => {
                self.exprs(targets);
                self.rhs(rhs);
            }
            StmtKind::Havoc(list) => self.exprs(list),
            StmtKind::Assume(e)
            | StmtKind::Assert(e, _)
            | StmtKind::Cover(e, _)
            | StmtKind::Return(Some(e))
            | StmtKind::Op(e)
            | StmtKind::Join(e) => _ = self.expr(e),
            StmtKind::Call(to, name, args) => {
                if let Some(to) = to {
                    self.expr(to);
                }
                self.call(name, args);
            }
            StmtKind::Post(name, args) => _ = self.call(name, args),
            StmtKind::Var(names, ty, value) => {
                let names = self.ast.names(names);
                self.declare_locals(Kind::Var, names, ty, value, (stmt.span, block));
            }
            StmtKind::Let(name, ty, value) => {
                self.declare_locals(Kind::Let, &[name], ty, Some(value), (stmt.span, block));
            }
            _ => self.compound(stmt.kind, block),
        }
    }

    /// Reads a statement with blocks in it.
    fn compound(&mut self, kind: StmtKind, outer: Span) {
        match kind {
            StmtKind::If(cond, yes, no) => {
                self.expr(cond);
                self.block(&yes);
                if let Some(no) = no {
                    self.stmt(no, outer);
                }
            }
            StmtKind::While(cond, body) => {
                self.expr(cond);
                self.block(&body);
            }
            StmtKind::For(name, lo, hi, body) => {
                let (lo, hi) = (self.expr(lo), self.expr(hi));
                let ty = self.joined(lo, hi);
                self.enter();
                let id = self.local(Kind::For, name, name.span, body.span);
                self.decl(id).ty = ty;
                self.block(&body);
                self.leave();
            }
            StmtKind::Await(cond, body) => {
                self.expr(cond);
                if let Some(body) = body {
                    self.block(&body);
                }
            }
            StmtKind::Block(body) | StmtKind::Atomic(body) => self.block(&body),
            _ => {}
        }
    }
}
