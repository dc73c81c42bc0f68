//! Weak memory as passes over programs.
//!
//! [`run`] gives each task a buffer for its stores, as hidden locals. The program that comes out is one of ordinary steps: every
//! engine runs it as it runs any other program.
//!
//! | where | what it is |
//! |---|---|
//! | `inline` | what a task calls becomes part of its body |
//! | `flow` | what waits in the buffer at each statement, and which stores may be overtaken |
//! | `emit` | the body with its buffer |
//! | `stale` | executions that need not be followed, because a load could come later |
//! | `c11` | the same with messages and views in the place of buffers |

mod c11;
mod emit;
mod flow;
mod inline;
mod stale;

use std::collections::BTreeSet;

use base::source::Span;
use ir::calls::Calls;
use ir::passes::{self, points};
use ir::{
    Block, Dialect, ExprKind, Proc, ProcId, Program, Root, Site, Step, Stmt, StmtKind, Type,
    TypeId, Weak, walk,
};
use options::{Buffered, Memory};
use rustc_hash::FxHashSet;
use thin_vec::thin_vec;

use emit::{Emit, Needs};
use flow::{Class, Facts, Flow, Shape, Store, has_plain_keys, shape};

/// Changes a program so that it runs on another memory.
///
/// # Errors
/// When the pass cannot follow what the program does: where and why.
pub fn run(program: &mut Program, asked: Buffered) -> Result<(), (Span, String)> {
    run_reduced(program, asked, true)
}

/// As [`run`], with all executions: the rule of [stale] loads leaves none out. So a person may step through any execution.
///
/// # Errors
/// As for [`run`].
pub fn run_whole(program: &mut Program, asked: Buffered) -> Result<(), (Span, String)> {
    run_reduced(program, asked, false)
}

fn run_reduced(
    program: &mut Program,
    asked: Buffered,
    reduced: bool,
) -> Result<(), (Span, String)> {
    if let Some(at) = program
        .scope
        .exclusive
        .filter(|_| asked.memory != Memory::Sc)
    {
        let why = "on a memory that is not sequentially consistent, an atomic section begins and ends in one block, and nothing waits in it";
        return Err((at, why.to_owned()));
    }
    let mut done = Ok(());
    match asked.memory {
        Memory::Sc => {}
        Memory::C11 => passes::run("messages", program, |p| done = c11::run(p, asked)),
        Memory::Tso | Memory::Pso => {
            passes::run("buffers", program, |p| buffers(p, asked, reduced));
        }
    }
    done
}

fn buffers(program: &mut Program, asked: Buffered, reduced: bool) {
    let mut pass = Pass::new(program, asked);
    pass.facts.reduced = reduced;
    pass.keep_whole();
    pass.tasks(program);
    let Pass {
        work,
        mut weak,
        unsaid,
        ..
    } = pass;
    if !weak.buffers.is_empty() {
        *program = work;
    }
    program.scope.unsaid.extend(unsaid);
    // Races are those of sequentially consistent executions.
    weak.races = std::mem::take(&mut program.scope.races);
    program.scope.weak = Some(weak);
}

struct Pass {
    /// The program in the making.
    work: Program,
    facts: Facts,
    weak: Weak,
    unsaid: Vec<(Span, String)>,
    stores: Vec<Store>,
}

/// A task's body, and the stores in it that are delayed.
struct Task {
    id: ProcId,
    proc: Proc,
    delayed: FxHashSet<u32>,
    needs: Needs,
}

impl Pass {
    fn new(program: &Program, asked: Buffered) -> Self {
        let work = program.clone();
        let mut facts = Facts::new(&work, asked.memory, candidates(&work));
        facts.look(&work);
        Self {
            work,
            facts,
            weak: Weak {
                asked,
                ..Weak::default()
            },
            unsaid: Vec::new(),
            stores: Vec::new(),
        }
    }

    /// Says that some stores are not delayed.
    fn cut(&mut self, span: Span, why: String) {
        self.weak.partial = true;
        self.unsaid.push((span, why));
    }

