//! `setsockopt(2)` and `getsockopt(2)`.

use super::rcv_window::{space_from_win, win_from_space};
use super::reclaim::sk_unused_reserved_mem;
use super::reserve_mem::set_reserve_mem;
use super::sndbuf::sk_stream_write_space;
use super::truesize::{SOCK_MIN_RCVBUF, SOCK_MIN_SNDBUF};
use crate::engine::ledger::Ledger;
use crate::engine::op::{Protocol, SockOpt};
use crate::engine::profile::{ClampSetter, LockRule, WindowFromSpace};
use crate::engine::reason::{Cmp, Field, Rule, Term, Verdict};
use crate::engine::sock::{RCVBUF_LOCK, SNDBUF_LOCK, SockId, TcpState};
use crate::engine::step::{Errno, Step};

const INT_MAX: i64 = i32::MAX as i64;

/// Runs `setsockopt`.
pub fn op_setsockopt(l: &mut Ledger, id: SockId, option: SockOpt, value: i32) -> Step {
    l.called(Rule::SkSetsockopt, Some(Term::Argument.of(i64::from(value))));
    let answer = match option {
        SockOpt::SO_SNDBUF => {
            set_sndbuf(l, id, at_most(value, l.machine().sysctls().wmem_max));
            Ok(())
        }
        SockOpt::SO_SNDBUFFORCE => {
            set_sndbuf(l, id, i64::from(value.max(0)));
            Ok(())
        }
        SockOpt::SO_RCVBUF => {
            set_rcvbuf(l, id, at_most(value, l.machine().sysctls().rmem_max));
            Ok(())
        }
        SockOpt::SO_RCVBUFFORCE => {
            set_rcvbuf(l, id, i64::from(value.max(0)));
            Ok(())
        }
        SockOpt::SO_BUF_LOCK => set_buf_lock(l, id, i64::from(value)),
        SockOpt::SO_RESERVE_MEM => set_reserve_mem(l, id, i64::from(value)),
        SockOpt::SO_RCVLOWAT => {
            set_rcvlowat(l, id, i64::from(value));
            Ok(())
        }
        SockOpt::TCP_NODELAY => set_nodelay(l, id, value != 0),
        SockOpt::TCP_WINDOW_CLAMP => set_window_clamp(l, id, i64::from(value)),
    };
    match answer {
        Ok(()) => Step::default(),
        Err(errno) => Step { ret: -1, errno: Some(errno), ..Step::default() },
    }
}

/// Runs `getsockopt`: `ret` is what it reads.
pub fn op_getsockopt(l: &Ledger, id: SockId, option: SockOpt) -> Step {
    let sock = l.sk(id);
    let profile = l.machine().profile();
    let tcp = sock.kind == Protocol::Tcp;
    let read = match option {
        SockOpt::SO_SNDBUF => Ok(sock.sndbuf().0),
        SockOpt::SO_RCVBUF => Ok(sock.rcvbuf().0),
        SockOpt::SO_BUF_LOCK if profile.buf_lock => Ok(sock.get(Field::BufLock)),
        SockOpt::SO_RESERVE_MEM if profile.reserve.exists => Ok(sock.reserved_mem().0),
        SockOpt::SO_RCVLOWAT => Ok(sock.get(Field::RcvLowat)),
        SockOpt::TCP_NODELAY if tcp => Ok(i64::from(sock.tx.nonagle.off)),
        SockOpt::TCP_WINDOW_CLAMP if tcp => Ok(sock.window_clamp().0),
        _ => Err(Errno::ENOPROTOOPT),
    };
    match read {
        Ok(ret) => Step { ret, ..Step::default() },
        Err(errno) => Step { ret: -1, errno: Some(errno), ..Step::default() },
    }
}

/// A value cut at a maximum, compared as unsigned: a negative one is larger than any maximum.
fn at_most(value: i32, max: i64) -> i64 {
    i64::from(value.cast_unsigned()).min(max)
}

