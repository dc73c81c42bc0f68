//! The variables of the sequential program, by the names that the paper gives them.

use rustc_hash::{FxHashMap, FxHashSet};

use base::source::Span;
use ir::walk;
use ir::{
    ExprId, ExprKind, Global, GlobalId, Place, Program, RecordType, Root, Step, Type, TypeId, Types,
};

use super::effects::Effects;
use super::needs::Needs;
use ir::edit::Editor;

/// Which flags the program needs, because data flow could not decide (see [`super::flow`]).
#[derive(Clone, Copy, Default)]
pub struct Flags {
    /// The flag that says whether the running segment has announced its end.
    pub posted: bool,
    /// The flag that says whether it has done something visible.
    pub visible: bool,
}

/// The fields of the record of globals that the original program does not have.
#[derive(Clone, Copy, Default)]
pub struct Own {
    /// The field that says which tasks have finished.
    pub done: Option<u32>,
    /// The field that says whether a check has failed.
    pub failed: Option<u32>,
}

/// The variables of programs in which tasks can wait (see [`super::waiting`]).
#[derive(Clone, Copy)]
pub struct Waiting {
    /// Whether a task ran in the last round or was delayed in it; only where more rounds may be needed than there are.
    pub moved: Option<GlobalId>,
    /// Whether a task would have had to be dispatched after the last round.
    pub cut: GlobalId,
}

impl Waiting {
    pub fn all(self) -> impl Iterator<Item = GlobalId> {
        self.moved.into_iter().chain([self.cut])
    }
}

/// The variables of the sequential program. What is not needed is `None`.
#[derive(Default)]
pub struct Vocabulary {
    /// `g`: what the running segment sees.
    pub g: Option<GlobalId>,
    /// `Gbar[k]`, or `Gbar` where there is only one round.
    pub gbar: Option<GlobalId>,
    /// dfs: the guessed end of the running segment; rdfs: the guessed start of it.
    pub guess: Option<GlobalId>,
    /// The delays that may still be spent.
    pub k_delay: Option<GlobalId>,
    /// The round of the running segment.
    pub k_round: Option<GlobalId>,
    /// The handle of the running task.
    pub own_handle: Option<GlobalId>,
    /// How many handles have been given out.
    pub last_task: Option<GlobalId>,
    /// The flag for [`Flags::posted`].
    pub posted: Option<GlobalId>,
    /// The flag for [`Flags::visible`].
    pub visible: Option<GlobalId>,
    /// The variables of programs in which tasks can wait.
    pub waiting: Option<Waiting>,
    /// The fields that the original program does not have.
    pub own: Own,
    pub handle: Option<TypeId>,
    /// Where each global of the original program is now.
    pub places: Vec<Place>,
    /// What each global of the sequential program is for; may be empty.
    pub docs: Vec<String>,
}

impl Vocabulary {
    /// `g`, where there is shared state.
    pub fn state(&self) -> GlobalId {
        self.g.expect("asked for only where tasks share state")
    }

    /// The element of `Gbar` for the current round.
    pub fn gbar_now(&self, out: &mut Editor) -> Option<Place> {
        let gbar = out.place(self.gbar?);
        let Some(k_round) = self.k_round else {
            return Some(gbar);
        };
        let round = out.global(k_round);
        Some(out.part(gbar, Step::Index(round)))
    }

    /// The element of `Gbar` for a given round.
    pub fn gbar_at(&self, out: &mut Editor, round: u32) -> Option<Place> {
        let gbar = out.place(self.gbar?);
        if self.k_round.is_none() {
            return Some(gbar);
        }
        let round = out.int(round);
        Some(out.part(gbar, Step::Index(round)))
    }

    /// The current round; 0 where there is only one.
    pub fn round(&self, out: &mut Editor) -> ExprId {
        match self.k_round {
            Some(k_round) => out.global(k_round),
            None => out.int(0),
        }
    }

    /// Whether a check has failed, so that nothing happens any more.
    pub fn failed(&self, out: &mut Editor) -> ExprId {
        match self.failed_place(out) {
            Some(failed) => out.read(&failed, &[]),
            None => out.bool(false),
        }
    }

