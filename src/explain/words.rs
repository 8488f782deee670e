//! Verdicts, beats, markers and conditions in a few words.

use crate::engine::reason::{BeatKind, Verdict};
use crate::timeline::{MarkKind, Until};

/// A verdict, as the end of a line about a kernel function.
pub const fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Granted => "granted",
        Verdict::Refused => "refused: everything counted for it is taken back",
        Verdict::Forced => "taken without asking a limit",
        Verdict::Bypassed => "not counted globally: the socket bypasses the protocol's memory",
        Verdict::NotSupported => "not supported here",
        Verdict::Invalid => "not allowed",
        Verdict::SndbufFull => "the writer must wait: the send buffer is full",
        Verdict::NoMemory => "no memory to be had",
        Verdict::DropRcvbuf => "dropped: the receive buffer is full",
        Verdict::DropMemory => "dropped: memory was refused",
        Verdict::DropZeroWindow => "dropped: the window is closed",
        Verdict::DropOutOfWindow => "dropped: outside the window",
        Verdict::DropDuplicate => "dropped: received before",
        Verdict::DropOfo => "dropped: it waited out of order, and room was needed",
        Verdict::Coalesced => "joined the skb before it",
        Verdict::Queued => "queued",
        Verdict::Sent => "sent",
        Verdict::HeldByNagle => "waits for an ACK (Nagle): the segment is small",
        Verdict::CwndFull => "waits: the congestion window is full",
        Verdict::PeerWindowFull => "waits: the peer's window is full",
        Verdict::Deferred => "waits for more data to fill a large segment",
        Verdict::AckNow => "an ACK leaves now",
        Verdict::AckDelayed => "the ACK waits for its timer",
        Verdict::Nothing => "nothing to do",
    }
}

/// What a beat is about, as a heading.
pub const fn beat_kind(kind: BeatKind) -> &'static str {
    match kind {
        BeatKind::Call => "the call",
        BeatKind::Write => "one skb is filled",
        BeatKind::Transmit => "one skb leaves",
        BeatKind::Segment => "one segment arrives",
        BeatKind::Ack => "an ACK arrives",
        BeatKind::Read => "the reader takes bytes",
        BeatKind::AckOut => "an ACK leaves",
        BeatKind::Timer => "a timer fires",
        BeatKind::Reclaim => "memory goes back",
        BeatKind::Teardown => "the socket ends",
    }
}

/// A marker's kind.
pub const fn mark(kind: MarkKind) -> &'static str {
    match kind {
        MarkKind::Ack => "ACK",
        MarkKind::Drop => "drop",
        MarkKind::PressureOn => "pressure starts",
        MarkKind::PressureOff => "pressure ends",
        MarkKind::Sockopt => "socket option",
        MarkKind::Reclaim => "pages go back",
        MarkKind::Refused => "call refused",
        MarkKind::ZeroWindow => "window closes",
        MarkKind::Retransmit => "retransmission",
        MarkKind::Named => "named place",
    }
}

/// A condition, after "run until".
pub const fn until(until: Until) -> &'static str {
    match until {
        Until::PressureStarts => "memory pressure starts",
        Until::PressureEnds => "memory pressure ends",
        Until::Drop => "something is dropped",
        Until::ReserveFloor => "a reserve floor is touched",
        Until::SndbufChanges => "a send buffer changes",
        Until::RcvbufChanges => "a receive buffer changes",
        Until::WindowChanges => "a window changes",
        Until::ZeroWindow => "a window closes",
        Until::Eagain => "a call gets EAGAIN",
        Until::Enomem => "a call gets no memory",
        Until::Difference => "the kernels differ",
    }
}
