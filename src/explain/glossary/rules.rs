//! Kernel functions: one sentence and the file each lives in.

use super::{Entry, entry};
use crate::engine::reason::Rule;
use crate::explain::numbers::Unit;

/// The entry of a kernel function. Its source is a file.
pub const fn rule(rule: Rule) -> Entry {
    let (source, sentence) = words(rule);
    entry(rule.name(), rule.name(), Unit::Count, source, sentence)
}

macro_rules! table {
    ($($rule:ident $source:literal $sentence:literal;)*) => {
        const fn words(rule: Rule) -> (&'static str, &'static str) {
            match rule { $(Rule::$rule => ($source, $sentence),)* }
        }
    };
}

// One line a function: a rule that is missing here does not compile.
table! {
    SkAlloc "net/core/sock.c"
        "Makes a socket: its buffers, its memory cgroup, and whether it bypasses the protocol's memory.";
    TcpInitSock "net/ipv4/tcp.c"
        "Gives a new TCP socket its default buffers.";
    SkCloneLock "net/core/sock.c"
        "Makes the child of a listener: buffers and locks are inherited, a reserve is not.";
    SkSetsockopt "net/core/sock.c"
        "Sets a socket option.";
    TcpSetsockopt "net/ipv4/tcp.c"
        "Sets a TCP option.";
    SockReserveMemory "net/core/sock.c"
        "Buys whole pages for SO_RESERVE_MEM, unless the protocol is above its pressure mark.";
    SockReleaseReservedMemory "net/core/sock.c"
        "Shrinks the reserve by whole pages and gives back what it no longer holds.";
    TcpSetRcvlowat "net/ipv4/tcp.c"
        "Sets the low-water mark; an unlocked buffer grows to hold it.";
    TcpSetWindowClamp "net/ipv4/tcp.c"
        "Sets the largest window this socket will offer.";
    InetCskAccept "net/ipv4/inet_connection_sock.c"
        "Hands a waiting connection to the application, whose memory cgroup pays from now on.";
    TcpClose "net/ipv4/tcp.c"
        "Closes a connection: what was not read is thrown away.";
    SkStreamKillQueues "net/core/stream.c"
        "The end of a socket: queues are emptied and all its memory goes back.";
    TcpReset "net/ipv4/tcp_input.c"
        "The peer reset the connection.";
    ProcDoTcpMem "kernel/sysctl.c"
        "Writes a sysctl of several numbers.";
    SkWmemSchedule "include/net/sock.h"
        "Makes sure there is credit for bytes to send, and buys pages for what is missing.";
    SkRmemSchedule "include/net/sock.h"
        "Makes sure there is credit for bytes that arrived, and buys pages for what is missing.";
    SkMemSchedule "net/core/sock.c"
        "Buys whole pages for the missing credit.";
    SkMemRaiseAllocated "net/core/sock.c"
        "Counts pages and asks every limit in order: memory cgroup, marks, guaranteed minimum, fair share.";
    SkMemReduceAllocated "net/core/sock.c"
        "Takes pages off the memory cgroup and the protocol; may end memory pressure.";
    SkForcedMemSchedule "net/ipv4/tcp_output.c"
        "Takes the missing pages without asking any limit.";
    TcpWmemSchedule "net/ipv4/tcp.c"
        "How many bytes a writer may charge: all of them, or what its guaranteed minimum still allows.";
    SkMemCharge "include/net/sock.h"
        "Attaches bytes of the credit to a packet.";
    SkMemUncharge "include/net/sock.h"
        "Returns a packet's bytes to the credit and decides whether pages go back.";
    SkMemReclaim "include/net/sock.h"
        "Gives back every whole page of credit above the unused reserve.";
    SkMemReclaimPartial "include/net/sock.h"
        "As sk_mem_reclaim, but one page of credit stays.";
    SkMemReclaimBytes "net/core/sock.c"
        "Turns credit into whole pages, rounded down, and gives them back.";
    SkMemoryAllocatedAdd "include/net/proto_memory.h"
        "Adds pages to the protocol's counter, or to this CPU's part of it.";
    SkMemoryAllocatedSub "include/net/proto_memory.h"
        "Takes pages off the protocol's counter, or off this CPU's part of it.";
    TcpEnterMemoryPressure "net/ipv4/tcp.c"
        "Turns TCP memory pressure on.";
    TcpLeaveMemoryPressure "net/ipv4/tcp.c"
        "Turns TCP memory pressure off.";
    MemCgroupChargeSkmem "mm/memcontrol.c"
        "Charges pages to the socket's memory cgroup.";
    MemCgroupUnchargeSkmem "mm/memcontrol.c"
        "Gives pages back to the socket's memory cgroup.";
    TcpSendmsg "net/ipv4/tcp.c"
        "The write: copies bytes into skbs until the send buffer is full.";
    TcpSkbEntail "net/ipv4/tcp.c"
        "Puts a new skb at the end of the send queue.";
    TcpRemoveEmptySkb "net/ipv4/tcp.c"
        "Takes an skb that got no payload off the send queue again.";
    ForcedPush "net/ipv4/tcp.c"
        "Whether half of the peer's largest window is written: then it is pushed out.";
    TcpSyncMss "net/ipv4/tcp_output.c"
        "Works out the segment size for sending from the MTU and the peer's option.";
    TcpTsoAutosize "net/ipv4/tcp_output.c"
        "How many segments one large packet may carry at the present pace.";
    TcpWmemFreeSkb "include/net/tcp.h"
        "An skb of the send side is freed: its truesize leaves the queue and returns to the credit.";
    TcpWriteQueuePurge "net/ipv4/tcp.c"
        "Empties the send and retransmit queues.";
    TcpCwndValidate "net/ipv4/tcp_output.c"
        "Whether the congestion window was really used; an unused one does not grow.";
    TcpCwndApplicationLimited "net/ipv4/tcp_output.c"
        "The application sends less than the congestion window allows: it shrinks after a while.";
    TcpIsCwndLimited "include/net/tcp.h"
        "Whether the congestion window was what held sending back, so that it may grow.";
    TcpAckUpdateWindow "net/ipv4/tcp_input.c"
        "Takes the peer's new window from an ACK.";
    TcpAckProbe "net/ipv4/tcp_input.c"
        "A closed window: starts or stops the timer that asks whether it has opened.";
    TcpProcessLoss "net/ipv4/tcp_input.c"
        "An ACK in loss recovery: whether the loss was real, and what to send again.";
    TcpUndoCwndReduction "net/ipv4/tcp_input.c"
        "The loss was not real: the congestion window is restored.";
    TcpXmitRetransmitQueue "net/ipv4/tcp_output.c"
        "Sends again what was lost, as far as the congestion window allows.";
    TcpRetransTryCollapse "net/ipv4/tcp_output.c"
        "Merges small segments that are about to be sent again.";
    TcpSendProbe0 "net/ipv4/tcp_output.c"
        "Sends a probe into a closed window and waits longer for the next.";
    TcpCheckOom "net/ipv4/tcp.c"
        "Whether memory is so short that an orphan must be ended.";
    TcpWriteTimeout "net/ipv4/tcp_timer.c"
        "Whether a connection that gets no answer is given up.";
    TcpStreamAllocSkb "net/ipv4/tcp.c"
        "Makes an empty skb for the send queue and charges its head.";
    TcpXmitSizeGoal "net/ipv4/tcp.c"
        "How much a writer puts into one skb.";
    SkStreamMemoryFree "include/net/sock.h"
        "Whether a writer may start another skb: what is queued must be below the send buffer.";
    SkStreamModerateSndbuf "include/net/sock.h"
        "Cuts the send buffer of a writer that was refused memory.";
    TcpShouldExpandSndbuf "net/ipv4/tcp_input.c"
        "Whether a sender that filled its buffer deserves a larger one.";
    TcpSndbufExpand "net/ipv4/tcp_input.c"
        "Grows the send buffer to twice what the congestion window needs.";
    TcpNewSpace "net/ipv4/tcp_input.c"
        "Room came free in the send buffer: perhaps it grows, and a waiting writer is told.";
    TcpWriteXmit "net/ipv4/tcp_output.c"
        "Sends what congestion control, the peer's window and Nagle let out.";
    TcpCwndTest "net/ipv4/tcp_output.c"
        "How many packets the congestion window still allows.";
    TcpSndWndTest "net/ipv4/tcp_output.c"
        "Whether the next segment fits the peer's window.";
    TcpNagleTest "net/ipv4/tcp_output.c"
        "Whether a small segment may leave while others are not acknowledged.";
    TcpMssSplitPoint "net/ipv4/tcp_output.c"
        "Where a large skb is split to fit the windows.";
    TcpTsoShouldDefer "net/ipv4/tcp_output.c"
        "Whether to wait so that one larger skb can leave.";
    TcpGrowSkb "net/ipv4/tcp_output.c"
        "Fills an skb that is about to leave from the one behind it.";
    TsoFragment "net/ipv4/tcp_output.c"
        "Splits an skb that has never been sent.";
    TcpFragment "net/ipv4/tcp_output.c"
        "Splits an skb in two; the new head must be paid for.";
    TcpEventNewDataSent "net/ipv4/tcp_output.c"
        "An skb left: it moves from the send to the retransmit queue.";
    TcpAck "net/ipv4/tcp_input.c"
        "Takes an ACK: the peer's window, what it acknowledges, congestion control.";
    TcpCleanRtxQueue "net/ipv4/tcp_input.c"
        "Frees every skb that is acknowledged as a whole.";
    TcpTrimHead "net/ipv4/tcp_output.c"
        "Frees the acknowledged front of an skb; its head stays charged.";
    TcpCongAvoid "net/ipv4/tcp_cong.c"
        "Opens the congestion window: one packet for each ACK in slow start, then one each round trip.";
    TcpCwndRestart "net/ipv4/tcp_output.c"
        "Shrinks a congestion window that was idle for too long.";
    TcpRetransmitTimer "net/ipv4/tcp_timer.c"
        "Nothing was acknowledged in time: the oldest segment is sent again.";
    TcpRetransmitSkb "net/ipv4/tcp_output.c"
        "Sends a segment again.";
    TcpEnterLoss "net/ipv4/tcp_input.c"
        "Takes everything in flight for lost and starts again with one packet.";
    TcpProbeTimer "net/ipv4/tcp_timer.c"
        "The peer's window is closed: asks whether it has opened.";
    TcpWriteWakeup "net/ipv4/tcp_output.c"
        "Sends a probe into a closed window.";
    TcpWriteTimerHandler "net/ipv4/tcp_timer.c"
        "The write timer expired: a retransmission or a probe.";
    TcpConnect "net/ipv4/tcp_output.c"
        "Starts a connection: sends the SYN.";
    TcpSendFin "net/ipv4/tcp_output.c"
        "Queues the FIN, by force if memory is refused.";
    TcpSelectInitialWindow "net/ipv4/tcp_output.c"
        "Chooses the first window and its scale, for the whole life of the connection.";
    TcpInitBufferSpace "net/ipv4/tcp_input.c"
        "Sets the window clamp and rcv_ssthresh of a new connection from its receive buffer.";
    TcpRcvEstablished "net/ipv4/tcp_input.c"
        "A segment arrives on an established connection.";
    TcpSequence "net/ipv4/tcp_input.c"
        "Whether a segment lies in the window.";
    TcpDataQueue "net/ipv4/tcp_input.c"
        "Queues a segment that is in order, if there is memory for it.";
    TcpDataQueueOfo "net/ipv4/tcp_input.c"
        "Queues a segment that came too early.";
    TcpOfoQueue "net/ipv4/tcp_input.c"
        "The gap is closed: what waited behind it becomes readable.";
    TcpTryRmemSchedule "net/ipv4/tcp_input.c"
        "Finds memory for a segment: within the receive buffer, with credit, or by squeezing the queue.";
    TcpQueueRcv "net/ipv4/tcp_input.c"
        "Appends a segment to the receive queue and charges its truesize.";
    TcpTryCoalesce "net/ipv4/tcp_input.c"
        "Merges a segment into the one before, to save its overhead.";
    TcpPruneQueue "net/ipv4/tcp_input.c"
        "The receive queue is over its limit: squeezes it, in the end by dropping what is out of order.";
    TcpPruneOfoQueue "net/ipv4/tcp_input.c"
        "Throws away out-of-order segments until there is room.";
    TcpCollapse "net/ipv4/tcp_input.c"
        "Copies small segments together to save their overhead.";
    TcpClampWindow "net/ipv4/tcp_input.c"
        "The receive buffer is over its limit: it grows a little, or the window is cut.";
    TcpMeasureRcvMss "net/ipv4/tcp_input.c"
        "Learns the peer's segment size and how much of its truesize is payload.";
    TcpRcvRttUpdate "net/ipv4/tcp_input.c"
        "Measures the round trip time as a receiver, from the data that arrives.";
    TcpEventDataRecv "net/ipv4/tcp_input.c"
        "Data arrived: ACK timing is measured, and the window may grow.";
    TcpGrowWindow "net/ipv4/tcp_input.c"
        "Lets rcv_ssthresh grow when segments carry enough payload for their cost.";
    TcpAdjustRcvSsthresh "include/net/tcp.h"
        "Under pressure cuts rcv_ssthresh to four segments; an unused reserve holds it up.";
    TcpSelectWindow "net/ipv4/tcp_output.c"
        "Chooses the window of the next packet from the free receive room.";
    TcpAckSndCheck "net/ipv4/tcp_input.c"
        "Whether an ACK leaves now or waits for its timer.";
    TcpSendAck "net/ipv4/tcp_output.c"
        "Sends an ACK with the window of this moment.";
    TcpSendDelayedAck "net/ipv4/tcp_output.c"
        "Starts the timer of a delayed ACK.";
    TcpDelackTimerHandler "net/ipv4/tcp_timer.c"
        "The delayed ACK timer expired: the ACK leaves.";
    TcpRecvmsg "net/ipv4/tcp.c"
        "The read: copies bytes to the application and frees what is empty.";
    TcpCleanupRbuf "net/ipv4/tcp.c"
        "After a read: tells the peer if the window opened enough.";
    TcpRcvSpaceAdjust "net/ipv4/tcp_input.c"
        "Autotuning: sizes the receive buffer by what was read in a round trip.";
    SockRfree "net/core/sock.c"
        "A received packet is freed: its truesize leaves the receive queue.";
    UdpEnqueueScheduleSkb "net/ipv4/udp.c"
        "Queues a datagram if the receive buffer and the memory limits allow it.";
    UdpRmemRelease "net/ipv4/udp.c"
        "Gives back the memory of read datagrams, in batches.";
    UdpSendmsg "net/ipv4/udp.c"
        "Sends a datagram; its memory is not counted by the protocol.";
}
