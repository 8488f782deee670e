//! The timeline itself.

use super::checkpoints::Checkpoints;
use super::marker::{self, MarkKind, Marker};
use super::pieces::Pieces;
use super::world::World;
use crate::engine::Machine;
use crate::engine::machine::BeatState;
use crate::engine::op::Op;
use crate::engine::reason::Beat;
use crate::engine::step::{Errno, Refused, Step};
use std::rc::Rc;

/// Most beat states that [`Timeline::beats_at`] returns at once: one operation may have 100,000 beats.
pub const BEATS_MAX: u32 = 512;

/// An operation that makes no sense where it stands. What is before it can be viewed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stop {
    /// Index of the operation.
    pub at: u32,
    /// Why.
    pub error: Refused,
}

/// The short answer of one operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Brief {
    /// What the call returned.
    pub ret: i64,
    /// Its error.
    pub errno: Option<Errno>,
    /// Work it took: 1, its beats, and the sockets it made at once.
    pub work: u32,
}

/// One operation with the states around it.
#[derive(Clone, Debug)]
pub struct Visit<W = Machine> {
    /// The state it met.
    pub before: W,
    /// What happened and why.
    pub step: Step,
    /// The state it left.
    pub after: W,
}

/// Operations, and what follows from them. Copies share what they have in common.
///
/// Operations run when [`Timeline::run`] or a push gets to them. What has not run yet is computed on demand, only
/// slower, and has no markers.
#[derive(Clone, Debug)]
pub struct Timeline<W: World = Machine> {
    ops: Pieces<W::Op>,
    briefs: Pieces<Brief>,
    markers: Pieces<Marker>,
    checkpoints: Checkpoints<W>,
    /// The state after `briefs.len()` operations.
    tip: Rc<W>,
    spent: u64,
    stop: Option<Rc<Stop>>,
}

impl<W: World> Timeline<W> {
    /// A timeline without operations.
    pub fn new(start: W) -> Self {
        let start = Rc::new(start);
        Self {
            ops: Pieces::default(),
            briefs: Pieces::default(),
            markers: Pieces::default(),
            checkpoints: Checkpoints::new(Rc::clone(&start)),
            tip: start,
            spent: 0,
            stop: None,
        }
    }

    /// A whole scenario, not run yet.
    pub fn load(start: W, ops: impl IntoIterator<Item = W::Op>) -> Self {
        Self::with_ops(start, ops.into_iter().collect())
    }

    /// The same operations on another start (another kernel, say), not run yet.
    #[must_use]
    pub fn restart(&self, start: W) -> Self {
        Self::with_ops(start, self.ops.clone())
    }

    /// The same timeline as if it had not run: without checkpoints and markers, which cost memory.
    #[must_use]
    pub fn light(&self) -> Self {
        self.restart(W::clone(self.start()))
    }

    fn with_ops(start: W, ops: Pieces<W::Op>) -> Self {
        Self { ops, ..Self::new(start) }
    }

    // ---- running ----

    /// Runs operations until `work` units are spent, the end is reached, or one makes no sense.
    /// Returns whether nothing is left to run.
    pub fn run(&mut self, work: u64) -> bool {
        let limit = self.spent.saturating_add(work);
        while self.spent < limit && self.stop.is_none() {
            let Some(op) = self.ops.get(self.briefs.len()).cloned() else {
                break;
            };
            if let Err(error) = self.run_one(&op) {
                self.stop = Some(Rc::new(Stop { at: self.briefs.len(), error }));
            }
        }
        self.is_run()
    }

    /// Runs at least as far as a step.
    pub fn run_to(&mut self, step: u32) {
        while self.briefs.len() < step && self.stop.is_none() && !self.run(1) {}
    }

    /// Runs everything.
    pub fn run_all(&mut self) {
        self.run(u64::MAX);
    }

    /// Whether nothing is left to run.
    pub fn is_run(&self) -> bool {
        self.stop.is_some() || self.briefs.len() == self.ops.len()
    }

    /// Operations that have run.
    pub const fn ran(&self) -> u32 {
        self.briefs.len()
    }

