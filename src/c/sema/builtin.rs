//! Functions of the compiler: those whose types depend on their arguments, and those that need no declaration.

use super::Sema;
use super::constant::NO_NUMBER;
use super::specs::LOOKS;
use crate::tree;
use crate::typed::{AtomicOp, BinaryOp, Builtin, Conversion, ExprId, ExprKind, FunctionId};
use crate::types::{QualType, TypeId, Types};
use ast::symbol::Symbol;
use base::source::Span;
use ir::MemoryOrder;

/// Functions that compilers know without a declaration, also with `__builtin_` before the name. The letters behind it
/// are the types of the result and the parameters: see [`Sema::signature`].
const KNOWN: &str = "\
    abort=v abs=ii alloca=pz calloc=pzz exit=vi _exit=vi ffs=ii ffsl=il ffsll=iL fprintf=ips. free=vp isalpha=ii \
    isdigit=ii isspace=ii labs=ll malloc=pz memchr=ppiz memcmp=ippz memcpy=pppz memmove=pppz memset=ppiz printf=is. \
    putchar=ii puts=is realloc=ppz scanf=is. snprintf=iszs. sprintf=iss. sscanf=iss. strcat=sss strchr=ssi \
    strcmp=iss strcpy=sss strdup=ss strlen=zs strncat=sssz strncmp=issz strncpy=sssz strrchr=ssi strstr=sss \
    vprintf=isp fabs=dd floor=dd ceil=dd sqrt=dd pow=ddd sin=dd cos=dd exp=dd log=dd";

/// Functions that exist with `__builtin_` before the name only.
const BUILTIN_ONLY: &str = "\
    bswap16=hh bswap32=uu bswap64=kk clz=iu clzl=ik clzll=iK ctz=iu ctzl=ik ctzll=iK popcount=iu popcountl=ik \
    popcountll=iK parity=iu nan=ds nanf=fs prefetch=vp. return_address=pu frame_address=pu object_size=zpi ia32_pause=v";

/// A memory order, or the expression that gives it at run time.
type Ordered = Result<MemoryOrder, ExprId>;

