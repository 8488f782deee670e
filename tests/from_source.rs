//! The kernels no recording is kept of, against arithmetic by hand: 5.16, 6.6, 6.8, 6.18. Memory and admission here;
//! windows and writing in `from_source_windows.rs`.
//!
//! What must come out stands in the kernel specification (sections named in brackets) or among the findings on 6.18.15
//! (scenario names). Nothing here was copied from a run of the model.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::doc_markdown)] // arithmetic, not code

mod common;

use common::{RECORDED, check, check_with, setup};
use skmem_lab::engine::Machine;
use skmem_lab::engine::op::SysctlKey;
use skmem_lab::engine::profile::Provenance;
use skmem_lab::engine::profiles::{by_id, by_release};
use skmem_lab::engine::setup::Setup;

const UNRECORDED: [&str; 4] = ["5.16", "6.6", "6.8", "6.18"];

fn with_tcp_mem(value: &str) -> Setup {
    setup(&[(SysctlKey::TcpMem, value)])
}

#[test]
fn they_say_what_they_are() {
    for id in UNRECORDED {
        let profile = by_id(id).unwrap();
        assert_eq!((profile.id.as_str(), profile.provenance), (id, Provenance::FromSource));
        assert!(profile.release.starts_with(id), "{}", profile.release);
    }
    assert_eq!(by_release("6.18.44").unwrap().id, "6.18");
    assert_eq!(by_release("6.6.17").unwrap().id, "6.6");
}

// ---- SO_RESERVE_MEM ----

/// [3.1, 12.2 rows 9 to 14, 17; r01] 100000 bytes are 24.4 pages: 25 pages, 102400 bytes.
#[test]
fn the_reserve_rounds_up_to_pages() {
    check(
        &UNRECORDED,
        "
        socket s
        setsockopt s SO_RESERVE_MEM 100000 | fwd_alloc=102400 reserved=102400 pages=25 memcg=25
        setsockopt s SO_RESERVE_MEM 100000 | fwd_alloc=102400 reserved=102400 pages=25   # -2400 rounds down to nothing
        setsockopt s SO_RESERVE_MEM 102401 | fwd_alloc=106496 reserved=106496 pages=26   # one byte more, one page more
        setsockopt s SO_RESERVE_MEM 98304  | fwd_alloc=98304 reserved=98304 pages=24     # -8192
        setsockopt s SO_RESERVE_MEM 100    | fwd_alloc=4096 reserved=4096 pages=1        # -98204 down to -94208
        setsockopt s SO_RESERVE_MEM 0      | fwd_alloc=0 reserved=0 pages=0 memcg=0
        setsockopt s SO_RESERVE_MEM -1     | EINVAL reserved=0
        ",
    );
    let root = Setup { memcg: false, ..Setup::default() };
    check_with(&UNRECORDED, &root, "socket s\n setsockopt s SO_RESERVE_MEM 0 | EOPNOTSUPP reserved=0");
}

/// [3; findings] Up to 6.18.15 nothing caps the reserve and UDP has it; 6.12.117 and 7.3 took both back.
/// 1 GiB and one byte is 262145 pages, above tcp_mem[1] = 131072: ENOMEM where nothing else refuses.
#[test]
fn the_reserve_before_it_was_restricted() {
    check(
        &UNRECORDED,
        "
        socket u udp
        setsockopt u SO_RESERVE_MEM 4096       | reserved=4096 udp_pages=1
        socket s
        setsockopt s SO_RESERVE_MEM 1073741825 | ENOMEM reserved=0 pages=0 memcg=1
        ",
    );
    check(
        &["6.12", "7.3"],
        "
        socket u udp
        setsockopt u SO_RESERVE_MEM 4096       | EOPNOTSUPP reserved=0
        socket s
        setsockopt s SO_RESERVE_MEM 1073741825 | EINVAL reserved=0
        ",
    );
}

