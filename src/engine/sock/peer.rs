//! The other end of the wire: what it sent, and what it knows of us.

use crate::engine::op::PeerOptions;
use serde::{Deserialize, Serialize};

/// A packet the kernel emitted, as the peer saw it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WirePacket {
    /// First byte.
    pub seq: i64,
    /// Payload, bytes.
    pub len: i64,
    /// What it acknowledges, bytes of the peer's data.
    pub ack: i64,
    /// The window it offers, bytes.
    pub win: i64,
    /// A retransmission.
    pub retx: bool,
}

/// The other end of the wire: what the peer sent and knows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Peer {
    /// What it offered when the connection began.
    pub options: PeerOptions,
    /// Last advertised window, bytes.
    pub adv_win: i64,
    /// The 16-bit field that carried it.
    pub adv_win_raw: i64,
    /// Bytes the kernel has acknowledged.
    pub k_acked: i64,
    /// Bytes the kernel has sent.
    pub k_sent: i64,
    /// Bytes the peer has sent; the next in-order segment starts here.
    pub r_sent: i64,
    /// Bytes the peer has acknowledged.
    pub r_acked: i64,
    /// The window the peer offers now, bytes.
    pub win: i64,
}
