//! Changing what is open: operations, kernels, branches. Every change can be undone.

use super::doc::Doc;
use super::{ConsoleEntry, Cursor, NoticeKind, Outcome, Play, Session};
use crate::engine::machine::SetupError;
use crate::engine::op::TimedOp;
use crate::engine::profiles::what_if::Toggle;
use crate::explain;
use crate::scenario::limits::{self, COMPARE_MAX, LimitError, Totals};
use crate::scenario::text::{parse_op, print_op};
use crate::scenario::view::Mode;
use std::rc::Rc;

/// Most lines the console keeps.
const CONSOLE_MAX: u32 = 200;
/// Longest line that is repeated in the console, characters.
const LINE_SHOWN: u32 = 200;

impl Session {
    // ---- operations ----

    /// Runs an operation from a button.
    pub(super) fn run_op(&mut self, op: &TimedOp) {
        let line = print_op(op);
        if let Err(text) = self.insert(op) {
            self.log(line, Outcome::Refused { text: text.clone() });
            self.tell(NoticeKind::Refused, text, None);
        } else {
            self.log_done(line);
        }
    }

    /// Runs an operation from a line of text.
    pub(super) fn console_line(&mut self, line: &str) {
        if line.trim().is_empty() {
            return;
        }
        let line_shown: String = line.trim().chars().take(LINE_SHOWN as usize).collect();
        match parse_op(line) {
            Err(error) => {
                let text = explain::text_error(&error);
                self.log(line_shown, Outcome::Wrong { column: error.column, text });
            }
            Ok(op) => match self.insert(&op) {
                Err(text) => self.log(line_shown, Outcome::Refused { text }),
                Ok(()) => self.log_done(line_shown),
            },
        }
    }

    /// Puts an operation after the cursor and steps over it. An operation that is under way is finished first.
    fn insert(&mut self, op: &TimedOp) -> Result<(), String> {
        let at = self.at.step + u32::from(self.at.beat > 0);
        self.check_limits(at, op).map_err(|error| format!("Too much for one scenario: {error}."))?;
        let mut doc = Doc::clone(&self.doc);
        doc.run(at, op).map_err(|error| explain::refused(&error))?;
        self.remember();
        self.doc = Rc::new(doc);
        self.at = Cursor { step: at + 1, beat: 0 };
        self.play = Play::Paused;
        if let Some(range) = &mut self.range {
            range.last = range.last.max(at + 1);
        }
        Ok(())
    }

    fn check_limits(&self, at: u32, op: &TimedOp) -> Result<(), LimitError> {
        limits::check_op(at, op)?;
        let mut totals = Totals::default();
        let before = self.timeline().ops().take(at as usize);
        before.chain([op]).try_for_each(|op| totals.add(&op.op))
    }

    fn log_done(&mut self, line: String) {
        let done = self.timeline().brief(self.at.step.saturating_sub(1));
        let (answer, ok) = match done {
            Some(brief) => (explain::brief(brief.ret, brief.errno), brief.errno.is_none()),
            None => (String::new(), true),
        };
        self.log(line, Outcome::Done { answer, ok });
    }

    fn log(&mut self, line: String, outcome: Outcome) {
        let console = Rc::make_mut(&mut self.console);
        console.push(ConsoleEntry { line, outcome });
        if console.len() > CONSOLE_MAX as usize {
            console.remove(0);
        }
    }

    // ---- kernels ----

    pub(super) fn set_profile(&mut self, id: &str) {
        if id != self.doc.profile {
            self.change(|doc| doc.set_profile(id));
        }
    }

    pub(super) fn toggle(&mut self, toggle: Toggle) {
        let suffix = toggle.suffix();
        let mut parts: Vec<&str> = self.doc.profile.split('+').collect();
        match parts.iter().position(|part| *part == suffix) {
            Some(at) => drop(parts.remove(at)),
            None => parts.push(suffix),
        }
        let id = parts.join("+");
        self.set_profile(&id);
    }

    pub(super) fn compare_with(&mut self, id: Option<String>) {
        let present: Vec<&str> = self.doc.tracks.iter().map(|t| t.profile.as_str()).collect();
        let wanted: Vec<&str> = id.as_deref().into_iter().collect();
        if present == wanted {
            return;
        }
        let comparing = id.is_some();
        let changed = self.change(|doc| {
            doc.tracks.clear();
            id.map_or(Ok(()), |id| doc.add_track(&id))
        });
        if changed {
            self.follow_mode(comparing);
        }
    }

    pub(super) fn add_compare(&mut self, id: &str) {
        if self.doc.tracks.iter().any(|track| track.profile == id) {
            return;
        }
        if self.doc.tracks.len() >= COMPARE_MAX as usize {
            let text = format!("At most {COMPARE_MAX} kernels can stand beside the first.");
            self.tell(NoticeKind::Info, text, None);
        } else if self.change(|doc| doc.add_track(id)) {
            self.follow_mode(true);
        }
    }

    pub(super) fn remove_compare(&mut self, id: &str) {
        if self.doc.tracks.iter().any(|track| track.profile == id) {
            self.change(|doc| {
                doc.tracks.retain(|track| track.profile != id);
                Ok(())
            });
            self.follow_mode(!self.doc.tracks.is_empty());
        }
    }

    /// The lab becomes the comparison and back; other layouts stay.
    fn follow_mode(&mut self, comparing: bool) {
        match (self.mode, comparing) {
            (Mode::Lab, true) => self.mode = Mode::Compare,
            (Mode::Compare, false) => self.mode = Mode::Lab,
            _ => {}
        }
    }

    pub(super) fn switch_branch(&mut self, id: u32) {
        if self.branches().iter().any(|branch| branch.id == id && !branch.active) {
            self.change(|doc| doc.switch(id).unwrap_or(Ok(())));
        }
    }

    /// Changes the document, or says why not. Returns whether it was changed.
    fn change(&mut self, change: impl FnOnce(&mut Doc) -> Result<(), SetupError>) -> bool {
        let mut doc = Doc::clone(&self.doc);
        if let Err(error) = change(&mut doc) {
            self.tell(NoticeKind::NotOpened, explain::setup_error(&error), None);
            return false;
        }
        doc.work_to(self.at.step);
        self.remember();
        self.doc = Rc::new(doc);
        self.play = Play::Paused;
        self.at = Cursor { step: self.at.step.min(self.end()), beat: 0 };
        self.tell_stop();
        true
    }

    /// Says that an operation makes no sense, if the timeline stopped at one.
    pub(super) fn tell_stop(&mut self) {
        if let Some(stop) = self.timeline().stop() {
            let why = explain::refused(&stop.error);
            let label = self.timeline().call(stop.at).map(explain::op_label).unwrap_or_default();
            let text = format!(
                "Operation {} ({label}) makes no sense on {}: {why} What is before it can be viewed.",
                stop.at + 1,
                self.doc.profile,
            );
            self.tell(NoticeKind::Refused, text, None);
        }
    }
}