/// [3.1, 12.2 rows 15 and 16; r03] tcp_mem[1] = 20 pages. 5.16 counts exactly: 20 pages fit, 21 do not, and nothing
/// has changed. From 6.0 on 255 pages sit unseen in the CPU's cache and the 256th folds them all.
#[test]
fn the_limit_of_the_reserve_is_exact_before_the_per_cpu_counter() {
    let setup = with_tcp_mem("10 20 30");
    check_with(
        &["5.16"],
        &setup,
        "
        socket s
        setsockopt s SO_RESERVE_MEM 81920 | fwd_alloc=81920 reserved=81920 pages=20 read=20 press=0
        setsockopt s SO_RESERVE_MEM 81921 | ENOMEM fwd_alloc=81920 reserved=81920 pages=20 memcg=20 press=0
        ",
    );
    check_with(
        &["6.6", "6.8", "6.18"],
        &setup,
        "
        socket s
        setsockopt s SO_RESERVE_MEM 1044480 | reserved=1044480 pages=255 read=0
        setsockopt s SO_RESERVE_MEM 1048576 | ENOMEM reserved=1044480 pages=255 memcg=255
        ",
    );
}

/// [2.5 era a', letter 0] 5.16 waits for 2 MiB as 5.10 does, but counts only what is above the unused reserve.
#[test]
fn the_hoard_of_5_16_does_not_count_the_reserve() {
    check(
        &["5.16"],
        "
        socket s
        connect s                          | fwd_alloc=4096 pages=1           # the SYN's page stays
        setsockopt s SO_RESERVE_MEM 102400 | fwd_alloc=106496 pages=26
        rx s 1448 truesize=2304            | fwd_alloc=104192 rmem_alloc=2304 pages=26
        read_all s                         | EAGAIN fwd_alloc=106496 pages=26 # 4096 above the reserve: kept
        # 2093056 - 106496 = 1986560 is 485 pages
        rx s 1448 truesize=2093056         | fwd_alloc=0 pages=511
        read_all s                         | EAGAIN fwd_alloc=2093056 pages=511
        # one page more: 2097152 of credit. 5.10 would return 1 MiB here; 2097152 - 102400 is below 2 MiB
        rx s 1448 truesize=2097152         | fwd_alloc=0 pages=512
        read_all s                         | EAGAIN fwd_alloc=2097152 pages=512
        # 102400 more is 25 pages: now 2 MiB are above the reserve, and 256 pages go: 2199552 - 1048576
        rx s 1448 truesize=2199552         | fwd_alloc=0 pages=537
        read_all s                         | EAGAIN fwd_alloc=1150976 pages=281
        # the reserve goes: everything above nothing, whole pages: 1150976 is exactly 281
        setsockopt s SO_RESERVE_MEM 0      | fwd_alloc=0 reserved=0 pages=0
        ",
    );
}

/// [12.2 rows 21 and 22] Above the reserve the shortfall is bought and given back in whole pages (6.0 and later).
#[test]
fn the_reserve_pays_first_and_keeps_only_itself() {
    check(
        &["6.6", "6.8", "6.18"],
        "
        socket s
        connect s                        | fwd_alloc=0
        setsockopt s SO_RESERVE_MEM 4096 | fwd_alloc=4096 pages=1
        rx s 500 truesize=10000          | fwd_alloc=2288 rmem_alloc=10000 pages=3  # 5904 short: 2 pages, 12288 - 10000
        read_all s                       | EAGAIN fwd_alloc=4096 pages=1
        ",
    );
}

/// [6.6; 12.5 rows 48 and 49] Pressure made by another socket; SO_RCVLOWAT made room below the clamp. The window falls
/// to four segments of 1448, or to what the unused reserve is worth: (102400 - 2304) / 2. 5.10 does nothing.
#[test]
fn pressure_cuts_the_window_to_the_reserve_since_5_16() {
    let table = |reserve: i64, ssthresh: i64| {
        format!(
            "
            socket s
            connect s ts=1                        | rcv_ssthresh=64088     # 65536 - 1448
            setsockopt s SO_RCVLOWAT 100000       | rcvbuf=200000 window_clamp=100000
            setsockopt s SO_RESERVE_MEM {reserve}
            socket h
            connect h
            sysctl net.ipv4.tcp_mem 0 1 100000
            rx h 1000 truesize=4096
            rx h 1000 truesize=8192               | press=1
            rx s 1000 truesize=2304               | rcv_ssthresh={ssthresh}
            "
        )
    };
    check(&["5.16"], &table(0, 5_792));
    check(&["5.16"], &table(102_400, 50_048));
    check(&["5.10"], &table(0, 64_088).replace("setsockopt s SO_RESERVE_MEM 0", ""));
}

// ---- memory refused ----

