//! Tracked fields.

use super::{Entry, entry};
use crate::engine::reason::Field;
use crate::explain::terms::field_unit;

/// The entry of a tracked field.
pub const fn field(field: Field) -> Entry {
    let (kernel, source, sentence) = words(field);
    entry(field.name(), kernel, field_unit(field), source, sentence)
}

macro_rules! table {
    ($($field:ident $kernel:literal $source:literal $sentence:literal;)*) => {
        const fn words(field: Field) -> (&'static str, &'static str, &'static str) {
            match field { $(Field::$field => ($kernel, $source, $sentence),)* }
        }
    };
}

table! {
    FwdAlloc "sk_forward_alloc" "include/net/sock.h sk_mem_charge"
        "Bytes this socket has bought from the protocol in whole pages and not yet attached to a packet.";
    WmemQueued "sk_wmem_queued" "net/ipv4/tcp.c tcp_skb_entail"
        "Truesize of everything in the send and retransmit queues; it falls when data is acknowledged.";
    RmemAlloc "sk_rmem_alloc" "include/net/sock.h skb_set_owner_r"
        "Truesize of everything received and not yet read, out-of-order packets included.";
    Reserved "sk_reserved_mem" "net/core/sock.c sock_reserve_memory"
        "Bytes bought ahead with SO_RESERVE_MEM; a reclaim leaves what no packet uses of them.";
    Sndbuf "sk_sndbuf" "net/core/sock.c sk_setsockopt"
        "The truesize at which a writer has to wait.";
    Rcvbuf "sk_rcvbuf" "net/core/sock.c __sock_set_rcvbuf"
        "The truesize at which arriving data is no longer queued.";
    BufLock "sk_userlocks" "net/core/sock.c sk_setsockopt"
        "Which buffers autotuning must leave alone: 1 the send buffer, 2 the receive buffer, 3 both.";
    Drops "sk_drops" "include/net/sock.h sk_drops_add"
        "Packets this socket has thrown away.";
    RcvLowat "sk_rcvlowat" "net/ipv4/tcp.c tcp_set_rcvlowat"
        "How many bytes must wait before a reader is woken.";
    WindowClamp "window_clamp" "net/ipv4/tcp.c tcp_set_window_clamp"
        "The largest window this socket will ever offer.";
    RcvSsthresh "rcv_ssthresh" "net/ipv4/tcp_input.c tcp_grow_window"
        "The largest window offered now; it grows as long as segments carry enough payload for their cost.";
    RcvWnd "rcv_wnd" "net/ipv4/tcp_output.c tcp_select_window"
        "The window offered last: how much the peer may send.";
    RcvSpace "rcvq_space.space" "net/ipv4/tcp_input.c tcp_rcv_space_adjust"
        "Bytes the application read in the last round trip; autotuning sizes the receive buffer by it.";
    RcvMss "icsk_ack.rcv_mss" "net/ipv4/tcp_input.c tcp_measure_rcv_mss"
        "The peer's segment size as measured here; it decides when an ACK is due.";
    ScalingRatio "scaling_ratio" "net/ipv4/tcp_input.c tcp_measure_rcv_mss"
        "The measured share of payload in truesize, in 256ths: how much window a byte of buffer makes.";
    RcvWscale "rx_opt.rcv_wscale" "net/ipv4/tcp_output.c tcp_select_initial_window"
        "How far our window is shifted on the wire; chosen once, when the connection begins.";
    SndWscale "rx_opt.snd_wscale" "net/ipv4/tcp_input.c tcp_parse_options"
        "How far the peer's window is shifted on the wire.";
    Advmss "advmss" "net/ipv4/tcp_output.c tcp_connect_init"
        "The segment size this socket announces.";
    SndWnd "snd_wnd" "net/ipv4/tcp_input.c tcp_ack_update_window"
        "The window the peer offers: how much may be sent.";
    Cwnd "snd_cwnd" "net/ipv4/tcp_cong.c tcp_reno_cong_avoid"
        "How many packets congestion control lets out at once.";
    SndSsthresh "snd_ssthresh" "net/ipv4/tcp_input.c tcp_enter_loss"
        "Where slow start ends, in packets.";
    Unacked "packets_out" "net/ipv4/tcp_output.c tcp_event_new_data_sent"
        "Packets sent and not yet acknowledged.";
    MemoryAllocated "memory_allocated" "include/net/proto_memory.h sk_memory_allocated_add"
        "Pages all sockets of the protocol have bought, as the limits see it; from 6.0 on CPUs hold some back.";
    PcpuFwAlloc "per_cpu_fw_alloc" "include/net/proto_memory.h sk_memory_allocated_add"
        "Pages bought or returned on this CPU and not yet added to memory_allocated.";
    Pressure "tcp_memory_pressure" "net/ipv4/tcp.c tcp_enter_memory_pressure"
        "On while TCP is short of memory: it starts above tcp_mem[1] and ends at or below tcp_mem[0].";
    MemcgSock "MEMCG_SOCK" "mm/memcontrol.c mem_cgroup_charge_skmem"
        "Pages charged to the memory cgroup for its sockets.";
    MemcgStock "memcg_stock_pcp.nr_pages" "mm/memcontrol.c refill_stock"
        "Pages of a memory cgroup that are paid for and wait on this CPU.";
}
