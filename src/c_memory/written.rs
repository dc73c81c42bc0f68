//! Functions of the library that our headers write out in C, for the calls that nothing simpler answers. They make texts by
//! a format that is not known here, or from a list of arguments; and they read texts by a format.

use rustc_hash::FxHashSet;

use super::format::{Field, Part, fields, parts};
use super::{
    BY_POINTER, array_of_text, is_output, literal, own_function, printed_by_format, unconverted,
};
use c::typed::{
    Callee, Conversion, ExprId, ExprKind as C, FunctionId, Lifetime, StmtKind as S, Unit, VarId,
    WITHIN,
};

/// The prefix of the names of those functions.
pub const WRITTEN: &str = "__written_";
/// The prefix by which compilers know functions of the library.
const BUILTIN: &str = "__builtin_";
/// The prefix of their variants for calls whose text is only printed.
const PRINTED: &str = "__printed_";

/// The name of a function without our prefix.
#[must_use]
pub fn known_as(name: &str) -> &str {
    let mut ours = [WRITTEN, PRINTED, WITHIN, BY_POINTER].iter();
    ours.find_map(|prefix| name.strip_prefix(prefix))
        .unwrap_or(name)
}

/// Our headers call these before something is read of a file and before it is read elsewhere.
pub const BEFORE_READING: &str = "__before_reading";
pub const BEFORE_MOVING: &str = "__before_moving";

/// Our headers call these before they treat a file as one that is not modelled. They say whether it is a pipe, and then do the same.
const OF_PIPES: [&str; 4] = ["__pipe_read", "__pipe_close", "__pipe_flags", "__pipe_else"];
/// The prefix of what our headers call so before they treat a file as one that does not count, as those of `eventfd` do.
const OF_COUNTERS: &str = "__counter_";
/// The prefix of what our headers call where a signal may be blocked.
const OF_SIGNALS: &str = "__mask_";
/// What these functions return where they have nothing to do.
pub const IDLE: i128 = -2;

/// Whether a function of our headers for pipes or for signals has something to do: the program has them. `None` for any other one.
#[must_use]
pub fn has_work(unit: &Unit, name: &str) -> Option<bool> {
    match name {
        _ if OF_PIPES.contains(&name) => Some(unit.has_pipes),
        _ if name.starts_with(OF_COUNTERS) => Some(unit.has_counters),
        _ if name.starts_with(OF_SIGNALS) => Some(unit.blocks_signals),
        _ => None,
    }
}
/// Our header calls this where a file is closed.
pub const WATCHED: &str = "__watched_no_more";

/// What a call of a function of the library runs, if our headers write it out. `dropped` has the calls whose results are not used.
pub fn written(
    unit: &Unit,
    dropped: &FxHashSet<ExprId>,
    call: ExprId,
    name: &str,
    args: &[ExprId],
) -> Option<FunctionId> {
    // The program may define such a function itself.
    if let C::Call(Callee::Direct(function), _) = unit[call].kind
        && unit[function].body.is_some()
        && name != "fgetc"
    {
        return None;
    }
    let wanted = match (name, args) {
        ("vsnprintf", &[to, room, _, list]) if fits(unit, to, room) && is_variable(unit, list) => {
            if dropped.contains(&call) && only_printed(unit, to) {
                return own_function(unit, &format!("{PRINTED}{name}"));
            }
            true
        }
        ("vsnprintf" | "vsprintf", [to, ..]) => {
            !(dropped.contains(&call) && only_printed(unit, *to))
        }
        ("snprintf", [to, _, format, ..]) | ("sprintf", [to, format, ..]) => {
            let printed = || dropped.contains(&call) && only_printed(unit, *to);
            !is_literal(unit, *format) || is_made_in_c(unit, *format) && !printed()
        }
        ("vprintf" | "vfprintf" | "vdprintf" | "vsyslog", [.., list]) => is_variable(unit, *list),
        ("sscanf", [text, ..]) => !is_argument_of_main(unit, *text),
        ("vsscanf" | "vscanf" | "vfscanf" | "asprintf" | "vasprintf", _) => true,
        ("scanf", [format, into @ ..]) | ("fscanf", [_, format, into @ ..]) => {
            !scans_numbers(unit, *format, into.len())
        }
        ("ungetc", _) => true,
        ("write", _) => unit.has_pipes,
        (WATCHED, _) => unit.watches,
        // Its signal may have a handler.
        ("abort" | "__builtin_abort", _) => unit.blocks_signals,
        ("fgetc" | "getchar" | BEFORE_READING | BEFORE_MOVING, _) => unit.pushes_back,
        _ => has_work(unit, name).unwrap_or_else(|| {
            printed_by_format(name, args).is_some_and(|(format, _)| !is_literal(unit, format))
        }),
    };
    own_function(unit, &written_name(name)).filter(|_| wanted)
}

/// The name of our header's function for a function of the library.
pub fn written_name(name: &str) -> String {
    format!("{WRITTEN}{}", name.strip_prefix(BUILTIN).unwrap_or(name))
}

/// Whether an array is known to have `room` bytes, which must be at least one.
fn fits(unit: &Unit, to: ExprId, room: ExprId) -> bool {
    let array = array_of_text(unit, unconverted(unit, to));
    let layout = array.and_then(|array| unit.types.layout(unit[array].ty.ty));
    let room = unit.constant(room);
    room.zip(layout)
        .is_some_and(|(room, layout)| (1..=i128::from(layout.size)).contains(&room))
}

