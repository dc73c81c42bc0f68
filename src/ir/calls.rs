//! Which procedures call which.

use std::collections::BTreeSet;

use super::program::{GlobalId, ProcId, Program, Root, StmtKind};
use super::walk;

/// The calls between procedures.
pub struct Calls {
    /// Indexed by procedure: the procedures that it calls, one entry for each call.
    callees: Vec<Vec<ProcId>>,
}

impl Calls {
    /// The calls of a program.
    pub fn of(program: &Program) -> Self {
        Self::found(program, false)
    }

    /// The calls of a program, where a post counts as a call.
    pub fn and_posts(program: &Program) -> Self {
        Self::found(program, true)
    }

    /// Builds the calls from a table: by procedure, the procedures that it calls.
    pub fn known(callees: Vec<Vec<ProcId>>) -> Self {
        Self { callees }
    }

    fn found(program: &Program, posts: bool) -> Self {
        let callees = program.procs.iter().map(|proc| {
            let mut found = Vec::new();
            walk::each(&proc.body, &mut |stmt| match stmt.kind {
                StmtKind::Call(_, callee, _) => found.push(callee),
                StmtKind::Post(_, callee, _) if posts => found.push(callee),
                _ => {}
            });
            found
        });
        Self {
            callees: callees.collect(),
        }
    }

    /// By procedure: its callers.
    pub fn callers(&self) -> Vec<BTreeSet<usize>> {
        let mut callers = vec![BTreeSet::new(); self.callees.len()];
        for (caller, callees) in self.callees.iter().enumerate() {
            for callee in callees {
                callers[callee.index()].insert(caller);
            }
        }
        callers
    }

    /// Adds to the set of each procedure the sets of all procedures that it calls, directly or through others.
    pub fn united<T: Ord + Clone>(&self, mut sets: Vec<BTreeSet<T>>) -> Vec<BTreeSet<T>> {
        let callers = self.callers();
        let mut open: BTreeSet<usize> = (0..sets.len()).filter(|&p| !sets[p].is_empty()).collect();
        while let Some(proc) = open.pop_first() {
            for &caller in &callers[proc] {
                let more: Vec<T> = sets[proc].difference(&sets[caller]).cloned().collect();
                if !more.is_empty() {
                    sets[caller].extend(more);
                    open.insert(caller);
                }
            }
        }
        sets
    }

    /// By procedure: the globals that it may write, itself or in those that it calls.
    pub fn written(&self, program: &Program) -> Vec<BTreeSet<GlobalId>> {
        let own = program.procs.iter().map(|proc| {
            let mut own = BTreeSet::new();
            walk::each(&proc.body, &mut |stmt| {
                if let Some(Root::Global(global)) = walk::written(stmt).map(|place| place.root) {
                    own.insert(global);
                }
            });
            own
        });
        self.united(own.collect())
    }

    /// Spreads a property to all procedures that call one with it, directly or through others.
    pub fn to_callers(&self, mut has: Vec<bool>) -> Vec<bool> {
        let callers = self.callers();
        let mut work: Vec<usize> = (0..has.len()).filter(|&p| has[p]).collect();
        while let Some(proc) = work.pop() {
            for &caller in &callers[proc] {
                if !std::mem::replace(&mut has[caller], true) {
                    work.push(caller);
                }
            }
        }
        has
    }

    /// Spreads a property to all procedures that one with it calls, directly or through others.
    pub fn to_callees(&self, mut has: Vec<bool>) -> Vec<bool> {
        let mut work: Vec<usize> = (0..has.len()).filter(|&p| has[p]).collect();
        while let Some(proc) = work.pop() {
            for callee in &self.callees[proc] {
                if !std::mem::replace(&mut has[callee.index()], true) {
                    work.push(callee.index());
                }
            }
        }
        has
    }

    /// The procedures that may call themselves, directly or through others.
    pub fn recursive(&self) -> Vec<bool> {
        let one = |start: usize| {
            let mut begun = vec![false; self.callees.len()];
            for callee in &self.callees[start] {
                begun[callee.index()] = true;
            }
            self.to_callees(begun)[start]
        };
        (0..self.callees.len()).map(one).collect()
    }
}
