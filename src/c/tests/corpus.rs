//! Measures the front end on programs outside of this repository, if a list of them is given.

use crate::check;
use crate::origin::Origin;
use crate::types::DataModel;
use base::source::SourceMap;
use report::diagnostic;

/// Reads every file of the list that `C_CORPUS` names (a preprocessed file, its data model and its name in each
/// line) and prints what is refused.
#[test]
#[ignore = "needs a list of programs in C_CORPUS"]
fn programs_of_a_list_are_read() {
    let list = std::fs::read_to_string(std::env::var("C_CORPUS").expect("a list")).expect("a file");
    let mut refused = 0;
    for line in list.lines() {
        let mut fields = line.split('\t');
        let path = fields.next().unwrap_or_default();
        let model = match fields.next() {
            Some("ILP32") => DataModel::Ilp32,
            _ => DataModel::Lp64,
        };
        let name = fields.next().unwrap_or_default();
        let bytes = std::fs::read(path).expect("a file of the list");
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let mut sources = SourceMap::new();
        let start = sources.add(name, text.as_str()).expect("small");
        let complaints = check(&text, Origin::Itself(start), model).diagnostics;
        if !complaints.is_empty() {
            refused += 1;
            println!(
                "{path}\n{}",
                diagnostic::text(&sources, &complaints[..1], false)
            );
        }
    }
    println!("{refused} of {} refused", list.lines().count());
}
