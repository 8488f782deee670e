//! The only writer of accounted numbers. It records rule, field, before and after, so a change without a
//! reason cannot be written, and it keeps the running totals that every step is checked against.

use super::machine::Machine;
use super::memcg::MemcgId;
use super::op::{Protocol, SockName};
use super::proto::Proto;
use super::reason::{Beat, BeatKind, Cmp, Fact, Field, Operand, Rule, Verdict};
use super::sock::{Sock, SockId, WirePacket};
use super::step::{Counts, Imbalance, Step};
use super::units::{Bytes, Micros, Pages};
use std::collections::BTreeSet;
use std::rc::Rc;

/// In which context the kernel runs: decides what a memory cgroup may do about its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Context {
    /// A system call of the task.
    Task,
    /// A packet or a timer in softirq.
    Softirq,
}

/// Called at the end of every beat with the state at that moment: how people step beat by beat.
pub type Observer<'o> = &'o mut dyn FnMut(&Machine, &Beat);

/// A machine being changed, with the record of why.
pub struct Ledger<'m, 'o> {
    pub(super) m: &'m mut Machine,
    observer: Option<Observer<'o>>,
    /// Softirq or task.
    pub ctx: Context,
    /// Packets emitted so far in this operation.
    pub wire: Vec<(SockName, WirePacket)>,
    /// How often memory changed hands so far in this operation.
    pub counts: Counts,
    beats: Vec<Beat>,
    touched: BTreeSet<SockId>,
    reasons: bool,
}

impl<'m, 'o> Ledger<'m, 'o> {
    pub(super) fn new(m: &'m mut Machine, observer: Option<Observer<'o>>) -> Self {
        let reasons = m.reasons;
        Self {
            m,
            observer,
            ctx: Context::Task,
            wire: Vec::new(),
            counts: Counts::default(),
            beats: Vec::new(),
            touched: BTreeSet::new(),
            reasons,
        }
    }

    // ---- reading ----

    /// The machine, to read.
    pub const fn machine(&self) -> &Machine {
        self.m
    }

    /// A socket, to read. Panics only if the id was never given out: our own bug.
    pub fn sk(&self, id: SockId) -> &Sock {
        &self.m.socks[&id]
    }

    /// Reads one tracked field.
    pub fn get(&self, id: SockId, field: Field) -> i64 {
        self.sk(id).get(field)
    }

    /// Simulated time.
    pub const fn now(&self) -> Micros {
        self.m.now
    }

    /// The protocol memory of a socket's protocol.
    pub fn proto_of(&self, id: SockId) -> &Proto {
        self.m.proto(self.sk(id).kind)
    }

    // ---- plumbing that is not accounted ----

    /// A socket's plumbing, to write: its queues, sequence numbers and timers. Tracked numbers cannot be written
    /// through it.
    ///
    /// # Panics
    /// Only if the id was never given out, or its socket has ended: our own bug.
    pub fn sk_mut(&mut self, id: SockId) -> &mut Sock {
        let sock = self.m.socks.get_mut(&id).expect("the id was given out by this machine");
        Rc::make_mut(sock)
    }

    /// Counts an event of `/proc/net/netstat`.
    pub fn count(&mut self, counter: super::snmp::Counter) {
        self.m.snmp.bump(counter, 1);
    }

    /// Adds to a counter of `/proc/net/netstat`.
    pub fn count_by(&mut self, counter: super::snmp::Counter, by: i64) {
        self.m.snmp.bump(counter, by);
    }

    // ---- beats and reasons ----

    /// Starts a new beat. The previous one, if it holds anything, ends here.
    pub fn beat(&mut self, kind: BeatKind, id: Option<SockId>) {
        self.end_beat();
        if !self.reasons && self.observer.is_none() {
            return;
        }
        let sock = id.map(|id| self.sk(id).name);
        self.beats.push(Beat { kind, sock, at: self.m.now, facts: Vec::new() });
    }

    fn end_beat(&mut self) {
        if self.beats.last().is_some_and(|b| b.facts.is_empty()) {
            self.beats.pop();
        } else if let Some(last) = self.beats.last()
            && let Some(observer) = self.observer.as_mut()
        {
            observer(self.m, last);
        }
    }

    fn record(&mut self, fact: Fact) {
        if !self.reasons && self.observer.is_none() {
            return;
        }
        if self.beats.is_empty() {
            self.beats.push(Beat { kind: BeatKind::Call, sock: None, at: self.m.now, facts: Vec::new() });
        }
        if let Some(beat) = self.beats.last_mut() {
            beat.facts.push(fact);
        }
    }

    /// A rule was reached.
    pub fn called(&mut self, rule: Rule, arg: Option<Operand>) {
        self.record(Fact::Called { rule, arg });
    }

    /// A rule compares two numbers; returns the outcome.
    pub fn check(&mut self, rule: Rule, lhs: Operand, cmp: Cmp, rhs: Operand) -> bool {
        let taken = cmp.test(lhs.value, rhs.value);
        self.record(Fact::Checked { rule, lhs, cmp, rhs, taken });
        taken
    }

    /// A rule ended in an outcome.
    pub fn decided(&mut self, rule: Rule, verdict: Verdict) {
        self.record(Fact::Decided { rule, verdict });
    }

    // ---- the accounted numbers ----

    /// Sets a socket's field. Setting the value it has already records nothing.
    pub fn set(&mut self, rule: Rule, id: SockId, field: Field, after: i64) {
        let before = self.get(id, field);
        if before == after {
            return;
        }
        self.sk_mut(id).tracked.put(field, after);
        if matches!(field, Field::FwdAlloc | Field::WmemQueued | Field::RmemAlloc) {
            self.touched.insert(id);
            let (kind, bypass, memcg) = {
                let sk = self.sk(id);
                (sk.kind, sk.bypass, sk.memcg)
            };
            let delta = Bytes(after - before);
            if !bypass {
                self.m.proto_mut(kind).held += delta;
            }
            if let Some(MemcgId(n)) = memcg {
                self.m.memcg_held[n as usize] += delta;
            }
        }
        self.record(Fact::Moved { rule, field, before, after });
    }

