//! What is wrong with a link, and where to go from here.

use super::icons;
use super::lesson::LessonList;
use crate::session::{Action, BadLink};
use yew::prelude::*;

/// The link that does not open, and whom to tell.
#[derive(Properties, PartialEq)]
pub struct Props {
    /// What is wrong.
    pub bad: BadLink,
    /// Where actions go.
    pub on: Callback<Action>,
}

/// The page for it.
#[component]
pub fn BadLinkPage(props: &Props) -> Html {
    let BadLink { fragment, part, text, way_on } = &props.bad;
    let way_on = way_on.clone();
    html! {
        <main class="bad-link card">
            <span class="brand">{ icons::mark("24") }{ "skmem lab" }</span>
            <h1>{ "This link does not open" }</h1>
            <p role="alert"><span class="part">{ part }</span>{ if part.is_empty() { "" } else { ": " } }{ text }</p>
            <p>{ "The link, as it arrived:" }</p>
            <pre tabindex="0" aria-label="the link">{ fragment }</pre>
            <div class="actions">
                <button type="button" class="btn primary" onclick={props.on.reform(move |_| way_on.action.clone())}>
                    { props.bad.way_on.label.clone() }</button>
            </div>
            <h2>{ "All lessons" }</h2>
            <LessonList current={None::<AttrValue>} on_choose={props.on.reform(Action::OpenLesson)}/>
        </main>
    }
}
