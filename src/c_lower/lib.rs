//! From the typed tree to the program that engines read.
//!
//! A construct that cannot be lowered exactly is refused at its line: a wrong verdict is worse than none. Each statement
//! that lowering makes touches shared memory at most once: so the [pass](ir::passes::points) can put a point before every access.
//!
//! | where | what it is |
//! |---|---|
//! | `types` | types, zeros and constant initial values |
//! | `place`, `leads`, `address`, `access` | variables and their parts, where pointers lead, addresses, reading and writing |
//! | `expr`, `condition`, `effect`, `copy`, `update` | values, conditions, effects, structures, assignments, atomic operations |
//! | `stmt`, `branch`, `cases`, `jump`, `section` | control flow, atomic sections |
//! | `version`, `globals`, `addresses` | functions, variables in memory, names of addresses in traces |
//! | `complaints` | refusals and warnings |
//! | `call`, `library` | calls, threads, mutexes, semaphores, functions of verifiers |
//! | `floats` | floating numbers, where they decide something |
//! | `handle` | handles of threads as numbers |
//! | `unset` | locals that may be read before they are set; memory without a value |
//! | `variadic` | arguments that a function does not name |
//! | `heap`, `freed`, `again`, `filled` | allocations, `free`, memory that is handed out again, strings |
//! | `overlay`, `seen`, `spread` | unions and bit-fields: their bytes; how their parts are read, written and initialised |
//! | `view` | bytes of an object that are seen as another type |
//! | `lifetime` | variables of functions that have returned |

mod access;
mod address;
mod addresses;
mod again;
mod branch;
mod call;
mod complaints;
mod condition;
mod copy;
mod effect;
mod expr;
mod filled;
mod floats;
mod freed;
mod globals;
mod handle;
mod heap;
mod jump;
mod leads;
mod library;
mod lifetime;
mod overlay;
mod place;
mod section;
mod seen;
mod spread;
mod stmt;
mod types;
mod unbounded;
mod unset;
mod update;
mod variadic;
mod version;
mod view;

use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use thin_vec::ThinVec;

use base::diagnostic::Diagnostic;
use base::memory::expect;
use base::source::{SourceMap, Span};
use c::Options;
use c::labels::Labels;
use c::typed::{
    Callee, ExprId, ExprKind, FunctionId, Init, InitId, LabelId, StmtId, TextId, Unit, VarId,
};
use c::types::{Library, RecordId, TypeId};
use c_memory::{Memory, Object, calls};
use complaints::{complaints, missing_label, nowhere, without_arguments, wrong_stub};
use ir::lower::build::Builder;
use ir::lower::{Lower, Making};
use ir::passes;
use ir::passes::points::exclusive::{self, Section};
use ir::passes::points::{threads, threads::Known};
use ir::{
    Behind, Block, Dialect, ErrorKind, Global, GlobalId, Local, LocalId, LoopId, Order, Place,
    Proc, ProcId, Program, Root, Stmt, StmtKind, Types, validate, walk,
};

/// What is not supported, and where.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Refused {
    span: Span,
    /// `None` if the refusal only follows from an earlier one.
    what: Option<String>,
}

/// How many refusals are collected at most: nobody repairs more at a time.
const MOST_REFUSED: usize = 20;

type Lowered<T> = Result<T, Refused>;

/// Reads the files of the map as one program, and lowers it.
pub fn compile(sources: &mut SourceMap, options: &Options) -> (Option<Program>, Vec<Diagnostic>) {
    let mut checked = c::read(sources, options);
    let lowered = (checked.unit.take()).map(|unit| lower(unit, options, sources));
    match lowered {
        None => (None, checked.diagnostics),
        Some(Ok((mut program, warnings))) => {
            name_by_files(&mut program, sources);
            name_by_lines(&mut program, sources);
            library_is_whole(&mut program, sources);
            program.quotes.set_sources(sources);
            checked.diagnostics.extend(warnings);
            (Some(program), checked.diagnostics)
        }
        Some(Err(refused)) => {
            checked.diagnostics.extend(refused);
            (None, checked.diagnostics)
        }
    }
}

