//! Declarations: variables, functions, typedefs.

use super::Sema;
use super::scope::Binding;
use super::stmt::Body;
use crate::typed::{
    Callee, ExprId, ExprKind, Function, FunctionId, Init, Lifetime, StmtKind, VarId, Variable,
};
use crate::types::{FunctionType, Length, Library, QualType, Type, TypeId, Types};
use crate::{
    tree,
    tree::{
        Attributes, Base, DeclId, DeclKind, DeclaratorId, Derivation, InitDeclarator, List, Name,
        Param, Priority, SpecId, Storage,
    },
};
use base::diagnostic::Diagnostic;
use base::source::Span;

impl Sema<'_> {
    /// Reads a declaration at the top or among statements.
    pub(super) fn declaration(&mut self, id: DeclId) {
        let tree = self.tree;
        match tree[id].kind {
            DeclKind::Assert(condition) => self.static_assert(condition),
            DeclKind::Plain(specs, declared) => {
                let alias = tree[declared].first().map(|one| &tree[one.declarator]);
                let alias = alias.filter(|_| tree[specs].storage == Storage::Typedef);
                self.files.around = alias.and_then(|a| a.name).map(|n| ((n.symbol, None), 0));
                let base = self.specifiers(specs);
                self.files.around = None;
                for one in &tree[declared] {
                    self.init_declarator(specs, base, one);
                }
            }
            DeclKind::Function {
                specs,
                declarator,
                old_params,
                attributes,
                shape,
                body,
            } => self.define_function(specs, declarator, old_params, attributes, (body, shape)),
        }
    }

    fn static_assert(&mut self, condition: tree::ExprId) {
        let value = self.value(condition);
        let span = self.span(value);
        match self.unit.constant(value) {
            Some(0) => self.error("static-assert", span, "the static assertion fails"),
            None if self.ty(value) != Types::ERROR => {
                self.error("not-constant", span, "the static assertion is not constant, or takes numbers that are not computed, as those of `long double`");
            }
            _ => {}
        }
    }

    fn init_declarator(&mut self, specs: SpecId, base: QualType, one: &InitDeclarator) {
        let tree = self.tree;
        let words = tree[specs];
        let Some(name) = tree[one.declarator].name else {
            return;
        };
        if words.base == Base::Auto {
            self.auto_variable(specs, name, one);
            return;
        }
        let ty = self.declared(base, one.declarator);
        let ty = self.attributed(ty, &one.attributes, name.span);
        let is_function = matches!(self.unit.types.shape(ty.ty), Type::Function(_));
        match words.storage {
            Storage::Typedef => {
                let mut ty = ty;
                if let Some(align) = self.asked_alignment(&words.attributes, &one.attributes) {
                    ty.ty = self.unit.types.intern(Type::Aligned(align, ty.ty));
                }
                self.typedef(name, ty);
            }
            _ if is_function => {
                if one.init.is_some() {
                    self.error("function-value", name.span, "a function has no initialiser");
                }
                let first = self.scopes.own_name(name.symbol).is_none();
                let function =
                    self.declare_function(name, ty.ty, (words.storage == Storage::Static, false));
                self.called_by_itself((function, first), &words.attributes, &one.attributes);
                let alias = one.attributes.alias.or(words.attributes.alias);
                self.aliases.extend(alias.map(|of| (function, of)));
            }
            _ => {
                if one.attributes.alias.or(words.attributes.alias).is_some() {
                    let message = "an alias of a variable is not supported";
                    self.error("unsupported", name.span, message);
                }
                self.variable(specs, name, ty, one);
            }
        }
    }

    fn typedef(&mut self, name: Name, ty: QualType) {
        let mut ty = ty;
        if self.scopes.at_top()
            && let Some((library, functions)) = Library::of(self.text(name.symbol))
            && self.uses_library(functions)
        {
            let of = self.unit.types.canonical(ty.ty);
            ty.ty = self.unit.types.intern(Type::Library(library, of));
        }
        match self.scopes.own_name(name.symbol) {
            Some(Binding::Typedef(before)) if self.same(before.ty, ty.ty) => {}
            Some(_) => {
                let message = format!(
                    "{} is declared differently before",
                    self.quoted(name.symbol)
                );
                self.error("redefined", name.span, message);
            }
            None => {}
        }
        self.scopes.declare(name.symbol, Binding::Typedef(ty));
    }

    /// `__auto_type x = e;`
    fn auto_variable(&mut self, specs: SpecId, name: Name, one: &InitDeclarator) {
        let tree = self.tree;
        let value = match one.init.map(|i| tree[i].kind) {
            Some(tree::InitKind::Value(e)) => self.value(e),
            _ => self.fail("auto-type", name.span, "`__auto_type` needs a value"),
        };
        let ty = QualType::plain(self.ty(value)).with(tree[specs].quals);
        let lifetime = self.lifetime(tree[specs].storage, tree[specs].thread_local);
        let var = self.new_variable(Some(name.symbol), ty, lifetime, name.span);
        let init = self.unit.add_init(Init::Value(value));
        self.unit[var].init = Some(init);
        self.check_constant_init(var);
        if tree[specs].fixed {
            self.fix(var);
        }
        self.scopes.declare(name.symbol, Binding::Variable(var));
        self.begin_declared(var, one);
    }

    pub(super) fn lifetime(&self, storage: Storage, thread_local: bool) -> Lifetime {
        if thread_local {
            Lifetime::Thread
        } else if self.function().is_none() || matches!(storage, Storage::Static | Storage::Extern)
        {
            Lifetime::Static
        } else {
            Lifetime::Local
        }
    }

    pub(super) fn new_variable(
        &mut self,
        name: Option<ast::symbol::Symbol>,
        ty: QualType,
        lifetime: Lifetime,
        span: Span,
    ) -> VarId {
        let function = self.function();
        self.unit.add_variable(Variable {
            name,
            ty,
            align: None,
            lifetime,
            function,
            init: None,
            cleanup: None,
            external: false,
            hidden: false,
            span,
        })
    }

    /// A hidden variable that holds the length of an array; gives the expression that reads it. A negative length stays negative.
    pub(super) fn hidden_length(&mut self, value: ExprId) -> ExprId {
        let own = self.ty(value);
        let size = match self.unit.types.shape(own) {
            Type::Int(kind) if kind.signed() => own,
            _ => self.unit.types.size_type(),
        };
        let span = self.span(value);
        let value = self.converted(value, size);
        let var = self.new_variable(None, QualType::plain(size), Lifetime::Local, span);
        let init = self.unit.add_init(Init::Value(value));
        self.unit[var].init = Some(init);
        self.begin(var);
        let place = self.make(ExprKind::Var(var), size, span);
        self.make(ExprKind::Load(place), size, span)
    }

    /// Adds the statement at which a local variable begins to live.
    fn begin(&mut self, var: VarId) {
        if self.unit[var].lifetime != Lifetime::Local {
            return;
        }
        let span = self.unit[var].span;
        if let Some(body) = &mut self.body {
            let stmt = self.unit.add_statement(StmtKind::Declare(var), span);
            body.pending.push(stmt);
        }
    }

    fn variable(&mut self, specs: SpecId, name: Name, ty: QualType, one: &InitDeclarator) {
        let words = self.tree[specs];
        let lifetime = self.lifetime(words.storage, words.thread_local);
        let at_top = self.function().is_none();
        let is_extern = words.storage == Storage::Extern;
        let is_static = words.storage == Storage::Static || words.fixed;
        if matches!(self.unit.types.shape(ty.ty), Type::Void) {
            let message = format!("{} cannot be `void`", self.quoted(name.symbol));
            self.error("incomplete", name.span, message);
            return;
        }
        let known = if at_top || is_extern {
            self.linked_variable(name, ty, is_static)
        } else {
            if self.scopes.own_name(name.symbol).is_some() {
                let message = format!("{} is declared twice", self.quoted(name.symbol));
                self.error("redefined", name.span, message);
            }
            None
        };
        let var = known.unwrap_or_else(|| {
            let var = self.new_variable(Some(name.symbol), ty, lifetime, name.span);
            self.unit[var].external = is_extern;
            var
        });
        if at_top || is_extern {
            self.link(name.symbol, Binding::Variable(var), is_static);
            // The C library's `errno` is a macro, and old programs declare it once more as an `int`.
            let own = self.unit.name(name.symbol) == "errno";
            if self.unit[var].lifetime != lifetime && !own {
                let message = format!(
                    "{} is `_Thread_local` in one declaration and not in another",
                    self.quoted(name.symbol)
                );
                self.error("redefined", name.span, message);
            }
        }
        let align = self.asked_alignment(&words.attributes, &one.attributes);
        let own = &mut self.unit[var].align;
        *own = align.max(*own);
        self.scopes.declare(name.symbol, Binding::Variable(var));
        if !is_extern || one.init.is_some() {
            self.unit[var].external = false;
        }
        let is_weak = words.attributes.weak || one.attributes.weak;
        if one.init.is_some() && self.files.weak.remove(&var) {
            self.unit[var].init = None;
        }
        if !is_weak || self.unit[var].init.is_none() {
            self.initialised(var, one);
        }
        if is_weak && one.init.is_some() {
            self.files.weak.insert(var);
        }
        if words.fixed {
            self.fix(var);
        }
        self.complete_variable(var, is_extern || at_top);
        if known.is_none() {
            self.begin_declared(var, one);
        }
    }

    /// Whether an initialiser is `{}`.
    fn is_empty(&self, init: tree::InitId) -> bool {
        matches!(self.tree[init].kind, tree::InitKind::List(items) if items.is_empty())
    }

    /// Fills an array of variable length, behind its declaration.
    fn fill_with_zeros(&mut self, var: VarId) {
        let (ty, span) = (self.unit[var].ty, self.unit[var].span);
        let fills = self.unit.names.intern("__builtin_memset");
        let Some(fills) = self.builtin_function(fills, span) else {
            return;
        };
        let place = self.add(ExprKind::Var(var), ty, span);
        let args = [
            self.rvalue(place),
            self.number(0, Types::INT, span),
            self.variable_size(ty.ty, span),
        ];
        let args = self.unit.add_list(args.to_vec());
        let pointer = self.unit.types.pointer(QualType::plain(Types::VOID));
        let call = ExprKind::Call(Callee::Direct(fills), args);
        let call = self.make(call, pointer, span);
        let filled = self.unit.add_statement(StmtKind::Expr(call), span);
        if let Some(body) = &mut self.body {
            body.pending.push(filled);
        }
    }

    /// Notes the value of a number that is declared with `constexpr`.
    fn fix(&mut self, var: VarId) {
        let Some(Init::Value(value)) = self.unit[var].init.map(|init| self.unit[init].clone())
        else {
            if self.unit[var].init.is_none() {
                let message = "what is declared with `constexpr` has a value";
                self.error("not-constant", self.unit[var].span, message);
            }
            return;
        };
        let ty = self.ty(value);
        if let Some(number) = self
            .unit
            .constant(value)
            .filter(|_| self.unit.types.is_integer(ty))
        {
            let number = self.number(number, Types::INT, self.span(value));
            self.fixed.insert(var, self.unit[number].kind.clone());
        } else if let Some(number) = self.unit.float_constant(value) {
            self.fixed.insert(var, ExprKind::Float(number));
        } else if ty != Types::ERROR && !self.unit.is_static(value) {
            let message = "the value of what is declared with `constexpr` is not constant";
            self.error("not-constant", self.span(value), message);
        }
    }

    fn begin_declared(&mut self, var: VarId, one: &InitDeclarator) {
        self.begin(var);
        if self.unit.types.is_variable(self.unit[var].ty.ty) && one.init.is_some() {
            self.fill_with_zeros(var);
        }
        let local = self.unit[var].lifetime == Lifetime::Local;
        if let Some(call) = one.cleanup.filter(|_| local) {
            self.unit[var].cleanup = Some(self.effect(call));
        }
    }

    /// Complains that two declarations have different types. If both types have one name, says where they are defined.
    fn has_another_type(
        &mut self,
        name: Name,
        what: &str,
        (then, at): (QualType, Span),
        now: QualType,
    ) {
        let quoted = self.quoted(name.symbol);
        let (old, new) = (self.show_qualified(then), self.show_qualified(now));
        let message = if old == new {
            format!("{quoted} {what} before, which is called {old}, too")
        } else {
            format!("{quoted} {what} before: {old}, now {new}")
        };
        let mut complaint = Diagnostic::error("redefined", name.span, message);
        complaint.related.push((at, "declared here".to_owned()));
        self.tell_apart(&mut complaint, then, now);
        self.complaints.add(complaint);
    }

    /// Says where the definitions of two types stand that have one name.
    pub(super) fn tell_apart(&self, complaint: &mut Diagnostic, then: QualType, now: QualType) {
        if self.show_qualified(then) != self.show_qualified(now) {
            return;
        }
        let types = &self.unit.types;
        let (then, now) = (types.records_in(then.ty), types.records_in(now.ty));
        for (then, now) in then.into_iter().zip(now).filter(|(then, now)| then != now) {
            for record in [then, now] {
                let said = "one of the two types is defined here".to_owned();
                complaint.related.push((types[record].span, said));
            }
        }
        complaint.related.dedup();
    }

    /// The variable that a name with linkage already stands for, whose type this declaration may complete.
    fn linked_variable(&mut self, name: Name, ty: QualType, is_static: bool) -> Option<VarId> {
        let hides = self.scopes.own_name(name.symbol);
        let known = self.known(name.symbol, is_static).or(hides)?;
        let Binding::Variable(var) = known else {
            let message = format!("{} is something else before", self.quoted(name.symbol));
            self.error("redefined", name.span, message);
            return None;
        };
        let before = self.unit[var].ty;
        if !self.same(before.ty, ty.ty) || before.quals != ty.quals {
            let then = (before, self.unit[var].span);
            self.has_another_type(name, "has another type", then, ty);
        }
        if !self.unit.types.is_complete(before.ty) {
            self.unit[var].ty = ty;
        }
        Some(var)
    }

    fn initialised(&mut self, var: VarId, one: &InitDeclarator) {
        let Some(init) = one.init else {
            return;
        };
        let ty = self.unit[var].ty;
        if self.unit[var].init.is_some() {
            let message = format!(
                "{} has two initialisers",
                self.unit[var]
                    .name
                    .map_or_else(String::new, |n| self.quoted(n))
            );
            self.error("redefined", self.tree[init].span, message);
            return;
        }
        if self.unit.types.is_variable(ty.ty) {
            if !self.is_empty(init) {
                let message = "an array of variable length has no initialiser but `{}`";
                self.error("array-length", self.tree[init].span, message);
            }
            return;
        }
        let (init, complete) = self.initializer(ty.ty, init);
        self.unit[var].ty.ty = complete;
        self.unit[var].init = Some(init);
        self.check_constant_init(var);
    }

    /// Complains of a variable whose size is not known, unless a later declaration may give it.
    fn complete_variable(&mut self, var: VarId, may_be_later: bool) {
        let ty = self.unit[var].ty.ty;
        if self.unit.types.is_complete(ty) || may_be_later {
            return;
        }
        let message = format!("the size of {} is not known here", self.show(ty));
        self.error("incomplete", self.unit[var].span, message);
    }

    /// Gives one element to each array of static storage whose length no declaration says, unless another file defines the array.
    pub(super) fn complete_arrays(&mut self) {
        let types = &mut self.unit.types;
        for variable in &mut self.unit.variables {
            let own = variable.lifetime == Lifetime::Static && !variable.external;
            if let Type::Array(element, Length::Unknown) = *types.shape(variable.ty.ty)
                && own
            {
                variable.ty.ty = types.intern(Type::Array(element, Length::Known(1)));
            }
        }
    }

    /// Declares a function by its name. Its type may say more than an earlier declaration.
    pub(super) fn declare_function(
        &mut self,
        name: Name,
        ty: TypeId,
        (is_static, defines): (bool, bool),
    ) -> FunctionId {
        let own = self.scopes.own_name(name.symbol);
        let known = self.known(name.symbol, is_static).or(own);
        let before = known;
        let known = known.filter(|&known| !self.gives_way(known, (name, ty), defines));
        let id = match known {
            Some(Binding::Function(id)) => {
                self.redeclared(id, name, ty);
                id
            }
            other => {
                if other.is_some() {
                    let message = format!("{} is something else before", self.quoted(name.symbol));
                    self.error("redefined", name.span, message);
                }
                let id = self.new_function(name, ty);
                // Functions in our headers declare `malloc` in their bodies. A program may declare it with another type.
                self.unit[id].implicit = !self.scopes.at_top();
                if let Some(Binding::Function(ours)) = before {
                    self.files.is_shared(name.symbol);
                    self.replaced.push((ours, id));
                }
                id
            }
        };
        self.link(name.symbol, Binding::Function(id), is_static);
        self.scopes.declare(name.symbol, Binding::Function(id));
        id
    }

    /// Notes the attributes by which a function is called before `main` or at the end. As with gcc, a number counts only in the
    /// first declaration of its file, and the one before the declarator counts most.
    fn called_by_itself(
        &mut self,
        (function, first): (FunctionId, bool),
        specs: &Attributes,
        own: &Attributes,
    ) {
        let counts = |number| if first { number } else { u16::MAX };
        let constructor = self.priority(specs.constructor.or(own.constructor));
        let destructor = self.priority(specs.destructor.or(own.destructor));
        let function = &mut self.unit[function];
        function.constructor = function.constructor.or(constructor.map(counts));
        function.destructor = function.destructor.or(destructor.map(counts));
    }

    /// A priority as a number. Constructors without one come last, destructors without one first.
    fn priority(&mut self, asked: Option<Priority>) -> Option<u16> {
        let Priority::Numbered(number) = asked? else {
            return Some(u16::MAX);
        };
        let value = self.value(number);
        let number = self.unit.constant(value);
        let priority = number.and_then(|n| u16::try_from(n).ok());
        if priority.is_none() {
            let message =
                "the priority of a constructor or destructor is a constant number from 0 to 65535";
            self.error("priority", self.span(value), message);
        }
        priority
    }

    pub(super) fn new_function(&mut self, name: Name, ty: TypeId) -> FunctionId {
        let id = FunctionId(u32::try_from(self.unit.functions.len()).unwrap_or(u32::MAX));
        self.unit.functions.push(Function {
            name: name.symbol,
            ty,
            params: Vec::new(),
            body: None,
            constructor: None,
            destructor: None,
            implicit: false,
            span: name.span,
        });
        id
    }

    fn redeclared(&mut self, id: FunctionId, name: Name, ty: TypeId) {
        let before = self.unit[id].ty;
        // A type that an undeclared call assumed, or that a declaration in a block gave, need not agree with this one.
        if !self.unit[id].implicit && !self.same(before, ty) {
            let then = (QualType::plain(before), self.unit[id].span);
            self.has_another_type(name, "is declared differently", then, QualType::plain(ty));
        }
        let says_more = self.unit.types.function(ty).is_some_and(|f| f.prototype)
            || !self
                .unit
                .types
                .function(before)
                .is_some_and(|f| f.prototype);
        if says_more && self.unit[id].body.is_none() {
            self.unit[id].ty = ty;
            self.unit[id].implicit &= !self.scopes.at_top();
        }
    }

    fn define_function(
        &mut self,
        specs: SpecId,
        declarator: DeclaratorId,
        old_params: List<DeclId>,
        attributes: Attributes,
        (body, shape): (tree::StmtId, u64),
    ) {
        let tree = self.tree;
        let base = self.specifiers(specs);
        let Some(name) = tree[declarator].name else {
            return;
        };
        let steps = &tree[tree[declarator].steps];
        let Some(&Derivation::Function { params, .. }) = steps.first() else {
            return;
        };
        let ty = self.declared(base, declarator);
        if !matches!(self.unit.types.shape(ty.ty), Type::Function(_)) {
            return;
        }
        let is_static = tree[specs].storage == Storage::Static;
        let first = self.scopes.own_name(name.symbol).is_none();
        let function = self.declare_function(name, ty.ty, (is_static, true));
        let weak = attributes.weak || tree[specs].attributes.weak;
        if !self.is_new_body(function, name, (shape, tree[specs].inline, weak)) {
            return;
        }
        self.unit[function].ty = ty.ty;
        self.unit[function].span = name.span;
        self.called_by_itself((function, first), &tree[specs].attributes, &attributes);
        let result = self
            .unit
            .types
            .function(ty.ty)
            .map_or(Types::VOID, |f| f.result);
        if result != Types::VOID && !self.unit.types.is_complete(result) {
            let message = format!("a function cannot return {}", self.show(result));
            self.error("incomplete", name.span, message);
        }
        self.body = Some(Body::new(function, result));
        self.scopes.open();
        let vars = self.params(&tree[params], &tree[old_params]);
        self.function_body(function, vars, body);
        self.scopes.close();
        self.body = None;
        self.old_type(function, &tree[params]);
    }

    /// The parameters of a definition, as variables.
    fn params(&mut self, params: &[Param], old: &[DeclId]) -> Vec<VarId> {
        if self.is_void_list(params) {
            return Vec::new();
        }
        let tree = self.tree;
        let mut vars = Vec::new();
        for &param in params {
            let mut ty = None;
            if let Some(name) = tree[param.declarator].name {
                ty = self.old_param(name, old);
            }
            let ty = ty.unwrap_or_else(|| self.param_type(param));
            vars.push(self.param(param, ty));
        }
        vars
    }

    /// The type that a parameter gets between the function's declarator and its body.
    fn old_param(&mut self, name: Name, old: &[DeclId]) -> Option<QualType> {
        let tree = self.tree;
        for &decl in old {
            let DeclKind::Plain(specs, declared) = tree[decl].kind else {
                continue;
            };
            for one in &tree[declared] {
                if tree[one.declarator]
                    .name
                    .is_some_and(|n| n.symbol == name.symbol)
                {
                    return Some(self.param_type(Param {
                        specs,
                        declarator: one.declarator,
                    }));
                }
            }
        }
        None
    }

    /// A parameter as a variable of the innermost scope.
    pub(super) fn param(&mut self, param: Param, ty: QualType) -> VarId {
        let declarator = self.tree[param.declarator];
        let symbol = declarator.name.map(|n| n.symbol);
        let span = declarator.name.map_or(declarator.span, |n| n.span);
        let var = self.new_variable(symbol, ty, Lifetime::Param, span);
        if let Some(name) = declarator.name {
            if self.scopes.own_name(name.symbol).is_some() {
                let message = format!("two parameters are called {}", self.quoted(name.symbol));
                self.error("redefined", name.span, message);
            }
            self.scopes.declare(name.symbol, Binding::Variable(var));
        }
        if self.body.is_some() && !self.unit.types.is_complete(ty.ty) {
            let message = format!("the size of {} is not known here", self.show(ty.ty));
            self.error("incomplete", span, message);
        }
        var
    }

    /// Puts the parameters of a definition in the old form into its type. Calls are not checked against them.
    fn old_type(&mut self, function: FunctionId, params: &[Param]) {
        let Type::Function(ty) = self.unit.types[self.unit[function].ty].clone() else {
            return;
        };
        if ty.prototype || params.is_empty() {
            return;
        }
        let types = self.unit[function].params.clone();
        let params = types.iter().map(|&v| self.unit[v].ty).collect();
        let ty = FunctionType { params, ..ty };
        self.unit[function].ty = self.unit.types.intern(Type::Function(ty));
    }

    /// Whether a declared array still has no length.
    pub(super) fn is_open_array(&self, ty: TypeId) -> bool {
        matches!(self.unit.types.shape(ty), Type::Array(_, Length::Unknown))
    }
}
