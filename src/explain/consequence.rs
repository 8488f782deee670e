//! What follows from a test, by the function that made it, what it compared, and how it turned out.

use crate::engine::reason::{Field as F, Rule as R, Term as T};

macro_rules! table {
    ($($rule:pat, $lhs:pat, $rhs:pat => $yes:literal, $no:literal;)*) => {
        /// What follows. The first line that fits says it; a test without words of its own says yes or no.
        pub(super) const fn consequence(rule: R, lhs: T, rhs: T, taken: bool) -> &'static str {
            let (yes, no) = match (rule, lhs, rhs) {
                $(($rule, $lhs, $rhs) => ($yes, $no),)*
                _ => ("yes", "no"),
            };
            if taken { yes } else { no }
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
    R::SkMemRaiseAllocated, T::Field(F::MemoryAllocated), T::Constant => "granted: the counter reads 0", "the marks are asked";
    R::SkMemRaiseAllocated, _, T::MemLimit(0) => "granted: not above the min mark", "above the min mark";
    R::SkMemRaiseAllocated, _, T::MemLimit(1) => "above the pressure mark, so pressure is on", "not above the pressure mark";
    R::SkMemRaiseAllocated, _, T::MemLimit(2) => "refused: above the max mark", "not above the max mark";
    R::SkMemRaiseAllocated, _, T::BufLimit(_) => "granted: below its guaranteed minimum", "its guaranteed minimum is used up";
    R::SkMemRaiseAllocated, T::Field(F::Pressure), _ => "granted", "only a socket below its fair share may grow";
    R::SkMemRaiseAllocated, _, T::FairShare => "granted: below its fair share", "refused: above its fair share";
    R::SkMemRaiseAllocated, T::QueuedPlusSize, _ => "let through: a writer at its send buffer may finish", "refused: a writer below its send buffer can wait";
    R::SkMemReduceAllocated, _, _ => "memory pressure ends", "memory pressure stays";
    R::MemCgroupChargeSkmem, _, _ => "the group is charged", "over memory.max";
    R::SockReserveMemory, _, _ => "refused: no reserve is sold above the pressure mark", "the reserve is sold";
    // giving back
    R::SkMemUncharge, _, _ => "pages go back", "the credit is kept";
    R::SkMemReclaim, _, _ => "whole pages go back", "nothing goes back";
    R::SkMemReclaimPartial, _, _ => "pages go back, all but the last", "nothing goes back";
    R::UdpRmemRelease, _, _ => "too little to give back yet", "it is given back";
    // options
    R::SkSetsockopt | R::TcpSetsockopt, T::Argument, _ => "EINVAL", "allowed";
    R::SkSetsockopt, T::Size, T::BufLimit(_) => "below the default, so the buffer is locked", "the buffer is not locked";
    R::SkSetsockopt, T::Size, _ => "taken", "raised to the smallest size";
    R::TcpSetRcvlowat, T::Field(F::BufLock), _ => "it stays", "it may grow";
    R::TcpSetRcvlowat, _, _ => "the receive buffer grows to hold it", "the receive buffer is large enough";
    R::TcpSetWindowClamp, _, _ => "rcv_ssthresh is cut to it", "rcv_ssthresh may rise to the window";
    // the send buffer
    R::SkStreamMemoryFree, _, _ => "room for another skb", "the send buffer is full";
    R::SkStreamModerateSndbuf, _, _ => "it stays", "it is cut";
    R::TcpShouldExpandSndbuf, T::Field(F::BufLock), _ => "it stays", "it may grow";
    R::TcpShouldExpandSndbuf, T::Field(F::Pressure), _ => "it does not grow", "it may grow";
    R::TcpShouldExpandSndbuf, T::Field(F::MemoryAllocated), _ => "not below the min mark: it does not grow", "below the min mark: it may grow";
    R::TcpShouldExpandSndbuf, T::UnusedReserved, _ => "it becomes the unused reserve", "the unused reserve is too small to help";
    R::TcpShouldExpandSndbuf, _, _ => "it grows", "the congestion window is the limit: it does not grow";
    R::TcpSndbufExpand, _, _ => "the send buffer grows", "the send buffer is large enough";
    R::TcpCwndTest, _, _ => "something may leave", "the congestion window is full";
    // the window
    R::TcpSelectInitialWindow, T::Field(F::BufLock), _ => "its room is the clamp, so the scale is small", "the scale may serve the largest buffer";
    R::TcpSelectInitialWindow, _, _ => "cut to whole segments", "less than one segment";
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
    // datagrams
    R::UdpEnqueueScheduleSkb, _, T::Field(F::Rcvbuf) => "dropped: the receive buffer is full", "there is room";
    R::UdpEnqueueScheduleSkb, _, T::Field(F::FwdAlloc) => "pages must be bought", "no page bought";
}
