//! A small instance of a program, which the explicit engine can search. It chooses numbers among few. It limits
//! the rounds of loops that go on as long as a choice says so, and of loops that make any number of tasks.
//!
//! Each execution of the instance is one of the program, with the same choices, so a bug in it replays in the program.

use crate::turns::endless_makers;
use crate::walk::{children_mut, each};
use crate::{
    BinaryOp, Block, ChoiceKind, Expr, ExprKind, Local, LocalId, Loop, LoopId, Place, ProcId,
    Program, Root, Stmt, StmtKind, Type, TypeId, Types,
};
use base::source::Span;
use rustc_hash::FxHashSet;
use thin_vec::ThinVec;

/// The instance in which choices lie at most `most` above the least number, and chosen loops have at most `most` rounds.
#[must_use]
pub fn instance(program: &Program, most: u8) -> Program {
    cut(program, most, &FxHashSet::default())
}

/// Also limits the rounds of loops that make any number of tasks. Executions with more rounds are dropped: perhaps all executions.
#[must_use]
pub fn with_few_tasks(program: &Program, most: u8) -> Program {
    cut(program, most, &endless_makers(program))
}

fn cut(program: &Program, most: u8, makers: &FxHashSet<(ProcId, LoopId)>) -> Program {
    let mut small = program.clone();
    for proc in 0..small.procs.len() {
        let body = std::mem::take(&mut small.procs[proc].body);
        let mut cutter = Cutter {
            program: &mut small,
            proc: ProcId(u32::try_from(proc).unwrap_or(0)),
            most: most.into(),
            makers,
        };
        let body = cutter.block(body);
        small.procs[proc].body = body;
    }
    small
}

struct Cutter<'p> {
    program: &'p mut Program,
    proc: ProcId,
    most: i128,
    makers: &'p FxHashSet<(ProcId, LoopId)>,
}

impl Cutter<'_> {
    fn block(&mut self, block: Block) -> Block {
        let mut made = Block::new();
        for mut stmt in block {
            for inner in children_mut(&mut stmt) {
                *inner = self.block(std::mem::take(inner));
            }
            let span = stmt.span;
            match stmt.kind {
                StmtKind::Loop(mut l)
                    if is_chosen(&l) || self.makers.contains(&(self.proc, l.id)) =>
                {
                    made.extend(self.limit(&mut l, span));
                    made.push(at(span, StmtKind::Loop(l)));
                }
                StmtKind::Havoc(to, ChoiceKind::User) => made.extend(self.choice(to, span)),
                kind => made.push(at(span, kind)),
            }
        }
        made
    }

    fn local(&mut self, ty: TypeId) -> LocalId {
        let locals = &mut self.program.procs[self.proc.index()].locals;
        let id = LocalId::from_index(locals.len());
        locals.push(Local {
            name: "small".into(),
            ty,
            hidden: true,
        });
        id
    }

    fn add(&mut self, kind: ExprKind, ty: TypeId) -> crate::ExprId {
        self.program.exprs.push(Expr { kind, ty });
        crate::ExprId(u32::try_from(self.program.exprs.len() - 1).unwrap_or(u32::MAX))
    }

    /// Drops executions with too many rounds of a loop. Returns the statement before the loop that resets their count.
    fn limit(&mut self, l: &mut Loop, span: Span) -> Option<Stmt> {
        let rounds = self.local(Types::INT);
        let place = || Place {
            root: Root::Local(rounds),
            path: ThinVec::new(),
            ty: Types::INT,
        };
        let zero = self.add(ExprKind::int(0), Types::INT);
        let one = self.add(ExprKind::int(1), Types::INT);
        let most = self.add(ExprKind::int(self.most), Types::INT);
        let own = self.add(ExprKind::Local(rounds), Types::INT);
        let next = self.add(ExprKind::Binary(BinaryOp::Add, own, one), Types::INT);
        let fits = self.add(ExprKind::Binary(BinaryOp::Lt, own, most), Types::BOOL);
        let body = std::mem::take(&mut l.body);
        l.body.push(at(span, StmtKind::Assume(fits)));
        l.body.push(at(span, StmtKind::Assign(place(), next)));
        l.body.extend(body);
        Some(at(span, StmtKind::Assign(place(), zero)))
    }

    /// The statements of a choice. A choice among many numbers becomes one among few.
    fn choice(&mut self, to: Place, span: Span) -> Vec<Stmt> {
        let plain = |to| vec![at(span, StmtKind::Havoc(to, ChoiceKind::User))];
        let (lo, hi) = match self.program.types.get(to.ty) {
            Type::Int => (0, self.most),
            Type::Range(lo, hi) => {
                // Zero is a better least number than a negative one: most numbers of C count something.
                let least = if *lo < 0 && *hi > 0 { 0 } else { *lo };
                (least, (*hi).min(least.saturating_add(self.most)))
            }
            Type::Bits(_) => (0, self.most),
            _ => return plain(to),
        };
        let few = self.program.types.intern(Type::Range(lo, hi));
        let chosen = self.local(few);
        let place = Place {
            root: Root::Local(chosen),
            path: ThinVec::new(),
            ty: few,
        };
        let mut value = self.add(ExprKind::Local(chosen), few);
        if matches!(self.program.types.get(to.ty), Type::Bits(_)) {
            value = self.add(ExprKind::Convert(value), to.ty);
        }
        let mut made = plain(place);
        made.push(at(span, StmtKind::Assign(to, value)));
        made
    }
}

fn at(span: Span, kind: StmtKind) -> Stmt {
    Stmt { kind, span }
}

/// Whether a choice decides in each round if the loop goes on.
fn is_chosen(l: &Loop) -> bool {
    let mut chosen = false;
    each(&l.pre, &mut |stmt| {
        chosen |= matches!(stmt.kind, StmtKind::Havoc(..));
    });
    chosen
}
