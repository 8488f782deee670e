//! Segments behind a hole: queued by sequence, merged, and moved on when the hole is filled.

use super::ack_out::on_fin;
use super::autotune;
use super::coalesce::{skb_set_owner_r, sock_rfree, tcp_drop, tcp_try_coalesce};
use super::grow_window::tcp_grow_window;
use super::prune::{Incoming, tcp_try_rmem_schedule};
use super::rcv_mss::tcp_measure_rcv_mss;
use super::sequence::Segment;
use crate::engine::ledger::Ledger;
use crate::engine::reason::{Rule, Verdict};
use crate::engine::snmp::Counter;
use crate::engine::sock::{RxSkb, SockId};

const RULE: Rule = Rule::TcpDataQueueOfo;

/// Queues a segment that lies behind a hole.
//= net/ipv4/tcp_input.c tcp_data_queue_ofo @ 5.10 6.1 6.12 7.3
//# It must be admitted like any other, or it is dropped. Header prediction ends and an ACK is owed. It merges into the
//# skb before it, or takes its place by sequence; what it covers wholly is dropped, and so is it if it brings nothing
//# new. The window may grow, with SACK alone.
pub fn tcp_data_queue_ofo(l: &mut Ledger, id: SockId, segment: &Segment) {
    let incoming = Incoming { seq: segment.seq, len: segment.len, truesize: segment.truesize };
    if !tcp_try_rmem_schedule(l, id, &incoming) {
        l.count(Counter::TcpOfoDrop);
        tcp_drop(l, id, RULE, Verdict::DropMemory);
        return;
    }
    if l.machine().profile().measures_ofo {
        tcp_measure_rcv_mss(l, id, segment.len, segment.truesize, segment.fin);
    }
    let rx = &mut l.sk_mut(id).rx;
    rx.pred_flags = false;
    rx.ack.sched = true;
    l.count(Counter::TcpOfoQueue);
    insert(l, id, segment);
    autotune::after_ofo(l, id);
}

/// The skb of a segment.
pub const fn skb_of(segment: &Segment) -> RxSkb {
    RxSkb {
        seq: segment.seq,
        len: segment.len,
        truesize: segment.truesize,
        tailroom: segment.tailroom,
        packets: 1,
        fin: segment.fin,
    }
}

fn insert(l: &mut Ledger, id: SockId, segment: &Segment) {
    let skb = skb_of(segment);
    // The skbs that start at or before this one: the last of them may hold it, or take it in.
    let at = l.sk(id).rx.out_of_order_queue.partition_point(|other| other.seq <= skb.seq);
    if at > 0 {
        let mut before = l.sk(id).rx.out_of_order_queue[at - 1];
        if skb.seq < before.end() && skb.end() <= before.end() {
            l.count(Counter::TcpOfoMerge);
            tcp_drop(l, id, RULE, Verdict::DropDuplicate);
            return;
        }
        if tcp_try_coalesce(l, &mut before, &skb) {
            l.sk_mut(id).rx.out_of_order_queue[at - 1] = before;
            grow(l, id, segment);
            return;
        }
        if before.seq == skb.seq {
            // Covered wholly: replaced.
            drop_covered(l, id, at - 1);
            place(l, id, segment, at - 1);
            return;
        }
    }
    place(l, id, segment, at);
}

/// Puts the skb at its place, drops what it covers behind it, then charges it.
fn place(l: &mut Ledger, id: SockId, segment: &Segment, at: usize) {
    let skb = skb_of(segment);
    while let Some(next) = l.sk(id).rx.out_of_order_queue.get(at).copied() {
        if skb.end() <= next.seq || skb.end() < next.end() {
            break;
        }
        drop_covered(l, id, at);
    }
    l.sk_mut(id).rx.out_of_order_queue.insert(at, skb);
    grow(l, id, segment);
    l.decided(RULE, Verdict::Queued);
    skb_set_owner_r(l, id, skb.truesize);
}

fn drop_covered(l: &mut Ledger, id: SockId, at: usize) {
    let covered = l.sk_mut(id).rx.out_of_order_queue.remove(at);
    l.count(Counter::TcpOfoMerge);
    tcp_drop(l, id, RULE, Verdict::DropDuplicate);
    sock_rfree(l, id, covered.truesize);
}

fn grow(l: &mut Ledger, id: SockId, segment: &Segment) {
    if l.sk(id).sack_ok {
        tcp_grow_window(l, id, segment.len, segment.truesize);
    }
}

/// The hole was filled, wholly or in part: what follows in order moves to the receive queue.
//= net/ipv4/tcp_input.c tcp_ofo_queue @ 5.10 6.1 6.12 7.3
//# What is old by now is dropped. The rest merges into the last skb or is moved as it is, charged as before.
pub fn tcp_ofo_queue(l: &mut Ledger, id: SockId) {
    let rule = Rule::TcpOfoQueue;
    let nxt = l.sk(id).rx.rcv_nxt;
    if l.sk(id).rx.out_of_order_queue.first().is_none_or(|s| s.seq > nxt) {
        return;
    }
    // Taken out whole, so that moving a long run costs no more than its length.
    let waiting = std::mem::take(&mut l.sk_mut(id).rx.out_of_order_queue);
    let mut rest = waiting.into_iter();
    let mut left = Vec::new();
    for skb in rest.by_ref() {
        let nxt = l.sk(id).rx.rcv_nxt;
        if skb.seq > nxt {
            left.push(skb);
            break;
        }
        if skb.end() <= nxt {
            tcp_drop(l, id, rule, Verdict::DropDuplicate);
            sock_rfree(l, id, skb.truesize);
            continue;
        }
        if merge_into_tail(l, id, &skb) {
            l.sk_mut(id).rx.rcv_nxt = skb.end();
            sock_rfree(l, id, skb.truesize);
        } else {
            let rx = &mut l.sk_mut(id).rx;
            rx.receive_queue.push_back(skb);
            rx.rcv_nxt = skb.end();
            l.decided(rule, Verdict::Queued);
        }
        if skb.fin {
            for gone in rest.by_ref() {
                sock_rfree(l, id, gone.truesize);
            }
            on_fin(l, id);
            break;
        }
    }
    left.extend(rest);
    l.sk_mut(id).rx.out_of_order_queue = left;
}

/// Merges an skb into the last one of the receive queue, if it fits.
pub fn merge_into_tail(l: &mut Ledger, id: SockId, skb: &RxSkb) -> bool {
    let Some(mut tail) = l.sk(id).rx.receive_queue.back().copied() else {
        return false;
    };
    if !tcp_try_coalesce(l, &mut tail, skb) {
        return false;
    }
    if let Some(place) = l.sk_mut(id).rx.receive_queue.back_mut() {
        *place = tail;
    }
    true
}
