//! `asm` of x86 as statements of C.
//!
//! A register is a hidden variable. Inputs go into registers, then the instructions run, then outputs come out of registers. An
//! instruction that is locked is one step; any other reads memory in one step and writes it in another.

use super::Sema;
use crate::assembler::{Action, Instruction, Operand, instructions};
use crate::tree::{Asm, AsmOperand};
use crate::typed::{AtomicOp, BinaryOp, CompareOp, ExprId, ExprKind, Init, Lifetime};
use crate::typed::{Callee, StmtId, StmtKind, VarId};
use crate::types::{IntKind, QualType, TypeId, Types};
use base::source::Span;
use ir::MemoryOrder::{self, Acquire, Release, SeqCst};

/// The meaning of an operand of the statement.
#[derive(Clone, Copy)]
enum Bound {
    Register(usize),
    Memory(ExprId),
    Constant(ExprId),
    /// The place gets 1 if the last result was zero, or, with `false`, if it was another number.
    Flag(bool, ExprId),
}

/// A register.
struct Register {
    /// Its letter, if the statement names the register.
    letter: Option<char>,
    ty: TypeId,
    first: Option<ExprId>,
    variable: Option<VarId>,
    /// Whether it holds a value that the program knows.
    set: bool,
    /// The place that gets its value in the end.
    goes_to: Option<ExprId>,
}

struct Machine<'s, 'a> {
    sema: &'s mut Sema<'a>,
    asm: &'s Asm,
    span: Span,
    registers: Vec<Register>,
    bound: Vec<Bound>,
    /// The variable that says whether the last result was zero, if something reads it.
    flag: Option<VarId>,
    out: Vec<StmtId>,
}

impl Sema<'_> {
    pub(super) fn assembler(&mut self, asm: &Asm, span: Span) -> StmtKind {
        let read = instructions(&asm.text).filter(|_| !asm.jumps);
        let done = read.and_then(|all| {
            let mut machine = Machine {
                sema: self,
                asm,
                span,
                registers: Vec::new(),
                bound: Vec::new(),
                flag: None,
                out: Vec::new(),
            };
            machine.run(&all)?;
            Some(machine.out)
        });
        match done {
            Some(out) if out.is_empty() => StmtKind::Empty,
            Some(out) => StmtKind::Block(out.into()),
            None => StmtKind::Asm,
        }
    }
}

impl Machine<'_, '_> {
    fn run(&mut self, all: &[Instruction]) -> Option<()> {
        for operand in &self.asm.operands {
            let bound = self.bind(operand)?;
            self.bound.push(bound);
        }
        for at in 0..self.registers.len() {
            let Register { ty, first, .. } = self.registers[at];
            self.registers[at].variable = Some(self.begin(ty, first));
        }
        let asks = |one: &Instruction| matches!(one.action, Action::IsZero(_));
        let flags = self.bound.iter().any(|b| matches!(b, Bound::Flag(..)));
        let mut last = None;
        if flags || all.iter().any(asks) {
            last = Some(self.begin(Types::INT, None));
        }
        for one in all {
            // An instruction that sets the flag has a result.
            let has_result = matches!(
                one.action,
                Action::CompareExchange | Action::Arithmetic(_) | Action::Step(_)
            );
            if has_result {
                self.flag = last;
            }
            self.instruction(one)?;
        }
        self.finish()
    }

    /// A hidden variable that begins here.
    fn begin(&mut self, ty: TypeId, first: Option<ExprId>) -> VarId {
        let (sema, plain) = (&mut *self.sema, QualType::plain(ty));
        let variable = sema.new_variable(None, plain, Lifetime::Local, self.span);
        sema.unit[variable].hidden = true;
        sema.unit[variable].init = first.map(|value| sema.unit.add_init(Init::Value(value)));
        let begins = sema.add_stmt(StmtKind::Declare(variable), self.span);
        self.out.push(begins);
        variable
    }

