//! Words: every reason has some, every number in them is a number of the engine, and nothing moves from X to X.
#![cfg(not(target_arch = "wasm32"))]

use skmem_lab::engine::machine::SetupError;
use skmem_lab::engine::op::{SockName, SockOpt, SysctlKey};
use skmem_lab::engine::profiles::{BASE_IDS, by_id};
use skmem_lab::engine::reason::{Cmp, Fact, Field, Operand, Rule, Term};
use skmem_lab::engine::setup::Setup;
use skmem_lab::engine::snmp::Counter;
use skmem_lab::engine::step::{Errno, Imbalance, Refused, Step};
use skmem_lab::engine::units::PageSize;
use skmem_lab::engine::{Machine, op::TimedOp};
use skmem_lab::explain::glossary;
use skmem_lab::explain::{self, Lens, Limit, Link, Main, OptionCall, Receive, Transmit};
use skmem_lab::scenario::lessons;
use skmem_lab::scenario::text::parse_op;
use skmem_lab::scenario::view::Units;
use skmem_lab::timeline::Timeline;
use std::collections::BTreeSet;

fn name(text: &str) -> SockName {
    SockName::new(text).unwrap()
}

fn run(profile: &str, text: &str) -> Vec<(TimedOp, Step)> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let ops: Vec<TimedOp> = lines.map(|line| parse_op(line).unwrap()).collect();
    let mut timeline = Timeline::load(Machine::new(profile, &Setup::default()).unwrap(), ops.clone());
    timeline.run_all();
    assert_eq!(timeline.stop(), None);
    ops.into_iter().zip(0..).map(|(op, at)| (op, timeline.step_at(at).unwrap())).collect()
}

/// The last step of a scenario: its message and its words.
fn last(profile: &str, text: &str) -> (Main, String) {
    let (op, step) = run(profile, text).pop().unwrap();
    let message = explain::summary(&op.op, &step);
    let words = message.sentence().plain();
    (message.main, words)
}

// ---- one reason ----

#[test]
fn a_test_is_written_as_it_turned_out() {
    let line = |size, credit| {
        let (lhs, rhs) = (Term::Size.of(size), Field::FwdAlloc.of(credit));
        let taken = Cmp::Le.test(size, credit);
        explain::fact(&Fact::Checked { rule: Rule::SkWmemSchedule, lhs, cmp: Cmp::Le, rhs, taken })
    };
    assert_eq!(line(20_000, 87_816).plain(), "20,000 needed <= 87,816 prepaid -> no page bought");
    assert_eq!(line(20_000, 16_384).plain(), "20,000 needed > 16,384 prepaid -> pages must be bought");
    let links: Vec<Link> = line(20_000, 87_816).spans(Lens::EXACT).into_iter().filter_map(|s| s.link).collect();
    assert_eq!(
        links,
        [
            Link::Number { term: Term::Size, value: 20_000 },
            Link::Number { term: Term::Field(Field::FwdAlloc), value: 87_816 }
        ]
    );
    let lens = Lens { units: Units::Kib, page: PageSize::K4 };
    assert_eq!(line(20_480, 86_016).text(lens), "20 KiB needed <= 84 KiB prepaid -> no page bought");
}

#[test]
fn a_change_says_from_where_to_where_and_by_how_much() {
    let moved = |field, before, after| {
        explain::fact(&Fact::Moved { rule: Rule::SkMemCharge, field, before, after }).plain()
    };
    assert_eq!(moved(Field::FwdAlloc, 87_816, 66_920), "forward_alloc 87,816 -> 66,920 (-20,896)");
    assert_eq!(moved(Field::WmemQueued, 0, 2304), "wmem_queued 0 -> 2,304 (+2,304)");
    assert_eq!(moved(Field::Pressure, 0, 1), "memory_pressure off -> on");
}

#[test]
fn flags_are_words() {
    let on = Operand { term: Term::Field(Field::Pressure), value: 1 };
    let fact =
        Fact::Checked { rule: Rule::TcpGrowWindow, lhs: on, cmp: Cmp::Ne, rhs: Term::Constant.of(0), taken: true };
    assert_eq!(explain::fact(&fact).plain(), "memory pressure is on -> it does not grow");
}

// ---- whole steps ----

const START: &str = "socket s\nconnect s\n";

#[test]
fn a_send_says_whether_pages_were_bought() {
    let (main, words) = last("6.12", &format!("{START}setsockopt s SO_RESERVE_MEM 102400\nsend s 1000"));
    assert!(matches!(main, Main::Transmit(_, Transmit::SentFromCredit { bytes: 1000, .. })), "{main:?}");
    assert!(words.contains("no page was bought"), "{words}");
    let (main, words) = last("6.12", &format!("{START}send s 20000"));
    assert!(matches!(main, Main::Transmit(_, Transmit::SentBought { pages: 6, .. })), "{main:?}");
    assert!(words.starts_with("s queued 20,000 B") && words.contains("bought 6 pages"), "{words}");
}

