//! The program with any number of tasks as Horn clauses.
//!
//! The shared state S has the globals, the number of tasks that rest at each place, and the locals of tasks of which there is
//! never more than one. `R(S)` says that S is reachable. Tasks whose locals matter are [counted](super::counted) by them.

use solver::z3::Sort;
use solver::z3::ast::{Ast, Bool, Dynamic, Int};

use base::source::{SourceMap, Span};
use ir::walk::asks_who_finished;
use ir::{ErrorKind, ExprId, Program};

use super::code::{Instr, Pc};
use super::counted::Kind;
use super::expr::Env;
use super::numbers::Numbers;
use super::refusal::Refusal;
use super::segment::{Asked, Posted, Segment, all, either};
use super::spacer::constants;
use super::tasks::{Names, Task, Tasks, place_name};
use super::value::{Leaf, Row, as_int, fresh, int, leaves, same};

/// An argument of a predicate.
#[derive(Clone, Debug)]
pub struct Argument {
    /// Its name, as it is shown.
    pub name: String,
    pub sort: Sort,
    /// What the type says, for the constant of that name.
    pub bounds: Option<Bool>,
    pub constant: Dynamic,
}

/// A predicate of the clauses.
#[derive(Clone, Debug)]
pub struct Predicate {
    /// Its name: when it holds, in words.
    pub name: String,
    /// Its arguments; the shared state comes first.
    pub args: Vec<Argument>,
    /// What plainly holds of the arguments, as formulas over their constants.
    pub facts: Vec<Bool>,
    /// The facts that were guessed and that every clause preserves.
    pub shapes: Vec<Bool>,
}

/// A predicate of some terms.
#[derive(Clone, Debug)]
pub struct Atom {
    pub predicate: usize,
    pub args: Vec<Dynamic>,
}

#[derive(Clone, Debug)]
pub enum Head {
    Holds(Atom),
    Wrong(Wrong),
}

/// What is to be excluded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wrong {
    pub kind: ErrorKind,
    pub span: Span,
}

/// A clause: if the body and the guard hold, so does the head.
#[derive(Clone, Debug)]
pub struct Clause {
    /// What the clause presupposes; arguments are constants.
    pub body: Vec<Atom>,
    pub guard: Bool,
    pub head: Head,
    /// What the clause says, for people.
    pub says: String,
}

/// The arguments of a predicate that counts tasks which are alike: the globals come first, numbers last.
#[derive(Clone, Debug)]
pub struct Alike {
    pub predicate: usize,
    /// How many of the arguments belong to globals.
    pub globals: usize,
    /// Which arguments are the locals that the tasks have in common.
    pub values: std::ops::Range<usize>,
}

/// A program as clauses.
#[derive(Debug, Default)]
pub struct System {
    /// The predicates; the first is about the shared state alone.
    pub predicates: Vec<Predicate>,
    pub clauses: Vec<Clause>,
    /// For each kind of tasks, which arguments of the shared state say how many rest at its places.
    pub counts: Vec<Vec<usize>>,
    /// The predicates that count tasks which are alike.
    pub alike: Vec<Alike>,
    /// The places where a task's locals matter, which have a predicate of their own.
    pub with_locals: Vec<Span>,
    pub numbers: Numbers,
    /// Where the program asks whether a task has finished. For kinds with several tasks the proof does not know the answer.
    pub joins: Vec<Span>,
}

/// A place where tasks rest.
#[derive(Debug)]
pub(super) struct Location {
    pub(super) task: usize,
    pub(super) pc: Pc,
    pub(super) name: String,
    /// Where the number of tasks there stands in the shared state. The beginning of the first task is not counted, nor
    /// `finally` without loops.
    pub(super) count: Option<usize>,
    /// The predicate of tasks there, if their locals matter.
    pub(super) predicate: Option<usize>,
}

/// A local of a task that is part of the shared state: the task, the local, and where its leaves stand.
#[derive(Debug)]
struct Shared {
    task: usize,
    local: usize,
    at: usize,
}

