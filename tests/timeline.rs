//! The timeline: seeking, forking, markers, conditions, series, differences.
#![cfg(not(target_arch = "wasm32"))]

use skmem_lab::engine::Machine;
use skmem_lab::engine::op::{Op, Protocol, SockName, SockOpt, SysctlKey, TimedOp};
use skmem_lab::engine::reason::Field;
use skmem_lab::engine::setup::Setup;
use skmem_lab::engine::step::Refused;
use skmem_lab::timeline::{
    MarkKind, Marker, Probe, Timeline, Until, differences, first_difference, next_difference,
};
use std::time::Instant;

fn name(text: &str) -> SockName {
    SockName::new(text).unwrap()
}

fn machine(profile: &str) -> Machine {
    Machine::new(profile, &Setup::default()).unwrap()
}

fn ops(text: &str) -> Vec<TimedOp> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.map(|line| skmem_lab::scenario::text::parse_op(line).unwrap()).collect()
}

fn loaded(profile: &str, text: &str) -> Timeline {
    let mut timeline = Timeline::load(machine(profile), ops(text));
    timeline.run_all();
    timeline
}

fn bytes(machine: &Machine) -> String {
    serde_json::to_string(machine).unwrap()
}

const PING: &str = "
    socket s
    connect s
    rx s 1000
    read_all s
    send s 1000
    ack s
";

/// So many ping-pongs.
fn long(n: u32) -> Vec<TimedOp> {
    let s = name("s");
    let mut all = ops("socket s\nconnect s");
    for i in 0..n {
        all.push(TimedOp::from(match i % 4 {
            0 => Op::Send { sock: s, bytes: 1000, count: 1 },
            1 => Op::Ack { sock: s, bytes: None, win: None },
            2 => Op::Rx {
                sock: s,
                len: 1000,
                count: 1,
                respect_window: 0,
                win_snapshot: 0,
                read_every: 0,
                rewind_unacked: 0,
                truesize: None,
            },
            _ => Op::ReadAll { sock: s },
        }));
    }
    all
}

#[test]
fn a_seek_is_a_replay_and_leaves_the_end_alone() {
    let timeline = loaded("6.12", PING);
    assert_eq!((timeline.len(), timeline.end(), timeline.ran()), (6, 6, 6));
    let mut replay = machine("6.12");
    let mut forward = vec![bytes(&replay)];
    for op in ops(PING) {
        replay.apply(&op.op, op.timing.unwrap_or_default()).unwrap();
        forward.push(bytes(&replay));
    }
    for (step, expected) in (0..7).zip(&forward).rev() {
        assert_eq!(&bytes(&timeline.state_at(step)), expected, "step {step}");
    }
    assert_eq!(bytes(&timeline.state_at(99)), forward[6]);
}

#[test]
fn what_has_not_run_yet_is_computed_on_demand() {
    let lazy = Timeline::load(machine("6.12"), ops(PING));
    assert_eq!(lazy.ran(), 0);
    let eager = loaded("6.12", PING);
    for step in 0..=6 {
        assert_eq!(bytes(&lazy.state_at(step)), bytes(&eager.state_at(step)));
        assert_eq!(lazy.step_at(step), eager.step_at(step));
    }
    let mut sliced = lazy;
    let mut slices = 0;
    while !sliced.run(1) {
        slices += 1;
    }
    assert!(slices > 2);
    assert!(sliced.markers().eq(eager.markers()));
}

