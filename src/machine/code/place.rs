//! Variables and their parts: reading, writing, forgetting.

use ir::{ExprId, ExprKind, Place, Root, Step, TypeId};

use super::compile::{Compiler, domains, index};
use super::instr::{Base, Blank, Home, Instr, MapInfo, OffsetInfo, Operand, Reg};
use super::layout::{Domain, Layout, Repr};

/// A variable or a part of one, as far as the code knows it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Access {
    /// Where its slots begin, as far as the compiler knows.
    base: Base,
    /// The part of the offset that is computed at run time.
    offset: Option<Operand>,
    /// Whether its slots may be without a value.
    undefined: bool,
    /// For locals: the registers of the whole variable.
    whole: (Reg, u32),
    /// For a part of a tree's element that was fetched: how to choose it late.
    element: Option<Element>,
}

/// An element that was fetched from a tree.
#[derive(Clone, Copy, Debug)]
struct Element {
    /// Where it was put.
    at: Reg,
    width: u32,
    map: Reg,
    key: Operand,
    info: u32,
}

impl Access {
    fn home(&self) -> Home {
        Home {
            base: self.base,
            offset: self.offset,
        }
    }

    fn skip(mut self, slots: u32) -> Self {
        self.base = match self.base {
            Base::Global(s) => Base::Global(s + slots),
            Base::Local(r) => Base::Local(r + slots),
        };
        self
    }
}

