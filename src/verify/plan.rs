//! Who looks for an answer, in which order, for how long: the plan of all questions, in one table each.
//!
//! Engines take turns. Each turn is at least twice as long as the one before. A search of states goes on where it was. Other engines
//! begin anew in each turn, so all turns of an engine take at most twice the time of its last. An engine that says more work would
//! not help gets no other turn. The last engine gets all the time that is left. The explicit engine's turns are counted in work,
//! which is the same on every machine; those of the solver and of proofs are counted in time.

use std::time::Duration;

use base::clock::FOREVER;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Who {
    /// The explicit engine, state by state.
    States,
    /// The same with values as terms. (`States` tries terms for a short time only, and goes on with numbers.)
    Terms,
    /// The explicit engine, along executions, one of each trace.
    Executions,
    /// The explicit engine in all schedules. Reductions apply there, but not within delays. Only to show that there is no bug.
    Everywhere,
    /// The explicit engine, along a few executions at random: only for a bug.
    Walks,
    /// The explicit engine, along executions at random in which tasks have priorities: only for a bug.
    Priorities,
    /// The explicit engine with few delays, where any number is asked about: only for a bug.
    Delayed,
    /// Executions at random with any values of inputs: only for a bug or a race.
    Wander,
    /// The explicit engine in [small instances](ir::passes::instance) of the program: only for a bug.
    Instances,
    /// The explicit engine, for a race.
    Races,
    Solver,
    /// The solver, and terms if it says no more than that nothing fails within bounds. If a proof is asked for: the solver within few
    /// delays, in the program of any number of tasks, only for a bug.
    Bounded,
    /// Automata and an invariant of all schedules.
    Proof,
    /// The sequential program and an invariant of the executions within the delays.
    Within,
}

/// An engine's part in the plan.
#[derive(Clone, Copy, Debug)]
pub(super) struct Attempt {
    pub who: Who,
    /// For which programs and questions.
    pub when: fn(&Shape) -> bool,
    /// How much work the first turn is, in states and steps.
    pub work: u64,
    /// How long the first turn is if its work is not counted. If it is counted, how long the turn may be at most.
    pub share: Duration,
    /// Whether there are other turns.
    pub again: bool,
    /// Whether the first turn is in the second round.
    pub late: bool,
    /// How many times as long each turn is as the one before.
    pub grows: u32,
}

/// What the plan depends on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    /// There may be several tasks.
    pub posts: bool,
    /// A step may be work without end.
    pub endless: bool,
    /// There are very many ways through a step.
    pub many_ways: bool,
    /// The program makes any number of tasks.
    pub makes_any: bool,
    /// The program makes any number of tasks, and the question is about endlessly many states.
    pub any_number: bool,
    /// Values are open, which makes each state slow.
    pub open: bool,
    /// All schedules are asked about.
    pub all_schedules: bool,
    /// Final states are asked for, so that a bug is not the whole answer.
    pub finals: bool,
    /// Races are asked about.
    pub races: bool,
    /// There are places beyond which executions are not followed.
    pub has_cuts: bool,
}

impl Shape {
    /// Whether the explicit engine could see everything.
    pub const fn may_end(&self) -> bool {
        !self.any_number && !self.endless
    }

    /// Whether searches of states go on where they were in the turn before.
    pub const fn is_kept(&self) -> bool {
        self.may_end() && !self.makes_any
    }

    /// Whether any execution is one of those that are asked about.
    pub const fn shows_all(&self) -> bool {
        self.all_schedules || !self.posts
    }

    /// Whether all schedules are asked about, and no value is open.
    const fn is_plain(&self) -> bool {
        self.all_schedules && !self.open
    }

    /// Whether open values of one task are all that there is to look at. The solver is made for that.
    const fn is_values_alone(&self) -> bool {
        self.open && !self.posts
    }

    /// How long the first turn is in a program like this.
    fn first_share(&self, attempt: &Attempt) -> Duration {
        match attempt.who {
            Who::States | Who::Walks if self.is_values_alone() => attempt.share.min(VALUES),
            _ => attempt.share,
        }
    }

