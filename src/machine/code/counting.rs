//! Steps that use a global like a semaphore: they add one, or wait until it is not zero and take one off.
//!
//! The instructions of a step are followed on every way up to the store. Behind the store nothing may touch the variable again
//! before the next point where the task can be interrupted. A way without a store must not touch the variable at all, unless
//! the task is blocked there. A step with anything that is not understood does not count.

use rustc_hash::{FxHashMap, FxHashSet};

use ir::{BinaryOp, PreemptKind, UnaryOp};

use super::{Base, Code, Home, Instr, Num, Operand, Reg};

/// What a step does to an element of a variable. It touches the variable nowhere else; some ways do not touch it at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counting {
    /// The global.
    pub variable: u32,
    /// Whether the step waits, and takes one off; otherwise it adds one.
    pub takes: bool,
}

/// The most instructions that the analysis looks at.
const MOST: usize = 1024;
/// Numbers with fewer bits than this may overflow.
const BITS: u8 = 32;

/// What a register holds, as far as it matters.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Node {
    /// What the register held when the step began.
    Reg(Reg),
    Const(i64),
    /// What a global slot holds; with an offset, the slot that lies so far behind it.
    Load(u32, Option<usize>),
    Offset(Option<usize>, usize, u32),
    Unary(UnaryOp, usize),
    Binary(BinaryOp, Num, usize, usize),
}

/// A way through a step up to an instruction.
#[derive(Clone)]
struct Way {
    pc: u32,
    nodes: Vec<Node>,
    regs: FxHashMap<Reg, usize>,
    /// Conditions on this way, each with whether it holds.
    known: Vec<(usize, bool)>,
}

/// How a way ends, as far as it is followed.
enum End {
    Goes(Option<Way>),
    Blocked,
    /// The way stores something to a place.
    Stores((u32, Option<usize>), usize),
    /// The analysis does not follow the way from here on.
    Left,
}

impl Way {
    fn node(&mut self, node: Node) -> usize {
        let known = self.nodes.iter().position(|n| *n == node);
        known.unwrap_or_else(|| {
            self.nodes.push(node);
            self.nodes.len() - 1
        })
    }

    fn operand(&mut self, operand: Operand, code: &Code) -> usize {
        match operand.get() {
            Ok(reg) => match self.regs.get(&reg) {
                Some(&node) => node,
                None => self.node(Node::Reg(reg)),
            },
            Err(constant) => self.node(Node::Const(code.consts[constant as usize])),
        }
    }

    fn set(&mut self, dst: Reg, node: Node) {
        let node = self.node(node);
        self.regs.insert(dst, node);
    }

    /// Whether a condition holds, where that is known.
    fn holds(&self, node: usize) -> Option<bool> {
        match self.nodes[node] {
            Node::Const(value) => Some(value != 0),
            Node::Unary(UnaryOp::Not, a) => self.holds(a).map(|holds| !holds),
            _ => {
                let known = self.known.iter().find(|(n, _)| *n == node);
                known.map(|&(_, holds)| holds)
            }
        }
    }

    fn learn(&mut self, node: usize, holds: bool) {
        match self.nodes[node] {
            Node::Unary(UnaryOp::Not, a) => self.learn(a, !holds),
            Node::Const(_) => {}
            _ => self.known.push((node, holds)),
        }
    }

    /// Goes to `yes` if a condition holds, else to `no`. If that is open, it goes to `yes` and returns the way to `no`.
    fn split(&mut self, cond: usize, yes: u32, no: u32) -> Option<Self> {
        match self.holds(cond) {
            Some(true) => self.pc = yes,
            Some(false) => self.pc = no,
            None => {
                let mut other = self.clone();
                other.learn(cond, false);
                other.pc = no;
                self.learn(cond, true);
                self.pc = yes;
                return Some(other);
            }
        }
        None
    }

    /// Follows one instruction.
    fn step(&mut self, code: &Code) -> End {
        let pc = self.pc;
        self.pc += 1;
        match code.instrs[pc as usize] {
            Instr::Reach { .. } => {}
            // The task has touched nothing yet, and is not interrupted.
            Instr::Preempt {
                kind: PreemptKind::Implicit,
            } if !self.has_loaded() => {}
            Instr::Jump { to } => self.pc = to,
            Instr::Branch { cond, want, to } => {
                let cond = self.operand(cond, code);
                let (yes, no) = if want { (to, pc + 1) } else { (pc + 1, to) };
                return End::Goes(self.split(cond, yes, no));
            }
            Instr::Compare {
                op,
                num,
                a,
                b,
                want,
                to,
            } => {
                let (a, b) = (self.operand(a, code), self.operand(b, code));
                let cond = self.node(Node::Binary(op, num, a, b));
                let (yes, no) = if want { (to, pc + 1) } else { (pc + 1, to) };
                return End::Goes(self.split(cond, yes, no));
            }
            Instr::Guard { cond } => {
                let cond = self.operand(cond, code);
                match self.holds(cond) {
                    Some(true) => {}
                    Some(false) => return End::Blocked,
                    None => return End::Goes(self.split(cond, pc + 1, pc)),
                }
            }
            Instr::Store { slot, src } => {
                return End::Stores((slot, None), self.operand(src, code));
            }
            Instr::StoreAt {
                slot,
                offset,
                src,
                n: 1,
            } => {
                let offset = self.operand(offset, code);
                return End::Stores((slot, Some(offset)), self.operand(Operand::reg(src), code));
            }
            ref other => {
                if !self.computes(other, code) {
                    self.pc = pc;
                    return End::Left;
                }
            }
        }
        End::Goes(None)
    }

