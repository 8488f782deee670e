//! Arriving data: from the wire to the receive queue, and the operations of the peer.

use super::ack_out::{MAX_QUICKACKS, on_fin, tcp_ack_snd_check, tcp_enter_quickack_mode, tcp_event_data_recv};
use super::coalesce::{skb_set_owner_r, sock_rfree, tcp_drop};
use super::forward_alloc::sk_forced_mem_schedule;
use super::ofo::{merge_into_tail, skb_of, tcp_data_queue_ofo, tcp_ofo_queue};
use super::prune::{Incoming, tcp_try_rmem_schedule};
use super::rcv_rtt::tcp_rcv_rtt_measure_ts;
use super::rcv_window::tcp_receive_window;
use super::sequence::{Segment, predicted, tcp_fast_path_check, tcp_validate_incoming};
use super::timer::{Pace, pass_time};
use super::{close, create, read, tcp_ack, truesize, write_xmit};
use crate::engine::ledger::{Context, Ledger};
use crate::engine::profile::Acceptance;
use crate::engine::reason::{BeatKind, Cmp, Field, Rule, Term, Verdict};
use crate::engine::snmp::Counter;
use crate::engine::sock::{SockId, TcpState};
use crate::engine::step::Step;
use crate::engine::units::{Bytes, Micros};

const RULE: Rule = Rule::TcpDataQueue;

/// What the `rx` operation asks for.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools)] // they are the operation's own switches
pub struct RxParams {
    /// Payload of each segment, bytes.
    pub len: i64,
    /// How many.
    pub count: i64,
    /// Stop at the advertised window.
    pub respect_window: bool,
    /// The window as it was when the operation began.
    pub win_snapshot: bool,
    /// Not 0: the application reads everything after that many segments.
    pub read_every: i64,
    /// Afterwards the peer goes back to what was acknowledged.
    pub rewind_unacked: bool,
    /// Truesize of each packet, bytes; `None`: by the machine's preset.
    pub truesize: Option<i64>,
}

/// Runs `rx`: in-order data from the peer.
pub fn op_rx(l: &mut Ledger, id: SockId, p: &RxParams, took: Micros) -> Step {
    let edge = |l: &Ledger| l.sk(id).peer.k_acked + l.sk(id).peer.adv_win;
    let snapshot = edge(l);
    // The time is spread over the segments that will come, as far as the window of now tells.
    let expected = if p.respect_window { p.count.min((snapshot - l.sk(id).peer.r_sent) / p.len) } else { p.count };
    let mut pace = Pace::new(took, expected);
    let mut segs = 0;
    while segs < p.count && close::exists(l, id) {
        let seq = l.sk(id).peer.r_sent;
        let limit = if p.win_snapshot { snapshot } else { edge(l) };
        if p.respect_window && seq + p.len > limit {
            break;
        }
        l.sk_mut(id).peer.r_sent = seq + p.len;
        let before = l.wire.len();
        arrive(l, id, seq, p.len, false, p.truesize);
        segs += 1;
        if p.read_every > 0 && segs % p.read_every == 0 && close::exists(l, id) {
            read::read_everything(l, id);
        }
        let answers = i64::try_from(l.wire.len() - before).unwrap_or(i64::MAX).min(1);
        pass_time(l, pace.slice_answered(answers));
    }
    pass_time(l, pace.rest());
    if p.rewind_unacked && close::exists(l, id) {
        let peer = &mut l.sk_mut(id).peer;
        peer.r_sent = peer.k_acked;
    }
    Step { ret: segs * p.len, segs: Some(segs), ..Step::default() }
}

/// Runs `rx_at`: data at an offset from the peer's next byte, which does not move.
#[allow(clippy::too_many_arguments)] // they are the operation's fields
pub fn op_rx_at(
    l: &mut Ledger,
    id: SockId,
    ofs: i64,
    len: i64,
    count: i64,
    stride: i64,
    truesize: Option<i64>,
    took: Micros,
) -> Step {
    let step = if stride == 0 { len } else { stride };
    let mut pace = Pace::new(took, count);
    for i in 0..count {
        if close::exists(l, id) {
            let seq = l.sk(id).peer.r_sent + ofs + i * step;
            arrive(l, id, seq, len, false, truesize);
        }
        pass_time(l, pace.slice());
    }
    pass_time(l, pace.rest());
    Step { ret: len * count, ..Step::default() }
}

/// Runs `rx_skip`: the peer's next byte moves without data.
pub fn op_rx_skip(l: &mut Ledger, id: SockId, bytes: i64) -> Step {
    l.sk_mut(id).peer.r_sent += bytes;
    Step::default()
}

/// Runs `rx_fin`: the peer will send no more.
pub fn op_rx_fin(l: &mut Ledger, id: SockId, took: Micros) -> Step {
    let seq = l.sk(id).peer.r_sent;
    arrive(l, id, seq, 0, true, None);
    pass_time(l, took);
    Step::default()
}

