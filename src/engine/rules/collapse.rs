//! Collapsing: payload of wasteful skbs is copied into fresh, full ones.

use super::coalesce::{skb_set_owner_r, sock_rfree};
use super::rcv_window::win_from_space;
use super::truesize::{OVERHEAD, SHARED_INFO, head_room};
use crate::engine::ledger::Ledger;
use crate::engine::reason::{Cmp, Field, Rule, Term};
use crate::engine::snmp::Counter;
use crate::engine::sock::{RxSkb, SockId};
use crate::engine::units::Bytes;
use std::collections::VecDeque;

const RULE: Rule = Rule::TcpCollapse;
/// Most payload one fresh skb takes: a page less its bookkeeping, bytes.
const FRESH_MAX: i64 = 4096 - SHARED_INFO;

/// Collapses the receive queue.
pub fn tcp_collapse_receive_queue(l: &mut Ledger, id: SockId) {
    let rx = &mut l.sk_mut(id).rx;
    let (start, end) = (rx.copied_seq, rx.rcv_nxt);
    let queue = std::mem::take(&mut rx.receive_queue);
    if queue.is_empty() {
        return;
    }
    let done = tcp_collapse(l, id, queue, start, end);
    l.sk_mut(id).rx.receive_queue = done.into();
}

/// Collapses each run of the out-of-order queue that has no hole.
//= net/ipv4/tcp_input.c tcp_collapse_ofo_queue @ 5.10 6.1 6.12 7.3
//# A run of one small skb is left alone; once such runs add up to an eighth of the buffer the rest is left alone too.
pub fn tcp_collapse_ofo_queue(l: &mut Ledger, id: SockId) {
    let mut rest: VecDeque<RxSkb> = std::mem::take(&mut l.sk_mut(id).rx.out_of_order_queue).into();
    let mut done: Vec<RxSkb> = Vec::with_capacity(rest.len());
    let limit = l.get(id, Field::Rcvbuf) >> 3;
    let mut tiny = 0;
    while let Some(first) = rest.pop_front() {
        let (mut start, mut end, mut total) = (first.seq, first.end(), first.truesize.0);
        let mut run = VecDeque::from([first]);
        while let Some(next) = rest.front().copied() {
            if next.seq > end || next.end() < start {
                break;
            }
            total += next.truesize.0;
            start = start.min(next.seq);
            end = end.max(next.end());
            run.push_back(next);
            rest.pop_front();
        }
        if total != first.truesize.0 || end - start >= FRESH_MAX {
            done.extend(tcp_collapse(l, id, run, start, end));
            continue;
        }
        done.extend(run);
        tiny += total;
        if l.check(RULE, Term::Size.of(tiny), Cmp::Gt, Term::Size.of(limit)) {
            break;
        }
    }
    done.extend(rest);
    l.sk_mut(id).rx.out_of_order_queue = done;
}

/// Collapses one run of skbs that holds the bytes from `start` to `end`; returns what it became.
//= net/ipv4/tcp_input.c tcp_collapse @ 5.10 6.1 6.12 7.3
//# It begins at the first skb that wastes room (its share of truesize exceeds its payload), holds bytes already read,
//# or overlaps the next. From there everything is copied into fresh skbs of up to a page. Fresh ones are charged
//# before the old are freed, so the credit may go below zero meanwhile.
fn tcp_collapse(l: &mut Ledger, id: SockId, mut rest: VecDeque<RxSkb>, mut start: i64, end: i64) -> Vec<RxSkb> {
    let mut done = Vec::with_capacity(rest.len());
    loop {
        let Some(skb) = rest.front().copied() else {
            return done;
        };
        if start >= skb.end() {
            rest.pop_front();
            collapse_one(l, id, &skb);
            continue;
        }
        let worth = win_from_space(l, id, skb.truesize.0);
        if !skb.fin && (worth > skb.len || skb.seq < start) {
            l.check(RULE, Term::Space.of(worth), Cmp::Gt, Term::Len.of(skb.len));
            break;
        }
        if rest.get(1).is_some_and(|next| skb.end() != next.seq) {
            break;
        }
        start = skb.end();
        done.push(skb);
        rest.pop_front();
    }
    if rest.front().is_some_and(|skb| !skb.fin) {
        while start < end && copy_into_fresh(l, id, &mut rest, &mut done, &mut start, end) {}
    }
    done.extend(rest);
    done
}

/// Fills one fresh skb from the front of `rest`. False: the run ended.
fn copy_into_fresh(
    l: &mut Ledger,
    id: SockId,
    rest: &mut VecDeque<RxSkb>,
    done: &mut Vec<RxSkb>,
    start: &mut i64,
    end: i64,
) -> bool {
    let mut copy = FRESH_MAX.min(end - *start);
    let room = head_room(l.machine().profile(), l.machine().setup().build, copy);
    let truesize = Bytes(room + OVERHEAD);
    let mut fresh = RxSkb { seq: *start, len: 0, truesize, tailroom: room, packets: 0, fin: false };
    skb_set_owner_r(l, id, truesize);
    let mut more = true;
    while copy > 0 {
        let Some(skb) = rest.front().copied() else {
            more = false;
            break;
        };
        let size = copy.min(skb.end() - *start);
        if size > 0 {
            fresh.len += size;
            fresh.tailroom -= size;
            copy -= size;
            *start += size;
        }
        if *start >= skb.end() {
            rest.pop_front();
            fresh.packets += skb.packets;
            collapse_one(l, id, &skb);
            if rest.front().is_none_or(|next| next.fin) {
                more = false;
                break;
            }
        }
    }
    done.push(fresh);
    more
}

fn collapse_one(l: &mut Ledger, id: SockId, skb: &RxSkb) {
    sock_rfree(l, id, skb.truesize);
    l.count(Counter::TcpRcvCollapsed);
}