/// Sets the send buffer: doubled, at least the minimum, and locked.
//= net/core/sock.c sk_setsockopt @ 6.1 6.12 7.3
//= net/core/sock.c sock_setsockopt @ 5.10
//# The value is cut at half of INT_MAX, doubled for overhead, and not below SOCK_MIN_SNDBUF. The buffer is locked
//# against autotuning, and a waiting writer is told.
fn set_sndbuf(l: &mut Ledger, id: SockId, value: i64) {
    let rule = Rule::SkSetsockopt;
    let lock = l.get(id, Field::BufLock) | SNDBUF_LOCK;
    l.set(rule, id, Field::BufLock, lock);
    let doubled = 2 * value.min(INT_MAX / 2);
    l.check(rule, Term::Size.of(doubled), Cmp::Ge, Term::Constant.of(SOCK_MIN_SNDBUF));
    l.set(rule, id, Field::Sndbuf, doubled.max(SOCK_MIN_SNDBUF));
    sk_stream_write_space(l, id);
}

/// Sets the receive buffer: doubled, at least the minimum, and locked.
//= net/core/sock.c __sock_set_rcvbuf @ 5.10 6.1 6.12 7.3
//# As for sending. From 7.1 on a TCP socket's window clamp follows at once. (The proposal of February 2022 locked only
//# below tcp_rmem's default.)
fn set_rcvbuf(l: &mut Ledger, id: SockId, value: i64) {
    let rule = Rule::SkSetsockopt;
    let doubled = 2 * value.min(INT_MAX / 2);
    l.check(rule, Term::Size.of(doubled), Cmp::Ge, Term::Constant.of(SOCK_MIN_RCVBUF));
    let rcvbuf = doubled.max(SOCK_MIN_RCVBUF);
    let locks = match l.machine().profile().lock_rule {
        LockRule::Always => true,
        LockRule::WhenSmaller => {
            let default = l.machine().sysctls().tcp_rmem[1];
            l.check(rule, Term::Size.of(rcvbuf), Cmp::Lt, Term::BufLimit(1).of(default))
        }
    };
    if locks {
        let lock = l.get(id, Field::BufLock) | RCVBUF_LOCK;
        l.set(rule, id, Field::BufLock, lock);
    }
    l.set(rule, id, Field::Rcvbuf, rcvbuf);
    match l.sk(id).kind {
        Protocol::Udp => l.sk_mut(id).udp.forward_threshold = rcvbuf >> 2,
        Protocol::Tcp if l.machine().profile().rcvbuf_sets_clamp => {
            let clamp = win_from_space(l, id, rcvbuf);
            // The setter refuses 0 on a live socket; a buffer is never that small.
            let _ = set_window_clamp(l, id, clamp);
        }
        Protocol::Tcp => {}
    }
}

/// Replaces both lock bits.
//= net/core/sock.c sk_setsockopt @ 6.1 6.12 7.3
//# Any other bit is refused. The buffers themselves stay as they are.
fn set_buf_lock(l: &mut Ledger, id: SockId, value: i64) -> Result<(), Errno> {
    if !l.machine().profile().buf_lock {
        l.decided(Rule::SkSetsockopt, Verdict::NotSupported);
        return Err(Errno::ENOPROTOOPT);
    }
    let bits = SNDBUF_LOCK | RCVBUF_LOCK;
    if l.check(Rule::SkSetsockopt, Term::Argument.of(value & !bits), Cmp::Ne, Term::Constant.of(0)) {
        return Err(Errno::EINVAL);
    }
    l.set(Rule::SkSetsockopt, id, Field::BufLock, value);
    Ok(())
}

