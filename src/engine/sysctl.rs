//! Sysctls: their values as numbers, and what the kernel accepts.

use super::op::SysctlKey;
use super::profile::Profile;
use super::step::{Errno, Refused};
use serde::{Deserialize, Serialize};

/// Values in force. Bytes unless the name says otherwise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)] // `SysctlKey::name` spells each; the kernel's documentation says what it does
pub struct Sysctls {
    /// Pages: min, pressure, max.
    pub tcp_mem: [i64; 3],
    /// Pages: min, pressure, max.
    pub udp_mem: [i64; 3],
    pub tcp_rmem: [i64; 3],
    pub tcp_wmem: [i64; 3],
    pub udp_rmem_min: i64,
    pub rmem_max: i64,
    pub wmem_max: i64,
    pub rmem_default: i64,
    pub wmem_default: i64,
    /// Pages.
    pub mem_pcpu_rsv: i64,
    pub bypass_prot_mem: i64,
    pub tcp_adv_win_scale: i64,
    pub tcp_moderate_rcvbuf: i64,
    pub tcp_app_win: i64,
    pub tcp_shrink_window: i64,
    pub tcp_window_scaling: i64,
    /// Microseconds.
    pub tcp_rcvbuf_low_rtt: i64,
}

impl Sysctls {
    /// What a kernel starts with.
    pub(super) const fn defaults(profile: &Profile) -> Self {
        let d = &profile.defaults;
        Self {
            tcp_mem: d.tcp_mem,
            udp_mem: d.udp_mem,
            tcp_rmem: d.tcp_rmem,
            tcp_wmem: d.tcp_wmem,
            udp_rmem_min: 4096,
            rmem_max: d.rmem_max,
            wmem_max: d.wmem_max,
            rmem_default: 212_992,
            wmem_default: 212_992,
            mem_pcpu_rsv: 256,
            bypass_prot_mem: 0,
            tcp_adv_win_scale: 1,
            tcp_moderate_rcvbuf: 1,
            tcp_app_win: 31,
            tcp_shrink_window: 0,
            tcp_window_scaling: 1,
            tcp_rcvbuf_low_rtt: 1000,
        }
    }

    /// The value of a key as `sysctl` prints it.
    pub fn show(&self, key: SysctlKey) -> String {
        let triple = |t: [i64; 3]| format!("{} {} {}", t[0], t[1], t[2]);
        match key {
            SysctlKey::TcpMem => triple(self.tcp_mem),
            SysctlKey::UdpMem => triple(self.udp_mem),
            SysctlKey::TcpRmem => triple(self.tcp_rmem),
            SysctlKey::TcpWmem => triple(self.tcp_wmem),
            SysctlKey::UdpRmemMin => self.udp_rmem_min.to_string(),
            SysctlKey::RmemMax => self.rmem_max.to_string(),
            SysctlKey::WmemMax => self.wmem_max.to_string(),
            SysctlKey::RmemDefault => self.rmem_default.to_string(),
            SysctlKey::WmemDefault => self.wmem_default.to_string(),
            SysctlKey::MemPcpuRsv => self.mem_pcpu_rsv.to_string(),
            SysctlKey::BypassProtMem => self.bypass_prot_mem.to_string(),
            SysctlKey::TcpAdvWinScale => self.tcp_adv_win_scale.to_string(),
            SysctlKey::TcpModerateRcvbuf => self.tcp_moderate_rcvbuf.to_string(),
            SysctlKey::TcpAppWin => self.tcp_app_win.to_string(),
            SysctlKey::TcpShrinkWindow => self.tcp_shrink_window.to_string(),
            SysctlKey::TcpWindowScaling => self.tcp_window_scaling.to_string(),
            SysctlKey::TcpRcvbufLowRtt => self.tcp_rcvbuf_low_rtt.to_string(),
            SysctlKey::TcpNoMetricsSave => "1".to_owned(),
            SysctlKey::HighOrderAllocDisable => "0".to_owned(),
            SysctlKey::TcpCongestionControl => "reno".to_owned(),
        }
    }
}

