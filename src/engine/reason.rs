//! Why: what a step is made of, as data. Sentences live in `explain`.

use super::op::SockName;
use super::units::Micros;
use serde::{Deserialize, Serialize};

/// A number that changes only through the ledger. The first block belongs to a socket, the rest to the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[rustfmt::skip]
pub enum Field {
    /// `sk_forward_alloc`, bytes: paid for, not yet attached to an skb.
    FwdAlloc,
    /// `sk_wmem_queued`, bytes of truesize in the write and retransmit queues.
    WmemQueued,
    /// `sk_rmem_alloc`, bytes of truesize in the receive and out-of-order queues.
    RmemAlloc,
    /// `sk_reserved_mem`, bytes.
    Reserved,
    /// `sk_sndbuf`, bytes.
    Sndbuf,
    /// `sk_rcvbuf`, bytes.
    Rcvbuf,
    /// The two lock bits of `sk_userlocks`: 1 sndbuf, 2 rcvbuf.
    BufLock,
    /// `sk_drops`, segments or datagrams.
    Drops,
    /// `sk_rcvlowat`, bytes.
    RcvLowat,
    /// `window_clamp`, bytes of payload.
    WindowClamp,
    /// `rcv_ssthresh`, bytes of payload.
    RcvSsthresh,
    /// `rcv_wnd`, the last advertised window, bytes.
    RcvWnd,
    /// `rcvq_space.space`, bytes.
    RcvSpace,
    /// `icsk_ack.rcv_mss`, bytes.
    RcvMss,
    /// `scaling_ratio`, 256ths of truesize that are payload (6.6 and later).
    ScalingRatio,
    /// `rcv_wscale`, bits.
    RcvWscale,
    /// `snd_wscale`, bits.
    SndWscale,
    /// `advmss`, bytes.
    Advmss,
    /// `snd_wnd`, the peer's window, bytes.
    SndWnd,
    /// `snd_cwnd`, packets.
    Cwnd,
    /// `snd_ssthresh`, packets.
    SndSsthresh,
    /// `packets_out`, packets sent and not acknowledged.
    Unacked,
    /// `memory_allocated`, pages: the counter the limits are checked against.
    MemoryAllocated,
    /// `per_cpu_fw_alloc`, pages not yet folded into `memory_allocated` (6.0 and later).
    PcpuFwAlloc,
    /// `tcp_memory_pressure`, 0 or 1.
    Pressure,
    /// Pages charged to a memory cgroup for sockets.
    MemcgSock,
    /// Pages a memory cgroup holds prepaid on this CPU.
    MemcgStock,
}

impl Field {
    /// How many fields belong to a socket.
    pub const SOCK_COUNT: usize = Self::Unacked as usize + 1;

    /// The name on screen and in recordings.
    pub const fn name(self) -> &'static str {
        match self {
            Self::FwdAlloc => "fwd_alloc",
            Self::WmemQueued => "wmem_queued",
            Self::RmemAlloc => "rmem_alloc",
            Self::Reserved => "reserved",
            Self::Sndbuf => "sndbuf",
            Self::Rcvbuf => "rcvbuf",
            Self::BufLock => "buf_lock",
            Self::Drops => "drops",
            Self::RcvLowat => "rcvlowat",
            Self::WindowClamp => "window_clamp",
            Self::RcvSsthresh => "tcp.rcv_ssthresh",
            Self::RcvWnd => "tcp.rcv_wnd",
            Self::RcvSpace => "tcp.rcv_space",
            Self::RcvMss => "tcp.rcv_mss",
            Self::ScalingRatio => "scaling_ratio",
            Self::RcvWscale => "tcp.rcv_wscale",
            Self::SndWscale => "tcp.snd_wscale",
            Self::Advmss => "tcp.advmss",
            Self::SndWnd => "tcp.snd_wnd",
            Self::Cwnd => "tcp.cwnd",
            Self::SndSsthresh => "tcp.snd_ssthresh",
            Self::Unacked => "tcp.unacked",
            Self::MemoryAllocated => "k_memory_allocated",
            Self::PcpuFwAlloc => "k_pcpu_fw_alloc",
            Self::Pressure => "press",
            Self::MemcgSock => "memcg_sock_pages",
            Self::MemcgStock => "memcg_stock_pages",
        }
    }

    /// This field as one side of a comparison.
    pub const fn of(self, value: i64) -> Operand {
        Operand { term: Term::Field(self), value }
    }
}

