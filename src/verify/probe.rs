//! Probes: where unrolling may stop, the program asks whether it does.
//!
//! An execution that is cut off after N turns of a loop has begun, whatever comes later, so whether one
//! exists must not depend on later tasks. That is how a failed assertion behaves, and so a
//! bound becomes one: at the head of each loop of which it is not known how often it turns, and of each procedure
//! that may call or post itself,
//!
//! ```text
//! havoc limit;  assert !limit;
//! ```
//!
//! where `limit` is true when the engine unrolls no further. Everything after the bound is cut off
//! by this assertion like by any other, and "is the bound ever reached" is one more question about failures.

use crate::ir::{
    Block, ChoiceKind, ErrorKind, ExprKind, Local, LocalId, LoopId, Place, Proc, Program, Root,
    Stmt, StmtKind, Types, UnaryOp,
};
use crate::seq::turns::Turns;
use crate::smt::PROBE;
use crate::source::Span;

/// The program with probes at loops and at procedures that may call or post themselves.
pub fn with_limits(program: &Program) -> Program {
    let recursive = recursive(program);
    let mut probed = program.clone();
    for (index, recursive) in recursive.into_iter().enumerate() {
        let mut proc = std::mem::replace(&mut probed.procs[index], empty());
        let turns = Turns::new(&probed, &proc);
        if recursive || (0..proc.loops).any(|l| turns.of(LoopId(l)).is_none()) {
            insert(&mut probed, &mut proc, &turns, recursive);
        }
        probed.procs[index] = proc;
    }
    probed
}

fn empty() -> Proc {
    Proc {
        name: String::new(),
        params: 0,
        locals: Vec::new(),
        result: None,
        body: Vec::new(),
        loops: 0,
        span: Span::default(),
    }
}

fn insert(program: &mut Program, proc: &mut Proc, turns: &Turns, recursive: bool) {
    let local = LocalId(u32::try_from(proc.locals.len()).expect("fewer locals than 2^32"));
    proc.locals.push(Local {
        name: PROBE.to_owned(),
        ty: Types::BOOL,
        hidden: true,
    });
    let limit = program.add(ExprKind::Local(local), Types::BOOL);
    let goes_on = program.add(ExprKind::Unary(UnaryOp::Not, limit), Types::BOOL);
    let probe = |span: Span| {
        let place = Place {
            root: Root::Local(local),
            path: Vec::new(),
            ty: Types::BOOL,
        };
        let check = StmtKind::Check(
            ErrorKind::Assertion,
            goes_on,
            "unrolled no further".to_owned(),
        );
        [
            Stmt {
                kind: StmtKind::Havoc(place, ChoiceKind::Guess),
                span,
            },
            // It is no check of the user's, so it has no place.
            Stmt {
                kind: check,
                span: Span::default(),
            },
        ]
    };
    in_loops(&mut proc.body, turns, &probe);
    if recursive {
        // A task that begins with an await is pending there: what stands before it would be a step of its own.
        let waits = matches!(proc.body.first(), Some(s) if matches!(s.kind, StmtKind::Await(_)));
        proc.body
            .splice(usize::from(waits)..usize::from(waits), probe(proc.span));
    }
}

fn in_loops(block: &mut Block, turns: &Turns, probe: &impl Fn(Span) -> [Stmt; 2]) {
    for stmt in block {
        let span = stmt.span;
        match &mut stmt.kind {
            StmtKind::If(_, then, otherwise) => {
                in_loops(then, turns, probe);
                in_loops(otherwise, turns, probe);
            }
            StmtKind::Loop(l) => {
                in_loops(&mut l.pre, turns, probe);
                in_loops(&mut l.body, turns, probe);
                in_loops(&mut l.step, turns, probe);
                if turns.of(l.id).is_none() {
                    l.body.splice(0..0, probe(span));
                }
            }
            StmtKind::Await(a) => in_loops(&mut a.body, turns, probe),
            StmtKind::Atomic(body) => in_loops(body, turns, probe),
            _ => {}
        }
    }
}

/// The procedures that may call or post themselves, directly or through others.
fn recursive(program: &Program) -> Vec<bool> {
    let n = program.procs.len();
    let callees: Vec<Vec<usize>> = program.procs.iter().map(|p| callees(&p.body)).collect();
    (0..n)
        .map(|start| {
            let mut seen = vec![false; n];
            let mut open = callees[start].clone();
            while let Some(next) = open.pop() {
                if !std::mem::replace(&mut seen[next], true) {
                    open.extend(&callees[next]);
                }
            }
            seen[start]
        })
        .collect()
}

fn callees(block: &Block) -> Vec<usize> {
    let mut found = Vec::new();
    for stmt in block {
        match &stmt.kind {
            StmtKind::Call(_, proc, _) | StmtKind::Post(_, proc, _) => found.push(proc.index()),
            StmtKind::If(_, then, otherwise) => {
                found.extend(callees(then));
                found.extend(callees(otherwise));
            }
            StmtKind::Loop(l) => [&l.pre, &l.body, &l.step]
                .into_iter()
                .for_each(|b| found.extend(callees(b))),
            StmtKind::Await(a) => found.extend(callees(&a.body)),
            StmtKind::Atomic(body) => found.extend(callees(body)),
            _ => {}
        }
    }
    found
}
