//! C programs of several files, on the command line.

use std::process::Command;

use tempfile::TempDir;

const HEADER: &str = r#"
#include <pthread.h>
typedef struct { int head; } range_t;
enum kind { EMPTY, FULL };
struct q { pthread_mutex_t m; int n; range_t r; enum kind k; };
typedef struct hidden hidden_t;
void q_init(struct q *q);
void q_add(struct q *q, int by);
hidden_t *hidden_new(int v);
int hidden_get(hidden_t *h);
extern int total;
inline int twice(int x) { return 2 * x; }
"#;

const QUEUE: &str = r#"
#include "../inc/q.h"
struct node { int a; };
static int count = 1;
static int helper(struct node *n) { return n->a + count; }
int total;
struct hidden { int v; };
static struct hidden pool[2];
static int used;
hidden_t *hidden_new(int v) { struct hidden *h = &pool[used++]; h->v = v; return h; }
int hidden_get(hidden_t *h) { return h->v; }
void q_init(struct q *q) {
  struct node n = { 2 };
  pthread_mutex_init(&q->m, 0);
  q->n = helper(&n) - 3;
  q->r.head = 0;
  q->k = EMPTY;
}
void q_add(struct q *q, int by) {
#ifdef BROKEN
  q->n += twice(by);
#else
  pthread_mutex_lock(&q->m); q->n += twice(by); q->k = FULL; pthread_mutex_unlock(&q->m);
#endif
}
"#;

const MAIN: &str = r#"
#include "q.h"
#include <assert.h>
struct node { char c; long l; };
static int count = 10;
static int helper(void) { return count; }
int total = 0;
static struct q q;
static void *w(void *a) { q_add(&q, 1); return 0; }
int main(void) {
  struct node n = { 1, 2 };
  pthread_t t[2];
  q_init(&q);
  hidden_t *h = hidden_new(7);
  assert(hidden_get(h) == 7 && n.l == 2 && q.r.head == total);
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, w, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  assert(q.n == 4 && helper() == 10);
  return 0;
}
"#;

/// A folder with files.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().expect("a folder");
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }
    folder
}

/// A program of two folders and a header.
fn queue() -> TempDir {
    folder(&[
        ("inc/q.h", HEADER),
        ("src/q.c", QUEUE),
        ("test/main.c", MAIN),
    ])
}

/// The exit status and all output.
fn run(folder: &TempDir, line: &str) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_dbverify"))
        .args(line.split(' '))
        .current_dir(folder.path())
        .output()
        .expect("it runs");
    let both = [output.stdout.as_slice(), output.stderr.as_slice()].concat();
    (output.status.code(), String::from_utf8(both).expect("text"))
}

fn says(folder: &TempDir, line: &str, status: i32, parts: &[&str]) {
    let (code, said) = run(folder, line);
    assert_eq!(code, Some(status), "{line}: {said}");
    for part in parts {
        assert!(said.contains(part), "{line}: {part} is missing:\n{said}");
    }
}

#[test]
fn files_and_folders_are_one_program() {
    let all = queue();
    for line in [
        "explore src/q.c test/main.c -Iinc",
        "explore test src -Iinc",
        "src test --delays 2 -I inc",
    ] {
        says(&all, line, 0, &["safe"]);
    }
    says(&all, "check src test -Iinc", 0, &[]);
}

/// `check` finds the file with `main` after preprocessing: a `main` that a macro leaves out does not count.
#[test]
fn a_main_that_a_macro_leaves_out_is_none() {
    let twice = "int twice(int x) { return 2 * x; }\n#ifdef TEST_MAIN\nint main(void) { return twice(0); }\n#endif\n";
    let main = "int twice(int x);\nint main(void) { return twice(0); }\n";
    let both = folder(&[("a.c", twice), ("b.c", main)]);
    for line in ["check a.c b.c", "check .", "explore a.c b.c"] {
        says(&both, line, 0, &[]);
    }
    // There are two programs. One lacks a file.
    says(
        &both,
        "check a.c b.c -DTEST_MAIN",
        2,
        &["no file defines `twice`"],
    );
}

