//! Which locals of a suspended frame may still be read: the others are no part of a state.

use ir::{Await, ExprId, LocalId, Loop, LoopId, Place, Program, Root, Stmt, StmtKind, walk};

use super::state::{Control, Frame, Phase};

/// Computes which locals may be read from a place in the program on.
pub(super) struct Lives<'p> {
    program: &'p Program,
}

/// A loop that encloses a statement: what is read after it, and from its step on.
struct Around {
    id: LoopId,
    after: Vec<bool>,
    step: Vec<bool>,
}

impl<'p> Lives<'p> {
    pub fn new(program: &'p Program) -> Self {
        Self { program }
    }

    /// For each local of a frame, whether the frame may read it when it goes on. `at` is the await where the frame is suspended;
    /// `result` is the local that takes the result of the call that it waits for.
    pub fn of(
        &self,
        frame: &Frame<'p>,
        at: Option<&'p Await>,
        result: Option<LocalId>,
    ) -> Vec<bool> {
        let locals = self.program.proc(frame.proc).locals.len();
        self.rest(frame, at, result, vec![false; locals])
    }

    fn rest(
        &self,
        frame: &Frame<'p>,
        at: Option<&'p Await>,
        result: Option<LocalId>,
        mut live: Vec<bool>,
    ) -> Vec<bool> {
        let mut around = Vec::new();
        for control in &frame.control {
            live = match *control {
                Control::Block(block, next) => self.block(&block[next..], live, &mut around),
                Control::Loop(l, phase, _) => {
                    let after = live.clone();
                    let turn = self.turn(l, live, &mut around);
                    let step = turn.step.clone();
                    around.push(Around {
                        id: l.id,
                        after,
                        step,
                    });
                    match phase {
                        Phase::Pre => turn.head,
                        Phase::Test => turn.test,
                        Phase::Step => turn.step,
                    }
                }
            };
        }
        if let Some(at) = at {
            live = self.waiting(at, live, &mut around);
        }
        if let Some(into) = result {
            live[into.index()] = false;
        }
        live
    }

    fn block(&self, block: &[Stmt], after: Vec<bool>, around: &mut Vec<Around>) -> Vec<bool> {
        let mut live = after;
        for stmt in block.iter().rev() {
            live = self.stmt(stmt, live, around);
        }
        live
    }

    fn stmt(&self, stmt: &Stmt, after: Vec<bool>, around: &mut Vec<Around>) -> Vec<bool> {
        let mut live = after;
        match &stmt.kind {
            StmtKind::Assign(place, _) | StmtKind::Havoc(place, _) => overwrite(place, &mut live),
            StmtKind::If(_, yes, no) => {
                let other = self.block(no, live.clone(), around);
                live = self.block(yes, live, around);
                join(&mut live, &other);
            }
            StmtKind::Loop(l) => return self.turn(l, live, around).head,
            StmtKind::Break(id) | StmtKind::Continue(id) => {
                let leaves = matches!(stmt.kind, StmtKind::Break(_));
                if let Some(to) = around.iter().rfind(|a| a.id == *id) {
                    live.clone_from(if leaves { &to.after } else { &to.step });
                }
            }
            StmtKind::Return(_) => live.fill(false),
            StmtKind::Call(into, ..) | StmtKind::Post(into, ..) => {
                into.iter().for_each(|l| live[l.index()] = false);
            }
            StmtKind::Await(at) => return self.waiting(at, live, around),
            StmtKind::Atomic(_, block) => return self.block(block, live, around),
            StmtKind::Assume(_) | StmtKind::Check(..) => {}
            StmtKind::Preempt(_) | StmtKind::Mark(..) => return live,
        }
        for expr in walk::exprs(stmt) {
            self.look(expr, &mut live);
        }
        live
    }

    fn waiting(&self, at: &Await, after: Vec<bool>, around: &mut Vec<Around>) -> Vec<bool> {
        let mut live = self.block(&at.body, after, around);
        self.look(at.cond, &mut live);
        self.block(&at.checks, live, around)
    }

    /// The locals that are read from each part of a loop on.
    fn turn(&self, l: &Loop, after: Vec<bool>, around: &mut Vec<Around>) -> Turn {
        let mut head = vec![false; after.len()];
        loop {
            around.push(Around {
                id: l.id,
                after: after.clone(),
                step: head.clone(),
            });
            let step = self.block(&l.step, head.clone(), around);
            if let Some(own) = around.last_mut() {
                own.step.clone_from(&step);
            }
            let mut test = self.block(&l.body, step.clone(), around);
            join(&mut test, &after);
            self.look(l.cond, &mut test);
            let again = self.block(&l.pre, test.clone(), around);
            around.pop();
            if again == head {
                return Turn { head, step, test };
            }
            head = again;
        }
    }

    /// Marks the locals that an expression reads.
    fn look(&self, expr: ExprId, live: &mut [bool]) {
        let reads = |root| {
            if let Root::Local(local) = root {
                live[local.index()] = true;
            }
            false
        };
        walk::reads(self.program, expr, &mut { reads });
    }
}

/// The locals that are read from each part of a loop on.
struct Turn {
    head: Vec<bool>,
    step: Vec<bool>,
    test: Vec<bool>,
}

/// Unmarks a local that is assigned as a whole: its old value is not read.
fn overwrite(place: &Place, live: &mut [bool]) {
    if let (Root::Local(local), true) = (place.root, place.path.is_empty()) {
        live[local.index()] = false;
    }
}

fn join(live: &mut [bool], other: &[bool]) {
    for (own, other) in live.iter_mut().zip(other) {
        *own |= other;
    }
}
