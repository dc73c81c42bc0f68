//! Numbers in texts that the program reads, and in its arguments.

use super::{Call, Value};
use crate::{Lowered, Lowerer, refuse};
use base::source::Span;
use c::typed::{ExprId as CExprId, ExprKind as C, FunctionId};
use c::types::{IntKind, Types as CTypes};
use c_memory::READS_NUMBERS;
use ir::lower::Lower;
use ir::{BinaryOp, ErrorKind, ExprId, Type, TypeId};

impl Lowerer<'_> {
    pub(super) fn number_call(&mut self, call: Call<'_>) -> Lowered<Option<Value>> {
        let Call { name, e, args, .. } = call;
        match (name, args) {
            ("strtol" | "strtoll" | "strtoul" | "strtoull", &[text, end, base]) => {
                self.number_argument(e, text, Some((end, base))).map(Some)
            }
            ("atoi" | "atol" | "atoll", &[text]) => self.number_argument(e, text, None).map(Some),
            ("scanf", [format, into @ ..]) | ("fscanf", [_, format, into @ ..])
                if c_memory::scans_numbers(self.unit, *format, into.len()) =>
            {
                let stream = c_memory::reads(self.unit, name, args);
                self.evaluated_and_read(&args[..args.len() - into.len()], &stream, call.span)?;
                self.scan_input(e, into).map(Some)
            }
            ("sscanf", &[text, format, to])
                if c_memory::written(self.unit, &self.memory.dropped, e, name, args).is_none() =>
            {
                self.scan_argument(e, text, format, to).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// `scanf("%d", &n)`: any numbers, as many as the call says.
    fn scan_input(&mut self, e: CExprId, into: &[CExprId]) -> Lowered<Value> {
        let span = self.unit[e].span;
        let most = self.size(into.len() as i128);
        let done = self.up_to(e, Some(most))?;
        let done = self.keep(done);
        for (at, &to) in (0..).zip(into) {
            let found = self.pointed(self.unconverted(to))?;
            if !matches!(self.build.types().get(found.ty), Type::Bits(_))
                || matches!(self.unit[self.unconverted(to)].kind, C::Decay(_))
            {
                return refuse(span, "this `scanf` is");
            }
            let value = self.any(found.ty);
            let (value, at) = (self.keep(value), self.build.int(at, self.build.ty(done)));
            let read = self.build.binary(BinaryOp::Lt, at, done);
            self.store_if(read, &found, value)?;
        }
        Ok(Value(Some(done)))
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
        let format = self.literal(format).unwrap_or_default();
        let number = format.into_iter().eq("%d".chars().map(u32::from));
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

    /// `atoi(argv[i])`, or of any other text.
    fn number_argument(
        &mut self,
        e: CExprId,
        text: CExprId,
        how: Option<(CExprId, CExprId)>,
    ) -> Lowered<Value> {
        let span = self.unit[e].span;
        let argument = match self.unit[self.unconverted(text)].kind {
            C::Load(place) => self.argument(place).is_some(),
            _ => false,
        };
        let reads = c_memory::own_function(self.unit, READS_NUMBERS).filter(|_| !argument);
        if let Some(reads) = reads {
            let text = self.value(text)?;
            let text = self.keep(text);
            let int = self.unit[reads].params.get(2).map(|&p| self.unit[p].ty.ty);
            let int = self.scalar_type(int.unwrap_or(CTypes::VOID), span)?;
            let (end, base) = match how {
                Some((end, base)) => self.pair(end, base)?,
                None => (
                    self.build.int(0, self.build.ty(text)),
                    self.build.int(10, int),
                ),
            };
            let ty = self.scalar_type(self.unit[e].ty.ty, span)?;
            let (most, least) = self.limits_of_number(reads, how.is_some(), ty, span)?;
            let number = self.run(reads, vec![text, end, base, most, least], span)?;
            let number = number.unwrap_or_else(|| self.build.int(0, ty));
            return self.converted(number, ty, span).map(|v| Value(Some(v)));
        }
        if !argument {
            let what = "a number in a text without `#include <stdlib.h>`, or of a preprocessed program (give the `.c` file) is";
            return refuse(span, what);
        }
        if let Some((end, base)) = how {
            self.null(end, "where a number ends in an argument of the program is")?;
            if !matches!(self.unit.constant(base), Some(0 | 10)) {
                return refuse(
                    span,
                    "an argument of the program in another base than ten is",
                );
            }
        }
        let value = self.argument_number(text, span)?;
        self.gives(e, value)
    }

    /// Returns the largest number that can be read, and the least one without its sign. `atoi` reads a `long`, as `atol` does.
    fn limits_of_number(
        &mut self,
        reads: FunctionId,
        says_type: bool,
        ty: TypeId,
        span: Span,
    ) -> Lowered<(ExprId, ExprId)> {
        let wide = self.unit[reads].params.get(3).map(|&p| self.unit[p].ty.ty);
        let wide = self.scalar_type(wide.unwrap_or(CTypes::VOID), span)?;
        let long = self.scalar_type(CTypes::int(IntKind::Long), span)?;
        let own = if says_type { &[ty][..] } else { &[ty, long] };
        let bounds = own.iter().filter_map(|&ty| self.build.types().bounds(ty));
        let Some((least, most)) = bounds.max_by_key(|&(_, most)| most) else {
            return refuse(span, "a number in a text is");
        };
        let least = if least < 0 { -least } else { most };
        Ok((self.build.int(most, wide), self.build.int(least, wide)))
    }

    /// Returns the number that an argument of the program spells.
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
            let what =
                format!("argument {index} of the program, which `--args` does not give, is read");
            self.never(ErrorKind::Deref, what);
            return Ok(0);
        };
        let Ok(value) = word.parse::<i32>() else {
            return refuse(span, format!("the argument `{word}` as a number is"));
        };
        Ok(i128::from(value))
    }
}
