//! The session in Yew's hands, and how much may move after the last action.

use crate::session::{Action, Play, Session};
use std::rc::Rc;
use yew::{Callback, Reducible};

/// How much moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Motion {
    /// Nothing: the page was just opened, or the cursor jumped, or steps come too fast.
    #[default]
    None,
    /// Everything at its own pace.
    Full,
    /// Everything, shortened.
    Quick,
}

impl Motion {
    /// The word in `data-motion`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Full => "full",
            Self::Quick => "quick",
        }
    }
}

/// What the whole page is a function of.
#[derive(Clone, PartialEq)]
pub struct Store {
    /// The session.
    pub session: Session,
    /// Counts changes, so that a leaving block is drawn once.
    pub stamp: u32,
    /// How much moves.
    pub motion: Motion,
    /// Whether the cursor is being dragged: nothing is read aloud then.
    pub scrubbing: bool,
}

impl Store {
    /// A page that was just opened.
    pub const fn open(session: Session) -> Self {
        Self { session, stamp: 0, motion: Motion::None, scrubbing: false }
    }
}

impl Reducible for Store {
    type Action = Action;

    fn reduce(self: Rc<Self>, action: Action) -> Rc<Self> {
        let (motion, scrubbing) = (motion(&action, &self.session), matches!(action, Action::Seek(_)));
        let session = self.session.after(action);
        // The same value back means "nothing to draw" to Yew.
        if session == self.session {
            return self;
        }
        Rc::new(Self { session, stamp: self.stamp.wrapping_add(1), motion, scrubbing })
    }
}

/// A listener that asks for something only now and then.
pub fn sometimes<E>(on: &Callback<Action>, wish: impl Fn(E) -> Option<Action> + 'static) -> Callback<E> {
    let on = on.clone();
    Callback::from(move |event| wish(event).into_iter().for_each(|action| on.emit(action)))
}

/// Steps per minute from which nothing travels any more, and from which it travels less.
const TOO_FAST: u32 = 480;
const FAST: u32 = 240;

fn motion(action: &Action, session: &Session) -> Motion {
    match action {
        Action::Step
        | Action::StepBack
        | Action::BeatStep
        | Action::BeatBack
        | Action::Run(_)
        | Action::ConsoleLine(_) => Motion::Full,
        Action::Tick | Action::TogglePlay | Action::Play | Action::PlayBackward => match session.speed() {
            TOO_FAST.. => Motion::None,
            FAST.. => Motion::Quick,
            _ => Motion::Full,
        },
        // What is not a step keeps still. A pause does not cut a movement short.
        Action::Pause if session.play() != Play::Paused => Motion::Full,
        _ => Motion::None,
    }
}
