//! C11's memory as a pass: RC11 (Lahav, Vafeiadis, Kang, Hur and Dreyer, PLDI 2017), in which no cycle of program order and reads-from
//! exists, as a machine with messages and views.
//!
//! Each variable that several threads see has messages in an order. A store puts a new message anywhere behind the newest one
//! that the thread knows of. A read chooses a message that is not older than the newest one that the thread knows of.
//!
//! Operations that are `seq_cst` take effect in the order in which they run. All executions of the machine are executions of
//! RC11. It lacks those whose order of `seq_cst` contradicts program order and reads-from; [`plan`] says where there are none.

mod body;
mod plan;

use base::source::Span;
use ir::calls::Calls;
use ir::{
    Dialect, ExprKind, Local, LocalId, Messages, Order, Proc, ProcId, Program, Root, Stmt,
    StmtKind, Types, Weak, WeakOrders, turns, walk,
};
use options::Buffered;
use thin_vec::thin_vec;

use crate::flow::{chain, shape};
use body::Body;
use plan::{Kinds, MANY, Needs, Plan, Task};
pub(crate) use plan::{alone, posts};

/// Where and why a program is not followed.
pub type Refused = (Span, String);

pub(crate) fn run(program: &mut Program, asked: Buffered) -> Result<(), Refused> {
    let mut weak = Weak {
        asked,
        ..Weak::default()
    };
    let candidates = super::candidates(program);
    let sc = program.types.dialect == Dialect::C && WeakOrders::of(program).all.is_empty();
    // Without weak orders only races make a difference. Either the engines look for races as always, or no variable can race.
    if sc && (program.scope.races || !plan::share_plain(program, &candidates)) {
        program.scope.weak = Some(weak);
        return Ok(());
    }
    let mut work = program.clone();
    let kinds = Kinds::of(&work, candidates);
    let whole = kinds.unsaid.is_empty();
    if !kinds.shapes.is_empty() {
        let (mut tasks, within) = tasks(&mut work, &kinds)?;
        check(&work, &kinds, &tasks)?;
        let (mut plan, unsaid, cut) = Plan::new(&mut work, &kinds, &mut tasks, asked.buffer);
        plan.wrapped = wrapped(&work, &tasks);
        for task in tasks {
            emit(&mut work, &plan, task);
        }
        for inner in within {
            // The procedure has become part of the tasks that call it.
            let proc = work.proc(inner);
            let (span, result) = (proc.span, proc.result);
            let nothing = result.map(|ty| work.plain_value(ty));
            let back = nothing.map(|value| StmtKind::Return(Some(value)).at(span));
            work.procs[inner.index()].body = back.into_iter().collect();
        }
        weak.cut = cut;
        weak.partial = !unsaid.is_empty();
        let shown = plan.variables.iter().filter_map(|variable| {
            Some(Messages {
                place: variable.place.clone(),
                values: variable.values?,
                stored: variable.stored,
                now: variable.now,
            })
        });
        weak.messages = shown.collect();
        *program = work;
        program.scope.unsaid.extend(unsaid);
    } else {
        weak.partial = !kinds.unsaid.is_empty();
        program.scope.unsaid.extend(kinds.unsaid);
    }
    if let Some(at) = frees_unordered(program) {
        let why = "whether another thread frees memory in an execution in which nothing orders the two is not looked at; without --memory it is";
        program.scope.unsaid.push((at, why.to_owned()));
        weak.frees = true;
    }
    weak.looked = program.scope.races && whole && program.types.dialect == Dialect::C;
    weak.races = std::mem::take(&mut program.scope.races);
    weak.followed = true;
    program.scope.weak = Some(weak);
    Ok(())
}

/// Where an operation may let a thread free memory without coming after all accesses of others, if races are asked about.
fn frees_unordered(program: &Program) -> Option<Span> {
    let scope = &program.scope;
    let mut freed = scope.freed.iter();
    let shared = freed.any(|f| scope.gone.contains(&f.1) && !scope.apart.contains(&f.0));
    let leaks = WeakOrders::of(program).leaks;
    leaks
        .first()
        .map(|(at, _)| *at)
        .filter(|_| shared && scope.races)
}

