//! What is wrong with a link, and where to go from here.

use super::icons;
use super::lesson::lesson_list;
use crate::session::{Action, BadLink};
use yew::prelude::*;

/// The page for it.
pub fn bad_link_page(bad: &BadLink, on: &Callback<Action>) -> Html {
    let BadLink { fragment, part, text, way_on } = bad;
    let way_on = way_on.clone();
    html! {
        <main class="bad-link card">
            <span class="brand">{ icons::mark("24") }{ "skmem lab" }</span>
            <h1>{ "This link does not open" }</h1>
            <p role="alert"><span class="part">{ part }</span>{ if part.is_empty() { "" } else { ": " } }{ text }</p>
            <p>{ "The link, as it arrived:" }</p>
            <pre tabindex="0" aria-label="the link">{ fragment }</pre>
            <div class="actions">
                <button type="button" class="btn primary" onclick={on.reform(move |_| way_on.action.clone())}>
                    { bad.way_on.label.clone() }</button>
            </div>
            <h2>{ "All lessons" }</h2>
            { lesson_list(None, &on.reform(Action::OpenLesson)) }
        </main>
    }
}
