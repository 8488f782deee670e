//! The delayed ACK and its timer, and ACKs held back for compression.

use super::ack_out::tcp_send_ack;
use super::pressure::tcp_under_memory_pressure;
use super::reclaim::{reclaim_point, reclaim_point_partial};
use crate::engine::ledger::Ledger;
use crate::engine::reason::{Cmp, Rule, Term, Verdict};
use crate::engine::snmp::Counter;
use crate::engine::sock::{AckState, SockId, TcpState};
use crate::engine::timers::Timer;
use crate::engine::units::Micros;

/// One tick of the kernel's coarse clock at HZ 250.
pub const JIFFY: i64 = 4_000;
/// `TCP_ATO_MIN` and `TCP_DELACK_MIN`.
pub const ATO_MIN: Micros = Micros(40_000);
/// `TCP_DELACK_MAX`.
const DELACK_MAX: Micros = Micros(200_000);
/// Longest delayed ACK time of a one-way flow.
const ATO_MAX: Micros = Micros(500_000);

/// Where the ticks fall after the machine's start: as in the recordings, whose probe starts half a tick after one.
pub const TICK_PHASE: i64 = 2_000;

/// A time as the coarse clock shows it: the last tick.
pub const fn jiffies(at: Micros) -> Micros {
    Micros(at.0 - (at.0 + TICK_PHASE).rem_euclid(JIFFY))
}

/// A duration in whole ticks, rounded down.
pub const fn whole_ticks(span: Micros) -> Micros {
    Micros(span.0 - span.0.rem_euclid(JIFFY))
}

/// Leaves the ACK to the timer, or sends it when the timer is about to fire.
//= net/ipv4/tcp_output.c tcp_send_delayed_ack @ 5.10 6.1 6.12 7.3
//# After the delayed ACK time, never later than 200 ms nor than a timer already running. If the running one fires
//# within a quarter of that time, the ACK leaves now.
pub fn tcp_send_delayed_ack(l: &mut Ledger, id: SockId) {
    let rule = Rule::TcpSendDelayedAck;
    let now = jiffies(l.now());
    let delay = delay(l, id);
    let mut timeout = now + delay;
    let ack = l.sk(id).rx.ack;
    if ack.timer {
        let soon = now + whole_ticks(Micros(delay.0 >> 2));
        if l.check(rule, Term::Time.of(ack.timeout.0), Cmp::Le, Term::Time.of(soon.0)) {
            tcp_send_ack(l, id);
            return;
        }
        timeout = timeout.min(ack.timeout);
    }
    let ack = &mut l.sk_mut(id).rx.ack;
    ack.sched = true;
    ack.timer = true;
    ack.timeout = timeout;
    program(l, id, timeout);
    l.decided(rule, Verdict::AckDelayed);
}

fn delay(l: &Ledger, id: SockId) -> Micros {
    let sock = l.sk(id);
    let ack = &sock.rx.ack;
    let mut delay = ack.ato;
    if delay > ATO_MIN {
        let mut cap = if ack.pingpong || ack.pushed { DELACK_MAX } else { ATO_MAX };
        if sock.tx.srtt_us8 > 0 {
            cap = cap.min(whole_ticks(Micros((sock.tx.srtt_us8 >> 3) + JIFFY - 1)).max(ATO_MIN));
        }
        delay = delay.min(cap);
    }
    delay.min(DELACK_MAX)
}

/// Programs the physical timer: it fires in the tick after the one it is set to.
fn program(l: &mut Ledger, id: SockId, timeout: Micros) {
    let at = timeout + Micros(JIFFY);
    let before = l.sk_mut(id).rx.ack.physical.replace(at);
    l.m.timers.program(id, Timer::Delack, before, Some(at));
}

/// The delayed ACK timer fired.
//= net/ipv4/tcp_timer.c tcp_delack_timer_handler @ 5.10 6.1 6.12 7.3
//# If the ACK is still owed it leaves now, and the delayed ACK time grows (one-way) or interactive mode ends. 5.10
//# gives credit above one page back first, whatever else it finds.
pub fn fired(l: &mut Ledger, id: SockId) {
    let rule = Rule::TcpDelackTimerHandler;
    l.called(rule, None);
    l.sk_mut(id).rx.ack.physical = None;
    reclaim_point_partial(l, id);
    let sock = l.sk(id);
    let closed = matches!(sock.state, TcpState::Close | TcpState::Listen);
    let ack = sock.rx.ack;
    if !closed && ack.timer {
        let now = jiffies(l.now());
        if l.check(rule, Term::Time.of(ack.timeout.0), Cmp::Gt, Term::Time.of(now.0)) {
            program(l, id, ack.timeout);
        } else {
            l.sk_mut(id).rx.ack.timer = false;
            if ack.sched {
                delayed_ack_missed(l, id);
            }
        }
    }
    if tcp_under_memory_pressure(l, id) {
        reclaim_point(l, id);
    }
}

fn delayed_ack_missed(l: &mut Ledger, id: SockId) {
    let rto = l.sk(id).tx.rto;
    let now = l.now();
    let rx = &mut l.sk_mut(id).rx;
    rx.tcp_mstamp = now;
    let ack = &mut rx.ack;
    if ack.pingpong {
        ack.pingpong = false;
        ack.ato = ATO_MIN;
    } else {
        ack.ato = Micros(ack.ato.0 * 2).min(rto);
    }
    tcp_send_ack(l, id);
    l.count(Counter::DelayedAcks);
}

/// Holds back a duplicate ACK: the first one held starts a short timer.
//= net/ipv4/tcp_input.c __tcp_ack_snd_check @ 5.10 6.1 6.12 7.3
//# A twentieth of the smaller round trip, up to a millisecond.
pub fn hold_for_compression(l: &mut Ledger, id: SockId) {
    let sock = l.sk(id);
    let mut rtt8 = sock.rx.rcv_rtt_us8;
    if sock.tx.srtt_us8 > 0 && sock.tx.srtt_us8 < rtt8 {
        rtt8 = sock.tx.srtt_us8;
    }
    let percent = i64::from(l.machine().profile().compressed_ack_percent);
    let delay = ((rtt8 >> 3) * percent / 100).min(1_000);
    let at = l.now() + Micros(delay);
    let ack: &mut AckState = &mut l.sk_mut(id).rx.ack;
    ack.compressed_ack += 1;
    if ack.compressed_timer.is_none() {
        ack.compressed_timer = Some(at);
        l.m.timers.program(id, Timer::CompressedAck, None, Some(at));
    }
    l.decided(Rule::TcpAckSndCheck, Verdict::AckDelayed);
}

/// The compression timer fired: one ACK leaves for all that were held back.
//= net/ipv4/tcp_timer.c tcp_compressed_ack_kick @ 5.10 6.1 6.12 7.3
//# Nothing if another packet carried the ACK meanwhile.
pub fn compressed_fired(l: &mut Ledger, id: SockId) {
    let ack = &mut l.sk_mut(id).rx.ack;
    ack.compressed_timer = None;
    if ack.compressed_ack > 0 {
        ack.compressed_ack -= 1;
        tcp_send_ack(l, id);
    }
}