/// The clauses of a program in the making.
pub(super) struct Builder<'a> {
    pub(super) program: &'a Program,
    sources: &'a SourceMap,
    pub(super) tasks: &'a Tasks,
    pub(super) names: &'a mut Names,
    pub(super) state: Vec<Argument>,
    pub(super) locations: Vec<Location>,
    /// The kinds of tasks that are counted by their locals, if they are.
    pub(super) kinds: Vec<Kind>,
    shared: Vec<Shared>,
    /// Where the next handle stands in the shared state, if handles matter.
    next: Option<usize>,
    /// Where the shared state says which task is at the head of a loop, in between two preemption points.
    busy: Option<usize>,
    pub(super) system: System,
}

/// The clauses of a program. `exact` lets no task run while another one is at the head of a loop without preemption point.
///
/// # Errors
/// What is not handled.
pub fn build(
    program: &Program,
    sources: &SourceMap,
    tasks: &Tasks,
    names: &mut Names,
    exact: bool,
) -> Result<System, Refusal> {
    let mut builder = Builder {
        program,
        sources,
        tasks,
        names,
        state: Vec::new(),
        locations: Vec::new(),
        kinds: Vec::new(),
        shared: Vec::new(),
        next: None,
        busy: None,
        system: System {
            joins: joins(program, tasks),
            numbers: Numbers::of(program),
            ..System::default()
        },
    };
    builder.state(exact)?;
    builder.predicates();
    builder.begin();
    for task in 0..tasks.all.len() {
        for way in &tasks.all[task].segments.ways {
            builder.step(task, way);
        }
        builder.failures(task);
    }
    builder.races();
    if program.scope.deadlocks {
        builder.deadlock();
    }
    Ok(builder.system)
}

impl System {
    /// Returns the facts about an atom's arguments.
    #[must_use]
    pub fn facts(&self, atom: &Atom) -> Vec<Bool> {
        self.said(&self.predicates[atom.predicate].facts, atom)
    }

    /// What formulas about a predicate's constants say of an atom.
    #[must_use]
    pub fn said(&self, formulas: &[Bool], atom: &Atom) -> Vec<Bool> {
        let own = self.predicates[atom.predicate].args.iter();
        let pairs = own.map(|a| &a.constant).zip(&atom.args);
        // Most arguments are the constants themselves, and it takes long to look for each.
        let pairs: Vec<(&Dynamic, &Dynamic)> = pairs.filter(|(a, b)| a != b).collect();
        if pairs.is_empty() {
            return formulas.to_vec();
        }
        formulas.iter().map(|f| f.substitute(&pairs)).collect()
    }
}

impl<'a> Builder<'a> {
    fn state(&mut self, exact: bool) -> Result<(), Refusal> {
        let globals = self.program.globals.iter().zip(&self.tasks.globals);
        let shared = globals
            .zip(&self.tasks.shared)
            .filter(|(_, shared)| **shared);
        for ((global, row), _) in shared {
            let all = leaves(self.program, global.ty)
                .ok_or_else(|| Refusal::new(global.span, "it has too many parts"))?;
            self.row(&all, row);
        }
        self.locations();
        let own = |task| self.locations.iter().filter(move |l| l.task == task);
        self.system.counts = (0..self.tasks.all.len())
            .map(|task| own(task).filter_map(|l| l.count).collect())
            .collect();
        self.shared_locals();
        if self.handles() {
            let next = self.tasks.next.clone();
            self.next = Some(self.state.len());
            self.argument("next task", next, None);
        }
        let heads = self.locations.iter().any(|l| self.is_head(l));
        if exact && heads {
            let name = self.names.fresh("busy");
            let constant = Dynamic::new_const(name.as_str(), &Sort::int());
            self.busy = Some(self.state.len());
            self.argument(&name, constant, None);
        }
        Ok(())
    }

