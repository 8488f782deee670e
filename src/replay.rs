//! Recordings of real kernels: load one, run the same operations through the model, compare every number.
//!
//! [`recording`] reads the files; [`run`] executes them; [`state`] puts the model's answers into the recordings'
//! own format (the only place that knows which field of the model is which recorded one); [`compare`] holds the two
//! against each other; [`not_modelled`] lists what the model does not claim.

pub mod compare;
#[cfg(not(target_arch = "wasm32"))]
pub mod files;
pub mod not_modelled;
pub mod recording;
pub mod report;
pub mod run;
pub mod state;
