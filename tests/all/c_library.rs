//! Calls of the C library with random arguments, and layouts of random records. The library and the compiler of the machine
//! give the expected results. The solver proves all of them, and finds a bug when one is changed.
//!
//! Longer on demand: `BLOCKS=5000 cargo test --release --test all c_library::`, from another seed: `SEED=7`.

use std::fmt::Write as _;
use std::process::Command;

use dbverify::answer::Verdict;
use dbverify::c::Options;
use dbverify::options::ExploreOptions;
use dbverify::symbolic::explore;
use dbverify::{compile_c, stack::on_big_stack};
use fastrand::Rng;

/// How many blocks of calls stand in a program.
const TOGETHER: u64 = 16;

/// The beginning of every program.
const BEGIN: &str = "\
#define _GNU_SOURCE
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <math.h>
#include <search.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <wchar.h>
#include <wctype.h>
static int up(const void *l, const void *r) { return (*(const int *)l > *(const int *)r) - (*(const int *)l < *(const int *)r); }
static int down(const void *l, const void *r) { return up(r, l); }
static int either(const void *l, const void *r, void *sign) { return *(int *)sign * up(l, r); }
static int sign(int n) { return (n > 0) - (n < 0); }
static long long bits(double number) {
  union { double number; long long bits; } both = {number};
  return number != number ? 1 : both.bits;
}
static int print(char *to, size_t room, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int n = vsnprintf(to, room, format, list);
  va_end(list);
  return n;
}
static int scan(const char *text, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int n = vsscanf(text, format, list);
  va_end(list);
  return n;
}
";

/// For walks through trees.
const WALKS: &str = "\
static long walked;
static void walk(const void *node, VISIT visit, int depth) { walked = (walked * 31 + **(int **)node * 5 + visit * 3 + depth) % 1000003; }
";

/// Statements, and the values in which their results show.
#[derive(Default)]
struct Calls {
    lines: Vec<Line>,
}

enum Line {
    Does(String),
    Sees(String),
}

impl Calls {
    fn does(&mut self, text: impl Into<String>) {
        self.lines.push(Line::Does(text.into()));
    }

    fn sees(&mut self, text: impl Into<String>) {
        self.lines.push(Line::Sees(text.into()));
    }

    /// All elements of an array.
    fn sees_all(&mut self, array: &str, count: usize) {
        (0..count).for_each(|at| self.sees(format!("{array}[{at}]")));
    }
}

/// Characters of a text, as C writes them.
fn quoted(text: &str) -> String {
    let mut all = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => all.extend(['\\', c]),
            '\n' => all.push_str("\\n"),
            '\t' => all.push_str("\\t"),
            _ => all.push(c),
        }
    }
    all + "\""
}

fn pick<'a>(rng: &mut Rng, from: &[&'a str]) -> &'a str {
    from[rng.usize(..from.len())]
}

/// A short text of few different characters, so that much is found in it.
fn word(rng: &mut Rng) -> String {
    let from: Vec<char> = pick(rng, &["ab", "abcABC", "a b,c", "xyz0-9", "\t a\n"])
        .chars()
        .collect();
    let length = rng.usize(..9);
    (0..length).map(|_| from[rng.usize(..from.len())]).collect()
}

/// A text that may begin with a number.
fn digits(rng: &mut Rng, most: usize) -> String {
    let mut all = String::from(pick(rng, &["", "", "", " ", "\t"]));
    all += pick(rng, &["", "", "-", "+"]);
    all += pick(rng, &["", "", "", "0", "0x", "0X"]);
    let from: Vec<char> = pick(rng, &["01", "0123456789", "0123456789abcdefz", "9f"])
        .chars()
        .collect();
    let length = rng.usize(..=most);
    all.extend((0..length).map(|_| from[rng.usize(..from.len())]));
    all + pick(rng, &["", "", "", "x", " 1", ",5"])
}

/// The length, comparisons, searches.
fn texts(rng: &mut Rng, calls: &mut Calls) {
    let (l, r) = (word(rng), word(rng));
    calls.does(format!("char l[] = {}, r[] = {};", quoted(&l), quoted(&r)));
    let n = rng.usize(..10);
    let c = quoted(&word(rng))
        .chars()
        .find(|c| c.is_alphanumeric())
        .unwrap_or('a');
    match rng.u8(..14) {
        0 => calls.sees("strlen(l)"),
        1 => calls.sees(format!("strnlen(l, {n})")),
        2 => calls.sees("sign(strcmp(l, r))"),
        3 => calls.sees(format!("sign(strncmp(l, r, {n}))")),
        4 => {
            calls.sees("sign(strcasecmp(l, r))");
            calls.sees(format!("sign(strncasecmp(r, l, {n}))"));
        }
        5 => {
            let n = n.min(l.len()).min(r.len());
            calls.sees(format!("sign(memcmp(l, r, {n}))"));
        }
        6 | 7 => {
            let search = pick(rng, &["strchr", "strrchr", "strchrnul"]);
            let c = match rng.u8(..5) {
                0 => "0".to_owned(),
                _ => format!("'{c}'"),
            };
            calls.does(format!("char *p = {search}(l, {c});"));
            calls.sees("p ? p - l : -1");
        }
        8 => {
            let search = pick(rng, &["strstr", "strcasestr"]);
            calls.does(format!("char *p = {search}(l, r);"));
            calls.sees("p ? p - l : -1");
        }
        9 => {
            calls.does("char *p = strpbrk(l, r);");
            calls.sees("p ? p - l : -1");
        }
        10 => {
            let n = n.min(l.len() + 1);
            let search = pick(rng, &["memchr", "memrchr"]);
            calls.does(format!("char *p = {search}(l, '{c}', {n});"));
            calls.sees("p ? p - l : -1");
        }
        11 => calls.sees("strspn(l, r)"),
        12 => calls.sees("strcspn(l, r)"),
        _ => {
            // Allocates no more than the default bounds cover.
            let copied = if l.len() < 8 {
                "strdup(l)"
            } else {
                "strndup(l, 3)"
            };
            calls.does(format!("char *p = {copied};"));
            calls.sees("strlen(p)");
            calls.sees("strncmp(p, l, 3)");
            calls.does("free(p);");
        }
    }
}

