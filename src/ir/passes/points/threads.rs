//! Where threads can be interrupted, and what the end of the program means for them.
//!
//! A point stands before each statement that touches a *visible* variable ([`seen`]) and may not run in one step with what was before
//! it ([`held`]); none stands where `main` runs alone, before the first thread is made and after all are joined. One more stands in each
//! [loop](silent) that has no end and would have no point. After a point, a wait or a call the program may have ended
//! (`exited`): then the thread does nothing more, and a thread that waits is let go.

use std::ops::Range;
use thin_vec::thin_vec;

use crate::{
    Await, AwaitKind, BinaryOp, Block, ErrorKind, ExprId, ExprKind, GlobalId, Place, PreemptKind,
    Proc, ProcId, Program, Root, Stmt, StmtKind, Types, silent, silent::Silent, walk,
};
use base::source::Span;

use super::held::{self, Held};
use super::seen;

/// The facts about threads that a front end knows.
pub struct Known<'a> {
    /// The global that is true when the program has ended.
    pub exited: GlobalId,
    /// Which procedures run only as part of a step.
    pub atomic: &'a [bool],
    /// Globals that only one thread reaches, whatever the other threads do.
    pub private: &'a [GlobalId],
    /// The objects of an allocation, and the global that says which of them were freed.
    pub freed: &'a [(GlobalId, GlobalId)],
    /// How many statements of the program `main` runs until all threads are joined.
    pub joined: Option<usize>,
    /// Whether points may be left out where no thread can notice.
    pub reduce: bool,
}

/// Puts points into a program that has none.
pub fn insert(program: &mut Program, known: &Known<'_>) {
    let end = program.proc(program.main).body.len();
    let threads = if known.reduce {
        let alone = seen::alone(program);
        alone..known.joined.unwrap_or(end).max(alone)
    } else {
        0..end
    };
    let held = if known.reduce {
        held::held(program, threads.clone())
    } else {
        Held::default()
    };
    let visible = visible(program, &threads, known, &held);
    let reads = walk::all_reads(
        program,
        |root| matches!(root, Root::Global(g) if visible[g.index()]),
    );
    let ended = program.add(ExprKind::Global(known.exited), Types::BOOL);
    let mut beside = 0..0;
    for (index, &atomic) in known.atomic.iter().enumerate() {
        let at_end = program.finally.is_some_and(|f| f.index() == index);
        if program.init.index() == index || at_end {
            continue;
        }
        let result = program.procs[index].result;
        let nothing = result.map(|ty| program.plain_value(ty));
        let mut body = std::mem::take(&mut program.procs[index].body);
        let mut pass = Pass {
            program,
            reads: &reads,
            visible: &visible,
            held: &held,
            ended,
            nothing,
        };
        if index == pass.program.main.index() {
            let mut after = body.split_off(threads.end);
            let mut during = body.split_off(threads.start);
            pass.calls(&mut body);
            pass.block(&mut during, atomic, false);
            pass.calls(&mut after);
            beside = body.len() + 1..body.len() + 1 + during.len();
            body.extend(during);
            body.extend(after);
        } else {
            pass.block(&mut body, atomic, true);
        }
        let span = program.procs[index].span;
        // A thread may begin after the end of the program.
        body.insert(0, leave(ended, nothing, span));
        body.shrink_to_fit();
        program.procs[index].body = body;
    }
    yield_in_loops(program, known, &beside, ended);
}

/// Puts a yield into each endless loop in which no step ends. Other threads run beside the statements `beside` of `main`.
fn yield_in_loops(program: &mut Program, known: &Known<'_>, beside: &Range<usize>, ended: ExprId) {
    let ways = silent::ways(program, known.exited);
    for (index, &atomic) in known.atomic.iter().enumerate() {
        let id = ProcId::from_index(index);
        if atomic || id == program.init || program.finally == Some(id) {
            continue;
        }
        let loops = silent::loops(program, &program.procs[index], &ways, known.exited);
        let (ending, endless): (Vec<Silent>, _) = loops.iter().partition(|l| l.has_exit);
        program.scope.ending.extend(ending.iter().map(|l| l.span));
        let result = program.procs[index].result;
        let nothing = result.map(|ty| program.plain_value(ty));
        let yields = |span| {
            let own = StmtKind::Preempt(PreemptKind::Yield).at(span);
            [own, leave(ended, nothing, span)]
        };
        let body = &mut program.procs[index].body;
        let part = match id == program.main {
            true => beside.clone(),
            false => 0..body.len(),
        };
        let yielding = &mut program.scope.endless;
        for stmt in &mut body[part] {
            yield_in(stmt, &endless, &yields, yielding);
        }
    }
}

