//! Receive room and the window it makes: conversions, the first window, and the window of each later packet.

use super::grow_window::tcp_adjust_rcv_ssthresh;
use super::pressure::check_pressure;
use crate::engine::ledger::Ledger;
use crate::engine::machine::Machine;
use crate::engine::profile::WindowFromSpace;
use crate::engine::reason::{Cmp, Field, Rule, Term};
use crate::engine::sock::{Sock, SockId};
use crate::engine::units::{ilog2, round_down, round_up};

/// Largest window scale.
const WSCALE_MAX: i64 = 14;
/// Largest window the 16-bit field carries without scale, bytes.
const FIELD_MAX: i64 = 65_535;
/// The smallest segment size anybody assumes, bytes (`TCP_MIN_MSS`).
const MIN_MSS: i64 = 88;
/// The segment size assumed before any is known, bytes (`TCP_MSS_DEFAULT`).
const DEFAULT_MSS: i64 = 536;

/// Payload that `space` bytes of receive buffer hold.
//= include/net/tcp.h tcp_win_from_space @ 5.10 6.1 6.12 7.3
//# Up to 6.5 a fixed share given by `tcp_adv_win_scale`, half by default; from 6.6 the measured share of the socket.
//# The result keeps the sign of the space.
pub fn win_from_space(l: &Ledger, id: SockId, space: i64) -> i64 {
    share_of(l.machine(), l.sk(id), space)
}

fn share_of(m: &Machine, sock: &Sock, space: i64) -> i64 {
    match m.profile().window {
        WindowFromSpace::AdvWinScale => {
            let scale = m.sysctls().tcp_adv_win_scale;
            if scale <= 0 { space >> -scale } else { space - (space >> scale) }
        }
        WindowFromSpace::ScalingRatio { .. } => (space * sock.get(Field::ScalingRatio)) >> 8,
    }
}

/// Receive buffer that `win` bytes of payload need, by the measured share (6.6 and later).
//= include/net/tcp.h tcp_space_from_win @ 6.12 7.3
//# The inverse of the above, rounded down. Kernels with a fixed share do not have it: there it is the doubled window.
pub fn space_from_win(l: &Ledger, id: SockId, win: i64) -> i64 {
    match l.machine().profile().window {
        WindowFromSpace::AdvWinScale => win * 2,
        WindowFromSpace::ScalingRatio { .. } => (win << 8) / l.get(id, Field::ScalingRatio).max(1),
    }
}

/// Free receive room as payload, bytes.
//= include/net/tcp.h tcp_space @ 5.10 6.1 6.12 7.3
//# The buffer less what is queued. Negative when the queue overshoots the buffer.
pub fn tcp_space(l: &Ledger, id: SockId) -> i64 {
    let sock = l.sk(id);
    win_from_space(l, id, (sock.rcvbuf() - sock.rmem_alloc()).0)
}

/// All receive room as payload, bytes.
//= include/net/tcp.h tcp_full_space @ 5.10 6.1 6.12 7.3
//# As if nothing were queued.
pub fn tcp_full_space(l: &Ledger, id: SockId) -> i64 {
    win_from_space(l, id, l.sk(id).rcvbuf().0)
}

/// What is left of the window that was advertised last, bytes.
//= include/net/tcp.h tcp_receive_window @ 5.10 6.1 6.12 7.3
//# Counted from where it was advertised; never below zero.
pub fn tcp_receive_window(sock: &Sock) -> i64 {
    (sock.rx.rcv_wup + sock.get(Field::RcvWnd) - sock.rx.rcv_nxt).max(0)
}

/// What the furthest advertised edge still allows, bytes (7.1 and later).
//= include/net/tcp.h tcp_max_receive_window @ 7.3
//# As above, from the furthest edge ever advertised, which shrinking does not move back.
pub fn tcp_max_receive_window(sock: &Sock) -> i64 {
    (sock.rx.rcv_mwnd_seq - sock.rx.rcv_nxt).max(0)
}

/// The window of a SYN or SYN-ACK.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InitialWindow {
    /// `rcv_wnd`, and the first `rcv_ssthresh`, bytes.
    pub rcv_wnd: i64,
    /// `rcv_wscale`, bits.
    pub wscale: i64,
    /// `window_clamp`, bytes.
    pub window_clamp: i64,
}

