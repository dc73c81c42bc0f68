//! Calls.

use std::rc::Rc;

use ir::{ExprId, LocalId, ProcId, Stmt, TypeId};

use super::{Bound, Cut, Exec, Frame, Leaves, State, Stop};
use crate::term::Term;

/// How often a procedure may be active within itself without being counted, if all conditions on the way are decided.
const FREE_CALLS: usize = 2000;

impl<'p> Exec<'p> {
    pub(super) fn call(
        &mut self,
        stmt: &'p Stmt,
        to: Option<LocalId>,
        proc: ProcId,
        args: &[ExprId],
        states: Vec<State>,
    ) -> Result<Vec<State>, Stop> {
        let place = std::ptr::from_ref(stmt) as usize;
        let instance = self.instance(place);
        let mut after = Vec::with_capacity(states.len());
        let several = states.len();
        self.copies *= several;
        for state in states {
            let mut row = Vec::with_capacity(args.len());
            for &arg in args {
                row.extend(self.eval(arg, &state)?);
            }
            let (caller, before) = (state.locals.clone(), state.path.clone());
            let returned = self.run(state, proc, row, instance)?;
            if returned.is_empty() {
                continue;
            }
            let mut back = Vec::with_capacity(returned.len());
            for (mut state, value) in returned {
                state.locals = caller.clone();
                if let Some(to) = to {
                    self.set_local(&mut state, to, &value);
                }
                back.push(state);
            }
            after.extend(self.rejoin(&before, back));
        }
        self.copies /= several;
        Ok(self.join(after))
    }

    fn set_local(&mut self, state: &mut State, local: LocalId, value: &[Term]) {
        let proc = self.frame().proc;
        let at = self.rows.local(proc, local);
        Rc::make_mut(&mut state.locals)[at].copy_from_slice(value);
    }

    /// Runs a procedure on one state. Returns one state for each label, with the value that the procedure returns.
    pub(super) fn run(
        &mut self,
        mut state: State,
        proc: ProcId,
        mut locals: Vec<Term>,
        instance: usize,
    ) -> Result<Vec<(State, Leaves)>, Stop> {
        let program = self.program;
        let callee = program.proc(proc);
        let Some((counted, over)) = self.recursion(proc, &state)? else {
            return Ok(Vec::new());
        };
        let others: Vec<TypeId> = callee.locals[callee.params as usize..]
            .iter()
            .map(|l| l.ty)
            .collect();
        locals.extend(self.unassigned(&others));
        state.locals = Rc::new(locals);
        let entry = state.path.clone();
        self.frames.push(Frame {
            proc,
            returns: Vec::new(),
            loops: Vec::new(),
            entry,
            counted,
            over,
            instance,
        });
        let ended = self.block(&callee.body, vec![state])?;
        let frame = self.frames.pop().expect("the frame that was pushed");
        let mut returned = frame.returns;
        returned.extend(ended.into_iter().map(|state| (state, Leaves::new())));
        Ok(self.meet_returned(returned))
    }

    /// Merges returning states that have equal labels.
    fn meet_returned(&mut self, returned: Vec<(State, Leaves)>) -> Vec<(State, Leaves)> {
        let mut groups: Vec<Vec<(State, Leaves)>> = Vec::new();
        for (state, value) in returned {
            match groups.iter_mut().find(|g| g[0].0.label == state.label) {
                Some(group) => group.push((state, value)),
                None => groups.push(vec![(state, value)]),
            }
        }
        groups
            .into_iter()
            .map(|group| self.meet_group(group))
            .collect()
    }

    fn meet_group(&mut self, mut group: Vec<(State, Leaves)>) -> (State, Leaves) {
        if group.len() == 1 {
            return group.pop().expect("one state");
        }
        // The procedure's locals are gone. The value that it returns takes their place in the merge.
        let mut states = Vec::with_capacity(group.len());
        for (mut state, value) in group {
            state.locals = Rc::new(value.to_vec());
            states.push(state);
        }
        let merged = self.merge(states);
        let value = Leaves::from_slice(&merged.locals);
        (merged, value)
    }

    /// How often the procedure is active in itself on undecided conditions, and whether that is beyond the bound.
    /// `None` if the call is left out.
    fn recursion(&mut self, proc: ProcId, state: &State) -> Result<Option<(u32, bool)>, Stop> {
        let Some(outer) = self.frames.iter().rposition(|f| f.proc == proc) else {
            return Ok(Some((0, false)));
        };
        let (entry, counted) = (self.frames[outer].entry.clone(), self.frames[outer].counted);
        self.unrolls(self.program.proc(proc).span, Bound::Recursion);
        let decided = state.path.since(&mut self.terms, &entry) == Term::TRUE;
        let nested = self.frames.iter().filter(|f| f.proc == proc).count();
        if decided && nested < FREE_CALLS {
            return Ok(Some((counted, false)));
        }
        if counted < self.bounds.unroll {
            return Ok(Some((counted + 1, false)));
        }
        let callee = self.program.proc(proc);
        let probed = self.probed_proc(proc);
        if self.probed && !probed {
            return Ok(Some((counted, false)));
        }
        let reached = if probed {
            state.path.term()
        } else {
            self.terms.and(self.feasible, state.path.term())
        };
        self.cuts.push(Cut {
            condition: reached,
            span: callee.span,
            bound: Bound::Recursion,
            probed,
        });
        if !probed {
            self.require(&state.path, Term::FALSE);
            self.kill(state);
            return Ok(None);
        }
        Ok(Some((counted, true)))
    }

    fn probed_proc(&self, proc: ProcId) -> bool {
        let body = &self.program.proc(proc).body;
        body.iter().take(8).any(super::is_probe)
    }
}
