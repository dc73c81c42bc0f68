//! The data that all rules of the translation share.

use base::source::Span;
use ir::walk;
use ir::{
    Block, ExprId, ExprKind, Local, Place, Proc, ProcId, Program, Root, Step, Stmt, StmtKind,
    TypeId,
};
use thin_vec::{ThinVec, thin_vec};

use super::effects::Effects;
use super::map::{MarkKind, Reached};
use super::needs::Needs;
use super::versions::{Role, Version, Versions};
use super::vocabulary::{Translated, Vocabulary};
use ir::edit::Editor;

/// The original program, what is known about it, and the new one as far as it has come.
pub struct Context<'a> {
    pub program: &'a Program,
    pub effects: &'a Effects,
    pub versions: &'a Versions,
    pub needs: &'a Needs,
    pub delays: u32,
    /// How many rounds there are.
    pub rounds: u32,
    /// Depth-first, children in reverse order.
    pub reverse: bool,
    pub vars: Vocabulary,
    pub translated: Translated,
    pub procs: ProcTable,
    pub marks: Vec<MarkKind>,
    /// What each new procedure is for, in words.
    pub docs: Vec<String>,
    pub out: Editor,
}

/// The procedures of the sequential program, in the order in which they stand.
pub struct ProcTable {
    /// `main`, which prepares everything and calls the original one.
    pub main: ProcId,
    /// The start of a segment.
    pub dispatch: Option<ProcId>,
    /// Where tasks wait: `start` begins a segment in a known round, and `turn` looks for that round. Without delays, the round of
    /// a task that is not blocked is known: then `dispatch` is `start`.
    pub start: Option<ProcId>,
    pub turn: Option<ProcId>,
    /// rdfs: the end of a run, and a yield.
    pub retire: Option<ProcId>,
    pub resume: Option<ProcId>,
    /// For each original procedure: what `post p` has become.
    pub posts: Vec<Option<ProcId>>,
    pub versions: Vec<ProcId>,
    pub init: ProcId,
}

impl ProcTable {
    /// Gives every procedure its place.
    pub fn new(
        program: &Program,
        versions: &Versions,
        needs: &Needs,
        delays: u32,
        reverse: bool,
    ) -> Self {
        let mut next = 0;
        let mut id = || {
            next += 1;
            ProcId(next - 1)
        };
        let main = id();
        let posts_anything = !versions.posted.is_empty();
        let ends = needs.does.iter().any(|d| d.ends);
        // A segment that always starts from `Gbar`, without a choice, needs no procedure for that.
        let trivial = delays == 0 && !reverse && !needs.waits;
        let start = needs.waits.then(&mut id);
        let dispatch = match start {
            Some(start) if delays == 0 => Some(start),
            _ => ((posts_anything || ends) && !trivial).then(&mut id),
        };
        let turn = needs.waits.then(&mut id);
        let retire = reverse.then(&mut id);
        let resume = (reverse && ends && delays > 0).then(&mut id);
        let mut posts = vec![None; program.procs.len()];
        let mut bodies = Vec::new();
        for version in &versions.list {
            let post = &mut posts[version.proc.index()];
            if post.is_none() && versions.posted.binary_search(&version.proc).is_ok() {
                *post = Some(id());
            }
            bodies.push(id());
        }
        Self {
            main,
            dispatch,
            start,
            turn,
            retire,
            resume,
            posts,
            versions: bodies,
            init: id(),
        }
    }
}

