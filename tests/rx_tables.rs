//! The receive rules against arithmetic done by hand (spec 12.5): each row says what goes in and what must come out.

use skmem_lab::engine::Machine;
use skmem_lab::engine::op::{Op, PeerOptions, Protocol, SockName, SockOpt, SysctlKey, Timing};
use skmem_lab::engine::reason::Field;
use skmem_lab::engine::setup::Setup;
use skmem_lab::engine::snmp::Counter;
use skmem_lab::engine::sock::Sock;
use skmem_lab::engine::step::{Step, SynOffer};

fn name(text: &str) -> SockName {
    SockName::new(text).unwrap()
}

fn machine(profile: &str, sysctls: &[(SysctlKey, &str)]) -> Machine {
    let mut setup = Setup::default();
    for (key, value) in sysctls {
        setup.sysctls.insert(*key, (*value).to_owned());
    }
    Machine::new(profile, &setup).unwrap()
}

fn apply(m: &mut Machine, op: &Op) -> Step {
    m.apply(op, Timing::USUAL).unwrap_or_else(|refused| panic!("{op:?}: {refused}"))
}

fn sock(m: &Machine) -> &Sock {
    m.find(name("s")).unwrap().1
}

fn set(m: &mut Machine, option: SockOpt, value: i32) {
    assert_eq!(apply(m, &Op::Setsockopt { sock: name("s"), name: option, value }).errno, None);
}

/// A connected socket `s`, whose buffer was set before if `rcvbuf` says so.
fn connected(profile: &str, sysctls: &[(SysctlKey, &str)], rcvbuf: Option<i32>, ts: u32) -> Machine {
    let mut m = machine(profile, sysctls);
    apply(&mut m, &Op::Socket { sock: name("s"), kind: Protocol::Tcp });
    if let Some(size) = rcvbuf {
        set(&mut m, SockOpt::SO_RCVBUF, size);
    }
    let peer = PeerOptions { ts, ..PeerOptions::default() };
    apply(&mut m, &Op::Connect { sock: name("s"), peer });
    m
}

fn rx(m: &mut Machine, len: u32, truesize: u32) {
    let op = Op::Rx {
        sock: name("s"),
        len,
        count: 1,
        respect_window: 0,
        win_snapshot: 0,
        read_every: 0,
        rewind_unacked: 0,
        truesize: Some(truesize),
    };
    apply(m, &op);
}

/// What a listener with that buffer offers, and the child it makes.
fn passive(profile: &str, sysctls: &[(SysctlKey, &str)], rcvbuf: Option<i32>, ts: u32) -> (SynOffer, Machine) {
    let mut m = machine(profile, sysctls);
    apply(&mut m, &Op::Socket { sock: name("l"), kind: Protocol::Tcp });
    if let Some(value) = rcvbuf {
        apply(&mut m, &Op::Setsockopt { sock: name("l"), name: SockOpt::SO_RCVBUF, value });
    }
    apply(&mut m, &Op::Listen { sock: name("l") });
    let peer = PeerOptions { ts, ..PeerOptions::default() };
    let step = apply(&mut m, &Op::PeerConnect { sock: name("l"), child: name("s"), peer });
    (step.synack.unwrap(), m)
}

#[test]
fn first_windows_of_listeners() {
    const LARGE: &[(SysctlKey, &str)] =
        &[(SysctlKey::TcpRmem, "4096 131072 33554432"), (SysctlKey::RmemMax, "4194304")];
    // profile, sysctls, SO_RCVBUF, timestamps -> window on the wire, scale (rows 44, 45, 47)
    for (profile, sysctls, rcvbuf, ts, win, wscale) in [
        ("6.12", &[][..], None, 1, 65_160, 7),
        ("7.3", LARGE, None, 1, 65_160, 10),
        // 20000 of room: half, in whole segments of 1460
        ("7.3", LARGE, Some(10_000), 0, 8_760, 0),
        ("7.3", LARGE, Some(20_000), 0, 18_980, 0),
        // the window is 998640, the field holds 65535
        ("7.3", LARGE, Some(1_000_000), 0, 65_535, 4),
        ("5.10", LARGE, Some(1_000_000), 0, 65_535, 4),
        // rmem_max 212992 cuts all three to 425984: room 212992, scale 2 (row 46)
        ("5.10", &[][..], Some(212_992), 0, 65_535, 2),
        ("6.1", &[][..], Some(425_984), 0, 65_535, 2),
        ("6.12", &[][..], Some(1_000_000), 0, 65_535, 2),
        ("7.3", LARGE, Some(212_992), 0, 65_535, 2),
        ("7.3", LARGE, Some(425_984), 0, 65_535, 3),
    ] {
        let (offer, _) = passive(profile, sysctls, rcvbuf, ts);
        assert_eq!((offer.win, offer.wscale), (win, wscale), "{profile} {rcvbuf:?} {ts}");
    }
}

