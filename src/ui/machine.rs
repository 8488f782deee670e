//! The machine's side: protocol memory, memory cgroup, counters.

use super::figure::Num;
use super::hooks::use_size;
use super::icons;
use crate::engine::Machine;
use crate::engine::op::Protocol;
use crate::view_model::figure::{Figure, group};
use crate::view_model::gauge::{Mark, MarkKind, MemcgGauge, ProtoGauge, memcg, proto};
use crate::view_model::scale::Px;
use std::rc::Rc;
use yew::prelude::*;

/// Height of a gauge, pixels.
const THICK: i64 = 16;

/// What to show.
#[derive(Properties, PartialEq)]
pub struct Props {
    /// The state.
    pub machine: Rc<Machine>,
    /// The step after which pressure has been on.
    pub since: Option<u32>,
    /// The run's highest memcg charge, bytes.
    pub most_memcg: i64,
}

/// The card.
#[component]
pub fn MachineCard(props: &Props) -> Html {
    let node = use_node_ref();
    // Both gauges stand in places of the same width.
    let (width, _) = use_size(&node, (312, 0));
    let machine = &*props.machine;
    let pressure = proto(machine, Protocol::Tcp, props.since, 1);
    let udp = machine.socks().any(|(_, s)| s.kind == Protocol::Udp);
    let counters: Vec<Figure> =
        machine.snmp().moved().map(|(c, v)| Figure::global(&format!("snmp.{}", c.name()), v)).collect();
    html! {
        <section class="card machine" aria-label="machine" tabindex="0">
            <div class="spread machine-head"><h2>{ "Machine" }</h2>{ state_word(&pressure) }</div>
            <section ref={node}>{ gauge(machine, Protocol::Tcp, width - 2) }</section>
            if udp { <section>{ gauge(machine, Protocol::Udp, width - 2) }</section> }
            <section>{ memcg_section(machine, props.most_memcg, width - 2) }</section>
            if !counters.is_empty() {
                <section class="moved-counters">
                    <h3>{ "counters that moved" }</h3>
                    <dl class="counters">
                        { for counters.into_iter().map(|c| html! { <>
                            <dt>{ c.field.trim_start_matches("snmp.").to_owned() }</dt><dd><Num of={c}/></dd>
                        </> }) }
                    </dl>
                </section>
            }
        </section>
    }
}

/// Pages against min, pressure and max.
pub fn gauge(machine: &Machine, kind: Protocol, length_px: i64) -> Html {
    let g = &proto(machine, kind, None, length_px);
    let (min, pressure) = (g.marks[0].x, g.marks[1].x);
    html! {
        <>
            <div class="spread">
                <h3>{ g.name }</h3>
                <span><Num of={g.total.clone()}/>{ if g.total.value == 1 { " page now" } else { " pages now" } }</span>
            </div>
            <svg class="gauge-box" width={Px(g.length.0 + 200)} height="40" role="img"
                aria-label={format!("{}: {} pages, {}", g.name, group(g.total.value), g.state())}>
                <rect class="gauge" x="1" y="6" width={g.length} height={THICK.to_string()} rx="5"/>
                if g.pressed() && pressure > min {
                    <rect class="r-sticky" x={Px(min.0 + 100)} y="7" width={Px(pressure.0 - min.0)} height="14"/>
                }
                { bar(g, 7, THICK - 2, g.counted_bar, g.total_bar) }
                { for g.marks.iter().map(mark) }
            </svg>
            <div class="marks">
                { for g.marks.iter().map(|m| html! {
                    <span key={m.kind.word()}>{ shape_key(m.kind) }{ m.kind.word() }{ " " }
                        <Num of={m.figure.clone()}/></span>
                }) }
            </div>
            { strip(g) }
            { lag(g) }
        </>
    }
}

fn bar(g: &ProtoGauge, y: i64, height: i64, counted: Px, total: Px) -> Html {
    let rest = Px((total.0 - counted.0).max(0));
    html! { <>
        <rect class="r-pages bar" x="2" y={y.to_string()} width={counted} height={height.to_string()}
            data-about={g.counted.field.to_string()}/>
        if rest.0 > 0 {
            <rect class="r-cached bar" x={Px(counted.0 + 200)} y={(y + 1).to_string()} width={rest}
                height={(height - 2).to_string()} data-about={g.total.field.to_string()}/>
        }
    </> }
}

