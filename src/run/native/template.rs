//! The file in C: the parts of its template that a program needs, with the order of threads and the values from outside.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use object::{Object as _, ObjectSymbol as _, SymbolKind};

use super::Reproduction;
use super::lines::short;
use super::log::THREADS;
use super::order::Order;
use super::process::RUNTIME;
use super::reproduce::Built;
use super::search::{Bug, What};

/// Functions that libraries call, too.
const OF_THE_PROGRAM: &str = "pthread_once call_once malloc calloc free realloc memcpy memmove memset strlen strnlen strcmp strncmp memcmp strcpy";

const TEMPLATE: &str = include_str!("../reproduce.c");

/// The names in the object files.
#[derive(Default)]
pub(super) struct Symbols {
    used: BTreeSet<String>,
    defined: BTreeSet<String>,
    local: BTreeSet<String>,
}

impl Symbols {
    /// Adds the names in an object file.
    pub(super) fn add(&mut self, object: &Path) -> Result<(), String> {
        let failed = |error: &dyn std::fmt::Display| {
            format!("the compiler's object file cannot be read: {error}")
        };
        let bytes = std::fs::read(object).map_err(|e| failed(&e))?;
        let file = object::File::parse(&*bytes).map_err(|e| failed(&e))?;
        for symbol in file.symbols() {
            let name = symbol.name().unwrap_or_default().to_owned();
            let is_function = symbol.kind() == SymbolKind::Text;
            match (symbol.is_undefined(), symbol.is_global()) {
                (true, _) if !name.is_empty() => drop(self.used.insert(name)),
                (false, true) => drop(self.defined.insert(name)),
                (false, false) if is_function => drop(self.local.insert(name)),
                _ => {}
            }
        }
        Ok(())
    }

    /// Returns the names that the program uses and does not define.
    fn missing(&self) -> impl Iterator<Item = &str> {
        self.used.difference(&self.defined).map(String::as_str)
    }

    fn misses(&self, name: &str) -> bool {
        self.used.contains(name) && !self.defined.contains(name)
    }
}

/// A part of the template. It stands behind a line with names, and a program needs it if it needs one of these.
struct Section {
    names: Vec<&'static str>,
    text: String,
}

fn sections() -> Vec<Section> {
    let mut sections = vec![Section {
        names: Vec::new(),
        text: String::new(),
    }];
    for line in TEMPLATE.lines() {
        if let Some(names) = line.strip_prefix("//@") {
            sections.push(Section {
                names: names.split_whitespace().collect(),
                text: String::new(),
            });
        } else if let Some(section) = sections.last_mut() {
            section.text += line;
            section.text += "\n";
        }
    }
    sections
}

/// Returns the type of the input that a function gives, as C writes it.
fn input(name: &str) -> Option<&'static str> {
    let stem = name.strip_prefix("__VERIFIER_nondet_");
    Some(match stem.or_else(|| name.strip_prefix("nondet_"))? {
        "bool" | "_Bool" => "_Bool",
        "char" => "char",
        "schar" | "int8_t" | "s8" => "signed char",
        "uchar" | "uint8_t" | "u8" | "unsigned_char" => "unsigned char",
        "short" | "int16_t" | "s16" => "short",
        "ushort" | "uint16_t" | "u16" | "unsigned_short" => "unsigned short",
        "int" | "int32_t" | "s32" => "int",
        "uint" | "unsigned" | "uint32_t" | "u32" | "unsigned_int" => "unsigned",
        "long" | "int64_t" | "s64" | "loff_t" => "long",
        "ulong" | "uint64_t" | "u64" | "size_t" | "unsigned_long" => "unsigned long",
        "longlong" => "long long",
        "ulonglong" => "unsigned long long",
        _ => return None,
    })
}

/// The functions of inputs that a program uses, with their types.
fn inputs_of(symbols: &Symbols) -> impl Iterator<Item = (&str, &'static str)> {
    symbols
        .missing()
        .filter_map(|name| Some((name, input(name)?)))
}

/// Returns the name of an access that the compiler reports. Below, the number of bits of an atomic operation.
fn access(name: &str) -> Option<&str> {
    let rest = name.strip_prefix("__tsan_")?;
    let kind = rest.trim_end_matches(|c: char| c.is_ascii_digit());
    let plain = kind
        .trim_start_matches("unaligned_")
        .trim_start_matches("volatile_");
    matches!(plain, "read" | "write").then_some(rest)
}

fn atomic(name: &str) -> Option<&'static str> {
    let bits = name.strip_prefix("__tsan_atomic")?.split('_').next()?;
    ["8", "16", "32", "64"].into_iter().find(|b| *b == bits)
}

