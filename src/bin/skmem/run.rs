//! `skmem run`.

use super::{End, complain, open, say};
use serde_json::Value;
use skmem_lab::explain;
use skmem_lab::replay::play::{Run, RunStep, numbers, play};
use skmem_lab::scenario::text::print_op;
use std::collections::BTreeMap;

/// Beats of one step printed without `--all`.
const SHOWN: usize = 6;

#[derive(Debug, clap::Args)]
#[allow(clippy::struct_excessive_bools)] // independent switches
pub struct Args {
    /// A file (text form, JSON, or a recording), a link, a lesson's name, or - for the input.
    #[arg(value_name = "FILE|LINK")]
    what: String,
    /// Play it on this kernel (5.10, 6.12+64k) in place of its own.
    #[arg(long, value_name = "P")]
    profile: Option<String>,
    /// Every step as JSON: numbers and reasons.
    #[arg(long, group = "form")]
    json: bool,
    /// Every step's numbers as comma-separated values.
    #[arg(long, group = "form")]
    csv: bool,
    /// Every step in sentences; the usual form.
    #[arg(long, group = "form")]
    text: bool,
    /// With text: every beat of every step.
    #[arg(long)]
    all: bool,
}

/// Plays the scenario and prints it.
pub fn run(args: &Args) -> End {
    let opened = match open(&args.what) {
        Ok(opened) => opened,
        Err(end) => return end,
    };
    let profile = args.profile.as_deref().or(opened.link.view.profile.as_deref());
    let run = match play(&opened.scenario, profile) {
        Ok(run) => run,
        Err(error) => return complain(explain::setup_error(&error)),
    };
    if args.json {
        say(&run.to_json().to_string());
    } else if args.csv {
        say(run.to_csv().trim_end());
    } else {
        print(&run, args.all);
    }
    match &run.stop {
        Some((at, text, refused)) => {
            complain(format_args!("operation {at} [{text}]: {}", explain::refused(refused)))
        }
        None => End::Well,
    }
}

fn print(run: &Run, all: bool) {
    say(&format!("on Linux {}", run.profile));
    let mut before = BTreeMap::new();
    for (at, step) in run.steps.iter().enumerate() {
        let now = numbers(&step.played.answers);
        let RunStep { op, played } = step;
        say(&format!("\n{at} {} {}", print_op(op), explain::answer(&played.step)));
        say(&format!("  {}", explain::summary(&op.op, &played.step).sentence().plain()));
        for line in changes(&before, &now) {
            say(&format!("  {line}"));
        }
        reasons(step, all);
        for imbalance in &played.step.imbalances {
            say(&format!("  {}", explain::imbalance(imbalance)));
        }
        before = now;
    }
}

/// The numbers of the state that differ from the step before; what begins at 0 goes without saying.
fn changes(before: &BTreeMap<String, Value>, now: &BTreeMap<String, Value>) -> Vec<String> {
    let state = now.iter().filter(|(path, _)| path.contains('.') && !path.starts_with("syn"));
    let differs = |(path, value): &(&String, &Value)| match before.get(*path) {
        Some(old) => old != *value,
        None => value.as_i64() != Some(0) && !value.is_null(),
    };
    let line = |(path, value): (&String, &Value)| match before.get(path) {
        Some(old) => format!("{path} = {value} (was {old})"),
        None => format!("{path} = {value}"),
    };
    state.filter(differs).map(line).collect()
}

fn reasons(step: &RunStep, all: bool) {
    let beats = explain::path(&step.played.step);
    let shown = if all { beats.len() } else { beats.len().min(SHOWN) };
    for beat in &beats[..shown] {
        let sock = beat.sock.map_or_else(String::new, |sock| format!(" ({sock})"));
        say(&format!("  . {}{sock}", beat.title));
        for call in &beat.calls {
            say(&format!("      {}", call.rule.name()));
            for line in &call.lines {
                say(&format!("        {}", line.sentence.plain()));
            }
        }
    }
    if beats.len() > shown {
        say(&format!("  . and {} more (--all prints them)", beats.len() - shown));
    }
}
