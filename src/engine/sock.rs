//! A socket: the accounted numbers (written by the ledger alone), its queues, and what the other end of the wire knows.

use super::memcg::MemcgId;
use super::op::{PeerOptions, Protocol, SockName};
use super::reason::Field;
use super::units::{Bytes, Micros};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// A socket of one machine. Never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SockId(pub u32);

/// The numbers that only the ledger writes; see [`Field`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tracked {
    values: [i64; Field::SOCK_COUNT],
}

impl Tracked {
    pub(super) const fn new() -> Self {
        Self { values: [0; Field::SOCK_COUNT] }
    }

    /// Reads one field. `field` must be a socket's.
    pub const fn get(&self, field: Field) -> i64 {
        self.values[field as usize]
    }

    /// Writes one field: for the ledger only.
    pub(super) const fn put(&mut self, field: Field, value: i64) {
        self.values[field as usize] = value;
    }
}

/// Connection state, with the kernel's numbers (`TCP_INFO` `state`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)] // the kernel's names are the documentation
pub enum TcpState {
    Established = 1,
    SynSent = 2,
    SynRecv = 3,
    FinWait1 = 4,
    FinWait2 = 5,
    TimeWait = 6,
    Close = 7,
    CloseWait = 8,
    LastAck = 9,
    Listen = 10,
    Closing = 11,
}

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

/// One socket.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(clippy::struct_excessive_bools)] // independent facts of a socket, not states of one machine
pub struct Sock {
    /// The scenario's name. An orphan keeps it, but it no longer answers to it.
    pub name: SockName,
    /// TCP or UDP.
    pub kind: Protocol,
    /// Connection state.
    pub state: TcpState,
    /// The accounted numbers.
    pub tracked: Tracked,
    /// The memory cgroup charged: that of the creating or accepting task.
    pub memcg: Option<MemcgId>,
    /// `sk_bypass_prot_mem`.
    pub bypass: bool,
    /// Closed by its owner, still holding memory.
    pub orphan: bool,
    /// Has an owner: false for a child not yet accepted.
    pub accepted: bool,
    /// The listener a child waits at.
    pub listener: Option<SockId>,
    /// Children waiting to be accepted.
    pub accept_queue: VecDeque<SockId>,
    /// `shutdown(SHUT_WR)` or close happened.
    pub snd_shutdown: bool,
    /// Timestamps agreed.
    pub tstamp_ok: bool,
    /// SACK agreed.
    pub sack_ok: bool,
    /// `sk_err`: reported by the next call.
    pub err: Option<super::step::Errno>,
    /// Sending half.
    pub tx: Tx,
    /// Receiving half.
    pub rx: Rx,
    /// Datagram half.
    pub udp: Udp,
    /// The other end.
    pub peer: Peer,
}

macro_rules! getters {
    ($($(#[$doc:meta])* $name:ident => $field:ident,)*) => {
        impl Sock {
            $($(#[$doc])* pub const fn $name(&self) -> Bytes {
                Bytes(self.tracked.get(Field::$field))
            })*
        }
    };
}
getters! {
    /// `sk_forward_alloc`.
    forward_alloc => FwdAlloc,
    /// `sk_wmem_queued`.
    wmem_queued => WmemQueued,
    /// `sk_rmem_alloc`.
    rmem_alloc => RmemAlloc,
    /// `sk_reserved_mem`.
    reserved_mem => Reserved,
    /// `sk_sndbuf`.
    sndbuf => Sndbuf,
    /// `sk_rcvbuf`.
    rcvbuf => Rcvbuf,
    /// `window_clamp`.
    window_clamp => WindowClamp,
    /// `rcv_ssthresh`.
    rcv_ssthresh => RcvSsthresh,
    /// `rcv_wnd`.
    rcv_wnd => RcvWnd,
    /// `icsk_ack.rcv_mss`.
    rcv_mss => RcvMss,
    /// `snd_wnd`.
    snd_wnd => SndWnd,
}

/// `SOCK_SNDBUF_LOCK`.
pub const SNDBUF_LOCK: i64 = 1;
/// `SOCK_RCVBUF_LOCK`.
pub const RCVBUF_LOCK: i64 = 2;

impl Sock {
    /// Reads a tracked field as a plain number.
    pub const fn get(&self, field: Field) -> i64 {
        self.tracked.get(field)
    }

    /// Whether `SO_SNDBUF` (or `SO_BUF_LOCK`) fixed the send buffer.
    pub const fn sndbuf_locked(&self) -> bool {
        self.get(Field::BufLock) & SNDBUF_LOCK != 0
    }

    /// Whether `SO_RCVBUF` (or `SO_BUF_LOCK`) fixed the receive buffer.
    pub const fn rcvbuf_locked(&self) -> bool {
        self.get(Field::BufLock) & RCVBUF_LOCK != 0
    }

    /// Bytes charged to the protocol: credit + queues. Always whole pages between operations.
    pub fn held(&self) -> Bytes {
        self.forward_alloc() + self.wmem_queued() + self.rmem_alloc()
    }

    /// Bytes written and not acknowledged (`SIOCOUTQ`).
    pub const fn outq(&self) -> i64 {
        self.tx.write_seq - self.tx.snd_una
    }

    /// Bytes written and not sent (`SIOCOUTQNSD`, `tcpi_notsent_bytes`).
    pub const fn notsent(&self) -> i64 {
        self.tx.write_seq - self.tx.snd_nxt
    }
}
