//! Variables of functions that have returned, and of threads that have ended.
//!
//! A pointer may outlive the variable to which it leads. So a flag says whether a frame is gone: one for each function with such
//! variables, and one for the variables that each thread has; by thread, if several may run it. An access by a pointer checks the
//! flag in the same step. An access by name needs no check, since it only happens while the frame is there.
//!
//! A recursive function has as many instances of its variables as calls may go on within each other. Each call knows its own.

use super::place::Alive;
use super::{Lowered, Lowerer};
use base::source::Span;
use c::typed::{FunctionId, Lifetime, VarId};
use c_memory::Object;
use ir::lower::Lower;
use ir::{
    Behind, BinaryOp, ErrorKind, ExprId, GlobalId, PreemptKind, StmtKind, Type, TypeId, Types,
};

/// The function call or the thread with which variables end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Frame {
    /// A call of a function.
    Function(FunctionId),
    Thread,
}

/// The error where a pointer leads to a variable whose frame is gone.
const GONE: &str = "this pointer leads to a variable of a function that has returned, or of a thread that has ended";

impl Lowerer<'_> {
    /// Whether calls of a function know which instance of their variables they have.
    pub(super) fn is_framed(&self, function: FunctionId) -> bool {
        self.memory.has_nested() && self.memory.is_recursive(function)
    }

    pub(super) fn frame_type(&mut self) -> TypeId {
        let bits = ir::Bits {
            width: 32,
            signed: false,
        };
        self.build.program.types.intern(Type::Bits(bits))
    }

    /// Gives the running function its frame, if it is recursive. The function is the start of a thread, or `main`.
    pub(super) fn first_frame(&mut self) -> Lowered<()> {
        if self.is_framed(self.body.function) {
            let first = self.inner_frame(self.body.span)?;
            let ty = self.build.ty(first);
            let frame = self.local("frame", ty, true);
            self.body.frame = Some(frame);
            self.emit(StmtKind::Assign(self.local_place(frame), first));
        }
        Ok(())
    }

    /// Returns the instance that a call from here has of its variables. Executions end where no instance is left.
    pub(super) fn inner_frame(&mut self, span: Span) -> Lowered<ExprId> {
        let (ty, most) = (self.frame_type(), self.memory.nesting);
        let each = self.build.int(i128::from(most), ty);
        let Some(outer) = self.body.frame else {
            let number = self.own_number(span)?;
            let number = self.build.convert(number, ty);
            return Ok(self.build.binary(BinaryOp::Mul, number, each));
        };
        let outer = self.read_local(outer);
        if !self.memory.is_nested(self.body.function) {
            return Ok(outer);
        }
        let (zero, one) = (self.build.int(0, ty), self.build.int(1, ty));
        let inner = self.build.binary(BinaryOp::Add, outer, one);
        let over = self.build.binary(BinaryOp::Rem, inner, each);
        let fits = self.build.binary(BinaryOp::Lt, zero, over);
        let what = format!(
            "more than {most} calls within each other have variables in memory here (`--heap`)"
        );
        self.unless(fits, |l| l.beyond_heap(what, Behind::Unknown));
        Ok(inner)
    }

    /// The number of the instance of a variable that the running thread, or the running call, has.
    pub(super) fn instance(&mut self, id: VarId, span: Span) -> Lowered<ExprId> {
        let nests = self.memory.nests(self.unit, id);
        match self.body.frame.filter(|_| nests) {
            Some(frame) => Ok(self.read_local(frame)),
            None => self.own_number(span),
        }
    }

    /// The type of all instances of a variable of type `ty`.
    pub(super) fn for_instances(&mut self, id: VarId, ty: TypeId) -> TypeId {
        match self.memory.instances(self.unit, id) {
            Some(count) => self.array_of(count, ty),
            None => ty,
        }
    }

    /// Marks the frame of the running function as there, if a thread may run the function more than once.
    pub(super) fn frame_begins(&mut self) -> Lowered<()> {
        if self.memory.runs_again(self.body.function) {
            return self.mark_frame(Frame::Function(self.body.function), false);
        }
        Ok(())
    }

    /// Marks the frame of the running function as gone: the function returns, or its thread ends here.
    pub(super) fn frame_ends(&mut self) -> Lowered<()> {
        self.mark_frame(Frame::Function(self.body.function), true)
    }

    /// Marks the variables that each thread has as gone: the running thread ends.
    pub(super) fn own_variables_end(&mut self) -> Lowered<()> {
        self.mark_frame(Frame::Thread, true)
    }

    fn mark_frame(&mut self, frame: Frame, gone: bool) -> Lowered<()> {
        let Some((flag, variable)) = self.frame(frame).zip(self.outlived(frame).next()) else {
            return Ok(());
        };
        let mut place = self.global_place(flag);
        self.own_instance(&mut place, variable, self.body.span)?;
        // Accesses of other threads to the variables may come before and after this.
        if !self.body.atomic && self.is_shared_frame(frame) {
            self.emit(StmtKind::Preempt(PreemptKind::Implicit));
        }
        // This step orders threads: others may have said by atomic operations that they access the variables no more.
        self.in_one_step(|l| {
            l.set(&place, i128::from(gone));
            Ok(())
        })
    }

    /// Returns the frame with which a variable ends.
    fn frame_of(&self, v: VarId) -> Option<Frame> {
        match self.unit[v].lifetime {
            Lifetime::Thread => Some(Frame::Thread),
            _ => self.unit[v].function.map(Frame::Function),
        }
    }

    /// The variables of a frame to which pointers may lead that outlive them.
    fn outlived(&self, frame: Frame) -> impl Iterator<Item = VarId> + '_ {
        let all = self.memory.outlived.iter().copied();
        all.filter(move |&v| self.frame_of(v) == Some(frame))
    }

    /// Whether other threads may hold pointers to these variables.
    fn is_shared_frame(&self, frame: Frame) -> bool {
        let area = |v| self.memory.area(Object::Variable(v));
        self.outlived(frame)
            .any(|v| area(v).is_some_and(|a| !a.private))
    }

    /// Returns the global that says whether a frame is gone; by thread, if each has its own.
    fn frame(&mut self, frame: Frame) -> Option<GlobalId> {
        if let Some(&flag) = self.frames.get(&frame) {
            return Some(flag);
        }
        let outlived = self.outlived(frame).next()?;
        let ty = self.for_instances(outlived, Types::BOOL);
        let name = match frame {
            Frame::Function(function) => self.unit.name(self.unit[function].name),
            Frame::Thread => "thread",
        };
        let flag = self.own_global(&format!("end_of_{name}."), ty);
        self.frames.insert(frame, flag);
        Some(flag)
    }

    /// Returns how to tell whether the frame of a variable is still there. `None` if no pointer outlives the variable.
    pub(super) fn in_frame(&mut self, variable: VarId, number: ExprId) -> Option<Alive> {
        if !self.memory.outlived.contains(&variable) {
            return None;
        }
        let flag = self.frame(self.frame_of(variable)?)?;
        let many = self.memory.instances(self.unit, variable);
        Some(Alive {
            flag,
            number: many.map(|_| number),
            what: GONE,
        })
    }

    /// Returns the variables that pointers may outlive, each with the flag that says that the variable is gone.
    pub(super) fn frames_of_variables(&self) -> Vec<(GlobalId, GlobalId)> {
        let of = |&v: &VarId| {
            let flag = self.frames.get(&self.frame_of(v)?)?;
            Some((*self.globals.get(&v)?, *flag))
        };
        self.memory.outlived.iter().filter_map(of).collect()
    }

    /// Notes two limits. A frame that is gone is not told from a later one of the same function in the same thread. The variables
    /// of a block live as long as those of its function.
    pub(super) fn say_that_variables_end(&mut self) {
        if !self.options.wanted.has(ErrorKind::Deref) {
            return;
        }
        let unit = self.unit;
        let name = |id: VarId| unit[id].name.map_or("this variable", |n| unit.name(n));
        let mut unsaid = Vec::new();
        for &id in &self.memory.outlived {
            let own = name(id);
            if let Some(Frame::Function(function)) = self.frame_of(id)
                && self.memory.runs_again(function)
            {
                let function = unit.name(unit[function].name);
                let what = format!(
                    "a pointer to `{own}` of one call of `{function}` is taken for one to that of a later call"
                );
                unsaid.push((unit[id].span, what));
            }
        }
        for &id in &self.memory.outlived_by_function {
            let what = format!(
                "pointers to `{}` are not looked for after its block has ended",
                name(id)
            );
            unsaid.push((unit[id].span, what));
        }
        self.build.program.scope.unsaid.extend(unsaid);
    }
}
