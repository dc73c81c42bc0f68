//! Instructions, one after the other.

use ir::PreemptKind;

use super::view::fetch;
use super::{End, Event, Frame, Machine, Ordered, Why, World, arith, lock};
use crate::code::{Instr, Operand, Reg, UNDEF};

/// The most instructions that run in one turn.
const PATIENCE: u64 = 1 << 16;
/// The machine looks at the clock once in so many turns. A call or a return ends a turn, too.
const TURNS: u32 = 32;
/// The machine looks at the memory once in so many looks at the clock.
const LOOKS: u32 = 1 << 10;
/// After choices have copied so many bytes, the machine looks at the memory.
const KEPT: usize = 16 << 20;
/// Copying so many bytes is as much work as an instruction.
const COPIED: usize = 64;
/// So many instructions are as much work as a step.
const INSTRS: u64 = 64;

impl Machine<'_> {
    fn reg(&self, base: u32, reg: Reg) -> i64 {
        self.stack[(base + reg) as usize]
    }

    pub(super) fn set(&mut self, base: u32, reg: Reg, value: i64) {
        self.stack[(base + reg) as usize] = value;
    }

    pub(super) fn value(&self, base: u32, operand: Operand) -> i64 {
        match operand.get() {
            Ok(reg) => self.reg(base, reg),
            Err(constant) => self.shared.code.consts[constant as usize],
        }
    }

    pub(super) fn index(&self, base: u32, operand: Operand) -> u32 {
        u32::try_from(self.value(base, operand)).unwrap_or(0)
    }

    /// Runs until this way of the segment ends.
    pub(super) fn execute(&mut self, world: World<'_>) -> End {
        loop {
            if let Err(end) = self.some(world) {
                return end;
            }
        }
    }

    /// Runs some instructions of the innermost frame.
    #[allow(clippy::too_many_lines, reason = "a few lines for each instruction")]
    fn some(&mut self, world: World<'_>) -> Result<(), End> {
        let Some(&Frame { mut pc, base }) = self.frames.last() else {
            return self.left();
        };
        if self.fuel == 0 {
            return Err(self.refuse(Why::Endless));
        }
        self.turns = self.turns.wrapping_add(1);
        if self.turns.is_multiple_of(TURNS) && !self.patient {
            self.shared.halt.spend(TURNS.into());
            // One step may make so many tasks, or choose so often, that it fills the memory.
            let looks = self.turns.is_multiple_of(LOOKS * TURNS) || self.kept > KEPT;
            if looks {
                let copied = std::mem::take(&mut self.kept) / COPIED;
                self.shared.halt.spend(copied as u64);
            }
            let full = looks && self.shared.halt.is_full();
            if full || self.shared.halt.now() {
                return Err(self.refuse(Why::Halted));
            }
        }
        let fuel = self.fuel.min(PATIENCE);
        let code = &self.shared.code;
        for spent in 0..fuel {
            let instr = code.instrs[pc as usize];
            match instr {
                Instr::Copy { dst, src } => {
                    let value = self.value(base, src);
                    self.set(base, dst, value);
                }
                Instr::Binary { op, num, dst, a, b } => {
                    let (a, b) = (self.value(base, a), self.value(base, b));
                    match arith::binary(op, num, a, b) {
                        Some(value) => self.set(base, dst, value),
                        None => return Err(self.stop(pc, Why::TooLarge)),
                    }
                }
                // An empty loop never ends: it is refused at once.
                Instr::Jump { to } if to == pc => return Err(self.stop(pc, Why::Endless)),
                Instr::Jump { to } => {
                    pc = to;
                    continue;
                }
                Instr::Branch { cond, want, to } => {
                    if (self.value(base, cond) != 0) == want {
                        pc = to;
                        continue;
                    }
                }
                Instr::Compare {
                    op,
                    num,
                    a,
                    b,
                    want,
                    to,
                } => {
                    if arith::compare(op, num, self.value(base, a), self.value(base, b)) == want {
                        pc = to;
                        continue;
                    }
                }
                Instr::Load { dst, slot, n: 1 } => {
                    self.watch(pc);
                    let value = self.global(slot, world);
                    if value == UNDEF {
                        self.set_pc(pc);
                        self.missing_global(slot)?;
                        continue;
                    }
                    self.set(base, dst, value);
                }
                Instr::Store { slot, src } => {
                    let value = self.value(base, src);
                    self.flags.touched = true;
                    self.view.set(slot, value);
                    self.watch(pc);
                    self.accesses(slot, 1, true);
                }
                _ => {
                    self.set_pc(pc);
                    let moved = self.op(instr, base, world)?;
                    if moved {
                        self.fuel -= spent + 1;
                        return Ok(());
                    }
                }
            }
            pc += 1;
        }
        self.fuel -= fuel;
        self.shared.halt.spend(fuel / INSTRS);
        self.set_pc(pc);
        Ok(())
    }

    /// Stores the instruction in the frame, because a recorded access names it.
    fn watch(&mut self, pc: u32) {
        if self.shared.watched.is_some() {
            self.set_pc(pc);
        }
    }

    fn stop(&mut self, pc: u32, why: Why) -> End {
        self.set_pc(pc);
        self.refuse(why)
    }

    pub(super) fn set_pc(&mut self, pc: u32) {
        if let Some(frame) = self.frames.last_mut() {
            frame.pc = pc;
        }
    }

    /// The last frame was left: `main` begins, or the task is done.
    fn left(&mut self) -> Result<(), End> {
        if !self.flags.initial {
            return Err(End::Finished);
        }
        self.flags.initial = false;
        self.flags.touched = false;
        self.flags.ordered = Ordered::No;
        self.acts.clear();
        self.enter(self.shared.main);
        Ok(())
    }

    /// A global's value, fetched when it is first looked at.
    pub(super) fn global(&mut self, slot: u32, world: World<'_>) -> i64 {
        self.flags.touched = true;
        self.accesses(slot, 1, false);
        if let Some(value) = self.view.get(slot) {
            return value;
        }
        let tables = lock(&self.shared.tables);
        let (code, value) = fetch(&self.shared.packing, &tables, world.leaves, slot);
        drop(tables);
        self.events.push(Event::Read(slot, code));
        self.view.fetched(slot, value);
        value
    }

    /// Checks whether the task passes a preemption point without a rest.
    pub(super) fn passes(&self, kind: PreemptKind) -> bool {
        kind == PreemptKind::Implicit && !self.flags.touched
    }
}