/// Lets atomic sections of our own headers order threads as locks do: they stand for locks of the library, which C11 knows.
fn library_is_whole(program: &mut Program, sources: &SourceMap) {
    for proc in &mut program.procs {
        walk::each_mut(&mut proc.body, &mut |stmt| {
            if let StmtKind::Atomic(order, _) = &mut stmt.kind
                && order.is_foreign()
                && !sources.is_users(stmt.span)
            {
                *order = Order::Whole;
            }
        });
    }
}

/// Names the objects of each allocation after its line: `malloc@7`.
fn name_by_lines(program: &mut Program, sources: &SourceMap) {
    for at in 0..program.globals.len() {
        let own = &program.globals[at];
        if own.named || !sources.is_users(own.span) || !own.name.starts_with("malloc.") {
            continue;
        }
        let Some(place) = sources.locate(own.span) else {
            continue;
        };
        let mut name = format!("malloc@{}", place.line);
        if program.globals.iter().any(|g| g.name == name) {
            name = format!("malloc@{}:{}", place.line, place.column);
        }
        if program.globals.iter().any(|g| g.name == name) {
            continue;
        }
        let old = std::mem::replace(&mut program.globals[at].name, name.clone());
        let shown = program.types.addresses.iter_mut();
        for address in shown.filter(|address| address.name == old) {
            address.name.clone_from(&name);
        }
    }
}

/// Puts the file before the name of a variable if another variable has the same name: `a.c:x`.
fn name_by_files(program: &mut Program, sources: &SourceMap) {
    for at in 0..program.globals.len() {
        let own = &program.globals[at];
        let Some((name, _)) = own.name.split_once('\'').filter(|_| !own.hidden) else {
            continue;
        };
        let file = sources
            .file_of(own.span.start)
            .map(|f| f.name.rsplit('/').next());
        let Some(file) = file.flatten() else { continue };
        let name = format!("{file}:{name}");
        if !program.globals.iter().any(|g| g.name == name) {
            program.globals[at].name = name;
        }
    }
}

/// Lowers a program, or says what is not supported in it.
///
/// # Errors
/// What is not supported, in the order of the text.
pub fn lower(
    mut unit: Unit,
    options: &Options,
    sources: &SourceMap,
) -> Result<(Program, Vec<Diagnostic>), Vec<Diagnostic>> {
    if unit.main.is_none() {
        let at = sources.files().first().map_or(0, |file| file.start);
        let said = Diagnostic::error("c-main", Span::new(at, at), "no file has a function `main`");
        return Err(vec![said.note("give the file that defines it, too")]);
    }
    if let Some(missing) = missing_label(&unit, options) {
        return Err(vec![missing]);
    }
    if !options.strict {
        unit.stretched = c_memory::stretched(&unit);
    }
    c::cleanup::call_cleanups(&mut unit);
    c::computed_goto::name_destinations(&mut unit);
    c_memory::settle_sizes(&mut unit);
    let is_called = |name: &&str| calls(&unit, name).next().is_some();
    let pushes_back = is_called(&"ungetc");
    let counts = ["eventfd", "timerfd_create"].iter().any(is_called);
    let has_pipes = counts || ["pipe", "pipe2"].iter().any(is_called);
    let watches = is_called(&"epoll_ctl");
    unit.blocks_signals = c_memory::blocks_signals(&unit);
    (unit.pushes_back, unit.has_counters) = (pushes_back, counts);
    (unit.has_pipes, unit.watches) = (has_pipes, watches);
    if let Some(wrong) = wrong_stub(&unit, options) {
        return Err(vec![wrong]);
    }
    let warnings = without_arguments(&unit, options);
    c_memory::give_arguments(&mut unit, options);
    c_memory::add_wrappers(&mut unit);
    c_memory::specialise(&mut unit);
    c_memory::without_leaps(&mut unit);
    c::cases::spread_cases(&mut unit);
    let mut lowerer = Lowerer::new(&unit, options);
    let mut lowered = lowerer.statements();
    if lowered.is_err()
        && let Some(at) = lowerer.wants_exclusive
    {
        lowerer = Lowerer::new(&unit, options);
        lowerer.with_exclusive_sections(at);
        lowered = lowerer.statements();
    }
    let lowered = lowered.map_err(|last| {
        let mut all = lowerer.refused;
        all.push(last);
        let mut all = complaints(all);
        all.extend((lowerer.missing.iter()).map(|&f| nowhere(&unit, f, sources)));
        all.sort_by_key(|d| d.span);
        all
    })?;
    // Frees the tree, which is as large as the lowered program.
    drop(unit);
    let mut program = lowered
        .finish(options)
        .map_err(|last| complaints(vec![last]))?;
    program.scope.lacks_arguments = !warnings.is_empty();
    Ok((program, warnings))
}

