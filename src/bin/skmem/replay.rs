//! `skmem replay`.

use super::{End, complain, say};
use skmem_lab::replay::compare;
use skmem_lab::replay::files::{self, FileError};
use skmem_lab::replay::recording::{LoadError, RecordedStep, Recording};
use skmem_lab::replay::report::{Failure, Report};
use skmem_lab::replay::run;
use skmem_lab::scenario::text::print_op;
use std::path::PathBuf;

/// Differences printed for each recording without `--all`.
const SHOWN: usize = 10;

#[derive(Debug, clap::Args)]
#[allow(clippy::struct_excessive_bools)] // independent switches
pub struct Args {
    /// Recordings, or directories of recordings.
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Print one JSON object with the counts, the table by field and every difference.
    #[arg(long)]
    json: bool,
    /// Print the model's answers in the recordings' own format, one recording a line, and compare nothing.
    #[arg(long, conflicts_with = "json")]
    states: bool,
    /// Replay with this kernel (6.1, 6.12+64k) in place of the recording's own.
    #[arg(long, value_name = "VERSION")]
    kernel: Option<String>,
    /// Print every difference, not the first few of each recording.
    #[arg(long)]
    all: bool,
    /// Print only differences of fields whose path contains this. Everything is counted all the same.
    #[arg(long, value_name = "FIELD", hide = true)]
    only: Option<String>,
    /// Print every step.
    #[arg(long, hide = true)]
    steps: bool,
}

/// Replays everything asked for, printing as it goes.
pub fn run(args: &Args) -> End {
    if let Some(Err(unknown)) = args.kernel.as_deref().map(run::profile) {
        return complain(unknown);
    }
    let mut end = End::Well;
    let mut total = Report::default();
    for path in &args.paths {
        let (files, walked) = match files::find(path) {
            Ok(files) => (files, path.is_dir()),
            Err(error) => {
                end = complain(error);
                continue;
            }
        };
        for file in files {
            match files::load(&file) {
                // A directory may hold the scenarios beside what was recorded of them.
                Err(FileError::Load { why: LoadError::Scenario, .. }) if walked => {}
                Err(error) => end = complain(error),
                Ok(recording) => match one(args, &recording) {
                    Ok(report) => total.merge(report),
                    Err(error) => end = complain(format_args!("{}: {error}", file.display())),
                },
            }
        }
    }
    if args.states {
        return end;
    }
    if args.json {
        say(&serde_json::to_string(&total).unwrap_or_default());
    } else {
        say(&total.last_line());
    }
    match end {
        End::Well if total.mismatches > 0 => End::Differs,
        other => other,
    }
}

fn one(args: &Args, recording: &Recording) -> Result<Report, Box<dyn std::error::Error>> {
    let kernel = args.kernel.as_deref();
    if args.states {
        say(&run::states(recording, kernel)?.to_string());
        return Ok(Report::default());
    }
    let report = compare::replay(recording, kernel, !args.json, |at, step, report| {
        if args.steps {
            say(&step_line(at, step, report));
        }
    })?;
    if !args.json {
        print(args, recording, &report);
    }
    Ok(report)
}

fn step_line(at: u32, step: &RecordedStep, report: &Report) -> String {
    let answer = |name: &str| step.raw.get(name).map(ToString::to_string).unwrap_or_default();
    let (ret, errno) = (answer("ret"), answer("errno"));
    let (op, off, values) = (print_op(&step.op.clone().into()), report.mismatches, report.values);
    format!("  {at:>3} {op}: kernel {ret} errno {errno}, {off} of {values} values differ")
}

fn print(args: &Args, recording: &Recording, report: &Report) {
    let Report { steps, values, mismatches, .. } = report;
    say(&format!("{}: {steps} steps, {values} values, {mismatches} mismatches", recording.name()));
    let wanted = |failure: &&Failure| args.only.as_ref().is_none_or(|part| failure.field.contains(part));
    let shown = if args.all { usize::MAX } else { SHOWN };
    let failures: Vec<&Failure> = report.failures.iter().filter(wanted).collect();
    for failure in failures.iter().take(shown) {
        let Failure { step, op, field, expected, got, why, .. } = failure;
        let why = why.as_ref().map_or_else(String::new, |why| format!("  ({why})"));
        say(&format!("  {} step {step} [{op}] {field}: kernel {expected}, model {got}{why}", recording.scenario));
    }
    if failures.len() > shown {
        say(&format!("  and {} more (--all prints them)", failures.len() - shown));
    }
}
