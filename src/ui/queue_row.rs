//! A queue of skbs to scale, with its limit as an upright ruler.

use super::figure::Num;
use super::icons;
use super::store::Motion;
use crate::view_model::blocks::{Block, Part};
use crate::view_model::figure::{count, group};
use crate::view_model::queues::{Row, Span, Window};
use crate::view_model::scale::Px;
use std::collections::BTreeSet;
use yew::prelude::*;

/// Where a row has what, pixels.
#[derive(Clone, Copy)]
struct Sizes {
    /// Height of the band above the track.
    band: i64,
    /// Height of the track.
    track: i64,
    /// Height of the braces below.
    brace: i64,
    /// Between the edge of the track and a block.
    inset: i64,
}

const ROOMY: Sizes = Sizes { band: 20, track: 46, brace: 11, inset: 7 };
const DENSE: Sizes = Sizes { band: 19, track: 34, brace: 11, inset: 4 };

impl Sizes {
    const fn under(&self) -> i64 {
        self.band + self.track
    }

    const fn block(&self) -> i64 {
        self.track - 2 * self.inset
    }
}

/// A payload's size is written into blocks at least this wide.
const ROOM_FOR_TEXT: Px = Px::whole(84);

/// Which queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Write and retransmit queue.
    Send,
    /// Receive and out-of-order queue.
    Receive,
}

/// What to draw.
#[derive(Properties, PartialEq)]
pub struct Props {
    /// Which queue.
    pub kind: Kind,
    /// Its content.
    pub row: Row,
    /// Bytes that came from the tank.
    #[prop_or_default]
    pub gained: i64,
    /// Bytes that went back to the tank.
    #[prop_or_default]
    pub lost: i64,
    /// Segments refused at this queue.
    #[prop_or_default]
    pub drops: i64,
    /// Less high, for low screens.
    #[prop_or_default]
    pub dense: bool,
    /// Counts what was drawn: a new number is a new state.
    #[prop_or_default]
    pub stamp: u32,
    /// How much moves.
    #[prop_or_default]
    pub motion: Motion,
}

/// The blocks of the state before, and those that left since.
#[derive(Default)]
struct Before {
    stamp: Option<u32>,
    blocks: Vec<Block>,
    gone: Vec<Block>,
    new: BTreeSet<i64>,
}

impl Before {
    fn advance(&mut self, props: &Props) {
        if self.stamp == Some(props.stamp) {
            return;
        }
        let ids = |blocks: &[Block]| blocks.iter().map(|b| b.id).collect::<BTreeSet<_>>();
        let (old, now) = (ids(&self.blocks), ids(&props.row.blocks));
        if self.stamp.is_none() || props.motion == Motion::None {
            (self.gone, self.new) = (Vec::new(), BTreeSet::new());
        } else {
            self.gone = self.blocks.iter().filter(|b| !now.contains(&b.id)).copied().collect();
            self.new = now.difference(&old).copied().collect();
        }
        self.stamp = Some(props.stamp);
        self.blocks.clone_from(&props.row.blocks);
    }
}

/// One queue.
#[component]
pub fn QueueRow(props: &Props) -> Html {
    let before = use_mut_ref(Before::default);
    let mut before = before.borrow_mut();
    before.advance(props);
    let Props { kind, row, .. } = props;
    let (what, of) = match kind {
        Kind::Send => ("send queue", "wmem_queued"),
        Kind::Receive => ("receive queue", "rmem_alloc"),
    };
    let width = row.scale.length;
    let sizes = if props.dense { DENSE } else { ROOMY };
    let height = sizes.under() + sizes.brace;
    let blocks = row.blocks.iter().map(|b| block(b, sizes, before.new.contains(&b.id).then_some("enters")));
    let gone = before.gone.iter().map(|b| block(b, sizes, Some("leaves")));
    html! {
        <div class="row-body">
            <div class="row-head">
                <h3 class="what">{ what }</h3>
                { moved(props) }
                { dropped(props) }
                <span class="of">{ of }{ " " }<Num of={row.queued.clone()}/>{ " of " }{ limit_name(*kind) }{ " " }
                    <Num of={row.ruler.figure.clone()}/>{ row.ruler.locked.then_some(", locked") }</span>
            </div>
            <svg class="row-svg" {width} height={height.to_string()} role="img" aria-label={spoken(what, row)}>
                <rect class="track-bg" x="0" y={sizes.band.to_string()} width={width} height={sizes.track.to_string()}
                    rx="8" data-about={row.queued.field.to_string()}/>
                <g transform={format!("translate(0,{})", sizes.band + sizes.inset)}>
                    { for blocks }
                    { for gone }
                </g>
                { for row.spans.iter().map(|s| brace(s, sizes)) }
                { row.window.as_ref().map(|w| window_brace(w, row, sizes)) }
                { ruler(*kind, row, sizes) }
                { drop_mark(props, row, sizes) }
            </svg>
            <div class="row-foot">
                { for row.spans.iter().map(span_text) }
                { row.window.as_ref().map(window_text) }
                if row.spans.is_empty() && row.window.is_none() { <span class="muted">{ "empty" }</span> }
                { scale_bar(row) }
            </div>
        </div>
    }
}

