//! The sender's round trip: smoothed estimate, retransmission timeout, and the pacing rate that follows from it.

use super::delack::JIFFY;
use crate::engine::ledger::Ledger;
use crate::engine::reason::Field;
use crate::engine::sock::SockId;
use crate::engine::units::Micros;

/// `TCP_RTO_MIN`, microseconds.
pub const RTO_MIN: i64 = 200_000;
/// `TCP_RTO_MAX`, microseconds.
pub const RTO_MAX: i64 = 120_000_000;

/// Percent of the measured rate that is paced: in slow start, and later.
const PACING_RATIO: (i64, i64) = (200, 120);

/// Takes one round trip sample into the estimate, and the timeout from it.
//= net/ipv4/tcp_input.c tcp_rtt_estimator @ 5.10 6.1 6.12 7.3
//= net/ipv4/tcp_input.c tcp_ack_update_rtt @ 5.10 6.1 6.12 7.3
//# An eighth of the error moves the mean; a quarter of the deviation's error moves the deviation, but a falling round
//# trip counts a further eighth only. The variance follows the largest deviation of a round at once, and falls by a
//# quarter of the difference once a round. A sample ends the backoff.
pub fn tcp_rtt_estimator(l: &mut Ledger, id: SockId, sample_us: i64) {
    let tx = &mut l.sk_mut(id).tx;
    let sample = sample_us.max(0);
    if tx.srtt_us8 == 0 {
        tx.srtt_us8 = sample << 3;
        tx.mdev_us4 = sample << 1;
        tx.rttvar_us4 = tx.mdev_us4.max(RTO_MIN);
        tx.mdev_max_us4 = tx.rttvar_us4;
        tx.rtt_seq = tx.snd_nxt;
    } else {
        let error = sample - (tx.srtt_us8 >> 3);
        tx.srtt_us8 += error;
        let mut spread = error.abs() - (tx.mdev_us4 >> 2);
        if error < 0 && spread > 0 {
            spread >>= 3;
        }
        tx.mdev_us4 += spread;
        if tx.mdev_us4 > tx.mdev_max_us4 {
            tx.mdev_max_us4 = tx.mdev_us4;
            tx.rttvar_us4 = tx.rttvar_us4.max(tx.mdev_max_us4);
        }
        if tx.snd_una > tx.rtt_seq {
            if tx.mdev_max_us4 < tx.rttvar_us4 {
                tx.rttvar_us4 -= (tx.rttvar_us4 - tx.mdev_max_us4) >> 2;
            }
            tx.rtt_seq = tx.snd_nxt;
            tx.mdev_max_us4 = RTO_MIN;
        }
    }
    tx.srtt_us8 = tx.srtt_us8.max(1);
    tx.backoff = 0;
    tcp_set_rto(l, id);
}

/// The timeout from the estimate.
//= net/ipv4/tcp_input.c tcp_set_rto @ 5.10 6.1 6.12 7.3
//# The mean and the variance, in whole ticks of the coarse clock, rounded up, at most two minutes.
fn tcp_set_rto(l: &mut Ledger, id: SockId) {
    let tx = &mut l.sk_mut(id).tx;
    let wanted = (tx.srtt_us8 >> 3) + tx.rttvar_us4;
    let ticks = (wanted + JIFFY - 1) / JIFFY;
    tx.rto = Micros((ticks * JIFFY).min(RTO_MAX));
}

/// Keeps the smallest round trip.
//= net/ipv4/tcp_input.c tcp_update_min_rtt @ 5.10 6.1 6.12 7.3
//# Of five minutes; here, of the connection. A sample of nothing counts as one tick.
pub fn tcp_update_min_rtt(l: &mut Ledger, id: SockId, sample_us: i64) {
    let sample = if sample_us == 0 { JIFFY } else { sample_us };
    let tx = &mut l.sk_mut(id).tx;
    tx.min_rtt_us = Some(tx.min_rtt_us.map_or(sample, |least| least.min(sample)));
}

/// The round trip of the handshake: the first sample of a connection, and the first pacing rate.
///
/// `options` are the bytes of TCP options in our SYN, which are still taken off the segment size at that moment.
//= net/ipv4/tcp_input.c tcp_synack_rtt_meas @ 5.10 6.1 6.12 7.3
//# The SYN's own round trip counts like any other.
pub fn handshake_rtt(l: &mut Ledger, id: SockId, sample_us: i64, options: i64) {
    tcp_rtt_estimator(l, id, sample_us);
    tcp_update_min_rtt(l, id, sample_us);
    l.sk_mut(id).tx.rack_rtt_us = sample_us;
    let agreed = l.sk(id).tx.tcp_header_len - 20;
    let mss = l.sk(id).tx.mss_cache + agreed - options;
    update_pacing_rate(l, id, mss);
}

/// Recomputes the pacing rate.
//= net/ipv4/tcp_input.c tcp_update_pacing_rate @ 5.10 6.1 6.12 7.3
//# One congestion window, or what is out if that is more, per smoothed round trip; doubled while the window is below
//# half of the slow start threshold, a fifth more otherwise.
pub fn tcp_update_pacing_rate(l: &mut Ledger, id: SockId) {
    let mss = l.sk(id).tx.mss_cache;
    update_pacing_rate(l, id, mss);
}

fn update_pacing_rate(l: &mut Ledger, id: SockId, mss: i64) {
    let sock = l.sk(id);
    let cwnd = sock.get(Field::Cwnd);
    let ratio = if cwnd < sock.get(Field::SndSsthresh) / 2 { PACING_RATIO.0 } else { PACING_RATIO.1 };
    let packets = cwnd.max(sock.get(Field::Unacked));
    let rate = (mss * 80_000 * ratio).saturating_mul(packets) / sock.tx.srtt_us8.max(1);
    l.sk_mut(id).tx.pacing_rate = Some(rate);
}
