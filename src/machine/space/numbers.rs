//! Which number the task at a place has. Tasks are numbered in the order of posting, along one execution.

use options::Scheduler;

use super::{End, Reduction, Space, Step};
use crate::Logged;

/// The numbers of the tasks in a row, place by place.
#[derive(Clone, Debug, Default)]
pub struct Numbers {
    /// A row like the state's, with numbers for local states.
    row: Vec<u32>,
    /// How many tasks there have been.
    posted: u32,
}

impl Space<'_> {
    /// The number of the task at a place.
    pub fn number_at(&self, numbers: &Numbers, place: u32) -> u32 {
        numbers.row[self.tasks + place as usize]
    }

    /// The place of the task with a number.
    pub fn place_of(&self, numbers: &Numbers, number: u32) -> Option<u32> {
        let places = numbers.row.get(self.tasks..)?;
        let place = places.iter().position(|&n| n == number)?;
        u32::try_from(place).ok()
    }

    /// Updates the row and the numbers after the first segment has run.
    pub fn begin_with(&self, row: &mut Vec<u32>, numbers: &mut Numbers, logged: &Logged) {
        numbers.posted = 1;
        numbers.row = self.blank();
        let posts = self.fresh(numbers, logged);
        self.give_numbers(row, numbers, None, 1, logged, &posts);
        // Numbers are given by the places that tasks have before they are sorted.
        self.reduced(Reduction::default()).first(row, logged.way());
        self.sort_tasks(row, Some(&mut numbers.row));
    }

    /// Updates the row and the numbers after a task has run. Both change in the same way.
    pub fn step_with(
        &self,
        row: &mut Vec<u32>,
        numbers: &mut Numbers,
        step: Step,
        logged: &Logged,
    ) {
        let place = step.place as usize;
        let me = numbers.row[self.tasks + place];
        let posts = self.fresh(numbers, logged);
        self.give_numbers(row, numbers, Some(place), me, logged, &posts);
        match self.scheduler {
            Scheduler::Bag | Scheduler::BoundedBag(_) => {
                let posted = numbers.posted - u32::try_from(posts.len()).unwrap_or(0);
                super::apply(row, &logged.writes);
                row[self.tasks + place] = u32::MAX;
                self.bag_give(row, posted, &logged.posts, |_, _| {});
                self.bag_return(row, place, logged.end);
                self.trim(row);
                self.sort_tasks(row, Some(&mut numbers.row));
            }
            Scheduler::RoundRobin => self.robin_ran(row, Some(place), logged.way()),
            Scheduler::DepthFirst | Scheduler::ReverseDepthFirst => {
                self.stacks_ran(row, Some(place), logged.way());
            }
        }
    }

    /// Updates the row and the numbers after a task was delayed.
    pub fn delay_with(&self, row: &mut Vec<u32>, numbers: &mut Numbers, step: Step) {
        for row in [row, &mut numbers.row] {
            match self.scheduler {
                Scheduler::RoundRobin => self.robin_delayed(row, step.place as usize),
                _ => self.stacks_delayed(row, step.place as usize),
            }
        }
    }

    /// Returns numbers for the posted tasks.
    fn fresh(&self, numbers: &mut Numbers, logged: &Logged) -> Vec<u32> {
        let first = numbers.posted + 1;
        let count = u32::try_from(logged.posts.len()).unwrap_or(0);
        numbers.posted += count;
        (first..first + count).collect()
    }

    /// Does to the row of numbers what the segment does to the state's.
    fn give_numbers(
        &self,
        row: &[u32],
        numbers: &mut Numbers,
        place: Option<usize>,
        me: u32,
        logged: &Logged,
        posts: &[u32],
    ) {
        let end = match logged.end {
            End::Rests(_) => End::Rests(me),
            end => end,
        };
        let way = super::Way {
            end,
            writes: &[],
            posts,
            touched: &[],
            picks: &[],
            acts: &[],
            slept: false,
        };
        let numbered = &mut numbers.row;
        match self.scheduler {
            Scheduler::Bag | Scheduler::BoundedBag(_) => {
                // Only the state's row tells which posts have no room, and where the others go.
                let mut row = row.to_vec();
                let own = place.unwrap_or(0);
                if place.is_none() {
                    row.push(0);
                    numbered.push(0);
                }
                row[self.tasks + own] = u32::MAX;
                let before = posts.first().map_or(0, |first| first - 1);
                self.bag_give(&mut row, before, &logged.posts, |i, place| {
                    let at = self.tasks + place;
                    if at >= numbered.len() {
                        numbered.resize(at + 1, 0);
                    }
                    numbered[at] = posts[i as usize];
                });
                if !matches!(end, End::Rests(_)) {
                    numbered[self.tasks + own] = 0;
                } else {
                    numbered[self.tasks + own] = me;
                }
            }
            Scheduler::RoundRobin => self.robin_ran(numbered, place, way),
            Scheduler::DepthFirst | Scheduler::ReverseDepthFirst => {
                self.stacks_ran(numbered, place, way);
            }
        }
    }
}