    fn bind(&mut self, operand: &AsmOperand) -> Option<Bound> {
        let own = operand.constraint.trim_start_matches(['=', '+', '&', '%']);
        let has = |letters: &str| own.contains(|c| letters.contains(c));
        if has(",") {
            return None;
        }
        let is_memory = has("mo") && (operand.is_output || !has("rqgi"));
        match own.strip_prefix("@cc") {
            Some("e" | "z") => Some(Bound::Flag(true, self.sema.changeable(operand.value)?)),
            Some("ne" | "nz") => Some(Bound::Flag(false, self.sema.changeable(operand.value)?)),
            Some(_) => None,
            None if is_memory => self.memory(operand).map(Bound::Memory),
            None if operand.is_output => self.output(operand, own),
            None => self.input(operand, own),
        }
    }

    /// An operand in memory. Its address is computed once.
    fn memory(&mut self, operand: &AsmOperand) -> Option<ExprId> {
        let place = self.sema.expr(operand.value);
        if !self.sema.unit.is_place(place) || self.sema.field_bits(place).is_some() {
            return None;
        }
        if self.is_still(place) {
            return Some(place);
        }
        let pointer = self.pointer_to(place);
        let pointer = self.begin(self.sema.ty(pointer), Some(pointer));
        let pointer = self.load(pointer);
        Some(self.sema.deref(pointer, self.span))
    }

    fn output(&mut self, operand: &AsmOperand, own: &str) -> Option<Bound> {
        let place = self.sema.changeable(operand.value)?;
        let reads = operand.constraint.contains('+');
        if reads && !self.is_still(place) {
            return None;
        }
        let first = reads.then(|| self.sema.rvalue(place));
        let at = self.register(letter(own), self.sema.ty(place), first)?;
        self.registers[at].goes_to = Some(place);
        Some(Bound::Register(at))
    }

    fn input(&mut self, operand: &AsmOperand, own: &str) -> Option<Bound> {
        let value = self.sema.value(operand.value);
        let letter = letter(own);
        let with = match own.chars().next()?.to_digit(10) {
            Some(at) => match *self.bound.get(at as usize)? {
                Bound::Register(at) => Some(at),
                _ => return None,
            },
            None => {
                let mut all = self.registers.iter();
                all.position(|r| r.letter.is_some() && r.letter == letter)
            }
        };
        let Some(at) = with else {
            if letter.is_none() && self.sema.unit.constant(value).is_some() {
                return Some(Bound::Constant(value));
            }
            let ty = self.sema.ty(value);
            return self.register(letter, ty, Some(value)).map(Bound::Register);
        };
        let register = &mut self.registers[at];
        if register.first.is_some() {
            return None;
        }
        register.first = Some(self.sema.assigned(value, register.ty));
        register.set = true;
        Some(Bound::Register(at))
    }

    /// Whether a place may be evaluated again.
    fn is_still(&self, e: ExprId) -> bool {
        match self.sema.unit[e].kind {
            ExprKind::Var(_) => true,
            ExprKind::Member(of, _) => self.is_still(of),
            ExprKind::Deref(pointer) => self.sema.is_read(pointer),
            ExprKind::Index(of, at) => {
                let known = self.sema.unit.constant(at).is_some() || self.sema.is_read(at);
                let still = match self.sema.unit[of].kind {
                    ExprKind::Decay(array) => self.is_still(array),
                    _ => self.sema.is_read(of),
                };
                known && still
            }
            _ => false,
        }
    }

    fn register(
        &mut self,
        letter: Option<char>,
        ty: TypeId,
        first: Option<ExprId>,
    ) -> Option<usize> {
        let twice = letter.is_some() && self.registers.iter().any(|r| r.letter == letter);
        if twice || !self.sema.unit.types.is_scalar(ty) {
            return None;
        }
        self.registers.push(Register {
            letter,
            ty,
            first,
            variable: None,
            set: first.is_some(),
            goes_to: None,
        });
        Some(self.registers.len() - 1)
    }

