//! A protocol's memory: the counter the limits are checked against, its per-CPU part, and the pressure flag.

use super::units::{Bytes, Micros, Pages};
use serde::{Deserialize, Serialize};

/// Memory of TCP or of UDP, shared by all its sockets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proto {
    /// `memory_allocated`, the global atomic. On 6.0 and later it lags.
    pub(super) memory_allocated: Pages,
    /// `per_cpu_fw_alloc`, one per CPU (6.0 and later; zero before).
    pub(super) per_cpu_fw_alloc: Vec<Pages>,
    /// When memory pressure began; `None` outside it. UDP has none.
    pub(super) pressure_since: Option<Micros>,
    /// `sockets_allocated` as the fairness test reads it: the approximate, folded part of a per-CPU counter.
    pub(super) sockets_folded: i64,
    /// The part of `sockets_allocated` not yet folded.
    pub(super) sockets_pcpu: i64,
    /// Bytes its accounted sockets hold: running total for the ledger's check.
    pub(super) held: Bytes,
}

impl Proto {
    pub(super) fn new(cpus: u32) -> Self {
        Self {
            memory_allocated: Pages::ZERO,
            per_cpu_fw_alloc: (0..cpus).map(|_| Pages::ZERO).collect(),
            pressure_since: None,
            sockets_folded: 0,
            sockets_pcpu: 0,
            held: Bytes::ZERO,
        }
    }

    /// The global atomic as the limits and `/proc/net/sockstat` read it: never below zero.
    pub fn read(&self) -> Pages {
        self.memory_allocated.max(Pages::ZERO)
    }

    /// The raw global atomic.
    pub const fn memory_allocated(&self) -> Pages {
        self.memory_allocated
    }

    /// The part that sits in CPU caches.
    pub fn per_cpu(&self) -> Pages {
        self.per_cpu_fw_alloc.iter().copied().sum()
    }

    /// Pages really charged: the atomic and the CPU caches.
    pub fn total(&self) -> Pages {
        self.memory_allocated + self.per_cpu()
    }

    /// When memory pressure began, if it is on.
    pub const fn pressure_since(&self) -> Option<Micros> {
        self.pressure_since
    }

    /// `sockets_allocated` as the fairness test reads it.
    pub fn sockets_read(&self) -> i64 {
        self.sockets_folded.max(0)
    }
}
