//! The session: what every action does, and that nothing is ever lost.
#![cfg(not(target_arch = "wasm32"))]

use skmem_lab::engine::Machine;
use skmem_lab::engine::op::{Op, SockName, TimedOp};
use skmem_lab::engine::profiles::what_if::Toggle;
use skmem_lab::engine::reason::Field;
use skmem_lab::scenario::lessons::LESSONS;
use skmem_lab::scenario::view::{Mode, Units};
use skmem_lab::session::{Action, Ledger, NoticeKind, Outcome, Play, SPEEDS, Session};
use skmem_lab::timeline::{MarkKind, Until};

fn name(text: &str) -> SockName {
    SockName::new(text).unwrap()
}

fn bytes(session: &Session) -> String {
    serde_json::to_string(&**session.machine()).unwrap()
}

fn op(text: &str) -> TimedOp {
    skmem_lab::scenario::text::parse_op(text).unwrap()
}

fn open(text: &str) -> Session {
    let session = Session::open_fragment("").after(Action::OpenText(text.to_owned()));
    assert_eq!(session.notice(), None);
    session
}

/// Does one thing after another.
fn after(session: &Session, actions: impl IntoIterator<Item = Action>) -> Session {
    actions.into_iter().fold(session.clone(), |session, action| session.after(action))
}

fn type_in(session: &Session, line: &str) -> Session {
    session.after(Action::ConsoleLine(line.to_owned()))
}

const PING: &str = "
title Ping
kernel 6.12
socket s
connect s
mark The first message
rx s 1000
read_all s  # the page goes back
send s 1000
ack s
";

// ---- the first page ----

#[test]
fn a_bare_address_opens_the_first_lesson_just_before_its_surprise() {
    let session = Session::open_fragment("");
    let lesson = session.lesson().unwrap();
    assert_eq!(lesson.slug, LESSONS[0].slug);
    assert_eq!(session.step_no(), lesson.surprise_step);
    assert_eq!(session.play(), Play::Paused);
    assert!(session.step_no() < session.end());
    assert_eq!((session.notice(), session.bad_link()), (None, None));
    assert!(!session.can_undo() && !session.can_redo() && !session.edited());
    // One action shows it.
    let next = session.after(Action::Step);
    assert_eq!(next.step_no(), session.step_no() + 1);
    assert_ne!(next.caption(), None);
    assert_eq!(bytes(&Session::open_fragment("#")), bytes(&session));
    assert_eq!(session.after(Action::Pause), session);
}

#[test]
fn every_lesson_opens_walks_to_its_end_and_back() {
    for lesson in LESSONS {
        let start =
            Session::open_fragment("").after(Action::OpenLesson(lesson.slug.to_owned())).after(Action::Start);
        assert_eq!(start.notice(), None, "{}", lesson.slug);
        let mut session = start.clone();
        while session.step_no() < session.end() {
            session = session.after(Action::Step);
            assert_eq!(session.ledger(), Ledger::Balanced, "{} {}", lesson.slug, session.step_no());
            let silent = session.step().unwrap().beats.is_empty();
            assert!(silent || session.headline().is_some(), "{} {}", lesson.slug, session.step_no());
        }
        let seek = start.after(Action::End);
        assert_eq!(bytes(&seek), bytes(&session));
        while session.step_no() > 0 {
            session = session.after(Action::StepBack);
        }
        assert_eq!(bytes(&session), bytes(&start), "{}", lesson.slug);
    }
}

// ---- moving ----

#[test]
fn stepping_stops_at_the_edges_and_changes_nothing_there() {
    let start = open(PING).after(Action::Start);
    assert_eq!(start.after(Action::StepBack), start);
    let end = start.after(Action::End);
    assert_eq!((end.step_no(), end.end()), (6, 6));
    assert_eq!(end.after(Action::Step), end);
    assert_eq!(end.after(Action::Seek(99)), end);
    assert_eq!(end.after(Action::Seek(2)).step_no(), 2);
}

