//! From the typed tree to the program that engines read.
//!
//! Whatever is not lowered exactly is refused at its line: a wrong verdict is worse than none. Each statement that is
//! made touches shared memory at most once, so that [`points`] can put an interruption before every access.
//!
//! | where | what it is |
//! |---|---|
//! | `types` | types, zeros and constant initial values |
//! | `place`, `expr`, `update` | places, values, conditions, assignments, atomic operations |
//! | `stmt`, `branch` | control flow |
//! | `call`, `library` | calls, threads, mutexes, semaphores, what verifiers define |
//! | `unset` | locals that may be read before they are set |
//! | `points` | where threads can be interrupted, and what the end of the program means |

mod branch;
mod call;
mod expr;
mod library;
mod place;
mod points;
mod stmt;
mod types;
mod unset;
mod update;

use rustc_hash::FxHashMap;

use super::typed::{ExprId, FunctionId, LabelId, Lifetime, Unit, VarId};
use crate::check::build::Builder;
use crate::diagnostic::Diagnostic;
use crate::ir::{
    self, Block, ChoiceKind, Global, GlobalId, Local, LocalId, LoopId, Place, Proc, ProcId,
    Program, Root, Stmt, StmtKind, Types, validate,
};
use crate::source::Span;

/// What is not supported, and where.
#[derive(Debug)]
struct Refused {
    span: Span,
    what: String,
}

type Lowered<T> = Result<T, Refused>;

/// Lowers a program, or says what of it is not supported.
///
/// # Errors
/// The first thing that is not supported.
pub fn lower(unit: &Unit) -> Result<Program, Box<Diagnostic>> {
    let mut lowerer = Lowerer::new(unit);
    lowerer.program().map_err(|refused| {
        let message = format!("{} not supported yet in C programs", refused.what);
        Box::new(
            Diagnostic::error("c-unsupported", refused.span, message)
                .note("docs/c.md says what of C is verified; nothing is left out in silence"),
        )
    })
}

/// Where a `break`, a `continue` and a `goto` lead.
#[derive(Clone, Debug, Default)]
struct Targets {
    on_break: Option<LoopId>,
    /// The loop, and whether it is continued by leaving it (the rest of the turn stands after it).
    on_continue: Option<(LoopId, bool)>,
    labels: Vec<(LabelId, LoopId)>,
}

/// The function that is being lowered.
#[derive(Debug)]
struct Body {
    function: FunctionId,
    role: Role,
    atomic: bool,
    locals: Vec<Local>,
    variables: FxHashMap<VarId, LocalId>,
    loops: u32,
    block: Block,
    span: Span,
    targets: Targets,
    result: Option<ir::TypeId>,
    /// Within `__VERIFIER_atomic_begin` and `end` of this function, which nothing may leave.
    section: bool,
}

/// What a function is called for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Role {
    Main,
    Start,
    Called,
}

/// A version of a function.
type Version = (FunctionId, Role, bool);

struct Lowerer<'a> {
    unit: &'a Unit,
    build: Builder,
    globals: FxHashMap<VarId, GlobalId>,
    initial: Block,
    versions: FxHashMap<Version, ProcId>,
    work: Vec<(Version, ProcId)>,
    /// Which procedures only run as part of a step.
    atomic: Vec<bool>,
    /// Which expressions of the tree do more than give a value.
    acts: Vec<bool>,
    exited: GlobalId,
    body: Body,
}

fn empty_proc(name: &str, span: Span) -> Proc {
    Proc {
        name: name.to_owned(),
        span,
        ..Proc::default()
    }
}

impl<'a> Lowerer<'a> {
    fn new(unit: &'a Unit) -> Self {
        let exited = Global {
            name: "exited.".to_owned(),
            ty: Types::BOOL,
            hidden: true,
            state_of: None,
            span: Span::default(),
        };
        let program = Program {
            globals: vec![exited],
            procs: vec![empty_proc("init", Span::default())],
            own_end: u32::MAX,
            ..Program::empty()
        };
        Self {
            unit,
            build: Builder::new(program),
            globals: FxHashMap::default(),
            initial: Vec::new(),
            versions: FxHashMap::default(),
            work: Vec::new(),
            atomic: vec![false],
            acts: expr::acting(unit),
            exited: GlobalId(0),
            body: Body::new((FunctionId(0), Role::Main, false)),
        }
    }

