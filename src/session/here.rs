//! Everything derived at the cursor, computed once when the cursor or the document changes.

use super::doc::{Doc, Track};
use crate::engine::Machine;
use crate::engine::op::SockName;
use crate::engine::step::{Imbalance, Step};
use crate::timeline::{Stop, Timeline};
use std::rc::Rc;

/// A place: operations done, and beats done inside the next one (0: none).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cursor {
    /// Operations done.
    pub step: u32,
    /// Beats done inside the next.
    pub beat: u32,
}

/// Test fault: bytes that vanish from a socket from a step on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The step.
    pub step: u32,
    /// The socket.
    pub sock: SockName,
    /// Bytes.
    pub bytes: i64,
}

/// Another kernel at the same place.
#[derive(Clone, Debug)]
pub struct Compared {
    /// The kernel.
    pub profile: String,
    /// The operations on it.
    pub timeline: Timeline,
    /// Its state at the cursor, or at its last step.
    pub machine: Rc<Machine>,
    /// Its reasons of the operation that is shown, if it got that far.
    pub step: Option<Rc<Step>>,
    /// The operation that makes no sense on it, if there is one.
    pub stop: Option<Stop>,
}

/// Everything at the cursor.
#[derive(Clone, Debug)]
pub struct Here {
    /// The state before what is shown.
    pub before: Option<Rc<Machine>>,
    /// The state.
    pub machine: Rc<Machine>,
    /// The reasons of what is shown.
    pub step: Option<Rc<Step>>,
    /// Balances that do not hold.
    pub imbalances: Vec<Imbalance>,
    /// The other kernels.
    pub compared: Vec<Rc<Compared>>,
}

/// How many beats a step has.
pub fn beats(step: &Step) -> u32 {
    u32::try_from(step.beats.len()).unwrap_or(u32::MAX)
}

impl Here {
    /// Computes it.
    pub fn compute(doc: &Doc, at: Cursor, fault: Option<Fault>) -> Self {
        let timeline = &doc.branch().timeline;
        let mut here = Self::of(timeline, at);
        if let Some(fault) = fault.filter(|fault| at.step >= fault.step)
            && let Some((id, _)) = here.machine.find(fault.sock)
        {
            Rc::make_mut(&mut here.machine).lose_forward_alloc(id, fault.bytes);
        }
        here.imbalances = here.machine.audit();
        here.compared = doc.tracks.iter().map(|track| Rc::new(compared(track, at))).collect();
        here
    }

    fn of(timeline: &Timeline, at: Cursor) -> Self {
        let (before, machine, step) = states(timeline, at);
        Self { before, machine, step, imbalances: Vec::new(), compared: Vec::new() }
    }
}

type States = (Option<Rc<Machine>>, Rc<Machine>, Option<Rc<Step>>);

fn states(timeline: &Timeline, at: Cursor) -> States {
    if at.beat > 0
        && let Some(visit) = timeline.visit(at.step)
    {
        let state = |beat| timeline.beat_state(at.step, beat).unwrap_or_else(|| visit.after.clone());
        let before = state(at.beat - 1);
        return (Some(Rc::new(before)), Rc::new(state(at.beat)), Some(Rc::new(visit.step)));
    }
    match at.step.checked_sub(1).and_then(|last| timeline.visit(last)) {
        Some(visit) => (Some(Rc::new(visit.before)), Rc::new(visit.after), Some(Rc::new(visit.step))),
        None => (None, Rc::new(timeline.state_at(at.step)), None),
    }
}

fn compared(track: &Track, at: Cursor) -> Compared {
    let (_, machine, step) = states(&track.timeline, at);
    Compared {
        profile: track.profile.clone(),
        timeline: track.timeline.clone(),
        machine,
        step,
        stop: track.timeline.stop().cloned(),
    }
}
