//! Puts the solver's library where the linker and the finished program find it.

#[cfg(feature = "z3")]
#[path = "build/z3.rs"]
mod z3;
#[cfg(feature = "z3")]
#[path = "build/z3_stub.rs"]
mod z3_stub;

use std::process::ExitCode;

fn main() -> ExitCode {
    #[cfg(feature = "z3")]
    if let Err(error) = z3::supply() {
        eprintln!("\n{error}\n");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