/// By procedure: whether it touches what threads share, or makes or joins tasks.
fn touches(program: &Program, kinds: &Kinds) -> Vec<bool> {
    let global = |root| matches!(root, Root::Global(g) if kinds.candidate[g.index()] || kinds.strong[g.index()]);
    let reads = walk::all_reads(program, global);
    let own = |proc: &Proc| {
        walk::any(&proc.body, |stmt| {
            walk::written(stmt).is_some_and(|place| global(place.root))
                || walk::exprs(stmt)
                    .iter()
                    .any(|&e| reads[e.index()] || walk::asks_who_finished(program, e))
                || matches!(&stmt.kind, StmtKind::Post(..))
                || matches!(&stmt.kind, StmtKind::Atomic(Order::Named(..), inner) if inner.is_empty())
        })
    };
    let own = program.procs.iter().map(own).collect();
    Calls::of(program).to_callers(own)
}

/// The bodies of tasks with what they call, and the procedures that are only called. Parameters give a task its maker's view.
fn tasks(program: &mut Program, kinds: &Kinds) -> Result<(Vec<Task>, Vec<ProcId>), Refused> {
    let mut inline = touches(program, kinds);
    let roots: Vec<ProcId> = super::roots(program).into_iter().collect();
    for root in &roots {
        inline[root.index()] = true;
    }
    let recursive = Calls::of(program).recursive();
    for (index, recursive) in recursive.into_iter().enumerate() {
        if recursive && inline[index] {
            let (span, name) = (program.procs[index].span, &program.procs[index].name);
            let why = format!(
                "`{name}` calls itself and touches what threads share, which --memory c11 does not follow"
            );
            return Err((span, why));
        }
    }
    let count = kinds.views(program);
    let mut tasks = Vec::new();
    for &id in &roots {
        let own = program.proc(id).clone();
        let made = if id == program.main {
            super::inline::inlined(program, id, &inline)
        } else {
            wrapper(program, id, count, &mut inline)
        };
        let Some(proc) = made else {
            let why = "what the task calls is too large for --memory c11";
            return Err((own.span, why.to_owned()));
        };
        tasks.push(Task {
            id,
            proc,
            times: 0,
            alone: 0,
            needs: Needs::default(),
        });
    }
    let posts = posts(program);
    for task in &mut tasks {
        if task.id == program.main {
            task.alone = alone(&task.proc.body, &posts);
        }
    }
    count_tasks(program, &mut tasks)?;
    let within = (0..program.procs.len())
        .filter(|&index| inline[index])
        .map(ProcId::from_index);
    let apart = [Some(program.init), program.finally];
    let within = within.filter(|id| !roots.contains(id) && !apart.contains(&Some(*id)));
    let within = within.collect();
    Ok((tasks, within))
}

/// A task that calls the procedure `id`, whose body becomes part of it. Its last parameters are its maker's view and its number.
fn wrapper(
    program: &mut Program,
    id: ProcId,
    count: usize,
    inline: &mut Vec<bool>,
) -> Option<Proc> {
    let own = program.proc(id).clone();
    let params = own.params as usize;
    let arg = |l: usize| (LocalId::from_index(l), own.locals[l].ty);
    let args = (0..params).map(arg);
    let args = args.map(|(l, ty)| program.add(ExprKind::Local(l), ty));
    let args = args.collect();
    let body = thin_vec![StmtKind::Call(None, id, args).at(own.span)];
    let mut locals = own.locals[..params].to_vec();
    for x in 0..=count {
        Local::hidden(format!("view{x}"), Types::INT).declared_in(&mut locals);
    }
    let outer = Proc {
        params: u32::try_from(locals.len()).unwrap_or(u32::MAX),
        locals,
        body,
        loops: 0,
        result: None,
        ..own
    };
    program.procs.push(outer);
    inline.push(false);
    let outer = ProcId::from_index(program.procs.len() - 1);
    let made = super::inline::inlined(program, outer, inline);
    program.procs.pop();
    inline.pop();
    made
}