/// Two files with one name are told apart by their folders.
#[test]
fn files_of_one_name_are_shown_with_their_folders() {
    let steps = |name: &str| format!("extern int x;\nvoid {name}(void) {{\n  x = x + 1;\n}}\n");
    let main = "#include <assert.h>\nint x;\nvoid one(void);\nvoid two(void);\nint main(void) { one(); two(); assert(x == 3); }\n";
    let all = folder(&[
        ("main.c", main),
        ("a/step.c", &steps("one")),
        ("b/step.c", &steps("two")),
    ]);
    let parts = ["a/step.c:3", "b/step.c:3"];
    says(&all, "explore main.c a/step.c b/step.c", 1, &parts);
}

/// A value that is given part by part is not shown as the zeros that it begins with.
#[test]
fn an_initialiser_is_not_shown_as_zeros() {
    let main = "#include <assert.h>\nstruct c { int *my; int n; };\nint main(void) {\n  int m = 1;\n  struct c own = {&m, 7};\n  assert(*own.my == own.n);\n}\n";
    let all = folder(&[("it.c", main)]);
    says(
        &all,
        "explore it.c",
        1,
        &["own = {...}  [own.my = &main.m, own.n = 7]"],
    );
}

/// Messages show characters as the file has them, with their places there. A preprocessor writes some as `\U000000e9`.
#[test]
fn strange_characters_are_told_as_they_stand() {
    for (text, parts) in [
        (
            "int main(void){ int a = 3 \u{a0} ; return 0; }\n",
            &["it.c:1:27", "the invisible character U+00A0 is no part"][..],
        ),
        (
            "int a\u{a0};int main(void){return 0;}\n",
            &["it.c:1:6", "the invisible character U+00A0 is no part"],
        ),
        (
            "int main(void){ int é = 3 😀 ; return é; }\n",
            &["found `😀`"],
        ),
        (
            "int größe;\nint main(void){ return grösse; }\n",
            &[
                "it.c:2:24",
                "`grösse` is not declared",
                "did you mean `größe`?",
            ],
        ),
        ("é x;\n", &["unknown type `é`"]),
    ] {
        says(&folder(&[("it.c", text)]), "check it.c", 2, parts);
    }
    // Both spellings are one name.
    let text = "#include <assert.h>\nint é = 1;\nint main(void) { \\u00e9 = 2; assert(é == 1); }\n";
    let parts = ["é = 2", "fails: é == 1"];
    says(&folder(&[("it.c", text)]), "explore it.c", 1, &parts);
}

/// A project whose files have macros and folders of their own.
#[test]
fn what_is_wrong_in_a_header_is_said_at_the_include() {
    let outer = ("it.c", "int x;\n#include \"outer.h\"\n");
    let missing = "those of the machine are not read";
    says(&folder(&[outer]), "check it.c", 2, &["it.c:2:1", missing]);
    let inner = ("outer.h", "int y;\n#include \"inner.h\"\n");
    let wrong = ("inner.h", "int z;\n#ifndef\n#endif\n");
    let parts = ["it.c:2:1", "it says so of inner.h:2"];
    says(&folder(&[outer, inner, wrong]), "check it.c", 2, &parts);
}

fn listed() -> TempDir {
    folder(&[
        ("inc/q.h", "void put(int v);\nint got(void);\n"),
        ("inc/first.h", "#define START 5\n"),
        (
            "src/q.c",
            "#include <q.h>\nstatic int n = START;\nvoid put(int v) { n += v * TIMES; }\nint got(void) { return n; }\n",
        ),
        (
            "src/more.c",
            "#ifdef TIMES\n#error \"that is said to another file\"\n#endif\nint more(void) { return STEP; }\n",
        ),
        (
            "test/main.c",
            "#include <assert.h>\n#include \"q.h\"\nint more(void);\nint main(void) { put(more()); assert(got() == 17); return 0; }\n",
        ),
        (
            "build/compile_commands.json",
            r#"[
          {"directory": "..", "file": "src/q.c", "command": "cc -O2 -D 'TIMES=(1 + 2)' -Iinc -include inc/first.h -o q.o -c src/q.c"},
          {"directory": "../src", "file": "more.c", "arguments": ["cc", "-DSTEP=4", "-DOLD", "-UOLD", "-I", "../inc", "-c", "more.c"]}
        ]"#,
        ),
        ("bad.json", "[{\"directory\": \".\"}]"),
    ])
}

