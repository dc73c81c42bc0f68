//! One state for all that differ in numbers.
//!
//! Each number gets a sum of what a state says of it: what lies in the arrays at that index, which slots hold it, which tasks
//! hold it and where these are. Numbers are ordered by their sums. If sums are equal, all orders are tried, and the least
//! state is taken. A ring does the same with its turns. Sums and order depend only on content, not on who met a state first.

use std::cmp::Ordering;
use std::hash::Hasher;

use fnv::FnvHasher;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::super::space::Ranks;
use super::super::store::mix;
use super::roles::{MOST, Renaming};
use super::{Exchange, Symmetry};
use crate::{Shared, lock};

/// The most orders that the search tries. If there are more, one state may stand for fewer than it could.
const ORDERS: usize = 120;

/// What a local state says of numbers.
#[derive(Clone, Debug)]
struct Features {
    /// Whether the task is inside.
    inside: bool,
    /// Whether the local state relates numbers with each other.
    relates: bool,
    /// The numbers that it holds, each with a hash of what it says of the number.
    sums: SmallVec<[(usize, u64); 2]>,
}

/// What a state says of each number.
struct Sums {
    sums: [u64; MOST],
    relates: bool,
}

impl Sums {
    fn add(&mut self, number: usize, said: [u64; 3]) {
        let [what, whose, more] = said;
        let sum = mix(mix(mix(what) ^ whose) ^ more);
        self.sums[number] = self.sums[number].wrapping_add(sum);
    }
}

/// What a number is to a slot.
const INDEX: u64 = 1 << 32;
const HELD: u64 = 2 << 32;
const HELD_AT_ITSELF: u64 = 3 << 32;
const HELD_AT: u64 = 4 << 32;
const HOLDS: u64 = 5 << 32;

/// Renames states; it remembers local states.
#[derive(Debug, Default)]
pub struct Namer {
    features: Vec<Option<Features>>,
    /// The renamings that were used, each with its index in `renamed`.
    renamings: FxHashMap<Renaming, usize>,
    /// By renaming and local state: the renamed local state; 0 if it is not known yet, `NONE` if there is none.
    renamed: Vec<Vec<u32>>,
    /// The tasks of a row, with their ranks.
    tasks: Vec<(u128, u32)>,
    row: Vec<u32>,
    least: Vec<u32>,
}

/// No local state.
const NONE: u32 = u32::MAX;

impl Namer {
    /// Whether all tasks of a state are inside.
    pub fn is_inside(&mut self, symmetry: &Symmetry, shared: &Shared, tasks: &[u32]) -> bool {
        let mut pending = tasks.iter().filter(|&&local| local != 0);
        pending.all(|&local| self.features(symmetry, shared, local).inside)
    }

    /// Checks whether no renaming changes a state of sorted tasks.
    pub fn is_fixed(
        &mut self,
        symmetry: &Symmetry,
        (shared, ranks): (&Shared, &mut Ranks),
        row: &[u32],
        tasks: usize,
    ) -> bool {
        symmetry.generators.iter().all(|&renaming| {
            self.rename(symmetry, (shared, &mut *ranks), row, tasks, renaming) && self.row == row
        })
    }

    /// Replaces a state by the one that stands for it. Tasks are sorted, before and after.
    pub fn rename_to_least(
        &mut self,
        symmetry: &Symmetry,
        (shared, ranks): (&Shared, &mut Ranks),
        row: &mut Vec<u32>,
        tasks: usize,
    ) {
        let sums = self.sums(symmetry, shared, row, tasks);
        let candidates = candidates(symmetry, &sums);
        // The state itself is the only candidate.
        if candidates.len() == 1 && candidates[0].is_none() {
            return;
        }
        self.least.clear();
        for renaming in candidates {
            if !self.rename(symmetry, (shared, &mut *ranks), row, tasks, renaming) {
                return;
            }
            let first = self.least.is_empty();
            if first || self.order(shared, ranks, tasks) == Ordering::Less {
                std::mem::swap(&mut self.least, &mut self.row);
            }
        }
        std::mem::swap(row, &mut self.least);
    }

    /// Whether the renamed row comes before the least so far.
    fn order(&self, shared: &Shared, ranks: &mut Ranks, tasks: usize) -> Ordering {
        let pairs = || self.row.iter().zip(&self.least);
        let globals = pairs().take(tasks).enumerate().find(|(_, (a, b))| a != b);
        let globals = globals.map_or(Ordering::Equal, |(leaf, (&a, &b))| {
            shared.packing.order(leaf, (a, b), &lock(&shared.tables))
        });
        let locals = pairs().skip(tasks).find(|(a, b)| a != b);
        let shorter = self.row.len().cmp(&self.least.len());
        globals.then_with(|| match locals {
            None => shorter,
            // A place without a task comes first.
            Some((&a, &b)) if a == 0 || b == 0 => a.cmp(&b),
            Some((&a, &b)) => ranks.order(shared, a, b),
        })
    }