/// Counts how many tasks run each body.
fn count_tasks(program: &Program, tasks: &mut [Task]) -> Result<(), Refused> {
    let mut made: Vec<Vec<(ProcId, u32)>> = Vec::new();
    for task in &*tasks {
        let turns = turns::Turns::new(program, &task.proc);
        let mut own = Vec::new();
        posted(&task.proc.body, &turns, 1, &mut own);
        made.push(own);
    }
    let mut times = vec![0_u32; program.procs.len()];
    for _ in 0..=tasks.len() + 1 {
        let mut next = vec![0_u32; program.procs.len()];
        next[program.main.index()] = 1;
        for (task, made) in tasks.iter().zip(&made) {
            for (id, count) in made {
                let more = times[task.id.index()].saturating_mul(*count);
                next[id.index()] = next[id.index()].saturating_add(more).min(MANY);
            }
        }
        if next == times {
            break;
        }
        times = next;
    }
    for (task, made) in tasks.iter_mut().zip(&made) {
        task.times = times[task.id.index()];
        if made.iter().any(|(id, _)| *id == program.main) {
            return Err((
                task.proc.span,
                "the first task is begun again, which --memory c11 does not follow".to_owned(),
            ));
        }
    }
    // A task that posts its own procedure runs any number of times.
    for index in 0..tasks.len() {
        if made[index].iter().any(|(id, _)| *id == tasks[index].id) {
            tasks[index].times = MANY;
        }
    }
    Ok(())
}

fn posted(block: &[Stmt], turns: &turns::Turns, times: u32, found: &mut Vec<(ProcId, u32)>) {
    for stmt in block {
        let times = match &stmt.kind {
            &StmtKind::Post(_, id, _) => {
                found.push((id, times));
                continue;
            }
            StmtKind::Loop(l) => plan::turned(turns, l, times),
            _ => times,
        };
        for inner in walk::children(stmt) {
            posted(inner, turns, times, found);
        }
    }
}

/// By procedure: whether its tasks take over a view.
fn wrapped(program: &Program, tasks: &[Task]) -> Vec<bool> {
    let mut wrapped = vec![false; program.procs.len()];
    for task in tasks {
        wrapped[task.id.index()] = task.id != program.main;
    }
    wrapped
}

/// Refuses atomic operations that are not of one variable.
fn check(program: &Program, kinds: &Kinds, tasks: &[Task]) -> Result<(), Refused> {
    let has = |root| matches!(root, Root::Global(g) if kinds.candidate[g.index()]);
    let reads = walk::all_reads(program, has);
    let mut wrong = None;
    for task in tasks {
        walk::each(&task.proc.body[task.alone..], &mut |stmt| {
            let is_wrong = match &stmt.kind {
                StmtKind::Atomic(Order::Named(..), inner) => {
                    !is_plain(program, (kinds, &reads), inner)
                }
                StmtKind::Atomic(_, inner) => leaves_early(program, (kinds, &reads), inner),
                StmtKind::Await(wait) => leaves_early(program, (kinds, &reads), &wait.body),
                _ => false,
            };
            if is_wrong {
                wrong.get_or_insert(stmt.span);
            }
        });
    }
    match wrong {
        Some(span) => Err((
            span,
            "--memory c11 does not follow an atomic step that is no operation on one variable and jumps out of itself or touches several".to_owned(),
        )),
        None => Ok(()),
    }
}

/// Whether a step that touches variables is left before its end, otherwise than at the end of the program.
fn leaves_early(program: &Program, (kinds, reads): (&Kinds, &[bool]), inner: &[Stmt]) -> bool {
    let has = |root| matches!(root, Root::Global(g) if kinds.candidate[g.index()]);
    let touches = walk::any(inner, |stmt| {
        walk::written(stmt).is_some_and(|place| has(place.root))
            || walk::exprs(stmt).iter().any(|e| reads[e.index()])
    });
    let ended = program.scope.ended.map(ExprKind::Global);
    let jumps = |stmts: &[Stmt]| {
        let jump = |s: &Stmt| {
            matches!(
                s.kind,
                StmtKind::Break(_) | StmtKind::Continue(_) | StmtKind::Return(_)
            )
        };
        let mut count = 0_i32;
        walk::each(stmts, &mut |s| {
            count += i32::from(jump(s));
            if let StmtKind::If(cond, yes, _) = &s.kind
                && Some(&program.expr(*cond).kind) == ended.as_ref()
            {
                count -= i32::from(yes.iter().any(jump));
            }
        });
        count > 0
    };
    touches && jumps(inner)
}

