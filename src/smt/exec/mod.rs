//! Symbolic execution of a sequential program, unrolled as it goes.
//!
//! Each statement is executed once for every *state* that reaches it. States that meet are merged into one, so the work does not
//! grow with the number of paths. A branch that is known not to be taken is not entered. A call or a turn of a loop that cannot
//! happen is not expanded.
//!
//! What an execution must fulfil (`assume`) is collected in one constraint, apart from path conditions: a task that blocks says
//! nothing about what its poster computes.
//!
//! **States are kept apart** by the numbers of a few variables: the hidden globals that index a hidden array. A sequentialized
//! program has one, the round of the running task. All that it does with the round is to take a state out of `Gbar` and to put
//! one back. So statements are executed once for each round, with the round a constant: then a task's effect on a round depends
//! on that round only. With a symbolic round, every value would be a choice between all rounds, and the state in which a round
//! starts would seem to depend on itself. See `bench/RESULTS.md` for what this saves.

mod call;
mod choose;
mod control;
mod expr;
mod place;

use std::rc::Rc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use base::clock::Instant;
use base::source::Span;
use ir::{
    ChoiceKind, ErrorKind, ExprId, ExprKind, GlobalId, LoopId, ProcId, Program, Stmt, StmtKind,
    TypeId, walk,
};

use super::layout::{Layouts, Rows};
use super::limit::{Bound, Place, Which, late};
use super::path::{Families, Path};
use super::state::{State, Unassigned, merge};
use super::term::{Sort, Term, Terms};

pub use self::choose::Definitions;

/// Whether a statement asks whether the engine unrolls no further.
fn is_probe(stmt: &Stmt) -> bool {
    matches!(stmt.kind, StmtKind::Havoc(_, ChoiceKind::Probe))
}

/// The leaves of a value.
pub type Leaves = SmallVec<[Term; 4]>;

/// Why the symbolic execution gave up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// A limit was hit.
    Limit(Which),
    /// The program has something that this engine cannot execute.
    Unsupported(String),
}

/// A symbolic execution that gave up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Abandoned {
    pub stop: Stop,
    /// The loop or procedure that was unrolled most.
    pub explodes: Option<Place>,
    /// How many terms there were.
    pub terms: usize,
}

/// How far to go.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// How often loops and recursion are unrolled.
    pub unroll: u32,
    /// When to give up.
    pub deadline: Instant,
    /// The most terms to make.
    pub terms: usize,
    /// The mark whose values say where an execution is cut off for want of rounds.
    pub last_round: Option<u32>,
}

/// Something that happened, if its guard holds.
#[derive(Clone, Debug)]
pub struct Event {
    pub guard: Term,
    pub what: What,
}

#[derive(Clone, Debug)]
pub enum What {
    /// A mark, with the types and leaves of its expressions.
    Mark(u32, Vec<(TypeId, Leaves)>),
    Choice(ChoiceKind, TypeId, Leaves),
}

/// A check that may fail.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The path is taken, the check fails, and everything assumed before holds.
    pub condition: Term,
    /// The kind of the check.
    pub kind: ErrorKind,
    pub text: String,
    pub span: Span,
}

/// A place where unrolling stopped.
#[derive(Clone, Debug)]
pub struct Cut {
    /// An execution reaches this place.
    pub condition: Term,
    /// The loop or procedure.
    pub span: Span,
    /// Which bound it was.
    pub bound: Bound,
    /// Whether a probe makes the execution go on to a check that fails; otherwise the execution is left out.
    pub probed: bool,
}

/// The result of symbolic execution.
#[derive(Clone, Debug)]
pub struct Unrolled {
    pub terms: Terms,
    /// All assumptions of executions that reach the end.
    pub feasible: Term,
    pub failures: Vec<Failure>,
    pub cuts: Vec<Cut>,
    /// The events, in an order that is right for each execution.
    pub events: Vec<Event>,
    /// The leaves of all globals at the end.
    pub globals: Vec<Term>,
    /// The definitions of guesses.
    pub definitions: Definitions,
    /// Truth values: where one is true, a choice among few numbers takes the least.
    pub least: Vec<Term>,
}

/// A procedure that is being executed.
struct Frame {
    proc: ProcId,
    /// The states that return, with what they return.
    returns: Vec<(State, Leaves)>,
    loops: Vec<OpenLoop>,
    /// The path of the call.
    entry: Path,
    /// How often the procedure has called itself on conditions that are not decided.
    counted: u32,
    /// Whether the procedure is unrolled no further: then its probe answers yes.
    over: bool,
    /// The number of this call; it is the same for all states that are kept apart.
    instance: usize,
}

