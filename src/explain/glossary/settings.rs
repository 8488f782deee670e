//! Socket options and sysctls.

use super::{Entry, entry};
use crate::engine::op::{SockOpt, SysctlKey};
use crate::explain::numbers::Unit;

/// The entry of a socket option.
pub const fn option(option: SockOpt) -> Entry {
    let (unit, source, sentence) = option_words(option);
    entry(option.name(), option.name(), unit, source, sentence)
}

#[rustfmt::skip] // a table
const fn option_words(option: SockOpt) -> (Unit, &'static str, &'static str) {
    match option {
        SockOpt::SO_SNDBUF => (Unit::Bytes, "net/core/sock.c sk_setsockopt",
            "Sets the send buffer: the value is cut at wmem_max and doubled, and autotuning is locked out."),
        SockOpt::SO_SNDBUFFORCE => (Unit::Bytes, "net/core/sock.c sk_setsockopt",
            "As SO_SNDBUF, but wmem_max does not apply; needs CAP_NET_ADMIN."),
        SockOpt::SO_RCVBUF => (Unit::Bytes, "net/core/sock.c sk_setsockopt",
            "Sets the receive buffer: the value is cut at rmem_max and doubled, and autotuning is locked out."),
        SockOpt::SO_RCVBUFFORCE => (Unit::Bytes, "net/core/sock.c sk_setsockopt",
            "As SO_RCVBUF, but rmem_max does not apply; needs CAP_NET_ADMIN."),
        SockOpt::SO_BUF_LOCK => (Unit::Count, "net/core/sock.c sk_setsockopt",
            "Locks or unlocks the buffers against autotuning: 1 send, 2 receive."),
        SockOpt::SO_RESERVE_MEM => (Unit::Bytes, "net/core/sock.c sk_setsockopt",
            "Buys memory ahead for this socket, in whole pages; it must have a memory cgroup."),
        SockOpt::SO_RCVLOWAT => (Unit::Bytes, "net/ipv4/tcp.c tcp_set_rcvlowat",
            "How many bytes must wait before a reader is woken; an unlocked buffer grows to hold them."),
        SockOpt::TCP_NODELAY => (Unit::Flag, "net/ipv4/tcp.c __tcp_sock_set_nodelay",
            "Sends small segments at once instead of waiting for an ACK."),
        SockOpt::TCP_WINDOW_CLAMP => (Unit::Bytes, "net/ipv4/tcp.c tcp_set_window_clamp",
            "The largest window this socket will offer."),
    }
}

/// The entry of a sysctl.
pub const fn sysctl(key: SysctlKey) -> Entry {
    let (unit, source, sentence) = sysctl_words(key);
    entry(key.name(), key.name(), unit, source, sentence)
}

#[rustfmt::skip] // a table
const fn sysctl_words(key: SysctlKey) -> (Unit, &'static str, &'static str) {
    match key {
        SysctlKey::TcpMem => (Unit::Pages, "net/ipv4/tcp.c sysctl_tcp_mem",
            "Marks for the memory of all TCP sockets together: min, pressure, max."),
        SysctlKey::TcpRmem => (Unit::Bytes, "net/ipv4/tcp.c tcp_init_sock",
            "A TCP receive buffer: guaranteed, at the start, largest by autotuning."),
        SysctlKey::TcpWmem => (Unit::Bytes, "net/ipv4/tcp.c tcp_init_sock",
            "A TCP send buffer: guaranteed, at the start, largest by autotuning."),
        SysctlKey::UdpMem => (Unit::Pages, "net/ipv4/udp.c sysctl_udp_mem",
            "Marks for the memory of all UDP sockets together; only the first has an effect."),
        SysctlKey::UdpRmemMin => (Unit::Bytes, "net/ipv4/udp.c __udp_enqueue_schedule_skb",
            "What every UDP socket may queue even above udp_mem[0]."),
        SysctlKey::RmemMax => (Unit::Bytes, "net/core/sock.c sk_setsockopt",
            "The largest value SO_RCVBUF takes, before it is doubled."),
        SysctlKey::WmemMax => (Unit::Bytes, "net/core/sock.c sk_setsockopt",
            "The largest value SO_SNDBUF takes, before it is doubled."),
        SysctlKey::RmemDefault => (Unit::Bytes, "net/core/sock.c sock_init_data",
            "The receive buffer of a new socket other than TCP."),
        SysctlKey::WmemDefault => (Unit::Bytes, "net/core/sock.c sock_init_data",
            "The send buffer of a new socket other than TCP."),
        SysctlKey::MemPcpuRsv => (Unit::Pages, "include/net/proto_memory.h sk_memory_allocated_add",
            "How many pages a CPU may hold back from the global counter."),
        SysctlKey::BypassProtMem => (Unit::Flag, "net/core/sock.c sk_alloc",
            "New sockets are charged to their memory cgroup alone, not to the protocol."),
        SysctlKey::TcpAdvWinScale => (Unit::Bits, "include/net/tcp.h tcp_win_from_space",
            "The share of the receive buffer kept for overhead, before 6.6: 1 means half."),
        SysctlKey::TcpModerateRcvbuf => (Unit::Flag, "net/ipv4/tcp_input.c tcp_rcv_space_adjust",
            "Autotuning of receive buffers."),
        SysctlKey::TcpAppWin => (Unit::Bits, "net/ipv4/tcp_input.c tcp_init_buffer_space",
            "The share of a new window kept for the application."),
        SysctlKey::TcpShrinkWindow => (Unit::Flag, "net/ipv4/tcp_output.c __tcp_select_window",
            "Lets an offered window be taken back when memory is short."),
        SysctlKey::TcpWindowScaling => (Unit::Flag, "net/ipv4/tcp_output.c tcp_syn_options",
            "Offers window scaling; without it no window exceeds 65,535 bytes."),
        SysctlKey::TcpRcvbufLowRtt => (Unit::Micros, "net/ipv4/tcp_input.c tcp_rcvbuf_grow",
            "Below this round trip time receive buffers grow more slowly."),
        SysctlKey::TcpNoMetricsSave => (Unit::Flag, "net/ipv4/tcp_metrics.c tcp_update_metrics",
            "Nothing is remembered from one connection to the next; always 1 here."),
        SysctlKey::HighOrderAllocDisable => (Unit::Flag, "net/core/sock.c skb_page_frag_refill",
            "Packet memory in single pages only; always 0 here."),
        SysctlKey::TcpCongestionControl => (Unit::Count, "net/ipv4/tcp_cong.c tcp_init_congestion_control",
            "The congestion control; always reno here, as recorded."),
    }
}
