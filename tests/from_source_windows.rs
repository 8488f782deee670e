//! Windows, scales and writing on the kernels no recording is kept of: 5.16, 6.6, 6.8, 6.18.
//!
//! As `from_source.rs`: numbers of the specification (sections in brackets) and of the findings on 6.18.15 (scenario
//! names), worked out by hand.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::doc_markdown)] // arithmetic, not code

mod common;

use common::{RECORDED, check, check_with, setup};
use skmem_lab::engine::op::SysctlKey;
use skmem_lab::engine::setup::{Build, Setup};
use std::fmt::Write as _;

const UNRECORDED: [&str; 4] = ["5.16", "6.6", "6.8", "6.18"];

/// One active and one passive open with a buffer: the scale, and the window in the SYN and SYN-ACK.
fn opens(kernels: &[&str], sysctls: &[(SysctlKey, &str)], before: &str, rcvbuf: i64, wscale: i64, offer: i64) {
    let options = |sock: &str| before.replace("SOCK", sock);
    let table = format!(
        "
        socket s
        {}
        connect s          | rcvbuf={rcvbuf} wscale={wscale} offer={offer} rcv_wscale={wscale}
        socket l
        {}
        listen l
        peer_connect l c   | rcvbuf={rcvbuf} wscale={wscale} offer={offer} rcv_wscale={wscale}
        ",
        options("s"),
        options("l"),
    );
    check_with(kernels, &setup(sysctls), &table);
}

fn rcvbuf(value: i64) -> String {
    format!("setsockopt SOCK SO_RCVBUF {value}")
}

/// [w01, w02: identical on all kernels] Half of the buffer is room. Unlocked, the scale is for the larger of tcp_rmem[2]
/// and rmem_max; locked, for the room.
#[test]
fn window_scales() {
    const LETTER: &str = "4096 425984 40880000";
    const USUAL: &str = "4096 131072 6291456";
    let row = |rmem: &str, max: &str, option: &str, rcvbuf: i64, wscale: i64, offer: i64| {
        let sysctls = [(SysctlKey::TcpRmem, rmem), (SysctlKey::RmemMax, max)];
        opens(&["5.16", "6.18"], &sysctls, option, rcvbuf, wscale, offer);
    };
    // 40880000 >= 2^25: 25 - 15
    row(LETTER, "40880000", "", 425_984, 10, 65_535);
    // room 425984 >= 2^18; 212992 >= 2^17; 40880000 >= 2^25
    row(LETTER, "40880000", &rcvbuf(425_984), 851_968, 3, 65_535);
    row(LETTER, "40880000", &rcvbuf(212_992), 425_984, 2, 65_535);
    row(LETTER, "40880000", &rcvbuf(40_880_000), 81_760_000, 10, 65_535);
    // 44 segments of 1460 in 65536
    row(USUAL, "212992", "", 131_072, 7, 64_240);
    row(USUAL, "212992", &rcvbuf(65_536), 131_072, 1, 64_240);
    row(USUAL, "212992", &rcvbuf(131_072), 262_144, 2, 65_535);
    row(USUAL, "212992", &rcvbuf(212_992), 425_984, 2, 65_535);
    // room 1152, less than a segment
    row(USUAL, "212992", &rcvbuf(1), 2_304, 0, 1_152);
    row(USUAL, "67108864", "", 131_072, 11, 64_240);
    row("4096 131072 33554432", "212992", "", 131_072, 10, 64_240);
    row("4096 131072 1073741824", "212992", "", 131_072, 14, 64_240);
    row(LETTER, "212992", &rcvbuf(425_984), 425_984, 2, 65_535);
    row(LETTER, "212992", "", 425_984, 10, 65_535);
    // w03: the lock taken back before the handshake, or set alone
    let unlocked = format!("{}\nsetsockopt SOCK SO_BUF_LOCK 0", rcvbuf(425_984));
    row(LETTER, "40880000", &unlocked, 851_968, 10, 65_535);
    row(LETTER, "40880000", "setsockopt SOCK SO_BUF_LOCK 2", 425_984, 2, 65_535);
    row(USUAL, "212992", "setsockopt SOCK SO_BUF_LOCK 2", 131_072, 1, 64_240);
    // and 6.18 with its own 32 MiB
    opens(&["6.18"], &[], "", 131_072, 10, 64_240);
}