impl Compiler<'_> {
    pub fn mark(&self) -> Reg {
        self.next
    }

    pub fn release(&mut self, mark: Reg) {
        self.next = mark;
    }

    fn root(&self, root: Root) -> Access {
        let (base, undefined) = match root {
            Root::Global(g) => {
                let (slot, undefined) = self.global(g);
                (Base::Global(slot), undefined)
            }
            Root::Local(l) => {
                let (reg, undefined) = self.local(l);
                (Base::Local(reg), undefined)
            }
        };
        let whole = match base {
            Base::Local(reg) => (reg, self.slots(self.root_type(root))),
            Base::Global(_) => (0, 0),
        };
        Access {
            base,
            offset: None,
            undefined,
            whole,
            element: None,
        }
    }

    /// Returns the variable or part that an expression names. Other expressions are computed into new registers.
    pub fn access(&mut self, e: ExprId) -> Access {
        match self.program.expr(e).kind {
            ExprKind::Local(l) => self.root(Root::Local(l)),
            ExprKind::Global(g) => self.root(Root::Global(g)),
            ExprKind::Field(base, field) => {
                let access = self.access(base);
                access.skip(self.field_offset(self.program.ty(base), field))
            }
            ExprKind::Index(base, i) => {
                let access = self.access(base);
                self.element(access, self.program.ty(base), i)
            }
            _ => {
                let n = self.slots(self.program.ty(e));
                let reg = self.temp(n);
                self.put_in(e, reg);
                self.registers(reg, n)
            }
        }
    }

    fn registers(&self, reg: Reg, n: u32) -> Access {
        Access {
            base: Base::Local(reg),
            offset: None,
            undefined: false,
            whole: (reg, n),
            element: None,
        }
    }

    fn field_offset(&self, record: TypeId, field: u32) -> u32 {
        match self.code.layout.repr(record) {
            Repr::Record(fields) => fields[field as usize].0,
            _ => 0,
        }
    }

    /// An element of an array or map.
    fn element(&mut self, access: Access, ty: TypeId, i: ExprId) -> Access {
        match *self.code.layout.repr(ty) {
            Repr::Flat {
                len, stride, lo, ..
            } => self.flat_element(access, i, OffsetInfo { lo, len, stride }),
            Repr::Tree { width, .. } => {
                let map = self.name_of_tree(&access);
                let key = self.operand(i);
                let home = access.element.is_none().then(|| access.home());
                let info = self.map_info(ty, home);
                let at = self.temp(width);
                self.emit(Instr::MapGet {
                    dst: at,
                    map,
                    key,
                    info,
                });
                Access {
                    undefined: access.undefined,
                    element: access.undefined.then_some(Element {
                        at,
                        width,
                        map,
                        key,
                        info,
                    }),
                    ..self.registers(at, width)
                }
            }
            _ => access,
        }
    }

    fn flat_element(&mut self, access: Access, i: ExprId, info: OffsetInfo) -> Access {
        let known = match self.program.expr(i).kind {
            ExprKind::Int(i) => i64::try_from(i.0).ok(),
            ExprKind::Bool(b) => Some(i64::from(b)),
            _ => None,
        };
        if let Some(i) = known {
            let i = i.checked_sub(info.lo).and_then(|i| u32::try_from(i).ok());
            // An index outside is refused by a check before; any element will do.
            let i = i.filter(|&i| i < info.len).unwrap_or(0);
            return access.skip(i * info.stride);
        }
        let index_operand = self.operand(i);
        let dst = self.temp(1);
        let id = index(self.code.offsets.len());
        self.code.offsets.push(info);
        self.emit(Instr::Offset {
            dst,
            before: access.offset,
            index: index_operand,
            info: id,
        });
        Access {
            offset: Some(Operand::reg(dst)),
            ..access
        }
    }

    pub fn map_info(&mut self, ty: TypeId, home: Option<Home>) -> u32 {
        let id = index(self.code.maps.len());
        if let Repr::Tree { elem, keys, .. } = *self.code.layout.repr(ty) {
            let elem = domains(&self.code.layout, elem);
            self.code.maps.push(MapInfo { keys, elem, home });
        }
        id
    }

    /// Fetches the name of a tree.
    fn name_of_tree(&mut self, access: &Access) -> Reg {
        let dst = self.temp(1);
        self.fetch(access, 1, dst);
        self.is_name();
        dst
    }

    /// Fetches slots as they are, with or without values.
    fn fetch(&mut self, access: &Access, n: u32, dst: Reg) {
        let instr = match (access.base, access.offset) {
            (Base::Global(slot), None) => Instr::Load { dst, slot, n },
            (Base::Global(slot), Some(offset)) => Instr::LoadAt {
                dst,
                slot,
                offset,
                n,
            },
            (Base::Local(src), None) => Instr::Move { dst, src, n },
            (Base::Local(base), Some(offset)) => Instr::Peek {
                dst,
                base,
                offset,
                n,
                whole: access.whole,
            },
        };
        self.emit(instr);
    }

    /// Makes sure that slots have values, where that can be done before they are fetched.
    fn need(&mut self, access: &Access, n: u32) {
        let Base::Local(reg) = access.base else {
            return;
        };
        if !access.undefined {
            return;
        }
        match access.element {
            Some(e) => {
                let (reg, n) = match access.offset {
                    None => (reg, n),
                    Some(_) => (e.at, e.width),
                };
                self.emit(Instr::NeedElement {
                    reg,
                    n,
                    at: e.at,
                    map: e.map,
                    key: e.key,
                    info: e.info,
                });
            }
            None if access.offset.is_none() => self.emit(Instr::Need { reg, n }),
            // `Peek` checks for itself: only at run time is it known which slots it reads.
            None => {}
        }
    }

    /// Refuses trees with parts that were never chosen: a later choice would have to change the copy, too.
    fn need_trees(&mut self, access: &Access, ty: TypeId, reg: Reg) {
        if !access.undefined {
            return;
        }
        for (i, domain) in domains(&self.code.layout, ty).into_iter().enumerate() {
            if domain == Domain::Tree {
                self.emit(Instr::MapNeed {
                    map: reg + index(i),
                });
            }
        }
    }

    /// Returns registers that hold the value of a variable or part; they may be the variable's own.
    pub fn load(&mut self, access: &Access, ty: TypeId) -> Reg {
        let n = self.slots(ty);
        if let (Base::Local(reg), None) = (access.base, access.offset) {
            self.need(access, n);
            self.need_trees(access, ty, reg);
            return reg;
        }
        let dst = self.temp(n);
        self.load_into(access, ty, dst);
        dst
    }

    /// Puts the value of a variable or part into other registers.
    pub fn load_into(&mut self, access: &Access, ty: TypeId, dst: Reg) {
        let n = self.slots(ty);
        self.need(access, n);
        self.fetch(access, n, dst);
        self.need_trees(access, ty, dst);
    }

    /// Stores registers into a variable or part.
    pub fn store(&mut self, to: &Place, src: Reg) {
        let access = self.root(to.root);
        let ty = self.root_type(to.root);
        self.store_path(access, ty, &to.path, src);
    }

    fn store_path(&mut self, access: Access, ty: TypeId, path: &[Step], src: Reg) {
        let Some((step, rest)) = path.split_first() else {
            return self.put(&access, self.slots(ty), src);
        };
        match (step, self.code.layout.repr(ty).clone()) {
            (Step::Field(f), Repr::Record(fields)) => {
                let (offset, inner) = fields[*f as usize];
                self.store_path(access.skip(offset), inner, rest, src);
            }
            (
                Step::Index(i),
                Repr::Flat {
                    elem,
                    len,
                    stride,
                    lo,
                },
            ) => {
                let part = self.flat_element(access, *i, OffsetInfo { lo, len, stride });
                self.store_path(part, elem, rest, src);
            }
            (Step::Index(i), Repr::Tree { elem, width, .. }) => {
                let map = self.name_of_tree(&access);
                let key = self.operand(*i);
                let info = self.map_info(ty, Some(access.home()));
                let whole = if rest.is_empty() {
                    src
                } else {
                    let dst = self.temp(width);
                    self.emit(Instr::MapGet {
                        dst,
                        map,
                        key,
                        info,
                    });
                    let part = self.registers(dst, width);
                    self.store_path(part, elem, rest, src);
                    dst
                };
                self.emit(Instr::MapSet {
                    dst: map,
                    map,
                    key,
                    src: whole,
                    info,
                });
                self.put(&access, 1, map);
                self.is_name();
            }
            _ => {}
        }
    }

    /// Writes registers into slots.
    fn put(&mut self, access: &Access, n: u32, src: Reg) {
        let instr = match (access.base, access.offset) {
            (Base::Global(slot), None) if n == 1 => Instr::Store {
                slot,
                src: Operand::reg(src),
            },
            (Base::Global(slot), None) => Instr::StoreMany { slot, src, n },
            (Base::Global(slot), Some(offset)) => Instr::StoreAt {
                slot,
                offset,
                src,
                n,
            },
            (Base::Local(dst), None) => Instr::Move { dst, src, n },
            (Base::Local(base), Some(offset)) => Instr::Poke {
                base,
                offset,
                src,
                n,
            },
        };
        self.emit(instr);
    }

    /// Leaves a variable or part without a value.
    pub fn forget(&mut self, to: &Place) {
        match self.home_of(to) {
            Some(home) => {
                let blanks = self.blanks(to.ty);
                self.emit(Instr::Forget { home, blanks });
            }
            // A part of a tree's element: what can be chosen is chosen at once, then put there.
            None => {
                let src = self.temp(self.slots(to.ty));
                let home = Home {
                    base: Base::Local(src),
                    offset: None,
                };
                let blanks = self.blanks(to.ty);
                self.emit(Instr::Forget { home, blanks });
                self.emit(Instr::ChooseAll { reg: src, blanks });
                self.store(to, src);
            }
        }
    }

    /// Chooses the value of a global of few values at once.
    pub fn choose(&mut self, to: &Place) {
        if let Some(home) = self.home_of(to) {
            let blanks = self.blanks(to.ty);
            self.emit(Instr::Forget { home, blanks });
            self.emit(Instr::Choose { home });
        } else {
            self.forget(to);
        }
    }

    fn blanks(&mut self, ty: TypeId) -> u32 {
        let id = index(self.code.blanks.len());
        let blanks = blanks(&self.code.layout, ty);
        self.code.blanks.push(blanks);
        self.code.blank_types.push(ty);
        id
    }

    /// The slots of a place, unless it lies in a tree.
    fn home_of(&mut self, to: &Place) -> Option<Home> {
        let mut access = self.root(to.root);
        let mut ty = self.root_type(to.root);
        for step in &to.path {
            match (step, self.code.layout.repr(ty).clone()) {
                (Step::Field(f), Repr::Record(fields)) => {
                    let (offset, inner) = fields[*f as usize];
                    (access, ty) = (access.skip(offset), inner);
                }
                (
                    Step::Index(i),
                    Repr::Flat {
                        elem,
                        len,
                        stride,
                        lo,
                    },
                ) => {
                    access = self.flat_element(access, *i, OffsetInfo { lo, len, stride });
                    ty = elem;
                }
                _ => return None,
            }
        }
        Some(access.home())
    }
}

/// What the slots of a type hold while nothing was chosen.
fn blanks(layout: &Layout, ty: TypeId) -> Vec<Blank> {
    match layout.repr(ty) {
        Repr::Scalar(_) => vec![Blank::Undefined],
        Repr::Record(fields) => fields
            .iter()
            .flat_map(|&(_, t)| blanks(layout, t))
            .collect(),
        Repr::Flat { elem, len, .. } => {
            let one = blanks(layout, *elem);
            (0..*len).flat_map(|_| one.iter().cloned()).collect()
        }
        Repr::Tree { elem, .. } => vec![Blank::Tree(blanks(layout, *elem))],
    }
}
