//! Which limit is passed, where, and what is allowed.

use super::{OPS_MAX, SOCKETS_MAX, WORK_MAX};

/// What is too large, or not a thing a scenario can hold. `op` counts from 0; the message from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LimitError {
    /// A number outside its range.
    #[error("operation {} ({name}): {field} is {value}; allowed is {min} to {max}", op + 1)]
    Number {
        /// Index of the operation.
        op: u32,
        /// Its name.
        name: &'static str,
        /// The field.
        field: &'static str,
        /// What it holds.
        value: i64,
        /// The smallest allowed.
        min: i64,
        /// The largest allowed.
        max: i64,
    },
    /// A word that stands for nothing.
    #[error("operation {} ({name}): {field} is {value:?}; expected {expected}", op + 1)]
    Word {
        /// Index of the operation.
        op: u32,
        /// Its name.
        name: &'static str,
        /// The field.
        field: &'static str,
        /// What it holds.
        value: String,
        /// What it may hold.
        expected: String,
    },
    /// Too many operations.
    #[error("{ops} operations; allowed are {OPS_MAX}")]
    Ops {
        /// How many there are.
        ops: u64,
    },
    /// Too many sockets.
    #[error("operation {} makes socket number {sockets}; allowed are {SOCKETS_MAX}", op + 1)]
    Sockets {
        /// Index of the operation that makes one too many.
        op: u32,
        /// How many there are with it.
        sockets: u64,
    },
    /// Too much work altogether.
    #[error("operation {} brings the work to {work} calls and packets; allowed are {WORK_MAX}", op + 1)]
    Work {
        /// Index of the operation that is too much.
        op: u32,
        /// The work with it.
        work: u64,
    },
    /// Something in the set-up.
    #[error("{field} is {value:?}; expected {expected}")]
    Setup {
        /// The field: a header word or a sysctl.
        field: &'static str,
        /// What it holds.
        value: String,
        /// What it may hold.
        expected: String,
    },
    /// A note, mark, question or comment at an operation that does not exist.
    #[error("a {what} at operation {}, but there are {ops}", at + 1)]
    Place {
        /// Note, mark, question or comment.
        what: &'static str,
        /// Where it stands.
        at: u32,
        /// How many operations there are.
        ops: u32,
    },
}
