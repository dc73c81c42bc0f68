//! Types of the intermediate program, interned: equal types have equal ids.

use rustc_hash::FxHashMap;

use super::text::Dialect;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(pub u32);

/// A machine integer type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bits {
    /// 8, 16, 32 or 64.
    pub width: u8,
    /// Two's complement or unsigned.
    pub signed: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    Bool,
    Int,
    /// Integers from the first to the second, both included. As an operand it is an `Int`;
    /// a store into it is preceded by a check.
    Range(i128, i128),
    /// Machine integers that wrap.
    Bits(Bits),
    /// An enumeration; values are indices of members.
    Enum(EnumType),
    Record(RecordType),
    /// A task's handle, or none.
    Task,
    /// An array of fixed length, indexed from 0.
    Array(u32, TypeId),
    /// A total map from the first to the second. The key is a scalar type.
    Map(TypeId, TypeId),
}

/// An enumeration. Two enums of equal members and different names differ.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct EnumType {
    /// The name under which it was declared; empty for one without a name.
    pub name: String,
    pub members: Vec<String>,
}

/// A record type. Two records of equal fields and different names differ.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RecordType {
    /// The name under which it was declared; empty for one without a name.
    pub name: String,
    /// The fields' names and types.
    pub fields: Vec<(String, TypeId)>,
}

/// Objects of one name that lie behind each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Addresses {
    /// The first byte of the first object.
    pub base: i128,
    /// How many objects there are; `None` for a single one, which is shown without a number.
    pub count: Option<u32>,
    /// The size of one object in bytes, and the distance from each to the next.
    pub size: (i128, i128),
    /// Their name; that of a string is its text in quotes.
    pub name: String,
    /// The parts of one object.
    pub shape: Shape,
}

/// The parts of an object, by the bytes at which they begin.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A value without parts.
    Value,
    /// Shown by its name alone: a string, a function.
    Named,
    /// Elements: the bytes from each to the next.
    Array(i128, Box<Self>),
    /// Members: where each begins, and its name.
    Record(Vec<(i128, String, Self)>),
}

impl Shape {
    /// How a program names the part that begins at a byte; nothing for the whole.
    fn part(&self, offset: i128) -> String {
        match self {
            Self::Array(stride, element) => {
                let stride = (*stride).max(1);
                format!("[{}]{}", offset / stride, element.part(offset % stride))
            }
            Self::Record(members) if offset > 0 => {
                let found = members.iter().rev().find(|(at, ..)| *at <= offset);
                found.map_or_else(
                    || bytes(offset),
                    |(at, name, inner)| format!(".{name}{}", inner.part(offset - at)),
                )
            }
            _ => bytes(offset),
        }
    }
}

fn bytes(offset: i128) -> String {
    match offset {
        0 => String::new(),
        more => format!(" + {more} bytes"),
    }
}

impl Addresses {
    /// How a program would write an address that lies in one of the objects, or directly behind it.
    #[must_use]
    pub fn show(&self, address: i128) -> Option<String> {
        let (size, stride) = self.size;
        let from = address.checked_sub(self.base).filter(|&f| f >= 0)?;
        let (number, offset) = match self.count {
            Some(_) => (from / stride.max(1), from % stride.max(1)),
            None => (0, from),
        };
        if offset > size || number >= i128::from(self.count.unwrap_or(1)) {
            return None;
        }
        let index = self
            .count
            .map_or_else(String::new, |_| format!("[{number}]"));
        let name = &self.name;
        Some(match (&self.shape, offset) {
            (Shape::Named, 0) => name.clone(),
            (Shape::Named, more) => format!("{name} + {more}"),
            (Shape::Array(..), _) => format!("&{name}{index}{}", self.shape.part(offset)),
            (_, more) if more == size => format!("&{name}{index} + 1"),
            (_, _) => format!("&{name}{index}{}", self.shape.part(offset)),
        })
    }
}

/// The table of types.
#[derive(Clone, Debug, PartialEq)]
pub struct Types {
    /// How types and values are written for people.
    pub dialect: Dialect,
    /// The objects at the numbers that are addresses, to show these to people.
    pub addresses: Vec<Addresses>,
    /// The type of addresses, if a program has pointers: a machine integer whose values are shown as pointers.
    pub pointer: Option<TypeId>,
    types: Vec<Type>,
    ids: FxHashMap<Type, TypeId>,
}

/// The records of C that only engines see as records: people see them as a whole.
const OPAQUE: [&str; 7] = [
    "double",
    "pthread_mutex_t",
    "pthread_cond_t",
    "pthread_rwlock_t",
    "pthread_barrier_t",
    "pthread_spinlock_t",
    "sem_t",
];

impl Types {
    /// `bool`, present in every table.
    pub const BOOL: TypeId = TypeId(0);
    /// `int`, present in every table.
    pub const INT: TypeId = TypeId(1);
    /// `task`, present in every table.
    pub const TASK: TypeId = TypeId(2);

