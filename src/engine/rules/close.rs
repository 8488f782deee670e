//! The end of a socket: close, shutdown, reset, destruction.

use super::create::count_socket;
use super::reclaim::{reclaim_point, sk_mem_reclaim_final};
use super::{data_queue, rto, tx_skb, udp, write_xmit};
use crate::engine::ledger::Ledger;
use crate::engine::op::Protocol;
use crate::engine::reason::{BeatKind, Cmp, Field, Rule, Term};
use crate::engine::snmp::Counter;
use crate::engine::sock::{SockId, TcpState};
use crate::engine::step::{Errno, Step};

/// Runs `close(2)`.
//= net/ipv4/tcp.c __tcp_close @ 5.10 6.1 6.12 7.3
//# Unread data is freed, and if there was any the peer gets a reset; so it does when lingering is off. Otherwise a FIN
//# follows the data and the socket lives on as an orphan, holding its pages, until the peer has acknowledged all.
pub fn op_close(l: &mut Ledger, id: SockId, rst: bool) -> Step {
    l.beat(BeatKind::Teardown, Some(id));
    l.called(Rule::TcpClose, None);
    if l.sk(id).kind == Protocol::Udp {
        udp::free_all(l, id);
        destroy(l, id);
        return Step::default();
    }
    match l.sk(id).state {
        TcpState::Listen => {
            let children: Vec<SockId> = l.sk(id).accept_queue.iter().copied().collect();
            for child in children {
                l.beat(BeatKind::Teardown, Some(child));
                destroy(l, child);
            }
            destroy(l, id);
        }
        TcpState::Close => destroy(l, id),
        _ => close_connection(l, id, rst),
    }
    Step::default()
}

fn close_connection(l: &mut Ledger, id: SockId, rst: bool) {
    let rx = &l.sk(id).rx;
    // A FIN counts for one in the sequence space, and is not data.
    let unread = rx.rcv_nxt - rx.copied_seq - i64::from(rx.fin_seen);
    data_queue::free_receive_queue(l, id);
    reclaim_point(l, id);
    if l.check(Rule::TcpClose, Term::Len.of(unread), Cmp::Gt, Term::Constant.of(0)) {
        l.count(Counter::TcpAbortOnClose);
        destroy(l, id);
    } else {
        close_gracefully(l, id, rst);
    }
}

fn close_gracefully(l: &mut Ledger, id: SockId, rst: bool) {
    if rst {
        l.count(Counter::TcpAbortOnData);
        destroy(l, id);
        return;
    }
    let next = match l.sk(id).state {
        TcpState::Established | TcpState::SynRecv | TcpState::SynSent => Some(TcpState::FinWait1),
        TcpState::CloseWait => Some(TcpState::LastAck),
        _ => None,
    };
    l.sk_mut(id).orphan = true;
    match next {
        Some(state) => {
            l.sk_mut(id).state = state;
            l.sk_mut(id).snd_shutdown = true;
            write_xmit::tcp_send_fin(l, id);
            if exists(l, id) && rto::tcp_check_oom(l, id) {
                l.count(Counter::TcpAbortOnMemory);
                destroy(l, id);
            }
        }
        None if l.sk(id).state == TcpState::FinWait2 => destroy(l, id),
        None => {}
    }
}

/// Runs `shutdown(SHUT_WR)`.
pub fn op_shutdown(l: &mut Ledger, id: SockId) -> Step {
    let next = match l.sk(id).state {
        TcpState::Established => TcpState::FinWait1,
        TcpState::CloseWait => TcpState::LastAck,
        _ => return Step::default(),
    };
    l.sk_mut(id).state = next;
    l.sk_mut(id).snd_shutdown = true;
    write_xmit::tcp_send_fin(l, id);
    Step::default()
}

/// The peer acknowledged our FIN: an orphan ends here (its TIME-WAIT holds no memory).
pub fn fin_acked(l: &mut Ledger, id: SockId) {
    match l.sk(id).state {
        TcpState::FinWait1 => {
            l.sk_mut(id).state = TcpState::FinWait2;
            if l.sk(id).orphan {
                destroy(l, id);
            }
        }
        TcpState::Closing | TcpState::LastAck => {
            if l.sk(id).orphan {
                destroy(l, id);
            } else {
                l.sk_mut(id).state = TcpState::Close;
            }
        }
        _ => {}
    }
}

/// The connection ends by a reset: what was to be sent is freed, what was received stays readable.
//= net/ipv4/tcp_input.c tcp_reset @ 5.10 6.1 6.12 7.3
//# The reader is told; the write queues are freed; an orphan is destroyed.
pub fn tcp_reset(l: &mut Ledger, id: SockId) {
    let error = if l.sk(id).state == TcpState::CloseWait { Errno::EPIPE } else { Errno::ECONNRESET };
    l.sk_mut(id).err = Some(error);
    tcp_done(l, id);
}

/// The connection ends: queues of the sending side are freed, timers stop, an orphan is destroyed.
pub fn tcp_done(l: &mut Ledger, id: SockId) {
    tx_skb::wmem_free_all(l, id);
    reclaim_point(l, id);
    l.set(Rule::TcpReset, id, Field::Unacked, 0);
    l.sk_mut(id).state = TcpState::Close;
    l.m.timers.forget(id);
    let sock = l.sk_mut(id);
    sock.tx.physical = None;
    sock.tx.pending = None;
    sock.rx.ack.physical = None;
    sock.rx.ack.timer = false;
    sock.rx.ack.compressed_timer = None;
    if l.sk(id).orphan {
        destroy(l, id);
    }
}

/// The end: every queue is freed, the reserve dissolved, all pages returned, the name forgotten.
//= net/core/stream.c sk_stream_kill_queues @ 5.10 6.1 6.12 7.3
//# What is left in the queues goes first, then the reserve, then every page.
pub fn destroy(l: &mut Ledger, id: SockId) {
    if l.sk(id).kind == Protocol::Tcp {
        data_queue::free_all(l, id);
        tx_skb::wmem_free_all(l, id);
        count_socket(l, -1);
    }
    sk_mem_reclaim_final(l, id);
    let name = l.sk(id).name;
    if l.m.names.get(&name) == Some(&id) {
        l.m.names.remove(&name);
    }
    if let Some(listener) = l.sk(id).listener
        && l.m.socks.contains_key(&listener)
    {
        l.sk_mut(listener).accept_queue.retain(|waiting| *waiting != id);
    }
    l.m.timers.forget(id);
    l.m.socks.remove(&id);
}

/// Whether the socket still exists: a packet may have ended it.
pub fn exists(l: &Ledger, id: SockId) -> bool {
    l.machine().socks.contains_key(&id)
}
