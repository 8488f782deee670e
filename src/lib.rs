//! skmem lab: Linux socket memory, step by step.
//!
//! Rooms, each of which may use those below it and nothing above (`tests/tidy.rs` holds it):
//! `ui`, `view_model`, `session`, `interop`, `explain`, `replay`, `timeline`, `sim`, `scenario`, `engine`.

pub mod engine;
pub mod explain;
pub mod replay;
pub mod scenario;
pub mod session;
pub mod timeline;
#[cfg(feature = "ui")]
pub mod ui;
pub mod view_model;
