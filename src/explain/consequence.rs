//! What follows from a test, by the function that made it and how it turned out.

use crate::engine::reason::{Field, Rule, Term};

/// What follows. Tests without words of their own say yes or no.
pub(super) const fn consequence(rule: Rule, lhs: Term, rhs: Term, taken: bool) -> &'static str {
    match rule {
        Rule::SkWmemSchedule | Rule::SkRmemSchedule => {
            choose(taken, "no page bought", "pages must be bought")
        }
        Rule::SkForcedMemSchedule => choose(taken, "no page needed", "pages are taken by force"),
        Rule::TcpWmemSchedule => choose(
            taken,
            "the guaranteed minimum may be forced",
            "the minimum is used up",
        ),
        Rule::SkMemRaiseAllocated => raise(lhs, rhs, taken),
        Rule::SkMemReduceAllocated => choose(taken, "memory pressure ends", "pressure stays"),
        Rule::SkMemReclaim => choose(taken, "whole pages go back", "nothing goes back"),
        Rule::SkMemReclaimPartial => choose(
            taken,
            "pages go back, all but the last",
            "nothing goes back",
        ),
        Rule::SkMemUncharge => choose(taken, "pages go back", "the credit is kept"),
        Rule::MemCgroupChargeSkmem => choose(taken, "the group is charged", "over memory.max"),
        Rule::SockReserveMemory => choose(
            taken,
            "refused: no reserve is sold above the pressure mark",
            "the reserve is sold",
        ),
        Rule::SkSetsockopt | Rule::TcpSetsockopt => sockopt(lhs, rhs, taken),
        Rule::SkStreamMemoryFree => choose(
            taken,
            "there is room for another skb",
            "the send buffer is full",
        ),
        Rule::SkStreamModerateSndbuf => choose(taken, "it stays", "it is cut"),
        Rule::TcpShouldExpandSndbuf => expand(lhs, taken),
        Rule::TcpSndbufExpand => choose(taken, "the send buffer grows", "it is large enough"),
        Rule::TcpTryRmemSchedule | Rule::TcpDataQueue | Rule::TcpAddBacklog => {
            receive(lhs, rhs, taken)
        }
        Rule::UdpEnqueueScheduleSkb => udp(lhs, rhs, taken),
        Rule::TcpGrowWindow => grow(lhs, rhs, taken),
        Rule::TcpAdjustRcvSsthresh => choose(
            taken,
            "the unused reserve holds rcv_ssthresh up",
            "no reserve holds it up",
        ),
        Rule::TcpSelectWindow => select_window(lhs, rhs, taken),
        Rule::TcpSelectInitialWindow => match lhs {
            Term::Field(Field::BufLock) => choose(
                taken,
                "its room is the clamp, so the scale is small",
                "the scale may serve the largest buffer",
            ),
            _ => choose(taken, "cut to whole segments", "less than one segment"),
        },
        Rule::TcpCwndTest => choose(
            taken,
            "something may leave",
            "the congestion window is full",
        ),
        Rule::TcpSetRcvlowat => match lhs {
            Term::Field(Field::BufLock) => choose(taken, "it stays", "it may grow"),
            _ => choose(
                taken,
                "the receive buffer grows to hold it",
                "it is large enough",
            ),
        },
        Rule::TcpSetWindowClamp => choose(
            taken,
            "rcv_ssthresh is cut to it",
            "rcv_ssthresh may rise to the window",
        ),
        _ => choose(taken, "yes", "no"),
    }
}

const fn choose(taken: bool, yes: &'static str, no: &'static str) -> &'static str {
    if taken { yes } else { no }
}