/// A loop that is being executed.
struct OpenLoop {
    id: LoopId,
    breaks: Vec<State>,
    continues: Vec<State>,
    over: bool,
    turn: u64,
}

pub struct Exec<'p> {
    program: &'p Program,
    layouts: Layouts<'p>,
    bounds: Bounds,
    terms: Terms,
    families: Families,
    unassigned: Unassigned,
    /// Where each variable's leaves are.
    rows: Rows,
    /// The globals by which states are kept apart.
    apart: Vec<GlobalId>,
    /// Whether the program has probes: then only loops and procedures with a probe are bounded.
    probed: bool,
    frames: Vec<Frame>,
    depth: usize,
    feasible: Term,
    failures: Vec<Failure>,
    cuts: Vec<Cut>,
    events: Vec<Event>,
    definitions: Definitions,
    least: Vec<Term>,
    instances: FxHashMap<(usize, usize, u64), usize>,
    chosen: FxHashMap<(usize, usize), Term>,
    /// How many copies of the running procedure there are, because states are kept apart.
    copies: usize,
    /// How often each loop was turned, and each procedure called within itself.
    unrolled: Vec<(Place, u64)>,
}

/// How deep statements may nest at run time: what the stack of `stack::on_big_stack` holds.
const MOST_DEPTH: usize = 12_000;
/// How many states are kept apart at once, over all procedures on the stack.
const MOST_STATES: usize = 64;

/// Executes a sequential program.
///
/// # Errors
/// When a limit is hit or the program cannot be executed.
pub fn execute(program: &Program, bounds: Bounds) -> Result<Unrolled, Abandoned> {
    let mut exec = Exec::new(program, bounds).map_err(|stop| Abandoned {
        stop,
        explodes: None,
        terms: 0,
    })?;
    let states = exec.program().map_err(|stop| exec.abandoned(stop))?;
    let globals = if states.is_empty() {
        exec.initial().globals
    } else {
        exec.merge(states).globals
    };
    Ok(Unrolled {
        terms: exec.terms,
        feasible: exec.feasible,
        failures: exec.failures,
        cuts: exec.cuts,
        events: exec.events,
        globals: globals.to_vec(),
        definitions: exec.definitions,
        least: exec.least,
    })
}

impl<'p> Exec<'p> {
    fn new(program: &'p Program, bounds: Bounds) -> Result<Self, Stop> {
        let layouts = Layouts::new(&program.types).map_err(Stop::Unsupported)?;
        let mut terms = Terms::new();
        let unassigned = Unassigned::new(&mut terms);
        let rows = Rows::new(program, &layouts);
        let probed = walk::anywhere(program, is_probe);
        Ok(Self {
            program,
            layouts,
            bounds,
            terms,
            families: Families::default(),
            unassigned,
            rows,
            apart: kept_apart(program),
            probed,
            frames: Vec::new(),
            depth: 0,
            feasible: Term::TRUE,
            failures: Vec::new(),
            cuts: Vec::new(),
            events: Vec::new(),
            definitions: Definitions::default(),
            least: Vec::new(),
            instances: FxHashMap::default(),
            chosen: FxHashMap::default(),
            copies: 1,
            unrolled: Vec::new(),
        })
    }

    /// Executes everything, from the initial values to what is checked at the end.
    fn program(&mut self) -> Result<Vec<State>, Stop> {
        let program = self.program;
        let mut states = vec![self.initial()];
        for proc in [Some(program.init), Some(program.main), program.finally]
            .into_iter()
            .flatten()
        {
            let mut after = Vec::new();
            for state in states {
                let ended = self.run(state, proc, Vec::new(), 0)?;
                after.extend(ended.into_iter().map(|(state, _)| state));
            }
            states = after;
        }
        Ok(states)
    }

    fn abandoned(&self, stop: Stop) -> Abandoned {
        let most = self.unrolled.iter().rev().max_by_key(|entry| entry.1);
        Abandoned {
            stop,
            explodes: most.map(|entry| entry.0),
            terms: self.terms.len(),
        }
    }

