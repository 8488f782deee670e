//! What numbers in a comparison stand for, in a few words.

use super::numbers::Unit;
use crate::engine::reason::{Field, Term};

/// The noun behind a number in an inequality: `20,000 needed <= 87,816 prepaid`.
pub const fn noun(term: Term) -> &'static str {
    match term {
        Term::Field(field) => field_noun(field),
        Term::Size => "needed",
        Term::Pages => "pages asked for",
        Term::Reclaimable => "free above the reserve",
        Term::UnusedReserved => "reserved and unused",
        Term::PageSize => "(one page)",
        Term::ReclaimThreshold => "(reclaim threshold)",
        Term::MemLimit(0) => "(min mark)",
        Term::MemLimit(1) => "(pressure mark)",
        Term::MemLimit(_) => "(max mark)",
        Term::BufLimit(0) => "(guaranteed minimum)",
        Term::BufLimit(1) => "(default size)",
        Term::BufLimit(_) => "(largest size)",
        Term::OptMax => "(option maximum)",
        Term::MemcgMax => "(memory.max)",
        Term::PcpuRsv => "(mem_pcpu_rsv)",
        Term::FairShare => "(pages held x sockets)",
        Term::QueuedPlusSize => "queued with this",
        Term::Notsent => "not yet sent",
        Term::Len => "payload",
        Term::Truesize => "truesize",
        Term::Space => "receive room",
        Term::FullSpace => "whole receive room",
        Term::Window => "window",
        Term::Seq => "sequence",
        Term::InFlight => "in flight",
        Term::Quota => "may leave now",
        Term::Mss => "(segment size)",
        Term::SizeGoal => "(size goal)",
        Term::UnackedBytes => "received, not acknowledged",
        Term::QuickAcks => "quick ACKs left",
        Term::Time => "elapsed",
        Term::Copied => "copied to the reader",
        Term::Constant => "",
        Term::Argument => "asked",
        Term::Policy => "(policy)",
    }
}

const fn field_noun(field: Field) -> &'static str {
    match field {
        Field::FwdAlloc => "prepaid",
        Field::WmemQueued => "in the send queue",
        Field::RmemAlloc => "in the receive queue",
        Field::Reserved => "reserved",
        Field::Sndbuf => "send buffer",
        Field::Rcvbuf => "receive buffer",
        Field::BufLock => "lock bits",
        Field::Drops => "drops",
        Field::RcvLowat => "low-water mark",
        Field::WindowClamp => "window clamp",
        Field::RcvSsthresh => "rcv_ssthresh",
        Field::RcvWnd => "window",
        Field::RcvSpace => "rcvq space",
        Field::RcvMss => "peer's segment size",
        Field::ScalingRatio => "scaling ratio",
        Field::RcvWscale => "our window scale",
        Field::SndWscale => "peer's window scale",
        Field::Advmss => "advertised segment size",
        Field::SndWnd => "peer's window",
        Field::Cwnd => "congestion window",
        Field::SndSsthresh => "snd_ssthresh",
        Field::Unacked => "not acknowledged",
        Field::MemoryAllocated => "pages counted",
        Field::PcpuFwAlloc => "pages in the CPU cache",
        Field::Pressure => "pressure",
        Field::MemcgSock => "pages in the memory cgroup",
        Field::MemcgStock => "pages in the cgroup's stock",
    }
}

/// The kernel's name of a field, shortened to what stands behind `sk_`, for `forward_alloc 87,816 -> 66,920`.
pub(super) const fn short_name(field: Field) -> &'static str {
    match field {
        Field::FwdAlloc => "forward_alloc",
        Field::WmemQueued => "wmem_queued",
        Field::RmemAlloc => "rmem_alloc",
        Field::Reserved => "reserved_mem",
        Field::Sndbuf => "sndbuf",
        Field::Rcvbuf => "rcvbuf",
        Field::BufLock => "userlocks",
        Field::Drops => "drops",
        Field::RcvLowat => "rcvlowat",
        Field::WindowClamp => "window_clamp",
        Field::RcvSsthresh => "rcv_ssthresh",
        Field::RcvWnd => "rcv_wnd",
        Field::RcvSpace => "rcvq_space.space",
        Field::RcvMss => "rcv_mss",
        Field::ScalingRatio => "scaling_ratio",
        Field::RcvWscale => "rcv_wscale",
        Field::SndWscale => "snd_wscale",
        Field::Advmss => "advmss",
        Field::SndWnd => "snd_wnd",
        Field::Cwnd => "snd_cwnd",
        Field::SndSsthresh => "snd_ssthresh",
        Field::Unacked => "packets_out",
        Field::MemoryAllocated => "memory_allocated",
        Field::PcpuFwAlloc => "per_cpu_fw_alloc",
        Field::Pressure => "memory_pressure",
        Field::MemcgSock => "memcg sock",
        Field::MemcgStock => "memcg stock",
    }
}

/// What a number counts.
pub const fn unit(term: Term) -> Unit {
    match term {
        Term::Field(field) => field_unit(field),
        Term::Size
        | Term::Reclaimable
        | Term::UnusedReserved
        | Term::PageSize
        | Term::ReclaimThreshold
        | Term::BufLimit(_)
        | Term::OptMax
        | Term::QueuedPlusSize
        | Term::Notsent
        | Term::Len
        | Term::Truesize
        | Term::Space
        | Term::FullSpace
        | Term::Window
        | Term::Mss
        | Term::SizeGoal
        | Term::UnackedBytes
        | Term::Copied => Unit::Bytes,
        Term::Pages | Term::MemLimit(_) | Term::MemcgMax | Term::PcpuRsv | Term::FairShare => Unit::Pages,
        Term::InFlight | Term::Quota => Unit::Packets,
        Term::Time => Unit::Micros,
        Term::Seq | Term::QuickAcks | Term::Constant | Term::Argument | Term::Policy => Unit::Count,
    }
}

pub(super) const fn field_unit(field: Field) -> Unit {
    match field {
        Field::FwdAlloc
        | Field::WmemQueued
        | Field::RmemAlloc
        | Field::Reserved
        | Field::Sndbuf
        | Field::Rcvbuf
        | Field::RcvLowat
        | Field::WindowClamp
        | Field::RcvSsthresh
        | Field::RcvWnd
        | Field::RcvSpace
        | Field::RcvMss
        | Field::Advmss
        | Field::SndWnd => Unit::Bytes,
        Field::Drops | Field::Cwnd | Field::SndSsthresh | Field::Unacked => Unit::Packets,
        Field::BufLock | Field::ScalingRatio => Unit::Count,
        Field::RcvWscale | Field::SndWscale => Unit::Bits,
        Field::MemoryAllocated | Field::PcpuFwAlloc | Field::MemcgSock | Field::MemcgStock => Unit::Pages,
        Field::Pressure => Unit::Flag,
    }
}
