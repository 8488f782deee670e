//! Linux 6.18 (the facts are those of 6.18.15): 32 MiB of receive buffer, strict UDP, the end of a segment must be
//! inside the window.
//!
//! From findings on recordings of 6.18.15 that are not kept here, from measurements on a 6.18.44 host, and from the
//! trees on both sides. Where those are silent:
//! - the newer neighbour, 7.3, for what belongs to the reworks of 6.16 and 6.17: autotuning counts what waits behind a
//!   hole and reads the clock of the last packet, and pruning leaves an empty queue alone;
//! - the older one, 6.12, for the rest: the receiver's round trip, and how long duplicate ACKs may be held back.
//!
//! Backports make it older than 6.12.117 in places: the reserve has no cap and takes UDP sockets, and `tcp_rmem` may be
//! as small as 1.

use crate::engine::profile::{
    Acceptance, Admission, Autotune, Defaults, MemcgRule, Profile, Provenance, RatioChange, ReserveRule,
    UdpMemErrors, UdpRule,
};

/// The profile.
pub fn profile() -> Profile {
    let base = super::v6_12::profile();
    Profile {
        id: "6.18".to_owned(),
        release: "6.18.15 (findings)".to_owned(),
        provenance: Provenance::FromSource,
        reserve: ReserveRule { max: None, tcp_only: false, ..base.reserve },
        // Seen in 6.18.15 alone: rcv_ssthresh moves with the clamp when the ratio changes.
        ratio_change: RatioChange::ThroughSetter,
        // Since 6.17.
        acceptance: Acceptance::EndInWindow,
        prune_needs_rmem: true,
        // 6.18's own; taken back in 2026.
        admission: Admission::RmemPlusLen,
        // Since 6.16.
        autotune: Autotune::BytesAndHole,
        memcg: MemcgRule { stock_slots: 7, ..base.memcg },
        udp: UdpRule::Strict,
        // Seen in 6.18.15 alone.
        udp_mem_errors: UdpMemErrors::DropsOnly,
        defaults: Defaults {
            tcp_rmem: [4096, 131_072, 33_554_432],
            rmem_max: 4_194_304,
            wmem_max: 4_194_304,
            tcp_rmem_floor: 1,
            ..base.defaults
        },
        ..base
    }
}
