//! From the typed tree to the program that engines read.
//!
//! Whatever is not lowered exactly is refused at its line: a wrong verdict is worse than none. Each statement that is
//! made touches shared memory at most once, so that the pass for [points](crate::passes::points) can put an interruption before every access.
//!
//! | where | what it is |
//! |---|---|
//! | `types` | types, zeros and constant initial values |
//! | `place`, `expr`, `update` | places, values, conditions, assignments, atomic operations |
//! | `stmt`, `branch`, `jump`, `section` | control flow, atomic sections |
//! | `call`, `library` | calls, threads, mutexes, semaphores, what verifiers define |
//! | `unset` | locals that may be read before they are set; memory without a value |
//! | `variadic` | arguments that a function does not name |
//! | `used` | which results of functions are used |
//! | `heap`, `filled` | allocations, strings |
//! | `overlay`, `seen`, `spread` | unions and bit-fields: what their bytes are, how parts of them are read, written and initialised |
//! | `lifetime` | variables of functions that have returned |

mod branch;
mod call;
mod expr;
mod filled;
mod heap;
mod jump;
mod library;
mod lifetime;
mod overlay;
mod place;
mod section;
mod seen;
mod spread;
mod stmt;
mod types;
mod unset;
mod update;
mod used;
mod variadic;

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use thin_vec::ThinVec;

use super::Options;
use super::memory::{self, Memory, Object};
use super::typed::{
    Callee, Conversion, ExprId, ExprKind, FunctionId, Init, InitId, LabelId, Lifetime, StmtId,
    TextId, Unit, VarId,
};
use super::types::{Library, RecordId, TypeId};
use crate::diagnostic::Diagnostic;
use crate::ir::{
    self, Addresses, Block, Dialect, ErrorKind, Global, GlobalId, Local, LocalId, LoopId, Place,
    Proc, ProcId, Program, Root, Shape, Stmt, StmtKind, Types, validate,
};
use crate::lower::build::Builder;
use crate::lower::{Lower, Making};
use crate::memory::expect;
use crate::passes;
use crate::passes::points::threads::{self, Known};
use crate::source::Span;
use crate::suggest::closest;

/// What is not supported, and where.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Refused {
    span: Span,
    /// Nothing if it only follows from what was refused before.
    what: Option<String>,
}

/// Nobody repairs more than these at a time.
const MOST_REFUSED: usize = 20;

type Lowered<T> = Result<T, Refused>;

/// Lowers a program, or says what of it is not supported.
///
/// # Errors
/// What is not supported, in the order of the text.
pub fn lower(unit: Unit, options: &Options) -> Result<(Program, Vec<Diagnostic>), Vec<Diagnostic>> {
    if let Some(missing) = missing_label(&unit, options) {
        return Err(vec![missing]);
    }
    let warnings = without_arguments(&unit, options);
    let mut lowerer = Lowerer::new(&unit, options);
    let lowered = lowerer.statements();
    let lowered = lowered.map_err(|last| {
        let mut all = lowerer.refused;
        all.push(last);
        complaints(all)
    })?;
    // The tree is as large as what it was lowered to.
    drop(unit);
    let program = lowered
        .finish(options)
        .map_err(|last| complaints(vec![last]))?;
    Ok((program, warnings))
}

/// A label that no statement has is never reached, whatever the program does.
fn missing_label(unit: &Unit, options: &Options) -> Option<Diagnostic> {
    let names = || unit.labels.iter().map(|l| unit.name(l.name));
    let missing = |wanted: &&String| !names().any(|name| name == wanted.as_str());
    let missing = options.error_labels.iter().find(missing)?;
    let message = format!("no statement has the label `{missing}` (`--error-label`)");
    let at = unit.main.map_or(Span::default(), |main| unit[main].span);
    let said = Diagnostic::error("c-label", at, message);
    Some(match closest(missing, names()) {
        Some(near) => said.note(format!("did you mean `{near}`?")),
        None => said,
    })
}

