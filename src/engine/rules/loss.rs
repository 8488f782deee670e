//! After a retransmission timeout: what is taken for lost, how small the window gets, and how it is left again.

use super::cong::tcp_current_ssthresh;
use super::in_flight;
use crate::engine::ledger::Ledger;
use crate::engine::reason::{Cmp, Field, Rule, Term, Verdict};
use crate::engine::sock::{CaState, SockId};

/// What to send after an ACK during recovery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rexmit {
    /// Nothing special.
    None,
    /// What was lost.
    Lost,
    /// New data first, to see whether anything was lost at all.
    New,
}

/// What an ACK did, as far as recovery looks at it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Acked {
    /// The oldest unacknowledged byte moved.
    pub advanced: bool,
    /// Data was acknowledged that was sent once, before recovery began.
    pub original: bool,
    /// Packets that left the queue.
    pub packets: i64,
    /// The ACK repeats the last one.
    pub duplicate: bool,
}

/// The timeout: everything out counts as lost.
//= net/ipv4/tcp_input.c tcp_enter_loss @ 5.10 6.1 6.12 7.3
//= net/ipv4/tcp_input.c tcp_timeout_mark_lost @ 5.10 6.1 6.12 7.3
//# Except, with SACK, what was sent within the last round trip. The threshold becomes half of the window, at least two,
//# unless it was reduced for the same data before; the window becomes what is still out and one.
pub fn tcp_enter_loss(l: &mut Ledger, id: SockId) {
    let rule = Rule::TcpEnterLoss;
    let fresh = l.sk(id).tx.ca_state < CaState::Recovery;
    mark_lost(l, id);
    let tx = &l.sk(id).tx;
    let done = tx.high_seq <= tx.snd_una;
    let first = tx.ca_state == CaState::Loss && tx.retransmits == 0;
    if fresh || done || first {
        let prior = tcp_current_ssthresh(l.sk(id));
        let cwnd = l.get(id, Field::Cwnd);
        let tx = &mut l.sk_mut(id).tx;
        tx.prior_ssthresh = prior;
        tx.prior_cwnd = cwnd;
        l.set(rule, id, Field::SndSsthresh, (cwnd >> 1).max(2));
    }
    let out = in_flight(l.sk(id));
    l.set(rule, id, Field::Cwnd, out + 1);
    let now = l.now();
    let tx = &mut l.sk_mut(id).tx;
    tx.cwnd_cnt = 0;
    tx.cwnd_stamp = now;
    tx.ca_state = CaState::Loss;
    tx.high_seq = tx.snd_nxt;
    tx.retransmit_hint = tx.snd_una;
    tx.frto = fresh || tx.retransmits > 0;
}

fn mark_lost(l: &mut Ledger, id: SockId) {
    let now = l.now();
    let sock = l.sk_mut(id);
    let by_time = sock.sack_ok;
    let tx = &mut sock.tx;
    let young = tx.rack_rtt_us;
    for (at, skb) in tx.rtx_queue.iter_mut().enumerate() {
        if by_time && at > 0 && young - (now - skb.sent_at).0 > 0 {
            continue;
        }
        if !skb.lost {
            skb.lost = true;
            tx.lost_out += skb.segs;
        } else if skb.retrans {
            skb.retrans = false;
            tx.retrans_out -= skb.segs;
        }
    }
}

/// Recovery looks at an ACK.
//= net/ipv4/tcp_input.c tcp_fastretrans_alert @ 5.10 6.1 6.12 7.3
//# Only the recovery after a timeout is modelled: the peer of a scenario reports no holes.
pub fn tcp_fastretrans_alert(l: &mut Ledger, id: SockId, acked: Acked) -> Rexmit {
    if l.sk(id).tx.ca_state == CaState::Loss {
        return tcp_process_loss(l, id, acked);
    }
    l.sk_mut(id).tx.retrans_stamp = None;
    Rexmit::None
}

/// An ACK while recovering from a timeout.
//= net/ipv4/tcp_input.c tcp_process_loss @ 5.10 6.1 6.12 7.3
//# Data that was sent once and arrived shows that the timeout was spurious: everything is undone. If only the
//# retransmission was acknowledged, new data is tried first, once. All acknowledged ends it. Otherwise what was lost is
//# sent again.
fn tcp_process_loss(l: &mut Ledger, id: SockId, acked: Acked) -> Rexmit {
    let rule = Rule::TcpProcessLoss;
    let tx = &l.sk(id).tx;
    let (una, high) = (tx.snd_una, tx.high_seq);
    let recovered = l.check(rule, Term::Seq.of(una), Cmp::Ge, Term::Seq.of(high));
    if l.sk(id).tx.frto {
        if acked.original {
            undo(l, id);
            return Rexmit::None;
        }
        let sock = l.sk(id);
        let room = super::write_xmit::tcp_wnd_end(sock) > sock.tx.snd_nxt;
        if sock.tx.snd_nxt > sock.tx.high_seq {
            if acked.duplicate {
                l.sk_mut(id).tx.frto = false;
            }
        } else if acked.advanced && !recovered {
            let unsent = !sock.tx.write_queue.is_empty();
            let tx = &mut l.sk_mut(id).tx;
            tx.high_seq = tx.snd_nxt;
            if unsent && room {
                return Rexmit::New;
            }
            tx.frto = false;
        }
    }
    if recovered {
        leave(l, id);
        return Rexmit::None;
    }
    Rexmit::Lost
}

/// The timeout was spurious.
//= net/ipv4/tcp_input.c tcp_undo_cwnd_reduction @ 5.10 6.1 6.12 7.3
//# Nothing is lost any more; window and threshold return.
fn undo(l: &mut Ledger, id: SockId) {
    let rule = Rule::TcpUndoCwndReduction;
    let now = l.now();
    let tx = &mut l.sk_mut(id).tx;
    for skb in &mut tx.rtx_queue {
        skb.lost = false;
    }
    tx.lost_out = 0;
    tx.cwnd_stamp = now;
    let (prior_cwnd, prior_ssthresh) = (tx.prior_cwnd, tx.prior_ssthresh);
    if prior_ssthresh > 0 {
        let cwnd = l.get(id, Field::Cwnd).max(prior_cwnd);
        let ssthresh = l.get(id, Field::SndSsthresh).max(prior_ssthresh);
        l.set(rule, id, Field::Cwnd, cwnd);
        l.set(rule, id, Field::SndSsthresh, ssthresh);
    }
    leave(l, id);
}

fn leave(l: &mut Ledger, id: SockId) {
    let tx = &mut l.sk_mut(id).tx;
    tx.ca_state = CaState::Open;
    tx.frto = false;
    tx.retrans_stamp = None;
    l.decided(Rule::TcpProcessLoss, Verdict::Nothing);
}
