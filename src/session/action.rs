//! What a person can ask for.

use crate::engine::op::{SockName, TimedOp};
use crate::engine::profiles::what_if::Toggle;
use crate::scenario::view::{Mode, Units};
use crate::timeline::{MarkKind, Until};

/// Speeds of play, in steps per minute: 0.5, 1, 2, 4, 8, 16 and 60 a second.
pub const SPEEDS: [u32; 7] = [30, 60, 120, 240, 480, 960, 3600];

/// Whether it plays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Play {
    /// It stands still.
    #[default]
    Paused,
    /// A tick is a step.
    Forward,
    /// A tick is a step back.
    Backward,
}

/// One thing a person asks for. Keys, buttons, links and lesson scripts all send these.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// One operation further; inside an operation: to its end.
    Step,
    /// One operation back; inside an operation: to its beginning.
    StepBack,
    /// One beat further.
    BeatStep,
    /// One beat back.
    BeatBack,
    /// To a step.
    Seek(u32),
    /// To a beat of the operation after a step.
    SeekBeat(u32, u32),
    /// To the beginning.
    Start,
    /// To the end.
    End,
    /// Play; at the end from the beginning again.
    Play,
    /// Play backwards.
    PlayBackward,
    /// Stand still.
    Pause,
    /// Play or stand still.
    TogglePlay,
    /// Time passes for play: one step.
    Tick,
    /// The next higher speed.
    Faster,
    /// The next lower speed.
    Slower,
    /// A speed, in steps per minute; the nearest of [`SPEEDS`] is taken.
    SetSpeed(u32),
    /// To the next marker, of one kind or of any.
    NextMarker(Option<MarkKind>),
    /// To the marker before, of one kind or of any.
    PrevMarker(Option<MarkKind>),
    /// Runs until something happens. If it never does, says so and stays.
    RunUntil(Until),
    /// To the next step where the first compared kernel does something else.
    NextDifference,
    /// An operation happens after the cursor. In the past this makes a branch; the old future stays.
    Run(TimedOp),
    /// A line typed at the console: an operation in the text form.
    ConsoleLine(String),
    /// Opens a built-in lesson, just before its surprise.
    OpenLesson(String),
    /// Opens a link: a fragment or a whole address.
    OpenLink(String),
    /// Opens a scenario in the text form.
    OpenText(String),
    /// The same operations on another kernel.
    SetProfile(String),
    /// Switches a proposal on the present kernel on or off.
    Toggle(Toggle),
    /// Compares with one other kernel, or with none.
    CompareWith(Option<String>),
    /// Compares with one more kernel.
    AddCompare(String),
    /// Compares with one kernel less.
    RemoveCompare(String),
    /// Selects a socket.
    SelectSock(Option<SockName>),
    /// The unit of amounts.
    SetUnits(Units),
    /// The next unit of amounts.
    NextUnits,
    /// The layout.
    SetMode(Mode),
    /// Takes back the last change of what is open.
    Undo,
    /// Does it again.
    Redo,
    /// To another branch, by its id.
    SwitchBranch(u32),
    /// The notice, or the page about a bad link, has been read.
    DismissNotice,
    /// Computes more of a long scenario; to be sent while [`super::Session::working`] says so.
    Work,
    /// Test fault: from here on a socket's forward allocation is short by so many bytes.
    #[doc(hidden)]
    LoseForwardAlloc(SockName, i64),
}