/// Texts and bytes that are copied.
fn copies(rng: &mut Rng, calls: &mut Calls) {
    let (l, r, n) = (word(rng), word(rng), rng.usize(..10));
    calls.does("char to[20]; memset(to, '#', sizeof to);");
    calls.does(format!(
        "const char *l = {}, *r = {};",
        quoted(&l),
        quoted(&r)
    ));
    match rng.u8(..8) {
        0 => calls.sees("strcpy(to, l) == to"),
        1 => calls.sees(format!("strncpy(to, l, {n}) == to")),
        2 => calls.sees("strcat(strcpy(to, l), r) == to"),
        3 => calls.sees(format!("strncat(strcpy(to, l), r, {n}) == to")),
        4 => {
            let n = n.min(l.len() + 1);
            calls.does(format!("memcpy(to + 2, l, {n});"));
        }
        5 => {
            calls.does("for (int i = 0; i < 20; i++) to[i] = 'a' + i;");
            let (a, b) = (rng.usize(..10), rng.usize(..10));
            calls.does(format!("memmove(to + {a}, to + {b}, {n});"));
        }
        6 => {
            let (at, byte) = (rng.usize(..10), rng.i32(-300..300));
            calls.does(format!("memset(to + {at}, {byte}, {n});"));
        }
        _ => {
            calls.does("int from[6] = {1, -2, 3, -4, 5, -6}, into[6] = {0};");
            let (at, n) = (rng.usize(..3), rng.usize(..4));
            calls.does(format!("memcpy(into + {at}, from, {n} * sizeof *from);"));
            calls.sees_all("into", 6);
        }
    }
    calls.sees_all("to", 20);
}

/// A text that is cut apart.
fn parts(rng: &mut Rng, calls: &mut Calls) {
    let (text, ends) = (
        word(rng) + &word(rng),
        pick(rng, &[",", " ", "ab", ", ", ""]),
    );
    calls.does(format!(
        "char s[] = {}, *rest = 0; int found[40] = {{0}}, n = 0;",
        quoted(&text)
    ));
    let (first, next) = match rng.bool() {
        true => (
            format!("strtok(s, \"{ends}\")"),
            format!("strtok(0, \"{ends}\")"),
        ),
        false => (
            format!("strtok_r(s, \"{ends}\", &rest)"),
            format!("strtok_r(0, \"{ends}\", &rest)"),
        ),
    };
    calls.does(format!(
        "for (char *p = {first}; p; p = {next}) {{ found[n++] = p - s; found[n++] = strlen(p); }}"
    ));
    calls.sees("n");
    calls.sees_all("found", 20);
}

/// Days that are brought into their order, and their texts.
fn days(rng: &mut Rng, calls: &mut Calls) {
    let mut number = || match rng.u8(..4) {
        0 => rng.i32(..),
        1 => rng.i32(-100_000..100_000),
        _ => rng.i32(-200..200),
    };
    let parts: Vec<String> = (0..6).map(|_| number().to_string()).collect();
    calls.does(format!("struct tm d = {{{}}};", parts.join(", ")));
    calls.does("char text[26] = {0};");
    calls.sees("asctime_r(&d, text) == text");
    calls.sees_all("text", 26);
    calls.sees("timegm(&d)");
    for part in ["sec", "min", "hour", "mday", "mon", "year", "wday", "yday"] {
        calls.sees(format!("d.tm_{part}"));
    }
    calls.sees("strlen(asctime(&d))");
}

/// Names of files and of versions.
fn names(rng: &mut Rng, calls: &mut Calls) {
    let mut name = |from: &str| -> String {
        let from: Vec<char> = from.chars().collect();
        let length = rng.usize(..6);
        (0..length).map(|_| from[rng.usize(..from.len())]).collect()
    };
    let (l, r, path) = (name("0120a"), name("0120a"), name("//ab"));
    calls.sees(format!("sign(strverscmp(\"{l}\", \"{r}\"))"));
    calls.does(format!("char one[8] = \"{path}\", two[8] = \"{path}\";"));
    calls.does("char *folder = dirname(one), *last = basename(two);");
    for seen in ["folder[0]", "strlen(folder)", "last[0]", "strlen(last)"] {
        calls.sees(seen);
    }
    calls.sees_all("one", 8);
    calls.sees_all("two", 8);
}

