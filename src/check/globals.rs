//! Global variables, objects among them, and the procedure that gives them their initial values.

use ast::tree::{ItemKind, Name, VarDecl};
use base::source::Span;
use ir::{Proc, ProcId};

use super::Checker;
use super::body::{Body, Place};
use super::items::Var;
use super::names::Names;
use super::types::Sort;

impl Checker<'_> {
    /// Declares all variables, in the order of the text.
    pub(super) fn declare_globals(&mut self) {
        self.body = Body::new(Place::Initial);
        self.build.forget_locals();
        let mut next = 0;
        // The items were collected in the same order.
        for module in (0..self.modules.len()).rev() {
            self.names = Names::new(module, None);
            let ast = self.modules[module].ast;
            for item in &ast.items {
                if let ItemKind::Var(var) = &item.kind {
                    self.declare(var, &mut next);
                }
            }
        }
        self.finish_init();
    }

    fn declare(&mut self, decl: &VarDecl, next: &mut usize) {
        let names = self.modules[self.names.module].ast.names(decl.names);
        let span = self.modules[self.names.module].ast.ty(decl.ty).span;
        let sort = self.sort(decl.ty);
        for &name in names {
            self.body.span = name.span;
            let var = self.variable(name, &sort, decl, span);
            self.vars[*next] = var;
            *next += 1;
        }
    }

    fn variable(&mut self, name: Name, sort: &Sort, decl: &VarDecl, span: Span) -> Var {
        let text = self.text(name).to_owned();
        match sort {
            Sort::Error => {
                if let Some(init) = decl.init {
                    self.synth(init);
                    self.nodes.clear();
                }
                Var::Bad
            }
            Sort::Value(ty) => {
                let global = self.new_global(text, None, *ty, false, name.span);
                self.initial_state(global, *ty, &[], decl.init);
                Var::Global(global)
            }
            Sort::Object(sort) => {
                self.refuse_object_value(decl.init);
                self.instantiate(sort, text, &[], &[], span)
                    .map_or(Var::Bad, Var::Object)
            }
        }
    }

    fn finish_init(&mut self) {
        let body = std::mem::take(&mut self.body);
        let id = ProcId::from_index(self.build.program.procs.len());
        self.build.program.procs.push(Proc {
            name: "init".to_owned(),
            locals: body.locals,
            body: body.block,
            loops: body.loop_count,
            ..Proc::default()
        });
        self.build.program.init = id;
        self.versions.note_proc(id);
    }
}