#[test]
fn what_is_shown_belongs_to_the_step() {
    let session = open(PING).after(Action::Seek(4));
    assert_eq!(session.shown_op(), Some(3));
    assert_eq!(session.op(), Some(&op("read_all s")));
    assert_eq!(session.next_op(), Some(&op("send s 1000")));
    assert_eq!(session.note(), Some("the page goes back"));
    assert_eq!(session.step().unwrap().ret, 1000);
    assert_eq!(session.place(2), Some("The first message"));
    let start = session.after(Action::Start);
    assert_eq!((start.shown_op(), start.op(), start.step()), (None, None, None));
    assert!(start.before().is_none());
}

#[test]
fn beats_lead_from_one_step_to_the_next_and_back() {
    let start = open("socket s\nconnect s\nrx s 1000 x3").after(Action::Seek(2));
    let done = start.after(Action::Step);
    let mut session = start.clone();
    let mut beats = 0;
    while session.step_no() == 2 {
        let next = session.after(Action::BeatStep);
        assert_ne!(next, session);
        session = next;
        beats += 1;
        if let Some(beat) = session.beat() {
            assert_eq!((beat, session.shown_op()), (beats, Some(2)));
            assert!(session.shown_beat().is_some());
            assert!(session.live_sentence().starts_with(&format!("Beat {beat} of ")));
        }
    }
    assert!(beats >= 3, "{beats}");
    assert_eq!(beats, done.beat_count());
    assert_eq!(bytes(&session), bytes(&done));
    for _ in 0..beats {
        session = session.after(Action::BeatBack);
    }
    assert_eq!((session.step_no(), session.beat()), (2, None));
    assert_eq!(bytes(&session), bytes(&start));
    // A whole step from inside leads to its end, a step back to its beginning.
    let inside = start.after(Action::BeatStep);
    assert_eq!(inside.after(Action::Step).step_no(), 3);
    assert_eq!(bytes(&inside.after(Action::StepBack)), bytes(&start));
    assert_eq!(bytes(&start.after(Action::SeekBeat(2, 1))), bytes(&inside));
    // Each beat's state before is the state of the beat before.
    let second = inside.after(Action::BeatStep);
    let before = serde_json::to_string(&**second.before().unwrap()).unwrap();
    assert_eq!(before, bytes(&inside));
}

#[test]
fn play_ticks_to_the_end_and_pauses() {
    let start = open(PING).after(Action::Start);
    let mut session = start.after(Action::TogglePlay);
    assert_eq!((session.play(), session.tick_ms()), (Play::Forward, Some(1000)));
    for step in 1..=6 {
        session = session.after(Action::Tick);
        assert_eq!(session.step_no(), step);
    }
    assert_eq!((session.play(), session.tick_ms()), (Play::Paused, None));
    assert_eq!(session.after(Action::Tick), session);
    // At the end, play begins again.
    assert_eq!(session.after(Action::Play).step_no(), 0);
    // Backwards.
    let mut back = session.after(Action::PlayBackward).after(Action::Tick);
    assert_eq!((back.step_no(), back.play()), (5, Play::Backward));
    for _ in 0..5 {
        back = back.after(Action::Tick);
    }
    assert_eq!((back.step_no(), back.play()), (0, Play::Paused));
    // A step while playing pauses.
    assert_eq!(after(&start, [Action::Play, Action::Step]).play(), Play::Paused);
    assert_eq!(after(&start, [Action::Play, Action::TogglePlay]).play(), Play::Paused);
}

#[test]
fn speeds_walk_through_the_table() {
    let session = open(PING);
    assert_eq!(session.speed(), 60);
    let fast = (0..9).fold(session.clone(), |s, _| s.after(Action::Faster));
    assert_eq!(fast.speed(), SPEEDS[6]);
    let slow = (0..9).fold(fast.clone(), |s, _| s.after(Action::Slower));
    assert_eq!(slow.speed(), SPEEDS[0]);
    assert_eq!(slow.after(Action::Faster).speed(), SPEEDS[1]);
    assert_eq!(session.after(Action::SetSpeed(500)).speed(), 480);
    assert_eq!(fast.after(Action::Play).tick_ms(), Some(16));
}