#[test]
fn a_list_of_commands_says_how_each_file_is_read() {
    let all = listed();
    let list = "--compile-commands build/compile_commands.json";
    says(&all, &format!("src test {list}"), 0, &["safe"]);
    says(
        &all,
        &format!("explore src test {list} -DSTEP=3"),
        1,
        &["assertion"],
    );
    let out = format!("explore src test {list} -DSTEP=3 --trace-out t.json");
    says(&all, &out, 1, &[]);
    says(&all, "replay src test t.json --print", 1, &["assertion"]);
    says(&all, "src test -Iinc", 2, &["START"]);
    says(
        &all,
        "src test --compile-commands bad.json",
        2,
        &["no list of commands", "file"],
    );
    says(
        &all,
        "src test --compile-commands none.json",
        2,
        &["cannot read it"],
    );
    says(
        &all,
        "build/compile_commands.json test/main.c",
        0,
        &["safe"],
    );
    says(
        &all,
        "explore test/main.c build/compile_commands.json -DSTEP=3",
        1,
        &["assertion"],
    );
    says(&all, "build/compile_commands.json", 2, &["main"]);
    says(
        &all,
        "check build/compile_commands.json",
        2,
        &["name the files", "--compile-commands"],
    );
}

#[test]
fn a_counterexample_speaks_of_all_files_and_is_replayed() {
    let all = queue();
    let broken =
        "explore test src -Iinc -DBROKEN --property unreach-call --trace-out t.json --html p.html";
    says(&all, broken, 1, &["test/main.c:18", "q.c:21"]);
    let page = std::fs::read_to_string(all.path().join("p.html")).expect("a page");
    assert!(page.contains("struct hidden { int v; };"));
    says(&all, "replay test src t.json --print", 1, &["assertion"]);
    let changed = QUEUE.replace("twice(by)", "twice(by + 0)");
    std::fs::write(all.path().join("src/q.c"), changed).expect("a file");
    says(
        &all,
        "replay test src t.json --print",
        2,
        &["src/q.c has changed"],
    );
    says(
        &all,
        "replay test t.json --print",
        2,
        &["no file defines `q_add`"],
    );
}

/// Files in another order are the same program, also under other paths.
#[test]
fn a_counterexample_knows_its_files_in_any_order() {
    let one = "#include <pthread.h>
extern int x;
void *w(void *);
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); x++; pthread_join(t, 0); return 0; }
";
    let two = "int x;\nvoid *w(void *a) { x++; return a; }\n";
    let all = folder(&[
        ("m/one.c", one),
        ("m/two.c", two),
        ("m/three.c", &two.replace("x++", "x += 2")),
    ]);
    says(
        &all,
        "explore m/one.c m/two.c --trace-out t.json",
        1,
        &["race"],
    );
    let shown = &["m/one.c: bug: replayed", "m/two.c:2"];
    says(&all, "replay m/two.c m/one.c t.json --print", 1, shown);
    let other = &["t.json was made for m/two.c, and not for m/three.c: line 2"];
    says(&all, "replay m/one.c m/three.c t.json", 2, other);
    std::fs::rename(all.path().join("m"), all.path().join("n")).expect("a folder");
    let shown = &["n/one.c: bug: replayed", "n/two.c:2"];
    says(&all, "replay n/two.c n/one.c t.json --print", 1, shown);
    std::fs::write(all.path().join("n/two.c"), two.replace("x++", "++x")).expect("a file");
    let changed = &["n/two.c has changed since t.json was made: line 2"];
    says(&all, "replay n/one.c n/two.c t.json", 2, changed);
}

