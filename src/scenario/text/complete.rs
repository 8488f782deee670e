//! What may be typed next: for the console.

use super::BESIDE;
use crate::engine::op::{SockName, SockOpt, SysctlKey};
use crate::scenario::syntax::{Arg, Form, OPERATIONS, operation};

/// One way to go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// The whole word.
    pub word: String,
    /// What it does or is; may be empty.
    pub help: String,
}

/// The words that may stand where `line` ends, given the sockets there are. A line that ends with a
/// space asks for the next word, otherwise for the rest of the last one. Best first; empty: nothing
/// known.
pub fn completions(line: &str, socks: &[SockName]) -> Vec<Completion> {
    let mut words: Vec<&str> = line.split_whitespace().collect();
    let typed = if line.ends_with(char::is_whitespace) { "" } else { words.pop().unwrap_or_default() };
    let mut all = match words.split_first() {
        None => OPERATIONS.iter().map(|op| completion(op.name, op.help)).collect(),
        Some((name, _)) if BESIDE.contains(name) => Vec::new(),
        Some((name, given)) => operation(name).map_or_else(Vec::new, |op| argument(op.args, given, socks)),
    };
    all.retain(|c: &Completion| c.word.starts_with(typed) && c.word != typed);
    all
}

fn completion(word: &str, help: &str) -> Completion {
    Completion { word: word.into(), help: help.into() }
}

fn argument(args: &[Arg], given: &[&str], socks: &[SockName]) -> Vec<Completion> {
    let mut required = args.iter().filter(|a| a.form.is_required()).skip(given.len());
    if let Some(arg) = required.next() {
        return match arg.form {
            Form::Name => socks.iter().map(|s| completion(s.as_str(), arg.what)).collect(),
            Form::Option => SockOpt::ALL.map(|o| completion(o.name(), "")).to_vec(),
            Form::Key => SysctlKey::ALL.map(|k| completion(k.name(), "")).to_vec(),
            Form::File => vec![completion(arg.what, "")],
            Form::OrMax => vec![completion("max", "no limit")],
            _ => Vec::new(),
        };
    }
    let optional = args.iter().filter(|a| !a.form.is_required());
    optional
        .filter_map(|arg| match arg.form {
            Form::Named => Some(completion(&format!("{}=", arg.field), arg.what)),
            Form::Flag => Some(completion(arg.field, "")),
            Form::Protocol => Some(completion("udp", "")),
            _ => None,
        })
        .filter(|c| !given.iter().any(|g| g.starts_with(&c.word)))
        .collect()
}
