//! Links: what is written opens again, what was ever written opens for ever, and what is broken
//! says how.
#![cfg(not(target_arch = "wasm32"))]

#[path = "fixtures/scenarios/random.rs"]
mod random;

use proptest::prelude::*;
use skmem_lab::engine::op::SockName;
use skmem_lab::scenario::lessons;
use skmem_lab::scenario::link::{self, Link, LinkError, Source, decode, encode, is_bare};
use skmem_lab::scenario::model::Scenario;
use skmem_lab::scenario::text;
use skmem_lab::scenario::view::{Mode, StepRange, Units, View};

fn link_to(text: &str) -> Link {
    let scenario = text::parse(text).expect("reads");
    Link { source: Source::Scenario(Box::new(scenario)), view: View::default() }
}

/// A fragment of version 1 around a payload.
fn with_payload(payload: &[u8]) -> String {
    format!("#v=1&s={}", base64(payload))
}

/// base64url without padding, written out so that the tests do not lean on what they test.
fn base64(bytes: &[u8]) -> String {
    const ABC: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let group = chunk.iter().fold(0_u32, |g, b| g << 8 | u32::from(*b)) << (8 * (3 - chunk.len()));
        for i in 0..=chunk.len() {
            out.push(char::from(ABC[(group >> (18 - 6 * i) & 63) as usize]));
        }
    }
    out
}

/// Data with its length and checksum in front.
fn framed(data: &[u8]) -> Vec<u8> {
    let mut out = u32::try_from(data.len()).expect("small").to_be_bytes().to_vec();
    out.extend(crc32fast::hash(data).to_be_bytes());
    out.extend(data);
    out
}

/// Raw DEFLATE in one stored block: five bytes of header, then the text itself.
fn stored(text: &[u8]) -> Vec<u8> {
    let length = u16::try_from(text.len()).expect("one block");
    let mut out = vec![1];
    out.extend(length.to_le_bytes());
    out.extend((!length).to_le_bytes());
    out.extend(text);
    out
}

#[test]
fn the_specification_is_enough_to_make_a_link() {
    // Made here by the written rules alone, with stored blocks instead of compression.
    let opened = decode(&with_payload(&framed(&stored(b"socket s\nsend s 5")))).expect("opens");
    assert_eq!(opened, link_to("socket s\nsend s 5"));
    assert_eq!(base64(b"\xfb\xff"), "-_8");
}

#[test]
fn every_part_of_a_view_survives() {
    let mut link = link_to("socket s\nsend s 1\nsend s 2\n");
    assert!(!encode(&link).expect("fits").contains("step"));
    link.view = View {
        step: 2,
        beat: Some(3),
        sock: SockName::new("s"),
        profile: Some("7.3+64k".into()),
        compare: vec!["5.10".into(), "6.12+64k".into()],
        units: Units::Pages,
        mode: Mode::Compare,
        range: Some(StepRange { first: 1, last: 3 }),
    };
    let written = encode(&link).expect("fits");
    let tail = "&step=2&beat=3&sock=s&p=7.3+64k&c=5.10,6.12+64k&u=pages&m=compare&r=1-3";
    assert!(written.starts_with("#v=1&s=") && written.ends_with(tail), "{written}");
    assert_eq!(decode(&written), Ok(link.clone()));
    // Whole addresses, without the hash, other order, percent signs, line breaks of a mail program.
    assert_eq!(decode(&format!("https://example.org/lab/?x=1{written}")), Ok(link.clone()));
    assert_eq!(decode(&written[1..]), Ok(link.clone()));
    assert_eq!(decode(&written.replace("+64k", "%2B64k").replace(',', "%2c")), Ok(link.clone()));
    let (a, b) = written.split_at(30);
    assert_eq!(decode(&format!("{a}\r\n {b}")), Ok(link.clone()));
    // Parts this version does not know are left aside.
    assert_eq!(decode(&format!("{written}&theme=dark&x&=&z=%")), Ok(link));
}