/// [12.4 row 42; 8.2] memory.max of one page. The connection's page charged a batch of 32, so 31 are in stock: the first
/// segment, of 30 pages less the page at hand, is paid from it. The next, 64 pages, is refused in softirq up to 6.0 and
/// forced later.
#[test]
fn softirq_charges_fail_before_6_1() {
    let table = |end: &str| {
        format!(
            "
            socket s
            connect s
            cgroup memory.max 4096
            rx s 500 truesize=122880 | rmem_alloc=122880 memcg=30
            rx s 500 truesize=262144 | {end}
            "
        )
    };
    check(&["5.16"], &table("rmem_alloc=122880 drops=1 TCPRcvQDrop=1 memcg=30"));
    check(&["6.6", "6.8", "6.18"], &table("rmem_alloc=385024 drops=0 memcg=94"));
}

/// [12.4 rows 39, 39a, 39b; 13.14] Over tcp_mem[2] with an empty queue. A head is always granted; 3000 bytes more need a
/// page where the head is 1280 (4096 - 1280 = 2816), and before 6.0 nobody gets it: EAGAIN, and the buffer falls to the
/// minimum. With smaller heads the head's page holds all.
#[test]
fn a_first_write_over_the_hard_limit() {
    let setup = with_tcp_mem("1 2 3");
    let table = |end: &str| {
        format!(
            "
            socket s
            connect s
            socket h
            connect h
            rx h 500 truesize=2097152
            send s 3000 | {end}
            "
        )
    };
    check_with(&["5.16"], &setup, &table("EAGAIN ret=-1 sndbuf=4608"));
    check_with(&["6.1"], &setup, &table("ret=2816"));
    check_with(&["6.6"], &setup, &table("ret=3000 wmem_queued=3832 fwd_alloc=264")); // 4096 - 832 - 3000
    check_with(&["6.8", "6.18"], &setup, &table("ret=3000 wmem_queued=3896 fwd_alloc=200")); // 4096 - 896 - 3000
}

/// [6.4, 13.29] Memory refused: from 6.6 on the answer closes the window, though an empty queue takes the segment by
/// force; before, the first is not even asked for and the next is dropped in silence.
#[test]
fn a_refusal_closes_the_window_since_6_6() {
    let setup = with_tcp_mem("10 20 30");
    let start = "
        socket h
        connect h
        rx h 500 truesize=2097152
        socket s
        connect s
        rx s 1460 truesize=2304 | ";
    let refused = format!("{start} rmem_alloc=2304 drops=0 win=0");
    check_with(&["6.6", "6.8", "6.18"], &setup, &refused);
    let silent = format!("{start} rmem_alloc=2304 drops=0 TCPToZeroWindowAdv=0");
    let dropped = "\n rx s 1460 truesize=2304 | rmem_alloc=2304 drops=1 TCPRcvQDrop=1 TCPToZeroWindowAdv=0";
    check_with(&["5.16"], &setup, &format!("{silent}{dropped}"));
}

/// [x13] A reserve of 16384 lets seven segments of 2304 in: 16128 bytes. The eighth is dropped.
#[test]
fn a_reserve_of_sixteen_kilobytes_is_seven_segments() {
    check_with(
        &["6.6", "6.8", "6.18"],
        &with_tcp_mem("10 20 30"),
        "
        socket s
        connect s
        setsockopt s SO_RESERVE_MEM 16384
        socket h
        connect h
        rx h 500 truesize=2097152
        rx s 1460 x7 | rmem_alloc=16128 fwd_alloc=256 drops=0
        rx s 1460    | rmem_alloc=16128 drops=1 TCPRcvQDrop=1 win=0
        ",
    );
}

// ---- UDP ----

/// [7.1; u01] 20000 bytes of buffer, datagrams of 2304. Nine are 20736: taken while eight, 18432, do not exceed the
/// buffer. 6.18 asks with the ninth: refused. Credit: 5 pages for 18432 leave 2048, 6 for 20736 leave 3840.
#[test]
fn udp_admission() {
    let table = |end: &str| format!("socket u udp\n setsockopt u SO_RCVBUF 10000\n udp_rx u 1000 x14 | {end}");
    // the whole size is bought when the credit is not larger: the same six pages here
    check(&["5.16", "6.6", "6.8"], &table("rmem_alloc=20736 queued=9 drops=5 fwd_alloc=3840 udp_pages=6"));
    check(&["6.18"], &table("rmem_alloc=18432 queued=8 drops=6 fwd_alloc=2048 udp_pages=5"));
}

