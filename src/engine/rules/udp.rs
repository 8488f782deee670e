//! UDP: receive admission and release. Sending charges `wmem_alloc` alone, which the device returns at once.

use super::raise_allocated::{Kind, sk_mem_raise_allocated};
use super::reclaim::sk_mem_reduce_allocated;
use super::{forward_alloc, timer, truesize};
use crate::engine::ledger::{Context, Ledger};
use crate::engine::profile::{UdpMemErrors, UdpRule};
use crate::engine::reason::{BeatKind, Cmp, Field, Rule, Term, Verdict};
use crate::engine::snmp::Counter;
use crate::engine::sock::{RxSkb, SockId};
use crate::engine::step::{Errno, Step};
use crate::engine::units::{Bytes, Micros};

/// IP and UDP headers, bytes.
const HEADERS: i64 = 28;
const INT_MAX: i64 = i32::MAX as i64;

/// Datagrams arrive.
pub fn op_udp_rx(l: &mut Ledger, id: SockId, len: i64, count: i64, truesize: Option<i64>, took: Micros) -> Step {
    let mut pace = timer::Pace::new(took, count);
    l.ctx = Context::Softirq;
    for _ in 0..count {
        l.beat(BeatKind::Segment, Some(id));
        let (preset, _) = truesize::rx_packet(l.machine().profile(), l.machine().setup(), HEADERS, len);
        udp_queue_rcv(l, id, len, Bytes(truesize.unwrap_or(preset)));
        timer::pass_time(l, pace.slice());
    }
    l.ctx = Context::Task;
    timer::pass_time(l, pace.rest());
    Step { ret: len * count, segs: Some(count), ..Step::default() }
}

/// Admits a datagram or drops it.
//= net/ipv4/udp.c __udp_enqueue_schedule_skb @ 5.10 6.1 6.12 7.3
//# Up to 6.12 a queue that is not over the buffer takes one more; from 6.18 on only an empty one may overshoot. Up to
//# 6.1 the whole size is bought whenever the credit does not exceed it, later only the shortfall.
fn udp_queue_rcv(l: &mut Ledger, id: SockId, len: i64, size: Bytes) {
    let rule = Rule::UdpEnqueueScheduleSkb;
    let policy = l.machine().profile().udp;
    if !admitted(l, id, size, policy) {
        l.decided(rule, Verdict::DropRcvbuf);
        l.add(rule, id, Field::Drops, 1);
        l.count(Counter::UdpRcvbufErrors);
        l.count(Counter::UdpInErrors);
        return;
    }
    if !scheduled(l, id, size, policy) {
        l.decided(rule, Verdict::DropMemory);
        l.add(rule, id, Field::Drops, 1);
        match l.machine().profile().udp_mem_errors {
            UdpMemErrors::InErrors => l.count(Counter::UdpInErrors),
            UdpMemErrors::Both => {
                l.count(Counter::UdpInErrors);
                l.count(Counter::UdpMemErrors);
            }
            UdpMemErrors::DropsOnly => {}
        }
        return;
    }
    forward_alloc::sk_mem_charge(l, id, size);
    l.decided(rule, Verdict::Queued);
    l.sk_mut(id).udp.receive_queue.push_back(RxSkb {
        seq: 0,
        len,
        truesize: size,
        tailroom: 0,
        packets: 1,
        fin: false,
    });
}

fn admitted(l: &mut Ledger, id: SockId, size: Bytes, policy: UdpRule) -> bool {
    let rule = Rule::UdpEnqueueScheduleSkb;
    let (rmem, rcvbuf) = (l.get(id, Field::RmemAlloc), l.get(id, Field::Rcvbuf));
    match policy {
        UdpRule::WholeSize | UdpRule::Shortfall => {
            let over = l.check(rule, Field::RmemAlloc.of(rmem), Cmp::Gt, Field::Rcvbuf.of(rcvbuf));
            !over || (policy == UdpRule::Shortfall && rmem + size.0 <= rcvbuf)
        }
        UdpRule::Strict => {
            let wanted = rmem + size.0;
            let over = l.check(rule, Term::QueuedPlusSize.of(wanted), Cmp::Gt, Field::Rcvbuf.of(rcvbuf));
            !(over && (rcvbuf > INT_MAX / 2 || rmem != 0))
        }
    }
}

/// Buys credit. Up to 6.12 the size counts as received while the limits are asked, in 7.3 it does not.
fn scheduled(l: &mut Ledger, id: SockId, size: Bytes, policy: UdpRule) -> bool {
    let rule = Rule::UdpEnqueueScheduleSkb;
    let before = policy != UdpRule::Strict;
    if before {
        l.add(rule, id, Field::RmemAlloc, size.0);
    }
    let granted = match policy {
        UdpRule::WholeSize => {
            let credit = l.get(id, Field::FwdAlloc);
            if l.check(rule, Term::Size.of(size.0), Cmp::Ge, Field::FwdAlloc.of(credit)) {
                let page_size = l.machine().setup().page_size;
                let pages = page_size.pages_up(size);
                let granted = sk_mem_raise_allocated(l, id, size, pages, Kind::Recv);
                if granted {
                    l.add(rule, id, Field::FwdAlloc, page_size.bytes_of(pages).0);
                }
                granted
            } else {
                true
            }
        }
        UdpRule::Shortfall | UdpRule::Strict => forward_alloc::sk_rmem_schedule(l, id, size),
    };
    match (granted, before) {
        (true, false) => l.add(rule, id, Field::RmemAlloc, size.0),
        (false, true) => l.add(rule, id, Field::RmemAlloc, -size.0),
        _ => {}
    }
    granted
}

