//! Local states as bytes, and back. A local state holds where a task rests, and the registers that still matter there.

use std::cmp::Ordering;

use super::{Frame, Machine, lock};
use crate::code::{Domain, Instr, UNDEF};

impl Machine<'_> {
    /// Enters a procedure without arguments as the first frame.
    pub(super) fn enter(&mut self, proc: u32) {
        let proc = &self.shared.code.procs[proc as usize];
        let blank = self.shared.code.blank();
        self.stack.clear();
        self.stack.resize(proc.frame as usize, blank);
        self.frames.clear();
        self.frames.push(Frame {
            pc: proc.entry,
            base: 0,
        });
    }

    /// Makes the running task a local state. Its frames go on where they are, the innermost at `pc`.
    pub(super) fn rest(&mut self, pc: u32) -> u32 {
        let mut bytes = std::mem::take(&mut self.bytes);
        bytes.clear();
        if self.shared.code.handles {
            put(&mut bytes, u64::from(self.me));
        }
        let last = self.frames.len() - 1;
        for (i, frame) in self.frames.iter().enumerate() {
            let pc = if i == last { pc } else { frame.pc };
            put(&mut bytes, u64::from(pc));
            for &reg in self.shared.code.live(pc) {
                put(&mut bytes, fold(self.stack[(frame.base + reg) as usize]));
            }
        }
        let id = lock(&self.shared.tables).locals.intern(&bytes);
        self.bytes = bytes;
        id
    }

    /// The local state of a posted task: pending at the beginning of its procedure.
    pub(super) fn posted(&mut self, proc: u32, number: u32, args: usize) -> u32 {
        let mut bytes = std::mem::take(&mut self.bytes);
        bytes.clear();
        if self.shared.code.handles {
            put(&mut bytes, u64::from(number));
        }
        let proc = &self.shared.code.procs[proc as usize];
        let blank = self.shared.code.blank();
        put(&mut bytes, u64::from(proc.start));
        for &reg in self.shared.code.live(proc.start) {
            // Only parameters have values there.
            let arg = self
                .stack
                .get(args + reg as usize)
                .filter(|_| reg < proc.params);
            put(&mut bytes, fold(arg.copied().unwrap_or(blank)));
        }
        let id = lock(&self.shared.tables).locals.intern(&bytes);
        self.bytes = bytes;
        id
    }

    /// Restores a local state. A task that rests at an await goes on with the guard.
    pub(super) fn resume(&mut self, local: u32) {
        let mut bytes = std::mem::take(&mut self.bytes);
        bytes.clear();
        bytes.extend_from_slice(lock(&self.shared.tables).locals.get(local));
        let mut rest = bytes.as_slice();
        self.me = if self.shared.code.handles {
            u32::try_from(take(&mut rest)).unwrap_or(0)
        } else {
            0
        };
        while !rest.is_empty() {
            let pc = u32::try_from(take(&mut rest)).unwrap_or(0);
            let code = &self.shared.code;
            let proc = &code.procs[code.proc_of[pc as usize] as usize];
            let base = self.stack.len();
            self.stack.resize(base + proc.frame as usize, 0);
            for &reg in code.live(pc) {
                self.stack[base + reg as usize] = unfold(take(&mut rest));
            }
            let base = u32::try_from(base).unwrap_or(u32::MAX);
            self.frames.push(Frame { pc, base });
        }
        self.bytes = bytes;
        let pc = self.frames.last().map_or(0, |f| f.pc);
        self.flags.guard = self.shared.at_await(pc);
    }
}

impl super::Shared {
    /// Whether a task that rests at an instruction waits for something.
    pub fn at_await(&self, pc: u32) -> bool {
        let before = pc.checked_sub(1).map(|b| self.code.instrs[b as usize]);
        matches!(before, Some(Instr::Await))
    }

    /// The number of the task with a local state, where tasks are numbered.
    pub fn number(&self, local: u32) -> u32 {
        let tables = lock(&self.tables);
        u32::try_from(take(&mut tables.locals.get(local))).unwrap_or(0)
    }

    /// Whether two local states are those of equal tasks, whatever their numbers.
    pub fn same_task(&self, a: u32, b: u32) -> bool {
        if a == b || !self.code.handles {
            return a == b;
        }
        let tables = lock(&self.tables);
        let (mut a, mut b) = (tables.locals.get(a), tables.locals.get(b));
        take(&mut a);
        take(&mut b);
        a == b
    }

