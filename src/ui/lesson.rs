//! What the lesson says, and what it says about this step.

use super::icons;
use super::markdown::markdown;
use crate::scenario::lessons::{self, LESSONS, Lesson};
use crate::session::Session;
use yew::prelude::*;

/// The card. `on_list` opens the list of lessons.
pub fn lesson_card(session: &Session, on_list: &Callback<()>) -> Html {
    let place = session.lesson().and_then(|lesson| LESSONS.iter().position(|l| l.slug == lesson.slug));
    let which = match place {
        Some(i) => format!("Lesson {} of {}", i + 1, LESSONS.len()),
        None => "Scenario".to_owned(),
    };
    html! {
        <section class={classes!("card", "lesson", session.lesson().is_none().then_some("own"))} aria-label="lesson">
            <div class="lesson-nav">
                <h2>{ which }</h2>
                <button type="button" class="btn quiet" aria-haspopup="dialog" onclick={on_list.reform(|_| ())}>
                    { icons::list() }{ "Lessons" }</button>
            </div>
            <p class="lesson-title">{ title(session) }</p>
            <div class="scroll">
                { match session.lesson() {
                    Some(lesson) => spoken(session, lesson),
                    None => own(session),
                } }
            </div>
        </section>
    }
}

fn title(session: &Session) -> String {
    let head = session.head();
    [&head.title, &head.name]
        .into_iter()
        .find(|t| !t.is_empty())
        .cloned()
        .unwrap_or_else(|| "Your own scenario".to_owned())
}

/// The caption of this step first: it is what the eye looks for.
fn spoken(session: &Session, lesson: &Lesson) -> Html {
    // Where the lesson has no caption yet, it gives the introduction itself.
    let caption = session.caption().filter(|caption| *caption != lesson.intro);
    let last = session.step_no() == session.end() && !lesson.afterword.trim().is_empty();
    html! { <>
        if let Some(caption) = caption {
            <div class="caption"><div class="prose">{ markdown(caption) }</div></div>
        } else if session.caption().is_none() {
            <div class="caption"><p>{ "You left the lesson: what follows is your own." }</p></div>
        }
        if last { <div class="prose">{ markdown(&lesson.afterword) }</div> }
        <details class="intro" open={caption.is_none()}>
            <summary>{ "about this lesson" }</summary>
            <div class="prose">{ markdown(&lesson.intro) }</div>
        </details>
    </> }
}

fn own(session: &Session) -> Html {
    html! { <>
        if let Some(note) = session.note() {
            <div class="caption prose">{ for note.lines().map(|l| html! { <p>{ l.to_owned() }</p> }) }</div>
        }
        <div class="prose">{ for session.head().about.lines().map(|l| html! { <p>{ l.to_owned() }</p> }) }</div>
        if session.head().about.is_empty() && session.note().is_none() {
            <p class="muted">{ "Step through it, or add operations below." }</p>
        }
    </> }
}

/// Every lesson: one click opens it. `current` is the slug of the open one.
pub fn lesson_list(current: Option<&str>, on_choose: &Callback<String>) -> Html {
    let lessons = lessons::all();
    html! {
        <ol class="lesson-list">
            { for lessons.iter().enumerate().map(|(i, lesson)| {
                let slug = lesson.slug.clone();
                let here = current == Some(slug.as_str());
                let onclick = on_choose.reform(move |_| slug.clone());
                html! {
                    <li><button type="button" {onclick} aria-current={here.then_some("true")}>
                        <span class="n">{ i + 1 }</span>
                        <span><b>{ lesson.title.clone() }</b><span>{ lesson.about.clone() }</span></span>
                    </button></li>
                }
            }) }
        </ol>
    }
}
