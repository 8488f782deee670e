//! The table of operations: for each its words, their ranges and one sentence of help.
//!
//! One table serves reading, printing, checking limits, the console's help and its completion. An
//! argument is named by the field it fills in the serialized [`crate::engine::op::Op`], so the
//! table and the vocabulary cannot drift apart: `tests/scenario_text.rs` writes and reads every
//! operation.

mod table;

pub use table::OPERATIONS;

/// How an argument stands on the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A socket's name.
    Name,
    /// A socket option by the kernel's name.
    Option,
    /// A sysctl by its dotted name, or by its last part.
    Key,
    /// The rest of the words: a sysctl's value.
    Rest,
    /// A cgroup file.
    File,
    /// `udp`; absent (or `tcp`): TCP.
    Protocol,
    /// A number, always there.
    Number,
    /// A number printed with its sign: `+2920`.
    Signed,
    /// A number of milliseconds: `300ms`.
    Millis,
    /// A number, or `max` for -1.
    OrMax,
    /// A number that may be absent.
    MaybeNumber,
    /// `x100`; absent: once.
    Count,
    /// `field=number`; absent: the field's default.
    Named,
    /// The field's name as a word for 1; absent: 0.
    Flag,
}

impl Form {
    /// Whether the argument stands at a fixed place and has to be there.
    pub const fn is_required(self) -> bool {
        !matches!(self, Self::Protocol | Self::MaybeNumber | Self::Count | Self::Named | Self::Flag)
    }
}

/// One argument of an operation.
#[derive(Clone, Copy, Debug)]
pub struct Arg {
    /// The field it fills.
    pub field: &'static str,
    /// How it is written.
    pub form: Form,
    /// What it is, for "expected ...".
    pub what: &'static str,
    /// The smallest number allowed, for forms that are numbers.
    pub min: i64,
    /// The largest number allowed.
    pub max: i64,
}

/// One operation of the text form.
#[derive(Clone, Copy, Debug)]
pub struct OpSyntax {
    /// Its name: the word the line begins with.
    pub name: &'static str,
    /// The words that may follow: capitals stand for values, brackets for what may be absent.
    pub usage: &'static str,
    /// What it does, in one sentence.
    pub help: &'static str,
    /// A line that reads and prints as it stands.
    pub example: &'static str,
    /// Its arguments, in the order they are printed.
    pub args: &'static [Arg],
}

/// Looks an operation up by name.
pub fn operation(name: &str) -> Option<&'static OpSyntax> {
    OPERATIONS.iter().find(|op| op.name == name)
}
