//! The instructions.

use ir::{BinaryOp, Bits, PreemptKind, Type, UnaryOp};

use super::layout::{Domain, Keys};

/// A register: an index into the frame.
pub type Reg = u32;

/// A register, or a constant by its index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operand(i32);

impl Operand {
    /// The value of a register.
    pub fn reg(reg: Reg) -> Self {
        Self(reg.cast_signed())
    }

    pub fn constant(index: u32) -> Self {
        Self(!index.cast_signed())
    }

    /// The register, if it is one; else the constant's index.
    pub fn get(self) -> Result<Reg, u32> {
        if self.0 >= 0 {
            Ok(self.0.cast_unsigned())
        } else {
            Err((!self.0).cast_unsigned())
        }
    }
}

/// How a 64-bit pattern is read as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Num {
    /// A mathematical integer; what does not fit is refused.
    Int,
    /// A machine integer: its width in bits, and whether it is signed.
    Bits(u8, bool),
}

impl Num {
    pub fn of(ty: &Type) -> Self {
        match ty {
            Type::Bits(Bits { width, signed }) => Self::Bits(*width, *signed),
            _ => Self::Int,
        }
    }
}

/// Where the slots of a variable begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// At a global slot.
    Global(u32),
    Local(Reg),
}

/// A slot: from a base on, by an offset that may be computed.
#[derive(Clone, Copy, Debug)]
pub struct Home {
    /// The base, plus the part of the offset that the compiler knows.
    pub base: Base,
    /// The rest of the offset, which is computed at run time.
    pub offset: Option<Operand>,
}

/// How an index becomes an offset.
#[derive(Clone, Copy, Debug)]
pub struct OffsetInfo {
    /// The first index.
    pub lo: i64,
    /// How many indices there are.
    pub len: u32,
    /// Slots of each element.
    pub stride: u32,
}

/// How a tree is looked into.
#[derive(Clone, Debug)]
pub struct MapInfo {
    /// How keys become paths.
    pub keys: Keys,
    /// The domains of an element's slots.
    pub elem: Vec<Domain>,
    /// Where the tree's name is kept, to be changed when a part is chosen late.
    pub home: Option<Home>,
}

/// What a slot without a value holds.
#[derive(Clone, Debug)]
pub enum Blank {
    Undefined,
    /// A tree of elements without values.
    Tree(Vec<Blank>),
}