    /// A table with the basic types.
    #[must_use]
    pub fn new() -> Self {
        let mut table = Self {
            dialect: Dialect::Async,
            addresses: Vec::new(),
            pointer: None,
            types: Vec::new(),
            ids: FxHashMap::default(),
        };
        for ty in [Type::Bool, Type::Int, Type::Task] {
            table.intern(ty);
        }
        table
    }

    /// The id of a type, new or known.
    pub fn intern(&mut self, ty: Type) -> TypeId {
        if let Some(&id) = self.ids.get(&ty) {
            return id;
        }
        let id = TypeId(u32::try_from(self.types.len()).expect("fewer types than 2^32"));
        self.types.push(ty.clone());
        self.ids.insert(ty, id);
        id
    }

    /// Whether it is a record of C whose parts mean nothing to a person: an object of the library, or a floating number.
    #[must_use]
    pub fn is_opaque(&self, ty: TypeId) -> bool {
        let Type::Record(record) = self.get(ty) else {
            return false;
        };
        self.dialect == Dialect::C && OPAQUE.contains(&record.name.as_str())
    }

    /// The type of addresses: a machine integer apart from the others.
    pub fn address(&mut self, bits: Bits) -> TypeId {
        if let Some(pointer) = self.pointer {
            return pointer;
        }
        let id = TypeId(u32::try_from(self.types.len()).expect("fewer types than 2^32"));
        self.types.push(Type::Bits(bits));
        self.pointer = Some(id);
        id
    }

    /// Replaces a type: its id means the new type everywhere.
    pub fn replace(&mut self, id: TypeId, ty: Type) {
        let old = std::mem::replace(&mut self.types[id.0 as usize], ty.clone());
        self.ids.remove(&old);
        self.ids.entry(ty).or_insert(id);
    }

    #[must_use]
    pub fn get(&self, id: TypeId) -> &Type {
        &self.types[id.0 as usize]
    }

    /// All types with their ids.
    pub fn iter(&self) -> impl Iterator<Item = (TypeId, &Type)> {
        #[allow(
            clippy::cast_possible_truncation,
            reason = "`intern` counts in 32 bits"
        )]
        self.types
            .iter()
            .enumerate()
            .map(|(i, t)| (TypeId(i as u32), t))
    }

    /// Whether values are mathematical integers when read (`int` and ranges).
    #[must_use]
    pub fn is_int(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Int | Type::Range(..))
    }

    /// Whether a value is a single number or truth value.
    #[must_use]
    pub fn is_scalar(&self, id: TypeId) -> bool {
        !matches!(
            self.get(id),
            Type::Record(_) | Type::Array(..) | Type::Map(..)
        )
    }

    /// The least and greatest number of a scalar type, where it has them
    /// (`bool` is 0..1, enums count from 0); `None` for `int` and `task`.
    #[must_use]
    pub fn bounds(&self, id: TypeId) -> Option<(i128, i128)> {
        match self.get(id) {
            Type::Bool => Some((0, 1)),
            Type::Range(lo, hi) => Some((*lo, *hi)),
            Type::Bits(b) if b.signed => Some((-(1 << (b.width - 1)), (1 << (b.width - 1)) - 1)),
            Type::Bits(b) => Some((0, (1 << b.width) - 1)),
            Type::Enum(e) => Some((0, e.members.len() as i128 - 1)),
            Type::Int | Type::Task | Type::Record(_) | Type::Array(..) | Type::Map(..) => None,
        }
    }

    /// How many values a type has, if that is finite and fits.
    #[must_use]
    pub fn size(&self, id: TypeId) -> Option<u128> {
        match self.get(id) {
            Type::Record(r) => r
                .fields
                .iter()
                .try_fold(1u128, |n, &(_, t)| n.checked_mul(self.size(t)?)),
            Type::Array(len, t) => self.size(*t)?.checked_pow(*len),
            Type::Map(k, t) => self
                .size(*t)?
                .checked_pow(u32::try_from(self.size(*k)?).ok()?),
            _ => self
                .bounds(id)
                .and_then(|(lo, hi)| hi.abs_diff(lo).checked_add(1)),
        }
    }

    /// Whether a value of the type can hold a task's handle.
    #[must_use]
    pub fn holds_task(&self, ty: TypeId) -> bool {
        self.holds(ty, &|ty| matches!(self.get(ty), Type::Task))
    }

    /// Whether a type, or the type of one of its parts, is sought.
    #[must_use]
    pub fn holds(&self, ty: TypeId, is_sought: &impl Fn(TypeId) -> bool) -> bool {
        let parts = |ty| self.holds(ty, is_sought);
        is_sought(ty)
            || match self.get(ty) {
                Type::Record(record) => record.fields.iter().any(|f| parts(f.1)),
                Type::Array(_, element) => parts(*element),
                Type::Map(key, element) => parts(*key) || parts(*element),
                Type::Task
                | Type::Bool
                | Type::Int
                | Type::Range(..)
                | Type::Bits(_)
                | Type::Enum(_) => false,
            }
    }
}

impl Default for Types {
    fn default() -> Self {
        Self::new()
    }
}
