//! Receive autotuning: `sk_rcvbuf` follows what the reader takes per round trip.

use super::rcv_window::win_from_space;
use super::truesize::OVERHEAD;
use crate::engine::ledger::Ledger;
use crate::engine::profile::{Autotune, Profile};
use crate::engine::reason::{Cmp, Field, Rule, Term};
use crate::engine::sock::SockId;

const RULE: Rule = Rule::TcpRcvSpaceAdjust;

/// Measures what the reader took since the last time; may enlarge the buffer.
//= net/ipv4/tcp_input.c tcp_rcv_space_adjust @ 5.10 6.1 6.12 7.3
//# Once per receiver round trip, and not before one is known. What was copied counts, from 6.12 on less what still
//# waits. More than last time is the new measure, and the buffer is tuned to it unless it is locked or tuning is off.
pub fn tcp_rcv_space_adjust(l: &mut Ledger, id: SockId) {
    let autotune = l.machine().profile().autotune;
    let now = l.now();
    if matches!(autotune, Autotune::Segments | Autotune::Bytes) {
        l.sk_mut(id).rx.tcp_mstamp = now;
    }
    let rx = &l.sk(id).rx;
    let rtt = rx.rcv_rtt_us8 >> 3;
    let elapsed = (rx.tcp_mstamp - rx.rcvq_time).0;
    if rtt == 0 || !l.check(RULE, Term::Time.of(elapsed), Cmp::Ge, Term::Time.of(rtt)) {
        return;
    }
    let rx = &l.sk(id).rx;
    let mut copied = rx.copied_seq - rx.rcvq_seq;
    if autotune != Autotune::Segments {
        copied -= rx.rcv_nxt - rx.copied_seq;
    }
    let space = l.get(id, Field::RcvSpace);
    if l.check(RULE, Term::Copied.of(copied), Cmp::Gt, Field::RcvSpace.of(space)) {
        tune(l, id, copied);
        l.set(RULE, id, Field::RcvSpace, copied);
    }
    let rx = &mut l.sk_mut(id).rx;
    rx.rcvq_seq = rx.copied_seq;
    rx.rcvq_time = rx.tcp_mstamp;
}

/// Tunes again after an out-of-order segment (kernels that count what waits behind a hole).
//= net/ipv4/tcp_input.c tcp_data_queue_ofo @ 7.3
//# The buffer must also hold what waits behind a hole. Only for sockets somebody owns.
pub fn after_ofo(l: &mut Ledger, id: SockId) {
    let counts_hole = matches!(l.machine().profile().autotune, Autotune::BytesAndHole | Autotune::LowRtt);
    if counts_hole && l.sk(id).accepted && !l.sk(id).orphan {
        let space = l.get(id, Field::RcvSpace);
        tune(l, id, space);
    }
}

/// Enlarges the buffer for `copied` bytes per round trip.
//= net/ipv4/tcp_input.c tcp_rcvbuf_grow @ 7.3
//# Twice the bytes, for a sender that doubles its rate, and more in proportion to the growth; 7.3 adds little on a low
//# round trip. Then to truesize, by a nominal segment up to 6.5, by the measured share later. Never beyond
//# tcp_rmem[2], never smaller. The clamp follows.
fn tune(l: &mut Ledger, id: SockId, copied: i64) {
    let locked = i64::from(l.sk(id).rcvbuf_locked());
    let moderate = l.machine().sysctls().tcp_moderate_rcvbuf;
    if l.check(RULE, Term::Argument.of(moderate), Cmp::Eq, Term::Constant.of(0))
        || l.check(RULE, Field::BufLock.of(locked), Cmp::Ne, Term::Constant.of(0))
    {
        return;
    }
    let wanted = match l.machine().profile().autotune {
        Autotune::Segments => by_segments(l, id, copied),
        Autotune::Bytes => truncate(window_in_bytes(l, id, copied)),
        Autotune::BytesAndHole => window_and_hole(l, id, copied, 0),
        Autotune::LowRtt => window_and_hole(l, id, copied, l.machine().sysctls().tcp_rcvbuf_low_rtt),
    };
    let max = l.machine().sysctls().tcp_rmem[2];
    let size = match l.machine().profile().autotune {
        Autotune::Segments => wanted.min(max),
        // A window that does not fit an int is negative here, and as unsigned larger than any limit.
        Autotune::Bytes if wanted < 0 => max,
        Autotune::Bytes | Autotune::BytesAndHole | Autotune::LowRtt => {
            super::rcv_window::space_from_win(l, id, wanted).min(max)
        }
    };
    let rcvbuf = l.get(id, Field::Rcvbuf);
    if l.check(RULE, Term::Size.of(size), Cmp::Gt, Field::Rcvbuf.of(rcvbuf)) {
        l.set(RULE, id, Field::Rcvbuf, size);
        let clamp = win_from_space(l, id, size);
        l.set(RULE, id, Field::WindowClamp, clamp);
    }
}

