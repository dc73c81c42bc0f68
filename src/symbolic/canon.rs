//! States in one form, so that equal ones meet.
//!
//! States that no execution can tell apart get the same form. Values that are never read again are blanked. Conditions without
//! living variables are dropped: they can be fulfilled, so nothing depends on them. A variable known to be one number becomes
//! that number. The others are numbered as they are met. Tasks that the program cannot tell apart are sorted.
//!
//! A dead variable may still tie living ones together. Conditions that share dead variables form a group; each group speaks
//! of its own dead variables only, so these are named within the group, and equal groups are one. That is how
//! a program with endless input comes back to where it was.
//!
//! Any renaming is sound, because the key is the whole renamed state. A better one only lets more states meet.

use std::hash::{Hash as _, Hasher as _};
use std::rc::Rc;

use rustc_hash::FxHasher;

use smt::layout::Leaf;
use smt::term::{Assignment, Node, Renaming, Term, Var};

use super::machine::Machine;
use super::mutants::Mutant;
use super::path::{Path, conjuncts};
use super::run::Run;
use super::state::{Address, State, Task};
use super::turn::Turn;

/// A state, as far as it matters.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key {
    pub form: Vec<u32>,
    /// The numbers of the known conditions and of groups of conditions, sorted.
    pub known: Box<[u32]>,
}

/// How far a state is brought into a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Variables have new names.
    Plain,
    /// Values that are as good as a variable become one, too: see [`Machine::rename_values`].
    Renamed,
}

/// The first number for dead variables where they are named within their group.
const DEAD: u32 = 1 << 24;

/// The conditions of a state in its form.
struct StateConditions {
    /// Conditions about living variables.
    tied: Vec<Term>,
    /// Groups of conditions that share dead variables.
    groups: Vec<Vec<Term>>,
}

/// A state in its form.
pub(super) struct Canonical<'p> {
    pub state: State<'p>,
    pub key: Key,
    /// For each task, its position before the tasks were sorted.
    pub from: Vec<usize>,
}

