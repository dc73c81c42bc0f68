//! Output, time, chance, allocations, and numbers in texts.

use super::{Call, Value};
use crate::c::lower::{Lowered, Lowerer, refuse};
use crate::c::memory;
use crate::c::typed::{ExprId as CExprId, ExprKind as C};
use crate::ir::{BinaryOp, ErrorKind, StmtKind, Type, Types};
use crate::source::Span;

impl Lowerer<'_> {
    pub(super) fn other_call(&mut self, call: Call<'_>) -> Lowered<Option<Value>> {
        let Call {
            name,
            e,
            args,
            span,
        } = call;
        if memory::allocates(name).is_some() {
            let known = self.memory.heap.get(&e).is_some_and(|m| m.len.is_some());
            let sizes = memory::allocates(name).unwrap_or_default();
            let sizes: Vec<CExprId> = sizes.iter().filter_map(|&i| args.get(i).copied()).collect();
            if known {
                self.effects(args)?;
            }
            return self.allocate(e, &sizes, span).map(|v| Some(Value(Some(v))));
        }
        match (name, args) {
            ("vprintf" | "vfprintf" | "vsyslog" | "vdprintf", [rest @ .., _]) => {
                self.effects(rest)?;
                if self.is_void(self.unit[e].ty.ty) {
                    return Ok(Some(Value(None)));
                }
                self.input(e).map(|v| Some(Value(Some(v))))
            }
            (
                "printf" | "puts" | "putchar" | "fprintf" | "fflush" | "perror" | "fputs" | "putc"
                | "fputc" | "setbuf" | "setvbuf" | "dprintf" | "syslog" | "warn" | "warnx"
                | "__VERIFIER_print" | "printk",
                _,
            ) => {
                self.effects(args)?;
                // Whoever uses the result gets any value; a value that nobody uses is not chosen.
                if self.is_void(self.unit[e].ty.ty) {
                    return Ok(Some(Value(None)));
                }
                self.input(e).map(|v| Some(Value(Some(v))))
            }
            ("sleep" | "usleep" | "thrd_sleep" | "nanosleep" | "clock_nanosleep", _) => {
                self.effects(args)?;
                self.pause();
                self.cancellation_point()?;
                self.done(e).map(Some)
            }
            ("srand" | "srandom" | "srand48" | "__goblint_assume_join" | "__CPROVER_fence", _) => {
                self.effects(args)?;
                Ok(Some(Value(None)))
            }
            ("rand" | "random", []) => self.chance(e).map(Some),
            ("time", &[to]) => {
                self.null(to, "a time that is stored is")?;
                self.input(e).map(|v| Some(Value(Some(v))))
            }
            ("getpid" | "gettid" | "clock" | "getchar", []) => {
                self.input(e).map(|v| Some(Value(Some(v))))
            }
            ("rand_r", &[seed]) => {
                let found = self.pointed(self.unconverted(seed))?;
                let next = self.any(found.ty);
                self.store(&found, next)?;
                self.chance(e).map(Some)
            }
            ("strtol" | "strtoll" | "strtoul" | "strtoull", &[text, end, base]) => {
                self.null(end, "where a number ends in a text is")?;
                if !matches!(self.unit.constant(base), Some(0 | 10)) {
                    return refuse(span, "a number in another base than ten is");
                }
                self.number_argument(e, text).map(Some)
            }
            ("atoi" | "atol" | "atoll", &[text]) => self.number_argument(e, text).map(Some),
            ("scanf", [format, into @ ..]) if !into.is_empty() => {
                self.effects(&[*format])?;
                self.scan_input(e, into).map(Some)
            }
            ("sscanf", &[text, format, to]) => self.scan_argument(e, text, format, to).map(Some),
            ("abs" | "labs" | "llabs", &[value]) => {
                let value = self.value(value)?;
                let value = self.keep(value);
                let zero = self.build.int(0, self.build.ty(value));
                let below = self.build.binary(BinaryOp::Lt, value, zero);
                let other = self.build.unary(crate::ir::UnaryOp::Neg, value);
                Ok(Some(Value(Some(self.build.ite(below, other, value)))))
            }
            ("free" | "cfree", &[pointer]) => {
                self.free(pointer, span)?;
                Ok(Some(Value(None)))
            }
            ("gettimeofday" | "clock_gettime", &[a, b]) => {
                let (to, other) = if name == "gettimeofday" {
                    (a, b)
                } else {
                    (b, a)
                };
                let found = self.pointed(self.unconverted(to))?;
                self.effects(&[other])?;
                self.each(&found, &mut |l, place| {
                    l.havoc(place.clone());
                    Ok(None)
                })?;
                self.done(e).map(Some)
            }
            (
                "sqrt" | "pow" | "fabs" | "floor" | "ceil" | "sin" | "cos" | "exp" | "log"
                | "drand48" | "difftime" | "fmod",
                _,
            ) => {
                self.effects(args)?;
                Ok(Some(Value(Some(self.floating()))))
            }
            ("__builtin_expect", &[value, expected]) => {
                let (value, _) = self.pair(value, expected)?;
                Ok(Some(Value(Some(value))))
            }
            _ => Ok(None),
        }
    }

    /// Any number that is not negative.
    pub(super) fn chance(&mut self, e: CExprId) -> Lowered<Value> {
        let value = self.input(e)?;
        let zero = self.build.int(0, self.build.ty(value));
        let natural = self.build.binary(BinaryOp::Le, zero, value);
        self.emit(StmtKind::Assume(natural));
        Ok(Value(Some(value)))
    }

    /// `scanf("%d", &n)`: numbers, any of them or none.
    fn scan_input(&mut self, e: CExprId, into: &[CExprId]) -> Lowered<Value> {
        let span = self.unit[e].span;
        for &to in into {
            let found = self.pointed(self.unconverted(to))?;
            if !matches!(self.build.types().get(found.ty), Type::Bits(_))
                || matches!(self.unit[self.unconverted(to)].kind, C::Decay(_))
            {
                return refuse(span, "this `scanf` is");
            }
            let (value, read) = (self.any(found.ty), self.any(Types::BOOL));
            let value = self.keep(value);
            self.store_if(read, &found, value)?;
        }
        self.input(e).map(|v| Value(Some(v)))
    }

    /// `sscanf(argv[i], "%d", &n)`
    fn scan_argument(
        &mut self,
        e: CExprId,
        text: CExprId,
        format: CExprId,
        to: CExprId,
    ) -> Lowered<Value> {
        let span = self.unit[e].span;
        let format = match self.unit[self.unconverted(format)].kind {
            C::Decay(of) => match self.unit[of].kind {
                C::Text(text) => Some(&self.unit[text].values),
                _ => None,
            },
            _ => None,
        };
        let number = format.is_some_and(|f| f.iter().copied().eq("%d".chars().map(u32::from)));
        if !number {
            return refuse(span, "this `sscanf` is");
        }
        let found = self.pointed(self.unconverted(to))?;
        if !matches!(self.build.types().get(found.ty), Type::Bits(_)) {
            return refuse(span, "this `sscanf` is");
        }
        let value = self.argument_number(text, span)?;
        let value = self.build.int(value, found.ty);
        self.store(&found, value)?;
        self.gives(e, 1)
    }

    /// `atoi(argv[i])`
    fn number_argument(&mut self, e: CExprId, text: CExprId) -> Lowered<Value> {
        let value = self.argument_number(text, self.unit[e].span)?;
        self.gives(e, value)
    }

    /// The number that an argument of the program is.
    fn argument_number(&mut self, text: CExprId, span: Span) -> Lowered<i128> {
        let index = match self.unit[self.unconverted(text)].kind {
            C::Load(place) => self.argument(place).and_then(|i| self.unit.constant(i)),
            _ => None,
        };
        let Some(index) = index
            .and_then(|i| usize::try_from(i).ok())
            .filter(|&i| i > 0)
        else {
            return refuse(span, "a number in a text is");
        };
        let Some(word) = self.options.args.get(index - 1) else {
            // Beyond the arguments there is no text.
            let never = self.build.bool(false);
            let what =
                format!("argument {index} of the program, which `--args` does not give, is read");
            self.expect(ErrorKind::Deref, never, what);
            return Ok(0);
        };
        let Ok(value) = word.parse::<i32>() else {
            return refuse(span, format!("the argument `{word}` as a number is"));
        };
        Ok(i128::from(value))
    }
}