#[test]
fn a_step_shows_its_states_and_its_beats() {
    let timeline = loaded("6.12", PING);
    let visit = timeline.visit(4).unwrap();
    assert_eq!(bytes(&visit.before), bytes(&timeline.state_at(4)));
    assert_eq!(bytes(&visit.after), bytes(&timeline.state_at(5)));
    assert_eq!(visit.step.ret, 1000);
    let beats = timeline.beats_at(4);
    assert_eq!(beats.len(), visit.step.beats.len());
    for (i, state) in (1..).zip(&beats) {
        assert_eq!(bytes(&state.machine), bytes(&timeline.beat_state(4, i).unwrap()));
    }
    assert_eq!(bytes(&timeline.beat_state(4, 0).unwrap()), bytes(&visit.before));
    assert_eq!(bytes(&timeline.beat_state(4, 999).unwrap()), bytes(&visit.after));
    assert_eq!(timeline.step_at(6), None);
}

#[test]
fn a_push_that_makes_no_sense_changes_nothing() {
    let mut timeline = loaded("6.12", PING);
    let before = bytes(&timeline.state_at(6));
    let refused = timeline.push(TimedOp::from(Op::AckAll { sock: name("nobody") }));
    assert_eq!(refused, Err(Refused::UnknownSock(name("nobody"))));
    assert_eq!(timeline.len(), 6);
    assert!(timeline.stop().is_none());
    timeline.push(TimedOp::from(Op::Sleep { ms: 1 })).unwrap();
    assert_eq!(timeline.len(), 7);
    assert_eq!(bytes(&timeline.state_at(6)), before);
}

#[test]
fn a_scenario_stops_where_it_makes_no_sense() {
    let mut timeline = loaded("6.12", "socket s\nconnect s\nsend nobody 1\nsend s 1000");
    let stop = timeline.stop().unwrap();
    assert_eq!((stop.at, &stop.error), (2, &Refused::UnknownSock(name("nobody"))));
    assert_eq!((timeline.len(), timeline.end()), (4, 2));
    assert_eq!(timeline.visit(2).map(|_| ()), None);
    assert!(timeline.state_at(2).find(name("s")).is_some());
    // A push continues from there; what could not run is gone.
    timeline.push(ops("send s 1000")[0].clone()).unwrap();
    assert_eq!((timeline.len(), timeline.end()), (3, 3));
    assert!(timeline.stop().is_none());
}

#[test]
fn a_fork_keeps_the_old_future() {
    let timeline = loaded("6.12", PING);
    let branch = timeline.fork(3, ops("send s 5000")[0].clone()).unwrap();
    assert_eq!((timeline.len(), branch.len()), (6, 4));
    assert_eq!(bytes(&branch.state_at(3)), bytes(&timeline.state_at(3)));
    assert_ne!(bytes(&branch.state_at(4)), bytes(&timeline.state_at(4)));
    assert_eq!(branch.markers().filter(|m| m.at > 4).count(), 0);
    let refused = timeline.fork(0, ops("send s 5000")[0].clone());
    assert_eq!(refused.map(|_| ()), Err(Refused::UnknownSock(name("s"))));
}

#[test]
fn a_follower_keeps_what_it_cannot_run() {
    let mut timeline = loaded("6.12", PING);
    timeline.follow(ops("send nobody 1")[0].clone());
    timeline.follow(ops("send s 1")[0].clone());
    assert_eq!((timeline.len(), timeline.end()), (8, 6));
    timeline.truncate(7);
    assert_eq!((timeline.len(), timeline.end()), (7, 6));
    timeline.truncate(6);
    assert!(timeline.stop().is_none());
    let restarted = timeline.restart(machine("5.10"));
    assert_eq!((restarted.len(), restarted.ran()), (6, 0));
    assert_eq!(restarted.start().profile().id, "5.10");
}

