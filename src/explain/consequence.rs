//! What follows from a test, by the function that made it, what it compared, and how it turned out.

use crate::engine::reason::{Cmp, Field as F, Rule as R, Term as T};

macro_rules! table {
    ($($rule:pat, $lhs:pat, $rhs:pat => $yes:literal, $no:literal;)*) => {
        /// What follows when the test holds, and when it does not. The first line that fits says it.
        const fn by_terms(rule: R, lhs: T, rhs: T) -> (&'static str, &'static str) {
            match (rule, lhs, rhs) {
                $(($rule, $lhs, $rhs) => ($yes, $no),)*
                _ => ("yes", "no"),
            }
        }
    };
}

// function, left side, right side => when the test holds, when it does not
table! {
    // credit
    R::SkWmemSchedule | R::SkRmemSchedule, _, _ => "no page bought", "pages must be bought";
    R::SkForcedMemSchedule, _, _ => "no page needed", "pages are taken by force";
    R::TcpWmemSchedule, _, _ => "its guaranteed minimum may be forced", "its guaranteed minimum is used up";
    // the limits, in their order
    R::SkMemRaiseAllocated, T::Field(F::MemoryAllocated), T::Constant =>
        "granted: the counter reads 0", "the marks are asked";
    R::SkMemRaiseAllocated, _, T::MemLimit(0) => "granted: not above the min mark", "above the min mark";
    R::SkMemRaiseAllocated, _, T::MemLimit(1) =>
        "above the pressure mark, so pressure is on", "not above the pressure mark";
    R::SkMemRaiseAllocated, _, T::MemLimit(2) => "refused: above the max mark", "not above the max mark";
    R::SkMemRaiseAllocated, _, T::BufLimit(_) =>
        "granted: below its guaranteed minimum", "its guaranteed minimum is used up";
    R::SkMemRaiseAllocated, T::Field(F::Pressure), _ => "granted", "only a socket below its fair share may grow";
    R::SkMemRaiseAllocated, _, T::FairShare => "granted: below its fair share", "refused: above its fair share";
    R::SkMemRaiseAllocated, T::QueuedPlusSize, _ =>
        "let through: a writer at its send buffer may finish", "refused: a writer below its send buffer can wait";
    R::SkMemReduceAllocated, _, _ => "memory pressure ends", "memory pressure stays";
    R::MemCgroupChargeSkmem, _, _ => "the group is charged", "over memory.max";
    R::SockReserveMemory, _, _ => "refused: no reserve is sold above the pressure mark", "the reserve is sold";
    // giving back
    R::SkMemUncharge, _, _ => "pages go back", "the credit is kept";
    R::SkMemReclaim, _, _ => "whole pages go back", "nothing goes back";
    R::SkMemReclaimPartial, _, _ => "pages go back, all but the last", "nothing goes back";
    R::UdpRmemRelease, _, _ => "too little to give back while more waits", "it is given back";
    // options
    R::SkSetsockopt | R::TcpSetsockopt, T::Argument, _ => "EINVAL", "allowed";
    R::SkSetsockopt, T::Size, T::BufLimit(_) =>
        "below the default, so the buffer is locked", "the buffer is not locked";
    R::SkSetsockopt, T::Size, _ => "taken", "raised to the smallest size";
    R::TcpSetRcvlowat, T::Field(F::BufLock), _ => "it stays", "it may grow";
    R::TcpSetRcvlowat, _, _ => "the receive buffer grows to hold it", "the receive buffer is large enough";
    R::TcpSetWindowClamp, _, _ => "rcv_ssthresh is cut to it", "rcv_ssthresh may rise to the window";
    // the send buffer
    R::TcpSendmsg, _, _ => "the last skb is filled further", "a new skb is needed";
    R::SkStreamMemoryFree, _, _ => "room for another skb", "the send buffer is full";
    R::SkStreamModerateSndbuf, _, _ => "it stays", "it is cut";
    R::TcpShouldExpandSndbuf, T::Field(F::BufLock), _ => "it stays", "it may grow";
    R::TcpShouldExpandSndbuf, T::Field(F::Pressure), _ => "it does not grow", "it may grow";
    R::TcpShouldExpandSndbuf, T::Field(F::MemoryAllocated), _ =>
        "not below the min mark: it does not grow", "below the min mark: it may grow";
    R::TcpShouldExpandSndbuf, T::UnusedReserved, _ =>
        "it becomes the unused reserve", "the unused reserve is too small to help";
    R::TcpShouldExpandSndbuf, _, _ => "it grows", "the congestion window is the limit: it does not grow";
    R::TcpSndbufExpand, _, _ => "the send buffer grows", "the send buffer is large enough";
    R::TcpFragment, _, _ => "refused: the send queue is too large to split more", "it is split";
    // what may leave
    R::TcpCwndTest, _, _ => "the congestion window is full", "something may leave";
    R::TcpSndWndTest, _, _ => "inside the peer's window", "it waits: beyond the peer's window";
    R::TcpWriteXmit, T::Len, _ => "split: the rest waits", "it leaves whole";
    R::TcpSyncMss, _, _ => "the segment size changes", "the segment size stays";
    R::TcpNagleTest, _, _ => "a small segment: it may have to wait", "a full segment leaves at once";
    R::TcpMssSplitPoint, _, T::Window => "the peer's window allows it", "split at the peer's window";
    R::TcpMssSplitPoint, _, _ => "as much as the congestion window allows", "whole segments leave";
    R::TcpTsoShouldDefer, T::Time, _ => "no use waiting", "waiting may help";
    R::TcpTsoShouldDefer, _, _ => "large enough to leave", "waiting may make it larger";
    R::ForcedPush, _, _ => "pushed out", "not pushed yet";
    R::TcpIsCwndLimited | R::TcpCongAvoid, _, _ => "the congestion window may double", "it grows slowly";
    R::TcpCwndValidate, _, _ => "unused for too long", "used recently";
    R::TcpCwndApplicationLimited, _, _ => "the congestion window shrinks", "it was used";
    R::TcpCwndRestart, _, _ => "idle too long: the congestion window starts again", "not idle long";
    R::TcpAckUpdateWindow, _, _ => "the peer's window changes", "the peer's window stays";
    R::TcpAckProbe, _, _ => "the window is open: no probe", "the window is closed: it will be probed";
    R::TcpRetransmitSkb, T::Size, T::Window => "cut to the peer's window", "it fits the peer's window";
    R::TcpXmitRetransmitQueue, _, _ => "more may be sent again", "the congestion window is full";
    R::TcpProcessLoss, _, _ => "everything lost is acknowledged", "loss recovery goes on";
    R::TcpWriteTimeout, _, _ => "given up", "it is tried again";
    R::TcpCheckOom, _, _ => "one sign that memory is gone", "memory is not gone";
    R::TcpProbeTimer, _, _ => "given up", "it is probed again";
    R::TcpWriteTimerHandler | R::TcpDelackTimerHandler, _, _ => "not due yet", "due";
    // arriving data
    R::TcpRcvEstablished, T::Truesize, _ => "predicted and paid for: no page bought", "the limits are asked";
    R::TcpRcvEstablished, _, _ => "inside the window", "the window is asked";
    R::TcpDataQueue, T::Window, _ => "the window is closed", "the window is open";
    R::TcpTryRmemSchedule, _, T::Field(F::Rcvbuf) =>
        "the receive buffer has room", "the receive buffer is full: it is squeezed";
    R::TcpPruneQueue, T::Field(F::RmemAlloc), T::Constant => "nothing to squeeze", "something to squeeze";
    R::TcpPruneQueue, T::Field(F::Pressure), _ => "rcv_ssthresh is cut", "no pressure";
    R::TcpPruneOfoQueue, T::Seq, _ => "what lies before the segment is spared", "the last one goes";
    R::TcpClampWindow, T::Field(F::Rcvbuf), _ => "it could grow", "as large as it may be";
    R::TcpClampWindow, T::Field(F::BufLock), _ => "it may grow", "it stays";
    R::TcpClampWindow, T::Field(F::Pressure), _ => "it does not grow", "it may grow";
    R::TcpClampWindow, T::Field(F::MemoryAllocated), _ => "it grows to its queue", "memory is not plentiful: it stays";
    R::TcpClampWindow, _, _ => "the window is cut to two segments", "the window stays";
    R::TcpTryCoalesce, _, _ => "copied behind the last one", "it does not fit behind the last one";
    R::TcpCollapse, T::Space, _ => "wasteful: copied together", "worth its cost";
    R::TcpMeasureRcvMss, T::Argument, _ => "the measured share changes", "the measured share stays";
    R::TcpMeasureRcvMss, T::Field(F::WindowClamp), _ => "the space follows the clamp", "the space stays";
    R::TcpMeasureRcvMss, _, T::Field(F::RcvMss) => "it is measured", "too small to measure";
    R::TcpMeasureRcvMss, _, _ => "twice the same: taken", "not sure yet";
    // the window
    R::TcpSelectInitialWindow, T::Field(F::BufLock), _ =>
        "its room is the clamp, so the scale is small", "the scale may serve the largest buffer";
    R::TcpSelectInitialWindow, _, _ => "cut to whole segments", "less than one segment";
    R::TcpInitBufferSpace, _, _ => "the clamp follows the room", "the clamp stays";
    R::TcpGrowWindow, T::Len, _ => "large enough to grow the window", "too small to grow the window";
    R::TcpGrowWindow, T::Field(F::RcvSsthresh), T::Space => "as large as it may be", "it may grow";
    R::TcpGrowWindow, T::Field(F::RcvSsthresh), _ => "small enough to grow still", "too large for such segments";
    R::TcpGrowWindow, T::Field(F::Pressure), _ => "it does not grow", "it may grow";
    R::TcpGrowWindow, T::Space, _ => "well packed: it grows", "the segment wastes room";
    R::TcpAdjustRcvSsthresh, _, _ => "the unused reserve holds rcv_ssthresh up", "no reserve holds rcv_ssthresh up";
    R::TcpSelectWindow, T::Field(F::Pressure), _ => "rcv_ssthresh is cut", "nothing is cut";
    R::TcpSelectWindow, T::Space, T::Mss => "the window closes", "room for a segment";
    R::TcpSelectWindow, T::Space, T::FullSpace => "room is short", "room enough";
    R::TcpSelectWindow, T::Space, _ => "rcv_ssthresh is the cap", "all the room is offered";
    R::TcpSelectWindow, T::Mss, _ => "the whole room is less than a segment", "more than one fits";
    R::TcpSendAck, _, _ => "a promised window is not taken back", "it is offered";
    // ACKs
    R::TcpAckSndCheck, T::UnackedBytes, _ => "more than one segment is owed an ACK", "one segment may wait";
    R::TcpAckSndCheck, T::Size, _ => "the reader waits for more: an ACK leaves", "the reader has enough";
    R::TcpAckSndCheck, T::Window, _ => "the window keeps up: an ACK leaves", "the window falls behind";
    R::TcpAckSndCheck, T::QuickAcks, _ => "ACKs leave at once", "ACKs may wait";
    R::TcpSendDelayedAck, _, _ => "an ACK leaves now", "it waits for the timer";
    R::TcpCleanupRbuf, T::UnackedBytes, _ => "more than one segment is owed an ACK", "one segment may wait";
    R::TcpCleanupRbuf, _, T::Field(F::WindowClamp) => "the window could double", "the window is large enough";
    R::TcpCleanupRbuf, _, _ => "the window doubled: the peer is told", "not worth telling the peer";
    // autotuning
    R::TcpRcvSpaceAdjust, T::Time, _ => "a round trip is over", "the round trip is not over";
    R::TcpRcvSpaceAdjust, T::Copied, _ => "the reader got faster", "the reader is no faster";
    R::TcpRcvSpaceAdjust, T::Argument, _ => "autotuning is off", "autotuning is on";
    R::TcpRcvSpaceAdjust, T::Field(F::BufLock), _ => "it stays", "it may grow";
    R::TcpRcvSpaceAdjust, _, _ => "the receive buffer grows", "the receive buffer is large enough";
    // datagrams
    R::UdpEnqueueScheduleSkb, _, T::Field(F::Rcvbuf) => "dropped: the receive buffer is full", "there is room";
    R::UdpEnqueueScheduleSkb, _, T::Field(F::FwdAlloc) => "pages must be bought", "no page bought";
    _, T::Field(F::Pressure), T::Constant => "less is given", "as usual";
}

