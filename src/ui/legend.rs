//! What the looks mean.

use super::patterns::key;
use yew::prelude::*;

/// The legend of the stage.
pub fn legend() -> Html {
    html! {
        <div class="legend">
            <span>{ key("r-payload") }{ "payload" }</span>
            <span>{ key("r-overhead") }{ "overhead in truesize" }</span>
            <span>{ key("r-forward") }{ "forward_alloc" }</span>
            <span>{ key("r-floor") }{ "reserved, unused" }</span>
        </div>
    }
}
