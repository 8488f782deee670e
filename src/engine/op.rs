//! The vocabulary: everything that can happen to a machine.
//!
//! One list of operations is a scenario. The same list is what the page plays, what a link carries and
//! what a recording of a real kernel holds beside the kernel's answers, so the serialized form of an
//! [`Op`] is exactly the recordings' form: `{"op":"send","sock":"s","bytes":1000}`.

use super::units::Micros;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// Longest name a socket may have, in bytes.
pub const NAME_MAX: usize = 15;

/// The name a scenario gives a socket: a letter, then letters, digits or `_`; 1 to 15 bytes.
///
/// Stored inline so that it is `Copy` and compares fast.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SockName {
    bytes: [u8; NAME_MAX],
    len: u8,
}

impl SockName {
    /// Checks and stores `name`. `None` when it is empty, too long, or has a character that is not allowed.
    pub fn new(name: &str) -> Option<Self> {
        let raw = name.as_bytes();
        if raw.is_empty() || raw.len() > NAME_MAX || !raw[0].is_ascii_alphabetic() {
            return None;
        }
        if !raw.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'_') {
            return None;
        }
        let mut bytes = [0; NAME_MAX];
        bytes[..raw.len()].copy_from_slice(raw);
        Some(Self { bytes, len: u8::try_from(raw.len()).ok()? })
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.bytes[..usize::from(self.len)]).unwrap_or_default()
    }
}

impl fmt::Display for SockName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for SockName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.as_str())
    }
}

impl Serialize for SockName {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for SockName {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let text = String::deserialize(d)?;
        Self::new(&text).ok_or_else(|| {
            serde::de::Error::custom(format!(
                "socket name {text:?}: expected a letter, then letters, digits or _, at most {NAME_MAX} bytes"
            ))
        })
    }
}

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

/// A socket option the model knows, by the kernel's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[allow(non_camel_case_types, missing_docs)] // the kernel's names are the documentation
#[rustfmt::skip]
pub enum SockOpt {
    SO_SNDBUF, SO_SNDBUFFORCE, SO_RCVBUF, SO_RCVBUFFORCE, SO_BUF_LOCK, SO_RESERVE_MEM, SO_RCVLOWAT,
    TCP_NODELAY, TCP_WINDOW_CLAMP,
}

impl SockOpt {
    /// Every option, in display order.
    pub const ALL: [Self; 9] = [
        Self::SO_RESERVE_MEM,
        Self::SO_RCVBUF,
        Self::SO_SNDBUF,
        Self::SO_RCVBUFFORCE,
        Self::SO_SNDBUFFORCE,
        Self::SO_BUF_LOCK,
        Self::SO_RCVLOWAT,
        Self::TCP_NODELAY,
        Self::TCP_WINDOW_CLAMP,
    ];

    /// The kernel's spelling.
    pub const fn name(self) -> &'static str {
        match self {
            Self::SO_SNDBUF => "SO_SNDBUF",
            Self::SO_SNDBUFFORCE => "SO_SNDBUFFORCE",
            Self::SO_RCVBUF => "SO_RCVBUF",
            Self::SO_RCVBUFFORCE => "SO_RCVBUFFORCE",
            Self::SO_BUF_LOCK => "SO_BUF_LOCK",
            Self::SO_RESERVE_MEM => "SO_RESERVE_MEM",
            Self::SO_RCVLOWAT => "SO_RCVLOWAT",
            Self::TCP_NODELAY => "TCP_NODELAY",
            Self::TCP_WINDOW_CLAMP => "TCP_WINDOW_CLAMP",
        }
    }

    /// Looks an option up by the kernel's spelling.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|o| o.name() == name)
    }
}

/// A sysctl the model knows. Serialized as the dotted name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)] // the kernel's names are the documentation; `name` spells them
pub enum SysctlKey {
    TcpMem,
    TcpRmem,
    TcpWmem,
    UdpMem,
    UdpRmemMin,
    RmemMax,
    WmemMax,
    RmemDefault,
    WmemDefault,
    MemPcpuRsv,
    BypassProtMem,
    TcpAdvWinScale,
    TcpModerateRcvbuf,
    TcpAppWin,
    TcpShrinkWindow,
    TcpWindowScaling,
    TcpRcvbufLowRtt,
    TcpNoMetricsSave,
    HighOrderAllocDisable,
    TcpCongestionControl,
}

