//! Points that are left out because a mutex is held change no verdict: random programs with and without them.
//!
//! A search for leaks leaves no point out, so these tests compare with the same question about leaks. More on demand:
//! `PROGRAMS=100000 cargo test --release --test all c_reduced::`.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use dbverify::c::Options;
use dbverify::c::property::{Property, Wanted};
use dbverify::compile_c;
use dbverify::options::{ExploreOptions, Sought, Strategy};
use dbverify::symbolic::explore;
use fastrand::Rng;

const HEAD: &str = "
typedef unsigned long pthread_t;
typedef struct { int kind; } pthread_mutex_t;
int pthread_mutex_init(pthread_mutex_t *, const void *);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_trylock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
void reach_error(void);
void exit(int);
static pthread_mutex_t m, n, more[2];
static int x, y, z;
static struct { pthread_mutex_t lock; int in; } s;
";

/// A mutex; now and then one whose index is not known before.
fn mutex(rng: &mut Rng) -> &'static str {
    let all = [
        "&m",
        "&m",
        "&m",
        "&n",
        "&s.lock",
        "&more[1]",
        "&more[x & 1]",
    ];
    all[rng.usize(..all.len())]
}

fn variable(rng: &mut Rng) -> &'static str {
    ["x", "x", "y", "z", "s.in"][rng.usize(..5)]
}

fn statements(rng: &mut Rng, text: &mut String, depth: u32, count: usize) {
    for _ in 0..count {
        let (v, w, k) = (variable(rng), variable(rng), rng.u32(0..4));
        let lock = mutex(rng);
        match rng.u32(0..13) {
            0..=2 if depth < 2 => {
                let _ = writeln!(text, "pthread_mutex_lock({lock});");
                let inner = rng.usize(1..4);
                statements(rng, text, depth + 1, inner);
                let again = if rng.u32(0..12) == 0 {
                    mutex(rng)
                } else {
                    lock
                };
                let _ = writeln!(text, "pthread_mutex_unlock({again});");
            }
            3 | 4 => {
                let _ = writeln!(text, "{v}++;");
            }
            5 => {
                let _ = writeln!(text, "{v} = {w} + 1;");
            }
            6 => {
                let _ = writeln!(text, "if ({v} == {k}) reach_error();");
            }
            7 if depth < 2 => {
                let _ = writeln!(text, "if ({v} > {k}) {{");
                let inner = rng.usize(1..3);
                statements(rng, text, depth + 1, inner);
                let _ = writeln!(text, "}}");
            }
            8 if depth < 2 => {
                let _ = writeln!(text, "if (!pthread_mutex_trylock({lock})) {{ {v}++;");
                statements(rng, text, depth + 1, 1);
                let _ = writeln!(text, "pthread_mutex_unlock({lock}); }} else {w}++;");
            }
            9 => {
                let _ = writeln!(text, "helper{}();", rng.u32(0..2));
            }
            10 if depth < 2 => {
                let _ = writeln!(text, "for (int i = 0; i < 2; i++) {{");
                statements(rng, text, depth + 1, 1);
                let leave = ["break;", "continue;", ""][rng.usize(..3)];
                let _ = writeln!(text, "if ({v} == {k}) {{ {leave} }} }}");
            }
            11 if rng.u32(0..4) == 0 => {
                let _ = writeln!(text, "if ({v} == {k}) exit(0);");
            }
            _ => {
                let _ = writeln!(text, "{v} = {k};");
            }
        }
    }
}