    /// Makes the renamed row in `self.row`. Answers whether there is one.
    fn rename(
        &mut self,
        symmetry: &Symmetry,
        (shared, ranks): (&Shared, &mut Ranks),
        from: &[u32],
        tasks: usize,
        renaming: Renaming,
    ) -> bool {
        self.row.clear();
        self.row.extend_from_slice(&from[..tasks]);
        symmetry
            .roles
            .globals(shared, from, renaming, &mut self.row);
        let next = self.renamings.len();
        let number = *self.renamings.entry(renaming).or_insert(next);
        if number == self.renamed.len() {
            self.renamed.push(Vec::new());
        }
        let known = &mut self.renamed[number];
        self.tasks.clear();
        for (task, &local) in (1..).zip(&from[tasks..]) {
            let at = local as usize;
            if at >= known.len() {
                known.resize(at + 1, 0);
            }
            if local != 0 && known[at] == 0 {
                known[at] = symmetry
                    .roles
                    .local(shared, local, renaming)
                    .unwrap_or(NONE);
            }
            if known[at] == NONE {
                return false;
            }
            if shared.code.handles {
                // Its place is its number.
                let place = tasks + symmetry.roles.task(task, renaming) as usize - 1;
                self.row.resize(self.row.len().max(place + 1), 0);
                self.row[place] = known[at];
            } else {
                self.tasks.push((ranks.rank(shared, known[at]), known[at]));
            }
        }
        while self.row.len() > tasks && self.row.last() == Some(&0) {
            self.row.pop();
        }
        (self.tasks).sort_unstable_by(|&(first, a), &(other, b)| match first.cmp(&other) {
            Ordering::Equal if a != b => shared.compare(a, b),
            order => order,
        });
        self.row.extend(self.tasks.iter().map(|&(_, local)| local));
        true
    }

    fn sums(&mut self, symmetry: &Symmetry, shared: &Shared, row: &[u32], tasks: usize) -> Sums {
        let mut sums = Sums {
            sums: [0; MOST],
            relates: false,
        };
        let roles = &symmetry.roles;
        for &slot in &roles.moving {
            let role = &roles.slots[slot as usize];
            let place = shared.packing.slots[slot as usize];
            let code = place.code(row[place.leaf as usize]);
            let held = (place.number(code)).and_then(|value| roles.held(role, value));
            let first = u64::from(role.first(slot));
            match (&role.digits[..], held) {
                ([], None) => {}
                ([], Some(number)) => sums.add(number, [HELD, first, 0]),
                (&[(at, _)], None) => sums.add(at, [INDEX, first, code.into()]),
                (&[(at, _)], Some(number)) if at == number => {
                    sums.add(at, [HELD_AT_ITSELF, first, 0]);
                }
                (&[(at, _)], Some(number)) => {
                    sums.add(at, [HOLDS, first, 0]);
                    sums.add(number, [HELD_AT, first, 0]);
                    sums.relates = true;
                }
                // An element at two indices relates these numbers; nothing else is said of them.
                _ => sums.relates = true,
            }
        }
        for &local in row[tasks..].iter().filter(|&&local| local != 0) {
            let features = self.features(symmetry, shared, local);
            sums.relates |= features.relates;
            for &(number, sum) in &features.sums {
                sums.sums[number] = sums.sums[number].wrapping_add(sum);
            }
        }
        sums
    }

    fn features(&mut self, symmetry: &Symmetry, shared: &Shared, local: u32) -> &Features {
        let at = local as usize;
        if at >= self.features.len() {
            self.features.resize(at + 1, None);
        }
        self.features[at].get_or_insert_with(|| features(symmetry, shared, local))
    }
}

