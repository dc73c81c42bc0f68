//! The parts of globals that segments access, numbered, and which of them overlap.

use rustc_hash::FxHashMap;

use base::source::Span;
use ir::Value;
use ir::{
    AwaitKind, Block, Dialect, ExprId, ExprKind, GlobalId, MemoryOrder, Program, StmtKind,
    WeakOrders, walk,
};
use semantics::{PathStep, Sync, Touch, What, name_of};

/// Something that a task does and that matters for races.
#[derive(Clone, Copy, Debug)]
pub enum Act {
    /// Accesses a part of a global.
    Access {
        cell: u32,
        write: bool,
        sync: Sync,
        span: Span,
    },
    /// Passes a fence.
    Fence(MemoryOrder),
    /// Posts the next task.
    Posts,
    /// Sees that a task has finished.
    Joins(u32),
}

impl Act {
    /// Whether the act belongs to an uninterrupted part of a step, or is a join. Then the task learns all that comes before.
    #[must_use]
    pub fn learns(&self) -> bool {
        match self {
            Self::Access { sync, .. } => *sync == Sync::Whole,
            Self::Joins(_) => true,
            Self::Fence(_) | Self::Posts => false,
        }
    }

    /// How an access orders tasks.
    #[must_use]
    pub fn sync(&self) -> Option<Sync> {
        match self {
            Self::Access { sync, .. } => Some(*sync),
            _ => None,
        }
    }
}

/// A part of a global, and the numbers of the parts with which it overlaps, itself included.
#[derive(Debug)]
struct Cell {
    global: GlobalId,
    path: Vec<PathStep>,
    related: Vec<u32>,
}

/// All parts seen so far.
#[derive(Debug)]
pub struct Cells {
    cells: Vec<Cell>,
    ids: FxHashMap<(GlobalId, Vec<PathStep>), u32>,
    /// By global: its parts.
    of_global: Vec<Vec<u32>>,
    /// By global: the parts for which some task waits, so that every access to one of them orders tasks. What lies beside
    /// them, like the data in a structure with a lock, orders nothing.
    awaited: Vec<Vec<Vec<PathStep>>>,
    /// Globals that say which objects were freed, apart from those in `freed`. The program itself does not access them.
    gone: Vec<GlobalId>,
    /// The globals of objects, each with the global that says which of them were freed. Empty unless a task may free an object
    /// without coming after the accesses of other tasks.
    freed: Vec<(GlobalId, GlobalId)>,
    /// Globals that count allocations and threads. Accesses to them order no tasks.
    books: Vec<GlobalId>,
    /// In C a thread begins when its handle has been stored: all of that step comes before what the thread does.
    posts_last: bool,
}

impl Cells {
    pub fn new(program: &Program) -> Self {
        let mut awaited = vec![Vec::new(); program.globals.len()];
        for proc in &program.procs {
            find_awaited(program, &proc.body, &mut awaited);
        }
        let c = program.types.dialect == Dialect::C;
        let scope = &program.scope;
        let books = scope.counters.iter().chain(&scope.numbers);
        let leaks = !scope.gone.is_empty() && !WeakOrders::of(program).leaks.is_empty();
        let freed = scope
            .freed
            .iter()
            .filter(|f| leaks && scope.gone.contains(&f.1));
        let freed: Vec<_> = freed.copied().collect();
        let mut gone = scope.gone.clone();
        gone.retain(|global| freed.iter().all(|f| f.1 != *global));
        Self {
            books: books.copied().collect(),
            cells: Vec::new(),
            ids: FxHashMap::default(),
            of_global: vec![Vec::new(); program.globals.len()],
            awaited,
            gone,
            freed,
            posts_last: c,
        }
    }

    /// How many parts there are.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// The parts that overlap with one.
    pub fn related(&self, cell: u32) -> &[u32] {
        &self.cells[cell as usize].related
    }

    /// The acts of a segment that may race or that order tasks.
    pub fn acts(&mut self, touches: &[Touch]) -> Box<[Act]> {
        let counts = |touch: &&Touch| match &touch.what {
            What::Access { global, .. } => !self.books.contains(global),
            _ => true,
        };
        let touches: Vec<&Touch> = touches.iter().filter(counts).collect();
        let mut acts: Vec<Act> = touches.into_iter().filter_map(|t| self.act(t)).collect();
        if self.posts_last {
            acts.sort_by_key(|act| matches!(act, Act::Posts));
        }
        // An operation accesses its object before others may learn of the operation.
        for own in acts.chunk_by_mut(|a, b| a.sync() == b.sync()) {
            if matches!(own[0].sync(), Some(Sync::Named(..))) {
                own.sort_by_key(
                    |act| !matches!(act, Act::Access { cell, .. } if self.frees(*cell).is_some()),
                );
            }
        }
        acts.into()
    }

