//! The beginning of a socket: creation, both handshakes, accept.

use super::memcg::charge_no_fail;
use super::rcv_window::{tcp_init_buffer_space, tcp_initialize_rcv_mss, tcp_select_initial_window};
use super::reclaim::sk_mem_uncharge;
use super::sndbuf::tcp_sndbuf_expand;
use super::truesize::tx_head;
use super::{ack_out, forward_alloc, rtt, timer};
use crate::engine::ledger::{Context, Ledger};
use crate::engine::op::{PeerOptions, Protocol, SockName};
use crate::engine::profile::WindowFromSpace;
use crate::engine::reason::{BeatKind, Field, Rule, Term};
use crate::engine::sock::{Peer, Rx, Sock, SockId, TcpState, Tracked, Tx, Udp};
use crate::engine::step::{Step, SynOffer};
use crate::engine::units::{Bytes, Micros};
use std::rc::Rc;

/// The first congestion window, packets.
const INIT_CWND: i64 = 10;
/// `TCP_INFINITE_SSTHRESH`, packets.
const INFINITE_SSTHRESH: i64 = 0x7fff_ffff;
/// `TCP_MSS_DEFAULT`, bytes.
const DEFAULT_MSS: i64 = 536;
/// IP and TCP headers without options, bytes.
pub const HEADERS: i64 = 40;
/// The timestamp option with its padding, bytes.
pub const TSTAMP_LEN: i64 = 12;

/// Runs `socket(2)`.
//= net/core/sock.c sk_alloc @ 5.10 6.1 6.12 7.3
//= net/ipv4/tcp.c tcp_init_sock @ 5.10 6.1 6.12 7.3
//# The socket belongs to the memory cgroup of the creating task, none in the root. Buffers start at the middle of
//# tcp_rmem and tcp_wmem, or at the defaults for UDP. From 6.19 on the bypass is decided here: by the sysctl, then by a
//# BPF program.
pub fn op_socket(l: &mut Ledger, name: SockName, kind: Protocol) -> Step {
    let id = add_sock(l, blank(l, name, kind));
    let memcg = l.machine().task_memcg;
    l.assign_memcg(id, memcg);
    let sysctls = l.machine().sysctls().clone();
    if l.machine().profile().bypass {
        let bypass = l.machine().bpf_bypass.unwrap_or(sysctls.bypass_prot_mem != 0);
        l.sk_mut(id).bypass = bypass;
    }
    l.set(Rule::SkAlloc, id, Field::RcvLowat, 1);
    match kind {
        Protocol::Udp => {
            l.set(Rule::SkAlloc, id, Field::Sndbuf, sysctls.wmem_default);
            l.set(Rule::SkAlloc, id, Field::Rcvbuf, sysctls.rmem_default);
            l.sk_mut(id).udp.forward_threshold = sysctls.rmem_default >> 2;
        }
        Protocol::Tcp => {
            l.set(Rule::TcpInitSock, id, Field::Sndbuf, sysctls.tcp_wmem[1]);
            l.set(Rule::TcpInitSock, id, Field::Rcvbuf, sysctls.tcp_rmem[1]);
            l.set(Rule::TcpInitSock, id, Field::Cwnd, INIT_CWND);
            l.set(Rule::TcpInitSock, id, Field::SndSsthresh, INFINITE_SSTHRESH);
            if let WindowFromSpace::ScalingRatio { initial } = l.machine().profile().window {
                l.set(Rule::TcpInitSock, id, Field::ScalingRatio, initial);
            }
            count_socket(l, 1);
        }
    }
    Step::default()
}

fn blank(l: &Ledger, name: SockName, kind: Protocol) -> Sock {
    Sock {
        name,
        kind,
        state: TcpState::Close,
        tracked: Tracked::new(),
        memcg: None,
        bypass: false,
        orphan: false,
        accepted: true,
        listener: None,
        accept_queue: std::collections::VecDeque::new(),
        snd_shutdown: false,
        tstamp_ok: false,
        sack_ok: false,
        err: None,
        tx: fresh_tx(l.now()),
        rx: Rx::default(),
        udp: Udp::default(),
        peer: Peer::default(),
    }
}

fn fresh_tx(now: Micros) -> Tx {
    Tx {
        mss_cache: DEFAULT_MSS,
        mss_clamp: DEFAULT_MSS,
        rto: Micros::from_ms(1000),
        mdev_us4: 1_000_000,
        lsndtime: now,
        tcp_header_len: 20,
        ..Tx::default()
    }
}

