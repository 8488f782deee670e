//! From an operation to the rules it runs.

use crate::engine::ledger::Ledger;
use crate::engine::op::Op;
use crate::engine::step::Step;
use crate::engine::units::Micros;

/// Runs an operation that was checked.
pub fn run_op(l: &mut Ledger<'_, '_>, op: &Op, took: Micros) -> Step {
    let _ = (l, op, took);
    Step::default()
}
