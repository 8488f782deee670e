//! The machine's side: `tcp_mem` with its three marks and its memory of pressure, and the memory cgroup.

use super::figure::Figure;
use super::scale::{Px, Scale, roomy};
use crate::engine::machine::Machine;
use crate::engine::op::Protocol;

/// Below this a bar is shown again in a strip of its own scale.
const NEARLY_EMPTY: Px = Px::whole(12);

/// A limit on the gauge. Each has a shape of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Which limit.
    pub kind: MarkKind,
    /// Its value, pages.
    pub figure: Figure,
    /// Its place.
    pub x: Px,
}

/// The three limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkKind {
    /// Pressure ends at or below it.
    Min,
    /// Pressure begins above it.
    Pressure,
    /// The limit.
    Max,
}

impl MarkKind {
    /// The word beside the mark.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Min => "min",
            Self::Pressure => "pressure",
            Self::Max => "max",
        }
    }
}

/// A close-up of the beginning of a gauge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strip {
    /// Its end, pages.
    pub domain: i64,
    /// How long the bar is on it.
    pub bar: Px,
}

/// Pages of a protocol against its limits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProtoGauge {
    /// `tcp` or `udp`.
    pub name: &'static str,
    /// How long the gauge is.
    pub length: Px,
    /// All pages charged: counted and in CPU caches.
    pub total: Figure,
    /// What the limits read.
    pub counted: Figure,
    /// What sits in CPU caches; `None` where the kernel has none.
    pub cached: Option<Figure>,
    /// The bar of what is counted.
    pub counted_bar: Px,
    /// The bar of everything.
    pub total_bar: Px,
    /// min, pressure, max.
    pub marks: [Mark; 3],
    /// Close-up, when the bar is too short to see.
    pub strip: Option<Strip>,
    /// `press`: 0 or 1.
    pub press: Figure,
    /// The step after which pressure is on, if known.
    pub since: Option<u32>,
}

impl ProtoGauge {
    /// Whether memory pressure is on.
    pub const fn pressed(&self) -> bool {
        self.press.value != 0
    }

    /// The state in words.
    pub fn state(&self) -> String {
        if !self.pressed() {
            return "no pressure".to_owned();
        }
        let end = self.marks[0].figure.text();
        match self.since {
            Some(step) => format!("pressure since step {step}, ends at or below {end}"),
            None => format!("pressure, ends at or below {end}"),
        }
    }
}

/// The gauge of a protocol. `since` is the step after which pressure has been on.
pub fn proto(machine: &Machine, kind: Protocol, since: Option<u32>, length_px: i64) -> ProtoGauge {
    let proto = machine.proto(kind);
    let limits = machine.mem_limits(kind);
    let total = proto.total().get();
    let scale = Scale::new(limits[2].max(total) / 20 * 21 + 1, length_px);
    let mark = |kind: MarkKind, n: usize, field: &str| Mark {
        kind,
        figure: Figure::global(field, limits[n]),
        x: scale.at(limits[n]),
    };
    let total_bar = scale.at(total);
    let strip = (total > 0 && total_bar < NEARLY_EMPTY).then(|| {
        let domain = roomy(total + total / 4).max(16);
        Strip { domain, bar: Scale::new(domain, length_px).at(total) }
    });
    let (name, total_field, counted_field) = match kind {
        Protocol::Tcp => ("tcp_mem", "k_total_pages", "tcp_mem_pages"),
        Protocol::Udp => ("udp_mem", "k_udp_total_pages", "udp_mem_pages"),
    };
    ProtoGauge {
        name,
        length: scale.length,
        total: Figure::global(total_field, total),
        counted: Figure::global(counted_field, proto.read().get()),
        cached: has_cache(machine).then(|| Figure::global("k_pcpu_fw_alloc", proto.per_cpu().get())),
        counted_bar: scale.at(proto.read().get()),
        total_bar,
        marks: [
            mark(MarkKind::Min, 0, "mem.min"),
            mark(MarkKind::Pressure, 1, "mem.pressure"),
            mark(MarkKind::Max, 2, "mem.max"),
        ],
        strip,
        press: Figure::global("press", i64::from(proto.pressure_since().is_some())),
        since,
    }
}

fn has_cache(machine: &Machine) -> bool {
    matches!(machine.profile().counter, crate::engine::profile::CounterRead::PerCpu)
}

/// What the task's memory cgroup is charged for sockets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemcgGauge {
    /// Its name.
    pub name: String,
    /// `memcg_sock`, bytes.
    pub sock: Figure,
    /// `memory.max`, bytes.
    pub max: Option<Figure>,
    /// How long the gauge is.
    pub length: Px,
    /// The bar.
    pub bar: Px,
    /// Where `memory.max` stands.
    pub max_x: Option<Px>,
    /// The end of the scale, bytes.
    pub domain: i64,
}

/// The memory cgroup's gauge; `None` when the task has no group of its own. `most` is the run's highest charge, bytes.
pub fn memcg(machine: &Machine, most: i64, length_px: i64) -> Option<MemcgGauge> {
    let group = machine.own_memcg()?;
    let page = machine.setup().page_size;
    let sock = page.bytes_of(group.reported()).get();
    let max = group.max.map(|pages| page.bytes_of(pages).get());
    let domain = max.map_or_else(|| roomy(most.max(sock).max(65_536) / 8 * 9), |m| m.max(sock) / 20 * 21);
    let scale = Scale::new(domain, length_px);
    Some(MemcgGauge {
        name: group.name.clone(),
        sock: Figure::global("memcg_sock", sock),
        max: max.map(|m| Figure::global("memory.max", m)),
        length: scale.length,
        bar: scale.at(sock),
        max_x: max.map(|m| scale.at(m)),
        domain,
    })
}