    /// The place that says whether a check has failed, if one can fail.
    pub fn failed_place(&self, out: &mut Editor) -> Option<Place> {
        let g = out.place(self.g?);
        Some(out.part(g, Step::Field(self.own.failed?)))
    }
}

/// The types and expressions of the original program, translated.
pub struct Translated {
    pub types: Vec<TypeId>,
    pub exprs: Vec<ExprId>,
}

/// The facts that decide which variables are declared.
pub struct Plan<'a> {
    pub program: &'a Program,
    pub effects: &'a Effects,
    pub needs: &'a Needs,
    /// The fields that are added to the record of globals.
    pub own: Own,
    /// The flags that it needs.
    pub flags: Flags,
    pub delays: u32,
    /// How many rounds there are.
    pub rounds: u32,
    /// Whether only a deadlock needs more rounds.
    pub enough: bool,
    /// Depth-first, children in reverse order.
    pub reverse: bool,
    /// Whether ends of segments are guessed anywhere (starts, for `reverse`).
    pub guesses: bool,
}

/// Declares the variables and translates types and expressions.
pub fn declare(plan: &Plan, out: &mut Editor) -> (Vocabulary, Translated) {
    let handle = handle_type(plan, &mut out.program.types);
    let mut maker = Maker {
        plan,
        out,
        handle,
        names: taken_names(plan),
        memo: FxHashMap::default(),
    };
    let types: Vec<_> = (0u32..)
        .map(TypeId)
        .take(plan.program.types.iter().count())
        .map(|t| maker.ty(t))
        .collect();
    let mut vocabulary = Vocabulary {
        handle: Some(handle),
        own: plan.own,
        ..Vocabulary::default()
    };
    maker.state(&mut vocabulary);
    maker.control(&mut vocabulary);
    let exprs = exprs(plan, &types, &vocabulary, maker.out);
    (vocabulary, Translated { types, exprs })
}

/// Handles are numbers here. The numbering is by order of calls and not, as in the original, by order of posts; a
/// program can only compare handles, so it cannot tell.
fn handle_type(plan: &Plan, types: &mut Types) -> TypeId {
    match plan.needs.tasks {
        Some(n) => types.intern(Type::Range(0, i128::from(n))),
        None => Types::INT,
    }
}

/// The names that variables of our own must not have. Globals that become fields of the record do not count.
fn taken_names(plan: &Plan) -> FxHashSet<String> {
    let ids = (0u32..).map(GlobalId).zip(&plan.program.globals);
    let kept = ids.filter(|&(id, _)| plan.effects.field(id).is_none());
    let mut names: FxHashSet<String> = kept.map(|(_, global)| global.name.clone()).collect();
    for (_, ty) in plan.program.types.iter() {
        match ty {
            Type::Enum(e) => names.extend(e.members.iter().cloned().chain([e.name.clone()])),
            Type::Record(r) => names.extend([r.name.clone()]),
            _ => {}
        }
    }
    names
}

struct Maker<'a, 'p> {
    plan: &'a Plan<'p>,
    out: &'a mut Editor,
    handle: TypeId,
    names: FxHashSet<String>,
    memo: FxHashMap<TypeId, TypeId>,
}

impl Maker<'_, '_> {
    /// A type with numbers in the place of handles. Types are not recursive, and an inner type is interned first.
    fn ty(&mut self, ty: TypeId) -> TypeId {
        if let Some(&known) = self.memo.get(&ty) {
            return known;
        }
        let new = match self.plan.program.types.get(ty).clone() {
            Type::Task => self.handle,
            Type::Array(len, element) => Type::Array(len, self.ty(element)).pipe(self.out),
            Type::Map(key, element) => Type::Map(self.ty(key), self.ty(element)).pipe(self.out),
            Type::Record(record) => {
                let fields = record
                    .fields
                    .iter()
                    .map(|(n, t)| (n.clone(), self.ty(*t)))
                    .collect();
                Type::Record(RecordType {
                    name: record.name,
                    fields,
                })
                .pipe(self.out)
            }
            _ => ty,
        };
        self.memo.insert(ty, new);
        new
    }

