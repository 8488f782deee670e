//! The congestion window: Reno growth, and what idleness takes away.

use super::delack::{JIFFY, jiffies};
use crate::engine::ledger::Ledger;
use crate::engine::reason::{Cmp, Field, Rule, Term};
use crate::engine::sock::{CaState, Sock, SockId};

/// `TCP_INIT_CWND`, packets.
pub const INIT_CWND: i64 = 10;

/// Whether the window is below the slow start threshold.
pub const fn tcp_in_slow_start(sock: &Sock) -> bool {
    sock.get(Field::Cwnd) < sock.get(Field::SndSsthresh)
}

/// Whether the sender makes use of its window.
//= include/net/tcp.h tcp_is_cwnd_limited @ 5.10 6.1 6.12 7.3
//# It was the limit, or, in slow start, more than half of it was out.
fn tcp_is_cwnd_limited(l: &mut Ledger, id: SockId) -> bool {
    let sock = l.sk(id);
    if sock.tx.is_cwnd_limited {
        return true;
    }
    let (cwnd, most) = (sock.get(Field::Cwnd), sock.tx.max_packets_out);
    tcp_in_slow_start(sock)
        && l.check(Rule::TcpIsCwndLimited, Field::Cwnd.of(cwnd), Cmp::Lt, Term::InFlight.of(2 * most))
}

/// Grows the window for `acked` packets.
//= net/ipv4/tcp_cong.c tcp_reno_cong_avoid @ 5.10 6.1 6.12 7.3
//= net/ipv4/tcp_cong.c tcp_slow_start @ 5.10 6.1 6.12 7.3
//= net/ipv4/tcp_cong.c tcp_cong_avoid_ai @ 5.10 6.1 6.12 7.3
//# Only a window that is made use of. In slow start by every packet, up to the threshold; the rest, and later all, one
//# packet per window of acknowledged ones.
pub fn tcp_reno_cong_avoid(l: &mut Ledger, id: SockId, acked: i64) {
    let rule = Rule::TcpCongAvoid;
    if tcp_is_cwnd_limited(l, id) {
        let mut acked = acked;
        let (before, ssthresh) = (l.get(id, Field::Cwnd), l.get(id, Field::SndSsthresh));
        if l.check(rule, Field::Cwnd.of(before), Cmp::Lt, Field::SndSsthresh.of(ssthresh)) {
            let after = (before + acked).min(ssthresh);
            l.set(rule, id, Field::Cwnd, after);
            acked -= after - before;
        }
        if acked > 0 {
            cong_avoid_ai(l, id, acked);
        }
    }
    let now = l.now();
    l.sk_mut(id).tx.cwnd_stamp = now;
}

fn cong_avoid_ai(l: &mut Ledger, id: SockId, acked: i64) {
    let window = l.get(id, Field::Cwnd).max(1);
    let mut grown = 0;
    let tx = &mut l.sk_mut(id).tx;
    if tx.cwnd_cnt >= window {
        tx.cwnd_cnt = 0;
        grown = 1;
    }
    tx.cwnd_cnt += acked;
    grown += tx.cwnd_cnt / window;
    tx.cwnd_cnt %= window;
    l.add(Rule::TcpCongAvoid, id, Field::Cwnd, grown);
}

/// Keeps the books on how much of the window is used, after a pass that sent something or was stopped by it.
//= net/ipv4/tcp_output.c tcp_cwnd_validate @ 5.10 6.1 6.12 7.3
//# Once a round, and whenever it is the limit or more packets are out than before. A window that was not used for a
//# timeout shrinks.
pub fn tcp_cwnd_validate(l: &mut Ledger, id: SockId, limited: bool) {
    let now = l.now();
    let out = l.get(id, Field::Unacked);
    let tx = &mut l.sk_mut(id).tx;
    let new_round = tx.snd_una >= tx.cwnd_usage_seq;
    if new_round || limited || (!tx.is_cwnd_limited && out > tx.max_packets_out) {
        tx.is_cwnd_limited = limited;
        tx.max_packets_out = out;
        tx.cwnd_usage_seq = tx.snd_nxt;
    }
    if tcp_is_cwnd_limited(l, id) {
        let tx = &mut l.sk_mut(id).tx;
        tx.cwnd_used = 0;
        tx.cwnd_stamp = now;
        return;
    }
    let tx = &mut l.sk_mut(id).tx;
    tx.cwnd_used = tx.cwnd_used.max(out);
    let (idle, rto) = ((jiffies(now) - jiffies(tx.cwnd_stamp)).0, tx.rto.0);
    if l.check(Rule::TcpCwndValidate, Term::Time.of(idle), Cmp::Ge, Term::Time.of(rto)) {
        tcp_cwnd_application_limited(l, id);
    }
}