impl<'p> Machine<'p> {
    /// The form of a state in which no task runs.
    pub fn canonical(&mut self, mut state: State<'p>, form: Form) -> Canonical<'p> {
        self.forget(&mut state);
        self.remembered(state, form)
    }

    /// The form of a state to which `forget` was applied.
    pub fn remembered(&mut self, mut state: State<'p>, form: Form) -> Canonical<'p> {
        self.order_maps(&mut state);
        self.substitute_known(&mut state);
        if form == Form::Renamed {
            self.rename_values(&mut state);
        }
        let from = self.sort_tasks(&mut state);
        self.forget_past(&mut state);
        let known = self.rename(&mut state);
        let key = self.key(&state, &known, None);
        Canonical { state, key, from }
    }

    /// Checks whether another way of the running segment was here before. If not, records that this way was.
    pub fn meets(&mut self, run: &Run<'p>) -> bool {
        let mut state = run.state.clone();
        let turns: Vec<u32> = run.task.turns().collect();
        state.tasks.push(Rc::new(run.task.clone()));
        // The accesses become a part of the state, so that two ways with different accesses differ.
        self.orders(&mut state, run.task.number, &run.acts);
        self.forget(&mut state);
        self.order_maps(&mut state);
        self.substitute_known(&mut state);
        self.rename_values(&mut state);
        let known = self.rename(&mut state);
        let key = self.key(&state, &known, Some(run.touched));
        let known = self.met.entry(key).or_default();
        let meets = known.iter().any(|k| covers(k, &turns));
        if !meets {
            known.push(turns);
        }
        meets
    }

    /// Checks whether what is known of a state implies what was known of one of the first states of its form.
    pub fn follows(&mut self, seen: &[Followed], path: &Path, state: &Followed) -> bool {
        let mut first = seen.iter().take(FIRST).filter_map(|s| s.beyond(state));
        first.any(|more| {
            let mut more = more.into_iter();
            more.all(|l| matches!(self.oracle.holds(&self.terms, path, !l), Ok(None)))
        })
    }

    /// Whether a value is a number or a truth value.
    fn is_one_value(&self, value: Term) -> bool {
        value.known().is_some() || self.terms.as_const(value).is_some()
    }

    /// Whether a value has no variables.
    fn is_closed(&mut self, value: Term) -> bool {
        self.is_one_value(value) || self.oracle.vars(&self.terms, value).is_empty()
    }

    /// Replaces the values of a state, except for single numbers and truth values.
    fn replace(&mut self, state: &mut State<'p>, mut new: impl FnMut(&mut Self, Term) -> Term) {
        let changed =
            |machine: &mut Self, row: &[Term], new: &mut dyn FnMut(&mut Self, Term) -> Term| {
                let mut made: Option<Vec<Term>> = None;
                for (place, &leaf) in row.iter().enumerate() {
                    if machine.is_one_value(leaf) {
                        continue;
                    }
                    let now = new(machine, leaf);
                    if now != leaf {
                        made.get_or_insert_with(|| row.to_vec())[place] = now;
                    }
                }
                made
            };
        if let Some(made) = changed(self, &state.globals, &mut new) {
            state.globals = Rc::new(made);
        }
        for task in &mut state.tasks {
            for depth in 0..task.frames.len() {
                if let Some(made) = changed(self, &task.frames[depth].locals, &mut new) {
                    Rc::make_mut(task).frames[depth].locals = made;
                }
            }
        }
    }

    /// Puts stores at numbers in order, in all maps.
    fn order_maps(&mut self, state: &mut State<'p>) {
        self.replace(state, |machine, term| match machine.terms.get(term) {
            Node::Store(..) => {
                if let Some(&known) = machine.ordered.get(&term) {
                    return known;
                }
                let made = machine.terms.in_order(term);
                machine.ordered.insert(term, made);
                made
            }
            _ => term,
        });
    }

    /// Replaces each variable that the path fixes to one value by that value.
    fn substitute_known(&mut self, state: &mut State<'p>) {
        loop {
            let mut new = Renaming::default();
            for &literal in &*state.path.literals {
                match self.terms.get(literal) {
                    Node::Var(_) => {
                        new.insert(literal.index(), Term::of_bool(!literal.negated()));
                    }
                    Node::Eq(a, b) if !literal.negated() => {
                        let var = |t: Term| matches!(self.terms.get(t), Node::Var(_));
                        let number = |t: Term| self.terms.as_const(t).is_some();
                        for (variable, value) in [(a, b), (b, a)] {
                            if var(variable) && number(value) {
                                new.entry(variable.index()).or_insert(value);
                            }
                        }
                    }
                    _ => {}
                }
            }
            if new.is_empty() {
                return;
            }
            self.substitute(state, &mut new);
        }
    }

    pub fn substitute(&mut self, state: &mut State<'p>, new: &mut Renaming) {
        self.replace(state, |machine, term| {
            machine.terms.renamed(&[term], new)[0]
        });
        let literals = self.terms.renamed(&state.path.literals, new);
        state.path = self.path_of(literals, state.path.model.clone());
    }

    /// Makes a path of conditions; splits those that have become conjunctions.
    fn path_of(&self, literals: Vec<Term>, model: Rc<Assignment>) -> Path {
        let mut parts = Vec::with_capacity(literals.len());
        for literal in literals {
            conjuncts(&self.terms, literal, &mut parts);
        }
        Path::of(parts, model)
    }

    /// Sorts the tasks: in the scheduler's order, else by number, else by where they are and what they hold, then by descent.
    /// Returns at which position each task was before.
    fn sort_tasks(&mut self, state: &mut State<'p>) -> Vec<usize> {
        let mut order: Vec<usize> = (0..state.tasks.len()).collect();
        if let Some(queue) = state.turn.as_ref().and_then(Turn::order) {
            let place = |i: usize| queue.iter().position(|&t| t == state.tasks[i].number);
            order.sort_by_key(|&i| place(i));
        } else if self.numbered {
            order.sort_by_key(|&i| state.tasks[i].number);
        } else {
            let place = |i: usize| state.tasks[i].rest.as_ref().map(|rest| &rest.control);
            order.sort_by(|&a, &b| place(a).cmp(&place(b)));
            if order.windows(2).any(|w| place(w[0]) == place(w[1])) {
                let tasks = state.tasks.iter();
                let shapes = Vec::from_iter(tasks.map(|task| self.shape(task)));
                order.sort_by(|&a, &b| {
                    let descent = |i: usize| &state.tasks[i].descent;
                    (place(a), &shapes[a], descent(a)).cmp(&(place(b), &shapes[b], descent(b)))
                });
            }
        }
        if order.is_sorted() {
            return order;
        }
        state.tasks = order.iter().map(|&i| state.tasks[i].clone()).collect();
        order
    }

    /// Returns a hash of where the tasks of a state are; other places seldom have the same one.
    pub fn places(&self, state: &State<'p>) -> u64 {
        let mut hasher = FxHasher::default();
        for task in &state.tasks {
            (task.rest.as_ref())
                .map_or(&[][..], |rest| &rest.control)
                .hash(&mut hasher);
        }
        hasher.finish()
    }

    /// Returns the values that a task holds as numbers; all values with variables are the same number.
    fn shape(&mut self, task: &Task<'p>) -> Vec<u32> {
        let leaves = task.frames.iter().flat_map(|frame| &frame.locals);
        let shape = leaves.map(|&leaf| match self.is_closed(leaf) {
            true => code(leaf),
            false => u32::MAX,
        });
        shape.collect()
    }

    pub fn control_key(&mut self, task: &Task<'p>, key: &mut Vec<u32>) {
        if let Some(rest) = &task.rest {
            return key.extend_from_slice(&rest.control);
        }
        let at = task
            .at
            .map_or(0, |(at, _)| self.place(Address::of_await(at)));
        key.push(at);
        key.push(small(task.frames.len()));
        for frame in &task.frames {
            key.push(frame.proc.0);
            key.push(frame.into.map_or(0, |l| l.0 + 1));
            key.push(small(frame.control.len()));
            for control in &frame.control {
                key.push(self.place(control.address()));
            }
        }
    }

    fn place(&mut self, address: Address) -> u32 {
        let next = small(self.places.len()) + 1;
        *self.places.entry(address).or_insert(next)
    }

    /// Drops the conditions of the path that do not matter, and renumbers the variables. Returns what is known then.
    fn rename(&mut self, state: &mut State<'p>) -> StateConditions {
        let (live, known) = self.live_vars(state);
        let literals = self.without_dead(&state.path.literals, &known);
        let (tied, groups) = self.parts(&literals, &known);
        let mut new = Renaming::default();
        let mut model = Assignment::with_capacity(live.len());
        let mut next = 0;
        for &var in &live {
            self.number(var, next, &state.path, &mut new, &mut model);
            next += 1;
        }
        let mut literals = if new.is_empty() {
            tied
        } else {
            self.replace(state, |machine, term| {
                machine.terms.renamed(&[term], &mut new)[0]
            });
            self.terms.renamed(&tied, &mut new)
        };
        for literal in &mut literals {
            *literal = self.in_form(*literal);
        }
        let tied = literals.clone();
        let mut keys: Vec<(Vec<Term>, Vec<Term>, Vec<Var>)> = Vec::new();
        for (group, dead) in groups {
            let mut local = new.clone();
            for (number, &var) in (DEAD..).zip(&dead) {
                self.number(
                    var,
                    number,
                    &Path::default(),
                    &mut local,
                    &mut Assignment::default(),
                );
            }
            let mut key = self.terms.renamed(&group, &mut local);
            for literal in &mut key {
                *literal = self.in_form(*literal);
            }
            key.sort_unstable();
            keys.push((key, group, dead));
        }
        keys.sort();
        keys.dedup_by(|a, b| a.0 == b.0);
        let mut all = Vec::with_capacity(keys.len());
        for (key, group, dead) in keys {
            let mut local = new.clone();
            for &var in &dead {
                self.number(var, next, &state.path, &mut local, &mut model);
                next += 1;
            }
            literals.extend(self.terms.renamed(&group, &mut local));
            all.push(key);
        }
        state.next = next;
        state.path = self.path_of(literals, Rc::new(model));
        StateConditions { tied, groups: all }
    }

    /// Gives a variable a number; it keeps its value in the model.
    fn number(
        &mut self,
        var: Var,
        number: u32,
        path: &Path,
        new: &mut Renaming,
        model: &mut Assignment,
    ) {
        let info = self.terms.var(var);
        let leaf = Leaf {
            sort: info.sort,
            interval: info.interval,
        };
        let old = info.term;
        let value = path.model.get(&self.terms, var);
        let named = self.variable(number, leaf);
        if named != old {
            new.insert(old.index(), named);
        }
        if let Node::Var(own) = self.terms.get(named) {
            model.set(own, value);
        }
    }

    /// Returns the variables in the values of a state twice: in the order in which they are met, and sorted.
    fn live_vars(&mut self, state: &State<'p>) -> (Vec<Var>, Vec<Var>) {
        let (mut all, mut known) = (Vec::new(), Vec::new());
        let frames = state.tasks.iter().flat_map(|t| &t.frames);
        let rows = std::iter::once(&state.globals[..]).chain(frames.map(|f| &f.locals[..]));
        for &leaf in rows.flatten() {
            if self.is_one_value(leaf) {
                continue;
            }
            for &var in &*self.oracle.vars(&self.terms, leaf) {
                if let Err(place) = known.binary_search(&var) {
                    known.insert(place, var);
                    all.push(var);
                }
            }
        }
        (all, known)
    }

    /// Splits conditions into those about living variables only, and groups that share dead variables, each with these variables.
    /// Drops the groups without a living variable.
    #[allow(
        clippy::type_complexity,
        reason = "conditions, and groups with their variables"
    )]
    fn parts(
        &mut self,
        literals: &[Term],
        live: &[Var],
    ) -> (Vec<Term>, Vec<(Vec<Term>, Vec<Var>)>) {
        let mut tied = Vec::new();
        let mut groups: Vec<(Vec<Term>, Vec<Var>, bool)> = Vec::new();
        for &literal in literals {
            let vars = self.oracle.vars(&self.terms, literal);
            let dead: Vec<Var> = vars
                .iter()
                .copied()
                .filter(|v| live.binary_search(v).is_err())
                .collect();
            let lives = dead.len() < vars.len();
            if dead.is_empty() {
                tied.push(literal);
                continue;
            }
            if Mutant::TheDeadAreForgotten.is_on() {
                continue;
            }
            let mut own = (vec![literal], dead, lives);
            let meets =
                |g: &(Vec<Term>, Vec<Var>, bool), own: &[Var]| g.1.iter().any(|v| own.contains(v));
            let (same, others): (Vec<_>, Vec<_>) =
                groups.into_iter().partition(|g| meets(g, &own.1));
            groups = others;
            for (terms, vars, lives) in same {
                own.0.extend(terms);
                own.1.extend(vars);
                own.2 |= lives;
            }
            own.1.sort_unstable();
            own.1.dedup();
            groups.push(own);
        }
        let groups = groups.into_iter().filter(|g| g.2);
        (tied, groups.map(|(terms, vars, _)| (terms, vars)).collect())
    }