#[test]
fn markers_and_conditions_stop_on_their_step_or_say_so() {
    let start = open(PING).after(Action::Start);
    let place = start.after(Action::NextMarker(Some(MarkKind::Named)));
    assert_eq!(place.step_no(), 2);
    let nothing = place.after(Action::NextMarker(Some(MarkKind::Named)));
    assert_eq!(nothing.step_no(), 2);
    assert_eq!(nothing.notice().unwrap().kind, NoticeKind::Info);
    let ack = start.after(Action::NextMarker(Some(MarkKind::Ack)));
    let back = after(&ack, [Action::End, Action::PrevMarker(Some(MarkKind::Ack))]);
    assert!(back.step_no() >= ack.step_no());
    assert!(start.markers().iter().any(|m| m.kind == MarkKind::Named));
    let window = start.after(Action::RunUntil(Until::WindowChanges));
    assert!(window.step_no() > 0);
    let never = start.after(Action::RunUntil(Until::PressureStarts));
    assert_eq!(never.step_no(), 0);
    assert!(never.notice().unwrap().text.contains("memory pressure starts"));
    // The next action takes the notice away.
    assert_eq!(never.after(Action::Step).notice(), None);
    assert_eq!(never.after(Action::DismissNotice).notice(), None);
    assert_ne!(never.after(Action::NextUnits).notice(), None);
}

// ---- operations ----

#[test]
fn an_operation_at_the_end_is_appended() {
    let end = open(PING).after(Action::End);
    let session = end.after(Action::Run(op("send s 500")));
    assert_eq!((session.step_no(), session.end()), (7, 7));
    assert!(session.edited());
    assert_eq!(session.branches().len(), 1);
    assert_eq!(session.step().unwrap().ret, 500);
    let undone = session.after(Action::Undo);
    assert_eq!((undone.step_no(), undone.end(), undone.edited()), (6, 6, false));
    let redone = undone.after(Action::Redo);
    assert_eq!((bytes(&redone), redone.step_no()), (bytes(&session), 7));
    assert!(!redone.can_redo());
}

#[test]
fn an_operation_in_the_past_makes_a_branch_and_keeps_the_old_future() {
    let past = open(PING).after(Action::Seek(2));
    let fork = past.after(Action::Run(op("send s 500")));
    assert_eq!((fork.step_no(), fork.end()), (3, 3));
    let branches = fork.branches();
    assert_eq!(branches.len(), 2);
    assert_eq!((branches[0].len, branches[0].active), (6, false));
    assert_eq!((branches[1].len, branches[1].fork_at, branches[1].active), (3, 2, true));
    assert_eq!(branches[1].label, "send 500");
    // What was said about the lost future is not said here.
    assert_eq!(fork.head().notes.len(), 0);
    assert_eq!(fork.place(2), Some("The first message"));
    let old = fork.after(Action::SwitchBranch(branches[0].id));
    assert_eq!(bytes(&old.after(Action::End)), bytes(&past.after(Action::End)));
    assert!(!old.edited());
    let undone = fork.after(Action::Undo);
    assert_eq!((bytes(&undone), undone.branches().len()), (bytes(&past), 1));
    assert_eq!(fork.after(Action::SwitchBranch(99)), fork);
}

#[test]
fn an_operation_inside_the_beats_of_another_comes_after_it() {
    let inside = open("socket s\nconnect s\nrx s 1000 x3").after(Action::Seek(2)).after(Action::BeatStep);
    let ran = inside.after(Action::Run(op("read_all s")));
    assert_eq!((ran.step_no(), ran.beat(), ran.end()), (4, None, 4));
    assert_eq!(ran.step().unwrap().ret, 3000);
}

