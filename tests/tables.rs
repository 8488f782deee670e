//! The charging core by tables of hand arithmetic: one line an operation, then the state it must leave.
//!
//! Columns: `forward_alloc wmem_queued rmem_alloc reserved pages`, bytes but for the last; `_` is not looked at.
//! An errno stands instead of `ok` where the kernel refuses.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::doc_markdown)] // arithmetic, not code

use skmem_lab::engine::Machine;
use skmem_lab::engine::op::{Op, Protocol, SysctlKey, Timing};
use skmem_lab::engine::reason::Field;
use skmem_lab::engine::setup::Setup;
use skmem_lab::scenario::text;
use std::fmt::Write as _;

/// Runs a table on a kernel. Each line: operation `|` answer, forward_alloc, wmem_queued, rmem_alloc, reserved, pages
/// of socket `s` (the pages are those of all of TCP).
fn check_with(kernel: &str, setup: &Setup, table: &str) {
    let mut m = Machine::new(kernel, setup).unwrap();
    let mut wrong = String::new();
    for line in table.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with('#')) {
        let (op_text, rest) = line.split_once('|').unwrap_or((line, ""));
        let rest = rest.split('#').next().unwrap();
        let op = text::parse_op(op_text.trim()).unwrap_or_else(|e| panic!("{op_text}: {e}"));
        let step = m.apply(&op.op, Timing::USUAL).unwrap_or_else(|e| panic!("{op_text}: {e}"));
        let expected: Vec<&str> = rest.split_whitespace().collect();
        if expected.is_empty() {
            continue;
        }
        let answer = step.errno.map_or("ok", skmem_lab::engine::step::Errno::name);
        let sock = m.find(skmem_lab::engine::op::SockName::new("s").unwrap()).unwrap().1;
        let mut got = vec![answer.to_owned()];
        for field in [Field::FwdAlloc, Field::WmemQueued, Field::RmemAlloc, Field::Reserved] {
            got.push(sock.get(field).to_string());
        }
        got.push(m.proto(Protocol::Tcp).total().to_string());
        let same = expected.iter().zip(&got).all(|(e, g)| *e == "_" || e == g) && expected.len() == got.len();
        if !same {
            let _ = writeln!(wrong, "{kernel}: {op_text}: expected {}, got {}", expected.join(" "), got.join(" "));
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

fn check(kernels: &[&str], table: &str) {
    for kernel in kernels {
        check_with(kernel, &Setup::default(), table);
    }
}

fn with_tcp_mem(value: &str) -> Setup {
    let mut setup = Setup::default();
    setup.sysctls.insert(SysctlKey::TcpMem, value.to_owned());
    setup
}

const RESERVING: [&str; 3] = ["6.1", "6.12", "7.3"];

/// 100000 bytes are 24.4 pages: 25 pages, 102400 bytes.
#[test]
fn the_reserve_rounds_up_to_pages() {
    check(
        &RESERVING,
        "
        socket s                            | ok 0      0 0 0      0
        setsockopt s SO_RESERVE_MEM 100000  | ok 102400 0 0 102400 25
        setsockopt s SO_RESERVE_MEM 100000  | ok 102400 0 0 102400 25   # 100000-102400 = -2400: rounds down to 0
        setsockopt s SO_RESERVE_MEM 102401  | ok 106496 0 0 106496 26   # one byte more is one page more
        setsockopt s SO_RESERVE_MEM 98304   | ok 98304  0 0 98304  24   # -8192: two pages back
        setsockopt s SO_RESERVE_MEM 98303   | ok 98304  0 0 98304  24   # -1 rounds down to 0
        setsockopt s SO_RESERVE_MEM 100     | ok 4096   0 0 4096   1    # -98204 rounds down to 94208 = 23 pages
        setsockopt s SO_RESERVE_MEM 1       | ok 4096   0 0 4096   1
        setsockopt s SO_RESERVE_MEM 0       | ok 0      0 0 0      0
        setsockopt s SO_RESERVE_MEM -1      | EINVAL 0  0 0 0      0
        ",
    );
}

#[test]
fn the_reserve_needs_a_kernel_and_a_memory_cgroup() {
    check(&["5.10"], "socket s\n setsockopt s SO_RESERVE_MEM 4096 | ENOPROTOOPT 0 0 0 0 0");
    let root = Setup { memcg: false, ..Setup::default() };
    for kernel in RESERVING {
        check_with(
            kernel,
            &root,
            "
            socket s
            setsockopt s SO_RESERVE_MEM 0  | EOPNOTSUPP 0 0 0 0 0    # tested even for nothing
            setsockopt s SO_RESERVE_MEM 5  | EOPNOTSUPP 0 0 0 0 0
            setsockopt s SO_RESERVE_MEM -1 | EINVAL     0 0 0 0 0    # the sign comes first
            ",
        );
    }
}

/// 1 GiB and one byte: refused as an argument where there is a cap, for want of memory (262145 pages > tcp_mem[1]
/// 131072) where there is none.
#[test]
fn the_reserve_is_capped_where_the_kernel_caps_it() {
    let table = |errno: &str| format!("socket s\n setsockopt s SO_RESERVE_MEM 1073741825 | {errno} 0 0 0 0 0");
    check(&["6.12", "7.3"], &table("EINVAL"));
    check(&["6.1"], &table("ENOMEM"));
}

/// The limit test reads the folded counter: with tcp_mem[1] = 20 pages, 255 pages sit unseen in this CPU's cache; the
/// 256th folds all of them, 256 > 20, and everything is rolled back.
#[test]
fn the_reserve_limit_lags_by_the_cpu_cache() {
    for kernel in RESERVING {
        check_with(
            kernel,
            &with_tcp_mem("10 20 30"),
            "
            socket s
            setsockopt s SO_RESERVE_MEM 1044480 | ok     1044480 0 0 1044480 255
            setsockopt s SO_RESERVE_MEM 1048576 | ENOMEM 1044480 0 0 1044480 255
            ",
        );
    }
}

/// Receiving inside the reserve buys nothing; above it, the shortfall is bought in pages.
#[test]
fn the_reserve_pays_for_received_data() {
    check(
        &RESERVING,
        "
        socket s
        connect s
        setsockopt s SO_RESERVE_MEM 102400 | ok 102400 0 0     102400 25
        rx s 1448 truesize=2304            | ok 100096 0 2304  102400 25  # 102400 - 2304
        read_all s                         | EAGAIN 102400 0 0 102400 25  # freed bytes flow back into the reserve
        setsockopt s SO_RESERVE_MEM 4096   | ok 4096   0 0     4096   1
        rx s 1448 truesize=10000           | ok 2288   0 10000 4096   3   # 10000-4096 = 5904: 2 pages; 12288-10000
        read_all s                         | EAGAIN 4096 0 0   4096   1   # 12288 - floor 4096 = 8192: two pages back
        ",
    );
}

/// One page of credit for 2304 bytes, and what each era does when they are freed.
#[test]
fn eras_of_reclaim_after_one_small_segment() {
    // 5.10 holds a page already: the SYN's, which it kept.
    check(
        &["5.10"],
        "
        socket s
        connect s               | ok 4096 0 0    0 1
        rx s 1448 truesize=2304 | ok 1792 0 2304 0 1   # 4096 - 2304
        read_all s              | EAGAIN 4096 0 0 0 1  # below 2 MiB: kept
        ",
    );
    check(
        &["6.1", "6.12", "7.3"],
        "
        socket s
        connect s               | ok 0    0 0    0 0
        rx s 1448 truesize=2304 | ok 1792 0 2304 0 1
        read_all s              | EAGAIN 0 0 0   0 0   # 4096 >= 4096: the page goes back
        ",
    );
    check(
        &["6.12+64k"],
        "
        socket s
        connect s               | ok 4096 0 0    0 1   # the SYN's page is kept too: 4096 <= 65536
        rx s 1448 truesize=2304 | ok 1792 0 2304 0 1
        read_all s              | EAGAIN 4096 0 0 0 1
        ",
    );
}

/// A 66440-byte packet (64 KB with its heads) is 17 pages, 69632 bytes; 3192 stay as credit.
#[test]
fn eras_of_reclaim_after_one_large_packet() {
    check(
        &["6.1"],
        "
        socket s
        connect s
        rx s 60000 truesize=66440 | ok 3192 0 66440 0 17
        read_all s                | EAGAIN 0 0 0    0 0
        ",
    );
    // The proposal returns what is above 65536: 69632 - 65536 = 4096, one page. One page is bought again next time.
    check(
        &["6.1+64k"],
        "
        socket s
        connect s                 | ok 4096  0 0     0 1
        rx s 60000 truesize=66440 | ok 3192  0 66440 0 17
        read_all s                | EAGAIN 65536 0 0 0 16
        ",
    );
    check(
        &["5.10"],
        "
        socket s
        connect s
        rx s 60000 truesize=66440 | ok 3192  0 66440 0 17
        read_all s                | EAGAIN 69632 0 0 0 17
        ",
    );
}

/// 5.10 returns exactly 1 MiB when 2 MiB are free: 2096640 + 4096 (the SYN's page) is rounded to pages by hand below.
#[test]
fn the_hoard_returns_a_mebibyte_at_two() {
    // One packet of 2,093,056 bytes is 511 pages; with the SYN's page 512 pages = 2,097,152 bytes are held.
    // Bought: 2093056 - 4096 = 2088960 = 510 pages, so 511 in all and no credit left. Freed: 2093056 < 2097152: kept.
    check(
        &["5.10"],
        "
        socket s
        connect s
        rx s 1448 truesize=2093056 | ok 0 0 2093056 0 511
        read_all s                 | EAGAIN 2093056 0 0 0 511
        rx s 1448 truesize=2097152 | ok 0 0 2097152 0 512
        read_all s                 | EAGAIN 1048576 0 0 0 256   # 2097152 >= 2097152: 256 pages back
        ",
    );
}

/// 5.10 sees every page at once, so its pressure is exact: tcp_mem = 4 6 8.
#[test]
fn pressure_enters_above_the_middle_and_leaves_at_the_low_mark() {
    let mut m = Machine::new("5.10", &with_tcp_mem("4 6 8")).unwrap();
    let mut run = |line: &str| {
        let op = text::parse_op(line).unwrap();
        m.apply(&op.op, Timing::USUAL).unwrap();
        (m.proto(Protocol::Tcp).total().0, m.proto(Protocol::Tcp).pressure_since().is_some())
    };
    run("socket s");
    assert_eq!(run("connect s"), (1, false));
    // 24576 bytes are 6 pages: at the mark, not above it.
    assert_eq!(run("rx s 1448 truesize=24576"), (6, false));
    // One byte more is page 7: above the mark.
    assert_eq!(run("rx s 1448 truesize=1500"), (7, true));
}

/// Passing a SO_RCVBUF through: doubled, at least 2304, at most twice rmem_max; -1 is the largest unsigned.
#[test]
fn buffer_options() {
    for (kernel, option, value, expected) in [
        ("6.12", "SO_RCVBUF", 0_i64, 2304_i64),
        ("6.12", "SO_RCVBUF", 1153, 2306),
        ("6.12", "SO_RCVBUFFORCE", -1, 2304),
        ("6.12", "SO_RCVBUFFORCE", 2_147_483_647, 2_147_483_646),
        ("6.12", "SO_RCVBUF", 425_984, 425_984),
        ("7.3", "SO_RCVBUF", 425_984, 851_968),
        ("6.12", "SO_RCVBUF", -1, 425_984),
        ("7.3", "SO_RCVBUF", -1, 8_388_608),
    ] {
        let mut m = Machine::new(kernel, &Setup::default()).unwrap();
        for line in ["socket s".to_owned(), format!("setsockopt s {option} {value}")] {
            m.apply(&text::parse_op(&line).unwrap().op, Timing::USUAL).unwrap();
        }
        let read = m.apply(&text::parse_op("getsockopt s SO_RCVBUF").unwrap().op, Timing::USUAL).unwrap();
        assert_eq!(read.ret, expected, "{kernel} {option} {value}");
    }
}

/// The proposal of February 2022 with tcp_rmem[1] = 425984: 212991 doubles to 425982, below it, and locks; 212992 does
/// not; a lock once made stays.
#[test]
fn lock_only_when_smaller() {
    let mut setup = Setup::default();
    setup.sysctls.insert(SysctlKey::TcpRmem, "4096 425984 40880000".to_owned());
    let locks = |kernel: &str, values: &[i64]| {
        let mut m = Machine::new(kernel, &setup).unwrap();
        m.apply(&text::parse_op("socket s").unwrap().op, Timing::USUAL).unwrap();
        for value in values {
            let line = format!("setsockopt s SO_RCVBUF {value}");
            m.apply(&text::parse_op(&line).unwrap().op, Timing::USUAL).unwrap();
        }
        m.apply(&text::parse_op("getsockopt s SO_BUF_LOCK").unwrap().op, Timing::USUAL).unwrap().ret
    };
    assert_eq!(locks("6.1", &[212_992]), 2);
    assert_eq!(locks("6.1+lock-smaller", &[212_992]), 0);
    assert_eq!(locks("6.1+lock-smaller", &[212_991]), 2);
    assert_eq!(locks("6.1+lock-smaller", &[212_991, 212_992]), 2);
}

/// Every kind of nonsense is refused with a reason, and changes nothing.
#[test]
fn nonsense_changes_nothing() {
    let mut m = Machine::new("6.12", &Setup::default()).unwrap();
    m.apply(&text::parse_op("socket s").unwrap().op, Timing::USUAL).unwrap();
    m.apply(&text::parse_op("socket u udp").unwrap().op, Timing::USUAL).unwrap();
    let before = m.clone();
    for (line, message) in [
        ("socket s", "a socket named s exists already"),
        ("send t 1", "no socket named t"),
        ("ack s", "s is not connected"),
        ("accept s t", "s is not listening"),
        ("connect u", "u is not a TCP socket"),
        ("udp_rx s 10", "s is not a UDP socket"),
    ] {
        let op = text::parse_op(line).unwrap();
        let refused = m.apply(&op.op, Timing::USUAL).unwrap_err();
        assert_eq!(refused.to_string(), message, "{line}");
        assert_eq!(m, before, "{line} changed the machine");
    }
    let op = Op::Sysctl { key: SysctlKey::TcpMem, value: "1 2".to_owned() };
    let refused = m.apply(&op, Timing::USUAL).unwrap_err();
    assert_eq!(refused.to_string(), "net.ipv4.tcp_mem: cannot read \"1 2\"");
    assert_eq!(m, before);
}