    fn argument(&mut self, name: &str, constant: Dynamic, bounds: Option<Bool>) {
        self.state.push(Argument {
            name: name.to_owned(),
            sort: constant.get_sort(),
            bounds,
            constant,
        });
    }

    fn row(&mut self, all: &[Leaf], row: &Row) {
        let made = self.arguments(all, row);
        self.state.extend(made);
    }

    /// The constants of a variable as arguments.
    pub(super) fn arguments(&self, all: &[Leaf], row: &Row) -> Vec<Argument> {
        let pairs = all.iter().zip(row);
        let made = pairs.map(|(leaf, constant)| Argument {
            name: name_of(constant),
            sort: constant.get_sort(),
            bounds: leaf.bounds(self.program, constant),
            constant: constant.clone(),
        });
        made.collect()
    }

    /// The places where tasks rest, and how many do.
    fn locations(&mut self) {
        for (task, t) in self.tasks.all.iter().enumerate() {
            let last = self.tasks.finally == Some(task);
            for &pc in &t.segments.places {
                let name = self.names.fresh(&place_name(t, pc, self.sources));
                let name = format!("at({name})");
                let first = task == 0 && t.once && pc == 0;
                let uncounted = first || (last && t.segments.places.len() == 1);
                let count = (!uncounted).then_some(self.state.len());
                if count.is_some() {
                    let constant = Dynamic::new_const(name.as_str(), &Sort::int());
                    self.argument(&name, constant, None);
                }
                self.locations.push(Location {
                    task,
                    pc,
                    name,
                    count,
                    predicate: None,
                });
            }
        }
    }

    /// Adds the locals of tasks of which there is never more than one to the shared state.
    fn shared_locals(&mut self) {
        for (task, t) in self.tasks.all.iter().enumerate() {
            for local in (0..=t.code.locals.len()).filter(|_| t.once) {
                if t.segments
                    .places
                    .iter()
                    .any(|&pc| t.live[pc].contains(&local))
                {
                    let at = self.state.len();
                    self.shared.push(Shared { task, local, at });
                    let (all, row) = self.local(t, local, &t.inputs.env);
                    self.row(&all, &row);
                }
            }
        }
    }

    /// The leaves and values of a local; the last is the task's own handle.
    pub(super) fn local(&self, task: &Task, local: usize, env: &Env) -> (Vec<Leaf>, Row) {
        if local == task.code.locals.len() {
            let leaf = Leaf {
                scalar: ir::Types::TASK,
                keys: Vec::new(),
                name: String::new(),
            };
            return (vec![leaf], vec![env.me.clone()]);
        }
        let all = leaves(self.program, task.code.locals[local].ty).unwrap_or_default();
        (all, env.locals[local].clone())
    }

    /// Whether the program can tell tasks apart.
    fn handles(&self) -> bool {
        self.tasks.all.iter().any(|t| {
            let me = t.code.locals.len();
            let kept = t.code.lines.iter().enumerate().any(|(pc, line)| {
                matches!(line.instr, Instr::Post(_, _, Some(into))
                    if t.live.get(pc + 1).is_some_and(|l| l.contains(&into)))
            });
            kept || t.live.iter().any(|l| l.contains(&me))
        })
    }

    fn is_head(&self, location: &Location) -> bool {
        let lines = &self.tasks.all[location.task].code.lines;
        matches!(lines[location.pc].instr, Instr::Head)
    }

    fn predicates(&mut self) {
        self.system.predicates.push(Predicate {
            name: "always".into(),
            args: self.state.clone(),
            facts: self.facts(),
            shapes: Vec::new(),
        });
        self.kinds();
    }

    /// Returns what plainly holds of the shared state. It is part of what is proved, so a wrong fact makes no wrong proof.
    pub(super) fn facts(&self) -> Vec<Bool> {
        let mut facts: Vec<Bool> = self.state.iter().filter_map(|a| a.bounds.clone()).collect();
        let counts = self.locations.iter().filter_map(|l| l.count);
        facts.extend(counts.map(|at| as_int(&self.state[at].constant).ge(Int::from_i64(0))));
        facts
    }