/// Where a `break`, a `continue` and a `goto` lead.
#[derive(Clone, Debug, Default)]
struct Targets {
    on_break: Option<LoopId>,
    /// The loop, and whether `continue` leaves it: then it holds only the body, and the rest of the turn stands after it.
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
    /// Labels within statements to which jumps lead from outside, each with the local that is true after such a jump.
    entries: Vec<(LabelId, LocalId)>,
    result: Option<ir::TypeId>,
    /// The atomic section that is being lowered, if it is a single step.
    section: Option<section::OneStep>,
    /// The arguments that the function does not name, if it reads them.
    rest: Option<variadic::Rest<LocalId>>,
    /// The number of the running thread.
    number: Option<LocalId>,
    /// The number of the instance that a call of a recursive function has of its variables in memory.
    frame: Option<LocalId>,
    /// The handlers that run if the thread ends here, the innermost last.
    handlers: Vec<library::Handler>,
    /// Whether destructors are being called. Their calls do not end the thread once more.
    ends: bool,
    /// The variable whose initialiser is being computed. An initialiser that reads it there gets any value.
    begins: Option<VarId>,
}

/// The use of a function: as `main`, as the start of a thread, or called.
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
    /// The types of the arguments that the function does not name, if it reads them.
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

/// A program without preemption points, and facts for the passes behind lowering.
struct Statements {
    program: Program,
    exited: GlobalId,
    exclusive: Option<Section>,
    /// By procedure: whether it only runs as part of a step.
    atomic: Vec<bool>,
    /// Globals that only one thread reaches, whatever the others do.
    private: Vec<GlobalId>,
    /// Objects, each with the global that says that the object is gone.
    gone: Vec<(GlobalId, GlobalId)>,
    /// The number of statements of `main`'s procedure after which all threads are joined.
    joined: Option<usize>,
    /// Where `main` stands.
    main: Span,
}