fn add_sock(l: &mut Ledger, sock: Sock) -> SockId {
    let id = SockId(l.m.next_id);
    l.m.next_id += 1;
    l.m.names.insert(sock.name, id);
    l.m.socks.insert(id, Rc::new(sock));
    id
}

/// Counts TCP sockets the way the fairness test reads them: in batches.
//= include/net/sock.h sk_sockets_allocated_inc @ 5.10 6.1 6.12 7.3
//# Changes collect per CPU and are folded when they reach the batch; the test reads the folded part.
pub fn count_socket(l: &mut Ledger, by: i64) {
    let batch = l.machine().profile().sockets_batch;
    let tcp = &mut l.m.tcp;
    tcp.sockets_pcpu += by;
    if tcp.sockets_pcpu.abs() >= batch {
        tcp.sockets_folded += tcp.sockets_pcpu;
        tcp.sockets_pcpu = 0;
    }
}

/// Runs `socket(2)` and `connect(2)` many times, with the usual peer. The names were checked.
pub fn op_many(l: &mut Ledger, prefix: SockName, n: u32, took: Micros) -> Step {
    let each = Micros(took.0 / i64::from(n.max(1)));
    for i in 0..n {
        if let Some(name) = SockName::new(&format!("{prefix}{i}")) {
            op_socket(l, name, Protocol::Tcp);
            if let Some(id) = l.machine().find(name).map(|(id, _)| id) {
                op_connect(l, id, &PeerOptions::default(), each);
            }
        }
    }
    Step { ret: i64::from(n), ..Step::default() }
}

/// The segment size our device allows, bytes.
fn device_mss(l: &Ledger) -> i64 {
    i64::from(l.machine().setup().mtu) - HEADERS
}

/// Runs `connect(2)`: the SYN leaves, half of `took` later the peer's SYN-ACK arrives, the final ACK leaves.
//= net/ipv4/tcp_output.c tcp_connect @ 5.10 6.1 6.12 7.3
//# The SYN is an skb head charged by force; the SYN-ACK frees it. 5.10 keeps the page as credit.
pub fn op_connect(l: &mut Ledger, id: SockId, peer: &PeerOptions, took: Micros) -> Step {
    let mss = device_mss(l);
    let clamp_in = l.sk(id).window_clamp().0;
    l.set(Rule::TcpConnect, id, Field::Advmss, mss);
    let wscale_ok = l.machine().sysctls().tcp_window_scaling != 0;
    let first = tcp_select_initial_window(l, id, mss, clamp_in, wscale_ok);
    set_initial_window(l, id, Rule::TcpConnect, first);
    l.sk_mut(id).tx.mss_cache = mss;
    tcp_initialize_rcv_mss(l, id);
    l.sk_mut(id).state = TcpState::SynSent;
    l.beat(BeatKind::Transmit, Some(id));
    let head = Bytes(tx_head(l.machine().profile(), l.machine().setup().build));
    forward_alloc::sk_forced_mem_schedule(l, id, head);
    l.add(Rule::TcpConnect, id, Field::WmemQueued, head.0);
    forward_alloc::sk_mem_charge(l, id, head);
    l.set(Rule::TcpConnect, id, Field::Unacked, 1);
    super::rto::arm_syn_timer(l, id);
    timer::pass_time(l, Micros(took.0 / 2));

    l.ctx = Context::Softirq;
    l.beat(BeatKind::Ack, Some(id));
    synack_arrived(l, id, peer, head, took.0 / 2);
    l.beat(BeatKind::AckOut, Some(id));
    ack_out::tcp_send_ack(l, id);
    l.ctx = Context::Task;
    timer::pass_time(l, Micros(took.0 - took.0 / 2));
    Step { syn: Some(SynOffer { win: first.rcv_wnd.min(65_535), wscale: first.wscale, mss }), ..Step::default() }
}

fn set_initial_window(l: &mut Ledger, id: SockId, rule: Rule, first: super::rcv_window::InitialWindow) {
    l.set(rule, id, Field::RcvWnd, first.rcv_wnd);
    l.set(rule, id, Field::RcvSsthresh, first.rcv_wnd);
    l.set(rule, id, Field::RcvWscale, first.wscale);
    l.set(rule, id, Field::WindowClamp, first.window_clamp);
    l.sk_mut(id).rx.rcv_mwnd_seq = first.rcv_wnd;
}

