//! How large one skb may become: whole segments, bounded by what the device takes and by half the peer's window.

use super::truesize::OVERHEAD;
use crate::engine::ledger::Ledger;
use crate::engine::profile::Profile;
use crate::engine::reason::{Cmp, Rule, Term};
use crate::engine::sock::{Sock, SockId, Tx};

/// Most segments of one skb (`GSO_MAX_SEGS`).
pub const GSO_SEGS_MAX: i64 = 65_535;
/// Largest packet the device cuts itself, bytes (`GSO_LEGACY_MAX_SIZE`).
pub const GSO_SIZE_MAX: i64 = 65_536;
/// Truesize of a head of [`GSO_SIZE_MAX`] usable bytes.
pub const GSO_TRUESIZE: i64 = GSO_SIZE_MAX + OVERHEAD;
/// `TCP_MSS_DEFAULT`, bytes.
const MSS_DEFAULT: i64 = 536;
/// `TCP_MIN_SND_MSS`, bytes.
const MSS_MIN: i64 = 48;

/// Most payload of one skb, bytes: what the device takes less room for the headers.
pub fn gso_payload_max(l: &Ledger) -> i64 {
    GSO_SIZE_MAX - 1 - Profile::max_tcp_header(l.machine().setup().build)
}

/// Bounds a size by half of the largest window the peer ever offered.
//= include/net/tcp.h tcp_bound_to_half_wnd @ 5.10 6.1 6.12 7.3
//# A window of one default segment or less bounds as a whole. A peer that never opened its window does not bound.
pub fn tcp_bound_to_half_wnd(tx: &Tx, size: i64) -> i64 {
    let cutoff = if tx.max_window > MSS_DEFAULT { tx.max_window >> 1 } else { tx.max_window };
    if cutoff != 0 && size > cutoff { cutoff.max(68 - tx.tcp_header_len) } else { size }
}

/// Recomputes the segment size when the largest window changed.
//= net/ipv4/tcp_output.c tcp_sync_mss @ 5.10 6.1 6.12 7.3
//# The device's packet less headers, at most what the peer asked for, less the usual options, at most half the window.
pub fn tcp_sync_mss(l: &mut Ledger, id: SockId) {
    let path = i64::from(l.machine().setup().mtu) - super::create::HEADERS;
    let tx = &l.sk(id).tx;
    let options = tx.tcp_header_len - 20;
    let mss = path.min(tx.mss_clamp).max(MSS_MIN) - options;
    let mss = tcp_bound_to_half_wnd(tx, mss);
    if l.check(Rule::TcpSyncMss, Term::Mss.of(mss), Cmp::Ne, Term::Mss.of(l.sk(id).tx.mss_cache)) {
        l.sk_mut(id).tx.mss_cache = mss;
    }
}

/// Segment size of the next packet.
//= net/ipv4/tcp_output.c tcp_current_mss @ 5.10 6.1 6.12 7.3
//# The usual size, less the SACK blocks while we hold data out of order.
pub fn tcp_current_mss(l: &Ledger, id: SockId) -> i64 {
    let sock = l.sk(id);
    (sock.tx.mss_cache - sack_option(sock)).max(1)
}

/// Bytes of the SACK option a packet carries now: a block for each run of data out of order, as many as fit.
fn sack_option(sock: &Sock) -> i64 {
    if !sock.sack_ok || sock.rx.out_of_order_queue.is_empty() {
        return 0;
    }
    let fit = if sock.tstamp_ok { 3 } else { 4 };
    let mut blocks = 0;
    let mut edge = i64::MIN;
    for skb in &sock.rx.out_of_order_queue {
        if skb.seq > edge {
            blocks += 1;
            if blocks == fit {
                break;
            }
        }
        edge = edge.max(skb.end());
    }
    4 + 8 * blocks
}

/// How many bytes one skb is filled to.
//= net/ipv4/tcp.c tcp_xmit_size_goal @ 5.10 6.1 6.12 7.3
//# As many whole segments as fit into what the device takes and into half of the peer's window, at least one.
pub fn tcp_xmit_size_goal(l: &mut Ledger, id: SockId, mss: i64) -> i64 {
    let largest = gso_payload_max(l);
    let bounded = tcp_bound_to_half_wnd(&l.sk(id).tx, largest);
    let goal = ((bounded / mss).min(GSO_SEGS_MAX) * mss).max(mss);
    l.called(Rule::TcpXmitSizeGoal, Some(Term::SizeGoal.of(goal)));
    goal
}
