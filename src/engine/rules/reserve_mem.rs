//! `SO_RESERVE_MEM`.

use super::memcg::{Charge, mem_cgroup_charge_skmem, mem_cgroup_uncharge_skmem};
use super::raise_allocated::{sk_memory_allocated_add, sk_memory_allocated_sub};
use super::reclaim::sk_mem_reclaim;
use crate::engine::ledger::Ledger;
use crate::engine::op::Protocol;
use crate::engine::reason::{Cmp, Field, Rule, Term, Verdict};
use crate::engine::sock::SockId;
use crate::engine::step::Errno;
use crate::engine::units::Bytes;

/// The option's setter.
///
/// # Errors
/// `ENOPROTOOPT` where the option does not exist, `EINVAL` for a value out of range, `EOPNOTSUPP` for a socket that
/// cannot reserve, `ENOMEM` when a limit refuses.
//= net/core/sock.c sk_setsockopt @ 6.1 6.12 7.3
//# A negative value, or one above the cap where there is one, is refused before anything else. The difference to the
//# present reserve is released or reserved; a difference of nothing still asks whether the socket may reserve.
pub fn set_reserve_mem(l: &mut Ledger, id: SockId, value: i64) -> Result<(), Errno> {
    let rule = l.machine().profile().reserve;
    if !rule.exists {
        l.decided(Rule::SkSetsockopt, Verdict::NotSupported);
        return Err(Errno::ENOPROTOOPT);
    }
    if l.check(Rule::SkSetsockopt, Term::Argument.of(value), Cmp::Lt, Term::Constant.of(0)) {
        return Err(Errno::EINVAL);
    }
    if let Some(max) = rule.max
        && l.check(Rule::SkSetsockopt, Term::Argument.of(value), Cmp::Gt, Term::Constant.of(max))
    {
        return Err(Errno::EINVAL);
    }
    if rule.tcp_only && l.sk(id).kind != Protocol::Tcp {
        l.decided(Rule::SkSetsockopt, Verdict::NotSupported);
        return Err(Errno::EOPNOTSUPP);
    }
    let delta = value - l.sk(id).reserved_mem().0;
    if delta < 0 {
        sock_release_reserved_memory(l, id, Bytes(-delta));
        return Ok(());
    }
    sock_reserve_memory(l, id, Bytes(delta))
}

/// Buys whole pages for the reserve.
//= net/core/sock.c sock_reserve_memory @ 6.1 6.12 7.3
//# Only sockets with a memory cgroup. Rounds up. The group is charged first, then the protocol; above the pressure mark
//# (strictly, and by the counter that may lag) both are given back. A bypassing socket skips the protocol.
fn sock_reserve_memory(l: &mut Ledger, id: SockId, bytes: Bytes) -> Result<(), Errno> {
    let rule = Rule::SockReserveMemory;
    if l.sk(id).memcg.is_none() {
        l.decided(rule, Verdict::NotSupported);
        return Err(Errno::EOPNOTSUPP);
    }
    if bytes == Bytes::ZERO {
        l.decided(rule, Verdict::Nothing);
        return Ok(());
    }
    let page_size = l.machine().setup().page_size;
    let pages = page_size.pages_up(bytes);
    l.called(rule, Some(Term::Pages.of(pages.0)));
    match mem_cgroup_charge_skmem(l, id, pages) {
        Charge::Charged | Charge::NoGroup => {}
        Charge::Failed => return Err(Errno::ENOMEM),
        Charge::FailedButForced => {
            mem_cgroup_uncharge_skmem(l, id, pages);
            return Err(Errno::ENOMEM);
        }
    }
    if !l.sk(id).bypass {
        let kind = l.sk(id).kind;
        sk_memory_allocated_add(l, kind, pages);
        let allocated = l.machine().proto(kind).read();
        let pressure = l.machine().mem_limits(kind)[1];
        if l.check(rule, Field::MemoryAllocated.of(allocated.0), Cmp::Gt, Term::MemLimit(1).of(pressure)) {
            sk_memory_allocated_sub(l, kind, pages);
            mem_cgroup_uncharge_skmem(l, id, pages);
            l.decided(rule, Verdict::Refused);
            return Err(Errno::ENOMEM);
        }
    }
    l.add(rule, id, Field::FwdAlloc, page_size.bytes_of(pages).0);
    l.add(rule, id, Field::Reserved, page_size.bytes_of(pages).0);
    Ok(())
}

/// Shrinks the reserve.
//= net/core/sock.c sock_release_reserved_memory @ 6.1 6.12 7.3
//# Rounds down, never fails, and reclaims at once what the smaller reserve no longer holds.
fn sock_release_reserved_memory(l: &mut Ledger, id: SockId, bytes: Bytes) {
    let page_size = l.machine().setup().page_size;
    let rounded = page_size.bytes_of(page_size.pages_down(bytes));
    l.called(Rule::SockReleaseReservedMemory, Some(Term::Size.of(rounded.0)));
    l.add(Rule::SockReleaseReservedMemory, id, Field::Reserved, -rounded.0);
    sk_mem_reclaim(l, id);
}
