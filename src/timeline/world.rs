//! What a timeline steps.

use crate::engine::Machine;
use crate::engine::ledger::Observer;
use crate::engine::op::{Op, TimedOp};
use crate::engine::step::{Refused, Step};

/// Something that operations change: a machine, or a world with one inside.
///
/// Same start and same operations must give the same state, always.
pub trait World: Clone {
    /// One operation, as the timeline stores it.
    type Op: Clone + PartialEq;

    /// Executes one operation, showing the state after every beat to `observer`.
    ///
    /// # Errors
    /// The operation makes no sense here. Nothing was changed.
    fn apply(&mut self, op: &Self::Op, observer: Option<Observer<'_>>) -> Result<Step, Refused>;

    /// The machine one looks at.
    fn machine(&self) -> &Machine;

    /// Records reasons or not. A world that is kept has them on.
    fn set_reasons(&mut self, on: bool);

    /// The engine's operation inside `op`.
    fn call(op: &Self::Op) -> &Op;
}

impl World for Machine {
    type Op = TimedOp;

    fn apply(&mut self, op: &TimedOp, observer: Option<Observer<'_>>) -> Result<Step, Refused> {
        self.apply_observed(&op.op, op.timing.unwrap_or_default(), observer)
    }

    fn machine(&self) -> &Machine {
        self
    }

    fn set_reasons(&mut self, on: bool) {
        Machine::set_reasons(self, on);
    }

    fn call(op: &TimedOp) -> &Op {
        &op.op
    }
}