const fn limit_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Send => "sndbuf",
        Kind::Receive => "rcvbuf",
    }
}

fn spoken(what: &str, row: &Row) -> String {
    let skbs: i64 = row.spans.iter().map(|s| s.skbs).sum();
    format!(
        "{what}: {} holding {} of {} bytes",
        count(skbs, "skb"),
        group(row.queued.value),
        group(row.ruler.figure.value)
    )
}

/// What changed hands between this queue and the tank.
fn moved(props: &Props) -> Html {
    let part = |amount: i64, text: &str| {
        (amount > 0).then(|| {
            html! { <>
                <data data-field="moved" data-value={amount.to_string()}>{ group(amount) }</data>{ text }
            </> }
        })
    };
    if props.gained == 0 && props.lost == 0 {
        return html! {};
    }
    html! {
        <span class="moved" title="between this queue and forward_alloc, in this step">
            { part(props.gained, " B in") }
            { if props.gained > 0 && props.lost > 0 { ", " } else { "" } }
            { part(props.lost, " B back") }
        </span>
    }
}

fn block(block: &Block, sizes: Sizes, moving: Option<&'static str>) -> Html {
    let soft = matches!(block.part, Part::Unsent | Part::OutOfOrder);
    let (solid, hatch) = if soft { ("r-payload-soft", "r-overhead-soft") } else { ("r-payload", "r-overhead") };
    let height = sizes.block();
    let bundle = block.skbs > 1;
    let class = classes!("skb", soft.then_some("soft"), bundle.then_some("bundle"), moving);
    let middle = Px(block.payload.0 / 2);
    let overhead = block.truesize - block.len;
    let title = format!(
        "{}: {} payload + {} overhead = {} truesize",
        count(block.skbs, "skb"),
        group(block.len),
        group(overhead),
        group(block.truesize)
    );
    let key = format!("{}{}", if moving == Some("leaves") { "gone" } else { "" }, block.id);
    html! {
        <g {key} {class} transform={format!("translate({},0)", block.x)} data-truesize={block.truesize.to_string()}
            data-len={block.len.to_string()} data-skbs={block.skbs.to_string()}>
            <title>{ title }</title>
            <rect class={solid} x="0" y="0" width={block.payload} height={height.to_string()}/>
            <rect class={hatch} x={block.payload} y="0" width={block.overhead} height={height.to_string()}/>
            { (bundle && block.width() >= Px::whole(10)).then(|| bundle_cap(block, sizes)) }
            { (!bundle && block.payload >= ROOM_FOR_TEXT).then(|| html! {
                <text x={middle} y={(height / 2 + 5).to_string()} data-field="skb.len"
                    data-value={block.len.to_string()}>{ group(block.len) }</text>
            }) }
        </g>
    }
}

/// The "+n" of narrow skbs drawn together, above the track.
fn bundle_cap(block: &Block, sizes: Sizes) -> Html {
    let width = block.width();
    html! { <>
        <path class="cap" d={format!("M.5 {} v-3 h{} v3", -sizes.inset, Px(width.0 - 100))}/>
        <text class="bundle-n" x={Px(width.0 / 2)} y={(-sizes.inset - 7).to_string()} data-field="skbs"
            data-value={block.skbs.to_string()}>{ format!("+{}", group(block.skbs)) }</text>
    </> }
}

const fn part_class(part: Part) -> &'static str {
    match part {
        Part::InFlight | Part::InOrder => "brace",
        Part::Unsent => "brace dashed",
        Part::OutOfOrder => "brace dotted",
    }
}

fn brace(span: &Span, sizes: Sizes) -> Html {
    let y = sizes.under() + 3;
    let inner = Px(span.width.0 - 300);
    if inner.0 <= 0 {
        return html! {};
    }
    html! { <path class={part_class(span.part)} d={format!("M{} {y} v5 h{inner} v-5", Px(span.x.0 + 150))}/> }
}

