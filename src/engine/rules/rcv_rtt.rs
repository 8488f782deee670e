//! The receiver's own estimate of the round trip, which paces autotuning.

use crate::engine::ledger::Ledger;
use crate::engine::reason::{Field, Rule, Term};
use crate::engine::sock::SockId;
use crate::engine::units::Micros;

/// A sample without timestamps: the time in which one advertised window of data arrived.
//= net/ipv4/tcp_input.c tcp_rcv_rtt_measure @ 5.10 6.1 6.12 7.3
//# Counted from one mark to the next; a mark lies one window ahead. Such samples only ever lower the estimate.
pub fn tcp_rcv_rtt_measure(l: &mut Ledger, id: SockId) {
    let sock = l.sk(id);
    let (mstamp, started) = (sock.rx.tcp_mstamp, sock.rx.rcv_rtt_time);
    let mark = sock.rx.rcv_nxt + sock.get(Field::RcvWnd);
    if started != Micros::ZERO {
        if sock.rx.rcv_nxt < sock.rx.rcv_rtt_seq {
            return;
        }
        let sample = (mstamp - started).0.max(1);
        update(l, id, sample, true);
    }
    let rx = &mut l.sk_mut(id).rx;
    rx.rcv_rtt_seq = mark;
    rx.rcv_rtt_time = mstamp;
}

/// A sample from a timestamp that the peer echoed.
//= net/ipv4/tcp_input.c tcp_rcv_rtt_measure_ts @ 5.10 6.1 6.12 7.3
//# Once per echo, and only from a full segment. In milliseconds. An echo in the same millisecond counts as one up to
//# 6.6 and not at all later. From 6.19 on a higher sample is passed over while the reader has data waiting.
pub fn tcp_rcv_rtt_measure_ts(l: &mut Ledger, id: SockId, len: i64) {
    let sock = l.sk(id);
    let echo = sock.rx.last_tsval;
    if !sock.tstamp_ok || echo == sock.rx.rcv_rtt_last_tsecr {
        return;
    }
    l.sk_mut(id).rx.rcv_rtt_last_tsecr = echo;
    let sock = l.sk(id);
    if len < sock.get(Field::RcvMss) {
        return;
    }
    let waiting = sock.rx.rcv_nxt != sock.rx.copied_seq;
    let before = sock.rx.rcv_rtt_us8 >> 3;
    let mut sample = timestamp(sock.rx.tcp_mstamp) - echo;
    if sample <= 0 {
        if l.machine().profile().rcv_rtt.zero_echo_ignored {
            return;
        }
        sample = 1;
    }
    let sample = sample * 1000;
    if l.machine().profile().rcv_rtt.higher_waits_for_reader && waiting && before != 0 && sample > before {
        return;
    }
    update(l, id, sample, false);
}

/// How far the timestamp clock is past a whole millisecond at the machine's start, as in most recordings.
const CLOCK_PHASE: i64 = 120;

/// The clock of the timestamp option, milliseconds.
pub const fn timestamp(at: Micros) -> i64 {
    (at.0 + CLOCK_PHASE) / 1000
}

/// Takes one sample, microseconds, into the estimate.
//= net/ipv4/tcp_input.c tcp_rcv_rtt_update @ 5.10 6.1 6.12 7.3
//# The first sample is the estimate. Later ones without timestamps only lower it. With timestamps the estimate moves by
//# an eighth; in 6.x a lower sample replaces it at once.
fn update(l: &mut Ledger, id: SockId, sample: i64, minimum_only: bool) {
    let before = l.sk(id).rx.rcv_rtt_us8;
    let lower_at_once = l.machine().profile().rcv_rtt.lower_at_once;
    let after = if before == 0 {
        sample << 3
    } else if minimum_only || (lower_at_once && sample << 3 < before) {
        before.min(sample << 3)
    } else {
        before + sample - (before >> 3)
    };
    l.called(Rule::TcpRcvRttUpdate, Some(Term::Time.of(after >> 3)));
    l.sk_mut(id).rx.rcv_rtt_us8 = after;
}
