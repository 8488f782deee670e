//! A whole step as one typed message: what the kernel did and why.

mod digest;
mod message;

pub use message::{Also, Environment, Life, Main, Message, OptionCall, Receive, Transmit};

use super::limit::limit;
use crate::engine::op::{Op, SockOpt};
use crate::engine::reason::Field;
use crate::engine::step::{Errno, Step};
use digest::Digest;

/// One message for a step.
pub fn summary(op: &Op, step: &Step) -> Message {
    let digest = Digest::of(op, step);
    Message { main: main(op, step, &digest), also: also(op, step, &digest) }
}

fn main(op: &Op, step: &Step, d: &Digest) -> Main {
    match op {
        Op::Socket { .. }
        | Op::Many { .. }
        | Op::Connect { .. }
        | Op::Listen { .. }
        | Op::PeerConnect { .. }
        | Op::Accept { .. }
        | Op::Shutdown { .. }
        | Op::Close { .. } => life(op, step, d).map_or_else(|| environment(op, step, d), Main::Life),
        Op::Setsockopt { sock, name, value } => {
            Main::Option(*sock, *name, setsockopt(*name, i64::from(*value), step, d))
        }
        Op::Getsockopt { sock, name } => {
            let call = match step.errno {
                Some(errno) => OptionCall::ReadRefused { errno },
                None => OptionCall::Read { value: step.ret },
            };
            Main::Option(*sock, *name, call)
        }
        Op::Send { sock, .. } | Op::UdpSend { sock, .. } => Main::Transmit(*sock, send(step, d)),
        Op::Ack { sock, .. } | Op::AckAll { sock } => Main::Transmit(*sock, acked(d)),
        Op::PeerWin { sock, win } => Main::Transmit(*sock, Transmit::PeerWindow { win: i64::from(*win) }),
        Op::Rx { sock, len, count, .. } => {
            let packets = step.segs.unwrap_or_else(|| i64::from(*count));
            Main::Receive(*sock, received(packets, i64::from(*len), step, d))
        }
        Op::RxAt { sock, len, count, .. } | Op::UdpRx { sock, len, count, .. } => {
            Main::Receive(*sock, received(i64::from(*count), i64::from(*len), step, d))
        }
        Op::RxSkip { sock, bytes } => Main::Receive(*sock, Receive::Skipped { bytes: i64::from(*bytes) }),
        Op::RxFin { sock } => Main::Receive(*sock, Receive::Fin),
        Op::RxRst { sock } => Main::Receive(*sock, Receive::Reset { pages: d.returned() }),
        Op::Read { sock, .. } | Op::ReadAll { sock } => Main::Receive(*sock, read(step, d)),
        Op::Sysctl { .. }
        | Op::Cgroup { .. }
        | Op::CgroupLeave {}
        | Op::CgroupEnter {}
        | Op::BpfBypass { .. }
        | Op::Sleep { .. }
        | Op::State {} => environment(op, step, d),
    }
}

fn life(op: &Op, step: &Step, d: &Digest) -> Option<Life> {
    if let (Some(errno), Some(sock)) = (step.errno, op.sock()) {
        return Some(Life::Failed { sock, errno });
    }
    Some(match op {
        Op::Socket { sock, kind } => Life::Created {
            sock: *sock,
            kind: *kind,
            sndbuf: d.after(Field::Sndbuf),
            rcvbuf: d.after(Field::Rcvbuf),
        },
        Op::Many { prefix, n } => Life::CreatedMany { prefix: *prefix, n: *n },
        Op::Connect { sock, .. } => Life::Connected { sock: *sock, syn: step.syn },
        Op::Listen { sock } => Life::Listening { sock: *sock },
        Op::PeerConnect { sock, child, .. } => {
            Life::ChildMade { listener: *sock, child: *child, synack: step.synack }
        }
        Op::Accept { child, .. } => Life::Accepted { child: *child, charged: d.memcg() },
        Op::Shutdown { sock } => Life::Shutdown { sock: *sock },
        Op::Close { sock, rst } => Life::Closed { sock: *sock, pages: d.returned(), reset: *rst != 0 },
        _ => return None,
    })
}

fn environment(op: &Op, step: &Step, d: &Digest) -> Main {
    Main::Environment(match op {
        Op::Sysctl { key, value } => setting(key.name(), value, step),
        Op::Cgroup { file, value: -1 } => setting(file, "max", step),
        Op::Cgroup { file, value } => setting(file, &value.to_string(), step),
        Op::CgroupLeave {} => Environment::Moved { into: false },
        Op::CgroupEnter {} => Environment::Moved { into: true },
        Op::BpfBypass { value } => Environment::Bypass { on: *value != 0 },
        Op::Sleep { ms } if d.timers > 0 => Environment::SleptFired { ms: *ms, timers: d.timers },
        Op::Sleep { ms } => Environment::Slept { ms: *ms },
        _ => Environment::Looked,
    })
}