#[test]
fn the_console_answers_and_remembers() {
    let session = type_in(&open(PING).after(Action::End), "setsockopt s SO_RESERVE_MEM 100000");
    let entry = session.console().last().unwrap();
    assert_eq!(entry.line, "setsockopt s SO_RESERVE_MEM 100000");
    assert_eq!(entry.outcome, Outcome::Done { answer: "= 0".into(), ok: true });
    let read = type_in(&session, "getsockopt s SO_RESERVE_MEM");
    let outcome = &read.console().last().unwrap().outcome;
    assert_eq!(outcome, &Outcome::Done { answer: "= 102,400".into(), ok: true });
    let bad = type_in(&read, "setsockopt s SO_RESERVE_MEM -1");
    let outcome = &bad.console().last().unwrap().outcome;
    assert_eq!(outcome, &Outcome::Done { answer: "= -1 EINVAL".into(), ok: false });
    assert_eq!(bad.console().len(), 3);
    assert_eq!(type_in(&bad, "   "), bad);
}

#[test]
fn a_line_that_cannot_be_read_says_where_and_loses_nothing() {
    let session = open(PING).after(Action::Seek(3));
    let wrong = type_in(&session, "send s lots");
    let Outcome::Wrong { column, text } = &wrong.console().last().unwrap().outcome else {
        panic!("{:?}", wrong.console())
    };
    assert_eq!(*column, 8);
    assert!(text.starts_with("Line 1, column 8: expected "), "{text}");
    assert_eq!((wrong.step_no(), wrong.end(), bytes(&wrong)), (3, 6, bytes(&session)));
    assert!(!wrong.can_undo() || session.can_undo());
}

#[test]
fn an_operation_that_makes_no_sense_is_refused_with_words() {
    let session = open(PING).after(Action::End);
    let typed = type_in(&session, "send nobody 1");
    let Outcome::Refused { text } = &typed.console().last().unwrap().outcome else {
        panic!("{:?}", typed.console())
    };
    assert!(text.contains("no socket named nobody"), "{text}");
    let pressed = session.after(Action::Run(TimedOp::from(Op::Listen { sock: name("s") })));
    assert_eq!(pressed.notice().unwrap().kind, NoticeKind::Refused);
    assert_eq!((pressed.end(), bytes(&pressed)), (6, bytes(&session)));
}

#[test]
fn a_scenario_has_its_limits() {
    let session = open("socket s\nconnect s").after(Action::End);
    let line = "send s 67108864 x100000";
    let refused = type_in(&session, line);
    assert!(!matches!(refused.console().last().unwrap().outcome, Outcome::Done { .. }), "{:?}", refused.console());
    assert_eq!(refused.end(), 2);
}

// ---- kernels ----

#[test]
fn another_kernel_runs_the_same_operations_and_keeps_the_place() {
    let session = open(PING).after(Action::Seek(4));
    let old = session.after(Action::SetProfile("5.10".into()));
    assert_eq!((old.profile(), old.step_no(), old.end()), ("5.10", 4, 6));
    assert_eq!(old.machine().profile().id, "5.10");
    let credit = |s: &Session| s.machine().find(name("s")).unwrap().1.get(Field::FwdAlloc);
    assert!(credit(&old) > credit(&session));
    assert!(old.link().contains("p=5.10"), "{}", old.link());
    assert_eq!(bytes(&old.after(Action::Undo)), bytes(&session));
    let unknown = session.after(Action::SetProfile("4.4".into()));
    assert_eq!(unknown.profile(), "6.12");
    assert!(unknown.notice().unwrap().text.contains("5.10, 5.16, 6.1, 6.6, 6.8, 6.12, 6.18, 7.3"));
}

#[test]
fn a_proposal_is_a_switch_on_the_present_kernel() {
    let session = open(PING).after(Action::Seek(4));
    let on = session.after(Action::Toggle(Toggle::Keep64K));
    assert_eq!((on.profile(), on.step_no()), ("6.12+64k", 4));
    let off = on.after(Action::Toggle(Toggle::Keep64K));
    assert_eq!((off.profile(), bytes(&off)), ("6.12", bytes(&session)));
}

