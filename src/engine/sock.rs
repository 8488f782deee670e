//! A socket: the accounted numbers (written by the ledger alone), its queues, and what the other end of the wire knows.

mod peer;
mod rx;
mod tx;

pub use peer::{Peer, WirePacket};
pub use rx::{AckState, Rx, RxSkb, Udp};
pub use tx::{CaState, IcskTimer, Nonagle, Tx, TxSkb};

use super::memcg::MemcgId;
use super::op::{Protocol, SockName};
use super::reason::Field;
use super::units::Bytes;
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
