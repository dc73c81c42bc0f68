//! Branches and loops.

use ir::{ExprId, ExprKind, Loop, LoopId, Stmt};

use super::{Bound, Cut, Exec, OpenLoop, State, Stop};
use crate::term::Term;

/// The most turns of one loop that do not count against the bound.
const FREE_TURNS: u64 = 1 << 16;

impl<'p> Exec<'p> {
    pub(super) fn branch(
        &mut self,
        condition: ExprId,
        then: &'p [Stmt],
        otherwise: &'p [Stmt],
        states: Vec<State>,
    ) -> Result<Vec<State>, Stop> {
        let mut after = Vec::with_capacity(states.len());
        for state in states {
            let condition = self.truth(condition, &state)?;
            after.extend(match condition.known() {
                Some(true) => self.block(then, vec![state])?,
                Some(false) => self.block(otherwise, vec![state])?,
                None => self.both(condition, then, otherwise, state)?,
            });
        }
        Ok(after)
    }

    fn both(
        &mut self,
        condition: Term,
        then: &'p [Stmt],
        otherwise: &'p [Stmt],
        state: State,
    ) -> Result<Vec<State>, Stop> {
        let before = state.path.clone();
        let escaped = self.escaped();
        let mut paths = before.split(
            &mut self.terms,
            &mut self.families,
            &[condition, !condition],
        );
        let (no, yes) = (
            paths.pop().expect("two parts"),
            paths.pop().expect("two parts"),
        );
        let mut after = self.block(
            then,
            vec![State {
                path: yes,
                ..state.clone()
            }],
        )?;
        after.extend(self.block(otherwise, vec![State { path: no, ..state }])?);
        if self.escaped() == escaped && !after.is_empty() {
            return Ok(self.rejoin(&before, after));
        }
        Ok(self.join(after))
    }

    /// How many states have left the statements by `break`, `continue` or `return`, and wait to be merged.
    fn escaped(&self) -> usize {
        let Some(frame) = self.frames.last() else {
            return 0;
        };
        let loops = frame
            .loops
            .iter()
            .map(|l| l.breaks.len() + l.continues.len());
        frame.returns.len() + loops.sum::<usize>()
    }

    /// `loop { pre; if !cond { break }; body; 'continue: step }`
    pub(super) fn enclosed(
        &mut self,
        l: &'p Loop,
        stmt: &'p Stmt,
        states: Vec<State>,
    ) -> Result<Vec<State>, Stop> {
        let open = OpenLoop {
            id: l.id,
            breaks: Vec::new(),
            continues: Vec::new(),
            over: false,
            turn: 0,
        };
        let before = states.clone();
        let escaped = self.escaped();
        self.frame().loops.push(open);
        let mut exits = Vec::new();
        let mut states = states;
        let mut turns = Turns {
            counted: 0,
            free: 0,
            head: None,
        };
        while !states.is_empty() {
            states = self.turn(l, stmt, states, &mut exits, &mut turns)?;
        }
        let open = self.frame().loops.pop().expect("the loop that was opened");
        exits.extend(open.breaks);
        Ok(match &before[..] {
            [only] if self.escaped() == escaped && !exits.is_empty() => {
                self.rejoin(&only.path.clone(), exits)
            }
            _ => self.join(exits),
        })
    }

    /// One turn; returns the states that begin the next.
    fn turn(
        &mut self,
        l: &'p Loop,
        stmt: &'p Stmt,
        states: Vec<State>,
        exits: &mut Vec<State>,
        turns: &mut Turns,
    ) -> Result<Vec<State>, Stop> {
        let heads = states.clone();
        let states = self.block(&l.pre, states)?;
        let free = self.is_free(l, &states, turns)?;
        let literal = matches!(self.program.expr(l.cond).kind, ExprKind::Bool(true));
        let (mut going, mut decided) = (Vec::new(), !literal);
        for state in states {
            let condition = self.truth(l.cond, &state)?;
            match condition.known() {
                Some(true) => going.push(state),
                Some(false) => exits.push(state),
                None => {
                    decided = false;
                    let parts = state.path.split(
                        &mut self.terms,
                        &mut self.families,
                        &[condition, !condition],
                    );
                    exits.push(State {
                        path: parts[1].clone(),
                        ..state.clone()
                    });
                    going.push(State {
                        path: parts[0].clone(),
                        ..state
                    });
                }
            }
        }
        if going.is_empty()
            || !turns.go_on(free, self.bounds.unroll) && !self.goes_over(l, stmt, &going)
        {
            return Ok(Vec::new());
        }
        let escaped = self.escaped();
        self.unrolls(stmt.span, Bound::Loop);
        let mut states = self.block(&l.body, going)?;
        let open = self
            .frame()
            .loops
            .last_mut()
            .expect("the loop that is open");
        let continues = std::mem::take(&mut open.continues);
        open.turn += 1;
        if std::mem::take(&mut open.over) {
            self.exclude(&states);
            return Ok(Vec::new());
        }
        if !continues.is_empty() {
            states.extend(continues);
            states = self.join(states);
        }
        let states = self.block(&l.step, states)?;
        if decided && self.escaped() == escaped && unchanged(&heads, &states) {
            // Nothing changes any more: the loop is never left, so no complete execution comes here.
            self.exclude(&states);
            return Ok(Vec::new());
        }
        Ok(states)
    }