#[test]
fn an_ack_says_what_went_back_and_why_not() {
    let (main, words) = last("6.12", &format!("{START}send s 1000\nack_all s"));
    assert!(matches!(main, Main::Transmit(_, Transmit::AckedReturned { pages: 1, .. })), "{words}");
    let (main, words) = last("5.10", &format!("{START}send s 1000\nack_all s"));
    assert!(matches!(main, Main::Transmit(_, Transmit::AckedKept { credit: 4096, .. })), "{words}");
    let text = format!("{START}setsockopt s SO_RESERVE_MEM 102400\nsend s 1000\nack_all s");
    let (main, words) = last("6.12", &text);
    assert!(matches!(main, Main::Transmit(_, Transmit::AckedReserved { reserved: 102_400, .. })), "{words}");
    assert!(words.contains("102,400 B of its credit are reserved and unused"), "{words}");
}

#[test]
fn a_refusal_names_its_limit() {
    let stopped = |profile, text: &str| match last(profile, text) {
        (Main::Transmit(_, Transmit::Stopped { limit: Some(limit), errno, .. }), _) => (limit, errno),
        other => panic!("{other:?}"),
    };
    let (limit, errno) = stopped("6.12", &format!("{START}setsockopt s SO_SNDBUF 4608\nsend s 1000 x50"));
    assert!(matches!(limit, Limit::SendBuffer { sndbuf: 9216, .. }), "{limit:?}");
    assert_eq!(errno, Errno::EAGAIN);
    let text = format!("{START}sysctl net.ipv4.tcp_mem 1 2 3\nsend s 100000 x20");
    let (limit, _) = stopped("5.10", &text);
    assert!(matches!(limit, Limit::MaxMark { mark: 3, .. } | Limit::SendBuffer { .. }), "{limit:?}");
    let text = format!("{START}sysctl net.ipv4.tcp_mem 1 2 3\nsetsockopt s SO_RESERVE_MEM 102400");
    for profile in ["6.1", "6.12"] {
        let (main, words) = last(profile, &text);
        // The counter of these kernels lags: 25 pages are not seen yet.
        assert!(matches!(main, Main::Option(_, _, OptionCall::Reserved { pages: 25, .. })), "{words}");
    }
    let text = format!("{START}sysctl net.ipv4.tcp_mem 1 2 3\nsetsockopt s SO_RESERVE_MEM 2000000");
    let (main, words) = last("6.12", &text);
    let Main::Option(_, SockOpt::SO_RESERVE_MEM, OptionCall::Refused { limit, .. }) = main else {
        panic!("{words}")
    };
    assert!(matches!(limit, Some(Limit::PressureMark { mark: 2, .. })), "{words}");
    assert!(words.contains("ENOMEM") && words.contains("above its pressure mark of 2 pages"), "{words}");
    let (_, words) = last("6.12", "cgroup_leave\nsocket s\nsetsockopt s SO_RESERVE_MEM 0");
    assert!(words.contains("EOPNOTSUPP") && words.contains("no memory cgroup"), "{words}");
}

#[test]
fn a_drop_names_its_limit() {
    let text = "socket u udp\nsetsockopt u SO_RCVBUF 4000\nudp_rx u 1000 x20";
    let (main, words) = last("6.12", text);
    let Main::Receive(_, Receive::Dropped { limit, dropped, .. }) = main else { panic!("{words}") };
    assert!(dropped > 10 && matches!(limit, Some(Limit::ReceiveBuffer { rcvbuf: 8000, .. })), "{words}");
}

#[test]
fn pressure_is_said_beside() {
    let (_, words) = last("5.10", &format!("{START}sysctl net.ipv4.tcp_mem 2 4 1000\nsend s 20000"));
    assert!(words.ends_with("Memory pressure begins."), "{words}");
}

#[test]
fn options_read_and_set() {
    let (_, words) = last("6.12", "socket s\nsetsockopt s SO_RCVBUF 10000");
    assert_eq!(words, "SO_RCVBUF 10000: the receive buffer of s goes from 131,072 B to 20,000 B.");
    let (_, words) = last("6.12", "socket s\ngetsockopt s SO_RCVBUF");
    assert_eq!(words, "SO_RCVBUF of s reads 131,072.");
    let (_, words) = last("5.10", "socket s\ngetsockopt s SO_RESERVE_MEM");
    assert!(words.contains("ENOPROTOOPT"), "{words}");
}

// ---- laws over every lesson on every kernel ----