fn complaints(mut all: Vec<Refused>) -> Vec<Diagnostic> {
    all.sort();
    all.dedup();
    let complain = |refused: Refused| {
        let message = format!("{} not supported yet in C programs", refused.what?);
        Some(Diagnostic::error("c-unsupported", refused.span, message))
    };
    let mut all: Vec<Diagnostic> = all.into_iter().filter_map(complain).collect();
    if let Some(last) = all.pop() {
        let note = "docs/c.md says what of C is verified; nothing is left out in silence";
        all.push(last.note(note));
    }
    all
}

/// A program that looks at its arguments is run without any, unless it is given some.
fn without_arguments(unit: &Unit, options: &Options) -> Vec<Diagnostic> {
    let count = unit
        .main
        .and_then(|main| unit[main].params.first().copied());
    let Some(count) = count.filter(|_| options.args.is_empty()) else {
        return Vec::new();
    };
    let is_count = |e: ExprId| matches!(unit[e].kind, ExprKind::Var(v) if v == count);
    // `(void)argc;` is how programs say that they do not look.
    let dropped = |e: &super::typed::Expr| match e.kind {
        ExprKind::Convert(Conversion::Void, of) => match unit[of].kind {
            ExprKind::Load(place) if is_count(place) => Some(place),
            _ => is_count(of).then_some(of),
        },
        _ => None,
    };
    let dropped: FxHashSet<ExprId> = unit.exprs.iter().filter_map(dropped).collect();
    let mut all = (0..).zip(&unit.exprs).map(|(at, e)| (ExprId(at), e));
    let Some((_, at)) = all.find(|&(id, _)| is_count(id) && !dropped.contains(&id)) else {
        return Vec::new();
    };
    let message = "the program is verified as it runs without arguments";
    let note = "`--args \"3 0\"` gives it some";
    vec![Diagnostic::warning("c-arguments", at.span, message).note(note)]
}

/// Where a `break`, a `continue` and a `goto` lead.
#[derive(Clone, Debug, Default)]
struct Targets {
    on_break: Option<LoopId>,
    /// The loop, and whether it is continued by leaving it (the rest of the turn stands after it).
    on_continue: Option<(LoopId, bool)>,
    labels: Vec<jump::Target>,
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
    /// Labels within statements to which jumps lead from outside, and what says that one has.
    entries: Vec<(LabelId, LocalId)>,
    result: Option<ir::TypeId>,
    /// Within `__VERIFIER_atomic_begin` and `end` of this function, which nothing may leave.
    section: Option<section::Section>,
    /// The arguments that the function does not name, if it reads them.
    rest: Option<variadic::Rest<LocalId>>,
    /// The number of the running thread.
    number: Option<LocalId>,
    /// What is still to be done when the thread ends here, the innermost last.
    handlers: Vec<library::Handler>,
}

/// What a function is called for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Role {
    Main,
    Start,
    Called,
}

/// A version of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Version {
    function: FunctionId,
    role: Role,
    /// Whether it only runs as part of a step.
    atomic: bool,
    /// The arguments beyond those that it names, if it reads them.
    rest: Option<variadic::RestId>,
}

impl Version {
    fn new(function: FunctionId, role: Role, atomic: bool) -> Self {
        Self {
            function,
            role,
            atomic,
            rest: None,
        }
    }
}

/// A program without preemption points, and what is to be known for them.
struct Statements {
    program: Program,
    exited: GlobalId,
    /// Which procedures only run as part of a step.
    atomic: Vec<bool>,
    /// Globals that only one thread reaches, whatever the others do.
    private: Vec<GlobalId>,
    /// Objects, and by which variable it is known of them that they are gone.
    gone: Vec<(GlobalId, GlobalId)>,
    /// How many statements of the program `main` runs until all threads are joined.
    joined: Option<usize>,
    /// Where `main` stands.
    main: Span,
}

