//! The numbers that change only through the ledger.

use super::{Operand, Term};
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