    /// Whether only a proof may settle the question.
    const fn wants_proof(&self) -> bool {
        !self.finals && (self.all_schedules || self.makes_any || self.is_values_alone())
    }
}

const fn once(who: Who, when: fn(&Shape) -> bool, work: u64) -> Attempt {
    Attempt {
        who,
        when,
        work,
        share: FOREVER,
        again: false,
        late: false,
        grows: 2,
    }
}

const fn counted(who: Who, when: fn(&Shape) -> bool, work: u64) -> Attempt {
    Attempt {
        again: true,
        ..once(who, when, work)
    }
}

const fn timed(who: Who, when: fn(&Shape) -> bool, millis: u64) -> Attempt {
    Attempt {
        share: Duration::from_millis(millis),
        ..counted(who, when, 0)
    }
}

/// Most states take the explicit engine about the same time. But if values are open or states are large, one question about terms
/// may take a minute. So its first turn lasts no longer than this.
const STATES: Duration = Duration::from_secs(1);

/// The first turn of engines that try values, if engines that reason about values are likely to answer.
const VALUES: Duration = Duration::from_millis(250);

const fn short(attempt: Attempt) -> Attempt {
    Attempt {
        share: STATES,
        ..attempt
    }
}

/// The work and the time of a turn of executions at random. Few of them show what many would.
pub(super) const RANDOM: (u64, Duration) = (5_000, Duration::from_millis(150));

const fn wander(when: fn(&Shape) -> bool) -> Attempt {
    Attempt {
        share: RANDOM.1,
        ..once(Who::Wander, when, RANDOM.0)
    }
}

const fn states(when: fn(&Shape) -> bool, work: u64, again: bool) -> Attempt {
    Attempt {
        again,
        ..short(once(Who::States, when, work))
    }
}

const fn everywhere(when: fn(&Shape) -> bool, again: bool) -> Attempt {
    Attempt {
        who: Who::Everywhere,
        ..states(when, ONE_TURN, again)
    }
}

const fn executions(when: fn(&Shape) -> bool, work: u64, again: bool) -> Attempt {
    Attempt {
        who: Who::Executions,
        ..states(when, work, again)
    }
}

/// What is tried first if open values of one task are all: a little of everything that may answer at once.
const fn brief(who: Who, work: u64, millis: u64) -> Attempt {
    Attempt {
        share: Duration::from_millis(millis),
        ..once(who, |s| s.is_values_alone() && !s.finals, work)
    }
}

/// The work of a turn of the explicit engine. A turn that follows executions has no more.
pub(super) const ONE_TURN: u64 = 400_000;