impl Statements {
    /// The program as every engine takes it.
    fn finish(self, options: &Options) -> Lowered<Program> {
        let mut program = self.program;
        // Whether memory is left at the end may depend on where within a step the end comes.
        let reduce = !options.wanted.has(ErrorKind::Leak);
        let known = Known {
            exited: self.exited,
            atomic: &self.atomic,
            private: &self.private,
            freed: &self.gone,
            joined: self.joined,
            reduce,
        };
        passes::run("points", &mut program, |p| threads::insert(p, &known));
        passes::run("unset", &mut program, passes::unset::settle);
        program.scope.deadlocks = options.wanted.has(ErrorKind::Deadlock);
        program.scope.ended = Some(self.exited);
        if let Some(range) = options.nondet {
            passes::run("inputs", &mut program, |p| passes::inputs::narrow(p, range));
        }
        threads::end_is_awaited(&mut program, self.exited);
        match validate(&program) {
            Ok(()) => Ok(program),
            Err(what) => refuse(self.main, format!("something in this program ({what}) is")),
        }
    }
}

struct Lowerer<'a> {
    unit: &'a Unit,
    build: Builder,
    globals: FxHashMap<VarId, GlobalId>,
    initial: Block,
    versions: FxHashMap<Version, ProcId>,
    work: Vec<(Version, ProcId)>,
    /// The lists of types of arguments that functions do not name.
    rests: Vec<Vec<TypeId>>,
    /// Which procedures only run as part of a step.
    atomic: Vec<bool>,
    /// Which expressions of the tree do more than give a value.
    acts: Vec<bool>,
    exited: GlobalId,
    options: &'a Options,
    memory: Memory,
    /// `argv`, which is not read.
    arguments_of_main: Option<VarId>,
    /// Some mutex may be of another kind than the normal one.
    kinds: bool,
    /// What threads give to those who join them, if anybody wants it.
    results: Option<GlobalId>,
    /// By the number of a thread: it has called `pthread_exit` in a function.
    leaving: Option<GlobalId>,
    /// How many threads have numbers, if they have.
    counter: Option<GlobalId>,
    keys: Option<Keys>,
    /// By handle: whether the thread was joined or detached, if that is looked at.
    gone: Option<GlobalId>,
    /// Types of objects of the library that carry their state.
    watched: FxHashSet<ir::TypeId>,
    /// By handle: whether a thread is to end early, and whether it has said that it does not want to. Only if threads are cancelled.
    cancels: Option<(GlobalId, GlobalId)>,
    texts: FxHashMap<TextId, GlobalId>,
    /// How records are kept of which several parts share bytes.
    overlays: FxHashMap<RecordId, Option<Rc<overlay::Overlay>>>,
    sites: FxHashMap<ExprId, heap::Site>,
    /// By array of variable length: how many bytes it has.
    extents: FxHashMap<VarId, GlobalId>,
    /// By function: whether its frame is gone, where pointers may outlive its variables.
    frames: FxHashMap<FunctionId, GlobalId>,
    /// What was refused so far; the rest of the program is looked at all the same.
    refused: Vec<Refused>,
    /// Variables whose declarations were refused.
    lost: FxHashSet<VarId>,
    /// Functions whose results somebody uses.
    used: FxHashSet<FunctionId>,
    /// The statement of `main` after which all threads are joined, and how many statements of the program that are.
    all_joined: Option<StmtId>,
    joined: Option<usize>,
    /// Globals that only one thread reaches, whatever the others do.
    private: Vec<GlobalId>,
    body: Body,
}

/// The variables behind keys: how many there are, by key and thread what they hold, and the destructors.
#[derive(Clone, Copy, Debug)]
struct Keys {
    count: GlobalId,
    slots: GlobalId,
    destructors: GlobalId,
}

fn empty_proc(name: &str, span: Span) -> Proc {
    Proc {
        name: name.to_owned(),
        span,
        ..Proc::default()
    }
}

impl Lower for Lowerer<'_> {
    fn making(&mut self) -> Making<'_> {
        Making {
            build: &mut self.build,
            locals: &mut self.body.locals,
            block: &mut self.body.block,
            span: &mut self.body.span,
        }
    }

    fn locals(&self) -> &[Local] {
        &self.body.locals
    }

    fn temporary(&mut self, ty: ir::TypeId) -> LocalId {
        self.local("t", ty, true)
    }
}

