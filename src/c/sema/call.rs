//! Calls: who is called, with which arguments.

use super::Sema;
use super::scope::Binding;
use crate::tree;
use crate::typed::{Callee, ExprId, ExprKind, FunctionId, WITHIN};
use crate::types::{FloatKind, FunctionType, IntKind, Type, TypeId, Types};
use base::source::Span;

/// Functions of our header that do what a system call does: this prefix and the number of the call.
const SYSTEM_CALL: &str = "__syscall_";

impl Sema<'_> {
    pub(super) fn call(
        &mut self,
        callee: tree::ExprId,
        args: &[tree::ExprId],
        span: Span,
    ) -> ExprId {
        if let tree::ExprKind::Name(symbol) = self.tree[callee].kind
            && self.scopes.name(symbol).is_none()
        {
            if let Some(result) = self.builtin_call(symbol, args, span) {
                return result;
            }
            let at = self.at(callee);
            if self.text(symbol).starts_with("_mm") {
                return self.fail("unsupported", at, "vectors are not supported");
            }
            self.declare_implicitly(symbol, at);
        }
        let (function, args, system) = match self.system_call(callee, args) {
            Some(own) => (own, &args[1..], true),
            None => (self.value(callee), args, false),
        };
        let ty = self.ty(function);
        if ty == Types::ERROR {
            for &arg in args {
                self.value(arg);
            }
            return self.failed(span);
        }
        let Some(function_type) = self.unit.types.function(ty).cloned() else {
            let message = format!("{} is no function", self.show(ty));
            let at = self.at(callee);
            return self.fail("no-function", at, message);
        };
        let mut values = self.arguments(&function_type, (args, system), span);
        let result = function_type.result;
        let complete = result == Types::VOID || self.unit.types.is_complete(result);
        if !complete {
            let message = format!(
                "the call gives {}, whose size is not known",
                self.show(result)
            );
            return self.fail("incomplete", span, message);
        }
        let callee = match self.unit[function].kind {
            ExprKind::Function(id) => {
                if let Some(other) = self.copy_of_bits(id, &values, span) {
                    return other;
                }
                self.number_handles(id, &mut values);
                Callee::Direct(self.staying_within(id, &mut values))
            }
            _ => Callee::Pointer(function),
        };
        let args = self.unit.add_list(values);
        self.make(ExprKind::Call(callee, args), result, span)
    }

    /// Returns our header's function for `syscall(n, …)`, if there is one for this number.
    fn system_call(&mut self, callee: tree::ExprId, args: &[tree::ExprId]) -> Option<ExprId> {
        let &first = args.first()?;
        match self.tree[callee].kind {
            tree::ExprKind::Name(symbol) if self.text(symbol) == "syscall" => {}
            _ => return None,
        }
        let number = self.value(first);
        let number = self.unit.constant(number)?;
        let symbol = self.unit.names.get(&format!("{SYSTEM_CALL}{number}"))?;
        let Some(Binding::Function(function)) = self.scopes.name(symbol) else {
            return None;
        };
        let (ty, at) = (self.unit[function].ty, self.at(callee));
        Some(self.make(ExprKind::Function(function), ty, at))
    }

    /// Makes numbers of the handles of threads that a call writes into a text.
    fn number_handles(&mut self, function: FunctionId, values: &mut [ExprId]) {
        let name = self.unit.name(self.unit[function].name);
        if matches!(name, "sprintf" | "snprintf" | "asprintf") && self.is_our_function(function) {
            for value in values {
                if self.is_handle(self.ty(*value)) {
                    *value = self.converted_handle(*value, Types::int(IntKind::ULong));
                }
            }
        }
    }

    /// If a function of our header writes a text into a member, returns the version that stays within. Passes the member's size.
    fn staying_within(&mut self, function: FunctionId, values: &mut Vec<ExprId>) -> FunctionId {
        let Some((at, room)) = values.first().and_then(|&to| Some((to, self.room(to)?))) else {
            return function;
        };
        let own = &self.unit[function];
        let name = format!("{WITHIN}{}", self.unit.name(own.name));
        let known = self.unit.names.get(&name).and_then(|n| self.scopes.name(n));
        match known {
            Some(Binding::Function(within)) if self.is_our_function(function) => {
                let size = self.unit.types.size_type();
                values.push(self.number(room.into(), size, self.span(at)));
                within
            }
            _ => function,
        }
    }

    /// The size of an array that is a named member. The last member has none here: it may go on behind its end.
    fn room(&self, pointer: ExprId) -> Option<u64> {
        let array = match self.unit[pointer].kind {
            ExprKind::Convert(_, pointer) => return self.room(pointer),
            ExprKind::Decay(array) => array,
            _ => return None,
        };
        let ExprKind::Member(place, number) = self.unit[array].kind else {
            return None;
        };
        let record = &self.unit.types[self.unit.types.record(self.ty(place))?];
        let last = record.fields.as_ref()?.len() - 1;
        let size = self.unit.types.layout(self.ty(array))?.size;
        (size > 0 && !record.is_union && (number as usize) < last).then_some(size)
    }

    fn arguments(
        &mut self,
        function: &FunctionType,
        (args, padded): (&[tree::ExprId], bool),
        span: Span,
    ) -> Vec<ExprId> {
        let wanted = function.params.len();
        let wrong = function.prototype
            && (args.len() < wanted && !padded || args.len() > wanted && !function.variadic);
        if wrong {
            let message = format!(
                "the function takes {}{wanted} argument{}, not {}",
                if function.variadic { "at least " } else { "" },
                if wanted == 1 { "" } else { "s" },
                args.len()
            );
            self.error("argument-count", span, message);
        }
        let mut values = Vec::with_capacity(args.len());
        let missing = if padded { args.len()..wanted } else { 0..0 };
        for (i, &arg) in args.iter().enumerate() {
            let value = self.value(arg);
            values.push(match function.params.get(i) {
                Some(param) if function.prototype => self.assigned(value, param.ty),
                _ => self.promoted_argument(value),
            });
        }
        for param in &function.params[missing] {
            let zero = self.number(0, Types::INT, span);
            values.push(self.assigned(zero, param.ty));
        }
        values
    }

    /// An argument for which no parameter is declared.
    fn promoted_argument(&mut self, value: ExprId) -> ExprId {
        let ty = self.ty(value);
        match self.unit.types.shape(ty) {
            Type::Void => {
                let span = self.span(value);
                self.fail("void-value", span, "`void` is no value")
            }
            Type::Float(FloatKind::Float) => self.converted(value, Types::DOUBLE),
            Type::Bool | Type::Int(_) | Type::Enum(_) => self.promoted(value),
            _ => value,
        }
    }

    /// Declares a function at an undeclared call. If compilers do not know it, it takes any arguments and gives `int`.
    fn declare_implicitly(&mut self, symbol: ast::symbol::Symbol, span: Span) {
        if self.builtin_function(symbol, span).is_some() {
            return;
        }
        if let Some(binding) = self.known(symbol, false) {
            self.scopes.declare(symbol, binding);
            return;
        }
        let ty = self.unit.types.intern(Type::Function(FunctionType {
            result: Types::INT,
            params: Box::default(),
            variadic: false,
            prototype: false,
        }));
        self.declare_known(symbol, ty, span);
    }

    /// Declares a function of a known type that the program does not declare.
    pub(super) fn declare_known(
        &mut self,
        symbol: ast::symbol::Symbol,
        ty: TypeId,
        span: Span,
    ) -> FunctionId {
        let name = tree::Name { symbol, span };
        let function = self.declare_function(name, ty, (false, false));
        self.unit[function].implicit = true;
        function
    }

    /// The type of a builtin function, from letters: result, then parameters.
    pub(super) fn signature(&mut self, letters: &str) -> TypeId {
        let variadic = letters.ends_with('.');
        let mut types: Vec<TypeId> = Vec::new();
        for letter in letters.trim_end_matches('.').chars() {
            let ty = match letter {
                'v' => Types::VOID,
                'b' => Types::BOOL,
                'i' => Types::INT,
                'u' => Types::int(IntKind::UInt),
                'l' => Types::int(IntKind::Long),
                'k' => Types::int(IntKind::ULong),
                'L' => Types::int(IntKind::LongLong),
                'K' => Types::int(IntKind::ULongLong),
                'h' => Types::int(IntKind::UShort),
                'd' => Types::DOUBLE,
                'f' => self.unit.types.intern(Type::Float(FloatKind::Float)),
                'z' => self.unit.types.size_type(),
                's' => self.pointer_to(Types::int(IntKind::Char)),
                _ => self.pointer_to(Types::VOID),
            };
            types.push(ty);
        }
        let result = types.first().copied().unwrap_or(Types::VOID);
        let params = types.get(1..).unwrap_or(&[]);
        let params = params.iter().map(|&ty| crate::types::QualType::plain(ty));
        let params = params.collect();
        self.unit.types.intern(Type::Function(FunctionType {
            result,
            params,
            variadic,
            prototype: true,
        }))
    }

    fn pointer_to(&mut self, ty: TypeId) -> TypeId {
        let ty = crate::types::QualType::plain(ty);
        self.unit.types.pointer(ty)
    }
}