    /// Whether a turn does not count. Its condition must be decided, and since the last turn its operands must have changed or
    /// nothing was chosen. (A task that waits may be delayed at each turn: such turns count.)
    fn is_free(&mut self, l: &Loop, states: &[State], turns: &mut Turns) -> Result<bool, Stop> {
        let operands = match self.program.expr(l.cond).kind {
            ExprKind::Binary(_, a, b) => vec![a, b],
            _ => Vec::new(),
        };
        let mut numbers = Vec::new();
        let mut constant = !matches!(self.program.expr(l.cond).kind, ExprKind::Bool(true));
        for state in states {
            constant = constant && self.scalar(l.cond, state)?.known().is_some();
            for &operand in &operands {
                numbers.extend(self.eval(operand, state)?);
            }
        }
        let head = (numbers, self.terms.var_count());
        let last = turns.head.replace(head.clone());
        let goes = |last: (Vec<Term>, usize)| last.0 != head.0 || last.1 == head.1;
        Ok(constant && last.is_none_or(goes))
    }

    /// Excludes these states: no complete execution goes on from them.
    fn exclude(&mut self, states: &[State]) {
        for state in states {
            self.require(&state.path, Term::FALSE);
            self.kill(state);
        }
    }

    /// Handles a loop at its bound. Returns whether to go on: to meet the probe in the body, or because this loop has no bound.
    fn goes_over(&mut self, l: &Loop, stmt: &Stmt, going: &[State]) -> bool {
        let probed = self.probes(&l.body);
        if self.probed && !probed {
            return true;
        }
        for state in going {
            let condition = self.terms.and(self.feasible, state.path.term());
            if !probed {
                self.require(&state.path, Term::FALSE);
                self.kill(state);
            }
            self.cuts.push(Cut {
                condition: if probed { state.path.term() } else { condition },
                span: stmt.span,
                bound: Bound::Loop,
                probed,
            });
        }
        self.frame()
            .loops
            .last_mut()
            .expect("the loop that is open")
            .over = probed;
        probed
    }

    /// Whether a block has a probe at its start.
    pub(super) fn probes(&self, block: &[Stmt]) -> bool {
        block.iter().take(2).any(super::is_probe)
    }

    pub(super) fn leave(
        &mut self,
        id: LoopId,
        states: Vec<State>,
        list: impl Fn(&mut OpenLoop) -> &mut Vec<State>,
    ) -> Result<Vec<State>, Stop> {
        let open = self.frame().loops.iter_mut().rev().find(|l| l.id == id);
        match open {
            Some(open) => list(open).extend(states),
            None => {
                return Err(Stop::Unsupported(
                    "a break out of a loop that is not there".to_owned(),
                ));
            }
        }
        Ok(Vec::new())
    }

    pub(super) fn returns(
        &mut self,
        value: Option<ExprId>,
        states: Vec<State>,
    ) -> Result<Vec<State>, Stop> {
        for state in states {
            let value = match value {
                Some(value) => self.eval(value, &state)?,
                None => super::Leaves::new(),
            };
            self.frame().returns.push((state, value));
        }
        Ok(Vec::new())
    }
}

/// How many turns a loop has made.
struct Turns {
    /// Turns that count against the bound.
    counted: u32,
    free: u64,
    /// The operands of the condition at the last turn, and how many variables there were.
    head: Option<(Vec<Term>, usize)>,
}

impl Turns {
    /// Counts a turn; says whether it is within the bound.
    fn go_on(&mut self, free: bool, bound: u32) -> bool {
        if free && self.free < FREE_TURNS {
            self.free += 1;
            return true;
        }
        self.counted += 1;
        self.counted <= bound
    }
}

fn unchanged(before: &[State], after: &[State]) -> bool {
    before.len() == after.len()
        && before.iter().zip(after).all(|(a, b)| {
            a.globals == b.globals && a.locals == b.locals && a.path.term() == b.path.term()
        })
}