    fn run_one(&mut self, op: &W::Op) -> Result<(), Refused> {
        let counters = self.tip.machine().snmp().clone();
        let step = Rc::make_mut(&mut self.tip).apply(op, None)?;
        let at = self.briefs.len() + 1;
        let made = if let Op::Many { n, .. } = W::call(op) { *n } else { 0 };
        let beats = u32::try_from(step.beats.len()).unwrap_or(u32::MAX);
        let work = beats.saturating_add(made).saturating_add(1);
        let after = self.tip.machine().snmp();
        for found in marker::of_step(at, W::call(op), &step, &counters, after) {
            self.markers.push(found);
        }
        self.briefs.push(Brief { ret: step.ret, errno: step.errno, work });
        self.spent += u64::from(work);
        self.checkpoints.offer(at, self.spent, &self.tip);
        Ok(())
    }

    // ---- changing ----

    /// Appends an operation and runs it. A stopped timeline continues from where it stopped: what could not run is
    /// dropped.
    ///
    /// # Errors
    /// The operation makes no sense at the end. The timeline is as before.
    pub fn push(&mut self, op: W::Op) -> Result<(), Refused> {
        let mut next = self.clone();
        next.run_all();
        next.truncate(next.end());
        next.run_one(&op)?;
        next.ops.push(op);
        *self = next;
        Ok(())
    }

    /// Appends an operation whether or not it makes sense here: for a timeline that follows another.
    pub fn follow(&mut self, op: W::Op) {
        self.ops.push(op);
        self.run_all();
    }

    /// A timeline with the same past up to `step`, where `op` happens instead. This one keeps its future.
    ///
    /// # Errors
    /// The operation makes no sense there.
    pub fn fork(&self, step: u32, op: W::Op) -> Result<Self, Refused> {
        let mut branch = self.clone();
        branch.truncate(step);
        branch.push(op)?;
        Ok(branch)
    }

    /// Forgets every operation from `step` on.
    pub fn truncate(&mut self, step: u32) {
        if step >= self.ops.len() {
            return;
        }
        self.ops.truncate(step);
        if self.stop.as_ref().is_some_and(|stop| stop.at >= step) {
            self.stop = None;
        }
        if step >= self.briefs.len() {
            return;
        }
        let tip = Rc::new(self.state_at(step));
        self.checkpoints.truncate(step);
        let point = self.checkpoints.before(step);
        let rest = self.briefs.from(point.at).take((step - point.at) as usize);
        self.spent = point.spent + rest.map(|b| u64::from(b.work)).sum::<u64>();
        self.tip = tip;
        self.briefs.truncate(step);
        self.markers.truncate(self.markers_until(step));
    }

