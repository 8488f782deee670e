//! Making room in a receive buffer that is full: clamping the window, collapsing, dropping what is out of order.

use super::coalesce::{sock_rfree, tcp_drop};
use super::collapse::{tcp_collapse_ofo_queue, tcp_collapse_receive_queue};
use super::forward_alloc::sk_rmem_schedule;
use super::grow_window::tcp_adjust_rcv_ssthresh;
use super::pressure::{check_pressure, tcp_under_memory_pressure};
use super::reclaim::reclaim_point;
use crate::engine::ledger::Ledger;
use crate::engine::profile::Admission;
use crate::engine::reason::{Cmp, Field, Rule, Term, Verdict};
use crate::engine::snmp::Counter;
use crate::engine::sock::SockId;
use crate::engine::units::Bytes;

/// An arriving segment, as far as admission cares.
#[derive(Clone, Copy, Debug)]
pub struct Incoming {
    /// First byte.
    pub seq: i64,
    /// Payload, bytes.
    pub len: i64,
    /// What it would be charged, bytes.
    pub truesize: Bytes,
}

/// Whether there is room and memory for a segment; makes some if not.
//= net/ipv4/tcp_input.c tcp_try_rmem_schedule @ 5.10 6.1 6.12 7.3
//# What is queued must not exceed the buffer before the segment is added, so the queue may overshoot by one truesize;
//# and the credit must cover it. Otherwise the queues are pruned; when memory was the trouble, out-of-order segments
//# go until it suffices.
pub fn tcp_try_rmem_schedule(l: &mut Ledger, id: SockId, segment: &Incoming) -> bool {
    if can_ingest(l, id, segment) && sk_rmem_schedule(l, id, segment.truesize) {
        return true;
    }
    if !tcp_prune_queue(l, id, segment) {
        return false;
    }
    while !sk_rmem_schedule(l, id, segment.truesize) {
        if !tcp_prune_ofo_queue(l, id, segment) {
            return false;
        }
    }
    true
}

/// The buffer test of the profile.
//= net/ipv4/tcp_input.c tcp_can_ingest @ 7.3
//# What is there already must not exceed the buffer. (6.17 added the truesize, 6.18 the payload; both were taken back.)
fn can_ingest(l: &mut Ledger, id: SockId, segment: &Incoming) -> bool {
    let rmem = l.sk(id).rmem_alloc().0;
    let rcvbuf = Field::Rcvbuf.of(l.get(id, Field::Rcvbuf));
    let left = match l.machine().profile().admission {
        Admission::Rmem => Field::RmemAlloc.of(rmem),
        Admission::RmemPlusTruesize => Term::QueuedPlusSize.of(rmem + segment.truesize.0),
        Admission::RmemPlusLen => Term::QueuedPlusSize.of(rmem + segment.len),
    };
    l.check(Rule::TcpTryRmemSchedule, left, Cmp::Le, rcvbuf)
}

/// Whether what is queued fits the buffer.
fn fits(l: &mut Ledger, id: SockId, rule: Rule) -> bool {
    let rmem = l.get(id, Field::RmemAlloc);
    let rcvbuf = l.get(id, Field::Rcvbuf);
    l.check(rule, Field::RmemAlloc.of(rmem), Cmp::Le, Field::Rcvbuf.of(rcvbuf))
}

/// Makes room. False: nothing helped.
//= net/ipv4/tcp_input.c tcp_prune_queue @ 5.10 6.1 6.12 7.3
//# A full buffer clamps the window (7.3 only when it is exceeded); otherwise, under pressure, rcv_ssthresh is cut.
//# While the buffer is exceeded: first everything is collapsed, then out-of-order segments are dropped, then header
//# prediction is switched off and the segment is refused. 7.3 leaves an empty queue alone. 5.10 reclaims in between.
fn tcp_prune_queue(l: &mut Ledger, id: SockId, segment: &Incoming) -> bool {
    let rule = Rule::TcpPruneQueue;
    let strict = l.machine().profile().prune_needs_rmem;
    let rmem = l.get(id, Field::RmemAlloc);
    if strict && l.check(rule, Field::RmemAlloc.of(rmem), Cmp::Eq, Term::Constant.of(0)) {
        return false;
    }
    l.count(Counter::PruneCalled);
    let rcvbuf = l.get(id, Field::Rcvbuf);
    let cmp = if strict { Cmp::Gt } else { Cmp::Ge };
    if l.check(rule, Field::RmemAlloc.of(rmem), cmp, Field::Rcvbuf.of(rcvbuf)) {
        tcp_clamp_window(l, id);
    } else if check_pressure(l, id, rule) {
        tcp_adjust_rcv_ssthresh(l, id);
    }
    if fits(l, id, rule) {
        return true;
    }
    tcp_collapse_ofo_queue(l, id);
    tcp_collapse_receive_queue(l, id);
    reclaim_point(l, id);
    if fits(l, id, rule) {
        return true;
    }
    tcp_prune_ofo_queue(l, id, segment);
    if fits(l, id, rule) {
        return true;
    }
    l.count(Counter::RcvPruned);
    l.sk_mut(id).rx.pred_flags = false;
    l.decided(rule, Verdict::Refused);
    false
}

