//! The control flow of one version of a procedure, as far as segments are concerned.
//!
//! Statements are numbered in the order of [`super::walk`]; each has a node at
//! which it begins, and a loop a second one at its test.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use ir::{Block, Loop, LoopId, Program, Stmt, StmtKind};

use super::effects::{Effects, Touch};
use super::versions::{Role, Version, Versions};
use super::walk;

/// What happens at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Nothing that matters to segments.
    Plain,
    /// From here on the end of the segment must stand in `Gbar` (see [`super::dfs`]).
    Announce,
    /// A task is posted; announces as well.
    Post,
    Yield,
    /// The segment ends unless it has done nothing visible yet.
    Implicit,
    /// The segment ends, and the next begins with something visible.
    Await,
    /// A check: the segment ends if it fails.
    Check,
    /// A version of a procedure runs.
    Call(usize),
}

#[derive(Clone, Debug)]
pub struct Node {
    pub kind: Kind,
    /// Whether a global is read or written.
    pub touch: Touch,
    /// The field that may be written.
    pub write: Option<u32>,
    /// What may come next.
    pub next: SmallVec<[u32; 2]>,
}

/// Where a statement stands in the graph.
#[derive(Clone, Copy, Debug)]
pub struct At {
    /// Its first node.
    pub start: u32,
    /// The test of a loop; for other statements the first node too.
    pub test: u32,
}

/// The graph of one version.
pub struct Graph {
    /// The nodes; the first is the entry.
    pub nodes: Vec<Node>,
    /// Where each statement stands, in the order of [`super::walk`].
    pub at: Vec<At>,
    /// Where the procedure returns.
    pub exit: u32,
}

/// What a version may do, itself or in its calls.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Does {
    pub posts: bool,
    pub ends: bool,
}

/// What each version may do.
pub fn what_versions_do(program: &Program, versions: &Versions) -> Vec<Does> {
    let mut does = vec![Does::default(); versions.list.len()];
    loop {
        let before = does.clone();
        for (i, &version) in versions.list.iter().enumerate() {
            let body = &program.proc(version.proc).body;
            let skip = usize::from(version.role == Role::Waiting);
            let mut all = Does::default();
            for (j, stmt) in body.iter().enumerate() {
                let own = does_inside(std::slice::from_ref(stmt), version, versions, &does);
                all.posts |= own.posts;
                all.ends |= own.ends && j >= skip;
            }
            does[i] = all;
        }
        if does == before {
            return does;
        }
    }
}

fn does_inside(block: &[Stmt], version: Version, versions: &Versions, does: &[Does]) -> Does {
    let mut all = Does::default();
    for stmt in block {
        match &stmt.kind {
            StmtKind::Post(..) => all.posts = true,
            StmtKind::Preempt(_) | StmtKind::Await(_) => all.ends = true,
            StmtKind::Call(_, proc, _) => {
                let callee = does[versions.called(version, *proc)];
                all = Does {
                    posts: all.posts || callee.posts,
                    ends: all.ends || callee.ends,
                };
            }
            _ => {}
        }
        for inner in walk::children(stmt) {
            let inside = does_inside(inner, version, versions, does);
            all = Does {
                posts: all.posts || inside.posts,
                ends: all.ends || inside.ends,
            };
        }
    }
    all
}

/// Builds the graph of a version.
pub fn build(
    program: &Program,
    effects: &Effects,
    versions: &Versions,
    does: &[Does],
    version: Version,
    failed: Option<u32>,
) -> Graph {
    let mut builder = Builder {
        effects,
        failed,
        versions,
        does,
        version,
        nodes: Vec::new(),
        at: Vec::new(),
        open: Vec::new(),
        returns: Vec::new(),
        breaks: FxHashMap::default(),
        continues: FxHashMap::default(),
        waiting: version.role == Role::Waiting,
    };
    builder.node(Kind::Plain);
    builder.block(&program.proc(version.proc).body);
    let returns = std::mem::take(&mut builder.returns);
    builder.open.extend(returns);
    let exit = builder.node(Kind::Plain);
    Graph {
        nodes: builder.nodes,
        at: builder.at,
        exit,
    }
}

