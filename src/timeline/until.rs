//! Run until: the first step at which something happens.

use super::line::Timeline;
use super::marker::{self, MarkKind};
use super::world::World;
use crate::engine::Machine;
use crate::engine::op::{Op, Protocol};
use crate::engine::reason::Field;
use crate::engine::sock::Sock;
use crate::engine::step::{Errno, Step};

/// What to run until.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Until {
    /// Memory pressure begins.
    PressureStarts,
    /// Memory pressure ends.
    PressureEnds,
    /// A segment or datagram is dropped.
    Drop,
    /// A socket's credit comes down to its unused reserve.
    ReserveFloor,
    /// A send buffer changes its size.
    SndbufChanges,
    /// A receive buffer changes its size.
    RcvbufChanges,
    /// An advertised window changes.
    WindowChanges,
    /// An advertised window becomes 0.
    ZeroWindow,
    /// A call is told to try again later.
    Eagain,
    /// A call gets no memory.
    Enomem,
    /// The compared kernel does something else. Found by the session, which knows both.
    Difference,
}

impl Until {
    /// Every condition, in display order.
    pub const ALL: [Self; 11] = [
        Self::PressureStarts,
        Self::PressureEnds,
        Self::Drop,
        Self::ReserveFloor,
        Self::SndbufChanges,
        Self::RcvbufChanges,
        Self::WindowChanges,
        Self::ZeroWindow,
        Self::Eagain,
        Self::Enomem,
        Self::Difference,
    ];

    /// One word, for attributes and tests.
    pub const fn name(self) -> &'static str {
        match self {
            Self::PressureStarts => "pressure-starts",
            Self::PressureEnds => "pressure-ends",
            Self::Drop => "drop",
            Self::ReserveFloor => "reserve-floor",
            Self::SndbufChanges => "sndbuf",
            Self::RcvbufChanges => "rcvbuf",
            Self::WindowChanges => "window",
            Self::ZeroWindow => "zero-window",
            Self::Eagain => "eagain",
            Self::Enomem => "enomem",
            Self::Difference => "difference",
        }
    }

    /// Looks a condition up by its word.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|until| until.name() == name)
    }

    fn met(self, op: &Op, step: &Step, before: &Machine, after: &Machine) -> bool {
        match self {
            Self::PressureStarts => !pressure(before) && pressure(after),
            Self::PressureEnds => pressure(before) && !pressure(after),
            Self::Drop => {
                marker::of_step(0, op, step, before.snmp(), after.snmp()).iter().any(|m| m.kind == MarkKind::Drop)
            }
            Self::ReserveFloor => {
                any_changed(before, after, |b, a| b.get(Field::Reserved) > 0 && !at_floor(b) && at_floor(a))
            }
            Self::SndbufChanges => moved(before, after, Field::Sndbuf),
            Self::RcvbufChanges => moved(before, after, Field::Rcvbuf),
            Self::WindowChanges => any_changed(before, after, |b, a| {
                b.peer.adv_win != a.peer.adv_win || b.get(Field::RcvWnd) != a.get(Field::RcvWnd)
            }),
            Self::ZeroWindow => any_changed(before, after, |b, a| b.peer.adv_win > 0 && a.peer.adv_win == 0),
            Self::Eagain => step.errno == Some(Errno::EAGAIN) && !matches!(op, Op::ReadAll { .. }),
            Self::Enomem => matches!(step.errno, Some(Errno::ENOMEM | Errno::ENOBUFS)),
            Self::Difference => false,
        }
    }
}

fn pressure(m: &Machine) -> bool {
    m.proto(Protocol::Tcp).pressure_since().is_some()
}

fn moved(before: &Machine, after: &Machine, field: Field) -> bool {
    any_changed(before, after, |b, a| b.get(field) != a.get(field))
}

/// The credit is what the reserve keeps: nothing more can be given back.
fn at_floor(sock: &Sock) -> bool {
    let used = sock.get(Field::WmemQueued) + sock.get(Field::RmemAlloc);
    let floor = sock.get(Field::Reserved) - used;
    floor > 0 && sock.get(Field::FwdAlloc) <= floor
}

/// Whether a socket that is in both states and changed satisfies `test`.
fn any_changed(before: &Machine, after: &Machine, test: impl Fn(&Sock, &Sock) -> bool) -> bool {
    let mut old = before.socks().peekable();
    after.socks().any(|(id, now)| {
        while old.next_if(|(o, _)| *o < id).is_some() {}
        let was = old.next_if(|(o, _)| *o == id);
        was.is_some_and(|(_, was)| !std::ptr::eq(was, now) && test(was, now))
    })
}

impl<W: World> Timeline<W> {
    /// The first step after `from` at which the condition is met. `None`: never.
    pub fn run_until(&self, from: u32, until: Until) -> Option<u32> {
        let mut world = self.state_at(from);
        for (op, at) in self.ops_from(from).zip(from + 1..) {
            let before = world.machine().clone();
            let step = world.apply(op, None).ok()?;
            if until.met(W::call(op), &step, &before, world.machine()) {
                return Some(at);
            }
        }
        None
    }
}