/// The first window, its scale and its clamp, from a socket's receive buffer.
///
/// `mss` is the segment size without options; `clamp_in` the clamp known before, 0 if none.
//= net/ipv4/tcp_output.c tcp_select_initial_window @ 5.10 6.1 6.12 7.3
//# A locked buffer clamps the window to its whole room. The window is that room in whole segments, up to 6.9 at most
//# 65535. The scale is chosen for the largest buffer the limits allow, so that autotuning is not held back, but never
//# for more than the clamp: that is how a locked buffer shrinks the scale.
pub fn tcp_select_initial_window(
    l: &mut Ledger,
    id: SockId,
    mss: i64,
    clamp_in: i64,
    wscale_ok: bool,
) -> InitialWindow {
    let rule = Rule::TcpSelectInitialWindow;
    let full = tcp_full_space(l, id);
    let mut clamp = clamp_in;
    let locked = i64::from(l.sk(id).rcvbuf_locked());
    if l.check(rule, Field::BufLock.of(locked), Cmp::Ne, Term::Constant.of(0)) && (clamp == 0 || clamp > full) {
        clamp = full;
    }
    if clamp == 0 {
        clamp = FIELD_MAX << WSCALE_MAX;
    }
    let mut space = full.max(0).min(clamp);
    if l.check(rule, Term::Space.of(space), Cmp::Gt, Term::Mss.of(mss)) {
        space = space / mss.max(1) * mss.max(1);
    }
    let rcv_wnd = if l.machine().profile().initial_window_64k { space.min(FIELD_MAX) } else { space };
    let mut wscale = 0;
    if wscale_ok {
        let sysctls = l.machine().sysctls();
        let largest = space.max(sysctls.tcp_rmem[2]).max(sysctls.rmem_max).min(clamp);
        l.called(rule, Some(Term::FullSpace.of(largest)));
        wscale = if largest > 0 { (ilog2(largest) - 15).clamp(0, WSCALE_MAX) } else { 0 };
    }
    InitialWindow { rcv_wnd, wscale, window_clamp: clamp.min(FIELD_MAX << wscale) }
}

/// Clamp, `rcv_ssthresh` and the autotuning start of a connection that was just established.
//= net/ipv4/tcp_input.c tcp_init_buffer_space @ 5.10 6.1 6.12 7.3
//# The clamp is at most the room, less one segment kept for the application where that leaves two. The first
//# measurement starts at ten segments, or less.
pub fn tcp_init_buffer_space(l: &mut Ledger, id: SockId) {
    let rule = Rule::TcpInitBufferSpace;
    let room = tcp_full_space(l, id);
    let advmss = l.get(id, Field::Advmss);
    let app_win = l.machine().sysctls().tcp_app_win;
    let mut clamp = l.get(id, Field::WindowClamp);
    if l.check(rule, Field::WindowClamp.of(clamp), Cmp::Ge, Term::FullSpace.of(room)) {
        clamp = room;
        if app_win != 0 && room > 4 * advmss {
            let kept = if app_win < 63 { room >> app_win } else { 0 };
            clamp = (room - kept).max(4 * advmss);
        }
    }
    if app_win != 0 && clamp > 2 * advmss && clamp + advmss > room {
        clamp = (2 * advmss).max(room - advmss);
    }
    l.set(rule, id, Field::WindowClamp, clamp);
    let ssthresh = l.get(id, Field::RcvSsthresh).min(clamp);
    l.set(rule, id, Field::RcvSsthresh, ssthresh);
    let space = ssthresh.min(l.get(id, Field::RcvWnd)).min(10 * advmss);
    l.set(rule, id, Field::RcvSpace, space);
    let now = l.now();
    let rx = &mut l.sk_mut(id).rx;
    rx.rcvq_time = now;
    rx.tcp_mstamp = now;
    rx.rcvq_seq = rx.copied_seq;
}

/// The first guess of the peer's segment size.
//= net/ipv4/tcp_input.c tcp_initialize_rcv_mss @ 5.10 6.1 6.12 7.3
//# The default segment size, or less if our own segments or half the window are smaller, but never below the minimum.
pub fn tcp_initialize_rcv_mss(l: &mut Ledger, id: SockId) {
    let own = l.get(id, Field::Advmss).min(l.sk(id).tx.mss_cache);
    let guess = own.min(l.get(id, Field::RcvWnd) / 2).clamp(MIN_MSS, DEFAULT_MSS);
    l.set(Rule::TcpMeasureRcvMss, id, Field::RcvMss, guess);
}

