//! Types of C, interned: equal types have equal ids. Sizes and places of members depend on the data model.

use std::ops::Index;

use super::tree::Name;
pub use super::tree::Quals;
use super::typed::ExprId;
use ast::symbol::Symbol;
use base::interned::Interned;
use base::source::Span;

/// How wide `long` and pointers are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum DataModel {
    #[default]
    Lp64,
    Ilp32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(pub u32);

/// A `struct` or `union`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RecordId(pub u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EnumId(pub u32);

/// A type with its qualifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct QualType {
    pub ty: TypeId,
    pub quals: Quals,
}

impl QualType {
    /// The type without qualifiers.
    #[must_use]
    pub fn plain(ty: TypeId) -> Self {
        Self {
            ty,
            quals: Quals::default(),
        }
    }

    #[must_use]
    pub fn with(self, quals: Quals) -> Self {
        Self {
            ty: self.ty,
            quals: self.quals.and(quals),
        }
    }
}

/// Integer types other than `_Bool` and enums.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names are the types'")]
pub enum IntKind {
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LongLong,
    ULongLong,
    Int128,
    UInt128,
}

impl IntKind {
    /// All integer types, in the order of their numbers.
    pub const ALL: [Self; 13] = [
        Self::Char,
        Self::SChar,
        Self::UChar,
        Self::Short,
        Self::UShort,
        Self::Int,
        Self::UInt,
        Self::Long,
        Self::ULong,
        Self::LongLong,
        Self::ULongLong,
        Self::Int128,
        Self::UInt128,
    ];

    /// Whether it has negative numbers; `char` has.
    #[must_use]
    pub fn signed(self) -> bool {
        use IntKind::{Char, Int, Int128, Long, LongLong, SChar, Short};
        matches!(self, Char | SChar | Short | Int | Long | LongLong | Int128)
    }

    /// The unsigned type of the same size.
    #[must_use]
    pub fn to_unsigned(self) -> Self {
        match self {
            Self::Char | Self::SChar => Self::UChar,
            Self::Short => Self::UShort,
            Self::Int => Self::UInt,
            Self::Long => Self::ULong,
            Self::LongLong => Self::ULongLong,
            Self::Int128 => Self::UInt128,
            other => other,
        }
    }

    /// The rank in conversions: a sum has the type of the operand with the higher rank.
    #[must_use]
    pub fn rank(self) -> u8 {
        match self {
            Self::Char | Self::SChar | Self::UChar => 1,
            Self::Short | Self::UShort => 2,
            Self::Int | Self::UInt => 3,
            Self::Long | Self::ULong => 4,
            Self::LongLong | Self::ULongLong => 5,
            Self::Int128 | Self::UInt128 => 6,
        }
    }

