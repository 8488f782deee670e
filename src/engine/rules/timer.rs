//! Time passes: due timers fire, in order, in softirq.

use crate::engine::ledger::{Context, Ledger};
use crate::engine::reason::BeatKind;
use crate::engine::timers::Timer;
use crate::engine::units::Micros;

/// Lets `span` pass. Every timer due in it fires at its time.
pub fn pass_time(l: &mut Ledger<'_, '_>, span: Micros) {
    let end = l.now() + span;
    let context = l.ctx;
    l.ctx = Context::Softirq;
    while let Some((at, id, timer)) = l.m.timers.next(end) {
        l.m.now = l.m.now.max(at);
        l.m.timers.program(id, timer, Some(at), None);
        l.beat(BeatKind::Timer, Some(id));
        match timer {
            Timer::Write => super::rto::write_timer_fired(l, id),
            Timer::Delack => super::delack::fired(l, id),
            Timer::CompressedAck => super::delack::compressed_fired(l, id),
        }
    }
    l.ctx = context;
    l.m.now = end;
}

/// Time the recordings' probe waits after the last packet or call before it reads the state.
const SETTLE: Micros = Micros(1_058);

/// How the time of an operation is spread over its packets or calls: evenly, less the settling time at the end.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    left: i64,
    items: i64,
    settle: i64,
}

impl Pace {
    /// For `items` packets or calls in `took`.
    pub fn new(took: Micros, items: i64) -> Self {
        let settle = took.0.min(SETTLE.0);
        Self { left: took.0 - settle, items: items.max(1), settle }
    }

    /// The time of the next item.
    pub fn slice(&mut self) -> Micros {
        if self.items <= 0 {
            return Micros::ZERO;
        }
        let slice = self.left / self.items;
        self.left -= slice;
        self.items -= 1;
        Micros(slice)
    }

    /// The time of the next item, a packet that was answered by `answers` packets: each of those takes the peer half as
    /// long again. Two of three packets are expected to be answered; what that gets wrong the later items share.
    pub fn slice_answered(&mut self, answers: i64) -> Micros {
        if self.items <= 0 {
            return Micros::ZERO;
        }
        let weight = 3 * (2 + answers);
        let slice = self.left * weight / (weight + 8 * (self.items - 1));
        self.left -= slice;
        self.items -= 1;
        Micros(slice)
    }

    /// What is left at the end.
    pub const fn rest(&self) -> Micros {
        Micros(self.left + self.settle)
    }
}
