//! What leaves for the peer: when an ACK is due, the window it carries, and what sending it ends.

use super::delack::{ATO_MIN, hold_for_compression, jiffies, tcp_send_delayed_ack, whole_ticks};
use super::grow_window::tcp_grow_window;
use super::rcv_mss::tcp_measure_rcv_mss;
use super::rcv_rtt::{tcp_rcv_rtt_measure, timestamp};
use super::rcv_window::{tcp_receive_window, tcp_select_window_free};
use super::reclaim::reclaim_point;
use crate::engine::ledger::Ledger;
use crate::engine::reason::{BeatKind, Cmp, Field, Rule, Term, Verdict};
use crate::engine::snmp::Counter;
use crate::engine::sock::{SockId, TcpState, WirePacket};
use crate::engine::timers::Timer;
use crate::engine::units::{Bytes, Micros, round_up};

/// Most immediate ACKs granted at once.
pub const MAX_QUICKACKS: i64 = 16;
/// Duplicate ACKs that leave at once for one hole.
const DUP_ACKS: i64 = 3;
/// Most ACKs held back for compression.
const COMPRESSED_MAX: i64 = 44;

/// Grants immediate ACKs.
//= net/ipv4/tcp_input.c tcp_incr_quickack @ 5.10 6.1 6.12 7.3
//# One for every two of the peer's segments that fit the window, at most `most`, at least two when none fits.
fn tcp_incr_quickack(l: &mut Ledger, id: SockId, most: i64) {
    let fit = l.get(id, Field::RcvWnd) / (2 * l.get(id, Field::RcvMss).max(1));
    let grant = if fit == 0 { 2 } else { fit }.min(most);
    let ack = &mut l.sk_mut(id).rx.ack;
    ack.quick = ack.quick.max(grant);
    let quick = ack.quick;
    l.called(Rule::TcpEventDataRecv, Some(Term::QuickAcks.of(quick)));
}

/// Something odd arrived: the next segments are acknowledged at once.
//= net/ipv4/tcp_input.c tcp_enter_quickack_mode @ 5.10 6.1 6.12 7.3
//# Immediate ACKs are granted, interactive mode ends, the delayed ACK time starts over.
pub fn tcp_enter_quickack_mode(l: &mut Ledger, id: SockId) {
    tcp_incr_quickack(l, id, MAX_QUICKACKS);
    let ack = &mut l.sk_mut(id).rx.ack;
    ack.pingpong = false;
    ack.ato = ATO_MIN;
}

/// Learns from a data segment that was queued.
//= net/ipv4/tcp_input.c tcp_event_data_recv @ 5.10 6.1 6.12 7.3
//# An ACK is owed. The segment size is measured, then the receiver's round trip. The first data ever grants immediate
//# ACKs; later the delayed ACK time follows the pause between segments, and a pause above the retransmission timeout
//# grants them again (and 5.10 reclaims). Last, the window may grow.
pub fn tcp_event_data_recv(l: &mut Ledger, id: SockId, len: i64, truesize: Bytes, fin: bool) {
    l.sk_mut(id).rx.ack.sched = true;
    tcp_measure_rcv_mss(l, id, len, truesize, fin);
    tcp_rcv_rtt_measure(l, id);
    let now = jiffies(l.now());
    let sock = l.sk(id);
    let (ato, rto) = (sock.rx.ack.ato, sock.tx.rto);
    let pause = now - jiffies(sock.rx.ack.lrcvtime);
    if ato == Micros::ZERO {
        tcp_incr_quickack(l, id, MAX_QUICKACKS);
        l.sk_mut(id).rx.ack.ato = ATO_MIN;
    } else if pause.0 <= ATO_MIN.0 / 2 {
        l.sk_mut(id).rx.ack.ato = whole_ticks(Micros(ato.0 / 2)) + Micros(ATO_MIN.0 / 2);
    } else if pause < ato {
        l.sk_mut(id).rx.ack.ato = (whole_ticks(Micros(ato.0 / 2)) + pause).min(rto);
    } else if pause > rto {
        tcp_incr_quickack(l, id, MAX_QUICKACKS);
        reclaim_point(l, id);
    }
    l.sk_mut(id).rx.ack.lrcvtime = now;
    tcp_grow_window(l, id, len, truesize);
}

