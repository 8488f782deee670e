//! Laws that hold whatever happens: the books balance, going back is exact, a seek is a replay, a fork and its undo
//! come back to the same bytes, a link brings you where it was made.
//!
//! `SKMEM_RANDOM_OPS=1000000 cargo test --release --test properties` runs that many operations per kernel.
#![cfg(not(target_arch = "wasm32"))]

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use skmem_lab::engine::Machine;
use skmem_lab::engine::op::{Op, PeerOptions, Protocol, SockName, SockOpt, SysctlKey, TimedOp};
use skmem_lab::engine::profiles::BASE_IDS;
use skmem_lab::engine::reason::{Fact, Rule};
use skmem_lab::engine::setup::Setup;
use skmem_lab::session::{Action, Ledger, Session};
use skmem_lab::timeline::Timeline;
use std::cell::RefCell;
use std::collections::BTreeSet;

/// Random operations per kernel in an ordinary test run.
const OPS_USUAL: u32 = 20_000;
/// Longest sequence.
const SEQUENCE: usize = 60;

fn ops_wanted() -> u32 {
    let asked = std::env::var("SKMEM_RANDOM_OPS").ok().and_then(|text| text.parse().ok());
    asked.unwrap_or(OPS_USUAL)
}

fn name(text: &str) -> SockName {
    SockName::new(text).unwrap()
}

fn bytes(value: &Machine) -> Vec<u8> {
    serde_json::to_vec(value).unwrap()
}

// ---- the vocabulary ----

fn tcp() -> impl Strategy<Value = SockName> {
    prop_oneof![4 => Just("a"), 2 => Just("b"), 2 => Just("c")].prop_map(name)
}

fn udp() -> impl Strategy<Value = SockName> {
    Just(name("u"))
}

fn any_sock() -> impl Strategy<Value = SockName> {
    prop_oneof![8 => tcp(), 1 => udp(), 1 => Just(name("l"))]
}

fn peer() -> impl Strategy<Value = PeerOptions> {
    let mss = prop_oneof![Just(1460_u32), Just(536), Just(9000), 88..4000_u32];
    let win = prop_oneof![Just(8_388_480_u32), Just(65_535), Just(4000), 0..200_000_u32];
    (mss, 0..15_u32, win, 0..2_u32, 0..2_u32).prop_map(|(mss, wscale, win, sack, ts)| PeerOptions {
        mss,
        wscale,
        win,
        sack,
        ts,
    })
}

fn size() -> impl Strategy<Value = u32> {
    prop_oneof![Just(1_u32), Just(1000), Just(1460), 1..300_u32, 1..20_000_u32, 1..400_000_u32]
}

fn segment() -> impl Strategy<Value = u32> {
    prop_oneof![Just(1_u32), Just(54), Just(1460), 1..2000_u32, 1..65_536_u32]
}

fn count() -> impl Strategy<Value = u32> {
    prop_oneof![4 => Just(1_u32), 2 => 1..5_u32, 1 => 1..120_u32]
}

fn truesize() -> impl Strategy<Value = Option<u32>> {
    prop_oneof![6 => Just(None), 1 => (65_536..140_000_u32).prop_map(Some)]
}

fn value() -> impl Strategy<Value = i32> {
    let special = [-1, 0, 1, 2, 3, 4, 2304, 4096, 65_536, 100_000, 102_400, 1 << 20, i32::MAX];
    prop_oneof![
        3 => prop::sample::select(special.to_vec()),
        3 => 0..600_000_i32,
        1 => any::<i32>()
    ]
}

fn create() -> impl Strategy<Value = Op> {
    prop_oneof![
        6 => tcp().prop_map(|sock| Op::Socket { sock, kind: Protocol::Tcp }),
        1 => udp().prop_map(|sock| Op::Socket { sock, kind: Protocol::Udp }),
        1 => Just(Op::Socket { sock: name("l"), kind: Protocol::Tcp }),
        1 => Just(Op::Listen { sock: name("l") }),
        1 => peer().prop_map(|peer| Op::PeerConnect { sock: name("l"), child: name("c"), peer }),
        1 => Just(Op::Accept { sock: name("l"), child: name("c") }),
        6 => (tcp(), peer()).prop_map(|(sock, peer)| Op::Connect { sock, peer }),
    ]
}

