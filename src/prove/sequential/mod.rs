//! A sequential program as Horn clauses, with nothing unrolled but loops of few rounds.
//!
//! `H(G, L)` says that control comes to the head of a loop with globals G and locals L. A recursive procedure has two predicates:
//! `E(G, P)` for the globals and arguments at its beginning, and the summary `S(G, P, G', r)` for those at its beginning and its
//! end. The heads of its loops remember those of its beginning. Other calls are inlined.
//!
//! These are the usual clauses of partial correctness: by induction over the steps of an execution each predicate holds where
//! control passes, so if *false* does not follow, no check fails.

mod sweep;

use rustc_hash::FxHashMap;
use solver::z3::Sort;
use solver::z3::ast::{Ast, Dynamic};

use base::clock::Instant;
use base::source::Span;
use ir::calls::Calls;
use ir::turns::Turns;
use ir::{ProcId, Program, Type, TypeId};

use super::beside::NOTHING;
use super::code::{Pc, Sequential, TaskCode, compile_sequential};
use super::live::live;
use super::refusal::Refusal;
use super::segment::{Executor, Inputs, all};
use super::system::{Argument, Atom, Clause, Head, Predicate, System, Wrong};
use super::tasks::{Names, constants, environment};
use super::value::{Row, leaves};
use sweep::{Called, Goal, Passage, sweep};

/// Returns the clauses of a sequential program. An execution that passes the mark `cut` was not followed to its end: it is
/// excluded like a failing check.
///
/// # Errors
/// What is not handled.
pub fn clauses(program: &Program, cut: Option<u32>, end: Instant) -> Result<System, Refusal> {
    let has_task = |(_, ty): (TypeId, &Type)| matches!(ty, Type::Task);
    let used = program.globals.iter().map(|g| g.ty);
    if used.clone().any(|ty| has_task((ty, program.types.get(ty)))) {
        return Err(Refusal::new(
            Span::default(),
            "a handle of a task is not handled",
        ));
    }
    let how = Sequential {
        recursive: Calls::of(program).recursive(),
        turns: program
            .procs
            .iter()
            .map(|p| Turns::new(program, p))
            .collect(),
        cut,
    };
    let mut builder = Builder::new(program, end)?;
    builder.procedure(&how, program.main)?;
    for (proc, _) in how.recursive.iter().enumerate().filter(|(_, r)| **r) {
        builder.procedure(&how, ProcId(u32::try_from(proc).unwrap_or(u32::MAX)))?;
    }
    builder.clauses();
    Ok(builder.system)
}

/// A procedure with predicates of its own.
struct Part {
    code: TaskCode,
    proc: ProcId,
    live: Vec<Vec<usize>>,
    result: Option<usize>,
    inputs: Inputs,
    passages: Vec<Passage>,
    /// The globals and arguments at its beginning, where that is remembered.
    entry: Vec<Argument>,
    /// The predicates of the heads of its loops.
    heads: FxHashMap<Pc, usize>,
    /// The predicates of its beginning and of its summary, if it is recursive.
    calls: Option<(usize, usize)>,
}

struct Builder<'a> {
    program: &'a Program,
    executor: Executor<'a>,
    names: Names,
    globals: Vec<Row>,
    /// The globals as arguments.
    state: Vec<Argument>,
    parts: Vec<Part>,
    system: System,
}

impl<'a> Builder<'a> {
    fn new(program: &'a Program, end: Instant) -> Result<Self, Refusal> {
        let mut names = Names::default();
        let globals = program.globals.iter();
        let globals = globals
            .map(|g| constants(program, g.ty, &g.name, g.span, &mut names))
            .collect::<Result<_, _>>()?;
        let mut builder = Self {
            program,
            executor: Executor::new(program, &NOTHING, end),
            names,
            globals,
            state: Vec::new(),
            parts: Vec::new(),
            system: System::default(),
        };
        for (global, row) in program.globals.iter().zip(&builder.globals) {
            builder.state.extend(arguments(program, global.ty, row));
        }
        Ok(builder)
    }

    /// Walks through a procedure and declares its predicates.
    fn procedure(&mut self, how: &Sequential, proc: ProcId) -> Result<(), Refusal> {
        let program = self.program;
        let (code, result) = compile_sequential(program, how, proc)?;
        let inputs = Inputs {
            env: environment(program, &code, &self.globals, &mut self.names)?,
            next: Dynamic::new_const("no task", &Sort::int()),
        };
        let (passages, places) = sweep(&self.executor, &code, &inputs)?;
        let mut part = Part {
            live: live(program, &code, &NOTHING),
            code,
            proc,
            result,
            inputs,
            passages,
            entry: Vec::new(),
            heads: FxHashMap::default(),
            calls: None,
        };
        if how.recursive[proc.index()] {
            self.called(&mut part);
        }
        for &pc in places.iter().filter(|&&pc| pc != 0) {
            let mut args = part.entry.clone();
            args.extend_from_slice(&self.state);
            for &local in part.live[pc]
                .iter()
                .filter(|&&l| l < part.code.locals.len())
            {
                args.extend(part.local(program, local));
            }
            let name = format!("{}, the loop at {pc}", program.proc(proc).name);
            part.heads.insert(pc, self.predicate(name, args));
        }
        self.parts.push(part);
        Ok(())
    }

