//! From a scenario to its text, in the one normal form.

use super::words::{fields, micros_text};
use crate::engine::op::{TimedOp, Timing};
use crate::engine::setup::Setup;
use crate::engine::units::PageSize;
use crate::scenario::model::Scenario;
use crate::scenario::syntax::{Arg, Form, operation};
use serde_json::Value;
use std::fmt::Write;

/// Prints one operation with its time, without its note.
///
/// # Panics
/// When an operation is missing from the table: our own bug, held by a test.
pub fn print_op(timed: &TimedOp) -> String {
    let map = fields(&timed.op);
    let name = map.get("op").and_then(Value::as_str).unwrap_or_default();
    let syntax = operation(name).expect("every operation is in the table");
    let mut line = syntax.name.to_owned();
    for arg in syntax.args {
        if let Some(word) = map.get(arg.field).and_then(|value| printed(arg, value)) {
            line.push(' ');
            line.push_str(&word);
        }
    }
    if let Some(Timing { after, took }) = timed.timing {
        let (after, took) = (micros_text(after.get()), micros_text(took.get()));
        // Writing to a string cannot fail.
        let _ = write!(line, " @after={after} took={took}");
    }
    line
}

fn printed(arg: &Arg, value: &Value) -> Option<String> {
    if let Some(text) = value.as_str() {
        return Some(text.to_owned());
    }
    let number = value.as_i64()?;
    match arg.form {
        Form::Signed => Some(format!("{number:+}")),
        Form::Millis => Some(format!("{number}ms")),
        Form::OrMax if number == -1 => Some("max".into()),
        Form::Count => Some(format!("x{number}")),
        Form::Named => Some(format!("{}={number}", arg.field)),
        Form::Flag if number == 0 => None,
        Form::Flag => Some(arg.field.into()),
        _ => Some(number.to_string()),
    }
}

/// Prints a whole scenario. For one that passes [`crate::scenario::limits::check`],
/// [`super::parse`] reads the same scenario back.
pub fn print(scenario: &Scenario) -> String {
    let mut out = Lines::default();
    print_head(scenario, &mut out);
    if scenario.op_count() > 0 || !scenario.comments.is_empty() || !scenario.marks.is_empty() {
        out.line("");
    }
    for (at, timed) in (0_u32..).zip(&scenario.ops) {
        print_before(scenario, at, &mut out);
        let line = print_op(timed);
        match scenario.notes.get(&at) {
            Some(note) if note.contains('\n') => {
                out.line(&line);
                note.split('\n').for_each(|text| out.line(&format!("note {text}")));
            }
            Some(note) => out.line(&format!("{line}  # {note}")),
            None => out.line(&line),
        }
    }
    print_before(scenario, scenario.op_count(), &mut out);
    out.text
}

#[derive(Default)]
struct Lines {
    text: String,
}

impl Lines {
    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }
}

fn print_before(scenario: &Scenario, at: u32, out: &mut Lines) {
    if let Some(comment) = scenario.comments.get(&at) {
        comment.split('\n').for_each(|text| out.line(format!("# {text}").trim_end()));
    }
    if let Some(mark) = scenario.marks.get(&at) {
        out.line(&format!("mark {mark}"));
    }
    if let Some(question) = scenario.questions.get(&at) {
        out.line(&format!("ask {} {}", question.path, question.text));
    }
}

fn print_head(scenario: &Scenario, out: &mut Lines) {
    if !scenario.name.is_empty() {
        out.line(&format!("name {}", scenario.name));
    }
    if !scenario.title.is_empty() {
        out.line(&format!("title {}", scenario.title));
    }
    if !scenario.about.is_empty() {
        scenario.about.split('\n').for_each(|text| out.line(&format!("about {text}")));
    }
    out.line(&format!("kernel {}", scenario.profile));
    if let Some(needs) = &scenario.needs {
        out.line(&format!("needs {needs}"));
    }
    let (setup, usual) = (&scenario.setup, Setup::default());
    let differing = [
        (setup.build != usual.build, format!("build {}", setup.build.name())),
        (setup.page_size != usual.page_size, format!("pages {}", page_size(setup.page_size))),
        (setup.cpus != usual.cpus, format!("cpus {}", setup.cpus)),
        (setup.memcg != usual.memcg, format!("memcg {}", if setup.memcg { "yes" } else { "no" })),
        (setup.memcg_other != usual.memcg_other, format!("memcg-other {}", setup.memcg_other)),
        (setup.mtu != usual.mtu, format!("mtu {}", setup.mtu)),
        (setup.rx_truesize != usual.rx_truesize, format!("rx-truesize {}", setup.rx_truesize.name())),
    ];
    differing.iter().filter(|(differs, _)| *differs).for_each(|(_, line)| out.line(line));
    for (key, value) in &setup.sysctls {
        out.line(&format!("set {} = {value}", key.name()));
    }
}

fn page_size(size: PageSize) -> &'static str {
    if size == PageSize::K64 { "64k" } else { "4k" }
}