    pub(super) fn constants(&self) -> Vec<Dynamic> {
        self.state.iter().map(|a| a.constant.clone()).collect()
    }

    fn atom(&self, predicate: usize, args: Vec<Dynamic>) -> Atom {
        Atom { predicate, args }
    }

    pub(super) fn clause(&mut self, body: Vec<Atom>, guard: Vec<Bool>, head: Head, says: String) {
        self.system.clauses.push(Clause {
            body,
            guard: all(&guard),
            head,
            says,
        });
    }

    /// Whether nothing comes before a step from there: the beginning of the first task.
    pub(super) fn is_first(&self, task: usize, pc: Pc) -> bool {
        task == 0 && pc == 0 && self.tasks.all[0].once
    }

    /// What is known before a step from a place.
    pub(super) fn source(&self, at: usize) -> Vec<Atom> {
        let location = &self.locations[at];
        if self.is_first(location.task, location.pc) {
            return Vec::new();
        }
        let Some(predicate) = location.predicate else {
            return vec![self.atom(0, self.constants())];
        };
        let own = &self.system.predicates[predicate].args;
        let own = own.iter().map(|a| a.constant.clone()).collect();
        vec![self.atom(predicate, own)]
    }

    pub(super) fn location(&self, task: usize, pc: Pc) -> usize {
        let found = self
            .locations
            .iter()
            .position(|l| (l.task, l.pc) == (task, pc));
        found.unwrap_or_else(|| unreachable!("every place where a task rests is listed"))
    }

    /// Returns that at least `n` tasks rest at a place, if they are counted.
    pub(super) fn at_least(&self, at: usize, n: i64) -> Option<Bool> {
        let count = self.locations[at].count?;
        Some(as_int(&self.state[count].constant).ge(Int::from_i64(n)))
    }

    /// When a task at a place may be dispatched, beside its own condition.
    fn enabled(&self, at: usize) -> Vec<Bool> {
        let mut guard: Vec<Bool> = self.at_least(at, 1).into_iter().collect();
        guard.extend(self.counted_here(at));
        let location = &self.locations[at];
        if self.is_first(location.task, location.pc) {
            return self.first_handles();
        }
        guard.extend(self.another_handle(location.task));
        if self.tasks.finally == Some(location.task) && location.pc == 0 {
            guard.extend(self.nobody(at));
        }
        if self.is_head(location) {
            guard.extend(self.is_busy(at + 1));
        } else {
            guard.extend(self.is_busy(0));
        }
        guard
    }

    /// Returns that the busy task is at the location with that number, counted from 1; with 0, that no task is busy.
    pub(super) fn is_busy(&self, number: usize) -> Option<Bool> {
        let busy = &self.state[self.busy?].constant;
        Some(same(busy, &int(number as i128)))
    }

    /// Returns that a task's handle is none of those that belong to tasks of which there is never more than one.
    fn another_handle(&self, task: usize) -> Option<Bool> {
        if self.tasks.all[task].once {
            return None;
        }
        let own = &self.tasks.all[task].inputs.env.me;
        let me = |s: &&Shared| s.local == self.tasks.all[s.task].code.locals.len();
        let others = self.shared.iter().filter(me);
        let equal: Vec<Bool> = others
            .map(|s| same(own, &self.tasks.all[s.task].inputs.env.me))
            .collect();
        Some(either(&equal).not())
    }

    /// Returns that the first task has the handle 1, and that the next one is 2.
    fn first_handles(&self) -> Vec<Bool> {
        let me = &self.tasks.all[0].inputs.env.me;
        vec![same(me, &int(1)), same(&self.tasks.next, &int(2))]
    }

