//! Sections of a thread in which no other thread runs, wherever they begin and end.
//!
//! One global holds the thread that is in a section, another how many of its sections have not
//! ended. Each point becomes a wait until no other thread is in a section. A thread that has to
//! wait in its section leaves it until it goes on. A thread that has ended is in no section.

use thin_vec::thin_vec;

use crate::edit::Editor;
use crate::{
    Await, AwaitKind, BinaryOp, Block, ExprId, ExprKind, GlobalId, Local, LocalId, Place,
    PreemptKind, Program, Root, Stmt, StmtKind, Types,
};
use base::source::Span;

/// The globals of the sections.
#[derive(Clone, Copy, Debug)]
pub struct Section {
    /// The thread that is in a section.
    pub holder: GlobalId,
    /// How many of its sections have not ended.
    pub depth: GlobalId,
}

impl Section {
    /// The statements that begin a section of the running thread; they must be one step.
    pub fn begin(self, edit: &mut Editor) -> Block {
        let (own, me, old) = (edit.global(self.holder), me(edit), edit.global(self.depth));
        let held = edit.eq(own, me);
        let one = edit.int(1);
        let more = edit.binary(BinaryOp::Add, old, one);
        let depth = ExprKind::Ite(held, more, one);
        let depth = edit.program.add(depth, Types::INT);
        thin_vec![edit.set(self.depth, depth), edit.set(self.holder, me)]
    }

    /// The statements that end a section of the running thread, if it is in one; they must be one step.
    pub fn end(self, edit: &mut Editor) -> Block {
        let (own, me, old) = (edit.global(self.holder), me(edit), edit.global(self.depth));
        let held = edit.eq(own, me);
        let one = edit.int(1);
        let less = edit.binary(BinaryOp::Sub, old, one);
        let last = edit.is(self.depth, 0);
        let none = self.none(edit);
        let over = edit.when(last, none);
        let ends = thin_vec![edit.set(self.depth, less), over];
        thin_vec![edit.when(held, ends)]
    }

    fn none(self, edit: &mut Editor) -> Block {
        let none = edit.program.add(ExprKind::NoTask, Types::TASK);
        let zero = edit.int(0);
        thin_vec![edit.set(self.depth, zero), edit.set(self.holder, none)]
    }

    /// The condition that no other thread is in a section.
    fn free(self, edit: &mut Editor) -> ExprId {
        let holder = edit.global(self.holder);
        let none = edit.program.add(ExprKind::NoTask, Types::TASK);
        let (none, own) = (edit.eq(holder, none), me(edit));
        let own = edit.eq(holder, own);
        let gone = edit.program.add(ExprKind::Finished(holder), Types::BOOL);
        let free = edit.or(none, own);
        edit.or(free, gone)
    }
}

fn me(edit: &mut Editor) -> ExprId {
    edit.program.add(ExprKind::SelfTask, Types::TASK)
}

/// Makes the threads of a program with points wait for each other's sections. `ended` is true when the program has ended.
pub fn keep(program: &mut Program, section: Section, ended: GlobalId, atomic: &[bool]) {
    let apart = [Some(program.init), program.finally];
    let mut begun = vec![false; program.procs.len()];
    for proc in &program.procs {
        crate::walk::each(&proc.body, &mut |stmt| {
            if let StmtKind::Post(_, started, _) = stmt.kind {
                begun[started.index()] = true;
            }
        });
    }
    let mut edit = Editor {
        program: std::mem::replace(program, Program::empty()),
        span: Span::default(),
    };
    for (index, begun) in begun.into_iter().enumerate() {
        let whole = atomic.get(index).copied().unwrap_or(true);
        if whole || apart.iter().flatten().any(|p| p.index() == index) {
            continue;
        }
        let proc = &mut edit.program.procs[index];
        let (mut body, locals) = (
            std::mem::take(&mut proc.body),
            std::mem::take(&mut proc.locals),
        );
        let mut pass = Pass {
            edit: &mut edit,
            section,
            ended,
            locals,
            kept: None,
        };
        pass.block(&mut body);
        if begun {
            let wait = pass.turn(Span::default());
            body.insert(0, wait);
        }
        let locals = pass.locals;
        let proc = &mut edit.program.procs[index];
        (proc.body, proc.locals) = (body, locals);
    }
    *program = edit.program;
}