fn yield_in(
    stmt: &mut Stmt,
    loops: &[Silent],
    yields: &impl Fn(Span) -> [Stmt; 2],
    yielding: &mut Vec<Span>,
) {
    if matches!(stmt.kind, StmtKind::Atomic(..)) {
        return;
    }
    for inner in walk::children_mut(stmt).flatten() {
        yield_in(inner, loops, yields, yielding);
    }
    let span = stmt.span;
    if let StmtKind::Loop(l) = &mut stmt.kind
        && loops.iter().any(|silent| silent.id == l.id)
    {
        let body = std::mem::take(&mut l.body);
        l.body = yields(span).into_iter().chain(body).collect();
        yielding.push(span);
    }
}

/// By global: whether a point stands before a statement that touches it.
fn visible(
    program: &mut Program,
    threads: &Range<usize>,
    known: &Known<'_>,
    held: &Held,
) -> Vec<bool> {
    let mut visible = seen::visible(program, threads.clone());
    for global in &held.guarded {
        visible[global.index()] = false;
    }
    program.scope.guarded.clone_from(&held.guarded);
    // A statement that touches an object also reads whether it was freed, in the same step.
    for (objects, freed) in known.freed {
        if visible[freed.index()] {
            visible[objects.index()] = true;
            program.scope.guarded.retain(|g| g != objects);
        }
    }
    program.scope.gone = known.freed.iter().map(|(_, gone)| *gone).collect();
    // The global of the program's end has points of its own.
    for global in known.private.iter().chain([&known.exited]) {
        visible[global.index()] = false;
    }
    let all = (0..).map(GlobalId).zip(&visible);
    let apart = all.filter(|(_, visible)| !**visible);
    program.scope.apart = apart.map(|(global, _)| global).collect();
    visible
}

fn leave(ended: ExprId, nothing: Option<ExprId>, span: Span) -> Stmt {
    let back = StmtKind::Return(nothing).at(span);
    StmtKind::If(ended, thin_vec![back], Block::new()).at(span)
}

struct Pass<'a> {
    program: &'a mut Program,
    /// Which expressions read visible variables.
    reads: &'a [bool],
    visible: &'a [bool],
    held: &'a Held,
    ended: ExprId,
    nothing: Option<ExprId>,
}

