//! The list of operations: what was asked, what was answered, where we are.

use super::store::sometimes;
use crate::explain;
use crate::session::{Action, Session};
use crate::view_model::figure::group;
use web_sys::HtmlElement;
use yew::prelude::*;

/// Operations shown before and after the cursor.
const AROUND: u32 = 120;

/// What to list and whom to tell.
#[derive(Properties, PartialEq)]
pub struct Props {
    /// The session.
    pub session: Session,
    /// Where actions go.
    pub on: Callback<Action>,
}

/// The list.
#[component]
pub fn Operations(props: &Props) -> Html {
    let Props { session, on } = props;
    let list = use_node_ref();
    let current = use_node_ref();
    let step = session.step_no();
    use_effect_with((step, session.timeline().len()), {
        let (list, current) = (list.clone(), current.clone());
        move |_| follow(&list, &current)
    });
    let len = session.timeline().len();
    let (from, to) = (step.saturating_sub(AROUND), len.min(step + AROUND));
    let onkeydown = sometimes(on, |e: KeyboardEvent| {
        let action = match e.key().as_str() {
            "ArrowDown" => Action::Step,
            "ArrowUp" => Action::StepBack,
            _ => return None,
        };
        e.prevent_default();
        e.stop_propagation();
        Some(action)
    });
    html! {
        <section class="card ops" aria-label="operations">
            <h2>{ "Operations" }</h2>
            <ol ref={list} class="scroll" {onkeydown}>
                if from > 0 { <li class="more">{ format!("{} before", group(i64::from(from))) }</li> }
                if from == 0 {
                    { start(step == 0, on, &current) }
                }
                { for (from..to).map(|k| one(session, k, on, &current)) }
                if to < len { <li class="more">{ format!("{} after", group(i64::from(len - to))) }</li> }
            </ol>
        </section>
    }
}

fn start(here: bool, on: &Callback<Action>, current: &NodeRef) -> Html {
    let node = if here { current.clone() } else { NodeRef::default() };
    html! {
        <li key="start"><button type="button" ref={node} aria-current={here.then_some("step")}
            tabindex={if here { "0" } else { "-1" }} onclick={on.reform(|_| Action::Start)}>
            <span class="n">{ "0" }</span><span class="label">{ "start" }</span></button></li>
    }
}

fn one(session: &Session, k: u32, on: &Callback<Action>, current: &NodeRef) -> Html {
    let timeline = session.timeline();
    let Some(op) = timeline.op(k) else { return html! {} };
    let step = k + 1;
    let here = session.step_no() == step;
    let future = session.step_no() < step;
    let label = explain::op_label(&op.op);
    let stopped = timeline.stop().is_some_and(|stop| stop.at <= k);
    let node = if here { current.clone() } else { NodeRef::default() };
    html! {
        <li key={k.to_string()}>
            <button type="button" ref={node} class={future.then_some("future")} aria-current={here.then_some("step")}
                tabindex={if here { "0" } else { "-1" }} title={label.clone()} disabled={stopped}
                onclick={on.reform(move |_| Action::Seek(step))}>
                <span class="n">{ step.to_string() }</span>
                <span class="label">{ label }</span>
                { answer(session, k, here, future) }
            </button>
        </li>
    }
}

fn answer(session: &Session, k: u32, here: bool, future: bool) -> Html {
    let Some(brief) = session.timeline().brief(k).filter(|_| !future) else {
        return html! { <span class="ret"></span> };
    };
    let field = |name: &str| if here { name.to_owned() } else { format!("ops.{}.{name}", k + 1) };
    let ret = html! {
        <data data-field={field("ret")} data-value={brief.ret.to_string()}>
            { if brief.ret == 0 { "ok".to_owned() } else { group(brief.ret) } }</data>
    };
    match brief.errno {
        Some(errno) => html! {
            <span class="ret errno">{ (brief.ret > 0).then_some(ret) }{ if brief.ret > 0 { " " } else { "" } }
                <data data-field={field("errno")} data-value={errno.code().to_string()}>{ errno.name() }</data></span>
        },
        None => html! { <span class="ret">{ ret }</span> },
    }
}

/// Keeps the current operation in sight, and the focus on it when the focus is in the list.
fn follow(list: &NodeRef, current: &NodeRef) {
    let (Some(list), Some(current)) = (list.cast::<HtmlElement>(), current.cast::<HtmlElement>()) else { return };
    let (top, height) = (current.offset_top() - list.offset_top(), current.offset_height());
    let (seen, room) = (list.scroll_top(), list.client_height());
    if top < seen + height || top + 2 * height > seen + room {
        list.set_scroll_top((top - room / 3).max(0));
    }
    let active = web_sys::window().and_then(|w| w.document()).and_then(|d| d.active_element());
    if active.is_some_and(|a| list.contains(Some(&a))) {
        // Losing the focus is worse than not moving it.
        let _ = current.focus();
    }
}
