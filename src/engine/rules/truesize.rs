//! What an skb costs: payload, head and bookkeeping.

use crate::engine::profile::{HeadAlloc, Profile};
use crate::engine::setup::{Build, RxTruesize, Setup};
use crate::engine::units::{pow2_roundup, round_up};

/// `sk_buff` rounded to a cache line, bytes.
pub const SKB: i64 = 256;
/// `skb_shared_info` rounded to a cache line, bytes.
pub const SHARED_INFO: i64 = 320;
/// What an skb costs besides its usable room, bytes (`SKB_TRUESIZE`).
pub const OVERHEAD: i64 = SKB + SHARED_INFO;
/// `SOCK_MIN_RCVBUF`, bytes: 2048 and an `sk_buff`.
pub const SOCK_MIN_RCVBUF: i64 = 2048 + SKB;
/// `SOCK_MIN_SNDBUF`, bytes.
pub const SOCK_MIN_SNDBUF: i64 = 2 * SOCK_MIN_RCVBUF;

/// Usable bytes of a linear head that was asked to hold `wanted` bytes.
///
//= net/core/skbuff.c __alloc_skb @ 5.10 6.1 6.12 7.3
//# A head holds what was asked for, rounded to a cache line, and the shared info behind it. From 6.3 small heads come
//# from a cache of one size; larger ones, and all before 6.3, from the general slabs. All room of the object counts.
pub fn head_room(profile: &Profile, build: Build, wanted: i64) -> i64 {
    let size = round_up(wanted, 64) + SHARED_INFO;
    let object = match profile.heads {
        HeadAlloc::SmallHead | HeadAlloc::SmallHeadPadded if size <= profile.small_head_object(build) => {
            profile.small_head_object(build)
        }
        HeadAlloc::SmallHead | HeadAlloc::SmallHeadPadded | HeadAlloc::Kmalloc => kmalloc_size(size),
    };
    object - SHARED_INFO
}

/// The size of the general slab that holds `size` bytes.
fn kmalloc_size(size: i64) -> i64 {
    if size <= 96 && size > 64 {
        96
    } else if size <= 192 && size > 128 {
        192
    } else if size > 8192 {
        // beyond the largest slab whole pages are allocated, in powers of two
        pow2_roundup(size)
    } else {
        pow2_roundup(size.max(8))
    }
}

/// Truesize of a transmit skb without payload: the head only, bytes.
pub fn tx_head(profile: &Profile, build: Build) -> i64 {
    head_room(profile, build, Profile::max_tcp_header(build)) + OVERHEAD
}

/// Truesize of one arriving packet, and the free room behind its payload, bytes.
///
/// `headers` is the length of its IP and transport headers.
pub fn rx_packet(profile: &Profile, setup: &Setup, headers: i64, len: i64) -> (i64, i64) {
    match setup.rx_truesize {
        RxTruesize::Copy => {
            // TUN pads 64 bytes in front, then copies the packet into a fresh head. From 6.6 on a packet that does not
            // fit a page leaves only its beginning there; the rest lies in whole pages, and nothing can be appended.
            let used = 64 + headers + len;
            let page = 4096;
            if profile.tun_pages && used >= page {
                let behind = used - (page - SHARED_INFO);
                return (page + SKB + round_up(behind, page), 0);
            }
            let room = head_room(profile, setup.build, used);
            (room + OVERHEAD, room - used)
        }
        RxTruesize::HalfPage => (2048 - SHARED_INFO + OVERHEAD, 0),
        RxTruesize::FullPage => (4096 - SHARED_INFO + OVERHEAD, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::profiles;

    /// Spec 0.3: heads of the three builds, before and after small heads.
    #[test]
    fn transmit_heads() {
        for (id, build, expected) in [
            ("5.10", Build::DebianCloud, 1280),
            ("6.1", Build::Distro, 1280),
            ("5.10", Build::Minimal, 768),
            // without the pad: 256 and 192 of header in 576 (512 is a power of two), 320 in 640
            ("6.6", Build::DebianCloud, 832),
            ("6.6", Build::Minimal, 832),
            ("6.6", Build::Distro, 896),
            ("6.8", Build::DebianCloud, 896),
            ("6.12", Build::DebianCloud, 896),
            ("6.12", Build::Distro, 960),
            ("7.3", Build::Minimal, 832),
        ] {
            let profile = profiles::by_id(id).unwrap();
            assert_eq!(tx_head(&profile, build), expected, "{id} {build:?}");
        }
    }

    /// Spec 6.14.9: truesize of a segment delivered by TUN, by payload, with 40 bytes of headers.
    #[test]
    fn received_segments() {
        let setup = Setup::default();
        for (id, payload, expected) in [
            ("5.10", 1, 768),
            ("5.10", 88, 768),
            ("5.10", 89, 1280),
            ("6.1", 600, 1280),
            ("6.1", 601, 2304),
            ("6.1", 1624, 2304),
            ("6.12", 1, 896),
            ("6.12", 216, 896),
            ("7.3", 217, 1280),
            ("7.3", 600, 1280),
            ("7.3", 601, 2304),
            ("7.3", 1460, 2304),
        ] {
            let profile = profiles::by_id(id).unwrap();
            assert_eq!(rx_packet(&profile, &setup, 40, payload).0, expected, "{id} {payload}");
        }
    }
}