    /// Adds to a socket's field.
    pub fn add(&mut self, rule: Rule, id: SockId, field: Field, delta: i64) {
        let before = self.get(id, field);
        self.set(rule, id, field, before + delta);
    }

    /// Attaches a socket to a memory cgroup (creation, or accept): what it holds counts there from now on.
    pub fn assign_memcg(&mut self, id: SockId, memcg: Option<MemcgId>) {
        let held = self.sk(id).held();
        let before = self.sk(id).memcg;
        if let Some(MemcgId(n)) = before {
            self.m.memcg_held[n as usize] -= held;
        }
        if let Some(MemcgId(n)) = memcg {
            self.m.memcg_held[n as usize] += held;
        }
        self.sk_mut(id).memcg = memcg;
        self.touched.insert(id);
    }

    /// Sets the global atomic of a protocol.
    pub fn set_memory_allocated(&mut self, rule: Rule, kind: Protocol, after: Pages) {
        let before = self.m.proto(kind).memory_allocated;
        if before != after {
            self.m.proto_mut(kind).memory_allocated = after;
            self.record(Fact::Moved { rule, field: Field::MemoryAllocated, before: before.0, after: after.0 });
        }
    }

    /// Sets this CPU's part of a protocol's counter.
    pub fn set_per_cpu(&mut self, rule: Rule, kind: Protocol, after: Pages) {
        let before = self.m.proto(kind).per_cpu_fw_alloc[0];
        if before != after {
            self.m.proto_mut(kind).per_cpu_fw_alloc[0] = after;
            self.record(Fact::Moved { rule, field: Field::PcpuFwAlloc, before: before.0, after: after.0 });
        }
    }

    /// Sets or clears the TCP pressure flag.
    pub fn set_pressure(&mut self, rule: Rule, since: Option<Micros>) {
        let before = self.m.tcp.pressure_since;
        if before.is_some() != since.is_some() {
            self.m.tcp.pressure_since = since;
            self.record(Fact::Moved {
                rule,
                field: Field::Pressure,
                before: i64::from(before.is_some()),
                after: i64::from(since.is_some()),
            });
        }
    }

    /// Changes the pages a memory cgroup is charged for sockets.
    pub fn add_memcg_sock(&mut self, rule: Rule, MemcgId(n): MemcgId, delta: Pages) {
        let group = &mut self.m.memcgs[n as usize];
        let before = group.sock;
        group.sock += delta;
        let after = group.sock;
        if before != after {
            self.record(Fact::Moved { rule, field: Field::MemcgSock, before: before.0, after: after.0 });
        }
    }

    // ---- the end of an operation ----

    /// Ends the operation: fills in what happened, and the balances that do not hold.
    pub(super) fn finish(mut self, step: &mut Step) {
        self.end_beat();
        let mut off = Vec::new();
        for id in &self.touched {
            if let Some(sock) = self.m.socks.get(id) {
                check_sock(self.m, sock, &mut off);
            }
        }
        check_totals(self.m, &mut off);
        step.beats = self.beats;
        step.wire = self.wire;
        step.counts = self.counts;
        step.imbalances = off;
    }
}

/// One socket: credit and queues are whole pages.
fn check_sock(m: &Machine, sock: &Sock, off: &mut Vec<Imbalance>) {
    let page = m.setup.page_size.bytes().0;
    let rest = sock.held().0.rem_euclid(page);
    if rest != 0 {
        off.push(Imbalance { sock: Some(sock.name), total: String::new(), off_by: rest });
    }
}

/// The running totals against the counters.
fn check_totals(m: &Machine, off: &mut Vec<Imbalance>) {
    for (kind, name) in [(Protocol::Tcp, "tcp"), (Protocol::Udp, "udp")] {
        let proto = m.proto(kind);
        push_total(m, proto.held, proto.total(), name, off);
    }
    for (group, held) in m.memcgs.iter().zip(&m.memcg_held) {
        push_total(m, *held, group.sock, &group.name, off);
    }
}

fn push_total(m: &Machine, held: Bytes, charged: Pages, name: &str, off: &mut Vec<Imbalance>) {
    let charged = m.setup.page_size.bytes_of(charged);
    if held != charged {
        off.push(Imbalance { sock: None, total: name.to_owned(), off_by: (held - charged).0 });
    }
}

/// Recounts everything from the sockets: tests, debug builds, and after a seek.
pub(super) fn full_recount(m: &Machine) -> Vec<Imbalance> {
    let mut off = Vec::new();
    let mut tcp = Bytes::ZERO;
    let mut udp = Bytes::ZERO;
    let mut groups: Vec<Bytes> = m.memcgs.iter().map(|_| Bytes::ZERO).collect();
    for sock in m.socks.values() {
        check_sock(m, sock, &mut off);
        if !sock.bypass {
            match sock.kind {
                Protocol::Tcp => tcp += sock.held(),
                Protocol::Udp => udp += sock.held(),
            }
        }
        if let Some(MemcgId(n)) = sock.memcg {
            groups[n as usize] += sock.held();
        }
    }
    push_total(m, tcp, m.tcp.total(), "tcp", &mut off);
    push_total(m, udp, m.udp.total(), "udp", &mut off);
    for (group, held) in m.memcgs.iter().zip(&groups) {
        push_total(m, *held, group.sock, &group.name, &mut off);
    }
    off
}