/// Functions that the runtime controls for pipes only. They need no control here: programs that make pipes are refused.
const ON_FILES: &str = "read __read_chk write close close_range dup dup2 dup3 readv writev fdopen dprintf vdprintf fcntl fcntl64 ioctl poll __poll_chk ppoll select pselect pause sigwait sigwaitinfo sigsuspend waitpid";

/// Refuses programs that the file cannot control.
pub(super) fn refuse(symbols: &Symbols) -> Result<(), String> {
    if !symbols.defined.contains("main") {
        return Err("the program has no main".into());
    }
    let own = symbols.defined.iter().chain(&symbols.local);
    if let Some(name) = own.clone().find(|n| n.starts_with("__VERIFIER_atomic_")) {
        return Err(format!(
            "{name} is one step for dbverify, and many for a processor"
        ));
    }
    let sections = sections();
    let known: BTreeSet<&str> = sections
        .iter()
        .flat_map(|s| s.names.iter().copied())
        .collect();
    let runtime = object::File::parse(RUNTIME).map_err(|error| error.to_string())?;
    let controlled: BTreeSet<&str> = (runtime.dynamic_symbols())
        // Weak ones only report what they read and write.
        .filter(|s| s.is_definition() && !s.is_weak())
        .filter_map(|s| s.name().ok())
        .filter(|name| ON_FILES.split(' ').all(|file| file != *name))
        .collect();
    let always = ["__tsan_init", "__tsan_func_entry", "__tsan_func_exit"];
    for name in symbols.missing() {
        let is_there = known.contains(name)
            || always.contains(&name)
            || access(name).is_some()
            || atomic(name).is_some()
            || input(name).is_some();
        if is_there {
            continue;
        }
        if controlled.contains(name) || name.starts_with("__tsan_") {
            return Err(format!(
                "the program uses {name}, which the file does not control"
            ));
        }
        if name.contains("nondet") || name.starts_with("__VERIFIER_") {
            return Err(format!(
                "the program uses {name}, for which the file has no value"
            ));
        }
    }
    Ok(())
}

/// Defines, for the search, a verifier's functions, with the inputs of each thread.
pub(super) fn inputs(symbols: &Symbols, asked: &Reproduction<'_>) -> String {
    let mut text = String::from(
        "extern int __dbverify_thread(void);\n\
         extern void __dbverify_given(unsigned long), __dbverify_fails(const char *, void *), __dbverify_atomic(int), __dbverify_atomics(void), _exit(int);\n\
         #define CALLER __builtin_return_address(0)\n",
    );
    for (name, ty) in inputs_of(symbols) {
        let _ = writeln!(
            text,
            "{ty} {name}(void)\n{{\n\tstatic unsigned at[{THREADS}];\n\tlong long v = 0;\n\tint t = __dbverify_thread();"
        );
        for thread in 0..THREADS {
            let own = asked
                .inputs
                .iter()
                .filter(|(t, n, _)| *t == thread && n == name);
            let own: Vec<String> = own.map(|(_, _, value)| number(*value as u64)).collect();
            if !own.is_empty() {
                let _ = writeln!(
                    text,
                    "\tif (t == {thread} && at[t] < {}) v = ((long long[]){{{}}})[at[t]++];",
                    own.len(),
                    own.join(", ")
                );
            }
        }
        let _ = writeln!(text, "\t__dbverify_given(({ty})v);\n\treturn ({ty})v;\n}}");
    }
    let dropped = "{ if (!holds) _exit(0); }";
    for (name, definition) in [
        (
            "reach_error",
            "(void) { __dbverify_fails(\"reach_error is called\", CALLER); }",
        ),
        (
            "__VERIFIER_error",
            "(void) { __dbverify_fails(\"__VERIFIER_error is called\", CALLER); }",
        ),
        (
            "__VERIFIER_assert",
            "(int holds) { if (!holds) __dbverify_fails(\"__VERIFIER_assert fails\", CALLER); }",
        ),
        ("__VERIFIER_assume", &format!("(int holds) {dropped}")),
        ("assume_abort_if_not", &format!("(int holds) {dropped}")),
        (
            "__VERIFIER_atomic_begin",
            "(void) { __dbverify_atomic(1); }\n__attribute__((constructor)) static void uses(void) { __dbverify_atomics(); }",
        ),
        ("__VERIFIER_atomic_end", "(void) { __dbverify_atomic(0); }"),
    ] {
        if symbols.misses(name) {
            let _ = writeln!(text, "void {name}{definition}");
        }
    }
    text
}

/// Writes 64 bits as a `long long` of C.
fn number(value: u64) -> String {
    match value as i64 {
        i64::MIN => "-9223372036854775807ll - 1".into(),
        value => value.to_string(),
    }
}

