//! Queued memory: charging an skb to the receiver, freeing it, and merging a segment into the skb before it.

use super::forward_alloc::sk_mem_charge;
use super::reclaim::sk_mem_uncharge;
use crate::engine::ledger::Ledger;
use crate::engine::reason::{Cmp, Field, Rule, Term, Verdict};
use crate::engine::snmp::Counter;
use crate::engine::sock::{RxSkb, SockId};
use crate::engine::units::Bytes;

/// Charges an skb to the receiving socket.
//= include/net/sock.h skb_set_owner_r @ 5.10 6.1 6.12 7.3
//# Its whole truesize moves from the credit to the receive queue.
pub fn skb_set_owner_r(l: &mut Ledger, id: SockId, truesize: Bytes) {
    l.add(Rule::TcpQueueRcv, id, Field::RmemAlloc, truesize.0);
    sk_mem_charge(l, id, truesize);
}

/// Frees a charged skb.
//= net/core/sock.c sock_rfree @ 5.10 6.1 6.12 7.3
//# The queue shrinks first, so that the reserve is larger again when the credit is looked at.
pub fn sock_rfree(l: &mut Ledger, id: SockId, truesize: Bytes) {
    l.add(Rule::SockRfree, id, Field::RmemAlloc, -truesize.0);
    sk_mem_uncharge(l, id, truesize);
}

/// A segment is dropped after the socket was found.
//= net/ipv4/tcp_input.c tcp_drop @ 5.10 6.1
//= net/ipv4/tcp_input.c tcp_drop_reason @ 6.12 7.3
//# Counted in `sk_drops`.
pub fn tcp_drop(l: &mut Ledger, id: SockId, rule: Rule, verdict: Verdict) {
    l.decided(rule, verdict);
    l.add(rule, id, Field::Drops, 1);
}

/// Whether `from` merges into `to`; if so `to` has grown.
//= net/ipv4/tcp_input.c tcp_try_coalesce @ 5.10 6.1 6.12 7.3
//= net/core/skbuff.c skb_try_coalesce @ 5.10 6.1 6.12 7.3
//# The payload must continue the skb's and fit into the free room of its head; then it is copied and costs nothing
//# more. What was bought for it stays as credit. (Page fragments of drivers that use them are not modelled: their
//# heads cannot be merged here.)
pub fn tcp_try_coalesce(l: &mut Ledger, to: &mut RxSkb, from: &RxSkb) -> bool {
    let rule = Rule::TcpTryCoalesce;
    if to.end() != from.seq || to.fin {
        return false;
    }
    if !l.check(rule, Term::Len.of(from.len), Cmp::Le, Term::Size.of(to.tailroom)) {
        return false;
    }
    to.len += from.len;
    to.tailroom -= from.len;
    to.packets += from.packets;
    to.fin |= from.fin;
    l.count(Counter::TcpRcvCoalesce);
    l.decided(rule, Verdict::Coalesced);
    true
}
