//! C programs through the front end: which are accepted, and what the messages about the others say, and where.

use dbverify::c::origin::Origin;
use dbverify::c::typed::{ExprKind, Lifetime, Unit};
use dbverify::c::types::{DataModel, Library};
use dbverify::c::{Options, check, read};
use dbverify::report::diagnostic;
use dbverify::source::SourceMap;

const CONSTRUCTS: &str = include_str!("../c/constructs.i");

/// The messages about a preprocessed text, as people see them.
fn said(text: &str) -> String {
    let mut sources = SourceMap::new();
    let start = sources.add("it.i", text).expect("small");
    let checked = check(text, Origin::Itself(start), DataModel::Lp64);
    diagnostic::text(&sources, &checked.diagnostics, false)
}

fn unit(text: &str) -> Unit {
    let checked = check(text, Origin::Itself(0), DataModel::Lp64);
    assert_eq!(checked.diagnostics, []);
    checked.unit.expect("nothing is wrong")
}

#[test]
fn all_constructs_are_read_in_both_data_models() {
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        let checked = check(CONSTRUCTS, Origin::Itself(0), model);
        assert_eq!(checked.diagnostics, [], "{model:?}");
    }
}

#[test]
fn parts_come_before_the_whole() {
    let unit = unit(CONSTRUCTS);
    for (i, expr) in unit.exprs.iter().enumerate() {
        let parts = match &expr.kind {
            ExprKind::Binary(_, l, r) | ExprKind::Compare(_, l, r) | ExprKind::Assign(l, r) => {
                vec![*l, *r]
            }
            ExprKind::Load(e) | ExprKind::Convert(_, e) | ExprKind::Deref(e) => vec![*e],
            _ => Vec::new(),
        };
        assert!(parts.iter().all(|p| p.index() < i), "{expr:?}");
    }
}

/// Each of these is refused by gcc, too, with one complaint.
#[test]
#[allow(clippy::too_many_lines, reason = "one story")]
fn what_compilers_refuse_is_refused() {
    for (text, message) in [
        ("int x; double x;", "another type before"),
        ("int f(int); int f(long);", "declared differently"),
        (
            "int f(void) { return 1; } int f(void) { return 2; }",
            "defined twice",
        ),
        (
            "struct s { int a; }; struct s { long a; };",
            "defined twice",
        ),
        ("struct s { int a, a; };", "two members"),
        ("struct s { struct s inner; };", "cannot be"),
        ("struct s x[3];", "cannot be made"),
        ("void f(void) { struct s x; }", "not known here"),
        ("int a[-1];", "negative"),
        ("int n; int a[n];", "not constant"),
        ("int f(void); int x = f();", "not constant"),
        ("enum { A, A };", "declared twice"),
        ("int f(int a, int a) { return a; }", "two parameters"),
        ("void f(void) { int x, x; }", "declared twice"),
        ("void f(void) { x = 1; }", "not declared"),
        ("int count; void f(void) { cuont = 1; }", "not declared"),
        ("void f(void) { const int x = 1; x = 2; }", "const"),
        ("void f(void) { 1 = 2; }", "cannot be changed"),
        ("void f(void) { int a[2]; a = 0; }", "array"),
        ("void f(int x) { *x = 1; }", "no pointer"),
        ("void f(int x) { x(); }", "no function"),
        ("void f(int x) { x.y = 1; }", "no members"),
        (
            "struct s { int a; }; void f(struct s *p) { p->b = 1; }",
            "no member",
        ),
        (
            "struct s; void f(struct s *p) { p->b = 1; }",
            "not known here",
        ),
        ("int g(int); void f(void) { g(1, 2); }", "1 argument, not 2"),
        (
            "struct s { int a; } v; void f(void) { int x = v; }",
            "is no",
        ),
        (
            "struct s { int a; } v; void f(void) { if (v) ; }",
            "neither a number",
        ),
        ("void f(double d) { int x = d % 2; }", "takes no"),
        ("void f(void *p, void *q) { p + q; }", "takes no"),
        ("void f(void) { break; }", "outside"),
        ("void f(void) { continue; }", "outside"),
        ("void f(void) { case 1: ; }", "outside"),
        (
            "void f(int x) { switch (x) { case 1: case 1: ; } }",
            "two cases",
        ),
        ("void f(int x) { switch (x) { case x: ; } }", "not constant"),
        ("void f(void) { goto nowhere; }", "no label"),
        ("void f(void) { a: a: ; }", "two labels"),
        ("struct s { int b : 3; } v; int *p = &v.b;", "no address"),
        ("struct s { int b : 33; };", "no width"),
        ("_Static_assert(1 == 2, \"\");", "assertion fails"),
        ("int x = { .a = 1 };", "no parts"),
        ("int a[2] = { [5] = 1 };", "no such element"),
        ("long float x;", "no type"),
        ("void x;", "cannot be `void`"),
        ("typedef int T; void f(void) { T = 1; }", "expected"),
        ("foo_t x;", "unknown type"),
        ("int x", "expected"),
        ("void f(void) { return 1 }", "expected `;`"),
        ("#include <stdio.h>\nint x;", "preprocessed"),
    ] {
        let checked = check(text, Origin::Itself(0), DataModel::Lp64);
        let found: Vec<_> = checked.diagnostics.iter().map(|d| &d.message).collect();
        assert_eq!(found.len(), 1, "{text}: {found:?}");
        assert!(found[0].contains(message), "{text}: {found:?}");
    }
}

