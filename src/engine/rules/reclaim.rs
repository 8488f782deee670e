//! Giving credit back: from a socket's forward allocation to the protocol and the memory cgroup.

use super::memcg::mem_cgroup_uncharge_skmem;
use super::pressure::tcp_leave_memory_pressure;
use super::raise_allocated::sk_memory_allocated_sub;
use crate::engine::ledger::Ledger;
use crate::engine::op::Protocol;
use crate::engine::profile::{Reclaim, ReclaimPoints};
use crate::engine::reason::{Cmp, Field, Rule, Term};
use crate::engine::sock::SockId;
use crate::engine::units::{Bytes, Pages};

/// Reserved bytes that no queued skb uses.
//= include/net/sock.h sk_unused_reserved_mem @ 6.1 6.12 7.3
//# What is left of the reserve when everything queued, in both directions, is paid from it. Never below zero.
pub fn sk_unused_reserved_mem(l: &Ledger, id: SockId) -> Bytes {
    let sock = l.sk(id);
    if sock.reserved_mem() == Bytes::ZERO {
        return Bytes::ZERO;
    }
    (sock.reserved_mem() - sock.wmem_queued() - sock.rmem_alloc()).max(Bytes::ZERO)
}

/// Credit above the unused reserve: what a reclaim may look at.
fn reclaimable(l: &Ledger, id: SockId) -> Bytes {
    let floor = if l.machine().profile().reserve.accounting { sk_unused_reserved_mem(l, id) } else { Bytes::ZERO };
    l.sk(id).forward_alloc() - floor
}

/// Applies the era's policy after an uncharge.
//= include/net/sock.h sk_mem_uncharge @ 5.10 6.1 6.12 7.3
//# The bytes return to the credit. 5.10 then waits for 2 MiB and returns 1 MiB; from 6.0 on every whole page above
//# the unused reserve goes back at once. (The proposal of May 2023 kept 64 KiB.)
pub fn sk_mem_uncharge(l: &mut Ledger, id: SockId, size: Bytes) {
    l.add(Rule::SkMemUncharge, id, Field::FwdAlloc, size.0);
    match l.machine().profile().reclaim {
        Reclaim::Hoard { at, chunk } => {
            let free = reclaimable(l, id);
            if l.check(Rule::SkMemUncharge, Term::Reclaimable.of(free.0), Cmp::Ge, Term::ReclaimThreshold.of(at)) {
                sk_mem_reclaim_bytes(l, id, Bytes(chunk));
            }
        }
        Reclaim::EveryPage => sk_mem_reclaim(l, id),
        Reclaim::KeepUpTo { keep } => {
            let free = reclaimable(l, id);
            if l.check(Rule::SkMemUncharge, Term::Reclaimable.of(free.0), Cmp::Gt, Term::ReclaimThreshold.of(keep))
            {
                sk_mem_reclaim_bytes(l, id, free - Bytes(keep));
            }
        }
    }
}

/// Returns every whole page above the unused reserve.
//= include/net/sock.h sk_mem_reclaim @ 5.10 6.1 6.12 7.3
//# Nothing less than a page goes back.
pub fn sk_mem_reclaim(l: &mut Ledger, id: SockId) {
    let free = reclaimable(l, id);
    let page = l.machine().setup().page_size.bytes();
    if l.check(Rule::SkMemReclaim, Term::Reclaimable.of(free.0), Cmp::Ge, Term::PageSize.of(page.0)) {
        sk_mem_reclaim_bytes(l, id, free);
    }
}

/// As [`sk_mem_reclaim`], but leaves a full last page (5.10).
//= include/net/sock.h sk_mem_reclaim_partial @ 5.10
//# All whole pages of one byte less than the credit, so that exactly one page of credit stays.
pub fn sk_mem_reclaim_partial(l: &mut Ledger, id: SockId) {
    let free = reclaimable(l, id);
    let page = l.machine().setup().page_size.bytes();
    if l.check(Rule::SkMemReclaimPartial, Term::Reclaimable.of(free.0), Cmp::Gt, Term::PageSize.of(page.0)) {
        sk_mem_reclaim_bytes(l, id, free - Bytes(1));
    }
}

/// A place that reclaims only in kernels that hoard: timers, close, idle sockets.
pub fn reclaim_point(l: &mut Ledger, id: SockId) {
    if l.machine().profile().reclaim_points == ReclaimPoints::Timers {
        sk_mem_reclaim(l, id);
    }
}

/// As [`reclaim_point`], leaving a full last page.
pub fn reclaim_point_partial(l: &mut Ledger, id: SockId) {
    if l.machine().profile().reclaim_points == ReclaimPoints::Timers {
        sk_mem_reclaim_partial(l, id);
    }
}

/// The end of a socket: the reserve is dissolved first, then everything goes back.
//= include/net/sock.h sk_mem_reclaim_final @ 6.1 6.12 7.3
//# A socket that ends owns no reserve, so nothing holds its pages back.
pub fn sk_mem_reclaim_final(l: &mut Ledger, id: SockId) {
    l.set(Rule::SkStreamKillQueues, id, Field::Reserved, 0);
    sk_mem_reclaim(l, id);
}

/// Returns the whole pages inside `amount`.
//= net/core/sock.c __sk_mem_reclaim @ 5.10 6.1 6.12 7.3
//# Rounds down to pages; the credit, the memory cgroup and the protocol all shrink by them.
pub fn sk_mem_reclaim_bytes(l: &mut Ledger, id: SockId, amount: Bytes) {
    let page_size = l.machine().setup().page_size;
    let pages = page_size.pages_down(amount);
    l.add(Rule::SkMemReclaimBytes, id, Field::FwdAlloc, -page_size.bytes_of(pages).0);
    sk_mem_reduce_allocated(l, id, pages);
}

/// Takes `pages` off the memory cgroup and the protocol's counter; may end pressure.
//= net/core/sock.c __sk_mem_reduce_allocated @ 5.10 6.1 6.12 7.3
//# A bypassing socket touches the memory cgroup alone. Pressure ends here only strictly below the lowest mark.
pub fn sk_mem_reduce_allocated(l: &mut Ledger, id: SockId, pages: Pages) {
    mem_cgroup_uncharge_skmem(l, id, pages);
    if l.sk(id).bypass {
        return;
    }
    let kind = l.sk(id).kind;
    sk_memory_allocated_sub(l, kind, pages);
    leave_pressure_if_low(l, kind);
}

fn leave_pressure_if_low(l: &mut Ledger, kind: Protocol) {
    if kind != Protocol::Tcp || l.machine().tcp.pressure_since().is_none() {
        return;
    }
    let allocated = l.machine().tcp.read();
    let min = l.machine().mem_limits(kind)[0];
    if l.check(
        Rule::SkMemReduceAllocated,
        Field::MemoryAllocated.of(allocated.0),
        Cmp::Lt,
        Term::MemLimit(0).of(min),
    ) {
        tcp_leave_memory_pressure(l, kind);
    }
}