    /// Returns that no task is pending, except at one place.
    fn nobody(&self, but: usize) -> Vec<Bool> {
        let others = (0..self.locations.len()).filter(|&l| l != but);
        let others = others.filter_map(|l| self.locations[l].count);
        others
            .map(|at| same(&self.state[at].constant, &int(0)))
            .collect()
    }

    /// Adds the clauses of the start: the shared state before anything has run, and checks of the initial values.
    fn begin(&mut self) {
        let init = &self.tasks.init;
        let posted = !self.tasks.all[0].once;
        for way in init.segments.ways.iter().filter(|_| posted) {
            let state = self.initial(self.tasks.shared(&way.env.globals));
            let known = (&[][..], std::slice::from_ref(&way.guard));
            self.alike(None, &state, known, "the start");
            let head = Head::Holds(self.atom(0, state));
            let mut guard = self.unset();
            guard.push(way.guard.clone());
            self.clause(Vec::new(), guard, head, "the start".into());
        }
        for failure in &init.segments.failures {
            let head = Head::Wrong(Wrong {
                kind: failure.kind,
                span: failure.span,
            });
            self.clause(
                Vec::new(),
                vec![failure.guard.clone()],
                head,
                "a check of the initial values".into(),
            );
        }
    }

    /// The shared state before anything has run, with these globals.
    fn initial(&self, globals: Vec<Dynamic>) -> Vec<Dynamic> {
        let mut state = globals;
        state.extend(self.state[state.len()..].iter().map(|a| a.constant.clone()));
        for at in 0..self.locations.len() {
            let location = &self.locations[at];
            let first = location.pc == 0
                && (location.task == 0 || self.tasks.finally == Some(location.task));
            if let Some(count) = location.count {
                state[count] = int(i128::from(first));
            }
        }
        for shared in &self.shared {
            // The first task has the first handle; `finally`, and a task that is still to come, have none.
            let t = &self.tasks.all[shared.task];
            if shared.local == t.code.locals.len() {
                state[shared.at] = int(i128::from(shared.task == 0));
            }
        }
        if let Some(next) = self.next {
            state[next] = int(2);
        }
        if let Some(busy) = self.busy {
            state[busy] = int(0);
        }
        state
    }

    /// Tasks that are still to come have locals, too. These conditions say that their values are of their types.
    fn unset(&self) -> Vec<Bool> {
        self.state.iter().filter_map(|a| a.bounds.clone()).collect()
    }

    /// The shared state after a way.
    fn after(&self, task: usize, way: &Segment) -> Vec<Dynamic> {
        let mut state = self.tasks.shared(&way.env.globals);
        if self.is_first(task, way.from) {
            state = self.initial(state);
        } else {
            state.extend(self.state[state.len()..].iter().map(|a| a.constant.clone()));
        }
        let mut add = |at: usize, n: i64| {
            if let Some(count) = self.locations[at].count {
                let sum = Int::add(&[as_int(&state[count]), Int::from_i64(n)]);
                state[count] = Dynamic::from_ast(&sum.simplify());
            }
        };
        add(self.location(task, way.from), -1);
        if let Some(to) = way.to {
            add(self.location(task, to), 1);
        }
        for posted in &way.posts {
            add(self.location(self.tasks.by_proc[&posted.proc], 0), 1);
        }
        for shared in &self.shared {
            let t = &self.tasks.all[shared.task];
            let row = if shared.task == task {
                Some(self.local(t, shared.local, &way.env).1)
            } else {
                self.given(shared, way)
            };
            for (i, value) in row.into_iter().flatten().enumerate() {
                state[shared.at + i] = value;
            }
        }
        if let Some(next) = self.next {
            let made = i64::try_from(way.posts.len()).unwrap_or(i64::MAX);
            let sum = Int::add(&[as_int(&state[next]), Int::from_i64(made)]);
            state[next] = Dynamic::from_ast(&sum.simplify());
        }
        if let Some(busy) = self.busy {
            let to = way.to.map(|to| self.location(task, to));
            let held = to.filter(|&to| self.is_head(&self.locations[to]));
            state[busy] = int(held.map_or(0, |at| at as i128 + 1));
        }
        state
    }