impl Sema<'_> {
    /// Declares a function that compilers know, if it is one.
    pub(super) fn builtin_function(&mut self, symbol: Symbol, span: Span) -> Option<FunctionId> {
        let name = self.text(symbol);
        let stripped = name.strip_prefix("__builtin_");
        let find = |list: &'static str, name: &str| {
            let mut known = list.split_whitespace();
            known.find_map(|one| one.strip_prefix(name)?.strip_prefix('='))
        };
        let letters = match stripped {
            Some(name) => find(KNOWN, name).or_else(|| find(BUILTIN_ONLY, name)),
            // Functions of `BUILTIN_ONLY` need the prefix.
            None => find(KNOWN, name),
        }?;
        let ty = self.signature(letters);
        Some(self.declare_known(symbol, ty, span))
    }

    /// A call of a function of the compiler whose type depends on its arguments.
    pub(super) fn builtin_call(
        &mut self,
        symbol: Symbol,
        args: &[tree::ExprId],
        span: Span,
    ) -> Option<ExprId> {
        let name = self.text(symbol).to_owned();
        if let Some(name) = name.strip_prefix("__builtin_") {
            let number = self.float_builtin(name, args, span);
            return number.or_else(|| self.plain_builtin(name, args, span));
        }
        if let Some(rest) = name.strip_prefix("__c11_atomic_") {
            return self.clang_atomic(rest, args, span);
        }
        let (op, operands) = atomic(&name)?;
        let values = args.iter().map(|&arg| self.value(arg)).collect();
        Some(self.atomic_call(op, operands, &name, values, span))
    }

    /// The functions of the compiler for `INFINITY` and `NAN`.
    fn float_builtin(&mut self, name: &str, args: &[tree::ExprId], span: Span) -> Option<ExprId> {
        let short = name.strip_suffix('f');
        let short = short.filter(|base| ["inf", "huge_val", "nan"].contains(base));
        let value = match (short.unwrap_or(name), args) {
            ("inf" | "huge_val", []) => f64::INFINITY,
            ("nan", &[text]) => match self.tree[text].kind {
                tree::ExprKind::Text(text) if self.tree[text].values.is_empty() => NO_NUMBER,
                _ => return None,
            },
            _ => return None,
        };
        Some(self.float_literal(value, if short.is_some() { 4 } else { 8 }, span))
    }

    fn plain_builtin(&mut self, name: &str, args: &[tree::ExprId], span: Span) -> Option<ExprId> {
        let wanted = match name {
            "expect" | "va_start" | "va_copy" => 2,
            "expect_with_probability" => 3,
            "constant_p" | "va_end" | "alloca" => 1,
            "unreachable" | "trap" => 0,
            _ => return None,
        };
        // `va_start` takes the last parameter or, since C23, nothing.
        let few = args.len() < wanted && !(name == "va_start" && args.len() == 1);
        if few || args.len() > wanted {
            let message = format!(
                "`__builtin_{name}` takes {wanted} arguments, not {}",
                args.len()
            );
            return Some(self.fail("argument-count", span, message));
        }
        let (builtin, ty) = match name {
            "expect" | "expect_with_probability" => {
                let value = self.value(args[0]);
                let long = Types::int(crate::types::IntKind::Long);
                return Some(self.assigned(value, long));
            }
            "constant_p" => {
                let value = self.value(args[0]);
                let known = self.unit.constant(value).is_some();
                return Some(self.number(known.into(), Types::INT, span));
            }
            "va_start" => (Builtin::VaStart, Types::VOID),
            "va_end" => (Builtin::VaEnd, Types::VOID),
            "va_copy" => (Builtin::VaCopy, Types::VOID),
            "unreachable" => (Builtin::Unreachable, Types::VOID),
            "trap" => (Builtin::Trap, Types::VOID),
            _ => {
                let void = QualType::plain(Types::VOID);
                (Builtin::Alloca, self.unit.types.pointer(void))
            }
        };
        let args = if builtin == Builtin::VaStart {
            &args[..1]
        } else {
            args
        };
        let operands: Vec<ExprId> = args
            .iter()
            .map(|&arg| match builtin {
                Builtin::Alloca => {
                    let size = self.unit.types.size_type();
                    let value = self.value(arg);
                    self.assigned(value, size)
                }
                _ => self.va_list(arg),
            })
            .collect();
        let operands = self.unit.add_list(operands);
        Some(self.make(ExprKind::Builtin(builtin, operands), ty, span))
    }

    /// An argument that must be a `va_list`.
    fn va_list(&mut self, arg: tree::ExprId) -> ExprId {
        let place = self.expr(arg);
        let ty = self.ty(place);
        if self.same(ty, Types::VA_LIST) {
            return place;
        }
        let span = self.span(place);
        let message = format!("{} is no `va_list`", self.show(ty));
        self.fail("type-mismatch", span, message)
    }

    pub(super) fn va_arg(
        &mut self,
        list: tree::ExprId,
        ty: tree::TypeNameId,
        span: Span,
    ) -> ExprId {
        let list = self.va_list(list);
        let ty = self.type_name(ty);
        let operands = self.unit.add_list([list]);
        self.make(ExprKind::Builtin(Builtin::VaArg, operands), ty.ty, span)
    }

    /// Makes an atomic operation from clang's name. It is like GNU's on values, but the name says whether an exchange is weak.
    fn clang_atomic(&mut self, name: &str, args: &[tree::ExprId], span: Span) -> Option<ExprId> {
        if let ("init", &[object, value]) = (name, args) {
            return Some(self.begins_atomic(object, value, span));
        }
        let gnu = match name {
            "load" | "store" | "exchange" => &format!("{name}_n"),
            "compare_exchange_strong" | "compare_exchange_weak" => "compare_exchange_n",
            other => other,
        };
        let gnu = format!("__atomic_{gnu}");
        let (op, operands) = atomic(&gnu)?;
        let mut values: Vec<ExprId> = args.iter().map(|&arg| self.value(arg)).collect();
        if matches!(op, AtomicOp::FetchThen(_)) && values.len() > 1 {
            values[1] = self.in_bytes(values[0], values[1]);
        }
        if op == AtomicOp::CompareExchange {
            if values.len() < 5 {
                let message = format!("`__c11_atomic_{name}` takes 5 arguments");
                return Some(self.fail("argument-count", span, message));
            }
            let weak = self.number(i128::from(name.ends_with("weak")), Types::INT, span);
            values.insert(3, weak);
        }
        Some(self.atomic_call(op, operands, &gnu, values, span))
    }

    /// How far an atomic pointer moves: clang counts elements, GNU's operations count bytes.
    fn in_bytes(&mut self, object: ExprId, by: ExprId) -> ExprId {
        let types = &self.unit.types;
        let moved = types.pointee(self.ty(object)).map(|of| of.ty);
        let element = moved.and_then(|of| types.pointee(of));
        let Some(layout) = element.and_then(|of| types.layout(of.ty)) else {
            return by;
        };
        let (ty, span) = (types.difference_type(), self.span(by));
        let by = self.assigned(by, ty);
        let size = self.number(i128::from(layout.size), ty, span);
        self.make(ExprKind::Binary(BinaryOp::Mul, by, size), ty, span)
    }

    /// `atomic_init(object, value)`: a store that is not atomic (C11, 7.17.2.2).
    fn begins_atomic(&mut self, object: tree::ExprId, value: tree::ExprId, span: Span) -> ExprId {
        let (pointer, value) = (self.value(object), self.value(value));
        let place = self.deref(pointer, span);
        let ty = self.ty(place);
        if ty == Types::ERROR {
            return self.failed(span);
        }
        let value = self.assigned(value, ty);
        let place = self.make(ExprKind::Deref(pointer), ty, span);
        let stored = self.make(ExprKind::Assign(place, value), ty, span);
        self.make(
            ExprKind::Convert(Conversion::Void, stored),
            Types::VOID,
            span,
        )
    }

    /// An atomic operation on what its first argument points to.
    fn atomic_call(
        &mut self,
        op: AtomicOp,
        wanted: usize,
        name: &str,
        values: Vec<ExprId>,
        span: Span,
    ) -> ExprId {
        if values.len() < wanted {
            let message = format!("`{name}` takes more arguments than {}", values.len());
            return self.fail("argument-count", span, message);
        }
        if values.iter().any(|&v| self.ty(v) == Types::ERROR) {
            return self.failed(span);
        }
        let orders = self.memory_orders(name, &values[wanted..]);
        let made = self.atomic_ordered((op, orders), &values, wanted, span);
        // An order that is more than a read of a variable is still evaluated, for its effects.
        let computed = values[wanted..].iter().rev();
        let computed = computed.filter(|&&e| self.unit.constant(e).is_none() && !self.is_read(e));
        let computed: Vec<ExprId> = computed.copied().collect();
        computed.into_iter().fold(made, |rest, order| {
            let ty = self.ty(rest);
            self.make(ExprKind::Comma(order, rest), ty, span)
        })
    }

    /// Makes the operation. Where the program computes an order, it chooses between operations with each of them.
    fn atomic_ordered(
        &mut self,
        (op, orders): (AtomicOp, [Ordered; 2]),
        values: &[ExprId],
        wanted: usize,
        span: Span,
    ) -> ExprId {
        let open = orders.iter().position(Result::is_err);
        let Some((at, Err(order))) = open.map(|at| (at, orders[at])) else {
            let orders = orders.map(|order| order.unwrap_or(MemoryOrder::Relaxed));
            return self.atomic_made((op, orders), values, wanted, span);
        };
        let with = |chosen| {
            let mut all = orders;
            let same = orders.iter().all(|&o| o == Err(order));
            all[at] = Ok(chosen);
            if same { [Ok(chosen); 2] } else { all }
        };
        let mut made = self.atomic_ordered((op, with(MemoryOrder::Relaxed)), values, wanted, span);
        for (number, chosen) in (0..).zip(MemoryOrder::ALL).skip(1) {
            let this = self.atomic_ordered((op, with(chosen)), values, wanted, span);
            let ty = self.ty(order);
            let number = self.number(number, ty, span);
            let is = ExprKind::Compare(crate::typed::CompareOp::Eq, order, number);
            let is = self.make(is, Types::INT, span);
            let ty = self.ty(made);
            made = self.make(ExprKind::Conditional(is, this, made), ty, span);
        }
        made
    }

    /// The memory order of an operation, and the one for an exchange that fails. An order that is computed, and not just read from
    /// a variable, counts as relaxed.
    fn memory_orders(&self, name: &str, orders: &[ExprId]) -> [Ordered; 2] {
        if let Some(name) = name.strip_prefix("__sync_") {
            return [Ok(match name {
                "lock_test_and_set" => MemoryOrder::Acquire,
                "lock_release" => MemoryOrder::Release,
                _ => MemoryOrder::SeqCst,
            }); 2];
        }
        // A signal fence orders a thread only against its own signal handlers.
        if name == "__atomic_signal_fence" || name.ends_with("_lock_free") {
            return [Ok(MemoryOrder::Relaxed); 2];
        }
        let given = |&order: &ExprId| {
            let Some(number) = self.unit.lasting(order, LOOKS) else {
                return match self.is_read(order) {
                    true => Err(order),
                    false => Ok(MemoryOrder::Relaxed),
                };
            };
            // The higher bits may be hints to the processor.
            let number = usize::try_from(number & 0xffff).ok();
            let order = number.and_then(|n| MemoryOrder::ALL.get(n).copied());
            Ok(order.unwrap_or(MemoryOrder::Relaxed))
        };
        let order = |at: Option<&ExprId>| at.map_or(Ok(MemoryOrder::Relaxed), given);
        [order(orders.first()), order(orders.last())]
    }

    /// Whether an expression only reads a variable, so that it may be evaluated again.
    pub(super) fn is_read(&self, e: ExprId) -> bool {
        match self.unit[e].kind {
            ExprKind::Load(place) => matches!(self.unit[place].kind, ExprKind::Var(_)),
            ExprKind::Convert(_, of) => self.is_read(of),
            _ => false,
        }
    }

    /// Makes the operation itself. Its operands are the first `wanted` values.
    pub(super) fn atomic_made(
        &mut self,
        (op, orders): (AtomicOp, [MemoryOrder; 2]),
        values: &[ExprId],
        wanted: usize,
        span: Span,
    ) -> ExprId {
        match op {
            AtomicOp::Fence => {
                let none = self.unit.add_list([]);
                return self.make(ExprKind::Atomic(op, orders, none), Types::VOID, span);
            }
            AtomicOp::IsLockFree => {
                let Some(size) = self.unit.constant(values[0]) else {
                    let message = "the size of this object is not constant".to_owned();
                    return self.fail("not-constant", span, message);
                };
                let free = i128::from(matches!(size, 1 | 2 | 4 | 8));
                return self.number(free, Types::BOOL, span);
            }
            _ => {}
        }
        let pointer = values[0];
        let Some(to) = self.unit.types.pointee(self.ty(pointer)) else {
            let message = format!("{} is no pointer", self.show(self.ty(pointer)));
            return self.fail("no-pointer", span, message);
        };
        let mut operands = vec![pointer];
        for (i, &value) in values.iter().enumerate().take(wanted).skip(1) {
            let operand = self.atomic_operand(op, i, value, to.ty);
            operands.push(operand);
        }
        let ty = result_type(op, to.ty);
        let operands = self.unit.add_list(operands);
        self.make(ExprKind::Atomic(op, orders, operands), ty, span)
    }

    fn atomic_operand(&mut self, op: AtomicOp, i: usize, value: ExprId, to: TypeId) -> ExprId {
        use AtomicOp::{
            CompareExchange, CompareExchangeThrough, ExchangeThrough, LoadInto, StoreFrom,
        };
        let through = matches!(op, LoadInto | StoreFrom | ExchangeThrough);
        let is_pointer = match op {
            _ if through => true,
            CompareExchange => i == 1,
            CompareExchangeThrough => i == 1 || i == 2,
            _ => false,
        };
        if matches!(op, CompareExchange | CompareExchangeThrough) && i == 3 {
            return self.assigned(value, Types::BOOL);
        }
        if is_pointer {
            let pointer = self.unit.types.pointer(QualType::plain(to));
            return self.assigned(value, pointer);
        }
        // A pointer is moved by bytes.
        if matches!(op, AtomicOp::FetchThen(_) | AtomicOp::ThenFetch(_))
            && self.unit.types.pointee(to).is_some()
        {
            let ty = self.unit.types.difference_type();
            return self.assigned(value, ty);
        }
        if to == Types::VOID {
            let span = self.span(value);
            return self.make(
                ExprKind::Convert(Conversion::Same, value),
                self.ty(value),
                span,
            );
        }
        self.assigned(value, to)
    }
}