    /// How many markers stand at or before a step.
    fn markers_until(&self, step: u32) -> u32 {
        let (mut low, mut high) = (0, self.markers.len());
        while low < high {
            let middle = low.midpoint(high);
            if self.markers.get(middle).is_some_and(|m| m.at <= step) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    // ---- reading ----

    /// The state before the first operation.
    pub fn start(&self) -> &Rc<W> {
        self.checkpoints.start()
    }

    /// How many operations there are.
    pub const fn len(&self) -> u32 {
        self.ops.len()
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.ops.is_empty()
    }

    /// The last step that can be viewed: all operations, or those before one that makes no sense.
    pub fn end(&self) -> u32 {
        self.stop.as_ref().map_or(self.ops.len(), |stop| stop.at)
    }

    /// The operation that makes no sense, if one was met.
    pub fn stop(&self) -> Option<&Stop> {
        self.stop.as_deref()
    }

    /// One operation.
    pub fn op(&self, at: u32) -> Option<&W::Op> {
        self.ops.get(at)
    }

    /// Every operation.
    pub fn ops(&self) -> impl DoubleEndedIterator<Item = &W::Op> {
        self.ops.iter()
    }

    /// Operations from `at` on.
    pub fn ops_from(&self, at: u32) -> impl Iterator<Item = &W::Op> {
        self.ops.from(at)
    }

    /// The short answer of an operation that has run.
    pub fn brief(&self, at: u32) -> Option<Brief> {
        self.briefs.get(at).copied()
    }

    /// How many checkpoints are kept.
    pub fn checkpoint_count(&self) -> u32 {
        self.checkpoints.count()
    }

    /// The state at a step. Beyond the end: the state at the end.
    pub fn state_at(&self, step: u32) -> W {
        if step == self.briefs.len() {
            return W::clone(&self.tip);
        }
        let (from, state) = if step > self.briefs.len() {
            (self.briefs.len(), &self.tip)
        } else {
            let point = self.checkpoints.before(step);
            (point.at, &point.state)
        };
        let mut world = W::clone(state);
        world.set_reasons(false);
        for op in self.ops.from(from).take((step - from) as usize) {
            if world.apply(op, None).is_err() {
                break;
            }
        }
        world.set_reasons(true);
        world
    }

    /// Operation `at` with the states around it. `None` where there is none, or where it makes no sense.
    pub fn visit(&self, at: u32) -> Option<Visit<W>> {
        if at >= self.end() {
            return None;
        }
        let before = self.state_at(at);
        let mut after = before.clone();
        let step = after.apply(self.ops.get(at)?, None).ok()?;
        Some(Visit { before, step, after })
    }

    /// The reasons of operation `at`.
    pub fn step_at(&self, at: u32) -> Option<Step> {
        self.visit(at).map(|visit| visit.step)
    }

    /// The state after `beat` beats of operation `at`: its state before for 0, and after for as many as it has.
    pub fn beat_state(&self, at: u32, beat: u32) -> Option<Machine> {
        let mut world = self.state_at(at);
        if beat == 0 {
            return Some(world.machine().clone());
        }
        let op = self.ops.get(at).filter(|_| at < self.end())?;
        let mut seen = 0;
        let mut found = None;
        let mut see = |machine: &Machine, _: &Beat| {
            seen += 1;
            if seen == beat {
                found = Some(machine.clone());
            }
        };
        world.apply(op, Some(&mut see)).ok()?;
        if beat >= seen { Some(world.machine().clone()) } else { found }
    }

    /// The first beats of operation `at`, each with the state right after it; [`BEATS_MAX`] at most.
    pub fn beats_at(&self, at: u32) -> Vec<BeatState> {
        let mut states = Vec::new();
        let Some(op) = self.ops.get(at).filter(|_| at < self.end()) else {
            return states;
        };
        let mut see = |machine: &Machine, beat: &Beat| {
            if states.len() < BEATS_MAX as usize {
                states.push(BeatState { beat: beat.clone(), machine: machine.clone() });
            }
        };
        // It ran before, or is refused now and shows nothing.
        drop(self.state_at(at).apply(op, Some(&mut see)));
        states
    }

    // ---- markers ----

    /// Markers of what has run, in order.
    pub fn markers(&self) -> impl DoubleEndedIterator<Item = &Marker> {
        self.markers.iter()
    }

    /// The first marker after a step, of one kind or of any.
    pub fn next_marker(&self, step: u32, kind: Option<MarkKind>) -> Option<Marker> {
        let from = self.markers_until(step);
        self.markers.from(from).find(|m| kind.is_none_or(|kind| m.kind == kind)).copied()
    }

    /// The last marker before a step, of one kind or of any.
    pub fn prev_marker(&self, step: u32, kind: Option<MarkKind>) -> Option<Marker> {
        let until = self.markers_until(step.checked_sub(1)?);
        let of_kind = |m: &&Marker| kind.is_none_or(|kind| m.kind == kind);
        (0..until).rev().filter_map(|i| self.markers.get(i)).find(of_kind).copied()
    }

    /// Markers at exactly one step.
    pub fn markers_at(&self, step: u32) -> impl Iterator<Item = &Marker> {
        let from = step.checked_sub(1).map_or(0, |last| self.markers_until(last));
        self.markers.from(from).take_while(move |m| m.at == step)
    }

    /// The engine's operation at an index.
    pub fn call(&self, at: u32) -> Option<&Op> {
        self.ops.get(at).map(W::call)
    }
}
