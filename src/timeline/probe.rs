//! Numbers over time, for charts: one number of a state, read at every step.

use super::line::Timeline;
use super::world::World;
use crate::engine::Machine;
use crate::engine::memcg::MemcgId;
use crate::engine::op::{Protocol, SockName};
use crate::engine::reason::Field;
use crate::engine::snmp::Counter;
use crate::engine::sock::Sock;
use std::ops::Range;

/// One number of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Probe {
    /// A tracked field of a socket.
    Sock(SockName, Field),
    /// Bytes charged for a socket: credit and queues.
    Held(SockName),
    /// The reserved bytes that no queued skb uses: the floor under the credit.
    UnusedReserve(SockName),
    /// Bytes received and not read.
    Inq(SockName),
    /// Bytes written and not acknowledged.
    Outq(SockName),
    /// The window the peer last saw, bytes.
    AdvWin(SockName),
    /// Pages really charged to a protocol.
    Total(Protocol),
    /// The counter its limits are checked against, pages.
    Atomic(Protocol),
    /// The part that sits in CPU caches, pages.
    PerCpu(Protocol),
    /// 1 under memory pressure.
    Pressure,
    /// Pages charged to a memory cgroup for sockets.
    Memcg(MemcgId),
    /// A counter of netstat.
    Counter(Counter),
}

impl Probe {
    /// Reads the number. `None`: there is no such socket or group now.
    pub fn read(self, m: &Machine) -> Option<i64> {
        let of = |name: SockName, read: fn(&Sock) -> i64| m.find(name).map(|(_, sock)| read(sock));
        match self {
            Self::Sock(name, field) => m.find(name).map(|(_, sock)| sock.get(field)),
            Self::Held(name) => of(name, |s| s.held().get()),
            Self::UnusedReserve(name) => of(name, |s| {
                let used = s.get(Field::WmemQueued) + s.get(Field::RmemAlloc);
                (s.get(Field::Reserved) - used).max(0)
            }),
            Self::Inq(name) => of(name, inq),
            Self::Outq(name) => of(name, Sock::outq),
            Self::AdvWin(name) => of(name, |s| s.peer.adv_win),
            Self::Total(kind) => Some(m.proto(kind).total().get()),
            Self::Atomic(kind) => Some(m.proto(kind).memory_allocated().get()),
            Self::PerCpu(kind) => Some(m.proto(kind).per_cpu().get()),
            Self::Pressure => Some(i64::from(m.proto(Protocol::Tcp).pressure_since().is_some())),
            Self::Memcg(MemcgId(n)) => m.memcgs().get(n as usize).map(|g| g.sock().get()),
            Self::Counter(counter) => Some(m.snmp().get(counter)),
        }
    }
}

fn inq(sock: &Sock) -> i64 {
    match sock.kind {
        Protocol::Tcp => sock.rx.rcv_nxt - sock.rx.copied_seq,
        Protocol::Udp => {
            let waiting = sock.udp.reader_queue.iter().chain(&sock.udp.receive_queue);
            waiting.map(|skb| skb.len).sum()
        }
    }
}

impl<W: World> Timeline<W> {
    /// Each probe at every step of `steps` that exists; 0 where there is nothing to read.
    pub fn series(&self, probes: &[Probe], steps: Range<u32>) -> Vec<Vec<i64>> {
        let mut series: Vec<Vec<i64>> = probes.iter().map(|_| Vec::new()).collect();
        let end = steps.end.min(self.end() + 1);
        if steps.start >= end {
            return series;
        }
        let mut world = self.state_at(steps.start);
        world.set_reasons(false);
        let mut ops = self.ops_from(steps.start);
        for step in steps.start..end {
            for (probe, values) in probes.iter().zip(&mut series) {
                values.push(probe.read(world.machine()).unwrap_or(0));
            }
            let Some(op) = ops.next().filter(|_| step + 1 < end) else {
                break;
            };
            if world.apply(op, None).is_err() {
                break;
            }
        }
        series
    }
}
