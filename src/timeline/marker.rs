//! The places on a timeline worth stopping at, derived from the reasons of each step.

use crate::engine::op::{Op, SockName};
use crate::engine::reason::{BeatKind, Fact, Field, Rule, Verdict};
use crate::engine::snmp::{Counter, Snmp};
use crate::engine::step::{Errno, Step};

/// What a marker is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MarkKind {
    /// The peer acknowledged data.
    Ack,
    /// A segment or datagram was dropped.
    Drop,
    /// Memory pressure began.
    PressureOn,
    /// Memory pressure ended.
    PressureOff,
    /// A socket option was set.
    Sockopt,
    /// Pages went back to the protocol or to the memory cgroup.
    Reclaim,
    /// The kernel answered a call with an error.
    Refused,
    /// The advertised window became 0.
    ZeroWindow,
    /// A segment was sent again.
    Retransmit,
    /// A place the scenario names itself (its `mark` lines); the timeline does not derive these.
    Named,
}

impl MarkKind {
    /// Every kind, in display order.
    pub const ALL: [Self; 10] = [
        Self::Ack,
        Self::Drop,
        Self::PressureOn,
        Self::PressureOff,
        Self::Sockopt,
        Self::Reclaim,
        Self::Refused,
        Self::ZeroWindow,
        Self::Retransmit,
        Self::Named,
    ];

    /// One word, for attributes and files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ack => "ack",
            Self::Drop => "drop",
            Self::PressureOn => "pressure-on",
            Self::PressureOff => "pressure-off",
            Self::Sockopt => "sockopt",
            Self::Reclaim => "reclaim",
            Self::Refused => "refused",
            Self::ZeroWindow => "zero-window",
            Self::Retransmit => "retransmit",
            Self::Named => "named",
        }
    }
}

/// A place on a timeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Marker {
    /// The step at which it can be seen: operation `at - 1` made it.
    pub at: u32,
    /// What it is about.
    pub kind: MarkKind,
    /// The socket, if it is about one.
    pub sock: Option<SockName>,
}

/// Counters of packets that were thrown away.
const DROPS: [Counter; 7] = [
    Counter::TcpRcvQDrop,
    Counter::TcpOfoDrop,
    Counter::TcpZeroWindowDrop,
    Counter::TcpBacklogDrop,
    Counter::BeyondWindow,
    Counter::UdpRcvbufErrors,
    Counter::UdpMemErrors,
];

/// Markers of one step, at most one of a kind for a socket.
pub(super) fn of_step(at: u32, op: &Op, step: &Step, before: &Snmp, after: &Snmp) -> Vec<Marker> {
    let mut found = Found { at, sock: op.sock(), list: Vec::new() };
    match op {
        Op::Setsockopt { .. } => found.add(MarkKind::Sockopt),
        Op::Ack { .. } | Op::AckAll { .. } => found.add(MarkKind::Ack),
        _ => {}
    }
    for beat in &step.beats {
        found.sock = beat.sock.or(op.sock());
        if beat.kind == BeatKind::Ack {
            found.add(MarkKind::Ack);
        }
        beat.facts.iter().filter_map(of_fact).for_each(|kind| found.add(kind));
    }
    found.sock = op.sock();
    let more = |counter: Counter| after.get(counter) > before.get(counter);
    if DROPS.into_iter().any(more) {
        found.add_once(MarkKind::Drop);
    }
    if more(Counter::TcpToZeroWindowAdv) {
        found.add_once(MarkKind::ZeroWindow);
    }
    if more(Counter::RetransSegs) {
        found.add_once(MarkKind::Retransmit);
    }
    if refused(op, step) {
        found.add(MarkKind::Refused);
    }
    found.list.sort_unstable();
    found.list
}

struct Found {
    at: u32,
    sock: Option<SockName>,
    list: Vec<Marker>,
}

impl Found {
    fn add(&mut self, kind: MarkKind) {
        let marker = Marker { at: self.at, kind, sock: self.sock };
        if !self.list.contains(&marker) {
            self.list.push(marker);
        }
    }

    /// Adds what a counter tells, unless the reasons told it already with the socket.
    fn add_once(&mut self, kind: MarkKind) {
        if !self.list.iter().any(|m| m.kind == kind) {
            self.add(kind);
        }
    }
}

/// An error is news, but a reader that finds nothing is not.
fn refused(op: &Op, step: &Step) -> bool {
    let reading = matches!(op, Op::Read { .. } | Op::ReadAll { .. });
    step.errno.is_some_and(|errno| !(reading && errno == Errno::EAGAIN))
}

fn of_fact(fact: &Fact) -> Option<MarkKind> {
    match *fact {
        Fact::Decided { verdict, .. } => is_drop(verdict).then_some(MarkKind::Drop),
        Fact::Moved { field, before, after, rule } => of_move(rule, field, before, after),
        Fact::Called { rule: Rule::TcpRetransmitSkb, .. } => Some(MarkKind::Retransmit),
        Fact::Called { .. } | Fact::Checked { .. } => None,
    }
}

fn of_move(rule: Rule, field: Field, before: i64, after: i64) -> Option<MarkKind> {
    match field {
        Field::Pressure if after != 0 => Some(MarkKind::PressureOn),
        Field::Pressure => Some(MarkKind::PressureOff),
        Field::Drops if after > before => Some(MarkKind::Drop),
        Field::RcvWnd if after == 0 => Some(MarkKind::ZeroWindow),
        Field::FwdAlloc if after < before => match rule {
            Rule::SkMemReclaim
            | Rule::SkMemReclaimPartial
            | Rule::SkMemReclaimBytes
            | Rule::SkMemReduceAllocated
            | Rule::SockReleaseReservedMemory
            | Rule::UdpRmemRelease => Some(MarkKind::Reclaim),
            _ => None,
        },
        _ => None,
    }
}

/// Whether something was lost. A duplicate that is thrown away is no loss.
pub const fn is_drop(verdict: Verdict) -> bool {
    match verdict {
        Verdict::DropRcvbuf
        | Verdict::DropMemory
        | Verdict::DropZeroWindow
        | Verdict::DropOutOfWindow
        | Verdict::DropOfo => true,
        Verdict::Granted
        | Verdict::Refused
        | Verdict::Forced
        | Verdict::Bypassed
        | Verdict::NotSupported
        | Verdict::Invalid
        | Verdict::SndbufFull
        | Verdict::NoMemory
        | Verdict::DropDuplicate
        | Verdict::Coalesced
        | Verdict::Queued
        | Verdict::Sent
        | Verdict::HeldByNagle
        | Verdict::CwndFull
        | Verdict::PeerWindowFull
        | Verdict::Deferred
        | Verdict::AckNow
        | Verdict::AckDelayed
        | Verdict::Nothing => false,
    }
}
