//! Recordings of real kernels: load one, run the same operations through the model, compare every number.
//!
//! [`recording`] reads the files; [`run`] executes them; [`state`] puts the model's answers into the recordings'
//! own format (the only place that knows which field of the model is which recorded one); [`compare`] holds the two
//! against each other; [`not_modelled`] lists what the model does not claim.
//!
//! The same answers serve without a recording: [`play`] plays a scenario, [`lessons`] checks what the built-in lessons
//! claim, [`source`] opens what a person names at the terminal.

pub mod compare;
#[cfg(not(target_arch = "wasm32"))]
pub mod files;
pub mod lessons;
pub mod not_modelled;
pub mod play;
pub mod recording;
pub mod report;
pub mod run;
pub mod source;
pub mod state;
