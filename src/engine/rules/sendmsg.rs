//! `send(2)`: bytes into skbs, skbs into the write queue, and what leaves meanwhile.

use super::forward_alloc::{sk_mem_charge, tcp_wmem_schedule};
use super::page_frag::{self, sk_page_frag_refill};
use super::size_goal::{tcp_current_mss, tcp_xmit_size_goal};
use super::sndbuf::{sk_stream_memory_free, sk_stream_write_space};
use super::timer::{Pace, pass_time};
use super::tx_skb::{tcp_remove_empty_skb, tcp_skb_entail, tcp_stream_alloc_skb};
use super::write_xmit::{push_pending, tcp_write_xmit};
use crate::engine::ledger::Ledger;
use crate::engine::reason::{BeatKind, Cmp, Field, Rule, Term, Verdict};
use crate::engine::sock::{Nonagle, Sock, SockId, TcpState};
use crate::engine::step::{Errno, Step};
use crate::engine::units::{Bytes, Micros};

const RULE: Rule = Rule::TcpSendmsg;
/// Send what can be sent, Nagle or not.
const PUSH: Nonagle = Nonagle { off: false, push: true };

/// Runs `count` non-blocking `send(2)` calls of `bytes` each; stops at the first that fails.
pub fn op_send(l: &mut Ledger, id: SockId, bytes: i64, count: i64, took: Micros) -> Step {
    let mut pace = Pace::new(took, count);
    let (mut total, mut calls, mut errno) = (0, 0, None);
    for _ in 0..count {
        l.beat(BeatKind::Write, Some(id));
        match tcp_sendmsg(l, id, bytes) {
            Ok(copied) => {
                total += copied;
                calls += 1;
            }
            Err(error) => {
                errno = Some(error);
                break;
            }
        }
        pass_time(l, pace.slice());
    }
    Step { ret: if calls == 0 { -1 } else { total }, errno, calls_ok: Some(calls), ..Step::default() }
}

/// Why a socket takes no data at all.
fn refusal(l: &mut Ledger, id: SockId) -> Option<Errno> {
    if let Some(error) = l.sk_mut(id).err.take() {
        return Some(error);
    }
    let sock = l.sk(id);
    let open = matches!(sock.state, TcpState::Established | TcpState::CloseWait);
    (!open || sock.snd_shutdown).then_some(Errno::EPIPE)
}

/// One non-blocking `send(2)`: how many bytes were taken.
//= net/ipv4/tcp.c tcp_sendmsg_locked @ 5.10 6.1 6.12 7.3
//# The last unsent skb is filled to the size goal; then a new one is started, and only then is the send buffer asked.
//# A full skb with more behind it may leave at once. Running out of room or memory pushes what is queued; what was
//# taken so far is a success.
fn tcp_sendmsg(l: &mut Ledger, id: SockId, bytes: i64) -> Result<i64, Errno> {
    if let Some(error) = refusal(l, id) {
        return Err(error);
    }
    l.called(RULE, Some(Term::Size.of(bytes)));
    let mss = tcp_current_mss(l, id);
    let goal = tcp_xmit_size_goal(l, id, mss);
    let mut copied = 0;
    while copied < bytes {
        let Some(room) = room_for_payload(l, id, goal) else {
            return wait_for_space(l, id, copied, mss);
        };
        let frag = sk_page_frag_refill(l);
        let copy = tcp_wmem_schedule(l, id, room.min(bytes - copied).min(frag));
        if copy == 0 {
            l.decided(RULE, Verdict::NoMemory);
            return wait_for_space(l, id, copied, mss);
        }
        append(l, id, copy, copied == 0);
        copied += copy;
        let full = l.sk(id).tx.write_queue.back().is_none_or(|tail| tail.len >= goal);
        if copied < bytes && full {
            push_full(l, id, mss);
            l.beat(BeatKind::Write, Some(id));
        }
    }
    let nonagle = l.sk(id).tx.nonagle;
    tcp_push(l, id, mss, nonagle);
    Ok(copied)
}