    /// Stores are not delayed if their variable is accessed as a whole and in parts, or has keys other than numbers.
    fn keep_whole(&mut self) {
        let (mut read, mut written) = (BTreeSet::new(), Vec::new());
        for (index, proc) in self.work.procs.iter().enumerate() {
            let apart = self.work.init.index() == index
                || self.work.finally.is_some_and(|f| f.index() == index);
            if apart {
                continue;
            }
            // Before there are other threads, stores are not delayed.
            let from = match self.work.main.index() == index {
                true => alone(&self.work),
                false => 0,
            };
            walk::each(&proc.body[from..], &mut |stmt| {
                let mut found: Vec<Shape> = Vec::new();
                for e in walk::exprs(stmt) {
                    self.facts.shapes(&self.work, e, &mut found);
                }
                read.extend(found);
                if let Some(place) = walk::written(stmt)
                    && self.facts.is_candidate(place.root)
                    && let Some(shape) = shape(place)
                {
                    written.push((shape, has_plain_keys(&self.work, place), stmt.span));
                }
            });
        }
        let stores: BTreeSet<&Shape> = written.iter().map(|(shape, ..)| shape).collect();
        let inside = |part: &Shape, whole: &Shape| {
            part.0 == whole.0 && part.1.len() < whole.1.len() && whole.1.starts_with(&part.1)
        };
        let mut whole = Vec::new();
        for (shape, plain, span) in &written {
            let mixed = read.iter().any(|other| inside(other, shape))
                || stores
                    .iter()
                    .any(|other| inside(other, shape) || inside(shape, other));
            if mixed || !plain {
                whole.push((shape.0, *span));
            }
        }
        for (global, span) in whole {
            if self.facts.candidate[global.index()] {
                self.facts.candidate[global.index()] = false;
                self.facts.keep(global);
                let name = &self.work.globals[global.index()].name;
                let why = format!(
                    "stores to `{name}`, which is read or written in parts, are not delayed"
                );
                self.cut(span, why);
            }
        }
        self.facts.look(&self.work);
    }

    fn tasks(&mut self, program: &Program) {
        let inline = self.called();
        let mut tasks = Vec::new();
        for id in roots(&self.work) {
            let made = inline::inlined(&mut self.work, id, &inline);
            if made.is_none() {
                let span = self.work.proc(id).span;
                let why = "what the task calls is too large: stores before calls are not delayed";
                self.cut(span, why.to_owned());
            }
            let mut proc = made.unwrap_or_else(|| program.proc(id).clone());
            self.facts.look(&self.work);
            let mut numbered = Block::new();
            self.number(&proc.body, &mut numbered);
            proc.body = numbered;
            tasks.push((id, proc));
        }
        let before = self.work.clone();
        let mut delayed = Vec::new();
        for (id, proc) in tasks {
            delayed.extend(self.delayed(&before, id, proc));
        }
        for task in delayed {
            self.emit(&before, task);
        }
        if !self.weak.buffers.is_empty() {
            let site = |store: &Store| Site {
                place: store.place.clone(),
                span: store.span,
            };
            self.weak.sites = self.stores.iter().map(site).collect();
        }
    }

    /// By procedure: whether its calls become part of the task.
    fn called(&mut self) -> Vec<bool> {
        let own = |proc: &Proc, facts: &Facts| {
            walk::any(&proc.body, |stmt| {
                !matches!(facts.class(stmt), Class::Nothing | Class::Control)
                    || walk::exprs(stmt).iter().any(|&e| facts.reads(e))
            })
        };
        self.facts.touches = vec![false; self.work.procs.len()];
        let procs = self.work.procs.iter();
        let touches = procs.map(|proc| own(proc, &self.facts)).collect();
        let calls = Calls::of(&self.work);
        self.facts.touches = calls.to_callers(touches);
        let recursive = calls.recursive();
        let mut inline = self.facts.touches.clone();
        for (index, recursive) in recursive.into_iter().enumerate() {
            if recursive && inline[index] {
                inline[index] = false;
                let (span, name) = (self.work.procs[index].span, &self.work.procs[index].name);
                let why = format!("stores of `{name}`, which calls itself, are not delayed");
                self.cut(span, why);
            }
        }
        inline
    }