fn transmit() -> impl Strategy<Value = Op> {
    prop_oneof![
        8 => (tcp(), size(), count()).prop_map(|(sock, bytes, count)| Op::Send { sock, bytes, count }),
        4 => tcp().prop_map(|sock| Op::Ack { sock, bytes: None, win: None }),
        2 => (tcp(), 0..5000_u32, prop::option::of(0..100_000_u32))
            .prop_map(|(sock, bytes, win)| Op::Ack { sock, bytes: Some(bytes), win }),
        3 => tcp().prop_map(|sock| Op::AckAll { sock }),
        1 => (tcp(), 0..200_000_u32).prop_map(|(sock, win)| Op::PeerWin { sock, win }),
    ]
}

fn receive() -> impl Strategy<Value = Op> {
    let rx = (tcp(), segment(), count(), (0..2_u32, 0..2_u32, 0..4_u32, 0..2_u32), truesize());
    prop_oneof![
        8 => rx.prop_map(|(sock, len, count, (respect_window, win_snapshot, read_every, rewind_unacked), truesize)| {
            Op::Rx { sock, len, count, respect_window, win_snapshot, read_every, rewind_unacked, truesize }
        }),
        3 => (tcp(), -5000..20_000_i32, segment(), 1..30_u32, 0..4000_u32, truesize())
            .prop_map(|(sock, ofs, len, count, stride, truesize)| Op::RxAt { sock, ofs, len, count, stride, truesize }),
        1 => (tcp(), 0..3000_u32).prop_map(|(sock, bytes)| Op::RxSkip { sock, bytes }),
        5 => tcp().prop_map(|sock| Op::ReadAll { sock }),
        3 => (any_sock(), size(), count()).prop_map(|(sock, bytes, count)| Op::Read { sock, bytes, count }),
        2 => (udp(), segment(), count(), truesize())
            .prop_map(|(sock, len, count, truesize)| Op::UdpRx { sock, len, count, truesize }),
        1 => (udp(), segment(), count(), 0..2_u32)
            .prop_map(|(sock, len, count, no_pump)| Op::UdpSend { sock, len, count, no_pump }),
        1 => udp().prop_map(|sock| Op::ReadAll { sock }),
    ]
}

fn settings() -> impl Strategy<Value = Op> {
    let keys = [SysctlKey::TcpMem, SysctlKey::UdpMem, SysctlKey::TcpRmem, SysctlKey::TcpWmem];
    let marks = ["0 0 0", "1 2 3", "10 20 40", "100 200 300", "4096 16384 100000", "98304 131072 196608"];
    let flags = [
        SysctlKey::TcpModerateRcvbuf,
        SysctlKey::TcpShrinkWindow,
        SysctlKey::TcpWindowScaling,
        SysctlKey::BypassProtMem,
        SysctlKey::TcpAdvWinScale,
        SysctlKey::TcpAppWin,
    ];
    let triple = (prop::sample::select(keys.to_vec()), prop::sample::select(marks.to_vec()));
    let flag = (prop::sample::select(flags.to_vec()), -2..33_i32);
    prop_oneof![
        6 => (any_sock(), prop::sample::select(SockOpt::ALL.to_vec()), value())
            .prop_map(|(sock, name, value)| Op::Setsockopt { sock, name, value }),
        1 => (any_sock(), prop::sample::select(SockOpt::ALL.to_vec()))
            .prop_map(|(sock, name)| Op::Getsockopt { sock, name }),
        2 => triple.prop_map(|(key, value)| Op::Sysctl { key, value: value.to_owned() }),
        1 => flag.prop_map(|(key, value)| Op::Sysctl { key, value: value.to_string() }),
        1 => prop_oneof![Just(-1_i64), 0..400_000_i64]
            .prop_map(|value| Op::Cgroup { file: "memory.max".to_owned(), value }),
    ]
}

fn ending() -> impl Strategy<Value = Op> {
    prop_oneof![
        3 => prop_oneof![Just(40_u32), Just(250), 0..5000_u32].prop_map(|ms| Op::Sleep { ms }),
        1 => tcp().prop_map(|sock| Op::RxFin { sock }),
        1 => tcp().prop_map(|sock| Op::RxRst { sock }),
        1 => tcp().prop_map(|sock| Op::Shutdown { sock }),
        2 => (any_sock(), 0..2_u32).prop_map(|(sock, rst)| Op::Close { sock, rst }),
        1 => Just(Op::CgroupLeave {}),
        1 => Just(Op::CgroupEnter {}),
        1 => (0..2_i64).prop_map(|value| Op::BpfBypass { value }),
    ]
}

