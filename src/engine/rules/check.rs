//! Whether an operation makes sense here, before anything is changed.

use crate::engine::machine::{Machine, SOCKS_MAX};
use crate::engine::op::{Op, Protocol, SockName, SysctlKey};
use crate::engine::sock::{Sock, TcpState};
use crate::engine::step::Refused;

fn tcp(m: &Machine, name: SockName) -> Result<&Sock, Refused> {
    let sock = any(m, name)?;
    if sock.kind == Protocol::Tcp { Ok(sock) } else { Err(Refused::NotTcp(name)) }
}

fn any(m: &Machine, name: SockName) -> Result<&Sock, Refused> {
    m.find(name).map(|(_, sock)| sock).ok_or(Refused::UnknownSock(name))
}

/// A socket the task holds: an orphan answers to the peer alone.
fn held(m: &Machine, name: SockName) -> Result<&Sock, Refused> {
    let sock = any(m, name)?;
    if sock.orphan {
        Err(Refused::UnknownSock(name))
    } else if sock.accepted {
        Ok(sock)
    } else {
        Err(Refused::NotAccepted(name))
    }
}

/// A TCP socket the task holds.
fn owned(m: &Machine, name: SockName) -> Result<&Sock, Refused> {
    let sock = held(m, name)?;
    if sock.kind == Protocol::Tcp { Ok(sock) } else { Err(Refused::NotTcp(name)) }
}

fn connected(sock: &Sock, name: SockName) -> Result<(), Refused> {
    match sock.state {
        TcpState::Close | TcpState::Listen => Err(Refused::NotConnected(name)),
        _ => Ok(()),
    }
}

fn range(field: &str, value: i64, min: i64, max: i64) -> Result<(), Refused> {
    if (min..=max).contains(&value) {
        Ok(())
    } else {
        Err(Refused::OutOfRange { field: field.to_owned(), value, min, max })
    }
}

fn peer(p: &crate::engine::op::PeerOptions) -> Result<(), Refused> {
    range("mss", i64::from(p.mss), 88, 65_495)?;
    range("wscale", i64::from(p.wscale), 0, 14)?;
    range("win", i64::from(p.win), 0, 65_535 << 14)?;
    range("sack", i64::from(p.sack), 0, 1)?;
    range("ts", i64::from(p.ts), 0, 1)
}

fn free(m: &Machine, name: SockName, more: u32) -> Result<(), Refused> {
    if m.find(name).is_some_and(|(_, sock)| !sock.orphan) {
        return Err(Refused::SockExists(name));
    }
    if u32::try_from(m.socks.len()).unwrap_or(u32::MAX).saturating_add(more) > SOCKS_MAX {
        return Err(Refused::TooManySocks(SOCKS_MAX));
    }
    Ok(())
}

/// Most packets or calls one operation may hold.
const COUNT_MAX: i64 = 100_000;
/// Most bytes one call may pass.
const CALL_MAX: i64 = 1 << 30;

/// Checks an operation against the state. Reads only.
///
/// # Errors
/// Why it makes no sense.
pub fn check_op(m: &Machine, op: &Op) -> Result<(), Refused> {
    match op {
        Op::Socket { sock, .. } => free(m, *sock, 1),
        Op::Many { prefix, n } => check_many(m, *prefix, *n),
        Op::Setsockopt { sock, .. }
        | Op::Getsockopt { sock, .. }
        | Op::Close { sock, .. }
        | Op::ReadAll { sock } => held(m, *sock).map(|_| ()),
        Op::Connect { sock, peer: p } => {
            peer(p)?;
            match owned(m, *sock)?.state {
                TcpState::Close => Ok(()),
                _ => Err(Refused::AlreadyConnected(*sock)),
            }
        }
        Op::Listen { sock } => match owned(m, *sock)?.state {
            TcpState::Close | TcpState::Listen => Ok(()),
            _ => Err(Refused::AlreadyConnected(*sock)),
        },
        Op::PeerConnect { sock, child, peer: p } => {
            peer(p)?;
            listening(m, *sock)?;
            free(m, *child, 1)
        }
        Op::Accept { sock, child } => check_accept(m, *sock, *child),
        Op::Send { sock, bytes, count } => {
            range("bytes", i64::from(*bytes), 1, CALL_MAX)?;
            range("count", i64::from(*count), 1, COUNT_MAX)?;
            owned(m, *sock).map(|_| ())
        }
        Op::Read { sock, bytes, count } => {
            range("bytes", i64::from(*bytes), 1, CALL_MAX)?;
            range("count", i64::from(*count), 1, COUNT_MAX)?;
            held(m, *sock).map(|_| ())
        }
        Op::Shutdown { sock } => connected(owned(m, *sock)?, *sock),
        Op::Sysctl { key, value } => check_sysctl(m, *key, value),
        Op::Cgroup { file, value } => {
            if file != "memory.max" {
                return Err(Refused::CgroupFile(file.clone()));
            }
            range("value", *value, -1, 1 << 48)
        }
        Op::Sleep { ms } => range("ms", i64::from(*ms), 0, 3_600_000),
        Op::BpfBypass { value } => range("value", *value, 0, 1),
        Op::CgroupLeave {} | Op::CgroupEnter {} | Op::State {} => Ok(()),
        _ => check_from_peer(m, op),
    }
}

