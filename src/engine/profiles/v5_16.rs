//! Linux 5.16 to 5.19: 5.10's accounting with the reserve.
//!
//! From letter 0 and what later trees show; no tree of the series was read. Where those are silent the older neighbour,
//! 5.10, stands: what `TCP_WINDOW_CLAMP` does to `rcv_ssthresh`, when the timestamp option leaves advmss, the
//! receiver's round trip, UDP's counters, what memory.stat shows, TSO sizes (5.18 changes them), and the batch of the
//! socket count.

use crate::engine::profile::{MemcgFailure, Profile, Provenance, ReserveRule};

/// The profile.
pub fn profile() -> Profile {
    Profile {
        id: "5.16".to_owned(),
        release: "5.16 (letter and later trees)".to_owned(),
        provenance: Provenance::FromSource,
        // A failed charge charges nothing now; a softirq's fails still (6.1 forces it).
        memcg_failure: MemcgFailure::NotCharged,
        // New, with all three patches of its letter.
        reserve: ReserveRule {
            exists: true,
            max: None,
            tcp_only: false,
            accounting: true,
            sndbuf: true,
            ssthresh: true,
        },
        // Since 5.15.
        buf_lock: true,
        // The third patch: under pressure a window that could grow is adjusted.
        grow_adjusts: true,
        ..super::v5_10::profile()
    }
}
