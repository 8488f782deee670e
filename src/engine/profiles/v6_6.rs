//! Linux 6.6 and 6.7: 6.1's accounting, a measured window ratio that starts at a quarter, zero window when memory is
//! refused.
//!
//! From lists and the trees on both sides; no tree of the series was read. Where those are silent the older neighbour,
//! 6.1, stands: UDP, the receiver's round trip, what out-of-order segments measure and which of them pruning spares, a
//! FIN at a closed window, a lone FIN and the congestion window, and no cap on the reserve. The smallest `tcp_rmem` is
//! that of 6.18.15, 1: what 6.1.192 asks for came by a backport.

use crate::engine::profile::{Autotune, Defaults, HeadAlloc, Profile, Provenance, RatioChange, WindowFromSpace};

/// The profile.
pub fn profile() -> Profile {
    let base = super::v6_1::profile();
    Profile {
        id: "6.6".to_owned(),
        release: "6.6 (lists and neighbouring trees)".to_owned(),
        provenance: Provenance::FromSource,
        // 1200 bytes of payload in a page with its head: 1200 * 256 / 4672, rounded down.
        window: WindowFromSpace::ScalingRatio { initial: 65 },
        // The clamp follows the ratio from 6.11 on.
        ratio_change: RatioChange::RatioOnly,
        // With the ratio the buffer is tuned in bytes.
        autotune: Autotune::Bytes,
        // All of 6.6.
        nomem_zero_window: true,
        zero_window_ack_counts: true,
        tun_pages: true,
        // Since 6.3; the pad for GRO comes with 6.8.
        heads: HeadAlloc::SmallHead,
        defaults: Defaults { tcp_rmem_floor: 1, ..base.defaults },
        ..base
    }
}
