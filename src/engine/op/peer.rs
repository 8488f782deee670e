//! What the peer offers in a handshake.

use serde::{Deserialize, Serialize};

/// What the peer offers when it answers a connect, or asks for one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PeerOptions {
    /// The peer's MSS option, bytes.
    #[serde(default = "PeerOptions::default_mss", skip_serializing_if = "PeerOptions::is_default_mss")]
    pub mss: u32,
    /// The peer's window scale, 0 to 14.
    #[serde(default = "PeerOptions::default_wscale", skip_serializing_if = "PeerOptions::is_default_wscale")]
    pub wscale: u32,
    /// The peer's receive window, bytes, unscaled.
    #[serde(default = "PeerOptions::default_win", skip_serializing_if = "PeerOptions::is_default_win")]
    pub win: u32,
    /// SACK permitted, 0 or 1.
    #[serde(default = "PeerOptions::default_sack", skip_serializing_if = "PeerOptions::is_default_sack")]
    pub sack: u32,
    /// Timestamps, 0 or 1.
    #[serde(default, skip_serializing_if = "PeerOptions::is_zero")]
    pub ts: u32,
}

impl PeerOptions {
    const fn default_mss() -> u32 {
        1460
    }
    const fn default_wscale() -> u32 {
        7
    }
    const fn default_win() -> u32 {
        8_388_480
    }
    const fn default_sack() -> u32 {
        1
    }
    // serde's `skip_serializing_if` passes a reference
    #[allow(clippy::trivially_copy_pass_by_ref)]
    const fn is_default_mss(v: &u32) -> bool {
        *v == Self::default_mss()
    }
    #[allow(clippy::trivially_copy_pass_by_ref)]
    const fn is_default_wscale(v: &u32) -> bool {
        *v == Self::default_wscale()
    }
    #[allow(clippy::trivially_copy_pass_by_ref)]
    const fn is_default_win(v: &u32) -> bool {
        *v == Self::default_win()
    }
    #[allow(clippy::trivially_copy_pass_by_ref)]
    const fn is_default_sack(v: &u32) -> bool {
        *v == Self::default_sack()
    }
    #[allow(clippy::trivially_copy_pass_by_ref)]
    const fn is_zero(v: &u32) -> bool {
        *v == 0
    }
}

impl Default for PeerOptions {
    fn default() -> Self {
        Self {
            mss: Self::default_mss(),
            wscale: Self::default_wscale(),
            win: Self::default_win(),
            sack: Self::default_sack(),
            ts: 0,
        }
    }
}
