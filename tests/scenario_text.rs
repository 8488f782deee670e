//! The text form: what it reads, what it prints, and what it says about a mistake.
#![cfg(not(target_arch = "wasm32"))]

#[path = "fixtures/scenarios/random.rs"]
mod random;

use proptest::prelude::*;
use skmem_lab::engine::op::{Op, PeerOptions, Protocol, SockName, SockOpt, SysctlKey, TimedOp, Timing};
use skmem_lab::engine::setup::{Build, RxTruesize, Setup};
use skmem_lab::engine::units::{Micros, PageSize};
use skmem_lab::scenario::json::{JsonError, from_json, to_json};
use skmem_lab::scenario::lessons::{self, Assertion, Cmp, Verdict};
use skmem_lab::scenario::limits::{self, LimitError};
use skmem_lab::scenario::model::{DEFAULT_PROFILE, Scenario};
use skmem_lab::scenario::syntax::{Form, OPERATIONS};
use skmem_lab::scenario::text::{self, HEADERS};
use std::collections::BTreeSet;

fn sock(name: &str) -> SockName {
    SockName::new(name).expect("a name")
}

fn op(line: &str) -> Op {
    text::parse_op(line).expect(line).op
}

/// One of each operation with nothing left at its default, and the line that means it.
fn every_operation() -> Vec<(&'static str, Op)> {
    let (s, l, c) = (sock("s"), sock("l"), sock("c"));
    let peer = PeerOptions { mss: 8960, wscale: 0, win: 5, sack: 0, ts: 1 };
    vec![
        ("socket s udp", Op::Socket { sock: s, kind: Protocol::Udp }),
        ("many m 70", Op::Many { prefix: sock("m"), n: 70 }),
        ("setsockopt s SO_RESERVE_MEM -1", Op::Setsockopt { sock: s, name: SockOpt::SO_RESERVE_MEM, value: -1 }),
        ("getsockopt s SO_RCVBUF", Op::Getsockopt { sock: s, name: SockOpt::SO_RCVBUF }),
        ("connect s mss=8960 wscale=0 win=5 sack=0 ts=1", Op::Connect { sock: s, peer }),
        ("listen l", Op::Listen { sock: l }),
        ("peer_connect l c mss=8960 wscale=0 win=5 sack=0 ts=1", Op::PeerConnect { sock: l, child: c, peer }),
        ("accept l c", Op::Accept { sock: l, child: c }),
        ("send s 1000 x100", Op::Send { sock: s, bytes: 1000, count: 100 }),
        ("ack s 14140 win=0", Op::Ack { sock: s, bytes: Some(14_140), win: Some(0) }),
        ("ack_all s", Op::AckAll { sock: s }),
        ("peer_win s 4096", Op::PeerWin { sock: s, win: 4096 }),
        (
            "rx s 1460 x10 respect_window win_snapshot read_every=2 rewind_unacked truesize=2304",
            Op::Rx {
                sock: s,
                len: 1460,
                count: 10,
                respect_window: 1,
                win_snapshot: 1,
                read_every: 2,
                rewind_unacked: 1,
                truesize: Some(2304),
            },
        ),
        (
            "rx_at s +2920 1460 x2 stride=3000 truesize=768",
            Op::RxAt { sock: s, ofs: 2920, len: 1460, count: 2, stride: 3000, truesize: Some(768) },
        ),
        ("rx_skip s 1460", Op::RxSkip { sock: s, bytes: 1460 }),
        ("rx_fin s", Op::RxFin { sock: s }),
        ("rx_rst s", Op::RxRst { sock: s }),
        ("read s 1000 x3", Op::Read { sock: s, bytes: 1000, count: 3 }),
        ("read_all s", Op::ReadAll { sock: s }),
        ("udp_rx s 1000 x3 truesize=2304", Op::UdpRx { sock: s, len: 1000, count: 3, truesize: Some(2304) }),
        ("udp_send s 1000 x30 no_pump", Op::UdpSend { sock: s, len: 1000, count: 30, no_pump: 1 }),
        ("sysctl net.ipv4.tcp_mem 1 2 3", Op::Sysctl { key: SysctlKey::TcpMem, value: "1 2 3".into() }),
        ("cgroup memory.max 4194304", Op::Cgroup { file: "memory.max".into(), value: 4_194_304 }),
        ("cgroup_leave", Op::CgroupLeave {}),
        ("cgroup_enter", Op::CgroupEnter {}),
        ("bpf_bypass 1", Op::BpfBypass { value: 1 }),
        ("sleep 300ms", Op::Sleep { ms: 300 }),
        ("state", Op::State {}),
        ("shutdown s", Op::Shutdown { sock: s }),
        ("close s rst", Op::Close { sock: s, rst: 1 }),
    ]
}