impl Context<'_> {
    pub fn ty(&self, ty: TypeId) -> TypeId {
        self.translated.types[ty.0 as usize]
    }

    pub fn expr(&self, expr: ExprId) -> ExprId {
        self.translated.exprs[expr.index()]
    }

    pub fn exprs(&self, exprs: &[ExprId]) -> Vec<ExprId> {
        exprs.iter().map(|&e| self.expr(e)).collect()
    }

    /// Locals with their new types.
    pub fn locals(&self, proc: &Proc) -> Vec<Local> {
        proc.locals
            .iter()
            .map(|l| Local {
                ty: self.ty(l.ty),
                ..l.clone()
            })
            .collect()
    }

    pub fn place(&self, place: &Place) -> Place {
        let mut new = match place.root {
            Root::Global(global) => self.vars.places[global.index()].clone(),
            root @ Root::Local(_) => Place {
                root,
                path: ThinVec::new(),
                ty: place.ty,
            },
        };
        new.path.extend(place.path.iter().map(|step| match step {
            Step::Field(field) => Step::Field(*field),
            Step::Index(index) => Step::Index(self.expr(*index)),
        }));
        new.ty = self.ty(place.ty);
        new
    }

    /// Makes a mark: a statement that tells something to a reader of the execution.
    pub fn mark(&mut self, kind: MarkKind, values: Vec<ExprId>) -> Stmt {
        let shared = !matches!(kind, MarkKind::Reached { .. });
        let known = if shared {
            self.marks.iter().position(|m| *m == kind)
        } else {
            None
        };
        let id = known.unwrap_or(self.marks.len());
        if known.is_none() {
            self.marks.push(kind);
        }
        self.out.stmt(StmtKind::Mark(
            u32::try_from(id).expect("fewer marks than 2^32"),
            values.into(),
        ))
    }

    /// Makes a comment for readers of the program's text.
    pub fn note(&mut self, text: &'static str) -> Stmt {
        self.mark(MarkKind::Note(text), Vec::new())
    }

    /// Says that a statement of the original program was reached.
    pub fn reached(&mut self, what: Reached, span: Span) -> Stmt {
        self.mark(MarkKind::Reached { what, span }, Vec::new())
    }

    /// The marks of a dispatch: in which round it was, and whether it was skipped.
    pub fn dispatched(&mut self, kind: MarkKind) -> Stmt {
        debug_assert!(matches!(kind, MarkKind::Posted(_) | MarkKind::Resumed));
        let stops = self.stops();
        let stops = stops.unwrap_or_else(|| self.out.bool(false));
        let values = vec![self.vars.round(&mut self.out), stops];
        self.mark(kind, values)
    }

    /// The condition under which the running task stops: a check has failed, or no round is left. `None` if neither can happen.
    pub fn stops(&mut self) -> Option<ExprId> {
        let failed = self
            .vars
            .own
            .failed
            .map(|_| self.vars.failed(&mut self.out));
        let Some(k_round) = self.vars.k_round.filter(|_| self.vars.waiting.is_some()) else {
            return failed;
        };
        let late = self.out.is(k_round, i128::from(self.rounds));
        Some(failed.map_or(late, |failed| self.out.or(failed, late)))
    }

    /// An expression in terms of `g`, about the state `Gbar[round]`.
    pub fn in_round(&mut self, expr: ExprId, round: u32) -> ExprId {
        let (kind, ty) = (
            self.out.program.expr(expr).kind.clone(),
            self.out.program.ty(expr),
        );
        if let ExprKind::Global(global) = kind
            && Some(global) == self.vars.g
            && let Some(state) = self.vars.gbar_at(&mut self.out, round)
        {
            return self.out.read(&state, &[]);
        }
        let kind = walk::with_operands(&kind, |operand| self.in_round(operand, round));
        self.out.program.add(kind, ty)
    }

    /// `done[self] := true`, if the program can ask whether this task has finished.
    pub fn finish(&mut self, proc: ProcId) -> Block {
        let (Some(done), Some(own)) = (self.vars.own.done, self.vars.own_handle) else {
            return Block::new();
        };
        if !self.needs.tracked[proc.index()] {
            return Block::new();
        }
        let own = self.out.global(own);
        let place = self
            .out
            .part(self.out.place(self.vars.state()), Step::Field(done));
        let place = self.out.part(place, Step::Index(own));
        let yes = self.out.bool(true);
        thin_vec![self.out.assign(place, yes)]
    }

    /// Adds the next procedure of the table.
    pub fn push(&mut self, proc: Proc, doc: impl Into<String>) {
        self.out.program.procs.push(proc);
        self.docs.push(doc.into());
    }

    /// The new procedure for a procedure in a role.
    pub fn version(&self, proc: ProcId, role: Role) -> ProcId {
        self.procs.versions[self.versions.index(Version { proc, role })]
    }
}