fn state_word(g: &ProtoGauge) -> Html {
    let value = g.press.value.to_string();
    html! {
        <div class={if g.pressed() { "chip press" } else { "chip calm" }}>
            if g.pressed() { { icons::pressure() } } else { { icons::tick() } }
            <data class="state" data-field="press" data-value={value.clone()} {value} data-about="press">
                { g.state() }</data>
        </div>
    }
}

fn mark(mark: &Mark) -> Html {
    let x = Px(mark.x.0 + 100);
    html! { <g data-about={mark.figure.field.to_string()}>
        <line class="mark-line" x1={x} x2={x} y1="2" y2="26"/>
        <g transform={format!("translate({},27)", Px(x.0 - 600))}>{ shape(mark.kind) }</g>
    </g> }
}

fn shape(kind: MarkKind) -> Html {
    match kind {
        MarkKind::Min => html! { <rect class="mark-min" x="0" y="3" width="12" height="4"/> },
        MarkKind::Pressure => html! { <path class="mark-pressure" d="M6 0l6 10H0z"/> },
        MarkKind::Max => html! { <rect class="mark-max" x="1" y="0" width="10" height="10"/> },
    }
}

fn shape_key(kind: MarkKind) -> Html {
    html! { <svg class="key" width="12" height="10" aria-hidden="true">{ shape(kind) }</svg> }
}

fn strip(g: &ProtoGauge) -> Html {
    let Some(strip) = g.strip else { return html! {} };
    let counted = if g.total.value > 0 { Px(strip.bar.0 * g.counted.value.max(0) / g.total.value) } else { Px(0) };
    html! { <>
        <svg class="strip" width={Px(g.length.0 + 200)} height="22" aria-hidden="true">
            <rect class="gauge" x="1" y="4" width={g.length} height="16" rx="3"/>
            { bar(g, 5, 14, counted, strip.bar) }
            <text class="strip-end" x={Px(g.length.0 - 400)} y="17" text-anchor="end" data-field="strip"
                data-value={strip.domain.to_string()}>{ format!("to {}", group(strip.domain)) }</text>
        </svg>
    </> }
}

fn lag(g: &ProtoGauge) -> Html {
    match &g.cached {
        Some(cached) => html! {
            <p class="lag"><Num of={g.counted.clone()}/>{ " counted + " }<Num of={cached.clone()}/>
                { " in this CPU's cache" }</p>
        },
        None => html! { <p class="lag"><Num of={g.counted.clone()}/>{ " counted, exact" }</p> },
    }
}

/// What the task's memory cgroup is charged for sockets.
fn memcg_section(machine: &Machine, most: i64, length_px: i64) -> Html {
    match memcg(machine, most, length_px) {
        Some(gauge) => memcg_gauge(&gauge),
        None => html! {
            <div class="spread"><h3>{ "memory cgroup" }</h3><span class="muted">{ "root: not charged" }</span></div>
        },
    }
}

fn memcg_gauge(g: &MemcgGauge) -> Html {
    html! { <>
        <div class="spread"><h3>{ "memcg \u{201c}" }{ g.name.clone() }{ "\u{201d}" }</h3>
            <span><Num of={g.sock.clone()}/>
                if let Some(max) = &g.max {
                    { " of " }<Num of={max.clone()}/>{ " B" }
                } else {
                    { " B" }<span class="no-limit">{ ", no limit" }</span>
                }</span></div>
        <svg class="gauge-box" width={Px(g.length.0 + 200)} height="22" role="img"
            aria-label={format!("memory cgroup: {} bytes for sockets", group(g.sock.value))}>
            <rect class="gauge" x="1" y="3" width={g.length} height={THICK.to_string()} rx="5"/>
            <rect class="r-memcg bar" x="2" y="4" width={g.bar} height={(THICK - 2).to_string()}
                data-about="memcg_sock"/>
            if let Some(x) = g.max_x {
                <line class="mark-line" x1={Px(x.0 + 100)} x2={Px(x.0 + 100)} y1="0" y2="22"/>
            }
        </svg>
    </> }
}