fn any_op() -> impl Strategy<Value = TimedOp> {
    prop_oneof![5 => create(), 8 => transmit(), 8 => receive(), 4 => settings(), 2 => ending()]
        .prop_map(TimedOp::from)
}

/// Sequences begin with a connected socket, so that most operations make sense.
fn any_ops() -> impl Strategy<Value = Vec<TimedOp>> {
    let start = (peer(), prop::collection::vec(any_op(), 1..SEQUENCE));
    start.prop_map(|(peer, more)| {
        let a = name("a");
        let first = [Op::Socket { sock: a, kind: Protocol::Tcp }, Op::Connect { sock: a, peer }];
        first.into_iter().map(TimedOp::from).chain(more).collect()
    })
}

// ---- the laws ----

/// Runs `law` until `ops` random operations have been through it.
fn hold(ops: u32, law: impl Fn(&[TimedOp], u32) -> Result<(), TestCaseError>) {
    let mean = u32::try_from(SEQUENCE / 2).unwrap();
    let config = Config { cases: (ops / mean).max(8), failure_persistence: None, ..Config::default() };
    TestRunner::new(config).run(&(any_ops(), any::<u32>()), |(ops, dice)| law(&ops, dice)).unwrap();
}

/// Pushes what makes sense; everything must balance after every operation.
///
/// One that makes no sense is skipped: about one in three.
fn balanced(profile: &str, ops: &[TimedOp]) -> Result<Timeline, TestCaseError> {
    let mut timeline = Timeline::new(Machine::new(profile, &Setup::default()).unwrap());
    for op in ops {
        if timeline.push(op.clone()).is_err() {
            continue;
        }
        let last = timeline.len() - 1;
        let step = timeline.step_at(last).unwrap();
        prop_assert!(step.imbalances.is_empty(), "{:?} after {op:?}", step.imbalances);
        let off = timeline.state_at(last + 1).audit();
        prop_assert!(off.is_empty(), "{off:?} after {op:?}");
    }
    Ok(timeline)
}

fn ledger_holds_and_time_travels(profile: &str) {
    hold(ops_wanted(), |ops, dice| {
        let timeline = balanced(profile, ops)?;
        // A seek is a replay.
        let step = dice % (timeline.len() + 1);
        let mut replay = Machine::clone(timeline.start());
        for op in timeline.ops().take(step as usize) {
            replay.apply(&op.op, op.timing.unwrap_or_default()).unwrap();
        }
        prop_assert_eq!(bytes(&timeline.state_at(step)), bytes(&replay));
        // A fork leaves the line it comes from as it was, and shares its past.
        let before = bytes(&timeline.state_at(timeline.end()));
        if let Ok(branch) = timeline.fork(step, TimedOp::from(Op::Sleep { ms: 1 })) {
            prop_assert_eq!(bytes(&branch.state_at(step)), bytes(&replay));
        }
        prop_assert_eq!(bytes(&timeline.state_at(timeline.end())), before);
        // The last beat of an operation is its end.
        if let Some(visit) = timeline.visit(step) {
            let all = u32::try_from(visit.step.beats.len()).unwrap();
            let last = timeline.beat_state(step, all.max(1)).unwrap();
            prop_assert_eq!(bytes(&last), bytes(&visit.after));
        }
        Ok(())
    });
}

#[test]
fn ledger_holds_and_time_travels_on_5_10() {
    ledger_holds_and_time_travels("5.10");
}

#[test]
fn ledger_holds_and_time_travels_on_5_16() {
    ledger_holds_and_time_travels("5.16");
}

#[test]
fn ledger_holds_and_time_travels_on_6_1() {
    ledger_holds_and_time_travels("6.1");
}

#[test]
fn ledger_holds_and_time_travels_on_6_6() {
    ledger_holds_and_time_travels("6.6");
}

#[test]
fn ledger_holds_and_time_travels_on_6_8() {
    ledger_holds_and_time_travels("6.8");
}

#[test]
fn ledger_holds_and_time_travels_on_6_12() {
    ledger_holds_and_time_travels("6.12");
}

#[test]
fn ledger_holds_and_time_travels_on_6_18() {
    ledger_holds_and_time_travels("6.18");
}

#[test]
fn ledger_holds_and_time_travels_on_7_3() {
    ledger_holds_and_time_travels("7.3");
}

/// No kernel is left out above.
#[test]
fn every_kernel_has_its_test() {
    let text = std::fs::read_to_string(file!()).unwrap();
    for id in BASE_IDS {
        assert!(text.contains(&format!("ledger_holds_and_time_travels(\"{id}\");")), "{id}");
    }
}