/// Runs `rx_rst`: the peer breaks the connection.
pub fn op_rx_rst(l: &mut Ledger, id: SockId, took: Micros) -> Step {
    let context = std::mem::replace(&mut l.ctx, Context::Softirq);
    l.beat(BeatKind::Teardown, Some(id));
    if l.machine().profile().reset_counts_drop {
        l.add(Rule::TcpReset, id, Field::Drops, 1);
    }
    close::tcp_reset(l, id);
    l.ctx = context;
    pass_time(l, took);
    Step::default()
}

/// One packet of the peer arrives, in softirq.
fn arrive(l: &mut Ledger, id: SockId, seq: i64, len: i64, fin: bool, truesize: Option<i64>) {
    let headers = create::HEADERS + if l.sk(id).tstamp_ok { create::TSTAMP_LEN } else { 0 };
    let (size, room) = match truesize {
        Some(size) => (size, 0),
        None => truesize::rx_packet(l.machine().profile(), l.machine().setup(), headers, len),
    };
    let segment = Segment { seq, len, fin, truesize: Bytes(size), tailroom: room };
    let context = std::mem::replace(&mut l.ctx, Context::Softirq);
    l.beat(BeatKind::Segment, Some(id));
    let now = l.now();
    l.sk_mut(id).rx.tcp_mstamp = now;
    tcp_rcv_established(l, id, &segment);
    l.ctx = context;
}

/// A segment with data or a FIN, in a synchronized state.
//= net/ipv4/tcp_input.c tcp_rcv_established @ 5.10 6.1 6.12 7.3
//# The short way queues a predicted segment at once and looks at its acknowledgment after that. The long way checks the
//# window first, then takes the acknowledgment, then the data, then sends what the acknowledgment allows, and decides
//# about an ACK last, so that a reply can carry it.
fn tcp_rcv_established(l: &mut Ledger, id: SockId, segment: &Segment) {
    let rule = Rule::TcpRcvEstablished;
    l.called(rule, Some(Term::Truesize.of(segment.truesize.0)));
    let (acked, win) = (l.sk(id).peer.r_acked, l.sk(id).peer.win);
    if predicted(l, id, segment) {
        tcp_rcv_rtt_measure_ts(l, id, segment.len);
        tcp_queue_rcv(l, id, segment);
        tcp_event_data_recv(l, id, segment.len, segment.truesize, segment.fin);
        if acked != l.sk(id).tx.snd_una {
            tcp_ack::tcp_ack(l, id, acked, win);
            write_xmit::tcp_data_snd_check(l, id);
        }
        tcp_ack_snd_check(l, id, false);
        return;
    }
    if !tcp_validate_incoming(l, id, segment) {
        return;
    }
    tcp_ack::tcp_ack(l, id, acked, win);
    if !close::exists(l, id) {
        return;
    }
    tcp_rcv_rtt_measure_ts(l, id, segment.len);
    if takes_data(l, id) {
        tcp_data_queue(l, id, segment);
    }
    if close::exists(l, id) && l.sk(id).state != TcpState::Close {
        write_xmit::tcp_data_snd_check(l, id);
        tcp_ack_snd_check(l, id, true);
    }
}

/// Data after the peer's FIN is not looked at.
fn takes_data(l: &Ledger, id: SockId) -> bool {
    let sock = l.sk(id);
    !sock.rx.fin_seen && matches!(sock.state, TcpState::Established | TcpState::FinWait1 | TcpState::FinWait2)
}

/// Puts the data of a segment where it belongs.
//= net/ipv4/tcp_input.c tcp_data_queue @ 5.10 6.1 6.12 7.3
//# In order: to the receive queue, if the window is open and memory is granted. Old: dropped. Beyond the window:
//# dropped. Overlapping: what is new of it is queued. Behind a hole: to the out-of-order queue. What is dropped here
//# for its place switches to quick ACKs.
fn tcp_data_queue(l: &mut Ledger, id: SockId, segment: &Segment) {
    let nxt = l.sk(id).rx.rcv_nxt;
    let window = tcp_receive_window(l.sk(id));
    if l.check(RULE, Term::Seq.of(segment.seq), Cmp::Eq, Term::Seq.of(nxt)) {
        let bare_fin = segment.len == 0 && l.machine().profile().zero_window_takes_fin;
        if l.check(RULE, Term::Window.of(window), Cmp::Eq, Term::Constant.of(0)) && !bare_fin {
            l.count(Counter::TcpZeroWindowDrop);
            out_of_window(l, id, Verdict::DropZeroWindow);
            return;
        }
        queue_and_out(l, id, segment);
    } else if l.check(RULE, Term::Seq.of(segment.end()), Cmp::Le, Term::Seq.of(nxt)) {
        out_of_window(l, id, Verdict::DropDuplicate);
    } else if l.check(RULE, Term::Seq.of(segment.seq), Cmp::Ge, Term::Seq.of(nxt + window)) {
        if l.machine().profile().acceptance == Acceptance::EndInMaxWindow {
            l.count(Counter::BeyondWindow);
        }
        out_of_window(l, id, Verdict::DropOutOfWindow);
    } else if l.check(RULE, Term::Seq.of(segment.seq), Cmp::Lt, Term::Seq.of(nxt)) {
        if window == 0 {
            l.count(Counter::TcpZeroWindowDrop);
            out_of_window(l, id, Verdict::DropZeroWindow);
            return;
        }
        queue_and_out(l, id, segment);
    } else {
        tcp_data_queue_ofo(l, id, segment);
    }
}

