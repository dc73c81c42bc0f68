//! Output, time, chance, and memory.

use super::{Call, Value};
use crate::c::lower::{Lowered, Lowerer, refuse};
use crate::c::memory;
use crate::c::typed::{ExprId as CExprId, ExprKind as C};
use crate::ir::{BinaryOp, StmtKind};

impl Lowerer<'_> {
    pub(super) fn other_call(&mut self, call: Call<'_>) -> Lowered<Option<Value>> {
        let Call {
            name,
            e,
            args,
            span,
        } = call;
        if memory::allocates(name).is_some() {
            self.effects(args)?;
            return self.allocate(e, span).map(|v| Some(Value(Some(v))));
        }
        match (name, args) {
            (
                "printf" | "puts" | "putchar" | "fprintf" | "fflush" | "perror" | "fputs" | "putc"
                | "fputc" | "vprintf" | "setbuf" | "setvbuf" | "dprintf" | "syslog" | "warn"
                | "warnx" | "__VERIFIER_print" | "printk",
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
                self.done(e).map(Some)
            }
            ("srand" | "srandom" | "srand48" | "__goblint_assume_join", _) => {
                self.effects(args)?;
                Ok(Some(Value(None)))
            }
            ("rand" | "random", []) => {
                let value = self.input(e)?;
                let zero = self.build.int(0, self.build.ty(value));
                let natural = self.build.binary(BinaryOp::Le, zero, value);
                self.emit(StmtKind::Assume(natural));
                Ok(Some(Value(Some(value))))
            }
            ("time", &[to]) => {
                self.null(to, "a time that is stored is")?;
                self.input(e).map(|v| Some(Value(Some(v))))
            }
            ("getpid" | "gettid" | "clock" | "getchar", []) => {
                self.input(e).map(|v| Some(Value(Some(v))))
            }
            ("atoi" | "atol" | "atoll", &[text]) => self.number_argument(e, text).map(Some),
            ("abs" | "labs" | "llabs", &[value]) => {
                let value = self.value(value)?;
                let value = self.keep(value);
                let zero = self.build.int(0, self.build.ty(value));
                let below = self.build.binary(BinaryOp::Lt, value, zero);
                let other = self.build.unary(crate::ir::UnaryOp::Neg, value);
                Ok(Some(Value(Some(self.build.ite(below, other, value)))))
            }
            ("free", &[pointer]) => {
                let _ = pointer;
                refuse(span, "`free` is")
            }
            ("__builtin_expect", &[value, expected]) => {
                let (value, _) = self.pair(value, expected)?;
                Ok(Some(Value(Some(value))))
            }
            _ => Ok(None),
        }
    }

    /// `atoi(argv[i])`
    fn number_argument(&mut self, e: CExprId, text: CExprId) -> Lowered<Value> {
        let span = self.unit[e].span;
        let index = match self.unit[self.unconverted(text)].kind {
            C::Load(place) => match self.unit[place].kind {
                C::Index(argv, index) => match self.unit[argv].kind {
                    C::Load(variable) => match self.unit[variable].kind {
                        C::Var(id) if self.arguments_of_main == Some(id) => {
                            self.unit.constant(index)
                        }
                        _ => None,
                    },
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        };
        let Some(index) = index
            .and_then(|i| usize::try_from(i).ok())
            .filter(|&i| i > 0)
        else {
            return refuse(span, "a number in a text is");
        };
        let Some(word) = self.options.args.get(index - 1) else {
            return refuse(
                span,
                format!("argument {index} of the program, which `--args` does not give, is"),
            );
        };
        let Ok(value) = word.parse::<i32>() else {
            return refuse(span, format!("the argument `{word}` as a number is"));
        };
        self.gives(e, i128::from(value))
    }
}