/// Twice what was copied, sixteen segments, and twice that again in proportion to the growth.
fn window_in_bytes(l: &Ledger, id: SockId, copied: i64) -> i64 {
    let space = l.get(id, Field::RcvSpace).max(1);
    let window = 2 * copied + 16 * l.get(id, Field::Advmss);
    window + 2 * (window * (copied - space) / space)
}

/// The buffer for that window in whole segments of a nominal truesize.
fn by_segments(l: &Ledger, id: SockId, copied: i64) -> i64 {
    let advmss = l.get(id, Field::Advmss).max(1);
    let mut per_segment = OVERHEAD + advmss + Profile::max_tcp_header(l.machine().setup().build);
    while win_from_space(l, id, per_segment) < advmss {
        per_segment += 128;
    }
    window_in_bytes(l, id, copied) / advmss * per_segment
}

/// Twice what was copied, the growth or (below `low` microseconds of round trip) a share, and what waits behind a hole.
fn window_and_hole(l: &Ledger, id: SockId, copied: i64, low: i64) -> i64 {
    let sock = l.sk(id);
    let space = sock.get(Field::RcvSpace).max(1);
    let window = 2 * copied;
    let rtt = sock.rx.rcv_rtt_us8 >> 3;
    let grow = if rtt < low { window * rtt / low } else { 2 * window * (copied - space) / space };
    let behind_hole = sock.rx.out_of_order_queue.last().map_or(0, |s| s.end() - sock.rx.rcv_nxt);
    window + grow + behind_hole
}

/// The low 32 bits read as a signed int, as the kernel's argument type cuts it.
const fn truncate(x: i64) -> i64 {
    ((x & 0xffff_ffff) ^ (1 << 31)) - (1 << 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Machine;
    use crate::engine::op::{Op, SockName, SysctlKey, Timing};
    use crate::engine::setup::{Build, Setup};

    /// Spec 12.5, rows 56 and 57: copied bytes per round trip, space 14480, advmss 1448, half of the room is payload.
    #[test]
    fn buffers_for_what_was_copied() {
        for (profile, build, rtt_us, copied, rcvbuf) in [
            ("5.10", Build::Distro, 100_000, 100_000, 5_890_416),
            ("6.1", Build::DebianCloud, 100_000, 100_000, 5_764_080),
            ("6.12", Build::Distro, 100_000, 100_000, 5_718_524),
            ("7.3", Build::Distro, 100_000, 100_000, 5_124_860),
            ("7.3", Build::Distro, 100, 100_000, 440_000),
            // as 7.3 on a long round trip, on any
            ("6.18", Build::Distro, 100, 100_000, 5_124_860),
            ("5.10", Build::Distro, 100_000, 20_000, 226_784),
            ("6.1", Build::DebianCloud, 100_000, 20_000, 221_920),
            ("6.12", Build::Distro, 100_000, 20_000, 222_656),
            ("7.3", Build::Distro, 100_000, 20_000, 140_994),
            // 88000 is wanted, but a buffer never shrinks here
            ("7.3", Build::Distro, 100, 20_000, 131_072),
        ] {
            let mut setup = Setup { build, ..Setup::default() };
            setup.sysctls.insert(SysctlKey::TcpRmem, "4096 131072 2000000000".to_owned());
            let mut m = Machine::new(profile, &setup).unwrap();
            let sock = SockName::new("s").unwrap();
            m.apply(&Op::Socket { sock, kind: crate::engine::op::Protocol::default() }, Timing::USUAL).unwrap();
            let id = m.find(sock).unwrap().0;
            let mut l = Ledger::new(&mut m, None);
            l.set(RULE, id, Field::Advmss, 1_448);
            l.set(RULE, id, Field::RcvSpace, 14_480);
            l.sk_mut(id).rx.rcv_rtt_us8 = rtt_us << 3;
            tune(&mut l, id, copied);
            assert_eq!(l.get(id, Field::Rcvbuf), rcvbuf, "{profile} {build:?} {rtt_us} {copied}");
            assert_eq!(l.get(id, Field::WindowClamp) * 2, if rcvbuf == 131_072 { 0 } else { rcvbuf });
        }
    }

    #[test]
    fn a_window_above_two_gigabytes_turns_negative() {
        assert_eq!(truncate(0x7fff_ffff), 0x7fff_ffff);
        assert_eq!(truncate(0x8000_0000), -0x8000_0000);
        assert_eq!(truncate(0x1_0000_0005), 5);
    }
}
