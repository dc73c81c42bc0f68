//! `dbverify fmt`: programs in the standard format, printed, rewritten or compared.

use std::path::Path;

use ast::print::format;

use base::source::SourceMap;

use super::args::{Color, FmtArgs, Format};
use super::files::{self, Found};
use super::input::{self, Failed};
use super::output;
use super::status::{BUG, SAFE, WRONG_INPUT};

/// Formats programs. An error in one does not keep the others from being formatted.
///
/// # Errors
/// When there is nothing to format, or the text of several is to be printed; the user has been told.
pub fn run(args: &FmtArgs) -> Result<u8, Failed> {
    let files = files::programs(&args.files, &["async"]).map_err(complain)?;
    let folders = files.len() != 1 || !files[0].named;
    if files.is_empty() {
        let paths = args.files.join(" ");
        return Err(complain(format!("there is no program in {paths}")));
    }
    if folders && !args.check && !args.write {
        let message =
            "several programs are not printed one after the other: add --write or --check";
        return Err(complain(message.to_owned()));
    }
    if args.write && files.iter().any(|file| file.path == "-") {
        let message = "standard input cannot be rewritten: leave out --write";
        return Err(complain(message.to_owned()));
    }
    let mut status = SAFE;
    for file in &files {
        let one = one(args, file).unwrap_or_else(|message| {
            complain(message);
            WRONG_INPUT
        });
        status = status.max(one);
    }
    Ok(status)
}

fn complain(message: String) -> Failed {
    output::print_error(&format!("error: {message}\n"));
    Failed
}

fn one(args: &FmtArgs, file: &Found) -> Result<u8, String> {
    let input = input::read(&file.path)?;
    if c::is_c(&input.name) {
        return Err(format!("{}: C programs are not formatted", input.name));
    }
    let formatted = match format(&input.text, 0) {
        Ok(text) => text,
        Err(diagnostics) => {
            let mut sources = SourceMap::new();
            sources.add(input.name.as_str(), input.text)?;
            let how = (Format::Text, Color::Auto);
            input::show(how, &input.name, &sources, &diagnostics);
            return Ok(WRONG_INPUT);
        }
    };
    if args.check {
        if formatted == *input.text {
            return Ok(SAFE);
        }
        output::print(&format!("{} is not in the standard format\n", input.name));
        return Ok(BUG);
    }
    if args.write {
        if formatted != *input.text {
            output::write_file(Path::new(&file.path), &formatted)?;
        }
        return Ok(SAFE);
    }
    output::print(&formatted);
    Ok(SAFE)
}
