//! From an action to the next session.

use super::here::{Fault, Here};
use super::{Action, Cursor, Moment, Notice, NoticeKind, Play, SPEEDS, Session, WayOn};
use crate::scenario::view::Units;
use std::rc::Rc;

/// Actions that leave a notice standing: they do not answer it.
const fn is_passive(action: &Action) -> bool {
    matches!(
        action,
        Action::Tick
            | Action::Work
            | Action::Faster
            | Action::Slower
            | Action::SetSpeed(_)
            | Action::SelectSock(_)
            | Action::SetUnits(_)
            | Action::NextUnits
            | Action::SetMode(_)
    )
}

/// Most moments that undo goes back to.
const UNDO_MAX: u32 = 200;
/// Moments that are kept with everything computed.
const UNDO_READY: u32 = 16;

impl Session {
    /// The session after an action. This one stays as it is; if nothing changes, the two are equal.
    #[must_use]
    pub fn after(&self, action: Action) -> Self {
        let mut next = self.clone();
        next.reduce(action);
        next.settle(self);
        next
    }

    fn reduce(&mut self, action: Action) {
        if !is_passive(&action) {
            self.notice = None;
        }
        match action {
            Action::Step
            | Action::StepBack
            | Action::BeatStep
            | Action::BeatBack
            | Action::Seek(_)
            | Action::SeekBeat(..)
            | Action::Start
            | Action::End
            | Action::NextMarker(_)
            | Action::PrevMarker(_)
            | Action::RunUntil(_)
            | Action::NextDifference => {
                self.play = Play::Paused;
                self.travel(&action);
            }
            Action::Play => self.start_playing(Play::Forward),
            Action::PlayBackward => self.start_playing(Play::Backward),
            Action::TogglePlay if self.play == Play::Paused => self.start_playing(Play::Forward),
            Action::Pause | Action::TogglePlay => self.play = Play::Paused,
            Action::Tick => self.tick(),
            Action::Faster => self.change_speed(|speed, known| known > speed, false),
            Action::Slower => self.change_speed(|speed, known| known < speed, true),
            Action::SetSpeed(speed) => {
                let nearest = SPEEDS.into_iter().min_by_key(|known| known.abs_diff(speed));
                self.speed = nearest.unwrap_or(self.speed);
            }
            Action::Run(op) => self.run_op(&op),
            Action::ConsoleLine(line) => self.console_line(&line),
            Action::OpenLesson(slug) => self.open_lesson(&slug),
            Action::OpenLink(link) => self.open_link(&link),
            Action::OpenText(text) => self.open_text(&text),
            Action::SetProfile(id) => self.set_profile(&id),
            Action::Toggle(toggle) => self.toggle(toggle),
            Action::CompareWith(id) => self.compare_with(id),
            Action::AddCompare(id) => self.add_compare(&id),
            Action::RemoveCompare(id) => self.remove_compare(&id),
            Action::SelectSock(name) => self.selected = name,
            Action::SetUnits(units) => self.units = units,
            Action::NextUnits => {
                let mut cycle = Units::ALL.into_iter().cycle().skip_while(|u| *u != self.units);
                self.units = cycle.nth(1).unwrap_or_default();
            }
            Action::SetMode(mode) => self.mode = mode,
            Action::Undo => self.undo(),
            Action::Redo => self.redo(),
            Action::SwitchBranch(id) => self.switch_branch(id),
            Action::DismissNotice => {
                self.notice = None;
                self.bad_link = None;
            }
            Action::Work => {
                if self.working().is_some() {
                    Rc::make_mut(&mut self.doc).work();
                }
            }
            Action::LoseForwardAlloc(sock, bytes) => {
                self.fault = Some(Fault { step: self.at.step, sock, bytes });
            }
        }
    }

    /// Brings what is derived up to date.
    fn settle(&mut self, before: &Self) {
        let moved = !Rc::ptr_eq(&self.doc, &before.doc) || self.at != before.at;
        if !moved && self.fault == before.fault {
            return;
        }
        let (first, last) = self.bounds();
        if self.at.step < first || self.at.step > last || (self.at.step == last && self.at.beat > 0) {
            self.at = Cursor { step: self.at.step.clamp(first, last), beat: 0 };
        }
        self.here = Rc::new(Here::compute(&self.doc, self.at, self.fault));
    }

    fn change_speed(&mut self, better: fn(u32, u32) -> bool, last: bool) {
        let mut found = SPEEDS.into_iter().filter(|known| better(self.speed, *known));
        let found = if last { found.next_back() } else { found.next() };
        self.speed = found.unwrap_or(self.speed);
    }

    // ---- undo ----

    /// Remembers where we are, before a change.
    pub(super) fn remember(&mut self) {
        let moment = Moment { doc: Rc::clone(&self.doc), at: self.at };
        let past = Rc::make_mut(&mut self.past);
        past.push(moment);
        if past.len() > UNDO_MAX as usize {
            past.remove(0);
        }
        // What lies further back keeps its operations only.
        if let Some(old) = past.len().checked_sub(UNDO_READY as usize + 1) {
            let light = past[old].doc.light();
            past[old].doc = Rc::new(light);
        }
        self.future = Rc::default();
    }

    fn undo(&mut self) {
        if let Some(moment) = self.past.last().cloned() {
            Rc::make_mut(&mut self.past).pop();
            let now = Moment { doc: Rc::clone(&self.doc), at: self.at };
            Rc::make_mut(&mut self.future).push(now);
            self.return_to(moment);
        }
    }

    fn redo(&mut self) {
        if let Some(moment) = self.future.last().cloned() {
            Rc::make_mut(&mut self.future).pop();
            let now = Moment { doc: Rc::clone(&self.doc), at: self.at };
            Rc::make_mut(&mut self.past).push(now);
            self.return_to(moment);
        }
    }

    fn return_to(&mut self, moment: Moment) {
        self.play = Play::Paused;
        self.doc = moment.doc;
        self.at = moment.at;
        if self.timeline().ran() < self.at.step {
            Rc::make_mut(&mut self.doc).work_to(self.at.step);
        }
    }

    // ---- telling ----

    pub(super) fn tell(&mut self, kind: NoticeKind, text: String, way_on: Option<WayOn>) {
        self.notice = Some(Rc::new(Notice { kind, text, way_on }));
    }
}