    /// Copies a block, with a mark before each store that holds the number of the store.
    fn number(&mut self, block: &Block, made: &mut Block) {
        // Where C has no point, no other thread runs.
        let mut alone = true;
        for stmt in block {
            let mut stmt = stmt.clone();
            let leaves = leaves(&self.work, &stmt);
            let class = self.facts.class(&stmt);
            let pointed = !alone || self.facts.dialect == Dialect::Async;
            if let Class::Store { release } = class
                && pointed
            {
                let group = u32::try_from(self.stores.len()).unwrap_or(u32::MAX) + 1;
                walk::each(std::slice::from_ref(&stmt), &mut |inner| {
                    if let Some(place) = walk::written(inner)
                        && self.facts.is_candidate(place.root)
                        && let Some(shape) = shape(place)
                    {
                        self.stores.push(Store {
                            place: place.clone(),
                            shape,
                            release,
                            span: inner.span,
                            group,
                        });
                    }
                });
                made.push(StmtKind::Mark(group, thin_vec![]).at(stmt.span));
            } else if class == Class::Control && !leaves {
                for inner in walk::children_mut(&mut stmt) {
                    let old = std::mem::take(inner);
                    self.number(&old, inner);
                }
            }
            alone = match stmt.kind {
                StmtKind::Preempt(_) => false,
                _ => alone || !leaves,
            };
            made.push(stmt);
        }
    }

    /// Which stores of a task are delayed; `None` if no store is.
    fn delayed(&mut self, before: &Program, id: ProcId, proc: Proc) -> Option<Task> {
        let mut flow = Flow::new(before, &self.facts, &self.stores, id);
        flow.settle(&proc.body);
        let delayed = flow.delayed.unwrap_or_default();
        let loads = flow.loads.into_iter().collect();
        if delayed.is_empty() {
            return None;
        }
        let (most, span) = flow.largest;
        let buffer = self.weak.asked.buffer;
        if most > buffer {
            self.weak.cut.get_or_insert(span);
        }
        let mut needs = Needs {
            slots: most.min(buffer),
            indices: 0,
            longest: 1,
            values: Vec::new(),
            loads,
        };
        let own = self.stores.iter().filter(|s| delayed.contains(&s.group));
        for store in own {
            let indices = store.shape.1.iter().filter(|step| step.is_none()).count();
            needs.indices = needs.indices.max(indices);
            if !needs.values.contains(&store.place.ty) {
                needs.values.push(store.place.ty);
            }
            match (longest(before, store), needs.longest) {
                (None, _) | (_, 0) => needs.longest = 0,
                (Some(n), most) => needs.longest = most.max(n),
            }
        }
        Some(Task {
            id,
            proc,
            delayed,
            needs,
        })
    }

    fn emit(&mut self, before: &Program, task: Task) {
        let Task {
            id,
            proc,
            delayed,
            needs,
        } = task;
        let mut flow = Flow::new(before, &self.facts, &self.stores, id);
        flow.delayed = Some(delayed);
        let emit = Emit::new(
            &mut self.work,
            (&self.facts, &self.stores),
            (proc.locals, proc.loops),
            &needs,
        );
        self.weak.buffers.push((id, emit.slots()));
        let (body, locals, loops) = emit.body(&mut flow, &proc.body);
        let made = &mut self.work.procs[id.index()];
        made.body = without_numbers(body);
        (made.locals, made.loops) = (locals, loops);
    }
}

/// Removes the marks with the numbers of stores.
fn without_numbers(mut body: Block) -> Block {
    body.retain(|stmt| !matches!(stmt.kind, StmtKind::Mark(..)));
    for stmt in &mut body {
        for inner in walk::children_mut(stmt) {
            *inner = without_numbers(std::mem::take(inner));
        }
    }
    body
}

/// How many statements of the first task of C run before others may.
fn alone(program: &Program) -> usize {
    if program.types.dialect != Dialect::C {
        return 0;
    }
    let body = &program.proc(program.main).body;
    let pointed = |stmt: &Stmt| {
        walk::any(std::slice::from_ref(stmt), |s| {
            matches!(s.kind, StmtKind::Preempt(_))
        })
    };
    let first = body.iter().position(pointed).unwrap_or(body.len());
    c11::alone(body, &c11::posts(program)).min(first)
}