/// The plan for the question: does the program fail with so many delays?
pub(super) const DELAYS: [Attempt; 32] = [
    brief(Who::States, ONE_TURN, 400),
    brief(Who::Terms, ONE_TURN, 300),
    brief(Who::Wander, RANDOM.0, 50),
    brief(Who::Instances, 20_000, 250),
    brief(Who::Bounded, 0, 1200),
    // A search of all states is what answers most often, if values are known.
    states(|s| s.may_end() && s.is_plain(), 4 * ONE_TURN, true),
    states(|s| s.may_end() && !s.is_plain(), ONE_TURN, true),
    Attempt {
        work: ONE_TURN,
        ..timed(Who::Terms, |s| s.is_kept() && s.is_values_alone(), 500)
    },
    Attempt {
        late: true,
        work: ONE_TURN,
        ..timed(Who::Terms, |s| s.is_kept() && s.open && s.posts, 500)
    },
    executions(|s| s.may_end() && s.all_schedules, ONE_TURN, false),
    // Few executions cover all schedules of tasks that have little in common.
    executions(
        |s| s.posts && s.may_end() && !s.all_schedules && !s.finals && !s.open,
        20_000,
        false,
    ),
    everywhere(
        |s| s.posts && s.may_end() && !s.all_schedules && !s.finals,
        true,
    ),
    states(|s| s.any_number && !s.many_ways, 100_000, true),
    executions(
        |s| s.any_number && !s.many_ways && s.all_schedules,
        100_000,
        true,
    ),
    states(|s| s.any_number && s.many_ways && !s.endless, 20_000, true),
    executions(
        |s| s.any_number && s.many_ways && !s.endless && s.all_schedules,
        20_000,
        false,
    ),
    // Work inside a step is not counted, so few steps must be enough.
    states(
        |s| s.endless && (s.all_schedules || s.any_number),
        1_000,
        false,
    ),
    executions(|s| s.endless && s.all_schedules, 1_000, false),
    short(once(
        Who::Races,
        |s| s.races && s.posts && !s.finals,
        50_000,
    )),
    short(once(
        Who::Walks,
        |s| !s.finals && !s.endless && s.all_schedules,
        200_000,
    )),
    short(once(
        Who::Walks,
        |s| !s.finals && !s.endless && !s.all_schedules,
        20_000,
    )),
    short(counted(
        Who::Priorities,
        |s| !s.finals && !s.endless && s.all_schedules,
        200_000,
    )),
    short(once(
        Who::Delayed,
        // With open values and tasks without end, each state takes longer than the last.
        |s| !s.finals && !s.endless && s.all_schedules && (!s.open || !s.any_number),
        100_000,
    )),
    short(once(
        Who::Instances,
        |s| !s.finals && s.posts && (s.any_number || s.open),
        20_000,
    )),
    wander(|s| !s.finals && s.posts && (s.races || s.open && s.all_schedules)),
    timed(Who::Solver, |s| !s.makes_any && !s.is_values_alone(), 400),
    timed(Who::Solver, |s| !s.makes_any && s.is_values_alone(), 1500),
    Attempt {
        grows: 4,
        ..timed(Who::Solver, |s| s.makes_any, 500)
    },
    timed(Who::Proof, |s| s.wants_proof() && !s.makes_any, 600),
    // Only a proof covers any number of tasks.
    Attempt {
        grows: 4,
        ..timed(Who::Proof, |s| s.wants_proof() && s.makes_any, 2000)
    },
    timed(Who::Proof, |s| !s.finals && !s.wants_proof(), 250),
    timed(Who::Within, |s| !s.finals && !s.all_schedules, 200),
];

/// The work of a search of small instances where no other search may see a bug.
pub(super) const FEW_TASKS: u64 = 50_000;

/// The plan for: does the program fail under a scheduler? The search that was asked for comes after these.
pub(super) const SCHEDULES: [Attempt; 8] = [
    once(Who::States, |s| !s.endless && !s.open, 200_000),
    once(Who::Walks, |s| !s.endless && !s.open, 50_000),
    // Few executions may cover all schedules where there are many states.
    executions(
        |s| s.posts && !s.endless && !s.open && !s.any_number,
        20_000,
        false,
    ),
    short(once(Who::Instances, |s| s.any_number || s.open, FEW_TASKS)),
    wander(|s| s.open),
    once(Who::Walks, |s| s.endless && s.any_number, 20_000),
    short(once(Who::States, |s| s.open && s.is_kept(), 200_000)),
    // A server may do much in each step, and a search of states with terms does not come beyond the first ones.
    Attempt {
        share: Duration::from_secs(3),
        ..once(Who::Wander, |s| s.open && s.is_kept(), 20 * RANDOM.0)
    },
];

/// The plan for: is there a proof or a bug?
pub(super) const PROOF: [Attempt; 10] = [
    once(Who::Races, |s| s.races, 50_000),
    once(Who::Instances, |_| true, FEW_TASKS),
    wander(|_| true),
    states(|s| s.has_cuts, 50_000, false),
    Attempt {
        again: false,
        ..timed(Who::Bounded, |_| true, 250)
    },
    // Where there are few states, they tell what an invariant does not.
    Attempt {
        again: false,
        ..timed(Who::Proof, |s| s.races && s.is_kept(), 2000)
    },
    everywhere(|s| s.races && s.is_kept(), false),
    timed(Who::Proof, |_| true, 10_000),
    everywhere(Shape::is_kept, true),
    Attempt {
        again: false,
        ..timed(Who::Bounded, |_| true, 60_000)
    },
];

