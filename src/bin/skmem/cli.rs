//! The arguments, and which command they ask for.

mod replay;

use clap::{Parser, Subcommand};
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

/// Says on the error stream what cannot be used.
pub fn complain(what: impl std::fmt::Display) -> End {
    eprintln!("skmem: {what}");
    End::Unusable
}

/// Runs the command of the arguments.
pub fn main() -> ExitCode {
    let end = match Args::parse().command {
        Command::Replay(args) => replay::run(&args),
    };
    end.into()
}