/// Tests whose meaning hangs on the comparison: one function asks several things of the same two numbers.
const fn by_comparison(rule: R, lhs: T, cmp: Cmp, rhs: T) -> Option<(&'static str, &'static str)> {
    Some(match (rule, lhs, cmp, rhs) {
        (R::TcpSequence, _, Cmp::Lt, _) => ("wholly old", "not wholly old"),
        (R::TcpSequence, ..) => ("inside the window", "beyond the window"),
        (R::TcpAck, _, Cmp::Lt, _) => ("older than what is known", "not old"),
        (R::TcpAck, ..) => ("for data that was never sent", "for data that was sent"),
        (R::TcpDataQueue, T::Seq, Cmp::Eq, _) => ("the next byte", "not the next byte"),
        (R::TcpDataQueue, T::Seq, Cmp::Le, _) => ("all of it is here already", "some of it is new"),
        (R::TcpDataQueue, T::Seq, Cmp::Ge, _) => ("beyond the window", "inside the window"),
        (R::TcpDataQueue, T::Seq, ..) => ("it overlaps what is here", "there is a hole before it"),
        (R::TcpClampWindow | R::TcpTryRmemSchedule | R::UdpEnqueueScheduleSkb, ..) => return None,
        (_, T::Field(F::RmemAlloc), Cmp::Le | Cmp::Lt, T::Field(F::Rcvbuf)) => {
            ("inside the buffer", "over the buffer")
        }
        (_, T::Field(F::RmemAlloc), _, T::Field(F::Rcvbuf)) => ("the buffer is full", "the buffer is not full"),
        _ => return None,
    })
}