    /// Size in bytes.
    #[must_use]
    pub fn size(self, model: DataModel) -> u64 {
        match self.rank() {
            1 => 1,
            2 => 2,
            3 => 4,
            4 if model == DataModel::Ilp32 => 4,
            4 | 5 => 8,
            _ => 16,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names are the types'")]
pub enum FloatKind {
    Float,
    Double,
    LongDouble,
    Float128,
}

/// Types that are recognised by their names, whatever they are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names are the types'")]
pub enum Library {
    Thread,
    ThreadAttr,
    Mutex,
    MutexAttr,
    Cond,
    CondAttr,
    RwLock,
    RwLockAttr,
    Barrier,
    BarrierAttr,
    Spin,
    Once,
    Key,
    Semaphore,
}

/// The types of the library: each with its name, and with the prefix of the functions that work on it. Those of POSIX stand before
/// those of C11.
const LIBRARY: [(Library, &str, &str); 19] = [
    (Library::Thread, "pthread_t", "pthread_"),
    (Library::ThreadAttr, "pthread_attr_t", "pthread_"),
    (Library::Mutex, "pthread_mutex_t", "pthread_"),
    (Library::MutexAttr, "pthread_mutexattr_t", "pthread_"),
    (Library::Cond, "pthread_cond_t", "pthread_"),
    (Library::CondAttr, "pthread_condattr_t", "pthread_"),
    (Library::RwLock, "pthread_rwlock_t", "pthread_"),
    (Library::RwLockAttr, "pthread_rwlockattr_t", "pthread_"),
    (Library::Barrier, "pthread_barrier_t", "pthread_"),
    (Library::BarrierAttr, "pthread_barrierattr_t", "pthread_"),
    (Library::Spin, "pthread_spinlock_t", "pthread_"),
    (Library::Once, "pthread_once_t", "pthread_"),
    (Library::Key, "pthread_key_t", "pthread_"),
    (Library::Semaphore, "sem_t", "sem_"),
    (Library::Thread, "thrd_t", "thrd_"),
    (Library::Mutex, "mtx_t", "mtx_"),
    (Library::Cond, "cnd_t", "cnd_"),
    (Library::Once, "once_flag", "call_once"),
    (Library::Key, "tss_t", "tss_"),
];

impl Library {
    /// The type that a name stands for, and the prefix of its functions.
    #[must_use]
    pub fn of(name: &str) -> Option<(Self, &'static str)> {
        let found = LIBRARY.iter().find(|(_, own, _)| *own == name);
        found.map(|&(library, _, functions)| (library, functions))
    }

    #[must_use]
    pub fn name(self) -> &'static str {
        let found = LIBRARY.iter().find(|(own, ..)| *own == self);
        found.map_or("", |(_, name, _)| name)
    }
}

/// How long an array is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Length {
    Known(u64),
    /// `[]`: not known yet, or never.
    Unknown,
    /// The value of an expression: it reads a hidden variable that is set where the type is declared.
    Variable(ExprId),
    /// `[*]`
    Any,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FunctionType {
    pub result: TypeId,
    /// Its parameters; arrays and functions have become pointers.
    pub params: Box<[QualType]>,
    /// `...`
    pub variadic: bool,
    /// Whether the parameters are declared; otherwise any arguments may be given.
    pub prototype: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// A type that could not be understood; reported already.
    Error,
    Void,
    Bool,
    Int(IntKind),
    Float(FloatKind),
    Enum(EnumId),
    Pointer(QualType),
    Array(QualType, Length),
    Function(FunctionType),
    /// A `struct` or `union`.
    Record(RecordId),
    /// `va_list`
    VaList,
    /// A type of the library by its name, and the type as which it is declared.
    Library(Library, TypeId),
    /// A type whose objects lie at multiples of so many bytes, because a `typedef` says so.
    Aligned(u64, TypeId),
}

/// Where a bit-field lies in its unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BitField {
    /// The first of its bits, counted from the start of the record.
    pub first: u64,
    pub width: u32,
}

/// A member of a record.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Field {
    /// Its name; none for an unnamed record within, whose members are found as if they stood here.
    pub name: Option<Name>,
    pub ty: QualType,
    /// Its first byte.
    pub offset: u64,
    /// Its address is a multiple of so many bytes.
    pub align: u64,
    /// If it is a bit-field, where.
    pub bits: Option<BitField>,
    /// Where it is declared.
    pub span: Span,
}

/// A `struct` or `union`.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    pub tag: Option<Symbol>,
    pub is_union: bool,
    /// Its members, unless only the tag is known; unnamed bit-fields are left out.
    pub fields: Option<Box<[Field]>>,
    /// Size in bytes.
    pub size: u64,
    /// Alignment in bytes.
    pub align: u64,
    /// `transparent_union`: as a parameter it takes a value of any of its members.
    pub transparent: bool,
    /// How deeply records and arrays are nested in it; itself counts as one.
    pub depth: u32,
    /// Where it is declared.
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Enum {
    pub tag: Option<Symbol>,
    /// Its members and their values, unless only the tag is known.
    pub members: Option<Vec<(Symbol, i128)>>,
    /// The integer type that its declaration names.
    pub fixed: Option<IntKind>,
    /// It is declared with `bool`, and is one.
    pub boolean: bool,
    /// The integer type that it has.
    pub kind: IntKind,
    /// Where it is declared.
    pub span: Span,
}

/// Size and alignment in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    pub size: u64,
    pub align: u64,
}

/// The largest size of an object in bytes.
pub const MAX_SIZE: u64 = 1 << 46;

/// All types of a program.
#[derive(Debug)]
pub struct Types {
    types: Interned<Type>,
    /// By type: how deeply its derivations are nested.
    depths: Vec<u32>,
    pub records: Vec<Record>,
    pub enums: Vec<Enum>,
    /// How wide `long` and pointers are.
    pub model: DataModel,
}

impl Index<TypeId> for Types {
    type Output = Type;
    fn index(&self, id: TypeId) -> &Type {
        self.types.get(id.0)
    }
}

impl Index<RecordId> for Types {
    type Output = Record;
    fn index(&self, id: RecordId) -> &Record {
        &self.records[id.0 as usize]
    }
}

