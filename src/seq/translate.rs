//! The translation of statements: everything that does not depend on the order of tasks.

use ir::walk::operands;
use ir::{
    Await, BinaryOp, Block, ExprId, ExprKind, Local, LocalId, Loop, PreemptKind, Proc, ProcId,
    Stmt, StmtKind, TypeId, Types,
};
use thin_vec::thin_vec;

use super::context::Context;
use super::effects::Touch;
use super::flow::{Certainty, Facts, Point};
use super::map::{MarkKind, Reached};
use super::needs::can_block;
use super::versions::{Role, Version};
use super::waiting::find_round;
use super::{dfs, rdfs, walk};

/// Translates one version of a procedure.
pub fn version(cx: &mut Context, version: Version, facts: Option<&Facts>) {
    let original = cx.program.proc(version.proc);
    let name = match version.role {
        Role::Task if version.proc == cx.program.main => "main_task".to_owned(),
        Role::Task => original.name.clone(),
        Role::Waiting => format!("{}_waiting", original.name),
        Role::Final if Some(version.proc) == cx.program.finally => "at_the_end".to_owned(),
        Role::Final => format!("{}_at_the_end", original.name),
    };
    let doc = match version.role {
        Role::Task => String::new(),
        Role::Waiting => {
            "The task waits from the start: its first await ends no segment.".to_owned()
        }
        Role::Final => "After the last task of a complete execution.".to_owned(),
    };
    let result = original.result.map(|t| cx.ty(t));
    let translated = Body::translate(cx, version, facts, original, result);
    cx.push(
        Proc {
            name,
            result,
            ..translated
        },
        doc,
    );
}

/// The statements that give globals their initial values.
pub fn init(cx: &mut Context) -> Block {
    let version = Version {
        proc: cx.program.init,
        role: Role::Final,
    };
    let original = cx.program.proc(cx.program.init);
    Body::translate(cx, version, None, original, None).body
}

/// The parts of a procedure that each of its versions keeps.
pub fn proc_shell(original: &Proc) -> Proc {
    Proc {
        name: String::new(),
        locals: Vec::new(),
        result: None,
        body: Block::new(),
        objects: Vec::new(),
        ..original.clone()
    }
}

struct Body<'c, 'a> {
    cx: &'c mut Context<'a>,
    version: Version,
    facts: Option<&'c Facts>,
    result: Option<TypeId>,
    /// The locals of the original, and those that the search for rounds needs.
    locals: Vec<Local>,
    /// The number of the next statement, in the order of [`super::walk`].
    next: usize,
    /// Whether the next await is the one at which the task waits from the start.
    waiting: bool,
}

impl<'c, 'a> Body<'c, 'a> {
    fn translate(
        cx: &'c mut Context<'a>,
        version: Version,
        facts: Option<&'c Facts>,
        original: &Proc,
        result: Option<TypeId>,
    ) -> Proc {
        let waiting = version.role == Role::Waiting;
        let locals = cx.locals(original);
        let mut body = Body {
            cx,
            version,
            facts,
            result,
            locals,
            next: 0,
            waiting,
        };
        let block = body.block(&original.body);
        Proc {
            locals: body.locals,
            body: block,
            ..proc_shell(original)
        }
    }

    fn block(&mut self, block: &Block) -> Block {
        let mut out = Block::with_capacity(block.len());
        for stmt in block {
            let number = self.next;
            self.next += 1;
            self.cx.out.span = stmt.span;
            self.visible(stmt, number, &mut out);
            self.stmt(stmt, number, &mut out);
        }
        out
    }

