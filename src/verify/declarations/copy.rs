//! Copies the operations of an object into a program that a solver can be asked about.
//!
//! In the copy
//!
//! - a task is a number, and 0 stands for no task: a program can only tell tasks apart;
//! - a check that fails and an assumption that does not hold end the operation and say so in `ended`,
//!   instead of ending the execution;
//! - what the program chooses (`*`) comes from a table, so that two runs can choose the same.
//!
//! Only what is reached from a procedure is copied.

use rustc_hash::FxHashMap;
use thin_vec::thin_vec;

use base::source::Span;
use ir::edit::Editor;
use ir::walk;
use ir::{
    BinaryOp, Block, ExprId, ExprKind, GlobalId, Local, LocalId, Loop, Place, Proc, ProcId,
    Program, RecordType, Root, Step, Stmt, StmtKind, Type, TypeId, Types,
};

/// Why the solver cannot be asked about an operation, in words.
pub(super) type Refused = String;

/// Values of the variable `ended`: the operation has run to its end, or an assumption was false. Greater numbers stand for the
/// checks that failed.
pub(super) const RAN: i128 = 0;
pub(super) const DROPPED: i128 = 1;

/// The variables that the copy has beside those of the operations.
#[derive(Clone, Copy, Debug)]
pub(super) struct Own {
    pub me: GlobalId,
    /// How the operation ended.
    pub ended: GlobalId,
    /// How many choices it has made.
    pub chosen: GlobalId,
    /// Which tasks have finished.
    pub finished: GlobalId,
}

/// A copy that is being made.
pub(super) struct Copy<'p> {
    from: &'p Program,
    pub to: Editor,
    pub own: Own,
    types: FxHashMap<TypeId, TypeId>,
    exprs: FxHashMap<ExprId, ExprId>,
    globals: FxHashMap<GlobalId, GlobalId>,
    procs: FxHashMap<ProcId, ProcId>,
    /// Procedures that are still to be copied.
    work: Vec<ProcId>,
    /// The copied globals of the program, each with its copy.
    pub touched: Vec<(GlobalId, GlobalId)>,
    /// For each type of which a value is chosen, the table of choices.
    pub tables: Vec<(TypeId, GlobalId)>,
    checks: i128,
}

impl<'p> Copy<'p> {
    pub fn new(from: &'p Program) -> Self {
        let mut to = Editor {
            program: empty(),
            span: Span::default(),
        };
        let truths = to.program.types.intern(Type::Map(Types::INT, Types::BOOL));
        let own = Own {
            me: to.program.declare("the running task", Types::INT),
            ended: to.program.declare("how it ended", Types::INT),
            chosen: to.program.declare("choices made", Types::INT),
            finished: to.program.declare("finished tasks", truths),
        };
        Self {
            from,
            to,
            own,
            types: FxHashMap::default(),
            exprs: FxHashMap::default(),
            globals: FxHashMap::default(),
            procs: FxHashMap::default(),
            work: Vec::new(),
            touched: Vec::new(),
            tables: Vec::new(),
            checks: DROPPED,
        }
    }

    /// The copy of a procedure. Its body is copied by [`Copy::finish`].
    pub fn proc(&mut self, id: ProcId) -> ProcId {
        if let Some(&known) = self.procs.get(&id) {
            return known;
        }
        let proc = self.from.proc(id);
        let locals = proc.locals.iter().map(|l| Local {
            name: l.name.clone(),
            ty: self.ty(l.ty),
            hidden: l.hidden,
        });
        let locals: Vec<Local> = locals.collect();
        let result = proc.result.map(|ty| self.ty(ty));
        let copy = ProcId::from_index(self.to.program.procs.len());
        self.to.program.procs.push(Proc {
            name: proc.name.clone(),
            params: proc.params,
            locals,
            result,
            loops: proc.loops,
            span: proc.span,
            ..Proc::default()
        });
        self.procs.insert(id, copy);
        self.work.push(id);
        copy
    }

    /// Copies the bodies of all procedures that were asked for, and of those that they call.
    pub fn finish(&mut self) -> Result<(), Refused> {
        while let Some(id) = self.work.pop() {
            // In two procedures the same expression may be about different locals.
            self.exprs.clear();
            let body = self.block(&self.from.proc(id).body, id)?;
            let copy = self.procs[&id];
            self.to.program.procs[copy.index()].body = body;
        }
        Ok(())
    }