/// A random program with mutexes and helpers.
pub fn program(rng: &mut Rng) -> String {
    let mut text = HEAD.to_owned();
    for helper in 0..2 {
        let _ = writeln!(text, "static void helper{helper}(void) {{");
        // A helper calls none.
        let mut body = String::new();
        let count = rng.usize(1..3);
        statements(rng, &mut body, 1, count);
        let body = body
            .replace("helper0();", "x++;")
            .replace("helper1();", "y++;");
        let body = if rng.u32(0..4) == 0 {
            format!("pthread_mutex_lock(&m);{body}")
        } else {
            body
        };
        let _ = writeln!(text, "{body}}}");
    }
    for thread in 0..2 {
        let _ = writeln!(text, "static void *run{thread}(void *arg) {{");
        let count = rng.usize(1..4);
        statements(rng, &mut text, 0, count);
        text += "return 0; }\n";
    }
    // The handles are variables, or elements of an array that loops go through.
    let loops = rng.bool();
    text += "int main(void) { pthread_t t, u, all[2];\npthread_mutex_init(&m, 0);\n";
    statements(rng, &mut text, 1, 1);
    if loops {
        text += "for (int i = 0; i < 2; i++) pthread_create(&all[i], 0, run0, 0);\n";
    } else {
        text += "pthread_create(&t, 0, run0, 0);\n";
        let count = rng.usize(0..2);
        statements(rng, &mut text, 1, count);
        let second = rng.u32(0..2);
        let _ = writeln!(text, "pthread_create(&u, 0, run{second}, 0);");
    }
    let count = rng.usize(0..3);
    statements(rng, &mut text, 0, count);
    if rng.u32(0..3) > 0 {
        text += match (loops, rng.u32(0..4)) {
            (true, 0) => "for (int i = 0; i < 1; i++) { pthread_join(all[i], 0); }\n",
            (true, _) => "for (int i = 0; i < 2; i++) { if (pthread_join(all[i], 0)) return 1; }\n",
            (false, 0) => "pthread_join(u, 0); if (x) pthread_join(t, 0);\n",
            (false, _) => "pthread_join(u, 0); pthread_join(t, 0);\n",
        };
        statements(rng, &mut text, 1, 1);
        let _ = writeln!(
            text,
            "if ({} == {}) reach_error();",
            variable(rng),
            rng.u32(0..4)
        );
    }
    text + "return 0; }\n"
}

/// The kinds of errors that there are, or why that is not known.
type Found = Result<BTreeSet<&'static str>, String>;

/// All that is found.
fn found(text: &str, wanted: &[Property]) -> Found {
    let all = ExploreOptions {
        all: true,
        ..ExploreOptions::default()
    };
    found_by(text, wanted, &all)
}

/// The same by a certain search.
fn found_by(text: &str, wanted: &[Property], all: &ExploreOptions) -> Found {
    let options = Options {
        wanted: Wanted {
            only: wanted.to_vec(),
            ..Wanted::default()
        },
        ..Options::default()
    };
    let compiled = compile_c("it.i", text, &options);
    let program = compiled.program.ok_or_else(|| {
        let first = compiled.diagnostics.first();
        first.map_or_else(String::new, |d| d.message.clone())
    })?;
    let answer = explore(&program, all);
    if let answer::Verdict::Inconclusive(reason) = answer.verdict {
        return Err(format!("{reason:?}"));
    }
    Ok(answer.bugs.iter().map(|b| b.kind.name()).collect())
}

/// How many programs a test asks about.
fn programs() -> u64 {
    std::env::var("PROGRAMS").map_or(60, |n| n.parse().expect("a number"))
}

/// Two questions about random programs have equal answers, with bugs and without. `ask` may leave a program out.
fn all_are_alike(ask: impl Fn(&mut Rng) -> Option<(String, [Found; 2])>) {
    let programs = programs();
    let (mut safe, mut bugs) = (0, 0);
    for seed in 0..programs {
        let Some((text, [one, other])) = ask(&mut Rng::with_seed(seed)) else {
            continue;
        };
        assert_eq!(one, other, "seed {seed}:\n{text}");
        match one {
            Ok(kinds) if kinds.is_empty() => safe += 1,
            Ok(_) => bugs += 1,
            Err(_) => {}
        }
    }
    assert!(
        safe * 10 > programs && bugs * 10 > programs,
        "{safe} safe, {bugs} with bugs"
    );
}

#[test]
fn points_that_are_left_out_change_no_verdict() {
    all_are_alike(|rng| {
        let text = program(rng);
        let asked = [Property::UnreachCall, Property::Deadlock];
        let reduced = found(&text, &asked);
        let whole = found(&text, &[asked[0], asked[1], Property::Memleak]);
        Some((text, [reduced, whole]))
    });
}

