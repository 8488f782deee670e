//! The whole run: lines, markers, cursor; a click seeks.

use super::chart;
use super::hooks::use_size;
use crate::explain;
use crate::session::{Action, Session};
use crate::timeline::{MarkKind, Marker};
use crate::view_model::chart::{Line, Plot, Series, Shown, shown_markers};
use crate::view_model::figure::{group, signed};
use crate::view_model::scale::Px;
use plotters::style::RGBColor;
use std::rc::Rc;
use web_sys::{Element, HtmlCanvasElement};
use yew::prelude::*;

/// Height of the band of markers, pixels; `.plot canvas` leaves as much.
const MARKERS: i64 = 22;
/// Rows of the table before and after the cursor.
const ROWS: u32 = 60;

/// The run and whom to tell.
#[derive(Properties, PartialEq)]
pub struct Props {
    /// The session.
    pub session: Session,
    /// Its lines.
    pub series: Rc<Vec<Series>>,
    /// The theme's name: another theme, other colours.
    pub theme: &'static str,
    /// Where actions go.
    pub on: Callback<Action>,
}

/// The timeline.
#[component]
pub fn Timeline(props: &Props) -> Html {
    let Props { session, series, on, .. } = props;
    let (node, canvas, legend) = (use_node_ref(), use_node_ref(), use_node_ref());
    let (width, height) = use_size(&node, (1200, 110));
    let hover = use_state_eq(|| None::<u32>);
    let plot = Plot::new(series, session.end(), width, height - MARKERS);
    {
        let (canvas, legend, series) = (canvas.clone(), legend.clone(), series.clone());
        use_effect_with((plot, series, props.theme), move |(plot, series, _)| {
            if let Some(canvas) = canvas.cast::<HtmlCanvasElement>() {
                chart::paint(&canvas, plot, series, |line| color(&legend, line));
            }
        });
    }
    let place = move |x: i32| plot.step_at(i64::from(x));
    let onclick = on.reform(move |e: MouseEvent| Action::Seek(place(e.offset_x())));
    let onpointermove = {
        let hover = hover.setter();
        Callback::from(move |e: PointerEvent| hover.set(Some(place(e.offset_x()))))
    };
    let onpointerleave = {
        let hover = hover.setter();
        Callback::from(move |_: PointerEvent| hover.set(None))
    };
    let markers = session.markers();
    html! {
        <section class="card timeline" aria-label="timeline">
            { legend_line(props, &legend, hover.unwrap_or(session.step_no())) }
            <div class="plot" ref={node} {onclick} {onpointermove} {onpointerleave}>
                <canvas ref={canvas} aria-hidden="true"></canvas>
                <svg width={width.to_string()} height={height.to_string()} aria-hidden="true">
                    { lanes(&plot) }
                    { hover.map(|step| upright("hover-line", plot.x(step), height)) }
                    { upright("cursor", plot.x(session.step_no()), height - MARKERS + 4) }
                    <circle class="cursor-head" cx={plot.x(session.step_no())} cy="4" r="4.5"/>
                    { for shown_markers(&markers, &plot).iter()
                        .map(|m| marker(m, height - MARKERS / 2 + 1, session.step_no(), on)) }
                </svg>
            </div>
            { twin(session, series) }
        </section>
    }
}

fn legend_line(props: &Props, node: &NodeRef, step: u32) -> Html {
    let op = step.checked_sub(1).and_then(|k| props.session.timeline().op(k));
    let label = op.map(|op| explain::op_label(&op.op));
    html! {
        <div class="legend" ref={node.clone()}>
            { for props.series.iter().map(|s| legend_entry(props, s, step)) }
            <span class="room"></span>
            <span class="muted">{ format!("step {step}") }{ label.map(|l| format!(" · {l}")) }</span>
        </div>
    }
}

fn legend_entry(props: &Props, series: &Series, step: u32) -> Html {
    let at = |step: u32| series.values.get(step as usize).copied().unwrap_or(0);
    let value = at(step);
    let delta = step.checked_sub(1).map_or(0, |before| value - at(before));
    let (dash, gap) = series.line.dash();
    let dashes = (gap > 0).then(|| format!("{dash} {gap}"));
    let sock = (series.line != Line::Pages).then(|| props.session.selected().map(|s| s.to_string())).flatten();
    html! {
        <span key={series.line.name()}>
            <svg class={classes!("key", chart::class(series.line))} width="22" height="8" aria-hidden="true">
                <path class="swatch" d="M0 4h22" stroke-dasharray={dashes}/>
            </svg>
            { series.line.name() }{ " " }
            <data data-field={format!("chart.{}", series.line.name())} data-sock={sock.clone()}
                data-value={value.to_string()} data-about={series.line.name()} data-of={sock}>{ group(value) }</data>
            if delta != 0 { <span class="muted">{ signed(delta) }</span> }
        </span>
    }
}

