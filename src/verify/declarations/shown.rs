//! The counterexample of a declaration as a trace: the state, then both orders.

use crate::ir::Value;
use crate::trace::{Ended, Schedule, Segment, Start, StepKind, Trace, TraceStep};

use super::copy::RAN;
use super::question::Fault;
use super::refuted::{After, Case, how};

impl Case<'_> {
    pub(super) fn trace(&self, fault: Fault, schedule: Schedule) -> Trace {
        let mut trace = Trace {
            schedule,
            ..Trace::default()
        };
        if fault == Fault::Together {
            self.title(&mut trace, "in this state both are enabled:");
            self.look(&mut trace);
        }
        for (number, after) in self.after.iter().enumerate() {
            let first = number.is_multiple_of(2);
            if first {
                let order = ["in one order:", "in the other order:"][number / 2];
                self.title(&mut trace, order);
                self.look(&mut trace);
            }
            let before = if first {
                &self.begin
            } else {
                &self.after[number - 1].state
            };
            self.does(&mut trace, before, after);
        }
        let side = match fault {
            Fault::Disables(side) => 1 - side,
            _ => 1,
        };
        let says = match fault {
            Fault::Together => "is enabled too",
            Fault::Disables(_) => "is not enabled any more",
            Fault::Ends(_) => "the two orders do not fail alike",
            Fault::Returns(_) => "the two orders do not return the same",
            Fault::Leaves(_) => "the two orders do not leave the same state",
        };
        let says = match fault {
            Fault::Together | Fault::Disables(_) => format!("{} {says}", self.step(side)),
            _ => says.to_owned(),
        };
        let fails = self.line(side, StepKind::Fails, says);
        trace.steps.push(fails);
        trace
    }

    fn line(&self, side: usize, kind: StepKind, action: String) -> TraceStep {
        TraceStep {
            task: side as u32 + 1,
            proc: self.program.ops[self.op(side).op.index()].full_name(),
            round: 0,
            span: Some(match kind {
                StepKind::Does => self.program.proc(self.body(side)).span,
                _ => self.question.claim.span,
            }),
            action,
            changed: Vec::new(),
            kind,
            values: Vec::new(),
        }
    }

    fn title(&self, trace: &mut Trace, text: &str) {
        trace.starts.push(Start {
            step: trace.steps.len(),
            globals: self.shown(&self.begin),
        });
        let title = self.line(0, StepKind::Title, text.to_owned());
        trace.steps.push(title);
    }

    /// The state, as a line of its own.
    fn look(&self, trace: &mut Trace) {
        let mut step = self.line(0, StepKind::Does, "the object's state".to_owned());
        step.span = Some(self.question.claim.span);
        step.changed = self.shown(&self.begin);
        trace.steps.push(step);
    }

    fn does(&self, trace: &mut Trace, before: &[Value], after: &After) {
        let mut action = self.step(after.side);
        if after.ended != Value::Int(RAN) {
            action.push_str(&format!(" {}", how(&after.ended)));
        }
        let ty = self.program.proc(self.body(after.side)).result;
        if let (Some(value), Some(ty)) = (&after.result, ty) {
            action.push_str(&format!(" returns {}", value.show(&self.program.types, ty)));
        }
        let mut step = self.line(after.side, StepKind::Does, action);
        let states = before.iter().zip(&after.state);
        for (&global, (from, to)) in self.question.state.iter().zip(states) {
            self.compare(global, from, to, &mut step.changed);
        }
        trace.segments.push(Segment {
            task: step.task,
            proc: step.proc.clone(),
            round: 0,
            first: trace.steps.len(),
            end: Ended::Yielded,
        });
        trace.steps.push(step);
    }
}
