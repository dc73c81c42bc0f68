//! Declarations outside of bodies. All are noted first, because their order is free; then their contents are read.

use rustc_hash::FxHashMap;

use ast::symbol::Symbol;
use ast::tree::{
    Ast, Block, FieldList, Item, ItemKind, Member, MemberKind, Name, ObjectDecl, OpDecl, OpPattern,
    ProcDecl, TypeId, TypeKind, VarDecl,
};
use base::source::Span;

use super::types::{Home, Ty, View};
use super::{Decl, DeclId, Index, Kind, Module, Occurrence, Target};

pub(super) struct Reader<'a> {
    pub(super) ast: &'a Ast,
    text: &'a str,
    library: Option<&'static Module>,
    pub(super) index: Index,
    /// The object type whose code is being read.
    pub(super) object: Option<DeclId>,
    /// The locals in scope. `blocks` says how many there were when each open block began.
    locals: Vec<(Symbol, DeclId)>,
    blocks: Vec<usize>,
    /// The innermost local of each name, and those that it hides.
    innermost: FxHashMap<Symbol, Vec<DeclId>>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(ast: &'a Ast, text: &'a str, library: Option<&'static Module>) -> Self {
        Self {
            ast,
            text,
            library,
            index: Index::default(),
            object: None,
            locals: Vec::new(),
            blocks: Vec::new(),
            innermost: FxHashMap::default(),
        }
    }

    pub(super) fn read(mut self) -> Index {
        let ast = self.ast;
        for item in &ast.items {
            self.declare_item(item);
        }
        self.declare_parts();
        // Values first: code needs the types of constants.
        let (code, values): (Vec<&Item>, Vec<&Item>) = ast.items.iter().partition(|item| {
            matches!(
                item.kind,
                ItemKind::Proc(_)
                    | ItemKind::Object(_)
                    | ItemKind::Finally(_)
                    | ItemKind::Invariant(..)
            )
        });
        for item in values.into_iter().chain(code) {
            self.read_item(item);
        }
        self.index
            .occurrences
            .sort_by_key(|o| (o.span.start, o.span.end));
        self.index.occurrences.dedup_by_key(|o| o.span);
        self.index
    }

    pub(super) fn view(&self) -> View<'_> {
        View {
            ast: self.ast,
            index: &self.index,
            text: self.text,
            library: self.library,
        }
    }

    // ---- Declaring ----

    pub(super) fn declare(&mut self, kind: Kind, name: Name, whole: Span) -> DeclId {
        let id = DeclId(u32::try_from(self.index.decls.len()).unwrap_or(u32::MAX));
        self.index.decls.push(Decl {
            kind,
            name: name.span,
            whole,
            ty: Ty::Unknown,
            params: FieldList::default(),
            owner: self.object,
            scope: None,
            head: whole,
        });
        self.note(name.span, Some(Target::Here(id)));
        id
    }

    pub(super) fn decl(&mut self, id: DeclId) -> &mut Decl {
        &mut self.index.decls[id.0 as usize]
    }

    /// Notes that a name stands at a place, and what it means there.
    pub(super) fn note(&mut self, span: Span, target: Option<Target>) {
        self.index.occurrences.push(Occurrence { span, target });
    }

    fn everywhere(&self) -> Span {
        Span::new(0, u32::try_from(self.text.len()).unwrap_or(u32::MAX))
    }

    fn declare_item(&mut self, item: &Item) {
        let (everywhere, whole) = (self.everywhere(), item.span);
        match &item.kind {
            ItemKind::Const(name, ty, _) => {
                let id = self.declare_value(Kind::Const, *name, whole);
                self.decl(id).ty = ty.map_or(Ty::Unknown, |t| Ty::Written(Home::Here, t));
            }
            ItemKind::Type(name, ty) => {
                let id = self.declare(Kind::Type, *name, whole);
                self.decl(id).scope = Some(everywhere);
                self.decl(id).ty = Ty::Written(Home::Here, *ty);
                self.index.types.entry(name.symbol).or_insert(id);
                self.index.aliases.insert(id, *ty);
            }
            ItemKind::Var(var) => {
                for &name in self.ast.names(var.names) {
                    let id = self.declare_value(Kind::Global, name, whole);
                    self.decl(id).ty = Ty::Written(Home::Here, var.ty);
                }
            }
            ItemKind::Proc(proc) => {
                let id = self.declare_proc(proc, whole);
                self.decl(id).scope = Some(everywhere);
                self.index.procs.entry(proc.name.symbol).or_insert(id);
            }
            ItemKind::Object(object) => self.declare_object(object, whole),
            ItemKind::Error | ItemKind::Use(_) | ItemKind::UseFile(_) => {}
            ItemKind::Preempt(_) => {}
            ItemKind::Finally(_) | ItemKind::Invariant(..) => {}
        }
    }

    fn declare_value(&mut self, kind: Kind, name: Name, whole: Span) -> DeclId {
        let id = self.declare(kind, name, whole);
        self.decl(id).scope = Some(self.everywhere());
        self.index.values.entry(name.symbol).or_insert(id);
        id
    }

    fn declare_proc(&mut self, proc: &ProcDecl, whole: Span) -> DeclId {
        let id = self.declare(Kind::Proc, proc.name, whole);
        let decl = self.decl(id);
        decl.params = proc.params;
        decl.ty = result(proc.result);
        decl.head.end = proc.body.span.start;
        id
    }

    fn declare_object(&mut self, object: &ObjectDecl, whole: Span) {
        let id = self.declare(Kind::Object, object.name, whole);
        self.decl(id).scope = Some(self.everywhere());
        self.decl(id).ty = Ty::Named(Target::Here(id));
        self.decl(id).params = object.params;
        self.index.types.entry(object.name.symbol).or_insert(id);
        self.object = Some(id);
        for field in self.ast.fields(object.params) {
            if self.ast.ty(field.ty).kind == TypeKind::Type {
                let param = self.declare(Kind::TypeParam, field.name, field.name.span);
                self.decl(param).ty = Ty::Written(Home::Here, field.ty);
                self.decl(param).scope = Some(whole);
                let known = (whole, field.name.symbol, param);
                self.index.type_params.push(known);
                continue;
            }
            self.declare_slot(
                Kind::ObjectParam,
                field.name,
                field.ty,
                field.name.span,
                whole,
            );
        }
        for member in &object.members {
            self.declare_member(id, member, whole);
        }
        self.object = None;
    }

    fn declare_slot(&mut self, kind: Kind, name: Name, ty: TypeId, whole: Span, scope: Span) {
        let slot = self.declare(kind, name, whole);
        self.decl(slot).ty = Ty::Written(Home::Here, ty);
        self.decl(slot).scope = Some(scope);
        if let Some(object) = self.object {
            self.index
                .slots
                .entry((object, name.symbol))
                .or_insert(slot);
        }
    }

    fn declare_member(&mut self, object: DeclId, member: &Member, scope: Span) {
        let (id, name) = match &member.kind {
            MemberKind::Var(var) => {
                for &name in self.ast.names(var.names) {
                    self.declare_slot(Kind::State, name, var.ty, member.span, scope);
                }
                return;
            }
            MemberKind::Op(op) => (self.declare_op(op, member.span), op.name),
            MemberKind::Proc(proc) => (self.declare_proc(proc, member.span), proc.name),
            _ => return,
        };
        self.decl(id).scope = Some(scope);
        self.index
            .members
            .entry((object, name.symbol))
            .or_insert(id);
    }

    fn declare_op(&mut self, op: &OpDecl, whole: Span) -> DeclId {
        let id = self.declare(Kind::Op, op.name, whole);
        let guard = op.guard.map(|g| self.ast.expr(g).span.end);
        let decl = self.decl(id);
        decl.params = op.params;
        decl.ty = result(op.result);
        let body = op.enqueue.map_or(op.body.span.start, |b| b.span.start);
        decl.head.end = guard.map_or(body, |end| end.min(body));
        id
    }

    /// Declares the fields of records and the members of enums, wherever such types are written.
    fn declare_parts(&mut self) {
        let ast = self.ast;
        let named: FxHashMap<TypeId, DeclId> =
            self.index.aliases.iter().map(|(&d, &t)| (t, d)).collect();
        for (number, node) in (0..).zip(&ast.types) {
            let id = TypeId(number);
            let owner = named.get(&id).copied();
            match node.kind {
                TypeKind::Enum(members) => {
                    for &name in ast.names(members) {
                        let part = self.declare_value(Kind::Member, name, name.span);
                        let decl = self.decl(part);
                        decl.owner = owner;
                        decl.ty = owner
                            .map_or(Ty::Written(Home::Here, id), |d| Ty::Named(Target::Here(d)));
                        self.index.parts.insert(name.span.start, part);
                    }
                }
                TypeKind::Record(fields) => {
                    for field in ast.fields(fields) {
                        let whole = field.name.span.to(ast.ty(field.ty).span);
                        let part = self.declare(Kind::Field, field.name, whole);
                        self.decl(part).owner = owner;
                        self.decl(part).ty = Ty::Written(Home::Here, field.ty);
                        self.index.parts.insert(field.name.span.start, part);
                    }
                }
                _ => {}
            }
        }
    }

    // ---- Reading what stands in declarations ----

    fn read_item(&mut self, item: &Item) {
        match &item.kind {
            ItemKind::Const(name, ty, value) => {
                self.written(*ty);
                let value = self.expr(*value);
                if let (None, Some(&id)) = (ty, self.index.values.get(&name.symbol))
                    && self.decl(id).name == name.span
                {
                    self.decl(id).ty = value;
                }
            }
            ItemKind::Type(_, ty) => self.written(Some(*ty)),
            ItemKind::Var(var) => self.var(var),
            ItemKind::Proc(proc) => self.proc(proc),
            ItemKind::Object(object) => self.object_type(object),
            ItemKind::Finally(body) => self.block(body),
            ItemKind::Invariant(e, _) => _ = self.expr(*e),
            ItemKind::Error | ItemKind::Use(_) | ItemKind::UseFile(_) => {}
            ItemKind::Preempt(_) => {}
        }
    }

    fn var(&mut self, var: &VarDecl) {
        self.written(Some(var.ty));
        if let Some(init) = var.init {
            self.expr(init);
        }
    }

    fn proc(&mut self, proc: &ProcDecl) {
        self.enter();
        self.params(proc.params, proc.body.span);
        self.written(proc.result);
        self.block(&proc.body);
        self.leave();
    }

    fn params(&mut self, params: FieldList, scope: Span) {
        for field in self.ast.fields(params) {
            self.written(Some(field.ty));
            let whole = field.name.span.to(self.ast.ty(field.ty).span);
            let id = self.local(Kind::Param, field.name, whole, scope);
            self.decl(id).ty = Ty::Written(Home::Here, field.ty);
        }
    }

    fn object_type(&mut self, object: &ObjectDecl) {
        let id = self.index.types.get(&object.name.symbol).copied();
        self.object = id.filter(|&id| self.decl(id).name == object.name.span);
        for field in self.ast.fields(object.params) {
            self.written(Some(field.ty));
        }
        for member in &object.members {
            match &member.kind {
                MemberKind::Var(var) => self.var(var),
                MemberKind::Proc(proc) => self.proc(proc),
                MemberKind::Op(op) => self.op(op, member.span),
                MemberKind::Independent(a, b, when) => self.claim(&[a, b], *when, member.span),
                MemberKind::Exclusive(a, b) => self.claim(&[a, b], None, member.span),
                MemberKind::Error => {}
            }
        }
        self.object = None;
    }

    fn op(&mut self, op: &OpDecl, whole: Span) {
        self.enter();
        self.params(op.params, whole);
        self.written(op.result);
        for part in op.spurious.into_iter().chain(op.guard) {
            self.expr(part);
        }
        for block in op.enqueue.iter().chain([&op.body]) {
            self.block(block);
        }
        self.leave();
    }

    fn claim(&mut self, patterns: &[&OpPattern], when: Option<ast::tree::ExprId>, whole: Span) {
        self.enter();
        for pattern in patterns {
            let op = self.own_member(pattern.name.symbol);
            self.note(pattern.name.span, op);
            let types = op.map_or(Vec::new(), |op| self.view().parameters(op));
            for (at, &name) in self.ast.names(pattern.args).iter().enumerate() {
                let id = self.local(Kind::ClaimArg, name, name.span, whole);
                self.decl(id).ty = types.get(at).map_or(Ty::Unknown, |(_, ty)| ty.clone());
            }
        }
        if let Some(when) = when {
            self.expr(when);
        }
        self.leave();
    }

    // ---- Scopes ----

    pub(super) fn enter(&mut self) {
        self.blocks.push(self.locals.len());
    }

    pub(super) fn leave(&mut self) {
        let start = self.blocks.pop().unwrap_or(0);
        for (symbol, _) in self.locals.drain(start..) {
            if let Some(hidden) = self.innermost.get_mut(&symbol) {
                hidden.pop();
            }
        }
    }

    pub(super) fn local(&mut self, kind: Kind, name: Name, whole: Span, scope: Span) -> DeclId {
        let id = self.declare(kind, name, whole);
        self.decl(id).scope = Some(scope);
        self.locals.push((name.symbol, id));
        self.innermost.entry(name.symbol).or_default().push(id);
        id
    }

    pub(super) fn block(&mut self, block: &Block) {
        self.enter();
        for &stmt in self.ast.stmt_list(block.stmts) {
            self.stmt(stmt, block.span);
        }
        self.leave();
    }

    /// What a name means as a value. Blocks are searched first, then the object, then the program.
    pub(super) fn value(&self, symbol: Symbol) -> Option<Target> {
        let local = self.innermost.get(&symbol).and_then(|ids| ids.last());
        let slot = || self.object.and_then(|o| self.index.slots.get(&(o, symbol)));
        let global = || self.index.values.get(&symbol);
        let found = local.or_else(slot).or_else(global)?;
        Some(Target::Here(*found))
    }

    /// An operation or procedure of the object type at hand.
    pub(super) fn own_member(&self, symbol: Symbol) -> Option<Target> {
        let id = self.index.members.get(&(self.object?, symbol))?;
        Some(Target::Here(*id))
    }

    /// What a name means behind `call` and `post`.
    pub(super) fn callee(&self, symbol: Symbol) -> Option<Target> {
        let global = || self.index.procs.get(&symbol).map(|&id| Target::Here(id));
        self.own_member(symbol).or_else(global)
    }
}

fn result(ty: Option<TypeId>) -> Ty {
    ty.map_or(Ty::Unknown, |t| Ty::Written(Home::Here, t))
}
