//! All that runs of segments need: the program, its terms, the oracle that decides conditions.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use base::source::Span;
use ir::{
    BinaryOp, ExprId, ExprKind, Loop, PreemptKind, ProcId, Program, StmtKind, Type, TypeId, walk,
};
use machine::code::Reached;
use machine::limits::Halt;
use options::{ExploreOptions, Sought, Strategy};
use smt::exec::{Leaves, Stop as NoTerm};
use smt::expr::Eval;
use smt::layout::{Elements, Layouts, Leaf, Rows};
use smt::term::{Interval, Sort, Term, Terms};

use super::canon::Key;
use super::live::Lives;
use super::mutants::Mutant;
use super::needed::Needed;
use super::oracle::Oracle;
use super::path::Path;
use super::races::Orders;
use super::run::Run;
use super::state::{Address, Frame, Outlook, State, Task, View};
use super::turn::Turn;

/// A program whose values may be terms.
pub(super) struct Machine<'p> {
    pub program: &'p Program,
    pub layouts: Layouts<'p>,
    pub rows: Rows,
    pub terms: Terms,
    pub oracle: Oracle,
    pub lives: Lives<'p>,
    /// Which globals may still be read; `None` if all matter, because final states are asked for.
    pub needed: Option<Needed<'p>>,
    pub looks: Looks,
    pub halt: Halt,
    /// How often a loop or a recursion may go on while its condition is open.
    pub turns: u32,
    /// Whether there are implicit preemption points: they interrupt a segment only after it did something visible.
    pub interrupts: bool,
    /// Whether tasks can be told apart by their handles.
    pub numbered: bool,
    /// Which accesses order tasks, if races are looked for.
    pub orders: Option<Orders>,
    /// Whether known conditions simplify values. The reduction switches this off: it has to be told of each use of a condition.
    pub knows: bool,
    /// The scheduler's object at the start; none if every task may run.
    turn: Option<Turn>,
    /// Whether the landmarks that executions reach are noted.
    pub covers: bool,
    /// The landmarks that executions have reached: what is there, where it is, and in which procedure.
    pub reached: FxHashSet<(Reached, Span, u32)>,
    /// The variables by number and kind.
    variables: FxHashMap<(u32, Sort, Interval), Term>,
    /// The number of each place in the program.
    pub places: FxHashMap<Address, u32>,
    /// The outlooks from the places where tasks rest, by the place as numbers.
    pub rests: FxHashMap<Box<[u32]>, Rc<Outlook>>,
    /// The number of each group of conditions.
    pub groups: FxHashMap<Box<[u32]>, u32>,
    /// Maps with their stores in order.
    pub ordered: FxHashMap<Term, Term>,
    /// Comparisons in their one form.
    pub formed: FxHashMap<Term, Term>,
    /// For each form that the running segment had at the head of a loop, the turns of open loops taken there.
    pub met: FxHashMap<Key, Vec<Vec<u32>>>,
    empty: Option<Rc<[Term]>>,
    blanks: FxHashMap<ProcId, Rc<[Term]>>,
    spans: FxHashMap<usize, Span>,
}

/// Which expressions look at globals.
pub(super) struct Looks {
    may: Vec<bool>,
    must: Vec<bool>,
    /// Which expressions ask whether a task has ended.
    joins: Vec<bool>,
}

impl Looks {
    fn new(program: &Program) -> Self {
        let mut looks = Self {
            may: Vec::with_capacity(program.exprs.len()),
            must: Vec::with_capacity(program.exprs.len()),
            joins: Vec::with_capacity(program.exprs.len()),
        };
        // An operand's id is less than that of the whole.
        for expr in &program.exprs {
            let operands = walk::operands(expr);
            let global = matches!(expr.kind, ExprKind::Global(_));
            let may = global || operands.iter().any(|o| looks.may[o.index()]);
            let computed = match expr.kind {
                ExprKind::Binary(BinaryOp::And | BinaryOp::Or | BinaryOp::Implies, a, _)
                | ExprKind::Ite(a, _, _) => &[a][..],
                _ => &operands[..],
            };
            let must = global || computed.iter().any(|o| looks.must[o.index()]);
            let joins = matches!(expr.kind, ExprKind::Finished(_))
                || operands.iter().any(|o| looks.joins[o.index()]);
            looks.joins.push(joins);
            looks.may.push(may);
            looks.must.push(must);
        }
        looks
    }

    /// Whether an expression may look at a global.
    pub fn may(&self, e: ExprId) -> bool {
        self.may[e.index()]
    }

