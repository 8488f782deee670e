//! The middle of the page: the selected socket.

use super::fields_table::FieldsTable;
use super::figure::Num;
use super::hooks::use_size;
use super::legend::legend;
use super::queue_row::{Kind, QueueRow};
use super::store::Store;
use super::tank::TankZone;
use crate::engine::op::SockName;
use crate::engine::sock::Sock;
use crate::session::Action;
use crate::view_model::fields::Fields;
use crate::view_model::figure::{Figure, group};
use crate::view_model::moves::Moves;
use crate::view_model::queues;
use crate::view_model::skmem::skmem;
use crate::view_model::stage::{Tab, cwnd, kind, moved, orphans, tabs};
use std::rc::Rc;
use yew::prelude::*;

/// What to show and whom to tell.
#[derive(Properties, PartialEq)]
pub struct Props {
    /// The state of the page.
    pub store: Store,
    /// Every compared number, of the shown state.
    pub fields: Rc<Fields>,
    /// The highest `forward_alloc` of the run, bytes.
    pub most: i64,
    /// Where actions go.
    pub on: Callback<Action>,
}

/// The stage.
#[component]
pub fn Stage(props: &Props) -> Html {
    let node = use_node_ref();
    let (width, height) = use_size(&node, (728, 600));
    let session = &props.store.session;
    let machine = session.machine();
    let shown = session.selected().and_then(|name| machine.find(name)).map(|(_, sock)| Rc::new(sock.clone()));
    let tabs = tabs(machine, session.selected());
    let moves = moved(session);
    let dense = height < LOW;
    html! {
        <section class={classes!("card", "stage", dense.then_some("dense"))} aria-label="socket">
            <div class="measure" aria-hidden="true" ref={node}></div>
            { head(shown.as_deref(), &tabs, orphans(machine), &props.on) }
            if let Some(sock) = &shown {
                { queues_of(props, sock, &moves, width - GUTTER, dense) }
                <TankZone sock={sock.clone()} page={machine.setup().page_size} most={props.most} {moves}
                    has_reserve={machine.profile().reserve.exists}/>
                { legend() }
            } else {
                <p class="no-sock">{ "No socket yet. The next step makes one, or type " }
                    <code>{ "socket s" }</code>{ "." }</p>
            }
            <div class="stage-foot">
                <FieldsTable fields={props.fields.clone()} sock={session.selected()}/>
                if let Some(sock) = &shown { { skmem_line(sock) } }
            </div>
        </section>
    }
}

/// The column of the pipes, pixels; `.flow` has the same number.
const GUTTER: i64 = 26;
/// A stage less high than this is drawn densely, pixels.
const LOW: i64 = 540;

fn head(sock: Option<&Sock>, tabs: &[Tab], orphans: i64, on: &Callback<Action>) -> Html {
    let many = tabs.len() > 1;
    html! {
        <div class="stage-head">
            if many {
                <h2 class="sr">{ "Sockets" }</h2>
                <div class="tabs" role="tablist" aria-label="sockets">
                    { for tabs.iter().map(|tab| one_tab(tab, on)) }</div>
            } else if let Some(sock) = sock {
                <h2>{ format!("Socket {}", sock.name) }</h2>
            } else {
                <h2>{ "No socket" }</h2>
            }
            if let Some(sock) = sock {
                <span class="muted">{ kind(sock) }
                    if let Some(cwnd) = cwnd(sock) {
                        { " · cwnd " }<Num of={Figure::of(sock.name, "tcp.cwnd", cwnd)}/>
                    }
                    if orphans > 0 { { format!(" · {} orphaned", group(orphans)) } }
                </span>
                if cwnd(sock).is_some() {
                    <span class="offered muted">{ "window offered " }
                        <Num of={Figure::of(sock.name, "peer.adv_win", sock.peer.adv_win)}/></span>
                }
            }
        </div>
    }
}

fn one_tab(tab: &Tab, on: &Callback<Action>) -> Html {
    let name: SockName = tab.name;
    let onclick = on.reform(move |_| Action::SelectSock(Some(name)));
    html! {
        <button type="button" role="tab" key={name.to_string()} aria-selected={tab.selected.to_string()} {onclick}>
            { name.to_string() }<span class="bytes">{ group(tab.held) }{ " B" }</span>
        </button>
    }
}

fn queues_of(props: &Props, sock: &Sock, moves: &Moves, width: i64, dense: bool) -> Html {
    let (stamp, motion) = (props.store.stamp, props.store.motion);
    let send_lit = moves.to_send > 0 || moves.from_send > 0;
    let receive_lit = moves.to_receive > 0 || moves.from_receive > 0;
    let back = moves.from_send > 0 || moves.from_receive > 0;
    html! { <>
        <div class="flow">
            <div class={classes!("pipe", "first", send_lit.then_some("lit"))} aria-hidden="true">
                <span class="branch"></span>{ (moves.to_send > 0).then(arrow_in) }
            </div>
            <QueueRow kind={Kind::Send} row={queues::send(sock, width)} gained={moves.to_send} lost={moves.from_send}
                {dense} {stamp} {motion}/>
        </div>
        <div class="flow">
            <div class={classes!("pipe", receive_lit.then_some("lit"), send_lit.then_some("through"))}
                aria-hidden="true">
                <span class="branch"></span>{ (moves.to_receive > 0).then(arrow_in) }{ back.then(arrow_back) }
            </div>
            <QueueRow kind={Kind::Receive} row={queues::receive(sock, width)} gained={moves.to_receive}
                lost={moves.from_receive} drops={moves.drops} {dense} {stamp} {motion}/>
        </div>
    </> }
}

/// Into a queue.
fn arrow_in() -> Html {
    html! { <svg class="head in" width="9" height="12"><path d="M0 0l9 6-9 6z" fill="currentColor"/></svg> }
}

/// Back into the tank.
fn arrow_back() -> Html {
    html! { <svg class="head out" width="12" height="9"><path d="M0 0l6 9 6-9z" fill="currentColor"/></svg> }
}

fn skmem_line(sock: &Sock) -> Html {
    let letters = skmem(sock);
    html! {
        <p class="skmem" title="as ss -m prints it">{ "skmem:(" }
            { for letters.iter().enumerate().map(|(i, letter)| html! { <>
                { if i > 0 { "," } else { "" } }{ letter.letters }
                <Num of={letter.figure.clone()} text={letter.figure.value.to_string()}/>
            </> }) }
        { ")" }</p>
    }
}
