//! Opening lessons, links and texts.

use super::doc::{Doc, Source};
use super::here::Here;
use super::{Action, BadLink, Cursor, NoticeKind, Play, SPEEDS, Session, WayOn};
use crate::explain;
use crate::scenario::lessons::{self, LESSONS, Lesson};
use crate::scenario::link::{self, Link, is_bare};
use crate::scenario::model::Scenario;
use crate::scenario::text;
use crate::scenario::view::{Mode, Units, View};
use std::rc::Rc;

impl Session {
    /// What a page shows for its address: a bare one opens the first lesson just before its surprise. A bad link opens
    /// it too, and says what is wrong.
    pub fn open_fragment(fragment: &str) -> Self {
        let first = Self::first();
        if is_bare(fragment) {
            return first;
        }
        let mut opened = first.after(Action::OpenLink(fragment.to_owned()));
        // There is nothing yet that undo could return to.
        opened.past = Rc::default();
        opened
    }

    /// The first lesson, paused just before its surprise.
    fn first() -> Self {
        let (doc, at) = match lessons::find(LESSONS[0].slug).map(open_lesson) {
            Some(Ok(opened)) => opened,
            // A built-in lesson always opens, which a test holds; the page must come up all the same.
            _ => (empty(), Cursor::default()),
        };
        Self {
            here: Rc::new(Here::compute(&doc, at, None)),
            doc: Rc::new(doc),
            at,
            play: Play::Paused,
            speed: SPEEDS[1],
            selected: None,
            units: Units::default(),
            mode: Mode::default(),
            range: None,
            past: Rc::default(),
            future: Rc::default(),
            console: Rc::default(),
            notice: None,
            bad_link: None,
            fault: None,
        }
    }

    /// Shows another document. Undo returns to this one.
    fn show(&mut self, doc: Doc, at: Cursor) {
        self.remember();
        self.doc = Rc::new(doc);
        self.at = at;
        self.play = Play::Paused;
        self.selected = None;
        self.range = None;
        self.notice = None;
        self.bad_link = None;
        self.fault = None;
        self.tell_stop();
    }

    pub(super) fn open_lesson(&mut self, slug: &str) {
        let Some(lesson) = lessons::find(slug) else {
            let names: Vec<&str> = LESSONS.iter().map(|lesson| lesson.slug).collect();
            let text = format!("There is no lesson {slug:?}. There are {}.", names.join(", "));
            return self.tell(NoticeKind::NotOpened, text, Some(first_lesson()));
        };
        match open_lesson(lesson) {
            Ok((doc, at)) => self.show(doc, at),
            Err(text) => self.tell(NoticeKind::NotOpened, text, None),
        }
    }

    pub(super) fn open_text(&mut self, text: &str) {
        let opened = text::parse(text).map_err(|error| explain::text_error(&error));
        match opened.and_then(|scenario| open(Source::Text, scenario, &View::default())) {
            Ok((doc, at)) => self.show(doc, at),
            Err(text) => self.tell(NoticeKind::NotOpened, text, None),
        }
    }

    pub(super) fn open_link(&mut self, address: &str) {
        if is_bare(address) {
            return self.open_lesson(LESSONS[0].slug);
        }
        let fragment = address.split_once('#').map_or(address, |(_, fragment)| fragment);
        if self.bad_link.is_none() && fragment == self.link() {
            return;
        }
        match link::decode(address) {
            Err(error) => {
                self.refuse_link(fragment, explain::link_part(&error), error.to_string());
            }
            Ok(found) => match open_link(found) {
                Ok((doc, at, view)) => {
                    self.show(doc, at);
                    self.selected = view.sock;
                    self.units = view.units;
                    self.mode = view.mode;
                    self.range = view.range;
                }
                Err(text) => self.refuse_link(fragment, "p".to_owned(), text),
            },
        }
    }

    fn refuse_link(&mut self, fragment: &str, part: String, text: String) {
        let fragment = fragment.to_owned();
        self.play = Play::Paused;
        self.bad_link = Some(Rc::new(BadLink { fragment, part, text, way_on: first_lesson() }));
    }
}

fn first_lesson() -> WayOn {
    let slug = LESSONS[0].slug.to_owned();
    WayOn { label: "Open the first lesson".to_owned(), action: Action::OpenLesson(slug) }
}

type Opened = (Doc, Cursor);

fn open_lesson(lesson: Lesson) -> Result<Opened, String> {
    let view = View { step: lesson.surprise_step, ..View::default() };
    let scenario = lesson.scenario.clone();
    open(Source::Lesson(Rc::new(lesson)), scenario, &view)
}

fn open_link(link: Link) -> Result<(Doc, Cursor, View), String> {
    let view = link.view;
    let (source, scenario) = match link.source {
        link::Source::Scenario(scenario) => (Source::Text, *scenario),
        link::Source::Lesson(slug) => match lessons::find(&slug) {
            Some(lesson) => {
                let scenario = lesson.scenario.clone();
                (Source::Lesson(Rc::new(lesson)), scenario)
            }
            None => return Err(format!("There is no lesson {slug:?}.")),
        },
    };
    let (doc, at) = open(source, scenario, &view)?;
    Ok((doc, at, view))
}

fn open(source: Source, scenario: Scenario, view: &View) -> Result<Opened, String> {
    let profile = view.profile.clone().unwrap_or_else(|| scenario.profile.clone());
    let mut doc =
        Doc::open(source, scenario, profile, &view.compare).map_err(|error| explain::setup_error(&error))?;
    doc.work_to(view.step);
    let timeline = &doc.branch().timeline;
    let step = view.step.min(timeline.end());
    let beat = view.beat.filter(|_| step == view.step && step < timeline.end()).unwrap_or(0);
    let most = if beat > 0 { timeline.step_at(step).map_or(0, |s| s.beats.len()) } else { 0 };
    let beat = if (beat as usize) < most { beat } else { 0 };
    Ok((doc, Cursor { step, beat }))
}

fn empty() -> Doc {
    let scenario = Scenario::default();
    let profile = scenario.profile.clone();
    Doc::open(Source::Text, scenario, profile, &[]).expect("the default kernel exists")
}