/// The type of an atomic operation on something of a type.
fn result_type(op: AtomicOp, of: TypeId) -> TypeId {
    use AtomicOp as A;
    match op {
        A::LoadInto | A::Store | A::StoreFrom | A::ExchangeThrough | A::Clear | A::Fence => {
            Types::VOID
        }
        A::CompareExchange | A::CompareExchangeThrough | A::CompareSwap => Types::BOOL,
        A::TestAndSet | A::IsLockFree => Types::BOOL,
        A::Load | A::Exchange | A::FetchThen(_) | A::ThenFetch(_) => of,
        A::FetchNand | A::NandFetch | A::CompareSwapValue => of,
    }
}

/// The atomic operation that a function's name stands for, and how many of its arguments are no memory orders.
fn atomic(name: &str) -> Option<(AtomicOp, usize)> {
    use AtomicOp as A;
    if let Some(name) = name.strip_prefix("__sync_") {
        return Some(match name {
            "bool_compare_and_swap" => (A::CompareSwap, 3),
            "val_compare_and_swap" => (A::CompareSwapValue, 3),
            "lock_test_and_set" | "swap" => (A::Exchange, 2),
            "lock_release" => (A::Store, 1),
            "synchronize" => (A::Fence, 0),
            _ => (
                fetch(
                    name.strip_prefix("fetch_and_"),
                    name.strip_suffix("_and_fetch"),
                )?,
                2,
            ),
        });
    }
    let name = name.strip_prefix("__atomic_")?;
    Some(match name {
        "load_n" => (A::Load, 1),
        "load" => (A::LoadInto, 2),
        "store_n" => (A::Store, 2),
        "store" => (A::StoreFrom, 2),
        "exchange_n" => (A::Exchange, 2),
        "exchange" => (A::ExchangeThrough, 3),
        "compare_exchange_n" => (A::CompareExchange, 4),
        "compare_exchange" => (A::CompareExchangeThrough, 4),
        "test_and_set" => (A::TestAndSet, 1),
        "clear" => (A::Clear, 1),
        "thread_fence" | "signal_fence" => (A::Fence, 0),
        "is_lock_free" | "always_lock_free" => (A::IsLockFree, 1),
        _ => (
            fetch(name.strip_prefix("fetch_"), name.strip_suffix("_fetch"))?,
            2,
        ),
    })
}

/// The operation of `fetch_add` or `add_fetch`, from the word behind or before `fetch`.
fn fetch(old: Option<&str>, new: Option<&str>) -> Option<AtomicOp> {
    let op = match old.or(new)? {
        "nand" if old.is_some() => return Some(AtomicOp::FetchNand),
        "nand" => return Some(AtomicOp::NandFetch),
        "add" => BinaryOp::Add,
        "sub" => BinaryOp::Sub,
        "and" => BinaryOp::BitAnd,
        "or" => BinaryOp::BitOr,
        "xor" => BinaryOp::BitXor,
        _ => return None,
    };
    Some(if old.is_some() {
        AtomicOp::FetchThen(op)
    } else {
        AtomicOp::ThenFetch(op)
    })
}