    /// The predicates of a recursive procedure.
    fn called(&mut self, part: &mut Part) {
        let name = self.program.proc(part.proc).name.clone();
        let mut begin = self.state.clone();
        for local in 0..part.code.params {
            begin.extend(part.local(self.program, local));
        }
        let remembered = begin.iter().map(|a| {
            let name = self.names.fresh(&format!("{}, at first", a.name));
            let constant = Dynamic::new_const(name.as_str(), &a.sort);
            Argument {
                bounds: a
                    .bounds
                    .as_ref()
                    .map(|b| b.substitute(&[(&a.constant, &constant)])),
                constant,
                name,
                sort: a.sort.clone(),
            }
        });
        part.entry = remembered.collect();
        let mut whole = part.entry.clone();
        whole.extend_from_slice(&self.state);
        whole.extend(
            part.result
                .into_iter()
                .flat_map(|r| part.local(self.program, r)),
        );
        let begins = self.predicate(format!("{name} begins"), begin);
        let summary = self.predicate(format!("{name} as a whole"), whole);
        part.calls = Some((begins, summary));
    }

    fn predicate(&mut self, name: String, args: Vec<Argument>) -> usize {
        let facts = args.iter().filter_map(|a| a.bounds.clone()).collect();
        let name = self.names.fresh(&name);
        self.system.predicates.push(Predicate {
            name,
            args,
            facts,
            shapes: Vec::new(),
        });
        self.system.predicates.len() - 1
    }

    fn clauses(&mut self) {
        for number in 0..self.parts.len() {
            for passage in 0..self.parts[number].passages.len() {
                let clause =
                    self.clause(&self.parts[number], &self.parts[number].passages[passage]);
                self.system.clauses.extend(clause);
            }
        }
    }

    /// Returns the clause of a passage; none if `main` ends.
    fn clause(&self, part: &Part, passage: &Passage) -> Option<Clause> {
        let mut calls: Vec<&Called> = passage.calls.iter().collect();
        let name = &self.program.proc(part.proc).name;
        let (head, to) = match &passage.goal {
            Goal::Place(to, env) => {
                let mut args = part.beginning(passage.from);
                args.extend(env.globals.concat());
                let live = part.live[*to]
                    .iter()
                    .filter(|&&l| l < part.code.locals.len());
                args.extend(live.flat_map(|&l| env.locals[l].clone()));
                (holds(part.heads[to], args), "to a loop".to_owned())
            }
            Goal::End(env) => {
                let (_, summary) = part.calls?;
                let mut args = part.beginning(passage.from);
                args.extend(env.globals.concat());
                args.extend(part.result.into_iter().flat_map(|r| env.locals[r].clone()));
                (holds(summary, args), "to its end".to_owned())
            }
            Goal::Call => {
                let call = calls.pop()?;
                let callee = self.parts.iter().find(|p| p.proc == call.proc)?;
                let head = holds(callee.calls?.0, call.before.clone());
                (
                    head,
                    format!("to a call of {}", self.program.proc(call.proc).name),
                )
            }
            Goal::Wrong(kind, span) => {
                let wrong = Wrong {
                    kind: *kind,
                    span: *span,
                };
                (Head::Wrong(wrong), "to a check".to_owned())
            }
        };
        let mut body = part.source(passage.from);
        body.extend(calls.into_iter().map(|call| self.summary(call)));
        // A variable never has a value outside of its type, though not each assignment shows it.
        let mut guard = vec![passage.guard.clone()];
        if let Head::Holds(atom) = &head {
            guard.extend(self.system.facts(atom));
        }
        Some(Clause {
            body,
            guard: all(&guard),
            head,
            says: format!("on the way from {} of {name} {to}", passage.from),
        })
    }

    fn summary(&self, call: &Called) -> Atom {
        let callee = self.parts.iter().find(|p| p.proc == call.proc);
        let predicate = callee.and_then(|p| p.calls);
        let (_, predicate) = predicate
            .unwrap_or_else(|| unreachable!("what is called and not inlined is recursive"));
        Atom {
            predicate,
            args: call.before.iter().chain(&call.after).cloned().collect(),
        }
    }
}

impl Part {
    fn local(&self, program: &Program, local: usize) -> Vec<Argument> {
        arguments(
            program,
            self.code.locals[local].ty,
            &self.inputs.env.locals[local],
        )
    }

    /// Returns the globals and arguments of the procedure's beginning, as they are called at a place; none in `main`.
    fn beginning(&self, at: Pc) -> Vec<Dynamic> {
        if self.calls.is_none() {
            return Vec::new();
        }
        if at == 0 {
            let params = self.inputs.env.locals[..self.code.params].concat();
            return [self.inputs.env.globals.concat(), params].concat();
        }
        self.entry.iter().map(|a| a.constant.clone()).collect()
    }

    /// What is known at a place.
    fn source(&self, at: Pc) -> Vec<Atom> {
        if at == 0 {
            let begins = self.calls.map(|(predicate, _)| Atom {
                predicate,
                args: self.beginning(0),
            });
            return begins.into_iter().collect();
        }
        let env = &self.inputs.env;
        let mut args = self.beginning(at);
        args.extend(env.globals.concat());
        let live = self.live[at]
            .iter()
            .filter(|&&l| l < self.code.locals.len());
        args.extend(live.flat_map(|&l| env.locals[l].clone()));
        vec![Atom {
            predicate: self.heads[&at],
            args,
        }]
    }
}

fn holds(predicate: usize, args: Vec<Dynamic>) -> Head {
    Head::Holds(Atom { predicate, args })
}

/// A variable's leaves as arguments.
fn arguments(program: &Program, ty: TypeId, row: &Row) -> Vec<Argument> {
    let all = leaves(program, ty).unwrap_or_default();
    let pairs = all.iter().zip(row);
    pairs
        .map(|(leaf, constant)| Argument {
            name: super::system::name_of(constant),
            sort: constant.get_sort(),
            bounds: leaf.bounds(program, constant),
            constant: constant.clone(),
        })
        .collect()
}
