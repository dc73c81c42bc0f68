//! Initialisers: braces and designators resolved to parts of objects.

use rustc_hash::FxHashMap;

use super::Sema;
use crate::typed::{ExprId, ExprKind, Init, InitId, Part, TextId};
use crate::types::{Length, Type, TypeId, Types};
use crate::{
    tree,
    tree::{Designator, InitItem, InitKind},
};
use base::source::Span;

/// Where in a list the reader stands.
struct Cursor<'a> {
    items: &'a [InitItem],
    next: usize,
    /// The value of the next item, once it has been looked at.
    seen: Option<ExprId>,
}

/// The parts of an object found so far.
struct Parts {
    ty: TypeId,
    found: Vec<Part>,
    /// By place: the index in `found` of the part that begins there. Made when a designator first goes into a part.
    by_place: Option<FxHashMap<u64, usize>>,
    /// One past the last element.
    end: u64,
}

impl Sema<'_> {
    /// An initialiser of an object of a type; gives that type, with its length if it had none.
    pub(super) fn initializer(&mut self, ty: TypeId, init: tree::InitId) -> (InitId, TypeId) {
        let tree = self.tree;
        let tree::Init { kind, span } = tree[init];
        match kind {
            InitKind::Value(e) => {
                let value = self.expr(e);
                self.single(ty, value, span)
            }
            InitKind::List(items) => self.list(ty, &tree[items], span),
        }
    }

    /// An initialiser without braces.
    fn single(&mut self, ty: TypeId, value: ExprId, span: Span) -> (InitId, TypeId) {
        if let Some(text) = self.text_for(ty, value) {
            return self.text_init(ty, text);
        }
        if let Type::Array(..) = self.unit.types.shape(ty) {
            // GNU C: a literal of the same type.
            if let ExprKind::Literal(var) = self.unit[value].kind
                && let Some(init) = self.unit[var].init
                && self.same(self.ty(value), ty)
            {
                return (init, self.ty(value));
            }
            self.error(
                "initialiser",
                span,
                "an array is initialised by a list in braces",
            );
            return (self.unit.add_init(Init::Parts(Vec::new())), Types::ERROR);
        }
        let value = self.rvalue(value);
        let value = self.assigned(value, ty);
        (self.unit.add_init(Init::Value(value)), ty)
    }

    /// The string that initialises an array of characters, if it is one.
    fn text_for(&self, ty: TypeId, value: ExprId) -> Option<TextId> {
        let ExprKind::Text(text) = self.unit[value].kind else {
            return None;
        };
        let element = self.unit.types.element(ty)?;
        let types = &self.unit.types;
        let wide = types.layout(self.unit[text].element)?.size;
        let fits = types.layout(element.ty)?.size == wide && types.is_integer(element.ty);
        fits.then_some(text)
    }

    /// A string that is longer than its array is cut, as compilers do.
    fn text_init(&mut self, ty: TypeId, text: TextId) -> (InitId, TypeId) {
        let length = self.unit[text].values.len() as u64;
        let complete = self.completed(ty, length + 1);
        (self.unit.add_init(Init::Text(text)), complete)
    }

    /// An array type with its length, if it had none.
    fn completed(&mut self, ty: TypeId, length: u64) -> TypeId {
        match *self.unit.types.shape(ty) {
            Type::Array(element, Length::Unknown) => self
                .unit
                .types
                .intern(Type::Array(element, Length::Known(length))),
            _ => ty,
        }
    }

    /// `{ … }`
    fn list(&mut self, ty: TypeId, items: &[InitItem], span: Span) -> (InitId, TypeId) {
        if ty == Types::ERROR {
            return (self.unit.add_init(Init::Parts(Vec::new())), ty);
        }
        let aggregate = matches!(self.unit.types.shape(ty), Type::Array(..) | Type::Record(_));
        if !aggregate {
            return self.scalar_list(ty, items, span);
        }
        let mut cursor = Cursor {
            items,
            next: 0,
            seen: None,
        };
        // `{ "text" }` for an array of characters
        if let [only] = items
            && only.designators.is_empty()
            && let Some(value) = self.peek(&mut cursor)
            && let Some(text) = self.text_for(ty, value)
        {
            return self.text_init(ty, text);
        }
        let mut parts = Parts::new(ty);
        self.fill(&mut parts, &mut cursor, 0, true);
        let complete = self.completed(ty, parts.end);
        (self.unit.add_init(Init::Parts(parts.found)), complete)
    }

    /// `{ e }` for a number: the first value counts.
    fn scalar_list(&mut self, ty: TypeId, items: &[InitItem], span: Span) -> (InitId, TypeId) {
        let Some(first) = items.first() else {
            let zero = self.number(0, Types::INT, span);
            let zero = self.assigned(zero, ty);
            return (self.unit.add_init(Init::Value(zero)), ty);
        };
        if !first.designators.is_empty() {
            self.error("initialiser", span, "a number has no parts");
        }
        self.initializer(ty, first.init)
    }

    /// The value of the next item, if it is one without braces; evaluated once.
    fn peek(&mut self, cursor: &mut Cursor<'_>) -> Option<ExprId> {
        if cursor.seen.is_none()
            && let InitKind::Value(e) = self.tree[cursor.items.get(cursor.next)?.init].kind
        {
            cursor.seen = Some(self.expr(e));
        }
        cursor.seen
    }

    /// Reads items into the parts of an object, from an index on. If the object has no braces of its own (`braced`), it ends
    /// with its last part, or at a designator.
    fn fill(&mut self, parts: &mut Parts, cursor: &mut Cursor<'_>, from: u64, braced: bool) {
        let mut index = from;
        let mut first = !braced;
        while let Some(item) = cursor.items.get(cursor.next) {
            let designated = !item.designators.is_empty() && !first;
            if designated && !braced {
                return;
            }
            if designated {
                let tree = self.tree;
                index = self.designated(parts, &tree[item.designators], cursor);
                continue;
            }
            first = false;
            let Some(part) = self.part_type(parts.ty, index) else {
                if !braced {
                    return;
                }
                // These items are too many: compilers warn, and leave them out.
                self.peek(cursor);
                cursor.advance();
                continue;
            };
            let init = self.part(part, cursor);
            parts.add(index, 1, init);
            index += 1;
        }
    }

    /// The type of a part of an array or record, if it has so many.
    fn part_type(&self, ty: TypeId, index: u64) -> Option<TypeId> {
        match *self.unit.types.shape(ty) {
            Type::Array(element, Length::Known(n)) => (index < n).then_some(element.ty),
            Type::Array(element, _) => Some(element.ty),
            Type::Record(id) => {
                let record = &self.unit.types[id];
                if record.is_union && index > 0 {
                    return None;
                }
                let fields = record.fields.as_ref()?;
                fields.get(usize::try_from(index).ok()?).map(|f| f.ty.ty)
            }
            _ => None,
        }
    }

    /// Reads the next items as one part of the given type.
    fn part(&mut self, ty: TypeId, cursor: &mut Cursor<'_>) -> InitId {
        let item = cursor.items[cursor.next];
        let span = self.tree[item.init].span;
        if self.is_open_array(ty) {
            let message = "an initialiser for an array without length at the end of a structure is not supported";
            self.error("unsupported", span, message);
        }
        let Some(value) = self.peek(cursor) else {
            cursor.advance();
            return self.initializer(ty, item.init).0;
        };
        let whole = match *self.unit.types.shape(ty) {
            Type::Array(..) => self.text_for(ty, value).is_some(),
            Type::Record(_) => self.same(self.ty(value), ty),
            _ => true,
        };
        if whole {
            cursor.advance();
            return self.single(ty, value, span).0;
        }
        let mut parts = Parts::new(ty);
        let before = cursor.next;
        self.fill(&mut parts, cursor, 0, false);
        if cursor.next == before {
            // An empty struct takes nothing.
            if self.part_type(ty, 0).is_some() {
                cursor.advance();
            }
        }
        self.unit.add_init(Init::Parts(parts.found))
    }

    /// `.a[1] = …`: reads the item, and those after it that go on inside; gives the index after the part.
    fn designated(
        &mut self,
        parts: &mut Parts,
        steps: &[Designator],
        cursor: &mut Cursor<'_>,
    ) -> u64 {
        let Some((step, rest)) = steps.split_first() else {
            return 0;
        };
        let Some((path, count)) = self.designator(parts.ty, *step) else {
            self.peek(cursor);
            cursor.advance();
            return parts.end;
        };
        let index = path[0];
        self.read_part(parts, &path, count, rest, cursor);
        index + count
    }

    /// Reads an item into the part at the end of a path, then through more designators.
    fn read_part(
        &mut self,
        parts: &mut Parts,
        path: &[u64],
        count: u64,
        rest: &[Designator],
        cursor: &mut Cursor<'_>,
    ) {
        let (index, inner) = (path[0], &path[1..]);
        let Some(ty) = self.part_type_any(parts.ty, index) else {
            cursor.advance();
            return;
        };
        if inner.is_empty() && rest.is_empty() {
            let init = self.part(ty, cursor);
            parts.add(index, count, init);
            return;
        }
        let mut below = Parts::new(ty);
        let known = parts.part_at(index, count);
        if let Some(init) = known
            && let Init::Parts(found) = &mut self.unit[init]
        {
            below.found = std::mem::take(found);
        }
        let next = if inner.is_empty() {
            self.designated(&mut below, rest, cursor)
        } else {
            self.read_part(&mut below, inner, 1, rest, cursor);
            inner[0] + 1
        };
        // The next items go on after the part that was named.
        self.go_on(&mut below, cursor, next);
        match known {
            Some(init) if matches!(self.unit[init], Init::Parts(_)) => {
                self.unit[init] = Init::Parts(below.found);
            }
            _ => {
                let init = self.unit.add_init(Init::Parts(below.found));
                parts.add(index, count, init);
            }
        }
    }

    /// Reads the items without designators that follow an item with several steps.
    fn go_on(&mut self, parts: &mut Parts, cursor: &mut Cursor<'_>, from: u64) {
        let follows = cursor
            .items
            .get(cursor.next)
            .is_some_and(|item| item.designators.is_empty());
        if follows && self.part_type(parts.ty, from).is_some() {
            self.fill(parts, cursor, from, false);
        }
    }

    /// The type of a part. In contrast to [`Self::part_type`], it may be any member of a union.
    fn part_type_any(&self, ty: TypeId, index: u64) -> Option<TypeId> {
        if let Some(id) = self.unit.types.record(ty) {
            let fields = self.unit.types[id].fields.as_ref()?;
            return fields.get(usize::try_from(index).ok()?).map(|f| f.ty.ty);
        }
        self.part_type(ty, index)
    }

    /// The way to the part that a designator names (through unnamed records), and how many neighbours it names.
    fn designator(&mut self, ty: TypeId, step: Designator) -> Option<(Vec<u64>, u64)> {
        match step {
            Designator::Field(name) => {
                let record = self.unit.types.record(ty);
                let found = record.and_then(|r| self.unit.types.member(r, name.symbol));
                let Some((path, _)) = found else {
                    let message = format!(
                        "{} has no member {}",
                        self.show(ty),
                        self.quoted(name.symbol)
                    );
                    self.error("unknown-member", name.span, message);
                    return None;
                };
                Some((path.into_iter().map(u64::from).collect(), 1))
            }
            Designator::Index(e) => Some((vec![self.element_index(ty, e)?], 1)),
            Designator::Range(first, last) => {
                let first = self.element_index(ty, first)?;
                let last = self.element_index(ty, last)?;
                Some((vec![first], (last + 1).saturating_sub(first).max(1)))
            }
        }
    }

    fn element_index(&mut self, ty: TypeId, e: tree::ExprId) -> Option<u64> {
        let value = self.value(e);
        let span = self.span(value);
        let is_array = matches!(self.unit.types.shape(ty), Type::Array(..));
        let index = self
            .unit
            .constant(value)
            .and_then(|v| u64::try_from(v).ok());
        let small = index.filter(|&i| i < crate::types::MAX_SIZE);
        let inside = small.filter(|&i| self.part_type(ty, i).is_some());
        if !is_array || inside.is_none() {
            self.error("initialiser", span, "the array has no such element");
            return None;
        }
        inside
    }
}

impl Cursor<'_> {
    fn advance(&mut self) {
        self.next += 1;
        self.seen = None;
    }
}

impl Parts {
    fn new(ty: TypeId) -> Self {
        Self {
            ty,
            found: Vec::new(),
            by_place: None,
            end: 0,
        }
    }

    fn add(&mut self, at: u64, count: u64, init: InitId) {
        if let Some(map) = &mut self.by_place {
            map.insert(at, self.found.len());
        }
        self.found.push(Part { at, count, init });
        self.end = self.end.max(at + count);
    }

    /// The part that earlier items gave to these places, if there is one.
    fn part_at(&mut self, at: u64, count: u64) -> Option<InitId> {
        let found = &self.found;
        let map = self.by_place.get_or_insert_with(|| {
            let places = found.iter().enumerate();
            places.map(|(i, part)| (part.at, i)).collect()
        });
        let part = self.found[*map.get(&at)?];
        (part.count == count).then_some(part.init)
    }
}
