//! The send loop: what may leave now, in which pieces.

use super::ack_out::on_packet_sent;
use super::cong::tcp_cwnd_validate;
use super::forward_alloc::{sk_forced_mem_schedule, sk_mem_charge};
use super::in_flight;
use super::pressure::tcp_under_memory_pressure;
use super::rto::{probe0_base, reset_timer, tcp_rearm_rto};
use super::size_goal::tcp_current_mss;
use super::sndbuf::{sk_stream_write_space, tcp_should_expand_sndbuf, tcp_sndbuf_expand};
use super::tso::{Defer, tcp_mss_split_point, tcp_nagle_check, tcp_tso_segs, tcp_tso_should_defer};
use super::tx_skb::{fresh, head, segments, tcp_grow_skb, tso_fragment};
use crate::engine::ledger::Ledger;
use crate::engine::reason::{BeatKind, Cmp, Field, Rule, Term, Verdict};
use crate::engine::sock::{IcskTimer, Nonagle, Sock, SockId, TcpState, TxSkb, WirePacket};

/// One past the last byte the peer's window allows.
//= include/net/tcp.h tcp_wnd_end @ 5.10 6.1 6.12 7.3
//# The window starts at the oldest unacknowledged byte.
pub const fn tcp_wnd_end(sock: &Sock) -> i64 {
    sock.tx.snd_una + sock.get(Field::SndWnd)
}

/// One pass over the unsent skbs.
struct Pass {
    mss: i64,
    nonagle: Nonagle,
    push_one: bool,
    max_segs: i64,
    sent: i64,
    cwnd_limited: bool,
}

/// Sends what may leave. True: nothing left, nothing is out, and something waits.
//= net/ipv4/tcp_output.c tcp_write_xmit @ 5.10 6.1 6.12 7.3
//# From the first unsent skb on, until the congestion window, the peer's window, Nagle or deferral stops it; a single
//# skb where the caller wants one. Whether the congestion window was the limit is remembered for its growth.
pub fn tcp_write_xmit(l: &mut Ledger, id: SockId, mss: i64, nonagle: Nonagle, push_one: bool) -> bool {
    let max_segs = tcp_tso_segs(l, id, mss);
    let mut pass = Pass { mss, nonagle, push_one, max_segs, sent: 0, cwnd_limited: false };
    while !l.sk(id).tx.write_queue.is_empty() {
        l.beat(BeatKind::Transmit, Some(id));
        if !send_first(l, id, &mut pass) || push_one {
            break;
        }
    }
    let sock = l.sk(id);
    pass.cwnd_limited |= in_flight(sock) >= sock.get(Field::Cwnd);
    if pass.sent > 0 || pass.cwnd_limited {
        tcp_cwnd_validate(l, id, pass.cwnd_limited);
    }
    let sock = l.sk(id);
    pass.sent == 0 && sock.get(Field::Unacked) == 0 && !sock.tx.write_queue.is_empty()
}

/// Sends the first unsent skb, or a piece of it. False: it has to wait.
fn send_first(l: &mut Ledger, id: SockId, pass: &mut Pass) -> bool {
    let mut quota = tcp_cwnd_test(l, id, pass.mss);
    if quota == 0 {
        return false;
    }
    if l.machine().profile().grow_skb {
        quota = quota.min(pass.max_segs);
        let len = l.sk(id).tx.write_queue.front().map_or(0, |skb| skb.len);
        tcp_grow_skb(l, id, quota * pass.mss - len);
    }
    let Some(skb) = l.sk(id).tx.write_queue.front().copied() else {
        return false;
    };
    if !tcp_snd_wnd_test(l, id, &skb, pass.mss) {
        l.decided(Rule::TcpSndWndTest, Verdict::PeerWindowFull);
        return false;
    }
    let segs = segments(skb.len, pass.mss);
    if segs == 1 {
        if !tcp_nagle_test(l, id, &skb, pass) {
            l.decided(Rule::TcpNagleTest, Verdict::HeldByNagle);
            return false;
        }
    } else if !pass.push_one {
        match tcp_tso_should_defer(l, id, pass.max_segs) {
            Defer::No => {}
            Defer::Yes => return false,
            Defer::Cwnd => {
                pass.cwnd_limited = true;
                return false;
            }
        }
    }
    let limit = if segs > 1 {
        tcp_mss_split_point(l, id, pass.mss, quota.min(pass.max_segs), pass.nonagle)
    } else {
        pass.mss
    };
    if l.check(Rule::TcpWriteXmit, Term::Len.of(skb.len), Cmp::Gt, Term::Size.of(limit)) {
        tso_fragment(l, id, limit, pass.mss);
    }
    if skb.len == 0 && !skb.fin {
        return false;
    }
    pass.sent += send_head(l, id, pass.mss);
    true
}

