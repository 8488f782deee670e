//! Messages: one variant for each sentence, with its numbers by name.

use crate::engine::op::{Protocol, SockName, SockOpt};
use crate::engine::reason::{Field, Verdict};
use crate::engine::step::{Errno, SynOffer};
use crate::explain::limit::Limit;

/// What a step did, and what happened on the side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The step.
    pub main: Main,
    /// What happened on the side, most important first.
    pub also: Vec<Also>,
}

/// What a step did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Main {
    /// A socket came, changed hands, or went.
    Life(Life),
    /// Something about sending.
    Transmit(SockName, Transmit),
    /// Something about receiving.
    Receive(SockName, Receive),
    /// A socket option was set or read.
    Option(SockName, SockOpt, OptionCall),
    /// The environment changed, or nothing did.
    Environment(Environment),
}

/// A socket came, changed hands, or went.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the sentences in `english` are the documentation
pub enum Life {
    Created { sock: SockName, kind: Protocol, sndbuf: i64, rcvbuf: i64 },
    CreatedMany { prefix: SockName, n: u32 },
    Connected { sock: SockName, syn: Option<SynOffer> },
    Listening { sock: SockName },
    ChildMade { listener: SockName, child: SockName, synack: Option<SynOffer> },
    Accepted { child: SockName, charged: i64 },
    Shutdown { sock: SockName },
    Closed { sock: SockName, pages: i64, reset: bool },
    Failed { sock: SockName, errno: Errno },
}

/// Something about sending. Bytes are payload, `truesize` and `freed` are what it costs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the sentences in `english` are the documentation
pub enum Transmit {
    SentFromCredit { bytes: i64, truesize: i64, credit: i64 },
    SentBought { bytes: i64, truesize: i64, pages: i64 },
    Sent { bytes: i64 },
    Stopped { written: i64, errno: Errno, limit: Option<Limit> },
    AckedReturned { freed: i64, pages: i64 },
    AckedReserved { freed: i64, reserved: i64 },
    AckedKept { freed: i64, credit: i64 },
    AckedMore { grown: i64 },
    AckedNothing,
    PeerWindow { win: i64 },
}

/// Something about receiving. Bytes are payload, `truesize` and `freed` are what it costs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the sentences in `english` are the documentation
pub enum Receive {
    QueuedFromCredit { packets: i64, bytes: i64, truesize: i64 },
    QueuedBought { packets: i64, bytes: i64, truesize: i64, pages: i64 },
    QueuedFree { packets: i64, bytes: i64 },
    Dropped { dropped: i64, packets: i64, verdict: Verdict, limit: Option<Limit> },
    Skipped { bytes: i64 },
    Fin,
    Reset { pages: i64 },
    ReadReturned { bytes: i64, freed: i64, pages: i64 },
    ReadKept { bytes: i64, freed: i64 },
    ReadNothing,
    ReadFailed { errno: Errno },
}

/// A socket option was set or read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the sentences in `english` are the documentation
pub enum OptionCall {
    Set { value: i64, field: Field, before: i64, after: i64 },
    Reserved { value: i64, pages: i64, after: i64 },
    Released { value: i64, pages: i64, after: i64 },
    ReserveKept { value: i64 },
    Kept { value: i64 },
    Refused { value: i64, errno: Errno, limit: Option<Limit> },
    Read { value: i64 },
    ReadRefused { errno: Errno },
}

/// The environment changed, or nothing did.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the sentences in `english` are the documentation
pub enum Environment {
    Setting { name: String, value: String },
    SettingRefused { name: String, value: String, errno: Errno },
    Moved { into: bool },
    Bypass { on: bool },
    SleptFired { ms: u32, timers: i64 },
    Slept { ms: u32 },
    Looked,
}

/// What happened on the side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Also {
    /// The balance does not hold: our own bug.
    Unbalanced,
    /// Memory pressure began.
    PressureOn,
    /// Memory pressure ended.
    PressureOff,
    /// The send buffer changed.
    Sndbuf {
        /// Bytes before.
        before: i64,
        /// Bytes after.
        after: i64,
    },
    /// The receive buffer changed.
    Rcvbuf {
        /// Bytes before.
        before: i64,
        /// Bytes after.
        after: i64,
    },
    /// The window closed.
    WindowClosed,
    /// Segments were sent again.
    Retransmitted,
}