#[test]
fn buffers_of_established_connections() {
    // Room 65536, less one segment: of 1448 with timestamps, but a 5.10 server still counts 1460 then (row 44).
    for (profile, server, ts, clamp, space) in [
        ("5.10", true, 1, 64_076, 14_600),
        ("6.1", true, 1, 64_088, 14_480),
        ("7.3", true, 1, 64_088, 14_480),
        ("5.10", false, 1, 64_088, 14_480),
        ("5.10", false, 0, 64_076, 14_600),
        ("7.3", false, 0, 64_076, 14_600),
    ] {
        let sysctls = [(SysctlKey::TcpRmem, "4096 131072 6291456"), (SysctlKey::RmemMax, "212992")];
        let m =
            if server { passive(profile, &sysctls, None, ts).1 } else { connected(profile, &sysctls, None, ts) };
        let s = sock(&m);
        let got = (s.window_clamp().0, s.rcv_ssthresh().0, s.get(Field::RcvSpace));
        assert_eq!(got, (clamp, clamp, space), "{profile} server {server} ts {ts}");
    }
}

#[test]
fn a_full_segment_measures_the_share_and_grows_the_window() {
    // 1448 * 256 / 2304 = 160.9: share 160, clamp 131072 * 160 / 256 = 81920. Then 2304 * 160 / 256 = 1440 <= 1448:
    // the threshold grows by two segments, 64088 + 2896 (rows 54 and 60).
    let mut m = connected("7.3", &[], None, 1);
    rx(&mut m, 1_448, 2_304);
    let s = sock(&m);
    assert_eq!(s.get(Field::ScalingRatio), 160);
    assert_eq!(s.window_clamp().0, 81_920);
    assert_eq!(s.rcv_ssthresh().0, 66_984);
    // With the fixed half the clamp is the threshold already: no room to grow.
    let mut m = connected("6.1", &[], None, 1);
    rx(&mut m, 1_448, 2_304);
    assert_eq!((sock(&m).window_clamp().0, sock(&m).rcv_ssthresh().0), (64_088, 64_088));
}

#[test]
fn windows_by_free_room() {
    // A segment of 500 is below rcv_mss 536, so the share stays a half. Shrinking is allowed, so the offer shows.
    // 131072 - 120000 = 11072, half 5536, rounded down to 128: 5504. Less than a sixteenth of the room (4096): 0.
    // (Rows 52 and 53.)
    for (truesize, win) in [(120_000, 5_504), (124_000, 0)] {
        for profile in ["6.12", "7.3"] {
            let sysctls = [
                (SysctlKey::TcpShrinkWindow, "1"),
                (SysctlKey::TcpRmem, "4096 131072 6291456"),
                (SysctlKey::RmemMax, "212992"),
            ];
            let mut m = connected(profile, &sysctls, None, 0);
            rx(&mut m, 500, truesize);
            assert_eq!(sock(&m).peer.adv_win, win, "{profile} {truesize}");
            assert_eq!(m.snmp().get(Counter::TcpToZeroWindowAdv), i64::from(win == 0));
        }
    }
    // Not allowed: 64256 was promised and 500 of it used; 63756 rounded up to 128.
    let mut m = connected("6.1", &[], None, 0);
    rx(&mut m, 500, 124_000);
    assert_eq!(sock(&m).peer.adv_win, 63_872);
    assert_eq!(m.snmp().get(Counter::TcpWantZeroWindowAdv), 1);
}

#[test]
fn a_full_unlocked_buffer_grows_to_its_queue() {
    // Row 58, with whole pages so that no credit is left for the short way: 143360 queued of 131072; memory is
    // plentiful, so the buffer becomes 143360 and the segment is taken.
    for profile in ["5.10", "6.1", "6.12", "7.3"] {
        let mut m = connected(profile, &[], None, 0);
        rx(&mut m, 500, 143_360);
        rx(&mut m, 500, 2_304);
        let s = sock(&m);
        assert_eq!((s.rcvbuf().0, s.rmem_alloc().0), (143_360, 145_664), "{profile}");
        assert_eq!(m.snmp().get(Counter::PruneCalled), 1, "{profile}");
        assert_eq!(s.get(Field::Drops), 0, "{profile}");
    }
}