impl<'a> Lowerer<'a> {
    fn new(unit: &'a Unit, options: &'a Options) -> Self {
        let exited = Global {
            name: "exited.".to_owned(),
            ty: Types::BOOL,
            hidden: true,
            state_of: None,
            named: false,
            span: Span::default(),
        };
        let mut program = Program {
            globals: vec![exited],
            procs: vec![empty_proc("init", Span::default())],
            own_end: u32::MAX,
            ..Program::empty()
        };
        program.types.dialect = Dialect::C;
        // An expression of the text becomes about one.
        expect(&mut program.exprs, unit.exprs.len());
        Self {
            unit,
            build: Builder::new(program),
            globals: FxHashMap::default(),
            initial: Block::new(),
            versions: FxHashMap::default(),
            work: Vec::new(),
            rests: Vec::new(),
            atomic: vec![false],
            acts: expr::acting(unit),
            exited: GlobalId(0),
            options,
            memory: Memory::new(unit, options.heap, options.heap_reuse),
            arguments_of_main: unit.main.and_then(|main| unit[main].params.get(1).copied()),
            kinds: has_kinds(unit) || options.wanted.has(ErrorKind::Misuse),
            results: None,
            leaving: None,
            counter: None,
            keys: None,
            gone: None,
            watched: FxHashSet::default(),
            cancels: None,
            texts: FxHashMap::default(),
            overlays: FxHashMap::default(),
            sites: FxHashMap::default(),
            extents: FxHashMap::default(),
            frames: FxHashMap::default(),
            refused: Vec::new(),
            lost: FxHashSet::default(),
            used: used::results(unit),
            all_joined: memory::all_joined(unit),
            joined: None,
            private: Vec::new(),
            body: Body::new(Version::new(FunctionId(0), Role::Main, false)),
        }
    }

    /// The statements of all functions that are run.
    fn statements(&mut self) -> Lowered<Statements> {
        let Some(main) = self.unit.main else {
            return Err(Refused {
                span: Span::default(),
                what: Some("a program without `main` is".to_owned()),
            });
        };
        if let Some(early) = self.unit.functions.iter().find(|f| f.constructor) {
            return refuse(early.span, "a constructor is");
        }
        self.threads_have();
        let main = self.version(Version::new(main, Role::Main, false));
        while let Some((version, id)) = self.work.pop() {
            let done = self.function(version, id);
            self.go_on(done)?;
        }
        self.at_the_end();
        self.say_what_is_left_out();
        if let Some(last) = self.refused.pop() {
            return Err(last);
        }
        let mut program =
            std::mem::replace(&mut self.build, Builder::new(Program::empty())).program;
        let off = program.add(ir::ExprKind::Bool(false), Types::BOOL);
        let mut body = std::mem::take(&mut self.initial);
        let exited = Place {
            root: Root::Global(self.exited),
            path: ThinVec::new(),
            ty: Types::BOOL,
        };
        body.push(Stmt {
            kind: StmtKind::Assign(exited, off),
            span: Span::default(),
        });
        program.procs[0].body = body;
        program.main = main;
        program.scope.numbers = self.counter;
        program.types.addresses = self.addresses(&program);
        let sites = self.sites.values();
        let freed = sites.filter_map(|site| Some((site.objects, site.freed?)));
        let gone = freed.chain(self.frames_of_variables());
        Ok(Statements {
            program,
            exited: self.exited,
            atomic: std::mem::take(&mut self.atomic),
            private: std::mem::take(&mut self.private),
            gone: gone.collect(),
            joined: self.joined,
            main: self.unit[self.unit.main.unwrap_or(FunctionId(0))].span,
        })
    }

    /// What a verdict without a bug does not speak of.
    fn say_what_is_left_out(&mut self) {
        self.say_that_variables_end();
        let Some(freed) = self
            .memory
            .freed_before
            .filter(|_| !self.options.heap_reuse)
        else {
            return;
        };
        let what = "memory that was freed is not handed out again (`--heap-reuse`)";
        let unsaid = &mut self.build.program.scope.unsaid;
        unsaid.push((self.unit[freed].span, what.to_owned()));
    }

