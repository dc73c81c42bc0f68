//! Narrows open values to few numbers (`--nondet LO..HI`), for engines that try each number.
//!
//! The range is a bound like any other: the program says in its scope that values were left out, and every verdict repeats it.

use crate::{
    Block, ChoiceKind, ExprKind, Local, Place, Program, Stmt, StmtKind, Type, TypeId, walk,
};

/// Chooses each open machine integer from the range, if its type has more values.
pub fn narrow(program: &mut Program, range: (i64, i64)) {
    let mut narrowed = false;
    for index in 0..program.procs.len() {
        let mut body = std::mem::take(&mut program.procs[index].body);
        let mut pass = Pass {
            program,
            proc: index,
            range: (range.0.into(), range.1.into()),
            narrowed: false,
        };
        pass.block(&mut body);
        narrowed |= pass.narrowed;
        program.procs[index].body = body;
    }
    program.scope.nondet = narrowed.then_some(range);
}

struct Pass<'a> {
    program: &'a mut Program,
    proc: usize,
    range: (i128, i128),
    narrowed: bool,
}

impl Pass<'_> {
    fn block(&mut self, block: &mut Block) {
        let old = std::mem::take(block);
        for mut stmt in old {
            for inner in walk::children_mut(&mut stmt) {
                self.block(inner);
            }
            if let StmtKind::Havoc(place, kind) = &stmt.kind
                && let Some(range) = self.smaller(place.ty)
            {
                let chosen = self.chosen(place.clone(), range, *kind, &stmt);
                block.extend(chosen);
            } else {
                block.push(stmt);
            }
        }
    }

    /// The part of the range that lies in a type; `None` if that is the whole type.
    fn smaller(&self, ty: TypeId) -> Option<(i128, i128)> {
        let Type::Bits(_) = self.program.types.get(ty) else {
            return None;
        };
        let (least, most) = self.program.types.bounds(ty)?;
        let (low, high) = (self.range.0.max(least), self.range.1.min(most));
        if low > high {
            // No number of the range lies in the type: the program converts all of them to it.
            return Some(self.range);
        }
        ((low, high) != (least, most)).then_some((low, high))
    }

    fn chosen(
        &mut self,
        place: Place,
        range: (i128, i128),
        kind: ChoiceKind,
        stmt: &Stmt,
    ) -> [Stmt; 2] {
        self.narrowed = true;
        let ty = self.program.types.intern(Type::Range(range.0, range.1));
        let locals = &mut self.program.procs[self.proc].locals;
        let local = Local::hidden("chosen", ty).declared_in(locals);
        let value = self.program.add(ExprKind::Local(local), ty);
        let value = self.program.add(ExprKind::Convert(value), place.ty);
        let from = Place::local(local, ty);
        [StmtKind::Havoc(from, kind), StmtKind::Assign(place, value)].map(|kind| kind.at(stmt.span))
    }
}
