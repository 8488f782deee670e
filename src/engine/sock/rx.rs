//! The receiving half of a socket: plumbing, no accounted number.

use crate::engine::units::{Bytes, Micros};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// One skb of the receive or out-of-order queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RxSkb {
    /// First byte, counted from the peer's first data byte.
    pub seq: i64,
    /// Payload, bytes.
    pub len: i64,
    /// Charged size, bytes.
    pub truesize: Bytes,
    /// Bytes of free room behind the payload in its linear head.
    pub tailroom: i64,
    /// Packets merged into it.
    pub packets: i64,
    /// Carries the peer's FIN.
    pub fin: bool,
}

impl RxSkb {
    /// One past its last byte (a FIN counts for one).
    pub const fn end(&self) -> i64 {
        self.seq + self.len + if self.fin { 1 } else { 0 }
    }
}

/// ACK scheduling: the kernel's `icsk_ack`, without `rcv_mss`, which is tracked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(clippy::struct_excessive_bools)] // they are the kernel's pending bits
pub struct AckState {
    /// Immediate ACKs left.
    pub quick: i64,
    /// Delayed ACK time.
    pub ato: Micros,
    /// When data last arrived.
    pub lrcvtime: Micros,
    /// Interactive mode.
    pub pingpong: bool,
    /// An ACK is owed.
    pub sched: bool,
    /// The delayed ACK timer is logically running.
    pub timer: bool,
    /// A push was seen.
    pub pushed: bool,
    /// A second push was seen.
    pub pushed2: bool,
    /// ACK at once.
    pub now: bool,
    /// Memory was refused: the next ACK offers nothing.
    pub nomem: bool,
    /// Size of the last small segment.
    pub last_seg_size: i64,
    /// Logical expiry of the delayed ACK.
    pub timeout: Micros,
    /// Physical expiry of the delayed ACK timer.
    pub physical: Option<Micros>,
    /// Duplicate ACKs sent for one hole.
    pub dup_ack_counter: i64,
    /// The byte those were for.
    pub compressed_ack_rcv_nxt: i64,
    /// ACKs held back for compression.
    pub compressed_ack: i64,
    /// When held-back ACKs leave.
    pub compressed_timer: Option<Micros>,
    /// When an out-of-window ACK was last sent.
    pub last_oow_ack: Option<Micros>,
}

/// The receiving half. Plumbing: no accounted number is in here.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rx {
    /// In order, not read.
    pub receive_queue: VecDeque<RxSkb>,
    /// Out of order, sorted by `seq`.
    pub out_of_order_queue: Vec<RxSkb>,
    /// Next byte expected.
    pub rcv_nxt: i64,
    /// Next byte to be read.
    pub copied_seq: i64,
    /// `rcv_nxt` when the window was last advertised.
    pub rcv_wup: i64,
    /// Furthest right edge ever advertised (7.1 and later).
    pub rcv_mwnd_seq: i64,
    /// The peer's FIN was received.
    pub fin_seen: bool,
    /// Header prediction is on.
    pub pred_flags: bool,
    /// ACK scheduling.
    pub ack: AckState,
    /// Receiver RTT, microseconds x 8; 0 before the first sample.
    pub rcv_rtt_us8: i64,
    /// Where the running RTT sample ends.
    pub rcv_rtt_seq: i64,
    /// When the running RTT sample began.
    pub rcv_rtt_time: Micros,
    /// Echo used for the last timestamp sample.
    pub rcv_rtt_last_tsecr: i64,
    /// `rcvq_space.seq`.
    pub rcvq_seq: i64,
    /// `rcvq_space.time`.
    pub rcvq_time: Micros,
    /// Timestamp option of the last packet sent, milliseconds: what the peer echoes.
    pub last_tsval: i64,
    /// Time of the last received packet.
    pub tcp_mstamp: Micros,
}

/// Datagram state beyond the tracked numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Udp {
    /// `forward_threshold`: bytes of credit kept before it is returned (6.12 and later; earlier read rcvbuf live).
    pub forward_threshold: i64,
    /// `forward_deficit`: freed bytes not yet returned.
    pub forward_deficit: i64,
    /// Spliced to the reader.
    pub reader_queue: VecDeque<RxSkb>,
    /// Waiting.
    pub receive_queue: VecDeque<RxSkb>,
}