    fn instruction(&mut self, one: &Instruction) -> Option<()> {
        let (source, target) = match one.operands[..] {
            [source, target] => (Some(source), Some(target)),
            [target] => (None, Some(target)),
            _ => (None, None),
        };
        match (one.action, source, target) {
            (Action::Fence(order), ..) => self.fence(order),
            (Action::Leaves(letters), ..) => {
                let held = self.registers.iter_mut();
                for register in held.filter(|r| r.letter.is_some_and(|l| letters.contains(l))) {
                    register.set = false;
                }
            }
            (Action::Exchange, Some(a), Some(b)) => {
                let (a, b) = if self.place(b).is_some() {
                    (a, b)
                } else {
                    (b, a)
                };
                self.swap(AtomicOp::Exchange, a, b, one.size)?;
            }
            (Action::ExchangeAdd, Some(a), Some(b)) if one.locked => {
                self.swap(AtomicOp::FetchThen(BinaryOp::Add), a, b, one.size)?;
                self.flag = None;
            }
            (Action::CompareExchange, Some(new), Some(at)) if one.locked => {
                self.compare_exchange(new, at, one.size)?;
            }
            (Action::Move, Some(from), Some(to)) if !one.locked => {
                let ty = self
                    .kind(to, one.size)
                    .or_else(|| self.kind(from, one.size))?;
                let value = self.read(from, ty)?;
                self.write(to, value, one.size)?;
            }
            (Action::Arithmetic(_), Some(Operand::Number(0)), Some(Operand::Stack))
                if one.locked =>
            {
                self.fence(SeqCst);
                self.flag = None;
            }
            (Action::Arithmetic(op), Some(by), Some(target)) => {
                self.arithmetic(op, by, target, one)?;
            }
            (Action::Step(op), None, Some(target)) => {
                self.arithmetic(op, Operand::Number(1), target, one)?;
            }
            (Action::IsZero(zero), None, Some(target)) => {
                let value = self.flag_is(zero)?;
                self.write(target, value, Some(1))?;
            }
            _ => return None,
        }
        Some(())
    }

    fn fence(&mut self, order: MemoryOrder) {
        let fence = (AtomicOp::Fence, [order; 2]);
        let fence = self.sema.atomic_made(fence, &[], 0, self.span);
        self.effect(fence);
    }

    /// Gives each output the value of its register, or of the flag.
    fn finish(&mut self) -> Option<()> {
        for at in 0..self.registers.len() {
            let Register { goes_to, ty, .. } = self.registers[at];
            let Some(place) = goes_to else {
                continue;
            };
            let value = self.held(at).or_else(|| self.any(ty))?;
            self.assign(place, value);
        }
        for bound in self.bound.clone() {
            if let Bound::Flag(zero, place) = bound {
                let value = self.flag_is(zero)?;
                self.assign(place, value);
            }
        }
        Some(())
    }

    fn effect(&mut self, e: ExprId) {
        let stmt = self.sema.add_stmt(StmtKind::Expr(e), self.span);
        self.out.push(stmt);
    }

    fn assign(&mut self, place: ExprId, value: ExprId) {
        let ty = self.sema.ty(place);
        let value = self.sema.assigned(value, ty);
        let set = self
            .sema
            .make(ExprKind::Assign(place, value), ty, self.span);
        self.effect(set);
    }

    fn variable(&mut self, variable: VarId) -> ExprId {
        let ty = self.sema.unit[variable].ty;
        self.sema.add(ExprKind::Var(variable), ty, self.span)
    }

    fn load(&mut self, variable: VarId) -> ExprId {
        let place = self.variable(variable);
        self.sema.rvalue(place)
    }

    /// The value of a register, if the program knows it.
    fn held(&mut self, at: usize) -> Option<ExprId> {
        let register = &self.registers[at];
        let variable = register.variable.filter(|_| register.set)?;
        Some(self.load(variable))
    }

    fn equal(&mut self, a: ExprId, b: ExprId, same: bool) -> ExprId {
        let op = if same { CompareOp::Eq } else { CompareOp::Ne };
        let kind = ExprKind::Compare(op, a, b);
        self.sema.make(kind, Types::INT, self.span)
    }

    /// 1 if the last result was zero, or, with `false`, if it was another number.
    fn flag_is(&mut self, zero: bool) -> Option<ExprId> {
        let flag = self.flag?;
        let flag = self.load(flag);
        let none = self.sema.number(0, Types::INT, self.span);
        Some(self.equal(flag, none, !zero))
    }

