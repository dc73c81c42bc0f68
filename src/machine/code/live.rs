//! Which registers still matter: a register that is written before it is read again is no part of a state.
//!
//! The usual equations, from the end of each procedure backwards, over sets of registers:
//! `before(i) = uses(i) ∪ (after(i) \ defines(i))`, `after(i) = ∪ before(j)` over the successors `j`. An instruction that only
//! computes what nothing reads uses nothing.

use std::ops::Range;
use std::sync::OnceLock;

use super::Code;
use super::instr::{Base, Home, Instr, Operand, Reg};

/// The registers that matter, for each instruction.
#[derive(Debug, Default)]
pub struct Live {
    /// What matters before each instruction to which something jumps.
    targets: Vec<Option<Set>>,
    /// Few instructions are asked for.
    at: Vec<OnceLock<Box<[Reg]>>>,
}

impl Live {
    /// Solves the equations for every procedure.
    pub fn new(code: &Code) -> Self {
        let mut targets = vec![None; code.instrs.len()];
        for to in code.instrs.iter().filter_map(target) {
            targets[to as usize] = Some(Set::default());
        }
        let mut from = 0;
        for procedure in code.proc_of.chunk_by(|a, b| a == b) {
            let all = from..from + procedure.len();
            from = all.end;
            while !code.keep && grew(code, all.clone(), &mut targets) {}
        }
        Self {
            targets,
            at: code.instrs.iter().map(|_| OnceLock::new()).collect(),
        }
    }

    /// The registers that matter to a frame that rests at an instruction: one that goes on there, or
    /// that waits for the call there to return.
    pub fn at(&self, code: &Code, pc: u32) -> &[Reg] {
        self.at[pc as usize].get_or_init(|| {
            let proc = &code.procs[code.proc_of[pc as usize] as usize];
            let mut set = Set::default();
            match code.keep {
                true => set.add(0, length(&proc.locals)),
                false => set = self.resting(code, pc as usize),
            }
            let all = set.0.into_iter().flat_map(|(from, to)| from..to);
            all.filter(|&r| r < proc.frame).collect()
        })
    }

    /// What a frame needs that rests at an instruction. For a call it is what it needs while it waits.
    fn resting(&self, code: &Code, pc: usize) -> Set {
        let enters = |at| self.targets.get(at).is_none_or(Option::is_some);
        let ends = |&at: &usize| !goes_on(&code.instrs[at]) || enters(at + 1);
        let end = (pc..).find(ends).unwrap_or(pc);
        let mut set = Set::default();
        for at in (pc + 1..=end).rev() {
            set = after(code, at, set, &self.targets);
            transfer(code, &code.instrs[at], &mut set);
        }
        set = after(code, pc, set, &self.targets);
        match code.instrs[pc] {
            Instr::Call { proc, into, .. } => {
                let result = code.procs[proc as usize].result;
                into.into_iter().for_each(|into| set.remove(into, result));
            }
            ref instr => transfer(code, instr, &mut set),
        }
        set
    }
}

/// The first register of a range, and the one behind it.
type Span = (Reg, Reg);

/// Registers, as ranges in order with a gap between any two. Most of a large frame is in no set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Set(Vec<Span>);

impl Set {
    fn add(&mut self, reg: Reg, n: u32) {
        self.replace((reg, reg + n), |outer, _| [outer, (0, 0)]);
    }

    fn meets(&self, reg: Reg, n: u32) -> bool {
        let at = self.0.partition_point(|r| r.1 <= reg);
        self.0.get(at).is_some_and(|r| r.0 < reg + n)
    }

    fn remove(&mut self, reg: Reg, n: u32) {
        self.replace((reg, reg + n), |outer, range| {
            [(outer.0, range.0), (range.1, outer.1)]
        });
    }

    /// Replaces all ranges that a range touches. `with` gets what they and the range cover together, and the range.
    fn replace(&mut self, range: Span, with: impl Fn(Span, Span) -> [Span; 2]) {
        if range.0 == range.1 {
            return;
        }
        let begin = self.0.partition_point(|r| r.1 < range.0);
        let end = self.0.partition_point(|r| r.0 <= range.1);
        let touched = &self.0[begin..end];
        let low = touched.first().map_or(range.0, |r| r.0.min(range.0));
        let high = touched.last().map_or(range.1, |r| r.1.max(range.1));
        let made = with((low, high), range).into_iter().filter(|r| r.0 < r.1);
        self.0.splice(begin..end, made);
    }

    fn union(&mut self, other: &Self) {
        for &(from, to) in &other.0 {
            self.add(from, to - from);
        }
    }
}

/// Goes back through a procedure once. Returns whether more matters than before.
fn grew(code: &Code, all: Range<usize>, targets: &mut [Option<Set>]) -> bool {
    let (mut set, mut changed) = (Set::default(), false);
    for pc in all.rev() {
        set = after(code, pc, set, targets);
        transfer(code, &code.instrs[pc], &mut set);
        if let Some(known) = &mut targets[pc]
            && *known != set
        {
            known.clone_from(&set);
            changed = true;
        }
    }
    changed
}

/// Where an instruction jumps to.
pub const fn target(instr: &Instr) -> Option<u32> {
    match *instr {
        Instr::Jump { to } | Instr::Branch { to, .. } | Instr::Compare { to, .. } => Some(to),
        _ => None,
    }
}

/// What matters after an instruction, where `next` matters before the next one if nothing jumps there.
fn after(code: &Code, pc: usize, mut next: Set, targets: &[Option<Set>]) -> Set {
    if !goes_on(&code.instrs[pc]) {
        next.0.clear();
    } else if let Some(Some(set)) = targets.get(pc + 1) {
        next.clone_from(set);
    }
    let there = target(&code.instrs[pc]).and_then(|to| targets[to as usize].as_ref());
    there.into_iter().for_each(|there| next.union(there));
    next
}

/// Whether the next instruction may come after this one.
const fn goes_on(instr: &Instr) -> bool {
    use Instr::{Drop, Fail, Jump, Return, TooLarge};
    !matches!(
        instr,
        Jump { .. } | Return { .. } | Drop | Fail { .. } | TooLarge
    )
}

fn transfer(code: &Code, instr: &Instr, set: &mut Set) {
    let defined = defines(code, instr);
    // A value that nothing reads needs no operands: a counter that only counts is no part of a state.
    if instr.only_computes() && defined.is_some_and(|(reg, n)| !set.meets(reg, n)) {
        return;
    }
    if let Some((reg, n)) = defined {
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
