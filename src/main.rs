//! Arguments in, exit status out; the library does the work.

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main(std::env::args_os())
}