/// The buffer is full: it grows if it may, otherwise the window goes down to two segments.
//= net/ipv4/tcp_input.c tcp_clamp_window @ 5.10 6.1 6.12 7.3
//# Quick ACKs end. An unlocked buffer below tcp_rmem[2] becomes as large as its queue while memory is plentiful: no
//# pressure, and the protocol below its lowest mark. If the queue still exceeds it, rcv_ssthresh is cut.
fn tcp_clamp_window(l: &mut Ledger, id: SockId) {
    let rule = Rule::TcpClampWindow;
    l.sk_mut(id).rx.ack.quick = 0;
    let max = l.machine().sysctls().tcp_rmem[2];
    let rcvbuf = l.get(id, Field::Rcvbuf);
    let locked = i64::from(l.sk(id).rcvbuf_locked());
    let rmem = l.get(id, Field::RmemAlloc);
    if l.check(rule, Field::Rcvbuf.of(rcvbuf), Cmp::Lt, Term::BufLimit(2).of(max))
        && l.check(rule, Field::BufLock.of(locked), Cmp::Eq, Term::Constant.of(0))
        && !check_pressure(l, id, rule)
    {
        let allocated = l.proto_of(id).read();
        let min = l.machine().sysctls().tcp_mem[0];
        if l.check(rule, Field::MemoryAllocated.of(allocated.0), Cmp::Lt, Term::MemLimit(0).of(min)) {
            l.set(rule, id, Field::Rcvbuf, rmem.min(max));
        }
    }
    let rcvbuf = l.get(id, Field::Rcvbuf);
    if l.check(rule, Field::RmemAlloc.of(rmem), Cmp::Gt, Field::Rcvbuf.of(rcvbuf)) {
        let two = 2 * l.get(id, Field::Advmss);
        let clamp = l.get(id, Field::WindowClamp);
        l.set(rule, id, Field::RcvSsthresh, clamp.min(two));
    }
}

/// Drops out-of-order segments, highest first. False: there was nothing to drop.
//= net/ipv4/tcp_input.c tcp_prune_ofo_queue @ 5.10 6.1 6.12 7.3
//# An eighth of the buffer at a time, until what is left fits and there is no pressure. From 6.12 on a segment that
//# lies before the arriving one is never dropped for it.
fn tcp_prune_ofo_queue(l: &mut Ledger, id: SockId, segment: &Incoming) -> bool {
    let rule = Rule::TcpPruneOfoQueue;
    let spares = l.machine().profile().prune_spares_lower;
    let eighth = l.get(id, Field::Rcvbuf) >> 3;
    let mut goal = eighth;
    let mut pruned = false;
    while let Some(last) = l.sk(id).rx.out_of_order_queue.last().copied() {
        if spares && l.check(rule, Term::Seq.of(segment.seq), Cmp::Gt, Term::Seq.of(last.seq)) {
            break;
        }
        if !pruned {
            pruned = true;
            l.count(Counter::OfoPruned);
        }
        l.sk_mut(id).rx.out_of_order_queue.pop();
        goal -= last.truesize.0;
        tcp_drop(l, id, rule, Verdict::DropOfo);
        sock_rfree(l, id, last.truesize);
        let empty = l.sk(id).rx.out_of_order_queue.is_empty();
        if empty || goal <= 0 {
            reclaim_point(l, id);
            if fits(l, id, rule) && !tcp_under_memory_pressure(l, id) {
                break;
            }
            goal = eighth;
        }
    }
    pruned
}