#[test]
fn every_operation_has_its_line() {
    let all = every_operation();
    for (line, expected) in &all {
        assert_eq!(&op(line), expected, "{line}");
        assert_eq!(&text::print_op(&expected.clone().into()), line);
    }
    // As many as the table has, each once: an operation that is added to one must be added to the
    // other.
    let named: BTreeSet<&str> = all.iter().map(|(line, _)| line.split(' ').next().unwrap_or_default()).collect();
    let table: BTreeSet<&str> = OPERATIONS.iter().map(|o| o.name).collect();
    assert_eq!(named, table);
    assert_eq!(OPERATIONS.len(), 30);
}

#[test]
fn the_table_explains_itself() {
    for syntax in OPERATIONS {
        let read = text::parse_op(syntax.example).expect(syntax.example);
        assert_eq!(text::print_op(&read), syntax.example);
        assert!(syntax.usage.starts_with(syntax.name), "{}", syntax.usage);
        assert!(syntax.help.ends_with('.') && syntax.help.len() > 15, "{}: {}", syntax.name, syntax.help);
        for arg in syntax.args.iter().filter(|a| matches!(a.form, Form::Named | Form::Flag)) {
            assert!(syntax.usage.contains(arg.field), "{} lacks {}", syntax.usage, arg.field);
        }
    }
    assert_eq!(HEADERS.len(), 13);
}

#[test]
fn other_ways_to_write_the_same() {
    let same = [
        ("  send   s\t1000  # a note", "send s 1000"),
        ("send s 1000 x1", "send s 1000"),
        ("connect s mss=1460 wscale=7", "connect s"),
        ("connect s ts=1 mss=536", "connect s mss=536 ts=1"),
        ("socket s tcp", "socket s"),
        ("rx_at s -100 50", "rx_at s -100 50"),
        ("rx_at s 100 50", "rx_at s +100 50"),
        ("cgroup memory.max -1", "cgroup memory.max max"),
        ("cgroup memory.max max", "cgroup memory.max max"),
        ("sleep 2s", "sleep 2000ms"),
        ("sysctl tcp_mem 1  2 003", "sysctl net.ipv4.tcp_mem 1 2 3"),
        ("sysctl net.ipv4.tcp_congestion_control reno", "sysctl net.ipv4.tcp_congestion_control reno"),
        ("ack s", "ack s"),
        ("ack s win=5 1460", "ack s 1460 win=5"),
        ("state @after=40ms", "state @after=40ms took=1ms"),
        ("state @took=1500us after=1s", "state @after=1000ms took=1500us"),
    ];
    for (written, printed) in same {
        assert_eq!(text::print_op(&text::parse_op(written).expect(written)), printed, "{written}");
    }
    let timed = text::parse_op("state @after=40ms took=7us").expect("reads");
    assert_eq!(timed.timing, Some(Timing { after: Micros(40_000), took: Micros(7) }));
    assert_eq!(text::parse_op("state").expect("reads").timing, None);
}