    fn fresh(&mut self, base: &str) -> String {
        let numbered = (1u32..).map(|i| format!("{base}_{i}"));
        let free = std::iter::once(base.to_owned())
            .chain(numbered)
            .find(|name| !self.names.contains(name));
        let name = free.expect("there are more names than any program has");
        self.names.insert(name.clone());
        name
    }

    fn global(&mut self, name: String, ty: TypeId, hidden: bool, span: Span) -> GlobalId {
        let globals = &mut self.out.program.globals;
        let id = GlobalId::from_index(globals.len());
        globals.push(Global {
            name,
            ty,
            hidden,
            state_of: None,
            named: false,
            span,
        });
        id
    }

    /// Declares a variable of our own.
    fn own(
        &mut self,
        v: &mut Vocabulary,
        name: &str,
        ty: TypeId,
        doc: impl Into<String>,
    ) -> Option<GlobalId> {
        let name = self.fresh(name);
        v.docs.push(doc.into());
        Some(self.global(name, ty, true, Span::default()))
    }

    /// The globals: fields of `g`, or variables as they were.
    fn state(&mut self, v: &mut Vocabulary) {
        let mut fields: Vec<_> = self
            .plan
            .effects
            .shared
            .iter()
            .map(|&g| self.field(g))
            .collect();
        if self.plan.own.done.is_some() {
            let done = self.done_type();
            add_field(&mut fields, "done", done);
        }
        if self.plan.own.failed.is_some() {
            add_field(&mut fields, "failed", Types::BOOL);
        }
        if !fields.is_empty() {
            self.records(fields, v);
        }
        for id in (0u32..).map(GlobalId).take(self.plan.program.globals.len()) {
            let place = self.moved(id, v);
            v.places.push(place);
            v.docs.resize(self.out.program.globals.len(), String::new());
        }
    }

    fn field(&mut self, global: GlobalId) -> (String, TypeId) {
        let global = &self.plan.program.globals[global.index()];
        (global.name.clone(), self.ty(global.ty))
    }

    /// One truth value for every handle; 0 is no task, which never finishes.
    fn done_type(&mut self) -> TypeId {
        match self.plan.needs.tasks {
            Some(n) => Type::Array(n + 1, Types::BOOL).pipe(self.out),
            None => Type::Map(Types::INT, Types::BOOL).pipe(self.out),
        }
    }

    fn records(&mut self, fields: Vec<(String, TypeId)>, v: &mut Vocabulary) {
        let name = self.fresh("Globals");
        let record = Type::Record(RecordType { name, fields }).pipe(self.out);
        let name = self.fresh("g");
        v.g = Some(self.global(name, record, false, Span::default()));
        v.docs.push("what the running segment sees".to_owned());
        let rounds = self.of_each_round(record);
        let doc = match (self.plan.reverse, self.plan.rounds) {
            (false, 1) => "the state in which the next segment starts",
            (false, _) => "for each round, the state in which its next segment starts",
            (true, _) => "for each round, the state in which the known part of it starts",
        };
        v.gbar = self.own(v, "Gbar", rounds, doc);
        if self.plan.guesses {
            v.guess = match self.plan.reverse {
                true => self.own(
                    v,
                    "g_start",
                    record,
                    "the guessed start of the running segment",
                ),
                false => self.own(
                    v,
                    "g_guess",
                    record,
                    "the guessed end of the running segment",
                ),
            };
        }
    }

    fn moved(&mut self, id: GlobalId, v: &Vocabulary) -> Place {
        if let Some(field) = self.plan.effects.field(id) {
            let g = self.out.place(v.state());
            return self.out.part(g, Step::Field(field));
        }
        let global = &self.plan.program.globals[id.index()];
        let ty = self.ty(global.ty);
        let new = self.global(global.name.clone(), ty, global.hidden, global.span);
        self.out.place(new)
    }

