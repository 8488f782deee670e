//! `rcv_ssthresh`: how it grows with well-packed segments, and what memory pressure does to it.

use super::pressure::check_pressure;
use super::rcv_window::{tcp_space, win_from_space};
use super::reclaim::sk_unused_reserved_mem;
use crate::engine::ledger::Ledger;
use crate::engine::reason::{Cmp, Field, Rule, Term};
use crate::engine::sock::SockId;
use crate::engine::units::Bytes;

/// Segments below this many bytes never grow the window.
const GROW_MIN_LEN: i64 = 128;

/// Cuts `rcv_ssthresh` under pressure; an unused reserve holds it up.
//= include/net/tcp.h tcp_adjust_rcv_ssthresh @ 6.1 6.12 7.3
//# At most four segments, but from 5.16 on at least what fits into the unused reserve, which may even raise it.
pub fn tcp_adjust_rcv_ssthresh(l: &mut Ledger, id: SockId) {
    let rule = Rule::TcpAdjustRcvSsthresh;
    let four = 4 * l.get(id, Field::Advmss);
    let mut value = l.get(id, Field::RcvSsthresh).min(four);
    if l.machine().profile().reserve.ssthresh {
        let unused = sk_unused_reserved_mem(l, id);
        if l.check(rule, Term::UnusedReserved.of(unused.0), Cmp::Gt, Term::Constant.of(0)) {
            value = value.max(win_from_space(l, id, unused.0));
        }
    }
    l.set(rule, id, Field::RcvSsthresh, value);
}

/// Lets `rcv_ssthresh` grow after a segment of `len` payload bytes that cost `truesize`.
//= net/ipv4/tcp_input.c tcp_grow_window @ 5.10 6.1 6.12 7.3
//# Only towards the clamp and the free room. Under pressure it does not grow: from 5.16 on it is adjusted instead.
//# A segment whose payload fills its share of the truesize grows it by two of our segments, a worse one by two of the
//# peer's, as long as the window is small. At least twice the segment. A growth earns one immediate ACK.
pub fn tcp_grow_window(l: &mut Ledger, id: SockId, len: i64, truesize: Bytes) {
    let rule = Rule::TcpGrowWindow;
    if !l.check(rule, Term::Len.of(len), Cmp::Ge, Term::Constant.of(GROW_MIN_LEN)) {
        return;
    }
    let ssthresh = l.get(id, Field::RcvSsthresh);
    let limit = l.get(id, Field::WindowClamp).min(tcp_space(l, id));
    if l.check(rule, Field::RcvSsthresh.of(ssthresh), Cmp::Ge, Term::Space.of(limit)) {
        return;
    }
    if check_pressure(l, id, rule) {
        if l.machine().profile().grow_adjusts {
            tcp_adjust_rcv_ssthresh(l, id);
        }
        return;
    }
    let worth = win_from_space(l, id, truesize.0);
    let growth = if l.check(rule, Term::Space.of(worth), Cmp::Le, Term::Len.of(len)) {
        2 * l.get(id, Field::Advmss)
    } else {
        small_window_growth(l, id, len, worth)
    };
    if growth > 0 {
        let step = growth.max(2 * len).min(limit - ssthresh);
        l.set(rule, id, Field::RcvSsthresh, ssthresh + step);
        l.sk_mut(id).rx.ack.quick |= 1;
    }
}

/// Growth for a segment that wastes room: only while the window is a small part of the largest possible.
//= net/ipv4/tcp_input.c __tcp_grow_window @ 5.10 6.1 6.12 7.3
//# The more room a segment wastes, by powers of two, the smaller the window must be for it to grow still.
fn small_window_growth(l: &mut Ledger, id: SockId, len: i64, worth: i64) -> i64 {
    let rule = Rule::TcpGrowWindow;
    let ssthresh = l.get(id, Field::RcvSsthresh);
    let mut truesize = worth >> 1;
    let mut window = win_from_space(l, id, l.machine().sysctls().tcp_rmem[2]) >> 1;
    while l.check(rule, Field::RcvSsthresh.of(ssthresh), Cmp::Le, Term::FullSpace.of(window)) {
        if l.check(rule, Term::Space.of(truesize), Cmp::Le, Term::Len.of(len)) {
            return 2 * l.get(id, Field::RcvMss);
        }
        truesize >>= 1;
        window >>= 1;
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Machine;
    use crate::engine::op::{Op, SockName, Timing};
    use crate::engine::setup::Setup;

    /// Spec 12.5, rows 48 to 50: `rcv_ssthresh` under pressure, with and without an unused reserve of 25 pages.
    #[test]
    fn pressure_cuts_to_four_segments_and_the_reserve_holds_up() {
        for (profile, reserved, rmem, before, after) in [
            ("6.12", 0, 0, 64_088, 5_792),
            ("6.12", 102_400, 0, 64_088, 51_200),
            ("6.12", 102_400, 46_080, 64_088, 28_160),
            // adjusting may raise
            ("6.12", 102_400, 0, 1_000, 51_200),
            ("6.1", 102_400, 46_080, 64_088, 28_160),
            // 5.10 knows no reserve
            ("5.10", 102_400, 0, 64_088, 5_792),
        ] {
            let mut m = Machine::new(profile, &Setup::default()).unwrap();
            let sock = SockName::new("s").unwrap();
            m.apply(&Op::Socket { sock, kind: crate::engine::op::Protocol::default() }, Timing::USUAL).unwrap();
            let id = m.find(sock).unwrap().0;
            let mut l = Ledger::new(&mut m, None);
            for (field, value) in [
                (Field::Advmss, 1_448),
                (Field::RcvSsthresh, before),
                (Field::Reserved, reserved),
                (Field::RmemAlloc, rmem),
            ] {
                l.set(Rule::TcpAdjustRcvSsthresh, id, field, value);
            }
            tcp_adjust_rcv_ssthresh(&mut l, id);
            assert_eq!(l.get(id, Field::RcvSsthresh), after, "{profile} {reserved} {rmem} {before}");
        }
    }
}