fn out_of_window(l: &mut Ledger, id: SockId, verdict: Verdict) {
    l.called(RULE, Some(Term::QuickAcks.of(MAX_QUICKACKS)));
    tcp_enter_quickack_mode(l, id);
    l.sk_mut(id).rx.ack.sched = true;
    tcp_drop(l, id, RULE, verdict);
}

/// Queues the next bytes, if memory is granted.
fn queue_and_out(l: &mut Ledger, id: SockId, segment: &Segment) {
    if !memory_granted(l, id, segment) {
        l.count(Counter::TcpRcvQDrop);
        tcp_drop(l, id, RULE, Verdict::DropMemory);
        return;
    }
    tcp_queue_rcv(l, id, segment);
    if segment.len > 0 {
        tcp_event_data_recv(l, id, segment.len, segment.truesize, segment.fin);
    }
    if segment.fin {
        on_fin(l, id);
    }
    if !close::exists(l, id) {
        return;
    }
    if !l.sk(id).rx.out_of_order_queue.is_empty() {
        tcp_ofo_queue(l, id);
        let rx = &mut l.sk_mut(id).rx;
        if rx.out_of_order_queue.is_empty() {
            // The hole is filled: said at once.
            rx.ack.now = true;
        }
    }
    tcp_fast_path_check(l, id);
}

/// Memory for a segment in order.
//= net/ipv4/tcp_input.c tcp_data_queue @ 5.10 6.1 6.12 7.3
//# A reader with nothing to read always gets one segment, by force. Up to 6.5 it is not even asked for; from 6.6 on a
//# refusal makes the next ACK close the window, whether or not the segment is forced in.
fn memory_granted(l: &mut Ledger, id: SockId, segment: &Segment) -> bool {
    let incoming = Incoming { seq: segment.seq, len: segment.len, truesize: segment.truesize };
    let empty = l.sk(id).rx.receive_queue.is_empty();
    if !l.machine().profile().nomem_zero_window {
        if empty {
            sk_forced_mem_schedule(l, id, segment.truesize);
            return true;
        }
        return tcp_try_rmem_schedule(l, id, &incoming);
    }
    if tcp_try_rmem_schedule(l, id, &incoming) {
        return true;
    }
    let ack = &mut l.sk_mut(id).rx.ack;
    ack.nomem = true;
    ack.now = true;
    ack.sched = true;
    // Pruning may have emptied nothing of this queue: only the reader does.
    if !l.sk(id).rx.receive_queue.is_empty() && segment.len > 0 {
        return false;
    }
    sk_forced_mem_schedule(l, id, segment.truesize);
    true
}

/// Appends a segment to the receive queue, or merges it into the last skb.
//= net/ipv4/tcp_input.c tcp_queue_rcv @ 5.10 6.1 6.12 7.3
//# A merged one costs nothing more; what was bought for it stays as credit.
fn tcp_queue_rcv(l: &mut Ledger, id: SockId, segment: &Segment) {
    let skb = skb_of(segment);
    let merged = merge_into_tail(l, id, &skb);
    l.sk_mut(id).rx.rcv_nxt = segment.end();
    if !merged {
        l.sk_mut(id).rx.receive_queue.push_back(skb);
        l.decided(Rule::TcpQueueRcv, Verdict::Queued);
        skb_set_owner_r(l, id, skb.truesize);
    }
}

/// Frees what waits for the reader (close).
pub fn free_receive_queue(l: &mut Ledger, id: SockId) {
    let queue = std::mem::take(&mut l.sk_mut(id).rx.receive_queue);
    for skb in queue {
        sock_rfree(l, id, skb.truesize);
    }
}

/// Frees everything received (destruction).
pub fn free_all(l: &mut Ledger, id: SockId) {
    free_receive_queue(l, id);
    let queue = std::mem::take(&mut l.sk_mut(id).rx.out_of_order_queue);
    for skb in queue {
        sock_rfree(l, id, skb.truesize);
    }
}