    /// Where the variables of the program lie, by their names.
    fn addresses(&self, program: &Program) -> Vec<Addresses> {
        let unit = self.unit;
        let name = |object| {
            let global = match object {
                Object::Variable(v) => match self.globals.get(&v) {
                    Some(global) => *global,
                    None => return Some(self.variable_name(v)),
                },
                Object::Heap(site) => self.sites.get(&site)?.objects,
                Object::Text(text) => return Some(quoted(unit, text)),
            };
            Some(program.globals[global.index()].name.clone())
        };
        let all = self.memory.areas().filter_map(|(object, area)| {
            let size = i128::from(area.size);
            let (count, stride) = match area.instances.filter(|_| !area.own) {
                Some((count, stride)) => (Some(count), i128::from(stride)),
                None => (None, size),
            };
            Some(Addresses {
                base: i128::from(area.base),
                count,
                size: (size, stride),
                name: name(object)?,
                shape: self.shape_of(object),
            })
        });
        let functions = (0..).zip(&unit.functions).map(|(id, function)| Addresses {
            base: i128::from(Memory::function_address(FunctionId(id))),
            count: None,
            size: (0, 0),
            name: without_prefix(unit.name(function.name)),
            shape: Shape::Named,
        });
        all.chain(functions).collect()
    }

    fn shape_of(&self, object: Object) -> Shape {
        match object {
            Object::Variable(v) => shape(self.unit, self.unit[v].ty.ty),
            Object::Text(_) => Shape::Named,
            Object::Heap(site) => match self.memory.heap.get(&site) {
                Some(made) if made.len == Some(1) => shape(self.unit, made.ty),
                Some(made) => {
                    let stride = memory::size_of(self.unit, made.ty);
                    Shape::Array(i128::from(stride), Box::new(shape(self.unit, made.ty)))
                }
                None => Shape::Value,
            },
        }
    }

    /// Remembers what is not supported, and looks at the rest.
    fn go_on(&mut self, done: Lowered<()>) -> Lowered<()> {
        let Err(refused) = done else { return Ok(()) };
        if self.refused.len() >= MOST_REFUSED {
            return Err(refused);
        }
        if !self.refused.contains(&refused) {
            self.refused.push(refused);
        }
        Ok(())
    }

    /// A check. An error that is not looked for ends the program, if that is what it does; after any other nothing
    /// is known.
    fn expect(&mut self, kind: ErrorKind, cond: ir::ExprId, what: impl Into<String>) {
        if self.options.wanted.has(kind) {
            self.emit(StmtKind::Check(kind, cond, what.into().into()));
        } else if !self.build.is_true(cond) {
            let outer = std::mem::take(&mut self.body.block);
            if kind == ErrorKind::Assertion {
                self.end_program();
            } else {
                let what = what.into();
                self.unknown(format!(
                    "{what}, which is not what is asked about, and after which nothing is known"
                ));
            }
            let otherwise = std::mem::replace(&mut self.body.block, outer);
            self.emit(StmtKind::If(cond, Block::new(), otherwise));
        }
    }

    /// The procedure of a version of a function, made when it is first asked for.
    fn version(&mut self, version: Version) -> ProcId {
        if let Some(&id) = self.versions.get(&version) {
            return id;
        }
        let function = &self.unit[version.function];
        let procs = &mut self.build.program.procs;
        let id = ProcId::from_index(procs.len());
        procs.push(empty_proc(self.unit.name(function.name), function.span));
        self.atomic.push(version.atomic);
        self.versions.insert(version, id);
        self.work.push((version, id));
        id
    }

    fn function(&mut self, version: Version, id: ProcId) -> Lowered<()> {
        let function = &self.unit[version.function];
        self.build.forget_locals();
        self.body = Body::new(version);
        self.body.span = function.span;
        let Some(body) = function.body else {
            return refuse(function.span, "a function without a body is");
        };
        self.parameters(version)?;
        let params = function.params.len() + self.body.rest.as_ref().map_or(0, Vec::len);
        let params = params as u32 + u32::from(self.counter.is_some());
        self.frame_begins()?;
        if version.role == Role::Main {
            self.main_parameters()?;
        }
        self.result_type(version.role)?;
        let done = self.statement(body);
        self.go_on(done)?;
        self.body.span = function.span;
        self.falls_off()?;
        let done = std::mem::replace(&mut self.body, Body::new(version));
        let proc = &mut self.build.program.procs[id.index()];
        proc.params = if version.role == Role::Main {
            0
        } else {
            params
        };
        proc.locals = done.locals;
        proc.loops = done.loops;
        proc.result = done.result;
        proc.body = done.block;
        // There may be very many small ones.
        proc.locals.shrink_to_fit();
        proc.body.shrink_to_fit();
        Ok(())
    }

