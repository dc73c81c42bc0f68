//! Which variables live only as long as a block within their function.

use std::collections::BTreeMap;

use c::typed::VarId;

/// A block, by its number.
type Block = usize;

/// The blocks of the functions, as they are walked through.
#[derive(Debug, Default)]
pub struct Blocks {
    /// For each block the one around it; none for that of a function.
    outer: Vec<Option<Block>>,
    /// Where variables are declared.
    home: BTreeMap<VarId, Block>,
    here: Option<Block>,
}

impl Blocks {
    /// Enters a block; gives the block around it.
    pub fn enter(&mut self) -> Option<Block> {
        let outer = self.here;
        self.outer.push(outer);
        self.here = Some(self.outer.len() - 1);
        outer
    }

    /// A block ends; the one around it goes on.
    pub fn leave(&mut self, outer: Option<Block>) {
        self.here = outer;
    }

    /// A variable is declared here.
    pub fn declare(&mut self, variable: VarId) {
        self.home.extend(self.here.map(|here| (variable, here)));
    }

    /// Whether the block of a variable ends before its function.
    pub fn ends_early(&self, variable: VarId) -> bool {
        let home = self.home.get(&variable);
        home.is_some_and(|&home| self.outer[home].is_some())
    }

    /// Whether `holder` may still be there when the block of `variable` has ended.
    pub fn outlasts(&self, holder: VarId, variable: VarId) -> bool {
        let Some(&home) = self.home.get(&variable) else {
            return false;
        };
        let mut around = self.home.get(&holder).copied();
        while let Some(block) = around {
            if block == home {
                return false;
            }
            around = self.outer[block];
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_outlasts_those_of_blocks_within_its_own() {
        let mut blocks = Blocks::default();
        let (top, inner, beside) = (VarId(0), VarId(1), VarId(2));
        let none = blocks.enter();
        blocks.declare(top);
        let function = blocks.enter();
        blocks.declare(inner);
        blocks.leave(function);
        let function = blocks.enter();
        blocks.declare(beside);
        blocks.leave(function);
        blocks.leave(none);
        assert!(!blocks.ends_early(top) && blocks.ends_early(inner));
        assert!(blocks.outlasts(top, inner) && blocks.outlasts(beside, inner));
        assert!(!blocks.outlasts(inner, top) && !blocks.outlasts(inner, inner));
    }
}