#[test]
fn a_predicted_segment_is_not_asked_for_room() {
    // 140000 of 131072 queued in 35 pages: 3360 of credit. Up to 6.12 a segment of 2304 takes the short way past the
    // buffer; 7.3 asks whether it fits the window, and it does.
    for profile in ["5.10", "6.1", "6.12", "7.3"] {
        let mut m = connected(profile, &[], None, 0);
        rx(&mut m, 500, 140_000);
        rx(&mut m, 500, 2_304);
        assert_eq!(sock(&m).rmem_alloc().0, 142_304, "{profile}");
        assert_eq!(m.snmp().get(Counter::PruneCalled), 0, "{profile}");
    }
}

#[test]
fn a_full_locked_buffer_collapses() {
    // Row 59: the buffer stays, the threshold falls to two segments, and the wasteful skb is copied into a fresh one
    // of 500 bytes: rounded to 512 with its bookkeeping 832, from a slab of 1024, 704 usable + 576. With small heads
    // (6.3 and later) 512 does not fit those, so the same.
    for profile in ["5.10", "6.1", "6.12", "7.3"] {
        let mut m = connected(profile, &[], Some(65_536), 0);
        rx(&mut m, 500, 143_360);
        rx(&mut m, 500, 2_304);
        let s = sock(&m);
        assert_eq!(s.rcvbuf().0, 131_072, "{profile}");
        // cut to 2920, then grown by two segments of 500: the second equal one has become rcv_mss
        assert_eq!(s.rcv_ssthresh().0, 3_920, "{profile}");
        assert_eq!(m.snmp().get(Counter::TcpRcvCollapsed), 1, "{profile}");
        // 704 - 500 = 204 bytes are left: the new segment of 500 does not fit and costs its own truesize
        assert_eq!(s.rmem_alloc().0, 1_280 + 2_304, "{profile}");
        assert_eq!(m.snmp().get(Counter::RcvPruned), 0, "{profile}");
    }
}

#[test]
fn closing_takes_everything_back() {
    for profile in ["5.10", "6.1", "6.12", "7.3"] {
        let mut m = connected(profile, &[], None, 0);
        rx(&mut m, 500, 2_304);
        let op = Op::RxAt { sock: name("s"), ofs: 1_000, len: 100, count: 3, stride: 200, truesize: None };
        apply(&mut m, &op);
        assert_eq!(sock(&m).rx.out_of_order_queue.len(), 3);
        apply(&mut m, &Op::RxFin { sock: name("s") });
        // In order: what waits behind the FIN is thrown away.
        assert!(sock(&m).rx.out_of_order_queue.is_empty(), "{profile}");
        let read = apply(&mut m, &Op::ReadAll { sock: name("s") });
        assert_eq!((read.ret, read.errno), (500, None), "{profile}");
        apply(&mut m, &Op::Close { sock: name("s"), rst: 1 });
        assert_eq!(m.proto(Protocol::Tcp).total().0, 0, "{profile}");
    }
}

#[test]
fn old_and_far_segments_are_dropped_and_answered() {
    for (profile, beyond) in [("6.12", 0), ("7.3", 1)] {
        let mut m = connected(profile, &[], None, 0);
        rx(&mut m, 1_000, 2_304);
        let at = |ofs, len| Op::RxAt { sock: name("s"), ofs, len, count: 1, stride: 0, truesize: None };
        // wholly old
        let step = apply(&mut m, &at(-1_000, 1_000));
        assert_eq!((sock(&m).get(Field::Drops), step.wire.len()), (1, 1), "{profile}");
        // starts beyond the window
        let step = apply(&mut m, &at(200_000, 1_000));
        assert_eq!((sock(&m).get(Field::Drops), step.wire.len()), (2, 1), "{profile}");
        assert_eq!(m.snmp().get(Counter::BeyondWindow), beyond, "{profile}");
        // old and new: what is new of it is taken
        apply(&mut m, &at(-500, 1_000));
        assert_eq!(sock(&m).rx.rcv_nxt, 1_500, "{profile}");
        let read = apply(&mut m, &Op::ReadAll { sock: name("s") });
        assert_eq!(read.ret, 1_500, "{profile}");
        assert_eq!(sock(&m).rmem_alloc().0, 0, "{profile}");
    }
}
