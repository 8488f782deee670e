//! Tracked fields.

use super::{Entry, entry};
use crate::engine::reason::Field;
use crate::explain::terms::field_unit;

/// The entry of a tracked field.
pub const fn field(field: Field) -> Entry {
    let (kernel, source, sentence) = words(field);
    entry(field.name(), kernel, field_unit(field), source, sentence)
}

const fn words(field: Field) -> (&'static str, &'static str, &'static str) {
    match field {
        Field::FwdAlloc => (
            "sk_forward_alloc",
            "include/net/sock.h sk_mem_charge",
            "Bytes this socket has bought from the protocol in whole pages and not yet attached to a packet.",
        ),
        Field::WmemQueued => (
            "sk_wmem_queued",
            "net/ipv4/tcp.c tcp_skb_entail",
            "Truesize of everything in the send and retransmit queues; it falls when data is acknowledged.",
        ),
        Field::RmemAlloc => (
            "sk_rmem_alloc",
            "include/net/sock.h skb_set_owner_r",
            "Truesize of everything received and not yet read, out-of-order packets included.",
        ),
        Field::Reserved => (
            "sk_reserved_mem",
            "net/core/sock.c sock_reserve_memory",
            "Bytes bought ahead with SO_RESERVE_MEM; a reclaim leaves what no packet uses of them.",
        ),
        Field::Sndbuf => (
            "sk_sndbuf",
            "net/core/sock.c sk_setsockopt",
            "The truesize at which a writer has to wait.",
        ),
        Field::Rcvbuf => (
            "sk_rcvbuf",
            "net/core/sock.c __sock_set_rcvbuf",
            "The truesize at which arriving data is no longer queued.",
        ),
        Field::BufLock => (
            "sk_userlocks",
            "net/core/sock.c sk_setsockopt",
            "Which buffers autotuning must leave alone: 1 the send buffer, 2 the receive buffer, 3 both.",
        ),
        Field::Drops => (
            "sk_drops",
            "include/net/sock.h sk_drops_add",
            "Packets this socket has thrown away.",
        ),
        Field::RcvLowat => (
            "sk_rcvlowat",
            "net/ipv4/tcp.c tcp_set_rcvlowat",
            "How many bytes must wait before a reader is woken.",
        ),
        Field::WindowClamp => (
            "window_clamp",
            "net/ipv4/tcp.c tcp_set_window_clamp",
            "The largest window this socket will ever offer.",
        ),
        Field::RcvSsthresh => (
            "rcv_ssthresh",
            "net/ipv4/tcp_input.c tcp_grow_window",
            "The largest window offered now; it grows as long as segments carry enough payload for their cost.",
        ),
        Field::RcvWnd => (
            "rcv_wnd",
            "net/ipv4/tcp_output.c tcp_select_window",
            "The window offered last: how much the peer may send.",
        ),
        Field::RcvSpace => (
            "rcvq_space.space",
            "net/ipv4/tcp_input.c tcp_rcv_space_adjust",
            "Bytes the application read in the last round trip; autotuning sizes the receive buffer by it.",
        ),
        Field::RcvMss => (
            "icsk_ack.rcv_mss",
            "net/ipv4/tcp_input.c tcp_measure_rcv_mss",
            "The peer's segment size as measured here; it decides when an ACK is due.",
        ),
        Field::ScalingRatio => (
            "scaling_ratio",
            "net/ipv4/tcp_input.c tcp_measure_rcv_mss",
            "The measured share of payload in truesize, in 256ths: how much window a byte of buffer makes.",
        ),
        Field::RcvWscale => (
            "rx_opt.rcv_wscale",
            "net/ipv4/tcp_output.c tcp_select_initial_window",
            "How far our window is shifted on the wire; chosen once, when the connection begins.",
        ),
        Field::SndWscale => (
            "rx_opt.snd_wscale",
            "net/ipv4/tcp_input.c tcp_parse_options",
            "How far the peer's window is shifted on the wire.",
        ),
        Field::Advmss => (
            "advmss",
            "net/ipv4/tcp_output.c tcp_connect_init",
            "The segment size this socket announces.",
        ),
        Field::SndWnd => (
            "snd_wnd",
            "net/ipv4/tcp_input.c tcp_ack_update_window",
            "The window the peer offers: how much may be sent.",
        ),
        Field::Cwnd => (
            "snd_cwnd",
            "net/ipv4/tcp_cong.c tcp_reno_cong_avoid",
            "How many packets congestion control lets out at once.",
        ),
        Field::SndSsthresh => (
            "snd_ssthresh",
            "net/ipv4/tcp_input.c tcp_enter_loss",
            "Where slow start ends, in packets.",
        ),
        Field::Unacked => (
            "packets_out",
            "net/ipv4/tcp_output.c tcp_event_new_data_sent",
            "Packets sent and not yet acknowledged.",
        ),
        Field::MemoryAllocated => (
            "memory_allocated",
            "include/net/proto_memory.h sk_memory_allocated_add",
            "Pages all sockets of the protocol have bought, as the limits see it; from 6.0 on it lags behind by what CPUs hold back.",
        ),
        Field::PcpuFwAlloc => (
            "per_cpu_fw_alloc",
            "include/net/proto_memory.h sk_memory_allocated_add",
            "Pages bought or returned on this CPU and not yet added to memory_allocated.",
        ),
        Field::Pressure => (
            "tcp_memory_pressure",
            "net/ipv4/tcp.c tcp_enter_memory_pressure",
            "On while TCP is short of memory: it starts above tcp_mem[1] and ends at or below tcp_mem[0].",
        ),
        Field::MemcgSock => (
            "MEMCG_SOCK",
            "mm/memcontrol.c mem_cgroup_charge_skmem",
            "Pages charged to the memory cgroup for its sockets.",
        ),
        Field::MemcgStock => (
            "memcg_stock_pcp.nr_pages",
            "mm/memcontrol.c refill_stock",
            "Pages of a memory cgroup that are paid for and wait on this CPU.",
        ),
    }
}
