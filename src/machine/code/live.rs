//! Which registers still matter: a register that is written before it is read again is no part of a state.
//!
//! The usual equations, from the end of each procedure backwards, over sets of registers:
//! `before(i) = uses(i) ∪ (after(i) \ defines(i))`, `after(i) = ∪ before(j)` over the successors `j`.

use super::Code;
use super::instr::{Base, Home, Instr, Operand, Reg};

/// The registers that matter, for each instruction.
#[derive(Debug, Default)]
pub struct Live {
    /// For each instruction a range of `regs`.
    at: Vec<(u32, u32)>,
    regs: Vec<Reg>,
}

impl Live {
    /// Solves the equations for every procedure. If `keep`, every local counts as live instead.
    pub fn new(code: &Code, keep: bool) -> Self {
        let mut live = Self::default();
        let rests = rests(code);
        let mut from = 0;
        while from < code.instrs.len() {
            let proc = code.proc_of[from];
            let same = code.proc_of[from..].iter().take_while(|&&p| p == proc);
            let to = from + same.count();
            let sets = if keep {
                let procedure = &code.procs[proc as usize];
                vec![Set::first(procedure.frame, procedure.locals.len()); to - from]
            } else {
                solve(code, proc, from, to)
            };
            for (i, set) in sets.iter().enumerate() {
                live.keep(code, from + i, set, rests[from + i]);
            }
            from = to;
        }
        live
    }

    /// The registers that matter to a frame that rests at an instruction: one that goes on there, or
    /// that waits for the call there to return.
    pub fn at(&self, pc: u32) -> &[Reg] {
        let (from, to) = self.at[pc as usize];
        &self.regs[from as usize..to as usize]
    }

    fn keep(&mut self, code: &Code, pc: usize, before: &Set, rests: bool) {
        let from = u32::try_from(self.regs.len()).unwrap_or(u32::MAX);
        if !rests {
            self.at.push((from, from));
            return;
        }
        let proc = &code.procs[code.proc_of[pc] as usize];
        let set = before.0.iter().enumerate().flat_map(|(word, bits)| {
            let word = u32::try_from(word).unwrap_or(0) * 64;
            (0..64)
                .filter(move |b| bits >> b & 1 == 1)
                .map(move |b| word + b)
        });
        self.regs.extend(set.filter(|&r| r < proc.frame));
        let to = u32::try_from(self.regs.len()).unwrap_or(u32::MAX);
        self.at.push((from, to));
    }
}

/// The instructions at which a frame may rest or choose.
fn rests(code: &Code) -> Vec<bool> {
    let mut rests = vec![false; code.instrs.len()];
    for (pc, instr) in code.instrs.iter().enumerate() {
        match instr {
            Instr::Await => rests[pc + 1] = true,
            Instr::Preempt { .. } => {
                let pc = u32::try_from(pc + 1).unwrap_or(u32::MAX);
                rests[code.follow(pc) as usize] = true;
            }
            Instr::Call { .. } | Instr::Choose { .. } | Instr::ChooseAll { .. } => rests[pc] = true,
            Instr::Need { .. }
            | Instr::NeedElement { .. }
            | Instr::Load { .. }
            | Instr::LoadAt { .. }
            | Instr::Peek { .. } => rests[pc] |= code.undefined,
            _ => {}
        }
    }
    for proc in &code.procs {
        rests[proc.entry as usize] = true;
    }
    rests
}

#[derive(Clone, PartialEq, Eq)]
struct Set(Vec<u64>);

impl Set {
    fn empty(frame: u32) -> Self {
        Self(vec![0; frame as usize / 64 + 1])
    }

    fn first(frame: u32, n: usize) -> Self {
        let mut set = Self::empty(frame);
        set.add(0, u32::try_from(n).unwrap_or(u32::MAX));
        set
    }

    fn each(&mut self, reg: Reg, n: u32, f: impl Fn(&mut u64, u64)) {
        for r in reg..reg + n {
            f(&mut self.0[r as usize / 64], 1 << (r % 64));
        }
    }

    fn add(&mut self, reg: Reg, n: u32) {
        self.each(reg, n, |word, bit| *word |= bit);
    }

    fn remove(&mut self, reg: Reg, n: u32) {
        self.each(reg, n, |word, bit| *word &= !bit);
    }

    fn union(&mut self, other: &Self) {
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            *a |= b;
        }
    }
}

/// What each instruction needs. For a call it is what its frame needs while it waits.
fn solve(code: &Code, proc: u32, from: usize, to: usize) -> Vec<Set> {
    let frame = code.procs[proc as usize].frame;
    let empty = Set::empty(frame);
    let mut before = vec![empty.clone(); to - from];
    let mut changed = true;
    while changed {
        changed = false;
        for pc in (from..to).rev() {
            let mut set = after(code, pc, from, &before, &empty);
            transfer(code, &code.instrs[pc], &mut set);
            if set != before[pc - from] {
                before[pc - from] = set;
                changed = true;
            }
        }
    }
    let mut rest = before.clone();
    for pc in from..to {
        if let Instr::Call { proc, into, .. } = code.instrs[pc] {
            let mut set = after(code, pc, from, &before, &empty);
            if let Some(into) = into {
                set.remove(into, code.procs[proc as usize].result);
            }
            rest[pc - from] = set;
        }
    }
    rest
}

