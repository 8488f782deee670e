//! How much time an operation brings.

use super::Op;
use crate::engine::units::Micros;
use serde::{Deserialize, Serialize};

/// How much time an operation brings: the engine reads no clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Timing {
    /// Time that passes between the end of the previous operation and the start of this one.
    pub after: Micros,
    /// Time the operation itself takes; packets and calls inside it are spread evenly over it.
    pub took: Micros,
}

impl Timing {
    /// What an operation takes when a scenario does not say: 2 ms of pause, then 1 ms of work, as in the recordings.
    pub const USUAL: Self = Self { after: Micros(2_000), took: Micros(1_000) };
}

impl Default for Timing {
    fn default() -> Self {
        Self::USUAL
    }
}

/// An operation and its time, as a scenario stores it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimedOp {
    /// What happens.
    #[serde(flatten)]
    pub op: Op,
    /// How long it takes; absent: [`Timing::USUAL`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timing: Option<Timing>,
}

impl From<Op> for TimedOp {
    fn from(op: Op) -> Self {
        Self { op, timing: None }
    }
}
