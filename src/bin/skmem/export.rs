//! `skmem export`.

use super::{End, complain, open, say};
use clap::ValueEnum;
use skmem_lab::explain;
use skmem_lab::replay::play::play;
use skmem_lab::scenario::{json, link, text};

/// A form a scenario can be written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// One operation a line.
    Text,
    /// The part of an address from `#` on, which opens the scenario in the page.
    Link,
    /// The recordings' form.
    Json,
    /// The numbers after every operation, as comma-separated values.
    Csv,
}

#[derive(Debug, clap::Args)]
pub struct Args {
    /// A file, a link, a lesson's name, or - for the input.
    #[arg(value_name = "FILE|LINK")]
    what: String,
    /// The form.
    #[arg(long)]
    to: Form,
}

/// Writes the scenario.
pub fn run(args: &Args) -> End {
    let opened = match open(&args.what) {
        Ok(opened) => opened,
        Err(end) => return end,
    };
    let written = match args.to {
        Form::Text => text::print(&opened.scenario),
        Form::Json => json::to_json(&opened.scenario),
        Form::Link => match link::encode(&opened.link) {
            Ok(link) => link,
            Err(error) => return complain(error),
        },
        Form::Csv => match play(&opened.scenario, opened.link.view.profile.as_deref()) {
            Ok(run) => run.to_csv(),
            Err(error) => return complain(explain::setup_error(&error)),
        },
    };
    say(written.trim_end());
    End::Well
}
