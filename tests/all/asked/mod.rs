//! Asks the binary about a program and reads its answer.

use std::process::{Command, Output};

use serde_json::Value;

/// A program in a folder of its own.
pub struct Asked {
    folder: tempfile::TempDir,
}

impl Asked {
    pub fn about(text: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("p.async"), text).unwrap();
        Self { folder }
    }

    /// Runs a command on the program; `options` are separated by spaces.
    pub fn run(&self, command: &str, options: &str) -> Output {
        Command::new(env!("CARGO_BIN_EXE_dbverify"))
            .current_dir(self.folder.path())
            .args([command, "p.async"])
            .args(options.split_whitespace())
            .output()
            .unwrap()
    }

    /// Exit status and what is on standard output.
    pub fn text(&self, command: &str, options: &str) -> (i32, String) {
        let output = self.run(command, options);
        let text = String::from_utf8(output.stdout).unwrap();
        (output.status.code().expect("an exit status"), text)
    }

    /// Exit status and the one object on standard output.
    pub fn json(&self, options: &str) -> (i32, Value) {
        let (status, text) = self.text("explore", &format!("{options} --format json"));
        let json = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}: {text}"));
        (status, json)
    }

    /// The kind of the bug, or the verdict; the exit status fits it.
    pub fn verdict(&self, options: &str) -> String {
        let (status, json) = self.json(options);
        let (verdict, expected) = match json["verdict"].as_str().unwrap() {
            "bug" => (json["error"]["kind"].as_str().unwrap(), 1),
            "safe" => ("safe", 0),
            other => (other, 3),
        };
        assert_eq!(status, expected, "{json}");
        verdict.to_owned()
    }

    /// The counterexample is written, read back and shown again.
    pub fn replays(&self, options: &str, kind: &str) {
        let (status, first) = self.text("explore", &format!("{options} --trace-out t.json"));
        assert_eq!(status, 1, "{first}");
        let (status, again) = self.text("replay", "t.json");
        assert_eq!(status, 1, "{again}");
        let shown = |text: &str| text.split("p.async: bug").next().unwrap().to_owned();
        assert_eq!(shown(&first), shown(&again));
        assert!(first.starts_with(&format!("bug: {kind}: ")), "{first}");
    }
}
