//! Makes the parser from the grammar.

use std::error::Error;

/// Writes `async.rs` into `OUT_DIR`; cargo runs this again only when the grammar changed.
fn main() -> Result<(), Box<dyn Error>> {
    lalrpop::Configuration::new()
        .set_out_dir(std::env::var("OUT_DIR")?)
        .emit_rerun_directives(true)
        .process_file("async.lalrpop")
        .map_err(|error| error.to_string().into())
}