#[test]
fn kernels_are_compared_at_the_same_place() {
    let session = open(PING).after(Action::Start).after(Action::CompareWith(Some("5.10".into())));
    assert_eq!((session.compared().len(), session.mode()), (1, Mode::Compare));
    let first = session.after(Action::NextDifference);
    let other = &first.compared()[0];
    assert_eq!((other.profile.as_str(), other.machine.profile().id.as_str()), ("5.10", "5.10"));
    assert_eq!(first.notice(), None);
    let more = first.after(Action::AddCompare("7.3".into()));
    assert_eq!(more.compared().len(), 2);
    assert_eq!(more.after(Action::AddCompare("7.3".into())).compared().len(), 2);
    // An operation happens on all of them.
    let ran = after(&more, [Action::End, Action::Run(op("send s 300"))]);
    let ends: Vec<u32> = ran.compared().iter().map(|c| c.timeline.end()).collect();
    assert_eq!(ends, [7, 7]);
    assert!(ran.compared().iter().all(|c| c.step.as_ref().unwrap().ret == 300));
    let less = more.after(Action::RemoveCompare("5.10".into()));
    assert_eq!(less.compared()[0].profile, "7.3");
    let none = less.after(Action::CompareWith(None));
    assert_eq!((none.compared().len(), none.mode()), (0, Mode::Lab));
    let alone = none.after(Action::NextDifference);
    assert_eq!(alone.notice().unwrap().kind, NoticeKind::Info);
    let full = after(&none, ["5.10", "6.1", "7.3", "6.12+64k"].map(|id| Action::AddCompare(id.into())));
    assert_eq!(full.compared().len(), 3);
}

#[test]
fn a_scenario_that_makes_no_sense_half_way_stops_there_and_says_so() {
    let session = Session::open_fragment("")
        .after(Action::OpenText("socket s\nconnect s\nsend nobody 1\nsend s 1".into()))
        .after(Action::End);
    assert_eq!((session.step_no(), session.end(), session.timeline().len()), (2, 2, 4));
    assert_eq!(session.timeline().stop().unwrap().at, 2);
    let told =
        Session::open_fragment("").after(Action::OpenText("socket s\nconnect s\nsend nobody 1\nsend s 1".into()));
    let text = &told.notice().unwrap().text;
    assert!(text.contains("Operation 3 (send 1)") && text.contains("nobody"), "{text}");
    // From there another future can begin.
    let ran = session.after(Action::Run(op("send s 1")));
    assert_eq!((ran.step_no(), ran.end()), (3, 3));
}

// ---- opening ----

#[test]
fn a_bad_link_says_which_part_and_loses_nothing() {
    for (link, part) in [
        ("v=1&s=abc", "s"),
        ("v=9&s=abc", "v"),
        ("v=1&lesson=nonsense", "lesson"),
        ("nonsense", "v"),
        ("v=1&lesson=window-pressure&step=9999", "step"),
    ] {
        let fresh = Session::open_fragment(link);
        let bad = fresh.bad_link().unwrap_or_else(|| panic!("{link} opened"));
        assert_eq!((bad.part.as_str(), bad.fragment.as_str()), (part, link), "{}", bad.text);
        assert!(!bad.text.is_empty());
        assert_eq!(fresh.link(), link);
        let way_on = fresh.after(bad.way_on.action.clone());
        assert_eq!((way_on.bad_link(), way_on.lesson().unwrap().slug.as_str()), (None, LESSONS[0].slug));
        // With a good one open before, that stays.
        let session = open(PING).after(Action::Seek(3));
        let after = session.after(Action::OpenLink(link.to_owned()));
        assert!(after.bad_link().is_some());
        assert_eq!((bytes(&after), after.step_no()), (bytes(&session), 3));
        assert_eq!(after.after(Action::DismissNotice).link(), session.link());
    }
}

