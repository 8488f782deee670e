//! Why: the kernel function, its test with the numbers filled in, one sentence, and the way there.

use super::icons;
use super::sentence::sentence;
use crate::engine::op::Op;
use crate::engine::step::Step;
use crate::explain::{self, PathBeat};
use crate::session::{Action, Session};
use yew::prelude::*;

/// Beats listed before the rest is only counted.
const BEATS_SHOWN: usize = 24;
/// Calls listed in a beat that is not the shown one.
const LINES_SHOWN: usize = 40;

/// The panel.
pub fn why(session: &Session, on: &Callback<Action>) -> Html {
    let title = match session.shown_op() {
        Some(k) => format!("Why · step {} of {}", k + 1, session.end()),
        None => "Why".to_owned(),
    };
    html! {
        <section class="card why" id="why" tabindex="-1" aria-label="why">
            <h2>{ title }</h2>
            { match (session.op(), session.step()) {
                (Some(op), Some(step)) => shown(session, on, &op.op, step),
                _ => html! { <p class="say">{ "Nothing has happened yet. Step on to see what each one does." }</p> },
            } }
        </section>
    }
}

fn shown(session: &Session, on: &Callback<Action>, op: &Op, step: &Step) -> Html {
    let (lens, sock) = (session.lens(), op.sock().or(session.selected()));
    let headline = explain::headline(step);
    let summary = match session.shown_beat() {
        Some(beat) => explain::beat_summary(beat),
        None => explain::summary(op, step).sentence(),
    };
    html! { <>
        if let Some(headline) = &headline {
            <div class="rule">{ headline.rule.name() }</div>
            <div class="eq">{ sentence(&headline.sentence, lens, sock) }</div>
        }
        <p class="say">{ sentence(&summary, lens, sock) }</p>
        { beat_buttons(session, on) }
        <ol class="path">{ path(session, step) }</ol>
    </> }
}

fn beat_buttons(session: &Session, on: &Callback<Action>) -> Html {
    let count = session.beat_count();
    let text = match session.beat() {
        Some(beat) => format!("beat {beat} of {count}"),
        None if count == 1 => "1 beat".to_owned(),
        None => format!("{count} beats, all done"),
    };
    html! {
        <div class="beats">
            <span>{ text }</span><span class="room"></span>
            <button type="button" class="btn icon" aria-label="beat back" title="beat back ( , )"
                onclick={on.reform(|_| Action::BeatBack)}>{ icons::beat_back() }</button>
            <button type="button" class="btn icon" aria-label="beat forward" title="beat forward ( . )"
                onclick={on.reform(|_| Action::BeatStep)}>{ icons::beat_forward() }</button>
        </div>
    }
}

fn path(session: &Session, step: &Step) -> Html {
    let beats = explain::path(step);
    let done = session.beat().map_or(beats.len(), |b| b as usize);
    let from = done.saturating_sub(BEATS_SHOWN / 2).min(beats.len().saturating_sub(BEATS_SHOWN));
    let shown = beats.iter().enumerate().skip(from).take(BEATS_SHOWN);
    let rest = beats.len() - shown.len();
    html! { <>
        { for shown.map(|(i, beat)| {
            let current = session.beat().is_some_and(|b| b as usize == i + 1);
            one_beat(session, beat, i < done, current)
        }) }
        if rest > 0 { <li class="muted"><span class="dot"></span>{ format!("and {rest} more beats") }</li> }
    </> }
}

fn one_beat(session: &Session, beat: &PathBeat, done: bool, current: bool) -> Html {
    let lens = session.lens();
    let mut left = LINES_SHOWN;
    let current = current.then_some("step");
    html! {
        <li class={classes!(done.then_some("now"))} aria-current={current}>
            <span class="dot" aria-hidden="true"></span>
            <div class="beat-title">{ beat.title }</div>
            { for beat.calls.iter().map(|call| {
                let lines = call.lines.iter().take(left);
                left = left.saturating_sub(call.lines.len());
                html! {
                    <div class="call">{ call.rule.name() }
                        { for lines.map(|line| html! {
                            <div class={classes!("line", (line.taken == Some(false)).then_some("no"))}>
                                { sentence(&line.sentence, lens, beat.sock) }</div>
                        }) }
                    </div>
                }
            }) }
        </li>
    }
}