    /// Follows an instruction that computes a value for a register. Answers whether it is one.
    fn computes(&mut self, instr: &Instr, code: &Code) -> bool {
        let (dst, node) = match *instr {
            Instr::Copy { dst, src } => {
                let node = self.operand(src, code);
                self.regs.insert(dst, node);
                return true;
            }
            Instr::Move { dst, src, n: 1 } => {
                let node = self.operand(Operand::reg(src), code);
                self.regs.insert(dst, node);
                return true;
            }
            Instr::Unary { op, dst, a, .. } => (dst, Node::Unary(op, self.operand(a, code))),
            Instr::Binary { op, num, dst, a, b } => {
                let (a, b) = (self.operand(a, code), self.operand(b, code));
                (dst, Node::Binary(op, num, a, b))
            }
            Instr::Offset {
                dst,
                before,
                index,
                info,
            } => {
                let before = before.map(|b| self.operand(b, code));
                (dst, Node::Offset(before, self.operand(index, code), info))
            }
            Instr::Load { dst, slot, n: 1 } => (dst, Node::Load(slot, None)),
            Instr::LoadAt {
                dst,
                slot,
                offset,
                n: 1,
            } => (dst, Node::Load(slot, Some(self.operand(offset, code)))),
            _ => return false,
        };
        self.set(dst, node);
        true
    }

    /// Whether a value depends on another one.
    fn depends(&self, node: usize, on: usize) -> bool {
        node == on
            || match self.nodes[node] {
                Node::Reg(_) | Node::Const(_) | Node::Load(_, None) => false,
                Node::Load(_, Some(a)) | Node::Unary(_, a) => self.depends(a, on),
                Node::Offset(before, index, _) => {
                    before.is_some_and(|b| self.depends(b, on)) || self.depends(index, on)
                }
                Node::Binary(_, _, a, b) => self.depends(a, on) || self.depends(b, on),
            }
    }

    /// Checks whether a condition compares the counter with zero.
    fn is_test(&self, node: usize, count: usize) -> bool {
        let is_zero = |n: usize| self.nodes[n] == Node::Const(0);
        match self.nodes[node] {
            Node::Binary(BinaryOp::Eq, _, a, b) => {
                a == count && is_zero(b) || b == count && is_zero(a)
            }
            _ => false,
        }
    }

    /// Returns what is added to the counter, if a value is such a sum.
    fn added(&self, node: usize, count: usize) -> Option<i64> {
        let Node::Binary(op, num, a, b) = self.nodes[node] else {
            return None;
        };
        if matches!(num, Num::Bits(bits, _) if bits < BITS) {
            return None;
        }
        let constant = |n: usize| match self.nodes[n] {
            Node::Const(k) => Some(k),
            _ => None,
        };
        match op {
            BinaryOp::Add if a == count => constant(b),
            BinaryOp::Add if b == count => constant(a),
            BinaryOp::Sub if a == count => constant(b)?.checked_neg(),
            _ => None,
        }
    }

    fn has_loaded(&self) -> bool {
        self.nodes.iter().any(|n| matches!(n, Node::Load(..)))
    }

    fn loads(&self, variable: u32, code: &Code) -> bool {
        let of = |n: &Node| matches!(*n, Node::Load(slot, _) if code.variable(slot) == variable);
        self.nodes.iter().any(of)
    }

    /// What a way does that ends with a store.
    fn counts(&self, home: (u32, Option<usize>), src: usize, code: &Code) -> Option<Counting> {
        let count = Node::Load(home.0, home.1);
        let count = self.nodes.iter().position(|n| *n == count)?;
        let variable = code.variable(home.0);
        let of = |n: &Node| matches!(*n, Node::Load(slot, _) if code.variable(slot) == variable);
        let mut about = (self.known.iter()).filter(|&&(n, _)| self.depends(n, count));
        let takes = match (self.added(src, count)?, about.next()) {
            (1, None) => false,
            (-1, Some(&(test, false))) if self.is_test(test, count) => true,
            _ => return None,
        };
        let alone = about.next().is_none() && self.nodes.iter().filter(|n| of(n)).count() == 1;
        alone.then_some(Counting { variable, takes })
    }

