//! The text of an `asm`: the few instructions of x86 that programs write for what C has no words for, and the barriers of ARM.

use crate::typed::BinaryOp;
use ir::MemoryOrder;

/// An operand of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand<'t> {
    /// `%1`, `%[name]`: an operand of the statement
    Given(&'t str),
    /// `(%1)`: what an operand of the statement points to
    Behind(&'t str),
    /// `$1`
    Number(i128),
    /// `0(%%rsp)`: a place on the stack that nothing uses
    Stack,
}

/// The effect of an instruction on its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    Fence(MemoryOrder),
    Exchange,
    ExchangeAdd,
    CompareExchange,
    Move,
    Arithmetic(BinaryOp),
    /// Adds one or takes it away.
    Step(BinaryOp),
    /// Writes 1 if the last result was zero, or, with `false`, if it was another number.
    IsZero(bool),
    /// Leaves numbers in these registers that a program does not know.
    Leaves(&'static str),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instruction<'t> {
    /// `lock` stands before it.
    pub locked: bool,
    pub action: Action,
    /// How many bytes its name says.
    pub size: Option<u64>,
    /// Sources first.
    pub operands: Vec<Operand<'t>>,
}

/// Reads the text of an `asm`; none if an instruction is unknown.
pub fn instructions(text: &str) -> Option<Vec<Instruction<'_>>> {
    let mut all = Vec::new();
    let mut locked = false;
    for one in text.split([';', '\n']) {
        let mut rest = one.trim();
        if let Some(after) = rest.strip_prefix("lock") {
            locked = true;
            rest = after.trim_start();
        }
        let (name, operands) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let operands = operands.trim();
        if matches!(
            (name, operands),
            ("", "") | ("pause" | "nop" | "yield" | "isb" | "rep", "") | ("rep", "nop")
        ) {
            continue;
        }
        let operands = apart(operands);
        let (action, mut size) = action(name, &operands)?;
        for own in operands.iter().filter_map(|one| printed(one)) {
            if size.is_some_and(|size| size != own) {
                return None;
            }
            size = Some(own);
        }
        let operands = match action {
            Action::Fence(_) => Vec::new(),
            _ => operands.into_iter().map(operand).collect::<Option<_>>()?,
        };
        let locked = std::mem::take(&mut locked);
        all.push(Instruction {
            locked,
            action,
            size,
            operands,
        });
    }
    (!locked).then_some(all)
}

/// The operands of an instruction: commas stand between them, and also within brackets.
fn apart(text: &str) -> Vec<&str> {
    let mut open = 0;
    let parts = text.split(|c| {
        open += i32::from(c == '(') - i32::from(c == ')');
        c == ',' && open == 0
    });
    let parts = parts.map(str::trim).filter(|part| !part.is_empty());
    parts.collect()
}

fn operand(text: &str) -> Option<Operand<'_>> {
    if let Some(number) = text.strip_prefix('$') {
        let hexadecimal = number.strip_prefix("0x");
        let number = match hexadecimal {
            Some(digits) => i128::from_str_radix(digits, 16),
            None => number.parse(),
        };
        return number.ok().map(Operand::Number);
    }
    if let Some((before, base)) = text.split_once('(') {
        let base = base.strip_suffix(')')?;
        return match base.trim_start_matches('%') {
            "rsp" | "esp" if before.parse::<i32>().is_ok() || before.is_empty() => {
                Some(Operand::Stack)
            }
            _ if before.is_empty() || before == "0" => given(base).map(Operand::Behind),
            _ => None,
        };
    }
    given(text).map(Operand::Given)
}

/// How many bytes of a register the letter before an operand names.
fn printed(operand: &str) -> Option<u64> {
    let letter = operand.strip_prefix('%')?.chars().next()?;
    let sizes = [('b', 1), ('w', 2), ('k', 4), ('q', 8)];
    sizes
        .iter()
        .find(|(l, _)| *l == letter)
        .map(|(_, size)| *size)
}

/// The number or the name of an operand of the statement. A letter may stand before it: see [`printed`].
fn given(text: &str) -> Option<&str> {
    let text = text.strip_prefix('%')?;
    let plain = text.strip_prefix(['b', 'w', 'k', 'q']).unwrap_or(text);
    let name = plain.strip_prefix('[').and_then(|n| n.strip_suffix(']'));
    let number = || plain.bytes().all(|c| c.is_ascii_digit()) && !plain.is_empty();
    name.or_else(|| number().then_some(plain))
}

/// The effect of an instruction, and the size that its name says.
fn action(name: &str, operands: &[&str]) -> Option<(Action, Option<u64>)> {
    let whole = match (name, operands) {
        ("mfence", []) | ("dmb" | "dsb", ["sy" | "ish" | "osh" | "nsh"]) => {
            Action::Fence(MemoryOrder::SeqCst)
        }
        ("lfence", []) | ("dmb", ["ishld" | "oshld" | "ld"]) => Action::Fence(MemoryOrder::Acquire),
        ("sfence", []) | ("dmb", ["ishst" | "oshst" | "st"]) => Action::Fence(MemoryOrder::Release),
        ("sete" | "setz", [_]) => Action::IsZero(true),
        ("setne" | "setnz", [_]) => Action::IsZero(false),
        ("rdtsc", []) => Action::Leaves("ad"),
        ("rdtscp", []) => Action::Leaves("acd"),
        ("cpuid", []) => Action::Leaves("abcd"),
        _ => return sized(name, operands.len()),
    };
    Some((whole, None))
}

fn sized(name: &str, operands: usize) -> Option<(Action, Option<u64>)> {
    let plain = |name: &str| {
        Some(match (name, operands) {
            ("xchg", 2) => Action::Exchange,
            ("xadd", 2) => Action::ExchangeAdd,
            ("cmpxchg", 2) => Action::CompareExchange,
            ("mov", 2) => Action::Move,
            ("add", 2) => Action::Arithmetic(BinaryOp::Add),
            ("sub", 2) => Action::Arithmetic(BinaryOp::Sub),
            ("and", 2) => Action::Arithmetic(BinaryOp::BitAnd),
            ("or", 2) => Action::Arithmetic(BinaryOp::BitOr),
            ("xor", 2) => Action::Arithmetic(BinaryOp::BitXor),
            ("inc", 1) => Action::Step(BinaryOp::Add),
            ("dec", 1) => Action::Step(BinaryOp::Sub),
            _ => return None,
        })
    };
    if let Some(action) = plain(name) {
        return Some((action, None));
    }
    let suffixes = [('b', 1), ('w', 2), ('l', 4), ('q', 8)];
    suffixes.into_iter().find_map(|(letter, size)| {
        let action = plain(name.strip_suffix(letter)?)?;
        Some((action, Some(size)))
    })
}
