//! What changed hands in the shown step or beat: from whom, to whom, how much.

use crate::engine::op::SockName;
use crate::engine::reason::{Beat, Fact, Field};
use crate::timeline::is_drop;

/// Bytes and pages that changed hands at one socket.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moves {
    /// From the tank to the send queue, bytes.
    pub to_send: i64,
    /// From the send queue to the tank, bytes.
    pub from_send: i64,
    /// From the tank to the receive queue, bytes.
    pub to_receive: i64,
    /// From the receive queue to the tank, bytes.
    pub from_receive: i64,
    /// From the machine to the tank, pages.
    pub pages_in: i64,
    /// From the tank to the machine, pages.
    pub pages_out: i64,
    /// Segments or datagrams that were refused.
    pub drops: i64,
}

impl Moves {
    /// Whether nothing moved.
    pub fn is_still(&self) -> bool {
        *self == Self::default()
    }
}

/// Adds up what these beats did to `sock`.
pub fn moves<'a>(beats: impl IntoIterator<Item = &'a Beat>, sock: SockName) -> Moves {
    let mut sum = Moves::default();
    for beat in beats.into_iter().filter(|b| b.sock == Some(sock)) {
        let mut pages = 0;
        for fact in &beat.facts {
            let Fact::Moved { field, before, after, .. } = *fact else { continue };
            let by = after - before;
            match field {
                Field::WmemQueued => split(by, &mut sum.to_send, &mut sum.from_send),
                Field::RmemAlloc => split(by, &mut sum.to_receive, &mut sum.from_receive),
                // A fold moves pages from the CPU's part to the counter: together they stay.
                Field::MemoryAllocated | Field::PcpuFwAlloc => pages += by,
                _ => {}
            }
        }
        // One segment is one beat, however many rules refuse it.
        let refused = |fact: &Fact| matches!(*fact, Fact::Decided { verdict, .. } if is_drop(verdict));
        sum.drops += i64::from(beat.facts.iter().any(refused));
        split(pages, &mut sum.pages_in, &mut sum.pages_out);
    }
    sum
}

const fn split(by: i64, up: &mut i64, down: &mut i64) {
    if by > 0 {
        *up += by;
    } else {
        *down -= by;
    }
}