    fn program(&mut self) -> Lowered<Program> {
        let Some(main) = self.unit.main else {
            return Err(Refused {
                span: Span::default(),
                what: "a program without `main` is".to_owned(),
            });
        };
        if let Some(early) = self.unit.functions.iter().find(|f| f.constructor) {
            return refuse(early.span, "a constructor is");
        }
        let main = self.version((main, Role::Main, false));
        while let Some((version, id)) = self.work.pop() {
            self.function(version, id)?;
        }
        let mut program =
            std::mem::replace(&mut self.build, Builder::new(Program::empty())).program;
        let off = program.add(ir::ExprKind::Bool(false), Types::BOOL);
        let mut body = std::mem::take(&mut self.initial);
        let exited = Place {
            root: Root::Global(self.exited),
            path: Vec::new(),
            ty: Types::BOOL,
        };
        body.push(Stmt {
            kind: StmtKind::Assign(exited, off),
            span: Span::default(),
        });
        program.procs[0].body = body;
        program.main = main;
        points::insert(&mut program, self.exited, &self.atomic);
        unset::settle(&mut program);
        match validate(&program) {
            Ok(()) => Ok(program),
            Err(_) => refuse(
                self.unit[self.unit.main.unwrap_or(FunctionId(0))].span,
                "what jumps past declarations in this program is",
            ),
        }
    }

    /// The procedure of a version of a function, made when it is first asked for.
    fn version(&mut self, version: Version) -> ProcId {
        if let Some(&id) = self.versions.get(&version) {
            return id;
        }
        let function = &self.unit[version.0];
        let procs = &mut self.build.program.procs;
        let id = ProcId(u32::try_from(procs.len()).unwrap_or(u32::MAX));
        procs.push(empty_proc(self.unit.name(function.name), function.span));
        self.atomic.push(version.2);
        self.versions.insert(version, id);
        self.work.push((version, id));
        id
    }

    fn function(&mut self, version: Version, id: ProcId) -> Lowered<()> {
        let function = &self.unit[version.0];
        self.build.forget_locals();
        self.body = Body::new(version);
        self.body.span = function.span;
        let Some(body) = function.body else {
            return refuse(function.span, "a function without a body is");
        };
        self.parameters(version.1)?;
        let params = self.body.locals.len() as u32;
        if version.1 == Role::Main {
            self.main_parameters()?;
        }
        self.result_type(version.1)?;
        self.statement(body)?;
        self.body.span = function.span;
        self.falls_off()?;
        let done = std::mem::replace(&mut self.body, Body::new(version));
        let proc = &mut self.build.program.procs[id.index()];
        proc.params = if version.1 == Role::Main { 0 } else { params };
        proc.locals = done.locals;
        proc.loops = done.loops;
        proc.result = done.result;
        proc.body = done.block;
        Ok(())
    }

    fn parameters(&mut self, role: Role) -> Lowered<()> {
        if role == Role::Main {
            return Ok(());
        }
        let unit = self.unit;
        for &param in &unit[self.body.function].params {
            let ty = self.scalar_type(unit[param].ty.ty, unit[param].span)?;
            let local = self.local(self.variable_name(param), ty, false);
            self.body.variables.insert(param, local);
        }
        Ok(())
    }

    /// `argc` is 1; what `argv` points to is never read.
    fn main_parameters(&mut self) -> Lowered<()> {
        let unit = self.unit;
        for (index, &param) in unit[self.body.function].params.iter().enumerate() {
            let ty = self.scalar_type(unit[param].ty.ty, unit[param].span)?;
            let local = self.local(self.variable_name(param), ty, false);
            self.body.variables.insert(param, local);
            let value = self.build.int(i128::from(index == 0), ty);
            let place = self.local_place(local);
            self.emit(StmtKind::Assign(place, value));
        }
        Ok(())
    }

    fn result_type(&mut self, role: Role) -> Lowered<()> {
        if role != Role::Called {
            return Ok(());
        }
        let function = &self.unit[self.body.function];
        let ty = self.unit.types.function(function.ty).map(|f| f.result);
        if let Some(ty) = ty.filter(|&ty| !self.is_void(ty)) {
            self.body.result = Some(self.scalar_type(ty, function.span)?);
        }
        Ok(())
    }