/// Decides whether an ACK leaves now, if one is owed.
//= net/ipv4/tcp_input.c __tcp_ack_snd_check @ 5.10 6.1 6.12 7.3
//# At once when more than one segment is unacknowledged and the window does not fall behind (or the reader waits for
//# more), in quick mode, or when it was asked for. Asking for the window may end quick mode before it is looked at.
//# With a hole: three at once, then held back for a moment. Otherwise it is delayed.
pub fn tcp_ack_snd_check(l: &mut Ledger, id: SockId, ofo_possible: bool) {
    let rule = Rule::TcpAckSndCheck;
    if !l.sk(id).rx.ack.sched {
        return;
    }
    let sock = l.sk(id);
    let unacked = sock.rx.rcv_nxt - sock.rx.rcv_wup;
    let available = sock.rx.rcv_nxt - sock.rx.copied_seq;
    let mss = l.get(id, Field::RcvMss);
    if l.check(rule, Term::UnackedBytes.of(unacked), Cmp::Gt, Field::RcvMss.of(mss)) {
        let lowat = l.get(id, Field::RcvLowat);
        if l.check(rule, Term::Size.of(available), Cmp::Lt, Field::RcvLowat.of(lowat)) {
            return tcp_send_ack(l, id);
        }
        let offer = tcp_select_window_free(l, id);
        let wnd = l.get(id, Field::RcvWnd);
        if l.check(rule, Term::Window.of(offer), Cmp::Ge, Field::RcvWnd.of(wnd)) {
            return tcp_send_ack(l, id);
        }
    }
    let ack = l.sk(id).rx.ack;
    let quick = l.check(rule, Term::QuickAcks.of(ack.quick), Cmp::Gt, Term::Constant.of(0));
    if (quick && !ack.pingpong) || ack.now {
        return tcp_send_ack(l, id);
    }
    if ofo_possible && !l.sk(id).rx.out_of_order_queue.is_empty() {
        ack_for_hole(l, id);
    } else {
        tcp_send_delayed_ack(l, id);
    }
}

fn ack_for_hole(l: &mut Ledger, id: SockId) {
    let sock = l.sk_mut(id);
    let ack = &mut sock.rx.ack;
    if !sock.sack_ok || ack.compressed_ack >= COMPRESSED_MAX {
        return tcp_send_ack(l, id);
    }
    if ack.compressed_ack_rcv_nxt != sock.rx.rcv_nxt {
        ack.compressed_ack_rcv_nxt = sock.rx.rcv_nxt;
        ack.dup_ack_counter = 0;
    }
    if ack.dup_ack_counter < DUP_ACKS {
        ack.dup_ack_counter += 1;
        return tcp_send_ack(l, id);
    }
    hold_for_compression(l, id);
}

/// Emits a pure ACK.
//= net/ipv4/tcp_output.c tcp_send_ack @ 5.10 6.1 6.12 7.3
//# A packet without payload that carries the window of this moment. Nothing is charged for it.
pub fn tcp_send_ack(l: &mut Ledger, id: SockId) {
    if l.sk(id).state == TcpState::Close {
        return;
    }
    l.beat(BeatKind::AckOut, Some(id));
    l.decided(Rule::TcpSendAck, Verdict::AckNow);
    let win = on_packet_sent(l, id, false);
    let sock = l.sk(id);
    let packet = WirePacket { seq: sock.tx.snd_nxt, len: 0, ack: sock.peer.k_acked, win, retx: false };
    let name = sock.name;
    l.wire.push((name, packet));
}

