//! The model's answers in the recordings' own format: the one place that knows which number of the model is which
//! recorded field.

use crate::engine::Machine;
use crate::engine::op::{Op, Protocol, SockName};
use crate::engine::profile::CounterRead;
use crate::engine::reason::Field;
use crate::engine::sock::{Sock, TcpState, TxSkb, WirePacket};
use crate::engine::step::{Errno, Step, SynOffer};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The MSS of a socket that never connected (`TCP_MSS_DEFAULT`), bytes.
const MSS_DEFAULT: i64 = 536;

/// Packets of one socket since it was last listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct WireTally {
    data_pkts: i64,
    data_bytes: i64,
    retx: i64,
    pure_acks: i64,
}

impl WireTally {
    fn add(&mut self, packet: &WirePacket) {
        if packet.len > 0 {
            self.data_pkts += 1;
            self.data_bytes += packet.len;
            self.retx += i64::from(packet.retx);
        } else {
            self.pure_acks += 1;
        }
    }
}

/// Writes answers, step after step. It remembers what the recordings' format needs from earlier steps.
#[derive(Clone, Debug, Default)]
pub struct Reporter {
    /// Sockets made by `many`: the recordings do not list them.
    unlisted: BTreeSet<SockName>,
    /// Packets not yet shown.
    wire: BTreeMap<SockName, WireTally>,
    /// Bytes read from the socket of the coming operation so far.
    copied: i64,
}

impl Reporter {
    /// To be called before `op` is applied.
    pub fn before(&mut self, op: &Op, machine: &Machine) {
        self.copied = copied(op, machine);
    }

    /// The answers to `op`: `ret`, `errno`, the extras and `state`.
    pub fn answers(&mut self, op: &Op, step: &Step, machine: &Machine) -> Map<String, Value> {
        if let Op::Many { prefix, n } = op {
            self.unlisted.extend((0..*n).filter_map(|i| SockName::new(&format!("{prefix}{i}"))));
        }
        for (name, packet) in &step.wire {
            self.wire.entry(*name).or_default().add(packet);
        }
        let mut out = Map::new();
        out.insert("ret".to_owned(), step.ret.into());
        out.insert("errno".to_owned(), step.errno.map_or(0, Errno::code).into());
        for (name, value) in [("calls_ok", step.calls_ok), ("segs", step.segs), ("rounds", step.rounds)] {
            if let Some(value) = value {
                out.insert(name.to_owned(), value.into());
            }
        }
        for (name, offer) in [("syn", step.syn), ("synack", step.synack)] {
            if let Some(SynOffer { win, wscale, mss }) = offer {
                out.insert(name.to_owned(), json!({ "win": win, "wscale": wscale, "mss": mss }));
            }
        }
        if let Op::Rx { read_every: 1.., .. } = op {
            out.insert("read".to_owned(), (copied(op, machine) - self.copied).into());
        }
        out.insert("state".to_owned(), json!({ "socks": self.socks(machine), "global": global(machine) }));
        out
    }

    /// The state alone, for a machine before its first operation.
    pub fn state(&mut self, machine: &Machine) -> Value {
        json!({ "socks": self.socks(machine), "global": global(machine) })
    }

    fn socks(&mut self, machine: &Machine) -> Value {
        let mut out = Map::new();
        for (id, sock) in machine.socks() {
            let answers_to_its_name = machine.find(sock.name).is_some_and(|(found, _)| found == id);
            if !answers_to_its_name || !sock.accepted || self.unlisted.contains(&sock.name) {
                continue;
            }
            let tally = self.wire.remove(&sock.name);
            out.insert(sock.name.to_string(), one_sock(machine, sock, tally));
        }
        Value::Object(out)
    }
}

/// Bytes read so far from the socket that `op` is about.
fn copied(op: &Op, machine: &Machine) -> i64 {
    op.sock().and_then(|name| machine.find(name)).map_or(0, |(_, sock)| sock.rx.copied_seq)
}

fn one_sock(machine: &Machine, sock: &Sock, tally: Option<WireTally>) -> Value {
    let profile = machine.profile();
    let option = |exists: bool, field: Field| if exists { json!(sock.get(field)) } else { Value::Null };
    let mut out = json!({
        "rmem_alloc": sock.get(Field::RmemAlloc),
        "rcvbuf": sock.get(Field::Rcvbuf),
        // The recording device takes sent packets over at once, and the task never holds the socket while a packet
        // arrives: neither number is ever seen above zero.
        "wmem_alloc": 0,
        "backlog": 0,
        "sndbuf": sock.get(Field::Sndbuf),
        "fwd_alloc": sock.get(Field::FwdAlloc),
        "wmem_queued": sock.get(Field::WmemQueued),
        "drops": sock.get(Field::Drops),
        "SO_RCVBUF": sock.get(Field::Rcvbuf),
        "SO_SNDBUF": sock.get(Field::Sndbuf),
        "reserved": option(profile.reserve.exists, Field::Reserved),
        "buf_lock": option(profile.buf_lock, Field::BufLock),
    });
    if sock.state != TcpState::Listen {
        out["inq"] = inq(sock).into();
    }
    if sock.kind == Protocol::Udp {
        return out;
    }
    out["window_clamp"] = sock.get(Field::WindowClamp).into();
    out["tcp"] = tcp_info(sock);
    if sock.state != TcpState::Listen {
        out["outq"] = sock.outq().into();
        out["outq_nsd"] = sock.notsent().into();
        out["peer"] = peer(sock, tally);
    }
    out
}

