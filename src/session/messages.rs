//! What the session has to tell.

use super::Action;

/// What a notice is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoticeKind {
    /// Something was found or done.
    Info,
    /// An operation makes no sense here.
    Refused,
    /// A text, lesson or kernel cannot be opened.
    NotOpened,
}

/// A way on from a notice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WayOn {
    /// The words of its button.
    pub label: String,
    /// What it does.
    pub action: Action,
}

/// Something to tell. Nothing was lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// What it is about.
    pub kind: NoticeKind,
    /// The words.
    pub text: String,
    /// A way on.
    pub way_on: Option<WayOn>,
}

/// A link that could not be opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadLink {
    /// The link, as it came.
    pub fragment: String,
    /// Which of its parts is wrong: `v`, `s`, `lesson`, `step`, ...
    pub part: String,
    /// What is wrong, in words.
    pub text: String,
    /// A way on.
    pub way_on: WayOn,
}

/// What became of a line at the console.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It ran.
    Done {
        /// What the call answered.
        answer: String,
        /// Whether without an error.
        ok: bool,
    },
    /// It cannot be read.
    Wrong {
        /// Where it stops making sense, in characters from 1.
        column: u32,
        /// What was expected there.
        text: String,
    },
    /// It can be read, but makes no sense here.
    Refused {
        /// Why.
        text: String,
    },
}

/// A line at the console and what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConsoleEntry {
    /// The line.
    pub line: String,
    /// What became of it.
    pub outcome: Outcome,
}

impl ConsoleEntry {
    /// Whether the line was not run: it cannot be read, or makes no sense here.
    pub const fn is_fault(&self) -> bool {
        !matches!(self.outcome, Outcome::Done { .. })
    }
}
