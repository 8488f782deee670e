//! Operations as short labels, and what they answered.

use super::numbers::number;
use crate::engine::op::{Op, Protocol, SockOpt};
use crate::engine::step::{Errno, Step};

/// A short label without the socket: `RESERVE_MEM 102400`, `send 1000 x20`.
pub fn op_label(op: &Op) -> String {
    match op {
        Op::Socket { sock, kind: Protocol::Tcp } => format!("socket {sock}"),
        Op::Socket { sock, kind: Protocol::Udp } => format!("udp socket {sock}"),
        Op::Many { prefix, n } => format!("{n} sockets {prefix}0.."),
        Op::Setsockopt { name, value, .. } => format!("{} {value}", option_short(*name)),
        Op::Getsockopt { name, .. } => format!("read {}", option_short(*name)),
        Op::Connect { .. } => "connect".to_owned(),
        Op::Listen { .. } => "listen".to_owned(),
        Op::PeerConnect { child, .. } => format!("peer connects: {child}"),
        Op::Accept { child, .. } => format!("accept {child}"),
        Op::Send { bytes, count, .. } => times(format!("send {bytes}"), *count),
        Op::Ack { bytes, win, .. } => {
            let what = bytes.map_or_else(|| "ack".to_owned(), |bytes| format!("ack {bytes}"));
            win.map_or_else(|| what.clone(), |win| format!("{what} win {win}"))
        }
        Op::AckAll { .. } => "ack all".to_owned(),
        Op::PeerWin { win, .. } => format!("peer win {win}"),
        Op::Rx { len, count, .. } => times(format!("rx {len}"), *count),
        Op::RxAt { ofs, len, count, .. } => times(format!("rx {len} at {ofs:+}"), *count),
        Op::RxSkip { bytes, .. } => format!("rx skip {bytes}"),
        Op::RxFin { .. } => "rx FIN".to_owned(),
        Op::RxRst { .. } => "rx RST".to_owned(),
        Op::Read { bytes, count, .. } => times(format!("read {bytes}"), *count),
        Op::ReadAll { .. } => "read all".to_owned(),
        Op::UdpRx { len, count, .. } => times(format!("udp rx {len}"), *count),
        Op::UdpSend { len, count, .. } => times(format!("udp send {len}"), *count),
        Op::Sysctl { key, value } => {
            let name = key.name();
            format!("{} = {value}", name.rsplit('.').next().unwrap_or(name))
        }
        Op::Cgroup { file, value: -1 } => format!("{file} = max"),
        Op::Cgroup { file, value } => format!("{file} = {value}"),
        Op::CgroupLeave {} => "leave cgroup".to_owned(),
        Op::CgroupEnter {} => "enter cgroup".to_owned(),
        Op::BpfBypass { value: 0 } => "BPF bypass off".to_owned(),
        Op::BpfBypass { .. } => "BPF bypass on".to_owned(),
        Op::Sleep { ms } => format!("sleep {ms} ms"),
        Op::State {} => "look".to_owned(),
        Op::Shutdown { .. } => "shutdown".to_owned(),
        Op::Close { rst: 0, .. } => "close".to_owned(),
        Op::Close { .. } => "close with RST".to_owned(),
    }
}

/// An option's name without its prefix where that is `SO_`.
pub fn option_short(option: SockOpt) -> &'static str {
    let name = option.name();
    name.strip_prefix("SO_").unwrap_or(name)
}

fn times(what: String, count: u32) -> String {
    if count == 1 { what } else { format!("{what} x{count}") }
}

/// What the call answered, as a console shows it: `= 0`, `= -1 ENOMEM`, `= 3,000, then EAGAIN`.
pub fn answer(step: &Step) -> String {
    brief(step.ret, step.errno)
}

/// As [`answer`], from the two numbers.
pub fn brief(ret: i64, errno: Option<Errno>) -> String {
    let shown = number(ret);
    match errno {
        None => format!("= {shown}"),
        Some(errno) if ret < 0 => format!("= {shown} {}", errno.name()),
        Some(errno) => format!("= {shown}, then {}", errno.name()),
    }
}