/// [6.1, 6.2] With 65/256 the same calls give less: 851968 * 65 / 256 = 216320 >= 2^17, 425984 * 65 / 256 = 108160 >=
/// 2^16, 131072 * 65 / 256 = 33280: 22 segments of 1460 = 32120.
#[test]
fn a_quarter_of_the_buffer_is_window_in_6_6() {
    let kernels = ["6.6", "6.8"];
    let max = [(SysctlKey::RmemMax, "4194304")];
    opens(&kernels, &max, &rcvbuf(425_984), 851_968, 2, 65_535);
    opens(&kernels, &max, &rcvbuf(212_992), 425_984, 1, 65_535);
    opens(&kernels, &[], "", 131_072, 7, 32_120);
    opens(&kernels, &[], &rcvbuf(65_536), 131_072, 0, 32_120);
    // Established: one segment is kept for the application, 33280 - 1460 = 31820.
    let table = "
        socket s
        setsockopt s SO_RCVBUF 65536
        connect s                | scaling_ratio=65 window_clamp=31820 rcv_ssthresh=31820 rcv_space=14600
        rx s 1460 truesize=2304  | scaling_ratio=162 window_clamp=31820 rcv_ssthresh=31820 # the clamp stays (13.18)
        ";
    check(&kernels, table);
    // From 6.11 on the clamp follows, locked or not: 131072 * 162 / 256.
    let follows = "
        socket s
        setsockopt s SO_RCVBUF 65536
        connect s                | scaling_ratio=128 window_clamp=64076
        rx s 1460 truesize=2304  | scaling_ratio=162 window_clamp=82944
        ";
    check(&["6.12", "6.18"], follows);
}

/// [6.2] The first window is at most 65535 up to 6.9. 2000000 * 65 / 256 = 507812 >= 2^18; half of it, 1000000, in whole
/// segments is 998640 and >= 2^19.
#[test]
fn the_first_window_is_limited_up_to_6_9() {
    let table = |wnd: i64, wscale: i64| {
        format!(
            "
            socket l
            setsockopt l SO_RCVBUF 1000000
            listen l
            peer_connect l c | rcv_wnd={wnd} wscale={wscale} offer=65535
            "
        )
    };
    let max = setup(&[(SysctlKey::RmemMax, "4194304")]);
    check_with(&["6.6", "6.8"], &max, &table(65_535, 3));
    check_with(&["5.16"], &max, &table(65_535, 4));
    check_with(&["6.18"], &max, &table(998_640, 4));
}

/// [6.1, 15] Under pressure with 102400 reserved and nothing measured: 26000 when idle, 25675 with 1280 queued
/// ((102400 - 1280) * 65 / 256), half of it where the ratio starts at a half. A segment of 500 is below rcv_mss 536 and
/// measures nothing.
#[test]
fn the_reserve_is_worth_less_at_a_quarter() {
    let table = |ssthresh: i64| {
        format!(
            "
            socket s
            connect s
            setsockopt s SO_RCVLOWAT 100000 | window_clamp=100000
            setsockopt s SO_RESERVE_MEM 102400
            socket h
            connect h
            sysctl net.ipv4.tcp_mem 0 1 100000
            rx h 500 truesize=2097152       | press=1
            rx s 500 truesize=1280          | rcv_ssthresh={ssthresh}
            "
        )
    };
    check(&["6.6", "6.8"], &table(25_675));
    check(&["6.18"], &table(50_560));
}

/// [6.14.5; x26] 1460 * 256 / 2304 = 162.2: ratio 162, clamp 131072 * 162 / 256 = 82944. The setter lifts rcv_ssthresh
/// to the open window, 64256, before two segments are added: 67176. Without the setter: 64076 + 2920.
/// 1000 * 256 / 2304 = 111.1: clamp 56832, below rcv_ssthresh, which the setter cuts to it.
#[test]
fn a_new_ratio_goes_through_the_clamp_setter() {
    let table = |len: u32, clamp: i64, ssthresh: i64| {
        format!(
            "
            socket s
            connect s   | rcv_ssthresh=64076 window_clamp=64076 rcv_wnd=64256
            rx s {len}  | window_clamp={clamp} rcv_ssthresh={ssthresh}
            "
        )
    };
    let recorded = setup(RECORDED);
    check_with(&["6.18"], &recorded, &table(1_460, 82_944, 67_176));
    check_with(&["6.12"], &recorded, &table(1_460, 82_944, 66_996));
    check_with(&["6.18"], &recorded, &table(1_000, 56_832, 56_832));
    check_with(&["6.12"], &recorded, &table(1_000, 56_832, 64_076));
}

/// [b08, w03] SO_RCVBUF leaves the clamp of a live socket alone up to 6.18; 7.3 moves it.
#[test]
fn so_rcvbuf_leaves_the_clamp_alone() {
    check(
        &UNRECORDED,
        "
        socket s
        connect s
        setsockopt s TCP_WINDOW_CLAMP 30000 | window_clamp=30000
        setsockopt s SO_RCVBUF 4096         | window_clamp=30000 rcvbuf=8192
        ",
    );
    check(
        &["7.3"],
        "
        socket s
        connect s
        setsockopt s SO_RCVBUF 4096         | window_clamp=4096 rcvbuf=8192
        ",
    );
}

