//! Arguments in, exit status out; the library does the work.

use std::process::ExitCode;

fn main() -> ExitCode {
    println!("{}", dbverify::z3_version::linked());
    match dbverify::z3_version::compare() {
        Ok(()) => ExitCode::SUCCESS,
        Err(mismatch) => {
            eprintln!("warning: {mismatch}");
            ExitCode::FAILURE
        }
    }
}