/// Adds nodes to trees and removes them. Allocates no more than the default bounds cover.
fn trees(rng: &mut Rng, calls: &mut Calls) {
    calls.does("void *tree = 0; static int keys[12];");
    calls.does("for (int i = 0; i < 12; i++) keys[i] = i;");
    for n in 0..14 {
        let key = rng.usize(..12);
        match n < 7 || n == 11 {
            true => calls.sees(format!("**(int **)tsearch(&keys[{key}], &tree, up)")),
            false => calls.does(format!(
                "if (tfind(&keys[{key}], &tree, up)) tdelete(&keys[{key}], &tree, up);"
            )),
        }
        calls.does("walked = 0; twalk(tree, walk);");
        calls.sees("walked");
    }
}

/// Numbers in texts.
fn numbers(rng: &mut Rng, calls: &mut Calls) {
    let text = digits(rng, 24);
    let function = pick(rng, &["strtol", "strtoul", "strtoll", "strtoull"]);
    calls.does(format!("const char *s = {};", quoted(&text)));
    if rng.u8(..4) == 0 {
        let short: String = text.chars().take(9).collect();
        let function = pick(rng, &["atoi", "atol", "atoll"]);
        calls.sees(format!("{function}({})", quoted(&short)));
        return;
    }
    let base = pick(rng, &["0", "10", "10", "16", "8", "2", "36", "7"]);
    calls.does(format!(
        "char *end; errno = 0; long long n = {function}(s, &end, {base});"
    ));
    calls.sees("n");
    calls.sees("end - s");
    calls.sees("errno");
}

/// An integer of a type, as a format names it: its size, the type, and a value.
fn integer(rng: &mut Rng) -> (&'static str, String) {
    let size = pick(rng, &["", "", "hh", "h", "l", "ll", "z", "j"]);
    let value = match rng.u8(..5) {
        0 => "0".to_owned(),
        1 => rng.i32(-9..10).to_string(),
        2 => rng.i32(-70_000..70_000).to_string(),
        3 => pick(rng, &["INT_MIN", "INT_MAX", "-1"]).to_owned(),
        _ => rng.i32(..).to_string(),
    };
    let ty = match size {
        "l" => "long",
        "ll" => "long long",
        "z" => "size_t",
        "j" => "intmax_t",
        _ => "int",
    };
    (size, format!("({ty})({value})"))
}

/// A floating number: known before the program runs, or computed.
fn fraction_of(rng: &mut Rng) -> String {
    let number = match rng.u8(..5) {
        0 => f64::from(rng.i32(-100_000..100_000)) / 1000.0,
        1 => f64::from(rng.i32(-2000..2000)) / 16.0,
        2 => f64::from(rng.i32(..)),
        3 => f64::from(rng.i32(..)) * 10f64.powi(rng.i32(-30..40)),
        _ => f64::from_bits(rng.u64(..0x7ff0_0000_0000_0000)),
    };
    match rng.u8(..3) {
        0 => format!("({number:e} * (n + 1))"),
        1 if number.abs() < 1e38 => format!("(float){number:e}"),
        _ => format!("{number:e}"),
    }
}

/// A directive of a format, and its arguments.
fn directive(rng: &mut Rng, format: &mut String, given: &mut Vec<String>) {
    *format += pick(rng, &["", "", "a", " ", "%%"]);
    format.push('%');
    let letters = [
        "d", "i", "u", "x", "X", "o", "c", "s", "s", "f", "F", "e", "E", "g", "G",
    ];
    let letter = pick(rng, &letters);
    let fraction = "fFeEgG".contains(letter);
    let plain = matches!(letter, "c" | "s");
    let flags: &[&str] = match letter {
        "c" | "s" => &["", "-"],
        "d" | "i" => &["", "-", "0", "+", " ", "-+", "0+", "+ "],
        "u" => &["", "-", "0"],
        // `%#.2G` of 99.7 is `1.0E+02`, and `1.E+02` in glibc.
        "g" | "G" => &["", "-", "0", "+", " "],
        _ if fraction => &["", "-", "0", "+", " ", "#", "-+", "0#"],
        _ => &["", "-", "0", "#", "#0", "-#"],
    };
    *format += pick(rng, flags);
    match rng.u8(..4) {
        0 => {
            format.push('*');
            given.push(rng.i32(-9..10).to_string());
        }
        1 => *format += &rng.u8(1..12).to_string(),
        _ => {}
    }
    if letter != "c" && rng.u8(..3) == 0 {
        match rng.u8(..3) {
            0 => {
                *format += ".*";
                given.push(rng.i32(-3..8).to_string());
            }
            1 => *format += &format!(".{}", rng.u8(..8)),
            _ => format.push('.'),
        }
    }
    let value = match letter {
        "c" => format!("'{}'", pick(rng, &["a", "z", "%", " "])),
        "s" => quoted(&word(rng)),
        _ if fraction => fraction_of(rng),
        _ => {
            let (size, value) = integer(rng);
            *format += size;
            value
        }
    };
    *format += letter;
    debug_assert!(plain || !value.starts_with('"'));
    given.push(value);
}

