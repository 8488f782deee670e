//! Sending again: cut to what may leave, merged with small neighbours, in order.

use super::in_flight;
use super::rto::reset_timer;
use super::size_goal::tcp_current_mss;
use super::tso::tcp_tso_segs;
use super::tx_skb::{adjust_pcount, segments, tcp_fragment, tcp_trim_head, tcp_wmem_free_skb};
use super::write_xmit::{put_on_wire, tcp_wnd_end};
use crate::engine::ledger::Ledger;
use crate::engine::reason::{BeatKind, Cmp, Field, Rule, Term, Verdict};
use crate::engine::snmp::Counter;
use crate::engine::sock::{IcskTimer, SockId};
use crate::engine::units::Bytes;

/// Sends the sent skb `at` again, at most `segs` segments of it. False: not possible now.
//= net/ipv4/tcp_output.c __tcp_retransmit_skb @ 5.10 6.1 6.12 7.3
//= net/ipv4/tcp_output.c tcp_retransmit_skb @ 5.10 6.1 6.12 7.3
//# What was acknowledged is trimmed off first. Beyond the peer's window only the oldest may leave, one segment of
//# it, as a probe. A longer skb is cut: one more head. A short one takes in small neighbours.
pub fn tcp_retransmit_skb(l: &mut Ledger, id: SockId, at: usize, segs: i64) -> bool {
    let rule = Rule::TcpRetransmitSkb;
    let una = l.sk(id).tx.snd_una;
    if at == 0 && l.sk(id).tx.rtx_queue.front().is_some_and(|skb| skb.seq < una) {
        let acked = una - l.sk(id).tx.rtx_queue.front().map_or(una, |skb| skb.seq);
        tcp_trim_head(l, id, acked);
    }
    let Some(skb) = l.sk(id).tx.rtx_queue.get(at).copied() else {
        return false;
    };
    let mss = tcp_current_mss(l, id);
    let mut window = tcp_wnd_end(l.sk(id)) - skb.seq;
    if window <= 0 {
        if l.check(rule, Term::Seq.of(skb.seq), Cmp::Ne, Term::Seq.of(una)) {
            l.decided(rule, Verdict::PeerWindowFull);
            return false;
        }
        window = mss;
    }
    let mut len = mss * segs;
    if l.check(rule, Term::Size.of(len), Cmp::Gt, Term::Window.of(window)) {
        len = if window >= mss { window / mss * mss } else { window };
    }
    if l.check(rule, Term::Len.of(skb.len), Cmp::Gt, Term::Size.of(len)) {
        if !tcp_fragment(l, id, at, len, mss) {
            return false;
        }
    } else {
        recount(l, id, at, mss);
        let window = window.min(mss);
        if skb.len < window {
            tcp_retrans_try_collapse(l, id, at, window);
        }
    }
    send_again(l, id, at);
    true
}

/// The segment size may have changed since it was sent.
fn recount(l: &mut Ledger, id: SockId, at: usize, mss: i64) {
    let Some(skb) = l.sk_mut(id).tx.rtx_queue.get_mut(at) else {
        return;
    };
    let before = skb.segs;
    skb.segs = segments(skb.len, mss);
    skb.mss = mss;
    let (gone, lost, retrans) = (before - skb.segs, skb.lost, skb.retrans);
    adjust_pcount(l, id, Rule::TcpRetransmitSkb, gone, lost, retrans);
}

fn send_again(l: &mut Ledger, id: SockId, at: usize) {
    let now = l.now();
    let tx = &mut l.sk_mut(id).tx;
    let Some(skb) = tx.rtx_queue.get_mut(at) else {
        return;
    };
    skb.sent_at = now;
    skb.retrans = true;
    skb.ever_retrans = true;
    let skb = *skb;
    tx.retrans_out += skb.segs;
    if tx.retrans_stamp.is_none() {
        tx.retrans_stamp = Some(now);
    }
    l.count_by(Counter::RetransSegs, skb.segs);
    put_on_wire(l, id, &skb, true);
    l.decided(Rule::TcpRetransmitSkb, Verdict::Sent);
}

/// Merges the small skbs behind skb `at` into it, up to `space` bytes in all.
//= net/ipv4/tcp_output.c tcp_retrans_try_collapse @ 5.10 6.1 6.12 7.3
//# Single segments that fit whole and lie inside the window. Each gives its head back.
fn tcp_retrans_try_collapse(l: &mut Ledger, id: SockId, at: usize, space: i64) {
    let Some(skb) = l.sk(id).tx.rtx_queue.get(at).copied() else {
        return;
    };
    if skb.segs > 1 {
        return;
    }
    let mut space = space - skb.len;
    while let Some(next) = l.sk(id).tx.rtx_queue.get(at + 1).copied() {
        space -= next.len;
        if next.segs > 1 || space < 0 || next.end() > tcp_wnd_end(l.sk(id)) {
            break;
        }
        let queue = &mut l.sk_mut(id).tx.rtx_queue;
        queue.remove(at + 1);
        if let Some(skb) = queue.get_mut(at) {
            skb.len += next.len;
            skb.truesize += Bytes(next.len);
            skb.fin |= next.fin;
            skb.psh |= next.psh;
            skb.ever_retrans |= next.ever_retrans;
        }
        l.called(Rule::TcpRetransTryCollapse, Some(Term::Len.of(next.len)));
        adjust_pcount(l, id, Rule::TcpRetransTryCollapse, next.segs, next.lost, next.retrans);
        tcp_wmem_free_skb(l, id, next.truesize - Bytes(next.len));
    }
}

/// Sends lost skbs again, as far as the congestion window allows.
//= net/ipv4/tcp_output.c tcp_xmit_retransmit_queue @ 5.10 6.1 6.12 7.3
//# In order, each at most as large as a new one would be. The oldest restarts the timer.
pub fn tcp_xmit_retransmit_queue(l: &mut Ledger, id: SockId) {
    let rule = Rule::TcpXmitRetransmitQueue;
    if l.get(id, Field::Unacked) == 0 {
        return;
    }
    let mss = tcp_current_mss(l, id);
    let max_segs = tcp_tso_segs(l, id, mss);
    let tx = &l.sk(id).tx;
    let hint = tx.retransmit_hint;
    let mut at = tx.rtx_queue.partition_point(|skb| skb.seq < hint);
    let mut rearm = false;
    while let Some(skb) = l.sk(id).tx.rtx_queue.get(at).copied() {
        l.sk_mut(id).tx.retransmit_hint = skb.seq;
        let sock = l.sk(id);
        let (out, cwnd) = (in_flight(sock), sock.get(Field::Cwnd));
        let more = sock.tx.retrans_out < sock.tx.lost_out;
        if !l.check(rule, Term::InFlight.of(out), Cmp::Lt, Field::Cwnd.of(cwnd)) || !more {
            break;
        }
        if skb.lost && !skb.retrans {
            l.beat(BeatKind::Transmit, Some(id));
            if !tcp_retransmit_skb(l, id, at, (cwnd - out).min(max_segs)) {
                break;
            }
            rearm |= at == 0;
        }
        at += 1;
    }
    if rearm {
        let when = l.sk(id).tx.rto.0;
        reset_timer(l, id, IcskTimer::Retrans, when);
    }
}
