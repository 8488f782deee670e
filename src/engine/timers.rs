//! Timers that are due by simulated time. They fire only as time passes.

use super::sock::SockId;
use super::units::Micros;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// A physical timer of a socket.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Timer {
    /// Retransmission and zero-window probe (`tcp_write_timer`).
    Write,
    /// Delayed ACK (`tcp_delack_timer`).
    Delack,
    /// Compressed ACK.
    CompressedAck,
}

/// Every programmed timer, in the order in which they fire; ties go to the older socket.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimerQueue {
    due: BTreeSet<(Micros, SockId, Timer)>,
}

impl TimerQueue {
    /// Programs a timer; `before` is what it was programmed to, if it was.
    pub fn program(&mut self, id: SockId, timer: Timer, before: Option<Micros>, at: Option<Micros>) {
        if let Some(before) = before {
            self.due.remove(&(before, id, timer));
        }
        if let Some(at) = at {
            self.due.insert((at, id, timer));
        }
    }

    /// The next timer due at or before `limit`.
    pub fn next(&self, limit: Micros) -> Option<(Micros, SockId, Timer)> {
        self.due.first().copied().filter(|(at, _, _)| *at <= limit)
    }

    /// Forgets every timer of a socket that ended.
    pub fn forget(&mut self, id: SockId) {
        self.due.retain(|(_, owner, _)| *owner != id);
    }
}