/// What follows from a test. One without words of its own says yes or no.
pub(super) fn consequence(rule: R, lhs: T, cmp: Cmp, rhs: T, taken: bool) -> &'static str {
    let (yes, no) = by_comparison(rule, lhs, cmp, rhs).unwrap_or_else(|| by_terms(rule, lhs, rhs));
    if taken { yes } else { no }
}

/// What the two sides are where their terms alone do not say it: times and places in the byte stream.
pub(super) const fn sides(rule: R, lhs: T, rhs: T) -> Option<(&'static str, &'static str)> {
    Some(match (rule, lhs, rhs) {
        (R::TcpRcvSpaceAdjust, T::Time, _) => ("since the last measurement", "(round trip)"),
        (R::TcpRcvSpaceAdjust, T::Argument, _) => ("(tcp_moderate_rcvbuf)", ""),
        (R::TcpSendDelayedAck, T::Time, _) => ("(when the timer fires)", "(a moment from now)"),
        (R::TcpDelackTimerHandler | R::TcpWriteTimerHandler, T::Time, _) => ("(when it is due)", "(now)"),
        (R::TcpCwndValidate | R::TcpCwndRestart, T::Time, _) => ("unused", "(retransmission timeout)"),
        (R::TcpWriteTimeout, T::Time, _) => ("waited", "(patience)"),
        (R::TcpProbeTimer, T::Quota, _) => ("probes unanswered", ""),
        (R::TcpTsoShouldDefer, T::Time, _) => ("(time)", "us"),
        (R::TcpSequence, T::Seq, _) => ("(segment)", "(window)"),
        (R::TcpWriteXmit, T::Len, _) => ("payload", "may leave"),
        (R::TcpSyncMss, T::Mss, _) => ("(segment size)", "(before)"),
        (R::TcpDataQueue, T::Seq, _) => ("(segment)", "(place in the stream)"),
        (R::TcpDataQueue, T::Window, _) => ("window left", ""),
        (R::TcpPruneOfoQueue, T::Seq, _) => ("(segment)", "(last out of order)"),
        (R::TcpSndWndTest | R::TcpAckProbe | R::TcpWriteWakeup, T::Seq, _) => {
            ("(segment)", "(edge of the peer's window)")
        }
        (R::ForcedPush, T::Seq, _) => ("(written)", "(half of the peer's largest window)"),
        (R::TcpAck, T::Seq, _) => ("(this ACK)", "(what is known)"),
        (R::TcpProcessLoss, T::Seq, _) => ("(acknowledged)", "(end of what was lost)"),
        (R::TcpRetransmitSkb, T::Seq, _) => ("(segment)", "(oldest not acknowledged)"),
        (R::TcpSendAck, T::Window, _) => ("(new offer)", "(promised before)"),
        (R::TcpCleanupRbuf, T::Window, T::Window) => ("(new offer)", "(twice the window)"),
        (R::TcpCleanupRbuf, T::Window, _) => ("(twice the window)", "(window clamp)"),
        (R::TcpTryCoalesce, T::Len, _) => ("payload", "room behind the last"),
        (R::TcpCollapse, T::Space, _) => ("worth of room", "payload"),
        (R::TcpMeasureRcvMss, T::Argument, _) => ("(new share)", "(share)"),
        (R::TcpMeasureRcvMss, T::Len, T::Mss) => ("payload", "(the one before)"),
        (R::TcpMssSplitPoint, T::Size, _) => ("wanted", "(there)"),
        (R::TcpSendmsg, T::Space, _) => ("room in the last skb", ""),
        (R::TcpSndbufExpand, T::Size, _) => ("wanted", "send buffer"),
        _ => return None,
    })
}
