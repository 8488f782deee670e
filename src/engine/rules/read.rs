//! Reading: bytes leave the receive queue, the buffer is tuned, and the peer may be told about the room.

use super::ack_out::tcp_send_ack;
use super::autotune::tcp_rcv_space_adjust;
use super::coalesce::sock_rfree;
use super::rcv_window::{tcp_receive_window, tcp_select_window_free};
use super::timer::{Pace, pass_time};
use crate::engine::ledger::{Context, Ledger};
use crate::engine::reason::{BeatKind, Cmp, Field, Rule, Term};
use crate::engine::sock::{SockId, TcpState};
use crate::engine::step::{Errno, Step};
use crate::engine::units::Micros;

/// Bytes that "read everything" asks for in one call, as the recordings' probe does.
const READ_ALL_BYTES: i64 = 1 << 20;

/// What one call returned.
enum Got {
    /// So many bytes.
    Bytes(i64),
    /// The end of the stream.
    End,
    /// An error.
    Error(Errno),
}

/// Runs `count` calls of `recv(2)` of up to `bytes` each.
pub fn op_read(l: &mut Ledger, id: SockId, bytes: i64, count: i64, took: Micros) -> Step {
    let mut step = Step::default();
    let mut pace = Pace::new(took, count);
    let mut calls = 0;
    while calls < count {
        match tcp_recvmsg(l, id, bytes) {
            Got::Bytes(n) => step.ret += n,
            Got::End => break,
            Got::Error(errno) => {
                step.errno = Some(errno);
                break;
            }
        }
        calls += 1;
        pass_time(l, pace.slice());
    }
    pass_time(l, pace.rest());
    step.calls_ok = Some(calls);
    if calls == 0 && step.errno.is_some() {
        step.ret = -1;
    }
    step
}

/// Reads until there is nothing more.
pub fn op_read_all(l: &mut Ledger, id: SockId, took: Micros) -> Step {
    let (ret, errno) = read_everything(l, id);
    pass_time(l, took);
    Step { ret, errno, ..Step::default() }
}

/// The application reads until it would block; returns the bytes and what ended it.
pub fn read_everything(l: &mut Ledger, id: SockId) -> (i64, Option<Errno>) {
    let mut total = 0;
    loop {
        match tcp_recvmsg(l, id, READ_ALL_BYTES) {
            Got::Bytes(n) => total += n,
            Got::End => return (total, None),
            Got::Error(errno) => return (total, Some(errno)),
        }
    }
}

/// One non-blocking `recv(2)`.
//= net/ipv4/tcp.c tcp_recvmsg_locked @ 5.10 6.1 6.12 7.3
//# skb by skb: bytes are copied, the buffer is tuned, and an skb that was read to its end is freed. One that was not
//# keeps its whole truesize.
fn tcp_recvmsg(l: &mut Ledger, id: SockId, bytes: i64) -> Got {
    let context = std::mem::replace(&mut l.ctx, Context::Task);
    l.beat(BeatKind::Read, Some(id));
    l.called(Rule::TcpRecvmsg, Some(Term::Size.of(bytes)));
    let never = matches!(l.sk(id).state, TcpState::Listen)
        || (l.sk(id).state == TcpState::Close && l.sk(id).rx.copied_seq == l.sk(id).rx.rcv_nxt);
    let got = if never { idle_error(l, id) } else { copy(l, id, bytes) };
    l.ctx = context;
    got
}

/// What a socket without a connection answers.
fn idle_error(l: &mut Ledger, id: SockId) -> Got {
    if l.sk(id).rx.fin_seen {
        return Got::End;
    }
    match l.sk_mut(id).err.take() {
        Some(errno) => Got::Error(errno),
        None => Got::Error(Errno::ENOTCONN),
    }
}

fn copy(l: &mut Ledger, id: SockId, bytes: i64) -> Got {
    let mut left = bytes;
    let mut copied = 0;
    let mut end = false;
    while left > 0 {
        let Some(skb) = l.sk(id).rx.receive_queue.front().copied() else {
            break;
        };
        let available = skb.seq + skb.len - l.sk(id).rx.copied_seq;
        let used = available.clamp(0, left);
        if used > 0 {
            l.called(Rule::TcpRecvmsg, Some(Term::Copied.of(used)));
            l.sk_mut(id).rx.copied_seq += used;
            copied += used;
            left -= used;
            tcp_rcv_space_adjust(l, id);
        }
        if used < available {
            break;
        }
        let rx = &mut l.sk_mut(id).rx;
        rx.receive_queue.pop_front();
        if skb.fin {
            rx.copied_seq += 1;
            end = true;
        }
        sock_rfree(l, id, skb.truesize);
        if end {
            break;
        }
    }
    tcp_cleanup_rbuf(l, id, copied);
    let rx = &l.sk(id).rx;
    if copied > 0 {
        Got::Bytes(copied)
    } else if end || (rx.fin_seen && rx.copied_seq == rx.rcv_nxt) {
        Got::End
    } else {
        Got::Error(Errno::EAGAIN)
    }
}

/// After a call of the reader: whether the peer must hear about it.
//= net/ipv4/tcp.c tcp_cleanup_rbuf @ 5.10 6.1 6.12 7.3
//# An ACK that is owed leaves when more than one segment is unacknowledged, or after a push when everything was read.
//# Otherwise a window update leaves if at least twice the remaining window can be offered; if more than half of the
//# clamp is still open nobody even asks.
fn tcp_cleanup_rbuf(l: &mut Ledger, id: SockId, copied: i64) {
    let rule = Rule::TcpCleanupRbuf;
    let sock = l.sk(id);
    let ack = sock.rx.ack;
    let unacked = sock.rx.rcv_nxt - sock.rx.rcv_wup;
    let empty = sock.rmem_alloc().0 == 0;
    if ack.sched {
        let mss = l.get(id, Field::RcvMss);
        let pushed = ack.pushed2 || (ack.pushed && !ack.pingpong);
        if l.check(rule, Term::UnackedBytes.of(unacked), Cmp::Gt, Field::RcvMss.of(mss))
            || (copied > 0 && pushed && empty)
        {
            tcp_send_ack(l, id);
            return;
        }
    }
    if copied <= 0 || l.sk(id).rx.fin_seen {
        return;
    }
    let now_win = tcp_receive_window(l.sk(id));
    let clamp = l.get(id, Field::WindowClamp);
    if l.check(rule, Term::Window.of(2 * now_win), Cmp::Le, Field::WindowClamp.of(clamp)) {
        let offer = tcp_select_window_free(l, id);
        if offer != 0 && l.check(rule, Term::Window.of(offer), Cmp::Ge, Term::Window.of(2 * now_win)) {
            tcp_send_ack(l, id);
        }
    }
}