    /// Whether a way on which the task is blocked only asks whether the counter is zero.
    fn only_tests(&self, variable: u32, code: &Code) -> bool {
        (0..self.nodes.len()).all(|n| match self.nodes[n] {
            Node::Load(slot, _) if code.variable(slot) == variable => (self.known.iter())
                .all(|&(known, _)| self.is_test(known, n) || !self.depends(known, n)),
            _ => true,
        })
    }
}

impl Code {
    fn variable(&self, slot: u32) -> u32 {
        self.slots[slot as usize].variable
    }

    /// The steps that count, by the place where a task rests before one.
    pub fn counting(&self) -> FxHashMap<u32, Counting> {
        let mut returns: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for (pc, instr) in (0..).zip(&self.instrs) {
            if let Instr::Call { proc, .. } = *instr {
                returns.entry(proc).or_default().push(pc + 1);
            }
        }
        let rests = (1..)
            .zip(&self.instrs)
            .filter(|(_, instr)| matches!(instr, Instr::Preempt { .. } | Instr::Await))
            .map(|(pc, _)| pc);
        let starts = self.procs.iter().map(|proc| proc.start);
        let mut all = FxHashMap::default();
        for pc in rests.chain(starts) {
            if (pc as usize) < self.instrs.len()
                && let Some(counting) = self.counts_at(pc, &returns)
            {
                all.insert(self.follow(pc), counting);
            }
        }
        all
    }

    fn counts_at(&self, pc: u32, returns: &FxHashMap<u32, Vec<u32>>) -> Option<Counting> {
        let mut open = vec![Way {
            pc,
            nodes: Vec::new(),
            regs: FxHashMap::default(),
            known: Vec::new(),
        }];
        let (mut found, mut stored) = (None, Vec::new());
        let (mut left, mut blocked) = (Vec::new(), Vec::new());
        let mut budget = MOST;
        while let Some(mut way) = open.pop() {
            loop {
                budget = budget.checked_sub(1)?;
                match way.step(self) {
                    End::Goes(other) => {
                        open.extend(other);
                        continue;
                    }
                    End::Blocked => blocked.push(way),
                    End::Left => left.push(way),
                    End::Stores(home, src) => match way.counts(home, src, self) {
                        Some(counting) if found.is_none_or(|f| f == counting) => {
                            found = Some(counting);
                            stored.push(way.pc);
                        }
                        // A store to another place may be followed by one to the counter.
                        _ => return None,
                    },
                }
                break;
            }
        }
        let counting: Counting = found?;
        let variable = counting.variable;
        let tests = blocked.iter().all(|way| way.only_tests(variable, self));
        let untouched = |way: &Way| {
            let touched = way.has_loaded();
            !way.loads(variable, self) && self.leaves_alone(variable, (way.pc, touched), returns)
        };
        let alone = |&pc: &u32| self.leaves_alone(variable, (pc, true), returns);
        (tests && left.iter().all(untouched) && stored.iter().all(alone)).then_some(counting)
    }

    /// Checks whether nothing touches a variable from a place on up to the next preemption point. A task that has touched
    /// nothing passes implicit points.
    fn leaves_alone(
        &self,
        variable: u32,
        (from, touched): (u32, bool),
        returns: &FxHashMap<u32, Vec<u32>>,
    ) -> bool {
        let mut seen = FxHashSet::default();
        let mut work = vec![from];
        while let Some(pc) = work.pop() {
            if !seen.insert(pc) {
                continue;
            }
            if seen.len() > MOST {
                return false;
            }
            let next = pc + 1;
            match self.instrs[pc as usize] {
                Instr::Load { slot, .. }
                | Instr::LoadAt { slot, .. }
                | Instr::Store { slot, .. }
                | Instr::StoreMany { slot, .. }
                | Instr::StoreAt { slot, .. }
                | Instr::Forget {
                    home:
                        Home {
                            base: Base::Global(slot),
                            ..
                        },
                    ..
                }
                | Instr::Choose {
                    home:
                        Home {
                            base: Base::Global(slot),
                            ..
                        },
                } => {
                    if self.variable(slot) == variable {
                        return false;
                    }
                    work.push(next);
                }
                Instr::Preempt {
                    kind: PreemptKind::Implicit,
                } if !touched => work.push(next),
                Instr::Preempt { .. }
                | Instr::Await
                | Instr::Drop
                | Instr::Fail { .. }
                | Instr::TooLarge => {}
                Instr::Jump { to } => work.push(to),
                Instr::Branch { to, .. } | Instr::Compare { to, .. } => work.extend([to, next]),
                Instr::Call { proc, .. } => {
                    work.extend([self.procs[proc as usize].entry, next]);
                }
                Instr::Return { .. } => {
                    let proc = self.proc_of[pc as usize];
                    work.extend(returns.get(&proc).into_iter().flatten());
                }
                _ => work.push(next),
            }
        }
        true
    }
}
