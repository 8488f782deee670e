//! The write timer: retransmission, window probes, and what they do to a peer that stays silent.

use super::close::tcp_done;
use super::delack::{JIFFY, TICK_PHASE, jiffies};
use super::loss::tcp_enter_loss;
use super::reclaim::reclaim_point;
use super::retransmit::tcp_retransmit_skb;
use super::rtt::{RTO_MAX, RTO_MIN};
use super::size_goal::tcp_current_mss;
use super::truesize::SOCK_MIN_SNDBUF;
use super::tx_skb::tso_fragment;
use super::write_xmit::{put_on_wire, send_head, tcp_wnd_end};
use crate::engine::ledger::Ledger;
use crate::engine::reason::{Cmp, Field, Rule, Term, Verdict};
use crate::engine::snmp::Counter;
use crate::engine::sock::{IcskTimer, Sock, SockId, TcpState, WirePacket};
use crate::engine::step::Errno;
use crate::engine::timers::Timer;
use crate::engine::units::Micros;

/// `tcp_retries2`: timeouts after which a connection is given up.
const RETRIES: i64 = 15;
/// Timeouts after which an orphan is given up.
const ORPHAN_RETRIES: i64 = 8;
/// Largest number of doublings of a probe interval.
const PROBE_BACKOFF_MAX: u32 = 10;
/// First timeout of a SYN.
const SYN_TIMEOUT: i64 = 1_000_000;

/// Arms the write timer, `when` microseconds from now.
//= include/net/inet_connection_sock.h inet_csk_reset_xmit_timer @ 5.10 6.1 6.12 7.3
//# In whole ticks, at most two minutes. The logical timer and the physical one are set alike.
pub fn reset_timer(l: &mut Ledger, id: SockId, what: IcskTimer, when: i64) {
    let ticks = (when.min(RTO_MAX) + JIFFY - 1) / JIFFY;
    let at = jiffies(l.now()) + Micros(ticks * JIFFY);
    l.sk_mut(id).tx.pending = Some((what, at));
    program(l, id, at);
}

/// Sets the physical timer. Far ones fire late: the wheel is coarser the further away they are.
//= kernel/time/timer.c calc_wheel_index @ 5.10 6.1 6.12 7.3
//# Never early: up to 63 ticks away one tick late; each level beyond is eight times coarser.
fn program(l: &mut Ledger, id: SockId, at: Micros) {
    let mut grain = JIFFY;
    let mut reach = 63 * JIFFY;
    let ahead = at - jiffies(l.now());
    while ahead.0 >= reach && grain < JIFFY << 12 {
        grain <<= 3;
        reach <<= 3;
    }
    let fires = Micros((at.0 + TICK_PHASE + grain) / grain * grain - TICK_PHASE);
    let before = l.sk_mut(id).tx.physical.replace(fires);
    l.m.timers.program(id, Timer::Write, before, Some(fires));
}

/// Stops the logical timer. The physical one stays and finds nothing to do.
//= include/net/inet_connection_sock.h inet_csk_clear_xmit_timer @ 5.10 6.1 6.12 7.3
//# Only forgotten.
pub fn clear_timer(l: &mut Ledger, id: SockId) {
    l.sk_mut(id).tx.pending = None;
}

/// Arms the timer of a SYN; its answer stops it, but the physical timer goes on.
pub fn arm_syn_timer(l: &mut Ledger, id: SockId) {
    reset_timer(l, id, IcskTimer::Retrans, SYN_TIMEOUT);
}

/// Restarts the retransmission timer while something is out, stops it otherwise.
//= net/ipv4/tcp_input.c tcp_rearm_rto @ 5.10 6.1 6.12 7.3
//# From now, by the present timeout.
pub fn tcp_rearm_rto(l: &mut Ledger, id: SockId) {
    if l.get(id, Field::Unacked) == 0 {
        clear_timer(l, id);
    } else {
        let when = l.sk(id).tx.rto.0;
        reset_timer(l, id, IcskTimer::Retrans, when);
    }
}

/// First interval of window probes, microseconds.
//= include/net/tcp.h tcp_probe0_base @ 5.10 6.1 6.12 7.3
//# The retransmission timeout, at least its minimum.
pub fn probe0_base(sock: &Sock) -> i64 {
    sock.tx.rto.0.max(RTO_MIN)
}

/// Present interval of window probes, microseconds.
//= include/net/tcp.h tcp_probe0_when @ 5.10 6.1 6.12 7.3
//# Doubles with every probe up to two minutes.
pub fn probe0_when(sock: &Sock) -> i64 {
    (probe0_base(sock) << sock.tx.backoff.min(PROBE_BACKOFF_MAX)).min(RTO_MAX)
}

