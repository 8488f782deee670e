//! Counters of `/proc/net/netstat` and `/proc/net/snmp` that the model moves.

use serde::{Deserialize, Serialize};

macro_rules! counters {
    ($($variant:ident = $name:literal,)*) => {
        /// A counter, by the kernel's name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[allow(missing_docs)] // the kernel's names are the documentation
        pub enum Counter { $($variant,)* }

        impl Counter {
            /// Every counter.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The kernel's spelling.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }
        }
    };
}

counters! {
    TcpMemoryPressures = "TCPMemoryPressures",
    TcpMemoryPressuresChrono = "TCPMemoryPressuresChrono",
    PruneCalled = "PruneCalled",
    RcvPruned = "RcvPruned",
    OfoPruned = "OfoPruned",
    TcpRcvCollapsed = "TCPRcvCollapsed",
    TcpRcvCoalesce = "TCPRcvCoalesce",
    TcpRcvQDrop = "TCPRcvQDrop",
    TcpOfoDrop = "TCPOFODrop",
    TcpOfoQueue = "TCPOFOQueue",
    TcpOfoMerge = "TCPOFOMerge",
    TcpZeroWindowDrop = "TCPZeroWindowDrop",
    BeyondWindow = "BeyondWindow",
    TcpBacklogDrop = "TCPBacklogDrop",
    TcpToZeroWindowAdv = "TCPToZeroWindowAdv",
    TcpFromZeroWindowAdv = "TCPFromZeroWindowAdv",
    TcpWantZeroWindowAdv = "TCPWantZeroWindowAdv",
    TcpAbortOnMemory = "TCPAbortOnMemory",
    TcpAbortOnClose = "TCPAbortOnClose",
    TcpAbortOnData = "TCPAbortOnData",
    TcpWqueueTooBig = "TCPWqueueTooBig",
    TcpTimeouts = "TCPTimeouts",
    TcpWinProbe = "TCPWinProbe",
    RetransSegs = "RetransSegs",
    DelayedAcks = "DelayedACKs",
    UdpInDatagrams = "UdpInDatagrams",
    UdpInErrors = "UdpInErrors",
    UdpRcvbufErrors = "UdpRcvbufErrors",
    UdpMemErrors = "UdpMemErrors",
}

/// All counters, from zero at the machine's start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snmp {
    values: Vec<i64>,
}

impl Snmp {
    pub(super) fn new() -> Self {
        Self { values: Counter::ALL.iter().map(|_| 0).collect() }
    }

    /// One counter.
    pub fn get(&self, counter: Counter) -> i64 {
        self.values[counter as usize]
    }

    pub(super) fn bump(&mut self, counter: Counter, by: i64) {
        self.values[counter as usize] += by;
    }

    /// Every counter that moved.
    pub fn moved(&self) -> impl Iterator<Item = (Counter, i64)> + '_ {
        Counter::ALL.iter().map(|c| (*c, self.get(*c))).filter(|(_, v)| *v != 0)
    }
}