/// By global: whether stores to it may be delayed. Several tasks see it, and no lock guards it.
fn candidates(program: &Program) -> Vec<bool> {
    let mut all = match program.types.dialect {
        Dialect::C => {
            let mut all = vec![true; program.globals.len()];
            let apart = program.scope.apart.iter();
            for global in apart.chain(&program.scope.ended) {
                all[global.index()] = false;
            }
            all
        }
        Dialect::Async => points::shared(program),
    };
    for global in &program.scope.gone {
        all[global.index()] = false;
    }
    for (candidate, global) in all.iter_mut().zip(&program.globals) {
        *candidate &= !global.hidden && global.state_of.is_none();
        *candidate &= !points::has_lock(program, global.ty) && !is_library(program, global.ty);
    }
    all
}

/// Whether a type holds objects of C's library for threads.
fn is_library(program: &Program, ty: TypeId) -> bool {
    const NAMES: [&str; 5] = ["pthread_", "sem_t", "mtx_t", "cnd_t", "once_flag"];
    match program.types.get(ty) {
        Type::Array(_, element) | Type::Map(_, element) => is_library(program, *element),
        Type::Record(record) => {
            program.types.dialect == Dialect::C
                && NAMES.iter().any(|name| record.name.starts_with(name))
                || record.fields.iter().any(|f| is_library(program, f.1))
        }
        _ => false,
    }
}

/// The procedures with which tasks begin.
fn roots(program: &Program) -> BTreeSet<ProcId> {
    let mut roots = BTreeSet::from([program.main]);
    for proc in &program.procs {
        walk::each(&proc.body, &mut |stmt: &Stmt| {
            if let StmtKind::Post(_, begins, _) = stmt.kind {
                roots.insert(begins);
            }
        });
    }
    roots
}

/// The length of the longest array on the way to a place; `None` if there is a map on the way.
fn longest(program: &Program, store: &Store) -> Option<u32> {
    let Root::Global(global) = store.place.root else {
        return None;
    };
    let (mut ty, mut longest) = (program.globals[global.index()].ty, 1);
    for step in &store.place.path {
        ty = match (program.types.get(ty), step) {
            (Type::Record(record), Step::Field(field)) => record.fields[*field as usize].1,
            (Type::Array(length, element), Step::Index(_)) => {
                longest = longest.max(*length);
                *element
            }
            _ => return None,
        };
    }
    Some(longest)
}

/// Whether a statement asks whether the program has ended, and leaves in that case.
fn leaves(program: &Program, stmt: &Stmt) -> bool {
    let StmtKind::If(cond, yes, no) = &stmt.kind else {
        return false;
    };
    let ended = program.scope.ended.map(ExprKind::Global);
    ended.is_some_and(|ended| program.expr(*cond).kind == ended)
        && no.is_empty()
        && yes
            .last()
            .is_some_and(|last| matches!(last.kind, StmtKind::Return(_) | StmtKind::Break(_)))
}

/// A part of a pass that a test leaves out, to see that tests notice it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// A fence waits for the buffer.
    Drain,
    /// Stores leave the buffer in their order.
    InOrder,
    /// A thread reads what waits in its own buffer.
    Forward,
    /// A release hands on what the thread knows, and an acquire takes it over.
    Release,
    Acquire,
    /// A thread reads no message that is older than one it has read.
    Coherence,
    /// Fences that are `seq_cst` come one after the other.
    SeqCst,
    /// The pass leaves out executions in which a load could come later, unless other tasks notice another step.
    Stale,
    Noticed,
    /// A thread races with the last store of a plain variable unless it knows that store. `Watch`: the same for watched accesses.
    Race,
    Watch,
}

#[cfg(test)]
thread_local! {
    static LEFT_OUT: std::cell::Cell<Option<Part>> = const { std::cell::Cell::new(None) };
}

/// Whether a test has left out a part.
fn without(part: Part) -> bool {
    #[cfg(test)]
    return LEFT_OUT.get() == Some(part);
    #[cfg(not(test))]
    {
        let _ = part;
        false
    }
}

#[cfg(test)]
mod tests;
