//! The tank: bytes a socket has paid for and not used, and the reserved floor it never sinks below.

use super::figure::Figure;
use super::scale::{Px, Scale, roomy};
use crate::engine::sock::Sock;
use crate::engine::units::{Bytes, PageSize};

/// Up to this many pages every page has its tick.
const TICK_EACH: i64 = 64;
/// Beyond that a tick stands for this many pages.
const TICK_MANY: i64 = 16;
/// Most ticks drawn.
const TICKS_MAX: i64 = 64;

/// A mark at the side of the tank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tick {
    /// Height above the bottom.
    pub above: Px,
    /// How many pages lie below it.
    pub pages: i64,
    /// Whether its number is written.
    pub labelled: bool,
}

/// The tank of one socket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tank {
    /// Its height.
    pub height: Px,
    /// What it would hold full, pages.
    pub capacity: i64,
    /// Height of the content.
    pub level: Px,
    /// Height of the reserved floor, never above the level.
    pub floor: Px,
    /// `fwd_alloc`.
    pub fwd_alloc: Figure,
    /// `reserved`.
    pub reserved: Figure,
    /// Reserved and not used by a queued skb, bytes: `max(0, reserved - wmem_queued - rmem_alloc)`.
    pub unused: Figure,
    /// `wmem_queued`.
    pub wmem_queued: Figure,
    /// `rmem_alloc`.
    pub rmem_alloc: Figure,
    /// Page marks.
    pub ticks: Vec<Tick>,
    /// What a tick stands for, pages.
    pub tick_pages: i64,
}

/// The pages a socket holds: the sum that must come out even.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    /// Whole pages.
    pub pages: Figure,
    /// Bytes of one page.
    pub page: Figure,
    /// Their product.
    pub bytes: Figure,
    /// What is left over: zero unless something is wrong.
    pub off_by: i64,
    /// The parts.
    pub parts: [Figure; 3],
}

/// `max(0, reserved - wmem_queued - rmem_alloc)`: what of the reserve no queued skb uses.
pub fn unused_reserve(sock: &Sock) -> i64 {
    (sock.reserved_mem() - sock.wmem_queued() - sock.rmem_alloc()).get().max(0)
}

/// The tank at a height. `most` is the highest level of the whole run, so that the scale stands still.
pub fn tank(sock: &Sock, page: PageSize, most: i64, height_px: i64) -> Tank {
    let figure = |field: &str, value: i64| Figure::of(sock.name, field, value);
    let fwd = sock.forward_alloc().get();
    let unused = unused_reserve(sock);
    let top = most.max(fwd).max(sock.reserved_mem().get());
    let capacity = roomy(page.pages_up(Bytes(top + top / 10)).get()).max(4);
    let scale = Scale::new(capacity * page.bytes().get(), height_px);
    let level = scale.at(fwd);
    let tick_pages = tick_pages(capacity);
    let label_every = label_every(capacity, tick_pages, height_px);
    Tank {
        height: scale.length,
        capacity,
        level,
        floor: scale.at(unused).min(level),
        fwd_alloc: figure("fwd_alloc", fwd),
        reserved: figure("reserved", sock.reserved_mem().get()),
        unused: figure("unused_reserved", unused),
        wmem_queued: figure("wmem_queued", sock.wmem_queued().get()),
        rmem_alloc: figure("rmem_alloc", sock.rmem_alloc().get()),
        ticks: (1..=capacity)
            .map(|i| i * tick_pages)
            .take_while(|pages| *pages < capacity)
            .map(|pages| Tick {
                above: scale.at(pages * page.bytes().get()),
                pages,
                labelled: pages % label_every == 0,
            })
            .collect(),
        tick_pages,
    }
}

const fn tick_pages(capacity: i64) -> i64 {
    if capacity <= TICK_EACH {
        return 1;
    }
    let mut pages = TICK_MANY;
    while capacity / pages > TICKS_MAX {
        pages *= 4;
    }
    pages
}

/// How many pages apart the numbers stand: at least 26 pixels, and round.
fn label_every(capacity: i64, tick_pages: i64, height_px: i64) -> i64 {
    let mut every = tick_pages;
    let mut grow = [5, 2].into_iter().cycle();
    while every * height_px < 30 * capacity {
        every *= if tick_pages == 1 { grow.next().unwrap_or(2) } else { 2 };
    }
    every
}

/// What the socket holds in pages.
pub fn held(sock: &Sock, page: PageSize) -> Held {
    let figure = |field: &str, value: i64| Figure::of(sock.name, field, value);
    let pages = page.pages_down(sock.held());
    let bytes = page.bytes_of(pages);
    Held {
        pages: figure("pages_held", pages.get()),
        page: Figure::global("page_size", page.bytes().get()),
        bytes: figure("bytes_held", sock.held().get()),
        off_by: (sock.held() - bytes).get(),
        parts: [
            figure("fwd_alloc", sock.forward_alloc().get()),
            figure("wmem_queued", sock.wmem_queued().get()),
            figure("rmem_alloc", sock.rmem_alloc().get()),
        ],
    }
}
