//! Output: printed values are computed, the memory behind them is read, and nothing is kept.

use super::spelled::{Characters, Spelled};
use super::{Call, NO_STREAM, Value};
use crate::variadic::{NO_ARGUMENT, OTHER_ARGUMENT};
use crate::{Lowered, Lowerer};
use base::source::Span;
use c::typed::{ExprId as CExprId, ExprKind as C};
use c::types::{IntKind, TypeId as CTypeId, Types as CTypes};
use c_memory::spelling::{Piece, What as Spelling, may_count};
use c_memory::{Most, Object, Read, Target, What};
use ir::lower::Lower;
use ir::{Behind, BinaryOp, ErrorKind, ExprId, Root, Step};

/// The variable that our header gives for a text of the environment, whose characters are not known.
const NOT_KNOWN: &str = "__text_that_is_not_known";
/// A local array of at most this many characters is read as a whole.
const MOST_AT_ONCE: u32 = 256;

impl Lowerer<'_> {
    /// Whether an object stands for a text of the environment.
    pub(crate) fn is_not_known(&self, object: Object) -> bool {
        let Object::Variable(variable) = object else {
            return false;
        };
        let name = self.unit[variable].name;
        name.is_some_and(|n| self.unit.name(n) == NOT_KNOWN)
    }

    pub(super) fn output_call(&mut self, call: Call<'_>) -> Lowered<Option<Value>> {
        let Call { name, e, args, .. } = call;
        let some = |value| Some(Value(Some(value)));
        if c_memory::written(self.unit, &self.memory.dropped, e, name, args).is_some()
            && (name == "write" || self.reads_more_than_numbers(call))
        {
            return Ok(None);
        }
        // The result of a call that succeeds, if it is known.
        let done = match (name, args) {
            ("vprintf" | "vfprintf" | "vsyslog" | "vdprintf", [rest @ .., format, list]) => {
                let stream = c_memory::reads(self.unit, name, rest);
                self.evaluated_and_read(rest, &stream, call.span)?;
                let reads = c_memory::read_format(self.unit, *format);
                self.evaluated_and_read(&[*format], &reads, call.span)?;
                self.given_list(*list)?;
                None
            }
            ("putchar" | "putc" | "fputc", [char, stream @ ..]) => {
                let char = self.value(*char)?;
                let char = self.keep(char);
                let reads = c_memory::reads(self.unit, name, args);
                self.evaluated_and_read(stream, &reads, call.span)?;
                let ty = self.scalar_type(CTypes::int(IntKind::UChar), call.span)?;
                Some(self.converted(char, ty, call.span)?)
            }
            _ if !c_memory::is_output(name) => return Ok(None),
            _ => match self.characters_of_format(call)? {
                Some(length) => Some(length),
                None => {
                    let reads = c_memory::reads(self.unit, name, args);
                    let most = self.evaluated_and_read(args, &reads, call.span)?;
                    match name {
                        "write" | "pwrite" | "fwrite" => return self.up_to(e, most).map(some),
                        "puts" | "fputs" => return self.up_to(e, None).map(some),
                        "fflush" => Some(self.size(0)),
                        _ => None,
                    }
                }
            },
        };
        // A pass removes the choice if the program does not use the result.
        match done {
            _ if self.is_void(self.unit[e].ty.ty) => Ok(Some(Value(None))),
            Some(done) => self.or_failed(e, done).map(some),
            None => self.input(e).map(some),
        }
    }

    /// Whether some argument of a format is a pointer, so that our header has to look at the format.
    fn reads_more_than_numbers(&self, call: Call<'_>) -> bool {
        let pointer = |ty: CTypeId| self.is_pointer(ty);
        match c_memory::printed_by_format(call.name, call.args) {
            Some((format, values)) => {
                let asks = |target| match target {
                    Target::Object(Object::Text(literal)) => {
                        c_memory::asks_for_more(self.unit, literal, format, values)
                    }
                    Target::Object(_) => true,
                    Target::Function(_) | Target::AnyByte => false,
                };
                values.iter().any(|&v| pointer(self.unit[v].ty.ty))
                    || self.memory.targets(format).any(asks)
            }
            None => {
                let list = call.args.last().copied();
                let own = list.is_some_and(|list| self.own_list(list).is_some());
                let rest = self.body.rest.as_ref();
                own && rest.is_some_and(|rest| rest.iter().any(|(_, ty)| pointer(*ty)))
            }
        }
    }

    /// Counts the characters that a call prints by a format, if its result is used or `%n` asks for them.
    fn characters_of_format(&mut self, call: Call<'_>) -> Lowered<Option<ExprId>> {
        let Some((format, values)) = c_memory::printed_by_format(call.name, call.args) else {
            return Ok(None);
        };
        let Some(known) = c_memory::literal(self.unit, format) else {
            return Ok(None);
        };
        let counts = |p: &Piece| matches!(p, Piece::Field(f) if matches!(f.what, Spelling::Count));
        match self.pieces_of(format, values) {
            Some(pieces) if pieces.iter().any(counts) || !self.memory.dropped.contains(&call.e) => {
                let before = &call.args[..call.args.len() - values.len() - 1];
                let stream = c_memory::reads(self.unit, call.name, before);
                self.evaluated_and_read(before, &stream, call.span)?;
                let spelled = Spelled {
                    to: None,
                    room: None,
                    pieces: &pieces,
                    values,
                };
                self.spell(call, &spelled).map(|length| length.0)
            }
            None if may_count(&known) => {
                let what = "characters are counted here that are not computed";
                self.at(call.span, |l| l.unknown(what.to_owned(), Behind::Unknown));
                Ok(None)
            }
            _ => Ok(None),
        }
    }

    /// Evaluates arguments from the first to the last, and then reads the bytes to which they lead. Returns the last number of
    /// bytes or elements that the call names.
    pub(super) fn evaluated_and_read(
        &mut self,
        args: &[CExprId],
        reads: &[Read],
        span: Span,
    ) -> Lowered<Option<ExprId>> {
        let (mut all, mut numbers) = (Vec::new(), Vec::new());
        for &arg in args {
            if let Some(read) = reads.iter().find(|r| r.arg == arg) {
                let from = self.read_from(read, span)?;
                all.extend(from.map(|from| (from, *read)));
            } else if reads.iter().any(|r| r.what.counts_by(arg)) {
                let number = self.value(arg)?;
                numbers.push((arg, self.keep(number)));
            } else {
                self.effects(&[arg])?;
            }
        }
        let number = |arg: CExprId| numbers.iter().find(|n| n.0 == arg).map(|n| n.1);
        for (from, read) in all {
            match read.what {
                What::Text(most) => {
                    let most = match most {
                        None => self.most_of_literals(read.arg),
                        Some(Most::Known(most)) => Some(self.size(most.into())),
                        Some(Most::Given(given)) => number(given)
                            .map(|given| self.precision_given(given, i128::from(u32::MAX)).0),
                    };
                    self.text_is_read(&from, most, span)?;
                }
                What::Stream | What::NoArgument | What::NoText => {}
                What::TextOrNothing => {
                    let Characters::From { at, .. } = from else {
                        self.text_is_read(&from, None, span)?;
                        continue;
                    };
                    let some = self.truth(at, span)?;
                    self.when(some, |l| l.text_is_read(&from, None, span))?;
                }
                What::Bytes(size, count) => {
                    let ty = self.pointer_type();
                    let mut bytes = self.build.int(1, ty);
                    for number in [Some(size), count].into_iter().flatten().filter_map(number) {
                        let number = self.converted(number, ty, span)?;
                        bytes = self.build.binary(BinaryOp::Mul, bytes, number);
                    }
                    self.bytes_are_read(&from, bytes, span)?;
                }
            }
        }
        Ok(numbers.last().map(|n| n.1))
    }

    /// Returns 1 if a pointer leads only to literals. Each has an end, so one character shows whether the pointer leads into one.
    fn most_of_literals(&mut self, pointer: CExprId) -> Option<ExprId> {
        let pointer = self.unconverted(pointer);
        let all: Vec<Target> = self.memory.targets(pointer).collect();
        let literal = |t: &Target| matches!(t, Target::Object(Object::Text(_)));
        let known = !all.is_empty() && all.iter().all(literal);
        known.then(|| self.size(1))
    }

    /// Emits an error: the format has no use for an argument, or lacks one.
    fn wrong_argument(
        &mut self,
        arg: CExprId,
        what: &str,
        span: Span,
    ) -> Lowered<Option<Characters>> {
        self.effects(&[arg])?;
        self.at(span, |l| l.never(ErrorKind::Index, what));
        Ok(None)
    }

    /// Returns where characters or bytes are read; `None` if none have to be.
    fn read_from(&mut self, read: &Read, span: Span) -> Lowered<Option<Characters>> {
        let arg = match read.what {
            What::Text(_) | What::TextOrNothing => c_memory::as_text(self.unit, read.arg),
            _ => self.unconverted(read.arg),
        };
        match read.what {
            What::NoArgument => self.wrong_argument(arg, NO_ARGUMENT, span),
            What::NoText => self.wrong_argument(arg, OTHER_ARGUMENT, span),
            What::Text(_) | What::TextOrNothing => {
                if self.literal(arg).is_some() {
                    return Ok(None);
                }
                if !self.is_text(arg) {
                    self.effects(&[arg])?;
                    return Ok(None);
                }
                let unknown = |t| matches!(t, Target::Object(o) if self.is_not_known(o));
                if self.memory.targets(arg).any(unknown) {
                    let at = self.address_of(arg, span)?;
                    let some = self.truth(at, span)?;
                    if read.what != What::TextOrNothing {
                        let what = "there is no text that could be read";
                        self.at(span, |l| l.expect(ErrorKind::Deref, some, what));
                    }
                    return Ok(None);
                }
                self.characters(arg, span).map(Some)
            }
            What::Stream => {
                if !self.is_elsewhere(arg) {
                    let at = self.address_of(arg, span)?;
                    let some = self.truth(at, span)?;
                    self.at(span, |l| l.expect(ErrorKind::Deref, some, NO_STREAM));
                }
                Ok(None)
            }
            What::Bytes(..) => {
                let Some(element) = self.type_of_bytes(arg) else {
                    self.effects(&[arg])?;
                    return Ok(None);
                };
                let at = self.address_of(arg, span)?;
                Ok(Some(Characters::From {
                    at,
                    pointer: arg,
                    element,
                }))
            }
        }
    }

    /// Whether a value is that of a variable that is defined elsewhere, like `stdout` in a text that was preprocessed before.
    fn is_elsewhere(&self, e: CExprId) -> bool {
        let C::Load(place) = self.unit[e].kind else {
            return false;
        };
        match self.unit[place].kind {
            C::Var(id) => self.unit[id].external && self.unit[id].init.is_none(),
            _ => false,
        }
    }

    /// Returns the type of the elements that are read as bytes: the pointer's, or characters if all objects are made of these.
    fn type_of_bytes(&self, pointer: CExprId) -> Option<CTypeId> {
        let known = self.element_type(pointer);
        let characters = |t| match t {
            Target::Object(object) => self.is_of_characters(object),
            Target::Function(_) => false,
            Target::AnyByte => true,
        };
        match known {
            Some(ty) => Some(ty).filter(|&ty| self.unit.types.library(ty).is_none()),
            None if self.memory.targets(pointer).all(characters) => {
                Some(CTypes::int(IntKind::Char))
            }
            None => None,
        }
    }

    fn is_of_characters(&self, object: Object) -> bool {
        let element = self.element_of(object);
        element.is_some_and(|ty| c_memory::is_character(self.unit, ty))
    }

    /// Reads the characters of a text up to its end, or up to `most` of them.
    fn text_is_read(&mut self, from: &Characters, most: Option<ExprId>, span: Span) -> Lowered<()> {
        if let Characters::Array {
            found,
            len,
            element,
        } = from
            && let [only] = found.choices.as_slice()
            && matches!(only.place.root, Root::Local(_))
            && *len <= MOST_AT_ONCE
        {
            let ty = self.pointer_type();
            let mut ends = self.build.bool(false);
            for at in 0..i128::from(*len) {
                let index = self.build.int(at, ty);
                let part = found.part(Step::Index(index), *element);
                let char = self.load(&part)?;
                let end = self.build.nonzero(char);
                let end = self.build.not(end);
                ends = self.build.binary(BinaryOp::Or, ends, end);
            }
            if let Some(most) = most {
                let len = self.build.int(i128::from(*len), ty);
                let few = self.build.binary(BinaryOp::Le, most, len);
                ends = self.build.binary(BinaryOp::Or, ends, few);
            }
            let what = format!("the text goes beyond an array of {len} characters");
            self.at(span, |l| l.expect(ErrorKind::Deref, ends, what));
            return Ok(());
        }
        self.each_character(from, most, span, &mut |_, _| Ok(()))?;
        Ok(())
    }

    /// Reads `bytes` bytes, element by element.
    fn bytes_are_read(&mut self, from: &Characters, bytes: ExprId, span: Span) -> Lowered<()> {
        let Characters::From {
            at,
            pointer,
            element,
        } = *from
        else {
            return Ok(());
        };
        let each = c_memory::size_of(self.unit, element);
        let ty = self.pointer_type();
        let (rest, each) = (
            self.build.int(i128::from(each) - 1, ty),
            self.build.int(i128::from(each), ty),
        );
        // The memory may hold only the first members of a structure.
        let bytes = match self.unit.types.is_scalar(element) {
            true => self.build.binary(BinaryOp::Add, bytes, rest),
            false => bytes,
        };
        let count = self.build.binary(BinaryOp::Div, bytes, each);
        let count = self.keep(count);
        self.repeat(count, &mut |l, turn| {
            let by = l.build.binary(BinaryOp::Mul, turn, each);
            let at = l.build.binary(BinaryOp::Add, at, by);
            let found = l.leads_to(at, pointer, element, span)?;
            l.load(&found)?;
            Ok(())
        })
    }
}