/// What the peer does, and datagrams.
fn check_from_peer(m: &Machine, op: &Op) -> Result<(), Refused> {
    match op {
        Op::Ack { sock, bytes, win } => {
            range("bytes", i64::from(bytes.unwrap_or(0)), 0, CALL_MAX)?;
            range("win", i64::from(win.unwrap_or(0)), 0, 65_535 << 14)?;
            connected(tcp(m, *sock)?, *sock)
        }
        Op::PeerWin { sock, win } => {
            range("win", i64::from(*win), 0, 65_535 << 14)?;
            connected(tcp(m, *sock)?, *sock)
        }
        Op::AckAll { sock } | Op::RxFin { sock } | Op::RxRst { sock } => connected(tcp(m, *sock)?, *sock),
        Op::RxSkip { sock, bytes } => {
            range("bytes", i64::from(*bytes), 0, CALL_MAX)?;
            connected(tcp(m, *sock)?, *sock)
        }
        Op::Rx { sock, len, count, truesize, .. } => {
            segment(*len, *count, *truesize)?;
            connected(tcp(m, *sock)?, *sock)
        }
        Op::RxAt { sock, ofs, len, count, stride, truesize } => {
            segment(*len, *count, *truesize)?;
            range("ofs", i64::from(*ofs), -CALL_MAX, CALL_MAX)?;
            range("stride", i64::from(*stride), 0, CALL_MAX)?;
            connected(tcp(m, *sock)?, *sock)
        }
        Op::UdpRx { sock, len, count, truesize } => {
            segment(*len, *count, *truesize)?;
            udp(m, *sock)
        }
        Op::UdpSend { sock, len, count, .. } => {
            segment(*len, *count, None)?;
            udp(m, *sock)
        }
        // The task's own operations were checked before.
        _ => Ok(()),
    }
}

fn check_many(m: &Machine, prefix: SockName, n: u32) -> Result<(), Refused> {
    range("n", i64::from(n), 1, i64::from(SOCKS_MAX))?;
    for i in 0..n {
        let text = format!("{prefix}{i}");
        let name = SockName::new(&text).ok_or(Refused::OutOfRange {
            field: "n".to_owned(),
            value: i64::from(n),
            min: 1,
            max: i64::from(i),
        })?;
        free(m, name, n - i)?;
    }
    Ok(())
}

fn check_accept(m: &Machine, listener: SockName, child: SockName) -> Result<(), Refused> {
    let (id, _) = listening(m, listener)?;
    let (_, c) = m.find(child).ok_or(Refused::UnknownSock(child))?;
    if c.accepted || c.listener != Some(id) {
        return Err(Refused::NotWaiting { child, listener });
    }
    Ok(())
}

fn listening(m: &Machine, name: SockName) -> Result<(crate::engine::sock::SockId, &Sock), Refused> {
    let sock = owned(m, name)?;
    if sock.state != TcpState::Listen {
        return Err(Refused::NotListening(name));
    }
    m.find(name).ok_or(Refused::UnknownSock(name))
}

fn segment(len: u32, count: u32, truesize: Option<u32>) -> Result<(), Refused> {
    range("len", i64::from(len), 1, 65_535)?;
    range("count", i64::from(count), 1, COUNT_MAX)?;
    if let Some(t) = truesize {
        range("truesize", i64::from(t), i64::from(len) + 1, 16 << 20)?;
    }
    Ok(())
}

fn udp(m: &Machine, name: SockName) -> Result<(), Refused> {
    if any(m, name)?.kind == Protocol::Udp { Ok(()) } else { Err(Refused::NotUdp(name)) }
}

fn check_sysctl(m: &Machine, key: SysctlKey, value: &str) -> Result<(), Refused> {
    let mut scratch = m.sysctls.clone();
    crate::engine::sysctl::write(&mut scratch, &m.profile, key, value).map(|_| ())
}