#[test]
fn a_lesson_is_named_and_stops_before_its_surprise() {
    let opened = decode("#v=1&lesson=reserve-floor").expect("opens");
    assert_eq!(opened.view.step, 7);
    assert_eq!(opened.scenario().expect("built in").ops.len(), 11);
    assert_eq!(decode("#v=1&lesson=reserve-floor&step=6").expect("opens").view.step, 6);
    for lesson in lessons::all() {
        let source = Source::Lesson(lesson.slug.clone());
        let view = View {
            step: lesson.scenario.op_count(),
            compare: vec!["5.10".into(), "6.1".into(), "7.3".into()],
            mode: Mode::Conformance,
            sock: lesson.scenario.sock_names().first().copied(),
            ..View::default()
        };
        let link = Link { source, view };
        let written = encode(&link).expect("fits");
        assert!(written.len() < 200, "{written}");
        assert_eq!(decode(&written), Ok(link));
        let plain = Link {
            source: Source::Lesson(lesson.slug.clone()),
            view: View { step: lesson.surprise_step, ..View::default() },
        };
        assert_eq!(encode(&plain).expect("fits"), format!("#v=1&lesson={}", lesson.slug));
    }
}

#[test]
fn bare_addresses_are_no_links() {
    for bare in ["", "#", "https://example.org/lab/", "https://example.org/lab/#"] {
        assert!(is_bare(bare), "{bare:?}");
        assert_eq!(decode(bare), Err(LinkError::NotALink));
    }
    assert!(!is_bare("#v=1") && !is_bare("https://example.org/#about"));
}

/// Two hundred events on four sockets, mixed by a fixed rule.
fn two_hundred() -> Scenario {
    let mut lines = vec!["title Two hundred events".to_owned()];
    let mut dice: u32 = 12345;
    let mut roll = |sides: u32| {
        dice = dice.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (dice >> 16) % sides
    };
    for name in ["a", "b", "c", "d"] {
        lines.push(format!("socket {name}"));
        lines.push(format!("connect {name}"));
    }
    for _ in 0..192 {
        let name = ["a", "b", "c", "d"][roll(4) as usize];
        let size = [1000, 1460, 2920, 10_000, 20_000][roll(5) as usize];
        lines.push(match roll(7) {
            0 => format!("send {name} {size}"),
            1 => format!("ack {name} {size}"),
            2 => format!("rx {name} 1460 x{}", 1 + roll(10)),
            3 => format!("read {name} {size}"),
            4 => format!("ack_all {name}"),
            5 => format!("read_all {name}"),
            _ => format!("setsockopt {name} SO_RESERVE_MEM {}", 102_400 * roll(2)),
        });
    }
    text::parse(&lines.join("\n")).expect("reads")
}

#[test]
fn two_hundred_events_fit_a_line_of_mail() {
    let scenario = two_hundred();
    assert_eq!(scenario.ops.len(), 200);
    let link = Link { source: Source::Scenario(Box::new(scenario)), view: View { step: 200, ..View::default() } };
    let written = encode(&link).expect("fits");
    assert!(written.len() < 900, "{} characters", written.len());
    assert_eq!(decode(&written), Ok(link));
}