    /// Notes whether a result is zero, if something asks for that.
    fn result(&mut self, value: ExprId) {
        let Some(flag) = self.flag else {
            return self.effect(value);
        };
        let ty = self.sema.ty(value);
        let none = self.sema.number(0, ty, self.span);
        let is_zero = self.equal(value, none, true);
        let flag = self.variable(flag);
        self.assign(flag, is_zero);
    }

    fn bound(&self, name: &str) -> Option<Bound> {
        let named = |o: &AsmOperand| o.name.is_some_and(|n| self.sema.text(n) == name);
        let at = match name.parse() {
            Ok(at) => at,
            Err(_) => self.asm.operands.iter().position(named)?,
        };
        self.bound.get(at).copied()
    }

    /// The register that an operand is.
    fn register_of(&self, operand: Operand) -> Option<usize> {
        match operand {
            Operand::Given(name) => match self.bound(name)? {
                Bound::Register(at) => Some(at),
                _ => None,
            },
            _ => None,
        }
    }

    /// The place in memory that an operand is.
    fn place(&mut self, operand: Operand) -> Option<ExprId> {
        let place = match operand {
            Operand::Given(name) => match self.bound(name)? {
                Bound::Memory(place) => place,
                _ => return None,
            },
            Operand::Behind(name) => {
                let at = self.register_of(Operand::Given(name))?;
                self.sema.unit.types.pointee(self.registers[at].ty)?;
                let pointer = self.held(at)?;
                self.sema.deref(pointer, self.span)
            }
            _ => return None,
        };
        self.sema
            .unit
            .types
            .is_scalar(self.sema.ty(place))
            .then_some(place)
    }

    fn size(&self, ty: TypeId) -> Option<u64> {
        self.sema.unit.types.layout(ty).map(|layout| layout.size)
    }

    /// The type of an operand that has the size which the instruction names.
    fn kind(&mut self, operand: Operand, size: Option<u64>) -> Option<TypeId> {
        let ty = match self.place(operand) {
            Some(place) => self.sema.ty(place),
            None => self.registers[self.register_of(operand)?].ty,
        };
        let own = self.size(ty);
        (own.is_some() && (size.is_none() || size == own)).then_some(ty)
    }

    /// The value of an operand in a type of the same size.
    fn read(&mut self, operand: Operand, ty: TypeId) -> Option<ExprId> {
        if let Operand::Number(number) = operand {
            let number = self
                .sema
                .number(number, Types::int(IntKind::Long), self.span);
            return Some(self.sema.assigned(number, ty));
        }
        if let Operand::Given(name) = operand
            && let Some(Bound::Constant(value)) = self.bound(name)
        {
            return Some(self.sema.assigned(value, ty));
        }
        self.kind(operand, self.size(ty))?;
        let value = match self.place(operand) {
            Some(place) => self.atomic(AtomicOp::Load, place, &[]),
            None => self.register_of(operand).and_then(|at| self.held(at))?,
        };
        Some(self.sema.assigned(value, ty))
    }

    fn write(&mut self, operand: Operand, value: ExprId, size: Option<u64>) -> Option<()> {
        let ty = self.kind(operand, size)?;
        if let Some(place) = self.place(operand) {
            let value = self.sema.assigned(value, ty);
            let store = self.atomic(AtomicOp::Store, place, &[value]);
            self.effect(store);
            return Some(());
        }
        let at = self.register_of(operand)?;
        self.registers[at].set = true;
        let place = self.variable(self.registers[at].variable?);
        self.assign(place, value);
        Some(())
    }

    fn pointer_to(&mut self, place: ExprId) -> ExprId {
        let pointer = self.sema.unit.types.pointer(self.sema.unit[place].ty);
        let at = ExprKind::AddressOf(place);
        self.sema.make(at, pointer, self.span)
    }

    /// An atomic operation on a place.
    fn atomic(&mut self, op: AtomicOp, place: ExprId, values: &[ExprId]) -> ExprId {
        let at = self.pointer_to(place);
        let orders = match op {
            AtomicOp::Load => [Acquire; 2],
            AtomicOp::Store => [Release; 2],
            _ => [SeqCst; 2],
        };
        let values: Vec<ExprId> = std::iter::once(at).chain(values.iter().copied()).collect();
        let wanted = values.len();
        self.sema
            .atomic_made((op, orders), &values, wanted, self.span)
    }