    fn parameters(&mut self, version: Version) -> Lowered<()> {
        if version.role == Role::Main {
            if self.counter.is_some() {
                let ty = self.number_type();
                let local = self.local("number", ty, true);
                self.body.number = Some(local);
                let (place, zero) = (self.local_place(local), self.build.int(0, ty));
                self.emit(StmtKind::Assign(place, zero));
            }
            return Ok(());
        }
        if self.counter.is_some() {
            let ty = self.number_type();
            self.body.number = Some(self.local("number", ty, true));
        }
        let unit = self.unit;
        let mut given = Vec::new();
        for &param in &unit[self.body.function].params {
            let ty = self.value_type(unit[param].ty.ty, unit[param].span)?;
            let local = self.local(self.variable_name(param), ty, false);
            given.push((param, local));
        }
        if let Some(rest) = version.rest {
            self.rest_parameters(rest)?;
        }
        for (param, local) in given {
            if self.memory.area(Object::Variable(param)).is_some() {
                let place = self.variable(param, unit[param].span)?;
                let value = self.read_local(local);
                self.emit(StmtKind::Assign(place, value));
            } else {
                self.body.variables.insert(param, local);
            }
        }
        Ok(())
    }

    /// `argc` counts the arguments that were given; the texts to which `argv` points are not read.
    fn main_parameters(&mut self) -> Lowered<()> {
        let unit = self.unit;
        for (index, &param) in unit[self.body.function].params.iter().enumerate() {
            let ty = self.scalar_type(unit[param].ty.ty, unit[param].span)?;
            let count = self.options.args.len() as i128 + 1;
            let value = self.build.int(if index == 0 { count } else { 0 }, ty);
            let place = if self.memory.area(Object::Variable(param)).is_some() && index == 0 {
                self.variable(param, unit[param].span)?
            } else {
                let local = self.local(self.variable_name(param), ty, false);
                self.body.variables.insert(param, local);
                self.local_place(local)
            };
            self.emit(StmtKind::Assign(place, value));
        }
        Ok(())
    }

    /// The variables that threads have, by their numbers or handles.
    fn threads_have(&mut self) {
        let unit = self.unit;
        let cancels = calls(unit, "pthread_cancel").next().is_some();
        if cancels {
            let ty = ir::Type::Map(Types::TASK, Types::BOOL);
            let ty = self.build.program.types.intern(ty);
            let to_end = self.hidden_global("cancelled.", ty);
            self.cancels = Some((to_end, self.hidden_global("uncancelled.", ty)));
        }
        if self.options.wanted.has(ErrorKind::Misuse) {
            let ty = ir::Type::Map(Types::TASK, Types::BOOL);
            let ty = self.build.program.types.intern(ty);
            self.gone = Some(self.hidden_global("gone.", ty));
        }
        let exits = cancels
            || ["pthread_exit", "thrd_exit"]
                .into_iter()
                .any(|name| calls(unit, name).next().is_some());
        let nested = exits && self.memory.exits_in_functions;
        if self.memory.numbered || nested {
            let ty = self.number_type();
            self.counter = Some(self.hidden_global("threads.", ty));
        }
        if nested {
            let types = &mut self.build.program.types;
            let ty = types.intern(ir::Type::Array(self.memory.threads, Types::BOOL));
            let leaving = self.hidden_global("leaving.", ty);
            self.private.push(leaving);
            self.leaving = Some(leaving);
        }
        let mut joins = calls(unit, "pthread_join").chain(calls(unit, "thrd_join"));
        let wanted = joins.any(|args| {
            args.get(1)
                .is_some_and(|&a| unit.constant(a) != Some(0) || self.points_somewhere(a))
        });
        if wanted {
            let pointer = self.pointer_type();
            let ty = ir::Type::Map(Types::TASK, pointer);
            let ty = self.build.program.types.intern(ty);
            self.results = Some(self.hidden_global("results.", ty));
        }
    }

