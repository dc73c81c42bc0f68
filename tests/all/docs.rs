//! The pages are true. The tests write their programs, run their `console` blocks in order, and compare the output.
//! `UPDATE_DOCS=1 cargo test --test all docs::` writes the output anew. All links lead somewhere.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The pages whose consoles are run.
const PAGES: [&str; 7] = [
    "docs/tutorial.md",
    "docs/explore.md",
    "docs/verdicts.md",
    "docs/trace.md",
    "docs/ci.md",
    "docs/cookbook.md",
    "docs/course.md",
];

/// Figures of time differ from run to run.
fn is_timing(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let number = words.next().is_some_and(|w| w.parse::<f64>().is_ok());
    line.starts_with("  ") && number && words.next() == Some("seconds,")
}

/// The output of a command in a folder. A shell runs it, so it may have pipes.
fn run(command: &str, folder: &Path) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_dbverify"));
    let path = std::env::var("PATH").unwrap_or_default();
    let output = Command::new("sh")
        .args(["-c", &format!("{{ {command}\n}} 2>&1")])
        .current_dir(folder)
        .env(
            "PATH",
            format!("{}:{path}", program.parent().unwrap().display()),
        )
        .env("COLUMNS", "80")
        .env("LC_ALL", "C")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let lines = text.lines().map(str::trim_end).filter(|l| !is_timing(l));
    lines.map(|l| format!("{l}\n")).collect()
}

/// A console block with the output of its commands.
fn rerun(block: &[&str], folder: &Path) -> Vec<String> {
    let mut lines = Vec::new();
    for command in block.iter().filter_map(|l| l.strip_prefix("$ ")) {
        lines.push(format!("$ {command}"));
        lines.extend(run(command, folder).lines().map(str::to_owned));
    }
    lines
}

/// The page with the outputs that its commands have now.
fn rewritten(page: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let mut out: Vec<String> = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        out.push(line.to_owned());
        let Some(info) = line.strip_prefix("```").filter(|i| !i.is_empty()) else {
            continue;
        };
        let block: Vec<&str> = lines.by_ref().take_while(|l| *l != "```").collect();
        if let Some(name) = info.strip_prefix("async ") {
            std::fs::write(folder.path().join(name), block.join("\n") + "\n").unwrap();
        }
        if info == "console" {
            out.extend(rerun(&block, folder.path()));
        } else {
            out.extend(block.iter().map(ToString::to_string));
        }
        out.push("```".to_owned());
    }
    out.join("\n") + "\n"
}

#[test]
fn consoles_show_what_happens() {
    let update = std::env::var_os("UPDATE_DOCS").is_some();
    for name in PAGES {
        let path = Path::new(ROOT).join(name);
        let page = std::fs::read_to_string(&path).unwrap();
        let now = rewritten(&page);
        if update {
            std::fs::write(&path, &now).unwrap();
        } else if let Some((shown, real)) = page.lines().zip(now.lines()).find(|(a, b)| a != b) {
            panic!(
                "{name} shows\n  {shown}\nand the program says\n  {real}\nUPDATE_DOCS=1 writes it anew"
            );
        }
        assert!(
            update || page == now,
            "{name}: the output is shorter or longer"
        );
        assert!(
            name == "docs/ci.md" || page.contains("```console"),
            "{name}"
        );
    }
}

fn pages() -> Vec<PathBuf> {
    let root = Path::new(ROOT);
    let docs = std::fs::read_dir(root.join("docs")).unwrap();
    let mut all: Vec<PathBuf> = docs.map(|e| e.unwrap().path()).collect();
    all.retain(|p| p.extension().is_some_and(|e| e == "md"));
    all.extend(["README.md", "ARCHITECTURE.md", "CHANGELOG.md"].map(|n| root.join(n)));
    all.sort();
    all
}

/// A page has a heading with this anchor, as GitHub and mdBook make it.
fn has_anchor(page: &str, anchor: &str) -> bool {
    let headings = page.lines().filter(|line| line.starts_with('#'));
    headings.into_iter().any(|line| {
        let words = line.trim_start_matches('#').trim().to_lowercase();
        let kept = words
            .chars()
            .filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        kept.map(|c| if c == ' ' { '-' } else { c })
            .eq(anchor.chars())
    })
}