    /// Counts one more turn of a loop, or one more call of a procedure within itself.
    fn unrolls(&mut self, span: Span, bound: Bound) {
        let place = Place { span, bound };
        match self.unrolled.iter_mut().find(|entry| entry.0 == place) {
            Some(entry) => entry.1 += 1,
            None => self.unrolled.push((place, 1)),
        }
    }

    fn initial(&mut self) -> State {
        let types: Vec<_> = self.program.globals.iter().map(|g| g.ty).collect();
        State {
            globals: Rc::new(self.unassigned(&types)),
            locals: Rc::new(Vec::new()),
            path: Path::START,
            label: Rc::new(vec![None; self.apart.len()]),
        }
    }

    /// Leaves of variables that have no values yet.
    fn unassigned(&mut self, types: &[TypeId]) -> Vec<Term> {
        let sorts: Vec<Sort> = types
            .iter()
            .flat_map(|&ty| self.layouts.leaves(ty))
            .map(|leaf| leaf.sort)
            .collect();
        sorts
            .into_iter()
            .map(|sort| self.unassigned.of(&mut self.terms, sort))
            .collect()
    }

    fn merge(&mut self, mut states: Vec<State>) -> State {
        match states.pop() {
            Some(only) if states.is_empty() => only,
            Some(last) => {
                states.push(last);
                merge(&mut self.terms, &self.families, self.unassigned, states)
            }
            None => unreachable!("somebody merges no states"),
        }
    }

    /// Merges states with equal labels. The order is that of the first of each label.
    fn join(&mut self, states: Vec<State>) -> Vec<State> {
        let mut groups: Vec<Vec<State>> = Vec::new();
        for state in states {
            match groups.iter_mut().find(|g| g[0].label == state.label) {
                Some(group) => group.push(state),
                None => groups.push(vec![state]),
            }
        }
        groups.into_iter().map(|group| self.merge(group)).collect()
    }

    /// Joins the states that a statement has made of one state, if none has escaped: together they cover the path before it.
    fn rejoin(&mut self, before: &Path, states: Vec<State>) -> Vec<State> {
        let mut states = self.join(states);
        if let [only] = &mut states[..] {
            only.path = before.clone();
            return states;
        }
        let literals: Vec<_> = states
            .iter()
            .map(|s| s.path.since(&mut self.terms, before))
            .collect();
        let parts = before.split(&mut self.terms, &mut self.families, &literals);
        for (state, part) in states.iter_mut().zip(parts) {
            state.path = part;
        }
        states
    }

    /// Leaves a state out, because none of its executions meets the constraints.
    fn kill(&mut self, state: &State) {
        state.path.kill(&mut self.families);
    }

    /// Requires a truth value on a path.
    fn require(&mut self, path: &Path, condition: Term) {
        let required = self.terms.implies(path.term(), condition);
        self.feasible = self.terms.and(self.feasible, required);
    }

    fn block(&mut self, block: &'p [Stmt], mut states: Vec<State>) -> Result<Vec<State>, Stop> {
        self.depth += 1;
        if self.depth > MOST_DEPTH {
            return Err(Stop::Limit(Which::Depth));
        }
        for stmt in block {
            if states.is_empty() {
                break;
            }
            self.tick()?;
            states = self.stmt(stmt, states)?;
        }
        self.depth -= 1;
        Ok(states)
    }

    /// Looks at the limits.
    fn tick(&self) -> Result<(), Stop> {
        if self.terms.len() > self.bounds.terms {
            return Err(Stop::Limit(Which::Memory));
        }
        late(self.bounds.deadline).map_or(Ok(()), |which| Err(Stop::Limit(which)))
    }

    fn stmt(&mut self, stmt: &'p Stmt, states: Vec<State>) -> Result<Vec<State>, Stop> {
        match &stmt.kind {
            StmtKind::Assign(place, value) => self.assign(place, *value, states),
            StmtKind::Havoc(place, kind) => self.havoc(stmt, place, *kind, states),
            StmtKind::Assume(condition) => {
                self.each(states, |exec, state| exec.assume(*condition, state))
            }
            StmtKind::Check(kind, condition, text) => self.each(states, |exec, state| {
                exec.check((*kind, text, stmt.span), *condition, state)
            }),
            StmtKind::If(condition, then, otherwise) => {
                self.branch(*condition, then, otherwise, states)
            }
            StmtKind::Loop(l) => self.enclosed(l, stmt, states),
            StmtKind::Break(id) => self.leave(*id, states, |open| &mut open.breaks),
            StmtKind::Continue(id) => self.leave(*id, states, |open| &mut open.continues),
            StmtKind::Return(value) => self.returns(*value, states),
            StmtKind::Call(to, proc, args) => self.call(stmt, *to, *proc, args, states),
            StmtKind::Mark(id, values) => self.mark(*id, values, states),
            StmtKind::Atomic(_, body) => self.block(body, states),
            StmtKind::Post(..) | StmtKind::Preempt(_) | StmtKind::Await(_) => {
                Err(Stop::Unsupported(
                    "a statement about tasks is left in the sequential program".to_owned(),
                ))
            }
        }
    }