#[test]
fn what_is_defined_nowhere_is_named_with_its_calls() {
    let text = "int f(int);\nvoid g(void);\nint main(void) {\n  int x = f(1);\n  g();\n  x += f(2);\n  return x == 3;\n}\n";
    let all = folder(&[("u.c", text)]);
    let named = [
        "no file defines `f`",
        "no file defines `g`",
        "called here, too",
        "--stub f",
    ];
    says(&all, "explore u.c", 2, &named);
    let own = "int strlen(char *);\nint main(void) { return strlen(\"ab\"); }\n";
    let library = [
        "no file defines `strlen`",
        "`#include <string.h>` gives that",
    ];
    says(&folder(&[("s.c", own)]), "explore s.c", 2, &library);
    let stubs = ["safe", "`f` gives any result", "`g` gives any result"];
    says(&all, "explore u.c --stub f --stub g", 0, &stubs);
    says(&all, "explore u.c --stub f,g,h", 2, &["no function `h`"]);
    says(&all, "explore u.c --stub f,g,main", 2, &["defines `main`"]);
}

/// A generator or a preprocessor wrote the text. The file that the text names is missing, or is another one.
#[test]
fn what_cannot_be_shown_stands_where_it_was_read() {
    let fails = "int main(void) { int *p = 0;\n  return *p; }\n";
    let missing = format!("#line 300 \"none.y\"\n{fails}");
    let beyond = format!("int f(void);\n#line 300\n{fails}");
    let short = format!("# 40 \"main.y\"\n{fails}");
    let header = format!("# 1 \"main.y\" 1 3 4\nint f(void);\n# 9 \"x.c\" 2\n\n{fails}");
    let shown = format!("#line 2 \"main.y\"\n{fails}");
    let all = folder(&[
        ("missing.c", &missing),
        ("beyond.c", &beyond),
        ("short.c", &short),
        ("header.c", &header),
        ("shown.c", &shown),
        ("main.y", &format!("%%\n{fails}")),
    ]);
    for (name, place) in [
        ("missing.c", "missing.c:3:11"),
        ("beyond.c", "beyond.c:4:11"),
        ("short.c", "short.c:3:11"),
        ("header.c", "header.c:6:11"),
        ("shown.c", "main.y:3:11"),
    ] {
        says(&all, &format!("explore {name}"), 1, &[place]);
    }
}

/// The advice is one that the program can follow.
#[test]
fn what_is_advised_for_the_library_can_be_done() {
    let all = folder(&[
        ("pointer.c", "int *g(void); int main(void) { return *g(); }"),
        (
            "own.i",
            "int *__errno_location(void); int main(void) { return *__errno_location(); }",
        ),
        (
            "number.c",
            "int atoi(const char *); int main(void) { return atoi(\"3\"); }",
        ),
        (
            "variable.c",
            "extern char **environ; int main(void) { return !environ[0]; }",
        ),
    ]);
    for (name, part, never) in [
        ("pointer.c", "or write it in C", "--stub"),
        ("own.i", "give the `.c` file", "give the file"),
        ("number.c", "without `#include <stdlib.h>`", "--stub"),
        ("variable.c", "`environ` of the C library", "give the file"),
    ] {
        let line = format!("explore {name}");
        says(&all, &line, 2, &[part]);
        let (_, said) = run(&all, &line);
        assert!(!said.contains(never), "{said}");
    }
}

#[test]
fn each_file_may_write_a_structure_without_a_tag() {
    let range = "typedef struct { struct { int low; } a; struct { int low; } b; } range_t;\n";
    let one = format!("{range}int length(const range_t *r) {{ return r->b.low - r->a.low; }}\n");
    let main = |range: &str| {
        let user = "int length(const range_t *r);\nint main(void) { range_t r = {{1}, {3}}; return length(&r) != 2; }\n";
        format!("{range}{user}")
    };
    let all = folder(&[("a.c", &one), ("b.c", &main(&format!("int x;\n{range}")))]);
    says(&all, "explore a.c b.c", 0, &["safe"]);
    let other = range.replace("int low; } b", "long low; } b");
    refused(&one, &main(&other), "`length` is declared differently");
}