/// Returns the parts of the template that a program needs. `race` says whether the file looks at racing accesses.
fn needed(symbols: &Symbols, race: bool) -> String {
    let all = sections();
    let misses = |s: &Section| s.names.iter().any(|n| symbols.misses(n));
    let inputs = inputs_of(symbols).next().is_some();
    let asks = |s: &Section| s.text.contains("from_outside()") && misses(s);
    let outside = inputs || all.iter().any(asks);
    let of_c11 =
        |n: &str| n == "call_once" || ["thrd_", "mtx_", "cnd_"].iter().any(|p| n.starts_with(p));
    let has = |name: &str| match name {
        "given" => outside,
        "atomics" => symbols.missing().any(|n| atomic(n).is_some()),
        "inputs" => inputs,
        "race" => race,
        "accesses" => !race,
        "ours" => OF_THE_PROGRAM.split(' ').any(|name| symbols.misses(name)),
        "c11" => symbols.missing().any(of_c11),
        name => symbols.misses(name),
    };
    let is_needed = |s: &Section| {
        !s.names.contains(&"natural") && (s.names.is_empty() || s.names.iter().any(|n| has(n)))
    };
    let needed = all.into_iter().filter(is_needed);
    needed.map(|section| section.text).collect()
}

/// Returns the text of the file.
pub(super) fn text(
    asked: &Reproduction<'_>,
    built: &Built,
    bug: &Bug,
    order: &Order,
    words: &str,
    first: Option<(usize, u64)>,
) -> String {
    let symbols = &built.symbols;
    let hook = |name| format!("void __tsan_{name}(void *at) {{ accesses(at); }}\n");
    let hooks: String = symbols.missing().filter_map(access).map(hook).collect();
    let bits: BTreeSet<&str> = symbols.missing().filter_map(atomic).collect();
    let atomics = bits.iter().map(|n| format!("ATOMIC({n}, uint{n}_t) "));
    let input = |(name, ty)| format!("{ty} {name}(void) {{ return ({ty})from_outside(); }}\n");
    let inputs: String = inputs_of(symbols).map(input).collect();
    let alone = matches!(&bug.what, What::Ending(ending) if ending.needs_no_words());
    let (error, exit) = if alone {
        let said = "\tsay(\"the program ends without the error\\n\");\n";
        ("0".to_owned(), said)
    } else {
        (quoted(words), "")
    };
    let given = order.given.iter().map(|v| format!("\t{},\n", number(*v)));
    let mut given: String = given.collect();
    if given.is_empty() {
        given += "\t0\n";
    }
    let (thread, step) = first.unwrap_or_default();
    let mut text = needed(symbols, first.is_some());
    for (mark, with) in [
        ("@HEAD@", head(asked, built, order, words).as_str()),
        ("@ORDER@", &segments(order)),
        ("@GIVEN@", &given),
        ("@ERROR@", &error),
        ("@THREAD@", &thread.to_string()),
        ("@STEP@", &step.to_string()),
        ("@EXIT@", exit),
        ("@HOOKS@", hooks.trim_end()),
        ("@ATOMICS@", atomics.collect::<String>().trim_end()),
        ("@INPUTS@", inputs.trim_end()),
    ] {
        text = text.replace(mark, with);
    }
    text
}

fn head(asked: &Reproduction<'_>, built: &Built, order: &Order, words: &str) -> String {
    let command = built.command(asked);
    let mut text = format!(
        "/* {}\n\n   This file makes the program run its threads in an order in which that happens. To build and run it:\n\n       {}\n\n",
        words.replace("*/", "* /"),
        command.replace("*/", "*\"\"/"),
    );
    if order.spurious {
        text += "   A thread that waits for a condition wakes up without a signal. POSIX allows that.\n";
    }
    let _ = write!(
        text,
        "   dbverify {} wrote this file, and has run it {} times. It is for the GNU C library on Linux. */",
        env!("CARGO_PKG_VERSION"),
        super::reproduce::RUNS
    );
    text
}

fn segments(order: &Order) -> String {
    let mut text = String::new();
    for (index, segment) in order.segments.iter().enumerate() {
        let who = match segment.thread {
            0 => "main".to_owned(),
            n => format!("thread {n}"),
        };
        let last = index + 1 == order.segments.len();
        let what = match &segment.before {
            None if segment.steps == 0 => "runs up to the error".to_owned(),
            Some((Some(place), words)) => {
                let file = short(&place.file);
                format!("stops at {file}:{}, before it {words}", place.line)
            }
            Some((None, words)) => format!("stops before it {words}"),
            None if last => "comes to the error".to_owned(),
            None => "ends".to_owned(),
        };
        let _ = writeln!(
            text,
            "\t{{{}, {}}}, /* {who} {what} */",
            segment.thread, segment.steps
        );
    }
    text
}

fn quoted(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{}\"", text.replace('\n', "\\n"))
}