    /// `xchg` and `xadd`: the register gets what was in memory.
    fn swap(
        &mut self,
        op: AtomicOp,
        register: Operand,
        at: Operand,
        size: Option<u64>,
    ) -> Option<()> {
        let ty = self.kind(at, size)?;
        let value = self.read(register, ty)?;
        let place = self.place(at)?;
        let old = self.atomic(op, place, &[value]);
        self.write(register, old, self.size(ty))
    }

    /// `cmpxchg`: the register `a` holds what is expected, and gets what was there.
    fn compare_exchange(&mut self, new: Operand, at: Operand, size: Option<u64>) -> Option<()> {
        let ty = self.kind(at, size)?;
        let new = self.read(new, ty)?;
        let place = self.place(at)?;
        let held = self.registers.iter().position(|r| r.letter == Some('a'));
        let register = &self.registers[held?];
        if !register.set || self.size(register.ty) != self.size(ty) {
            return None;
        }
        let variable = register.variable?;
        let expected = self.load(variable);
        let expected = self.sema.assigned(expected, ty);
        let old = self.atomic(AtomicOp::CompareSwapValue, place, &[expected, new]);
        let was = self.begin(ty, Some(old));
        if let Some(flag) = self.flag {
            let (old, expected) = (self.load(was), self.load(variable));
            let expected = self.sema.assigned(expected, ty);
            let same = self.equal(old, expected, true);
            let flag = self.variable(flag);
            self.assign(flag, same);
        }
        let (accumulator, old) = (self.variable(variable), self.load(was));
        self.assign(accumulator, old);
        Some(())
    }

    fn arithmetic(
        &mut self,
        op: BinaryOp,
        by: Operand,
        target: Operand,
        one: &Instruction,
    ) -> Option<()> {
        let ty = self.kind(target, one.size)?;
        if !self.sema.unit.types.is_integer(ty) {
            return None;
        }
        if one.locked {
            let (place, by) = (self.place(target)?, self.read(by, ty)?);
            let new = self.atomic(AtomicOp::ThenFetch(op), place, &[by]);
            self.result(new);
            return Some(());
        }
        let modulo = Types::int(unsigned(self.size(ty)?)?);
        let (by, old) = (self.read(by, modulo)?, self.read(target, modulo)?);
        let new = ExprKind::Binary(op, old, by);
        let new = self.sema.make(new, modulo, self.span);
        let new = self.begin(modulo, Some(new));
        let value = self.load(new);
        self.write(target, value, one.size)?;
        if self.flag.is_some() {
            let value = self.load(new);
            self.result(value);
        }
        Some(())
    }

    /// Any value of a type.
    fn any(&mut self, ty: TypeId) -> Option<ExprId> {
        if !self.sema.unit.types.is_integer(ty) {
            return None;
        }
        let kind = unsigned(self.size(ty)?)?;
        let (name, letters, kind) = match kind {
            IntKind::ULong => ("__VERIFIER_nondet_library_ulong", "k", kind),
            _ => ("__VERIFIER_nondet_library_uint", "u", IntKind::UInt),
        };
        let symbol = self.sema.unit.names.intern(name);
        let signature = self.sema.signature(letters);
        let input = self.sema.declare_known(symbol, signature, self.span);
        let none = self.sema.unit.add_list([]);
        let call = ExprKind::Call(Callee::Direct(input), none);
        let value = self.sema.make(call, Types::int(kind), self.span);
        Some(self.sema.assigned(value, ty))
    }
}

/// The register that a constraint names.
fn letter(constraint: &str) -> Option<char> {
    constraint.chars().find(|c| "abcdSD".contains(*c))
}

/// The type of numbers without signs that have so many bytes.
fn unsigned(size: u64) -> Option<IntKind> {
    Some(match size {
        1 => IntKind::UChar,
        2 => IntKind::UShort,
        4 => IntKind::UInt,
        8 => IntKind::ULong,
        _ => return None,
    })
}