/// Priorities hold across all files. Equal ones run in the order of the files; a declaration in another file has no effect.
#[test]
fn constructors_run_in_the_order_of_files() {
    let one = "extern int at; void init(void); void one(void) { init(); }\n__attribute__((constructor)) static void first(void) { at = at * 10 + 2; }\n";
    let two = "#include <assert.h>\nint at;\n__attribute__((constructor(101))) void init(void) { at = at * 10 + 1; }\n__attribute__((constructor)) static void second(void) { at = at * 10 + 3; }\nint main(void) { assert(at == 123); }\n";
    let all = folder(&[("a.c", one), ("b.c", two)]);
    says(&all, "explore a.c b.c", 0, &["safe"]);
    says(&all, "explore b.c a.c", 1, &["at = 132"]);
}

/// Two files that do not fit together are refused with this message.
fn refused(one: &str, two: &str, part: &str) {
    let all = folder(&[("a.c", one), ("b.c", two)]);
    says(&all, "explore a.c b.c", 2, &[part, "b.c:"]);
}

#[test]
fn there_is_one_definition() {
    let main = "int main(void) { return 0; }";
    let with = |text: &str| format!("{text} {main}");
    refused(
        "int f(void) { return 1; }",
        &with("int f(void) { return 1; }"),
        "`f` is defined twice",
    );
    refused(
        "int a = 1;",
        &with("int a = 1;"),
        "`a` has two initialisers",
    );
    refused("int a;", &with("extern long a;"), "`a` has another type");
    refused(
        "int a;",
        &with("extern _Atomic int a;"),
        "`a` has another type",
    );
    refused(
        "_Thread_local int a;",
        &with("extern int a;"),
        "`_Thread_local`",
    );
    refused(
        "int f(int x) { return x; }",
        &with("double f(int);"),
        "`f` is declared differently",
    );
    refused(
        "struct s { int x; }; struct s v;",
        &with("struct s { long x; }; extern struct s v;"),
        "`v` has another type before, which is called `struct s`, too",
    );
    refused(
        "typedef int T; struct s { T x; };",
        &with("typedef long T; struct s { T x; };"),
        "in another one",
    );
    refused(
        "typedef int T; struct s { T x; };",
        &with("typedef long T; struct s { T x; };"),
        "has the type `long` here",
    );
    refused(
        "struct s { int x; }; extern struct s v;",
        &with("struct s { int x; }; const struct s v = {3};"),
        "`v` has another type before: `struct s`, now `const struct s`",
    );
    refused(
        "struct s { int x; }; long f(struct s *);",
        &with("struct s { long x; }; long f(struct s *);"),
        "one of the two types is defined here",
    );
    refused(main, main, "`main` is defined twice");
}

#[test]
fn a_body_in_a_header_is_the_same_in_all_files() {
    let header = "#ifdef A\ninline int f(void) { return 1; }\n#else\ninline int f(void) { return N; }\n#endif\n";
    let one = "#define N 2\n#include \"f.h\"\nint g(void) { return f(); }\n";
    let two = |n: u32| {
        format!(
            "#define N {n}\n#include \"f.h\"\nint g(void); int main(void) {{ return g() != f(); }}\n"
        )
    };
    let (same, other) = (two(2), two(3));
    let all = folder(&[
        ("f.h", header),
        ("a.c", one),
        ("b.c", &same),
        ("c.c", &other),
    ]);
    says(&all, "explore a.c b.c", 0, &["safe"]);
    says(&all, "explore a.c c.c", 2, &["`f` is defined twice"]);
}

#[test]
fn a_function_of_the_program_replaces_that_of_a_header_in_all_files() {
    let own = "#include <string.h>\nchar *strdup(const char *s) { return 0; }\n";
    let main = "#include <string.h>\n#include <assert.h>\nint main(void) { assert(strdup(\"x\") == 0); }\n";
    let all = folder(&[("own.c", own), ("main.c", main)]);
    says(&all, "explore own.c main.c", 0, &["safe"]);
    says(&all, "explore main.c own.c", 0, &["safe"]);
    says(&all, "explore main.c", 1, &["is false"]);
}

