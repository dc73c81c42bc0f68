//! The scheduler's object, in the paper's words (section 2.1, Schedulers 1 to 4).
//!
//! Tasks are numbers here. The caller says whether a task is blocked, and whether two tasks are equal.

use options::Scheduler;

/// The datatype `D` of a scheduler: what is pending, in its order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Queue {
    /// A multiset; kept sorted.
    Bag(Vec<u32>),
    /// A multiset in which each task has at most that many copies.
    Bounded(u32, Vec<u32>),
    /// A list and a position.
    RoundRobin(Vec<u32>, usize),
    /// Handler-, round- and delay-stacks; the last element is the top.
    DepthFirst {
        /// Whether children run in reverse order.
        reverse: bool,
        /// The tasks that the running segment has given.
        handler: Vec<u32>,
        /// The tasks that are left in this round.
        round: Vec<u32>,
        /// The tasks that were delayed to the next round.
        delayed: Vec<u32>,
    },
}

impl Queue {
    /// `empty`
    pub fn new(scheduler: Scheduler) -> Self {
        let stacks = |reverse| Self::DepthFirst {
            reverse,
            handler: Vec::new(),
            round: Vec::new(),
            delayed: Vec::new(),
        };
        match scheduler {
            Scheduler::Bag => Self::Bag(Vec::new()),
            Scheduler::BoundedBag(copies) => Self::Bounded(copies, Vec::new()),
            Scheduler::RoundRobin => Self::RoundRobin(Vec::new(), 0),
            Scheduler::DepthFirst => stacks(false),
            Scheduler::ReverseDepthFirst => stacks(true),
        }
    }

    /// `give` of a task that was posted (`fresh`) or that yielded. Returns whether it was kept.
    pub fn give(&mut self, task: u32, fresh: bool, equal: impl Fn(u32) -> bool) -> bool {
        match self {
            Self::Bag(m) => insert_sorted(m, task),
            Self::Bounded(copies, m) => {
                // if m(w) < K
                if m.iter().filter(|&&w| equal(w)).count() >= *copies as usize {
                    return false;
                }
                insert_sorted(m, task);
            }
            Self::RoundRobin(m, _) if fresh => m.push(task),
            Self::RoundRobin(m, i) => m.insert(*i, task),
            Self::DepthFirst { handler, .. } => handler.push(task),
        }
        true
    }

    /// Begins a visit to the dispatcher: tasks that the last segment gave take their places. Returns whether a round ended.
    pub fn settle(&mut self) -> bool {
        let Self::DepthFirst {
            reverse,
            handler,
            round,
            ..
        } = self
        else {
            return false;
        };
        // 1. empty q_h into q_r: popping one and pushing it on the other turns the order round.
        if *reverse {
            round.append(handler);
        } else {
            round.extend(handler.drain(..).rev());
        }
        self.next_round()
    }

    /// 2. if q_r is empty then empty q_d into q_r. Returns whether a round ended.
    fn next_round(&mut self) -> bool {
        let Self::DepthFirst { round, delayed, .. } = self else {
            return false;
        };
        let ended = round.is_empty() && !delayed.is_empty();
        if ended {
            round.extend(delayed.drain(..).rev());
        }
        ended
    }

    /// Passes over blocked tasks, if the scheduler has one next task. A depth-first scheduler moves a blocked task to the next
    /// round, as if it were delayed, but spends no delay. Returns how many rounds end.
    pub fn pass_over<E>(&mut self, blocked: impl Fn(u32) -> Result<bool, E>) -> Result<u32, E> {
        if let Self::RoundRobin(m, i) = self {
            *i %= m.len().max(1);
        }
        let mut ended = 0;
        // If all tasks are blocked, each is back at its place after this many turns.
        for _ in 0..self.pending() {
            let Some(next) = self.next() else { break };
            if !blocked(next)? {
                break;
            }
            match self {
                Self::RoundRobin(m, i) => *i = (*i + 1) % m.len(),
                _ => {
                    self.take(next);
                    self.delay(next);
                    ended += u32::from(self.next_round());
                }
            }
        }
        Ok(ended)
    }

    /// How many tasks there are to take.
    fn pending(&self) -> usize {
        match self {
            Self::Bag(m) | Self::Bounded(_, m) | Self::RoundRobin(m, _) => m.len(),
            Self::DepthFirst { round, delayed, .. } => round.len() + delayed.len(),
        }
    }