    /// The facts before a statement, if this is a part of a task.
    fn point(&self, number: usize) -> Option<&'c Point> {
        self.facts.map(|f| &f.before[number])
    }

    /// Updates the flag that decides about implicit preemption points, where data flow could not decide.
    fn visible(&mut self, stmt: &Stmt, number: usize, out: &mut Block) {
        let Some(point) = self.point(number) else {
            return;
        };
        let other = matches!(stmt.kind, StmtKind::Post(..) | StmtKind::Await(_));
        if !other && point.visible != Certainty::Always {
            let touch = self.cx.effects.touches(stmt);
            self.touch(touch, &walk::exprs(stmt), out);
        }
    }

    /// `visible := true` if one of the expressions reads a global.
    fn touch(&mut self, touch: Touch, exprs: &[ExprId], out: &mut Block) {
        let Some(flag) = self.cx.vars.visible.filter(|_| touch != Touch::No) else {
            return;
        };
        if touch == Touch::Yes {
            return out.push(self.cx.out.set_bool(flag, true));
        }
        let mut visible = self.cx.out.global(flag);
        for &expr in exprs {
            let reads = self.reads(expr);
            visible = self.cx.out.or(visible, reads);
        }
        out.push(self.cx.out.set(flag, visible));
    }

    /// Returns an expression that tells whether the evaluation of `expr` reads a global.
    fn reads(&mut self, expr: ExprId) -> ExprId {
        match self.cx.effects.reads(expr) {
            Touch::No => return self.cx.out.bool(false),
            Touch::Yes => return self.cx.out.bool(true),
            Touch::Maybe => {}
        }
        let program = self.cx.program;
        match program.expr(expr).kind {
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or | BinaryOp::Implies), a, b) => {
                let (first, second) = (self.reads(a), self.reads(b));
                let mut goes_on = self.cx.expr(a);
                if op == BinaryOp::Or {
                    goes_on = self.cx.out.not(goes_on);
                }
                let second = self.cx.out.and(goes_on, second);
                self.cx.out.or(first, second)
            }
            ExprKind::Ite(c, a, b) => {
                let (test, yes, no) = (self.reads(c), self.reads(a), self.reads(b));
                let branch = ExprKind::Ite(self.cx.expr(c), yes, no);
                let branch = self.cx.out.program.add(branch, Types::BOOL);
                self.cx.out.or(test, branch)
            }
            _ => {
                let no = self.cx.out.bool(false);
                let operands = operands(program.expr(expr));
                operands.iter().fold(no, |any, &operand| {
                    let reads = self.reads(operand);
                    self.cx.out.or(any, reads)
                })
            }
        }
    }

    fn stmt(&mut self, stmt: &Stmt, number: usize, out: &mut Block) {
        let kind = match &stmt.kind {
            StmtKind::Assign(place, value) => {
                StmtKind::Assign(self.cx.place(place), self.cx.expr(*value))
            }
            StmtKind::Havoc(place, choice) => StmtKind::Havoc(self.cx.place(place), *choice),
            StmtKind::Assume(e) => {
                out.push(self.cx.reached(Reached::Assume, stmt.span));
                StmtKind::Assume(self.cx.expr(*e))
            }
            StmtKind::Check(..) => return self.check(stmt, number, out),
            StmtKind::If(e, then, otherwise) => {
                StmtKind::If(self.cx.expr(*e), self.block(then), self.block(otherwise))
            }
            StmtKind::Loop(l) => return self.enclosed(l, stmt, number, out),
            StmtKind::Return(value) => StmtKind::Return(value.map(|e| self.cx.expr(e))),
            StmtKind::Call(to, proc, args) => return self.call(*to, *proc, args, number, out),
            StmtKind::Post(to, proc, args) => return self.post(*to, *proc, args, number, out),
            StmtKind::Preempt(kind) => return self.preempt(*kind, number, out),
            StmtKind::Await(a) => return self.wait(a, stmt, number, out),
            StmtKind::Atomic(_, body) => return out.extend(self.block(body)),
            StmtKind::Mark(..) => return,
            kind @ (StmtKind::Break(_) | StmtKind::Continue(_)) => kind.clone(),
        };
        self.cx.out.span = stmt.span;
        out.push(self.cx.out.stmt(kind));
    }

    /// In a task: `if !e { g.failed := true; end the segment and the task }`.
    fn check(&mut self, stmt: &Stmt, number: usize, out: &mut Block) {
        let StmtKind::Check(kind, condition, text) = &stmt.kind else {
            unreachable!("called for checks")
        };
        if self.cx.program.is_claim(*kind, *condition, stmt.span) {
            out.push(self.cx.reached(Reached::Check, stmt.span));
        }
        let condition = self.cx.expr(*condition);
        let failed = self.cx.vars.failed_place(&mut self.cx.out);
        let (Some(failed), Some(point)) = (failed, self.point(number)) else {
            let check = StmtKind::Check(*kind, condition, text.clone());
            return out.push(self.cx.out.stmt(check));
        };
        let fails = self.cx.out.not(condition);
        let yes = self.cx.out.bool(true);
        let mut then = thin_vec![
            self.cx.mark(MarkKind::Failed, Vec::new()),
            self.cx.out.assign(failed, yes),
        ];
        if !self.cx.reverse {
            then.extend(dfs::end(self.cx, point.posted));
        }
        then.push(self.leave());
        out.push(self.cx.out.when(fails, then));
    }

    /// Leaves the procedure with some value, which no caller looks at.
    fn leave(&mut self) -> Stmt {
        let value = self.result.map(|ty| self.cx.out.program.plain_value(ty));
        self.cx.out.stmt(StmtKind::Return(value))
    }

    /// `if g.failed || k_round == R { return; }`, with those of the two that can be.
    fn leave_if_stopped(&mut self, mark: Option<Stmt>, out: &mut Block) {
        if let Some(stopped) = self.cx.stops() {
            let leave = mark.into_iter().chain([self.leave()]).collect();
            out.push(self.cx.out.when(stopped, leave));
        }
    }

    fn enclosed(&mut self, l: &Loop, stmt: &Stmt, number: usize, out: &mut Block) {
        self.announce(number, out);
        let mut pre = self.block(&l.pre);
        let body = self.block(&l.body);
        let step = self.block(&l.step);
        let test = self.facts.map_or(Certainty::Always, |f| f.test[number]);
        self.cx.out.span = stmt.span;
        if test != Certainty::Always {
            self.touch(self.cx.effects.reads(l.cond), &[l.cond], &mut pre);
        }
        let cond = self.cx.expr(l.cond);
        out.push(self.cx.out.stmt(StmtKind::Loop(Box::new(Loop {
            id: l.id,
            pre,
            cond,
            body,
            step,
        }))));
    }

    fn call(
        &mut self,
        to: Option<LocalId>,
        proc: ProcId,
        args: &[ExprId],
        number: usize,
        out: &mut Block,
    ) {
        self.announce(number, out);
        let callee = self.cx.versions.called(self.version, proc);
        let (target, args) = (self.cx.procs.versions[callee], self.cx.exprs(args));
        out.push(self.cx.out.stmt(StmtKind::Call(to, target, args.into())));
        if self.cx.needs.may_stop[callee] {
            self.leave_if_stopped(None, out);
        }
    }

    /// `post p(e)`: the task runs here and now, on the globals as they will be when it is dispatched.
    fn post(
        &mut self,
        to: Option<LocalId>,
        proc: ProcId,
        args: &[ExprId],
        number: usize,
        out: &mut Block,
    ) {
        let Some(target) = self.cx.procs.posts[proc.index()].filter(|_| self.facts.is_some())
        else {
            return;
        };
        out.push(self.cx.reached(Reached::Post, self.cx.out.span));
        self.announce(number, out);
        let args = self.cx.exprs(args);
        out.push(self.cx.out.stmt(StmtKind::Call(to, target, args.into())));
    }

    fn announce(&mut self, number: usize, out: &mut Block) {
        let Some(point) = self.point(number).filter(|p| p.announces) else {
            return;
        };
        if !self.cx.reverse {
            out.extend(dfs::announce(self.cx, point));
        }
    }

    fn preempt(&mut self, kind: PreemptKind, number: usize, out: &mut Block) {
        let Some(point) = self.point(number) else {
            return;
        };
        if kind != PreemptKind::Implicit || point.visible == Certainty::Always {
            self.suspend(point, out);
        } else if point.visible == Certainty::Maybe {
            let mut inside = Block::new();
            self.suspend(point, &mut inside);
            let flag = self
                .cx
                .vars
                .visible
                .expect("there is a flag where data flow could not decide");
            let visible = self.cx.out.global(flag);
            out.push(self.cx.out.when(visible, inside));
        }
    }

    /// The segment ends, the rest of the task is dispatched as its last child.
    fn suspend(&mut self, point: &Point, out: &mut Block) {
        let rule = if self.cx.reverse {
            rdfs::suspend
        } else {
            dfs::suspend
        };
        out.extend(rule(self.cx, point));
        let mark = self.cx.dispatched(MarkKind::Resumed);
        out.push(mark);
        self.leave_if_stopped(None, out);
    }

    /// `await e { s }`: a yield whose rest is dispatched in the first round in which `e` holds and no delay is paid; then `s`.
    fn wait(&mut self, a: &Await, stmt: &Stmt, number: usize, out: &mut Block) {
        let from_the_start = std::mem::take(&mut self.waiting);
        let point = self.point(number).filter(|_| !from_the_start);
        if self.facts.is_some() && can_block(self.cx.program, a) {
            self.look_for_round(a, stmt, point, out);
        } else if let Some(point) = point {
            self.suspend(point, out);
        }
        if let Some(flag) = self.cx.vars.visible {
            out.push(self.cx.out.set_bool(flag, true));
        }
        out.extend(self.block(&a.checks));
        self.cx.out.span = stmt.span;
        out.push(self.cx.reached(Reached::Assume, stmt.span));
        out.extend(self.block(&a.body));
    }

    /// Dispatches the task in a round in which it is not blocked: the one in which it is posted or in which its segment ends
    /// (`point`), or a later one.
    fn look_for_round(&mut self, a: &Await, stmt: &Stmt, point: Option<&Point>, out: &mut Block) {
        let blocked = self.blocked(a);
        match point {
            Some(_) if self.cx.reverse => {
                out.extend(rdfs::wait(self.cx, &mut self.locals, blocked));
            }
            Some(point) => {
                out.extend(dfs::suspended(self.cx, point));
                out.extend(find_round(self.cx, blocked));
            }
            None => out.extend(find_round(self.cx, blocked)),
        }
        let mark = match point {
            Some(_) => MarkKind::Resumed,
            None => MarkKind::Posted(self.version.proc),
        };
        out.push(self.cx.dispatched(mark));
        let waits = self.cx.mark(MarkKind::Waits(stmt.span), Vec::new());
        self.leave_if_stopped(Some(waits), out);
    }

    /// The condition under which an await blocks: every check of its condition holds and the condition does not.
    fn blocked(&mut self, a: &Await) -> ExprId {
        let condition = self.cx.expr(a.cond);
        let mut blocked = self.cx.out.not(condition);
        for check in a.checks.iter().rev() {
            if let StmtKind::Check(_, holds, _) = check.kind {
                let holds = self.cx.expr(holds);
                blocked = self.cx.out.and(holds, blocked);
            }
        }
        blocked
    }
}
