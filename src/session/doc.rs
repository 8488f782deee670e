//! What is open: branches of operations on one kernel, and other kernels beside it.

use crate::engine::Machine;
use crate::engine::machine::SetupError;
use crate::engine::op::TimedOp;
use crate::engine::step::Refused;
use crate::explain::op_label;
use crate::scenario::lessons::Lesson;
use crate::scenario::model::Scenario;
use crate::timeline::{MarkKind, Marker, Timeline};
use std::rc::Rc;

/// Most branches that are kept.
const BRANCHES_MAX: u32 = 64;
/// Work done at once when something is opened; the rest follows in slices.
pub(super) const WORK_FIRST: u64 = 50_000;
/// Work of one slice.
const WORK_SLICE: u64 = 20_000;

/// Where what is open came from.
#[derive(Clone, Debug)]
pub enum Source {
    /// A built-in lesson.
    Lesson(Rc<Lesson>),
    /// A text or a link.
    Text,
}

/// A line of history.
#[derive(Clone, Debug)]
pub struct Branch {
    /// Its number, never used again.
    pub id: u32,
    /// What made it.
    pub label: String,
    /// The step at which it left an older one.
    pub fork_at: u32,
    /// Operations were added.
    pub edited: bool,
    /// How many of its first operations are those that were opened.
    pub own: u32,
    /// The scenario without its operations.
    pub head: Rc<Scenario>,
    /// Its operations, on the kernel of the document.
    pub timeline: Timeline,
}

/// A branch, for a list of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BranchInfo {
    /// Its number.
    pub id: u32,
    /// What made it.
    pub label: String,
    /// The step at which it left an older one.
    pub fork_at: u32,
    /// How many operations it has.
    pub len: u32,
    /// Whether it is the one shown.
    pub active: bool,
}

/// Another kernel on the same operations.
#[derive(Clone, Debug)]
pub struct Track {
    /// The kernel.
    pub profile: String,
    /// The operations on it.
    pub timeline: Timeline,
}

/// What is open.
#[derive(Clone, Debug)]
pub struct Doc {
    /// Where it came from.
    pub source: Source,
    /// The kernel.
    pub profile: String,
    branches: Vec<Branch>,
    active: u32,
    next_id: u32,
    /// Other kernels.
    pub tracks: Vec<Track>,
}

impl Doc {
    /// Opens a scenario on a kernel, beside others.
    pub fn open(
        source: Source,
        mut scenario: Scenario,
        profile: String,
        compare: &[String],
    ) -> Result<Self, SetupError> {
        let ops = std::mem::take(&mut scenario.ops);
        let own = u32::try_from(ops.len()).unwrap_or(u32::MAX);
        let timeline = Timeline::load(Machine::new(&profile, &scenario.setup)?, ops);
        let main = Branch {
            id: 0,
            label: "as opened".to_owned(),
            fork_at: 0,
            edited: false,
            own,
            head: Rc::new(scenario),
            timeline,
        };
        let mut doc = Self { source, profile, branches: vec![main], active: 0, next_id: 1, tracks: Vec::new() };
        for profile in compare {
            doc.add_track(profile)?;
        }
        Ok(doc)
    }

    /// The branch that is shown.
    pub fn branch(&self) -> &Branch {
        &self.branches[self.active as usize]
    }

    fn branch_mut(&mut self) -> &mut Branch {
        &mut self.branches[self.active as usize]
    }

    /// The whole scenario of the branch that is shown.
    pub fn scenario(&self) -> Scenario {
        let branch = self.branch();
        let mut scenario = Scenario::clone(&branch.head);
        scenario.ops = branch.timeline.ops().cloned().collect();
        scenario
    }

    /// Markers, the scenario's own places included.
    pub fn markers(&self) -> Vec<Marker> {
        let branch = self.branch();
        let named = branch.head.marks.keys();
        let named = named.map(|at| Marker { at: *at, kind: MarkKind::Named, sock: None });
        let mut all: Vec<Marker> = branch.timeline.markers().copied().chain(named).collect();
        all.sort_unstable();
        all
    }

    /// Every branch.
    pub fn infos(&self) -> Vec<BranchInfo> {
        let info = |branch: &Branch| BranchInfo {
            id: branch.id,
            label: branch.label.clone(),
            fork_at: branch.fork_at,
            len: branch.timeline.len(),
            active: branch.id == self.branch().id,
        };
        self.branches.iter().map(info).collect()
    }