#[test]
fn a_kernel_the_link_asks_for_and_nobody_knows_is_a_bad_part() {
    let session = Session::open_fragment(&format!("v=1&lesson={}&p=4.4", LESSONS[0].slug));
    assert_eq!(session.bad_link().map(|bad| bad.part.as_str()), Some("p"));
}

#[test]
fn a_link_comes_back_to_the_same_place() {
    let made = after(
        &open(PING),
        [
            Action::End,
            Action::Run(op("send s 700")),
            Action::Seek(3),
            Action::SelectSock(Some(name("s"))),
            Action::SetUnits(Units::Pages),
            Action::SetProfile("7.3".into()),
            Action::CompareWith(Some("5.10".into())),
        ],
    );
    let link = made.link();
    assert!(link.starts_with("v=1&s="), "{link}");
    assert_eq!(made.link_error(), None);
    let opened = Session::open_fragment(&format!("#{link}"));
    assert_eq!(opened.bad_link(), None);
    assert_eq!((opened.step_no(), opened.end(), opened.profile()), (3, 7, "7.3"));
    assert_eq!((opened.selected(), opened.units()), (Some(name("s")), Units::Pages));
    assert_eq!(opened.compared()[0].profile, "5.10");
    assert_eq!(opened.mode(), Mode::Compare);
    assert_eq!(bytes(&opened), bytes(&made));
    assert_eq!(opened.link(), link);
    assert!(!opened.can_undo());
    // Opening the link one is at changes nothing.
    assert_eq!(opened.after(Action::OpenLink(link)), opened);
}

#[test]
fn an_unedited_lesson_has_a_short_link() {
    for lesson in LESSONS {
        let session = Session::open_fragment("").after(Action::OpenLesson(lesson.slug.into()));
        let link = session.after(Action::End).link();
        assert!(link.starts_with(&format!("v=1&lesson={}", lesson.slug)), "{link}");
        assert!(link.len() < 200, "{link}");
        assert_eq!(Session::open_fragment(&link).step_no(), session.end());
        let edited = after(&session, [Action::End, Action::Run(op("state"))]);
        assert!(edited.link().starts_with("v=1&s="), "{}", edited.link());
    }
}

#[test]
fn a_beat_is_in_the_link() {
    let inside = open("socket s\nconnect s\nrx s 1000 x3").after(Action::SeekBeat(2, 2));
    assert_eq!(inside.beat(), Some(2));
    let opened = Session::open_fragment(&inside.link());
    assert_eq!((opened.step_no(), opened.beat(), bytes(&opened)), (2, Some(2), bytes(&inside)));
    // A beat that is not there is not an error: the step is shown.
    let link = inside.link().replace("beat=2", "beat=999");
    let opened = Session::open_fragment(&link);
    assert_eq!((opened.bad_link(), opened.step_no(), opened.beat()), (None, 2, None));
}

#[test]
fn opening_something_else_can_be_undone() {
    let edited = open(PING).after(Action::End).after(Action::Run(op("send s 1")));
    let lesson = edited.after(Action::OpenLesson(LESSONS[1].slug.into()));
    assert_eq!(lesson.lesson().unwrap().slug, LESSONS[1].slug);
    let back = lesson.after(Action::Undo);
    assert_eq!((bytes(&back), back.step_no(), back.edited()), (bytes(&edited), 7, true));
    let missing = edited.after(Action::OpenLesson("nonsense".into()));
    assert_eq!(missing.notice().unwrap().kind, NoticeKind::NotOpened);
    assert!(missing.notice().unwrap().way_on.is_some());
    let bad_text = edited.after(Action::OpenText("socket".into()));
    assert!(bad_text.notice().unwrap().text.starts_with("Line 1, column "));
    assert_eq!(bytes(&bad_text), bytes(&edited));
}