    /// A state as numbers.
    fn key(&mut self, state: &State<'p>, known: &StateConditions, running: Option<bool>) -> Key {
        let rests = state.tasks.iter();
        let tasks: usize = rests.map(|t| 24 + t.top().locals.len()).sum();
        let mut key = Vec::with_capacity(8 + state.globals.len() + tasks);
        key.push(running.map_or(0, |touched| 1 + u32::from(touched)));
        key.extend(state.globals.iter().map(|&t| code(t)));
        if self.numbered {
            key.push(state.posted);
        }
        if let Some(turn) = &state.turn
            && !Mutant::KeysHaveNoBudgets.is_on()
        {
            let at = |task: u32| state.tasks.iter().position(|t| t.number == task);
            turn.key(|task| at(task).map(small), &mut key);
        }
        key.push(small(state.tasks.len()));
        for task in &state.tasks {
            if self.numbered {
                key.push(task.number);
            }
            self.control_key(task, &mut key);
            for frame in &task.frames {
                key.extend(frame.locals.iter().map(|&t| code(t)));
            }
        }
        self.past_key(state, &mut key);
        let mut parts = Vec::with_capacity(known.tied.len());
        for &literal in &known.tied {
            conjuncts(&self.terms, literal, &mut parts);
        }
        let parts = parts.into_iter().filter(|&l| l != Term::TRUE);
        let mut tied: Vec<u32> = parts.map(code).collect();
        // Groups are numbered downwards from the largest number, so that their numbers stand after all codes of terms.
        for group in &known.groups {
            let group: Box<[u32]> = group.iter().map(|&t| code(t)).collect();
            let next = u32::MAX - small(self.groups.len());
            tied.push(*self.groups.entry(group).or_insert(next));
        }
        tied.sort_unstable();
        tied.dedup();
        if Mutant::KeysHaveNoPath.is_on() {
            tied.clear();
        }
        Key {
            form: key,
            known: tied.into_boxed_slice(),
        }
    }
}

