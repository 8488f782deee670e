//! Linux 6.8 and 6.9: 6.6 without the memory cgroup in the fairness test.
//!
//! From lists and the trees on both sides; no tree of the series was read. Where those are silent 6.6 stands, and with
//! it 6.1. (The ratio of a half and the first window above 64 KiB are 6.10's; stable 6.9 took the ratio back.)

use crate::engine::profile::{FairnessPressure, HeadAlloc, Profile, Provenance};

/// The profile.
pub fn profile() -> Profile {
    Profile {
        id: "6.8".to_owned(),
        release: "6.8 (lists and neighbouring trees)".to_owned(),
        provenance: Provenance::FromSource,
        // Since 6.7.
        fairness: FairnessPressure::Global,
        empty_tail_dropped: true,
        heads: HeadAlloc::SmallHeadPadded,
        ..super::v6_6::profile()
    }
}