/// Text and the exact message it earns.
#[test]
#[allow(clippy::too_many_lines)] // a table
fn a_mistake_is_named_with_its_place() {
    let cases = [
        ("send s lots", "line 1, column 8: expected a number of bytes, found \"lots\""),
        ("\n\n# c\nsocket s\n\n  read s 1k", "line 6, column 10: expected a number of bytes, found \"1k\""),
        ("send s", "line 1, column 7: expected a number of bytes, found the end of the line"),
        ("send s 0", "line 1, column 8: expected a number of bytes from 1 to 67108864, found \"0\""),
        ("send s 1000 x100001", "line 1, column 13: expected a count from 1 to 100000, found \"x100001\""),
        (
            "send s 99999999999999999999",
            "line 1, column 8: expected a number of bytes from 1 to 67108864, found \"99999999999999999999\"",
        ),
        ("send s 1000 100", "line 1, column 13: expected xCOUNT or the end of the line, found \"100\""),
        ("send s 1000 x2 x3", "line 1, column 16: expected count only once, found \"x3\""),
        ("conect s", "line 1, column 1: expected an operation, found \"conect\"; did you mean \"connect\"?"),
        ("ACK_ALL s", "line 1, column 1: expected an operation, found \"ACK_ALL\"; did you mean \"ack_all\"?"),
        ("frobnicate", "line 1, column 1: expected an operation, found \"frobnicate\""),
        ("sokcet é", "line 1, column 1: expected an operation, found \"sokcet\"; did you mean \"socket\"?"),
        (
            "socket é9",
            "line 1, column 8: expected a socket name (a letter, then letters, digits or _, at most 15), found \"é9\"",
        ),
        ("setsockopt s SO_RESERVE 5", "line 1, column 14: expected a socket option, found \"SO_RESERVE\""),
        (
            "setsockopt s SO_RESERV_MEM 5",
            "line 1, column 14: expected a socket option, found \"SO_RESERV_MEM\"; did you mean \"SO_RESERVE_MEM\"?",
        ),
        (
            "setsockopt s SO_RCVBUF 2147483648",
            "line 1, column 24: expected a number from -2147483648 to 2147483647, found \"2147483648\"",
        ),
        ("sysctl net.ipv4.tcp_mem 1 2", "line 1, column 28: expected three numbers, found the end of the line"),
        ("sysctl tcp_mem 1 2 x", "line 1, column 16: expected three numbers, found \"1 2 x\""),
        ("sysctl tcp_mem 1 2 3 4", "line 1, column 22: expected the end of the line, found \"4\""),
        ("cgroup cpu.max 1", "line 1, column 8: expected memory.max, found \"cpu.max\""),
        ("sleep 300", "line 1, column 7: expected a time such as 300ms, found \"300\""),
        ("sleep 2h", "line 1, column 7: expected a time such as 300ms, found \"2h\""),
        ("sleep 3601s", "line 1, column 7: expected a time such as 300ms from 0 to 3600000, found \"3601s\""),
        ("connect s wscale=15", "line 1, column 11: expected a shift from 0 to 14, found \"wscale=15\""),
        ("connect s win=big", "line 1, column 11: expected a number of bytes, found \"win=big\""),
        (
            "connect s window=5",
            "line 1, column 11: expected mss=, wscale=, win=, sack=, ts= or the end of the line, found \"window=5\"",
        ),
        ("state @after=5", "line 1, column 8: expected a time from 0us to 3600s, such as 2ms, found \"after=5\""),
        (
            "state @after=5ms x2",
            "line 1, column 18: expected after=TIME or took=TIME, such as after=2ms, found \"x2\"",
        ),
        (
            "many abcdefghijklmn 100",
            "line 1, column 1: expected a prefix short enough: a name has at most 15 characters, found \"many\"",
        ),
        // set-up
        ("kernel", "line 1, column 7: expected a kernel such as 6.12, found the end of the line"),
        ("kernel 6.12 7.3", "line 1, column 13: expected the end of the line, found \"7.3\""),
        ("kernel 6.12\nkernel 7.3", "line 2, column 1: expected kernel only once, found \"kernel\""),
        (
            "socket s\nkernel 6.12",
            "line 2, column 1: expected an operation, found \"kernel\"; set-up stands before the first operation",
        ),
        ("socket s\nset tcp_mem = 1 2 3", "line 2, column 1: expected an operation, found \"set\"; use sysctl"),
        ("pages 8k", "line 1, column 7: expected 4k or 64k, found \"8k\""),
        ("memcg maybe", "line 1, column 7: expected yes or no, found \"maybe\""),
        ("mtu 60", "line 1, column 5: expected a number of bytes from 68 to 65535, found \"60\""),
        ("cpus 0", "line 1, column 6: expected a number of CPUs from 1 to 64, found \"0\""),
        ("set tcp_mem 1 2 3", "line 1, column 13: expected =, found \"1\""),
        ("set tcp_mme = 1 2 3", "line 1, column 5: expected a sysctl, found \"tcp_mme\""),
        (
            "set tcp_mem = 1 2 3\nset net.ipv4.tcp_mem = 1 2 3",
            "line 2, column 5: expected net.ipv4.tcp_mem only once, found \"net.ipv4.tcp_mem\"",
        ),
        // words beside operations
        ("note x", "line 1, column 1: expected an operation before its note, found \"note\""),
        ("socket s\nnote", "line 2, column 5: expected the note's text, found the end of the line"),
        ("mark a\nmark b", "line 2, column 1: expected one mark at a place, found \"mark\""),
        ("ask s,x what", "line 1, column 5: expected a field such as s.reserved, found \"s,x\""),
        (
            "socket s\nask s.reserved what",
            "line 2, column 1: expected an operation after the question, found the end of the line",
        ),
        // limits of the whole
        ("many a 4096\nsocket s", "line 2, column 1: expected at most 4096 sockets, found \"4097\""),
        (
            "send s 67108864 x244\nsend s 67108864\nsend s 67108864\nstate",
            "line 2, column 1: expected at most 1000000 calls and packets altogether, found \"1003765\"",
        ),
    ];
    for (written, message) in cases {
        let error = text::parse(written).expect_err(written);
        assert_eq!(error.to_string(), message, "{written:?}");
    }
}