/// Segments the congestion window allows now: at most half of it at once.
//= net/ipv4/tcp_output.c tcp_cwnd_test @ 5.10 6.1 6.12 7.3
//# Nothing when it is full. Up to 6.1 a lone FIN ignores it.
fn tcp_cwnd_test(l: &mut Ledger, id: SockId, mss: i64) -> i64 {
    let rule = Rule::TcpCwndTest;
    let sock = l.sk(id);
    if l.machine().profile().fin_ignores_cwnd
        && sock.tx.write_queue.front().is_some_and(|skb| skb.fin && skb.len <= mss)
    {
        return 1;
    }
    let out = in_flight(sock);
    let cwnd = sock.get(Field::Cwnd);
    if l.check(rule, Term::InFlight.of(out), Cmp::Ge, Field::Cwnd.of(cwnd)) {
        l.decided(rule, Verdict::CwndFull);
        return 0;
    }
    (cwnd >> 1).max(1).min(cwnd - out)
}

/// Whether one segment, or all of a small skb, fits the peer's window.
//= net/ipv4/tcp_output.c tcp_snd_wnd_test @ 5.10 6.1 6.12 7.3
//# Its end must not lie beyond the window's.
fn tcp_snd_wnd_test(l: &mut Ledger, id: SockId, skb: &TxSkb, mss: i64) -> bool {
    let end = if skb.len > mss { skb.seq + mss } else { skb.end() };
    let edge = tcp_wnd_end(l.sk(id));
    l.check(Rule::TcpSndWndTest, Term::Seq.of(end), Cmp::Le, Term::Seq.of(edge))
}

/// Whether a single segment may leave although it may be small.
//= net/ipv4/tcp_output.c tcp_nagle_test @ 5.10 6.1 6.12 7.3
//# Yes when pushed, when something follows it, with a FIN, or when Nagle does not hold it.
fn tcp_nagle_test(l: &mut Ledger, id: SockId, skb: &TxSkb, pass: &Pass) -> bool {
    let last = l.sk(id).tx.write_queue.len() == 1;
    if pass.nonagle.push || !last || skb.fin {
        return true;
    }
    let partial = l.check(Rule::TcpNagleTest, Term::Len.of(skb.len), Cmp::Lt, Term::Mss.of(pass.mss));
    !tcp_nagle_check(l.sk(id), partial, pass.nonagle)
}

/// Moves the first unsent skb to the sent ones and puts it on the wire. Returns its packets.
//= net/ipv4/tcp_output.c tcp_event_new_data_sent @ 5.10 6.1 6.12 7.3
//# Its packets count as out; the first of them starts the retransmission timer. A waiting writer may get more room at
//# once. An odd end is remembered for Nagle.
pub fn send_head(l: &mut Ledger, id: SockId, mss: i64) -> i64 {
    let rule = Rule::TcpEventNewDataSent;
    let now = l.now();
    let tx = &mut l.sk_mut(id).tx;
    let Some(mut skb) = tx.write_queue.pop_front() else {
        return 0;
    };
    skb.segs = segments(skb.len, mss);
    skb.mss = mss;
    skb.sent_at = now;
    skb.psh |= skb.segs > 1;
    tx.rtx_queue.push_back(skb);
    put_on_wire(l, id, &skb, false);
    let before = l.get(id, Field::Unacked);
    l.sk_mut(id).tx.snd_nxt = skb.end();
    l.add(rule, id, Field::Unacked, skb.segs);
    l.decided(rule, Verdict::Sent);
    if before == 0 {
        tcp_rearm_rto(l, id);
    }
    tcp_check_space(l, id);
    if skb.len < skb.segs * mss {
        l.sk_mut(id).tx.snd_sml = skb.end();
    }
    skb.segs
}

