//! Which limit refused: read from the reasons, never recomputed.

use crate::engine::reason::{Fact, Field, Operand, Rule, Term, Verdict};
use crate::engine::step::Step;

/// The limit that said no, with its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// What is queued has reached the send buffer.
    SendBuffer {
        /// `sk_wmem_queued`, bytes.
        queued: i64,
        /// `sk_sndbuf`, bytes.
        sndbuf: i64,
    },
    /// What is queued, with the packet where the kernel counts it, is over the receive buffer.
    ReceiveBuffer {
        /// What was compared, bytes.
        queued: Operand,
        /// `sk_rcvbuf`, bytes.
        rcvbuf: i64,
    },
    /// The protocol is above its max mark.
    MaxMark {
        /// Pages counted.
        allocated: i64,
        /// The mark, pages.
        mark: i64,
    },
    /// No reserve is sold above the pressure mark.
    PressureMark {
        /// Pages counted.
        allocated: i64,
        /// The mark, pages.
        mark: i64,
    },
    /// Under pressure, and the socket holds more than its share.
    FairShare {
        /// Pages if every socket held as much.
        share: i64,
        /// The max mark, pages.
        mark: i64,
    },
    /// The memory cgroup is at its limit.
    MemoryCgroup {
        /// Pages it would hold.
        wanted: i64,
        /// `memory.max`, pages.
        max: i64,
    },
    /// The socket has no memory cgroup to charge.
    NoMemoryCgroup,
    /// The value is outside what the option takes.
    Argument {
        /// The value.
        value: i64,
        /// The bound it is beyond.
        bound: i64,
    },
}

/// The limit a test found exceeded, if it is a test of a limit and came out that way.
pub(super) fn limit_of(fact: &Fact) -> Option<Limit> {
    if let Fact::Decided { rule: Rule::SockReserveMemory, verdict: Verdict::NotSupported } = fact {
        return Some(Limit::NoMemoryCgroup);
    }
    let Fact::Checked { rule, lhs, rhs, taken, .. } = *fact else {
        return None;
    };
    let (l, r) = (lhs.value, rhs.value);
    let limit = match (rule, lhs.term, rhs.term) {
        (Rule::SkStreamMemoryFree, _, Term::Field(Field::Sndbuf)) if !taken => {
            Limit::SendBuffer { queued: l, sndbuf: r }
        }
        (Rule::SkMemRaiseAllocated, _, Term::MemLimit(2)) if taken => Limit::MaxMark { allocated: l, mark: r },
        (Rule::SkMemRaiseAllocated, Term::MemLimit(2), Term::FairShare) if !taken => {
            Limit::FairShare { share: r, mark: l }
        }
        (Rule::SockReserveMemory, _, Term::MemLimit(1)) if taken => Limit::PressureMark { allocated: l, mark: r },
        (Rule::MemCgroupChargeSkmem, _, Term::MemcgMax) if !taken => Limit::MemoryCgroup { wanted: l, max: r },
        (Rule::SkSetsockopt, Term::Argument, _) if taken => Limit::Argument { value: l, bound: r },
        // Kernels compare in both directions; what counts is that the queue exceeds the buffer.
        (_, _, Term::Field(Field::Rcvbuf)) if l > r && receives(rule) => {
            Limit::ReceiveBuffer { queued: lhs, rcvbuf: r }
        }
        _ => return None,
    };
    Some(limit)
}

const fn receives(rule: Rule) -> bool {
    matches!(
        rule,
        Rule::TcpTryRmemSchedule
            | Rule::TcpDataQueue
            | Rule::TcpDataQueueOfo
            | Rule::TcpPruneQueue
            | Rule::UdpEnqueueScheduleSkb
    )
}

/// The limit behind a step's error, or behind its last drop: the last one exceeded before it.
pub(super) fn limit(step: &Step) -> Option<Limit> {
    let mut current = None;
    let mut at_drop = None;
    for fact in step.beats.iter().flat_map(|beat| &beat.facts) {
        if let Some(found) = limit_of(fact) {
            current = Some(found);
        }
        if let Fact::Decided { verdict, .. } = fact
            && let Some(found) = current
            && explains(found, *verdict)
        {
            at_drop = Some(found);
        }
    }
    if step.errno.is_some() { current.or(at_drop) } else { at_drop }
}

/// Whether a limit can be what a verdict speaks of.
const fn explains(limit: Limit, verdict: Verdict) -> bool {
    match limit {
        Limit::ReceiveBuffer { .. } => {
            matches!(verdict, Verdict::DropRcvbuf | Verdict::DropOfo)
        }
        Limit::SendBuffer { .. } => matches!(verdict, Verdict::SndbufFull),
        Limit::MaxMark { .. } | Limit::FairShare { .. } | Limit::MemoryCgroup { .. } => {
            matches!(verdict, Verdict::DropMemory | Verdict::DropOfo | Verdict::NoMemory | Verdict::Refused)
        }
        Limit::PressureMark { .. } | Limit::NoMemoryCgroup | Limit::Argument { .. } => false,
    }
}
