//! Where states hold the numbers by which tasks are told apart, and how an exchange of these changes states.

use smallvec::SmallVec;

use crate::{Shared, lock};

/// More numbers than these are not exchanged.
pub(super) const MOST: usize = 16;

/// Other numbers for the numbers: by the place of a number among them, the place of the number that replaces it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Renaming([u8; MOST]);

impl Renaming {
    /// Makes a renaming from a function that gives each number its new place.
    pub fn new(places: impl Fn(usize) -> usize) -> Self {
        let mut all = [0; MOST];
        for (at, place) in all.iter_mut().enumerate() {
            *place = u8::try_from(places(at)).unwrap_or(u8::MAX);
        }
        Self(all)
    }

    /// Exchanges a number and the one before it.
    pub fn swap(number: usize) -> Self {
        Self::new(|n| match n {
            n if n == number => number - 1,
            n if n + 1 == number => number,
            n => n,
        })
    }

    /// Moves the first `count` numbers on by `by` places, round a ring.
    pub fn turn(count: usize, by: usize) -> Self {
        Self::new(|n| if n < count { (n + by) % count } else { n })
    }

    /// The new place of a number.
    pub fn of(self, number: usize) -> usize {
        self.0[number].into()
    }

    pub fn undone(self) -> Self {
        Self::new(|place| (0..MOST).find(|&n| self.of(n) == place).unwrap_or(place))
    }

    /// Whether the renaming changes nothing.
    pub fn is_none(self) -> bool {
        (0..MOST).all(|number| self.of(number) == number)
    }
}

/// What a slot or register has to do with the numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Role {
    /// The slot may hold a number plus this: an `owner` that is 0 for nobody holds 1 for the number 0.
    pub holds: Option<i64>,
    /// The slot lies in arrays whose indices are numbers. For each array: the index, and the slots from one element to the next.
    pub digits: SmallVec<[(usize, u32); 1]>,
}

impl Role {
    /// Checks whether it has nothing to do with the numbers.
    pub fn is_none(&self) -> bool {
        self.holds.is_none() && self.digits.is_empty()
    }

    /// Returns the slot to which the content of this slot moves.
    fn target(&self, slot: u32, renaming: Renaming) -> u32 {
        (self.digits.iter()).fold(slot, |slot, &(digit, stride)| {
            let digit_of = |n: usize| u32::try_from(n).unwrap_or(0) * stride;
            slot + digit_of(renaming.of(digit)) - digit_of(digit)
        })
    }

    /// Returns the slot that corresponds to this one in the first elements of the arrays.
    pub fn first(&self, slot: u32) -> u32 {
        (self.digits.iter()).fold(slot, |slot, &(digit, stride)| {
            slot - u32::try_from(digit).unwrap_or(0) * stride
        })
    }
}

/// The roles of all slots and registers.
#[derive(Debug)]
pub(super) struct Roles {
    /// The least number.
    pub lo: i64,
    /// How many there are.
    pub count: usize,
    /// The global slots' roles.
    pub slots: Vec<Role>,
    /// The global slots that have to do with numbers.
    pub moving: Vec<u32>,
    /// The roles of each procedure's registers, as far as these are variables.
    pub registers: Vec<Vec<Role>>,
    /// What is added to a number to get that of a task, where tasks are numbered.
    pub tasks: Option<i64>,
}

impl Roles {
    /// Notes which slots have to do with numbers.
    pub fn note_moving(&mut self) {
        let all = (0u32..).zip(&self.slots);
        let moving = all.filter(|(_, role)| !role.is_none());
        self.moving = moving.map(|(slot, _)| slot).collect();
    }

    /// Which of the numbers a value is.
    pub fn number(&self, value: i64) -> Option<usize> {
        let number = usize::try_from(value.checked_sub(self.lo)?).ok()?;
        (number < self.count).then_some(number)
    }

    pub fn value(&self, number: usize) -> i64 {
        self.lo + i64::try_from(number).unwrap_or(0)
    }

    /// Which number a value is, where it has that role.
    pub fn held(&self, role: &Role, value: i64) -> Option<usize> {
        self.number(value.checked_sub(role.holds?)?)
    }

    /// What takes the place of a value that has that role.
    fn renamed(&self, role: &Role, value: i64, renaming: Renaming) -> i64 {
        let added = role.holds.unwrap_or(0);
        (self.held(role, value)).map_or(value, |number| self.value(renaming.of(number)) + added)
    }

    /// Which of the numbers a task's number stands for.
    pub fn of_task(&self, task: u32) -> Option<usize> {
        self.number(i64::from(task).checked_sub(self.tasks?)?)
    }

    /// Returns the number that a task has after the renaming.
    pub fn task(&self, task: u32, renaming: Renaming) -> u32 {
        let number = self.of_task(task).map(|number| renaming.of(number));
        let other = number.map(|number| self.value(number) + self.tasks.unwrap_or(0));
        other
            .and_then(|other| u32::try_from(other).ok())
            .unwrap_or(task)
    }

    /// Writes the renamed globals to `to`, which holds a copy of them.
    pub fn globals(&self, shared: &Shared, from: &[u32], renaming: Renaming, to: &mut [u32]) {
        for &slot in &self.moving {
            let place = shared.packing.slots[slot as usize];
            let code = place.code(from[place.leaf as usize]);
            let (goal, code) = self.slot_and_code(shared, (slot, code), renaming);
            let goal = shared.packing.slots[goal as usize];
            let leaf = &mut to[goal.leaf as usize];
            *leaf = *leaf & !goal.mask() | code << goal.shift;
        }
    }

    /// Returns the slot to which the content of a slot moves, and its code there.
    pub fn slot_and_code(
        &self,
        shared: &Shared,
        (slot, code): (u32, u32),
        renaming: Renaming,
    ) -> (u32, u32) {
        let Some(role) = self.slots.get(slot as usize) else {
            return (slot, code);
        };
        let place = shared.packing.slots[slot as usize];
        let value = place.number(code);
        let other = value.and_then(|value| place.code_of(self.renamed(role, value, renaming)));
        (role.target(slot, renaming), other.unwrap_or(code))
    }

    /// Returns the slot to which the content of a slot moves.
    pub fn slot(&self, slot: u32, renaming: Renaming) -> u32 {
        (self.slots.get(slot as usize)).map_or(slot, |role| role.target(slot, renaming))
    }

    /// Returns the renamed local state. `None` if a value would move to a register that does not matter there.
    pub fn local(&self, shared: &Shared, local: u32, renaming: Renaming) -> Option<u32> {
        let mut bytes = lock(&shared.tables).locals.get(local).to_vec();
        let mut fits = true;
        bytes = shared.with_number(&bytes, |task| self.task(task, renaming));
        bytes = shared.with_values(&bytes, |pc, values| {
            let proc = shared.code.proc_of[pc as usize];
            let (roles, registers) = (&self.registers[proc as usize], shared.code.live(pc));
            let before: SmallVec<[i64; 8]> = SmallVec::from_slice(values);
            for (&register, &value) in registers.iter().zip(&before) {
                let Some(role) = roles.get(register as usize) else {
                    continue;
                };
                let value = self.renamed(role, value, renaming);
                match registers.binary_search(&role.target(register, renaming)) {
                    Ok(goal) => values[goal] = value,
                    Err(_) => fits = false,
                }
            }
        });
        fits.then(|| lock(&shared.tables).locals.intern(&bytes))
    }
}