/// Sets the low-water mark; an unlocked TCP buffer grows to hold it.
//= net/ipv4/tcp.c tcp_set_rcvlowat @ 5.10 6.1 6.12 7.3
//# At most half of what the buffer may become. The buffer then holds the mark: twice it (up to 6.5), or what the
//# measured ratio says (6.6 and later).
fn set_rcvlowat(l: &mut Ledger, id: SockId, value: i64) {
    let rule = Rule::TcpSetRcvlowat;
    let asked = if value < 0 { INT_MAX } else { value };
    if l.sk(id).kind == Protocol::Udp {
        l.set(rule, id, Field::RcvLowat, if asked == 0 { 1 } else { asked });
        return;
    }
    let locked = l.sk(id).rcvbuf_locked();
    let cap = if locked { l.sk(id).rcvbuf().0 } else { l.machine().sysctls().tcp_rmem[2] } >> 1;
    let lowat = asked.min(cap);
    l.set(rule, id, Field::RcvLowat, if lowat == 0 { 1 } else { lowat });
    if l.check(rule, Field::BufLock.of(i64::from(locked)), Cmp::Ne, Term::Constant.of(0)) {
        return;
    }
    let measured = matches!(l.machine().profile().window, WindowFromSpace::ScalingRatio { .. });
    let space = if measured { space_from_win(l, id, lowat) } else { lowat << 1 };
    let rcvbuf = l.sk(id).rcvbuf().0;
    if l.check(rule, Term::Size.of(space), Cmp::Gt, Field::Rcvbuf.of(rcvbuf)) {
        l.set(rule, id, Field::Rcvbuf, space);
        let clamp = l.sk(id).window_clamp().0;
        if !measured {
            let clamp = win_from_space(l, id, space);
            l.set(rule, id, Field::WindowClamp, clamp);
        } else if clamp != 0 && clamp < lowat {
            l.set(rule, id, Field::WindowClamp, lowat);
        }
    }
}

/// Turns Nagle off or on.
//= net/ipv4/tcp.c do_tcp_setsockopt @ 5.10 6.1 6.12 7.3
//# A TCP option on a UDP socket is not known. Turning Nagle off sends at once what it held back.
fn set_nodelay(l: &mut Ledger, id: SockId, on: bool) -> Result<(), Errno> {
    if l.sk(id).kind == Protocol::Udp {
        l.decided(Rule::TcpSetsockopt, Verdict::NotSupported);
        return Err(Errno::ENOPROTOOPT);
    }
    l.sk_mut(id).tx.nonagle.off = on;
    if on {
        // What Nagle held leaves at once.
        super::write_xmit::push_pending_frames(l, id);
    }
    Ok(())
}

/// Sets the window clamp.
///
/// # Errors
/// `ENOPROTOOPT` on UDP, `EINVAL` for 0 on a socket that is not closed.
//= net/ipv4/tcp.c tcp_set_window_clamp @ 5.10 6.1 6.12 7.3
//# Zero removes it, on a closed socket only. Otherwise it is at least half of the smallest receive buffer. From 6.1 on
//# lowering it cuts rcv_ssthresh (not below what the unused reserve gives), raising it lifts rcv_ssthresh to the window
//# that is already open.
pub fn set_window_clamp(l: &mut Ledger, id: SockId, value: i64) -> Result<(), Errno> {
    let rule = Rule::TcpSetWindowClamp;
    if l.sk(id).kind == Protocol::Udp {
        l.decided(Rule::TcpSetsockopt, Verdict::NotSupported);
        return Err(Errno::ENOPROTOOPT);
    }
    if value == 0 {
        if l.sk(id).state != TcpState::Close {
            l.decided(rule, Verdict::Invalid);
            return Err(Errno::EINVAL);
        }
        l.set(rule, id, Field::WindowClamp, 0);
        return Ok(());
    }
    let before = l.sk(id).window_clamp().0;
    let after = value.max(SOCK_MIN_RCVBUF / 2);
    l.set(rule, id, Field::WindowClamp, after);
    if l.machine().profile().clamp_setter == ClampSetter::ClampOnly || before == after {
        return Ok(());
    }
    let ssthresh = l.sk(id).rcv_ssthresh().0;
    let next = if l.check(rule, Term::Argument.of(after), Cmp::Lt, Field::WindowClamp.of(before)) {
        let unused = sk_unused_reserved_mem(l, id);
        let cut = ssthresh.min(after);
        if l.machine().profile().reserve.ssthresh && unused.0 > 0 {
            cut.max(win_from_space(l, id, unused.0))
        } else {
            cut
        }
    } else {
        ssthresh.max(l.sk(id).rcv_wnd().0.min(after))
    };
    l.set(rule, id, Field::RcvSsthresh, next);
    Ok(())
}