fn after(code: &Code, pc: usize, from: usize, before: &[Set], empty: &Set) -> Set {
    let next = || before.get(pc + 1 - from).unwrap_or(empty).clone();
    match code.instrs[pc] {
        Instr::Jump { to } => before[to as usize - from].clone(),
        Instr::Branch { to, .. } | Instr::Compare { to, .. } => {
            let mut set = next();
            set.union(&before[to as usize - from]);
            set
        }
        Instr::Return { .. } | Instr::Drop | Instr::Fail { .. } | Instr::TooLarge => empty.clone(),
        _ => next(),
    }
}

fn transfer(code: &Code, instr: &Instr, set: &mut Set) {
    if let Some((reg, n)) = defines(code, instr) {
        set.remove(reg, n);
    }
    uses(code, instr, &mut |reg, n| set.add(reg, n));
}

/// The registers that an instruction writes: the first, and how many.
pub fn defines(code: &Code, instr: &Instr) -> Option<(Reg, u32)> {
    let (reg, n) = match *instr {
        Instr::Copy { dst, .. }
        | Instr::Unary { dst, .. }
        | Instr::Binary { dst, .. }
        | Instr::Convert { dst, .. }
        | Instr::Same { dst, .. }
        | Instr::Offset { dst, .. }
        | Instr::MapSet { dst, .. }
        | Instr::MapFill { dst, .. }
        | Instr::Me { dst }
        | Instr::Finished { dst, .. }
        | Instr::Post {
            into: Some(dst), ..
        } => (dst, 1),
        Instr::Move { dst, n, .. }
        | Instr::Load { dst, n, .. }
        | Instr::LoadAt { dst, n, .. }
        | Instr::Peek { dst, n, .. } => (dst, n),
        Instr::Repeat { dst, n, times, .. } => (dst, n * times),
        Instr::MapGet { dst, info, .. } => (dst, width(code, info)),
        Instr::Forget {
            home:
                Home {
                    base: Base::Local(reg),
                    offset: None,
                },
            blanks,
        } => (reg, length(&code.blanks[blanks as usize])),
        Instr::Call {
            proc,
            into: Some(into),
            ..
        } => (into, code.procs[proc as usize].result),
        _ => return None,
    };
    Some((reg, n))
}

fn length<T>(list: &[T]) -> u32 {
    u32::try_from(list.len()).unwrap_or(u32::MAX)
}

fn width(code: &Code, info: u32) -> u32 {
    length(&code.maps[info as usize].elem)
}

fn uses(code: &Code, instr: &Instr, f: &mut dyn FnMut(Reg, u32)) {
    // Registers that are operands.
    for operand in operands(instr).into_iter().flatten() {
        if let Ok(reg) = operand.get() {
            f(reg, 1);
        }
    }
    match *instr {
        Instr::Move { src, n, .. }
        | Instr::StoreMany { src, n, .. }
        | Instr::StoreAt { src, n, .. }
        | Instr::Poke { src, n, .. }
        | Instr::Repeat { src, n, .. }
        | Instr::Return { src, n }
        | Instr::Need { reg: src, n } => f(src, n),
        Instr::Peek { whole, .. } => f(whole.0, whole.1),
        Instr::Same { a, b, n, .. } => {
            f(a, n);
            f(b, n);
        }
        Instr::NeedElement {
            reg,
            n,
            at,
            map,
            info,
            ..
        } => {
            f(reg, n);
            f(at, width(code, info));
            f(map, 1);
            home(code.maps[info as usize].home, f);
        }
        Instr::MapGet { map, info, .. } => {
            f(map, 1);
            home(code.maps[info as usize].home, f);
        }
        Instr::MapSet { map, src, info, .. } => {
            f(map, 1);
            home(code.maps[info as usize].home, f);
            f(src, width(code, info));
        }
        Instr::MapFill { src, info, .. } => f(src, width(code, info)),
        Instr::ChooseAll { reg, blanks } => f(reg, length(&code.blanks[blanks as usize])),
        Instr::MapNeed { map } => f(map, 1),
        Instr::Forget { home: h, .. } | Instr::Choose { home: h } => home(Some(h), f),
        Instr::Call { proc, args, .. } | Instr::Post { proc, args, .. } => {
            f(args, code.procs[proc as usize].params);
        }
        _ => {}
    }
}

fn home(home: Option<Home>, f: &mut dyn FnMut(Reg, u32)) {
    if let Some(Ok(reg)) = home.and_then(|h| h.offset).map(Operand::get) {
        f(reg, 1);
    }
}

fn operands(instr: &Instr) -> [Option<Operand>; 2] {
    match *instr {
        Instr::Copy { src, .. } | Instr::Store { src, .. } => [Some(src), None],
        Instr::Unary { a, .. } | Instr::Convert { a, .. } | Instr::Finished { a, .. } => {
            [Some(a), None]
        }
        Instr::Binary { a, b, .. } | Instr::Compare { a, b, .. } => [Some(a), Some(b)],
        Instr::LoadAt { offset, .. }
        | Instr::StoreAt { offset, .. }
        | Instr::Peek { offset, .. }
        | Instr::Poke { offset, .. } => [Some(offset), None],
        Instr::Offset { before, index, .. } => [before, Some(index)],
        Instr::MapGet { key, .. } | Instr::MapSet { key, .. } | Instr::NeedElement { key, .. } => {
            [Some(key), None]
        }
        Instr::Branch { cond, .. } | Instr::Guard { cond } => [Some(cond), None],
        _ => [None, None],
    }
}
