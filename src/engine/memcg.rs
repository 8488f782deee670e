//! Memory cgroups: what a group is charged for its sockets, and the per-CPU stock that makes charging cheap.

use super::units::Pages;
use serde::{Deserialize, Serialize};

/// A memory cgroup of one machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct MemcgId(pub u32);

/// One memory cgroup (v2). Written by the ledger and the memcg rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Memcg {
    /// Display name.
    pub name: String,
    /// `memory.max`; `None` is "max".
    pub max: Option<Pages>,
    /// Pages charged for sockets: `sock` in memory.stat, in pages, exact.
    pub(super) sock: Pages,
    /// What memory.stat reports: 5.10 updates it in batches (see `rules/memcg.rs`).
    pub(super) reported: Pages,
    /// Change not yet in `reported`.
    pub(super) report_pending: Pages,
    /// `page_counter` usage: sockets, stock and other memory.
    pub(super) usage: Pages,
}

impl Memcg {
    pub(super) fn new(name: &str, other: Pages) -> Self {
        Self {
            name: name.to_owned(),
            max: None,
            sock: Pages::ZERO,
            reported: Pages::ZERO,
            report_pending: Pages::ZERO,
            usage: other,
        }
    }

    /// Pages charged for sockets, exact.
    pub const fn sock(&self) -> Pages {
        self.sock
    }

    /// Pages that `sock` in memory.stat shows: 5.10 lags by up to a batch, later kernels are exact when flushed.
    pub const fn reported(&self) -> Pages {
        self.reported
    }

    /// Pages the counter holds: sockets, the CPU's stock and other memory.
    pub const fn usage(&self) -> Pages {
        self.usage
    }
}

/// Prepaid pages on one CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stock {
    /// Whose.
    pub memcg: MemcgId,
    /// How many.
    pub pages: Pages,
}