    /// Whether an expression may see that a task has ended.
    pub fn joins(&self, e: ExprId) -> bool {
        self.joins[e.index()]
    }

    /// Whether an expression always looks at a global.
    pub fn must(&self, e: ExprId) -> bool {
        self.must[e.index()]
    }
}

impl<'p> Machine<'p> {
    /// A machine for a program.
    ///
    /// # Errors
    /// When a type is too large, with the reason.
    pub fn new(program: &'p Program, options: &ExploreOptions, turns: u32) -> Result<Self, String> {
        let layouts = Layouts::new(&program.types)?;
        let rows = Rows::new(program, &layouts);
        Ok(Self {
            program,
            layouts,
            rows,
            terms: Terms::new(),
            oracle: Oracle::new(&options.limits, options.work.is_none()),
            lives: Lives::new(program),
            needed: (!options.finals).then(|| Needed::new(program)),
            looks: Looks::new(program),
            halt: Halt::new(&options.limits, options.work),
            turns,
            interrupts: is_interrupted(program),
            numbered: tells_tasks_apart(program),
            orders: (options.sought == Sought::Races).then(|| Orders::new(program)),
            knows: options.strategy != Strategy::Dpor || Mutant::ChoicesCommute.is_on(),
            turn: Turn::new(options),
            covers: options.coverage,
            reached: FxHashSet::default(),
            variables: FxHashMap::default(),
            places: FxHashMap::default(),
            rests: FxHashMap::default(),
            groups: FxHashMap::default(),
            ordered: FxHashMap::default(),
            formed: FxHashMap::default(),
            met: FxHashMap::default(),
            empty: None,
            blanks: FxHashMap::default(),
            spans: FxHashMap::default(),
        })
    }

