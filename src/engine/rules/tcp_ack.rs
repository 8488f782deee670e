//! ACKs from the peer: what they free, what they let out, and what they teach.

use super::close;
use super::cong::{tcp_reno_cong_avoid, tcp_slow_start_after_idle_check};
use super::loss::{Acked, Rexmit, tcp_fastretrans_alert};
use super::retransmit::tcp_xmit_retransmit_queue;
use super::rto::{clear_timer, probe0_when, reset_timer, tcp_rearm_rto};
use super::rtt::{tcp_rtt_estimator, tcp_update_min_rtt, tcp_update_pacing_rate};
use super::size_goal::{tcp_current_mss, tcp_sync_mss};
use super::timer::pass_time;
use super::tx_skb::{tcp_trim_head, tcp_wmem_free_skb};
use super::write_xmit::{push_pending, tcp_data_snd_check, tcp_wnd_end};
use crate::engine::ledger::{Context, Ledger};
use crate::engine::reason::{BeatKind, Cmp, Field, Rule, Term};
use crate::engine::sock::{CaState, IcskTimer, Nonagle, Sock, SockId, TcpState, TxSkb};
use crate::engine::step::Step;
use crate::engine::units::Micros;

/// What the peer of the recordings waits between two ACKs of an `ack_all`, microseconds.
const ROUND: i64 = 1_060;

/// One pure ACK: of `bytes` more, or of everything sent so far. `win` is the peer's new window.
pub fn op_ack(l: &mut Ledger, id: SockId, bytes: Option<i64>, win: Option<i64>, took: Micros) -> Step {
    let peer = &mut l.sk_mut(id).peer;
    if let Some(win) = win {
        peer.win = win;
    }
    let most = bytes.map_or(i64::MAX, |bytes| peer.r_acked.saturating_add(bytes));
    let acked = ack_of_peer(l, id, most);
    pass_time(l, took);
    Step { ret: acked, ..Step::default() }
}

/// The peer announces a window and acknowledges nothing new.
pub fn op_peer_win(l: &mut Ledger, id: SockId, win: i64, took: Micros) -> Step {
    l.sk_mut(id).peer.win = win;
    let acked = l.sk(id).peer.r_acked;
    ack_of_peer(l, id, acked);
    pass_time(l, took);
    Step::default()
}

/// The peer acknowledges everything, waits, and does so again until nothing new came.
pub fn op_ack_all(l: &mut Ledger, id: SockId, took: Micros) -> Step {
    let mut left = took.0;
    let mut rounds = 0;
    let mut acked = l.sk(id).peer.r_acked;
    loop {
        let slice = ROUND.min(left / 2);
        pass_time(l, Micros(slice));
        left -= slice;
        if !close::exists(l, id) || !waits_for_ack(l.sk(id)) {
            break;
        }
        acked = ack_of_peer(l, id, i64::MAX);
        rounds += 1;
    }
    pass_time(l, Micros(left));
    Step { ret: acked, rounds: Some(rounds), ..Step::default() }
}

/// One past the last byte the peer has seen; a FIN counts for one.
fn seen_by_peer(sock: &Sock) -> i64 {
    sock.peer.k_sent + i64::from(sock.tx.fin_on_wire)
}

/// Whether the peer has seen something that it has not acknowledged.
fn waits_for_ack(sock: &Sock) -> bool {
    sock.tx.snd_una < seen_by_peer(sock)
}

/// The peer sends one ACK, of at most what it has seen. Returns what it has acknowledged since the beginning, bytes.
fn ack_of_peer(l: &mut Ledger, id: SockId, most: i64) -> i64 {
    let sock = l.sk(id);
    let seq = most.min(seen_by_peer(sock)).max(sock.peer.r_acked);
    let acked = seq.min(sock.peer.k_sent);
    let win = sock.peer.win;
    l.sk_mut(id).peer.r_acked = acked;
    let context = l.ctx;
    l.ctx = Context::Softirq;
    l.beat(BeatKind::Ack, Some(id));
    rcv_ack(l, id, seq, win);
    l.ctx = context;
    acked
}