#[test]
fn the_console_reads_one_line_with_the_same_words() {
    assert_eq!(
        text::parse_op("setsockopt s SO_RESERVE_MEM lots").expect_err("no number").to_string(),
        "line 1, column 29: expected a number, found \"lots\""
    );
    assert_eq!(
        text::parse_op("").expect_err("empty").to_string(),
        "line 1, column 1: expected an operation, found the end of the line"
    );
    // A header is nothing for the console.
    assert!(text::parse_op("kernel 6.12").is_err());
}

#[test]
fn long_words_are_cut_in_messages() {
    let error = text::parse(&"z".repeat(500)).expect_err("no operation").to_string();
    assert_eq!(error, format!("line 1, column 1: expected an operation, found \"{}...\"", "z".repeat(40)));
}

#[test]
fn too_many_operations_or_bytes_are_refused() {
    let line = "state\n";
    assert_eq!(text::parse(&line.repeat(20_000)).expect("as many as allowed").op_count(), 20_000);
    assert_eq!(
        text::parse(&line.repeat(20_001)).expect_err("one more").to_string(),
        "line 20001, column 1: expected at most 20000 operations, found \"20001\""
    );
    let error = text::parse(&"#\n".repeat(131_073)).expect_err("too large").to_string();
    assert_eq!(error, "line 1, column 1: expected at most 262144 bytes of text, found \"262146 bytes\"");
}

const WRITTEN: &str = "\
# before everything
title   The reserve   that never leaves
kernel 7.3+64k   # which
name r08
about one
about two # with a sign
memcg no
mtu 9000
cpus 2
pages 64k
build distro
rx-truesize half-page
needs 6.1
set tcp_mem = 1 2 3

socket s # first
# between

mark Here it is
ask s.reserved How much?
setsockopt s SO_RESERVE_MEM 102400
note the note
note goes on
mark The end
#
# last
";

const PRINTED: &str = "\
name r08
title The reserve   that never leaves
about one
about two # with a sign
kernel 7.3+64k
needs 6.1
build distro
pages 64k
cpus 2
memcg no
mtu 9000
rx-truesize half-page
set net.ipv4.tcp_mem = 1 2 3

# before everything
socket s  # first
# between
mark Here it is
ask s.reserved How much?
setsockopt s SO_RESERVE_MEM 102400
note the note
note goes on
#
# last
mark The end
";