/// The colour that the legend's sample has in the theme in force.
fn color(legend: &NodeRef, line: Line) -> RGBColor {
    let sample =
        legend.cast::<Element>().and_then(|l| l.query_selector(&format!(".{}", chart::class(line))).ok()?);
    let style = sample.and_then(|s| web_sys::window()?.get_computed_style(&s).ok()?);
    let text = style.and_then(|s| s.get_property_value("color").ok()).unwrap_or_default();
    let mut parts = text.split(|c: char| !c.is_ascii_digit()).filter_map(|n| n.parse::<u8>().ok());
    let mut next = || parts.next().unwrap_or(128);
    RGBColor(next(), next(), next())
}

fn upright(class: &'static str, x: Px, bottom: i64) -> Html {
    html! { <line {class} x1={x} x2={x} y1="4" y2={bottom.to_string()}/> }
}

fn lanes(plot: &Plot) -> Html {
    let lane = |line: Line, most: i64, unit: &str| {
        let (top, bottom) = plot.lane(line);
        html! { <>
            <line class="lane" x1="0" x2={plot.width.to_string()} y1={bottom.to_string()} y2={bottom.to_string()}/>
            <line class="lane" x1="0" x2={plot.width.to_string()} y1={top.to_string()} y2={top.to_string()}/>
            if bottom - top > 20 {
                <text class="lane-top" x="2" y={(top + 14).to_string()} data-field="chart.top"
                    data-value={most.to_string()}>{ format!("{} {unit}", group(most)) }</text>
            }
        </> }
    };
    html! { <>{ lane(Line::FwdAlloc, plot.most_bytes, "B") }{ lane(Line::Pages, plot.most_pages, "pages") }</> }
}

fn marker(shown: &Shown, y: i64, now: u32, on: &Callback<Action>) -> Html {
    let Marker { at, kind, .. } = shown.marker;
    let more = if shown.stands_for > 1 { format!(" and {} more", shown.stands_for - 1) } else { String::new() };
    let title = format!("step {at}: {}{more}", explain::mark(kind));
    let onclick = on.reform(move |e: MouseEvent| {
        e.stop_propagation();
        Action::Seek(at)
    });
    let class = classes!("marker", class(kind), (at == now).then_some("now"));
    html! {
        <g key={format!("{at}-{}", kind.name())} {class} transform={format!("translate({},{y})", shown.x)} {onclick}
            data-kind={kind.name()} data-step={at.to_string()}>
            <title>{ title }</title>
            <rect class="hit" x="-12" y="-12" width="24" height="24"/>
            <path class="shape" d={shape(kind)}/>
        </g>
    }
}

const fn class(kind: MarkKind) -> &'static str {
    match kind {
        MarkKind::Drop => "drop",
        MarkKind::PressureOn => "pressure-on",
        MarkKind::Refused => "refused",
        _ => "plain",
    }
}

/// Every kind has a shape of its own.
const fn shape(kind: MarkKind) -> &'static str {
    match kind {
        MarkKind::Ack => "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0",
        MarkKind::Drop => "M-4.5 -4.5l9 9M4.5 -4.5l-9 9",
        MarkKind::PressureOn => "M0 -6l6.5 11h-13z",
        MarkKind::PressureOff => "M0 6l6.5 -11h-13z",
        MarkKind::Sockopt => "M-4.5 -4.5h9v9h-9z",
        MarkKind::Reclaim => "M-6 -4h3.2l2.8 4 2.8-4h3.2l-6 9z",
        MarkKind::Refused => "M0 -6.5l6.5 6.5-6.5 6.5-6.5-6.5z",
        MarkKind::ZeroWindow => "M-6 -2h12v4h-12z",
        MarkKind::Retransmit => "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0M-2 0a2 2 0 1 1 4 0a2 2 0 1 1 -4 0",
        MarkKind::Named => "M-4 -6h9l-2.5 3 2.5 3h-7v6h-2z",
    }
}

/// The same numbers as a table, around the cursor.
fn twin(session: &Session, series: &[Series]) -> Html {
    let now = session.step_no();
    let (from, to) = (now.saturating_sub(ROWS), session.end().min(now.saturating_add(ROWS)));
    html! {
        <table class="sr">
            <caption>{ format!("the run, steps {from} to {to}") }</caption>
            <thead><tr><th scope="col">{ "step" }</th>
                { for series.iter().map(|s| html! { <th scope="col">{ s.line.name() }</th> }) }</tr></thead>
            <tbody>
                { for (from..=to).map(|step| html! {
                    <tr key={step}><th scope="row">{ step }</th>
                        { for series.iter().map(|s| s.values.get(step as usize).copied().unwrap_or(0))
                            .map(|value| html! { <td>{ value }</td> }) }</tr>
                }) }
            </tbody>
        </table>
    }
}