#[test]
fn undo_goes_far_back() {
    let mut session = open(PING).after(Action::End);
    let start = bytes(&session);
    for i in 0..60 {
        session = session.after(Action::Toggle(Toggle::ALL[i % 5]));
    }
    for _ in 0..60 {
        session = session.after(Action::Undo);
    }
    assert_eq!((bytes(&session), session.step_no(), session.end()), (start, 6, 6));
    for _ in 0..60 {
        session = session.after(Action::Redo);
    }
    // 60 switches, each of the five twelve times: all off again.
    assert_eq!((session.profile(), session.can_redo()), ("6.12", false));
    assert!(session.markers().len() > 1);
}

#[test]
fn an_embedded_range_bounds_the_cursor() {
    let link = format!("v=1&lesson={}&m=embed&r=2-4&step=3", LESSONS[0].slug);
    let session = Session::open_fragment(&link);
    assert_eq!(session.bad_link(), None);
    assert_eq!((session.bounds(), session.mode()), ((2, 4), Mode::Embed));
    assert_eq!(session.after(Action::Start).step_no(), 2);
    assert_eq!(session.after(Action::End).step_no(), 4);
    assert_eq!(session.after(Action::End).after(Action::BeatStep).step_no(), 4);
    let mut play = session.after(Action::End).after(Action::Play);
    assert_eq!(play.step_no(), 2);
    play = after(&play, [Action::Tick, Action::Tick, Action::Tick]);
    assert_eq!((play.step_no(), play.play()), (4, Play::Paused));
}

// ---- what is projected ----

#[test]
fn the_title_and_the_live_region_say_where_we_are() {
    let session = open(PING).after(Action::Seek(5));
    assert_eq!(session.title(), "Ping - step 5 of 6 - skmem lab");
    let live = session.live_sentence();
    assert!(live.starts_with("Step 5 of 6. s queued 1,000 B "), "{live}");
    assert_eq!(session.after(Action::Start).live_sentence(), "Before the first of 6 operations.");
}

#[test]
fn a_lost_byte_turns_the_badge() {
    let session = open(PING).after(Action::Seek(5));
    assert_eq!(session.ledger(), Ledger::Balanced);
    let faulty = session.after(Action::LoseForwardAlloc(name("s"), 100));
    let Ledger::Off(off) = faulty.ledger() else { panic!("balanced") };
    assert_eq!(off[0].sock, Some(name("s")));
    assert!(skmem_lab::explain::imbalance(&off[0]).starts_with("off by "));
    assert_eq!(faulty.after(Action::StepBack).ledger(), Ledger::Balanced);
    assert_ne!(faulty.after(Action::Step).ledger(), Ledger::Balanced);
}

#[test]
fn units_walk_through_and_the_selection_falls_back() {
    let session = open(PING).after(Action::End);
    let walked: Vec<Units> = (0..4)
        .scan(session.clone(), |s, _| {
            *s = s.after(Action::NextUnits);
            Some(s.units())
        })
        .collect();
    assert_eq!(walked, [Units::Kib, Units::Pages, Units::Mb, Units::Bytes]);
    assert_eq!(session.selected(), Some(name("s")));
    let two = after(&session, [Action::Run(op("socket t")), Action::SelectSock(Some(name("t")))]);
    assert_eq!(two.selected(), Some(name("t")));
    assert_eq!(two.after(Action::StepBack).selected(), Some(name("s")));
    assert_eq!(two.after(Action::Start).selected(), Some(name("t")));
}

#[test]
fn a_long_scenario_is_computed_in_slices() {
    let mut text = String::from("socket s\nconnect s\n");
    for _ in 0..300 {
        text.push_str("rx s 1000 x100 read_every=1\n");
    }
    let mut session = open(&text);
    let mut slices = 0;
    while let Some((done, all)) = session.working() {
        assert!(done < all && all == 302);
        session = session.after(Action::Work);
        slices += 1;
    }
    assert!(slices > 0);
    assert_eq!(session.after(Action::Work), session);
    let machine: &Machine = session.machine();
    assert!(machine.audit().is_empty());
    // Going further than was computed computes it.
    let jump = open(&text).after(Action::End);
    assert_eq!(jump.step_no(), 302);
}