fn features(symmetry: &Symmetry, shared: &Shared, local: u32) -> Features {
    let roles = &symmetry.roles;
    let bytes = lock(&shared.tables).locals.get(local).to_vec();
    let (mut held, mut relates, mut registers) = (SmallVec::<[(usize, u64); 2]>::new(), false, 0);
    let bytes = shared.with_number(&bytes, |task| {
        let number = roles.of_task(task);
        held.extend(number.map(|number| (number, 0)));
        number.map_or(task, |_| 0)
    });
    let erased = shared.with_values(&bytes, |pc, values| {
        let proc = shared.code.proc_of[pc as usize];
        for (&register, value) in shared.code.live(pc).iter().zip(values) {
            registers += 1;
            let Some(role) = roles.registers[proc as usize].get(register as usize) else {
                continue;
            };
            let number = roles.held(role, *value);
            if !role.digits.is_empty() {
                (*value, relates) = (0, true);
            } else if let Some(number) = number {
                *value = roles.lo;
                held.push((number, registers));
            }
        }
    });
    let mut hasher = FnvHasher::default();
    hasher.write(&erased);
    let content = mix(hasher.finish());
    relates |= held.windows(2).any(|pair| pair[0].0 != pair[1].0);
    let said = |(number, register): (usize, u64)| (number, mix(content ^ mix(register)));
    Features {
        inside: !symmetry.is_outside(shared.resumes_at(local)),
        relates,
        sums: held.into_iter().map(said).collect(),
    }
}

/// The renamings among which the least state is looked for.
fn candidates(symmetry: &Symmetry, sums: &Sums) -> SmallVec<[Renaming; 1]> {
    let sums_of_all = &sums.sums[..symmetry.roles.count];
    match symmetry.exchange {
        Exchange::Ring => first_of_ring(sums_of_all),
        Exchange::Any => orders(sums_of_all, sums.relates),
    }
}

/// Returns the turns of a ring that bring its sums into the least order.
fn first_of_ring(sums: &[u64]) -> SmallVec<[Renaming; 1]> {
    let count = sums.len();
    let from = |first: usize| sums[first..].iter().chain(&sums[..first]);
    let mut least: SmallVec<[usize; MOST]> = SmallVec::new();
    for first in 0..count {
        let order = least.first().map(|&known| from(first).cmp(from(known)));
        if order == Some(Ordering::Less) {
            least.clear();
        }
        if order != Some(Ordering::Greater) {
            least.push(first);
        }
    }
    (least.into_iter())
        .map(|first| Renaming::turn(count, count - first))
        .collect()
}

/// Returns the orders in which sums do not fall: only one of them, unless the state relates numbers with each other.
fn orders(sums: &[u64], relates: bool) -> SmallVec<[Renaming; 1]> {
    let mut order: Order = (0..sums.len()).collect();
    order.sort_by_key(|&number| sums[number]);
    let mut orders = vec![order];
    let mut from = 0;
    while relates && from < sums.len() {
        let same = orders[0][from..]
            .iter()
            .take_while(|&&n| sums[n] == sums[orders[0][from]]);
        let to = from + same.count();
        if to > from + 1 {
            orders = (orders.into_iter())
                .flat_map(|order| shuffled(order, from, to))
                .take(ORDERS)
                .collect();
        }
        from = to;
    }
    let renaming = |order: &Order| {
        let mut places = [0; MOST];
        for (place, &number) in order.iter().enumerate() {
            places[number] = place;
        }
        Renaming::new(|n| if n < order.len() { places[n] } else { n })
    };
    orders.iter().map(renaming).collect()
}

/// Numbers one after the other.
type Order = SmallVec<[usize; MOST]>;

/// Returns an order with a part of it in every order.
fn shuffled(order: Order, from: usize, to: usize) -> Vec<Order> {
    let mut all = vec![order];
    for at in from..to {
        all = (all.into_iter())
            .flat_map(|order| {
                (at..to).map(move |other| {
                    let mut order = order.clone();
                    order.swap(at, other);
                    order
                })
            })
            .take(ORDERS)
            .collect();
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(renamings: &[Renaming], count: usize) -> Vec<Vec<usize>> {
        let places = |renaming: &Renaming| (0..count).map(|n| renaming.of(n)).collect();
        renamings.iter().map(places).collect()
    }

    #[test]
    fn the_least_of_a_ring_comes_first() {
        // The second number becomes the first.
        assert_eq!(places(&first_of_ring(&[7, 3, 5]), 3), [[2, 0, 1]]);
        // Two turns look alike.
        assert_eq!(
            places(&first_of_ring(&[1, 2, 1, 2]), 4),
            [[0, 1, 2, 3], [2, 3, 0, 1]]
        );
    }

    #[test]
    fn equal_sums_are_put_in_every_order_where_numbers_are_related() {
        assert_eq!(places(&orders(&[5, 1, 5], false), 3), [[1, 0, 2]]);
        assert_eq!(places(&orders(&[5, 1, 5], true), 3), [[1, 0, 2], [2, 0, 1]]);
        assert_eq!(orders(&[4; 5], true).len(), 120);
        assert_eq!(orders(&[4; 16], true).len(), ORDERS);
    }
}