/// [12.7 row 69] A datagram of 4288 takes 2 pages and leaves 3904. For 8704 more the old rule buys pages for all of it
/// (3), the new one for the 4800 that are missing (2).
#[test]
fn udp_buys_the_whole_size_or_the_shortfall() {
    let table = |end: &str| {
        format!("socket u udp\n udp_rx u 100 truesize=4288 | fwd_alloc=3904\n udp_rx u 100 truesize=8704 | {end}")
    };
    check(&["5.16", "6.6", "6.8"], &table("udp_pages=5 fwd_alloc=7488")); // 3904 + 12288 - 8704
    check(&["6.18"], &table("udp_pages=4 fwd_alloc=3392")); // 3904 + 8192 - 8704
}

/// [2.2 note, 12.4 row 41; u03] udp_mem = 10 20 30: UDP has no pressure state, so what is above the first mark is
/// refused. 5.16 sees every page: bought one by one the 10 pages hold 17 datagrams, 39168 bytes, and the 18th wants an
/// eleventh. Later 255 pages go unseen: 453 datagrams of 2304 are 1043712 bytes; the 454th wants page 256.
#[test]
fn udp_memory_refused() {
    let table = |end: &str| {
        format!(
            "
            socket u udp
            setsockopt u SO_RCVBUFFORCE 8388608
            sysctl net.ipv4.udp_mem 10 20 30
            udp_rx u 1400 x600 | {end}
            "
        )
    };
    check(&["5.16"], &table("rmem_alloc=39168 queued=17 udp_pages=10 UdpInErrors=583 UdpMemErrors=0 drops=583"));
    check(&["6.18"], &table("rmem_alloc=1043712 queued=453 udp_pages=255 UdpInErrors=0 UdpMemErrors=0 drops=147"));
    check(
        &["7.3"],
        &table("rmem_alloc=1043712 queued=453 udp_pages=255 UdpInErrors=147 UdpMemErrors=147 drops=147"),
    );
}

// ---- 6.18.15 ----

/// [findings, first table; b02] The larger limits, and the smallest tcp_rmem.
#[test]
fn limits_of_6_18() {
    check(
        &["6.18"],
        "
        socket s
        setsockopt s SO_RCVBUF -1          | rcvbuf=8388608     # twice rmem_max, 4194304
        setsockopt s SO_SNDBUF -1          | sndbuf=8388608
        setsockopt s SO_RCVBUF 425984      | rcvbuf=851968
        setsockopt s SO_RCVBUFFORCE 4194305 | rcvbuf=8388610
        sysctl net.ipv4.tcp_rmem 4096 2304 33554432
        socket t
        state                              | t.rcvbuf=2304 t.sndbuf=16384
        sysctl net.core.bypass_prot_mem 1  | ENOENT
        bpf_bypass 1                       | EINVAL
        ",
    );
    let m = Machine::new("6.18", &Setup::default()).unwrap();
    let s = m.sysctls();
    assert_eq!((s.tcp_rmem[2], s.rmem_max, s.wmem_max), (33_554_432, 4_194_304, 4_194_304));
    check(&["6.12"], "sysctl net.ipv4.tcp_rmem 4096 2304 6291456 | EINVAL");
}

/// [6.8, 6.14.2] 1000 bytes wait; what was offered reaches 64256 from there at most. 65535 more start inside and end
/// beyond it: taken up to 6.16, dropped later. After a read the queue is empty and one may stick out.
#[test]
fn the_end_of_a_segment_must_be_inside_since_6_17() {
    let recorded = setup(RECORDED);
    let table = |end: &str| {
        format!(
            "
            socket s
            connect s
            rx s 1000                      | inq=1000
            rx_at s 0 65535 truesize=70000 | {end}
            "
        )
    };
    check_with(&["5.16", "6.6", "6.8", "6.12"], &recorded, &table("inq=66535 drops=0 BeyondWindow=0"));
    let beyond = table("inq=1000 drops=1 BeyondWindow=1");
    let read = "\n read_all s\n rx_at s 0 65535 truesize=70000 | inq=65535 drops=1 BeyondWindow=1";
    check_with(&["6.18", "7.3"], &recorded, &format!("{beyond}{read}"));
}