impl Index<EnumId> for Types {
    type Output = Enum;
    fn index(&self, id: EnumId) -> &Enum {
        &self.enums[id.0 as usize]
    }
}

/// Types that a program need not declare, and may declare otherwise: some compilers know them.
pub const UNDECLARED: [(&str, TypeId); 6] = [
    ("bool", Types::BOOL),
    ("_Float32", Types::float(FloatKind::Float)),
    ("_Float64", Types::DOUBLE),
    ("_Float32x", Types::DOUBLE),
    ("_Float64x", Types::float(FloatKind::Float128)),
    ("_Float128", Types::float(FloatKind::Float128)),
];

impl Types {
    /// A type that could not be understood.
    pub const ERROR: TypeId = TypeId(0);
    pub const VOID: TypeId = TypeId(1);
    pub const BOOL: TypeId = TypeId(2);
    /// `va_list`
    pub const VA_LIST: TypeId = TypeId(3);
    pub const INT: TypeId = Self::int(IntKind::Int);
    pub const DOUBLE: TypeId = Self::float(FloatKind::Double);

    /// Makes a table that holds only the basic types.
    #[must_use]
    pub fn new(model: DataModel) -> Self {
        use FloatKind::{Double, Float, Float128, LongDouble};
        let mut types = Self {
            types: Interned::default(),
            depths: Vec::new(),
            records: Vec::new(),
            enums: Vec::new(),
            model,
        };
        for ty in [Type::Error, Type::Void, Type::Bool, Type::VaList] {
            types.intern(ty);
        }
        for kind in IntKind::ALL {
            types.intern(Type::Int(kind));
        }
        for kind in [Float, Double, LongDouble, Float128] {
            types.intern(Type::Float(kind));
        }
        types
    }

    /// The type of a name that the program does not declare.
    #[must_use]
    pub fn undeclared(name: &str) -> Option<TypeId> {
        let found = UNDECLARED.iter().find(|(own, _)| *own == name);
        found.map(|&(_, ty)| ty)
    }

    /// The id of a floating type.
    #[must_use]
    pub const fn float(kind: FloatKind) -> TypeId {
        TypeId(4 + 13 + kind as u32)
    }

    /// The id of an integer type.
    #[must_use]
    pub const fn int(kind: IntKind) -> TypeId {
        TypeId(4 + kind as u32)
    }

    #[must_use]
    pub fn size_type(&self) -> TypeId {
        Self::int(match self.model {
            DataModel::Lp64 => IntKind::ULong,
            DataModel::Ilp32 => IntKind::UInt,
        })
    }

    /// `ptrdiff_t`
    #[must_use]
    pub fn difference_type(&self) -> TypeId {
        Self::int(match self.model {
            DataModel::Lp64 => IntKind::Long,
            DataModel::Ilp32 => IntKind::Int,
        })
    }

    /// How many bytes a pointer has.
    #[must_use]
    pub fn pointer_size(&self) -> u64 {
        match self.model {
            DataModel::Lp64 => 8,
            DataModel::Ilp32 => 4,
        }
    }

    /// The id of a type, new or known.
    pub fn intern(&mut self, ty: Type) -> TypeId {
        if let Some(known) = self.types.known(&ty) {
            return TypeId(known);
        }
        let depth = match &ty {
            Type::Pointer(inner) | Type::Array(inner, _) => 1 + self.depth(inner.ty),
            Type::Function(f) => {
                let params = f.params.iter().map(|p| p.ty);
                1 + params
                    .chain([f.result])
                    .map(|t| self.depth(t))
                    .max()
                    .unwrap_or(0)
            }
            Type::Library(_, of) | Type::Aligned(_, of) => 1 + self.depth(*of),
            _ => 0,
        };
        self.depths.push(depth);
        TypeId(self.types.intern(ty))
    }

    /// How deeply derivations (pointer, array, function) are nested in a type. Members of records do not count.
    #[must_use]
    pub fn depth(&self, ty: TypeId) -> u32 {
        self.depths[ty.0 as usize]
    }

    /// How deeply arrays and records are nested in an object.
    #[must_use]
    pub fn containment(&self, ty: TypeId) -> u32 {
        match &self[self.canonical(ty)] {
            Type::Array(element, _) => 1 + self.containment(element.ty),
            Type::Record(record) => self[*record].depth,
            _ => 0,
        }
    }