#[test]
fn one_normal_form() {
    let scenario = text::parse(WRITTEN).expect("reads");
    assert_eq!(scenario.profile, "7.3+64k");
    assert_eq!(scenario.setup.build, Build::Distro);
    assert_eq!(scenario.setup.page_size, PageSize::K64);
    assert_eq!(scenario.setup.rx_truesize, RxTruesize::HalfPage);
    assert!(!scenario.setup.memcg);
    assert_eq!((scenario.setup.mtu, scenario.setup.cpus), (9000, 2));
    assert_eq!(scenario.notes[&0], "first");
    assert_eq!(scenario.notes[&1], "the note\ngoes on");
    assert_eq!(scenario.marks[&1], "Here it is");
    assert_eq!(scenario.marks[&2], "The end");
    assert_eq!(scenario.questions[&1].path, "s.reserved");
    assert_eq!(text::print(&scenario), PRINTED);
    assert_eq!(text::parse(PRINTED).expect("reads"), scenario);
    assert_eq!(limits::check(&scenario), Ok(()));
}

/// Links of version 1 rely on what is left out.
#[test]
fn the_defaults_of_version_1_are_fixed() {
    let bare = text::parse("").expect("an empty text is an empty scenario");
    let expected = Setup {
        build: Build::DebianCloud,
        page_size: PageSize::K4,
        cpus: 1,
        memcg: true,
        memcg_other: 0,
        mtu: 1500,
        rx_truesize: RxTruesize::Copy,
        sysctls: std::collections::BTreeMap::new(),
    };
    assert_eq!(bare.setup, expected);
    assert_eq!((bare.profile.as_str(), DEFAULT_PROFILE), ("6.12", "6.12"));
    let usual = PeerOptions { mss: 1460, wscale: 7, win: 8_388_480, sack: 1, ts: 0 };
    assert_eq!(op("connect s"), Op::Connect { sock: sock("s"), peer: usual });
    assert_eq!(Timing::USUAL, Timing { after: Micros(2000), took: Micros(1000) });
}

