//! Which variables are visible: several threads touch them, and one writes them after the first thread was made.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::calls::Calls;
use crate::{ExprId, ExprKind, ProcId, Program, Root, Stmt, StmtKind, walk};

/// The effects of a procedure, without those of its callees.
#[derive(Clone, Debug, Default)]
struct Own {
    /// The globals that it touches, and those that it writes.
    touched: BTreeSet<u32>,
    written: BTreeSet<u32>,
    calls: Vec<Site>,
    posts: Vec<Site>,
}

/// A call or a post, and whether it may happen more than once in a run of its procedure.
#[derive(Clone, Copy, Debug)]
struct Site {
    proc: ProcId,
    repeated: bool,
}

/// How many of the first statements of `main` run before any thread is made.
pub(super) fn alone(program: &Program) -> usize {
    let touched = Touched::by(program);
    let owns = all_owns(program, &touched);
    let posts = owns.iter().map(|own| !own.posts.is_empty());
    let posts = calls(&owns).to_callers(posts.collect());
    let makes =
        |own: &Own| !own.posts.is_empty() || own.calls.iter().any(|site| posts[site.proc.index()]);
    let body = &program.proc(program.main).body;
    let first = body
        .iter()
        .position(|stmt| makes(&own_of(std::slice::from_ref(stmt), &touched)));
    first.unwrap_or(body.len())
}

fn own_of(block: &[Stmt], touched: &Touched) -> Own {
    let mut walk = Walk {
        touched,
        own: Own::default(),
        loops: 0,
    };
    walk.block(block);
    walk.own
}

fn all_owns(program: &Program, touched: &Touched) -> Vec<Own> {
    let procs = program.procs.iter();
    procs.map(|proc| own_of(&proc.body, touched)).collect()
}

/// By global: whether it is visible. Other threads may run beside the statements `threads` of `main`.
pub(super) fn visible(program: &Program, threads: Range<usize>) -> Vec<bool> {
    let globals = program.globals.len();
    let touched = Touched::by(program);
    let mut owns = all_owns(program, &touched);
    // By global: how many threads touch it. A procedure that several threads run counts as two.
    let mut touching = vec![0_u32; globals];
    let mut written = vec![false; globals];
    let roots = roots(program, &owns);
    let late = &program.proc(program.main).body[threads];
    owns[program.main.index()] = own_of(late, &touched);
    let calls = calls(&owns);
    for (root, times) in roots {
        let mut runs = vec![false; owns.len()];
        runs[root.index()] = true;
        let runs = calls.to_callees(runs);
        let mut touched: BTreeSet<u32> = BTreeSet::new();
        for (own, _) in owns.iter().zip(runs).filter(|(_, runs)| *runs) {
            touched.extend(&own.touched);
            for &global in &own.written {
                written[global as usize] = true;
            }
        }
        for global in touched {
            touching[global as usize] += times;
        }
    }
    (0..globals)
        .map(|g| written[g] && touching[g] > 1)
        .collect()
}

/// The procedures of threads, and how many threads run each: 1, or 2 for more.
fn roots(program: &Program, owns: &[Own]) -> Vec<(ProcId, u32)> {
    let mut sites: Vec<Vec<(usize, Site)>> = vec![Vec::new(); owns.len()];
    let mut posted = vec![false; owns.len()];
    for (by, own) in owns.iter().enumerate() {
        for &site in &own.posts {
            posted[site.proc.index()] = true;
        }
        for &site in own.calls.iter().chain(&own.posts) {
            sites[site.proc.index()].push((by, site));
        }
    }
    let mut all = vec![(program.main, 1)];
    for (index, _) in posted.iter().enumerate().filter(|(_, p)| **p) {
        let once = runs_once(program.main.index(), &sites, index, 0);
        let id = ProcId::from_index(index);
        all.push((id, if once { 1 } else { 2 }));
    }
    all
}

/// Whether a procedure runs at most once in an execution.
fn runs_once(main: usize, sites: &[Vec<(usize, Site)>], proc: usize, depth: u32) -> bool {
    match sites[proc].as_slice() {
        [] => proc == main,
        &[(by, site)] => {
            !site.repeated && depth < 64 && proc != main && runs_once(main, sites, by, depth + 1)
        }
        _ => false,
    }
}

fn calls(owns: &[Own]) -> Calls {
    let called = |own: &Own| own.calls.iter().map(|site| site.proc).collect();
    Calls::known(owns.iter().map(called).collect())
}

/// The globals that each expression reads, one list behind the other.
struct Touched {
    globals: Vec<u32>,
    /// By expression: where its list ends.
    ends: Vec<usize>,
}

impl Touched {
    /// Collects the globals of each expression from its parts: a part's id is less than that of the whole.
    fn by(program: &Program) -> Self {
        let mut touched = Self {
            globals: Vec::new(),
            ends: Vec::with_capacity(program.exprs.len()),
        };
        let mut own: Vec<u32> = Vec::new();
        for expr in &program.exprs {
            own.clear();
            if let ExprKind::Global(global) = expr.kind {
                own.push(global.0);
            }
            for part in walk::operands(expr) {
                own.extend(touched.of(part));
            }
            own.sort_unstable();
            own.dedup();
            touched.globals.extend(&own);
            touched.ends.push(touched.globals.len());
        }
        touched
    }

    /// The globals that an expression reads; none if the expression was added later.
    fn of(&self, e: ExprId) -> &[u32] {
        let end = |index: usize| self.ends.get(index).copied().unwrap_or(self.globals.len());
        let start = e.index().checked_sub(1).map_or(0, end);
        &self.globals[start..end(e.index())]
    }
}

struct Walk<'a> {
    touched: &'a Touched,
    own: Own,
    loops: u32,
}

impl Walk<'_> {
    fn site(&self, proc: ProcId) -> Site {
        Site {
            proc,
            repeated: self.loops > 0,
        }
    }

    fn block(&mut self, block: &[Stmt]) {
        for stmt in block {
            self.statement(stmt);
        }
    }

    fn statement(&mut self, stmt: &Stmt) {
        for e in walk::exprs(stmt) {
            self.own.touched.extend(self.touched.of(e));
        }
        if let Some(Root::Global(g)) = walk::written(stmt).map(|place| place.root) {
            self.own.touched.insert(g.0);
            self.own.written.insert(g.0);
        }
        match stmt.kind {
            StmtKind::Call(_, proc, _) => self.own.calls.push(self.site(proc)),
            StmtKind::Post(_, proc, _) => self.own.posts.push(self.site(proc)),
            _ => {}
        }
        let turns = u32::from(matches!(stmt.kind, StmtKind::Loop(_)));
        self.loops += turns;
        for block in walk::children(stmt) {
            self.block(block);
        }
        self.loops -= turns;
    }
}
