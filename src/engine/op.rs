//! The vocabulary: everything that can happen to a machine.
//!
//! One list of operations is a scenario. The same list is what the page plays, what a link carries and
//! what a recording of a real kernel holds beside the kernel's answers, so the serialized form of an
//! [`Op`] is exactly the recordings' form: `{"op":"send","sock":"s","bytes":1000}`.

mod name;
mod option;
mod peer;
mod sysctl_key;
mod timing;

pub use name::{NAME_MAX, SockName};
pub use option::SockOpt;
pub use peer::PeerOptions;
pub use sysctl_key::SysctlKey;
pub use timing::{TimedOp, Timing};

use serde::{Deserialize, Deserializer, Serialize};

/// TCP or UDP.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    /// `SOCK_STREAM`.
    #[default]
    Tcp,
    /// `SOCK_DGRAM`.
    Udp,
}

#[allow(clippy::trivially_copy_pass_by_ref)]
const fn is_one(v: &u32) -> bool {
    *v == 1
}
#[allow(clippy::trivially_copy_pass_by_ref)]
const fn is_zero(v: &u32) -> bool {
    *v == 0
}
#[allow(clippy::trivially_copy_pass_by_ref)]
const fn is_tcp(v: &Protocol) -> bool {
    matches!(v, Protocol::Tcp)
}
const fn one() -> u32 {
    1
}

/// What recordings write as a number or as text.
#[derive(Deserialize)]
#[serde(untagged)]
enum NumberOrText {
    Number(i64),
    Text(String),
}

/// A sysctl's value, kept as text.
fn number_or_text<'de, D: Deserializer<'de>>(d: D) -> Result<String, D::Error> {
    Ok(match NumberOrText::deserialize(d)? {
        NumberOrText::Number(n) => n.to_string(),
        NumberOrText::Text(text) => text,
    })
}

/// The value of `memory.max`, as a number.
fn bytes_or_max<'de, D: Deserializer<'de>>(d: D) -> Result<i64, D::Error> {
    match NumberOrText::deserialize(d)? {
        NumberOrText::Number(n) => Ok(n),
        NumberOrText::Text(text) if text == "max" => Ok(-1),
        NumberOrText::Text(text) => text
            .parse()
            .map_err(|_| serde::de::Error::custom(format!("memory.max {text:?}: expected bytes or \"max\""))),
    }
}