/// The proposals on a kernel that has everything.
#[test]
fn ledger_holds_with_every_proposal() {
    for id in [
        "6.12+64k",
        "7.3+64k+lock-smaller",
        "6.1+no-reserve-accounting",
        "6.12+no-reserve-sndbuf+no-reserve-ssthresh",
    ] {
        hold(ops_wanted() / 20, |ops, _| balanced(id, ops).map(|_| ()));
    }
}

/// The laws mean something only if the operations get everywhere.
#[test]
fn the_vocabulary_reaches_nearly_every_rule() {
    let reached: RefCell<BTreeSet<Rule>> = RefCell::default();
    for id in BASE_IDS {
        hold(6_000, |ops, _| {
            let mut machine = Machine::new(id, &Setup::default()).unwrap();
            for op in ops {
                let step = machine.apply(&op.op, op.timing.unwrap_or_default());
                let facts = step.iter().flat_map(|step| &step.beats).flat_map(|beat| &beat.facts);
                reached.borrow_mut().extend(facts.map(|fact| match *fact {
                    Fact::Called { rule, .. }
                    | Fact::Checked { rule, .. }
                    | Fact::Moved { rule, .. }
                    | Fact::Decided { rule, .. } => rule,
                }));
            }
            Ok(())
        });
    }
    let reached = reached.borrow();
    let missed: Vec<&str> = Rule::ALL.iter().filter(|r| !reached.contains(r)).map(|r| r.name()).collect();
    assert!(missed.len() <= Rule::ALL.len() / 10, "{missed:?}");
}

/// What a session does with random operations and random places.
#[test]
fn a_session_goes_back_undoes_and_links_exactly() {
    hold(1500, |ops, dice| {
        let profile = BASE_IDS[dice as usize % BASE_IDS.len()];
        let mut session = Session::open_fragment("").after(Action::OpenText(format!("kernel {profile}")));
        prop_assert!(session.notice().is_none(), "{:?}", session.notice());
        let start = bytes(session.machine());
        for op in ops {
            session = session.after(Action::Run(op.clone()));
            prop_assert_eq!(session.ledger(), Ledger::Balanced);
        }
        let end = session.after(Action::DismissNotice);
        let end_bytes = bytes(end.machine());
        // Back to the beginning, step by step, and forward again.
        let mut back = end.clone();
        while back.step_no() > 0 {
            back = back.after(Action::StepBack);
        }
        prop_assert_eq!(bytes(back.machine()), start);
        prop_assert_eq!(bytes(back.after(Action::End).machine()), end_bytes.clone());
        // A fork in the past, and its undo.
        let past = end.after(Action::Seek(dice % (end.end() + 1)));
        let forked = past.after(Action::Run(TimedOp::from(Op::Sleep { ms: 1 })));
        let undone = forked.after(Action::Undo);
        prop_assert_eq!(undone.step_no(), past.step_no());
        prop_assert_eq!(bytes(undone.machine()), bytes(past.machine()));
        prop_assert_eq!(bytes(undone.after(Action::End).machine()), end_bytes);
        prop_assert_eq!(bytes(undone.after(Action::Redo).machine()), bytes(forked.machine()));
        // A link, made anywhere.
        let opened = Session::open_fragment(&past.link());
        prop_assert!(opened.bad_link().is_none(), "{:?}", opened.bad_link());
        prop_assert_eq!(opened.step_no(), past.step_no());
        prop_assert_eq!(bytes(opened.machine()), bytes(past.machine()));
        prop_assert_eq!(opened.link(), past.link());
        Ok(())
    });
}

proptest! {
    #![proptest_config(Config { cases: 200, failure_persistence: None, ..Config::default() })]

    /// Whatever stands in the address bar, the page comes up.
    #[test]
    fn any_fragment_opens_something(fragment in "\\PC{0,80}") {
        let session = Session::open_fragment(&fragment);
        prop_assert_eq!(session.ledger(), Ledger::Balanced);
        drop((session.title(), session.link(), session.live_sentence()));
    }

    /// Whatever is typed, nothing is lost.
    #[test]
    fn any_line_leaves_the_session_standing(line in "\\PC{0,60}") {
        let session = Session::open_fragment("");
        let after = session.after(Action::ConsoleLine(line));
        prop_assert!(after.step_no() >= session.step_no());
        drop(after.live_sentence());
    }
}
