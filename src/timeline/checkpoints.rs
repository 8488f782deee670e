//! Saved states to start from. Their number is bounded: as a run grows they stand further apart.

use super::world::World;
use std::rc::Rc;

/// Work between two checkpoints of a short run; one operation or beat is one unit.
const SPACING: u64 = 32;
/// Most checkpoints of a small machine.
const MOST: u32 = 256;
/// Fewest, however large the machine.
const FEWEST: u32 = 16;
/// Sockets that all checkpoints together hold.
const SOCKETS_MOST: u32 = 200_000;

/// A state and where it stands.
#[derive(Clone, Debug)]
pub struct Checkpoint<W> {
    /// Operations done.
    pub at: u32,
    /// Work done up to here.
    pub spent: u64,
    /// The state.
    pub state: Rc<W>,
}

/// Checkpoints in order; the first is the start.
#[derive(Clone, Debug)]
pub struct Checkpoints<W> {
    list: Vec<Checkpoint<W>>,
    spacing: u64,
}

impl<W: World> Checkpoints<W> {
    /// Only the start.
    pub fn new(start: Rc<W>) -> Self {
        Self { list: vec![Checkpoint { at: 0, spent: 0, state: start }], spacing: SPACING }
    }

    /// The start.
    pub fn start(&self) -> &Rc<W> {
        &self.list[0].state
    }

    /// The last one at or before a step. The start always is.
    pub fn before(&self, step: u32) -> &Checkpoint<W> {
        let after = self.list.partition_point(|c| c.at <= step);
        &self.list[after.max(1) - 1]
    }

    /// Offers the state at `at`; it is kept if the last one is far enough away.
    pub fn offer(&mut self, at: u32, spent: u64, state: &Rc<W>) {
        if spent - self.list[self.list.len() - 1].spent < self.spacing {
            return;
        }
        self.list.push(Checkpoint { at, spent, state: Rc::clone(state) });
        let sockets = u32::try_from(state.machine().socks().count()).unwrap_or(u32::MAX);
        let most = (SOCKETS_MOST / sockets.max(1)).clamp(FEWEST, MOST);
        while self.list.len() > most as usize {
            self.thin();
        }
    }

    /// Doubles the spacing and drops what is too dense. What stands right behind costly work stays.
    fn thin(&mut self) {
        self.spacing *= 2;
        let mut kept: Vec<Checkpoint<W>> = Vec::with_capacity(self.list.len() / 2 + 1);
        for (i, point) in self.list.iter().enumerate() {
            let next = self.list.get(i + 1).map_or(u64::MAX, |n| n.spent);
            let dense = kept.last().is_some_and(|last| next - last.spent <= self.spacing);
            if !dense {
                kept.push(point.clone());
            }
        }
        self.list = kept;
    }

    /// Forgets what stands after a step.
    pub fn truncate(&mut self, step: u32) {
        let keep = self.list.partition_point(|c| c.at <= step);
        self.list.truncate(keep.max(1));
    }

    /// How many there are.
    pub fn count(&self) -> u32 {
        u32::try_from(self.list.len()).unwrap_or(u32::MAX)
    }
}