    pub fn pointer(&mut self, to: QualType) -> TypeId {
        self.intern(Type::Pointer(to))
    }

    /// Returns the type as which a type of the library, or one with another alignment, is declared. Any other type stays the same.
    #[must_use]
    pub fn canonical(&self, mut ty: TypeId) -> TypeId {
        while let Type::Library(_, of) | Type::Aligned(_, of) = self[ty] {
            ty = of;
        }
        ty
    }

    /// The type that decides what can be done with a value: see [`Self::canonical`].
    #[must_use]
    pub fn shape(&self, ty: TypeId) -> &Type {
        &self[self.canonical(ty)]
    }

    /// Which type of the library it is, by its name.
    #[must_use]
    pub fn library(&self, ty: TypeId) -> Option<Library> {
        match self[ty] {
            Type::Library(library, _) => Some(library),
            Type::Aligned(_, of) => self.library(of),
            _ => None,
        }
    }

    /// The integer kind of an integer type; `_Bool` has none.
    #[must_use]
    pub fn int_kind(&self, ty: TypeId) -> Option<IntKind> {
        match self.shape(ty) {
            Type::Int(kind) => Some(*kind),
            Type::Enum(id) => Some(self[*id].kind),
            _ => None,
        }
    }

    /// Whether it is an integer type, `_Bool` and enums among them.
    #[must_use]
    pub fn is_integer(&self, ty: TypeId) -> bool {
        matches!(self.shape(ty), Type::Int(_) | Type::Enum(_) | Type::Bool)
    }

    /// Whether it is a number.
    #[must_use]
    pub fn is_arithmetic(&self, ty: TypeId) -> bool {
        self.is_integer(ty) || matches!(self.shape(ty), Type::Float(_))
    }

    /// Whether it is a number or a pointer.
    #[must_use]
    pub fn is_scalar(&self, ty: TypeId) -> bool {
        self.is_arithmetic(ty) || matches!(self.shape(ty), Type::Pointer(_) | Type::Error)
    }