impl Statements {
    /// Runs the passes, sets the scope and validates: engines take the result.
    fn finish(self, options: &Options) -> Lowered<Program> {
        let mut program = self.program;
        // If the user asks about leaks, it matters where within a step the program ends.
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
        if let Some(section) = self.exclusive {
            let (ended, atomic) = (self.exited, &self.atomic);
            let pass = |p: &mut Program| exclusive::keep(p, section, ended, atomic);
            passes::run("exclusive", &mut program, pass);
        }
        program.scope.deadlocks = options.wanted.has(ErrorKind::Deadlock);
        program.scope.races = options.wanted.has(ErrorKind::Race) && self.exclusive.is_none();
        if !options.wanted.has(ErrorKind::Deref) {
            program.scope.gone.clear();
        }
        program.scope.ended = Some(self.exited);
        program.scope.only = options.wanted.only.iter().map(|p| p.name()).collect();
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
    labels: Labels,
    build: Builder,
    globals: FxHashMap<VarId, GlobalId>,
    initial: Block,
    versions: FxHashMap<Version, ProcId>,
    work: Vec<(Version, ProcId)>,
    /// Lists of the types of unnamed arguments, by [`variadic::RestId`].
    rests: Vec<Vec<TypeId>>,
    /// By procedure: whether it only runs as part of a step.
    atomic: Vec<bool>,
    /// Whether floating numbers are computed.
    doubles: bool,
    /// By expression of the tree: whether it does more than give a value.
    acts: Vec<bool>,
    exited: GlobalId,
    /// The globals of atomic sections that are no single steps. `wants_exclusive` is where the program needs such a section.
    exclusive: Option<Section>,
    wants_exclusive: Option<Span>,
    options: &'a Options,
    memory: Memory,
    /// The parameter `argv`, unless [`given`] has replaced it: its texts are not read.
    arguments_of_main: Option<VarId>,
    /// Whether some mutex may be of another kind than the normal one.
    kinds: bool,
    /// By handle: the result of the thread, if some join wants results.
    results: Option<GlobalId>,
    /// By the number of a thread: whether it has called `pthread_exit` in a called function.
    leaving: Option<GlobalId>,
    /// By handle the thread's number, and by number the handle, if handles are used as numbers.
    handles: Option<(GlobalId, GlobalId)>,
    /// The number that the last thread got, if threads have numbers.
    counter: Option<GlobalId>,
    keys: Option<Keys>,
    /// The number of the process, if the program asks for it.
    process: Option<GlobalId>,
    /// By handle: the state of the thread (held, joined, detached and so on), if something reads it.
    gone: Option<GlobalId>,
    /// Whether the program uses a result of `pthread_detach`.
    detach_tells: bool,
    /// Types of objects of the library that carry their state.
    watched: FxHashSet<ir::TypeId>,
    /// Two arrays with an element for each thread. The first says whether the program has cancelled the thread, the second whether the
    /// thread has disabled cancellation. `None` if the program cancels no thread.
    cancels: Option<(GlobalId, GlobalId)>,
    /// By handle: whether a cancelled thread ends before its next statement. `None` if no thread asks for that.
    asynchronous: Option<GlobalId>,
    /// What threads block, what waits for them, and what is open. `None` if the program blocks no signals.
    signals: Option<[GlobalId; 3]>,
    texts: FxHashMap<TextId, GlobalId>,
    /// By record: its cells, if several of its parts share bytes.
    overlays: FxHashMap<RecordId, Option<Rc<overlay::Overlay>>>,
    sites: FxHashMap<ExprId, heap::Site>,
    /// The answers of `has_part`: by object, type, and whether bytes may be seen as the type.
    parts_known: FxHashMap<(Object, TypeId, bool), bool>,
    /// Bytes that are seen as another type.
    views: Vec<view::View>,
    /// Whether the program looks at bytes between members, and the global that is true where it fills such bytes.
    gaps: (bool, Option<GlobalId>),
    /// The globals for memory beyond the bounds, if a proof may look at it.
    beyond: Option<unbounded::Beyond>,
    /// By array of variable length: how many bytes it has.
    extents: FxHashMap<VarId, GlobalId>,
    /// By frame whose variables pointers may outlive: the global that says whether the frame is gone.
    frames: FxHashMap<lifetime::Frame, GlobalId>,
    /// What was refused so far. Lowering goes on with the rest of the program.
    refused: Vec<Refused>,
    /// Functions that are called and that no file defines.
    missing: BTreeSet<FunctionId>,
    /// Variables whose declarations were refused.
    lost: FxHashSet<VarId>,
    /// Functions whose results the program uses.
    used: FxHashSet<FunctionId>,
    /// The statement of `main` after which all threads are joined; `joined` counts the statements of the program up to there.
    all_joined: Option<StmtId>,
    joined: Option<usize>,
    /// Globals that only one thread reaches, whatever the others do.
    private: Vec<GlobalId>,
    body: Body,
    writing: library::Writing,
}

/// The globals behind at most `most` keys: how many there are, their values by thread and key, and their destructors by key.
#[derive(Clone, Copy, Debug)]
struct Keys {
    most: u32,
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

/// A program with nothing but the global that says whether it has ended.
fn begun(unit: &Unit) -> Program {
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
    // Each expression of the text becomes about one expression.
    expect(&mut program.exprs, unit.exprs.len());
    program
}

impl<'a> Lowerer<'a> {
    fn new(unit: &'a Unit, options: &'a Options) -> Self {
        let memory = Memory::new(unit, options.heap, options.heap_reuse);
        Self {
            unit,
            labels: Labels::new(unit),
            build: Builder::new(begun(unit)),
            globals: FxHashMap::default(),
            initial: Block::new(),
            versions: FxHashMap::default(),
            work: Vec::new(),
            rests: Vec::new(),
            atomic: vec![false],
            doubles: memory.floats_decide,
            acts: expr::acting(unit),
            exited: GlobalId(0),
            exclusive: None,
            wants_exclusive: None,
            options,
            arguments_of_main: unit.main.and_then(|main| unit[main].params.get(1).copied()),
            kinds: has_kinds(unit) || options.wanted.has(ErrorKind::Misuse),
            results: None,
            leaving: None,
            handles: None,
            counter: None,
            keys: None,
            process: None,
            gone: None,
            detach_tells: false,
            watched: FxHashSet::default(),
            cancels: None,
            asynchronous: None,
            signals: None,
            texts: FxHashMap::default(),
            overlays: FxHashMap::default(),
            sites: FxHashMap::default(),
            parts_known: FxHashMap::default(),
            views: Vec::new(),
            gaps: (false, None),
            beyond: None,
            extents: FxHashMap::default(),
            frames: FxHashMap::default(),
            refused: Vec::new(),
            missing: BTreeSet::new(),
            lost: FxHashSet::default(),
            used: c_memory::used(unit, &memory.dropped),
            memory,
            all_joined: c_memory::all_joined(unit),
            joined: None,
            private: Vec::new(),
            body: Body::new(Version::new(FunctionId(0), Role::Main, false)),
            writing: library::Writing::default(),
        }
    }

