//! The counterexample of a declaration as a trace: the state, then both orders.

use ir::Value;
use trace::{
    Change, Ended, Happening, Schedule, Segment, Start, StepKind, Title, Trace, TraceStep,
};

use super::copy::RAN;
use super::question::Fault;
use super::refuted::{After, Case, how};

impl Case<'_> {
    pub(super) fn trace(&self, fault: Fault, schedule: Schedule) -> Trace {
        let mut trace = Trace {
            schedule,
            dialect: self.program.types.dialect,
            ..Trace::default()
        };
        if fault == Fault::Together {
            self.title(&mut trace, Title::BothEnabled);
            self.look(&mut trace);
        }
        for (number, after) in self.after.iter().enumerate() {
            let first = number.is_multiple_of(2);
            if first {
                let order = [Title::InOneOrder, Title::InTheOtherOrder][number / 2];
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
        let fails = self.line(
            side,
            Happening::Shown {
                text: says,
                fails: true,
            },
        );
        trace.steps.push(fails);
        trace
    }

    fn line(&self, side: usize, happening: Happening) -> TraceStep {
        let span = match happening.kind() {
            StepKind::Does => self.program.proc(self.body(side)).span,
            _ => self.question.claim.span,
        };
        let proc = self.program.ops[self.op(side).op.index()].full_name();
        TraceStep::new(side as u32 + 1, &proc, Some(span), happening)
    }

    fn title(&self, trace: &mut Trace, title: Title) {
        trace.starts.push(Start {
            step: trace.steps.len(),
            globals: self.shown(&self.begin),
        });
        let title = self.line(0, Happening::Title(title));
        trace.steps.push(title);
    }

    /// The state, as a line of its own.
    fn look(&self, trace: &mut Trace) {
        let text = "the object's state".to_owned();
        let mut step = self.line(0, Happening::Shown { text, fails: false });
        step.span = Some(self.question.claim.span);
        step.changed = (self.shown(&self.begin).into_iter())
            .map(|(name, value)| Change {
                proc: None,
                name,
                value,
                number: None,
                text: None,
            })
            .collect();
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
        let happening = Happening::Shown {
            text: action,
            fails: false,
        };
        let mut step = self.line(after.side, happening);
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
