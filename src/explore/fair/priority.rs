//! Algorithm 1 of Musuvathi and Qadeer, *Fair Stateless Model Checking*: the priority relation.
//!
//! ```text
//!  7  T := curr.ES \ pre(curr.P, curr.ES)
//! 11  t := Choose(T)
//! 12  next := NextState(curr, t)
//! 13  next.P := curr.P \ (Tid × {t})
//! 14  foreach u ∈ Tid do
//! 15    next.E(u) := curr.E(u) ∩ next.ES
//! 16    next.D(u) := curr.D(u) ∪ (curr.ES \ next.ES)  if u = t, else curr.D(u)
//! 21    next.S(u) := curr.S(u) ∪ {t}
//! 23  if curr.yield(t) then
//! 24    H := (next.E(t) ∪ next.D(t)) \ next.S(t)
//! 25    next.P := next.P ∪ ({t} × H)
//! 26    next.E(t) := next.ES;  next.D(t) := {};  next.S(t) := {}
//! ```
//!
//! In the beginning `P` and every `E(u)` are empty, and `D(u)` and `S(u)` are all of `Tid`, so that nothing
//! happens at the first yield of a task: its window begins there. Before that, a task has no window; so `Tid` may
//! grow while the program runs. A task that is gone leaves no trace, because another task may get its number.

use super::tasks::Tasks;

/// What has happened since a task's last yield.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Window {
    /// `E`: the tasks that were enabled all the time.
    enabled: Tasks,
    /// `D`: the tasks that some transition of this one disabled.
    disabled: Tasks,
    /// `S`: the tasks that were scheduled.
    scheduled: Tasks,
}

/// The part of `P`, `E`, `D` and `S` that belongs to one task.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Entry {
    task: u32,
    /// `{ u | (task, u) ∈ P }`: while one of them is enabled, the task is not scheduled.
    below: Tasks,
    /// What has happened since its last yield, if there was one.
    window: Option<Window>,
}

/// `P`, `E`, `D` and `S`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Priority {
    /// Sorted by task. A task without such a part has no entry.
    entries: Vec<Entry>,
}

/// A transition, as the algorithm sees it.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'a> {
    /// `t`
    pub task: u32,
    /// `curr.ES`
    pub before: &'a Tasks,
    /// `next.ES`
    pub after: &'a Tasks,
    /// `curr.yield(t)`
    pub yields: bool,
    /// Whether the task is gone after the transition.
    pub gone: bool,
}

impl Priority {
    /// Line 7: which of the enabled tasks may be scheduled.
    pub fn schedulable(&self, enabled: &Tasks) -> Tasks {
        let mut all = enabled.clone();
        for entry in &self.entries {
            if entry.below.meets(enabled) {
                all.remove(entry.task);
            }
        }
        all
    }

    /// Lines 13 to 29.
    pub fn turn(&mut self, turn: Turn<'_>) {
        let disabled = turn.before.minus(turn.after);
        for entry in &mut self.entries {
            entry.below.remove(turn.task);
            if let Some(window) = &mut entry.window {
                window.enabled.keep(turn.after);
                if entry.task == turn.task {
                    window.disabled.add(&disabled);
                }
                window.scheduled.insert(turn.task);
            }
        }
        if turn.yields {
            self.yields(turn.task, turn.after);
        }
        if turn.gone {
            self.forget(turn.task);
        }
        self.entries
            .retain(|e| e.window.is_some() || !e.below.is_empty());
    }

    /// Lines 24 to 28.
    fn yields(&mut self, task: u32, after: &Tasks) {
        let at = match self.entries.binary_search_by_key(&task, |e| e.task) {
            Ok(at) => at,
            Err(at) => {
                let entry = Entry {
                    task,
                    ..Entry::default()
                };
                self.entries.insert(at, entry);
                at
            }
        };
        let entry = &mut self.entries[at];
        if let Some(window) = &entry.window {
            let mut waiting = window.enabled.clone();
            waiting.add(&window.disabled);
            entry.below.add(&waiting.minus(&window.scheduled));
        }
        entry.window = Some(Window {
            enabled: after.clone(),
            ..Window::default()
        });
    }

    /// Forgets a task that is gone.
    fn forget(&mut self, task: u32) {
        self.entries.retain(|e| e.task != task);
        for entry in &mut self.entries {
            entry.below.remove(task);
            if let Some(window) = &mut entry.window {
                window.enabled.remove(task);
                window.disabled.remove(task);
                window.scheduled.remove(task);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set<const N: usize>(tasks: [u32; N]) -> Tasks {
        tasks.into_iter().collect()
    }

    /// Figure 4: thread u (1) of Figure 3 is scheduled as long as the algorithm allows.
    #[test]
    fn figure_4() {
        let (t, u) = (0, 1);
        let both = set([t, u]);
        let run = |p: &mut Priority, yields| {
            assert!(p.schedulable(&both).contains(u));
            p.turn(Turn {
                task: u,
                before: &both,
                after: &both,
                yields,
                gone: false,
            });
        };
        let mut p = Priority::default();
        // (a,c) -> (a,d): the test; (a,d) -> (a,c): the yield, at which u's first window begins.
        run(&mut p, false);
        assert_eq!(p, Priority::default());
        run(&mut p, true);
        let window = p.entries[0].window.clone().unwrap();
        assert_eq!(window.enabled, both);
        assert!(window.scheduled.is_empty() && window.disabled.is_empty());
        assert_eq!(p.schedulable(&both), both);
        run(&mut p, false);
        let window = p.entries[0].window.clone().unwrap();
        assert_eq!((window.scheduled, window.enabled), (set([u]), both.clone()));
        assert_eq!(p.schedulable(&both), both);
        // The second yield: (u, t) is in P, and t alone can be scheduled.
        run(&mut p, true);
        assert_eq!(p.entries[0].below, set([t]));
        assert_eq!(p.schedulable(&both), set([t]));
        // Were t not enabled, u would go on.
        assert_eq!(p.schedulable(&set([u])), set([u]));
        // Scheduling t takes the edge away (line 13).
        p.turn(Turn {
            task: t,
            before: &both,
            after: &set([u]),
            yields: false,
            gone: true,
        });
        assert_eq!(p.schedulable(&set([u])), set([u]));
        assert!(p.entries[0].below.is_empty());
    }

    /// A task that a yielding one disables again and again goes first (case 2 of the proof of Theorem 1).
    #[test]
    fn who_is_disabled_is_served() {
        let (t, u) = (0, 1);
        let (both, alone) = (set([t, u]), set([t]));
        let mut p = Priority::default();
        let steps = [(&both, &alone, false), (&alone, &both, true)];
        for (before, after, yields) in steps.into_iter().cycle().take(4) {
            assert!(p.schedulable(before).contains(t));
            p.turn(Turn {
                task: t,
                before,
                after,
                yields,
                gone: false,
            });
        }
        assert_eq!(p.schedulable(&both), set([u]));
    }
}
