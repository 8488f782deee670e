//! The send buffer: cut when memory is refused, grown when it limits a sender.

use super::pressure::check_pressure;
use super::reclaim::sk_unused_reserved_mem;
use super::truesize::{SHARED_INFO, SKB, SOCK_MIN_SNDBUF};
use crate::engine::ledger::Ledger;
use crate::engine::profile::Profile;
use crate::engine::reason::{Cmp, Field, Rule, Term};
use crate::engine::sock::SockId;
use crate::engine::units::{Bytes, pow2_roundup};

/// Cuts the send buffer of a writer that was refused memory.
//= include/net/sock.h sk_stream_moderate_sndbuf @ 5.10 6.1 6.12 7.3
//# Half of what is queued, but from 5.16 on not below the unused reserve, and never below the minimum. A locked buffer
//# stays.
pub fn sk_stream_moderate_sndbuf(l: &mut Ledger, id: SockId) {
    let sock = l.sk(id);
    let locked = i64::from(sock.sndbuf_locked());
    if l.check(Rule::SkStreamModerateSndbuf, Field::BufLock.of(locked), Cmp::Ne, Term::Constant.of(0)) {
        return;
    }
    let sock = l.sk(id);
    let mut value = sock.sndbuf().0.min(sock.wmem_queued().0 >> 1);
    if l.machine().profile().reserve.sndbuf {
        value = value.max(sk_unused_reserved_mem(l, id).0);
    }
    l.set(Rule::SkStreamModerateSndbuf, id, Field::Sndbuf, value.max(SOCK_MIN_SNDBUF));
}

/// Whether a sender that filled its buffer deserves a larger one.
//= net/ipv4/tcp_input.c tcp_should_expand_sndbuf @ 5.10 6.1 6.12 7.3
//# Not when locked; not under pressure (where, from 5.16 on, the buffer is set to the unused reserve if that is above
//# the minimum); not when the protocol is at its lowest mark; not when the congestion window is full.
pub fn tcp_should_expand_sndbuf(l: &mut Ledger, id: SockId) -> bool {
    let rule = Rule::TcpShouldExpandSndbuf;
    let locked = i64::from(l.sk(id).sndbuf_locked());
    if l.check(rule, Field::BufLock.of(locked), Cmp::Ne, Term::Constant.of(0)) {
        return false;
    }
    if check_pressure(l, id, rule) {
        if l.machine().profile().reserve.sndbuf {
            let unused = sk_unused_reserved_mem(l, id);
            if l.check(rule, Term::UnusedReserved.of(unused.0), Cmp::Gt, Term::Constant.of(SOCK_MIN_SNDBUF)) {
                l.set(rule, id, Field::Sndbuf, unused.0);
            }
        }
        return false;
    }
    let allocated = l.machine().tcp.read();
    let min = l.machine().sysctls().tcp_mem[0];
    if l.check(rule, Field::MemoryAllocated.of(allocated.0), Cmp::Ge, Term::MemLimit(0).of(min)) {
        return false;
    }
    let in_flight = super::in_flight(l.sk(id));
    let cwnd = l.get(id, Field::Cwnd);
    l.check(rule, Term::InFlight.of(in_flight), Cmp::Lt, Field::Cwnd.of(cwnd))
}

/// Grows the send buffer to what the congestion window needs, up to `tcp_wmem[2]`.
//= net/ipv4/tcp_input.c tcp_sndbuf_expand @ 5.10 6.1 6.12 7.3
//# Room for twice the congestion window (at least ten packets), each packet with its head rounded to a power of two.
pub fn tcp_sndbuf_expand(l: &mut Ledger, id: SockId) {
    let sock = l.sk(id);
    let mss = sock.tx.mss_clamp.max(sock.tx.mss_cache);
    let header = Profile::max_tcp_header(l.machine().setup().build);
    let per_mss = pow2_roundup(mss + header + SHARED_INFO) + SKB;
    let reordering = 3;
    let segments = sock.get(Field::Cwnd).max(10).max(reordering + 1);
    let wanted = 2 * segments * per_mss;
    let sndbuf = sock.sndbuf();
    if l.check(Rule::TcpSndbufExpand, Term::Size.of(wanted), Cmp::Gt, Field::Sndbuf.of(sndbuf.0)) {
        let max = l.machine().sysctls().tcp_wmem[2];
        l.set(Rule::TcpSndbufExpand, id, Field::Sndbuf, wanted.min(max));
    }
}

/// Whether a writer may start another skb.
//= include/net/sock.h sk_stream_memory_free @ 5.10 6.1 6.12 7.3
//# Queued truesize must be below the buffer. (`tcp_notsent_lowat` is unlimited here.)
pub fn sk_stream_memory_free(l: &mut Ledger, id: SockId) -> bool {
    let sock = l.sk(id);
    let (queued, sndbuf): (Bytes, Bytes) = (sock.wmem_queued(), sock.sndbuf());
    l.check(Rule::SkStreamMemoryFree, Field::WmemQueued.of(queued.0), Cmp::Lt, Field::Sndbuf.of(sndbuf.0))
}

/// Tells a waiting writer that there is room, if there is enough.
//= net/core/stream.c sk_stream_write_space @ 5.10 6.1 6.12 7.3
//# A writer is woken when a third of the buffer is free, not earlier; then it is no longer marked as waiting.
pub fn sk_stream_write_space(l: &mut Ledger, id: SockId) {
    let sock = l.sk(id);
    if !sock.tx.nospace {
        return;
    }
    let queued = sock.wmem_queued().0;
    let free = sock.sndbuf().0 - queued;
    if free >= queued >> 1 && queued < sock.sndbuf().0 {
        l.sk_mut(id).tx.nospace = false;
    }
}
