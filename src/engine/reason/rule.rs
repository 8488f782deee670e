//! The kernel functions that decide, by their exact names.

use serde::{Deserialize, Serialize};

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
