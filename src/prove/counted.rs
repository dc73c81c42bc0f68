//! Predicates that count the tasks which are alike.
//!
//! For a kind of tasks whose locals matter, `J(S, V, n_1, …, n_m)` says: S is reachable, and in S exactly `n_i` tasks rest at the
//! i-th of the places where locals matter, with the values that V names for their locals. It holds for *every* V, so a step may
//! use it for the locals of the running task and for those of any other. `n <= 1` says that no two tickets are equal. `n >= 1`
//! says that some task has the ticket whose turn it is, so that not all tasks wait.
//!
//! *Why each clause is right.* The numbers are defined by the state and V alone, so two of these predicates about one state speak
//! of the same tasks where they name the same locals, and of different ones where they do not. A step takes one task away from
//! where it was, if V names its locals there, and adds it where it rests now, and likewise each task that it makes.

use solver::z3::ast::{Ast, AstKind, Bool, Dynamic, Int};

use super::expr::Env;
use super::segment::{Segment, all};
use super::spacer::constants;
use super::system::{Alike, Argument, Atom, Builder, Head, Predicate};
use super::value::{as_int, fresh, int, same};

/// A kind of tasks whose locals matter somewhere.
#[derive(Debug)]
pub struct Kind {
    task: usize,
    predicate: usize,
    /// The locals that matter, and where their values stand among those of V.
    locals: Vec<(usize, std::ops::Range<usize>)>,
    /// The places where some of them matter, as indices of locations.
    places: Vec<usize>,
}

/// Two tasks that rest at places: what is presupposed and known of them, and the values of the locals of each. Locals that do not
/// matter at its place may have any value.
pub struct Two {
    pub body: Vec<Atom>,
    pub known: Vec<Bool>,
    pub envs: [Env; 2],
}

/// What is known of V after a step, under some conditions.
#[derive(Clone)]
struct Case {
    body: Vec<Atom>,
    guard: Vec<Bool>,
    whose: Vec<Dynamic>,
    /// How many tasks V names at each place.
    numbers: Vec<Dynamic>,
}