/// `FIONREAD`: all that can be read of a stream, the first datagram otherwise.
fn inq(sock: &Sock) -> i64 {
    match sock.kind {
        Protocol::Udp => {
            let first = sock.udp.reader_queue.front().or(sock.udp.receive_queue.front());
            first.map_or(0, |skb| skb.len)
        }
        Protocol::Tcp => {
            let unread = sock.rx.rcv_nxt - sock.rx.copied_seq;
            if sock.rx.fin_seen && unread > 0 { unread - 1 } else { unread }
        }
    }
}

/// Parts of `TCP_INFO`. The kernel tells little about a listener.
fn tcp_info(sock: &Sock) -> Value {
    let listening = sock.state == TcpState::Listen;
    let get = |field: Field| if listening { 0 } else { sock.get(field) };
    let segs = |marked: fn(&TxSkb) -> bool| -> i64 {
        sock.tx.rtx_queue.iter().filter(|skb| marked(skb)).map(|skb| skb.segs).sum()
    };
    let waiting = i64::try_from(sock.accept_queue.len()).unwrap_or(i64::MAX);
    let mss = if never_connected(sock) { MSS_DEFAULT } else { sock.tx.mss_cache };
    json!({
        "state": sock.state as i64,
        "rcv_ssthresh": get(Field::RcvSsthresh),
        "rcv_space": get(Field::RcvSpace),
        "snd_wscale": get(Field::SndWscale),
        "rcv_wscale": get(Field::RcvWscale),
        "snd_mss": if listening { 0 } else { mss },
        "rcv_mss": get(Field::RcvMss),
        "advmss": get(Field::Advmss),
        "cwnd": sock.get(Field::Cwnd),
        "unacked": if listening { waiting } else { sock.get(Field::Unacked) },
        "lost": segs(|skb| skb.lost),
        "retrans": segs(|skb| skb.retrans),
        "notsent": if listening { 0 } else { sock.notsent() },
        "snd_ssthresh": get(Field::SndSsthresh),
        "snd_wnd": get(Field::SndWnd),
        "rcv_wnd": get(Field::RcvWnd),
    })
}

/// A socket has an advertised MSS from its handshake on.
const fn never_connected(sock: &Sock) -> bool {
    sock.get(Field::Advmss) == 0
}

fn peer(sock: &Sock, tally: Option<WireTally>) -> Value {
    let peer = &sock.peer;
    let fresh = never_connected(sock);
    let mut out = json!({
        "adv_win": peer.adv_win,
        "adv_win_raw": peer.adv_win_raw,
        "k_wscale": if fresh { -1 } else { sock.get(Field::RcvWscale) },
        "k_acked": peer.k_acked,
        "k_sent": peer.k_sent,
        "r_sent": if fresh { -1 } else { peer.r_sent },
        "r_acked": peer.r_acked,
    });
    if let Some(WireTally { data_pkts, data_bytes, retx, pure_acks }) = tally {
        for (name, count) in
            [("data_pkts", data_pkts), ("data_bytes", data_bytes), ("retx", retx), ("pure_acks", pure_acks)]
        {
            out[name] = count.into();
        }
    }
    out
}

fn global(machine: &Machine) -> Value {
    let tcp = machine.proto(Protocol::Tcp);
    let udp = machine.proto(Protocol::Udp);
    let snmp: Map<String, Value> =
        machine.snmp().moved().map(|(counter, value)| (counter.name().to_owned(), value.into())).collect();
    let mut out = json!({
        "tcp_mem_pages": tcp.read(),
        "udp_mem_pages": udp.read(),
        "press": if tcp.pressure_since().is_some() { "yes" } else { "no" },
        "k_memory_allocated": tcp.memory_allocated(),
        "k_total_pages": tcp.total(),
        "k_udp_total_pages": udp.total(),
        "snmp": snmp,
    });
    if machine.profile().counter == CounterRead::PerCpu {
        out["k_pcpu_fw_alloc"] = tcp.per_cpu().get().into();
    }
    if let Some(group) = machine.own_memcg() {
        out["memcg_sock"] = machine.setup().page_size.bytes_of(group.reported()).get().into();
    }
    out
}

/// One number of a step's answers by path: `ret`, `errno`, `s.fwd_alloc`, `s.tcp.rcv_ssthresh`, `global.press` (1 when
/// `yes`), `global.snmp.PruneCalled` (0 when it never moved). `None`: the answers have no such number.
pub fn lookup(answers: &Map<String, Value>, path: &str) -> Option<i64> {
    if let Some(counter) = path.strip_prefix("global.snmp.") {
        let moved = answers.get("state")?.get("global")?.get("snmp")?;
        return Some(moved.get(counter).and_then(Value::as_i64).unwrap_or(0));
    }
    let mut parts = path.split('.');
    let first = parts.next()?;
    let start = match (first, answers.get(first)) {
        ("state", _) | (_, None) => {
            let state = answers.get("state")?;
            if first == "global" { state.get("global")? } else { state.get("socks")?.get(first)? }
        }
        (_, Some(value)) => value,
    };
    let value = parts.try_fold(start, |value, part| value.get(part))?;
    match value {
        Value::String(text) => ["no", "yes"].iter().zip(0..).find(|(word, _)| *word == text).map(|(_, n)| n),
        other => other.as_i64(),
    }
}
