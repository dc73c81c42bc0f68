//! Going back: if an item turns out to be broken, everything that was built after the last complete item is forgotten.

use super::{Builder, Stacks};

/// The sizes of all arenas and lists right after the last complete item.
#[derive(Debug, Default)]
pub(super) struct Checkpoint {
    end: u32,
    exprs: usize,
    stmts: usize,
    types: usize,
    expr_pool: usize,
    stmt_pool: usize,
    name_pool: usize,
    field_pool: usize,
    init_pool: usize,
    ints: usize,
    strings: usize,
    diagnostics: usize,
    dropped: usize,
    too_deep: bool,
}

impl Checkpoint {
    /// The checkpoint before the first item of a text that begins at an offset.
    pub(super) fn at(end: u32) -> Self {
        Self {
            end,
            ..Self::default()
        }
    }
}

impl Builder<'_> {
    /// Notes that everything up to here belongs to complete items, whose text ends at `end`.
    pub(super) fn commit(&mut self, end: u32) {
        let ast = &self.ast;
        self.complete = Checkpoint {
            end,
            exprs: ast.exprs.len(),
            stmts: ast.stmts.len(),
            types: ast.types.len(),
            expr_pool: ast.expr_pool.len(),
            stmt_pool: ast.stmt_pool.len(),
            name_pool: ast.name_pool.len(),
            field_pool: ast.field_pool.len(),
            init_pool: ast.init_pool.len(),
            ints: ast.ints.len(),
            strings: ast.strings.len(),
            diagnostics: self.diagnostics.len(),
            dropped: self.dropped,
            too_deep: self.too_deep,
        };
    }

    /// Forgets everything behind the last complete item; returns where that item ends.
    pub fn roll_back(&mut self) -> u32 {
        let Self { ast, complete, .. } = self;
        ast.exprs.truncate(complete.exprs);
        self.expr_depth.truncate(complete.exprs);
        ast.stmts.truncate(complete.stmts);
        self.stmt_depth.truncate(complete.stmts);
        ast.types.truncate(complete.types);
        self.type_depth.truncate(complete.types);
        ast.expr_pool.truncate(complete.expr_pool);
        ast.stmt_pool.truncate(complete.stmt_pool);
        ast.name_pool.truncate(complete.name_pool);
        ast.field_pool.truncate(complete.field_pool);
        ast.init_pool.truncate(complete.init_pool);
        ast.ints.truncate(complete.ints);
        ast.strings.truncate(complete.strings);
        self.diagnostics.truncate(complete.diagnostics);
        self.dropped = complete.dropped;
        self.too_deep = complete.too_deep;
        self.stacks = Stacks::default();
        complete.end
    }
}
