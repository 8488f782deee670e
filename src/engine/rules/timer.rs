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
            Timer::Write => {}
            Timer::Delack => {}
            Timer::CompressedAck => {}
        }
    }
    l.ctx = context;
    l.m.now = end;
}
