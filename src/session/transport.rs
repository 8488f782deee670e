//! Moving the cursor.

use super::here::beats;
use super::{Action, Cursor, NoticeKind, Play, Session};
use crate::explain;
use crate::timeline::{MarkKind, Marker, Until, next_difference};
use std::rc::Rc;

impl Session {
    pub(super) fn travel(&mut self, action: &Action) {
        match *action {
            Action::Step => self.go(self.at.step.saturating_add(1)),
            Action::StepBack if self.at.beat > 0 => self.go(self.at.step),
            Action::StepBack => self.go(self.at.step.saturating_sub(1)),
            Action::BeatStep => self.beat_step(),
            Action::BeatBack => self.beat_back(),
            Action::Seek(step) => self.go(step),
            Action::SeekBeat(step, beat) => self.go_beat(step, beat),
            Action::Start => self.go(0),
            Action::End => self.go(u32::MAX),
            Action::NextMarker(kind) => {
                let from = self.at.step;
                self.go_to_marker(kind, |all| all.iter().find(|m| m.at > from).copied());
            }
            Action::PrevMarker(kind) => {
                // Inside an operation the step it began at counts as before.
                let from = Cursor { step: self.at.step, beat: self.at.beat };
                let before = move |m: &&Marker| Cursor { step: m.at, beat: 0 } < from;
                self.go_to_marker(kind, |all| all.iter().rfind(before).copied());
            }
            Action::RunUntil(until) => self.run_until(until),
            Action::NextDifference => self.run_until(Until::Difference),
            _ => {}
        }
    }

    /// To a step, as far as that goes.
    pub(super) fn go(&mut self, step: u32) {
        let (first, last) = self.bounds();
        self.at = Cursor { step: step.clamp(first, last), beat: 0 };
        self.compute();
    }

    /// Keeps the timelines computed as far as the cursor.
    fn compute(&mut self) {
        let behind = self.working().is_some() && self.timeline().ran() < self.at.step;
        if behind {
            Rc::make_mut(&mut self.doc).work_to(self.at.step);
            let (first, last) = self.bounds();
            self.at.step = self.at.step.clamp(first, last);
        }
    }

    fn beats_of(&self, op: u32) -> u32 {
        self.timeline().step_at(op).map_or(0, |step| beats(&step))
    }

    fn go_beat(&mut self, step: u32, beat: u32) {
        self.go(step);
        if self.at.step != step || step == self.bounds().1 {
            return;
        }
        match self.beats_of(step) {
            all if beat < all => self.at.beat = beat,
            _ => self.go(step + 1),
        }
    }

    fn beat_step(&mut self) {
        if self.at.step < self.bounds().1 {
            self.go_beat(self.at.step, self.at.beat + 1);
        }
    }

    fn beat_back(&mut self) {
        if self.at.beat > 0 {
            self.at.beat -= 1;
        } else if self.at.step > self.bounds().0 {
            let op = self.at.step - 1;
            let last = self.beats_of(op).saturating_sub(1);
            self.at = Cursor { step: op, beat: last };
        }
    }

    // ---- markers and conditions ----

    fn go_to_marker(&mut self, kind: Option<MarkKind>, pick: impl FnOnce(&[Marker]) -> Option<Marker>) {
        self.compute_all();
        let (first, last) = self.bounds();
        let fits = |m: &Marker| (first..=last).contains(&m.at) && kind.is_none_or(|kind| m.kind == kind);
        let all: Vec<Marker> = self.markers().into_iter().filter(fits).collect();
        if let Some(marker) = pick(&all) {
            self.go(marker.at);
        } else {
            let what = kind.map_or("marker", explain::mark);
            self.tell(NoticeKind::Info, format!("No {what} that way from here."), None);
        }
    }

    fn compute_all(&mut self) {
        if self.working().is_some() {
            Rc::make_mut(&mut self.doc).work_all();
        }
    }

    fn run_until(&mut self, until: Until) {
        self.compute_all();
        let from = self.at.step;
        let found = if until == Until::Difference {
            let Some(track) = self.doc.tracks.first() else {
                let text = "Choose a kernel to compare with first.".to_owned();
                return self.tell(NoticeKind::Info, text, None);
            };
            next_difference(self.timeline(), &track.timeline, from)
        } else {
            self.timeline().run_until(from, until)
        };
        if let Some(step) = found.filter(|step| *step <= self.bounds().1) {
            self.go(step);
        } else {
            let text = format!("From here on it never happens that {}.", explain::until(until));
            self.tell(NoticeKind::Info, text, None);
        }
    }

    // ---- playing ----

    pub(super) fn start_playing(&mut self, play: Play) {
        let (first, last) = self.bounds();
        match play {
            Play::Forward if self.at.step >= last => self.go(first),
            Play::Backward if self.at.step <= first && self.at.beat == 0 => self.go(last),
            _ => {}
        }
        self.play = play;
    }

    pub(super) fn tick(&mut self) {
        let (first, last) = self.bounds();
        match self.play {
            Play::Paused => return,
            Play::Forward => self.go(self.at.step.saturating_add(1)),
            Play::Backward => self.go(self.at.step.saturating_sub(1)),
        }
        let edge = if self.play == Play::Forward { last } else { first };
        if self.at.step == edge {
            self.play = Play::Paused;
        }
    }
}