/// One operation. Field names and meanings are those of the recordings (`tests/recordings/README.md`).
///
/// Sizes are bytes unless the name says otherwise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum Op {
    /// `socket(2)`: create a socket.
    Socket {
        /// Its name.
        sock: SockName,
        /// TCP unless said otherwise.
        #[serde(rename = "type", default, skip_serializing_if = "is_tcp")]
        kind: Protocol,
    },
    /// `socket(2)` and `connect(2)` many times: TCP connections named `prefix0` .. `prefix{n-1}`, with the usual peer.
    Many {
        /// What the names start with.
        prefix: SockName,
        /// How many.
        n: u32,
    },
    /// `setsockopt(2)`.
    Setsockopt {
        /// Which socket.
        sock: SockName,
        /// Which option.
        name: SockOpt,
        /// The int that is passed.
        value: i32,
    },
    /// `getsockopt(2)` of one option. Changes nothing; `ret` is what it reads.
    Getsockopt {
        /// Which socket.
        sock: SockName,
        /// Which option.
        name: SockOpt,
    },
    /// Active open; the peer answers at once with these options.
    Connect {
        /// Which socket.
        sock: SockName,
        /// What the peer answers.
        #[serde(flatten)]
        peer: PeerOptions,
    },
    /// `listen(2)`.
    Listen {
        /// Which socket.
        sock: SockName,
    },
    /// The peer's handshake with a listener: makes `child`, not yet accepted.
    PeerConnect {
        /// The listener.
        sock: SockName,
        /// The name of the connection it makes.
        child: SockName,
        /// What the peer asks for.
        #[serde(flatten)]
        peer: PeerOptions,
    },
    /// `accept(2)`.
    Accept {
        /// The listener.
        sock: SockName,
        /// The connection that is accepted.
        child: SockName,
    },
    /// `count` non-blocking `send(2)` calls of `bytes` each; stops at the first error.
    Send {
        /// Which socket.
        sock: SockName,
        /// Bytes of each call.
        bytes: u32,
        /// How many calls.
        #[serde(default = "one", skip_serializing_if = "is_one")]
        count: u32,
    },
    /// One pure ACK from the peer.
    Ack {
        /// Which socket.
        sock: SockName,
        /// Bytes further than the last; absent: everything sent so far.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        bytes: Option<u32>,
        /// New window of the peer, bytes.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        win: Option<u32>,
    },
    /// Repeats "ACK everything" until the kernel has nothing more to send.
    AckAll {
        /// Which socket.
        sock: SockName,
    },
    /// The peer announces a new window without acknowledging anything new.
    PeerWin {
        /// Which socket.
        sock: SockName,
        /// The window, bytes.
        win: u32,
    },
    /// In-order data segments from the peer.
    Rx {
        /// Which socket.
        sock: SockName,
        /// Payload of each segment.
        len: u32,
        /// How many.
        #[serde(default = "one", skip_serializing_if = "is_one")]
        count: u32,
        /// 1: stop at the advertised window, as known live.
        #[serde(default, skip_serializing_if = "is_zero")]
        respect_window: u32,
        /// 1: with `respect_window`, the window as it was when the operation began.
        #[serde(default, skip_serializing_if = "is_zero")]
        win_snapshot: u32,
        /// Not 0: the application reads everything after that many segments.
        #[serde(default, skip_serializing_if = "is_zero")]
        read_every: u32,
        /// 1: afterwards the peer's next sequence number goes back to what the kernel acknowledged.
        #[serde(default, skip_serializing_if = "is_zero")]
        rewind_unacked: u32,
        /// `truesize` of each arriving packet; absent: what the machine's receive preset gives.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        truesize: Option<u32>,
    },
    /// Segments at an offset from the peer's next sequence number (out of order).
    RxAt {
        /// Which socket.
        sock: SockName,
        /// Offset of the first, bytes; may be negative (old data).
        ofs: i32,
        /// Payload of each.
        len: u32,
        /// How many.
        #[serde(default = "one", skip_serializing_if = "is_one")]
        count: u32,
        /// Distance between two; absent or 0: `len`.
        #[serde(default, skip_serializing_if = "is_zero")]
        stride: u32,
        /// As in `rx`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        truesize: Option<u32>,
    },
    /// Moves the peer's next sequence number forward without sending.
    RxSkip {
        /// Which socket.
        sock: SockName,
        /// How far, bytes.
        bytes: u32,
    },
    /// The peer's FIN.
    RxFin {
        /// Which socket.
        sock: SockName,
    },
    /// The peer's RST.
    RxRst {
        /// Which socket.
        sock: SockName,
    },
    /// `count` non-blocking `recv(2)` calls of up to `bytes` each.
    Read {
        /// Which socket.
        sock: SockName,
        /// Bytes of each call.
        bytes: u32,
        /// How many calls.
        #[serde(default = "one", skip_serializing_if = "is_one")]
        count: u32,
    },
    /// Reads until EAGAIN.
    ReadAll {
        /// Which socket.
        sock: SockName,
    },
    /// Datagrams from the peer.
    UdpRx {
        /// Which socket.
        sock: SockName,
        /// Payload of each.
        len: u32,
        /// How many.
        #[serde(default = "one", skip_serializing_if = "is_one")]
        count: u32,
        /// As in `rx`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        truesize: Option<u32>,
    },
    /// Datagrams to the peer.
    UdpSend {
        /// Which socket.
        sock: SockName,
        /// Payload of each.
        len: u32,
        /// How many.
        #[serde(default = "one", skip_serializing_if = "is_one")]
        count: u32,
        /// 1: the device does not take packets meanwhile.
        #[serde(default, skip_serializing_if = "is_zero")]
        no_pump: u32,
    },
    /// Writes a sysctl.
    Sysctl {
        /// Which one.
        key: SysctlKey,
        /// The numbers or the word, separated by spaces.
        #[serde(deserialize_with = "number_or_text")]
        value: String,
    },
    /// Writes a file of the task's own cgroup.
    Cgroup {
        /// `memory.max`.
        file: String,
        /// Bytes, or -1 for "max".
        #[serde(deserialize_with = "bytes_or_max")]
        value: i64,
    },
    /// The task moves to the root cgroup.
    CgroupLeave {},
    /// The task moves back into its own cgroup.
    CgroupEnter {},
    /// Attaches (1) a BPF program at socket creation that sets `SK_BPF_BYPASS_PROT_MEM`, or detaches (0).
    BpfBypass {
        /// The value the program sets.
        value: i64,
    },
    /// Time passes.
    Sleep {
        /// Milliseconds.
        ms: u32,
    },
    /// Nothing happens; the state is looked at.
    State {},
    /// `shutdown(2)` for writing.
    Shutdown {
        /// Which socket.
        sock: SockName,
    },
    /// `close(2)`.
    Close {
        /// Which socket.
        sock: SockName,
        /// 1: with a RST (`SO_LINGER` 0).
        #[serde(default, skip_serializing_if = "is_zero")]
        rst: u32,
    },
}

impl Op {
    /// The socket the operation is about, if it is about one.
    pub const fn sock(&self) -> Option<SockName> {
        match self {
            Self::Socket { sock, .. }
            | Self::Setsockopt { sock, .. }
            | Self::Getsockopt { sock, .. }
            | Self::Connect { sock, .. }
            | Self::Listen { sock }
            | Self::PeerConnect { sock, .. }
            | Self::Accept { sock, .. }
            | Self::Send { sock, .. }
            | Self::Ack { sock, .. }
            | Self::AckAll { sock }
            | Self::PeerWin { sock, .. }
            | Self::Rx { sock, .. }
            | Self::RxAt { sock, .. }
            | Self::RxSkip { sock, .. }
            | Self::RxFin { sock }
            | Self::RxRst { sock }
            | Self::Read { sock, .. }
            | Self::ReadAll { sock }
            | Self::UdpRx { sock, .. }
            | Self::UdpSend { sock, .. }
            | Self::Shutdown { sock }
            | Self::Close { sock, .. } => Some(*sock),
            Self::Many { .. }
            | Self::Sysctl { .. }
            | Self::Cgroup { .. }
            | Self::CgroupLeave {}
            | Self::CgroupEnter {}
            | Self::BpfBypass { .. }
            | Self::Sleep { .. }
            | Self::State {} => None,
        }
    }
}
