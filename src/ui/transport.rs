//! Step, play, seek, speed, undo.

use super::icons;
use super::store::sometimes;
use crate::session::{Action, Play, Session};
use crate::view_model::figure::group;
use crate::view_model::stage::play_key;
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// The bar.
pub fn transport(session: &Session, on: &Callback<Action>) -> Html {
    html! {
        <footer class="transport" role="toolbar" aria-label="transport">
            { place(session, on) }
            { buttons(session, on) }
            { speed(session, on) }
        </footer>
    }
}

fn place(session: &Session, on: &Callback<Action>) -> Html {
    let (step, end) = (session.step_no(), session.end());
    let oninput = sometimes(on, |e: InputEvent| {
        let input: HtmlInputElement = e.target_dyn_into()?;
        input.value().parse().ok().map(Action::Seek)
    });
    let beat = session.beat().map(|b| format!(" + beat {b} of {}", session.beat_count()));
    html! {
        <div class="where">
            <span class="count">{ "step " }<b>{ group(i64::from(step)) }</b>{ " / " }{ group(i64::from(end)) }
                { beat }</span>
            <input type="range" min="0" max={end.to_string()} value={step.to_string()} {oninput} aria-label="seek"
                aria-valuetext={format!("step {step} of {end}")}/>
        </div>
    }
}

fn buttons(session: &Session, on: &Callback<Action>) -> Html {
    let playing = session.play() != Play::Paused;
    let play = play_key(session);
    let at_start = session.step_no() == 0 && session.beat().is_none();
    let at_end = session.step_no() == session.end();
    let button = |label: &'static str, keys: &'static str, icon: Html, disabled: bool, action: Action| {
        html! {
            <button type="button" class="btn" aria-label={label} title={format!("{label} ( {keys} )")} {disabled}
                onclick={on.reform(move |_| action.clone())}>{ icon }</button>
        }
    };
    html! {
        <div class="mid">
            { button("to the start", "Home", icons::start(), at_start, Action::Start) }
            { button("step back", "←", icons::back(), at_start, Action::StepBack) }
            <button type="button" class="btn primary play" onclick={on.reform(move |_| play.clone())}>
                { if playing { icons::pause() } else { icons::play() } }
                { if playing { "Pause" } else { "Play" } }<kbd>{ "space" }</kbd></button>
            { button("step forward", "→", icons::forward(), at_end, Action::Step) }
            { button("to the end", "End", icons::end(), at_end, Action::End) }
        </div>
    }
}

fn speed(session: &Session, on: &Callback<Action>) -> Html {
    html! {
        <div class="end">
            <span class="speed">
                <button type="button" class="btn icon quiet" aria-label="slower" title="slower ( [ )"
                    onclick={on.reform(|_| Action::Slower)}>{ "−" }</button>
                <span class="rate">{ rate(session.speed()) }</span>
                <button type="button" class="btn icon quiet" aria-label="faster" title="faster ( ] )"
                    onclick={on.reform(|_| Action::Faster)}>{ "+" }</button>
            </span>
            <button type="button" class="btn icon" aria-label="undo" title="undo" disabled={!session.can_undo()}
                onclick={on.reform(|_| Action::Undo)}>{ icons::undo() }</button>
            <button type="button" class="btn icon" aria-label="redo" title="redo" disabled={!session.can_redo()}
                onclick={on.reform(|_| Action::Redo)}>{ icons::redo() }</button>
        </div>
    }
}

/// Steps a minute as steps a second.
fn rate(per_minute: u32) -> String {
    let unit = if per_minute == 60 { "step/s" } else { "steps/s" };
    if per_minute.is_multiple_of(60) {
        format!("{} {unit}", per_minute / 60)
    } else {
        format!("{}.{} {unit}", per_minute / 60, per_minute % 60 / 6)
    }
}