/// Whether an operation reads and writes variables in statements of their own, and each at most once on a way.
fn is_plain(program: &Program, (kinds, reads): (&Kinds, &[bool]), inner: &[Stmt]) -> bool {
    let has = |root| matches!(root, Root::Global(g) if kinds.candidate[g.index()]);
    let touches = |stmt: &Stmt| {
        let reading = walk::exprs(stmt).iter().any(|&e| reads[e.index()]);
        reading || walk::written(stmt).is_some_and(|place| has(place.root))
    };
    let (mut plain, mut touched) = (true, false);
    let mut seen = Vec::new();
    let mut written: Vec<ir::GlobalId> = Vec::new();
    walk::each(inner, &mut |stmt| {
        let reading = walk::exprs(stmt).iter().any(|&e| reads[e.index()]);
        let place = walk::written(stmt).filter(|place| has(place.root));
        touched |= reading || place.is_some();
        match (&stmt.kind, place) {
            (StmtKind::Assign(to, value), None) if reading => {
                let part = chain(program, *value);
                let inside = |e: &ir::ExprId| reads[e.index()];
                let outside = walk::indices(to).all(|e| !inside(&e));
                match part {
                    Some((shape, indices)) if outside && !indices.iter().any(inside) => {
                        plain &= !written.contains(&shape.0);
                        seen.push((shape, indices));
                    }
                    _ => plain = false,
                }
            }
            (StmtKind::Assign(to, _), Some(_)) if !reading => {
                if let Some(of) = shape(to) {
                    let indices: Vec<_> = walk::indices(to).collect();
                    let other = seen.iter().any(|(shape, own)| {
                        shape.0 == of.0 && !(*shape == of && same_all(program, own, &indices))
                    });
                    plain &= !other;
                    written.push(of.0);
                }
            }
            _ if reading || place.is_some() => plain = false,
            // An execution that is not followed ends in a loop that touches nothing.
            (StmtKind::Loop(l), _) => {
                plain &= !walk::any(&l.pre, touches) && !walk::any(&l.body, touches);
            }
            (StmtKind::Call(..) | StmtKind::Await(_), _) => plain = false,
            _ => {}
        }
    });
    plain || !touched
}

fn same_all(program: &Program, a: &[ir::ExprId], b: &[ir::ExprId]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(&a, &b)| same(program, a, b))
}

/// Whether two expressions are written alike.
fn same(program: &Program, a: ir::ExprId, b: ir::ExprId) -> bool {
    let (one, other) = (program.expr(a), program.expr(b));
    if a == b {
        return true;
    }
    let (mine, theirs) = (walk::operands(one), walk::operands(other));
    let mut parts = mine.iter().copied();
    let alike = mine.len() == theirs.len()
        && one.ty == other.ty
        && walk::with_operands(&other.kind, |_| parts.next().unwrap_or(a)) == one.kind;
    alike && same_all(program, &mine, &theirs)
}

fn emit(program: &mut Program, plan: &Plan, task: Task) {
    let Task {
        id,
        proc,
        alone,
        needs,
        ..
    } = task;
    let main = id == program.main;
    let mut locals = proc.locals;
    let (mut view, mut number) = (None, None);
    if !main {
        let last = proc.params as usize - 1;
        let first = last - plan.views;
        for local in &mut locals[first..last] {
            local.ty = plan.ids;
        }
        if let Some((made, _)) = plan.made {
            locals[last].ty = program.globals[made.index()].ty;
            number = Some(LocalId::from_index(last));
        }
        view = Some((first..last).map(LocalId::from_index).collect());
    }
    let made =
        Body::new(program, plan, locals, (view, number), &needs).body(&proc.body, alone, main);
    let own = &mut program.procs[id.index()];
    own.params = proc.params;
    own.result = proc.result;
    own.body = made.body;
    own.locals = made.locals;
    own.loops = proc.loops;
}
