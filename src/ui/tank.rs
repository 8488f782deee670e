//! The tank: `forward_alloc` as a level, the reserve as a floor.

use super::figure::Num;
use super::hooks::use_size;
use crate::engine::sock::Sock;
use crate::engine::units::PageSize;
use crate::view_model::figure::{count, group};
use crate::view_model::moves::Moves;
use crate::view_model::scale::Px;
use crate::view_model::tank::{Held, Tank, held, tank};
use yew::prelude::*;

/// What to draw.
#[derive(Properties, PartialEq)]
pub struct Props {
    /// The socket.
    pub sock: std::rc::Rc<Sock>,
    /// The machine's page.
    pub page: PageSize,
    /// The highest level of the run, bytes.
    #[prop_or_default]
    pub most: i64,
    /// What changed hands.
    #[prop_or_default]
    pub moves: Moves,
    /// Whether this kernel knows `SO_RESERVE_MEM`.
    #[prop_or(true)]
    pub has_reserve: bool,
}

/// The tank, its numbers and the sum of pages.
#[component]
pub fn TankZone(props: &Props) -> Html {
    let node = use_node_ref();
    let (width, height) = use_size(&node, (220, 200));
    let tank = tank(&props.sock, props.page, props.most, height - 2);
    let held = held(&props.sock, props.page);
    html! {
        <div class="tank-zone">
            <div class="tank-box" ref={node}>
                { picture(&tank, width) }
            </div>
            <div class="tick-labels">{ tick_labels(&tank) }</div>
            { numbers(&tank, props.has_reserve) }
            <div class="right-of-tank">
                { page_moves(&props.moves) }
                { sum(&held) }
            </div>
        </div>
    }
}

fn numbers(tank: &Tank, has_reserve: bool) -> Html {
    html! {
        <div class="numbers">
            <h3 class="strong">{ "forward_alloc" }</h3>
            <span class="big"><Num of={tank.fwd_alloc.clone()}/></span>
            <span class="muted hint">{ "bytes paid for, not used yet" }</span>
            if tank.reserved.value > 0 {
                <span class="floor-name">{ "reserved floor" }</span>
                <span class="strong mono"><Num of={tank.unused.clone()}/></span>
                <span class="muted">{ "= " }<Num of={tank.reserved.clone()}/>{ " \u{2212} " }
                    <Num of={tank.wmem_queued.clone()}/>{ " \u{2212} " }<Num of={tank.rmem_alloc.clone()}/></span>
            } else {
                <span class="floor-name muted">{ "no reserve" }</span>
                <span class="muted">
                    { if has_reserve { "SO_RESERVE_MEM is 0" } else { "this kernel has no SO_RESERVE_MEM" } }</span>
            }
        </div>
    }
}

fn picture(tank: &Tank, width: i64) -> Html {
    let inner = width - 2;
    let top = |h: Px| Px(tank.height.0 - h.0 + 100);
    let note = if tank.floor >= Px::whole(44) && width > 124 { "reserved floor" } else { "" };
    let said =
        format!("forward_alloc {} bytes, floor {} bytes", group(tank.fwd_alloc.value), group(tank.unused.value));
    html! {
        <svg width={width.to_string()} height={Px(tank.height.0 + 200)} role="img" aria-label={said}>
            <rect class="tank-bg" x="1" y="1" width={inner.to_string()} height={tank.height} rx="9"/>
            <rect class="r-forward tank-level" data-about="fwd_alloc" x="1" y={top(tank.level)}
                width={inner.to_string()}
                height={tank.level}/>
            <rect class="r-floor tank-floor" data-about="reserved" x="1" y={top(tank.floor)} width={inner.to_string()}
                height={tank.floor}/>
            { (tank.level.0 > 0).then(|| html! {
                <line class="tank-line" x1="1" x2={(inner + 1).to_string()} y1={top(tank.level)} y2={top(tank.level)}/>
            }) }
            { (tank.floor.0 > 0).then(|| html! {
                <line class="tank-floor-line" x1="1" x2={(inner + 1).to_string()} y1={top(tank.floor)}
                    y2={top(tank.floor)}/>
            }) }
            { for tank.ticks.iter().map(|tick| html! {
                <line class="tick" x1={(inner + 1).to_string()}
                    x2={(inner - if tick.labelled { 15 } else { 7 }).to_string()}
                    y1={top(tick.above)} y2={top(tick.above)}/>
            }) }
            <text class="tank-note" x={(width / 2).to_string()} y={top(Px(tank.floor.0 / 2 - 500))}>{ note }</text>
        </svg>
    }
}

fn tick_labels(tank: &Tank) -> Html {
    let mut labelled: Vec<_> = tank.ticks.iter().filter(|t| t.labelled).collect();
    labelled.reverse();
    html! {
        <svg width="70" height={Px(tank.height.0 + 200)} aria-hidden="true">
            { for labelled.iter().enumerate().map(|(i, tick)| html! {
                <text x="0" y={Px(tank.height.0 - tick.above.0 + 600)}>
                    { group(tick.pages) }{ if i == 0 { " pages" } else { "" } }</text>
            }) }
        </svg>
    }
}

fn page_moves(moves: &Moves) -> Html {
    let chip =
        |pages: i64, text: &str| {
            (pages > 0).then(|| html! {
            <span class="moved">{ squares(pages) }
                <data data-field="moved_pages" data-value={pages.to_string()}>{ count(pages, "page") }</data>
                { text }</span>
        })
        };
    html! {
        <div class="page-moves">
            { chip(moves.pages_in, " charged") }
            { chip(moves.pages_out, " given back") }
            { (moves.pages_in == 0 && moves.pages_out == 0).then(|| html! {
                <span class="muted">{ "no page changed hands" }</span>
            }) }
        </div>
    }
}

/// Pages as little squares, as many as have room.
fn squares(pages: i64) -> Html {
    let n = pages.min(8);
    html! {
        <svg class="key" width={(n * 8).to_string()} height="8" aria-hidden="true">
            { for (0..n).map(|i| html! { <rect class="r-pages" x={(i * 8).to_string()} y="1" width="6" height="6"/> }) }
        </svg>
    }
}

fn sum(held: &Held) -> Html {
    html! {
        <div class="held">
            <dl>
                <div class="sum"><dt class="strong">{ "pages held" }</dt>
                    <dd><Num of={held.pages.clone()}/>{ " × " }<Num of={held.page.clone()}/>{ " = " }
                        <Num of={held.bytes.clone()}/></dd></div>
                { for held.parts.iter().map(|part| html! {
                    <div><dt>{ part.field.to_string() }</dt><dd><Num of={part.clone()}/></dd></div>
                }) }
            </dl>
            if held.off_by != 0 {
                <span class="chip bad">{ format!("off by {} B", group(held.off_by)) }</span>
            }
        </div>
    }
}
