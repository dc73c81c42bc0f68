//! What a resting task waits for: the globals on which its condition depends, whatever they hold.
//!
//! An evaluation looks at some of them only: `a || b` does not look at `b` if `a` holds. But each of them may enable or
//! disable the task. So the condition's code is walked from its beginning to its end, past every branch, and every load
//! counts. An index that is computed from locals alone is known; one that depends on globals can be any.

use super::view::fetch;
use super::{Machine, Start, World, arith, lock};
use crate::code::{Code, Instr, Operand, Reg, defines};

/// Something that a condition depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Awaited {
    Slot(u32),
    /// Whether the task with a number has finished.
    Finished(u32),
    /// Whether a task has finished whose number is not known.
    AnyFinished,
}

/// What is known of a register's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Basis {
    /// The value is a function of the task's local state, and computed.
    Local,
    /// The value is computed from what the globals hold now.
    Now,
    /// The value depends on the way through the code, or is not computed.
    No,
}

/// A walk through the code of a condition.
struct Walk<'a> {
    code: &'a Code,
    known: Vec<Basis>,
    /// How often the code writes each register.
    writes: Vec<u32>,
    out: &'a mut Vec<Awaited>,
    /// Whether all that was found so far holds whatever the globals are.
    lasting: bool,
}

impl Machine<'_> {
    /// Finds what the condition of a waiting task depends on. Answers whether the result is the same whatever the
    /// globals are.
    pub fn awaited(&mut self, local: u32, world: World<'_>, out: &mut Vec<Awaited>) -> bool {
        self.begin(Start::Task(local));
        let Some(frame) = self.frames.last().copied() else {
            return true;
        };
        let shared = self.shared;
        let mut walk = Walk::new(&shared.code, frame.pc, out);
        let mut pc = frame.pc;
        loop {
            let instr = shared.code.instrs[pc as usize];
            if let Instr::Guard { .. } = instr {
                return walk.lasting;
            }
            self.awaits(instr, frame.base, world, &mut walk);
            pc += 1;
        }
    }

    #[allow(clippy::too_many_lines, reason = "a few lines for each instruction")]
    fn awaits(&mut self, instr: Instr, base: u32, world: World<'_>, walk: &mut Walk<'_>) {
        match instr {
            Instr::Load { dst, slot, n } => {
                walk.out.extend((slot..slot + n).map(Awaited::Slot));
                self.glimpse(base + dst, slot, n, world);
                walk.learn(dst, n, Basis::Now);
            }
            Instr::LoadAt {
                dst,
                slot,
                offset,
                n,
            } => self.awaits_part(base, (dst, slot, n), offset, world, walk),
            Instr::Finished { dst, a } => {
                let known = walk.of(a);
                walk.lasting &= known == Basis::Local;
                let task = self.index(base, a);
                match known {
                    Basis::No => walk.out.push(Awaited::AnyFinished),
                    _ if task == 0 => {}
                    _ => walk.out.push(Awaited::Finished(task)),
                }
                walk.learn(dst, 1, Basis::No);
            }
            Instr::Copy { dst, src } => {
                let value = self.value(base, src);
                self.set(base, dst, value);
                walk.learn(dst, 1, walk.of(src));
            }
            Instr::Move { dst, src, n } => {
                let from = (base + src) as usize;
                let to = (base + dst) as usize;
                self.stack.copy_within(from..from + n as usize, to);
                walk.learn(dst, n, walk.worst(src, n));
            }
            Instr::Me { dst } => {
                self.set(base, dst, self.me.into());
                walk.learn(dst, 1, Basis::Local);
            }
            Instr::Binary { op, num, dst, a, b } => {
                let value = arith::binary(op, num, self.value(base, a), self.value(base, b));
                self.computed(base, dst, value, walk.of(a).max(walk.of(b)), walk);
            }
            Instr::Unary { op, num, dst, a } => {
                let value = arith::unary(op, num, self.value(base, a));
                self.computed(base, dst, value, walk.of(a), walk);
            }
            Instr::Convert { from, to, dst, a } => {
                let value = arith::convert(from, to, self.value(base, a));
                self.computed(base, dst, value, walk.of(a), walk);
            }
            Instr::Offset {
                dst,
                before,
                index,
                info,
            } => {
                let known = before
                    .map_or(Basis::Local, |b| walk.of(b))
                    .max(walk.of(index));
                self.offset(base, dst, before, index, info);
                walk.learn(dst, 1, known);
            }
            other => {
                if let Some((dst, n)) = defines(walk.code, &other) {
                    walk.learn(dst, n, Basis::No);
                }
            }
        }
    }

    /// Handles a load of a part of a variable.
    fn awaits_part(
        &mut self,
        base: u32,
        (dst, slot, n): (Reg, u32, u32),
        offset: Operand,
        world: World<'_>,
        walk: &mut Walk<'_>,
    ) {
        let known = walk.of(offset);
        // What is not computed may lie anywhere.
        let index = if known == Basis::No {
            0
        } else {
            self.index(base, offset)
        };
        let at = slot + index;
        if known == Basis::Local {
            walk.out.extend((at..at + n).map(Awaited::Slot));
        } else {
            let (from, to) = variable(walk.code, slot);
            walk.out.extend((from..to).map(Awaited::Slot));
        }
        self.glimpse(base + dst, at, n, world);
        walk.learn(dst, n, known.max(Basis::Now));
    }

    /// Loads globals into registers without an event.
    fn glimpse(&mut self, dst: u32, slot: u32, n: u32, world: World<'_>) {
        let tables = lock(&self.shared.tables);
        for i in 0..n {
            let (_, value) = fetch(&self.shared.packing, &tables, world.leaves, slot + i);
            self.stack[(dst + i) as usize] = value;
        }
    }

    fn computed(
        &mut self,
        base: u32,
        dst: Reg,
        value: Option<i64>,
        known: Basis,
        walk: &mut Walk<'_>,
    ) {
        self.set(base, dst, value.unwrap_or(0));
        let known = if value.is_some() { known } else { Basis::No };
        walk.learn(dst, 1, known);
    }
}