    /// Returns the first 16 bytes of a local state as a big-endian number, at least 1.
    pub fn first_bytes(&self, local: u32) -> u128 {
        let tables = lock(&self.tables);
        let mut first = [0; 16];
        let bytes = tables.locals.get(local);
        let len = bytes.len().min(first.len());
        first[..len].copy_from_slice(&bytes[..len]);
        u128::from_be_bytes(first).max(1)
    }

    /// The order of local states by their content.
    pub fn compare(&self, a: u32, b: u32) -> Ordering {
        let tables = lock(&self.tables);
        tables.locals.get(a).cmp(tables.locals.get(b))
    }

    /// A local state of a task with another number, where tasks are numbered.
    pub fn with_number(&self, local: &[u8], other: impl FnOnce(u32) -> u32) -> Vec<u8> {
        let (mut rest, mut out) = (local, Vec::with_capacity(local.len()));
        if self.code.handles {
            let number = u32::try_from(take(&mut rest)).unwrap_or(0);
            put(&mut out, other(number).into());
        }
        out.extend_from_slice(rest);
        out
    }

    /// A local state with other values in it. `change` is told where each frame rests, and the values of the registers that
    /// matter there.
    pub fn with_values(&self, local: &[u8], mut change: impl FnMut(u32, &mut [i64])) -> Vec<u8> {
        let (mut rest, mut out) = (local, Vec::with_capacity(local.len()));
        if self.code.handles {
            put(&mut out, take(&mut rest));
        }
        let mut values = Vec::new();
        while !rest.is_empty() {
            let pc = take(&mut rest);
            put(&mut out, pc);
            let pc = u32::try_from(pc).unwrap_or(0);
            let registers = self.code.live(pc);
            values.clear();
            values.extend(registers.iter().map(|_| unfold(take(&mut rest))));
            change(pc, &mut values);
            values.iter().for_each(|&value| put(&mut out, fold(value)));
        }
        out
    }

    /// A local state with other names for the trees in it. `rename` is told the procedure and the register that holds a
    /// tree, and its name.
    pub fn with_trees(
        &self,
        local: &[u8],
        mut rename: impl FnMut(u32, u32, i64) -> i64,
    ) -> Vec<u8> {
        self.with_values(local, |pc, values| {
            let proc = self.code.proc_of[pc as usize];
            let locals = &self.code.procs[proc as usize].locals;
            for (&register, value) in self.code.live(pc).iter().zip(values) {
                let domain = locals.get(register as usize).map(|local| local.domain);
                if domain == Some(Domain::Tree) && *value != UNDEF {
                    *value = rename(proc, register, *value);
                }
            }
        })
    }

    /// Returns the instruction at which the innermost frame of a local state goes on.
    pub fn resumes_at(&self, local: u32) -> u32 {
        let tables = lock(&self.tables);
        let mut rest = tables.locals.get(local);
        if self.code.handles {
            take(&mut rest);
        }
        let mut pc = 0;
        while !rest.is_empty() {
            pc = u32::try_from(take(&mut rest)).unwrap_or(0);
            for _ in self.code.live(pc) {
                take(&mut rest);
            }
        }
        pc
    }
}

/// Folds the sign into the lowest bit: small numbers of both signs take few bytes.
fn fold(n: i64) -> u64 {
    ((n << 1) ^ (n >> 63)).cast_unsigned()
}

fn unfold(n: u64) -> i64 {
    (n >> 1).cast_signed() ^ -(n & 1).cast_signed()
}

#[allow(clippy::cast_possible_truncation, reason = "seven bits at a time")]
fn put(out: &mut Vec<u8>, mut n: u64) {
    while n >= 0x80 {
        out.push(n as u8 | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
}

fn take(bytes: &mut &[u8]) -> u64 {
    let (mut n, mut shift) = (0, 0);
    while let Some((&byte, rest)) = bytes.split_first() {
        *bytes = rest;
        n |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            break;
        }
        shift += 7;
    }
    n
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_survive() {
        let numbers = [0, 1, -1, 63, -64, 64, 1 << 40, i64::MAX, i64::MIN];
        let mut bytes = Vec::new();
        numbers.iter().for_each(|&n| put(&mut bytes, fold(n)));
        let mut rest = bytes.as_slice();
        for n in numbers {
            assert_eq!(unfold(take(&mut rest)), n);
        }
        assert!(rest.is_empty());
    }
}