/// Texts that are made by formats.
fn prints(rng: &mut Rng, calls: &mut Calls) {
    let (mut format, mut given) = (String::new(), Vec::new());
    (0..rng.usize(1..4)).for_each(|_| directive(rng, &mut format, &mut given));
    calls.does("char to[16]; memset(to, '#', sizeof to); int n = 0, m = 0;");
    if rng.u8(..4) == 0 {
        format += "%n";
        given.push("&m".to_owned());
    }
    let given: String = given.iter().map(|g| format!(", {g}")).collect();
    let room = rng.usize(..17);
    let format = quoted(&format);
    match rng.u8(..7) {
        6 => {
            calls.does(format!("char *made; n = asprintf(&made, \"%.7s\", {format}); m += strlen(made); free(made);"));
        }
        0 | 1 => calls.does(format!("n = print(to, {room}, {format}{given});")),
        2 => calls.does(format!("fprintf(stderr, {format}{given});")),
        3 => calls.does(format!(
            "char all[400]; n = sprintf(all, {format}{given}); m += strlen(all);"
        )),
        _ => calls.does(format!("n = snprintf(to, {room}, {format}{given});")),
    }
    calls.sees("n");
    calls.sees("m");
    calls.sees_all("to", 16);
}

/// Texts that are read by formats.
fn scans(rng: &mut Rng, calls: &mut Calls) {
    let mut text = String::new();
    let (mut format, mut given) = (String::new(), String::new());
    calls.does(
        "int i[4] = {-1, -1, -1, -1}; long w[4] = {-1, -1, -1, -1}; short h[4] = {-1, -1, -1, -1};",
    );
    calls.does("char s[4][20]; memset(s, '#', sizeof s);");
    for at in 0..rng.usize(1..5) {
        text += &match rng.u8(..4) {
            0 => word(rng),
            _ => digits(rng, 6),
        };
        text += pick(rng, &["", "", ",", " "]);
        format += pick(rng, &["", "", "", ",", " "]);
        let width = pick(rng, &["", "", "1", "2", "3", "7"]);
        let (letter, to) = match rng.u8(..13) {
            0..3 => (pick(rng, &["d", "i", "u", "x", "o"]), "&i"),
            3 => (pick(rng, &["ld", "li", "lu", "lx"]), "&w"),
            4 => (pick(rng, &["hd", "hi", "hu"]), "&h"),
            5..7 => ("s", "s"),
            7 => ("c", "s"),
            8 => (
                pick(
                    rng,
                    &[
                        "[a-c]", "[^,]", "[]a]", "[^]1]", "[a-]", "[0-9a]", "[^ a-z]",
                    ],
                ),
                "s",
            ),
            9 => ("n", "&i"),
            10 => ("*d", ""),
            11 => ("*s", ""),
            _ => ("*[a-z]", ""),
        };
        let width = if letter == "n" { "" } else { width };
        match letter.strip_prefix('*') {
            Some(letter) => write!(format, "%*{width}{letter}").expect("memory"),
            None => {
                write!(format, "%{width}{letter}").expect("memory");
                write!(given, ", {to}[{at}]").expect("memory");
            }
        }
    }
    let function = pick(rng, &["sscanf", "scan"]);
    calls.does(format!(
        "int n = {function}({}, {}{given});",
        quoted(&text),
        quoted(&format)
    ));
    calls.sees("n");
    for array in ["i", "w", "h"] {
        calls.sees_all(array, 4);
    }
    (0..4).for_each(|at| calls.sees_all(&format!("s[{at}]"), 8));
}

/// Memory that is zero at first and becomes smaller or larger: its content stays.
fn grows(rng: &mut Rng, calls: &mut Calls) {
    let (few, many) = (rng.usize(1..6), rng.usize(1..8));
    calls.does(format!("int *p = calloc({few}, sizeof *p), n = {few};"));
    calls.does(format!("p[n - 1] = {};", rng.i32(..)));
    calls.does(format!("p = realloc(p, {many} * sizeof *p);"));
    (0..few.min(many)).for_each(|at| calls.sees(format!("p[{at}]")));
    calls.does("free(p);");
}