/// An instruction. Registers are relative to the running frame.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "the forms say it")]
pub enum Instr {
    /// `dst := src`
    Copy {
        dst: Reg,
        src: Operand,
    },
    /// `dst[0..n] := src[0..n]`
    Move {
        dst: Reg,
        src: Reg,
        n: u32,
    },
    /// `dst := op a`
    Unary {
        op: UnaryOp,
        num: Num,
        dst: Reg,
        a: Operand,
    },
    /// `dst := a op b`
    Binary {
        op: BinaryOp,
        num: Num,
        dst: Reg,
        a: Operand,
        b: Operand,
    },
    /// `dst := to(a)`
    Convert {
        from: Num,
        to: Num,
        dst: Reg,
        a: Operand,
    },
    /// `dst[0..n] := globals[slot..]`
    Load {
        dst: Reg,
        slot: u32,
        n: u32,
    },
    /// `dst[0..n] := globals[slot + offset..]`
    LoadAt {
        dst: Reg,
        slot: u32,
        offset: Operand,
        n: u32,
    },
    /// `globals[slot] := src`
    Store {
        slot: u32,
        src: Operand,
    },
    /// `globals[slot..] := src[0..n]`
    StoreMany {
        slot: u32,
        src: Reg,
        n: u32,
    },
    /// `globals[slot + offset..] := src[0..n]`
    StoreAt {
        slot: u32,
        offset: Operand,
        src: Reg,
        n: u32,
    },
    /// `dst[0..n] := base[offset..]`, a part of the variable `whole`
    Peek {
        dst: Reg,
        base: Reg,
        offset: Operand,
        n: u32,
        whole: (Reg, u32),
    },
    /// `base[offset..] := src[0..n]`
    Poke {
        base: Reg,
        offset: Operand,
        src: Reg,
        n: u32,
    },
    /// Chooses what is missing in `reg[0..n]`.
    Need {
        reg: Reg,
        n: u32,
    },
    /// Chooses what is missing in `reg[0..n]`, which is part of an element that was fetched to `at`.
    NeedElement {
        reg: Reg,
        n: u32,
        at: Reg,
        map: Reg,
        key: Operand,
        info: u32,
    },
    /// Leaves slots without a value.
    Forget {
        home: Home,
        blanks: u32,
    },
    /// Chooses the value of a slot at once.
    Choose {
        home: Home,
    },
    /// Chooses values for forgotten registers whose types have few values.
    ChooseAll {
        reg: Reg,
        blanks: u32,
    },
    /// `dst := a[0..n] == b[0..n]`
    Same {
        dst: Reg,
        a: Reg,
        b: Reg,
        n: u32,
    },
    /// `dst[..] := src[0..n]`, so many times
    Repeat {
        dst: Reg,
        src: Reg,
        n: u32,
        times: u32,
    },
    /// `dst := before + (index - lo) * stride`
    Offset {
        dst: Reg,
        before: Option<Operand>,
        index: Operand,
        info: u32,
    },
    /// `dst[0..width] := map[key]`
    MapGet {
        dst: Reg,
        map: Reg,
        key: Operand,
        info: u32,
    },
    /// `dst := map with key: src[0..width]`
    MapSet {
        dst: Reg,
        map: Reg,
        key: Operand,
        src: Reg,
        info: u32,
    },
    /// `dst := src[0..width] everywhere`
    MapFill {
        dst: Reg,
        src: Reg,
        info: u32,
    },
    /// Refuses a tree unless all its parts were chosen.
    MapNeed {
        map: Reg,
    },
    Jump {
        to: u32,
    },
    /// Goes to `to` if `cond` is `want`.
    Branch {
        cond: Operand,
        want: bool,
        to: u32,
    },
    /// Goes to `to` if `a op b` is `want`, for `<`, `<=` and `==` of numbers.
    Compare {
        op: BinaryOp,
        num: Num,
        a: Operand,
        b: Operand,
        want: bool,
        to: u32,
    },
    /// Says that an execution has come here.
    Reach {
        landmark: u32,
    },
    Drop,
    Fail {
        site: u32,
    },
    /// Runs a procedure: its arguments are `args[..]`, its result goes to `into[..]`.
    Call {
        proc: u32,
        args: Reg,
        into: Option<Reg>,
    },
    /// Leaves the procedure with the result `src[0..n]`.
    Return {
        src: Reg,
        n: u32,
    },
    /// Makes a task; its handle goes to `into`.
    Post {
        proc: u32,
        args: Reg,
        into: Option<Reg>,
    },
    Preempt {
        kind: PreemptKind,
    },
    /// A preemption point; the task goes on at the next instruction, which begins the guard.
    Await,
    /// The end of a guard: the task is blocked unless `cond` holds.
    Guard {
        cond: Operand,
    },
    /// `dst := ` the running task's number
    Me {
        dst: Reg,
    },
    /// `dst := ` whether task `a` has finished
    Finished {
        dst: Reg,
        a: Operand,
    },
    /// Refuses: the machine cannot hold a number.
    TooLarge,
}

impl Instr {
    /// Whether the instruction computes values from values, and goes on with the next instruction.
    pub const fn only_computes(&self) -> bool {
        matches!(
            self,
            Self::Copy { .. }
                | Self::Move { .. }
                | Self::Unary { .. }
                | Self::Binary { .. }
                | Self::Convert { .. }
                | Self::Same { .. }
                | Self::Offset { .. }
                | Self::Me { .. }
        )
    }
}
