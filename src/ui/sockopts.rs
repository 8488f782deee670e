//! setsockopt with two clicks: every option with a value ready.

use crate::engine::op::{Op, SockName, SockOpt};
use crate::explain::glossary;
use crate::session::Action;
use crate::view_model::quick::{OptionRow, options};
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// On which socket, and whom to tell.
#[derive(Properties, PartialEq)]
pub struct Props {
    /// The socket.
    pub sock: SockName,
    /// Where actions go.
    pub on: Callback<Action>,
}

/// One row an option.
#[component]
pub fn SockOpts(props: &Props) -> Html {
    html! {
        <div class="sockopts" role="group" aria-label="setsockopt">
            { for options().into_iter().map(|row| html! {
                <OptionForm key={row.option.name()} sock={props.sock} row={Row(row)} on={props.on.clone()}/>
            }) }
        </div>
    }
}

#[derive(Clone, Copy, PartialEq)]
struct Row(OptionRow);

#[derive(Properties, PartialEq)]
struct FormProps {
    sock: SockName,
    row: Row,
    on: Callback<Action>,
}

#[component]
fn OptionForm(props: &FormProps) -> Html {
    let input = use_node_ref();
    let OptionRow { option, value } = props.row.0;
    let id = format!("opt-{}", option.name());
    let onsubmit = {
        let (input, on, sock) = (input.clone(), props.on.clone(), props.sock);
        Callback::from(move |e: SubmitEvent| {
            e.prevent_default();
            let typed = input.cast::<HtmlInputElement>().and_then(|i| i.value().trim().parse().ok());
            if let Some(value) = typed {
                on.emit(Action::Run(setsockopt(sock, option, value).into()));
            }
        })
    };
    html! {
        <form class="opt" {onsubmit}>
            <label for={id.clone()} title={glossary::option(option).sentence}>{ option.name() }</label>
            <input {id} ref={input} class="field" type="number" step="1" min={i32::MIN.to_string()}
                max={i32::MAX.to_string()} required=true value={value.to_string()}/>
            <button type="submit" class="btn" aria-label={format!("set {}", option.name())}>{ "Set" }</button>
        </form>
    }
}

const fn setsockopt(sock: SockName, name: SockOpt, value: i32) -> Op {
    Op::Setsockopt { sock, name, value }
}