    /// Declares the variables that the rules need beside the state.
    fn control(&mut self, v: &mut Vocabulary) {
        let needs = self.plan.needs;
        self.rounds(v);
        if needs.handles {
            if needs.own_handle || needs.join {
                v.own_handle = self.own(v, "self_task", self.handle, "the running task's handle");
            }
            v.last_task = self.own(
                v,
                "last_task",
                self.handle,
                "the handle that was given out last; 0 is no task",
            );
        }
        if self.plan.flags.posted {
            v.posted = self.own(
                v,
                "announced",
                Types::BOOL,
                "the end of the running segment stands in Gbar",
            );
        }
        if self.plan.flags.visible {
            v.visible = self.own(
                v,
                "visible",
                Types::BOOL,
                "the running segment has done something that others see",
            );
        }
    }

    /// The type of a value for each round; of a single value if there is one round and no task can wait.
    fn of_each_round(&mut self, ty: TypeId) -> TypeId {
        match self.plan.rounds {
            1 if !self.plan.needs.waits => ty,
            rounds => Type::Array(rounds, ty).pipe(self.out),
        }
    }

    fn rounds(&mut self, v: &mut Vocabulary) {
        let (k, rounds) = (self.plan.delays, self.plan.rounds);
        if k > 0 {
            let ty = self.range(k);
            v.k_delay = self.own(v, "k_delay", ty, "the delays that may still be spent");
        }
        let waits = self.plan.needs.waits;
        if rounds > 1 || waits {
            // The number after the last round stands for no round: a task that is dispatched there is stopped.
            let ty = self.range(if waits { rounds } else { rounds - 1 });
            v.k_round = self.own(v, "k_round", ty, "the round of the running segment");
        }
        if waits {
            v.waiting = self.waiting(v);
        }
    }

    fn waiting(&mut self, v: &mut Vocabulary) -> Option<Waiting> {
        let moved = "a task ran or was delayed in the last round";
        Some(Waiting {
            moved: (!self.plan.enough)
                .then(|| self.own(v, "moved", Types::BOOL, moved))
                .flatten(),
            cut: self.own(v, "cut", Types::BOOL, "a task needs more rounds")?,
        })
    }

    fn range(&mut self, to: u32) -> TypeId {
        Type::Range(0, i128::from(to)).pipe(self.out)
    }
}

/// Adds a field under a name that no other has.
fn add_field(fields: &mut Vec<(String, TypeId)>, name: &str, ty: TypeId) {
    let mut name = name.to_owned();
    while fields.iter().any(|(n, _)| *n == name) {
        name.push('_');
    }
    fields.push((name, ty));
}

trait Pipe {
    fn pipe(self, out: &mut Editor) -> TypeId;
}

impl Pipe for Type {
    fn pipe(self, out: &mut Editor) -> TypeId {
        out.program.types.intern(self)
    }
}

/// Translates all expressions, in their order: a part comes before the whole.
fn exprs(plan: &Plan, types: &[TypeId], v: &Vocabulary, out: &mut Editor) -> Vec<ExprId> {
    let state = v.g.map(|g| out.global(g));
    let mut map: Vec<ExprId> = Vec::with_capacity(plan.program.exprs.len());
    for expr in &plan.program.exprs {
        let ty = types[expr.ty.0 as usize];
        let at = |id: ExprId| map[id.index()];
        let kind = match &expr.kind {
            ExprKind::NoTask => ExprKind::int(0),
            ExprKind::SelfTask => v.own_handle.map_or(ExprKind::int(0), ExprKind::Global),
            ExprKind::Global(id) => match (v.places[id.index()].root, plan.effects.field(*id)) {
                (Root::Global(_), Some(field)) => {
                    ExprKind::Field(state.expect("it has fields"), field)
                }
                (Root::Global(new), None) => ExprKind::Global(new),
                (Root::Local(_), _) => unreachable!("a global stays one"),
            },
            ExprKind::Finished(task) => finished(v, state, at(*task), out),
            kind => walk::with_operands(kind, at),
        };
        map.push(out.program.add(kind, ty));
    }
    map
}

/// `done[t]`
fn finished(v: &Vocabulary, state: Option<ExprId>, task: ExprId, out: &mut Editor) -> ExprKind {
    let (Some(state), Some(done), Some(g)) = (state, v.own.done, v.g) else {
        return ExprKind::Bool(false);
    };
    let ty = out.part(out.place(g), Step::Field(done)).ty;
    let done = out.program.add(ExprKind::Field(state, done), ty);
    ExprKind::Index(done, task)
}
