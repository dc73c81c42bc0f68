//! `--coverage`: the tracefile of lcov, which editors and CI systems show.
//!
//! Where lcov counts executions, a reached line has 1 and any other line has 0: the search visits a state once, however many
//! executions pass through it.

use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The lines of each file, as a tracefile.
#[must_use]
pub fn text(files: &[(String, BTreeMap<u32, bool>)]) -> String {
    let mut out = String::new();
    for (name, lines) in files {
        let _ = writeln!(out, "TN:\nSF:{name}");
        for (line, &reached) in lines {
            let _ = writeln!(out, "DA:{line},{}", u8::from(reached));
        }
        let reached = lines.values().filter(|&&reached| reached).count();
        let _ = writeln!(out, "LF:{}\nLH:{reached}\nend_of_record", lines.len());
    }
    out
}