#[test]
fn markers_say_what_happened_and_to_whom() {
    let timeline = loaded(
        "6.12",
        "socket s
         connect s
         setsockopt s SO_RESERVE_MEM 100000
         setsockopt s SO_RESERVE_MEM -1
         send s 20000
         ack_all s
         read_all s",
    );
    let s = Some(name("s"));
    let at = |at, kind| Marker { at, kind, sock: s };
    let all: Vec<Marker> = timeline.markers().copied().collect();
    for expected in
        [at(3, MarkKind::Sockopt), at(4, MarkKind::Sockopt), at(4, MarkKind::Refused), at(6, MarkKind::Ack)]
    {
        assert!(all.contains(&expected), "{expected:?} is not in {all:?}");
    }
    // Nothing to read is no refusal.
    assert!(!all.iter().any(|m| m.at == 7 && m.kind == MarkKind::Refused));
    assert!(all.is_sorted());
    assert_eq!(timeline.next_marker(0, None).unwrap().at, all[0].at);
    assert_eq!(timeline.next_marker(3, Some(MarkKind::Sockopt)), Some(at(4, MarkKind::Sockopt)));
    assert_eq!(timeline.next_marker(4, Some(MarkKind::Sockopt)), None);
    assert_eq!(timeline.prev_marker(4, Some(MarkKind::Sockopt)), Some(at(3, MarkKind::Sockopt)));
    assert_eq!(timeline.prev_marker(3, Some(MarkKind::Sockopt)), None);
    assert_eq!(timeline.markers_at(4).count(), 2);
    assert_eq!(timeline.prev_marker(0, None), None);
}

/// Pressure on and off again, on the kernel that counts exactly.
const PRESSURE: &str = "
    socket s
    connect s
    sysctl net.ipv4.tcp_mem 2 4 1000
    send s 20000
    ack_all s
    sysctl net.ipv4.tcp_mem 1000 2000 3000
    send s 1000
    ack_all s
";

#[test]
fn run_until_stops_on_the_exact_step() {
    let timeline = loaded("5.10", PRESSURE);
    let on = timeline.run_until(0, Until::PressureStarts).unwrap();
    assert_eq!(timeline.next_marker(0, Some(MarkKind::PressureOn)).unwrap().at, on);
    let pressure = |step| timeline.state_at(step).proto(Protocol::Tcp).pressure_since().is_some();
    assert!(!pressure(on - 1) && pressure(on));
    let off = timeline.run_until(on, Until::PressureEnds).unwrap();
    assert!(pressure(off - 1) && !pressure(off));
    assert_eq!(timeline.run_until(off, Until::PressureEnds), None);
    assert_eq!(timeline.run_until(0, Until::Difference), None);
}

#[test]
fn run_until_finds_buffers_windows_and_errors() {
    let timeline = loaded(
        "6.12",
        "socket s
         connect s
         setsockopt s SO_SNDBUF 4608
         send s 1000 x50
         rx s 1000
         setsockopt s SO_RCVBUF 5000
         setsockopt s SO_RESERVE_MEM 102400",
    );
    assert_eq!(timeline.run_until(2, Until::SndbufChanges), Some(3));
    assert_eq!(timeline.run_until(2, Until::Eagain), Some(4));
    assert_eq!(timeline.run_until(4, Until::Eagain), None);
    assert_eq!(timeline.run_until(2, Until::RcvbufChanges), Some(6));
    assert_eq!(timeline.run_until(4, Until::WindowChanges), Some(5));
    assert_eq!(timeline.run_until(0, Until::Enomem), None);
}

#[test]
fn a_series_is_the_states_read_one_by_one() {
    let timeline = loaded("6.12", PING);
    let s = name("s");
    let probes = [
        Probe::Sock(s, Field::FwdAlloc),
        Probe::Held(s),
        Probe::Inq(s),
        Probe::Outq(s),
        Probe::Total(Protocol::Tcp),
        Probe::UnusedReserve(s),
        Probe::AdvWin(s),
    ];
    let series = timeline.series(&probes, 0..100);
    for (probe, values) in probes.iter().zip(&series) {
        let read = |step| probe.read(&timeline.state_at(step)).unwrap_or(0);
        let expected: Vec<i64> = (0..=6).map(read).collect();
        assert_eq!(values, &expected, "{probe:?}");
    }
    let part = timeline.series(&probes[..1], 2..4);
    assert_eq!(part, [series[0][2..4].to_vec()]);
    assert_eq!(timeline.series(&probes[..1], 9..12), [Vec::<i64>::new()]);
}