/// The physical timer fired.
//= net/ipv4/tcp_timer.c tcp_write_timer_handler @ 5.10 6.1 6.12 7.3
//# If something is pending and due it is done; if it is not due yet the timer is set again. 5.10 returns idle credit in
//# any case.
pub fn write_timer_fired(l: &mut Ledger, id: SockId) {
    let rule = Rule::TcpWriteTimerHandler;
    l.called(rule, None);
    l.sk_mut(id).tx.physical = None;
    let closed = matches!(l.sk(id).state, TcpState::Close | TcpState::Listen);
    if !closed && let Some((what, at)) = l.sk(id).tx.pending {
        let now = jiffies(l.now());
        if l.check(rule, Term::Time.of(at.0), Cmp::Gt, Term::Time.of(now.0)) {
            program(l, id, at);
        } else {
            clear_timer(l, id);
            match what {
                IcskTimer::Retrans => tcp_retransmit_timer(l, id),
                IcskTimer::Probe0 => tcp_probe_timer(l, id),
            }
        }
    }
    if super::close::exists(l, id) {
        reclaim_point(l, id);
    }
}

/// The retransmission timeout.
//= net/ipv4/tcp_timer.c tcp_retransmit_timer @ 5.10 6.1 6.12 7.3
//# Everything out is lost; the oldest segment is sent again; the timeout doubles. With the window closed by the peer it
//# is a probe and does not count as a timeout.
fn tcp_retransmit_timer(l: &mut Ledger, id: SockId) {
    let rule = Rule::TcpRetransmitTimer;
    let sock = l.sk(id);
    if sock.get(Field::Unacked) == 0 || sock.tx.rtx_queue.is_empty() {
        return;
    }
    let closed_window = sock.get(Field::SndWnd) == 0 && !sock.orphan;
    if closed_window {
        tcp_enter_loss(l, id);
        tcp_retransmit_skb(l, id, 0, 1);
    } else {
        l.count(Counter::TcpTimeouts);
        if tcp_write_timeout(l, id) {
            return;
        }
        tcp_enter_loss(l, id);
        l.sk_mut(id).tx.retransmits += 1;
        tcp_retransmit_skb(l, id, 0, 1);
        l.sk_mut(id).tx.backoff += 1;
    }
    let rto = (l.sk(id).tx.rto.0 << 1).min(RTO_MAX);
    l.called(rule, Some(Term::Time.of(rto)));
    l.sk_mut(id).tx.rto = Micros(rto);
    reset_timer(l, id, IcskTimer::Retrans, rto);
}

/// Whether the connection is given up. If so, it ended.
//= net/ipv4/tcp_timer.c tcp_write_timeout @ 5.10 6.1 6.12 7.3
//= net/ipv4/tcp_timer.c retransmits_timed_out @ 5.10 6.1 6.12 7.3
//# After the time that fifteen doubling timeouts would take, eight for an orphan whose timeout is below the longest.
fn tcp_write_timeout(l: &mut Ledger, id: SockId) -> bool {
    let rule = Rule::TcpWriteTimeout;
    let sock = l.sk(id);
    let mut retries = RETRIES;
    if sock.orphan {
        retries = if sock.tx.rto.0 < RTO_MAX { ORPHAN_RETRIES } else { 0 };
        if tcp_out_of_resources(l, id) {
            return true;
        }
    }
    let tx = &l.sk(id).tx;
    if tx.retransmits == 0 {
        return false;
    }
    let since = tx.retrans_stamp.unwrap_or(l.now());
    let waited = (l.now() - since).0;
    if !l.check(rule, Term::Time.of(waited), Cmp::Ge, Term::Time.of(model_timeout(retries))) {
        return false;
    }
    tcp_write_err(l, id);
    true
}

/// How long `retries` timeouts take from the smallest on.
//= net/ipv4/tcp_timer.c tcp_model_timeout @ 5.10 6.1 6.12 7.3
//# They double nine times, then stay at two minutes.
const fn model_timeout(retries: i64) -> i64 {
    const DOUBLINGS: i64 = 9;
    if retries <= DOUBLINGS {
        ((2 << retries) - 1) * RTO_MIN
    } else {
        ((2 << DOUBLINGS) - 1) * RTO_MIN + (retries - DOUBLINGS) * RTO_MAX
    }
}

/// The peer stayed silent for too long.
//= net/ipv4/tcp_timer.c tcp_write_err @ 5.10 6.1 6.12 7.3
//# The owner is told; the queues are freed.
fn tcp_write_err(l: &mut Ledger, id: SockId) {
    l.sk_mut(id).err = Some(Errno::ETIMEDOUT);
    tcp_done(l, id);
}

/// Whether there is no memory for this orphan. If so, it ended.
//= net/ipv4/tcp_timer.c tcp_out_of_resources @ 5.10 6.1 6.12 7.3
//# It is reset.
fn tcp_out_of_resources(l: &mut Ledger, id: SockId) -> bool {
    if tcp_check_oom(l, id) {
        l.count(Counter::TcpAbortOnMemory);
        tcp_done(l, id);
        return true;
    }
    false
}