    /// Returns the only task that can be taken; `None` for a bag, which lets any task be taken.
    pub fn next(&self) -> Option<u32> {
        match self {
            Self::Bag(_) | Self::Bounded(..) => None,
            Self::RoundRobin(m, i) => m.get(*i).copied(),
            Self::DepthFirst { round, .. } => round.last().copied(),
        }
    }

    /// Whether any task may be taken.
    pub fn is_bag(&self) -> bool {
        matches!(self, Self::Bag(_) | Self::Bounded(..))
    }

    /// Returns all tasks in the order of their turns, or sorted if there is no such order. The result does not show where a round
    /// ends, because that does not change what can happen.
    pub fn order(&self) -> Vec<u32> {
        match self {
            Self::Bag(m) | Self::Bounded(_, m) | Self::RoundRobin(m, _) => m.clone(),
            Self::DepthFirst { round, delayed, .. } => {
                round.iter().rev().chain(delayed).copied().collect()
            }
        }
    }

    /// Returns the index of the next task in that order.
    pub fn position(&self) -> usize {
        match self {
            Self::RoundRobin(m, i) if *i < m.len() => *i,
            _ => 0,
        }
    }

    /// `take`: the tasks that can be taken, once blocked ones have been passed over.
    pub fn schedulable(&self) -> Vec<u32> {
        match self {
            Self::Bag(m) | Self::Bounded(_, m) => m.clone(),
            Self::RoundRobin(..) | Self::DepthFirst { .. } => self.next().into_iter().collect(),
        }
    }

    /// Removes a schedulable task.
    pub fn take(&mut self, task: u32) {
        match self {
            Self::Bag(m) | Self::Bounded(_, m) | Self::RoundRobin(m, _) => {
                m.retain(|&w| w != task);
            }
            Self::DepthFirst { round, .. } => {
                round.pop();
            }
        }
    }

    /// `delay` of a task that was taken.
    pub fn delay(&mut self, task: u32) {
        match self {
            Self::Bag(m) | Self::Bounded(_, m) => insert_sorted(m, task),
            Self::RoundRobin(m, i) => {
                m.insert(*i, task);
                *i = (*i + 1) % m.len();
            }
            Self::DepthFirst { delayed, .. } => delayed.push(task),
        }
    }
}

fn insert_sorted(m: &mut Vec<u32>, task: u32) {
    let at = m.partition_point(|&w| w < task);
    m.insert(at, task);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pass(queue: &mut Queue, blocked: &[u32]) -> u32 {
        let passed = queue.pass_over(|task| Ok::<_, ()>(blocked.contains(&task)));
        passed.expect("every condition has a value")
    }

    /// Three tasks, given by one segment.
    fn three(scheduler: Scheduler) -> Queue {
        let mut queue = Queue::new(scheduler);
        for task in 2..=4 {
            queue.give(task, true, |_| false);
        }
        queue.settle();
        queue
    }

    #[test]
    fn a_blocked_task_goes_where_a_delayed_one_would_go() {
        for (scheduler, first, others) in [
            (Scheduler::DepthFirst, 2, [3, 4]),
            (Scheduler::ReverseDepthFirst, 4, [3, 2]),
        ] {
            let mut queue = three(scheduler);
            assert_eq!(pass(&mut queue, &[first]), 0);
            let mut delayed = three(scheduler);
            delayed.take(first);
            delayed.delay(first);
            assert_eq!(queue, delayed);
            for task in others {
                assert_eq!(queue.schedulable(), [task]);
                queue.take(task);
            }
            assert!(queue.settle(), "the first round has ended");
            assert_eq!(queue.schedulable(), [first]);
        }
    }

    #[test]
    fn who_was_put_off_comes_before_those_who_are_passed_over_after() {
        let mut queue = three(Scheduler::DepthFirst);
        queue.take(2);
        queue.delay(2);
        assert_eq!(pass(&mut queue, &[3, 4]), 1);
        assert_eq!(queue.schedulable(), [2]);
    }

    #[test]
    fn where_all_are_blocked_passing_over_comes_to_an_end() {
        for scheduler in [Scheduler::DepthFirst, Scheduler::RoundRobin] {
            let mut queue = three(scheduler);
            pass(&mut queue, &[2, 3, 4]);
            assert_eq!(queue.schedulable(), [2]);
        }
    }
}
