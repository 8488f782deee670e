//! Every compared number, for whoever wants to hold the page against a recording.

use super::figure::Num;
use crate::engine::op::SockName;
use crate::view_model::fields::Fields;
use crate::view_model::figure::Figure;
use std::rc::Rc;
use yew::prelude::*;

/// Which numbers.
#[derive(Properties, PartialEq)]
pub struct Props {
    /// The numbers.
    pub fields: Rc<Fields>,
    /// Whose.
    pub sock: Option<SockName>,
}

/// A table that opens.
#[component]
pub fn FieldsTable(props: &Props) -> Html {
    let open = use_state_eq(|| false);
    let ontoggle = {
        let open = open.setter();
        Callback::from(move |e: Event| {
            let details: Option<web_sys::Element> = e.target_dyn_into();
            open.set(details.is_some_and(|d| d.has_attribute("open")));
        })
    };
    let Props { fields, sock } = props;
    html! {
        <details class="all" {ontoggle}>
            <summary>{ "all fields" }<span class="muted">{ "by their recorded names" }</span></summary>
            if *open {
                <div class="all-fields" tabindex="0" role="group" aria-label="all fields">
                    if let Some(sock) = sock {
                        { table(&format!("socket {sock}"), &fields.sock) }
                    }
                    { table("machine", &fields.global) }
                </div>
            }
        </details>
    }
}

fn table(title: &str, figures: &[Figure]) -> Html {
    html! {
        <table>
            <caption class="sr">{ title.to_owned() }</caption>
            <tbody>
                { for figures.iter().map(|figure| html! {
                    <tr key={figure.field.to_string()}>
                        <th scope="row">{ figure.field.to_string() }</th>
                        <td><Num of={figure.clone()} text={figure.value.to_string()}/></td>
                    </tr>
                }) }
            </tbody>
        </table>
    }
}