impl Pass<'_> {
    /// `acted` says whether the step may have done something that others can notice. Then a point stands
    /// before an assumption: the others must get their turn before the assumption drops the execution.
    fn block(&mut self, block: &mut Block, atomic: bool, mut acted: bool) {
        let old = std::mem::take(block);
        for mut stmt in old {
            let span = stmt.span;
            if !atomic && (self.touches(&stmt.kind) || acted && drops(&stmt.kind)) {
                acted = false;
                block.push(StmtKind::Preempt(PreemptKind::Implicit).at(span));
                block.push(leave(self.ended, self.nothing, span));
            }
            // In a loop, the turn before may have done something.
            let before = acted || matches!(stmt.kind, StmtKind::Loop(_));
            acted |= acts(&stmt);
            self.inside(&mut stmt, atomic, before);
            let after = matches!(stmt.kind, StmtKind::Call(..) | StmtKind::Preempt(_));
            block.push(stmt);
            if after {
                block.push(leave(self.ended, self.nothing, span));
            }
        }
        block.shrink_to_fit();
    }

    /// Handles statements that no thread interrupts: there only a callee may end the program.
    fn calls(&mut self, block: &mut Block) {
        let old = std::mem::take(block);
        for mut stmt in old {
            let after = matches!(stmt.kind, StmtKind::Call(..) | StmtKind::Preempt(_));
            let span = stmt.span;
            match &mut stmt.kind {
                StmtKind::If(_, yes, no) => {
                    self.calls(yes);
                    self.calls(no);
                }
                StmtKind::Loop(l) => self.calls(&mut l.body),
                _ => self.inside(&mut stmt, false, false),
            }
            block.push(stmt);
            if after {
                block.push(leave(self.ended, self.nothing, span));
            }
        }
    }

    fn inside(&mut self, stmt: &mut Stmt, atomic: bool, acted: bool) {
        match &mut stmt.kind {
            StmtKind::If(_, yes, no) => {
                self.block(yes, atomic, acted);
                self.block(no, atomic, acted);
            }
            StmtKind::Loop(l) => self.block(&mut l.body, atomic, acted),
            StmtKind::Atomic(_, inner) => self.block(inner, true, acted),
            StmtKind::Await(wait) => {
                let either = ExprKind::Binary(BinaryOp::Or, self.ended, wait.cond);
                wait.cond = self.program.add(either, Types::BOOL);
                wait.body
                    .insert(0, leave(self.ended, self.nothing, stmt.span));
            }
            _ => {}
        }
    }

    fn reads(&self, e: ExprId) -> bool {
        self.reads.get(e.index()).copied().unwrap_or(false)
    }

    /// Whether a statement touches something visible, in its own expressions or as one step.
    fn touches(&self, kind: &StmtKind) -> bool {
        match kind {
            StmtKind::Assign(place, _) if held::is_lock(self.program, place.ty) => {
                !self.held.releases(self.program, kind)
            }
            StmtKind::Assign(place, value) => self.place(place) || self.reads(*value),
            StmtKind::Havoc(place, _) => self.place(place),
            StmtKind::Assume(e) => self.reads(*e),
            StmtKind::Check(kind, e, _) => *kind != ErrorKind::Deadlock && self.reads(*e),
            StmtKind::If(cond, ..) => self.reads(*cond),
            StmtKind::Post(..) => true,
            StmtKind::Atomic(_, inner) => inner.iter().any(|s| self.within(&s.kind)),
            _ => false,
        }
    }

    fn within(&self, kind: &StmtKind) -> bool {
        match kind {
            // The walk does not look at callees: they may touch something.
            StmtKind::Call(..) => true,
            StmtKind::If(_, yes, no) => {
                self.touches(kind) || yes.iter().chain(no).any(|s| self.within(&s.kind))
            }
            StmtKind::Loop(l) => l.body.iter().any(|s| self.within(&s.kind)),
            _ => self.touches(kind),
        }
    }

    fn place(&self, place: &Place) -> bool {
        let seen = matches!(place.root, Root::Global(g) if self.visible[g.index()]);
        seen || walk::indices(place).any(|e| self.reads(e))
    }
}

/// Whether a statement may drop the execution at once: as an assumption, or as a step that begins with one.
fn drops(kind: &StmtKind) -> bool {
    match kind {
        StmtKind::Assume(_) => true,
        // A callee may hold an assumption.
        StmtKind::Atomic(_, inner) => walk::any(inner, |stmt| {
            matches!(stmt.kind, StmtKind::Assume(_) | StmtKind::Call(..))
        }),
        _ => false,
    }
}

/// Whether a statement does something that other threads can notice.
fn acts(stmt: &Stmt) -> bool {
    walk::any(std::slice::from_ref(stmt), |stmt| match &stmt.kind {
        StmtKind::Assign(place, _) | StmtKind::Havoc(place, _) => {
            matches!(place.root, Root::Global(_))
        }
        StmtKind::Post(..) | StmtKind::Await(_) | StmtKind::Call(..) => true,
        _ => false,
    })
}

/// Makes sure that some wait looks at the end of the program, so that an end while threads
/// run is no data race. If nothing waits, adds a procedure that waits and is never called.
pub fn end_is_awaited(program: &mut Program, exited: GlobalId) {
    if program.procs.iter().any(|p| waits(&p.body)) {
        return;
    }
    let cond = program.add(ExprKind::Global(exited), Types::BOOL);
    let wait = Await {
        kind: AwaitKind::Await,
        checks: Block::new(),
        cond,
        body: Block::new(),
    };
    program.procs.push(Proc {
        name: "end.".to_owned(),
        body: thin_vec![StmtKind::Await(Box::new(wait)).at(Span::default())],
        ..Proc::default()
    });
}

/// Whether a block has a wait that is no join: a join waits for the thread itself.
fn waits(block: &Block) -> bool {
    walk::any(
        block,
        |stmt| matches!(&stmt.kind, StmtKind::Await(wait) if wait.kind != AwaitKind::Join),
    )
}