#[test]
fn a_model_that_has_no_text_is_refused() {
    let with = |change: &dyn Fn(&mut Scenario)| {
        let mut scenario = text::parse("socket s\nsend s 1\n").expect("reads");
        change(&mut scenario);
        limits::check(&scenario).expect_err("passes a limit")
    };
    let s = sock("s");
    let sent = |bytes, count| TimedOp::from(Op::Send { sock: s, bytes, count });
    assert_eq!(
        with(&|m| m.ops[1] = sent(0, 1)),
        LimitError::Number { op: 1, name: "send", field: "bytes", value: 0, min: 1, max: 67_108_864 }
    );
    assert_eq!(
        with(&|m| m.ops[1] = sent(1, 100_001)).to_string(),
        "operation 2 (send): count is 100001; allowed is 1 to 100000"
    );
    assert_eq!(
        with(&|m| m.ops[1] = Op::Sysctl { key: SysctlKey::TcpMem, value: "1  2 3".into() }.into()).to_string(),
        "operation 2 (sysctl): value is \"1  2 3\"; expected three numbers"
    );
    assert_eq!(
        with(&|m| m.ops[1] = Op::Cgroup { file: "cpu.max".into(), value: 1 }.into()).to_string(),
        "operation 2 (cgroup): file is \"cpu.max\"; expected memory.max"
    );
    assert_eq!(
        with(&|m| m.ops[1].timing = Some(Timing { after: Micros(-1), took: Micros(0) })).to_string(),
        "operation 2 (send): after is -1; allowed is 0 to 3600000000"
    );
    assert_eq!(
        with(&|m| drop(m.notes.insert(2, "late".into()))).to_string(),
        "a note at operation 3, but there are 2"
    );
    for bad in [" x", "x ", "a\nb", "a\tb", "\u{1}"] {
        let error = with(&|m| m.title = bad.into());
        assert!(matches!(error, LimitError::Setup { field: "title", .. }), "{bad:?}: {error}");
    }
    for bad in ["", "6.12 ", "6/12", "ä"] {
        assert!(matches!(with(&|m| m.profile = bad.into()), LimitError::Setup { field: "kernel", .. }));
    }
    assert!(matches!(with(&|m| m.setup.cpus = 65), LimitError::Setup { field: "cpus", .. }));
    assert!(matches!(with(&|m| m.ops.resize(20_001, sent(1, 1))), LimitError::Ops { ops: 20_001 }));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn model_to_text_to_model(scenario in random::scenario(40)) {
        prop_assert_eq!(limits::check(&scenario), Ok(()));
        let printed = text::print(&scenario);
        let read = text::parse(&printed).map_err(|e| TestCaseError::fail(format!("{e}\n{printed}")))?;
        prop_assert_eq!(&read, &scenario);
        prop_assert_eq!(text::print(&read), printed);
    }

    #[test]
    fn model_to_json_to_model(scenario in random::scenario(40)) {
        let written = to_json(&scenario);
        let read = from_json(&written).map_err(|e| TestCaseError::fail(format!("{e}\n{written}")))?;
        prop_assert_eq!(read, scenario);
    }

    #[test]
    fn any_text_reads_or_names_a_place(text in "[ -~\\n#=éx0-9]{0,200}") {
        if let Err(error) = text::parse(&text) {
            let line = text.lines().nth(error.line as usize - 1).unwrap_or_default();
            prop_assert!(error.column >= 1 && error.column as usize <= line.chars().count() + 1);
        }
    }

    /// What reads has a normal form, whatever it looked like.
    #[test]
    fn words_in_any_order_are_stable(
        lines in proptest::collection::vec(prop_oneof![
            Just("socket s".to_owned()), Just("# c  d".to_owned()), Just("note  n".to_owned()),
            Just(" mark m".to_owned()), Just("ask ret why".to_owned()), Just("title t".to_owned()),
            random::op().prop_map(|op| text::print_op(&op.into())), Just("state  #  x ".to_owned()),
        ], 0..12)
    ) {
        if let Ok(scenario) = text::parse(&lines.join("\n")) {
            let printed = text::print(&scenario);
            prop_assert_eq!(text::parse(&printed), Ok(scenario));
        }
    }
}

const SCENARIOS: [(&str, &str, usize); 11] = [
    ("r08_reserve_tx_cycle", include_str!("fixtures/scenarios/r08_reserve_tx_cycle.json"), 11),
    ("a01_accept_inherits", include_str!("fixtures/scenarios/a01_accept_inherits.json"), 7),
    ("p05_bypass_bpf", include_str!("fixtures/scenarios/p05_bypass_bpf.json"), 11),
    ("t17_tx_memcg_limit", include_str!("fixtures/scenarios/t17_tx_memcg_limit.json"), 14),
    ("t23_tx_fair_share", include_str!("fixtures/scenarios/t23_tx_fair_share.json"), 14),
    ("x07_rx_ooo_prune", include_str!("fixtures/scenarios/x07_rx_ooo_prune.json"), 21),
    ("x18_rx_mtu9000", include_str!("fixtures/scenarios/x18_rx_mtu9000.json"), 8),
    ("r04_reserve_root_cgroup", include_str!("fixtures/scenarios/r04_reserve_root_cgroup.json"), 8),
    ("r13_reserve_cgroup_moves", include_str!("fixtures/scenarios/r13_reserve_cgroup_moves.json"), 9),
    ("u01_udp_drop", include_str!("fixtures/scenarios/u01_udp_drop.json"), 20),
    ("x14_rx_autotune", include_str!("fixtures/scenarios/x14_rx_autotune.json"), 29),
];

#[test]
fn the_recordings_scenarios_survive() {
    for (name, json, steps) in SCENARIOS {
        let scenario = from_json(json).expect(name);
        assert_eq!((scenario.name.as_str(), scenario.ops.len()), (name, steps));
        assert_eq!(text::parse(&text::print(&scenario)).expect(name), scenario);
        assert_eq!(from_json(&to_json(&scenario)).expect(name), scenario);
    }
    let memcg = |name: &str| {
        let json = SCENARIOS.iter().find(|(n, _, _)| *n == name).expect("listed").1;
        from_json(json).expect("reads").setup
    };
    assert!(!memcg("r04_reserve_root_cgroup").memcg && memcg("r13_reserve_cgroup_moves").memcg);
    assert_eq!(memcg("x18_rx_mtu9000").mtu, 9000);
    assert_eq!(memcg("u01_udp_drop").sysctls[&SysctlKey::TcpMem], "98304 131072 196608");
}