impl<'a> Walk<'a> {
    fn new(code: &'a Code, from: u32, out: &'a mut Vec<Awaited>) -> Self {
        let proc = &code.procs[code.proc_of[from as usize] as usize];
        let mut writes = vec![0; proc.frame as usize];
        let rest = code.instrs[from as usize..].iter();
        for instr in rest.take_while(|i| !matches!(i, Instr::Guard { .. })) {
            if let Some((dst, n)) = defines(code, instr) {
                for reg in dst..dst + n {
                    writes[reg as usize] += 1;
                }
            }
        }
        Self {
            code,
            known: vec![Basis::Local; proc.frame as usize],
            writes,
            out,
            lasting: true,
        }
    }

    fn of(&self, operand: Operand) -> Basis {
        operand
            .get()
            .map_or(Basis::Local, |reg| self.known[reg as usize])
    }

    fn worst(&self, reg: Reg, n: u32) -> Basis {
        let range = reg as usize..(reg + n) as usize;
        self.known[range]
            .iter()
            .copied()
            .max()
            .unwrap_or(Basis::Local)
    }

    /// Notes what is known of registers. A register that is written twice depends on the way.
    fn learn(&mut self, dst: Reg, n: u32, known: Basis) {
        for reg in dst..dst + n {
            let twice = self.writes[reg as usize] > 1;
            self.known[reg as usize] = if twice { Basis::No } else { known };
        }
    }
}

/// The slots of the global variable that a slot belongs to.
fn variable(code: &Code, slot: u32) -> (u32, u32) {
    let variable = code.slots[slot as usize].variable as usize;
    (code.globals[variable], code.globals[variable + 1])
}

impl Code {
    /// Checks whether a condition, whose code begins at an instruction, may look at a value that was never chosen. In doubt
    /// it says yes.
    pub fn may_need_choices(&self, pc: u32) -> bool {
        let open = |mut slots: std::ops::Range<u32>| {
            slots.any(|slot| {
                let info = self.slots.get(slot as usize);
                info.is_none_or(|info| info.undefined)
            })
        };
        for instr in &self.instrs[pc as usize..] {
            let needs = match *instr {
                Instr::Guard { .. } => return false,
                Instr::Load { slot, n, .. } => open(slot..slot + n),
                Instr::LoadAt { slot, .. } => {
                    let (from, to) = variable(self, slot);
                    open(from..to)
                }
                Instr::Jump { .. }
                | Instr::Branch { .. }
                | Instr::Compare { .. }
                | Instr::Reach { .. }
                | Instr::Finished { .. } => false,
                ref other => !other.only_computes(),
            };
            if needs {
                return true;
            }
        }
        true
    }

    /// Checks whether a task that goes on at an instruction touches the same globals up to its next rest, whatever they
    /// hold. In doubt it says no: it follows no branches.
    pub fn touches_the_same(&self, mut pc: u32) -> bool {
        let mut loaded = false;
        for _ in 0..256 {
            match self.instrs[pc as usize] {
                Instr::Preempt { kind } => {
                    if loaded || kind != ir::PreemptKind::Implicit {
                        return true;
                    }
                }
                Instr::Load { .. } if !self.undefined => loaded = true,
                Instr::LoadAt { .. } if !self.undefined && !loaded => loaded = true,
                Instr::Store { .. } => loaded = true,
                Instr::Reach { .. } => {}
                ref other if other.only_computes() => {}
                Instr::Jump { to } => {
                    pc = to;
                    continue;
                }
                _ => return false,
            }
            pc += 1;
        }
        false
    }
}
