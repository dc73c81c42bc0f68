//! The tasks of a program: which there are, how they go, and of which there is never more than one.

use std::collections::BTreeSet;
use std::collections::hash_map::Entry;

use rustc_hash::{FxHashMap, FxHashSet};
use solver::z3::Sort;
use solver::z3::ast::Dynamic;

use base::clock::Instant;
use base::source::SourceMap;
use ir::{ExprKind, GlobalId, ProcId, Program};

use super::accesses::{Access, Look, Runs};
use super::beside::{Beside, NOTHING};
use super::code::{Instr, Pc, TaskCode, compile};
use super::constants::constants as same_at;
use super::expr::Env;
use super::live::live;
use super::refusal::Refusal;
use super::segment::{Executor, Inputs, Segment, Segments};
use super::split::split;
use super::value::{Row, leaves};

/// A kind of task: what is posted with one procedure.
#[derive(Debug)]
pub struct Task {
    /// The name of the procedure.
    pub name: String,
    pub code: TaskCode,
    /// For each instruction the locals that matter there; the task's own handle is the last number.
    pub live: Vec<Vec<usize>>,
    /// There is never more than one such task.
    pub once: bool,
    /// The constants that stand for its locals.
    pub inputs: Inputs,
    pub segments: Segments,
}

/// All tasks of a program.
#[derive(Debug)]
pub struct Tasks {
    /// `main` first.
    pub all: Vec<Task>,
    pub by_proc: FxHashMap<ProcId, usize>,
    /// What gives globals their values.
    pub init: Task,
    /// The number of `finally`, if there is one.
    pub finally: Option<usize>,
    /// The constants of the globals.
    pub globals: Vec<Row>,
    /// Which globals belong to the shared state.
    pub shared: Vec<bool>,
    /// The constant of the next handle.
    pub next: Dynamic,
}

/// Words that are no names, though they stand where a name could.
const TAKEN: [&str; 8] = ["Array", "Bool", "Int", "Real", "and", "false", "or", "true"];

/// The names that were given, each once.
#[derive(Clone, Debug, Default)]
pub struct Names(FxHashSet<String>);

impl Names {
    /// The given name, or a similar one if the name is taken.
    pub fn fresh(&mut self, name: &str) -> String {
        let others = (b'b'..=b'z').map(|c| format!("{name}'{}", char::from(c)));
        let numbered = (1..).map(|n| format!("{name}'{n}"));
        let mut all = std::iter::once(name.to_owned())
            .chain(others)
            .chain(numbered);
        loop {
            if let Some(name) = all.next()
                && !TAKEN.contains(&name.as_str())
                && self.0.insert(name.clone())
            {
                return name;
            }
        }
    }
}

/// The instructions of all tasks.
struct Codes {
    /// `main` first.
    all: Vec<TaskCode>,
    by_proc: FxHashMap<ProcId, usize>,
    finally: Option<usize>,
    /// For each task whether there is never more than one.
    once: Vec<bool>,
    /// The accesses that may race, where races are looked for.
    racing: BTreeSet<Access>,
}

impl Codes {
    fn of(program: &Program, beside: &Beside) -> Result<Self, Refusal> {
        let (mut all, by_proc) = reached(program, beside)?;
        let finally = match program.finally {
            Some(proc) => {
                all.push(compile(program, proc, beside)?);
                Some(all.len() - 1)
            }
            None => None,
        };
        let once = once(&all, &by_proc, finally);
        let racing = match &beside.races {
            None => BTreeSet::new(),
            Some(apart) => {
                let runs = all.iter_mut().zip(&once).enumerate();
                let runs = runs.map(|(number, (code, &once))| Runs {
                    code,
                    once,
                    last: finally == Some(number),
                });
                Look::new(program, apart).mark(&mut runs.collect::<Vec<_>>())
            }
        };
        for (code, _) in all.iter_mut().zip(&once).filter(|(_, once)| !**once) {
            *code = split(program, code.clone(), beside);
        }
        Ok(Self {
            all,
            by_proc,
            finally,
            once,
            racing,
        })
    }
}

/// The accesses of a program that may race, where races are looked for.
///
/// # Errors
/// What is not handled.
pub fn racing(program: &Program, beside: &Beside) -> Result<BTreeSet<Access>, Refusal> {
    Ok(Codes::of(program, beside)?.racing)
}

/// Compiles `main` and the procedures that it posts, directly or through others. Returns also where each stands.
fn reached(
    program: &Program,
    beside: &Beside,
) -> Result<(Vec<TaskCode>, FxHashMap<ProcId, usize>), Refusal> {
    let mut codes = vec![compile(program, program.main, beside)?];
    let mut by_proc = FxHashMap::from_iter([(program.main, 0)]);
    let mut done = 0;
    while done < codes.len() {
        for proc in posted(&codes[done]).collect::<Vec<_>>() {
            if let Entry::Vacant(new) = by_proc.entry(proc) {
                new.insert(codes.len());
                codes.push(compile(program, proc, beside)?);
            }
        }
        done += 1;
    }
    Ok((codes, by_proc))
}