    /// The run that begins with the initial values and goes on with the first task's first segment.
    pub fn start(&mut self) -> Run<'p> {
        let globals = self.blank_globals().to_vec();
        let frame = |machine: &mut Self, proc| {
            let locals = machine.blank_locals(proc).to_vec();
            Frame::new(machine.program, proc, locals, None)
        };
        let main = frame(self, self.program.main);
        let init = frame(self, self.program.init);
        let mut task = Task::new(1, Rc::new([]), main);
        task.frames.push(init);
        let state = State {
            globals: Rc::new(globals),
            tasks: Vec::new(),
            posted: 1,
            path: Path::default(),
            turn: self.turn.clone(),
            next: 0,
            inputs: 0,
            past: Rc::default(),
        };
        let mut run = Run::new(state, task);
        run.begins = true;
        run
    }

    /// The run of a pending task.
    pub fn dispatch(state: &State<'p>, position: usize) -> Run<'p> {
        let mut state = state.clone();
        let task = state.tasks.remove(position);
        if let Some(turn) = &mut state.turn {
            turn.run(task.number);
        }
        Run::new(state, Task::clone(&task))
    }

    /// The run of the `finally` part.
    pub fn finish(&mut self, state: &State<'p>) -> Option<Run<'p>> {
        let finally = self.program.finally?;
        let locals = self.blank_locals(finally).to_vec();
        let frame = Frame::new(self.program, finally, locals, None);
        let task = Task::new(0, Rc::new([]), frame);
        Some(Run::new(state.clone(), task))
    }

    /// Returns an evaluator for a task's expressions in a state; `runs` if the task is the one that runs.
    pub fn eval<'a>(
        &'a mut self,
        state: &'a State<'p>,
        task: &'a Task<'p>,
        runs: bool,
    ) -> Eval<'a, 'p, View<'a, 'p>> {
        Eval {
            program: self.program,
            layouts: &self.layouts,
            terms: &mut self.terms,
            scope: View {
                rows: &self.rows,
                state,
                frame: task.top(),
                me: task.number,
                running: if runs { task.number } else { 0 },
                knows: self.knows,
            },
        }
    }

    /// The condition under which a pending task is blocked: every check of its await holds and the condition does not.
    pub fn blocked(&mut self, state: &State<'p>, position: usize) -> Result<Term, (String, Span)> {
        let task = &state.tasks[position];
        let Some((at, span)) = task.at else {
            return Ok(Term::FALSE);
        };
        let mut truth = |e: ExprId, span: Span| {
            self.eval(state, task, false)
                .truth(e)
                .map_err(|stop| match stop {
                    NoTerm::Unsupported(reason) => (reason, span),
                    NoTerm::Limit(_) => {
                        ("a condition is too large for this engine".to_owned(), span)
                    }
                })
        };
        let mut all = Vec::new();
        for check in &at.checks {
            if let StmtKind::Check(_, cond, _) = &check.kind {
                all.push(truth(*cond, check.span)?);
            }
        }
        all.push(!truth(at.cond, span)?);
        Ok(self.terms.all(all))
    }

    /// The variable with a number.
    pub fn variable(&mut self, number: u32, leaf: Leaf) -> Term {
        let terms = &mut self.terms;
        let key = (number, leaf.sort, leaf.interval);
        *(self.variables.entry(key))
            .or_insert_with(|| terms.fresh(format!("v{number}"), leaf.sort, leaf.interval))
    }

    /// Returns any value of a type, with variables of its own. The leaves of tasks are 0, because a program cannot choose a task.
    pub fn any(&mut self, next: &mut u32, ty: TypeId) -> Leaves {
        let tasks = self.task_leaves(ty);
        let leaves = self.layouts.leaves(ty).to_vec();
        let mut value = Leaves::new();
        for (leaf, task) in leaves.into_iter().zip(tasks) {
            value.push(if task {
                self.nothing(leaf.sort)
            } else {
                *next += u32::from(!Mutant::NamesComeAgain.is_on());
                self.variable(next.saturating_sub(1), leaf)
            });
        }
        value
    }

    /// Which leaves of a type hold tasks.
    fn task_leaves(&self, ty: TypeId) -> Vec<bool> {
        match self.layouts.ty(ty) {
            Type::Task => vec![true],
            Type::Record(record) => (record.fields.iter())
                .flat_map(|f| self.task_leaves(f.1))
                .collect(),
            Type::Array(..) | Type::Map(..) => {
                let (elements, element) = self.layouts.elements(ty);
                let one = self.task_leaves(element);
                match elements {
                    Elements::Spread { len, .. } => one.repeat(len),
                    Elements::Folded => one,
                }
            }
            _ => vec![false],
        }
    }

    /// Returns the value for a leaf that is never read.
    pub fn nothing(&mut self, sort: Sort) -> Term {
        match sort {
            Sort::Bool => Term::FALSE,
            Sort::Int => self.terms.int(0),
            Sort::Map { .. } => {
                let element = self.nothing(sort.element());
                self.terms.fill(element)
            }
        }
    }

    fn blank(&mut self, ty: TypeId) -> Vec<Term> {
        let sorts: Vec<Sort> = self.layouts.leaves(ty).iter().map(|l| l.sort).collect();
        sorts.into_iter().map(|s| self.nothing(s)).collect()
    }

    /// Returns the globals, each with the value that stands for nothing.
    pub fn blank_globals(&mut self) -> Rc<[Term]> {
        if let Some(known) = &self.empty {
            return known.clone();
        }
        let mut blank = Vec::new();
        for global in &self.program.globals {
            blank.extend(self.blank(global.ty));
        }
        let blank: Rc<[Term]> = blank.into();
        self.empty = Some(blank.clone());
        blank
    }

    /// The locals of a fresh frame.
    pub fn blank_locals(&mut self, proc: ProcId) -> Rc<[Term]> {
        if let Some(known) = self.blanks.get(&proc) {
            return known.clone();
        }
        let mut blank = Vec::new();
        for local in &self.program.proc(proc).locals {
            blank.extend(self.blank(local.ty));
        }
        let blank: Rc<[Term]> = blank.into();
        self.blanks.insert(proc, blank.clone());
        blank
    }

    /// Where a loop stands.
    pub fn loop_span(&mut self, proc: ProcId, l: &Loop) -> Span {
        let proc = self.program.proc(proc);
        let place = std::ptr::from_ref(l) as usize;
        *self
            .spans
            .entry(place)
            .or_insert_with(|| walk::loop_span(&proc.body, l.id).unwrap_or(proc.span))
    }
}

/// Whether a program has implicit preemption points.
fn is_interrupted(program: &Program) -> bool {
    walk::anywhere(program, |s| {
        matches!(s.kind, StmtKind::Preempt(PreemptKind::Implicit))
    })
}

/// Whether a program can tell one task from another.
fn tells_tasks_apart(program: &Program) -> bool {
    let handles = |e: &ir::Expr| matches!(e.kind, ExprKind::SelfTask | ExprKind::Finished(_));
    program.exprs.iter().any(handles)
        || walk::anywhere(program, |s| matches!(s.kind, StmtKind::Post(Some(_), ..)))
}
