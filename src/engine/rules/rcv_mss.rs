//! What the segments of the peer look like: their size, and how much of their truesize is payload.

use super::options::set_window_clamp;
use super::rcv_window::tcp_full_space;
use crate::engine::ledger::Ledger;
use crate::engine::profile::{RatioChange, WindowFromSpace};
use crate::engine::reason::{Cmp, Field, Rule, Term};
use crate::engine::sock::SockId;
use crate::engine::units::Bytes;

/// TCP header without options, bytes.
const TCP_HEADER: i64 = 20;
/// The timestamp option with its padding, bytes.
const TSTAMP_LEN: i64 = 12;
/// `TCP_MSS_DEFAULT`, bytes.
const DEFAULT_MSS: i64 = 536;
/// `TCP_MIN_MSS`, bytes.
const MIN_MSS: i64 = 88;

/// Learns from one data segment of `len` payload bytes.
//= net/ipv4/tcp_input.c tcp_measure_rcv_mss @ 5.10 6.1 6.12 7.3
//# A segment at least as large as the estimate sets it (up to our own segment size); from 6.6 on a new size also
//# measures the share of payload in truesize. A smaller one counts only when it comes twice in a row; until then it
//# is taken for a push.
pub fn tcp_measure_rcv_mss(l: &mut Ledger, id: SockId, len: i64, truesize: Bytes, fin: bool) {
    let rule = Rule::TcpMeasureRcvMss;
    let previous = std::mem::take(&mut l.sk_mut(id).rx.ack.last_seg_size);
    let estimate = l.get(id, Field::RcvMss);
    if l.check(rule, Term::Len.of(len), Cmp::Ge, Field::RcvMss.of(estimate)) {
        if len != estimate {
            measure_ratio(l, id, len, truesize);
        }
        let advmss = l.get(id, Field::Advmss);
        l.set(rule, id, Field::RcvMss, len.min(advmss));
        return;
    }
    let options = if l.sk(id).tstamp_ok { TSTAMP_LEN } else { 0 };
    let with_header = len + TCP_HEADER + options;
    let plausible = with_header >= DEFAULT_MSS + TCP_HEADER || (with_header >= MIN_MSS + TCP_HEADER && !fin);
    if plausible {
        let size = with_header - l.sk(id).tx.tcp_header_len;
        l.sk_mut(id).rx.ack.last_seg_size = size;
        if l.check(rule, Term::Len.of(size), Cmp::Eq, Term::Mss.of(previous)) {
            l.set(rule, id, Field::RcvMss, size);
            return;
        }
    }
    let ack = &mut l.sk_mut(id).rx.ack;
    if ack.pushed {
        ack.pushed2 = true;
    }
    ack.pushed = true;
}

/// The share of payload in truesize, in 256ths, from one segment; the clamp follows it.
//= net/ipv4/tcp_input.c tcp_measure_rcv_mss @ 6.12 7.3
//# Rounded down, at least one, kept in eight bits. From 6.11 on a changed share moves the clamp to the whole room,
//# locked buffer or not, and cuts the autotuning start to it; before, the clamp stays.
fn measure_ratio(l: &mut Ledger, id: SockId, len: i64, truesize: Bytes) {
    let rule = Rule::TcpMeasureRcvMss;
    if !matches!(l.machine().profile().window, WindowFromSpace::ScalingRatio { .. }) {
        return;
    }
    let ratio = (((len << 8) / truesize.0.max(1)) & 0xff).max(1);
    let before = l.get(id, Field::ScalingRatio);
    if !l.check(rule, Term::Argument.of(ratio), Cmp::Ne, Field::ScalingRatio.of(before)) {
        return;
    }
    l.set(rule, id, Field::ScalingRatio, ratio);
    let clamp = tcp_full_space(l, id);
    match l.machine().profile().ratio_change {
        RatioChange::RatioOnly => return,
        RatioChange::ClampOnly => l.set(rule, id, Field::WindowClamp, clamp),
        RatioChange::ThroughSetter => {
            // A connected socket never refuses a clamp.
            let _ = set_window_clamp(l, id, clamp);
        }
    }
    let clamp = l.get(id, Field::WindowClamp);
    let space = l.get(id, Field::RcvSpace);
    if l.check(rule, Field::WindowClamp.of(clamp), Cmp::Lt, Field::RcvSpace.of(space)) {
        l.set(rule, id, Field::RcvSpace, clamp);
    }
}