/// The recordings write a cgroup's limit as text; the text form has the number.
#[test]
fn the_recordings_spelling_is_understood() {
    let scenario = from_json(SCENARIOS[3].1).expect("reads");
    let cgroup = scenario.ops.iter().find(|t| matches!(t.op, Op::Cgroup { .. })).expect("has one");
    assert_eq!(text::print_op(cgroup), "cgroup memory.max 4194304");
}

#[test]
fn a_trace_reads_as_its_scenario() {
    let trace = from_json(include_str!("fixtures/scenarios/r04_reserve_root_cgroup.trace.json")).expect("reads");
    let scenario = from_json(SCENARIOS[7].1).expect("reads");
    assert_eq!(trace.ops, scenario.ops);
    assert_eq!(trace.profile, "6.12");
    assert_eq!(trace.name, "r04_reserve_root_cgroup");
    assert!(!trace.setup.memcg);
}

#[test]
fn json_mistakes_are_named() {
    let steps = |steps: &str| from_json(&format!("{{\"steps\":[{steps}]}}")).expect_err(steps).to_string();
    assert_eq!(steps("{\"op\":\"state\"},{\"op\":\"sned\"}"), "step 2: \"sned\" is no operation");
    assert_eq!(steps("{\"op\":\"send\",\"sock\":\"s\"}"), "step 1: missing field `bytes`");
    assert_eq!(
        steps("{\"op\":\"send\",\"sock\":\"s\",\"bytes\":99999999}"),
        "operation 1 (send): bytes is 99999999; allowed is 1 to 67108864"
    );
    assert_eq!(from_json("[]"), Err(JsonError::Field { field: "scenario".into(), expected: "an object".into() }));
    assert!(matches!(from_json("{"), Err(JsonError::Syntax(_))));
    let unknown = from_json("{\"sysctls\":{\"net.x\":\"1\"},\"steps\":[]}").expect_err("unknown");
    assert_eq!(unknown.to_string(), "net.x: expected a sysctl the model knows");
}

#[test]
fn completions_follow_the_table() {
    let words = |line: &str| -> Vec<String> {
        text::completions(line, &[sock("srv"), sock("c")]).into_iter().map(|c| c.word).collect()
    };
    assert_eq!(words("ack"), ["ack_all"]);
    assert_eq!(words("set"), ["setsockopt"]);
    assert_eq!(words("setsockopt "), ["srv", "c"]);
    assert_eq!(words("setsockopt srv SO_RE"), ["SO_RESERVE_MEM"]);
    assert_eq!(words("connect srv w"), ["wscale=", "win="]);
    assert_eq!(words("connect srv win=0 w"), ["wscale="]);
    assert_eq!(words("close srv "), ["rst"]);
    assert_eq!(words("nonsense "), Vec::<String>::new());
    assert_eq!(words("").len(), OPERATIONS.len());
}

