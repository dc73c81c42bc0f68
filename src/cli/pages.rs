//! What is generated from the definition of the command line: completions and manual pages.

use std::io;
use std::path::{Path, PathBuf};

use clap::builder::PossibleValuesParser;
use clap::{Args, Command, CommandFactory, ValueEnum};
use clap_complete::Shell;
use clap_mangen::Man;

use ir::ErrorKind;

use super::args::VerifyArgs;
use super::commands::Cli;
use super::output;

/// Options of `completions`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  bash:  dbverify completions bash > ~/.local/share/bash-completion/completions/dbverify
  zsh:   dbverify completions zsh > ~/.zfunc/_dbverify       (with ~/.zfunc in fpath)
  fish:  dbverify completions fish > ~/.config/fish/completions/dbverify.fish")]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub shell: Shell,
}

/// Options of `man`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  dbverify man | man -l -                   read it
  dbverify man explore | man -l -           the page of a command
  dbverify man --dir ~/.local/share/man/man1   install all pages")]
pub struct ManArgs {
    /// The page of this command; without it the page of dbverify
    pub command: Option<String>,
    /// Write all pages into this folder
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath, conflicts_with = "command")]
    pub dir: Option<PathBuf>,
}

/// The script that completes command lines.
#[must_use]
pub fn completions(shell: Shell) -> String {
    // A file without a command is verified, so the options of `verify` stand there too.
    let command = VerifyArgs::augment_args(Cli::command());
    let words = operands(&command);
    let known = |words: &[String]| PossibleValuesParser::new(words.to_vec());
    let mut command = words.iter().fold(command, |command, (name, arg, words)| {
        command.mut_subcommand(*name, |c| c.mut_arg(*arg, |a| a.value_parser(known(words))))
    });
    let mut bytes = Vec::new();
    clap_complete::generate(shell, &mut command, "dbverify", &mut bytes);
    let script = String::from_utf8_lossy(&bytes).into_owned();
    match shell {
        Shell::Zsh => zsh(&script),
        Shell::Fish => fish(script, &words),
        _ => script,
    }
}

/// Operands that are one of a few words: the command, the operand's name, the words.
fn operands(command: &Command) -> Vec<(&'static str, &'static str, Vec<String>)> {
    let kinds = ErrorKind::ALL.map(|k| k.name().to_owned()).to_vec();
    let shells = Shell::value_variants().iter().map(ToString::to_string);
    let commands = command.get_subcommands().map(|c| c.get_name().to_owned());
    vec![
        ("explain", "kind", kinds),
        ("completions", "shell", shells.collect()),
        ("man", "command", commands.collect()),
    ]
}

/// Changes the script for zsh, where a first operand would hide the commands. The first word is a command or a file. Behind
/// a file stand the options of `verify`.
fn zsh(script: &str) -> String {
    let operand = "':file -- The program; - is standard input:_files' \\\n\
         '::more -- The other files of a program in C, and folders of them:_files' \\\n\
         \":: :_dbverify_commands\"";
    let first = "\":: :_dbverify_first\"";
    let function = "(( $+functions[_dbverify_first] )) ||
_dbverify_first() {
    _alternative 'commands:command:_dbverify_commands' 'files:program:_files'
}
(( $+functions[_dbverify_commands] ))";
    let command = "        case $line[1] in\n            (verify|*.async|-)\n";
    script
        .replacen(operand, first, 1)
        .replacen("words=($line[3] ", "words=($line[1] ", 1)
        .replacen("command-$line[3]:", "command-$line[1]:", 1)
        .replacen(
            "        case $line[3] in\n            (verify)\n",
            command,
            1,
        )
        .replacen("(( $+functions[_dbverify_commands] ))", function, 1)
}