    /// What a local of the shared state becomes where its task is posted. One that is no parameter stays: it is assigned
    /// before it is read.
    fn given(&self, shared: &Shared, way: &Segment) -> Option<Row> {
        let code = &self.tasks.all[shared.task].code;
        if (code.params..code.locals.len()).contains(&shared.local) {
            return None;
        }
        let made = way
            .posts
            .iter()
            .find(|p| self.tasks.by_proc[&p.proc] == shared.task)?;
        Some(self.argument_of(shared.task, shared.local, made))
    }

    /// A local of a task that was just posted: a parameter, its handle, or anything.
    pub(super) fn argument_of(&self, task: usize, local: usize, posted: &Posted) -> Row {
        let t = &self.tasks.all[task];
        if local == t.code.locals.len() {
            return vec![posted.handle.clone()];
        }
        match posted.args.get(local) {
            Some(row) if local < t.code.params => row.clone(),
            _ => {
                let row = &t.inputs.env.locals[local];
                row.iter().map(|v| fresh("any", &v.get_sort())).collect()
            }
        }
    }

    /// The clauses of a way.
    fn step(&mut self, task: usize, way: &Segment) {
        let from = self.location(task, way.from);
        let source = self.source(from);
        let mut guard = self.enabled(from);
        guard.push(way.guard.clone());
        guard.extend(self.answers(task, &way.guard));
        if self.is_first(task, way.from) {
            guard.extend(self.unset());
        }
        let state = self.after(task, way);
        let name = &self.locations[from].name;
        let says = match way.to {
            None => format!("from {name} to the end"),
            Some(to) => format!(
                "from {name} to {}",
                self.locations[self.location(task, to)].name
            ),
        };
        let body = source;
        let head = Head::Holds(self.atom(0, state.clone()));
        self.clause(body.clone(), guard.clone(), head, says.clone());
        self.alike(Some((task, way)), &state, (&body, &guard), &says);
    }

    /// Returns what is known of the answers to whether tasks have finished, for those answers that a condition mentions.
    ///
    /// For a task of which there is never more than one the state has the handle, and where it rests. A task that has not
    /// finished is one of these, the running one, or one of the other kinds.
    fn answers(&self, task: usize, condition: &Bool) -> Vec<Bool> {
        let t = &self.tasks.all[task];
        if t.segments.asked.is_empty() {
            return Vec::new();
        }
        let spoken = constants(&Dynamic::from_ast(condition));
        let mut known = Vec::new();
        for Asked { finished, handle } in &t.segments.asked {
            if !spoken.contains(&Dynamic::from_ast(finished)) {
                continue;
            }
            let mut not = vec![same(handle, &int(0)), same(handle, &t.inputs.env.me)];
            for (number, other) in self.tasks.all.iter().enumerate().filter(|(_, t)| t.once) {
                let own = same(handle, &other.inputs.env.me);
                let pending = self.pending(number);
                not.push(Bool::and(&[&own, &pending]));
                if number != task {
                    // The handle is that of this task and no other one, so the task has finished unless it is pending.
                    let this = Bool::and(&[&own, &same(handle, &int(0)).not()]);
                    known.push(Bool::or(&[this.not(), finished.clone(), pending]));
                }
            }
            known.push(finished.implies(either(&not).not()));
            let others = (0..self.tasks.all.len()).filter(|&n| !self.tasks.all[n].once);
            not.extend(others.map(|number| self.pending(number)));
            not.push(finished.clone());
            known.push(either(&not));
        }
        known
    }

    /// Whether some task of a kind is pending.
    fn pending(&self, task: usize) -> Bool {
        let own = self.locations.iter().filter(|l| l.task == task);
        let counts = own.filter_map(|l| l.count.filter(|_| self.tasks.finally != Some(task)));
        let some = counts.map(|at| as_int(&self.state[at].constant).ge(Int::from_i64(1)));
        either(&some.collect::<Vec<_>>())
    }

