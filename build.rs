//! Two things happen before the crate compiles: the grammar becomes a parser, and the
//! solver's library is put where the linker and the finished program find it.

#[cfg(feature = "z3")]
#[path = "build/z3.rs"]
mod z3;
#[cfg(feature = "z3")]
#[path = "build/z3_stub.rs"]
mod z3_stub;

use std::error::Error;
use std::process::ExitCode;

fn main() -> ExitCode {
    for step in [
        generate_parser,
        #[cfg(feature = "z3")]
        z3::supply,
    ] {
        if let Err(error) = step() {
            eprintln!("\n{error}\n");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

/// Writes `async.rs` into `OUT_DIR`; cargo runs this again only when a grammar changed.
fn generate_parser() -> Result<(), Box<dyn Error>> {
    lalrpop::Configuration::new()
        .set_in_dir("grammar")
        .set_out_dir(std::env::var("OUT_DIR")?)
        .emit_rerun_directives(true)
        .process()
        .map_err(|error| error.to_string().into())
}