fn window_brace(window: &Window, row: &Row, sizes: Sizes) -> Html {
    let y = sizes.under() - 6;
    let from = window.x.max(Px(50));
    let to = Px(window.x.0 + window.width.0).min(Px(row.scale.length.0 - 150));
    let inner = Px(to.0 - from.0);
    if inner.0 < 200 {
        return html! {};
    }
    html! {
        <path class="brace window" data-about={window.rcv_wnd.field.to_string()}
            d={format!("M{from} {} v4 h{inner} v-4", y - 4)}/>
    }
}

fn span_text(span: &Span) -> Html {
    let words = match span.part {
        Part::InFlight => "in flight",
        Part::Unsent => "not sent yet",
        Part::InOrder => "to be read",
        Part::OutOfOrder => "out of order",
    };
    html! {
        <span>
            <svg class="key" width="18" height="8" aria-hidden="true">
                <path class={part_class(span.part)} d="M1 1v5h16v-5"/>
            </svg>
            <span>{ words }{ " " }
                <data data-field="part.bytes" data-value={span.bytes.to_string()}>{ group(span.bytes) }</data>
                { " B in " }
                <data data-field="part.skbs" data-value={span.skbs.to_string()}>{ group(span.skbs) }</data>
                { if span.skbs == 1 { " skb" } else { " skbs" } }
            </span>
        </span>
    }
}

fn window_text(window: &Window) -> Html {
    html! {
        <span>
            <svg class="key" width="18" height="8" aria-hidden="true">
                <path class="brace window" d="M1 1v5h16v-5"/>
            </svg>
            <span>{ "window " }<Num of={window.rcv_wnd.clone()}/>{ " · rcv_ssthresh " }
                <Num of={window.rcv_ssthresh.clone()}/></span>
        </span>
    }
}

fn ruler(kind: Kind, row: &Row, sizes: Sizes) -> Html {
    let x = row.ruler.x;
    let bottom = sizes.under() + 2;
    let name = limit_name(kind);
    // Beside the mark, on the side where there is room.
    let room = Px(row.scale.length.0 - x.0) >= Px::whole(86);
    let (anchor, text_x) = if room { ("start", Px(x.0 + 1200)) } else { ("end", Px(x.0 - 1200)) };
    // The head of a fixed ruler is a padlock.
    let head = if row.ruler.locked {
        html! { <g class="lock" transform={format!("translate({},1)", Px(x.0 - 800))}>{ icons::lock() }</g> }
    } else {
        html! { <path d={format!("M{} 6 h12 l-6 8z", Px(x.0 - 600))}/> }
    };
    html! {
        <g class="ruler" data-about={row.ruler.figure.field.to_string()}>
            <line x1={x} x2={x} y1="13" y2={bottom.to_string()}/>
            { head }
            <text x={text_x} y="14" text-anchor={anchor}>{ name }</text>
        </g>
    }
}

/// Where a segment was refused, beyond the ruler, a cross stays until the next step.
fn drop_mark(props: &Props, row: &Row, sizes: Sizes) -> Html {
    if props.drops == 0 {
        return html! {};
    }
    let x = Px((row.ruler.x.0 + 1800).min(row.scale.length.0 - 2600));
    let y = sizes.band + sizes.track / 2 - 10;
    html! {
        <g class="dropped" key={format!("drop{}", props.stamp)} transform={format!("translate({x},{y})")}>
            <path class="r-drop" d="M1 1 l18 18 M19 1 l-18 18"/>
        </g>
    }
}

/// How many were refused.
fn dropped(props: &Props) -> Html {
    if props.drops == 0 {
        return html! {};
    }
    html! {
        <span class="chip bad">{ icons::cross() }
            <data data-field="dropped_now" data-value={props.drops.to_string()}>{ group(props.drops) }</data>
            { "dropped" }</span>
    }
}

fn scale_bar(row: &Row) -> Html {
    let width = row.bar.width;
    let end = Px(width.0 + 100);
    html! {
        <span class="scale-bar">
            <svg width={Px(width.0 + 200)} height="10" aria-hidden="true">
                <path class="brace" d={format!("M1 1 v8 M1 5 H{end} M{end} 1 v8")}/>
            </svg>
            <data data-field="scale" data-value={row.bar.bytes.to_string()}>{ group(row.bar.bytes) }</data>{ "B" }
        </span>
    }
}
