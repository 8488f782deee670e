//! Whether an arriving segment lies inside the window, and whether it was predicted.

use super::ack_out::{tcp_enter_quickack_mode, tcp_send_ack};
use super::coalesce::tcp_drop;
use super::rcv_window::{tcp_max_receive_window, tcp_receive_window};
use crate::engine::ledger::Ledger;
use crate::engine::profile::Acceptance;
use crate::engine::reason::{Cmp, Field, Rule, Term, Verdict};
use crate::engine::snmp::Counter;
use crate::engine::sock::{Sock, SockId, TcpState};
use crate::engine::units::Bytes;

/// An arriving segment.
#[derive(Clone, Copy, Debug)]
pub struct Segment {
    /// First byte.
    pub seq: i64,
    /// Payload, bytes.
    pub len: i64,
    /// Carries a FIN.
    pub fin: bool,
    /// What its skb costs, bytes.
    pub truesize: Bytes,
    /// Free room behind its payload, bytes.
    pub tailroom: i64,
}

impl Segment {
    /// One past its last byte (a FIN counts for one).
    pub const fn end(&self) -> i64 {
        self.seq + self.len + if self.fin { 1 } else { 0 }
    }
}

/// Whether a segment takes the short way: predicted, and paid for by the credit that is there.
//= net/ipv4/tcp_input.c tcp_rcv_established @ 5.10 6.1 6.12 7.3
//# In order, with the flags and the window the last one had, and its truesize not above the credit. Up to 6.16 nothing
//# asks whether it fits the window or the buffer.
pub fn predicted(l: &mut Ledger, id: SockId, segment: &Segment) -> bool {
    let rule = Rule::TcpRcvEstablished;
    let sock = l.sk(id);
    if !(sock.state == TcpState::Established
        && sock.rx.pred_flags
        && !segment.fin
        && segment.seq == sock.rx.rcv_nxt
        && peer_field_window(sock) == sock.get(Field::SndWnd))
    {
        return false;
    }
    if l.machine().profile().acceptance != Acceptance::StartInWindow {
        let left = tcp_receive_window(l.sk(id));
        if !l.check(rule, Term::Len.of(segment.len), Cmp::Le, Term::Window.of(left)) {
            return false;
        }
    }
    let credit = l.get(id, Field::FwdAlloc);
    l.check(rule, Term::Truesize.of(segment.truesize.0), Cmp::Le, Field::FwdAlloc.of(credit))
}

/// The peer's window as its 16-bit field carries it.
fn peer_field_window(sock: &Sock) -> i64 {
    let wscale = sock.get(Field::SndWscale);
    (sock.peer.win >> wscale).min(65_535) << wscale
}

/// Switches header prediction on when nothing stands in its way.
//= include/net/tcp.h tcp_fast_path_check @ 5.10 6.1 6.12 7.3
//# No hole, an open window, room in the buffer.
pub fn tcp_fast_path_check(l: &mut Ledger, id: SockId) {
    let sock = l.sk(id);
    if sock.rx.out_of_order_queue.is_empty()
        && sock.get(Field::RcvWnd) != 0
        && sock.rmem_alloc() < sock.rcvbuf()
        && !sock.rx.pred_flags
    {
        l.sk_mut(id).rx.pred_flags = true;
    }
}

/// Whether a segment is inside the window. If not, it is dropped and answered.
//= net/ipv4/tcp_input.c tcp_validate_incoming @ 5.10 6.1 6.12 7.3
//# What lies outside is answered by an ACK at once; old data also switches to quick ACKs.
pub fn tcp_validate_incoming(l: &mut Ledger, id: SockId, segment: &Segment) -> bool {
    if tcp_sequence(l, id, segment) {
        return true;
    }
    if segment.seq < l.sk(id).rx.rcv_nxt && segment.end() != segment.seq {
        tcp_enter_quickack_mode(l, id);
    }
    tcp_drop(l, id, Rule::TcpSequence, Verdict::DropOutOfWindow);
    tcp_send_ack(l, id);
    false
}

/// The acceptance test of the profile.
//= net/ipv4/tcp_input.c tcp_sequence @ 5.10 6.1 6.12 7.3
//# Not wholly before what was acknowledged, and not starting beyond the window. From 6.17 on its end too must be
//# inside, unless nothing waits to be read; 7.1 measures that against the furthest edge ever offered. A FIN alone may
//# stick out.
fn tcp_sequence(l: &mut Ledger, id: SockId, segment: &Segment) -> bool {
    let rule = Rule::TcpSequence;
    let sock = l.sk(id);
    let (wup, nxt) = (sock.rx.rcv_wup, sock.rx.rcv_nxt);
    let edge = match l.machine().profile().acceptance {
        Acceptance::StartInWindow | Acceptance::EndInWindow => nxt + tcp_receive_window(sock),
        Acceptance::EndInMaxWindow => nxt + tcp_max_receive_window(sock),
    };
    let empty = sock.rx.receive_queue.is_empty();
    if l.check(rule, Term::Seq.of(segment.end()), Cmp::Lt, Term::Seq.of(wup)) {
        return false;
    }
    if l.machine().profile().acceptance == Acceptance::StartInWindow {
        return l.check(rule, Term::Seq.of(segment.seq), Cmp::Le, Term::Seq.of(edge));
    }
    let data_end = segment.seq + segment.len;
    if l.check(rule, Term::Seq.of(data_end), Cmp::Le, Term::Seq.of(edge)) {
        return true;
    }
    if l.check(rule, Term::Seq.of(segment.seq), Cmp::Le, Term::Seq.of(edge)) && empty {
        return true;
    }
    l.count(Counter::BeyondWindow);
    false
}
