//! What happened, step by step: operations in order, and everything that follows from them on demand.
//!
//! A timeline stores causes (the operations) and recomputes effects (states, reasons). What it keeps besides is
//! small: a few checkpoints to start from, the markers, and each operation's short answer. It is generic over
//! what it steps ([`World`]): one machine, or a simulated world around one.
//!
//! A step number `k` is a number of operations done. Operation `k` (from 0) leads from step `k` to step `k + 1`.

mod checkpoints;
mod difference;
mod line;
mod marker;
mod pieces;
mod probe;
mod until;
mod world;

pub use difference::{Difference, differences, first_difference, next_difference};
pub use line::{BEATS_MAX, Brief, Stop, Timeline, Visit};
pub use marker::{MarkKind, Marker, is_drop};
pub use pieces::Pieces;
pub use probe::Probe;
pub use until::Until;
pub use world::World;