/// What is broken, and the message it earns.
#[test]
#[allow(clippy::too_many_lines)] // a table
fn a_broken_link_says_which_part() {
    let good = encode(&link_to("socket s\nsend s 5\n")).expect("fits");
    let payload = good.strip_prefix("#v=1&s=").expect("begins so");
    let s = |payload: &str| format!("#v=1&s={payload}");
    let bad_text = with_payload(&framed(&stored(b"socket s\nsend s lots")));
    let cases = [
        ("#about".to_owned(), "this is not a skmem link: it has no part \"v=\""),
        ("#step=3".into(), "this is not a skmem link: it has no part \"v=\""),
        (format!("#s={payload}"), "this link does not say its version: the part \"v=\" is missing"),
        ("#v=9&s=x".into(), "this link was made by a newer skmem lab (version 9); this one reads up to version 1"),
        (
            "#v=99999999999999999999&s=x".into(),
            "this link was made by a newer skmem lab (version 4294967295); this one reads up to version 1",
        ),
        ("#v=0&s=x".into(), "the part \"v=\" of this link is \"0\"; expected a version number from 1"),
        ("#v=one&s=x".into(), "the part \"v=\" of this link is \"one\"; expected a version number from 1"),
        ("#v=1".into(), "this link is incomplete: the part \"s or lesson\" is missing"),
        ("#v=1&step=2".into(), "this link is incomplete: the part \"s or lesson\" is missing"),
        (
            format!("{good}&lesson=reserve-floor"),
            "this link has two scenarios: the parts \"s=\" and \"lesson=\" exclude each other",
        ),
        (format!("{good}&step=1&step=2"), "this link has the part \"step=\" twice"),
        (
            s("AAAA*AAA"),
            "the scenario in this link is mistyped: '*' at character 5 of the part \"s=\" cannot stand there",
        ),
        (
            s("AAAA="),
            "the scenario in this link is mistyped: '=' at character 5 of the part \"s=\" cannot stand there",
        ),
        (s(""), "this link was cut short: the part \"s=\" has 0 of 8 bytes"),
        (s("AAAA"), "this link was cut short: the part \"s=\" has 3 of 8 bytes"),
        (with_payload(&framed(b"12345")[..10]), "this link was cut short: the part \"s=\" has 10 of 13 bytes"),
        (
            with_payload(&[framed(b"12345"), vec![0]].concat()),
            "this link has something added to it: the part \"s=\" has 14 bytes instead of 13",
        ),
        (
            // CRC-32 of "123456789" is cbf43926: the check value of its definition.
            with_payload(&[&[0, 0, 0, 9, 0, 0, 0, 7][..], b"123456789"].concat()),
            "this link is mistyped: the checksum of the part \"s=\" is cbf43926 instead of 00000007",
        ),
        (
            with_payload(&framed(b"\xff\xff")),
            "the part \"s=\" of this link does not hold compressed text: it is not raw DEFLATE data",
        ),
        (
            with_payload(&framed(&stored(b"title \xff"))),
            "the part \"s=\" of this link does not hold compressed text: it is not UTF-8",
        ),
        (
            bad_text,
            "the scenario in this link has a fault: line 2, column 8: expected a number of bytes, found \"lots\"",
        ),
        (
            "#v=1&lesson=reserve-flor".into(),
            "there is no lesson \"reserve-flor\"; there are reserve-floor, window-pressure, option-rounding, who-dropped",
        ),
        (format!("{good}&step=3"), "the part \"step=\" of this link is \"3\"; expected a step from 0 to 2"),
        (format!("{good}&step=-1"), "the part \"step=\" of this link is \"-1\"; expected a step from 0 to 2"),
        (format!("{good}&step="), "the part \"step=\" of this link is \"\"; expected a step from 0 to 2"),
        (format!("{good}&beat=x"), "the part \"beat=\" of this link is \"x\"; expected a number of beats"),
        (format!("{good}&sock=t"), "the part \"sock=\" of this link is \"t\"; expected a socket of this scenario"),
        (format!("{good}&p=6/12"), "the part \"p=\" of this link is \"6/12\"; expected a kernel such as 6.12"),
        (format!("{good}&c=1,2,3,4"), "the part \"c=\" of this link is \"1,2,3,4\"; expected up to 3 kernels"),
        (format!("{good}&u=miles"), "the part \"u=\" of this link is \"miles\"; expected bytes, kib, pages, mb"),
        (
            format!("{good}&m=dark"),
            "the part \"m=\" of this link is \"dark\"; expected lab, compare, present, embed, conformance",
        ),
        (format!("{good}&r=2-1"), "the part \"r=\" of this link is \"2-1\"; expected two steps such as 0-2"),
        (format!("{good}&r=0-3"), "the part \"r=\" of this link is \"0-3\"; expected two steps such as 0-2"),
    ];
    for (written, message) in cases {
        assert_eq!(decode(&written).expect_err(&written).to_string(), message, "{written}");
    }
}

