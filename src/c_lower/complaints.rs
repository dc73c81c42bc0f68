//! Diagnostics about a program: what lowering does not support, and what a run leaves out.

use super::{Lowerer, Refused};
use base::diagnostic::Diagnostic;
use base::source::{SourceMap, Span};
use base::suggest::closest;
use c::Options;
use c::typed::{Callee, Conversion, ExprId, ExprKind, FunctionId, Unit};
use rustc_hash::FxHashSet;

/// Complains about a name behind `--error-label` that no statement has: no execution would ever reach it.
pub(super) fn missing_label(unit: &Unit, options: &Options) -> Option<Diagnostic> {
    let names = || unit.labels.iter().map(|l| unit.name(l.name));
    let missing = |wanted: &&String| !names().any(|name| name == wanted.as_str());
    let missing = options.error_labels.iter().find(missing)?;
    let message = format!("no statement has the label `{missing}` (`--error-label`)");
    let at = unit.main.map_or(Span::default(), |main| unit[main].span);
    let said = Diagnostic::error("c-label", at, message);
    Some(match closest(missing, names()) {
        Some(near) => said.note(format!("did you mean `{near}`?")),
        None => said,
    })
}

/// Complains about a name behind `--stub` that is neither a function without a body nor a variable that no file defines.
pub(super) fn wrong_stub(unit: &Unit, options: &Options) -> Option<Diagnostic> {
    let without = || unit.functions.iter().filter(|f| f.body.is_none());
    let elsewhere = (unit.variables.iter()).filter(|v| v.external && v.init.is_none());
    let elsewhere: Vec<&str> = elsewhere.filter_map(|v| Some(unit.name(v.name?))).collect();
    let names = || {
        without()
            .map(|f| unit.name(f.name))
            .chain(elsewhere.iter().copied())
    };
    let wrong = |stub: &&String| !names().any(|name| name == stub.as_str());
    let stub = options.stubs.iter().find(wrong)?;
    let defined = unit.functions.iter().find(|f| unit.name(f.name) == stub);
    let message = match defined {
        Some(_) => format!("the program defines `{stub}` (`--stub`)"),
        None => format!(
            "the program declares no function `{stub}`, and no variable of that name (`--stub`)"
        ),
    };
    let at = defined.or_else(|| unit.main.map(|main| &unit[main]));
    let said = Diagnostic::error("c-stub", at.map_or(Span::default(), |f| f.span), message);
    let near = closest(stub, names()).filter(|_| defined.is_none());
    Some(match near {
        Some(near) => said.note(format!("did you mean `{near}`?")),
        None => said,
    })
}

/// Functions for which no `--stub` is offered, with the names in glibc: a stub gives any result and touches nothing.
const JUMPS: [&str; 6] = [
    "setjmp",
    "sigsetjmp",
    "_setjmp",
    "__sigsetjmp",
    "longjmp",
    "siglongjmp",
];
const JUMPS_MAY: &str = "`setjmp` of our `<setjmp.h>` may be what `if`, `while`, `for` or `switch` decide by, also in a comparison, or what a variable gets";

/// Complains about a function that no file defines, at all its calls.
pub(super) fn nowhere(unit: &Unit, function: FunctionId, sources: &SourceMap) -> Diagnostic {
    let name = unit.name(unit[function].name);
    let calls = unit
        .exprs
        .iter()
        .filter(|e| matches!(&e.kind, ExprKind::Call(Callee::Direct(f), _) if *f == function));
    let mut calls: Vec<Span> = calls.map(|e| e.span).collect();
    calls.sort();
    // The program names a start routine, and does not call it.
    let named = |e: &&c::typed::Expr| matches!(e.kind, ExprKind::Function(f) if f == function);
    let named = || unit.exprs.iter().filter(named).map(|e| e.span).min();
    let first = calls.first().copied().or_else(named);
    let first = first.unwrap_or(unit[function].span);
    let own = unit[function].implicit || sources.is_users(unit[function].span);
    let message = match own {
        true => format!("no file defines `{name}`"),
        false if JUMPS.contains(&name) => format!("`{name}` is not supported here"),
        false => format!("`{name}` of the C library is not modelled"),
    };
    let preprocessed = sources
        .file_of(first.start)
        .is_some_and(|f| f.name.ends_with(".i"));
    let reserved = name.starts_with('_');
    let define = match c::headers::declaring(name).filter(|_| own) {
        Some(header) if preprocessed => {
            format!("give the `.c` file: our `<{header}>` says what `{name}` does")
        }
        Some(header) => format!("`#include <{header}>` gives that of the C library"),
        None if own && preprocessed && reserved => {
            format!("give the `.c` file: with our headers it does without `{name}`")
        }
        None if own => "give the file that defines it, too".to_owned(),
        None => "define it in the program".to_owned(),
    };
    let result = unit.types.function(unit[function].ty).map(|f| f.result);
    let note = match JUMPS.contains(&name) {
        true => JUMPS_MAY.to_owned(),
        false if result.is_some_and(|ty| unit.types.pointee(ty).is_some()) => {
            format!("{define}{}", if own { ", or write it in C" } else { "" })
        }
        false => {
            format!("{define}, or `--stub {name}`: it then gives any result and touches nothing")
        }
    };
    let mut said = Diagnostic::error("c-undefined", first, message).note(note);
    let others = calls.into_iter().filter(|&span| span != first);
    said.related
        .extend(others.map(|span| (span, "called here, too".to_owned())));
    said
}

