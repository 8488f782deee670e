//! skbs of the sending side: started, cut, filled, trimmed, freed. Payload counts by the byte, each head once.

use super::cong::tcp_slow_start_after_idle_check;
use super::forward_alloc::{sk_forced_mem_schedule, sk_mem_charge, sk_wmem_schedule};
use super::pressure::tcp_under_memory_pressure;
use super::reclaim::{reclaim_point_partial, sk_mem_uncharge};
use super::size_goal::GSO_TRUESIZE;
use super::truesize::tx_head;
use crate::engine::ledger::Ledger;
use crate::engine::reason::{Cmp, Field, Rule, Term, Verdict};
use crate::engine::snmp::Counter;
use crate::engine::sock::{SockId, TxSkb};
use crate::engine::units::{Bytes, Micros};

/// Truesize of an skb without payload, on this machine.
pub fn head(l: &Ledger) -> Bytes {
    Bytes(tx_head(l.machine().profile(), l.machine().setup().build))
}

/// Packets that `len` bytes make: at least one.
pub const fn segments(len: i64, mss: i64) -> i64 {
    if len <= mss { 1 } else { (len + mss - 1) / mss }
}

/// Gets the memory for a new head. False: refused.
//= net/ipv4/tcp.c sk_stream_alloc_skb @ 5.10
//= net/ipv4/tcp.c tcp_stream_alloc_skb @ 6.1 6.12 7.3
//# By force when nothing is queued, so that every connection can make progress; otherwise by the limits. Under pressure
//# 5.10 returns idle credit first.
pub fn tcp_stream_alloc_skb(l: &mut Ledger, id: SockId, force: bool) -> bool {
    if tcp_under_memory_pressure(l, id) {
        reclaim_point_partial(l, id);
    }
    let head = head(l);
    l.called(Rule::TcpStreamAllocSkb, Some(Term::Truesize.of(head.0)));
    if force {
        sk_forced_mem_schedule(l, id, head);
        return true;
    }
    sk_wmem_schedule(l, id, head)
}

/// Puts a new, empty skb at the end of the write queue.
//= net/ipv4/tcp.c skb_entail @ 5.10
//= net/ipv4/tcp.c tcp_skb_entail @ 6.1 6.12 7.3
//# The head is queued and charged. A one-shot push ends, and a sender that was idle may have to restart.
pub fn tcp_skb_entail(l: &mut Ledger, id: SockId) {
    let head = head(l);
    l.add(Rule::TcpSkbEntail, id, Field::WmemQueued, head.0);
    sk_mem_charge(l, id, head);
    let tx = &mut l.sk_mut(id).tx;
    tx.nonagle.push = false;
    let skb = fresh(tx.write_seq, head);
    tx.write_queue.push_back(skb);
    tcp_slow_start_after_idle_check(l, id);
}

/// An skb without payload.
pub const fn fresh(seq: i64, head: Bytes) -> TxSkb {
    TxSkb {
        seq,
        len: 0,
        truesize: head,
        segs: 0,
        mss: 0,
        lost: false,
        retrans: false,
        ever_retrans: false,
        psh: false,
        fin: false,
        sent_at: Micros::ZERO,
    }
}

/// Takes back an skb that was started and got no payload.
//= net/ipv4/tcp.c tcp_remove_empty_skb @ 5.10 6.1 6.12 7.3
//# Only the last of the write queue can be empty.
pub fn tcp_remove_empty_skb(l: &mut Ledger, id: SockId) {
    let Some(tail) = l.sk(id).tx.write_queue.back().copied() else {
        return;
    };
    if tail.len == 0 && !tail.fin {
        l.called(Rule::TcpRemoveEmptySkb, Some(Term::Truesize.of(tail.truesize.0)));
        l.sk_mut(id).tx.write_queue.pop_back();
        tcp_wmem_free_skb(l, id, tail.truesize);
    }
}

/// Frees an skb of the sending side.
//= include/net/sock.h sk_wmem_free_skb @ 5.10
//= include/net/tcp.h tcp_wmem_free_skb @ 6.1 6.12 7.3
//# The queue shrinks first, then the credit returns: freed bytes can refill the reserve.
pub fn tcp_wmem_free_skb(l: &mut Ledger, id: SockId, truesize: Bytes) {
    l.add(Rule::TcpWmemFreeSkb, id, Field::WmemQueued, -truesize.0);
    sk_mem_uncharge(l, id, truesize);
}

/// Frees both queues of the sending side.
//= net/ipv4/tcp.c tcp_write_queue_purge @ 5.10 6.1 6.12 7.3
//# What was not sent goes first, then what was not acknowledged.
pub fn wmem_free_all(l: &mut Ledger, id: SockId) {
    let tx = &mut l.sk_mut(id).tx;
    let unsent = std::mem::take(&mut tx.write_queue);
    let unacked = std::mem::take(&mut tx.rtx_queue);
    tx.lost_out = 0;
    tx.retrans_out = 0;
    tx.backoff = 0;
    for skb in unsent.iter().chain(&unacked) {
        tcp_wmem_free_skb(l, id, skb.truesize);
    }
    l.set(Rule::TcpWriteQueuePurge, id, Field::Unacked, 0);
}

/// Charges the head of a second skb: what every cut costs. The memory is taken by force.
fn charge_cut(l: &mut Ledger, id: SockId, rule: Rule) -> Bytes {
    tcp_stream_alloc_skb(l, id, true);
    let head = head(l);
    l.add(rule, id, Field::WmemQueued, head.0);
    sk_mem_charge(l, id, head);
    head
}

