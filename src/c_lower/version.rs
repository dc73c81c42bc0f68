//! Functions: each is lowered once for each use that is made of it.

use super::empty_proc;
use super::{Body, Lowered, Lowerer, Role, Version, refuse};
use c_memory::Object;
use ir::lower::Lower;
use ir::{ProcId, StmtKind};

impl Lowerer<'_> {
    /// The procedure of a version of a function, made when it is first asked for.
    pub(super) fn version(&mut self, version: Version) -> ProcId {
        if let Some(&id) = self.versions.get(&version) {
            return id;
        }
        let function = &self.unit[version.function];
        let procs = &mut self.build.program.procs;
        let id = ProcId::from_index(procs.len());
        let name = c_memory::known_as(self.unit.name(function.name));
        procs.push(empty_proc(name, function.span));
        self.atomic.push(version.atomic);
        self.versions.insert(version, id);
        self.work.push((version, id));
        id
    }

    pub(super) fn function(&mut self, version: Version, id: ProcId) -> Lowered<()> {
        let function = &self.unit[version.function];
        self.build.forget_locals();
        self.body = Body::new(version);
        self.body.span = function.span;
        let Some(body) = function.body else {
            return refuse(function.span, "a function without a body is");
        };
        self.parameters(version)?;
        let params = function.params.len() + self.body.rest.as_ref().map_or(0, Vec::len);
        let params = params as u32
            + u32::from(self.counter.is_some())
            + u32::from(version.role == Role::Called && self.is_framed(version.function));
        self.frame_begins()?;
        if version.role == Role::Main {
            self.main_parameters()?;
            self.run_by_themselves(false)?;
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
        proc.unnamed = done.rest.map_or(0, |rest| rest.len() as u32);
        proc.locals = done.locals;
        proc.loops = done.loops;
        proc.result = done.result;
        proc.body = done.block;
        // There may be very many small procedures.
        proc.locals.shrink_to_fit();
        proc.body.shrink_to_fit();
        Ok(())
    }

    pub(super) fn parameters(&mut self, version: Version) -> Lowered<()> {
        if version.role == Role::Main {
            if self.counter.is_some() {
                let ty = self.number_type();
                let local = self.local("number", ty, true);
                self.body.number = Some(local);
                let (place, zero) = (self.local_place(local), self.build.int(0, ty));
                self.emit(StmtKind::Assign(place, zero));
                let own = self.build.self_task();
                self.numbers(own, zero);
            }
            return self.first_frame();
        }
        if self.counter.is_some() {
            let ty = self.number_type();
            self.body.number = Some(self.local("number", ty, true));
        }
        if version.role == Role::Called && self.is_framed(version.function) {
            let ty = self.frame_type();
            self.body.frame = Some(self.local("frame", ty, true));
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
        if version.role == Role::Start {
            self.first_frame()?;
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

    /// `argc` counts the arguments that were given. Nothing reads the other parameters.
    pub(super) fn main_parameters(&mut self) -> Lowered<()> {
        let unit = self.unit;
        let Some(&count) = unit[self.body.function].params.first() else {
            return Ok(());
        };
        let ty = self.scalar_type(unit[count].ty.ty, unit[count].span)?;
        let value = self.build.int(self.options.args.len() as i128 + 1, ty);
        let place = if self.memory.area(Object::Variable(count)).is_some() {
            self.variable(count, unit[count].span)?
        } else {
            let local = self.local(self.variable_name(count), ty, false);
            self.body.variables.insert(count, local);
            self.local_place(local)
        };
        self.emit(StmtKind::Assign(place, value));
        Ok(())
    }

    pub(super) fn result_type(&mut self, role: Role) -> Lowered<()> {
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
}
