//! What is open, where the cursor is, what is compared: a pure reducer.
//!
//! [`Session::after`] takes what a person asked for and returns the next session; nothing else changes one. The
//! address bar, the title and the live region are functions of it. Copies share what they have in common, so
//! keeping old ones (undo) costs little. Time comes from outside: one [`Action::Tick`] is one step of play.

mod action;
mod doc;
mod edit;
mod here;
mod messages;
mod open;
mod project;
mod reduce;
mod transport;

pub use action::{Action, Play, SPEEDS};
pub use doc::{BranchInfo, Source};
pub use here::{Compared, Cursor};
pub use messages::{BadLink, ConsoleEntry, Notice, NoticeKind, Outcome, WayOn};
pub use project::Ledger;

use crate::engine::Machine;
use crate::engine::op::{SockName, TimedOp};
use crate::engine::reason::Beat;
use crate::engine::step::Step;
use crate::explain::{self, Headline, Lens, Message};
use crate::scenario::lessons::Lesson;
use crate::scenario::model::{Question, Scenario};
use crate::scenario::view::{Mode, StepRange, Units};
use crate::timeline::{Marker, Timeline};
use doc::Doc;
use here::{Fault, Here};
use std::fmt;
use std::rc::Rc;

/// A moment that undo returns to.
#[derive(Clone, Debug)]
struct Moment {
    doc: Rc<Doc>,
    at: Cursor,
}

/// Everything the page shows, as one value. Cheap to clone; two sessions are equal when nothing happened between them.
#[derive(Clone)]
pub struct Session {
    doc: Rc<Doc>,
    at: Cursor,
    here: Rc<Here>,
    play: Play,
    speed: u32,
    selected: Option<SockName>,
    units: Units,
    mode: Mode,
    range: Option<StepRange>,
    past: Rc<Vec<Moment>>,
    future: Rc<Vec<Moment>>,
    console: Rc<Vec<ConsoleEntry>>,
    notice: Option<Rc<Notice>>,
    bad_link: Option<Rc<BadLink>>,
    fault: Option<Fault>,
}

impl fmt::Debug for Session {
    /// Where it is, not all that it holds.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session")
            .field("title", &self.title())
            .field("profile", &self.doc.profile)
            .field("at", &self.at)
            .field("play", &self.play)
            .field("notice", &self.notice)
            .field("bad_link", &self.bad_link)
            .finish_non_exhaustive()
    }
}

fn same<T>(a: Option<&Rc<T>>, b: Option<&Rc<T>>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => Rc::ptr_eq(a, b),
        (None, None) => true,
        _ => false,
    }
}

impl PartialEq for Session {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.doc, &other.doc)
            && Rc::ptr_eq(&self.here, &other.here)
            && Rc::ptr_eq(&self.past, &other.past)
            && Rc::ptr_eq(&self.future, &other.future)
            && Rc::ptr_eq(&self.console, &other.console)
            && same(self.notice.as_ref(), other.notice.as_ref())
            && same(self.bad_link.as_ref(), other.bad_link.as_ref())
            && (self.at, self.play, self.speed, self.selected)
                == (other.at, other.play, other.speed, other.selected)
            && (self.units, self.mode, self.range, self.fault)
                == (other.units, other.mode, other.range, other.fault)
    }
}

/// Where we are.
impl Session {
    /// Operations done.
    pub const fn step_no(&self) -> u32 {
        self.at.step
    }

    /// Beats done inside the next operation, if any.
    pub const fn beat(&self) -> Option<u32> {
        if self.at.beat == 0 { None } else { Some(self.at.beat) }
    }

    /// The last step that can be shown.
    pub fn end(&self) -> u32 {
        self.doc.branch().timeline.end()
    }

    /// The first and the last step the cursor may go to: those of an embedded range, or all.
    pub fn bounds(&self) -> (u32, u32) {
        let end = self.end();
        self.range.map_or((0, end), |range| (range.first.min(end), range.last.min(end)))
    }

    /// The operation that is shown: the last one done, or inside its beats the next. `None` at the start.
    pub const fn shown_op(&self) -> Option<u32> {
        if self.at.beat > 0 { Some(self.at.step) } else { self.at.step.checked_sub(1) }
    }

    /// The operation that is shown.
    pub fn op(&self) -> Option<&TimedOp> {
        self.timeline().op(self.shown_op()?)
    }

    /// The operation that comes next.
    pub fn next_op(&self) -> Option<&TimedOp> {
        self.timeline().op(self.at.step)
    }

    /// The state at the cursor, beats included.
    pub fn machine(&self) -> &Rc<Machine> {
        &self.here.machine
    }

    /// The state before the operation that is shown; inside its beats, before the last beat.
    pub fn before(&self) -> Option<&Rc<Machine>> {
        self.here.before.as_ref()
    }

    /// The reasons of the operation that is shown.
    pub fn step(&self) -> Option<&Rc<Step>> {
        self.here.step.as_ref()
    }

    /// Beats of the operation that is shown.
    pub fn beat_count(&self) -> u32 {
        self.here.step.as_ref().map_or(0, |step| here::beats(step))
    }