struct Pass<'e> {
    edit: &'e mut Editor,
    section: Section,
    ended: GlobalId,
    locals: Vec<Local>,
    /// The local that holds how many sections the thread has left while it waits; 0 for none.
    kept: Option<LocalId>,
}

impl Pass<'_> {
    fn block(&mut self, block: &mut Block) {
        for mut stmt in std::mem::take(block) {
            self.edit.span = stmt.span;
            for inner in inside(&mut stmt.kind) {
                self.block(inner);
            }
            self.edit.span = stmt.span;
            match &mut stmt.kind {
                StmtKind::Preempt(kind) => {
                    let (kind, span) = (*kind, stmt.span);
                    if kind != PreemptKind::Implicit {
                        block.push(stmt);
                    }
                    let wait = self.turn(span);
                    block.push(wait);
                }
                StmtKind::Await(wait) => {
                    let mut left = self.left_while_it_waits(wait);
                    block.append(&mut left);
                    block.push(stmt);
                }
                _ => block.push(stmt),
            }
        }
    }

    /// Waits until no other thread is in a section.
    fn turn(&mut self, span: Span) -> Stmt {
        let cond = self.may_go_on();
        let (checks, body) = (Block::new(), Block::new());
        let wait = Await {
            kind: AwaitKind::Turn,
            checks,
            cond,
            body,
        };
        StmtKind::Await(Box::new(wait)).at(span)
    }

    /// The condition that no other thread is in a section, or that the program has ended.
    fn may_go_on(&mut self) -> ExprId {
        let (ended, free) = (self.edit.global(self.ended), self.section.free(self.edit));
        self.edit.or(ended, free)
    }

    /// Returns statements before the wait that leave the section if the thread must wait. Makes the wait enter it again.
    fn left_while_it_waits(&mut self, wait: &mut Await) -> Block {
        let (section, kept, free) = (self.section, self.kept_local(), self.may_go_on());
        let edit = &mut *self.edit;
        let (holder, me, go) = (edit.global(section.holder), me(edit), wait.cond);
        let (held, waits) = (edit.eq(holder, me), edit.not(go));
        let leaves = edit.and(held, waits);
        let place = Place::whole(Root::Local(kept), Types::INT);
        let (depth, zero) = (edit.global(section.depth), edit.int(0));
        let mut left = thin_vec![edit.assign(place.clone(), depth)];
        left.extend(section.none(edit));
        let left = thin_vec![edit.assign(place.clone(), zero), edit.when(leaves, left)];
        wait.cond = edit.and(free, go);
        let old = edit.local(kept, Types::INT);
        let was = edit.binary(BinaryOp::Lt, zero, old);
        let again = thin_vec![edit.set(section.depth, old), edit.set(section.holder, me)];
        let again = edit.when(was, again);
        wait.body.insert(0, again);
        left
    }

    fn kept_local(&mut self) -> LocalId {
        *self.kept.get_or_insert_with(|| {
            let local = LocalId::from_index(self.locals.len());
            self.locals.push(Local {
                name: "sections.".into(),
                ty: Types::INT,
                hidden: true,
            });
            local
        })
    }
}

/// The blocks in a statement in which points may stand.
fn inside(kind: &mut StmtKind) -> Vec<&mut Block> {
    match kind {
        StmtKind::If(_, yes, no) => vec![yes, no],
        StmtKind::Loop(l) => vec![&mut l.pre, &mut l.body, &mut l.step],
        _ => Vec::new(),
    }
}