#[test]
fn tentative_definitions_and_internal_names_are_told_apart() {
    let one = "int n; static int s = 1; int get(void) { static int k; k++; return s + n + k; }\n";
    let two = "#include <assert.h>\nint n; static int s = 5; int get(void);\n\
               int main(void) { extern int n; n = 2; s = 7; assert(get() == 4); assert(get() == 5); assert(s == 7); }\n";
    let all = folder(&[("a.c", one), ("b.c", two)]);
    says(&all, "explore a.c b.c", 0, &["safe"]);
    says(&all, "explore b.c a.c", 0, &["safe"]);
}

/// All files share one C library: handlers of `exit` and of signals, the place of `strtok`, streams, `errno`.
#[test]
fn the_c_library_is_one_for_all_files() {
    let main = r#"
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
void begin(char *text);
FILE *errors(void);
int fails(void);
int main(void) {
  char text[] = "a b";
  begin(text);
  char *rest = strtok(0, " ");
  assert(rest && *rest == 'b');
  assert(errors() == stderr);
  assert(fails() == EINVAL && errno == EINVAL);
  if (HOW) raise(SIGUSR1);
  return 0;
}
"#;
    let other = r#"
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static void at_exit(void) { assert(HOW != 0); }
static void on_signal(int n) { assert(HOW == 2); }
void begin(char *text) { strtok(text, " "); atexit(at_exit); signal(SIGUSR1, on_signal); }
FILE *errors(void) { return stderr; }
int fails(void) { signal(99, on_signal); return errno; }
"#;
    let folder = folder(&[("main.c", main), ("other.c", other)]);
    for files in ["main.c other.c", "other.c main.c"] {
        says(&folder, &format!("{files} -D HOW=0"), 1, &["HOW != 0"]);
        says(&folder, &format!("{files} -D HOW=1"), 1, &["HOW == 2"]);
        says(&folder, &format!("{files} -D HOW=2"), 0, &["safe"]);
    }
}

#[test]
fn a_weak_definition_makes_room_for_another() {
    let main = "#include <assert.h>
int named(void);
__attribute__((weak)) int limit = 1;
__attribute__((weak)) int next(int x) { return x + 1; }
int main(void) { assert(named() == WANTED && limit == 5 && next(1) == 3); }";
    let weak = "__attribute__((weak)) int named(void) { return 1; }
int limit = 5;
int next(int y) { return y + 2; }";
    let strong = "int named(void) { return 2; }";
    let folder = folder(&[("main.c", main), ("weak.c", weak), ("strong.c", strong)]);
    says(&folder, "main.c weak.c -D WANTED=1", 0, &["safe"]);
    says(&folder, "main.c weak.c strong.c -D WANTED=2", 0, &["safe"]);
    says(&folder, "strong.c weak.c main.c -D WANTED=2", 0, &["safe"]);
}

#[test]
fn the_preprocessor_and_the_compiler_are_told() {
    let all = folder(&[
        (
            "p.c",
            "#ifdef X\n#error no\n#endif\nint main(void) { return N; }\n",
        ),
        ("n.h", "#define N 0\n"),
        ("x.async", "proc main() {}\n"),
    ]);
    says(&all, "explore p.c -DX -UX -include n.h", 0, &["safe"]);
    says(
        &all,
        "explore p.c -DN=0 --cc nosuch",
        2,
        &["`nosuch` cannot be run"],
    );
    says(&all, "explore p.c x.async -DN=0", 2, &["`x.async` is no C"]);
}

/// A standard beside the compiler counts. The traps of C23 are read with ours.
#[test]
fn the_compiler_may_have_a_standard() {
    let program = "#include <stddef.h>\nint main(void) {\n#if __STDC_VERSION__ > 201710L\n  unreachable();\n#endif\n  return 0;\n}\n";
    let folder = folder(&[("p.c", program)]);
    for (compiler, wanted) in [("cc", "safe"), ("cc -std=gnu2x", "unreachable")] {
        let output = Command::new(env!("CARGO_BIN_EXE_dbverify"))
            .args(["explore", "p.c", "--cc", compiler])
            .current_dir(folder.path())
            .output()
            .expect("it runs");
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(said.contains(wanted), "{compiler}: {said}");
    }
}

