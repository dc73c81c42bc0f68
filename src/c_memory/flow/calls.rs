//! What calls do with pointers: of functions of the program, and of the library.

use super::{Flow, Node, Rule};
use crate::forms::{
    READS_NUMBERS, RUNS_HANDLERS, allocates, array_of_text, called_by_themselves, direct,
    is_character, is_whole, may_end, own_function,
};
use crate::output::{What, is_output, reads};
use crate::threads::Site;
use crate::written::written;
use crate::{Made, Object, Target};
use crate::{innermost, unconverted};
use c::sema::SPAWN;
use c::typed::{Callee, ExprId, ExprKind as C, FunctionId};
use c::types::{IntKind, Type, TypeId, Types};

impl Flow<'_> {
    pub(super) fn call(&mut self, e: ExprId, callee: Callee, args: &[ExprId]) {
        let unit = self.unit;
        let function = match callee {
            Callee::Direct(function) => Some(function),
            Callee::Pointer(pointer) => match unit[pointer].kind {
                C::Function(function) => Some(function),
                _ => None,
            },
        };
        let own = Node::Value(e);
        let runs = |f: FunctionId| match unit[f].body {
            Some(_) => f,
            None => written(unit, &self.dropped, e, unit.name(unit[f].name), args).unwrap_or(f),
        };
        let function = function.map(runs);
        match (function, callee) {
            (Some(function), _) if unit[function].body.is_none() => {
                let name = unit.name(unit[function].name).to_owned();
                self.library(e, &name, args);
            }
            (Some(function), _) => {
                self.reach(function);
                self.passes(args, Node::Result(function));
                if unit.name(unit[function].name) == "atexit" {
                    self.runs_handlers(e);
                }
                let args = args.iter().map(|&a| self.value(a)).collect();
                let callee = Node::Result(function);
                self.rules.push(Rule::Copy(callee, own));
                self.parameters(function, args);
                let target = Node::Value(e);
                // A call of a known function is a site of that function alone.
                self.site(false, target, Some(function), e);
            }
            (None, Callee::Pointer(pointer)) => {
                let pointer = self.value(pointer);
                self.passes(args, pointer);
                let args = args.iter().map(|&a| self.value(a)).collect();
                self.rules.push(Rule::Call(pointer, args, own));
                self.site(false, pointer, None, e);
            }
            (None, Callee::Direct(_)) => {}
        }
    }

    /// Notes that a call passes on a list of arguments, if there is one among its arguments.
    pub(super) fn passes(&mut self, args: &[ExprId], called: Node) {
        let list = |&e: &ExprId| matches!(self.unit.types.shape(self.unit[e].ty.ty), Type::VaList);
        if let Some(function) = self.function.filter(|_| args.iter().any(list)) {
            self.rules.push(Rule::Pass(function, called));
        }
    }

    /// Looks at calls that print, or that functions of our headers help with. Says whether this was one.
    pub(super) fn helped(&mut self, e: ExprId, name: &str, args: &[ExprId]) -> bool {
        match (name, args) {
            ("exit", [status]) => {
                self.visit(*status);
                self.runs_handlers(e);
            }
            ("atoi" | "atol" | "atoll" | "strtol" | "strtoll" | "strtoul" | "strtoull", texts) => {
                let texts = texts.iter().map(|&arg| self.value(arg)).collect();
                if let Some(function) = own_function(self.unit, READS_NUMBERS) {
                    self.reach(function);
                    self.parameters(function, texts);
                    self.site(false, Node::Result(function), Some(function), e);
                }
            }
            ("snprintf" | "sprintf", args) => {
                for &arg in args {
                    self.text(arg);
                }
            }
            _ if is_output(name) => {
                let reads = reads(self.unit, name, args);
                for &arg in args {
                    match reads.iter().find(|r| r.arg == arg).map(|r| r.what) {
                        Some(What::Bytes(..)) => {
                            self.value(arg);
                        }
                        Some(What::Text(_) | What::TextOrNothing) => self.text(arg),
                        _ => self.argument(arg),
                    }
                }
            }
            _ => return false,
        }
        true
    }

    /// An argument that is written or read as a text: a named array by its elements, others by their addresses.
    pub(super) fn text(&mut self, arg: ExprId) {
        let is_pointer = self.unit.types.pointee(self.unit[arg].ty.ty).is_some();
        if is_pointer && array_of_text(self.unit, unconverted(self.unit, arg)).is_none() {
            self.value(arg);
        } else {
            self.argument(arg);
        }
    }

    /// Notes calls of the functions that run when the program ends.
    pub(super) fn runs_handlers(&mut self, e: ExprId) {
        if let Some(function) = own_function(self.unit, RUNS_HANDLERS) {
            self.reach(function);
            self.site(false, Node::Result(function), Some(function), e);
        }
        for function in called_by_themselves(self.unit) {
            if self.unit[function].destructor.is_some() {
                self.site(false, Node::Result(function), Some(function), e);
            }
        }
    }

    pub(super) fn parameters(&mut self, function: FunctionId, args: Vec<Node>) {
        for (index, arg) in args.into_iter().enumerate() {
            let param = self.parameter(function, index);
            self.rules.push(Rule::Copy(arg, param));
        }
    }

    /// Where an argument of a function goes.
    pub(super) fn parameter(&self, function: FunctionId, index: usize) -> Node {
        match self.unit[function].params.get(index) {
            Some(&param) => Node::Object(Object::Variable(param)),
            None => Node::Rest(function),
        }
    }

    /// A site in the function that is being looked at; none outside of functions.
    pub(super) fn here(&self, at: ExprId) -> Option<Site> {
        let repeated = self.loops > 0;
        self.function.map(|by| Site { by, at, repeated })
    }

    pub(super) fn site(&mut self, start: bool, node: Node, known: Option<FunctionId>, at: ExprId) {
        let Some(site) = self.here(at) else { return };
        let node = match known {
            Some(function) => Node::Result(function),
            None => node,
        };
        let sites = if start {
            &mut self.starts
        } else {
            &mut self.calls
        };
        sites.push((node, site));
    }

    pub(super) fn library(&mut self, e: ExprId, name: &str, args: &[ExprId]) {
        let own = Node::Value(e);
        if self.cancels && may_end(name) {
            self.exits.extend(self.function);
        }
        match (name, args) {
            _ if self.helped(e, name, args) => {}
            ("pthread_create" | "thrd_create", &[thread, ref attributes @ .., start, arg]) => {
                attributes.iter().for_each(|&arg| self.argument(arg));
                self.pointed(thread);
                self.starts(start, arg);
            }
            ("__VERIFIER_spawn" | SPAWN, &[start, arg])
            | ("__VERIFIER_spawn_symmetric", &[start, arg, _]) => self.starts(start, arg),
            ("pthread_join" | "thrd_join", &[thread, result]) => {
                self.visit(thread);
                let to = self.pointed(result);
                self.write(to, Node::Threads);
            }
            ("pthread_exit" | "thrd_exit", &[result]) => {
                let value = self.value(result);
                self.rules.push(Rule::Copy(value, Node::Threads));
                self.exits.extend(self.function);
            }
            ("__pthread_cleanup_push", &[function, arg]) => {
                let arg = self.value(arg);
                self.runs(function, vec![arg], own);
            }
            ("pthread_setspecific" | "tss_set", &[key, value]) => {
                self.visit(key);
                let value = self.value(value);
                self.rules.push(Rule::Copy(value, Node::Keys));
            }
            ("pthread_getspecific" | "tss_get", &[key]) => {
                self.visit(key);
                self.rules.push(Rule::Copy(Node::Keys, own));
            }
            ("pthread_key_create" | "tss_create", &[key, function]) => {
                self.numbered = true;
                self.keys_at.extend(self.here(e));
                self.pointed(key);
                let destructor = self.value(function);
                self.rules.push(Rule::Destroy(destructor));
                self.site(false, destructor, None, function);
            }
            ("pthread_once" | "call_once", &[once, function]) => {
                self.pointed(once);
                self.runs(function, Vec::new(), own);
            }
            ("gettid" | "__number_of_thread", []) => self.numbered = true,
            _ if self.bytes(e, name, args) => {}
            _ => {
                for &arg in args {
                    self.argument(arg);
                }
                self.allocation(e, name, args);
            }
        }
    }

    /// Looks at calls that copy or fill bytes, for which objects need addresses. Says whether this was one.
    pub(super) fn bytes(&mut self, e: ExprId, name: &str, args: &[ExprId]) -> bool {
        let own = Node::Value(e);
        match (name, args) {
            (
                "memcpy" | "memmove" | "__builtin_memcpy" | "__builtin_memmove",
                &[to, from, size],
            ) => {
                self.visit(size);
                let (to, from) = (self.value(to), self.value(from));
                let types = [args[1], args[0]].map(|e| self.copied_type(e));
                for (node, ty) in [to, from].into_iter().zip(types) {
                    self.moved.extend(ty.map(|ty| (node, ty)));
                }
                self.rules.push(Rule::Move(from, to));
                self.rules.push(Rule::Copy(to, own));
            }
            ("memset" | "__builtin_memset" | "bzero", &[to, .., size])
                if !self.dropped.contains(&e) || !is_whole(self.unit, to, size) =>
            {
                args.iter().for_each(|&arg| self.visit(arg));
                let to = self.value(to);
                self.rules.push(Rule::Copy(to, own));
            }
            _ => return false,
        }
        true
    }

    /// The type of the elements that are copied, unless that is not known.
    fn copied_type(&self, pointer: ExprId) -> Option<TypeId> {
        let own = self.unit[unconverted(self.unit, pointer)].ty.ty;
        let ty = innermost(self.unit, self.unit.types.pointee(own)?.ty);
        let known = self.unit.types.layout(ty).is_some() && !is_character(self.unit, ty);
        (known && !matches!(self.unit.types.shape(ty), Type::Void)).then_some(ty)
    }

    /// A thread is made.
    pub(super) fn starts(&mut self, start: ExprId, arg: ExprId) {
        let (routine, arg) = (self.value(start), self.value(arg));
        self.rules.push(Rule::Start(routine, arg));
        self.site(true, routine, None, start);
    }

    /// The library runs a function in the thread that calls it.
    pub(super) fn runs(&mut self, function: ExprId, args: Vec<Node>, own: Node) {
        let called = self.value(function);
        self.rules.push(Rule::Call(called, args, own));
        self.site(false, called, None, function);
    }

    pub(super) fn argument(&mut self, arg: ExprId) {
        if direct(self.unit, arg).is_some() {
            self.pointed(arg);
        } else {
            self.visit(arg);
        }
    }

    /// Notes a call that allocates an object or frees one. The object is of characters until [`Self::type_heap`] finds its type.
    pub(super) fn allocation(&mut self, e: ExprId, name: &str, args: &[ExprId]) {
        if name == "free" {
            self.freed_at.extend(self.here(e));
            args.iter().for_each(|&arg| self.visit(arg));
        }
        let Some(sizes) = allocates(name) else { return };
        let size = sizes.iter().try_fold(1_u64, |product, &index| {
            let size = self.unit.constant(*args.get(index)?)?;
            let product = product.checked_mul(u64::try_from(size).ok()?)?;
            let most = u64::MAX >> (64 - 8 * self.unit.types.pointer_size());
            (product <= most).then_some(product)
        });
        // Of an object without bytes, the size is looked at when the program runs: no access lies within it.
        let size = size.filter(|&bytes| bytes > 0);
        self.add(Node::Value(e), Target::Object(Object::Heap(e)));
        let made = Made {
            ty: Types::int(IntKind::Char),
            len: size,
            tail: None,
        };
        self.heap.insert(e, made);
        if let Some(site) = self.here(e) {
            self.made_at.insert(e, site);
        }
    }
}