    /// The type of numbers of threads.
    fn number_type(&mut self) -> ir::TypeId {
        let bits = ir::Bits {
            width: 16,
            signed: false,
        };
        self.build.program.types.intern(ir::Type::Bits(bits))
    }

    /// The number of the running thread.
    fn own_number(&mut self, span: Span) -> Lowered<ir::ExprId> {
        match self.body.number {
            Some(local) => Ok(self.read_local(local)),
            None => refuse(span, "a variable of each thread here is"),
        }
    }

    /// A variable that the program does not name; it begins as zero.
    fn hidden_global(&mut self, name: &str, ty: ir::TypeId) -> GlobalId {
        let zero = self.zero(ty);
        self.made_global(name, ty, zero, true)
    }

    /// A variable that the program does not declare.
    fn made_global(
        &mut self,
        name: &str,
        ty: ir::TypeId,
        value: ir::ExprId,
        hidden: bool,
    ) -> GlobalId {
        let global = GlobalId::from_index(self.build.program.globals.len());
        self.build.program.globals.push(Global {
            name: format!("{name}{}", global.0),
            ty,
            hidden,
            state_of: None,
            named: false,
            span: Span::default(),
        });
        let place = self.global_place(global);
        self.initial.push(Stmt {
            kind: StmtKind::Assign(place, value),
            span: Span::default(),
        });
        global
    }

    fn result_type(&mut self, role: Role) -> Lowered<()> {
        if role != Role::Called {
            return Ok(());
        }
        let function = &self.unit[self.body.function];
        let ty = self.unit.types.function(function.ty).map(|f| f.result);
        if let Some(ty) = ty.filter(|&ty| !self.is_void(ty)) {
            self.body.result = Some(self.value_type(ty, function.span)?);
        }
        Ok(())
    }

    fn variable_name(&self, id: VarId) -> String {
        let name = self.unit[id].name;
        name.map_or_else(|| "_".to_owned(), |n| self.unit.name(n).to_owned())
    }

    /// What is emitted meanwhile, apart.
    fn apart<T>(&mut self, act: impl FnOnce(&mut Self) -> Lowered<T>) -> Lowered<(Block, T)> {
        let (block, result) = self.in_block(act);
        Ok((block, result?))
    }

    fn acts(&self, e: ExprId) -> bool {
        self.acts[e.index()]
    }

    fn new_loop(&mut self) -> LoopId {
        self.body.loops += 1;
        LoopId(self.body.loops - 1)
    }

    /// The global of a variable that is in memory: with static storage, or reached by pointers.
    fn global(&mut self, id: VarId) -> Lowered<GlobalId> {
        if let Some(&global) = self.globals.get(&id) {
            return Ok(global);
        }
        let variable = &self.unit[id];
        let lasting = matches!(variable.lifetime, Lifetime::Static | Lifetime::Thread);
        if variable.external && variable.init.is_none() {
            return refuse(variable.span, "a variable that is defined elsewhere is");
        }
        self.not_open(variable.ty.ty, variable.span)?;
        let mut ty = self.object_type(variable.ty.ty, variable.span)?;
        let init = variable.init.filter(|_| lasting);
        let mut value = self.constant(init, variable.ty.ty, variable.span)?;
        if self.per_thread(id) {
            let all = ir::Type::Array(self.memory.threads, ty);
            ty = self.build.program.types.intern(all);
            value = self.build.add(ir::ExprKind::Fill(value), ty);
        }
        let global = GlobalId::from_index(self.build.program.globals.len());
        let name = self.global_name(id, global);
        self.build.program.globals.push(Global {
            named: name == self.variable_name(id),
            name,
            ty,
            hidden: false,
            state_of: None,
            span: variable.span,
        });
        self.globals.insert(id, global);
        let area = self.memory.area(Object::Variable(id));
        let alone = variable.lifetime == Lifetime::Thread && area.is_none();
        if alone || area.is_some_and(|a| a.private) {
            self.private.push(global);
        }
        let place = self.global_place(global);
        self.initial.push(Stmt {
            kind: StmtKind::Assign(place, value),
            span: variable.span,
        });
        Ok(global)
    }

