//! From an operation to the rules it runs.

use super::{close, create, data_queue, options, read, sendmsg, tcp_ack, timer, udp};
use crate::engine::ledger::Ledger;
use crate::engine::op::{Op, Protocol, SockName};
use crate::engine::reason::{BeatKind, Rule, Term, Verdict};
use crate::engine::sock::SockId;
use crate::engine::step::{Errno, Step};
use crate::engine::sysctl;
use crate::engine::units::{Bytes, Micros, Pages};

/// Runs an operation that was checked, letting `took` pass.
pub fn run_op(l: &mut Ledger, op: &Op, took: Micros) -> Step {
    let before = l.now();
    let step = run(l, op, took);
    // Whatever an operation did not use up passes after it.
    let left = before + took - l.now();
    if left > Micros::ZERO {
        timer::pass_time(l, left);
    }
    if let Some((id, sock)) = op.sock().and_then(|name| l.machine().find(name))
        && sock.kind == Protocol::Udp
    {
        udp::fionread(l, id);
    }
    step
}

fn run(l: &mut Ledger, op: &Op, took: Micros) -> Step {
    match op {
        Op::Socket { sock, kind } => create::op_socket(l, *sock, *kind),
        Op::Many { prefix, n } => create::op_many(l, *prefix, *n, took),
        Op::Sysctl { key, value } => op_sysctl(l, *key, value),
        Op::Cgroup { value, .. } => op_memory_max(l, *value),
        Op::CgroupLeave {} => {
            l.m.task_memcg = None;
            Step::default()
        }
        Op::CgroupEnter {} => {
            l.m.task_memcg = l.m.own_memcg;
            Step::default()
        }
        Op::BpfBypass { value } => op_bpf_bypass(l, *value),
        Op::Sleep { ms } => {
            let span = Micros::from_ms(i64::from(*ms)).0.max(took.0);
            timer::pass_time(l, Micros(span));
            Step::default()
        }
        Op::State {} => Step::default(),
        _ => match op.sock().and_then(|name| l.machine().find(name).map(|(id, _)| id)) {
            Some(id) => {
                l.beat(BeatKind::Call, Some(id));
                on_sock(l, id, op, took)
            }
            None => Step::default(),
        },
    }
}

fn on_sock(l: &mut Ledger, id: SockId, op: &Op, took: Micros) -> Step {
    match op {
        Op::Setsockopt { name, value, .. } => options::op_setsockopt(l, id, *name, *value),
        Op::Getsockopt { name, .. } => options::op_getsockopt(l, id, *name),
        Op::Connect { peer, .. } => create::op_connect(l, id, peer, took),
        Op::Listen { .. } => create::op_listen(l, id),
        Op::PeerConnect { child, peer, .. } => create::op_peer_connect(l, id, *child, peer, took),
        Op::Accept { child, .. } => accept(l, id, *child),
        Op::Send { bytes, count, .. } => sendmsg::op_send(l, id, i64::from(*bytes), i64::from(*count), took),
        Op::Ack { bytes, win, .. } => tcp_ack::op_ack(l, id, bytes.map(i64::from), win.map(i64::from), took),
        Op::AckAll { .. } => tcp_ack::op_ack_all(l, id, took),
        Op::PeerWin { win, .. } => tcp_ack::op_peer_win(l, id, i64::from(*win), took),
        Op::Rx { .. } | Op::RxAt { .. } | Op::RxSkip { .. } | Op::RxFin { .. } | Op::RxRst { .. } => {
            from_peer(l, id, op, took)
        }
        Op::Read { bytes, count, .. } => op_read(l, id, i64::from(*bytes), i64::from(*count), took),
        Op::ReadAll { .. } => match l.sk(id).kind {
            Protocol::Tcp => read::op_read_all(l, id, took),
            Protocol::Udp => udp::op_udp_read(l, id, i64::from(u16::MAX), None, took),
        },
        Op::UdpRx { len, count, truesize, .. } => {
            udp::op_udp_rx(l, id, i64::from(*len), i64::from(*count), truesize.map(i64::from), took)
        }
        Op::UdpSend { len, count, .. } => udp::op_udp_send(l, id, i64::from(*len), i64::from(*count), took),
        Op::Shutdown { .. } => close::op_shutdown(l, id),
        Op::Close { rst, .. } => close::op_close(l, id, *rst != 0),
        // The rest name no socket and were handled before.
        _ => Step::default(),
    }
}