/// The client's side of the SYN-ACK.
//= net/ipv4/tcp_input.c tcp_rcv_synsent_state_process @ 5.10 6.1 6.12 7.3
//# The SYN is acknowledged and its head freed. The window field of a SYN-ACK is never scaled. Timestamps, when agreed,
//# take their option off the segment sizes before the buffers are set up.
fn synack_arrived(l: &mut Ledger, id: SockId, peer: &PeerOptions, head: Bytes, rtt_us: i64) {
    let scaling = l.machine().sysctls().tcp_window_scaling != 0;
    l.add(Rule::TcpCleanRtxQueue, id, Field::WmemQueued, -head.0);
    sk_mem_uncharge(l, id, head);
    l.set(Rule::TcpCleanRtxQueue, id, Field::Unacked, 0);
    let win = i64::from(peer.win).min(65_535);
    l.set(Rule::TcpAck, id, Field::SndWnd, win);
    l.set(Rule::TcpAck, id, Field::SndWscale, if scaling { i64::from(peer.wscale) } else { 0 });
    if !scaling {
        l.set(Rule::TcpAck, id, Field::RcvWscale, 0);
        let clamp = l.get(id, Field::WindowClamp).min(65_535);
        l.set(Rule::TcpAck, id, Field::WindowClamp, clamp);
    }
    establish(l, id, peer, win);
    // Our SYN always offers timestamps.
    rtt::handshake_rtt(l, id, rtt_us, TSTAMP_LEN);
    super::rto::clear_timer(l, id);
    if l.sk(id).tstamp_ok {
        l.add(Rule::TcpConnect, id, Field::Advmss, -TSTAMP_LEN);
    }
    tcp_initialize_rcv_mss(l, id);
    buffers_of_connection(l, id);
}

/// What both ends do when a connection becomes established.
fn establish(l: &mut Ledger, id: SockId, peer: &PeerOptions, win: i64) {
    let now = l.now();
    let tstamp = peer.ts != 0;
    let option_len = if tstamp { TSTAMP_LEN } else { 0 };
    let clamp = i64::from(peer.mss);
    let mss = half_window(device_mss(l).min(clamp) - option_len, win);
    let sock = l.sk_mut(id);
    sock.state = TcpState::Established;
    sock.tstamp_ok = tstamp;
    sock.sack_ok = peer.sack != 0;
    sock.tx.mss_clamp = clamp;
    sock.tx.mss_cache = mss;
    sock.tx.tcp_header_len = 20 + option_len;
    sock.tx.max_window = win;
    sock.tx.lsndtime = now;
    sock.rx.ack.lrcvtime = now;
    sock.rx.pred_flags = true;
    sock.peer.options = *peer;
    sock.peer.win = i64::from(peer.win);
}

/// A segment size that the peer's largest window can hold twice.
//= include/net/tcp.h tcp_bound_to_half_wnd @ 5.10 6.1 6.12 7.3
//# At most half of the window; a tiny window, up to the default segment size, bounds whole; a closed one not at all.
fn half_window(mss: i64, max_window: i64) -> i64 {
    let cutoff = if max_window > DEFAULT_MSS { max_window >> 1 } else { max_window };
    if cutoff != 0 && mss > cutoff { cutoff.max(48) } else { mss }
}

fn buffers_of_connection(l: &mut Ledger, id: SockId) {
    if !l.sk(id).sndbuf_locked() {
        tcp_sndbuf_expand(l, id);
    }
    tcp_init_buffer_space(l, id);
}

/// Runs `listen(2)`.
pub fn op_listen(l: &mut Ledger, id: SockId) -> Step {
    let sock = l.sk_mut(id);
    sock.state = TcpState::Listen;
    sock.rx.ack = crate::engine::sock::AckState::default();
    Step::default()
}

