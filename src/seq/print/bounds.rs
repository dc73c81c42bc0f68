//! How often loops turn in Boogie.
//!
//! Boogie unrolls all loops to one bound, and counts the turns of a loop inside another (or in a procedure that is called
//! there) together with those of the outer one. So a loop around others is set apart: as a procedure that calls itself, it has a
//! bound of its own.

use rustc_hash::FxHashMap;

use ir::calls::Calls;
use ir::turns::Turns;
use ir::{LoopId, Proc, ProcId, Program, Stmt, StmtKind};

use super::super::walk;

/// How deeply Boogie unrolls.
pub struct Bounds {
    /// The depth of recursion.
    pub recursion: u32,
    /// How often the loops turn that become no procedures; `None` if there are none.
    pub turns: Option<u64>,
    /// For each loop around others: how often the procedure that it becomes is inlined.
    pub apart: FxHashMap<(ProcId, LoopId), u64>,
    /// How often the loops in `apart` turn at most.
    most_apart: u64,
}

impl Bounds {
    /// `unroll` bounds recursion, and loops whose number of turns is not known.
    pub fn of(program: &Program, unroll: u32) -> Self {
        let is_loop = |stmt: &Stmt| matches!(stmt.kind, StmtKind::Loop(_));
        let own = program.procs.iter().map(|p| walk::any(&p.body, is_loop));
        let calls = Calls::of(program);
        let mut bounds = Bounded {
            loops: calls.to_callers(own.collect()),
            recursive: calls.recursive(),
            bounds: Self {
                recursion: unroll,
                turns: None,
                apart: FxHashMap::default(),
                most_apart: 0,
            },
        };
        let start = [program.main, program.init];
        let start = (0..program.procs.len()).map(|p| start.iter().any(|s| s.index() == p));
        let called = calls.to_callees(start.collect());
        for (index, proc) in program.procs.iter().enumerate().filter(|(i, _)| called[*i]) {
            bounds.proc(program, ProcId::from_index(index), proc);
        }
        bounds.bounds
    }

    /// Says in words how far Boogie looks.
    pub fn sentence(&self) -> String {
        let depth = self.recursion;
        let loops = match self.turns.unwrap_or(0).max(self.most_apart) {
            0 => String::new(),
            turns => format!("Each loop turns at most {turns} times. "),
        };
        format!(
            "{loops}Recursion and chains of tasks go {depth} deep. What goes further is cut off."
        )
    }
}

struct Bounded {
    /// By procedure: it has a loop, or calls one that has.
    loops: Vec<bool>,
    recursive: Vec<bool>,
    bounds: Bounds,
}

impl Bounded {
    fn proc(&mut self, program: &Program, id: ProcId, proc: &Proc) {
        let turns = Turns::new(program, proc);
        walk::each(&proc.body, &mut |stmt| {
            let StmtKind::Loop(l) = &stmt.kind else {
                return;
            };
            let unroll = u64::from(self.bounds.recursion);
            let known = turns.of(l.id);
            let turns = known.unwrap_or(unroll);
            if walk::children(stmt).any(|block| walk::any(block, |s| self.has_loop(s))) {
                // All frames of a recursion share one bound. It must not cut off a loop that ends by itself, in any frame.
                let frames = match known {
                    Some(_) if self.recursive[id.index()] => unroll.max(1),
                    _ => 1,
                };
                let depth = (turns + 1).saturating_mul(frames);
                self.bounds.apart.insert((id, l.id), depth);
                self.bounds.most_apart = self.bounds.most_apart.max(turns);
            } else {
                self.bounds.turns = self.bounds.turns.max(Some(turns));
            }
        });
    }

    fn has_loop(&self, stmt: &Stmt) -> bool {
        match stmt.kind {
            StmtKind::Call(_, proc, _) => self.loops[proc.index()],
            _ => matches!(stmt.kind, StmtKind::Loop(_)),
        }
    }
}
