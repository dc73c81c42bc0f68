//! The playground: what the page asks, asked here; and the page itself, in a browser.
//!
//! The browser is Debian's chromium, and the page is what `playground/build.py` has built; where one of them is missing, that
//! part is skipped, and it says so.

use std::path::Path;
use std::process::Command;

use dbverify::cli::embedded::{Question, Said, ask};

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/async-programs");

fn asked(command: &str, name: &str, text: &str) -> Said {
    ask(&Question {
        command,
        name,
        text,
        width: 80,
        memory: 1 << 30,
    })
}

const BUG: &str = "var x: int := 0;\nproc add() { let old = x; yield; x := old + 1; }\n\
                   proc main() { post add(); post add(); }\nfinally { assert x == 2; }\n";

#[test]
fn the_page_says_what_the_command_line_says() {
    let examples = [
        ("bluetooth_stop_bug", "verify --delays 1"),
        ("bluetooth_stop", "verify --delays 1"),
        ("timer_cancel_bug", "explore"),
        ("philosophers_mutex_bug", "explore --strategy dpor"),
        ("spin_loop", "explore --fair"),
        ("race_bug", "explore --races"),
    ];
    for (example, command) in examples {
        let name = format!("{example}.async");
        let text = std::fs::read_to_string(Path::new(EXAMPLES).join(&name)).unwrap();
        let said = asked(command, &name, &text);
        let words = command.split(' ').chain([name.as_str()]);
        let output = Command::new(env!("CARGO_BIN_EXE_dbverify"))
            .current_dir(EXAMPLES)
            .args(words)
            .output()
            .unwrap();
        assert_eq!(Some(i32::from(said.status)), output.status.code(), "{name}");
        // The last line has the seconds.
        let steady = |text: &str| -> Vec<String> {
            let lines = text.lines().filter(|l| !l.contains("seconds"));
            lines.map(str::to_owned).collect()
        };
        let printed = String::from_utf8_lossy(&output.stdout);
        assert_eq!(steady(&said.text), steady(&printed), "{name}");
        assert!(said.page.is_some_and(|page| page.contains("</html>")));
    }
}

#[test]
fn a_command_may_be_pasted_with_the_file() {
    let said = asked("dbverify p.async --delays 1", "p.async", BUG);
    assert_eq!(said.status, 1, "{}", said.text);
    let answer = said.answer.unwrap();
    assert_eq!(answer["verdict"], "bug");
}

#[test]
fn what_is_wrong_has_a_place() {
    let said = asked("check", "p.async", "proc main() { x := 1; }\n");
    assert_eq!(said.status, 2);
    assert_eq!(said.diagnostics[0]["line"], 1);
    let said = asked("explore", "p.async", "proc main() {");
    assert_eq!((said.status, said.page), (2, None));
}

#[test]
fn what_a_page_cannot_do_is_refused() {
    for (command, words) in [
        ("explore --jobs 2", "--jobs is for the command line"),
        ("explore --cluster local:2", "--cluster is for"),
        ("verify --html x.html", "--html is for"),
        ("verify --solver z3", "--solver is for"),
        ("explore --races --delays 1", "--races does not go with"),
        ("verify --fair", "`dbverify explore FILE --fair`"),
        ("verify \"", "quotation mark"),
        ("replay x", "unrecognized subcommand"),
        ("explore other.async", "unexpected argument"),
    ] {
        let said = asked(command, "p.async", BUG);
        assert_eq!(said.status, 2, "{command}");
        assert!(said.text.contains(words), "{command}: {}", said.text);
    }
    assert_eq!(asked("explore --help", "p.async", BUG).status, 0);
}

#[test]
fn a_program_is_formatted() {
    let said = asked("fmt", "p.async", "proc main() { skip; }");
    assert_eq!(
        said.formatted.as_deref(),
        Some("proc main() {\n  skip;\n}\n")
    );
    assert_eq!(asked("fmt", "p.async", "proc main( {").status, 2);
    assert_eq!(asked("fmt", "p.c", "int main() {}").status, 2);
}