/// The peer's three-way handshake with a listener.
//= net/core/sock.c sk_clone_lock @ 5.10 6.1 6.12 7.3
//= net/ipv4/tcp_minisocks.c tcp_openreq_init_rwin @ 5.10 6.1 6.12 7.3
//# The window is chosen when the SYN arrives. The third packet makes the child: a copy of the listener's buffers, locks
//# and bypass, with every counter at zero and no memory cgroup until it is accepted. Nothing is charged.
pub fn op_peer_connect(l: &mut Ledger, id: SockId, child: SockName, peer: &PeerOptions, took: Micros) -> Step {
    let mss = device_mss(l);
    let tstamp_len = if peer.ts != 0 { TSTAMP_LEN } else { 0 };
    let clamp_in = l.sk(id).window_clamp().0;
    let scaling = l.machine().sysctls().tcp_window_scaling != 0;
    let first = tcp_select_initial_window(l, id, mss - tstamp_len, clamp_in, scaling);
    let offered_at = l.now();
    timer::pass_time(l, Micros(took.0 / 2));
    l.ctx = Context::Softirq;
    let child_id = clone_listener(l, id, child);
    l.beat(BeatKind::Call, Some(child_id));
    set_initial_window(l, child_id, Rule::SkCloneLock, first);
    l.set(Rule::SkCloneLock, child_id, Field::Advmss, mss);
    let win = i64::from(peer.win);
    let wscale = if scaling { i64::from(peer.wscale) } else { 0 };
    l.set(Rule::SkCloneLock, child_id, Field::SndWscale, wscale);
    let scaled = (win >> wscale).min(65_535) << wscale;
    l.set(Rule::TcpAck, child_id, Field::SndWnd, scaled);
    establish(l, child_id, peer, scaled);
    l.sk_mut(child_id).rx.last_tsval = super::rcv_rtt::timestamp(offered_at);
    rtt::handshake_rtt(l, child_id, took.0 / 2, tstamp_len);
    let early = l.machine().profile().child_advmss_early;
    if early {
        l.add(Rule::SkCloneLock, child_id, Field::Advmss, -tstamp_len);
    }
    tcp_initialize_rcv_mss(l, child_id);
    buffers_of_connection(l, child_id);
    if !early {
        l.add(Rule::SkCloneLock, child_id, Field::Advmss, -tstamp_len);
    }
    let peer_side = &mut l.sk_mut(child_id).peer;
    peer_side.adv_win = first.rcv_wnd.min(65_535);
    peer_side.adv_win_raw = peer_side.adv_win;
    l.sk_mut(id).accept_queue.push_back(child_id);
    l.ctx = Context::Task;
    timer::pass_time(l, Micros(took.0 - took.0 / 2));
    Step {
        synack: Some(SynOffer { win: first.rcv_wnd.min(65_535), wscale: first.wscale, mss }),
        ..Step::default()
    }
}

fn clone_listener(l: &mut Ledger, id: SockId, name: SockName) -> SockId {
    let listener = l.sk(id).clone();
    let mut child = blank(l, name, Protocol::Tcp);
    child.bypass = listener.bypass;
    child.accepted = false;
    child.listener = Some(id);
    child.tx.nonagle = listener.tx.nonagle;
    let child_id = add_sock(l, child);
    for field in [Field::Sndbuf, Field::Rcvbuf, Field::BufLock, Field::RcvLowat, Field::ScalingRatio] {
        l.set(Rule::SkCloneLock, child_id, field, listener.get(field));
    }
    l.set(Rule::SkCloneLock, child_id, Field::Cwnd, INIT_CWND);
    l.set(Rule::SkCloneLock, child_id, Field::SndSsthresh, INFINITE_SSTHRESH);
    count_socket(l, 1);
    child_id
}

/// Runs `accept(2)`.
//= net/ipv4/inet_connection_sock.c inet_csk_accept @ 5.10 6.1 6.12
//= net/ipv4/af_inet.c __inet_accept @ 7.3
//# The child gets the memory cgroup of the accepting task, which is charged, without asking its limit, for what the
//# child holds already.
pub fn op_accept(l: &mut Ledger, listener: SockId, child: SockId) -> Step {
    l.sk_mut(listener).accept_queue.retain(|waiting| *waiting != child);
    let memcg = l.machine().task_memcg;
    l.assign_memcg(child, memcg);
    l.sk_mut(child).accepted = true;
    let sock = l.sk(child);
    let held = sock.forward_alloc() + sock.rmem_alloc();
    let pages = l.machine().setup().page_size.pages_up(held);
    if pages.0 > 0 {
        l.called(Rule::InetCskAccept, Some(Term::Pages.of(pages.0)));
        charge_no_fail(l, child, pages);
    }
    Step::default()
}