    /// The beat just done, when the cursor is inside an operation.
    pub fn shown_beat(&self) -> Option<&Beat> {
        let beat = self.at.beat.checked_sub(1)?;
        self.here.step.as_ref()?.beats.get(beat as usize)
    }

    /// The message of the operation that is shown.
    pub fn message(&self) -> Option<Message> {
        Some(explain::summary(&self.op()?.op, self.step()?))
    }

    /// The inequality of the operation that is shown most worth showing.
    pub fn headline(&self) -> Option<Headline> {
        explain::headline(self.step()?)
    }
}

/// What is open.
impl Session {
    /// The scenario without its operations: title, notes, marks, questions, set-up.
    pub fn head(&self) -> &Scenario {
        &self.doc.branch().head
    }

    /// The whole scenario of the current branch.
    pub fn scenario(&self) -> Scenario {
        self.doc.scenario()
    }

    /// The lesson that is open, with its captions.
    pub fn lesson(&self) -> Option<&Lesson> {
        match &self.doc.source {
            Source::Lesson(lesson) => Some(lesson),
            Source::Text => None,
        }
    }

    /// Whether operations were added since it was opened.
    pub fn edited(&self) -> bool {
        self.doc.branch().edited
    }

    /// The lesson's caption at the cursor, as long as what happened is the lesson's own.
    pub fn caption(&self) -> Option<&str> {
        let own = self.at.step <= self.doc.branch().own;
        self.lesson().filter(|_| own).map(|lesson| lesson.caption(self.at.step))
    }

    /// The operations and everything derived from them.
    pub fn timeline(&self) -> &Timeline {
        &self.doc.branch().timeline
    }

    /// Whether nothing was opened, run or switched between the two: the same operations on the same kernels.
    pub fn same_run(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.doc, &other.doc)
    }

    /// Markers of the timeline and the scenario's own named places, in order.
    pub fn markers(&self) -> Vec<Marker> {
        self.doc.markers()
    }

    /// The name of a place, if the scenario gives one to this step.
    pub fn place(&self, step: u32) -> Option<&str> {
        self.head().marks.get(&step).map(String::as_str)
    }

    /// The note on the operation that is shown.
    pub fn note(&self) -> Option<&str> {
        self.head().notes.get(&self.shown_op()?).map(String::as_str)
    }

    /// The question asked before the next operation.
    pub fn question(&self) -> Option<&Question> {
        self.head().questions.get(&self.at.step).filter(|_| self.at.beat == 0)
    }

    /// The kernel profile.
    pub fn profile(&self) -> &str {
        &self.doc.profile
    }

    /// The other kernels on the same operations.
    pub fn compared(&self) -> &[Rc<Compared>] {
        &self.here.compared
    }

    /// The lines of history: the current one, and the futures that were left.
    pub fn branches(&self) -> Vec<BranchInfo> {
        self.doc.infos()
    }

    /// Whether something can be undone.
    pub fn can_undo(&self) -> bool {
        !self.past.is_empty()
    }

    /// Whether something can be done again.
    pub fn can_redo(&self) -> bool {
        !self.future.is_empty()
    }

    /// Operations that have run, of how many, while a long scenario is still being computed.
    pub fn working(&self) -> Option<(u32, u32)> {
        self.doc.working()
    }
}

/// How it is shown.
impl Session {
    /// The selected socket. Where none is: the one the shown operation is about, or the first that exists.
    pub fn selected(&self) -> Option<SockName> {
        let machine = self.machine();
        let exists = |name: &SockName| machine.find(*name).is_some();
        self.selected
            .filter(exists)
            .or_else(|| self.op()?.op.sock().filter(exists))
            .or_else(|| machine.socks().map(|(_, sock)| sock.name).find(exists))
            .or(self.selected)
    }

    /// Whether it plays.
    pub const fn play(&self) -> Play {
        self.play
    }

    /// Steps per minute when it plays; one of [`SPEEDS`].
    pub const fn speed(&self) -> u32 {
        self.speed
    }

    /// Milliseconds between two ticks; `None` while paused.
    pub const fn tick_ms(&self) -> Option<u32> {
        match self.play {
            Play::Paused => None,
            Play::Forward | Play::Backward => Some(60_000 / self.speed),
        }
    }

    /// The unit of amounts.
    pub const fn units(&self) -> Units {
        self.units
    }

    /// The lens through which amounts are shown.
    pub fn lens(&self) -> Lens {
        Lens { units: self.units, page: self.machine().setup().page_size }
    }

    /// The layout.
    pub const fn mode(&self) -> Mode {
        self.mode
    }

    /// The range of an embedded picture.
    pub const fn range(&self) -> Option<StepRange> {
        self.range
    }

    /// Something to tell, with a way on.
    pub fn notice(&self) -> Option<&Notice> {
        self.notice.as_deref()
    }

    /// A link that could not be opened.
    pub fn bad_link(&self) -> Option<&BadLink> {
        self.bad_link.as_deref()
    }

    /// What was typed and answered, oldest first.
    pub fn console(&self) -> &[ConsoleEntry] {
        &self.console
    }
}