#[test]
fn a_bomb_is_not_unpacked() {
    // A text of 40 MiB of line feeds packs into some forty kilobytes.
    let data = miniz_oxide::deflate::compress_to_vec(&vec![b'\n'; 40 << 20], 6);
    assert!(data.len() < 100_000);
    assert_eq!(decode(&with_payload(&framed(&data))), Err(LinkError::TooLarge));
    // One byte past the limit is too much; the limit itself is not.
    let data = |n: usize| miniz_oxide::deflate::compress_to_vec(&vec![b'\n'; n], 6);
    assert_eq!(decode(&with_payload(&framed(&data(262_145)))), Err(LinkError::TooLarge));
    assert_eq!(decode(&with_payload(&framed(&data(262_144)))), Ok(link_to("")));
    // Limits of the scenario hold for links too.
    let many = "many a 4096\nmany b 4096\n";
    let error = decode(&with_payload(&framed(&stored(many.as_bytes())))).expect_err("too many").to_string();
    assert!(error.ends_with("line 2, column 1: expected at most 4096 sockets, found \"8192\""), "{error}");
}

#[test]
fn what_would_not_open_is_not_written() {
    let mut link = link_to("socket s\n");
    link.view.step = 2;
    assert!(matches!(encode(&link), Err(LinkError::Value { part: "step", .. })));
    link.view = View { sock: SockName::new("t"), ..View::default() };
    assert!(matches!(encode(&link), Err(LinkError::Value { part: "sock", .. })));
    link.view = View { compare: vec!["a b".into()], ..View::default() };
    assert!(encode(&link).is_err());
    let lesson = Link { source: Source::Lesson("none".into()), view: View::default() };
    assert!(matches!(encode(&lesson), Err(LinkError::UnknownLesson { .. })));
    let mut scenario = Scenario { title: " x".into(), ..Scenario::default() };
    let unfit =
        |s: &Scenario| encode(&Link { source: Source::Scenario(Box::new(s.clone())), view: View::default() });
    assert!(matches!(unfit(&scenario), Err(LinkError::Limit(_))));
    scenario.title = "x".into();
    assert!(unfit(&scenario).is_ok());
}

/// Whatever a view was, in a few lines.
fn describe(link: &Link) -> String {
    let view = &link.view;
    let source = match &link.source {
        Source::Lesson(slug) => format!("lesson {slug}"),
        Source::Scenario(_) => "scenario".to_owned(),
    };
    let number = |n: Option<u32>| n.map_or("-".to_owned(), |n| n.to_string());
    format!(
        "{source}\nstep {} beat {} sock {} p {} c {} u {} m {} r {}\n",
        view.step,
        number(view.beat),
        view.sock.map_or("-".to_owned(), |s| s.to_string()),
        view.profile.as_deref().unwrap_or("-"),
        if view.compare.is_empty() { "-".to_owned() } else { view.compare.join(",") },
        view.units.name(),
        view.mode.name(),
        view.range.map_or("-".to_owned(), |r| format!("{}-{}", r.first, r.last)),
    )
}

/// Links of version 1 open for ever, and mean the same. Beside each stands what it means; files are
/// only added.
#[test]
fn links_of_version_1_open() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/links/v1");
    let mut seen = 0;
    for entry in std::fs::read_dir(&folder).expect("the folder is there") {
        let path = entry.expect("readable").path();
        if path.extension().is_none_or(|e| e != "txt") {
            continue;
        }
        let written = std::fs::read_to_string(&path).expect("readable");
        let link = decode(written.trim()).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let expected = std::fs::read_to_string(path.with_extension("expected")).expect("stands beside it");
        let scenario = match &link.source {
            Source::Scenario(scenario) => text::print(scenario),
            // A lesson may be improved; that it is there, and how it is looked at, stays.
            Source::Lesson(_) => String::new(),
        };
        assert_eq!(format!("{}{scenario}", describe(&link)), expected, "{}", path.display());
        seen += 1;
    }
    assert_eq!(seen, 8);
}