/// Whether a list of arguments is a local variable.
fn is_variable(unit: &Unit, list: ExprId) -> bool {
    match unit[list].kind {
        C::Var(id) => matches!(unit[id].lifetime, Lifetime::Local | Lifetime::Param),
        C::Load(of) | C::Convert(_, of) => is_variable(unit, of),
        _ => false,
    }
}

/// Whether an expression is a string literal.
fn is_literal(unit: &Unit, text: ExprId) -> bool {
    match unit[unconverted(unit, text)].kind {
        C::Decay(of) => matches!(unit[of].kind, C::Text(_)),
        _ => false,
    }
}

/// Whether our header makes the text of a format: one with a conversion of a floating number, of an error or of a wide character.
/// The last two do not count beside a conversion whose text is not computed.
fn is_made_in_c(unit: &Unit, format: ExprId) -> bool {
    literal(unit, format).is_some_and(|f| {
        let floats = |f: Field| "eEfFgG".contains(f.letter) && matches!(&*f.size, "" | "l");
        fields(&f).any(floats) || not_computed(&f).is_none() && fields(&f).any(|f| is_unusual(&f))
    })
}

fn is_unusual(field: &Field) -> bool {
    let kind = (&*field.size, field.letter);
    matches!(kind, ("l", 'c') | ("", 'm' | 'C')) || field.flags.contains('\'')
}

/// The first conversion of a format whose text is not computed.
fn not_computed(format: &[u32]) -> Option<Field> {
    fields(format).find(|field| {
        let wide = field.letter == 's' && field.size.contains('l');
        "aApS$".contains(field.letter) || wide || field.size.contains('L')
    })
}

/// The message for a call whose text is not computed.
#[must_use]
pub fn text_not_computed(unit: &Unit, args: &[ExprId]) -> String {
    let mut formats = args.iter().filter_map(|&arg| literal(unit, arg));
    match formats.find_map(|format| not_computed(&format)) {
        Some(field) => format!("a text is made here by `%{field}`, which is not computed"),
        None => "a text is made here that is not computed".to_owned(),
    }
}

/// Whether a format is known and only reads integers and single characters, and no character was pushed back.
#[must_use]
pub fn scans_numbers(unit: &Unit, format: ExprId, into: usize) -> bool {
    literal(unit, format).is_some_and(|f| reads_numbers(&f, into)) && !unit.pushes_back
}

fn reads_numbers(format: &[u32], into: usize) -> bool {
    let plain =
        |f: &Field| f.is_bare() && !f.size.contains('L') && !"aAeEfFgGmnpCsS[".contains(f.letter);
    let mut count = 0;
    let all = parts(format).all(|part| match part {
        Part::Plain(_) => true,
        Part::Field(field) => {
            count += 1;
            plain(&field)
        }
        Part::Open => false,
    });
    all && count <= into
}

/// Whether a text is an element of `argv`.
fn is_argument_of_main(unit: &Unit, text: ExprId) -> bool {
    let argv = unit.main.and_then(|main| unit[main].params.get(1).copied());
    let C::Load(place) = unit[unconverted(unit, text)].kind else {
        return false;
    };
    let C::Index(array, _) = unit[place].kind else {
        return false;
    };
    match unit[array].kind {
        C::Load(variable) => matches!(unit[variable].kind, C::Var(id) if Some(id) == argv),
        _ => false,
    }
}

/// The calls whose results the program does not use.
pub fn dropped(unit: &Unit) -> FxHashSet<ExprId> {
    let mut dropped = FxHashSet::default();
    for stmt in &unit.stmts {
        match &stmt.kind {
            S::Expr(e) => drops(unit, *e, &mut dropped),
            S::For(_, _, Some(step), _) => drops(unit, *step, &mut dropped),
            _ => {}
        }
    }
    for expr in &unit.exprs {
        if let C::Comma(first, _) = expr.kind {
            drops(unit, first, &mut dropped);
        }
    }
    dropped
}

/// Whether an argument is a variable in which texts are made, and which is otherwise only printed.
pub fn only_printed(unit: &Unit, to: ExprId) -> bool {
    let variable = |place: ExprId| match unit[place].kind {
        C::Var(id) => Some(id),
        _ => None,
    };
    let own: Option<VarId> = array_of_text(unit, unconverted(unit, to)).and_then(variable);
    let Some(own) = own else { return false };
    let mut printed = Vec::new();
    for expr in &unit.exprs {
        let C::Call(Callee::Direct(function), args) = expr.kind else {
            continue;
        };
        if unit[function].body.is_some() {
            continue;
        }
        let args = &unit[args];
        match unit.name(unit[function].name) {
            "snprintf" | "vsnprintf" => {
                printed.extend(args.first().map(|&a| unconverted(unit, a)));
            }
            name if is_output(name) => {
                printed.extend(args.iter().map(|&a| unconverted(unit, a)));
            }
            _ => {}
        }
    }
    (0..).zip(&unit.exprs).all(|(at, expr)| match expr.kind {
        C::Decay(of) if variable(of) == Some(own) => printed.contains(&ExprId(at)),
        C::AddressOf(of) => variable(of) != Some(own),
        _ => true,
    })
}

/// The calls whose values an expression drops, if its own value is dropped.
fn drops(unit: &Unit, e: ExprId, dropped: &mut FxHashSet<ExprId>) {
    match unit[e].kind {
        C::Call(..) => {
            dropped.insert(e);
        }
        C::Convert(Conversion::Void, of) => drops(unit, of, dropped),
        C::Comma(_, last) => drops(unit, last, dropped),
        C::Conditional(_, a, b) => {
            drops(unit, a, dropped);
            drops(unit, b, dropped);
        }
        _ => {}
    }
}
