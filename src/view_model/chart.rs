//! The run as step lines: whole numbers per step, and the one function that says where a step lies.

use super::scale::{Px, Scale};
use crate::engine::op::{Protocol, SockName};
use crate::engine::reason::Field;
use crate::timeline::{MarkKind, Marker, Probe};

/// A line of the chart. Each has a colour role and a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Line {
    /// `fwd_alloc`.
    FwdAlloc,
    /// `wmem_queued`.
    WmemQueued,
    /// `rmem_alloc`.
    RmemAlloc,
    /// `peer.adv_win`.
    Window,
    /// `k_total_pages`.
    Pages,
}

impl Line {
    /// Every line, in the order of the legend.
    pub const ALL: [Self; 5] = [Self::FwdAlloc, Self::WmemQueued, Self::RmemAlloc, Self::Window, Self::Pages];

    /// Its name in the legend.
    pub const fn name(self) -> &'static str {
        match self {
            Self::FwdAlloc => "fwd_alloc",
            Self::WmemQueued => "wmem_queued",
            Self::RmemAlloc => "rmem_alloc",
            Self::Window => "peer.adv_win",
            Self::Pages => "k_total_pages",
        }
    }

    /// Dash and gap of its pattern, in pixels; no gap: solid.
    pub const fn dash(self) -> (u32, u32) {
        match self {
            Self::FwdAlloc | Self::Pages => (1, 0),
            Self::WmemQueued => (8, 4),
            Self::RmemAlloc => (3, 3),
            Self::Window => (12, 3),
        }
    }

    /// What to ask the timeline for.
    pub const fn probe(self, sock: Option<SockName>) -> Option<Probe> {
        match (self, sock) {
            (Self::Pages, _) => Some(Probe::Total(Protocol::Tcp)),
            (_, None) => None,
            (Self::FwdAlloc, Some(s)) => Some(Probe::Sock(s, Field::FwdAlloc)),
            (Self::WmemQueued, Some(s)) => Some(Probe::Sock(s, Field::WmemQueued)),
            (Self::RmemAlloc, Some(s)) => Some(Probe::Sock(s, Field::RmemAlloc)),
            (Self::Window, Some(s)) => Some(Probe::AdvWin(s)),
        }
    }
}

/// One line's numbers, a number a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Series {
    /// Which line.
    pub line: Line,
    /// The value after each step, from step 0.
    pub values: Vec<i64>,
}

/// Where things lie on the chart: two lanes, bytes above, pages below.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plot {
    /// The whole width, pixels.
    pub width: i64,
    /// The whole height, pixels.
    pub height: i64,
    /// The last step.
    pub end: u32,
    /// The highest number of the upper lane, bytes; at least 1.
    pub most_bytes: i64,
    /// The highest number of the lower lane, pages; at least 1.
    pub most_pages: i64,
}

/// Free room at both ends, so that the first and the last marker are whole.
pub const MARGIN: i64 = 12;
/// Between the lanes, pixels.
const GAP: i64 = 10;

impl Plot {
    /// A plot for these lines.
    pub fn new(series: &[Series], end: u32, width: i64, height: i64) -> Self {
        let most = |pages: bool| {
            let lines = series.iter().filter(|s| (s.line == Line::Pages) == pages);
            lines.flat_map(|s| &s.values).copied().max().unwrap_or(0).max(1)
        };
        Self { width, height, end, most_bytes: most(false), most_pages: most(true) }
    }

    /// Where step `step` lies.
    pub fn x(&self, step: u32) -> Px {
        let inside = Scale::new(i64::from(self.end), self.width - 2 * MARGIN);
        Px(Px::whole(MARGIN).0 + inside.at(i64::from(step)).0)
    }

    /// The step nearest to a place, in whole pixels from the left.
    pub fn step_at(&self, x: i64) -> u32 {
        let inside = (self.width - 2 * MARGIN).max(1);
        let place = (x - MARGIN).clamp(0, inside);
        let step = (place * i64::from(self.end) + inside / 2) / inside;
        u32::try_from(step).unwrap_or(self.end).min(self.end)
    }

    /// Top and bottom of a lane, whole pixels.
    pub const fn lane(&self, line: Line) -> (i64, i64) {
        let split = self.height * 2 / 3;
        match line {
            Line::Pages => (split + GAP, self.height - 1),
            _ => (2, split),
        }
    }

    /// How high a value of a line lies.
    pub fn y(&self, line: Line, value: i64) -> Px {
        let (top, bottom) = self.lane(line);
        let most = if line == Line::Pages { self.most_pages } else { self.most_bytes };
        Px(Px::whole(bottom).0 - Scale::new(most, bottom - top).at(value).0)
    }

    /// The corners of a line: level until the step at which it changes. Columns narrower than a pixel keep their
    /// lowest and highest value, so nothing is lost.
    pub fn corners(&self, series: &Series) -> Vec<(Px, Px)> {
        let mut out: Vec<(Px, Px)> = Vec::new();
        let mut last = None;
        for (step, value) in (0_u32..).zip(&series.values) {
            let (x, y) = (self.x(step), self.y(series.line, *value));
            match last {
                Some(level) if level == y => {}
                Some(level) => out.extend([(x, level), (x, y)]),
                None => out.push((x, y)),
            }
            last = Some(y);
        }
        if let Some(level) = last {
            out.push((self.x(self.end), level));
        }
        out
    }
}

/// Markers nearer than this hide one another, pixels.
const APART: i64 = 13;

/// Which marker is drawn where several fall together: the rarer, the sooner.
const fn weight(kind: MarkKind) -> u32 {
    match kind {
        MarkKind::PressureOn => 9,
        MarkKind::Drop => 8,
        MarkKind::Refused => 7,
        MarkKind::PressureOff => 6,
        MarkKind::Named => 5,
        MarkKind::ZeroWindow => 4,
        MarkKind::Retransmit => 3,
        MarkKind::Sockopt => 2,
        MarkKind::Reclaim => 1,
        MarkKind::Ack => 0,
    }
}

/// A marker to be drawn, and how many it stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The marker.
    pub marker: Marker,
    /// Its place.
    pub x: Px,
    /// How many lie under it, itself included.
    pub stands_for: i64,
}

/// The markers that have room, in order. Where some fall together the weightiest is drawn.
pub fn shown_markers(markers: &[Marker], plot: &Plot) -> Vec<Shown> {
    let mut out: Vec<Shown> = Vec::new();
    for marker in markers {
        let new = Shown { marker: *marker, x: plot.x(marker.at), stands_for: 1 };
        match out.last_mut() {
            Some(last) if new.x.0 - last.x.0 < Px::whole(APART).0 => {
                let stands_for = last.stands_for + 1;
                if weight(new.marker.kind) > weight(last.marker.kind) {
                    *last = new;
                }
                last.stands_for = stands_for;
            }
            _ => out.push(new),
        }
    }
    out
}