    /// The copy of a global.
    pub fn global(&mut self, id: GlobalId) -> GlobalId {
        if let Some(&known) = self.globals.get(&id) {
            return known;
        }
        let global = &self.from.globals[id.index()];
        let ty = self.ty(global.ty);
        let copy = self.to.program.declare(&global.name, ty);
        self.globals.insert(id, copy);
        self.touched.push((id, copy));
        copy
    }

    /// The type of the copies of a type's values.
    pub fn ty(&mut self, id: TypeId) -> TypeId {
        if let Some(&known) = self.types.get(&id) {
            return known;
        }
        let ty = match self.from.types.get(id) {
            Type::Task => Type::Int,
            Type::Record(record) => Type::Record(RecordType {
                name: record.name.clone(),
                fields: (record.fields.iter())
                    .map(|(name, ty)| (name.clone(), self.ty(*ty)))
                    .collect(),
            }),
            Type::Array(len, element) => Type::Array(*len, self.ty(*element)),
            Type::Map(key, element) => Type::Map(self.ty(*key), self.ty(*element)),
            scalar => scalar.clone(),
        };
        let copy = self.to.program.types.intern(ty);
        self.types.insert(id, copy);
        copy
    }

    fn expr(&mut self, id: ExprId) -> ExprId {
        if let Some(&known) = self.exprs.get(&id) {
            return known;
        }
        let ty = self.ty(self.from.ty(id));
        let kind = match &self.from.expr(id).kind {
            ExprKind::NoTask => ExprKind::int(0),
            ExprKind::SelfTask => ExprKind::Global(self.own.me),
            ExprKind::Finished(task) => {
                let task = self.expr(*task);
                let finished = self.to.global(self.own.finished);
                ExprKind::Index(finished, task)
            }
            ExprKind::Global(global) => ExprKind::Global(self.global(*global)),
            kind => walk::with_operands(kind, |e| self.expr(e)),
        };
        let copy = self.to.program.add(kind, ty);
        self.exprs.insert(id, copy);
        copy
    }

    fn all(&mut self, exprs: &[ExprId]) -> Vec<ExprId> {
        exprs.iter().map(|&e| self.expr(e)).collect()
    }

    fn place(&mut self, place: &Place) -> Place {
        Place {
            root: match place.root {
                Root::Global(global) => Root::Global(self.global(global)),
                local @ Root::Local(_) => local,
            },
            path: (place.path.iter())
                .map(|step| match step {
                    Step::Index(index) => Step::Index(self.expr(*index)),
                    field @ Step::Field(_) => *field,
                })
                .collect(),
            ty: self.ty(place.ty),
        }
    }

    fn block(&mut self, block: &Block, proc: ProcId) -> Result<Block, Refused> {
        let mut copy = Block::with_capacity(block.len());
        for one in block {
            self.stmt(one, proc, &mut copy)?;
        }
        Ok(copy)
    }

    fn stmt(&mut self, from: &Stmt, proc: ProcId, to: &mut Block) -> Result<(), Refused> {
        let kind = match &from.kind {
            StmtKind::Assign(place, value) => {
                StmtKind::Assign(self.place(place), self.expr(*value))
            }
            StmtKind::Havoc(place, _) => {
                let place = self.place(place);
                return self.choose(place, self.ty_of(from), from.span, to);
            }
            StmtKind::Assume(condition) => {
                let condition = self.expr(*condition);
                self.ends_unless(condition, DROPPED, proc)
            }
            StmtKind::Check(_, condition, _) => {
                self.checks += 1;
                let condition = self.expr(*condition);
                self.ends_unless(condition, self.checks, proc)
            }
            StmtKind::If(condition, then, otherwise) => {
                let condition = self.expr(*condition);
                StmtKind::If(
                    condition,
                    self.block(then, proc)?,
                    self.block(otherwise, proc)?,
                )
            }
            StmtKind::Loop(l) => StmtKind::Loop(Box::new(Loop {
                id: l.id,
                pre: self.block(&l.pre, proc)?,
                cond: self.expr(l.cond),
                body: self.block(&l.body, proc)?,
                step: self.block(&l.step, proc)?,
            })),
            StmtKind::Return(value) => StmtKind::Return(value.map(|v| self.expr(v))),
            StmtKind::Call(into, callee, args) => {
                let (callee, args) = (self.proc(*callee), self.all(args));
                to.push(StmtKind::Call(*into, callee, args.into()).at(from.span));
                self.passes_on(proc)
            }
            StmtKind::Atomic(order, body) => StmtKind::Atomic(*order, self.block(body, proc)?),
            StmtKind::Break(id) => StmtKind::Break(*id),
            StmtKind::Continue(id) => StmtKind::Continue(*id),
            StmtKind::Mark(..) => return Ok(()),
            StmtKind::Post(..) => return Err("an operation posts a task".to_owned()),
            StmtKind::Preempt(_) | StmtKind::Await(_) => {
                return Err("an operation waits".to_owned());
            }
        };
        to.push(kind.at(from.span));
        Ok(())
    }