impl SysctlKey {
    /// Every key.
    pub const ALL: [Self; 20] = [
        Self::TcpMem,
        Self::TcpRmem,
        Self::TcpWmem,
        Self::UdpMem,
        Self::UdpRmemMin,
        Self::RmemMax,
        Self::WmemMax,
        Self::RmemDefault,
        Self::WmemDefault,
        Self::MemPcpuRsv,
        Self::BypassProtMem,
        Self::TcpAdvWinScale,
        Self::TcpModerateRcvbuf,
        Self::TcpAppWin,
        Self::TcpShrinkWindow,
        Self::TcpWindowScaling,
        Self::TcpRcvbufLowRtt,
        Self::TcpNoMetricsSave,
        Self::HighOrderAllocDisable,
        Self::TcpCongestionControl,
    ];

    /// The dotted name, as `sysctl` prints it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::TcpMem => "net.ipv4.tcp_mem",
            Self::TcpRmem => "net.ipv4.tcp_rmem",
            Self::TcpWmem => "net.ipv4.tcp_wmem",
            Self::UdpMem => "net.ipv4.udp_mem",
            Self::UdpRmemMin => "net.ipv4.udp_rmem_min",
            Self::RmemMax => "net.core.rmem_max",
            Self::WmemMax => "net.core.wmem_max",
            Self::RmemDefault => "net.core.rmem_default",
            Self::WmemDefault => "net.core.wmem_default",
            Self::MemPcpuRsv => "net.core.mem_pcpu_rsv",
            Self::BypassProtMem => "net.core.bypass_prot_mem",
            Self::TcpAdvWinScale => "net.ipv4.tcp_adv_win_scale",
            Self::TcpModerateRcvbuf => "net.ipv4.tcp_moderate_rcvbuf",
            Self::TcpAppWin => "net.ipv4.tcp_app_win",
            Self::TcpShrinkWindow => "net.ipv4.tcp_shrink_window",
            Self::TcpWindowScaling => "net.ipv4.tcp_window_scaling",
            Self::TcpRcvbufLowRtt => "net.ipv4.tcp_rcvbuf_low_rtt",
            Self::TcpNoMetricsSave => "net.ipv4.tcp_no_metrics_save",
            Self::HighOrderAllocDisable => "net.core.high_order_alloc_disable",
            Self::TcpCongestionControl => "net.ipv4.tcp_congestion_control",
        }
    }

    /// How many numbers the value has: 3 for the triples, 1 otherwise, 0 where it is a word.
    pub const fn arity(self) -> u32 {
        match self {
            Self::TcpMem | Self::TcpRmem | Self::TcpWmem | Self::UdpMem => 3,
            Self::TcpCongestionControl => 0,
            _ => 1,
        }
    }

    /// Looks a key up by its dotted name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|k| k.name() == name)
    }
}

impl Serialize for SysctlKey {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for SysctlKey {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let text = String::deserialize(d)?;
        Self::from_name(&text).ok_or_else(|| serde::de::Error::custom(format!("unknown sysctl {text:?}")))
    }
}

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

/// A sysctl's value: recordings write a single number as a number.
fn number_or_text<'de, D: Deserializer<'de>>(d: D) -> Result<String, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Value {
        Number(i64),
        Text(String),
    }
    Ok(match Value::deserialize(d)? {
        Value::Number(n) => n.to_string(),
        Value::Text(text) => text,
    })
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

/// How much time an operation brings: the engine reads no clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Timing {
    /// Time that passes between the end of the previous operation and the start of this one.
    pub after: Micros,
    /// Time the operation itself takes; packets and calls inside it are spread evenly over it.
    pub took: Micros,
}

impl Timing {
    /// What an operation takes when a scenario does not say: 2 ms of pause, then 1 ms of work, as in the recordings.
    pub const USUAL: Self = Self { after: Micros(2_000), took: Micros(1_000) };
}

impl Default for Timing {
    fn default() -> Self {
        Self::USUAL
    }
}

/// An operation and its time, as a scenario stores it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimedOp {
    /// What happens.
    #[serde(flatten)]
    pub op: Op,
    /// How long it takes; absent: [`Timing::USUAL`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timing: Option<Timing>,
}

impl From<Op> for TimedOp {
    fn from(op: Op) -> Self {
        Self { op, timing: None }
    }
}