    /// A name that no other global has.
    fn global_name(&self, id: VarId, global: GlobalId) -> String {
        let variable = &self.unit[id];
        let mut name = self.variable_name(id);
        if !matches!(variable.lifetime, Lifetime::Static)
            && let Some(function) = variable.function
        {
            name = format!("{}.{name}", self.unit.name(self.unit[function].name));
        }
        let taken = |n: &str| self.build.program.globals.iter().any(|g| g.name == n);
        if taken(&name) {
            name = format!("{name}'{}", global.0);
        }
        name
    }
}

/// The arguments of each call of a function by its name.
fn calls<'u>(unit: &'u Unit, name: &'u str) -> impl Iterator<Item = &'u [ExprId]> {
    unit.exprs.iter().filter_map(move |e| match &e.kind {
        ExprKind::Call(Callee::Direct(function), args)
            if unit.name(unit[*function].name) == name =>
        {
            Some(&*unit[*args])
        }
        _ => None,
    })
}

/// Whether some mutex may be of another kind than the normal one.
fn has_kinds(unit: &Unit) -> bool {
    fn zero(unit: &Unit, init: InitId) -> bool {
        match &unit[init] {
            Init::Value(e) => unit.constant(*e) == Some(0),
            Init::Text(_) => true,
            Init::Parts(parts) => parts.iter().all(|p| zero(unit, p.init)),
        }
    }
    let special = |v: &super::typed::Variable| {
        let mut ty = v.ty.ty;
        while let Some(element) = unit.types.element(ty) {
            ty = element.ty;
        }
        let mutex = unit.types.library(ty) == Some(Library::Mutex);
        mutex && v.init.is_some_and(|init| !zero(unit, init))
    };
    let recursive = |args: &[ExprId]| {
        args.get(1)
            .is_some_and(|&kind| unit.constant(kind) != Some(0))
    };
    calls(unit, "pthread_mutexattr_settype").next().is_some()
        || calls(unit, "mtx_init").any(recursive)
        || unit.variables.iter().any(special)
}

impl Body {
    fn new(version: Version) -> Self {
        let Version {
            function,
            role,
            atomic,
            ..
        } = version;
        Self {
            function,
            role,
            atomic,
            locals: Vec::new(),
            variables: FxHashMap::default(),
            loops: 0,
            block: Block::new(),
            span: Span::default(),
            targets: Targets::default(),
            entries: Vec::new(),
            result: None,
            section: None,
            rest: None,
            number: None,
            handlers: Vec::new(),
        }
    }
}

fn refuse<T>(span: Span, what: impl Into<String>) -> Lowered<T> {
    Err(Refused {
        span,
        what: Some(what.into()),
    })
}

/// The name of a function as the program knows it.
fn without_prefix(name: &str) -> String {
    name.strip_prefix(memory::BY_POINTER)
        .unwrap_or(name)
        .to_owned()
}

/// What an object of a type is made of, for people who read addresses.
fn shape(unit: &Unit, ty: TypeId) -> Shape {
    if unit.types.library(ty).is_some() {
        return Shape::Value;
    }
    if let Some(element) = unit.types.element(ty) {
        let stride = memory::size_of(unit, element.ty);
        return Shape::Array(i128::from(stride), Box::new(shape(unit, element.ty)));
    }
    let record = unit.types.record(ty).map(|r| &unit.types[r]);
    let Some(fields) = record
        .filter(|r| !r.is_union)
        .and_then(|r| r.fields.as_ref())
    else {
        return Shape::Value;
    };
    let named = fields.iter().filter_map(|f| {
        let name = unit.name(f.name?.symbol).to_owned();
        Some((i128::from(f.offset), name, shape(unit, f.ty.ty)))
    });
    Shape::Record(named.collect())
}

/// A string as a program writes it, not more than its begin.
fn quoted(unit: &Unit, text: TextId) -> String {
    const SHOWN: usize = 24;
    let values = &unit[text].values;
    let all = values.iter().take(SHOWN).map(|&c| char::from_u32(c));
    let all: String = all.map(|c| c.unwrap_or('?')).collect();
    let more = if values.len() > SHOWN { "..." } else { "" };
    format!("{:?}", all + more)
}