#[test]
fn links_lead_somewhere() {
    for page in pages() {
        let text = std::fs::read_to_string(&page).unwrap();
        for link in text
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split(')').next())
        {
            let target = link.split('#').next().unwrap();
            if let Some(anchor) = link.strip_prefix('#') {
                assert!(has_anchor(&text, anchor), "{}: {link}", page.display());
            }
            if target.is_empty() || target.contains("://") || target.contains(' ') {
                continue;
            }
            let path = page.parent().unwrap().join(target);
            assert!(path.exists(), "{}: {link}", page.display());
            if let Some((_, anchor)) = link.split_once('#').filter(|_| target.ends_with(".md")) {
                let text = std::fs::read_to_string(&path).unwrap();
                assert!(has_anchor(&text, anchor), "{}: {link}", page.display());
            }
        }
    }
}

#[test]
fn the_index_names_every_page() {
    let readme = std::fs::read_to_string(Path::new(ROOT).join("README.md")).unwrap();
    for page in pages() {
        let name = page.strip_prefix(ROOT).unwrap().display().to_string();
        // The table of contents of the book is no page.
        let exempt = ["README.md", "docs/SUMMARY.md"].contains(&name.as_str());
        assert!(exempt || readme.contains(&format!("({name})")), "{name}");
    }
}

/// Asks the preprocessor of book.toml as mdBook does, without mdBook.
fn book() -> Option<serde_json::Value> {
    let summary = std::fs::read_to_string(Path::new(ROOT).join("docs/SUMMARY.md")).unwrap();
    let items: Vec<_> = summary
        .split("](")
        .skip(1)
        .map(|rest| {
            let path = rest.split(')').next().unwrap();
            let content = std::fs::read_to_string(Path::new(ROOT).join("docs").join(path));
            serde_json::json!({ "Chapter": { "name": path, "content": content.unwrap(), "path": path, "sub_items": [] } })
        })
        .collect();
    let mut child = Command::new("python3")
        .arg("packaging/book.py")
        .current_dir(ROOT)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .ok()?;
    let asked = serde_json::json!([{}, { "items": items }]).to_string();
    let mut input = child.stdin.take().unwrap();
    std::thread::spawn(move || std::io::Write::write_all(&mut input, asked.as_bytes()));
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    Some(serde_json::from_slice(&output.stdout).unwrap())
}

/// The pages of a book by their paths.
fn chapters(items: &serde_json::Value, all: &mut std::collections::BTreeMap<String, String>) {
    for item in items.as_array().unwrap() {
        let page = &item["Chapter"];
        if let (Some(path), Some(content)) = (page["path"].as_str(), page["content"].as_str()) {
            assert!(
                all.insert(path.to_owned(), content.to_owned()).is_none(),
                "{path}"
            );
            chapters(&page["sub_items"], all);
        }
    }
}

#[test]
fn links_of_the_book_stay_in_it() {
    let Some(book) = book() else {
        eprintln!("note: python3 is missing; the book was not tried");
        return;
    };
    let mut pages = std::collections::BTreeMap::new();
    chapters(&book["items"], &mut pages);
    assert!(pages["examples/course/lock.async.md"].contains("````async\n// Exercise 3"));
    assert!(pages["examples/course/index.md"].contains("[lock.async](lock.async.md): "));
    for (page, text) in &pages {
        let words = text.split("````").next().unwrap();
        for link in words.split("](").skip(1) {
            let link = link.split(')').next().unwrap();
            let (target, anchor) = link.split_once('#').unwrap_or((link, ""));
            if target.is_empty() || target.contains("://") || target.contains(' ') {
                continue;
            }
            let mut parts: Vec<&str> = page.split('/').collect();
            parts.pop();
            for part in target.split('/') {
                if part == ".." {
                    assert!(parts.pop().is_some(), "{page}: {link}");
                } else {
                    parts.push(part);
                }
            }
            let path = parts.join("/");
            let copied = Path::new(ROOT).join("docs").join(&path).is_file();
            let text = pages.get(&path);
            assert!(text.is_some() || copied, "{page}: {link}");
            let found = text.is_none_or(|text| anchor.is_empty() || has_anchor(text, anchor));
            assert!(found, "{page}: {link}");
        }
    }
}
