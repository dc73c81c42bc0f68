//! Procedures that a task calls become part of its body if they touch buffered variables. The buffer consists of locals of
//! the task, which other procedures cannot reach.

use ir::{
    Block, ExprId, ExprKind, LocalId, Loop, LoopId, Place, Proc, ProcId, Program, Root, Step, Stmt,
    StmtKind, walk,
};
use rustc_hash::FxHashMap;
use thin_vec::ThinVec;

/// The most statements that a body may get.
const MOST: usize = 50_000;

/// A task's body with the procedures that it calls; `None` if the body gets too large.
pub(crate) fn inlined(program: &mut Program, root: ProcId, inline: &[bool]) -> Option<Proc> {
    let own = program.proc(root).clone();
    let same = (0..own.locals.len()).map(LocalId::from_index);
    let mut instance = Instance {
        locals: same.map(Seen::Local).collect(),
        loops: 0,
        done: FxHashMap::default(),
        back: None,
        own: true,
    };
    let mut inliner = Inliner {
        program,
        inline,
        fixed: fixed(&own),
        locals: own.locals.clone(),
        loops: own.loops,
        size: 0,
    };
    let body = inliner.block(&own.body, &mut instance)?;
    let (locals, loops) = (inliner.locals, inliner.loops);
    Some(Proc {
        body,
        locals,
        loops,
        ..own
    })
}

/// By local: whether it is a parameter that keeps its value.
fn fixed(proc: &Proc) -> Vec<bool> {
    let mut fixed: Vec<bool> = (0..proc.locals.len())
        .map(|l| l < proc.params as usize)
        .collect();
    walk::each(&proc.body, &mut |stmt| {
        let written = match &stmt.kind {
            StmtKind::Call(to, ..) | StmtKind::Post(to, ..) => *to,
            _ => walk::written(stmt).and_then(|place| match place.root {
                Root::Local(local) => Some(local),
                Root::Global(_) => None,
            }),
        };
        if let Some(local) = written {
            fixed[local.index()] = false;
        }
    });
    fixed
}

/// What a local of a procedure is in the task's body.
#[derive(Clone, Copy)]
enum Seen {
    Local(LocalId),
    /// A parameter that always has this value.
    Value(ExprId),
}

/// A call that becomes part of the body.
struct Instance {
    locals: Vec<Seen>,
    /// The inliner adds this number to the ids of the procedure's loops.
    loops: u32,
    done: FxHashMap<ExprId, ExprId>,
    /// Where a return leads: it leaves this loop, and gives the local its value.
    back: Option<(LoopId, Option<LocalId>)>,
    own: bool,
}

struct Inliner<'p> {
    program: &'p mut Program,
    inline: &'p [bool],
    fixed: Vec<bool>,
    locals: Vec<ir::Local>,
    loops: u32,
    size: usize,
}