/// Objects that are seen as others: their bytes, and numbers that are longer or shorter than theirs.
fn seen_as(rng: &mut Rng, calls: &mut Calls) {
    const OBJECTS: [&str; 5] = ["b", "h", "w", "q", "&s"];
    const TYPES: [(&str, usize); 4] = [
        ("unsigned char", 1),
        ("unsigned short", 2),
        ("unsigned", 4),
        ("unsigned long long", 8),
    ];
    calls
        .does("unsigned char b[24]; unsigned short h[12]; unsigned w[6]; unsigned long long q[3];");
    calls.does("struct { char a, b; short c; int d[3]; unsigned long long e; } s;");
    calls.does("for (int i = 0; i < 24; i++) b[i] = i * 9 + 1;");
    calls.does("for (int i = 0; i < 12; i++) h[i] = i * 4001 + 7;");
    calls.does("for (int i = 0; i < 6; i++) w[i] = i * 700000001u;");
    calls.does("for (int i = 0; i < 3; i++) q[i] = i * 5000000000000000009ull;");
    calls.does("memcpy(&s, b, sizeof s);");
    for turn in 0..rng.usize(1..6) {
        let (to, from) = (pick(rng, &OBJECTS), pick(rng, &OBJECTS));
        let count = rng.usize(1..25);
        let (at, other) = (rng.usize(..25 - count), rng.usize(..25 - count));
        // Neighbouring members of a structure are no number together.
        let (ty, size) = TYPES[if to == "&s" { 0 } else { rng.usize(..4) }];
        let aligned = rng.usize(..24 / size) * size;
        let seen = format!("*({ty} *)((char *){to} + {aligned})");
        match rng.u8(..6) {
            0 if to != from => {
                calls.does(format!(
                    "memcpy((char *){to} + {at}, (char *){from} + {other}, {count});"
                ));
            }
            0 => calls.does(format!(
                "memmove((char *){to} + {at}, (char *){from} + {other}, {count});"
            )),
            1 if to != from => calls.does(format!("memcpy({to}, {from}, 24);")),
            2 => calls.does(format!("{seen} = {}u;", rng.u32(..))),
            3 => calls.does(format!(
                "memset((char *){to} + {at}, {}, {count});",
                rng.i32(-300..300)
            )),
            4 => calls.does(format!(
                "{{ int n = {count}; void *p = {to}; memset(p, {turn}, n); }}"
            )),
            _ => calls.sees(seen),
        }
    }
    calls.sees_all("b", 24);
    calls.sees_all("h", 12);
    calls.sees_all("w", 6);
    calls.sees_all("q", 3);
    calls.sees_all("s.d", 3);
    ["s.a", "s.b", "s.c", "s.e"]
        .iter()
        .for_each(|member| calls.sees(*member));
}

/// Members of a union, with floating numbers among them.
fn shares(rng: &mut Rng, calls: &mut Calls) {
    calls.does("union { double d; float f[2]; unsigned w[2]; unsigned long long q; unsigned char b[8]; short h[4]; } x, y = {0.75};");
    calls.does(format!("x.q = {}ull;", rng.u64(..)));
    for _ in 0..rng.usize(1..7) {
        let (to, from) = if rng.bool() { ("x", "y") } else { ("y", "x") };
        let (two, four, eight) = (rng.usize(..2), rng.usize(..4), rng.usize(..8));
        let number = f64::from(rng.i32(-100_000..100_000)) / 64.0;
        calls.does(match rng.u8(..8) {
            0 => format!("{to}.d = {number:e};"),
            1 => format!("{to}.f[{two}] = {number:e};"),
            2 => format!("{to}.b[{eight}] = {};", rng.u8(..)),
            3 => format!("{to}.h[{four}] = {to}.w[{two}];"),
            4 => format!("{to} = {from};"),
            5 => format!("{to}.f[{two}] = {from}.f[{}];", rng.usize(..2)),
            // A NaN has many forms.
            6 => format!("if ({to}.d > -1e300 && {to}.d < 1e300) {from}.d = {to}.d * 0.7 + {number:e};"),
            _ => format!("if ({to}.f[{two}] > -1e30f && {to}.f[{two}] < 1e30f) {from}.f[{two}] = {to}.f[{two}] * 0.7f;"),
        });
    }
    for seen in ["x.q", "y.w[0]", "y.w[1]", "x.b[3]", "y.h[3]"] {
        calls.sees(seen);
    }
    calls.sees("x.d > 1");
    calls.sees("y.f[1] < 1");
}