    /// Runs a statement that moves no state elsewhere on each state.
    fn each(
        &mut self,
        states: Vec<State>,
        mut f: impl FnMut(&mut Self, State) -> Result<Option<State>, Stop>,
    ) -> Result<Vec<State>, Stop> {
        let mut after = Vec::with_capacity(states.len());
        for state in states {
            after.extend(f(self, state)?);
        }
        Ok(after)
    }

    fn check(
        &mut self,
        what: (ErrorKind, &str, Span),
        condition: ExprId,
        mut state: State,
    ) -> Result<Option<State>, Stop> {
        let condition = self.truth(condition, &state)?;
        let fails = self.terms.and(state.path.term(), !condition);
        let failure = self.terms.and(self.feasible, fails);
        if failure != Term::FALSE {
            let (kind, text, span) = what;
            self.failures.push(Failure {
                condition: failure,
                kind,
                text: text.to_owned(),
                span,
            });
        }
        self.require(&state.path, condition);
        if condition == Term::FALSE {
            self.kill(&state);
            return Ok(None);
        }
        state.path = state.path.knowing(&mut self.terms, condition);
        Ok(Some(state))
    }

    fn mark(&mut self, id: u32, values: &[ExprId], states: Vec<State>) -> Result<Vec<State>, Stop> {
        if self.bounds.last_round == Some(id) {
            for state in &states {
                self.after_last_round(values, state)?;
            }
        }
        for state in &states {
            let mut row = Vec::with_capacity(values.len());
            for &value in values {
                row.push((self.program.ty(value), self.eval(value, state)?));
            }
            self.events.push(Event {
                guard: state.path.term(),
                what: What::Mark(id, row),
            });
        }
        Ok(states)
    }

    /// Notes the executions that need another round: they are cut off.
    fn after_last_round(&mut self, values: &[ExprId], state: &State) -> Result<(), Stop> {
        for &value in values {
            let cut = self.truth(value, state)?;
            let cut = self.terms.and(state.path.term(), cut);
            let condition = self.terms.and(self.feasible, cut);
            self.cuts.push(Cut {
                condition,
                span: Span::default(),
                bound: Bound::Rounds,
                probed: false,
            });
        }
        Ok(())
    }

    fn frame(&mut self) -> &mut Frame {
        self.frames
            .last_mut()
            .expect("statements are executed in a procedure")
    }

    /// The number of a statement in its context of calls and turns of loops. It is equal for all states that are kept apart.
    fn instance(&mut self, place: usize) -> usize {
        let frame = self
            .frames
            .last()
            .expect("statements are executed in a procedure");
        let mut instance = frame.instance;
        for open in &frame.loops {
            instance = intern(
                &mut self.instances,
                (instance, usize::MAX - open.id.index(), open.turn),
            );
        }
        intern(&mut self.instances, (instance, place, 0))
    }
}

/// Returns the number of a key: keys are numbered from 1, in the order of their first use.
fn intern(known: &mut FxHashMap<(usize, usize, u64), usize>, key: (usize, usize, u64)) -> usize {
    let next = known.len() + 1;
    *known.entry(key).or_insert(next)
}

/// The hidden globals that index a hidden array somewhere.
fn kept_apart(program: &Program) -> Vec<GlobalId> {
    let hidden_array = |global: GlobalId| program.globals[global.index()].hidden;
    let index_of = |expr: ExprId| match program.expr(expr).kind {
        ExprKind::Global(global) if program.globals[global.index()].hidden => Some(global),
        _ => None,
    };
    let mut apart = Vec::new();
    for expr in &program.exprs {
        if let ExprKind::Index(array, index) = expr.kind
            && let ExprKind::Global(array) = program.expr(array).kind
            && hidden_array(array)
        {
            apart.extend(index_of(index));
        }
    }
    apart.sort_unstable();
    apart.dedup();
    apart
}
