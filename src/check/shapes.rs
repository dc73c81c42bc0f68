//! How large and how deep types are, and which hold tasks.

use base::diagnostic::Diagnostic;
use base::source::Span;
use ir::{Type, TypeId};

use super::Checker;
use super::types::ELEMENTS;

/// How deep types may nest: engines walk over types and values recursively.
const NESTING: u32 = 64;

/// How large and how deep each type is, by id.
#[derive(Debug, Default)]
pub(super) struct Shapes {
    cells: Vec<u64>,
    depths: Vec<u32>,
    tasks: Vec<bool>,
}

impl Checker<'_> {
    /// Interns a type; remembers its shape.
    pub(super) fn intern(&mut self, ty: Type) -> TypeId {
        let id = self.build.program.types.intern(ty);
        self.shape(id);
        id
    }

    /// Interns a type unless it is too large or too deep.
    pub(super) fn bounded(&mut self, ty: Type, span: Span) -> Option<TypeId> {
        let id = self.intern(ty);
        let (cells, depth) = (
            self.shapes.cells[id.0 as usize],
            self.shapes.depths[id.0 as usize],
        );
        let problem = if cells > ELEMENTS {
            format!("a value of this type has more than {ELEMENTS} parts")
        } else if depth > NESTING {
            format!("types are nested deeper than {NESTING}")
        } else {
            return Some(id);
        };
        self.report(Diagnostic::error("type-size", span, problem).label("too large"));
        None
    }

    /// How many scalars a value of a type has.
    pub(super) fn cells(&mut self, id: TypeId) -> u64 {
        self.shape(id);
        self.shapes.cells[id.0 as usize]
    }

    /// Whether a value of a type holds a task's handle somewhere (keys of maps do not count).
    pub(super) fn has_tasks(&mut self, id: TypeId) -> bool {
        self.shape(id);
        self.shapes.tasks[id.0 as usize]
    }

    /// Computes the shapes of all types up to this one; parts come before wholes.
    fn shape(&mut self, id: TypeId) {
        let Shapes {
            cells,
            depths,
            tasks,
        } = &mut self.shapes;
        while cells.len() <= id.0 as usize {
            let of = |t: &TypeId| {
                (
                    cells[t.0 as usize],
                    depths[t.0 as usize],
                    tasks[t.0 as usize],
                )
            };
            let (count, depth, task) =
                match self.build.program.types.get(TypeId(cells.len() as u32)) {
                    Type::Array(len, t) => (
                        of(t).0.saturating_mul(u64::from(*len)),
                        of(t).1 + 1,
                        of(t).2,
                    ),
                    Type::Map(_, t) => (of(t).0, of(t).1 + 1, of(t).2),
                    Type::Record(r) => r.fields.iter().fold((0u64, 1, false), |all, (_, t)| {
                        (
                            all.0.saturating_add(of(t).0),
                            all.1.max(of(t).1 + 1),
                            all.2 | of(t).2,
                        )
                    }),
                    Type::Task => (1, 0, true),
                    _ => (1, 0, false),
                };
            cells.push(count);
            depths.push(depth);
            tasks.push(task);
        }
    }
}
