//! The sending half of a socket: plumbing, no accounted number.

use crate::engine::units::{Bytes, Micros};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// One skb of the write or retransmit queue. Payload lives in page fragments: truesize = head + payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(clippy::struct_excessive_bools)] // marks of an skb, as the kernel keeps them
pub struct TxSkb {
    /// First byte, counted from the first data byte of the connection.
    pub seq: i64,
    /// Payload, bytes.
    pub len: i64,
    /// Charged size: head + payload still held.
    pub truesize: Bytes,
    /// Packets it counts for, `ceil(len / mss)`; 0: to be computed when sent.
    pub segs: i64,
    /// MSS it was cut for when sent.
    pub mss: i64,
    /// Marked lost after a retransmission timeout.
    pub lost: bool,
    /// Retransmitted and not acknowledged since.
    pub retrans: bool,
    /// Retransmitted at least once: an ACK of it is no RTT sample.
    pub ever_retrans: bool,
    /// PSH: not appended past a push.
    pub psh: bool,
    /// Carries a FIN.
    pub fin: bool,
    /// When it was last sent.
    pub sent_at: Micros,
}

impl TxSkb {
    /// One past its last byte (a FIN counts for one).
    pub const fn end(&self) -> i64 {
        self.seq + self.len + if self.fin { 1 } else { 0 }
    }
}

/// `TCP_NODELAY`, `TCP_CORK` and a one-shot push, as the send loop sees them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Nonagle {
    /// `TCP_NODELAY`.
    pub off: bool,
    /// Push once.
    pub push: bool,
}

/// Congestion state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[allow(missing_docs)] // the kernel's names are the documentation
pub enum CaState {
    #[default]
    Open,
    Recovery,
    Loss,
}

/// Which timer of the write side is logically pending.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)] // the kernel's names are the documentation
pub enum IcskTimer {
    Retrans,
    Probe0,
}

/// The sending half: sequence space, queues, congestion control. Plumbing: no accounted number is in here.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(clippy::struct_excessive_bools)] // independent facts, as the kernel keeps them
pub struct Tx {
    /// Written, never sent.
    pub write_queue: VecDeque<TxSkb>,
    /// Sent, not acknowledged.
    pub rtx_queue: VecDeque<TxSkb>,
    /// Oldest unacknowledged byte.
    pub snd_una: i64,
    /// Next byte to send.
    pub snd_nxt: i64,
    /// End of what was written.
    pub write_seq: i64,
    /// Largest window the peer ever offered.
    pub max_window: i64,
    /// End of the last sent skb that was not a whole number of mss.
    pub snd_sml: i64,
    /// Last byte that was pushed.
    pub pushed_seq: i64,
    /// Nagle switches.
    pub nonagle: Nonagle,
    /// Current MSS.
    pub mss_cache: i64,
    /// Peer's MSS option.
    pub mss_clamp: i64,
    /// `SOCK_NOSPACE`: a writer hit the buffer.
    pub nospace: bool,
    /// Congestion avoidance remainder.
    pub cwnd_cnt: i64,
    /// The window was the limit in this round.
    pub is_cwnd_limited: bool,
    /// Most packets out in this round.
    pub max_packets_out: i64,
    /// End of this round.
    pub cwnd_usage_seq: i64,
    /// When the window was last fully used.
    pub cwnd_stamp: Micros,
    /// Most packets used since then.
    pub cwnd_used: i64,
    /// Congestion state.
    pub ca_state: CaState,
    /// End of what was sent when loss recovery began.
    pub high_seq: i64,
    /// Smoothed RTT, microseconds x 8.
    pub srtt_us8: i64,
    /// Mean deviation, microseconds x 4.
    pub mdev_us4: i64,
    /// Largest deviation of this round, x 4.
    pub mdev_max_us4: i64,
    /// RTT variance, microseconds x 4.
    pub rttvar_us4: i64,
    /// End of the RTT round.
    pub rtt_seq: i64,
    /// Smallest RTT, microseconds; `None` before the first sample.
    pub min_rtt_us: Option<i64>,
    /// Retransmission timeout.
    pub rto: Micros,
    /// Retransmission backoff, doublings.
    pub backoff: u32,
    /// Pacing rate, bytes per second; `None`: unlimited.
    pub pacing_rate: Option<i64>,
    /// When data was last sent.
    pub lsndtime: Micros,
    /// Logical timer: what and when.
    pub pending: Option<(IcskTimer, Micros)>,
    /// Physical timer: when the handler runs, whatever is pending.
    pub physical: Option<Micros>,
    /// Packets marked lost.
    pub lost_out: i64,
    /// Packets retransmitted and still out.
    pub retrans_out: i64,
    /// Where the search for lost packets goes on.
    pub retransmit_hint: i64,
    /// Slow start threshold before the last reduction; 0: none to go back to.
    pub prior_ssthresh: i64,
    /// Congestion window before the last reduction.
    pub prior_cwnd: i64,
    /// F-RTO: the next ACKs tell whether the timeout was spurious.
    pub frto: bool,
    /// Timeouts since the last ACK of new data.
    pub retransmits: i64,
    /// Unanswered window probes.
    pub probes_out: i64,
    /// When the running series of retransmissions began.
    pub retrans_stamp: Option<Micros>,
    /// RTT of the packet acknowledged last (RACK), microseconds.
    pub rack_rtt_us: i64,
    /// When this socket last put a packet on the wire.
    pub wstamp: Micros,
    /// Sequence number of the peer's segment that last set the window.
    pub snd_wl1: i64,
    /// Header bytes with the usual options.
    pub tcp_header_len: i64,
    /// A FIN was queued.
    pub fin_queued: bool,
    /// A FIN left: the peer can acknowledge it.
    pub fin_on_wire: bool,
}