#[test]
fn several_errors_are_said_with_their_lines() {
    insta::assert_snapshot!(said(
        "int total;\nint add(int n) {\n  total += n\n  return tota;\n}\nint bad(int n {\n  return n;\n}\nint last(void) { return (1 + ; }\n"
    ), @r"
error[syntax]: expected `;` after an expression, found `return`
  ┌─ it.i:3:13
  │
3 │   total += n
  │             ^

error[syntax]: expected `,` or `)`, found `{`
  ┌─ it.i:6:15
  │
6 │ int bad(int n {
  │               ^

error[syntax]: expected an expression, found `;`
  ┌─ it.i:9:30
  │
9 │ int last(void) { return (1 + ; }
  │                              ^
");
    insta::assert_snapshot!(said(
        "struct point { int x, y; };\nint norm(struct point *p) {\n  return p.x + p->z;\n}\nint main(void) { return nrom(0) + norm(); int nrm = norn; }\n"
    ), @r"
error[no-record]: `struct point *` has no members
  ┌─ it.i:3:10
  │
3 │   return p.x + p->z;
  │          ^^^
  │
  = hint: members behind a pointer are written `p->member`

error[unknown-member]: `struct point` has no member `z`
  ┌─ it.i:3:16
  │
3 │   return p.x + p->z;
  │                ^^^^

error[argument-count]: the function takes 1 argument, not 0
  ┌─ it.i:5:35
  │
5 │ int main(void) { return nrom(0) + norm(); int nrm = norn; }
  │                                   ^^^^^^

error[unknown-name]: `norn` is not declared
  ┌─ it.i:5:53
  │
5 │ int main(void) { return nrom(0) + norm(); int nrm = norn; }
  │                                                     ^^^^
  │
  = hint: did you mean `norm`?
");
}

#[test]
fn what_is_not_declared_either_is_no_hint() {
    let said = said("int main(void) { return CLONE_FS | CLONE_FILES; }\n");
    assert!(said.contains("`CLONE_FILES` is not declared"), "{said}");
    assert!(!said.contains("did you mean"), "{said}");
}

#[test]
fn library_types_are_known_by_name_whatever_they_are_made_of() {
    let unit = unit(
        "typedef union { struct { int a, b; } d; char s[40]; } pthread_mutex_t;\n\
         int pthread_mutex_lock(pthread_mutex_t *);\n\
         pthread_mutex_t m = { { 0, 1 } }; struct q { pthread_mutex_t lock; int n; } *g;\n\
         int f(void) { return sizeof(pthread_mutex_t) == 40; }",
    );
    let m = &unit.variables[0];
    assert_eq!(unit.types.library(m.ty.ty), Some(Library::Mutex));
    assert_eq!(m.lifetime, Lifetime::Static);
    assert_eq!(unit.types.layout(m.ty.ty).map(|l| l.size), Some(40));
}

#[test]
fn types_with_names_of_the_library_are_the_programs_if_it_defines_all_functions() {
    let unit = unit(
        "typedef struct { int p[2]; } sem_t; void sem_init(sem_t *s) { s->p[0] = 1; } sem_t s;",
    );
    assert_eq!(unit.types.library(unit.variables[1].ty.ty), None);
}

#[test]
fn shadowing_makes_two_variables() {
    let unit = unit("volatile int t; int f(void) { int t = 1; { long t = 2; t++; } return t; }");
    assert_eq!(unit.variables.len(), 3);
    assert_eq!(
        unit.variables
            .iter()
            .filter(|v| v.lifetime == Lifetime::Local)
            .count(),
        2
    );
}

/// A `.c` file in a folder, through the host's preprocessor.
#[test]
fn places_of_preprocessed_text_are_those_of_the_file() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(
        folder.path().join("own.h"),
        "#define TWICE(x) ((x) + (x))\nextern int shared;\n",
    )
    .expect("written");
    let name = folder.path().join("prog.c");
    let name = name.to_str().expect("text");
    let text = "#include <pthread.h>\n#include \"own.h\"\n\n/* a\n   comment */\nint f(int a) {\n  return TWICE(a) + unknown + shared;\n}\n";
    let mut sources = SourceMap::new();
    sources.add(name, text).expect("small");
    let checked = read(&mut sources, &Options::default());
    assert_eq!(checked.diagnostics.len(), 1, "{:?}", checked.diagnostics);
    let span = checked.diagnostics[0].span.expect("a place");
    assert_eq!(sources.line(span), 7);
    assert_eq!(sources.text(span), "unknown");
    assert_eq!(sources.files()[0].name, name);
    assert!(sources.files().iter().any(|f| f.name == "<pthread.h>"));
}

#[test]
fn a_missing_header_is_said_at_its_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let name = folder.path().join("prog.c");
    let mut sources = SourceMap::new();
    sources
        .add(
            name.to_str().expect("text"),
            "int x;\n#include <nothing.h>\n",
        )
        .expect("small");
    let checked = read(&mut sources, &Options::default());
    let [said] = &checked.diagnostics[..] else {
        panic!("{:?}", checked.diagnostics);
    };
    assert!(said.message.contains("nothing.h"), "{said:?}");
    assert_eq!(said.span.map(|s| sources.line(s)), Some(2));
}

#[test]
fn what_threads_share_is_read() {
    assert_eq!(c::tree(c::headers::SHARED).1, []);
}

/// Every header can be included alone, twice, and in both data models.
#[test]
fn headers_stand_alone() {
    for (header, _) in c::headers::HEADERS {
        for model in [DataModel::Lp64, DataModel::Ilp32] {
            let mut sources = SourceMap::new();
            let text = format!("#include <{header}>\n#include <{header}>\nint x;\n");
            sources.add("it.c", text).expect("small");
            assert_eq!(
                read(
                    &mut sources,
                    &Options {
                        model,
                        ..Options::default()
                    }
                )
                .diagnostics,
                [],
                "{header}"
            );
        }
    }
}