/// A segment without data.
//= net/ipv4/tcp_input.c tcp_rcv_established @ 5.10 6.1 6.12 7.3
//= net/ipv4/tcp_input.c tcp_rcv_state_process @ 5.10 6.1 6.12 7.3
//# Its ACK is processed, then what may leave now leaves. An acknowledged FIN moves the state on.
fn rcv_ack(l: &mut Ledger, id: SockId, seq: i64, win: i64) {
    tcp_ack(l, id, seq, win);
    let sock = l.sk(id);
    let closing = matches!(sock.state, TcpState::FinWait1 | TcpState::Closing | TcpState::LastAck);
    if closing && sock.tx.fin_queued && sock.tx.snd_una == sock.tx.write_seq {
        close::fin_acked(l, id);
    }
    if close::exists(l, id) {
        tcp_data_snd_check(l, id);
    }
}

/// Takes the ACK field and the window of a segment that arrived.
//= net/ipv4/tcp_input.c tcp_ack @ 5.10 6.1 6.12 7.3
//# An old ACK, or one of what was never sent, does nothing. In order: the window, the retransmit queue, recovery, the
//# timer, the congestion window and the pacing rate, retransmissions.
pub fn tcp_ack(l: &mut Ledger, id: SockId, ack_seq: i64, win: i64) {
    let rule = Rule::TcpAck;
    let sock = l.sk(id);
    let (una, nxt, out) = (sock.tx.snd_una, sock.tx.snd_nxt, sock.get(Field::Unacked));
    if l.check(rule, Term::Seq.of(ack_seq), Cmp::Lt, Term::Seq.of(una))
        || l.check(rule, Term::Seq.of(ack_seq), Cmp::Gt, Term::Seq.of(nxt))
    {
        return;
    }
    let advanced = ack_seq > una;
    if advanced {
        l.sk_mut(id).tx.retransmits = 0;
    }
    let window_moved = tcp_ack_update_window(l, id, ack_seq, win);
    let tx = &mut l.sk_mut(id).tx;
    tx.snd_una = ack_seq;
    tx.probes_out = 0;
    if out == 0 {
        tcp_ack_probe(l, id);
        return;
    }
    let mut acked = tcp_clean_rtx_queue(l, id);
    acked.advanced = advanced;
    acked.duplicate = !advanced && !window_moved && acked.packets == 0;
    let rexmit = if acked.duplicate || l.sk(id).tx.ca_state > CaState::Open {
        tcp_fastretrans_alert(l, id, acked)
    } else {
        Rexmit::None
    };
    if acked.packets > 0 {
        tcp_rearm_rto(l, id);
        tcp_reno_cong_avoid(l, id, acked.packets);
    }
    tcp_update_pacing_rate(l, id);
    tcp_xmit_recovery(l, id, rexmit);
}

/// What recovery asked for.
//= net/ipv4/tcp_input.c tcp_xmit_recovery @ 5.10 6.1 6.12 7.3
//# New data first where that may show the timeout to be spurious; if none could leave, what was lost.
fn tcp_xmit_recovery(l: &mut Ledger, id: SockId, rexmit: Rexmit) {
    if rexmit == Rexmit::None {
        return;
    }
    if rexmit == Rexmit::New {
        let mss = tcp_current_mss(l, id);
        push_pending(l, id, mss, Nonagle { off: true, push: false });
        let tx = &mut l.sk_mut(id).tx;
        if tx.snd_nxt > tx.high_seq {
            return;
        }
        tx.frto = false;
    }
    tcp_xmit_retransmit_queue(l, id);
}

/// Takes the window of a segment. True: it counts as an update.
//= net/ipv4/tcp_input.c tcp_ack_update_window @ 5.10 6.1 6.12 7.3
//= net/ipv4/tcp_input.c tcp_may_update_window @ 5.10 6.1 6.12 7.3
//# From a segment that acknowledges something, or is newer than the last that counted, or opens the window (or, from
//# 6.6 on, closes it). A window larger than any before may raise the segment size.
fn tcp_ack_update_window(l: &mut Ledger, id: SockId, ack_seq: i64, win: i64) -> bool {
    let rule = Rule::TcpAckUpdateWindow;
    let sock = l.sk(id);
    let wscale = sock.get(Field::SndWscale);
    let offered = (win >> wscale).min(65_535) << wscale;
    let before = sock.get(Field::SndWnd);
    let (seq, mark) = (sock.peer.r_sent, sock.tx.snd_wl1);
    let closes = offered == 0 && l.machine().profile().zero_window_ack_counts;
    let counts = ack_seq > sock.tx.snd_una || seq > mark || (seq == mark && (offered > before || closes));
    if !counts {
        return false;
    }
    l.sk_mut(id).tx.snd_wl1 = seq;
    if l.check(rule, Term::Window.of(offered), Cmp::Ne, Field::SndWnd.of(before)) {
        l.set(rule, id, Field::SndWnd, offered);
        if !l.sk(id).tx.write_queue.is_empty() {
            tcp_slow_start_after_idle_check(l, id);
        }
        if offered > l.sk(id).tx.max_window {
            l.sk_mut(id).tx.max_window = offered;
            tcp_sync_mss(l, id);
        }
    }
    true
}