impl Builder<'_> {
    pub(super) fn kinds(&mut self) {
        let facts = self.facts();
        for task in 0..self.tasks.all.len() {
            let t = &self.tasks.all[task];
            let places: Vec<usize> = (0..self.locations.len())
                .filter(|&at| self.locations[at].task == task)
                .filter(|&at| !t.live[self.locations[at].pc].is_empty())
                .collect();
            if t.once || places.is_empty() {
                continue;
            }
            let (locals, values) = self.told_apart_by(task, &places);
            let mut own = facts.clone();
            own.extend(values.iter().filter_map(|a| a.bounds.clone()));
            let mut args = self.state.clone();
            args.extend(values);
            let values = self.state.len()..args.len();
            for &at in &places {
                let number = self.number_at(at, &mut own);
                args.push(number);
            }
            let predicate = self.system.predicates.len();
            for &at in &places {
                let pc = self.locations[at].pc;
                self.locations[at].predicate = Some(predicate);
                self.system
                    .with_locals
                    .push(self.tasks.all[task].code.lines[pc].span);
            }
            self.system.predicates.push(Predicate {
                name: format!("for the tasks of {}", self.tasks.all[task].name),
                args,
                facts: own,
                shapes: Vec::new(),
            });
            let globals = self.tasks.shared(&self.tasks.globals).len();
            self.system.alike.push(Alike {
                predicate,
                globals,
                values,
            });
            self.kinds.push(Kind {
                task,
                predicate,
                locals,
                places,
            });
        }
    }

    /// The locals by which tasks that rest at these places are told apart, and their values.
    fn told_apart_by(
        &mut self,
        task: usize,
        places: &[usize],
    ) -> (Vec<(usize, std::ops::Range<usize>)>, Vec<Argument>) {
        let t = &self.tasks.all[task];
        let live = places.iter().flat_map(|&at| &t.live[self.locations[at].pc]);
        let mut live: Vec<usize> = live.copied().collect();
        live.sort_unstable();
        live.dedup();
        let (mut locals, mut values) = (Vec::new(), Vec::new());
        for local in live {
            let from = values.len();
            let (leaves, row) = self.local(t, local, &t.inputs.env);
            values.extend(self.arguments(&leaves, &row));
            locals.push((local, from..values.len()));
        }
        (locals, values)
    }

    /// Makes the argument that says how many tasks at a place are alike, and adds what is known of it.
    fn number_at(&mut self, at: usize, known: &mut Vec<Bool>) -> Argument {
        let name = format!("like {}", self.locations[at].name);
        let name = self.names.fresh(&name);
        let constant = Dynamic::new_const(name.as_str(), &solver::z3::Sort::int());
        let n = as_int(&constant);
        known.push(n.ge(Int::from_i64(0)));
        if let Some(count) = self.locations[at].count {
            known.push(n.le(as_int(&self.state[count].constant)));
        }
        Argument {
            name,
            sort: constant.get_sort(),
            bounds: None,
            constant,
        }
    }

    /// Returns that at least one task at a place is counted with the locals of the running task.
    pub(super) fn counted_here(&self, at: usize) -> Option<Bool> {
        let kind = self.kinds.iter().find(|k| k.places.contains(&at))?;
        Some(as_int(&self.number(kind, at)?).ge(Int::from_i64(1)))
    }

    /// The constant for how many tasks are alike at a place.
    fn number(&self, kind: &Kind, at: usize) -> Option<Dynamic> {
        let args = &self.system.predicates[kind.predicate].args;
        let place = kind.places.iter().position(|&p| p == at)?;
        let first = args.len() - kind.places.len();
        Some(args[first + place].constant.clone())
    }

    /// Adds clauses for what each kind's numbers become by a step; without a step, for what they are in the beginning.
    pub(super) fn alike(
        &mut self,
        step: Option<(usize, &Segment)>,
        state: &[Dynamic],
        (body, guard): (&[Atom], &[Bool]),
        says: &str,
    ) {
        for number in 0..self.kinds.len() {
            let kind = &self.kinds[number];
            let args = &self.system.predicates[kind.predicate].args;
            let other = |a: &Argument| Dynamic::new_const(format!("{}, another", a.name), &a.sort);
            let (values, numbers) = args[self.state.len()..]
                .split_at(args.len() - self.state.len() - kind.places.len());
            let whose: Vec<Dynamic> = values.iter().map(other).collect();
            let before: Vec<Dynamic> = numbers.iter().map(other).collect();
            let first = body.is_empty();
            let mut case = Case {
                guard: guard.to_vec(),
                body: body.to_vec(),
                numbers: before.clone(),
                whose,
            };
            if first {
                case.numbers.fill(int(0));
                let bounds = values.iter().zip(&case.whose).filter_map(|(a, v)| {
                    let bounds = a.bounds.as_ref()?;
                    Some(bounds.substitute(&[(&a.constant, v)]))
                });
                case.guard.extend(bounds);
            } else {
                let known = self.constants().into_iter();
                let known = known.chain(case.whose.iter().cloned()).chain(before);
                case.guard.extend(self.consistent(kind, &case));
                case.body.push(Atom {
                    predicate: kind.predicate,
                    args: known.collect(),
                });
            }
            let says = format!(
                "{says}, for the tasks of {}",
                self.tasks.all[kind.task].name
            );
            let predicate = kind.predicate;
            for case in self.moved(kind, step, first, case) {
                let args = state.iter().chain(&case.whose).chain(&case.numbers);
                let head = Head::Holds(Atom {
                    predicate,
                    args: args.cloned().collect(),
                });
                self.clause(case.body, case.guard, head, says.clone());
            }
        }
    }

    /// Returns what is known of the numbers for the running task's locals and for V together: both are about one state.
    fn consistent(&self, kind: &Kind, case: &Case) -> Vec<Bool> {
        let of_kind = |atom: &Atom| atom.predicate == kind.predicate;
        if !case.body.iter().any(of_kind) {
            return Vec::new();
        }
        let own = self.own(kind);
        let mut known = Vec::new();
        for (i, &at) in kind.places.iter().enumerate() {
            let alike = self.alike_at(kind, at, &self.named(kind, at, &own), &case.whose);
            let mine = as_int(&own[case.whose.len() + i]);
            let theirs = as_int(&case.numbers[i]);
            known.push(alike.implies(mine.eq(&theirs)));
            if let Some(count) = self.locations[at].count {
                let sum = Int::add(&[&mine, &theirs]);
                let fits = sum.le(as_int(&self.state[count].constant));
                known.push(Bool::or(&[alike, fits]));
            }
        }
        known
    }

    /// The constants for V and the numbers of the running task.
    fn own(&self, kind: &Kind) -> Vec<Dynamic> {
        let args = &self.system.predicates[kind.predicate].args[self.state.len()..];
        args.iter().map(|a| a.constant.clone()).collect()
    }

    /// Counts the task that has moved and those that were made: a case for each answer to whether V names them.
    fn moved(
        &self,
        kind: &Kind,
        step: Option<(usize, &Segment)>,
        first: bool,
        begin: Case,
    ) -> Vec<Case> {
        let t = &self.tasks.all[kind.task];
        let mut cases = vec![begin];
        let Some((task, way)) = step else {
            // The first task has no arguments; all that can matter to it is its handle.
            if kind.task == 0 {
                self.add(kind, &mut cases, self.location(0, 0), &[int(1)], 1);
            }
            return cases;
        };
        let own = |pc: usize, env: &Env| -> Vec<Dynamic> {
            let live = t.live[pc].iter();
            live.flat_map(|&l| self.local(t, l, env).1).collect()
        };
        for posted in &way.posts {
            if self.tasks.by_proc[&posted.proc] == kind.task {
                let live = t.live[0].iter();
                let own: Vec<Dynamic> = live
                    .flat_map(|&l| self.argument_of(kind.task, l, posted))
                    .collect();
                self.add(kind, &mut cases, self.location(kind.task, 0), &own, 1);
            }
        }
        if task != kind.task {
            return cases;
        }
        if let Some(to) = way.to {
            let own = own(to, &way.env);
            self.add(kind, &mut cases, self.location(task, to), &own, 1);
        }
        if !first {
            let from = self.location(task, way.from);
            let own = own(way.from, &t.inputs.env);
            let running = self.add(kind, &mut cases, from, &own, -1);
            if own.len() == kind.locals.last().map_or(0, |l| l.1.end) {
                for case in cases.iter_mut().take(running) {
                    self.unify(kind, case);
                }
            }
        }
        cases
    }

    /// Adds `n` at a place in the cases in which V names these locals. These cases come first; returns how many they are.
    fn add(&self, kind: &Kind, cases: &mut Vec<Case>, at: usize, own: &[Dynamic], n: i64) -> usize {
        let Some(place) = kind.places.iter().position(|&p| p == at) else {
            return 0;
        };
        let mut others = Vec::new();
        for case in cases.iter_mut() {
            let alike = self.alike_at(kind, at, own, &case.whose);
            let mut other = case.clone();
            other.guard.push(alike.not());
            others.push(other);
            case.guard.push(alike);
            let sum = Int::add(&[as_int(&case.numbers[place]), Int::from_i64(n)]);
            case.numbers[place] = Dynamic::from_ast(&sum.simplify());
        }
        let named = cases.len();
        cases.extend(others);
        named
    }

    /// Puts the running task in the place of V, in a case in which V names it.
    fn unify(&self, kind: &Kind, case: &mut Case) {
        let Some(other) = case.body.pop() else { return };
        let own = self.own(kind);
        let pairs: Vec<(&Dynamic, &Dynamic)> =
            other.args[self.state.len()..].iter().zip(&own).collect();
        let put = |all: &mut [Dynamic]| all.iter_mut().for_each(|v| *v = v.substitute(&pairs));
        put(&mut case.whose);
        put(&mut case.numbers);
        for part in &mut case.guard {
            *part = part.substitute(&pairs).simplify();
        }
        case.guard.retain(|part| part.as_bool() != Some(true));
    }

    /// The cases in which two different tasks rest there.
    pub(super) fn two(&self, a: usize, b: usize) -> Vec<Two> {
        let kind = |at: usize| self.kinds.iter().find(|k| k.places.contains(&at));
        let one = Two {
            body: self.source(a),
            known: self.counted_here(a).into_iter().collect(),
            envs: [self.resting(a, &[]), self.resting(b, &[])],
        };
        match (kind(a), kind(b)) {
            (_, None) => vec![one],
            (Some(kind), Some(other)) if kind.task == other.task => {
                self.two_of_a_kind(kind, a, b, one)
            }
            _ => {
                let mut body = self.source(b);
                let other = body.first().map(|atom| atom.predicate);
                body.extend(
                    one.body
                        .into_iter()
                        .filter(|atom| Some(atom.predicate) != other),
                );
                let known = one.known.into_iter().chain(self.counted_here(b)).collect();
                vec![Two { body, known, ..one }]
            }
        }
    }

    /// Returns two cases: one V names both tasks; or each task is named by another V.
    fn two_of_a_kind(&self, kind: &Kind, a: usize, b: usize, one: Two) -> Vec<Two> {
        let own = self.own(kind);
        let args = &self.system.predicates[kind.predicate].args;
        let renamed: Vec<(Dynamic, Dynamic)> = args[self.state.len()..]
            .iter()
            .map(|a| {
                let name = format!("{}, the other", a.name);
                (a.constant.clone(), Dynamic::new_const(name, &a.sort))
            })
            .collect();
        let other: Vec<Dynamic> = renamed.iter().map(|(_, b)| b.clone()).collect();
        let named = |at| self.named_locals(kind, at);
        let in_common: Vec<Bool> = named(a)
            .filter(|l| named(b).any(|m| m == *l))
            .flat_map(|l| kind.locals[l].1.clone())
            .map(|i| same(&own[i], &other[i]))
            .collect();
        let count = |at, n: i64| Some(as_int(&self.number(kind, at)?).ge(Int::from_i64(n)));
        let both = Two {
            body: one.body.clone(),
            known: match a == b {
                true => count(a, 2).into_iter().collect(),
                false => [count(a, 1), count(b, 1)].into_iter().flatten().collect(),
            },
            envs: one.envs,
        };
        let pairs: Vec<(&Dynamic, &Dynamic)> = renamed.iter().map(|(a, b)| (a, b)).collect();
        let mut apart = Two {
            body: one.body,
            known: one.known,
            envs: [self.resting(a, &[]), self.resting(b, &pairs)],
        };
        apart.body.push(Atom {
            predicate: kind.predicate,
            args: self
                .constants()
                .into_iter()
                .chain(other.iter().cloned())
                .collect(),
        });
        apart.known.push(all(&in_common).not());
        let there = self.counted_here(b).into_iter();
        apart.known.extend(there.map(|n| n.substitute(&pairs)));
        vec![both, apart]
    }

    /// The values of a task that rests there; those that do not matter may be any.
    fn resting(&self, at: usize, renamed: &[(&Dynamic, &Dynamic)]) -> Env {
        let location = &self.locations[at];
        let t = &self.tasks.all[location.task];
        let live = &t.live[location.pc];
        let value = |local: usize, v: &Dynamic| match live.contains(&local) {
            true => v.substitute(renamed),
            false => fresh("any", &v.get_sort()),
        };
        let env = &t.inputs.env;
        let locals = env.locals.iter().enumerate();
        Env {
            globals: env.globals.clone(),
            locals: locals
                .map(|(local, row)| row.iter().map(|v| value(local, v)).collect())
                .collect(),
            me: value(env.locals.len(), &env.me),
        }
    }

    /// The values that V names of the locals which matter at a place.
    fn named(&self, kind: &Kind, at: usize, whose: &[Dynamic]) -> Vec<Dynamic> {
        self.named_locals(kind, at)
            .flat_map(|l| whose[kind.locals[l].1.clone()].iter().cloned())
            .collect()
    }

    /// Which of the locals by which tasks are told apart matter at a place.
    fn named_locals<'k>(&'k self, kind: &'k Kind, at: usize) -> impl Iterator<Item = usize> + 'k {
        let live = &self.tasks.all[kind.task].live[self.locations[at].pc];
        (0..kind.locals.len()).filter(|&l| live.contains(&kind.locals[l].0))
    }

    /// Whether V names these locals of a task at a place.
    fn alike_at(&self, kind: &Kind, at: usize, own: &[Dynamic], whose: &[Dynamic]) -> Bool {
        let named = self.named(kind, at, whose);
        let equal: Vec<Bool> = own.iter().zip(&named).map(|(a, b)| same(a, b)).collect();
        all(&equal)
    }

    /// If the tasks at a place wait until a local equals a term of the shared state: returns that no task there has that value.
    pub(super) fn nobody_has(&self, at: usize, when: &Bool) -> Option<(Atom, Vec<Bool>)> {
        let kind = self.kinds.iter().find(|k| k.places.contains(&at))?;
        let args = &self.system.predicates[kind.predicate].args;
        let waits = Dynamic::from_ast(when);
        let equal = waits.children().into_iter().next()?;
        let [a, b] = &equal.children()[..] else {
            return None;
        };
        let is = |term: &Dynamic, kind| term.kind() == AstKind::App && term.decl().kind() == kind;
        if !is(&waits, solver::z3::DeclKind::Not) || !is(&equal, solver::z3::DeclKind::Eq) {
            return None;
        }
        let t = &self.tasks.all[kind.task];
        let own: Vec<Dynamic> = (t.inputs.env.locals.iter().flatten())
            .chain([&t.inputs.env.me])
            .cloned()
            .collect();
        let free = |term: &Dynamic| constants(term).iter().all(|c| !own.contains(c));
        // A local of a type with bounds may not be able to have that value.
        let values = &args[self.state.len()..args.len() - kind.places.len()];
        let local = |term: &Dynamic| {
            values
                .iter()
                .any(|v| v.constant == *term && v.bounds.is_none())
        };
        if !(local(a) && free(b) || local(b) && free(a)) {
            return None;
        }
        let renamed: Vec<(Dynamic, Dynamic)> = args[self.state.len()..]
            .iter()
            .map(|a| {
                let name = format!(
                    "{}, whose turn it is at {}",
                    a.name, self.locations[at].name
                );
                (a.constant.clone(), Dynamic::new_const(name, &a.sort))
            })
            .collect();
        let pairs: Vec<(&Dynamic, &Dynamic)> = renamed.iter().map(|(a, b)| (a, b)).collect();
        let atom = Atom {
            predicate: kind.predicate,
            args: args.iter().map(|a| a.constant.substitute(&pairs)).collect(),
        };
        let none = same(&self.number(kind, at)?, &int(0)).substitute(&pairs);
        Some((atom, vec![when.not().substitute(&pairs), none]))
    }
}