/// The search of states and the clocks of one execution of each trace find the same races.
#[test]
fn races_in_states_are_races_by_clocks() {
    let programs = programs();
    let (mut racy, mut free) = (0, 0);
    for seed in 0..programs {
        let text = program(&mut Rng::with_seed(seed));
        let by = |strategy, reduction| {
            let asked = ExploreOptions {
                strategy,
                reduction,
                sought: Sought::Races,
                all: true,
                work: Some(200_000),
                ..ExploreOptions::default()
            };
            let kinds = found_by(&text, &[], &asked).ok()?;
            Some(kinds.contains("race"))
        };
        let (states, whole) = (by(Strategy::Stateful, true), by(Strategy::Stateful, false));
        assert_eq!(states, whole, "seed {seed}:\n{text}");
        if let (Some(states), Some(clocks)) = (states, by(Strategy::Dpor, true)) {
            assert_eq!(states, clocks, "seed {seed}:\n{text}");
            *(if states { &mut racy } else { &mut free }) += 1;
        }
    }
    assert!(
        racy * 10 > programs && free * 10 > programs,
        "{racy} race, {free} do not"
    );
}

/// The program with sections around some of its statements. `whole` says that each is one block without calls.
fn with_sections(text: &str, rng: &mut Rng, whole: bool) -> (String, bool) {
    let (mut all, mut any) = (String::new(), false);
    let simple = |line: &str| {
        let plain =
            line.ends_with("++;") || line.contains(" = ") || line.ends_with("reach_error();");
        plain && line.ends_with(';') && !line.contains("for (")
    };
    for line in text.trim_start_matches(HEAD).lines() {
        let call = line.starts_with("pthread_mutex_lock") || line.starts_with("helper");
        if simple(line) && rng.bool() || !whole && call && rng.u32(..3) == 0 {
            any = true;
            let end = match !whole && rng.u32(..6) == 0 {
                true => "",
                false => "__VERIFIER_atomic_end();",
            };
            let _ = writeln!(
                all,
                "{{ __VERIFIER_atomic_begin(); x++; {line} x--; {end} }}"
            );
        } else {
            let _ = writeln!(all, "{line}");
        }
    }
    let head = "void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);";
    (format!("{HEAD}{head}\n{all}"), any)
}

/// Sections mean the same as one step and as locks for which others wait. An end without a begin makes them locks.
#[test]
fn sections_are_the_same_in_both_ways() {
    all_are_alike(|rng| {
        let text = program(rng);
        let (text, any) = with_sections(&text, rng, true);
        let asked = [Property::UnreachCall, Property::Deadlock];
        let begin = "int main(void) { ";
        let apart = text.replace(begin, &format!("{begin} __VERIFIER_atomic_end(); "));
        any.then(|| {
            let both = [found(&text, &asked), found(&apart, &asked)];
            (text, both)
        })
    });
}

/// Sections in which threads wait, that begin in one place and end in another, or never: all searches agree.
#[test]
fn sections_of_any_form_are_the_same_to_all_searches() {
    let programs = programs();
    let mut compared = 0;
    for seed in 0..programs {
        let mut rng = Rng::with_seed(seed);
        let text = program(&mut rng);
        let (text, _) = with_sections(&text, &mut rng, false);
        let by = |strategy, reduction| {
            let asked = ExploreOptions {
                strategy,
                reduction,
                all: true,
                work: Some(200_000),
                ..ExploreOptions::default()
            };
            found_by(&text, &[Property::UnreachCall, Property::Deadlock], &asked).ok()
        };
        let whole = by(Strategy::Stateful, false);
        let reduced = by(Strategy::Stateful, true);
        assert_eq!(whole, reduced, "seed {seed}:\n{text}");
        if let (Some(whole), Some(traces)) = (whole, by(Strategy::Dpor, true)) {
            // A search that has found a bug may end before it has found all.
            assert!(traces.is_subset(&whole), "seed {seed}:\n{text}");
            assert_eq!(whole.is_empty(), traces.is_empty(), "seed {seed}:\n{text}");
            compared += 1;
        }
    }
    assert!(compared * 4 > programs, "{compared} were compared");
}