/// A window that the application or the peer left unused shrinks half way to what was used.
//= net/ipv4/tcp_output.c tcp_cwnd_application_limited @ 5.10 6.1 6.12 7.3
//# Not while a writer waits for room, not after a loss, and not below the first window.
fn tcp_cwnd_application_limited(l: &mut Ledger, id: SockId) {
    let rule = Rule::TcpCwndApplicationLimited;
    let sock = l.sk(id);
    let owned = !sock.orphan && sock.accepted;
    if sock.tx.ca_state == CaState::Open && owned && !sock.tx.nospace {
        let used = sock.tx.cwnd_used.max(INIT_CWND);
        let cwnd = sock.get(Field::Cwnd);
        if l.check(rule, Term::InFlight.of(used), Cmp::Lt, Field::Cwnd.of(cwnd)) {
            let ssthresh = tcp_current_ssthresh(l.sk(id));
            l.set(rule, id, Field::SndSsthresh, ssthresh);
            l.set(rule, id, Field::Cwnd, (cwnd + used) >> 1);
        }
        l.sk_mut(id).tx.cwnd_used = 0;
    }
    let now = l.now();
    l.sk_mut(id).tx.cwnd_stamp = now;
}

/// The threshold to remember before the window shrinks.
//= include/net/tcp.h tcp_current_ssthresh @ 5.10 6.1 6.12 7.3
//# At least three quarters of the present window.
pub fn tcp_current_ssthresh(sock: &Sock) -> i64 {
    let cwnd = sock.get(Field::Cwnd);
    let ssthresh = sock.get(Field::SndSsthresh);
    if sock.tx.ca_state == CaState::Recovery { ssthresh } else { ssthresh.max((cwnd >> 1) + (cwnd >> 2)) }
}

/// A sender that was idle may have to start over.
//= include/net/tcp.h tcp_slow_start_after_idle_check @ 5.10 6.1 6.12 7.3
//= net/ipv4/tcp_output.c tcp_cwnd_restart @ 5.10 6.1 6.12 7.3
//# With nothing out and no data sent for more than a timeout: the window halves for every timeout that passed
//# beyond the first, down to the first window.
pub fn tcp_slow_start_after_idle_check(l: &mut Ledger, id: SockId) {
    let rule = Rule::TcpCwndRestart;
    let sock = l.sk(id);
    if sock.get(Field::Unacked) > 0 {
        return;
    }
    let rto = sock.tx.rto.0.max(JIFFY);
    let mut idle = (jiffies(l.now()) - jiffies(sock.tx.lsndtime)).0;
    if !l.check(rule, Term::Time.of(idle), Cmp::Gt, Term::Time.of(rto)) {
        return;
    }
    let ssthresh = tcp_current_ssthresh(l.sk(id));
    l.set(rule, id, Field::SndSsthresh, ssthresh);
    let mut cwnd = l.get(id, Field::Cwnd);
    let least = INIT_CWND.min(cwnd);
    loop {
        idle -= rto;
        if idle <= 0 || cwnd <= least {
            break;
        }
        cwnd >>= 1;
    }
    l.set(rule, id, Field::Cwnd, cwnd.max(least));
    let now = l.now();
    let tx = &mut l.sk_mut(id).tx;
    tx.cwnd_stamp = now;
    tx.cwnd_used = 0;
}