/// A term as a number: its place and its sign.
fn code(term: Term) -> u32 {
    small(term.index()) << 1 | u32::from(term.negated())
}

fn small(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// A state that was followed: what was known of it, and how many turns its open loops had taken.
#[derive(Debug)]
pub(super) struct Followed {
    known: Box<[u32]>,
    /// A bit for each condition, modulo 64.
    mask: u64,
    turns: Vec<u32>,
    /// The conditions that were known.
    literals: Rc<Vec<Term>>,
}

/// How many states of a form, from the first on, a solver may compare with a new one.
const FIRST: usize = 4;

/// The most conditions that a solver is asked to derive in such a comparison.
const MOST_BEYOND: usize = 4;

impl Followed {
    pub fn new(known: Box<[u32]>, turns: Vec<u32>, literals: Rc<Vec<Term>>) -> Self {
        let mask = known.iter().fold(0, |mask, n| mask | 1 << (n % 64));
        Self {
            known,
            mask,
            turns,
            literals,
        }
    }

    /// The conditions that `other` lacks. `None` if they are too many, one is a group, or a loop of this state took more turns.
    pub fn beyond(&self, other: &Self) -> Option<Vec<Term>> {
        if !covers(&self.turns, &other.turns) {
            return None;
        }
        let mut more = Vec::new();
        for &code in &self.known {
            if other.known.binary_search(&code).is_err() {
                let literal = self.literals.iter().find(|&&l| self::code(l) == code)?;
                more.push(*literal);
            }
        }
        (more.len() <= MOST_BEYOND).then_some(more)
    }

    /// Whether this state covers another one: no more was known of it, and its loops had taken no more turns.
    pub fn covers(&self, other: &Self) -> bool {
        if Mutant::MoreIsLess.is_on() {
            return other.known.iter().all(|n| self.known.contains(n));
        }
        self.mask & !other.mask == 0
            && covers(&self.turns, &other.turns)
            && self
                .known
                .iter()
                .all(|n| other.known.binary_search(n).is_ok())
    }
}

/// Whether each number of turns in `known` is at most its counterpart in `turns`: there is one for each loop.
pub(super) fn covers(known: &[u32], turns: &[u32]) -> bool {
    known.len() == turns.len() && known.iter().zip(turns).all(|(k, t)| k <= t)
}