    /// The type of what a statement chooses.
    fn ty_of(&self, from: &Stmt) -> TypeId {
        match &from.kind {
            StmtKind::Havoc(place, _) => place.ty,
            _ => unreachable!("asked of choices only"),
        }
    }

    /// Assigns the next choice of the table. A program cannot choose a task, so a chosen handle is always no task.
    fn choose(
        &mut self,
        place: Place,
        original: TypeId,
        span: Span,
        to: &mut Block,
    ) -> Result<(), Refused> {
        if *self.from.types.get(original) == Type::Task {
            let nobody = self.to.int(0);
            to.push(StmtKind::Assign(place, nobody).at(span));
            return Ok(());
        }
        if !self.to.program.types.is_scalar(place.ty) {
            return Err("an operation chooses a value of many parts".to_owned());
        }
        let table = self.table(place.ty);
        // Both tasks use one table: each has every other place of it.
        let me = self.to.global(self.own.me);
        let chosen = self.to.global(self.own.chosen);
        let twice = self.to.binary(BinaryOp::Add, chosen, chosen);
        let at = self.to.binary(BinaryOp::Add, twice, me);
        let table = self.to.global(table);
        let value = self.to.program.add(ExprKind::Index(table, at), place.ty);
        to.push(StmtKind::Assign(place, value).at(span));
        let one = self.to.int(1);
        let more = self.to.binary(BinaryOp::Add, chosen, one);
        to.push(self.to.set(self.own.chosen, more));
        Ok(())
    }

    fn table(&mut self, ty: TypeId) -> GlobalId {
        if let Some(&(_, table)) = self.tables.iter().find(|t| t.0 == ty) {
            return table;
        }
        let map = self.to.program.types.intern(Type::Map(Types::INT, ty));
        let name = format!("choices {}", self.tables.len());
        let table = self.to.program.declare(&name, map);
        self.tables.push((ty, table));
        table
    }

    /// Ends the operation with `how` unless the condition holds.
    fn ends_unless(&mut self, condition: ExprId, how: i128, proc: ProcId) -> StmtKind {
        let how = self.to.int(how);
        let ended = self.to.set(self.own.ended, how);
        StmtKind::If(condition, Block::new(), thin_vec![ended, self.leave(proc)])
    }

    /// Ends the caller too if what it called has ended the operation.
    fn passes_on(&mut self, proc: ProcId) -> StmtKind {
        let ran = self.to.is(self.own.ended, RAN);
        StmtKind::If(ran, Block::new(), thin_vec![self.leave(proc)])
    }

    fn leave(&mut self, proc: ProcId) -> Stmt {
        let result = self.from.proc(proc).result.map(|ty| self.ty(ty));
        let value = result.map(|ty| self.to.program.plain_value(ty));
        StmtKind::Return(value).at(Span::default())
    }

    /// A local of a procedure of the copy, as an expression.
    pub fn local(&mut self, local: LocalId, ty: TypeId) -> ExprId {
        self.to.local(local, ty)
    }
}

/// A program whose procedures are an `init` and a `main` that do nothing.
fn empty() -> Program {
    let nothing = |name: &str| Proc {
        name: name.to_owned(),
        ..Proc::default()
    };
    Program {
        procs: vec![nothing("init"), nothing("main")],
        main: ProcId(1),
        ..Program::empty()
    }
}
