//! Sysctls, by their dotted names.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

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