/// Splits an skb at `len`: the second part takes its payload along, at a head of its own.
fn split(skb: &mut TxSkb, len: i64, head: Bytes, mss: i64) -> TxSkb {
    let moved = skb.len - len;
    let mut rest = *skb;
    rest.seq = skb.seq + len;
    rest.len = moved;
    rest.truesize = head + Bytes(moved);
    rest.segs = segments(moved, mss);
    rest.mss = mss;
    skb.len = len;
    skb.truesize -= Bytes(moved);
    skb.segs = segments(len, mss);
    skb.mss = mss;
    skb.psh = false;
    skb.fin = false;
    rest
}

/// Cuts the first unsent skb at `len` bytes.
//= net/ipv4/tcp_output.c tso_fragment @ 5.10 6.1 6.12 7.3
//# One more head; the payload's truesize is divided by bytes. Push and FIN go with the end.
pub fn tso_fragment(l: &mut Ledger, id: SockId, len: i64, mss: i64) {
    l.called(Rule::TsoFragment, Some(Term::Len.of(len)));
    let head = charge_cut(l, id, Rule::TsoFragment);
    let queue = &mut l.sk_mut(id).tx.write_queue;
    if let Some(first) = queue.front_mut() {
        let rest = split(first, len, head, mss);
        queue.insert(1, rest);
    }
}

/// Cuts an skb that was sent at `len` bytes. False: the queue is too large for another head.
//= net/ipv4/tcp_output.c tcp_fragment @ 5.10 6.1 6.12 7.3
//# As before sending. Refused when half the queue exceeds the buffer and two of the largest packets, except at both
//# ends of the queue.
pub fn tcp_fragment(l: &mut Ledger, id: SockId, at: usize, len: i64, mss: i64) -> bool {
    let sock = l.sk(id);
    let half = sock.wmem_queued().0 >> 1;
    let limit = sock.sndbuf().0 + 2 * GSO_TRUESIZE;
    let inner = at > 0 && at + 1 < sock.tx.rtx_queue.len();
    if l.check(Rule::TcpFragment, Term::Size.of(half), Cmp::Gt, Term::Constant.of(limit)) && inner {
        l.count(Counter::TcpWqueueTooBig);
        l.decided(Rule::TcpFragment, Verdict::Refused);
        return false;
    }
    let head = charge_cut(l, id, Rule::TcpFragment);
    let queue = &mut l.sk_mut(id).tx.rtx_queue;
    let Some(skb) = queue.get_mut(at) else {
        return false;
    };
    let (before, lost, retrans) = (skb.segs, skb.lost, skb.retrans);
    let rest = split(skb, len, head, mss);
    let gone = before - skb.segs - rest.segs;
    queue.insert(at + 1, rest);
    adjust_pcount(l, id, Rule::TcpFragment, gone, lost, retrans);
    true
}

/// Takes packets off the counts of what is out.
//= net/ipv4/tcp_output.c tcp_adjust_pcount @ 5.10 6.1 6.12 7.3
//# Of the counts of lost and retransmitted packets too, if the skb was in them.
pub fn adjust_pcount(l: &mut Ledger, id: SockId, rule: Rule, gone: i64, lost: bool, retrans: bool) {
    if gone == 0 {
        return;
    }
    l.add(rule, id, Field::Unacked, -gone);
    let tx = &mut l.sk_mut(id).tx;
    if lost {
        tx.lost_out -= gone;
    }
    if retrans {
        tx.retrans_out -= gone;
    }
}

/// Fills the first unsent skb from the next one with up to `missing` bytes.
//= net/ipv4/tcp_output.c tcp_grow_skb @ 6.12 7.3
//# Only from its neighbour. Payload moves with its truesize; a neighbour left empty is freed with its head.
pub fn tcp_grow_skb(l: &mut Ledger, id: SockId, missing: i64) {
    let queue = &mut l.sk_mut(id).tx.write_queue;
    let Some(next) = queue.get(1).copied() else {
        return;
    };
    let moved = missing.min(next.len);
    if moved <= 0 {
        return;
    }
    let emptied = moved == next.len;
    if let Some(first) = queue.front_mut() {
        first.len += moved;
        first.truesize += Bytes(moved);
        if emptied {
            first.psh |= next.psh;
            first.fin |= next.fin;
        }
    }
    if emptied {
        queue.remove(1);
    } else if let Some(second) = queue.get_mut(1) {
        second.seq += moved;
        second.len -= moved;
        second.truesize -= Bytes(moved);
    }
    l.called(Rule::TcpGrowSkb, Some(Term::Len.of(moved)));
    if emptied {
        tcp_wmem_free_skb(l, id, next.truesize - Bytes(moved));
    }
}

/// Drops the acknowledged beginning of the oldest sent skb.
//= net/ipv4/tcp_output.c tcp_trim_head @ 5.10 6.1 6.12 7.3
//# The bytes go back at once, the head stays. Packets are counted anew only if there was more than one.
pub fn tcp_trim_head(l: &mut Ledger, id: SockId, len: i64) {
    let Some(skb) = l.sk_mut(id).tx.rtx_queue.front_mut() else {
        return;
    };
    let len = len.clamp(0, skb.len);
    skb.seq += len;
    skb.len -= len;
    skb.truesize -= Bytes(len);
    if skb.segs > 1 {
        skb.segs = segments(skb.len, skb.mss);
    }
    l.add(Rule::TcpTrimHead, id, Field::WmemQueued, -len);
    sk_mem_uncharge(l, id, Bytes(len));
}
