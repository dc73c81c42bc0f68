//! `dbverify doctor`: whether everything is there that is needed, and what else would be of use.

use std::fmt::Write as _;
use std::path::{MAIN_SEPARATOR, PathBuf};
use std::process::Stdio;
use std::sync::mpsc;
use std::time::Duration;

use ::verify::verify;
use answer::Verdict;
use base::child;
use check::CheckOptions;
use options::{ExploreOptions, VerifyOptions};
use solver::z3_version;
use symbolic::explore;

/// A program of somebody else's.
struct Tool {
    /// Names under which it may be installed.
    names: &'static [&'static str],
    /// The option with which it tells its version; empty if that takes long.
    version: &'static str,
    purpose: &'static str,
    /// How to get it.
    install: &'static str,
}

const TOOLS: [Tool; 5] = [
    Tool {
        names: &["boogie"],
        version: "/version",
        purpose: "decides what --emit-boogie prints",
        install: "dotnet tool install --global boogie",
    },
    Tool {
        names: &["z3"],
        version: "--version",
        purpose: "a solver for --solver \"z3 -in\" and for Boogie",
        install: "apt install z3, brew install z3",
    },
    Tool {
        names: &["cvc5"],
        version: "--version",
        purpose: "a solver for --solver \"cvc5 --lang smt2\"",
        install: "apt install cvc5, brew install cvc5",
    },
    Tool {
        names: &["chromium", "google-chrome", "firefox", "open", "xdg-open"],
        version: "",
        purpose: "opens what --html writes; any browser does",
        install: "apt install chromium",
    },
    Tool {
        names: &["man"],
        version: "",
        purpose: "shows what `dbverify man` writes",
        install: "apt install man-db",
    },
];

/// The findings, and whether everything is there that is needed.
#[must_use]
pub fn examine() -> (String, bool) {
    let mut out = format!("dbverify {}\n\nneeded:\n", env!("CARGO_PKG_VERSION"));
    let mut well = true;
    for (name, finding) in [
        ("the solver Z3", solver()),
        ("verification", verification()),
        ("exploration", exploration()),
        ("temporary files", temporary()),
    ] {
        let (mark, text) = match finding {
            Ok(text) => ("ok", text),
            Err(text) => {
                well = false;
                ("FAILS", text)
            }
        };
        let _ = writeln!(out, "  {mark:5} {name}: {text}");
    }
    out.push_str("\noptional tools:\n");
    for tool in &TOOLS {
        describe(tool, &mut out);
    }
    let verdict = if well {
        "everything that is needed was found"
    } else {
        "something that is needed fails"
    };
    let _ = writeln!(out, "\n{verdict}");
    (out, well)
}

fn solver() -> Result<String, String> {
    z3_version::present().map_err(|missing| {
        format!(
            "no library that fits ({}): {}",
            missing.why,
            z3_version::help()
        )
    })?;
    let linked = z3_version::linked();
    match z3_version::compare() {
        Ok(()) => Ok(format!(
            "Z3 {}, the version that this program was made for",
            linked.trim_start_matches("Z3 ")
        )),
        Err(mismatch) => Err(format!(
            "{mismatch}; build again without Z3_LIB_DIR, or with --features vendored"
        )),
    }
}

/// A bug that needs a delay.
const BUG: &str = "var x: int := 0;\nproc a() { let t = x; yield; x := t + 1; }\n\
                   proc main() { post a(); post a(); }\nfinally { assert x == 2; }\n";

fn verification() -> Result<String, String> {
    let compiled = compile::compile("doctor", BUG, &CheckOptions { preempt: None });
    let program = compiled.program.ok_or("a small program is refused")?;
    for (delays, expected) in [(0, Verdict::Safe), (1, Verdict::Bug)] {
        let options = VerifyOptions {
            delays_from: delays,
            delays_to: delays,
            ..VerifyOptions::default()
        };
        let verdict = verify(&program, &compiled.sources, &options).verdict;
        if verdict != expected {
            return Err(format!(
                "a small program with {delays} delays gives {verdict:?}"
            ));
        }
    }
    Ok("finds the lost increment that needs one delay, and none without".to_owned())
}

fn exploration() -> Result<String, String> {
    let compiled = compile::compile("doctor", BUG, &CheckOptions { preempt: None });
    let program = compiled.program.ok_or("a small program is refused")?;
    match explore(&program, &ExploreOptions::default()).verdict {
        Verdict::Bug => Ok("finds it too".to_owned()),
        verdict => Err(format!("a small program gives {verdict:?}")),
    }
}

fn temporary() -> Result<String, String> {
    let folder = std::env::temp_dir();
    tempfile::tempfile()
        .map(|_| format!("can be written in {}", folder.display()))
        .map_err(|error| format!("cannot be written in {}: {error}", folder.display()))
}

fn describe(tool: &Tool, out: &mut String) {
    let found = tool.names.iter().find_map(|name| find(name));
    let (mark, text) = match &found {
        None => ("-", format!("not found ({})", tool.install)),
        Some(path) => {
            let version = version(path, tool.version).unwrap_or_default();
            ("ok", format!("{} {version}", path.display()))
        }
    };
    let _ = writeln!(out, "  {mark:5} {}: {}", tool.names[0], text.trim_end());
    let _ = writeln!(out, "        {}", tool.purpose);
}

/// A program on the path.
fn find(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|folder| folder.join(name))
        .find(|file| file.is_file())
}

/// Checks whether the solver that the user names is there, if there is one.
///
/// # Errors
/// When it is not, in words.
pub fn finds(command: Option<&str>) -> Result<(), String> {
    let Some(name) = command.and_then(|line| line.split_whitespace().next()) else {
        return Ok(());
    };
    // A name with a folder is not looked for on the path.
    let found = name.contains(MAIN_SEPARATOR) || find(name).is_some() || cfg!(windows);
    match found {
        true => Ok(()),
        false => Err(format!("there is no solver `{name}` on the path")),
    }
}

/// How long to wait for a tool at most.
const PATIENCE: Duration = Duration::from_secs(5);

/// The first line of what a tool says of its version.
fn version(path: &PathBuf, option: &str) -> Option<String> {
    if option.is_empty() {
        return None;
    }
    let mut command = child::command(path);
    let command = command.arg(option).stdin(Stdio::null());
    let child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || drop(sender.send(child.wait_with_output())));
    let output = receiver.recv_timeout(PATIENCE).ok()?.ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = text
        .lines()
        .find(|l| l.contains(|c: char| c.is_ascii_digit()))?;
    let line = line.split(',').next()?.trim();
    Some(format!("({})", line.chars().take(60).collect::<String>()))
}