    /// The structures and unions that a type names.
    #[must_use]
    pub fn records_in(&self, ty: TypeId) -> Vec<RecordId> {
        match &self[ty] {
            Type::Record(id) => vec![*id],
            Type::Pointer(of) | Type::Array(of, _) => self.records_in(of.ty),
            Type::Aligned(_, of) | Type::Library(_, of) => self.records_in(*of),
            Type::Function(of) => {
                let params = of.params.iter().map(|param| param.ty);
                let all = params.chain([of.result]);
                all.flat_map(|ty| self.records_in(ty)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The type to which a pointer points.
    #[must_use]
    pub fn pointee(&self, ty: TypeId) -> Option<QualType> {
        match self.shape(ty) {
            Type::Pointer(to) => Some(*to),
            _ => None,
        }
    }

    /// The element of an array.
    #[must_use]
    pub fn element(&self, ty: TypeId) -> Option<QualType> {
        match self.shape(ty) {
            Type::Array(element, _) => Some(*element),
            _ => None,
        }
    }

    /// The record that a type is.
    #[must_use]
    pub fn record(&self, ty: TypeId) -> Option<RecordId> {
        match self.shape(ty) {
            Type::Record(id) => Some(*id),
            _ => None,
        }
    }

    /// A member of a record; `None` if its members are not known, or are fewer.
    #[must_use]
    pub fn member_at(&self, record: RecordId, index: u32) -> Option<&Field> {
        self[record].fields.as_deref()?.get(index as usize)
    }

    /// The function that a type is, or points to.
    #[must_use]
    pub fn function(&self, ty: TypeId) -> Option<&FunctionType> {
        match self.shape(ty) {
            Type::Function(function) => Some(function),
            Type::Pointer(to) => match self.shape(to.ty) {
                Type::Function(function) => Some(function),
                _ => None,
            },
            _ => None,
        }
    }

    /// The least and the greatest number of an integer type.
    #[must_use]
    pub fn bounds(&self, ty: TypeId) -> Option<(i128, i128)> {
        if matches!(self.shape(ty), Type::Bool) {
            return Some((0, 1));
        }
        let kind = self.int_kind(ty)?;
        let bits = kind.size(self.model) * 8;
        Some(match (kind.signed(), bits) {
            (true, 128) => (i128::MIN, i128::MAX),
            // Numbers of more than 127 bits are not computed with.
            (false, 128) => (0, i128::MAX),
            (true, _) => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
            (false, _) => (0, (1 << bits) - 1),
        })
    }

    /// The value that a number becomes in an integer type.
    #[must_use]
    pub fn wrap(&self, ty: TypeId, value: i128) -> i128 {
        if matches!(self.shape(ty), Type::Bool) {
            return i128::from(value != 0);
        }
        let Some(kind) = self.int_kind(ty) else {
            return value;
        };
        let bits = kind.size(self.model) * 8;
        if bits >= 128 {
            return value;
        }
        let low = value & ((1 << bits) - 1);
        if kind.signed() && low >> (bits - 1) != 0 {
            low - (1 << bits)
        } else {
            low
        }
    }

    /// Size and alignment; none for an incomplete type, a function, or an array of variable length.
    #[must_use]
    pub fn layout(&self, ty: TypeId) -> Option<Layout> {
        if let Type::Aligned(align, of) = self[ty] {
            let size = self.layout(of)?.size;
            return Some(Layout { size, align });
        }
        let same = |size| Layout { size, align: size };
        Some(match self.shape(ty) {
            Type::Void | Type::Function(_) => return None,
            Type::Error | Type::Bool => same(1),
            Type::Int(kind) => self.scalar_layout(kind.size(self.model)),
            Type::Enum(id) => {
                let entry = &self[*id];
                if entry.members.is_none() && entry.fixed.is_none() {
                    return None;
                }
                self.scalar_layout(entry.kind.size(self.model))
            }
            Type::Float(kind) => self.float_layout(*kind),
            Type::Pointer(_) => same(self.pointer_size()),
            Type::VaList => match self.model {
                DataModel::Lp64 => Layout { size: 24, align: 8 },
                DataModel::Ilp32 => same(4),
            },
            Type::Array(element, Length::Known(count)) => {
                let element = self.layout(element.ty)?;
                Layout {
                    size: element.size.checked_mul(*count)?,
                    align: element.align,
                }
            }
            Type::Array(..) => return None,
            Type::Record(id) => {
                let record = &self[*id];
                record.fields.as_ref()?;
                Layout {
                    size: record.size,
                    align: record.align,
                }
            }
            Type::Library(..) | Type::Aligned(..) => return None,
        })
    }

    /// 32-bit machines align 8-byte numbers in structs to 4.
    fn scalar_layout(&self, size: u64) -> Layout {
        let align = match self.model {
            DataModel::Lp64 => size,
            DataModel::Ilp32 => size.min(4),
        };
        Layout { size, align }
    }

    fn float_layout(&self, kind: FloatKind) -> Layout {
        match (kind, self.model) {
            (FloatKind::Float, _) => self.scalar_layout(4),
            (FloatKind::Double, _) => self.scalar_layout(8),
            (FloatKind::LongDouble, DataModel::Ilp32) => Layout { size: 12, align: 4 },
            _ => Layout {
                size: 16,
                align: 16,
            },
        }
    }

    /// Whether objects of the type can be made: its size is known or will be at run time.
    #[must_use]
    pub fn is_complete(&self, ty: TypeId) -> bool {
        match self.shape(ty) {
            Type::Array(element, Length::Variable(_) | Length::Any) => self.is_complete(element.ty),
            Type::Array(element, Length::Known(_)) => self.is_complete(element.ty),
            Type::Error => true,
            _ => self.layout(ty).is_some(),
        }
    }

    /// Whether the size of an array depends on a value at run time.
    #[must_use]
    pub fn is_variable(&self, ty: TypeId) -> bool {
        match self.shape(ty) {
            Type::Array(_, Length::Variable(_) | Length::Any) => true,
            Type::Array(element, _) => self.is_variable(element.ty),
            _ => false,
        }
    }

    /// A member of a record by its name: the way to it through unnamed records within, and its type with the
    /// qualifiers met on the way.
    #[must_use]
    pub fn member(&self, record: RecordId, name: Symbol) -> Option<(Vec<u32>, QualType)> {
        let fields = self[record].fields.as_ref()?;
        for (i, field) in fields.iter().enumerate() {
            let index = u32::try_from(i).ok()?;
            match field.name {
                Some(own) if own.symbol == name => return Some((vec![index], field.ty)),
                Some(_) => {}
                None => {
                    if let Some(inner) = self.record(field.ty.ty)
                        && let Some((mut path, ty)) = self.member(inner, name)
                    {
                        path.insert(0, index);
                        return Some((path, ty.with(field.ty.quals)));
                    }
                }
            }
        }
        None
    }
}