/// The plan for: do two tasks race in a program that makes any number of them?
pub(super) const RACES: [Attempt; 2] = [
    counted(Who::States, |_| true, 40_000),
    timed(Who::Proof, |_| true, 500),
];

/// Delays with which a bug is looked for where any number is asked about.
pub(super) const FEW_DELAYS: u32 = 2;

/// The number of walks in which tasks take turns.
pub(super) const TURNS: u64 = 4;

/// The most walks, however short they are.
pub(super) const WALKS: u64 = 10_000;

/// The most walks with priorities.
pub(super) const PRIORITIES: u64 = 1_000_000;

/// The sizes of small instances, in the order in which they are searched.
pub(super) const INSTANCES: [u8; 4] = [2, 3, 4, 8];

/// The budgets of delays within which a program of any number of tasks is looked at, and how far it is unrolled for each.
pub(super) const BOUNDS: [(u32, u32); 3] = [(1, 2), (3, 2), (3, 4)];

/// How much longer it may take to say more than an engine has said, beyond the time of that engine. `bench/portfolio.py`
/// allows a second.
pub(super) const HELD: Duration = Duration::from_millis(800);

/// The work that Z3 may do for one question of a proof beside an answer with bounds, in its own units.
pub(super) const STEPS: u32 = 3_000_000;

/// Work of the explicit engine that tells whether more delays could show more.
pub(super) const GLANCE: u64 = 20_000;

/// Work that tells whether more delays do show a bug.
pub(super) const BEYOND: u64 = 5 * GLANCE;

/// How many times a turn's work a search for a bug within all delays gets, if that work does not settle fewer delays.
pub(super) const MORE_WORK: u64 = 16;

/// Work of following executions for races that states do not tell.
pub(super) const EXECUTIONS: u64 = 10 * ONE_TURN;

/// What came of a turn.
pub(super) enum Came<T> {
    Answer(T),
    /// Nothing in this time.
    Later,
    /// Nothing, and no more time would help.
    Never,
}

/// Lets engines take turns until one answers, none is left, or `is_over` says so. A turn gets its work and its time. An engine that
/// is left alone has no limit of work.
pub(super) fn take_turns<T>(
    plan: &[Attempt],
    shape: &Shape,
    is_over: impl Fn() -> bool,
    mut turn: impl FnMut(Who, Option<u64>, Duration) -> Came<T>,
) -> Option<T> {
    let mut left: Vec<Attempt> = plan.iter().filter(|a| (a.when)(shape)).copied().collect();
    for round in 0..u32::BITS {
        let mut next = Vec::new();
        // Walks with priorities never end by themselves, and settle only that there is a bug. So they are never left alone.
        let walks = |a: &Attempt| a.who == Who::Priorities;
        let alone = round > 0 && left.iter().filter(|a| !walks(a)).count() <= 1;
        if alone {
            left.retain(|a| !walks(a));
        }
        for attempt in left {
            if is_over() {
                return None;
            }
            if round == 0 && attempt.late {
                next.push(attempt);
                continue;
            }
            let times = attempt.grows.saturating_pow(round);
            let work = attempt.work.saturating_mul(times.into());
            let work = (work > 0 && !alone).then_some(work);
            let share = match alone {
                true => FOREVER,
                false => shape.first_share(&attempt).saturating_mul(times),
            };
            match turn(attempt.who, work, share) {
                Came::Answer(answer) => return Some(answer),
                Came::Later if attempt.again => next.push(attempt),
                Came::Later | Came::Never => {}
            }
        }
        if next.is_empty() {
            return None;
        }
        left = next;
    }
    None
}
