//! What an operation returns.

use super::op::{SockName, SockOpt, SysctlKey};
use super::reason::Beat;
use super::sock::WirePacket;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// An error number of a system call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[allow(clippy::upper_case_acronyms, missing_docs)] // the kernel's names are the documentation
#[rustfmt::skip]
pub enum Errno {
    EPERM = 1, EAGAIN = 11, ENOMEM = 12, EINVAL = 22, EPIPE = 32, EMSGSIZE = 90, ENOPROTOOPT = 92,
    EOPNOTSUPP = 95, ECONNRESET = 104, ENOBUFS = 105, EISCONN = 106, ENOTCONN = 107, ETIMEDOUT = 110, ENOENT = 2,
}

impl Errno {
    /// Every error number the model can return.
    pub const ALL: [Self; 14] = [
        Self::EPERM,
        Self::ENOENT,
        Self::EAGAIN,
        Self::ENOMEM,
        Self::EINVAL,
        Self::EPIPE,
        Self::EMSGSIZE,
        Self::ENOPROTOOPT,
        Self::EOPNOTSUPP,
        Self::ECONNRESET,
        Self::ENOBUFS,
        Self::EISCONN,
        Self::ENOTCONN,
        Self::ETIMEDOUT,
    ];

    /// The number.
    pub const fn code(self) -> i64 {
        self as i64
    }

    /// The name in capitals.
    pub const fn name(self) -> &'static str {
        match self {
            Self::EPERM => "EPERM",
            Self::ENOENT => "ENOENT",
            Self::EAGAIN => "EAGAIN",
            Self::ENOMEM => "ENOMEM",
            Self::EINVAL => "EINVAL",
            Self::EPIPE => "EPIPE",
            Self::EMSGSIZE => "EMSGSIZE",
            Self::ENOPROTOOPT => "ENOPROTOOPT",
            Self::EOPNOTSUPP => "EOPNOTSUPP",
            Self::ECONNRESET => "ECONNRESET",
            Self::ENOBUFS => "ENOBUFS",
            Self::EISCONN => "EISCONN",
            Self::ENOTCONN => "ENOTCONN",
            Self::ETIMEDOUT => "ETIMEDOUT",
        }
    }
}

/// What a SYN or SYN-ACK of the kernel offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SynOffer {
    /// Window, bytes, never scaled.
    pub win: i64,
    /// Window scale.
    pub wscale: i64,
    /// MSS option.
    pub mss: i64,
}

/// How often memory changed hands during one operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Charges of the protocol counter (calls).
    pub proto_charges: i64,
    /// Uncharges of the protocol counter (calls).
    pub proto_uncharges: i64,
    /// Charges of a memory cgroup (calls).
    pub memcg_charges: i64,
    /// Uncharges of a memory cgroup (calls).
    pub memcg_uncharges: i64,
    /// Memory cgroup charges answered from the CPU's stock.
    pub stock_hits: i64,
    /// Operations on a page counter.
    pub counter_ops: i64,
}

/// A balance that does not hold: our own bug, shown instead of hidden.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Imbalance {
    /// The socket whose identity fails, or `None` for a total.
    pub sock: Option<SockName>,
    /// Which total: `tcp`, `udp` or a memory cgroup's name; empty for a socket.
    pub total: String,
    /// Bytes the parts add up to, less the bytes charged.
    pub off_by: i64,
}

/// What the kernel answered, what happened on the way, and why.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// The system call's result: bytes, 0, or -1. What `getsockopt` read.
    pub ret: i64,
    /// The error of the call that failed or stopped a loop.
    pub errno: Option<Errno>,
    /// Calls of a loop that succeeded (`send`, `read`).
    pub calls_ok: Option<i64>,
    /// Segments the peer sent (`rx`).
    pub segs: Option<i64>,
    /// Rounds of `ack_all`.
    pub rounds: Option<i64>,
    /// What the kernel's SYN offered (`connect`).
    pub syn: Option<SynOffer>,
    /// What the kernel's SYN-ACK offered (`peer_connect`).
    pub synack: Option<SynOffer>,
    /// Packets the kernel emitted, per socket, in order.
    pub wire: Vec<(SockName, WirePacket)>,
    /// The step, happening by happening.
    pub beats: Vec<Beat>,
    /// How often memory changed hands.
    pub counts: Counts,
    /// Balances that do not hold after the step: always empty unless the model is wrong.
    pub imbalances: Vec<Imbalance>,
}

/// A nonsensical operation. Nothing was changed. Its words are in `explain`.
#[derive(Clone, Debug, PartialEq, Eq, Error, Serialize, Deserialize)]
pub enum Refused {
    /// No socket has that name.
    #[error("no socket named {0}")]
    UnknownSock(SockName),
    /// The name is taken.
    #[error("a socket named {0} exists already")]
    SockExists(SockName),
    /// The operation needs a TCP socket.
    #[error("{0} is not a TCP socket")]
    NotTcp(SockName),
    /// The operation needs a UDP socket.
    #[error("{0} is not a UDP socket")]
    NotUdp(SockName),
    /// The operation needs an established connection.
    #[error("{0} is not connected")]
    NotConnected(SockName),
    /// The operation needs a socket that is not connected.
    #[error("{0} is already connected")]
    AlreadyConnected(SockName),
    /// The operation needs a listener.
    #[error("{0} is not listening")]
    NotListening(SockName),
    /// The child is not waiting at that listener.
    #[error("{child} does not wait at {listener}")]
    NotWaiting {
        /// The child.
        child: SockName,
        /// The listener.
        listener: SockName,
    },
    /// The socket belongs to nobody yet: it must be accepted first.
    #[error("{0} has not been accepted yet")]
    NotAccepted(SockName),
    /// The profile's kernel has no such sysctl.
    #[error("this kernel has no sysctl {}", .0.name())]
    NoSysctl(SysctlKey),
    /// A sysctl's value cannot be read.
    #[error("{}: cannot read {value:?}", key.name())]
    SysctlValue {
        /// The sysctl.
        key: SysctlKey,
        /// The text.
        value: String,
    },
    /// The cgroup has no such file in the model.
    #[error("unknown cgroup file {0:?}")]
    CgroupFile(String),
    /// The option cannot be read back in the model.
    #[error("{} cannot be read here", .0.name())]
    OptionNotReadable(SockOpt),
    /// A number is outside what the model takes.
    #[error("{field} = {value} is outside {min} to {max}")]
    OutOfRange {
        /// The field of the operation.
        field: String,
        /// The value.
        value: i64,
        /// The smallest allowed.
        min: i64,
        /// The largest allowed.
        max: i64,
    },
    /// More sockets than the model takes.
    #[error("more than {0} sockets")]
    TooManySocks(u32),
}