    /// Adds an operation after `step`: at the end to this branch, else to a new one that leaves it there.
    pub fn run(&mut self, step: u32, op: &TimedOp) -> Result<(), Refused> {
        let old = self.branch();
        let timeline = old.timeline.fork(step, op.clone())?;
        let own = old.own.min(step);
        if step >= old.timeline.len() {
            let branch = self.branch_mut();
            branch.timeline = timeline;
            branch.edited = true;
        } else {
            let branch = Branch {
                id: self.next_id,
                label: op_label(&op.op),
                fork_at: step,
                edited: true,
                own,
                head: Rc::new(cut_head(&old.head, step)),
                timeline,
            };
            self.add_branch(branch);
        }
        for track in &mut self.tracks {
            track.timeline.truncate(step);
            track.timeline.follow(op.clone());
        }
        Ok(())
    }

    fn add_branch(&mut self, branch: Branch) {
        self.next_id += 1;
        if self.branches.len() >= BRANCHES_MAX as usize {
            // The one as opened stays, and the one just left.
            let active = self.branch().id;
            let oldest = self.branches.iter().skip(1).position(|b| b.id != active);
            if let Some(oldest) = oldest {
                self.branches.remove(oldest + 1);
            }
        }
        self.branches.push(branch);
        self.active = u32::try_from(self.branches.len() - 1).unwrap_or(0);
    }

    /// Shows another branch. `None`: there is no such branch.
    pub fn switch(&mut self, id: u32) -> Option<Result<(), SetupError>> {
        let at = self.branches.iter().position(|b| b.id == id)?;
        self.active = u32::try_from(at).unwrap_or(0);
        let kernel = self.branch().timeline.start().profile().id.clone();
        if kernel != self.profile {
            let profile = self.profile.clone();
            if let Err(error) = self.set_profile(&profile) {
                return Some(Err(error));
            }
        }
        Some(self.restart_tracks())
    }

    /// The same operations on another kernel.
    pub fn set_profile(&mut self, profile: &str) -> Result<(), SetupError> {
        let start = Machine::new(profile, &self.branch().head.setup)?;
        profile.clone_into(&mut self.profile);
        let branch = self.branch_mut();
        branch.timeline = branch.timeline.restart(start);
        Ok(())
    }

    /// One more kernel beside.
    pub fn add_track(&mut self, profile: &str) -> Result<(), SetupError> {
        let branch = self.branch();
        let start = Machine::new(profile, &branch.head.setup)?;
        let timeline = branch.timeline.restart(start);
        self.tracks.push(Track { profile: profile.to_owned(), timeline });
        Ok(())
    }

    fn restart_tracks(&mut self) -> Result<(), SetupError> {
        let profiles: Vec<String> = self.tracks.drain(..).map(|track| track.profile).collect();
        profiles.iter().try_for_each(|profile| self.add_track(profile))
    }

    /// The same document with nothing computed, to be kept for undo.
    pub fn light(&self) -> Self {
        let mut light = self.clone();
        for branch in &mut light.branches {
            branch.timeline = branch.timeline.light();
        }
        for track in &mut light.tracks {
            track.timeline = track.timeline.light();
        }
        light
    }

    // ---- computing ----

    fn timelines_mut(&mut self) -> impl Iterator<Item = &mut Timeline> {
        let main = &mut self.branches[self.active as usize].timeline;
        std::iter::once(main).chain(self.tracks.iter_mut().map(|track| &mut track.timeline))
    }

    fn timelines(&self) -> impl Iterator<Item = &Timeline> {
        std::iter::once(&self.branch().timeline).chain(self.tracks.iter().map(|t| &t.timeline))
    }

    /// Computes as far as `step`, and some more.
    pub fn work_to(&mut self, step: u32) {
        for timeline in self.timelines_mut() {
            timeline.run_to(step);
            timeline.run(WORK_FIRST);
        }
    }

    /// Computes one slice more.
    pub fn work(&mut self) {
        if let Some(timeline) = self.timelines_mut().find(|timeline| !timeline.is_run()) {
            timeline.run(WORK_SLICE);
        }
    }

    /// Computes everything.
    pub fn work_all(&mut self) {
        self.timelines_mut().for_each(Timeline::run_all);
    }

    /// Operations that have run, of how many, while not all have.
    pub fn working(&self) -> Option<(u32, u32)> {
        if self.timelines().all(Timeline::is_run) {
            return None;
        }
        let sum = |count: fn(&Timeline) -> u32| self.timelines().map(count).sum();
        Some((sum(Timeline::ran), sum(Timeline::len)))
    }
}

/// What is left of a scenario's words when its operations end at `step`.
fn cut_head(head: &Scenario, step: u32) -> Scenario {
    let mut cut = head.clone();
    cut.notes.retain(|at, _| *at < step);
    cut.questions.retain(|at, _| *at < step);
    cut.marks.retain(|at, _| *at <= step);
    cut.comments.retain(|at, _| *at <= step);
    cut
}