/// Writes a sysctl: what the kernel answers.
///
/// # Errors
/// `Refused` when the text is not the right number of numbers; nothing is changed. What the kernel itself
/// refuses is `Ok(Some(errno))`.
pub(super) fn write(
    values: &mut Sysctls,
    profile: &Profile,
    key: SysctlKey,
    text: &str,
) -> Result<Option<Errno>, Refused> {
    let exists = match key {
        SysctlKey::MemPcpuRsv => matches!(profile.counter, super::profile::CounterRead::PerCpu),
        SysctlKey::BypassProtMem => profile.bypass,
        SysctlKey::TcpShrinkWindow => profile.shrink_window,
        SysctlKey::TcpRcvbufLowRtt => profile.low_rtt,
        _ => true,
    };
    if !exists {
        return Ok(Some(Errno::ENOENT));
    }
    let bad = || Refused::SysctlValue { key, value: text.to_owned() };
    if key.arity() == 0 {
        // The model knows one congestion control: the recorded one.
        return if text.trim() == "reno" { Ok(None) } else { Err(bad()) };
    }
    let numbers: Vec<i64> =
        text.split_whitespace().map(str::parse).collect::<Result<_, _>>().map_err(|_| bad())?;
    if numbers.len() != key.arity() as usize || numbers.iter().any(|n| n.unsigned_abs() > 1 << 48) {
        return Err(bad());
    }
    Ok(store(values, profile, key, &numbers))
}

/// Bounds that the kernel checks; outside them it answers EINVAL.
fn bounds(profile: &Profile, key: SysctlKey) -> (i64, i64) {
    let int_max = i64::from(i32::MAX);
    match key {
        SysctlKey::TcpMem | SysctlKey::UdpMem => (0, 1 << 48),
        SysctlKey::TcpRmem => (profile.defaults.tcp_rmem_floor, int_max),
        SysctlKey::TcpWmem | SysctlKey::UdpRmemMin => (1, int_max),
        SysctlKey::RmemMax | SysctlKey::RmemDefault => (super::rules::truesize::SOCK_MIN_RCVBUF, int_max),
        SysctlKey::WmemMax | SysctlKey::WmemDefault => (super::rules::truesize::SOCK_MIN_SNDBUF, int_max),
        SysctlKey::MemPcpuRsv => (256, int_max),
        SysctlKey::BypassProtMem => (0, 1),
        SysctlKey::TcpAdvWinScale => (-31, 31),
        SysctlKey::TcpRcvbufLowRtt => (0, int_max),
        _ => (0, 255),
    }
}

fn store(values: &mut Sysctls, profile: &Profile, key: SysctlKey, numbers: &[i64]) -> Option<Errno> {
    let (min, max) = bounds(profile, key);
    if numbers.iter().any(|n| *n < min || *n > max) {
        return Some(Errno::EINVAL);
    }
    let one = numbers[0];
    let triple = || [numbers[0], numbers[1], numbers[2]];
    match key {
        SysctlKey::TcpMem => values.tcp_mem = triple(),
        SysctlKey::UdpMem => values.udp_mem = triple(),
        SysctlKey::TcpRmem => values.tcp_rmem = triple(),
        SysctlKey::TcpWmem => values.tcp_wmem = triple(),
        SysctlKey::UdpRmemMin => values.udp_rmem_min = one,
        SysctlKey::RmemMax => values.rmem_max = one,
        SysctlKey::WmemMax => values.wmem_max = one,
        SysctlKey::RmemDefault => values.rmem_default = one,
        SysctlKey::WmemDefault => values.wmem_default = one,
        SysctlKey::MemPcpuRsv => values.mem_pcpu_rsv = one,
        SysctlKey::BypassProtMem => values.bypass_prot_mem = one,
        SysctlKey::TcpAdvWinScale => values.tcp_adv_win_scale = one,
        SysctlKey::TcpModerateRcvbuf => values.tcp_moderate_rcvbuf = one,
        SysctlKey::TcpAppWin => values.tcp_app_win = one,
        SysctlKey::TcpShrinkWindow => values.tcp_shrink_window = one,
        SysctlKey::TcpWindowScaling => values.tcp_window_scaling = one,
        SysctlKey::TcpRcvbufLowRtt => values.tcp_rcvbuf_low_rtt = one,
        SysctlKey::TcpNoMetricsSave | SysctlKey::HighOrderAllocDisable | SysctlKey::TcpCongestionControl => {}
    }
    None
}
