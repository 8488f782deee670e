//! How many segments leave as one skb, where an skb is cut, and when it waits for more.

use super::in_flight;
use super::size_goal::{GSO_SEGS_MAX, gso_payload_max};
use super::write_xmit::tcp_wnd_end;
use crate::engine::ledger::Ledger;
use crate::engine::profile::TsoAutosize;
use crate::engine::reason::{Cmp, Field, Operand, Rule, Term, Verdict};
use crate::engine::sock::{CaState, Nonagle, Sock, SockId};

/// `tcp_min_tso_segs`.
const SEGS_MIN: i64 = 2;
/// `sk_pacing_shift`: the part of a second whose data goes into one skb, as a shift.
const PACING_SHIFT: u32 = 10;
/// `tcp_tso_rtt_log`.
const RTT_SHIFT: u32 = 9;
/// `tcp_tso_win_divisor`.
const WIN_DIVISOR: i64 = 3;
/// A sender that sent nothing for so long does not wait, microseconds.
const RECENT: i64 = 1_000;

/// Most segments of one skb now.
//= net/ipv4/tcp_output.c tcp_tso_autosize @ 5.10 6.1 6.12 7.3
//# About a millisecond of the pacing rate; from 5.18 on more the shorter the smallest round trip is. Between two
//# segments and what the device takes.
pub fn tcp_tso_segs(l: &mut Ledger, id: SockId, mss: i64) -> i64 {
    let largest = gso_payload_max(l);
    let tx = &l.sk(id).tx;
    let mut bytes = tx.pacing_rate.map_or(largest, |rate| rate >> PACING_SHIFT);
    if l.machine().profile().tso == TsoAutosize::PacingAndRtt
        && let Some(least) = tx.min_rtt_us
        && least >> RTT_SHIFT < 32
    {
        bytes += largest >> (least >> RTT_SHIFT);
    }
    let segs = (bytes.min(largest) / mss).clamp(SEGS_MIN, GSO_SEGS_MAX);
    l.called(Rule::TcpTsoAutosize, Some(Term::Quota.of(segs)));
    segs
}

/// Whether a small piece has to wait for an ACK.
//= net/ipv4/tcp_output.c tcp_nagle_check @ 5.10 6.1 6.12 7.3
//# With Nagle on, and while an earlier small packet is unacknowledged: full packets on the way do not hold it.
pub fn tcp_nagle_check(sock: &Sock, partial: bool, nonagle: Nonagle) -> bool {
    let tx = &sock.tx;
    partial
        && !nonagle.off
        && !nonagle.push
        && sock.get(Field::Unacked) > 0
        && tx.snd_sml > tx.snd_una
        && tx.snd_sml <= tx.snd_nxt
}

/// Where the first unsent skb is cut when at most `segs` segments may leave.
//= net/ipv4/tcp_output.c tcp_mss_split_point @ 5.10 6.1 6.12 7.3
//# At the quota, if that fits the peer's window. Only the last skb loses its odd end, and only when Nagle holds that.
pub fn tcp_mss_split_point(l: &mut Ledger, id: SockId, mss: i64, segs: i64, nonagle: Nonagle) -> i64 {
    let rule = Rule::TcpMssSplitPoint;
    let sock = l.sk(id);
    let Some(skb) = sock.tx.write_queue.front() else {
        return mss;
    };
    let (len, last) = (skb.len, sock.tx.write_queue.len() == 1);
    let window = tcp_wnd_end(sock) - skb.seq;
    let most = mss * segs;
    if !last && l.check(rule, Term::Size.of(most), Cmp::Le, Term::Window.of(window)) {
        return most;
    }
    let needed = len.min(window);
    if l.check(rule, Term::Size.of(most), Cmp::Le, Term::Len.of(needed)) {
        return most;
    }
    let partial = needed % mss;
    if tcp_nagle_check(l.sk(id), partial != 0, nonagle) {
        l.decided(rule, Verdict::HeldByNagle);
        return needed - partial;
    }
    needed
}

/// What kept a deferred skb back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defer {
    /// It leaves.
    No,
    /// It waits, for neither window.
    Yes,
    /// It waits for the congestion window.
    Cwnd,
}

/// Whether a large skb waits for more data or for the next ACK.
//= net/ipv4/tcp_output.c tcp_tso_should_defer @ 5.10 6.1 6.12 7.3
//# It leaves after a loss, after a pause, when a full-sized skb or all of a middle skb may leave, when a third of the
//# window may, when nothing is out, and when the next ACK is far away.
pub fn tcp_tso_should_defer(l: &mut Ledger, id: SockId, max_segs: i64) -> Defer {
    let rule = Rule::TcpTsoShouldDefer;
    let sock = l.sk(id);
    if sock.tx.ca_state >= CaState::Recovery {
        return Defer::No;
    }
    let pause = (l.now() - sock.tx.wstamp).0;
    if l.check(rule, Term::Time.of(pause), Cmp::Gt, Term::Constant.of(RECENT)) {
        return Defer::No;
    }
    let sock = l.sk(id);
    let Some(skb) = sock.tx.write_queue.front().copied() else {
        return Defer::No;
    };
    let mss = sock.tx.mss_cache;
    let cwnd = sock.get(Field::Cwnd);
    let (snd_wnd, middle) = (sock.get(Field::SndWnd), sock.tx.write_queue.len() > 1);
    let window = tcp_wnd_end(sock) - skb.seq;
    let congestion = (cwnd - in_flight(sock)) * mss;
    let limit: Operand = Term::Window.of(window.min(congestion));
    if l.check(rule, limit, Cmp::Ge, Term::Size.of(max_segs * mss)) {
        return Defer::No;
    }
    if middle && l.check(rule, limit, Cmp::Ge, Term::Len.of(skb.len)) {
        return Defer::No;
    }
    let third = snd_wnd.min(cwnd * mss) / WIN_DIVISOR;
    if l.check(rule, limit, Cmp::Ge, Term::Size.of(third)) || ack_is_far(l, id) {
        return Defer::No;
    }
    if congestion < window && congestion <= skb.len {
        l.decided(rule, Verdict::CwndFull);
        return Defer::Cwnd;
    }
    let window_limited = congestion >= window && window <= skb.len;
    if !window_limited && skb.fin {
        return Defer::No;
    }
    l.decided(rule, Verdict::Deferred);
    Defer::Yes
}

/// Whether nothing is out, or the next ACK is not expected soon.
fn ack_is_far(l: &mut Ledger, id: SockId) -> bool {
    let rule = Rule::TcpTsoShouldDefer;
    let sock = l.sk(id);
    let Some(oldest) = sock.tx.rtx_queue.front() else {
        return true;
    };
    let waited = (l.now() - oldest.sent_at).0;
    let srtt = sock.tx.srtt_us8 >> 3;
    match l.machine().profile().tso {
        TsoAutosize::Pacing => l.check(rule, Term::Time.of(waited), Cmp::Lt, Term::Constant.of(half(srtt))),
        TsoAutosize::PacingAndRtt => {
            let left = srtt - waited;
            l.check(rule, Term::Time.of(left), Cmp::Gt, Term::Constant.of(half(srtt).min(1_000)))
        }
    }
}

const fn half(srtt: i64) -> i64 {
    srtt >> 1
}