    /// The objects, if a part says whether one of them was freed. Accesses to it stand for those of the object's memory.
    pub fn frees(&self, cell: u32) -> Option<GlobalId> {
        let flags = self.cells[cell as usize].global;
        let own = self.freed.iter().find(|f| f.1 == flags);
        own.map(|&(objects, _)| objects)
    }

    /// The act of a touch, if other tasks can touch the same.
    pub fn act(&mut self, touch: &Touch) -> Option<Act> {
        Some(match &touch.what {
            What::Access {
                global,
                sync: Sync::Plain,
                ..
            } if self.gone.contains(global) => return None,
            What::Access {
                global,
                path,
                write,
                sync,
            } => Act::Access {
                cell: self.cell(*global, path),
                write: *write,
                sync: match sync {
                    Sync::Plain if self.is_awaited(*global, path) => Sync::Whole,
                    sync => *sync,
                },
                span: touch.span,
            },
            What::Fence(order) => Act::Fence(*order),
            What::Posts(_) => Act::Posts,
            What::Joins(task) => Act::Joins(*task),
            What::Operates(..) => return None,
        })
    }

    /// Whether some task waits for a part.
    pub fn is_awaited(&self, global: GlobalId, path: &[PathStep]) -> bool {
        let parts = &self.awaited[global.index()];
        parts.iter().any(|part| overlap(part, path))
    }

    fn cell(&mut self, global: GlobalId, path: &[PathStep]) -> u32 {
        let key = (global, path.to_vec());
        if let Some(&id) = self.ids.get(&key) {
            return id;
        }
        let id = u32::try_from(self.cells.len()).expect("fewer parts than 2^32");
        let mut related = vec![id];
        for &other in &self.of_global[global.index()] {
            if overlap(&self.cells[other as usize].path, path) {
                related.push(other);
                self.cells[other as usize].related.push(id);
            }
        }
        self.of_global[global.index()].push(id);
        self.cells.push(Cell {
            global,
            path: path.to_vec(),
            related,
        });
        self.ids.insert(key, id);
        id
    }

    /// A part as the language writes it.
    pub fn name(&self, program: &Program, cell: u32) -> String {
        let Cell { global, path, .. } = &self.cells[cell as usize];
        let global = self.frees(cell).unwrap_or(*global);
        let global = &program.globals[global.index()];
        name_of(&program.types, &global.name, global.ty, path)
    }
}

/// Whether one part contains the other. An index that was never chosen may be any.
fn overlap(a: &[PathStep], b: &[PathStep]) -> bool {
    let any = |step: &PathStep| *step == PathStep::Key(Value::Any);
    a.iter().zip(b).all(|(a, b)| a == b || any(a) || any(b))
}

/// The parts of globals on which an await depends.
fn find_awaited(program: &Program, block: &Block, awaited: &mut [Vec<Vec<PathStep>>]) {
    walk::each(block, &mut |stmt| {
        // A `join` waits for the task, not for the variable that holds its handle.
        if let StmtKind::Await(at) = &stmt.kind
            && at.kind != AwaitKind::Join
        {
            parts_read(program, at.cond, awaited);
        }
    });
}

/// The parts of globals that an expression reads; of an array any element.
fn parts_read(program: &Program, e: ExprId, out: &mut [Vec<Vec<PathStep>>]) {
    let mut path = Vec::new();
    let mut at = e;
    loop {
        match &program.expr(at).kind {
            ExprKind::Field(whole, field) => {
                path.push(PathStep::Field(*field));
                at = *whole;
            }
            ExprKind::Index(whole, index) => {
                path.push(PathStep::Key(Value::Any));
                parts_read(program, *index, out);
                at = *whole;
            }
            ExprKind::Global(global) => {
                path.reverse();
                let parts = &mut out[global.index()];
                if !parts.contains(&path) {
                    parts.push(path);
                }
                return;
            }
            _ => break,
        }
    }
    for part in walk::operands(program.expr(at)) {
        parts_read(program, part, out);
    }
}
