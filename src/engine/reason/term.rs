//! What the numbers of a comparison stand for, and how they are compared.

use super::Field;
use serde::{Deserialize, Serialize};

/// What a number in a comparison stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Term {
    /// A field of the socket or the machine.
    Field(Field),
    /// The size asked for, bytes.
    Size,
    /// Pages asked for or given back.
    Pages,
    /// What can be given back, bytes: forward alloc above the unused reserve.
    Reclaimable,
    /// The reserved bytes that no queued skb uses.
    UnusedReserved,
    /// One page, bytes.
    PageSize,
    /// The threshold of a reclaim policy, bytes.
    ReclaimThreshold,
    /// `tcp_mem` or `udp_mem`: 0 min, 1 pressure, 2 max, pages.
    MemLimit(u8),
    /// `tcp_rmem` or `tcp_wmem`: 0 min, 1 default, 2 max, bytes.
    BufLimit(u8),
    /// `sysctl_rmem_max` or `wmem_max`, bytes.
    OptMax,
    /// `memory.max`, pages.
    MemcgMax,
    /// `mem_pcpu_rsv`, pages.
    PcpuRsv,
    /// Pages x approximate number of sockets.
    FairShare,
    /// `wmem_queued` + the size asked for, bytes.
    QueuedPlusSize,
    /// Bytes not yet sent.
    Notsent,
    /// Payload of a segment, bytes.
    Len,
    /// A truesize, bytes.
    Truesize,
    /// Free receive room as payload, bytes (`tcp_space`).
    Space,
    /// All receive room as payload, bytes (`tcp_full_space`).
    FullSpace,
    /// A window to offer, bytes.
    Window,
    /// A sequence number, bytes since the connection began.
    Seq,
    /// Packets in flight.
    InFlight,
    /// Packets that may be sent now.
    Quota,
    /// The maximum segment size, bytes.
    Mss,
    /// The size goal of one skb, bytes.
    SizeGoal,
    /// Bytes received and not acknowledged.
    UnackedBytes,
    /// Immediate ACKs left (`icsk_ack.quick`).
    QuickAcks,
    /// Time, microseconds.
    Time,
    /// Bytes copied to the reader in the measured time.
    Copied,
    /// A fixed number of the rule.
    Constant,
    /// A value passed by the caller.
    Argument,
    /// Which policy of the profile applies.
    Policy,
}

impl Term {
    /// This term as one side of a comparison.
    pub const fn of(self, value: i64) -> Operand {
        Operand { term: self, value }
    }
}

/// One side of a comparison: a number and what it stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Operand {
    /// What it stands for.
    pub term: Term,
    /// The number.
    pub value: i64,
}

/// How two numbers are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)] // the variants are their own documentation
pub enum Cmp {
    Lt,
    Le,
    Eq,
    Ne,
    Ge,
    Gt,
}

impl Cmp {
    /// The outcome.
    pub const fn test(self, lhs: i64, rhs: i64) -> bool {
        match self {
            Self::Lt => lhs < rhs,
            Self::Le => lhs <= rhs,
            Self::Eq => lhs == rhs,
            Self::Ne => lhs != rhs,
            Self::Ge => lhs >= rhs,
            Self::Gt => lhs > rhs,
        }
    }
}