/// Room in the last unsent skb, after starting a new one if there is none. `None`: no room, or no memory.
fn room_for_payload(l: &mut Ledger, id: SockId, goal: i64) -> Option<i64> {
    let left = l.sk(id).tx.write_queue.back().map_or(0, |tail| goal - tail.len);
    if l.check(RULE, Term::Space.of(left), Cmp::Gt, Term::Constant.of(0)) {
        return Some(left);
    }
    if !sk_stream_memory_free(l, id) {
        l.decided(RULE, Verdict::SndbufFull);
        return None;
    }
    let tx = &l.sk(id).tx;
    let first = tx.write_queue.is_empty() && tx.rtx_queue.is_empty();
    if !tcp_stream_alloc_skb(l, id, first) {
        l.decided(RULE, Verdict::NoMemory);
        return None;
    }
    tcp_skb_entail(l, id);
    Some(goal)
}

/// Copies payload to the last unsent skb.
fn append(l: &mut Ledger, id: SockId, copy: i64, first_of_call: bool) {
    let tx = &mut l.sk_mut(id).tx;
    if let Some(tail) = tx.write_queue.back_mut() {
        tail.len += copy;
        tail.truesize += Bytes(copy);
        tail.segs = 0;
        if first_of_call {
            tail.psh = false;
        }
    }
    tx.write_seq += copy;
    let end = tx.write_seq;
    page_frag::used(l, id, copy, end);
    l.add(RULE, id, Field::WmemQueued, copy);
    sk_mem_charge(l, id, Bytes(copy));
}

/// A full skb has more data behind it: it may leave while the call still runs.
//= net/ipv4/tcp.c forced_push @ 5.10 6.1 6.12 7.3
//# Everything leaves when more than half of the largest window was written since the last push; otherwise the full skb,
//# if it is the first.
fn push_full(l: &mut Ledger, id: SockId, mss: i64) {
    let tx = &l.sk(id).tx;
    let (written, mark) = (tx.write_seq, tx.pushed_seq + (tx.max_window >> 1));
    if l.check(Rule::ForcedPush, Term::Seq.of(written), Cmp::Gt, Term::Seq.of(mark)) {
        tcp_mark_push(l, id);
        push_pending(l, id, mss, PUSH);
    } else if l.sk(id).tx.write_queue.len() == 1 {
        tcp_write_xmit(l, id, mss, PUSH, true);
    }
}

/// The last unsent skb is pushed.
fn tcp_mark_push(l: &mut Ledger, id: SockId) {
    let tx = &mut l.sk_mut(id).tx;
    if let Some(tail) = tx.write_queue.back_mut() {
        tail.psh = true;
    }
    tx.pushed_seq = tx.write_seq;
}

/// Pushes what is queued.
//= net/ipv4/tcp.c tcp_push @ 5.10 6.1 6.12 7.3
//# Nothing without unsent skbs. (Autocorking needs packets in the device; the modelled one holds none.)
fn tcp_push(l: &mut Ledger, id: SockId, mss: i64, nonagle: Nonagle) {
    if l.sk(id).tx.write_queue.is_empty() {
        return;
    }
    tcp_mark_push(l, id);
    push_pending(l, id, mss, nonagle);
}

/// The writer would have to wait: what it gets instead.
//= net/core/stream.c sk_stream_wait_memory @ 5.10 6.1 6.12 7.3
//# The socket is marked, so that room wakes the writer. What is queued is pushed. A non-blocking call returns what was
//# taken, or EAGAIN; with empty queues the mark may end at once.
fn wait_for_space(l: &mut Ledger, id: SockId, copied: i64, mss: i64) -> Result<i64, Errno> {
    l.sk_mut(id).tx.nospace = true;
    if l.machine().profile().empty_tail_dropped {
        tcp_remove_empty_skb(l, id);
    }
    if copied > 0 {
        tcp_push(l, id, mss, PUSH);
    }
    l.sk_mut(id).tx.nospace = true;
    tcp_remove_empty_skb(l, id);
    if copied > 0 {
        let nonagle = l.sk(id).tx.nonagle;
        tcp_push(l, id, mss, nonagle);
        return Ok(copied);
    }
    if queues_empty(l.sk(id)) {
        sk_stream_write_space(l, id);
    }
    Err(Errno::EAGAIN)
}

fn queues_empty(sock: &Sock) -> bool {
    sock.tx.write_queue.is_empty() && sock.tx.rtx_queue.is_empty()
}