fn every_step(mut see: impl FnMut(&str, &TimedOp, &Step, &Machine, &Machine)) {
    for lesson in lessons::all() {
        for id in BASE_IDS {
            let start = Machine::new(id, &lesson.scenario.setup).unwrap();
            let mut timeline = Timeline::load(start, lesson.scenario.ops.clone());
            timeline.run_all();
            for at in 0..timeline.end() {
                let visit = timeline.visit(at).unwrap();
                let place = format!("{} on {id}, operation {}", lesson.slug, at + 1);
                see(&place, timeline.op(at).unwrap(), &visit.step, &visit.before, &visit.after);
            }
        }
    }
}

#[test]
fn every_step_has_a_message_and_every_reason_a_line() {
    every_step(|place, op, step, _, _| {
        let words = explain::summary(&op.op, step).sentence().plain();
        assert!(words.ends_with('.') && !words.contains('{'), "{place}: {words}");
        assert!(!words.contains("  "), "{place}: {words}");
        for beat in explain::path(step) {
            assert!(!beat.title.is_empty());
            for line in beat.calls.iter().flat_map(|call| &call.lines) {
                let words = line.sentence.plain();
                assert!(!words.is_empty() && !words.contains('{'), "{place}: {words}");
                assert!(!words.contains("  "), "{place}: {words}");
                assert_eq!(line.taken.is_some(), words.contains(" -> ") && is_check(&line.fact), "{words}");
            }
        }
        if !step.beats.is_empty() {
            assert!(explain::headline(step).is_some(), "{place}");
        }
    });
}

fn is_check(fact: &Fact) -> bool {
    matches!(fact, Fact::Checked { .. })
}

#[test]
fn nothing_moves_from_x_to_x() {
    every_step(|place, _, step, _, _| {
        for fact in step.beats.iter().flat_map(|beat| &beat.facts) {
            if let Fact::Moved { field, before, after, .. } = fact {
                assert_ne!(before, after, "{place}: {field:?}");
            }
        }
    });
}

/// The sentence of a step says numbers of the state before or after it, changes between them, or what was asked for.
#[test]
fn fields_in_sentences_are_fields_of_the_states() {
    every_step(|place, op, step, before, after| {
        let mut known = BTreeSet::new();
        for machine in [before, after] {
            for (_, sock) in machine.socks() {
                for field in [Field::FwdAlloc, Field::Sndbuf, Field::Rcvbuf, Field::Reserved] {
                    known.insert((field, sock.get(field)));
                }
            }
        }
        for span in explain::summary(&op.op, step).sentence().spans(Lens::EXACT) {
            if let Some(Link::Number { term: Term::Field(field), value }) = span.link
                && matches!(field, Field::FwdAlloc | Field::Reserved)
            {
                assert!(known.contains(&(field, value)), "{place}: {field:?} {value}");
            }
        }
    });
}

// ---- the glossary ----

#[test]
fn everything_on_screen_is_in_the_glossary() {
    for rule in Rule::ALL {
        let entry = glossary::rule(*rule);
        assert_eq!(entry.kernel, rule.name());
        assert!(entry.sentence.ends_with('.'), "{}", entry.key);
        let file = entry.source.rsplit('.').next();
        assert!(matches!(file, Some("c" | "h")), "{}", entry.source);
    }
    for counter in Counter::ALL {
        assert!(glossary::counter(*counter).sentence.ends_with('.'));
    }
    for option in SockOpt::ALL {
        assert!(glossary::option(option).sentence.ends_with('.'));
    }
    for key in SysctlKey::ALL {
        assert!(glossary::sysctl(key).sentence.ends_with('.'));
    }
    assert_eq!(glossary::field(Field::FwdAlloc).kernel, "sk_forward_alloc");
    assert_eq!(glossary::term(Term::Field(Field::FwdAlloc)), glossary::field(Field::FwdAlloc));
    assert_eq!(glossary::term(Term::MemLimit(1)).kernel, "sysctl_mem[1]");
}

/// Every field a recording compares has an entry.
#[test]
fn every_recorded_field_is_in_the_glossary() {
    for key in [
        "rmem_alloc",
        "rcvbuf",
        "wmem_alloc",
        "sndbuf",
        "fwd_alloc",
        "wmem_queued",
        "backlog",
        "drops",
        "SO_RCVBUF",
        "SO_SNDBUF",
        "reserved",
        "buf_lock",
        "inq",
        "outq",
        "outq_nsd",
        "tcp.rcv_ssthresh",
        "tcp.rcv_space",
        "tcp.snd_wscale",
        "tcp.rcv_wscale",
        "tcp.rcv_mss",
        "tcp.advmss",
        "tcp.snd_wnd",
        "tcp.rcv_wnd",
        "tcp.cwnd",
        "tcp.unacked",
        "tcp.notsent",
        "window_clamp",
        "peer.adv_win",
        "syn.win",
        "syn.wscale",
        "tcp_mem_pages",
        "press",
        "k_total_pages",
        "k_memory_allocated",
        "memcg_sock",
        "global.k_total_pages",
        "global.press",
        "snmp.PruneCalled",
        "TCPRcvQDrop",
    ] {
        let entry = glossary::recorded(key).unwrap_or_else(|| panic!("{key}"));
        assert!(entry.sentence.ends_with('.'));
    }
    assert_eq!(glossary::recorded("nonsense"), None);
}