#[test]
fn a_place_to_which_nothing_comes_need_not_be_a_condition() {
    let program = "#include <pthread.h>\nstatic pthread_mutex_t m;\nstatic int z;\n\
                   int main(void) {\n  if (z)\n    pthread_mutex_lock(&m);\n  return 0;\n}\n";
    let said = "p.c:6: no execution gets past this place";
    says(&folder(&[("p.c", program)]), "explore p.c", 0, &[said]);
}

/// The last thread that comes to a barrier does not wait.
#[test]
fn who_need_not_wait_gets_past_a_place() {
    let program = "#include <pthread.h>\nint main(void) {\n  pthread_barrier_t b;\n  pthread_barrier_init(&b, 0, 1);\n  \
                   return pthread_barrier_wait(&b) != PTHREAD_BARRIER_SERIAL_THREAD;\n}\n";
    for command in [
        "explore b.c",
        "explore b.c --values terms",
        "b.c --engine smt",
    ] {
        let (status, said) = run(&folder(&[("b.c", program)]), command);
        assert_eq!(status, Some(0), "{said}");
        assert!(!said.contains("gets past"), "{said}");
    }
}

#[test]
fn what_macros_of_our_headers_keep_is_not_told() {
    let program = "#define _GNU_SOURCE\n#include <assert.h>\n#include <fcntl.h>\n#include <semaphore.h>\n#include <stdlib.h>\n\
                   static int up(const void *l, const void *r, void *at) { return *(int *)l - *(int *)r; }\n\
                   int main(void) {\n  void *p;\n  int sign = 1, n[2] = {2, 1}, __own = 3;\n  posix_memalign(&p, 64, 8);\n  \
                   qsort_r(n, 2, sizeof *n, up, &sign);\n  sem_open(\"/x\", O_CREAT, 0600, 1);\n  assert(p == &__own);\n}\n";
    let (status, said) = run(&folder(&[("m.c", program)]), "explore m.c");
    assert_eq!(status, Some(1), "{said}");
    assert!(
        said.contains("call sem_open(\"/x\", 64, 384, 1)\n"),
        "{said}"
    );
    let own = said.matches("__").count();
    assert_eq!(own, said.matches("__own").count(), "{said}");
}

#[test]
fn the_first_element_has_the_index_zero() {
    let program = "#include <assert.h>\n#include <stdlib.h>\nstruct s { int a, b; };\nint main(void) {\n  \
                   struct s *p = malloc(sizeof *p);\n  p->a = 1;\n  assert(p->a == 2);\n}\n";
    let said = ["  malloc@5[0].a = 1\n", "  reads malloc@5[0].a: 1\n"];
    says(&folder(&[("p.c", program)]), "explore p.c", 1, &said);
}

/// If memory is too small, only more memory helps. The time of the answer is that of all questions together.
#[test]
fn where_memory_is_lacking_more_is_advised() {
    let large = "#include <stdlib.h>\nint main(void) { int n = 2000; n++; char *p = malloc(n); p[0] = 1; free(p); return 0; }\n";
    let all = folder(&[("large.c", large), ("models/m.async", "proc main() {}\n")]);
    for command in ["", "explore "] {
        let advised = ["advice: --heap 2048 lets executions"];
        says(&all, &format!("{command}large.c"), 3, &advised);
        says(
            &all,
            &format!("{command}large.c --heap 100"),
            3,
            &["advice: --heap 400"],
        );
        says(
            &all,
            &format!("{command}large.c --heap 2048"),
            0,
            &["large.c: "],
        );
    }
    let larger = large.replace("2000", "5000");
    let all_of_it = ["advice: --heap is 4096 at most: let the program make"];
    let larger = folder(&[("larger.c", &larger)]);
    says(&larger, "explore larger.c --heap 4096", 3, &all_of_it);
    let models = "there is no C program in models; a model is one file";
    says(&all, "explore models", 2, &[models]);
}