fn from_peer(l: &mut Ledger, id: SockId, op: &Op, took: Micros) -> Step {
    match op {
        Op::Rx { len, count, respect_window, win_snapshot, read_every, rewind_unacked, truesize, .. } => {
            let params = data_queue::RxParams {
                len: i64::from(*len),
                count: i64::from(*count),
                respect_window: *respect_window != 0,
                win_snapshot: *win_snapshot != 0,
                read_every: i64::from(*read_every),
                rewind_unacked: *rewind_unacked != 0,
                truesize: truesize.map(i64::from),
            };
            data_queue::op_rx(l, id, &params, took)
        }
        Op::RxAt { ofs, len, count, stride, truesize, .. } => data_queue::op_rx_at(
            l,
            id,
            i64::from(*ofs),
            i64::from(*len),
            i64::from(*count),
            i64::from(*stride),
            truesize.map(i64::from),
            took,
        ),
        Op::RxSkip { bytes, .. } => data_queue::op_rx_skip(l, id, i64::from(*bytes)),
        Op::RxFin { .. } => data_queue::op_rx_fin(l, id, took),
        Op::RxRst { .. } => data_queue::op_rx_rst(l, id, took),
        _ => Step::default(),
    }
}

fn op_read(l: &mut Ledger, id: SockId, bytes: i64, count: i64, took: Micros) -> Step {
    match l.sk(id).kind {
        Protocol::Tcp => read::op_read(l, id, bytes, count, took),
        Protocol::Udp => udp::op_udp_read(l, id, bytes, Some(count), took),
    }
}

fn accept(l: &mut Ledger, listener: SockId, child: SockName) -> Step {
    match l.machine().find(child).map(|(id, _)| id) {
        Some(child) => create::op_accept(l, listener, child),
        None => Step::default(),
    }
}

/// Writes a sysctl. Readable text was checked before; what the kernel refuses is an errno.
//= kernel/sysctl.c proc_doulongvec_minmax @ 5.10 6.1 6.12 7.3
//# A value outside its bounds is refused whole. A write changes the limits alone: no flag and no counter.
fn op_sysctl(l: &mut Ledger, key: crate::engine::op::SysctlKey, value: &str) -> Step {
    let profile = l.m.profile.clone();
    match sysctl::write(&mut l.m.sysctls, &profile, key, value) {
        Ok(None) => Step::default(),
        Ok(Some(errno)) => {
            l.decided(Rule::ProcDoTcpMem, Verdict::Invalid);
            Step { ret: -1, errno: Some(errno), ..Step::default() }
        }
        Err(_) => Step { ret: -1, errno: Some(Errno::EINVAL), ..Step::default() },
    }
}

/// Writes `memory.max` of the task's own memory cgroup; rounds down to pages; -1 is "max".
fn op_memory_max(l: &mut Ledger, value: i64) -> Step {
    let page_size = l.machine().setup().page_size;
    let max = (value >= 0).then(|| page_size.pages_down(Bytes(value)));
    let Some(group) = l.m.own_memcg else {
        return Step { ret: -1, errno: Some(Errno::ENOENT), ..Step::default() };
    };
    l.called(Rule::MemCgroupChargeSkmem, Some(Term::MemcgMax.of(max.map_or(-1, Pages::get))));
    l.m.memcgs[group.0 as usize].max = max;
    Step::default()
}

/// Attaches the program of the fourth letter, on kernels that know the bypass.
fn op_bpf_bypass(l: &mut Ledger, value: i64) -> Step {
    if !l.machine().profile().bypass {
        l.decided(Rule::SkAlloc, Verdict::NotSupported);
        return Step { ret: -1, errno: Some(Errno::EINVAL), ..Step::default() };
    }
    l.m.bpf_bypass = Some(value != 0);
    Step::default()
}
