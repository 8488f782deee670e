//! The arguments, and which command they ask for.

mod check;
mod export;
mod replay;
mod run;

use clap::{Parser, Subcommand};
use skmem_lab::replay::source::{self, Opened};
use std::io::{Read, Write};
use std::process::ExitCode;

/// Linux socket memory at the terminal: the engine of skmem lab.
#[derive(Debug, Parser)]
#[command(name = "skmem", version, about)]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Replays recordings of real kernels and compares every number.
    Replay(replay::Args),
    /// Plays a scenario: every step's numbers and the reasons for them.
    Run(run::Args),
    /// Checks what the built-in lessons claim.
    Check,
    /// Writes a scenario in another form.
    Export(export::Args),
}

/// A command's end: what went wrong decides the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// All is well: 0.
    Well,
    /// Something differs or does not hold: 1.
    Differs,
    /// The input cannot be used: 2.
    Unusable,
}

impl From<End> for ExitCode {
    fn from(end: End) -> Self {
        Self::from(match end {
            End::Well => 0,
            End::Differs => 1,
            End::Unusable => 2,
        })
    }
}

/// Prints a line. A reader that went away (`| head`) ends the program quietly.
pub fn say(line: &str) {
    if writeln!(std::io::stdout().lock(), "{line}").is_err() {
        std::process::exit(0);
    }
}

/// Says on the error stream what cannot be used.
pub fn complain(what: impl std::fmt::Display) -> End {
    eprintln!("skmem: {what}");
    End::Unusable
}

/// Opens a lesson, a link or a file; `-` is what is typed or piped in.
pub fn open(what: &str) -> Result<Opened, End> {
    let read = |path: &str| {
        if path != "-" {
            return std::fs::read_to_string(path);
        }
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text).map(|_| text)
    };
    source::open(what, read).map_err(complain)
}

/// Runs the command of the arguments.
pub fn main() -> ExitCode {
    let end = match Args::parse().command {
        Command::Replay(args) => replay::run(&args),
        Command::Run(args) => run::run(&args),
        Command::Check => check::run(),
        Command::Export(args) => export::run(&args),
    };
    end.into()
}