/// A list is as long as its input: each larger memory is too small, and takes longer. The first one gets its turn again in time.
#[test]
fn a_list_of_any_length_has_an_answer() {
    let list = "#include <stdio.h>\n#include <stdlib.h>\nstruct n { int v; struct n *next; };\n\
        int main(void) { struct n *h = 0; int v;\n\
        while (scanf(\"%d\", &v) == 1) { struct n *x = malloc(sizeof *x); if (!x) break; x->v = v; x->next = h; h = x; }\n\
        while (h) { struct n *t = h->next; free(h); h = t; }\n\
        return 0; }\n";
    let all = folder(&[("list.c", list)]);
    says(&all, "list.c --timeout 60", 0, &["up to 4 unrollings"]);
}

#[test]
fn what_another_file_includes_is_no_file_of_its_own() {
    let all = folder(&[
        (
            "src/part.c",
            "static int part(void) { return 3; }\nint shared = 1;\n",
        ),
        (
            "src/whole.c",
            "#include \"../src/./part.c\"\nint whole(void) { return part(); }\n",
        ),
        (
            "main.c",
            "int whole(void); extern int shared; int main(void) { return whole() + shared != 4; }\n",
        ),
    ]);
    says(
        &all,
        "explore src main.c",
        0,
        &["safe", "src/part.c is read here"],
    );
}

#[test]
fn variables_of_one_name_are_called_by_their_files() {
    let all = folder(&[
        (
            "a.c",
            "#include <assert.h>\nstatic int count; void inc(void);\nint main(void) { count = 3; inc(); assert(count == 4); }\n",
        ),
        (
            "src/b.c",
            "static int count; void inc(void) { count = 5; }\n",
        ),
    ]);
    says(
        &all,
        "explore a.c src/b.c",
        1,
        &["b.c:count = 5", " count = 3"],
    );
}

#[test]
fn a_header_is_one_however_it_is_reached() {
    let header = "struct n { union { int a; int b; }; struct { struct t { struct { int c; }; } *t; } in; };\n\
                  extern struct { int d; } seen;\nint f(struct n *x);\n";
    let main = "#include \"n.h\"\n#include <assert.h>\n\
                int main(void) { struct n x = { 1 }; assert(f(&x) == 2 && seen.d == 3); }\n";
    let own = "#include \"n.h\"\n__typeof__(seen) seen = { 3 };\nint f(struct n *x) { return x->b + 1; }\n";
    let all = folder(&[
        ("lib/n.h", header),
        ("lib/n.c", own),
        (
            "copy/n.h",
            &header.replace("extern struct { int d; } seen;", ""),
        ),
        (
            "copy/n.c",
            "#include \"n.h\"\nint f(struct n *x) { return x->b + 2; }\n",
        ),
        ("t/m.c", main),
        (
            "t/s.c",
            "#include \"../lib/n.h\"\n__typeof__(seen) seen = { 3 };\n",
        ),
    ]);
    let here = all.path().join("t");
    let asked = |line: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dbverify"));
        let command = command.args(line.split(' ')).current_dir(&here);
        let output = command.output().expect("it runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code(), said)
    };
    let (code, said) = asked("explore m.c ../lib/n.c -I ../lib");
    assert_eq!(code, Some(0), "{said}");
    // A copy of the header in another place has the same types.
    let (code, said) = asked("explore m.c s.c ../copy/n.c -I ../lib");
    assert_eq!(code, Some(1), "{said}");
}

#[test]
fn inline_functions_of_preprocessed_files_count_once() {
    let body = |word: &str| format!("{word} int f(void) {{ return 1; }}\n");
    let main = "int g(void); int main(void) { return f() - g(); }\n";
    let other = "int g(void) { return f(); }\n";
    let files = |word: &str| {
        let (one, two) = (body(word) + main, body(word) + other);
        folder(&[("a.i", &one), ("b.i", &two)])
    };
    says(&files("inline"), "explore a.i b.i", 0, &["safe"]);
    says(&files(""), "explore a.i b.i", 2, &["`f` is defined twice"]);
}