macro_rules! kernel_functions {
    ($($(#[$doc:meta])* $variant:ident = $name:literal,)*) => {
        /// A kernel function whose rule decided something; `name` is its exact name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[allow(missing_docs)] // the kernel's names are the documentation
        pub enum Rule { $($(#[$doc])* $variant,)* }

        impl Rule {
            /// Every rule.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The kernel function's name.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }
        }
    };
}

kernel_functions! {
    // sockets and options
    SkAlloc = "sk_alloc",
    TcpInitSock = "tcp_init_sock",
    SkCloneLock = "sk_clone_lock",
    SkSetsockopt = "sk_setsockopt",
    TcpSetsockopt = "do_tcp_setsockopt",
    SockReserveMemory = "sock_reserve_memory",
    SockReleaseReservedMemory = "sock_release_reserved_memory",
    TcpSetRcvlowat = "tcp_set_rcvlowat",
    TcpSetWindowClamp = "tcp_set_window_clamp",
    InetCskAccept = "inet_csk_accept",
    TcpClose = "__tcp_close",
    SkStreamKillQueues = "sk_stream_kill_queues",
    TcpReset = "tcp_reset",
    ProcDoTcpMem = "proc_doulongvec_minmax",
    // charge and reclaim
    SkWmemSchedule = "sk_wmem_schedule",
    SkRmemSchedule = "sk_rmem_schedule",
    SkMemSchedule = "__sk_mem_schedule",
    SkMemRaiseAllocated = "__sk_mem_raise_allocated",
    SkMemReduceAllocated = "__sk_mem_reduce_allocated",
    SkForcedMemSchedule = "sk_forced_mem_schedule",
    TcpWmemSchedule = "tcp_wmem_schedule",
    SkMemCharge = "sk_mem_charge",
    SkMemUncharge = "sk_mem_uncharge",
    SkMemReclaim = "sk_mem_reclaim",
    SkMemReclaimPartial = "sk_mem_reclaim_partial",
    SkMemReclaimBytes = "__sk_mem_reclaim",
    SkMemoryAllocatedAdd = "sk_memory_allocated_add",
    SkMemoryAllocatedSub = "sk_memory_allocated_sub",
    TcpEnterMemoryPressure = "tcp_enter_memory_pressure",
    TcpLeaveMemoryPressure = "tcp_leave_memory_pressure",
    MemCgroupChargeSkmem = "mem_cgroup_charge_skmem",
    MemCgroupUnchargeSkmem = "mem_cgroup_uncharge_skmem",
    // transmit
    TcpSendmsg = "tcp_sendmsg_locked",
    TcpSkbEntail = "tcp_skb_entail",
    TcpRemoveEmptySkb = "tcp_remove_empty_skb",
    ForcedPush = "forced_push",
    TcpSyncMss = "tcp_sync_mss",
    TcpTsoAutosize = "tcp_tso_autosize",
    TcpWmemFreeSkb = "tcp_wmem_free_skb",
    TcpWriteQueuePurge = "tcp_write_queue_purge",
    TcpCwndValidate = "tcp_cwnd_validate",
    TcpCwndApplicationLimited = "tcp_cwnd_application_limited",
    TcpIsCwndLimited = "tcp_is_cwnd_limited",
    TcpAckUpdateWindow = "tcp_ack_update_window",
    TcpAckProbe = "tcp_ack_probe",
    TcpProcessLoss = "tcp_process_loss",
    TcpUndoCwndReduction = "tcp_undo_cwnd_reduction",
    TcpXmitRetransmitQueue = "tcp_xmit_retransmit_queue",
    TcpRetransTryCollapse = "tcp_retrans_try_collapse",
    TcpSendProbe0 = "tcp_send_probe0",
    TcpCheckOom = "tcp_check_oom",
    TcpWriteTimeout = "tcp_write_timeout",
    TcpStreamAllocSkb = "tcp_stream_alloc_skb",
    TcpXmitSizeGoal = "tcp_xmit_size_goal",
    SkStreamMemoryFree = "sk_stream_memory_free",
    SkStreamModerateSndbuf = "sk_stream_moderate_sndbuf",
    TcpShouldExpandSndbuf = "tcp_should_expand_sndbuf",
    TcpSndbufExpand = "tcp_sndbuf_expand",
    TcpNewSpace = "tcp_new_space",
    TcpWriteXmit = "tcp_write_xmit",
    TcpCwndTest = "tcp_cwnd_test",
    TcpSndWndTest = "tcp_snd_wnd_test",
    TcpNagleTest = "tcp_nagle_test",
    TcpMssSplitPoint = "tcp_mss_split_point",
    TcpTsoShouldDefer = "tcp_tso_should_defer",
    TcpGrowSkb = "tcp_grow_skb",
    TsoFragment = "tso_fragment",
    TcpFragment = "tcp_fragment",
    TcpEventNewDataSent = "tcp_event_new_data_sent",
    TcpAck = "tcp_ack",
    TcpCleanRtxQueue = "tcp_clean_rtx_queue",
    TcpTrimHead = "tcp_trim_head",
    TcpCongAvoid = "tcp_reno_cong_avoid",
    TcpCwndRestart = "tcp_cwnd_restart",
    TcpRetransmitTimer = "tcp_retransmit_timer",
    TcpRetransmitSkb = "tcp_retransmit_skb",
    TcpEnterLoss = "tcp_enter_loss",
    TcpProbeTimer = "tcp_probe_timer",
    TcpWriteWakeup = "tcp_write_wakeup",
    TcpWriteTimerHandler = "tcp_write_timer_handler",
    TcpConnect = "tcp_connect",
    TcpSendFin = "tcp_send_fin",
    // receive
    TcpSelectInitialWindow = "tcp_select_initial_window",
    TcpInitBufferSpace = "tcp_init_buffer_space",
    TcpRcvEstablished = "tcp_rcv_established",
    TcpSequence = "tcp_sequence",
    TcpDataQueue = "tcp_data_queue",
    TcpDataQueueOfo = "tcp_data_queue_ofo",
    TcpOfoQueue = "tcp_ofo_queue",
    TcpTryRmemSchedule = "tcp_try_rmem_schedule",
    TcpQueueRcv = "tcp_queue_rcv",
    TcpTryCoalesce = "tcp_try_coalesce",
    TcpPruneQueue = "tcp_prune_queue",
    TcpPruneOfoQueue = "tcp_prune_ofo_queue",
    TcpCollapse = "tcp_collapse",
    TcpClampWindow = "tcp_clamp_window",
    TcpMeasureRcvMss = "tcp_measure_rcv_mss",
    TcpRcvRttUpdate = "tcp_rcv_rtt_update",
    TcpEventDataRecv = "tcp_event_data_recv",
    TcpGrowWindow = "tcp_grow_window",
    TcpAdjustRcvSsthresh = "tcp_adjust_rcv_ssthresh",
    TcpSelectWindow = "__tcp_select_window",
    TcpAckSndCheck = "__tcp_ack_snd_check",
    TcpSendAck = "tcp_send_ack",
    TcpSendDelayedAck = "tcp_send_delayed_ack",
    TcpDelackTimerHandler = "tcp_delack_timer_handler",
    TcpRecvmsg = "tcp_recvmsg_locked",
    TcpCleanupRbuf = "tcp_cleanup_rbuf",
    TcpRcvSpaceAdjust = "tcp_rcv_space_adjust",
    SockRfree = "sock_rfree",
    UdpEnqueueScheduleSkb = "__udp_enqueue_schedule_skb",
    UdpRmemRelease = "udp_rmem_release",
    UdpSendmsg = "udp_sendmsg",
}

/// What a number in a comparison stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Term {
    /// A field of the socket or the machine.
    Field(Field),
    /// The size asked for, bytes.
    Size,
    /// Pages asked for or given back.
    Pages,
    /// What can be given back, bytes: forward alloc above the unused reserve.
    Reclaimable,
    /// The reserved bytes that no queued skb uses.
    UnusedReserved,
    /// One page, bytes.
    PageSize,
    /// The threshold of a reclaim policy, bytes.
    ReclaimThreshold,
    /// `tcp_mem` or `udp_mem`: 0 min, 1 pressure, 2 max, pages.
    MemLimit(u8),
    /// `tcp_rmem` or `tcp_wmem`: 0 min, 1 default, 2 max, bytes.
    BufLimit(u8),
    /// `sysctl_rmem_max` or `wmem_max`, bytes.
    OptMax,
    /// `memory.max`, pages.
    MemcgMax,
    /// `mem_pcpu_rsv`, pages.
    PcpuRsv,
    /// Pages x approximate number of sockets.
    FairShare,
    /// wmem_queued + the size asked for, bytes.
    QueuedPlusSize,
    /// Bytes not yet sent.
    Notsent,
    /// Payload of a segment, bytes.
    Len,
    /// A truesize, bytes.
    Truesize,
    /// Free receive room as payload, bytes (`tcp_space`).
    Space,
    /// All receive room as payload, bytes (`tcp_full_space`).
    FullSpace,
    /// A window to offer, bytes.
    Window,
    /// A sequence number, bytes since the connection began.
    Seq,
    /// Packets in flight.
    InFlight,
    /// Packets that may be sent now.
    Quota,
    /// The maximum segment size, bytes.
    Mss,
    /// The size goal of one skb, bytes.
    SizeGoal,
    /// Bytes received and not acknowledged.
    UnackedBytes,
    /// Immediate ACKs left (`icsk_ack.quick`).
    QuickAcks,
    /// Time, microseconds.
    Time,
    /// Bytes copied to the reader in the measured time.
    Copied,
    /// A fixed number of the rule.
    Constant,
    /// A value passed by the caller.
    Argument,
    /// Which policy of the profile applies.
    Policy,
}

impl Term {
    /// This term as one side of a comparison.
    pub const fn of(self, value: i64) -> Operand {
        Operand { term: self, value }
    }
}

/// One side of a comparison: a number and what it stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Operand {
    /// What it stands for.
    pub term: Term,
    /// The number.
    pub value: i64,
}

/// How two numbers are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)] // the variants are their own documentation
pub enum Cmp {
    Lt,
    Le,
    Eq,
    Ne,
    Ge,
    Gt,
}

impl Cmp {
    /// The outcome.
    pub const fn test(self, lhs: i64, rhs: i64) -> bool {
        match self {
            Self::Lt => lhs < rhs,
            Self::Le => lhs <= rhs,
            Self::Eq => lhs == rhs,
            Self::Ne => lhs != rhs,
            Self::Ge => lhs >= rhs,
            Self::Gt => lhs > rhs,
        }
    }
}

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