/// Gives back what a reader freed, in batches of a quarter of the buffer, and all but one page of credit.
//= net/ipv4/udp.c udp_rmem_release @ 5.10 6.1 6.12 7.3
//# Freed bytes are collected while more is waiting for the reader and the batch is small. Then all whole pages go back,
//# except that a live socket keeps one.
fn udp_rmem_release(l: &mut Ledger, id: SockId, size: i64, partial: bool) {
    let rule = Rule::UdpRmemRelease;
    let mut size = size;
    if partial {
        let threshold = match l.machine().profile().udp {
            UdpRule::WholeSize => l.get(id, Field::Rcvbuf) >> 2,
            UdpRule::Shortfall | UdpRule::Strict => l.sk(id).udp.forward_threshold,
        };
        size += l.sk(id).udp.forward_deficit;
        l.sk_mut(id).udp.forward_deficit = size;
        let waiting = !l.sk(id).udp.reader_queue.is_empty();
        if l.check(rule, Term::Size.of(size), Cmp::Lt, Term::ReclaimThreshold.of(threshold)) && waiting {
            return;
        }
    } else {
        size += l.sk(id).udp.forward_deficit;
    }
    l.sk_mut(id).udp.forward_deficit = 0;
    let page_size = l.machine().setup().page_size;
    let credit = l.get(id, Field::FwdAlloc) + size;
    let pages = page_size.pages_down(Bytes(credit - i64::from(partial)));
    l.set(rule, id, Field::FwdAlloc, credit - page_size.bytes_of(pages).0);
    l.add(rule, id, Field::RmemAlloc, -size);
    if pages.0 > 0 {
        sk_mem_reduce_allocated(l, id, pages);
    }
    // The queue is spliced to the reader in the same critical section.
    splice(l, id);
}

/// Looks at how much the next read would return, as whoever shows the state does after every operation.
//= net/ipv4/udp.c first_packet_length @ 5.10 6.1 6.12 7.3
//# When the reader's own queue is empty, looking takes over everything that waits: the first datagram alone, if every
//# operation is followed by a look.
pub fn fionread(l: &mut Ledger, id: SockId) {
    if l.sk(id).udp.reader_queue.is_empty() && !l.sk(id).udp.receive_queue.is_empty() {
        splice(l, id);
    }
}

/// The reader takes over everything that waits.
fn splice(l: &mut Ledger, id: SockId) {
    let udp = &mut l.sk_mut(id).udp;
    let waiting = std::mem::take(&mut udp.receive_queue);
    udp.reader_queue.extend(waiting);
}

/// One `recv(2)` after another, each of one datagram.
pub fn op_udp_read(l: &mut Ledger, id: SockId, bytes: i64, count: Option<i64>, took: Micros) -> Step {
    let mut step = Step::default();
    let mut calls = 0;
    while count.is_none_or(|n| calls < n) {
        l.beat(BeatKind::Read, Some(id));
        if l.sk(id).udp.reader_queue.is_empty() {
            splice(l, id);
        }
        let Some(skb) = l.sk_mut(id).udp.reader_queue.pop_front() else {
            step.errno = Some(Errno::EAGAIN);
            break;
        };
        calls += 1;
        step.ret += skb.len.min(bytes);
        l.count(Counter::UdpInDatagrams);
        udp_rmem_release(l, id, skb.truesize.0, true);
    }
    if count.is_some() {
        step.calls_ok = Some(calls);
        if calls == 0 && step.errno.is_some() {
            step.ret = -1;
        }
    }
    timer::pass_time(l, took);
    step
}

/// Datagrams leave: the device takes each skb at once, so nothing stays charged.
//= net/ipv4/udp.c udp_sendmsg @ 5.10 6.1 6.12 7.3
//# The send buffer is compared with what the device still holds, which is nothing here.
pub fn op_udp_send(l: &mut Ledger, id: SockId, len: i64, count: i64, took: Micros) -> Step {
    l.called(Rule::UdpSendmsg, Some(Term::Len.of(len)));
    l.sk_mut(id).peer.k_sent += len * count;
    timer::pass_time(l, took);
    Step { ret: len * count, calls_ok: Some(count), ..Step::default() }
}

/// Frees every datagram.
pub fn free_all(l: &mut Ledger, id: SockId) {
    let udp = &mut l.sk_mut(id).udp;
    let total: i64 = udp.reader_queue.iter().chain(&udp.receive_queue).map(|s| s.truesize.0).sum();
    udp.reader_queue.clear();
    udp.receive_queue.clear();
    udp_rmem_release(l, id, total, false);
}