/// `__sk_mem_raise_allocated`, test by test.
const fn raise(lhs: Term, rhs: Term, taken: bool) -> &'static str {
    match (lhs, rhs) {
        (Term::Field(Field::MemoryAllocated), Term::Constant) => {
            choose(taken, "granted: the counter reads 0", "the marks are asked")
        }
        (_, Term::MemLimit(0)) => choose(taken, "granted: below the min mark", "above min"),
        (_, Term::MemLimit(1)) => choose(
            taken,
            "above the pressure mark: pressure is on",
            "below the pressure mark",
        ),
        (_, Term::MemLimit(_)) => {
            choose(taken, "refused: above the max mark", "below the max mark")
        }
        (_, Term::BufLimit(_)) => choose(
            taken,
            "granted: this queue holds less than its guaranteed minimum",
            "the guaranteed minimum is used up",
        ),
        (Term::Field(Field::Pressure), _) => choose(
            taken,
            "granted",
            "only a socket below its fair share may grow",
        ),
        (_, Term::FairShare) => choose(
            taken,
            "granted: below its fair share",
            "refused: above its fair share",
        ),
        (Term::QueuedPlusSize, _) => choose(
            taken,
            "let through: a writer at its send buffer may finish",
            "refused: the writer is below its send buffer and can wait",
        ),
        _ => choose(taken, "yes", "no"),
    }
}

const fn sockopt(lhs: Term, rhs: Term, taken: bool) -> &'static str {
    match (lhs, rhs) {
        (Term::Argument, _) => choose(taken, "EINVAL", "allowed"),
        (Term::Size, Term::BufLimit(_)) => choose(
            taken,
            "smaller than the default: the buffer is locked",
            "not locked",
        ),
        (Term::Size, _) => choose(taken, "taken", "raised to the smallest size"),
        _ => choose(taken, "yes", "no"),
    }
}

const fn expand(lhs: Term, taken: bool) -> &'static str {
    match lhs {
        Term::Field(Field::BufLock) => choose(taken, "it stays", "it may grow"),
        Term::Field(Field::Pressure) => choose(taken, "it does not grow", "it may grow"),
        Term::Field(Field::MemoryAllocated) => choose(
            taken,
            "at the min mark: it does not grow",
            "below the min mark: it may grow",
        ),
        Term::UnusedReserved => choose(
            taken,
            "it becomes the unused reserve",
            "the reserve is too small to help",
        ),
        _ => choose(
            taken,
            "it grows",
            "the congestion window is the limit: it does not grow",
        ),
    }
}

const fn receive(lhs: Term, rhs: Term, taken: bool) -> &'static str {
    match (lhs, rhs) {
        (_, Term::Field(Field::Rcvbuf)) => choose(
            taken,
            "compared with the receive buffer: yes",
            "compared with the buffer: no",
        ),
        _ => choose(taken, "yes", "no"),
    }
}

const fn udp(lhs: Term, rhs: Term, taken: bool) -> &'static str {
    match (lhs, rhs) {
        (_, Term::Field(Field::Rcvbuf)) => choose(
            taken,
            "dropped: the receive buffer is full",
            "there is room",
        ),
        (_, Term::Field(Field::FwdAlloc)) => {
            choose(taken, "pages must be bought", "no page bought")
        }
        _ => choose(taken, "yes", "no"),
    }
}

const fn grow(lhs: Term, rhs: Term, taken: bool) -> &'static str {
    match (lhs, rhs) {
        (Term::Len, _) => choose(
            taken,
            "large enough to grow the window",
            "too small to grow it",
        ),
        (Term::Field(Field::RcvSsthresh), Term::Space) => {
            choose(taken, "as large as it may be", "it may grow")
        }
        (Term::Field(Field::Pressure), _) => choose(taken, "it does not grow", "it may grow"),
        (Term::Space, Term::Len) => {
            choose(taken, "well packed: it grows", "the segment wastes room")
        }
        _ => choose(
            taken,
            "small enough to grow still",
            "too large for such segments",
        ),
    }
}

const fn select_window(lhs: Term, rhs: Term, taken: bool) -> &'static str {
    match (lhs, rhs) {
        (Term::Field(Field::Pressure), _) => choose(taken, "rcv_ssthresh is cut", "nothing is cut"),
        (Term::Space, Term::Mss) => choose(taken, "the window closes", "room for one segment"),
        (Term::Space, Term::FullSpace) => choose(taken, "room is short", "room enough"),
        (Term::Space, Term::Field(Field::RcvSsthresh)) => {
            choose(taken, "rcv_ssthresh is the cap", "all the room is offered")
        }
        (Term::Mss, _) => choose(taken, "the whole room is one segment", "more than one fits"),
        _ => choose(taken, "yes", "no"),
    }
}