#[test]
fn the_lessons_are_whole() {
    let all = lessons::all();
    let slugs: Vec<&str> = all.iter().map(|l| l.slug.as_str()).collect();
    assert_eq!(slugs, ["reserve-floor", "window-pressure", "option-rounding", "who-dropped"]);
    for (lesson, built_in) in all.iter().zip(lessons::LESSONS) {
        let slug = lesson.slug.as_str();
        assert_eq!(slug, built_in.slug);
        assert_eq!(limits::check(&lesson.scenario), Ok(()), "{slug}");
        assert_eq!(lesson.scenario.name, slug);
        assert!(!lesson.title.is_empty() && !lesson.about.is_empty() && !lesson.intro.is_empty(), "{slug}");
        assert!(lesson.assertions.len() >= 20, "{slug}");
        // The page stops before the surprise with a caption of its own, and explains it after.
        assert!(lesson.captions[&lesson.surprise_step].contains("**"), "{slug}: the question is set off");
        assert!(lesson.captions.contains_key(&(lesson.surprise_step + 1)), "{slug}");
        assert!(lesson.captions.contains_key(&lesson.scenario.op_count()), "{slug}: the last step has a caption");
        assert!(lesson.afterword.contains("## Where the numbers come from"), "{slug}");
        // Each question is answered by an assertion right after its operation.
        for (at, question) in &lesson.scenario.questions {
            let answer = |a: &&Assertion| a.after == at + 1 && a.target == question.path && a.profile.is_none();
            assert!(lesson.assertions.iter().any(|a| answer(&a)), "{slug}: {}", question.text);
        }
        // Assertions print as they were written.
        for assertion in &lesson.assertions {
            assert_eq!(Assertion::parse(&assertion.to_string()), Ok(vec![assertion.clone()]));
        }
        // Every socket an assertion names exists.
        let socks = lesson.scenario.sock_names();
        for target in lesson.assertions.iter().filter_map(|a| a.target.split_once('.')) {
            let known = SockName::new(target.0).is_some_and(|name| socks.contains(&name));
            assert!(target.0 == "global" || known, "{slug}: {}", target.0);
        }
    }
}

#[test]
fn lessons_name_their_mistakes() {
    let lesson = |surprise: &str, body: &str| {
        let head = format!("```lesson\nslug x\nabout y\nsurprise {surprise}\n```\n```scenario\nsocket s\n```\n");
        lessons::parse(&format!("{head}{body}")).map_err(|e| e.to_string())
    };
    assert!(lesson("0", "prose\n## step 1\nend\n").is_ok());
    let fails = |surprise, body| lesson(surprise, body).expect_err(body);
    assert_eq!(fails("1", ""), "surprise names step 2, but there are 1 operations");
    assert_eq!(fails("0", "## step 2\n"), "a caption names step 2, but there are 1 operations");
    assert_eq!(fails("0", "## step one\n"), "line 9: expected a heading such as ## step 3, once");
    assert_eq!(
        fails("0", "```assert\nafter 1: s.x = 5\n```\n"),
        "line 10: expected ==, !=, <, <=, > or >=, found \"=\""
    );
    assert_eq!(
        fails("0", "```assert\nafter 2: ret == 5\n```\n"),
        "an assertion names step 2, but there are 1 operations"
    );
    assert_eq!(lessons::parse("# x\n").expect_err("empty").to_string(), "the block scenario is missing");
}

#[test]
fn assertions_compare() {
    let read = Assertion::parse("on 5.10,6.1 after 3: errno == ENOPROTOOPT").expect("reads");
    assert_eq!(read.len(), 2);
    assert_eq!(read[1].profile.as_deref(), Some("6.1"));
    assert_eq!((read[0].after, read[0].cmp, read[0].value), (3, Cmp::Eq, 92));
    assert_eq!(read[0].holds(|_| Some(92)), Verdict::Holds);
    assert_eq!(read[0].holds(|_| Some(22)), Verdict::Fails { found: 22 });
    assert_eq!(read[0].holds(|_| None), Verdict::Unknown);
    let table = [("==", [false, true, false]), ("!=", [true, false, true]), ("<", [true, false, false])];
    let more = [("<=", [true, true, false]), (">", [false, false, true]), (">=", [false, true, true])];
    for (sign, expected) in table.into_iter().chain(more) {
        let read = Assertion::parse(&format!("after 1: s.fwd_alloc {sign} -4096")).expect(sign);
        let results = [-4097, -4096, -4095].map(|n| read[0].holds(|path| (path == "s.fwd_alloc").then_some(n)));
        assert_eq!(results.map(|v| v == Verdict::Holds), expected, "{sign}");
    }
    assert_eq!(Assertion::parse("after 1: global.press == yes").expect("reads")[0].value, 1);
    assert!(Assertion::parse("after 1: ret == 5 6").is_err());
}
