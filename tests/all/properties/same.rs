//! Whether two trees are the same but for where they stand.

use dbverify::ast::tree::*;

/// Whether two files say the same: equal trees, whatever the spans, the comments and the order in the arenas.
#[must_use]
pub fn same_tree(a: &Ast, b: &Ast) -> bool {
    let mut same = Same {
        a,
        b,
        pending: Vec::new(),
    };
    same.items() && same.rest()
}

/// Two nodes that have to be the same.
enum Pair {
    Expr(ExprId, ExprId),
    Stmt(StmtId, StmtId),
    Type(TypeId, TypeId),
}

struct Same<'a> {
    a: &'a Ast,
    b: &'a Ast,
    /// Still to be compared: a stack instead of recursion.
    pending: Vec<Pair>,
}

impl Same<'_> {
    // ---- To be compared later; always true, so that it can stand in a conjunction ----

    fn expr(&mut self, x: ExprId, y: ExprId) -> bool {
        self.pending.push(Pair::Expr(x, y));
        true
    }

    fn ty(&mut self, x: TypeId, y: TypeId) -> bool {
        self.pending.push(Pair::Type(x, y));
        true
    }

    fn stmt(&mut self, x: StmtId, y: StmtId) -> bool {
        self.pending.push(Pair::Stmt(x, y));
        true
    }

    // ---- Compared at once ----

    fn name(&self, x: Name, y: Name) -> bool {
        self.a.text(x.symbol) == self.b.text(y.symbol)
    }

    fn names(&self, x: NameList, y: NameList) -> bool {
        let (x, y) = (self.a.names(x), self.b.names(y));
        x.len() == y.len() && x.iter().zip(y).all(|(&x, &y)| self.name(x, y))
    }

    fn option<T: Copy>(
        &mut self,
        x: Option<T>,
        y: Option<T>,
        same: fn(&mut Self, T, T) -> bool,
    ) -> bool {
        match (x, y) {
            (None, None) => true,
            (Some(x), Some(y)) => same(self, x, y),
            _ => false,
        }
    }

    fn exprs(&mut self, x: ExprList, y: ExprList) -> bool {
        let (x, y) = (self.a.expr_list(x), self.b.expr_list(y));
        x.len() == y.len() && x.iter().zip(y).all(|(&x, &y)| self.expr(x, y))
    }

    fn block(&mut self, x: Block, y: Block) -> bool {
        let (x, y) = (self.a.stmt_list(x.stmts), self.b.stmt_list(y.stmts));
        x.len() == y.len() && x.iter().zip(y).all(|(&x, &y)| self.stmt(x, y))
    }

    fn fields(&mut self, x: FieldList, y: FieldList) -> bool {
        let (x, y) = (self.a.fields(x), self.b.fields(y));
        x.len() == y.len()
            && x.iter()
                .zip(y)
                .all(|(x, y)| self.name(x.name, y.name) && self.ty(x.ty, y.ty))
    }

    fn inits(&mut self, x: InitList, y: InitList) -> bool {
        let (x, y) = (self.a.inits(x), self.b.inits(y));
        x.len() == y.len()
            && x.iter()
                .zip(y)
                .all(|(x, y)| self.name(x.name, y.name) && self.expr(x.value, y.value))
    }

    fn rhs(&mut self, x: Rhs, y: Rhs) -> bool {
        match (x, y) {
            (Rhs::Exprs(x), Rhs::Exprs(y)) => self.exprs(x, y),
            (Rhs::Call(p, x), Rhs::Call(q, y)) | (Rhs::Post(p, x), Rhs::Post(q, y)) => {
                self.name(p, q) && self.exprs(x, y)
            }
            _ => false,
        }
    }

    fn string(&mut self, x: StringId, y: StringId) -> bool {
        self.a.strings[x.0 as usize] == self.b.strings[y.0 as usize]
    }

    // ---- Nodes ----

    fn rest(&mut self) -> bool {
        while let Some(pair) = self.pending.pop() {
            let same = match pair {
                Pair::Expr(x, y) => self.expr_kinds(self.a.expr(x).kind, self.b.expr(y).kind),
                Pair::Stmt(x, y) => self.stmt_kinds(self.a.stmt(x).kind, self.b.stmt(y).kind),
                Pair::Type(x, y) => self.type_kinds(self.a.ty(x).kind, self.b.ty(y).kind),
            };
            if !same {
                return false;
            }
        }
        true
    }

    fn expr_kinds(&mut self, x: ExprKind, y: ExprKind) -> bool {
        use ExprKind::*;
        match (x, y) {
            (Error, Error) | (Star, Star) => true,
            (Bool(x), Bool(y)) => x == y,
            (Int(x), Int(y)) => self.a.ints[x.0 as usize] == self.b.ints[y.0 as usize],
            (Name(x), Name(y)) => self.a.text(x) == self.b.text(y),
            (Paren(x), Paren(y)) | (Fill(x), Fill(y)) => self.expr(x, y),
            (Unary(p, x), Unary(q, y)) => p == q && self.expr(x, y),
            (Binary(p, x, v), Binary(q, y, w)) => p == q && self.expr(x, y) && self.expr(v, w),
            (IfThenElse(c, t, e), IfThenElse(d, u, f)) => {
                self.expr(c, d) && self.expr(t, u) && self.expr(e, f)
            }
            (Index(x, i), Index(y, j)) | (ArrayRepeat(x, i), ArrayRepeat(y, j)) => {
                self.expr(x, y) && self.expr(i, j)
            }
            (Field(x, f), Field(y, g)) => self.name(f, g) && self.expr(x, y),
            (ArrayLit(x), ArrayLit(y)) => self.exprs(x, y),
            (RecordLit(r, x), RecordLit(s, y)) => self.name(r, s) && self.inits(x, y),
            (Convert(t, x), Convert(u, y)) => self.ty(t, u) && self.expr(x, y),
            (Method(x, p, v), Method(y, q, w)) => {
                self.name(p, q) && self.expr(x, y) && self.exprs(v, w)
            }
            (Apply(p, x), Apply(q, y)) => self.name(p, q) && self.exprs(x, y),
            (Type(x), Type(y)) => self.ty(x, y),
            _ => false,
        }
    }

    fn stmt_kinds(&mut self, x: StmtKind, y: StmtKind) -> bool {
        use StmtKind::*;
        match (x, y) {
            (Error, Error) | (Skip, Skip) | (Break, Break) | (Continue, Continue) => true,
            (Yield, Yield) | (Sleep, Sleep) => true,
            (Assign(x, v), Assign(y, w)) => self.exprs(x, y) && self.rhs(v, w),
            (Havoc(x), Havoc(y)) => self.exprs(x, y),
            (Assume(x), Assume(y)) | (Op(x), Op(y)) | (Join(x), Join(y)) => self.expr(x, y),
            (Assert(x, s), Assert(y, t)) | (Cover(x, s), Cover(y, t)) => {
                self.expr(x, y) && self.option(s, t, Self::string)
            }
            (If(c, t, e), If(d, u, f)) => {
                self.expr(c, d) && self.block(t, u) && self.option(e, f, Self::stmt)
            }
            (While(x, k), While(y, l)) => self.expr(x, y) && self.block(k, l),
            (For(i, a, z, k), For(j, b, y, l)) => {
                self.name(i, j) && self.expr(a, b) && self.expr(z, y) && self.block(k, l)
            }
            (Block(k), Block(l)) | (Atomic(k), Atomic(l)) => self.block(k, l),
            (Return(x), Return(y)) => self.option(x, y, Self::expr),
            (Call(x, p, v), Call(y, q, w)) => {
                self.option(x, y, Self::expr) && self.name(p, q) && self.exprs(v, w)
            }
            (Post(p, v), Post(q, w)) => self.name(p, q) && self.exprs(v, w),
            (Await(x, k), Await(y, l)) => self.expr(x, y) && self.option(k, l, Self::block),
            (Var(n, t, i), Var(m, u, j)) => {
                self.names(n, m) && self.option(t, u, Self::ty) && self.option(i, j, Self::rhs)
            }
            (Let(n, t, i), Let(m, u, j)) => {
                self.name(n, m) && self.option(t, u, Self::ty) && self.rhs(i, j)
            }
            _ => false,
        }
    }

    fn type_kinds(&mut self, x: TypeKind, y: TypeKind) -> bool {
        use TypeKind::*;
        match (x, y) {
            (Error, Error) | (Bool, Bool) | (Int, Int) | (Task, Task) => true,
            (Type, Type) => true,
            (Bits(x), Bits(y)) => x == y,
            (Range(x, v), Range(y, w)) => self.expr(x, y) && self.expr(v, w),
            (Enum(x), Enum(y)) => self.names(x, y),
            (Record(x), Record(y)) => self.fields(x, y),
            (Named(n, x), Named(m, y)) => self.name(n, m) && self.exprs(x, y),
            (Array(n, x), Array(m, y)) => self.expr(n, m) && self.ty(x, y),
            (Map(k, x), Map(l, y)) => self.ty(k, l) && self.ty(x, y),
            (Bracket(n, x), Bracket(m, y)) => self.name(n, m) && self.ty(x, y),
            _ => false,
        }
    }

    // ---- Items and members ----

    fn items(&mut self) -> bool {
        let (a, b) = (self.a, self.b);
        a.items.len() == b.items.len()
            && a.items
                .iter()
                .zip(&b.items)
                .all(|(x, y)| self.item(&x.kind, &y.kind))
    }

    fn item(&mut self, x: &ItemKind, y: &ItemKind) -> bool {
        use ItemKind::*;
        match (x, y) {
            (Error, Error) => true,
            (Use(x), Use(y)) => self.name(*x, *y),
            (UseFile(x), UseFile(y)) => self.string(*x, *y),
            (Const(n, t, x), Const(m, u, y)) => {
                self.name(*n, *m) && self.option(*t, *u, Self::ty) && self.expr(*x, *y)
            }
            (Type(n, x), Type(m, y)) => self.name(*n, *m) && self.ty(*x, *y),
            (Preempt(x), Preempt(y)) => x == y,
            (Var(x), Var(y)) => self.var(x, y),
            (Proc(x), Proc(y)) => self.procedure(x, y),
            (Object(x), Object(y)) => self.object(x, y),
            (Finally(x), Finally(y)) => self.block(*x, *y),
            (Invariant(x, s), Invariant(y, t)) => {
                self.expr(*x, *y) && self.option(*s, *t, Self::string)
            }
            _ => false,
        }
    }

    fn var(&mut self, x: &VarDecl, y: &VarDecl) -> bool {
        self.names(x.names, y.names)
            && self.ty(x.ty, y.ty)
            && self.option(x.init, y.init, Self::expr)
    }

    fn procedure(&mut self, x: &ProcDecl, y: &ProcDecl) -> bool {
        self.name(x.name, y.name)
            && self.fields(x.params, y.params)
            && self.option(x.result, y.result, Self::ty)
            && self.block(x.body, y.body)
    }

    fn object(&mut self, x: &ObjectDecl, y: &ObjectDecl) -> bool {
        self.name(x.name, y.name)
            && self.fields(x.params, y.params)
            && x.members.len() == y.members.len()
            && x.members
                .iter()
                .zip(&y.members)
                .all(|(x, y)| self.member(&x.kind, &y.kind))
    }

    fn member(&mut self, x: &MemberKind, y: &MemberKind) -> bool {
        use MemberKind::*;
        match (x, y) {
            (Error, Error) => true,
            (Var(x), Var(y)) => self.var(x, y),
            (Proc(x), Proc(y)) => self.procedure(x, y),
            (Op(x), Op(y)) => self.operation(x, y),
            (Independent(p, q, x), Independent(r, s, y)) => {
                self.pattern(*p, *r) && self.pattern(*q, *s) && self.option(*x, *y, Self::expr)
            }
            (Exclusive(p, q), Exclusive(r, s)) => self.pattern(*p, *r) && self.pattern(*q, *s),
            _ => false,
        }
    }

    fn operation(&mut self, x: &OpDecl, y: &OpDecl) -> bool {
        self.name(x.name, y.name)
            && self.fields(x.params, y.params)
            && self.option(x.result, y.result, Self::ty)
            && self.option(x.enqueue, y.enqueue, Self::block)
            && self.option(x.guard, y.guard, Self::expr)
            && self.option(x.spurious, y.spurious, Self::expr)
            && self.block(x.body, y.body)
    }

    fn pattern(&self, x: OpPattern, y: OpPattern) -> bool {
        self.name(x.name, y.name) && self.names(x.args, y.args)
    }
}
