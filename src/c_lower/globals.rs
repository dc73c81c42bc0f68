//! Globals: the program's variables in memory, hidden ones of our own, and the numbers by which threads find their instances.

use super::{Lowered, Lowerer, refuse};
use super::{calls, result_used};
use base::source::Span;
use c::typed::{ExprKind, Lifetime, VarId};
use c_memory::Object;
use ir::lower::Lower;
use ir::{ChoiceKind, ErrorKind, Global, GlobalId, Stmt, StmtKind, Types};

/// Variables of the C library, each with its initial value.
const OF_LIBRARY: [(&str, i128); 4] = [
    ("optarg", 0),
    ("optind", 1),
    ("opterr", 1),
    ("optopt", '?' as i128),
];

impl Lowerer<'_> {
    /// Makes the globals that hold something for each thread, by its number or handle.
    pub(super) fn threads_have(&mut self) {
        let unit = self.unit;
        let cancels = c_memory::cancels(unit);
        if cancels {
            let ty = ir::Type::Map(Types::TASK, Types::BOOL);
            let ty = self.build.program.types.intern(ty);
            let to_end = self.hidden_global("cancelled.", ty);
            self.cancels = Some((to_end, self.hidden_global("uncancelled.", ty)));
            if c_memory::cancels_anywhere(unit) {
                self.asynchronous = Some(self.hidden_global("asynchronous.", ty));
            }
        }
        self.threads_block_signals();
        let detaches = ["pthread_detach", "thrd_detach"];
        self.detach_tells = detaches.into_iter().any(|name| result_used(unit, name));
        if self.detach_tells || self.options.wanted.has(ErrorKind::Misuse) {
            let byte = ir::Bits {
                width: 8,
                signed: false,
            };
            let types = &mut self.build.program.types;
            let byte = types.intern(ir::Type::Bits(byte));
            let ty = types.intern(ir::Type::Map(Types::TASK, byte));
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
        if c_memory::numbers_of_handles(unit) {
            let number = self.number_type();
            let types = &mut self.build.program.types;
            let numbers = types.intern(ir::Type::Map(Types::TASK, number));
            let handles = types.intern(ir::Type::Array(self.memory.threads, Types::TASK));
            let numbers = self.hidden_global("numbers.", numbers);
            self.handles = Some((numbers, self.hidden_global("handles.", handles)));
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
    pub(super) fn number_type(&mut self) -> ir::TypeId {
        let bits = ir::Bits {
            width: 16,
            signed: false,
        };
        self.build.program.types.intern(ir::Type::Bits(bits))
    }

    /// The number of the running thread.
    pub(super) fn own_number(&mut self, span: Span) -> Lowered<ir::ExprId> {
        match self.body.number {
            Some(local) => Ok(self.read_local(local)),
            None => refuse(span, "a variable of each thread here is"),
        }
    }

    /// Makes a hidden global that begins as zero.
    pub(super) fn hidden_global(&mut self, name: &str, ty: ir::TypeId) -> GlobalId {
        let zero = self.zero(ty);
        self.made_global(name, ty, zero, true)
    }

    /// Makes a global that the program does not declare.
    pub(super) fn made_global(
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

    pub(super) fn variable_name(&self, id: VarId) -> String {
        let name = self.unit[id].name;
        name.map_or_else(|| "_".to_owned(), |n| self.unit.name(n).to_owned())
    }

    /// The initial value of a variable of the C library.
    fn first_of_library(&self, id: VarId) -> Option<i128> {
        let variable = &self.unit[id];
        let elsewhere = variable.external && variable.init.is_none();
        let name = self.unit.name(variable.name.filter(|_| elsewhere)?);
        let ours = OF_LIBRARY.iter().find(|(ours, _)| *ours == name);
        ours.map(|(_, number)| *number)
    }

    /// Whether no file defines a variable, nor the C library.
    pub(super) fn is_defined_nowhere(&self, id: VarId) -> bool {
        let variable = &self.unit[id];
        variable.external && variable.init.is_none() && self.first_of_library(id).is_none()
    }

    /// Refuses a variable that no file defines, unless `--stub` lets it begin with any value.
    fn may_be_any(&self, id: VarId) -> Lowered<()> {
        let (variable, name) = (&self.unit[id], self.variable_name(id));
        let simple = self.unit.types.is_integer(variable.ty.ty);
        if simple && self.options.stubs.contains(&name) {
            return Ok(());
        }
        let (what, other) = match c::headers::has_variable(&name) {
            true => (format!("`{name}` of the C library"), None),
            false => (
                "a variable that no file defines".to_owned(),
                Some("give the file that does, too".to_owned()),
            ),
        };
        let stub = simple.then(|| format!("`--stub {name}`: it then begins with any value"));
        let ways: Vec<String> = other.into_iter().chain(stub).collect();
        let what = match ways.is_empty() {
            true => what,
            false => format!("{what} ({})", ways.join(", or ")),
        };
        // The complaint points to the first use, because the declaration may stand in our headers.
        let own = |e: &&c::typed::Expr| matches!(e.kind, ExprKind::Var(of) if of == id);
        let uses = self.unit.exprs.iter().filter(own).map(|e| e.span);
        let at = uses.min().unwrap_or(variable.span);
        refuse(at, format!("{what} is"))
    }

    /// The global of a variable that is in memory: with static storage, or reached by pointers.
    pub(super) fn global(&mut self, id: VarId) -> Lowered<GlobalId> {
        if let Some(&global) = self.globals.get(&id) {
            return Ok(global);
        }
        let variable = &self.unit[id];
        let lasting = matches!(variable.lifetime, Lifetime::Static | Lifetime::Thread);
        let known = self.first_of_library(id);
        let elsewhere = self.is_defined_nowhere(id);
        if elsewhere {
            self.may_be_any(id)?;
        }
        self.not_open(variable.ty.ty, variable.span)?;
        let mut ty = self.object_type(variable.ty.ty, variable.span)?;
        let init = variable.init.filter(|_| lasting);
        let mut value = match known {
            Some(number) if self.unit.types.is_scalar(variable.ty.ty) => {
                self.build.scalar(number, ty)
            }
            _ => self.constant(init, variable.ty.ty, variable.span)?,
        };
        let all = self.for_instances(id, ty);
        if all != ty {
            ty = all;
            value = self.build.add(ir::ExprKind::Fill(value), ty);
        }
        let global = GlobalId::from_index(self.build.program.globals.len());
        let name = self.global_name(id, global);
        self.build.program.globals.push(Global {
            named: name == self.variable_name(id),
            name,
            ty,
            hidden: variable.hidden,
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
        let kind = match elsewhere {
            true => StmtKind::Havoc(place, ChoiceKind::User),
            false => StmtKind::Assign(place, value),
        };
        let span = variable.span;
        self.initial.push(Stmt { kind, span });
        Ok(global)
    }

    /// A name that no other global has.
    pub(super) fn global_name(&self, id: VarId, global: GlobalId) -> String {
        let variable = &self.unit[id];
        let mut name = self.variable_name(id);
        let taken = |n: &str| self.build.program.globals.iter().any(|g| g.name == n);
        if let Some(function) = variable.function
            && (variable.lifetime != Lifetime::Static || taken(&name))
        {
            name = format!("{}.{name}", self.unit.name(self.unit[function].name));
        }
        if taken(&name) {
            name = format!("{name}'{}", global.0);
        }
        name
    }
}