/// The window the free room would allow now, bytes. May end quick ACKs and move `rcv_ssthresh` under pressure.
//= net/ipv4/tcp_output.c __tcp_select_window @ 5.10 6.1 6.12 7.3
//# Free room, capped by `rcv_ssthresh`. Below half of the room quick ACKs end, and under pressure `rcv_ssthresh` is
//# cut; below a sixteenth, or below one segment, the offer is 0. A scaled offer is rounded up to the scale; an unscaled
//# one keeps the old window unless it can move by a whole segment.
pub fn tcp_select_window_free(l: &mut Ledger, id: SockId) -> i64 {
    let rule = Rule::TcpSelectWindow;
    let wscale = l.get(id, Field::RcvWscale);
    let shrink = l.machine().profile().shrink_window && l.machine().sysctls().tcp_shrink_window != 0 && wscale > 0;
    let allowed = tcp_full_space(l, id);
    let mut free = tcp_space(l, id);
    let full = l.get(id, Field::WindowClamp).min(allowed);
    let mut mss = l.get(id, Field::RcvMss);
    if l.check(rule, Term::Mss.of(mss), Cmp::Gt, Term::FullSpace.of(full)) {
        mss = full;
        if mss <= 0 {
            return 0;
        }
    }
    if shrink {
        free = round_down(free, 1 << wscale);
    }
    if l.check(rule, Term::Space.of(free), Cmp::Lt, Term::FullSpace.of(full >> 1)) {
        l.sk_mut(id).rx.ack.quick = 0;
        if check_pressure(l, id, rule) {
            tcp_adjust_rcv_ssthresh(l, id);
        }
        free = round_down(free, 1 << wscale);
        if l.check(rule, Term::Space.of(free), Cmp::Lt, Term::FullSpace.of(allowed >> 4))
            || l.check(rule, Term::Space.of(free), Cmp::Lt, Term::Mss.of(mss))
            || (shrink && free < 1 << wscale)
        {
            return 0;
        }
    }
    offer(l, id, free, mss, full, shrink)
}

/// The offer from the free room: capped, then rounded.
fn offer(l: &mut Ledger, id: SockId, mut free: i64, mss: i64, full: i64, shrink: bool) -> i64 {
    let rule = Rule::TcpSelectWindow;
    let wscale = l.get(id, Field::RcvWscale);
    let ssthresh = l.get(id, Field::RcvSsthresh);
    if l.check(rule, Term::Space.of(free), Cmp::Gt, Field::RcvSsthresh.of(ssthresh)) {
        free = if shrink { round_up(ssthresh, 1 << wscale) } else { ssthresh };
    }
    if shrink {
        return free;
    }
    if wscale > 0 {
        return round_up(free, 1 << wscale);
    }
    let window = l.get(id, Field::RcvWnd);
    if window <= free - mss || window > free {
        free / mss.max(1) * mss.max(1)
    } else if mss == full && free > window + (full >> 1) {
        free
    } else {
        window
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::op::{Op, SockName, Timing};
    use crate::engine::setup::Setup;

    /// Spec 6.1: room as payload, by the fixed half and by measured shares.
    #[test]
    fn room_as_payload() {
        for (profile, ratio, space, window) in [
            ("5.10", 0, 131_072, 65_536),
            ("6.1", 0, 102_400, 51_200),
            ("5.10", 0, 2_304, 1_152),
            // the sign is kept, and the half is taken off
            ("5.10", 0, -3, -1),
            ("6.12", 65, 131_072, 33_280),
            ("6.12", 65, 102_400, 26_000),
            ("6.12", 128, 131_072, 65_536),
            ("6.12", 128, 2_304, 1_152),
            ("7.3", 160, 131_072, 81_920),
            ("7.3", 160, 2_304, 1_440),
            ("7.3", 85, 131_072, 43_520),
            ("7.3", 85, 2_304, 765),
            ("7.3", 128, -3, -2),
        ] {
            let mut m = Machine::new(profile, &Setup::default()).unwrap();
            let sock = SockName::new("s").unwrap();
            m.apply(&Op::Socket { sock, kind: crate::engine::op::Protocol::default() }, Timing::USUAL).unwrap();
            let id = m.find(sock).unwrap().0;
            let mut l = Ledger::new(&mut m, None);
            l.set(Rule::TcpMeasureRcvMss, id, Field::ScalingRatio, ratio);
            assert_eq!(win_from_space(&l, id, space), window, "{profile} {ratio} {space}");
        }
    }
}