/// A packet with an ACK leaves: chooses its window and settles what was owed. Returns the offered window, bytes.
//= net/ipv4/tcp_output.c tcp_event_ack_sent @ 5.10 6.1 6.12 7.3
//= net/ipv4/tcp_output.c tcp_event_data_sent @ 5.10 6.1 6.12 7.3
//# One immediate ACK is used up if one was owed; everything pending is done. Data sent soon after data received
//# switches to interactive mode.
pub fn on_packet_sent(l: &mut Ledger, id: SockId, carries_data: bool) -> i64 {
    let field = tcp_select_window(l, id);
    let now = l.now();
    let before = l.sk(id).rx.ack.compressed_timer;
    let sock = l.sk_mut(id);
    sock.rx.last_tsval = timestamp(now);
    sock.tx.wstamp = now;
    let ack = &mut sock.rx.ack;
    ack.compressed_ack = 0;
    ack.compressed_timer = None;
    if ack.quick > 0 && ack.sched {
        ack.quick -= 1;
        if ack.quick == 0 {
            ack.ato = ATO_MIN;
        }
    }
    ack.sched = false;
    ack.timer = false;
    ack.pushed = false;
    ack.pushed2 = false;
    ack.now = false;
    ack.nomem = false;
    if carries_data && jiffies(now) - jiffies(ack.lrcvtime) < ack.ato {
        ack.pingpong = true;
    }
    let fin = i64::from(sock.rx.fin_seen);
    sock.peer.k_acked = sock.rx.rcv_nxt - fin;
    l.m.timers.program(id, Timer::CompressedAck, before, None);
    let wscale = l.get(id, Field::RcvWscale);
    let peer = &mut l.sk_mut(id).peer;
    peer.adv_win_raw = field;
    peer.adv_win = field << wscale;
    peer.adv_win
}

/// Chooses the window of a packet; returns its 16-bit field.
//= net/ipv4/tcp_output.c tcp_select_window @ 5.10 6.1 6.12 7.3
//# What the room allows, but what was promised is not taken back, rounded up to the scale (unless shrinking is
//# allowed). After a segment was refused for memory the offer is 0, promise or not (6.6 and later). An offer of 0
//# ends header prediction.
fn tcp_select_window(l: &mut Ledger, id: SockId) -> i64 {
    let rule = Rule::TcpSendAck;
    if l.sk(id).rx.ack.nomem {
        let rx = &mut l.sk_mut(id).rx;
        rx.pred_flags = false;
        rx.rcv_wup = rx.rcv_nxt;
        l.decided(rule, Verdict::NoMemory);
        l.set(rule, id, Field::RcvWnd, 0);
        return 0;
    }
    let wscale = l.get(id, Field::RcvWscale);
    let before = l.get(id, Field::RcvWnd);
    let promised = tcp_receive_window(l.sk(id));
    let mut offer = tcp_select_window_free(l, id);
    let shrinks =
        l.machine().profile().shrink_window && l.machine().sysctls().tcp_shrink_window != 0 && wscale > 0;
    if l.check(rule, Term::Window.of(offer), Cmp::Lt, Term::Window.of(promised)) && !shrinks {
        if offer == 0 {
            l.count(Counter::TcpWantZeroWindowAdv);
        }
        offer = round_up(promised, 1 << wscale);
    }
    l.set(rule, id, Field::RcvWnd, offer);
    let rx = &mut l.sk_mut(id).rx;
    rx.rcv_wup = rx.rcv_nxt;
    rx.rcv_mwnd_seq = rx.rcv_mwnd_seq.max(rx.rcv_nxt + offer);
    let field = offer.min(65_535 << wscale) >> wscale;
    if field == 0 {
        l.sk_mut(id).rx.pred_flags = false;
        if before != 0 {
            l.count(Counter::TcpToZeroWindowAdv);
        }
    } else if before == 0 {
        l.count(Counter::TcpFromZeroWindowAdv);
    }
    field
}

/// The peer's FIN was received in order.
//= net/ipv4/tcp_input.c tcp_fin @ 5.10 6.1 6.12 7.3
//# An ACK is owed, the state moves on, what waits behind it is thrown away, and 5.10 reclaims.
pub fn on_fin(l: &mut Ledger, id: SockId) {
    let next = match l.sk(id).state {
        TcpState::Established => TcpState::CloseWait,
        TcpState::FinWait1 => TcpState::Closing,
        TcpState::FinWait2 => TcpState::TimeWait,
        other => other,
    };
    let sock = l.sk_mut(id);
    sock.rx.fin_seen = true;
    sock.rx.ack.sched = true;
    if sock.state == TcpState::Established {
        sock.rx.ack.pingpong = true;
    } else {
        sock.rx.ack.now = true;
    }
    sock.state = next;
    let purged = std::mem::take(&mut sock.rx.out_of_order_queue);
    for skb in purged {
        super::coalesce::sock_rfree(l, id, skb.truesize);
    }
    reclaim_point(l, id);
    if l.sk(id).state == TcpState::TimeWait && l.sk(id).orphan {
        tcp_send_ack(l, id);
        super::close::destroy(l, id);
    }
}