/// Numbers that are computed, and elements that are sorted and found.
fn computes(rng: &mut Rng, calls: &mut Calls) {
    let (l, r) = (
        rng.i32(-1000..1000),
        rng.i32(1..50) * if rng.bool() { 1 } else { -1 },
    );
    match rng.u8(..9) {
        8 => grows(rng, calls),
        0 => calls.sees(format!("abs({})", rng.i32(-2_147_483_647..))),
        1 => calls.sees(format!("labs(-{}L)", rng.u32(..))),
        2 => calls.sees(format!("llabs({}LL)", i64::from(rng.i32(..)) * 1_000_003)),
        3 => {
            calls.does(format!("div_t d = div({l}, {r});"));
            calls.sees("d.quot");
            calls.sees("d.rem");
        }
        4 => {
            calls.does(format!("ldiv_t d = ldiv({l}L * 1000003, {r});"));
            calls.sees("d.quot");
            calls.sees("d.rem");
        }
        5 => {
            let c = rng.i32(-1..128);
            let all = [
                "isalnum", "isalpha", "isblank", "iscntrl", "isdigit", "isgraph", "islower",
                "isprint", "ispunct", "isspace", "isupper", "isxdigit",
            ];
            all.iter().for_each(|f| calls.sees(format!("!!{f}({c})")));
            calls.sees(format!("toupper({c})"));
            calls.sees(format!("tolower({c})"));
        }
        6 => {
            let count = rng.usize(..7);
            let values: Vec<String> = (0..6).map(|_| rng.i32(-5..6).to_string()).collect();
            let sorts = match rng.u8(..3) {
                0 => "qsort(a, COUNT, sizeof *a, up)",
                1 => "qsort(a, COUNT, sizeof *a, down)",
                _ => "int sign = -1; qsort_r(a, COUNT, sizeof *a, either, &sign)",
            };
            let sorts = sorts.replace("COUNT", &count.to_string());
            calls.does(format!("int a[6] = {{{}}}; {sorts};", values.join(", ")));
            calls.sees_all("a", 6);
        }
        _ => {
            let mut values: Vec<i32> = (0..6).map(|at| at * 3 + rng.i32(..3)).collect();
            values.sort_unstable();
            let values: Vec<String> = values.iter().map(ToString::to_string).collect();
            let (count, key) = (rng.usize(..7), rng.i32(-1..20));
            calls.does(format!(
                "int a[6] = {{{}}}, key = {key};",
                values.join(", ")
            ));
            calls.does(format!(
                "int *p = bsearch(&key, a, {count}, sizeof *a, up);"
            ));
            calls.sees("p ? p - a : -1");
        }
    }
}

/// A floating number, in the base of its bits.
fn real(rng: &mut Rng) -> String {
    let sign = pick(rng, &["", "-"]);
    match rng.u8(..8) {
        0 => format!("{sign}INFINITY"),
        1 => format!("{sign}{}", pick(rng, &["0.0", "1.0", "8.0", "NAN"])),
        2 | 3 => format!("{sign}{}.0", rng.u8(..)),
        4 => format!("{sign}0x{:x}p{}", rng.u64(..1 << 53), rng.i32(-1140..960)),
        _ => format!("{sign}0x{:x}p{}", rng.u64(..1 << 53), rng.i32(-70..-30)),
    }
}

/// Functions of floating numbers that round nothing, or once.
fn exact(rng: &mut Rng, calls: &mut Calls) {
    let (l, r) = (real(rng), real(rng));
    let by = if rng.bool() {
        rng.i32(-2200..2200)
    } else {
        rng.i32(-60..60)
    };
    calls.does("int n = 0; double whole = 0;");
    match rng.u8(..9) {
        0 => calls.sees(format!("bits(logb({l}))")),
        1 => calls.sees(format!("ilogb({l})")),
        2 => calls.sees(format!("bits(scalbn({l}, {by}))")),
        3 => calls.sees(format!("bits(scalbnf({l}, {by}))")),
        4 => calls.sees(format!("bits(nextafter({l}, {r}))")),
        5 => calls.sees(format!("bits(nextafterf({l}, {r}))")),
        6 => calls.sees(format!("bits(remainder({l}, {r}))")),
        7 => {
            calls.does(format!("double x = remquo({l}, {r}, &n);"));
            calls.sees("bits(x)");
        }
        _ => {
            calls.does(format!("double part = modf({l}, &whole);"));
            calls.sees("bits(part)");
            calls.does(format!("part = isfinite({r}) ? frexp({r}, &n) : 0;"));
            calls.sees("bits(part)");
        }
    }
    calls.sees("n");
    calls.sees("bits(whole)");
}

/// Wide texts, in the locale "C".
fn wide(rng: &mut Rng, calls: &mut Calls) {
    let (l, r) = (word(rng), word(rng));
    let room = rng.usize(..12);
    calls.does(format!(
        "wchar_t l[20], r[20], *rest; char to[20] = {{0}}; mbstowcs(l, {}, 20); mbstowcs(r, {}, 20);",
        quoted(&l),
        quoted(&r)
    ));
    match rng.u8(..6) {
        0 => {
            calls.sees("wcsspn(l, r)");
            calls.sees("wcscspn(l, r)");
            calls.sees("sign(wcscasecmp(l, r))");
        }
        1 => {
            calls.does("wchar_t *p = wcspbrk(l, r);");
            calls.sees("p ? p - l : -1");
        }
        2 => {
            calls.does("wchar_t *p = wcstok(l, L\"ab \", &rest);");
            calls.sees("p ? p - l : -1");
            calls.sees("p ? wcslen(p) : 0");
        }
        3 => {
            calls.sees(format!("wcstombs(to, l, {room})"));
            calls.sees_all("to", 8);
        }
        4 => {
            let number = digits(rng, 12);
            calls.does(format!("mbstowcs(l, {}, 20);", quoted(&number)));
            calls.sees(format!(
                "wcstol(l, &rest, {})",
                pick(rng, &["0", "10", "16", "7"])
            ));
            calls.sees("rest - l");
        }
        _ => {
            let c = rng.i32(-1..300);
            let all = [
                "iswalnum", "iswalpha", "iswdigit", "iswprint", "iswpunct", "iswspace",
            ];
            all.iter().for_each(|f| calls.sees(format!("!!{f}({c})")));
            calls.sees(format!("towupper({c})"));
            calls.sees(format!("towlower({c})"));
            calls.sees(format!("a64l({})", quoted(&l)));
        }
    }
}

