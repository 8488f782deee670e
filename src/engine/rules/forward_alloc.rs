//! Scheduling: making sure a socket has enough credit before bytes are attached to an skb.

use super::raise_allocated::{Kind, sk_mem_raise_allocated, sk_memory_allocated_add};
use crate::engine::ledger::Ledger;
use crate::engine::reason::{Cmp, Field, Rule, Term, Verdict};
use crate::engine::sock::SockId;
use crate::engine::units::Bytes;

/// Enough credit to send `size` bytes, bought if need be.
//= include/net/sock.h sk_wmem_schedule @ 5.10 6.1 6.12 7.3
//# Only what the credit does not cover is asked for.
pub fn sk_wmem_schedule(l: &mut Ledger, id: SockId, size: Bytes) -> bool {
    schedule(l, id, size, Kind::Send, Rule::SkWmemSchedule)
}

/// Enough credit to receive `size` bytes, bought if need be.
//= include/net/sock.h sk_rmem_schedule @ 5.10 6.1 6.12 7.3
//# As for sending.
pub fn sk_rmem_schedule(l: &mut Ledger, id: SockId, size: Bytes) -> bool {
    schedule(l, id, size, Kind::Recv, Rule::SkRmemSchedule)
}

fn schedule(l: &mut Ledger, id: SockId, size: Bytes, kind: Kind, rule: Rule) -> bool {
    let credit = l.sk(id).forward_alloc();
    if l.check(rule, Term::Size.of(size.0), Cmp::Le, Field::FwdAlloc.of(credit.0)) {
        return true;
    }
    sk_mem_schedule(l, id, size - credit, kind)
}

/// Buys whole pages for `size` bytes of missing credit.
//= net/core/sock.c __sk_mem_schedule @ 5.10 6.1 6.12 7.3
//# The credit is raised before the limits are asked, so that the fairness test sees it, and taken back on refusal.
pub fn sk_mem_schedule(l: &mut Ledger, id: SockId, size: Bytes, kind: Kind) -> bool {
    let page_size = l.machine().setup().page_size;
    let pages = page_size.pages_up(size);
    let bytes = page_size.bytes_of(pages);
    l.add(Rule::SkMemSchedule, id, Field::FwdAlloc, bytes.0);
    if sk_mem_raise_allocated(l, id, size, pages, kind) {
        return true;
    }
    l.add(Rule::SkMemSchedule, id, Field::FwdAlloc, -bytes.0);
    false
}

/// Takes the missing credit without asking any limit.
//= net/ipv4/tcp_output.c sk_forced_mem_schedule @ 5.10 6.1 6.12
//= net/ipv4/tcp.c sk_forced_mem_schedule @ 7.3
//# Never fails, never looks at a limit, never turns pressure on or off. The memory cgroup is charged whatever it says.
pub fn sk_forced_mem_schedule(l: &mut Ledger, id: SockId, size: Bytes) {
    let credit = l.sk(id).forward_alloc();
    if l.check(Rule::SkForcedMemSchedule, Term::Size.of(size.0), Cmp::Le, Field::FwdAlloc.of(credit.0)) {
        return;
    }
    let page_size = l.machine().setup().page_size;
    let pages = page_size.pages_up(size - credit);
    l.add(Rule::SkForcedMemSchedule, id, Field::FwdAlloc, page_size.bytes_of(pages).0);
    if !l.sk(id).bypass {
        let proto = l.sk(id).kind;
        sk_memory_allocated_add(l, proto, pages);
    }
    super::memcg::charge_no_fail(l, id, pages);
    l.decided(Rule::SkForcedMemSchedule, Verdict::Forced);
}

/// How many of `copy` payload bytes may be charged: all, or what `tcp_wmem[0]` still allows.
//= net/ipv4/tcp.c tcp_wmem_schedule @ 6.1 6.12 7.3
//# A writer that is refused may still force its queue up to the minimum, so that it can always make progress. What is
//# granted is at most the credit. Zero means wait.
pub fn tcp_wmem_schedule(l: &mut Ledger, id: SockId, copy: i64) -> i64 {
    if sk_wmem_schedule(l, id, Bytes(copy)) {
        return copy;
    }
    if !l.machine().profile().wmem_floor {
        return 0;
    }
    let queued = l.sk(id).wmem_queued();
    let min = l.machine().sysctls().tcp_wmem[0];
    if l.check(Rule::TcpWmemSchedule, Term::BufLimit(0).of(min), Cmp::Gt, Field::WmemQueued.of(queued.0)) {
        sk_forced_mem_schedule(l, id, Bytes((min - queued.0).min(copy)));
    }
    copy.min(l.sk(id).forward_alloc().0)
}

/// Attaches bytes to an skb: credit goes down.
//= include/net/sock.h sk_mem_charge @ 5.10 6.1 6.12 7.3
//# The caller scheduled before; the credit may go below zero only where the kernel lets it.
pub fn sk_mem_charge(l: &mut Ledger, id: SockId, size: Bytes) {
    l.add(Rule::SkMemCharge, id, Field::FwdAlloc, -size.0);
}