/// Adds to the script for fish the words of operands, and the options behind a file.
fn fish(script: String, operands: &[(&str, &str, Vec<String>)]) -> String {
    let using = "    contains -- $cmd[1] $argv\n";
    let file = "    string match -q -- '*.async' $cmd[1]; and set cmd verify\n";
    let mut script = script.replacen(using, &format!("{file}{using}"), 1);
    for (command, _, words) in operands {
        script.push_str(&format!(
            "complete -c dbverify -n \"__fish_dbverify_using_subcommand {command}\" -f -a \"{}\"\n",
            words.join(" ")
        ));
    }
    script
}

const EXIT_STATUS: &str = "\
.SH \"EXIT STATUS\"
.TP
0
No bug within the stated bounds; nothing to complain about.
.TP
1
A bug, with its trace; a file is not in the standard format (fmt \\-\\-check); a translation differs (emit \\-\\-check);
something that is needed is missing (doctor).
.TP
2
The input or the command line is wrong.
.TP
3
Inconclusive: time or memory ran out, or the solver gave up; it says which.
.TP
130
Interrupted by Ctrl\\-C before anything was settled.
";

const FILES: &str = "\
.SH \"SEE ALSO\"
The language, the verdicts and every command are described in docs/ of the source; begin with docs/tutorial.md.
";

/// The commands with their full names: `dbverify explore`.
fn built() -> Command {
    let mut command = Cli::command().disable_help_subcommand(true);
    command.build();
    command
}

fn page(command: &Command, name: &str) -> io::Result<String> {
    let named = command.clone().name(name.to_owned()).after_help("");
    let after = command.get_after_help().map(ToString::to_string);
    let man = Man::new(named).section("1").manual("dbverify");
    let mut bytes = Vec::new();
    man.render_title(&mut bytes)?;
    man.render_name_section(&mut bytes)?;
    man.render_synopsis_section(&mut bytes)?;
    man.render_description_section(&mut bytes)?;
    man.render_options_section(&mut bytes)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut bytes)?;
    }
    let mut text = String::from_utf8_lossy(&bytes).into_owned();
    if let Some(after) = after {
        text.push_str(&format!(".SH EXAMPLES\n.nf\n{}\n.fi\n", escaped(&after)));
    }
    text.push_str(EXIT_STATUS);
    text.push_str(FILES);
    Ok(text)
}

/// Text as roff shows it, line by line.
fn escaped(text: &str) -> String {
    let line = |l: &str| format!("\\&{}", l.replace('\\', "\\e").replace('-', "\\-"));
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// All pages: the names of their files, and their texts.
fn pages() -> io::Result<Vec<(String, String)>> {
    let command = built();
    let mut all = vec![("dbverify".to_owned(), page(&command, "dbverify")?)];
    for sub in command.get_subcommands() {
        let name = format!("dbverify-{}", sub.get_name());
        all.push((name.clone(), page(sub, &name)?));
    }
    Ok(all)
}

/// Prints a page, or writes all pages into a folder.
///
/// # Errors
/// When there is no such command, or the folder cannot be written.
pub fn man(args: &ManArgs) -> Result<(), String> {
    let all = pages().map_err(|error| error.to_string())?;
    if let Some(dir) = &args.dir {
        return install(dir, &all);
    }
    let name = match &args.command {
        None => "dbverify".to_owned(),
        Some(command) => format!("dbverify-{command}"),
    };
    match all.iter().find(|(n, _)| *n == name) {
        Some((_, text)) => output::print(text),
        None => {
            return Err(format!(
                "there is no command `{}`",
                &name["dbverify-".len()..]
            ));
        }
    }
    Ok(())
}

fn install(dir: &Path, all: &[(String, String)]) -> Result<(), String> {
    std::fs::create_dir_all(dir)
        .map_err(|error| format!("cannot make {}: {error}", dir.display()))?;
    for (name, text) in all {
        let path = dir.join(format!("{name}.1"));
        output::write_file(&path, text)?;
        output::print(&format!("wrote {}\n", path.display()));
    }
    Ok(())
}