    fn variable_name(&self, id: VarId) -> String {
        let name = self.unit[id].name;
        name.map_or_else(|| "_".to_owned(), |n| self.unit.name(n).to_owned())
    }

    fn emit(&mut self, kind: StmtKind) {
        let span = self.body.span;
        self.body.block.push(Stmt { kind, span });
    }

    /// What is emitted meanwhile, apart.
    fn apart<T>(&mut self, act: impl FnOnce(&mut Self) -> Lowered<T>) -> Lowered<(Block, T)> {
        let outer = std::mem::take(&mut self.body.block);
        let result = act(self);
        let block = std::mem::replace(&mut self.body.block, outer);
        Ok((block, result?))
    }

    fn local(&mut self, name: String, ty: ir::TypeId, hidden: bool) -> LocalId {
        let id = LocalId(u32::try_from(self.body.locals.len()).unwrap_or(u32::MAX));
        self.body.locals.push(Local { name, ty, hidden });
        id
    }

    fn temporary(&mut self, ty: ir::TypeId) -> LocalId {
        self.local("t".to_owned(), ty, true)
    }

    fn local_place(&self, local: LocalId) -> Place {
        Place {
            root: Root::Local(local),
            path: Vec::new(),
            ty: self.body.locals[local.index()].ty,
        }
    }

    fn read_local(&mut self, local: LocalId) -> ir::ExprId {
        let ty = self.body.locals[local.index()].ty;
        self.build.local(local, ty)
    }

    /// A value as it is now, whatever is done later.
    fn keep(&mut self, value: ir::ExprId) -> ir::ExprId {
        if self.build.is_constant(value) {
            return value;
        }
        let local = self.temporary(self.build.ty(value));
        let place = self.local_place(local);
        self.emit(StmtKind::Assign(place, value));
        self.read_local(local)
    }

    /// Any value of a type.
    fn any(&mut self, ty: ir::TypeId) -> ir::ExprId {
        let local = self.temporary(ty);
        let place = self.local_place(local);
        self.emit(StmtKind::Havoc(place, ChoiceKind::User));
        self.read_local(local)
    }

    fn acts(&self, e: ExprId) -> bool {
        self.acts[e.index()]
    }

    fn new_loop(&mut self) -> LoopId {
        self.body.loops += 1;
        LoopId(self.body.loops - 1)
    }

    /// The global of a variable with static storage.
    fn global(&mut self, id: VarId) -> Lowered<GlobalId> {
        if let Some(&global) = self.globals.get(&id) {
            return Ok(global);
        }
        let variable = &self.unit[id];
        if variable.external && variable.init.is_none() {
            return refuse(variable.span, "a variable that is defined elsewhere is");
        }
        if variable.lifetime == Lifetime::Thread {
            return refuse(variable.span, "a variable of each thread is");
        }
        let ty = self.object_type(variable.ty.ty, variable.span)?;
        let value = self.constant(variable.init, variable.ty.ty, variable.span)?;
        let global = GlobalId(u32::try_from(self.build.program.globals.len()).unwrap_or(u32::MAX));
        let mut name = self.variable_name(id);
        let taken = |n: &str| self.build.program.globals.iter().any(|g| g.name == n);
        if taken(&name) {
            name = format!("{name}'{}", global.0);
        }
        self.build.program.globals.push(Global {
            name,
            ty,
            hidden: false,
            state_of: None,
            span: variable.span,
        });
        self.globals.insert(id, global);
        let place = Place {
            root: Root::Global(global),
            path: Vec::new(),
            ty,
        };
        self.initial.push(Stmt {
            kind: StmtKind::Assign(place, value),
            span: variable.span,
        });
        Ok(global)
    }
}

impl Body {
    fn new((function, role, atomic): Version) -> Self {
        Self {
            function,
            role,
            atomic,
            locals: Vec::new(),
            variables: FxHashMap::default(),
            loops: 0,
            block: Vec::new(),
            span: Span::default(),
            targets: Targets::default(),
            result: None,
            section: false,
        }
    }
}

fn refuse<T>(span: Span, what: impl Into<String>) -> Lowered<T> {
    Err(Refused {
        span,
        what: what.into(),
    })
}