#[test]
fn two_kernels_differ_where_they_do() {
    let text = "
        socket s
        connect s
        send s 1000
        ack s
        send s 1000
        ack s";
    let (old, new) = (loaded("5.10", text), loaded("6.12", text));
    assert_eq!(first_difference(&new, &new.clone()), None);
    let first = first_difference(&old, &new).unwrap();
    assert!(!differences(&old.state_at(first), &new.state_at(first)).is_empty());
    assert!(first == 0 || differences(&old.state_at(first - 1), &new.state_at(first - 1)).is_empty());
    // The one hoards, the other gives back.
    let found = differences(&old.state_at(4), &new.state_at(4));
    let credit = found.iter().find(|d| d.field == Field::FwdAlloc).unwrap();
    assert!(credit.a > 0 && credit.b == 0, "{credit:?}");
    let mut steps = Vec::new();
    let mut at = 0;
    while let Some(next) = next_difference(&old, &new, at) {
        steps.push(next);
        at = next;
    }
    assert!(steps.is_sorted() && steps.contains(&4), "{steps:?}");
}

#[test]
fn an_option_one_kernel_lacks_is_a_difference() {
    let text = "socket s\nsetsockopt s SO_RESERVE_MEM 0";
    let (old, new) = (loaded("5.10", text), loaded("6.12", text));
    assert_ne!(old.brief(1), new.brief(1));
    assert_eq!(next_difference(&old, &new, 1), Some(2));
}

/// Seeking stays fast and memory bounded, however long the run. Times are for an ordinary machine with room to spare.
#[test]
fn long_runs_seek_fast_with_few_checkpoints() {
    let steps: u32 = if cfg!(debug_assertions) { 5_000 } else { 100_000 };
    let mut timeline = Timeline::load(machine("6.12"), long(steps));
    timeline.run_all();
    assert_eq!(timeline.end(), steps + 2);
    assert!(timeline.checkpoint_count() <= 256, "{}", timeline.checkpoint_count());
    let mut at = 1;
    let mut worst = 0;
    while at < steps {
        let began = Instant::now();
        let state = timeline.state_at(at);
        worst = worst.max(began.elapsed().as_millis());
        assert!(state.audit().is_empty());
        at = at * 2 + 1;
    }
    assert!(worst < 200, "worst seek {worst} ms");
}

/// One operation may hold thousands of packets: what comes after it is not computed again and again.
#[test]
fn a_checkpoint_stands_behind_costly_work() {
    let mut all = ops("socket s\nconnect s\nrx s 1000 x2000 read_every=2");
    all.extend(long(40).into_iter().skip(2));
    let mut timeline = Timeline::load(machine("6.12"), all);
    timeline.run_all();
    assert!(timeline.brief(2).unwrap().work > 1000);
    let cheap: u32 = (3..6).filter_map(|at| timeline.brief(at)).map(|b| b.work).sum();
    assert!(cheap < 100);
    assert!(timeline.checkpoint_count() >= 2);
}

#[test]
fn a_setting_is_marked_with_its_socket_only() {
    let timeline = loaded("6.12", "sysctl net.ipv4.tcp_mem 1 2 3\nsocket s\nsetsockopt s SO_RCVBUF 9999");
    let kinds: Vec<_> = timeline.markers().map(|m| (m.at, m.kind, m.sock)).collect();
    assert_eq!(kinds, [(3, MarkKind::Sockopt, Some(name("s")))]);
    assert_eq!(timeline.call(0), Some(&Op::Sysctl { key: SysctlKey::TcpMem, value: "1 2 3".into() }));
    let option = Op::Setsockopt { sock: name("s"), name: SockOpt::SO_RCVBUF, value: 9999 };
    assert_eq!(timeline.call(2), Some(&option));
}
