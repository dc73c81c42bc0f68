//! The instructions that are long or rare: parts of variables, trees, calls, tasks.

use std::sync::atomic::Ordering;

use ir::PreemptKind;

use super::choice::{Chosen, Place, Target};
use super::{DEPTH, End, Event, Frame, Machine, Why, World, arith, lock};
use crate::code::{Base, CHOICES, Domain, Home, Instr, Operand, Reg, UNDEF};

impl Machine<'_> {
    /// Executes an instruction. Answers whether it has set the next instruction itself.
    #[allow(clippy::too_many_lines, reason = "a few lines for each instruction")]
    pub(super) fn op(&mut self, instr: Instr, base: u32, world: World<'_>) -> Result<bool, End> {
        match instr {
            Instr::Move { dst, src, n } => self.copy(base + dst, base + src, n),
            Instr::Unary { op, num, dst, a } => {
                let value = arith::unary(op, num, self.value(base, a));
                self.result(base, dst, value)?;
            }
            Instr::Convert { from, to, dst, a } => {
                let value = arith::convert(from, to, self.value(base, a));
                self.result(base, dst, value)?;
            }
            Instr::Load { dst, slot, n } => return self.load(base + dst, slot, n, world),
            Instr::LoadAt {
                dst,
                slot,
                offset,
                n,
            } => {
                let slot = slot + self.index(base, offset);
                return self.load(base + dst, slot, n, world);
            }
            Instr::StoreMany { slot, src, n } => self.save(slot, base + src, n),
            Instr::StoreAt {
                slot,
                offset,
                src,
                n,
            } => self.save(slot + self.index(base, offset), base + src, n),
            Instr::Peek {
                dst,
                base: from,
                offset,
                n,
                ..
            } => {
                let src = from + self.index(base, offset);
                if self.need(base, src, n)? {
                    return Ok(true);
                }
                self.copy(base + dst, base + src, n);
            }
            Instr::Poke {
                base: to,
                offset,
                src,
                n,
                ..
            } => self.copy(base + to + self.index(base, offset), base + src, n),
            Instr::Need { reg, n } => return self.need(base, reg, n),
            Instr::Same { dst, a, b, n } => {
                let range = |r: Reg| (base + r) as usize..(base + r + n) as usize;
                let same = self.stack[range(a)] == self.stack[range(b)];
                self.set(base, dst, same.into());
            }
            Instr::Repeat { dst, src, n, times } => {
                for i in 0..times {
                    self.copy(base + dst + i * n, base + src, n);
                }
            }
            Instr::Offset {
                dst,
                before,
                index,
                info,
            } => self.offset(base, dst, before, index, info),
            Instr::Me { dst } => self.set(base, dst, self.me.into()),
            Instr::Reach { landmark } => match &mut self.passed {
                Some(passed) => {
                    passed.insert(landmark);
                }
                None => self.shared.reached[landmark as usize].store(true, Ordering::Relaxed),
            },
            Instr::Drop => return Err(End::Dropped),
            Instr::Fail { site } => return Err(self.failed(site)),
            Instr::TooLarge => return Err(self.refuse(Why::TooLarge)),
            _ => return self.or_else_op(instr, base, world),
        }
        Ok(false)
    }

    fn or_else_op(&mut self, instr: Instr, base: u32, world: World<'_>) -> Result<bool, End> {
        match instr {
            Instr::MapGet {
                dst,
                map,
                key,
                info,
            } => self.map_get(base, dst, map, key, info),
            Instr::MapSet {
                dst,
                map,
                key,
                src,
                info,
            } => self.map_set(base, dst, (map, key), src, info),
            Instr::MapFill { dst, src, info } => {
                let element = self.element(base, src, info);
                let tree = lock(&self.shared.tables).trees.fill(&element);
                self.set(base, dst, tree.into());
            }
            Instr::MapNeed { map } => {
                let tree = self.tree(base, map);
                if lock(&self.shared.tables).trees.holes(tree) {
                    return Err(self.refuse(Why::Tree));
                }
            }
            Instr::NeedElement {
                reg,
                n,
                at,
                map,
                key,
                info,
            } => return self.need_element(base, (reg, n, at), map, key, info),
            Instr::Forget { home, blanks } => self.forget(base, home, blanks),
            Instr::Choose { home } => return self.choose_now(base, home),
            Instr::ChooseAll { reg, blanks } => return self.choose_all(base, reg, blanks),
            Instr::Call { proc, args, .. } => return self.call(base, proc, args).map(|()| true),
            Instr::Return { src, n } => return self.leave(base, src, n),
            Instr::Post { proc, args, into } => self.post(base, proc, args, into, world),
            Instr::Preempt { kind } if self.passes(kind) => {}
            Instr::Preempt { kind } => {
                self.flags.slept = kind == PreemptKind::Sleep;
                return Err(self.rest_behind());
            }
            Instr::Await => return self.wait().map(|()| false),
            Instr::Guard { cond } => self.guard(base, cond)?,
            Instr::Finished { dst, a } => {
                let task = self.index(base, a);
                let done = self.finished(task, world);
                self.set(base, dst, done.into());
            }
            // The callers execute all others.
            _ => return Err(End::Dropped),
        }
        Ok(false)
    }

    fn result(&mut self, base: u32, dst: Reg, value: Option<i64>) -> Result<(), End> {
        match value {
            Some(value) => {
                self.set(base, dst, value);
                Ok(())
            }
            None => Err(self.refuse(Why::TooLarge)),
        }
    }

    fn copy(&mut self, dst: u32, src: u32, n: u32) {
        self.stack
            .copy_within(src as usize..(src + n) as usize, dst as usize);
    }

    fn load(&mut self, dst: u32, slot: u32, n: u32, world: World<'_>) -> Result<bool, End> {
        for i in 0..n {
            let value = self.global(slot + i, world);
            if value == UNDEF {
                self.missing_global(slot + i)?;
                return Ok(true);
            }
            self.stack[(dst + i) as usize] = value;
        }
        Ok(false)
    }

    fn save(&mut self, slot: u32, src: u32, n: u32) {
        self.flags.touched = true;
        self.accesses(slot, n, true);
        for i in 0..n {
            self.view.set(slot + i, self.stack[(src + i) as usize]);
        }
    }

    /// Chooses a value for the first register that has none. Answers whether there was one.
    fn need(&mut self, base: u32, reg: Reg, n: u32) -> Result<bool, End> {
        let from = (base + reg) as usize;
        let values = &self.stack[from..from + n as usize];
        let Some(i) = values.iter().position(|&v| v == UNDEF) else {
            return Ok(false);
        };
        let reg = reg + u32::try_from(i).unwrap_or(0);
        let depth = u32::try_from(self.frames.len() - 1).unwrap_or(u32::MAX);
        let proc = self.running();
        let info = self.shared.code.procs[proc as usize].locals[reg as usize];
        let place = Target::Slot(Place::Local(depth, reg));
        self.choose(place, info.domain, Why::Local(proc, info.variable))?;
        Ok(true)
    }

    /// The procedure of the innermost frame.
    pub(super) fn running(&self) -> u32 {
        let pc = self.frames.last().map_or(0, |f| f.pc);
        self.shared.code.proc_of[pc as usize]
    }

    pub(super) fn missing_global(&mut self, slot: u32) -> Result<(), End> {
        let info = self.shared.code.slots[slot as usize];
        let place = Target::Slot(Place::Global(slot));
        self.choose(place, info.domain, Why::Global(info.variable))
    }

    /// Stores a chosen value in its target.
    pub(super) fn give(&mut self, at: Target, value: i64) {
        match at {
            Target::Slot(place) => {
                self.put(place, value);
                self.note(Chosen::Slot(place, value));
            }
            Target::Part {
                slot,
                at,
                map,
                key,
                info,
            } => self.give_part((slot, at), map, key, info, value),
        }
    }

    fn put(&mut self, place: Place, value: i64) {
        match place {
            Place::Global(slot) => self.view.set(slot, value),
            Place::Local(depth, reg) => {
                let base = self.frames[depth as usize].base;
                self.set(base, reg, value);
            }
        }
    }

    pub(super) fn offset(
        &mut self,
        base: u32,
        dst: Reg,
        before: Option<Operand>,
        index: Operand,
        info: u32,
    ) {
        let info = self.shared.code.offsets[info as usize];
        let index = self.value(base, index).wrapping_sub(info.lo);
        // If the index is outside, a check before has failed, or nothing depends on it.
        let inside = (0..i64::from(info.len)).contains(&index);
        let index = if inside { index } else { 0 };
        let before = before.map_or(0, |b| self.value(base, b));
        // A walk that only looks ahead may have no real value in `before`.
        self.set(
            base,
            dst,
            before.wrapping_add(index * i64::from(info.stride)),
        );
    }

    fn tree(&self, base: u32, map: Reg) -> u32 {
        u32::try_from(self.stack[(base + map) as usize]).unwrap_or(0)
    }

    fn map_get(&mut self, base: u32, dst: Reg, map: Reg, key: Operand, info: u32) {
        let keys = self.shared.code.maps[info as usize].keys;
        let (tree, key) = (self.tree(base, map), self.value(base, key));
        self.accesses_element(base, keys.within(key), info, false);
        let tables = lock(&self.shared.tables);
        let element = tables.trees.get(tree, keys, keys.within(key));
        let dst = (base + dst) as usize;
        self.stack[dst..dst + element.len()].copy_from_slice(element);
    }

    fn element(&self, base: u32, src: Reg, info: u32) -> Vec<i64> {
        let width = self.shared.code.maps[info as usize].elem.len();
        let src = (base + src) as usize;
        self.stack[src..src + width].to_vec()
    }

    fn map_set(&mut self, base: u32, dst: Reg, (map, key): (Reg, Operand), src: Reg, info: u32) {
        let keys = self.shared.code.maps[info as usize].keys;
        let (tree, key) = (self.tree(base, map), self.value(base, key));
        let element = self.element(base, src, info);
        self.accesses_element(base, keys.within(key), info, true);
        let mut tables = lock(&self.shared.tables);
        let tree = tables.trees.set(tree, keys, keys.within(key), &element);
        drop(tables);
        self.set(base, dst, tree.into());
    }

    /// Chooses the first missing slot of an element that was fetched from a tree.
    fn need_element(
        &mut self,
        base: u32,
        (reg, n, at): (Reg, u32, Reg),
        map: Reg,
        key: Operand,
        info: u32,
    ) -> Result<bool, End> {
        let from = (base + reg) as usize;
        let values = &self.stack[from..from + n as usize];
        let Some(i) = values.iter().position(|&v| v == UNDEF) else {
            return Ok(false);
        };
        let slot = reg - at + u32::try_from(i).unwrap_or(0);
        let key = self.value(base, key);
        let map_info = &self.shared.code.maps[info as usize];
        let domain = map_info.elem[slot as usize];
        let Some(home) = map_info.home else {
            return Err(self.refuse(Why::Tree));
        };
        let why = self.variable(home);
        let target = Target::Part {
            slot,
            at,
            map,
            key,
            info,
        };
        self.choose(target, domain, why)?;
        Ok(true)
    }

    fn variable(&self, home: Home) -> Why {
        let code = &self.shared.code;
        match home.base {
            Base::Global(slot) => Why::Global(code.slots[slot as usize].variable),
            Base::Local(reg) => {
                let proc = self.running();
                let info = code.procs[proc as usize].locals.get(reg as usize);
                info.map_or(Why::Tree, |i| Why::Local(proc, i.variable))
            }
        }
    }

    fn give_part(&mut self, (slot, at): (u32, Reg), map: Reg, key: i64, info: u32, value: i64) {
        let base = self.frames.last().map_or(0, |f| f.base);
        let (keys, home) = {
            let info = &self.shared.code.maps[info as usize];
            (info.keys, info.home)
        };
        self.set(base, at + slot, value);
        let element = self.element(base, at, info);
        let tree = self.tree(base, map);
        let tree = lock(&self.shared.tables)
            .trees
            .set(tree, keys, keys.within(key), &element);
        self.set(base, map, tree.into());
        if let Some(home) = home {
            let place = self.place(base, home);
            self.put(place, tree.into());
            self.note(Chosen::Part(place, keys.within(key), slot, value));
        }
    }

    pub(super) fn place(&self, base: u32, home: Home) -> Place {
        let offset = home.offset.map_or(0, |o| self.index(base, o));
        match home.base {
            Base::Global(slot) => Place::Global(slot + offset),
            Base::Local(reg) => {
                let depth = u32::try_from(self.frames.len() - 1).unwrap_or(u32::MAX);
                Place::Local(depth, reg + offset)
            }
        }
    }

    fn forget(&mut self, base: u32, home: Home, blanks: u32) {
        let place = self.place(base, home);
        self.note(Chosen::Forgot(place, blanks));
        let shared = self.shared;
        if let Place::Global(slot) = place {
            let slots = shared.code.blanks[blanks as usize].len();
            self.accesses(slot, u32::try_from(slots).unwrap_or(0), true);
        }
        for (i, blank) in (0..).zip(&shared.code.blanks[blanks as usize]) {
            let value = lock(&shared.tables).trees.blank(blank);
            match place {
                Place::Global(slot) => {
                    self.flags.touched = true;
                    self.view.set(slot + i, value);
                }
                Place::Local(_, reg) => self.set(base, reg + i, value),
            }
        }
    }

    fn choose_now(&mut self, base: u32, home: Home) -> Result<bool, End> {
        if let Place::Global(slot) = self.place(base, home)
            && self.view.get(slot) == Some(UNDEF)
        {
            self.missing_global(slot)?;
            return Ok(true);
        }
        Ok(false)
    }

    fn choose_all(&mut self, base: u32, reg: Reg, blanks: u32) -> Result<bool, End> {
        let depth = u32::try_from(self.frames.len() - 1).unwrap_or(u32::MAX);
        for (reg, domain) in (reg..).zip(self.shared.code.domains(blanks)) {
            let few = matches!(domain, Domain::Small { count, .. } if u64::from(count) <= CHOICES);
            if few && self.stack[(base + reg) as usize] == UNDEF {
                let place = Target::Slot(Place::Local(depth, reg));
                self.choose(place, domain, Why::Tree)?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn call(&mut self, base: u32, proc: u32, args: Reg) -> Result<(), End> {
        let shared = self.shared;
        let callee = &shared.code.procs[proc as usize];
        let new = self.stack.len();
        // A procedure without variables takes no room on the stack of values.
        if new + callee.frame as usize + self.frames.len() > DEPTH {
            return Err(self.refuse(Why::Deep));
        }
        self.stack
            .resize(new + callee.frame as usize, shared.code.blank());
        let new = u32::try_from(new).unwrap_or(u32::MAX);
        self.copy(new, base + args, callee.params);
        self.frames.push(Frame {
            pc: callee.entry,
            base: new,
        });
        Ok(())
    }

    fn leave(&mut self, base: u32, src: Reg, n: u32) -> Result<bool, End> {
        self.frames.pop();
        if let Some(&caller) = self.frames.last() {
            let call = self.shared.code.instrs[caller.pc as usize];
            if let Instr::Call {
                into: Some(into), ..
            } = call
            {
                self.copy(caller.base + into, base + src, n);
            }
            self.set_pc(caller.pc + 1);
        }
        self.stack.truncate(base as usize);
        Ok(true)
    }

    fn post(&mut self, base: u32, proc: u32, args: Reg, into: Option<Reg>, world: World<'_>) {
        let mut number = 0;
        if self.shared.code.handles {
            let count = u32::try_from(self.shared.packing.slots.len() - 1).unwrap_or(u32::MAX);
            let posted = self.global(count, world) + 1;
            self.view.set(count, posted);
            number = u32::try_from(posted).unwrap_or(u32::MAX);
        }
        self.flags.touched = true;
        self.orders_by_post();
        let local = self.posted(proc, number, (base + args) as usize);
        self.posts.push(local);
        if let Some(into) = into {
            self.set(base, into, number.into());
        }
    }

    /// The task rests; it goes on at the next instruction.
    fn rest_behind(&mut self) -> End {
        let pc = self.frames.last().map_or(0, |f| f.pc);
        let code = &self.shared.code;
        let next = match code.instrs[pc as usize] {
            Instr::Await => pc + 1,
            _ => code.follow(pc + 1),
        };
        End::Rests(self.rest(next))
    }

    /// The task rests at an await. If the guard may need a value that was never chosen, the machine chooses it before.
    fn wait(&mut self) -> Result<(), End> {
        let (code, guard) = (
            &self.shared.code,
            self.frames.last().map_or(0, |f| f.pc) + 1,
        );
        if !(code.undefined && code.may_need_choices(guard)) {
            return Err(self.rest_behind());
        }
        self.flags.probe = guard;
        Ok(())
    }

    fn guard(&mut self, base: u32, cond: Operand) -> Result<(), End> {
        if self.flags.probe != 0 {
            return Err(End::Rests(self.rest(self.flags.probe)));
        }
        self.flags.guard = false;
        self.flags.touched = true;
        if self.value(base, cond) == 0 {
            return Err(End::Blocked);
        }
        Ok(())
    }

    fn failed(&mut self, site: u32) -> End {
        if self.flags.probe != 0 {
            return End::Rests(self.rest(self.flags.probe));
        }
        End::Fails(site)
    }

    /// A task has finished if it was posted, and neither runs nor is pending.
    fn finished(&mut self, task: u32, world: World<'_>) -> bool {
        if task == 0 || task == self.me {
            return false;
        }
        let done = !(world.pending)(task);
        self.events.push(Event::Finished(task, done));
        done
    }
}
