//! setsockopt with two clicks: every option with a value ready.

use super::store::sometimes;
use crate::engine::op::{Op, SockName, SockOpt};
use crate::explain::glossary;
use crate::session::Action;
use crate::view_model::quick::{OptionRow, options};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlInputElement};
use yew::prelude::*;

/// One row an option.
pub fn sockopts(sock: SockName, on: &Callback<Action>) -> Html {
    html! {
        <div class="sockopts" role="group" aria-label="setsockopt">
            { for options().into_iter().map(|row| one(sock, row, on)) }
        </div>
    }
}

fn one(sock: SockName, OptionRow { option, value }: OptionRow, on: &Callback<Action>) -> Html {
    let id = format!("opt-{}", option.name());
    let onsubmit = sometimes(on, move |e: SubmitEvent| {
        e.prevent_default();
        let form: Element = e.target_dyn_into()?;
        let field: HtmlInputElement = form.query_selector("input").ok()??.dyn_into().ok()?;
        let typed = field.value();
        let value = if typed.trim().is_empty() { value } else { typed.trim().parse().ok()? };
        Some(Action::Run(setsockopt(sock, option, value).into()))
    });
    html! {
        <form class="opt" key={option.name()} {onsubmit}>
            <label for={id.clone()} title={glossary::option(option).sentence}>{ option.name() }</label>
            <input {id} class="field" type="number" step="1" min={i32::MIN.to_string()} max={i32::MAX.to_string()}
                placeholder={value.to_string()}/>
            <button type="submit" class="btn" aria-label={format!("set {}", option.name())}>{ "Set" }</button>
        </form>
    }
}

const fn setsockopt(sock: SockName, name: SockOpt, value: i32) -> Op {
    Op::Setsockopt { sock, name, value }
}