impl Inliner<'_> {
    fn block(&mut self, block: &[Stmt], at: &mut Instance) -> Option<Block> {
        let mut made = Block::new();
        for stmt in block {
            self.size += 1;
            if self.size > MOST {
                return None;
            }
            self.stmt(stmt, at, &mut made)?;
        }
        Some(made)
    }

    fn stmt(&mut self, stmt: &Stmt, at: &mut Instance, made: &mut Block) -> Option<()> {
        let span = stmt.span;
        let kind = match &stmt.kind {
            StmtKind::Call(to, callee, args) if self.inline[callee.index()] => {
                let to = to.map(|to| local(at, to));
                let args: Vec<ExprId> = args.iter().map(|&e| self.expr(e, at)).collect();
                return self.call(stmt, (to, *callee), &args, made);
            }
            StmtKind::Return(value) => {
                let value = value.map(|e| self.expr(e, at));
                let Some((id, to)) = at.back else {
                    made.push(StmtKind::Return(value).at(span));
                    return Some(());
                };
                if let (Some(to), Some(value)) = (to, value) {
                    let place = Place::local(to, self.locals[to.index()].ty);
                    made.push(StmtKind::Assign(place, value).at(span));
                }
                StmtKind::Break(id)
            }
            kind => self.kind(kind, at)?,
        };
        made.push(kind.at(span));
        Some(())
    }

    fn kind(&mut self, kind: &StmtKind, at: &mut Instance) -> Option<StmtKind> {
        let all = |this: &mut Self, args: &[ExprId], at: &mut Instance| {
            args.iter()
                .map(|&e| this.expr(e, at))
                .collect::<ThinVec<_>>()
        };
        Some(match kind {
            StmtKind::Assign(place, value) => {
                let value = self.expr(*value, at);
                StmtKind::Assign(self.place(place, at), value)
            }
            StmtKind::Havoc(place, kind) => StmtKind::Havoc(self.place(place, at), *kind),
            StmtKind::Assume(e) => StmtKind::Assume(self.expr(*e, at)),
            StmtKind::Check(kind, e, text) => {
                StmtKind::Check(*kind, self.expr(*e, at), text.clone())
            }
            StmtKind::If(cond, yes, no) => {
                let cond = self.expr(*cond, at);
                StmtKind::If(cond, self.block(yes, at)?, self.block(no, at)?)
            }
            StmtKind::Loop(l) => StmtKind::Loop(Box::new(Loop {
                id: LoopId(l.id.0 + at.loops),
                pre: self.block(&l.pre, at)?,
                cond: self.expr(l.cond, at),
                body: self.block(&l.body, at)?,
                step: self.block(&l.step, at)?,
            })),
            StmtKind::Break(id) => StmtKind::Break(LoopId(id.0 + at.loops)),
            StmtKind::Continue(id) => StmtKind::Continue(LoopId(id.0 + at.loops)),
            StmtKind::Call(to, proc, args) => {
                let to = to.map(|to| local(at, to));
                StmtKind::Call(to, *proc, all(self, args, at))
            }
            StmtKind::Post(to, proc, args) => {
                let to = to.map(|to| local(at, to));
                StmtKind::Post(to, *proc, all(self, args, at))
            }
            StmtKind::Await(wait) => StmtKind::Await(Box::new(ir::Await {
                kind: wait.kind,
                checks: self.block(&wait.checks, at)?,
                cond: self.expr(wait.cond, at),
                body: self.block(&wait.body, at)?,
            })),
            StmtKind::Atomic(order, body) => StmtKind::Atomic(*order, self.block(body, at)?),
            StmtKind::Mark(id, args) => StmtKind::Mark(*id, all(self, args, at)),
            StmtKind::Return(_) | StmtKind::Preempt(_) => kind.clone(),
        })
    }

    /// Adds the body of the called procedure, in a loop with one turn that a return leaves.
    fn call(
        &mut self,
        stmt: &Stmt,
        (to, callee): (Option<LocalId>, ProcId),
        args: &[ExprId],
        made: &mut Block,
    ) -> Option<()> {
        let proc = self.program.proc(callee).clone();
        let fixed = fixed(&proc);
        let mut locals = Vec::new();
        for (index, own) in proc.locals.iter().enumerate() {
            if fixed[index] && self.is_fixed(args[index]) {
                locals.push(Seen::Value(args[index]));
                continue;
            }
            let new = own.clone().declared_in(&mut self.locals);
            self.fixed.push(false);
            locals.push(Seen::Local(new));
            if let Some(&value) = args.get(index) {
                let place = Place::local(new, own.ty);
                made.push(StmtKind::Assign(place, value).at(stmt.span));
            }
        }
        let id = LoopId(self.loops);
        let mut instance = Instance {
            locals,
            loops: self.loops + 1,
            done: FxHashMap::default(),
            back: Some((id, to)),
            own: false,
        };
        self.loops += 1 + proc.loops;
        let mut body = self.block(&proc.body, &mut instance)?;
        let leaves = |s: &Stmt| matches!(s.kind, StmtKind::Break(to) if to == id);
        let ends = body.last().is_some_and(leaves);
        if ends {
            body.pop();
        }
        if !walk::any(&body, leaves) {
            made.extend(body);
            return Some(());
        }
        body.push(StmtKind::Break(id).at(stmt.span));
        let cond = self.program.add(ExprKind::Bool(true), ir::Types::BOOL);
        let once = Loop {
            id,
            pre: Block::new(),
            cond,
            body,
            step: Block::new(),
        };
        made.push(StmtKind::Loop(Box::new(once)).at(stmt.span));
        Some(())
    }

    /// Whether an argument has the same value for ever: a constant, or a parameter that nothing writes.
    fn is_fixed(&self, e: ExprId) -> bool {
        match self.program.expr(e).kind {
            ExprKind::Bool(_) | ExprKind::Int(_) | ExprKind::NoTask => true,
            ExprKind::Local(local) => self.fixed[local.index()],
            _ => false,
        }
    }

    fn place(&mut self, place: &Place, at: &mut Instance) -> Place {
        let root = match place.root {
            Root::Local(of) => Root::Local(local(at, of)),
            root @ Root::Global(_) => root,
        };
        let step = |step: &Step| match step {
            Step::Index(e) => Step::Index(self.expr(*e, at)),
            field @ Step::Field(_) => *field,
        };
        Place {
            root,
            path: place.path.iter().map(step).collect(),
            ty: place.ty,
        }
    }

    fn expr(&mut self, e: ExprId, at: &mut Instance) -> ExprId {
        if at.own {
            return e;
        }
        if let Some(&done) = at.done.get(&e) {
            return done;
        }
        let old = self.program.expr(e).clone();
        let new = match old.kind {
            ExprKind::Local(of) => match at.locals[of.index()] {
                Seen::Local(new) => self.program.add(ExprKind::Local(new), old.ty),
                Seen::Value(value) => value,
            },
            _ => {
                let kind = walk::with_operands(&old.kind, |part| self.expr(part, at));
                if kind == old.kind {
                    e
                } else {
                    let new = self.program.add(kind, old.ty);
                    self.program.quotes.quote_as(new, e);
                    new
                }
            }
        };
        at.done.insert(e, new);
        new
    }
}

/// The task's local for a local that is written. A parameter that keeps its value has none, and is never written.
fn local(at: &Instance, of: LocalId) -> LocalId {
    match at.locals[of.index()] {
        Seen::Local(local) => local,
        Seen::Value(_) => unreachable!("a parameter that is written has a local"),
    }
}