struct Builder<'a> {
    effects: &'a Effects,
    /// The field that a failing check writes.
    failed: Option<u32>,
    versions: &'a Versions,
    does: &'a [Does],
    version: Version,
    nodes: Vec<Node>,
    at: Vec<At>,
    /// The nodes after which the next node comes.
    open: Vec<u32>,
    returns: Vec<u32>,
    breaks: FxHashMap<LoopId, Vec<u32>>,
    continues: FxHashMap<LoopId, Vec<u32>>,
    /// Whether the next await is the one at which the task waits from the start.
    waiting: bool,
}

impl Builder<'_> {
    fn node(&mut self, kind: Kind) -> u32 {
        let id = u32::try_from(self.nodes.len()).expect("fewer statements than 2^32");
        self.nodes.push(Node {
            kind,
            touch: Touch::No,
            write: None,
            next: SmallVec::new(),
        });
        self.join(id);
        self.open.push(id);
        id
    }

    /// Lets all open nodes go on at a node.
    fn join(&mut self, id: u32) {
        for from in std::mem::take(&mut self.open) {
            self.nodes[from as usize].next.push(id);
        }
    }

    fn block(&mut self, block: &Block) {
        for stmt in block {
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        let kind = self.kind(stmt);
        let start = self.node(kind);
        let node = &mut self.nodes[start as usize];
        node.touch = self.effects.touches(stmt);
        node.write = match kind {
            Kind::Check => self.failed,
            _ => self.effects.written(stmt),
        };
        let number = self.at.len();
        self.at.push(At { start, test: start });
        match &stmt.kind {
            StmtKind::If(_, then, otherwise) => {
                self.block(then);
                let joined = std::mem::replace(&mut self.open, vec![start]);
                self.block(otherwise);
                self.open.extend(joined);
            }
            StmtKind::Loop(l) => self.at[number].test = self.enclosed(l),
            StmtKind::Break(id) => self.breaks.entry(*id).or_default().append(&mut self.open),
            StmtKind::Continue(id) => self
                .continues
                .entry(*id)
                .or_default()
                .append(&mut self.open),
            StmtKind::Return(_) => self.returns.append(&mut self.open),
            StmtKind::Call(_, proc, _) => {
                self.node(Kind::Call(self.versions.called(self.version, *proc)));
            }
            _ => walk::children(stmt).for_each(|inner| self.block(inner)),
        }
    }

    fn kind(&mut self, stmt: &Stmt) -> Kind {
        match &stmt.kind {
            StmtKind::Post(..) => Kind::Post,
            StmtKind::Preempt(ir::PreemptKind::Implicit) => Kind::Implicit,
            StmtKind::Preempt(_) => Kind::Yield,
            StmtKind::Await(_) if std::mem::take(&mut self.waiting) => Kind::Plain,
            StmtKind::Await(_) => Kind::Await,
            StmtKind::Check(..) => Kind::Check,
            // A loop or a call that posts, and does so within this segment, is announced before it begins: then the announcement
            // has happened in every turn, and for every caller.
            StmtKind::Loop(_) | StmtKind::Call(..) if self.posts_in_this_segment(stmt) => {
                Kind::Announce
            }
            _ => Kind::Plain,
        }
    }

    fn posts_in_this_segment(&self, stmt: &Stmt) -> bool {
        let does = does_inside(
            std::slice::from_ref(stmt),
            self.version,
            self.versions,
            self.does,
        );
        does.posts && !does.ends
    }

    /// `loop { pre; if !cond { break }; body; 'continue: step }`; returns the node of the test.
    fn enclosed(&mut self, l: &Loop) -> u32 {
        let top = self.node(Kind::Plain);
        self.block(&l.pre);
        let test = self.node(Kind::Plain);
        self.nodes[test as usize].touch = self.effects.reads(l.cond);
        self.block(&l.body);
        self.open
            .extend(self.continues.remove(&l.id).unwrap_or_default());
        self.block(&l.step);
        self.join(top);
        self.open.push(test);
        self.open
            .extend(self.breaks.remove(&l.id).unwrap_or_default());
        test
    }
}