/// An ACK while nothing is out: it may have opened the window.
//= net/ipv4/tcp_input.c tcp_ack_probe @ 5.10 6.1 6.12 7.3
//# If the first unsent skb fits now, probing ends; otherwise the next probe is counted from this ACK.
fn tcp_ack_probe(l: &mut Ledger, id: SockId) {
    let sock = l.sk(id);
    let Some(end) = sock.tx.write_queue.front().map(TxSkb::end) else {
        return;
    };
    let edge = tcp_wnd_end(sock);
    if l.check(Rule::TcpAckProbe, Term::Seq.of(end), Cmp::Le, Term::Seq.of(edge)) {
        l.sk_mut(id).tx.backoff = 0;
        if matches!(l.sk(id).tx.pending, Some((IcskTimer::Probe0, _))) {
            clear_timer(l, id);
        }
    } else {
        let when = probe0_when(l.sk(id));
        reset_timer(l, id, IcskTimer::Probe0, when);
    }
}

/// Frees what was acknowledged, oldest first.
//= net/ipv4/tcp_input.c tcp_clean_rtx_queue @ 5.10 6.1 6.12 7.3
//= net/ipv4/tcp_input.c tcp_tso_acked @ 5.10 6.1 6.12 7.3
//# Whole skbs; of the first that is acknowledged in part the beginning, if it holds more than one packet. The oldest
//# and the newest packet that were sent once give the round trip, unless a retransmitted one was acknowledged too.
fn tcp_clean_rtx_queue(l: &mut Ledger, id: SockId) -> Acked {
    let una = l.sk(id).tx.snd_una;
    let mut acked = Acked::default();
    let (mut first_sent, mut last_sent, mut retransmitted) = (None, None, false);
    while let Some(skb) = l.sk(id).tx.rtx_queue.front().copied() {
        let whole = skb.end() <= una;
        let packets = if whole { skb.segs } else { partly_acked(l, id, &skb, una) };
        if packets == 0 {
            break;
        }
        if skb.ever_retrans {
            retransmitted = true;
        } else {
            first_sent = first_sent.or(Some(skb.sent_at));
            last_sent = Some(skb.sent_at);
            acked.original |= skb.end() <= l.sk(id).tx.high_seq;
        }
        acked.packets += packets;
        account_acked(l, id, &skb, packets);
        if !whole {
            break;
        }
        l.sk_mut(id).tx.rtx_queue.pop_front();
        tcp_wmem_free_skb(l, id, skb.truesize);
    }
    if let (Some(first), Some(last), false) = (first_sent, last_sent, retransmitted) {
        let now = l.now();
        tcp_update_min_rtt(l, id, (now - last).0);
        tcp_rtt_estimator(l, id, (now - first).0);
    }
    acked
}

/// Trims an skb that was acknowledged in part; how many packets that was.
fn partly_acked(l: &mut Ledger, id: SockId, skb: &TxSkb, una: i64) -> i64 {
    if skb.segs <= 1 || una <= skb.seq {
        return 0;
    }
    tcp_trim_head(l, id, una - skb.seq);
    skb.segs - l.sk(id).tx.rtx_queue.front().map_or(0, |rest| rest.segs)
}

/// Takes acknowledged packets off what is out.
fn account_acked(l: &mut Ledger, id: SockId, skb: &TxSkb, packets: i64) {
    l.add(Rule::TcpCleanRtxQueue, id, Field::Unacked, -packets);
    let now = l.now();
    let sock = l.sk_mut(id);
    if skb.lost {
        sock.tx.lost_out -= packets;
    }
    if skb.retrans {
        sock.tx.retrans_out -= packets;
    }
    if sock.sack_ok {
        let rtt = (now - skb.sent_at).0;
        if !(skb.ever_retrans && sock.tx.min_rtt_us.is_some_and(|least| rtt < least)) {
            sock.tx.rack_rtt_us = rtt;
        }
    }
}