impl Tasks {
    /// Finds the tasks of a program. `beside`: what they do not share. `strict`: an integer must not [wrap](super::wrapping).
    ///
    /// # Errors
    /// What is not handled.
    pub fn of(
        program: &Program,
        names: &mut Names,
        (beside, strict): (&Beside, bool),
        end: Instant,
    ) -> Result<Self, Refusal> {
        let globals = program.globals.iter();
        let globals = globals.map(|g| constants(program, g.ty, &g.name, g.span, names));
        let globals: Vec<Row> = globals.collect::<Result<_, _>>()?;
        let next = Dynamic::new_const(names.fresh("next task"), &Sort::int());
        let codes = Codes::of(program, beside)?;
        let executor = Executor::new(program, beside, end).strict(strict);
        let asked = asks(program);
        let mut task =
            |code: TaskCode, once: bool, before: Option<&[Segment]>| -> Result<Task, Refusal> {
                let inputs = Inputs {
                    env: environment(program, &code, &globals, names)?,
                    next: next.clone(),
                };
                let known = same_at(program, &code, &inputs.env, end)?;
                let segments = executor.run(&code, &inputs, before, &known)?;
                let mut live = live(program, &code, beside);
                for (live, known) in live.iter_mut().zip(&known) {
                    live.retain(|&local| known.get(local).is_none_or(Option::is_none));
                }
                let me = code.locals.len();
                if asked && once && !live[0].contains(&me) {
                    live[0].push(me);
                }
                Ok(Task {
                    name: program.proc(code.proc).name.clone(),
                    live,
                    code,
                    once,
                    inputs,
                    segments,
                })
            };
        let init = task(compile(program, program.init, &NOTHING)?, true, None)?;
        let all = codes.all.into_iter().zip(codes.once).enumerate();
        let all = all.map(|(number, (code, once))| {
            let first = number == 0 && once;
            task(code, once, first.then_some(&init.segments.ways[..]))
        });
        let all = all.collect::<Result<_, _>>()?;
        Ok(Self {
            all,
            by_proc: codes.by_proc,
            init,
            finally: codes.finally,
            shared: (0..program.globals.len())
                .map(|g| beside.shares(GlobalId::from_index(g)))
                .collect(),
            globals,
            next,
        })
    }

    /// Returns the values of those globals that belong to the shared state.
    #[must_use]
    pub fn shared(&self, globals: &[Row]) -> Vec<Dynamic> {
        let shared = globals
            .iter()
            .zip(&self.shared)
            .filter(|(_, shared)| **shared);
        shared.flat_map(|(row, _)| row.iter().cloned()).collect()
    }
}

impl Tasks {
    /// Whether some task rests at the head of a loop, where the program has no preemption point.
    #[must_use]
    pub fn has_heads(&self) -> bool {
        self.all.iter().any(|t| {
            let mut places = t.segments.places.iter();
            places.any(|&pc| matches!(t.code.lines[pc].instr, Instr::Head))
        })
    }
}

/// Whether a program asks if some task has finished.
#[must_use]
pub fn asks(program: &Program) -> bool {
    let mut all = program.exprs.iter();
    all.any(|e| matches!(e.kind, ExprKind::Finished(_)))
}

/// The procedures of which a task makes tasks.
fn posted(code: &TaskCode) -> impl Iterator<Item = ProcId> {
    code.lines.iter().filter_map(|line| match line.instr {
        Instr::Post(proc, ..) => Some(proc),
        _ => None,
    })
}

/// For each task, whether there is never more than one: a single task posts it, at one place, outside of loops.
fn once(
    codes: &[TaskCode],
    by_proc: &FxHashMap<ProcId, usize>,
    finally: Option<usize>,
) -> Vec<bool> {
    let mut posts: Vec<Vec<(usize, Pc)>> = vec![Vec::new(); codes.len()];
    for (poster, code) in codes.iter().enumerate() {
        for (pc, line) in code.lines.iter().enumerate() {
            if let Instr::Post(proc, ..) = line.instr {
                posts[by_proc[&proc]].push((poster, pc));
            }
        }
    }
    let mut once = vec![false; codes.len()];
    once[0] = posts[0].is_empty();
    if let Some(finally) = finally {
        once[finally] = true;
    }
    let mut changed = true;
    while changed {
        changed = false;
        for task in 0..codes.len() {
            if let [(poster, pc)] = posts[task][..]
                && task != 0
                && !once[task]
                && once[poster]
                && !codes[poster].on_cycle(pc, |_| false)
            {
                once[task] = true;
                changed = true;
            }
        }
    }
    once
}

/// The constants of a variable.
pub fn constants(
    program: &Program,
    ty: ir::TypeId,
    name: &str,
    span: base::source::Span,
    names: &mut Names,
) -> Result<Row, Refusal> {
    let all = leaves(program, ty).ok_or_else(|| {
        Refusal::new(
            span,
            format!("`{name}` has too many parts: it is not handled"),
        )
    })?;
    let all = all.iter().map(|leaf| {
        let name = names.fresh(&format!("{name}{}", leaf.name));
        Dynamic::new_const(name, &leaf.sort(program))
    });
    Ok(all.collect())
}

/// The constants of a task's variables.
pub fn environment(
    program: &Program,
    code: &TaskCode,
    globals: &[Row],
    names: &mut Names,
) -> Result<Env, Refusal> {
    let task = &program.proc(code.proc);
    let locals = code.locals.iter().map(|local| {
        let name = format!("{}.{}", task.name, local.name);
        constants(program, local.ty, &name, task.span, names)
    });
    let locals = locals.collect::<Result<_, _>>()?;
    let me = names.fresh(&format!("{}.self", task.name));
    Ok(Env {
        globals: globals.to_vec(),
        locals,
        me: Dynamic::new_const(me, &Sort::int()),
    })
}

/// How a place where a task rests is called: the task and the line.
#[must_use]
pub fn place_name(task: &Task, pc: Pc, sources: &SourceMap) -> String {
    format!("{}:{}", task.name, sources.line(task.code.lines[pc].span))
}