fn view(scenario: &Scenario) -> impl Strategy<Value = View> + use<> {
    let ops = scenario.op_count();
    let socks: Vec<SockName> = scenario.sock_names().into_iter().collect();
    let sock =
        proptest::option::of(0..socks.len().max(1)).prop_map(move |i| i.and_then(|i| socks.get(i).copied()));
    let id = || "[0-9]\\.[0-9]{1,2}(\\+64k)?";
    let range = proptest::option::of((0..=ops, 0..=ops));
    (
        (0..=ops, proptest::option::of(0..99_u32), sock, proptest::option::of(id())),
        proptest::collection::vec(id(), 0..=3),
        (0..Units::ALL.len(), 0..Mode::ALL.len(), range),
    )
        .prop_map(|((step, beat, sock, profile), compare, (units, mode, range))| View {
            step,
            beat,
            sock,
            profile,
            compare,
            units: Units::ALL[units],
            mode: Mode::ALL[mode],
            range: range.map(|(a, b)| StepRange { first: a.min(b), last: a.max(b) }),
        })
}

fn any_link() -> impl Strategy<Value = Link> {
    random::scenario(30).prop_flat_map(|scenario| {
        view(&scenario).prop_map(move |view| Link { source: Source::Scenario(Box::new(scenario.clone())), view })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn links_round_trip(link in any_link()) {
        let written = encode(&link).map_err(|e| TestCaseError::fail(e.to_string()))?;
        prop_assert!(written.is_ascii());
        prop_assert_eq!(decode(&written), Ok(link));
    }

    #[test]
    fn any_text_opens_or_says_why(text in "\\PC{0,120}") {
        if let Err(error) = decode(&text) {
            prop_assert!(!error.to_string().is_empty());
        }
        let _ = decode(&format!("#v=1&s={text}"));
    }

    #[test]
    fn any_bytes_open_or_say_why(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let _ = decode(&with_payload(&bytes));
        // Past the checksum, so that the inflater and the parser see them.
        let _ = decode(&with_payload(&framed(&bytes)));
        let _ = decode(&with_payload(&framed(&stored(&bytes))));
    }

    /// One character changed in the scenario is never taken for another scenario.
    #[test]
    fn a_mistyped_link_never_opens_as_another(at in 0..10_000_usize, letter in "[A-Za-z0-9_-]") {
        let link = link_to("socket s\nconnect s\nsend s 1000 x100\nack_all s\n");
        let written = encode(&link).expect("fits");
        let place = 7 + at % (written.len() - 7);
        let mut typed = written.clone();
        typed.replace_range(place..=place, &letter);
        match decode(&typed) {
            Ok(opened) => prop_assert_eq!(opened, link),
            Err(error) => prop_assert!(matches!(
                error,
                LinkError::Checksum { .. } | LinkError::Truncated { .. } | LinkError::Trailing { .. }
            ), "{}", error),
        }
    }

    #[test]
    fn a_link_cut_anywhere_says_so(length in 0..10_000_usize) {
        let written = encode(&link_to("socket s\nconnect s\nsend s 1000 x100\n")).expect("fits");
        let cut = &written[..7 + length % (written.len() - 7)];
        let is_truncated = matches!(decode(cut), Err(LinkError::Truncated { .. }));
        prop_assert!(is_truncated, "{}", cut);
    }
}

#[test]
fn long_links_are_known() {
    assert_eq!((link::VERSION, link::LONG), (1, 4000));
}
