//! Everything with a name on screen: how the kernel spells it, its unit, one sentence, and where it lives.

mod counters;
mod fields;
mod recorded;
mod rules;
mod settings;
mod terms;

pub use counters::counter;
pub use fields::field;
pub use recorded::{RECORDED, recorded};
pub use rules::rule;
pub use settings::{option, sysctl};
pub use terms::term;

use super::numbers::Unit;

/// One entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The name on screen and in recordings (`data-field`).
    pub key: &'static str,
    /// The kernel's spelling.
    pub kernel: &'static str,
    /// What it counts.
    pub unit: Unit,
    /// One sentence.
    pub sentence: &'static str,
    /// The function or file of the kernel that owns it.
    pub source: &'static str,
}

const fn entry(
    key: &'static str,
    kernel: &'static str,
    unit: Unit,
    source: &'static str,
    sentence: &'static str,
) -> Entry {
    Entry { key, kernel, unit, sentence, source }
}
