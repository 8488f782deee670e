//! Fields of recordings that the ledger does not track: by their name there.

use super::{Entry, counter, entry, field};
use crate::engine::reason::Field;
use crate::engine::snmp::Counter;
use crate::explain::numbers::Unit::{Bits, Bytes, Count, Packets, Pages};

/// Tracked fields, which recordings name as [`Field::name`] does.
#[rustfmt::skip]
const TRACKED: [Field; 27] = [
    Field::FwdAlloc, Field::WmemQueued, Field::RmemAlloc, Field::Reserved, Field::Sndbuf, Field::Rcvbuf,
    Field::BufLock, Field::Drops, Field::RcvLowat, Field::WindowClamp, Field::RcvSsthresh, Field::RcvWnd,
    Field::RcvSpace, Field::RcvMss, Field::ScalingRatio, Field::RcvWscale, Field::SndWscale, Field::Advmss,
    Field::SndWnd, Field::Cwnd, Field::SndSsthresh, Field::Unacked, Field::MemoryAllocated,
    Field::PcpuFwAlloc, Field::Pressure, Field::MemcgSock, Field::MemcgStock,
];

/// What recordings hold besides.
#[rustfmt::skip] // a table
pub const RECORDED: [Entry; 29] = [
    entry("wmem_alloc", "sk_wmem_alloc", Bytes, "net/core/sock.c skb_set_owner_w",
        "Truesize of packets handed to the device and not yet sent; the recorded device takes them at once."),
    entry("backlog", "sk_backlog.len", Bytes, "include/net/sock.h sk_add_backlog",
        "Truesize of packets that arrived while the socket was in use by its task."),
    entry("optmem", "sk_omem_alloc", Bytes, "net/core/sock.c sock_kmalloc",
        "Memory for socket options and filters."),
    entry("SO_RCVBUF", "sk_rcvbuf", Bytes, "net/core/sock.c sk_getsockopt",
        "What getsockopt reads: the doubled receive buffer."),
    entry("SO_SNDBUF", "sk_sndbuf", Bytes, "net/core/sock.c sk_getsockopt",
        "What getsockopt reads: the doubled send buffer."),
    entry("inq", "SIOCINQ", Bytes, "net/ipv4/tcp.c tcp_ioctl",
        "Bytes received in order and not yet read; for UDP the size of the first datagram."),
    entry("outq", "SIOCOUTQ", Bytes, "net/ipv4/tcp.c tcp_ioctl",
        "Bytes written and not yet acknowledged."),
    entry("outq_nsd", "SIOCOUTQNSD", Bytes, "net/ipv4/tcp.c tcp_ioctl",
        "Bytes written and not yet sent."),
    entry("tcp.notsent", "tcpi_notsent_bytes", Bytes, "net/ipv4/tcp.c tcp_get_info",
        "Bytes written and not yet sent."),
    entry("tcp.snd_mss", "tcpi_snd_mss", Bytes, "net/ipv4/tcp.c tcp_get_info",
        "The segment size used for sending."),
    entry("tcp.state", "sk_state", Count, "net/ipv4/tcp.c tcp_set_state",
        "The state of the connection: 1 established, 7 closed, 10 listening."),
    entry("peer.adv_win", "th->window << rcv_wscale", Bytes, "net/ipv4/tcp_output.c tcp_select_window",
        "The window the peer saw last."),
    entry("peer.adv_win_raw", "th->window", Count, "net/ipv4/tcp_output.c __tcp_transmit_skb",
        "The 16-bit window field of the last packet."),
    entry("peer.k_acked", "rcv_nxt", Bytes, "net/ipv4/tcp_output.c tcp_send_ack",
        "Bytes of the peer that this kernel has acknowledged."),
    entry("peer.k_sent", "snd_nxt", Bytes, "net/ipv4/tcp_output.c tcp_event_new_data_sent",
        "Bytes this kernel has sent."),
    entry("peer.r_sent", "the peer's snd_nxt", Bytes, "the other end of the wire",
        "Bytes the peer has sent."),
    entry("peer.r_acked", "snd_una", Bytes, "net/ipv4/tcp_input.c tcp_ack",
        "Bytes of this kernel that the peer has acknowledged."),
    entry("syn.win", "th->window", Bytes, "net/ipv4/tcp_output.c tcp_connect",
        "The window of the SYN, never scaled."),
    entry("syn.wscale", "TCPOPT_WINDOW", Bits, "net/ipv4/tcp_output.c tcp_syn_options",
        "The window scale the SYN offers."),
    entry("syn.mss", "TCPOPT_MSS", Bytes, "net/ipv4/tcp_output.c tcp_syn_options",
        "The segment size the SYN offers."),
    entry("global.tcp_mem_pages", "sockstat TCP mem", Pages, "net/ipv4/proc.c sockstat_seq_show",
        "What /proc/net/sockstat shows: the counter the limits read, never below 0."),
    entry("global.press", "tcp_memory_pressure", Count, "net/core/sock.c proto_seq_show",
        "Whether TCP is under memory pressure."),
    entry("global.k_memory_allocated", "tcp_memory_allocated", Pages, "net/ipv4/tcp.c tcp_memory_allocated",
        "The global counter of pages, as the limits see it."),
    entry("global.k_pcpu_fw_alloc", "tcp_memory_per_cpu_fw_alloc", Pages, "net/ipv4/tcp.c tcp_memory_per_cpu_fw_alloc",
        "Pages that CPUs hold back from the global counter (6.0 and later)."),
    entry("global.k_total_pages", "counter and CPU caches", Pages, "include/net/proto_memory.h sk_memory_allocated_add",
        "Pages really charged: the counter and what CPUs hold back."),
    entry("global.memcg_sock", "sock in memory.stat", Bytes, "mm/memcontrol.c memory_stat_format",
        "Bytes of the memory cgroup that belong to sockets, as it reports them."),
    entry("held", "pages held x page size", Bytes, "net/core/sock.c __sk_mem_raise_allocated",
        "Everything charged for a socket: credit, send queue and receive queue; always whole pages."),
    entry("calls_ok", "send(2), recv(2)", Count, "net/ipv4/tcp.c tcp_sendmsg_locked",
        "Calls that succeeded before one failed."),
    entry("segs", "segments sent by the peer", Packets, "the other end of the wire",
        "Segments the peer really sent."),
];

/// The entry of a name in recordings, tracked fields and counters included.
pub fn recorded(key: &str) -> Option<Entry> {
    let counters = Counter::ALL.iter().map(|c| counter(*c));
    let all = TRACKED.into_iter().map(field).chain(RECORDED).chain(counters);
    let short = key.strip_prefix("snmp.").unwrap_or(key);
    all.clone().find(|e| e.key == short).or_else(|| {
        let global = all.clone().find(|e| e.key.strip_prefix("global.") == Some(key));
        global.or_else(|| all.clone().find(|e| Some(e.key) == key.strip_prefix("global.")))
    })
}
