//! What a step changed altogether, read from its reasons.

use crate::engine::op::{Op, SockName};
use crate::engine::reason::{BeatKind, Fact, Field, Rule, Term, Verdict};
use crate::engine::step::Step;
use crate::timeline::is_drop;
use std::collections::BTreeMap;

/// The sums of a step.
#[derive(Debug, Default)]
pub(super) struct Digest {
    /// The operation's own socket.
    own: Option<SockName>,
    /// First value before and last value after, by socket and field.
    moves: BTreeMap<(Option<SockName>, Field), (i64, i64)>,
    /// Packets dropped.
    pub dropped: i64,
    /// Why the last one was.
    pub drop_verdict: Option<Verdict>,
    /// Timers that fired.
    pub timers: i64,
    /// Memory pressure after the step, if it changed.
    pub pressure: Option<bool>,
    /// The unused reserve that a reclaim stopped at.
    pub floor: Option<i64>,
    /// A smaller reserve was asked for.
    pub releases: bool,
    /// Something was sent again.
    pub retransmitted: bool,
}

impl Digest {
    /// Reads a step.
    pub fn of(op: &Op, step: &Step) -> Self {
        let own = match op {
            Op::Accept { child, .. } | Op::PeerConnect { child, .. } => Some(*child),
            _ => op.sock(),
        };
        let mut digest = Self { own, ..Self::default() };
        for beat in &step.beats {
            if beat.kind == BeatKind::Timer {
                digest.timers += 1;
            }
            let sock = beat.sock.or(own);
            beat.facts.iter().for_each(|fact| digest.take(sock, fact));
        }
        digest.find_floor();
        digest
    }

    fn take(&mut self, sock: Option<SockName>, fact: &Fact) {
        match *fact {
            Fact::Moved { field, before, after, .. } => {
                let machine = matches!(
                    field,
                    Field::MemoryAllocated
                        | Field::PcpuFwAlloc
                        | Field::Pressure
                        | Field::MemcgSock
                        | Field::MemcgStock
                );
                let key = (if machine { None } else { sock }, field);
                self.moves.entry(key).or_insert((before, after)).1 = after;
                if field == Field::Pressure {
                    self.pressure = Some(after != 0);
                }
            }
            Fact::Decided { verdict, .. } if is_drop(verdict) => {
                self.dropped += 1;
                self.drop_verdict = Some(verdict);
            }
            Fact::Checked { rule: Rule::SkMemReclaim, lhs, taken: false, .. } if lhs.term == Term::Reclaimable => {
                self.floor = Some(lhs.value);
            }
            Fact::Called { rule: Rule::SockReleaseReservedMemory, .. } => self.releases = true,
            Fact::Called { rule: Rule::TcpRetransmitSkb, .. } => self.retransmitted = true,
            _ => {}
        }
    }

    /// A reclaim stopped at the reserve when less than a page was free above it though the credit is larger.
    fn find_floor(&mut self) {
        let credit = self.after(Field::FwdAlloc);
        self.floor = self.floor.map(|free| credit - free).filter(|reserved| *reserved > 0);
    }

    /// First value before and last value after of the socket's field, if it changed on balance.
    pub fn moved(&self, field: Field) -> Option<(i64, i64)> {
        self.moves.get(&(self.own, field)).copied().filter(|(before, after)| before != after)
    }

    /// The last value of the socket's field; 0 if it was not written.
    pub fn after(&self, field: Field) -> i64 {
        self.moves.get(&(self.own, field)).map_or(0, |(_, after)| *after)
    }

    /// How much the socket's field changed.
    pub fn change(&self, field: Field) -> i64 {
        self.moved(field).map_or(0, |(before, after)| after - before)
    }

    fn machine(&self, field: Field) -> i64 {
        self.moves.get(&(None, field)).map_or(0, |(before, after)| after - before)
    }

    /// Pages more in the memory cgroup.
    pub fn memcg(&self) -> i64 {
        self.machine(Field::MemcgSock)
    }

    /// Pages more in the protocol, or in the memory cgroup where the protocol is bypassed.
    fn pages(&self) -> i64 {
        match self.machine(Field::MemoryAllocated) + self.machine(Field::PcpuFwAlloc) {
            0 => self.memcg(),
            pages => pages,
        }
    }

    /// Pages bought on balance.
    pub fn bought(&self) -> i64 {
        self.pages().max(0)
    }

    /// Pages returned on balance.
    pub fn returned(&self) -> i64 {
        (-self.pages()).max(0)
    }
}