    fn failures(&mut self, task: usize) {
        let t = &self.tasks.all[task];
        for failure in &t.segments.failures {
            let from = self.location(task, failure.from);
            let mut guard = self.enabled(from);
            guard.push(failure.guard.clone());
            guard.extend(self.answers(task, &failure.guard));
            let says = format!("a check on the way from {}", self.locations[from].name);
            let head = Head::Wrong(Wrong {
                kind: failure.kind,
                span: failure.span,
            });
            let source = self.source(from);
            self.clause(source, guard, head, says);
        }
    }

    /// Adds the clause of a deadlock: tasks are pending, and all of them are blocked.
    ///
    /// If there may be several tasks, their locals are not known: the clause takes them for blocked if some locals would block
    /// them. So the condition holds too often, never too rarely. If tasks are counted by their locals, the clause adds that no
    /// task has locals with which it would not be blocked.
    fn deadlock(&mut self) {
        let mut body = vec![self.atom(0, self.constants())];
        let mut guard = Vec::new();
        let mut some = Vec::new();
        let mut place = None;
        for at in 0..self.locations.len() {
            let location = &self.locations[at];
            let Some(count) = location.count else {
                continue;
            };
            let t = &self.tasks.all[location.task];
            let own = &self.state[count].constant;
            let none = same(own, &int(0));
            if self.tasks.finally == Some(location.task) {
                if location.pc != 0 {
                    guard.push(none);
                }
                continue;
            }
            let blocked = t.segments.blocked.iter().find(|b| b.at == location.pc);
            match blocked {
                None => guard.push(none),
                Some(blocked) => {
                    place.get_or_insert(t.code.lines[location.pc].span);
                    some.push(none.not());
                    let mut when = self.answers(location.task, &blocked.when);
                    when.push(blocked.when.clone());
                    let mut when = all(&when);
                    if !t.once {
                        when = of_some_task(t, &when);
                    }
                    guard.push(Bool::or(&[none, when]));
                    if let Some((atom, nobody)) = self.nobody_has(at, &blocked.when) {
                        body.push(atom);
                        guard.extend(nobody);
                    }
                }
            }
        }
        let Some(span) = place else { return };
        guard.push(either(&some));
        guard.extend(self.is_busy(0));
        let head = Head::Wrong(Wrong {
            kind: ErrorKind::Deadlock,
            span,
        });
        self.clause(body, guard, head, "every task that is left waits".into());
    }
}

/// Where the program asks whether a task has finished, if the proof may not know the answer.
fn joins(program: &Program, tasks: &Tasks) -> Vec<Span> {
    if tasks.all.iter().all(|t| t.once) {
        return Vec::new();
    }
    let asks = |e: &ExprId| asks_who_finished(program, *e);
    let lines = tasks.all.iter().flat_map(|t| &t.code.lines);
    let found = lines.filter(|line| match &line.instr {
        Instr::Wait(_, e) | Instr::Set(_, e) | Instr::Assign(_, e) => asks(e),
        Instr::Assume(e) | Instr::Branch(e, _) => asks(e),
        Instr::Check(check) => asks(&check.cond),
        _ => false,
    });
    found.map(|line| line.span).collect()
}

/// Renames the variables of a task in a condition, so that it is about a task of which nothing else speaks.
fn of_some_task(task: &Task, condition: &Bool) -> Bool {
    let env = &task.inputs.env;
    let own = env.locals.iter().flatten().chain([&env.me]);
    let renamed: Vec<(Dynamic, Dynamic)> = own
        .map(|old| (old.clone(), fresh("some", &old.get_sort())))
        .collect();
    let pairs: Vec<(&Dynamic, &Dynamic)> = renamed.iter().map(|(a, b)| (a, b)).collect();
    condition.substitute(&pairs)
}

pub(super) fn name_of(constant: &Dynamic) -> String {
    constant.decl().name()
}
