//! Why: what a step is made of, as data. Sentences live in `explain`.

mod field;
mod rule;
mod term;

pub use field::Field;
pub use rule::Rule;
pub use term::{Cmp, Operand, Term};

use super::op::SockName;
use super::units::Micros;
use serde::{Deserialize, Serialize};

/// Something a rule did or decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Fact {
    /// A rule was reached, with its main argument.
    Called {
        /// The kernel function.
        rule: Rule,
        /// Its main argument, if it has one.
        arg: Option<Operand>,
    },
    /// A rule compared two numbers.
    Checked {
        /// The kernel function.
        rule: Rule,
        /// Left side.
        lhs: Operand,
        /// The comparison.
        cmp: Cmp,
        /// Right side.
        rhs: Operand,
        /// The outcome.
        taken: bool,
    },
    /// A rule changed a number. Never from a value to the same value.
    Moved {
        /// The kernel function.
        rule: Rule,
        /// What changed.
        field: Field,
        /// Before.
        before: i64,
        /// After.
        after: i64,
    },
    /// A rule ended in an outcome that is not a number.
    Decided {
        /// The kernel function.
        rule: Rule,
        /// The outcome.
        verdict: Verdict,
    },
}

impl Fact {
    /// The kernel function that did or decided it.
    pub const fn rule(&self) -> Rule {
        match self {
            Self::Called { rule, .. }
            | Self::Checked { rule, .. }
            | Self::Moved { rule, .. }
            | Self::Decided { rule, .. } => *rule,
        }
    }
}

/// An outcome of a rule that is not a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The memory was granted.
    Granted,
    /// The memory was refused.
    Refused,
    /// The memory was taken without asking any limit.
    Forced,
    /// Nothing is counted globally: the socket bypasses the protocol's memory.
    Bypassed,
    /// The option or call is not known to this kernel.
    NotSupported,
    /// The argument is not allowed.
    Invalid,
    /// The writer must wait: the send buffer is full.
    SndbufFull,
    /// The writer must wait: no memory.
    NoMemory,
    /// A segment was dropped: receive buffer full.
    DropRcvbuf,
    /// A segment was dropped: memory refused.
    DropMemory,
    /// A segment was dropped: the window is closed.
    DropZeroWindow,
    /// A segment was dropped: outside the window.
    DropOutOfWindow,
    /// A segment was dropped: already received.
    DropDuplicate,
    /// An out-of-order segment was dropped.
    DropOfo,
    /// An skb joined the one before it.
    Coalesced,
    /// An skb was queued.
    Queued,
    /// An skb was sent.
    Sent,
    /// A small segment waits for an ACK (Nagle).
    HeldByNagle,
    /// Waiting: the congestion window is full.
    CwndFull,
    /// Waiting: the peer's window is full.
    PeerWindowFull,
    /// Waiting for more data before a large segment leaves.
    Deferred,
    /// An ACK leaves now.
    AckNow,
    /// An ACK waits for the timer.
    AckDelayed,
    /// Nothing to do.
    Nothing,
}

/// What one beat is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BeatKind {
    /// The call itself: checks and bookkeeping.
    Call,
    /// One skb was started or filled by a writer.
    Write,
    /// One skb left for the wire.
    Transmit,
    /// One segment arrived.
    Segment,
    /// One ACK arrived.
    Ack,
    /// The reader took bytes.
    Read,
    /// An ACK or window update left.
    AckOut,
    /// A timer fired.
    Timer,
    /// Memory was given back.
    Reclaim,
    /// A socket or its memory ended.
    Teardown,
}

/// One indivisible happening inside a step, with its reasons.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Beat {
    /// What it is about.
    pub kind: BeatKind,
    /// The socket, if one.
    pub sock: Option<SockName>,
    /// When, in simulated time since the machine started.
    pub at: Micros,
    /// What was decided and changed, in order.
    pub facts: Vec<Fact>,
}