/// Jumps from anywhere to anywhere, as long as there is fuel.
fn jumps(rng: &mut Rng, calls: &mut Calls) {
    calls.does("int fuel = 9, h = 1;");
    let mut labels = vec!["one", "two", "three"];
    rng.shuffle(&mut labels);
    let mut text = jumping(rng, &mut labels, 0);
    for label in labels {
        let _ = write!(text, "{label}:; h = h * 3 + 1;");
    }
    calls.does(text);
    calls.sees("h % 100000");
    calls.sees("fuel");
}

/// Statements with some of the labels that still have no place.
fn jumping(rng: &mut Rng, labels: &mut Vec<&str>, depth: u32) -> String {
    let mut text = String::new();
    for _ in 0..rng.usize(1..4) {
        let k = rng.i32(..9);
        match rng.u32(..8) {
            0 | 1 => {
                if let Some(label) = labels.pop() {
                    let _ = write!(text, "{label}:;");
                }
            }
            2 | 3 => {
                let to = pick(rng, &["one", "two", "three"]);
                let _ = write!(text, "if (fuel-- > 0 && h % 3 != {}) goto {to};", k % 3);
            }
            4 if depth < 3 => {
                let (yes, no) = (
                    jumping(rng, labels, depth + 1),
                    jumping(rng, labels, depth + 1),
                );
                let _ = write!(text, "if (h % 2) {{ {yes} }} else {{ {no} }}");
            }
            5 if depth < 3 => {
                let inner = jumping(rng, labels, depth + 1);
                let end = pick(
                    rng,
                    &["", "if (h % 5 == 1) break;", "if (h % 5 == 2) continue;"],
                );
                let _ = match rng.bool() {
                    true => write!(text, "while (fuel-- > 0) {{ {inner} {end} }}"),
                    false => write!(text, "do {{ {inner} {end} }} while (fuel-- > 0);"),
                };
            }
            6 if depth < 3 => {
                let inner = jumping(rng, labels, depth + 1);
                let _ = write!(text, "{{ int own = {k}; h = h * 2 + own; {inner} }}");
            }
            _ => {
                let _ = write!(text, "h = h * 5 + {k} & 0xffff;");
            }
        }
    }
    text
}

/// Sizes, alignments and places of members, whatever attributes ask for.
fn layouts(rng: &mut Rng, calls: &mut Calls) {
    const WIDTHS: [(&str, u32); 9] = [
        ("char", 8),
        ("short", 16),
        ("int", 32),
        ("long", 64),
        ("unsigned long long", 64),
        ("unsigned", 32),
        ("_Bool", 1),
        ("unsigned char", 8),
        ("unsigned short", 16),
    ];
    calls.does("typedef int far __attribute__((aligned(16)));");
    calls.does("typedef long near __attribute__((aligned(4)));");
    let mut types: Vec<String> = ["char", "short", "int", "void *", "double", "far", "near"]
        .map(str::to_owned)
        .to_vec();
    for record in 0..rng.usize(2..6) {
        let (mut members, mut seen) = (String::new(), Vec::new());
        for member in 0..rng.usize(1..6) {
            let (ty, most) = WIDTHS[rng.usize(..WIDTHS.len())];
            let asked = attribute(rng);
            let _ = match rng.u8(..8) {
                0 => write!(members, " {ty} : {};", rng.u32(..=most)),
                1..4 => write!(members, " {ty} m{member} : {}{asked};", rng.u32(1..=most)),
                4 => write!(members, " {ty} m{member}[{}]{asked};", rng.u8(1..4)),
                _ => {
                    seen.push(member);
                    let ty = &types[rng.usize(..types.len())];
                    write!(members, " {ty} m{member}{asked};")
                }
            };
        }
        let word = pick(rng, &["struct", "struct", "union"]);
        let (own, name) = (attribute(rng), format!("t{record}"));
        let aligned = pick(rng, &["", "", " __attribute__((aligned(8)))"]);
        calls.does(format!(
            "typedef {word} {{{members} }}{own} {name}{aligned};"
        ));
        calls.sees(format!("sizeof({name})"));
        calls.sees(format!("_Alignof({name})"));
        for member in seen {
            calls.sees(format!("__builtin_offsetof({name}, m{member})"));
            calls.sees(format!("__alignof__((({name} *)0)->m{member})"));
        }
        types.push(name);
    }
}

/// An attribute of a member or a record.
fn attribute(rng: &mut Rng) -> String {
    match rng.u8(..16) {
        0 => " __attribute__((packed))".to_owned(),
        1 => format!(" __attribute__((aligned({})))", 1 << rng.u8(..5)),
        _ => String::new(),
    }
}

