//! Which operations of objects are known to commute, and on which variables: what was declared and proved.
//!
//! A step that begins with an operation goes on to the next preemption point. If two operations commute, that says
//! something only about the objects' state in these steps, and only if nothing else in the steps touches that state.
//! Operations that are always enabled can also stand in atomic code, behind the operation with which the step begins.

use rustc_hash::{FxHashMap, FxHashSet};

use ir::{
    Await, AwaitKind, Block, DeclaredKind, ExprId, ExprKind, GlobalId, OpId, ProcId, Program, Root,
    Stmt, StmtKind, walk,
};

/// Operations are numbered from 1 to this.
const MOST: u32 = 63;

/// Operations that commute with others whenever both are enabled.
#[derive(Debug, Default)]
pub struct Commuting {
    /// By operation: its number, and a mask of the numbers with which it commutes.
    ops: FxHashMap<OpId, (u32, u64)>,
    /// By global: whether it is an object's state that only operations touch.
    own: Vec<bool>,
}

impl Commuting {
    /// The commuting operations of a program. A declaration with a condition is not used: whether it holds depends on the state.
    pub fn of(program: &Program) -> Self {
        let usable = |d: &&ir::Declared| {
            d.proved && d.kind == DeclaredKind::Independent && d.condition.is_none()
        };
        let mut this = Self::default();
        let mut state = Vec::new();
        for claim in program.declared.iter().filter(usable) {
            for &(a, b) in &claim.applies {
                this.add(a, b);
            }
            state.extend(claim.applies.iter().map(|(a, _)| program.object_of(*a)));
        }
        if this.ops.is_empty() {
            return this;
        }
        let touched = touched_outside(program);
        let own = (0..).map(GlobalId).zip(touched).map(|(global, touched)| {
            let mut objects = state.iter();
            !touched && objects.any(|o| program.is_state_of(global, *o))
        });
        this.own = own.collect();
        this
    }

    fn number(&mut self, op: OpId) -> Option<u32> {
        let next = u32::try_from(self.ops.len() + 1).ok();
        let next = next.filter(|n| *n <= MOST);
        match (self.ops.get(&op), next) {
            (Some(&(number, _)), _) => Some(number),
            (None, Some(next)) => {
                self.ops.insert(op, (next, 0));
                Some(next)
            }
            (None, None) => None,
        }
    }

    fn add(&mut self, a: OpId, b: OpId) {
        let (Some(one), Some(other)) = (self.number(a), self.number(b)) else {
            return;
        };
        for (op, with) in [(a, other), (b, one)] {
            if let Some((_, commutes)) = self.ops.get_mut(&op) {
                *commutes |= 1 << with;
            }
        }
    }

    /// An operation's number and those with which it commutes; zeros if nothing is known.
    pub fn of_op(&self, op: OpId) -> (u32, u64) {
        self.ops.get(&op).copied().unwrap_or_default()
    }

    /// Whether some global is an object's state that only operations touch.
    pub fn owns(&self) -> bool {
        !self.own.is_empty()
    }

    /// Whether a global is an object's state that only operations touch.
    pub fn is_own(&self, global: u32) -> bool {
        self.own.get(global as usize).copied().unwrap_or(false)
    }
}

/// The globals that are touched elsewhere than in operations with which a step begins.
fn touched_outside(program: &Program) -> Vec<bool> {
    let mut outside = Outside {
        program,
        touched: vec![false; program.globals.len()],
        exprs: FxHashSet::default(),
        procs: FxHashSet::default(),
        work: Vec::new(),
    };
    outside.visit(program.main);
    // Visits each procedure that is posted, whichever procedure posts it.
    for proc in &program.procs {
        outside.posted(&proc.body);
    }
    while let Some(proc) = outside.work.pop() {
        outside.block(&program.proc(proc).body);
    }
    outside.touched
}

/// A walk over everything that tasks do, operations left out.
struct Outside<'p> {
    program: &'p Program,
    touched: Vec<bool>,
    exprs: FxHashSet<ExprId>,
    procs: FxHashSet<ProcId>,
    work: Vec<ProcId>,
}

impl Outside<'_> {
    fn visit(&mut self, proc: ProcId) {
        if self.procs.insert(proc) {
            self.work.push(proc);
        }
    }

    fn posted(&mut self, block: &Block) {
        walk::each(block, &mut |stmt| {
            if let StmtKind::Post(_, proc, _) = stmt.kind {
                self.visit(proc);
            }
        });
    }

    fn block(&mut self, block: &Block) {
        for stmt in block {
            if !is_operation(&stmt.kind) {
                self.looks(stmt);
                for inner in walk::children(stmt) {
                    self.block(inner);
                }
            }
        }
    }

    /// What a statement itself touches.
    fn looks(&mut self, stmt: &Stmt) {
        if let Some(Root::Global(global)) = walk::written(stmt).map(|place| place.root) {
            self.touched[global.index()] = true;
        }
        if let StmtKind::Call(_, proc, _) | StmtKind::Post(_, proc, _) = stmt.kind {
            self.visit(proc);
        }
        for expr in walk::exprs(stmt) {
            self.expr(expr);
        }
    }

    fn expr(&mut self, expr: ExprId) {
        if !self.exprs.insert(expr) {
            return;
        }
        let expr = self.program.expr(expr);
        if let ExprKind::Global(global) = expr.kind {
            self.touched[global.index()] = true;
        }
        for part in walk::operands(expr) {
            self.expr(part);
        }
    }
}

fn is_operation(stmt: &StmtKind) -> bool {
    let op = |at: &Await| matches!(at.kind, AwaitKind::Op(_) | AwaitKind::Enqueue(_));
    matches!(stmt, StmtKind::Await(at) if op(at))
}
