//! Programs that the validator refuses: valid programs, each with one thing broken.

use ir::*;

use crate::compile;
use base::source::Span;

const PROGRAM: &str = "
    var x: int := 0; var b: bool := false; var a: [2]u8 := [0; 2]; var t: task;
    type R = record { f: int }; var r: R;
    proc pure(n: int): int { if n > 0 { return n; } return 0; }
    proc yielding() { yield; }
    proc main() {
      var l: int := x + 1;
      while b { x := l; break; }
      await b { x := 1; }
      atomic { x := 2; }
      call l := pure(l);
      t := post yielding();
      r.f := l; a[0] := a[1];
    }";

/// The validator's complaint about the program after a change.
fn broken(change: impl FnOnce(&mut Program)) -> String {
    let mut program = compile("t", PROGRAM, &check::CheckOptions::default())
        .program
        .unwrap();
    assert_eq!(validate(&program), Ok(()));
    change(&mut program);
    validate(&program).expect_err("the change breaks the program")
}

fn main_of(program: &mut Program) -> &mut Proc {
    let main = program.main.index();
    &mut program.procs[main]
}

fn stmt(kind: StmtKind) -> Stmt {
    kind.at(Span::default())
}

/// The first statement of `main` that a test picks.
fn edit(program: &mut Program, pick: impl Fn(&mut StmtKind) -> bool) {
    assert!(
        main_of(program).body.iter_mut().any(|s| pick(&mut s.kind)),
        "nothing was changed"
    );
}

#[test]
fn expressions() {
    let says = |kind: ExprKind, ty: TypeId| broken(|p| _ = p.add(kind, ty));
    let (int, truth) = (ExprKind::int(1), ExprKind::Bool(true));
    assert!(says(int.clone(), Types::BOOL).contains("a number that its type does not have"));
    assert!(says(truth, Types::INT).contains("a truth value of another type"));
    assert!(
        says(ExprKind::Unary(UnaryOp::Neg, ExprId(1 << 30)), Types::INT)
            .contains("comes after the whole")
    );
    assert!(says(ExprKind::Global(GlobalId(99)), Types::INT).contains("no such global"));
    let mixed = broken(|p| {
        let (l, r) = (
            p.add(int.clone(), Types::INT),
            p.add(ExprKind::Bool(true), Types::BOOL),
        );
        p.add(ExprKind::Binary(BinaryOp::Add, l, r), Types::INT);
    });
    assert!(mixed.contains("expected `int`, found `bool`"), "{mixed}");
    let bits = broken(|p| {
        let l = p.add(int.clone(), Types::INT);
        p.add(ExprKind::Binary(BinaryOp::BitAnd, l, l), Types::INT);
    });
    assert!(
        bits.contains("bits of what is no machine integer"),
        "{bits}"
    );
    let field = broken(|p| {
        let l = p.add(int.clone(), Types::INT);
        p.add(ExprKind::Field(l, 0), Types::INT);
    });
    assert!(field.contains("a field of what is no record"), "{field}");
}

#[test]
fn statements() {
    let says = |pick: &dyn Fn(&mut StmtKind) -> bool| broken(|p| edit(p, pick));
    let place = says(&|k| match k {
        StmtKind::Assign(place, _) => {
            place.ty = Types::BOOL;
            true
        }
        _ => false,
    });
    assert!(place.contains("another type than it says"), "{place}");
    let left = says(&|k| match k {
        StmtKind::Loop(l) => {
            l.body.push(stmt(StmtKind::Break(LoopId(7))));
            true
        }
        _ => false,
    });
    assert!(left.contains("loop 7 is left outside of it"), "{left}");
    let args = says(&|k| match k {
        StmtKind::Call(_, _, args) => {
            args.clear();
            true
        }
        _ => false,
    });
    assert!(args.contains("takes 1 arguments, 0 given"), "{args}");
    let result = broken(|p| {
        main_of(p)
            .body
            .push(stmt(StmtKind::Return(Some(ExprId(0)))));
    });
    assert!(
        result.contains("does not go with the procedure's result"),
        "{result}"
    );
    let stranger = broken(|p| {
        let value = p.add(ExprKind::Local(LocalId(99)), Types::INT);
        main_of(p).body.push(stmt(StmtKind::Check(
            ErrorKind::Assertion,
            value,
            "".into(),
        )));
    });
    assert!(stranger.contains("no local 99"), "{stranger}");
}

#[test]
fn paths() {
    let unassigned = broken(|p| {
        let int = Local {
            name: "new".into(),
            ty: Types::INT,
            hidden: false,
        };
        main_of(p).locals.push(int);
        let id = LocalId(u32::try_from(main_of(p).locals.len()).unwrap() - 1);
        let read = p.add(ExprKind::Local(id), Types::INT);
        let place = Place::local(id, Types::INT);
        let one_branch = thin_vec::thin_vec![stmt(StmtKind::Havoc(place, ChoiceKind::User))];
        let cond = p.add(ExprKind::Bool(true), Types::BOOL);
        main_of(p)
            .body
            .push(stmt(StmtKind::If(cond, one_branch, Block::new())));
        let target = Place::whole(Root::Global(GlobalId(0)), Types::INT);
        main_of(p).body.push(stmt(StmtKind::Assign(target, read)));
    });
    assert!(
        unassigned.contains("`new` is read before it is assigned"),
        "{unassigned}"
    );
    let falls = broken(|p| {
        let pure = p.procs.iter_mut().find(|p| p.name == "pure").unwrap();
        pure.body.pop();
    });
    assert!(falls.contains("control may reach the end"), "{falls}");
}

#[test]
fn points() {
    let inside = broken(|p| {
        edit(p, |k| match k {
            StmtKind::Atomic(_, block) => {
                block.push(stmt(StmtKind::Preempt(PreemptKind::Yield)));
                true
            }
            _ => false,
        });
    });
    assert!(
        inside.contains("a preemption point stands in atomic code"),
        "{inside}"
    );
    let called = broken(|p| {
        let yielding = ProcId(
            u32::try_from(p.procs.iter().position(|p| p.name == "yielding").unwrap()).unwrap(),
        );
        edit(p, |k| match k {
            StmtKind::Await(a) => {
                a.body.push(stmt(StmtKind::Call(
                    None,
                    yielding,
                    thin_vec::ThinVec::new(),
                )));
                true
            }
            _ => false,
        });
    });
    assert!(called.contains("which has preemption points"), "{called}");
    let init = broken(|p| {
        let init = p.init.index();
        p.procs[init].body.push(stmt(StmtKind::Return(None)));
    });
    assert!(
        init.contains("`init` does more than to give values"),
        "{init}"
    );
}

#[test]
fn roots() {
    assert!(broken(|p| p.finally = Some(ProcId(99))).contains("no procedure #99 for `finally`"));
    assert!(broken(|p| p.globals[1].name = "x".into()).contains("two globals `x`"));
    assert!(
        broken(|p| p.main =
            ProcId(u32::try_from(p.procs.iter().position(|p| p.params > 0).unwrap()).unwrap()))
        .contains("`main` has parameters")
    );
}
