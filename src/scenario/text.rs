//! The text form: one operation a line, readable aloud.
//!
//! ```text
//! title The reserve that never leaves
//! kernel 6.12
//! set net.ipv4.tcp_mem = 98304 131072 196608
//!
//! # a comment line
//! socket s
//! connect s mss=1460
//! mark The reserve is bought
//! ask global.k_total_pages How many pages does the reserve cost?
//! setsockopt s SO_RESERVE_MEM 102400  # a note on this operation
//! send s 1000 x100 @after=2ms took=500us
//! ```
//!
//! * **Set-up lines** ([`HEADERS`]) stand before the first operation. What is left out has the
//!   default: kernel 6.12, build debian-cloud, 4k pages, one CPU, a memory cgroup, MTU 1500, `copy`
//!   receive packets, and the kernel's own sysctls. `set KEY = VALUE` is set-up; `sysctl KEY VALUE`
//!   is an operation.
//! * **Operations** ([`super::syntax::OPERATIONS`]) are a name and its words. A time may follow:
//!   `@after=2ms took=1ms`, the pause before and the time it takes (the usual: 2 ms and 1 ms).
//! * `# text` after an operation, and `note` lines below it, are what a teacher says about it.
//!   `mark` names a place on the timeline, `ask PATH question` asks for a number before the
//!   operation that follows.
//! * Lines that begin with `#` are comments; they are kept.
//!
//! Printing gives one normal form: [`print`] of what [`parse`] read reads back to the same
//! scenario, and prints to the same bytes.

mod complete;
mod error;
mod header;
mod line;
mod print;
pub(super) mod words;

pub use complete::{Completion, completions};
pub use error::TextError;
pub use header::{HEADERS, HeaderSyntax};
pub use print::{print, print_op};

use super::limits::{self, TEXT_MAX, Totals};
use super::model::{Question, Scenario};
use super::syntax::OPERATIONS;
use crate::engine::op::TimedOp;
use std::collections::BTreeMap;
use words::{Cursor, nearest, prose_of, split_note};

/// Words that begin a line beside an operation.
const BESIDE: [&str; 3] = ["note", "mark", "ask"];

/// Reads one operation, as the console does. A trailing `# note` is allowed and dropped.
///
/// # Errors
/// Where the line stops making sense, with what was expected there; the line is number 1.
pub fn parse_op(text: &str) -> Result<TimedOp, TextError> {
    let (code, _) = split_note(text);
    read_operation(&mut Cursor::new(code, 1))
}

/// Reads a whole scenario.
///
/// # Errors
/// The first line and column that do not make sense, with what was expected and what was found.
pub fn parse(text: &str) -> Result<Scenario, TextError> {
    if text.len() > TEXT_MAX as usize {
        let found = format!("{} bytes", text.len());
        return Err(TextError::new(1, 1, format!("at most {TEXT_MAX} bytes of text"), Some(found)));
    }
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut reader = Reader::default();
    for (number, line) in (1..).zip(text.lines()) {
        reader.line(number, line)?;
    }
    reader.finish()
}

fn read_operation(cursor: &mut Cursor) -> Result<TimedOp, TextError> {
    let word = cursor.next("an operation")?;
    let Some(syntax) = OPERATIONS.iter().find(|op| op.name == word.text) else {
        return Err(unknown(cursor, word));
    };
    let timed = line::arguments(cursor, syntax)?;
    limits::check_op(0, &timed).map_err(|e| cursor.error(word, line::expected_by(&e)))?;
    Ok(timed)
}

fn unknown(cursor: &Cursor, word: words::Word) -> TextError {
    let error = cursor.error(word, "an operation".into());
    let known = OPERATIONS.iter().map(|op| op.name);
    let others = HEADERS.iter().map(|h| h.name).chain(BESIDE);
    match nearest(word.text, known.chain(others)) {
        Some(name) => error.hint(format!("did you mean {name:?}?")),
        None => error,
    }
}

/// A scenario that is being read, line by line.
#[derive(Default)]
struct Reader {
    scenario: Scenario,
    seen: header::Seen,
    totals: Totals,
    question_line: u32,
}

impl Reader {
    fn line(&mut self, number: u32, line: &str) -> Result<(), TextError> {
        let at = self.scenario.op_count();
        let body = line.trim();
        if body.is_empty() {
            return Ok(());
        }
        let mut whole = Cursor::new(line, number);
        if let Some(comment) = body.strip_prefix('#') {
            let text = prose_of(comment);
            words::check_prose(&whole, &text)?;
            append(&mut self.scenario.comments, at, &text);
            return Ok(());
        }
        let first = whole.next("an operation")?;
        match first.text {
            "note" => self.note(&mut whole, first, at),
            "mark" => {
                let text = whole.prose("the name of this place")?;
                match self.scenario.marks.insert(at, text) {
                    Some(_) => Err(whole.error(first, "one mark at a place".into())),
                    None => Ok(()),
                }
            }
            "ask" => {
                self.question_line = number;
                let path = whole.next("a field such as s.reserved")?;
                if !words::is_path(path.text) {
                    return Err(whole.error(path, "a field such as s.reserved".into()));
                }
                let question = Question { path: path.text.into(), text: whole.prose("the question")? };
                match self.scenario.questions.insert(at, question) {
                    Some(_) => Err(whole.error(first, "one question before an operation".into())),
                    None => Ok(()),
                }
            }
            name if header::is_header(name) => {
                if at > 0 {
                    let hint =
                        if name == "set" { "use sysctl" } else { "set-up stands before the first operation" };
                    return Err(whole.error(first, "an operation".into()).hint(hint.into()));
                }
                header::read(&mut whole, first, line, &mut self.scenario, &mut self.seen)
            }
            _ => self.operation(number, line),
        }
    }

    fn note(&mut self, cursor: &mut Cursor, first: words::Word, at: u32) -> Result<(), TextError> {
        let Some(last) = at.checked_sub(1) else {
            return Err(cursor.error(first, "an operation before its note".into()));
        };
        let text = cursor.prose("the note's text")?;
        append(&mut self.scenario.notes, last, &text);
        Ok(())
    }

    fn operation(&mut self, number: u32, line: &str) -> Result<(), TextError> {
        let (code, note) = split_note(line);
        let mut cursor = Cursor::new(code, number);
        let timed = read_operation(&mut cursor)?;
        self.totals.add(&timed.op).map_err(|e| line::over_total(&Cursor::new(code, number), &e))?;
        let at = self.scenario.op_count();
        self.scenario.ops.push(timed);
        if let Some(note) = note {
            let text = prose_of(note);
            words::check_prose(&cursor, &text)?;
            if !text.is_empty() {
                append(&mut self.scenario.notes, at, &text);
            }
        }
        Ok(())
    }

    fn finish(self) -> Result<Scenario, TextError> {
        if self.scenario.questions.contains_key(&self.scenario.op_count()) {
            return Err(TextError::new(self.question_line, 1, "an operation after the question".into(), None));
        }
        Ok(self.scenario)
    }
}

/// Adds a line to what stands at `at`.
fn append(places: &mut BTreeMap<u32, String>, at: u32, line: &str) {
    match places.get_mut(&at) {
        Some(text) => {
            text.push('\n');
            text.push_str(line);
        }
        None => drop(places.insert(at, line.to_owned())),
    }
}

/// Adds a line to prose that may be empty.
fn append_line(text: &mut String, line: &str) {
    if !text.is_empty() {
        text.push('\n');
    }
    text.push_str(line);
}
