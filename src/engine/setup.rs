//! The environment of a machine: what hardware, the build and the administrator decide before the first operation.

use super::op::SysctlKey;
use super::units::PageSize;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Which build of the kernel: decides how many bytes an skb head costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Build {
    /// Debian cloud image: no WLAN, tunnels. `MAX_TCP_HEADER` 256.
    #[default]
    DebianCloud,
    /// Full distribution kernel: WLAN with mesh, tunnels. `MAX_TCP_HEADER` 320.
    Distro,
    /// No WLAN, no tunnels. `MAX_TCP_HEADER` 192.
    Minimal,
}

impl Build {
    /// Every build, in display order.
    pub const ALL: [Self; 3] = [Self::DebianCloud, Self::Distro, Self::Minimal];

    /// The name used in scenarios and links.
    pub const fn name(self) -> &'static str {
        match self {
            Self::DebianCloud => "debian-cloud",
            Self::Distro => "distro",
            Self::Minimal => "minimal",
        }
    }

    /// Looks a build up by name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|b| b.name() == name)
    }
}

/// What an arriving packet costs: decided by the driver, so it is input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RxTruesize {
    /// The driver copies small frames into a fresh kmalloc'ed head (TUN, as recorded).
    #[default]
    Copy,
    /// Half a page per frame: most NICs at MTU 1500; 2304 per packet.
    HalfPage,
    /// A page per frame: 4352 per packet.
    FullPage,
}

impl RxTruesize {
    /// Every preset, in display order.
    pub const ALL: [Self; 3] = [Self::Copy, Self::HalfPage, Self::FullPage];

    /// The name used in scenarios and links.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Copy => "copy",
            Self::HalfPage => "half-page",
            Self::FullPage => "full-page",
        }
    }

    /// Looks a preset up by name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|p| p.name() == name)
    }
}

/// Everything a machine is made from, besides the kernel profile.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setup {
    /// Kernel build.
    pub build: Build,
    /// Page size.
    pub page_size: PageSize,
    /// Number of CPUs. The modelled task runs on CPU 0.
    pub cpus: u32,
    /// Whether the task starts in a memory cgroup of its own (otherwise in the root cgroup).
    pub memcg: bool,
    /// Other memory that the task's group holds from the start and that counts towards `memory.max`, pages.
    #[serde(default)]
    pub memcg_other: u32,
    /// MTU of the device, bytes.
    pub mtu: u32,
    /// What arriving packets cost.
    pub rx_truesize: RxTruesize,
    /// Sysctls written before the first operation: the value as text, as `sysctl` takes it.
    /// What is absent has the profile's default.
    pub sysctls: BTreeMap<SysctlKey, String>,
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            build: Build::default(),
            page_size: PageSize::K4,
            cpus: 1,
            memcg: true,
            memcg_other: 0,
            mtu: 1500,
            rx_truesize: RxTruesize::default(),
            sysctls: BTreeMap::new(),
        }
    }
}