fn block(seed: u64) -> Calls {
    let mut rng = Rng::with_seed(seed);
    let mut calls = Calls::default();
    let kind = [
        texts, copies, parts, numbers, prints, prints, scans, scans, computes, seen_as, shares,
        jumps, layouts, days, names, trees, exact, wide,
    ];
    kind[rng.usize(..kind.len())](&mut rng, &mut calls);
    calls
}

/// A program of blocks. `see` writes the statement for each value that is looked at.
fn program(blocks: &[Calls], see: &mut dyn FnMut(&str) -> String) -> String {
    let mut text = format!("{BEGIN}{WALKS}");
    for (at, block) in blocks.iter().enumerate() {
        let _ = writeln!(text, "static void block{at}(void) {{");
        for line in &block.lines {
            let _ = match line {
                Line::Does(what) => writeln!(text, "  {what}"),
                Line::Sees(what) => writeln!(text, "  {}", see(what)),
            };
        }
        text += "}\n";
    }
    text += "int main(void) {\n";
    (0..blocks.len()).for_each(|at| {
        let _ = writeln!(text, "  block{at}();");
    });
    text + "  return 0;\n}\n"
}

/// The values that the machine's library gives.
fn seen_by_machine(blocks: &[Calls], name: &str) -> Vec<i64> {
    let text = program(blocks, &mut |what| {
        format!("printf(\"%lld\\n\", (long long)({what}));")
    });
    let folder =
        std::env::temp_dir().join(format!("dbverify-c-library-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let (source, built) = (folder.join("it.c"), folder.join("it"));
    std::fs::write(&source, &text).expect("it is written");
    let compiler = Command::new("cc")
        .args(["-w", "-O0", "-fno-builtin", "-o"])
        .args([&built, &source])
        .arg("-lm")
        .output()
        .expect("it runs");
    assert!(
        compiler.status.success(),
        "{text}\n{}",
        String::from_utf8_lossy(&compiler.stderr)
    );
    let ran = Command::new(&built).output().expect("it runs");
    assert!(ran.status.success(), "{text}");
    let _ = std::fs::remove_dir_all(&folder);
    let said = String::from_utf8_lossy(&ran.stdout).into_owned();
    said.lines().map(|l| l.parse().expect("a number")).collect()
}

/// The verdict on a program that asserts all these values; one of them may be changed.
fn verdict(
    blocks: &[Calls],
    seen: &[i64],
    flipped: Option<usize>,
) -> Result<Option<&'static str>, String> {
    let mut next = 0;
    let text = program(blocks, &mut |what| {
        let value = i128::from(seen[next]) + i128::from(flipped == Some(next));
        next += 1;
        let value = value as i64;
        match value {
            i64::MIN => format!("assert((long long)({what}) == LLONG_MIN);"),
            _ => format!("assert((long long)({what}) == {value}LL);"),
        }
    });
    let compiled = compile_c("it.c", text.as_str(), &Options::default());
    let Some(program) = compiled.program else {
        let first = compiled.diagnostics.first();
        return Err(first.map_or_else(String::new, |d| d.message.clone()));
    };
    let answer = explore(&program, &ExploreOptions::default());
    match answer.verdict {
        Verdict::Inconclusive(reason) => Err(format!("{reason:?}")),
        _ => Ok(answer.bugs.first().map(|b| b.kind.name())),
    }
}

/// Says what is wrong with a block alone.
fn wrong(seed: u64) -> Option<String> {
    let alone = [block(seed)];
    let seen = seen_by_machine(&alone, &seed.to_string());
    let found = verdict(&alone, &seen, None);
    // Where libraries differ nothing is computed.
    if found
        .as_ref()
        .is_err_and(|why| why.contains("not computed"))
    {
        return None;
    }
    let text = || {
        program(&alone, &mut |what| format!("SEE({what});")).split_off(BEGIN.len() + WALKS.len())
    };
    (found != Ok(None)).then(|| format!("seed {seed}: {found:?}, with {seen:?}\n{}", text()))
}

#[test]
fn calls_give_what_the_machine_gives() {
    if Command::new("cc").arg("--version").output().is_err() {
        eprintln!("there is no `cc`: nothing is compared");
        return;
    }
    let number = |name: &str| std::env::var(name).ok().and_then(|n| n.parse::<u64>().ok());
    let (blocks, first) = (number("BLOCKS").unwrap_or(96), number("SEED").unwrap_or(0));
    let mut complaints = Vec::new();
    on_big_stack(|| {
        for begin in (first..first + blocks).step_by(TOGETHER as usize) {
            let all: Vec<Calls> = (begin..begin + TOGETHER).map(block).collect();
            let seen = seen_by_machine(&all, &begin.to_string());
            if verdict(&all, &seen, None) != Ok(None) {
                complaints.extend((begin..begin + TOGETHER).filter_map(wrong));
                continue;
            }
            let flipped = Rng::with_seed(begin).usize(..seen.len());
            let found = verdict(&all, &seen, Some(flipped));
            if found != Ok(Some("assertion")) {
                complaints.push(format!(
                    "from seed {begin}, claim {flipped} changed: {found:?}"
                ));
            }
        }
    });
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}