fn setting(name: &str, value: &str, step: &Step) -> Environment {
    let (name, value) = (name.to_owned(), value.to_owned());
    match step.errno {
        Some(errno) => Environment::SettingRefused { name, value, errno },
        None => Environment::Setting { name, value },
    }
}

fn setsockopt(option: SockOpt, value: i64, step: &Step, d: &Digest) -> OptionCall {
    if let Some(errno) = step.errno {
        return OptionCall::Refused { value, errno, limit: limit(step) };
    }
    let field = match option {
        SockOpt::SO_SNDBUF | SockOpt::SO_SNDBUFFORCE => Field::Sndbuf,
        SockOpt::SO_RCVBUF | SockOpt::SO_RCVBUFFORCE => Field::Rcvbuf,
        SockOpt::SO_BUF_LOCK => Field::BufLock,
        SockOpt::SO_RESERVE_MEM => Field::Reserved,
        SockOpt::SO_RCVLOWAT => Field::RcvLowat,
        SockOpt::TCP_WINDOW_CLAMP => Field::WindowClamp,
        SockOpt::TCP_NODELAY => return OptionCall::Kept { value },
    };
    let Some((before, after)) = d.moved(field) else {
        return if d.releases { OptionCall::ReserveKept { value } } else { OptionCall::Kept { value } };
    };
    match field {
        Field::Reserved if after > before => OptionCall::Reserved { value, pages: d.bought(), after },
        Field::Reserved => OptionCall::Released { value, pages: d.returned(), after },
        _ => OptionCall::Set { value, field, before, after },
    }
}

fn send(step: &Step, d: &Digest) -> Transmit {
    if let Some(errno) = step.errno {
        return Transmit::Stopped { written: step.ret.max(0), errno, limit: limit(step) };
    }
    let (bytes, truesize, pages) = (step.ret, d.change(Field::WmemQueued), d.bought());
    if truesize <= 0 {
        Transmit::Sent { bytes }
    } else if pages > 0 {
        Transmit::SentBought { bytes, truesize, pages }
    } else {
        Transmit::SentFromCredit { bytes, truesize, credit: d.after(Field::FwdAlloc) }
    }
}

fn acked(d: &Digest) -> Transmit {
    let freed = -d.change(Field::WmemQueued);
    let (pages, credit) = (d.returned(), d.after(Field::FwdAlloc));
    if freed < 0 {
        Transmit::AckedMore { grown: -freed }
    } else if freed == 0 {
        Transmit::AckedNothing
    } else if pages > 0 {
        Transmit::AckedReturned { freed, pages }
    } else if let Some(reserved) = d.floor {
        Transmit::AckedReserved { freed, reserved }
    } else {
        Transmit::AckedKept { freed, credit }
    }
}

fn received(packets: i64, len: i64, step: &Step, d: &Digest) -> Receive {
    if let Some(verdict) = d.drop_verdict {
        return Receive::Dropped { dropped: d.dropped, packets, verdict, limit: limit(step) };
    }
    let (bytes, truesize) = (packets * len, d.change(Field::RmemAlloc));
    match d.bought() {
        _ if truesize <= 0 => Receive::QueuedFree { packets, bytes },
        0 => Receive::QueuedFromCredit { packets, bytes, truesize },
        pages => Receive::QueuedBought { packets, bytes, truesize, pages },
    }
}

fn read(step: &Step, d: &Digest) -> Receive {
    let (bytes, freed) = (step.ret, -d.change(Field::RmemAlloc));
    match (step.errno, d.returned()) {
        (Some(errno), _) if errno != Errno::EAGAIN => Receive::ReadFailed { errno },
        _ if bytes <= 0 => Receive::ReadNothing,
        (_, 0) => Receive::ReadKept { bytes, freed },
        (_, pages) => Receive::ReadReturned { bytes, freed, pages },
    }
}

fn also(op: &Op, step: &Step, d: &Digest) -> Vec<Also> {
    let mut also = Vec::new();
    if !step.imbalances.is_empty() {
        also.push(Also::Unbalanced);
    }
    match d.pressure {
        Some(true) => also.push(Also::PressureOn),
        Some(false) => also.push(Also::PressureOff),
        None => {}
    }
    // Where these are the point of the operation they are said already.
    if !matches!(op, Op::Setsockopt { .. } | Op::Socket { .. }) {
        if let Some((before, after)) = d.moved(Field::Sndbuf) {
            also.push(Also::Sndbuf { before, after });
        }
        if let Some((before, after)) = d.moved(Field::Rcvbuf) {
            also.push(Also::Rcvbuf { before, after });
        }
    }
    if d.moved(Field::RcvWnd).is_some_and(|(_, after)| after == 0) {
        also.push(Also::WindowClosed);
    }
    if d.retransmitted {
        also.push(Also::Retransmitted);
    }
    also
}