#[test]
fn sources_of_fields_name_a_file_and_a_function() {
    for field in [Field::FwdAlloc, Field::Reserved, Field::Pressure, Field::RcvSsthresh] {
        let source = glossary::field(field).source;
        assert_eq!(source.split(' ').count(), 2, "{source}");
    }
}

// ---- errors and labels ----

#[test]
fn errors_say_what_is_wrong_and_often_what_to_do() {
    let s = name("s");
    for (error, expected) in [
        (Refused::UnknownSock(s), "There is no socket named s here. Create it first: socket s"),
        (Refused::NotConnected(s), "s is not connected. Connect it first: connect s"),
        (
            Refused::OutOfRange { field: "len".into(), value: 70_000, min: 1, max: 65_535 },
            "len is 70,000, but it must be from 1 to 65,535.",
        ),
        (
            Refused::SysctlValue { key: SysctlKey::TcpMem, value: "1 2".into() },
            "net.ipv4.tcp_mem is \"1 2\", but it takes three numbers.",
        ),
    ] {
        assert_eq!(explain::refused(&error), expected);
    }
    for errno in Errno::ALL {
        assert!(!explain::errno(errno).is_empty());
    }
    let unknown = SetupError::Profile(by_id("4.4").unwrap_err());
    assert!(explain::setup_error(&unknown).contains("5.10, 5.16, 6.1, 6.6, 6.8, 6.12, 6.18, 7.3"));
    let off = Imbalance { sock: Some(s), total: String::new(), off_by: 4096 };
    assert_eq!(explain::imbalance(&off), "off by 4,096 B in socket s");
    let off = Imbalance { sock: None, total: "tcp".into(), off_by: -4096 };
    assert_eq!(explain::imbalance(&off), "off by -4,096 B in total tcp");
    let text = explain::text_error(&parse_op("sendd s 1").unwrap_err());
    assert!(text.starts_with("Line 1, column 1: expected an operation, not \"sendd\""), "{text}");
}

#[test]
fn kernels_and_proposals_have_titles() {
    let title = |id| explain::kernel_title(&by_id(id).unwrap());
    assert_eq!(title("6.12"), "Linux 6.12.117");
    assert_eq!(title("6.12+64k"), "Linux 6.12.117, Keep 64 KiB of credit");
    let rule = |id| explain::reclaim_rule(&by_id(id).unwrap());
    assert_eq!(rule("5.10"), "keeps credit until 2,097,152 B are idle, then returns 1,048,576 B");
    assert_eq!(rule("7.3"), "returns every idle whole page at once");
    assert_eq!(rule("7.3+64k"), "keeps 65,536 B of idle credit and returns what is above");
    for id in BASE_IDS {
        assert!(!explain::provenance(&by_id(id).unwrap()).is_empty());
    }
}

#[test]
fn labels_are_short() {
    for (line, label) in [
        ("setsockopt s SO_RESERVE_MEM 102400", "RESERVE_MEM 102400"),
        ("setsockopt s TCP_NODELAY 1", "TCP_NODELAY 1"),
        ("send s 1000", "send 1000"),
        ("send s 1000 x20", "send 1000 x20"),
        ("rx s 1460 x4", "rx 1460 x4"),
        ("ack s", "ack"),
        ("ack_all s", "ack all"),
        ("sysctl net.ipv4.tcp_mem 1 2 3", "tcp_mem = 1 2 3"),
        ("cgroup memory.max max", "memory.max = max"),
        ("sleep 40ms", "sleep 40 ms"),
        ("close s", "close"),
    ] {
        let parsed = parse_op(line).unwrap_or_else(|error| panic!("{line}: {error}"));
        assert_eq!(explain::op_label(&parsed.op), label);
    }
    assert_eq!(explain::brief(0, None), "= 0");
    assert_eq!(explain::brief(-1, Some(Errno::ENOMEM)), "= -1 ENOMEM");
    assert_eq!(explain::brief(3000, Some(Errno::EAGAIN)), "= 3,000, then EAGAIN");
}
