//! What the recordings hold and the model does not claim: each field by name, with the reason.
//!
//! The list only shrinks: a test holds it to what stands here, and none of the fields a replay is judged on may be
//! in it.

/// Field paths with `*` for a socket's name, and why the model has no such number.
pub const NOT_MODELLED: [(&str, &str); 12] = [
    ("global.protocols_sockets", "sockets in /proc/net/protocols: a count of sockets, not of memory"),
    ("global.sock_size", "size of the kernel's socket structure: a build fact that no rule reads"),
    ("global.tcp_inuse", "hashed sockets of /proc/net/sockstat: a count of sockets, not of memory"),
    ("global.tcp_orphan", "orphans of /proc/net/sockstat: a count of sockets, not of memory"),
    ("global.tcp_sockets", "allocated sockets of /proc/net/sockstat: a count of sockets, not of memory"),
    ("global.tcp_tw", "TIME-WAIT sockets hold no socket memory"),
    ("socks.*.optmem", "option memory (sk_omem_alloc): no operation of the vocabulary uses it"),
    ("socks.*.peer.pkts", "all packets with SYN, FIN and RST: the model's wire shows data and ACKs"),
    ("socks.*.peer.rsts", "RSTs: the model's wire shows data and ACKs"),
    ("socks.*.tcp.rcv_ooopack", "a statistic of out-of-order packets that no rule reads"),
    (
        "socks.*.tcp.sacked",
        "selectively acknowledged packets: the peer never does; on a listener, the backlog's size",
    ),
    ("socks.*.tun", "packet by packet listing of the first packets only; their totals in `peer` are compared"),
];

/// Why a field is not modelled, if it is not. `field` is a path with `*` for the socket's name.
pub fn reason(field: &str) -> Option<&'static str> {
    NOT_MODELLED.iter().find(|(name, _)| *name == field).map(|(_, reason)| *reason)
}