// ---- writing ----

/// [0.3, 12.6 row 61; t01] One byte and its head, per build.
#[test]
fn heads() {
    for (kernel, build, head) in [
        ("5.16", Build::DebianCloud, 1_280),
        ("5.16", Build::Minimal, 768),
        // 6.3 to 6.7: 256 + 320 = 576, 256 usable + 576; distro 320 + 576
        ("6.6", Build::DebianCloud, 832),
        ("6.6", Build::Distro, 896),
        ("6.8", Build::DebianCloud, 896),
        ("6.8", Build::Distro, 960),
        ("6.18", Build::DebianCloud, 896),
        ("6.18", Build::Distro, 960),
        ("6.18", Build::Minimal, 832),
    ] {
        let setup = Setup { build, ..Setup::default() };
        let queued = head + 1;
        let credit = 4_096 - queued;
        check_with(
            &[kernel],
            &setup,
            &format!("socket s\n connect s\n send s 1 | wmem_queued={queued} fwd_alloc={credit} pages=1"),
        );
    }
    // After the ACK 5.16 keeps the page, later kernels return it.
    check(&["5.16"], "socket s\n connect s\n send s 1\n ack_all s | fwd_alloc=4096 pages=1");
    check(&["6.6", "6.8", "6.18"], "socket s\n connect s\n send s 1\n ack_all s | fwd_alloc=0 pages=0");
}

/// [5.7.10, r08] The cycle of a sender with 102400 reserved: queue and credit after each step, as the table has them.
#[test]
fn the_reserve_cycle_of_6_18() {
    let steps = [
        ("send s 1000", 1_896, 100_504, 10),
        ("send s 10000", 14_584, 87_816, 10),
        ("send s 20000", 35_480, 66_920, 10),
        ("ack s", 18_652, 83_748, 20),
        ("ack_all s", 0, 102_400, 32),
        ("send s 200000", 113_648, 1_040, 32),
        ("ack_all s", 0, 102_400, 108),
    ];
    let mut table = "socket s\n connect s\n setsockopt s SO_RESERVE_MEM 102400 | fwd_alloc=102400\n".to_owned();
    for (op, queued, credit, cwnd) in steps {
        // 113648 + 1040 = 114688 = 28 pages
        let pages = (queued + credit) / 4_096;
        let _ = writeln!(table, "{op} | wmem_queued={queued} fwd_alloc={credit} cwnd={cwnd} pages={pages}");
    }
    check_with(&["6.18"], &setup(RECORDED), &table);
}

/// [t13] Over tcp_mem[2] the buffer falls to half of what is queued, once: 20000 + 1000 + 3 heads of 896 = 23688, half is
/// 11844. With an empty queue it is the minimum. When the pressure is over the next ACK lifts it to 202752.
#[test]
fn a_writer_over_the_hard_limit_of_6_18() {
    check_with(
        &["6.18"],
        &setup(RECORDED),
        "
        socket s
        connect s                   | sndbuf=46080       # 2 * 10 * 2304
        socket h
        connect h win=0
        setsockopt h SO_SNDBUFFORCE 16777216
        send h 1048576 x4
        send s 20000
        sysctl net.ipv4.tcp_mem 1 2 3
        send s 1000                 | ret=1000 wmem_queued=23688
        send s 4096                 | sndbuf=11844
        send s 4096 x20
        ack s 1460
        send s 4096
        ack_all s                   | wmem_queued=0
        send s 4096 x20             | EAGAIN sndbuf=4608 calls=1
        ack_all s
        sysctl net.ipv4.tcp_mem 98304 131072 196608
        send s 4096 x20
        ack_all s                   | sndbuf=202752
        ",
    );
}

/// [t15] Locked, nothing is moderated and nothing forced: 6.18 writes the credit that is left, 1888 bytes, and from an
/// empty queue 4096 with the head; 5.16, without the floor of tcp_wmem[0], nothing.
#[test]
fn a_locked_writer_over_the_hard_limit() {
    let table = |first: &str, second: &str| {
        format!(
            "
            socket s
            connect s
            setsockopt s SO_SNDBUF 50000 | sndbuf=100000
            socket h
            connect h win=0
            setsockopt h SO_SNDBUFFORCE 16777216
            send h 1048576 x4
            send s 20000
            sysctl net.ipv4.tcp_mem 1 2 3
            send s 4096                  | {first} sndbuf=100000
            ack_all s
            send s 4096                  | {second} sndbuf=100000
            "
        )
    };
    check_with(&["6.18"], &setup(RECORDED), &table("ret=1888", "wmem_queued=4096"));
    check_with(&["5.16"], &setup(RECORDED), &table("EAGAIN ret=-1", "EAGAIN ret=-1"));
}