/// Whether the protocol has no memory for what an orphan holds.
//= net/ipv4/tcp.c tcp_check_oom @ 5.10 6.1 6.12 7.3
//# More than the smallest buffer queued while the protocol is above its hard limit. A bypassing socket is not excepted.
pub fn tcp_check_oom(l: &mut Ledger, id: SockId) -> bool {
    let rule = Rule::TcpCheckOom;
    let queued = l.sk(id).wmem_queued().0;
    if !l.check(rule, Field::WmemQueued.of(queued), Cmp::Gt, Term::Constant.of(SOCK_MIN_SNDBUF)) {
        return false;
    }
    let allocated = l.machine().tcp.read().0;
    let max = l.machine().sysctls().tcp_mem[2];
    l.check(rule, Field::MemoryAllocated.of(allocated), Cmp::Gt, Term::MemLimit(2).of(max))
}

/// The window probe timer.
//= net/ipv4/tcp_timer.c tcp_probe_timer @ 5.10 6.1 6.12 7.3
//# Nothing to do when something is out or nothing waits. Fifteen probes without an answer end the connection; an orphan
//# ends after eight, or when the interval is at its longest.
fn tcp_probe_timer(l: &mut Ledger, id: SockId) {
    let rule = Rule::TcpProbeTimer;
    let sock = l.sk(id);
    if sock.get(Field::Unacked) > 0 || sock.tx.write_queue.is_empty() {
        l.sk_mut(id).tx.probes_out = 0;
        return;
    }
    let mut most = RETRIES;
    if sock.orphan {
        let alive = probe0_when(sock) < RTO_MAX;
        most = if alive { ORPHAN_RETRIES } else { 0 };
        if alive && tcp_out_of_resources(l, id) {
            return;
        }
    }
    let probes = l.sk(id).tx.probes_out;
    if l.check(rule, Term::Quota.of(probes), Cmp::Ge, Term::Constant.of(most)) {
        tcp_write_err(l, id);
    } else {
        tcp_send_probe0(l, id);
    }
}

/// Probes the peer's window.
//= net/ipv4/tcp_output.c tcp_send_probe0 @ 5.10 6.1 6.12 7.3
//# If that sent data the retransmission timer takes over; otherwise the next probe waits twice as long.
fn tcp_send_probe0(l: &mut Ledger, id: SockId) {
    tcp_write_wakeup(l, id);
    let sent = l.get(id, Field::Unacked) > 0;
    let tx = &mut l.sk_mut(id).tx;
    if sent || tx.write_queue.is_empty() {
        tx.probes_out = 0;
        tx.backoff = 0;
        return;
    }
    tx.probes_out += 1;
    if i64::from(tx.backoff) < RETRIES {
        tx.backoff += 1;
    }
    let when = probe0_when(l.sk(id));
    l.called(Rule::TcpSendProbe0, Some(Term::Time.of(when)));
    reset_timer(l, id, IcskTimer::Probe0, when);
}

/// One probe: what fits of the first unsent skb, or an empty packet.
//= net/ipv4/tcp_output.c tcp_write_wakeup @ 5.10 6.1 6.12 7.3
//# If the window takes any byte, at most a segment of them leaves, cut off if need be. A closed window gets an empty
//# packet with an old sequence number: nothing is charged for it.
fn tcp_write_wakeup(l: &mut Ledger, id: SockId) {
    let rule = Rule::TcpWriteWakeup;
    let sock = l.sk(id);
    let edge = tcp_wnd_end(sock);
    let Some(skb) = sock.tx.write_queue.front().copied() else {
        return;
    };
    if l.check(rule, Term::Seq.of(skb.seq), Cmp::Lt, Term::Seq.of(edge)) {
        let mss = tcp_current_mss(l, id);
        let room = edge - skb.seq;
        let tx = &mut l.sk_mut(id).tx;
        tx.pushed_seq = tx.pushed_seq.max(skb.end());
        if room < skb.end() - skb.seq || skb.len > mss {
            let len = room.min(mss);
            if len < skb.len {
                tso_fragment(l, id, len, mss);
            }
        }
        send_head(l, id, mss);
        return;
    }
    l.count(Counter::TcpWinProbe);
    probe_packet(l, id);
    l.decided(rule, Verdict::PeerWindowFull);
}

/// An empty packet, one byte before the oldest unacknowledged one: the peer answers it with an ACK.
//= net/ipv4/tcp_output.c tcp_xmit_probe_skb @ 5.10 6.1 6.12 7.3
//# Not queued, not charged.
fn probe_packet(l: &mut Ledger, id: SockId) {
    let empty = super::tx_skb::fresh(l.sk(id).tx.snd_una - 1, crate::engine::units::Bytes::ZERO);
    put_on_wire(l, id, &empty, false);
    let sock = l.sk(id);
    let packet =
        WirePacket { seq: empty.seq, len: 0, ack: sock.peer.k_acked, win: sock.peer.adv_win, retx: false };
    let name = sock.name;
    l.wire.push((name, packet));
}