    /// Lowers all functions that are run.
    fn statements(&mut self) -> Lowered<Statements> {
        let Some(main) = self.unit.main else {
            let (span, what) = (Span::default(), None);
            return Err(Refused { span, what });
        };
        self.threads_have();
        let main = self.version(Version::new(main, Role::Main, false));
        while let Some((version, id)) = self.work.pop() {
            let done = self.function(version, id);
            self.go_on(done)?;
        }
        self.at_the_end();
        if let (true, Some(seen)) = self.gaps {
            let (place, yes) = (self.global_place(seen), self.build.bool(true));
            let (kind, span) = (StmtKind::Assign(place, yes), Span::default());
            self.initial.push(Stmt { kind, span });
        }
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
        program.scope.counters = self.sites.values().map(|site| site.counter).collect();
        program.scope.counters.sort();
        program.types.addresses = self.addresses(&program);
        let sites = self.sites.values();
        let freed = sites.filter_map(|site| Some((site.objects, site.freed?)));
        program.scope.freed = freed.collect();
        program.scope.freed.sort();
        let freed = program.scope.freed.iter().copied();
        let gone = freed.chain(self.frames_of_variables()).collect();
        Ok(Statements {
            program,
            exited: self.exited,
            exclusive: self.exclusive,
            atomic: std::mem::take(&mut self.atomic),
            private: std::mem::take(&mut self.private),
            gone,
            joined: self.joined,
            main: self.unit[self.unit.main.unwrap_or(FunctionId(0))].span,
        })
    }