/// A packet leaves: what the peer sees of it.
//= net/ipv4/tcp_output.c __tcp_transmit_skb @ 5.10 6.1 6.12 7.3
//# Every packet carries an ACK and a window. The device takes a copy, so nothing more is charged.
pub fn put_on_wire(l: &mut Ledger, id: SockId, skb: &TxSkb, retx: bool) {
    let win = on_packet_sent(l, id, skb.len > 0);
    let now = l.now();
    let sock = l.sk_mut(id);
    let (name, ack) = (sock.name, sock.peer.k_acked);
    let end = skb.seq + skb.len;
    if skb.len > 0 {
        sock.tx.lsndtime = now;
    }
    sock.peer.k_sent = sock.peer.k_sent.max(end);
    sock.tx.fin_on_wire |= skb.fin;
    let mss = skb.mss.max(1);
    let mut seq = skb.seq;
    while seq < end {
        let len = mss.min(end - seq);
        l.wire.push((name, WirePacket { seq, len, ack, win, retx }));
        seq += len;
    }
}

/// Wakes a writer that waits for room, after growing the buffer if it deserves it.
//= net/ipv4/tcp_input.c tcp_check_space @ 5.10 6.1 6.12 7.3
//= net/ipv4/tcp_input.c tcp_new_space @ 5.10 6.1 6.12 7.3
//# Only when a writer hit the buffer. An orphan has none.
pub fn tcp_check_space(l: &mut Ledger, id: SockId) {
    let sock = l.sk(id);
    if !sock.tx.nospace || sock.orphan || !sock.accepted {
        return;
    }
    l.called(Rule::TcpNewSpace, None);
    if tcp_should_expand_sndbuf(l, id) {
        tcp_sndbuf_expand(l, id);
        let now = l.now();
        l.sk_mut(id).tx.cwnd_stamp = now;
    }
    sk_stream_write_space(l, id);
}

/// Sends what may leave; if nothing can and nothing is out, the window is probed later.
//= net/ipv4/tcp_output.c __tcp_push_pending_frames @ 5.10 6.1 6.12 7.3
//= include/net/tcp.h tcp_check_probe_timer @ 5.10 6.1 6.12 7.3
//# The probe timer is armed only when no other is.
pub fn push_pending(l: &mut Ledger, id: SockId, mss: i64, nonagle: Nonagle) {
    if l.sk(id).state == TcpState::Close {
        return;
    }
    if tcp_write_xmit(l, id, mss, nonagle, false) && l.sk(id).tx.pending.is_none() {
        let when = probe0_base(l.sk(id));
        reset_timer(l, id, IcskTimer::Probe0, when);
    }
}

/// Sends what the socket's own settings let leave.
//= include/net/tcp.h tcp_push_pending_frames @ 5.10 6.1 6.12 7.3
//# Nothing to do without unsent skbs.
pub fn push_pending_frames(l: &mut Ledger, id: SockId) {
    if !l.sk(id).tx.write_queue.is_empty() {
        let mss = tcp_current_mss(l, id);
        let nonagle = l.sk(id).tx.nonagle;
        push_pending(l, id, mss, nonagle);
    }
}

/// After anything arrived: sends what the new state allows, and looks for a waiting writer.
//= net/ipv4/tcp_input.c tcp_data_snd_check @ 5.10 6.1 6.12 7.3
//# Sending first, then the writer.
pub fn tcp_data_snd_check(l: &mut Ledger, id: SockId) {
    push_pending_frames(l, id);
    tcp_check_space(l, id);
}

/// Sends a FIN behind the data.
//= net/ipv4/tcp_output.c tcp_send_fin @ 5.10 6.1 6.12 7.3
//# It rides on the last unsent skb; under pressure on the last sent one, as if it had been sent with it. Otherwise it
//# is a head of its own, charged by force.
pub fn tcp_send_fin(l: &mut Ledger, id: SockId) {
    if l.sk(id).tx.fin_queued {
        return;
    }
    let pressure = tcp_under_memory_pressure(l, id);
    let tx = &mut l.sk_mut(id).tx;
    tx.fin_queued = true;
    if let Some(tail) = tx.write_queue.back_mut() {
        tail.fin = true;
        tx.write_seq += 1;
    } else if pressure && let Some(tail) = tx.rtx_queue.back_mut() {
        tail.fin = true;
        tx.write_seq += 1;
        tx.snd_nxt += 1;
        return;
    } else {
        let head = head(l);
        sk_forced_mem_schedule(l, id, head);
        l.add(Rule::TcpSendFin, id, Field::WmemQueued, head.0);
        sk_mem_charge(l, id, head);
        let tx = &mut l.sk_mut(id).tx;
        let mut skb = fresh(tx.write_seq, head);
        skb.fin = true;
        tx.write_queue.push_back(skb);
        tx.write_seq += 1;
    }
    let mss = tcp_current_mss(l, id);
    push_pending(l, id, mss, Nonagle { off: true, push: false });
}
