//! From a session to what a view shows: plain whole numbers, no browser.

pub mod blocks;
pub mod chart;
pub mod fields;
pub mod figure;
pub mod gauge;
pub mod moves;
pub mod prose;
pub mod queues;
pub mod quick;
pub mod scale;
pub mod skmem;
pub mod stage;
pub mod tank;