pub(super) fn complaints(mut all: Vec<Refused>) -> Vec<Diagnostic> {
    all.sort();
    all.dedup();
    let complain = |refused: Refused| {
        let message = format!("{} not supported yet in C programs", refused.what?);
        Some(Diagnostic::error("c-unsupported", refused.span, message))
    };
    let mut all: Vec<Diagnostic> = all.into_iter().filter_map(complain).collect();
    if let Some(last) = all.pop() {
        let note = "docs/c.md lists what is supported in C";
        all.push(last.note(note));
    }
    all
}

/// Functions of the library that are modelled only for their usual use, each with what a verdict without a bug leaves out.
const TAKEN_AS: [(&str, &str); 8] = [
    ("signal", NO_SIGNAL),
    ("__no_signal_comes", NO_SIGNAL),
    (
        "localtime_r",
        "the day is the first of 1970, unless the program has called `mktime` or `timegm`",
    ),
    ("mktime", "the time zone is UTC"),
    ("strftime", "the text of a day is empty"),
    ("setlocale", "the locale is always \"C\""),
    (
        "alloca",
        "memory from `alloca` is there until the program ends: that it is used later is not found",
    ),
    (
        "flockfile",
        "a stream that a thread has locked keeps others only from `flockfile`",
    ),
];
const NO_SIGNAL: &str = "no signal comes from outside: handlers run where the program raises one";

impl Lowerer<'_> {
    /// Notes what a verdict leaves out, if the program calls a function of `TAKEN_AS`.
    pub(super) fn say_what_it_is_taken_as(&mut self, name: &str, args: &[ExprId], span: Span) {
        let Some((_, what)) = TAKEN_AS.iter().find(|(own, _)| *own == name) else {
            return;
        };
        let ignored = args.get(1).and_then(|&a| self.unit.constant(a)).is_some();
        let unsaid = &mut self.build.program.scope.unsaid;
        if !(name == "signal" && ignored || unsaid.iter().any(|(_, said)| said == what)) {
            unsaid.push((span, (*what).to_owned()));
        }
    }
}

/// Warns if a program reads `argc`, and the user gives no arguments.
pub(super) fn without_arguments(unit: &Unit, options: &Options) -> Vec<Diagnostic> {
    let count = unit
        .main
        .and_then(|main| unit[main].params.first().copied());
    let Some(count) = count.filter(|_| options.args.is_empty()) else {
        return Vec::new();
    };
    let is_count = |e: ExprId| matches!(unit[e].kind, ExprKind::Var(v) if v == count);
    // A program writes `(void)argc;` to say that it ignores `argc`.
    let dropped = |e: &c::typed::Expr| match e.kind {
        ExprKind::Convert(Conversion::Void, of) => match unit[of].kind {
            ExprKind::Load(place) if is_count(place) => Some(place),
            _ => is_count(of).then_some(of),
        },
        _ => None,
    };
    let dropped: FxHashSet<ExprId> = unit.exprs.iter().filter_map(dropped).collect();
    let mut all = (0..).zip(&unit.exprs).map(|(at, e)| (ExprId(at), e));
    let Some((_, at)) = all.find(|&(id, _)| is_count(id) && !dropped.contains(&id)) else {
        return Vec::new();
    };
    let message = "the program is verified as it runs without arguments";
    let note = "`--args \"…\"` gives it some";
    vec![Diagnostic::warning("c-arguments", at.span, message).note(note)]
}