    /// Notes the arrays of one element that take the length of their allocation.
    fn say_what_is_longer(&mut self) {
        let unit = self.unit;
        for &id in &unit.stretched {
            let last = unit.types[id].fields.as_deref().and_then(<[_]>::last);
            let Some(last) = last else { continue };
            let what = "this array is taken for one that is as long as was allocated (`--strict`: of one element)";
            let unsaid = &mut self.build.program.scope.unsaid;
            unsaid.push((last.span, what.to_owned()));
        }
    }

    /// Notes what a verdict without a bug leaves out.
    fn say_what_is_left_out(&mut self) {
        self.say_that_variables_end();
        self.say_what_is_longer();
        if let Some(variable) = self.unit.open_after_jump {
            let (at, name) = (self.unit[variable].span, self.variable_name(variable));
            let what = format!(
                "`{name}` keeps its value at a `longjmp`; C leaves it open, since it is not `volatile`"
            );
            self.build.program.scope.unsaid.push((at, what));
        }
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

    /// Remembers a refusal and goes on, unless there are too many.
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

    /// Emits a check that always fails: no execution may come here.
    fn never(&mut self, kind: ErrorKind, what: impl Into<String>) {
        let never = self.build.bool(false);
        self.expect(kind, never, what);
    }

    /// Emits a check. If errors of this kind are not looked for, a failed assertion ends the program, and executions end
    /// where any other check fails: nothing is known behind it.
    fn expect(&mut self, kind: ErrorKind, cond: ir::ExprId, what: impl Into<String>) {
        if self.options.wanted.has(kind) {
            self.emit(StmtKind::Check(kind, cond, what.into().into()));
        } else if !self.build.is_true(cond) {
            self.unless(cond, |l| {
                if kind == ErrorKind::Assertion {
                    return l.end_program();
                }
                let what = what.into();
                let why = format!(
                    "{what}, which is not what is asked about, and after which nothing is known"
                );
                l.unknown_if(why, Behind::Error);
            });
        }
    }

    /// Returns what `act` emits as a block of its own.
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
}

/// Whether the program uses the result of some call of a function.
fn result_used(unit: &Unit, name: &str) -> bool {
    let called = |e: ExprId| match unit[e].kind {
        ExprKind::Call(Callee::Direct(function), _) => unit.name(unit[function].name) == name,
        _ => false,
    };
    let dropped = unit.stmts.iter().filter(|s| match s.kind {
        c::typed::StmtKind::Expr(e) => {
            called(e) || matches!(unit[e].kind, ExprKind::Convert(_, inner) if called(inner))
        }
        _ => false,
    });
    calls(unit, name).count() > dropped.count()
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
    fn special(unit: &Unit, ty: TypeId, init: InitId) -> bool {
        if unit.types.library(ty) == Some(Library::Mutex) {
            return !zero(unit, init);
        }
        let Init::Parts(parts) = &unit[init] else {
            return false;
        };
        let member = |at| {
            let record = unit.types.record(ty)?;
            unit.types.member_at(record, u32::try_from(at).ok()?)
        };
        parts.iter().any(|part| {
            let own = unit.types.element(ty).map(|element| element.ty);
            let own = own.or_else(|| Some(member(part.at)?.ty.ty));
            own.is_some_and(|own| special(unit, own, part.init))
        })
    }
    let recursive = |args: &[ExprId]| {
        args.get(1)
            .is_some_and(|&kind| unit.constant(kind) != Some(0))
    };
    calls(unit, "pthread_mutexattr_settype").next().is_some()
        || calls(unit, "mtx_init").any(recursive)
        || (unit.variables.iter()).any(|v| v.init.is_some_and(|init| special(unit, v.ty.ty, init)))
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
            frame: None,
            handlers: Vec::new(),
            ends: false,
            begins: None,
        }
    }
}

fn refuse<T>(span: Span, what: impl Into<String>) -> Lowered<T> {
    Err(Refused {
        span,
        what: Some(what.into()),
    })
}
