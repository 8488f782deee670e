//! The top line: what is open, whether it balances, on which kernel.

use super::icons;
use super::store::sometimes;
use super::theme::Theme;
use crate::engine::profile::{Profile, Provenance};
use crate::engine::profiles::{BASE_IDS, by_id};
use crate::explain;
use crate::session::{Action, Ledger, Session};
use web_sys::HtmlSelectElement;
use yew::prelude::*;

/// What to show and whom to tell.
pub struct Props<'a> {
    /// The session.
    pub session: &'a Session,
    /// Where actions go.
    pub on: &'a Callback<Action>,
    /// The theme in force.
    pub theme: Theme,
    /// Switches it.
    pub on_theme: Callback<()>,
    /// Copies the link.
    pub on_share: Callback<()>,
    /// Whether the link was just copied.
    pub shared: bool,
    /// Opens the list of shortcuts.
    pub on_help: Callback<()>,
    /// Opens the field for a link or a scenario.
    pub on_open: Callback<()>,
}

/// The header.
pub fn header(props: &Props) -> Html {
    let session = props.session;
    let title = session.head().title.clone();
    let (theme_icon, theme_label) = match props.theme {
        Theme::Light => (icons::moon(), "dark theme"),
        Theme::Dark => (icons::sun(), "light theme"),
    };
    html! {
        <header class="top">
            <span class="brand">{ icons::mark("20") }<b>{ "skmem lab" }</b></span>
            <h1 class="title">{ title }{ session.edited().then_some(" (changed)") }</h1>
            { badge(&session.ledger()) }
            <span class="room"></span>
            { picker(session.profile(), props.on) }
            <button type="button" class="btn wide" onclick={props.on_open.reform(|_| ())}>{ "Open" }</button>
            <button type="button" class="btn wide" title="keyboard shortcuts"
                onclick={props.on_help.reform(|_| ())}>{ "Keys" }<kbd>{ "?" }</kbd></button>
            <button type="button" class="btn icon" aria-label={theme_label} title={theme_label}
                onclick={props.on_theme.reform(|_| ())}>{ theme_icon }</button>
            <button type="button" class="btn primary share" onclick={props.on_share.reform(|_| ())}
                title="copy a link to exactly this ( S )">
                { icons::link() }{ if props.shared { "Link copied" } else { "Share" } }</button>
        </header>
    }
}

/// Text and icon, never colour alone.
fn badge(ledger: &Ledger) -> Html {
    match ledger {
        Ledger::Balanced => html! {
            <span class="chip ok ledger" title="every byte is accounted for: per socket, protocol and memory cgroup">
                { icons::tick() }<span>{ "ledger balanced" }</span></span>
        },
        Ledger::Off(list) => html! {
            <span class="chip bad ledger">{ icons::cross() }
                <span>{ list.first().map(explain::imbalance).unwrap_or_default() }</span></span>
        },
    }
}

fn picker(current: &str, on: &Callback<Action>) -> Html {
    let onchange = sometimes(on, |e: Event| {
        let select: HtmlSelectElement = e.target_dyn_into()?;
        Some(Action::SetProfile(select.value()))
    });
    let known = BASE_IDS.contains(&current);
    let provenance = by_id(current).map(|p| provenance(&p));
    html! {
        <span class="picker">
            <select class="field" id="kernel" aria-label="kernel" {onchange}>
                { for BASE_IDS.iter().map(|id| html! {
                    <option value={*id} selected={*id == current}>{ format!("Linux {id}") }</option>
                }) }
                if !known { <option value={current.to_owned()} selected=true>{ format!("Linux {current}") }</option> }
            </select>
            <span class="muted provenance">{ provenance.unwrap_or_default() }</span>
        </span>
    }
}

fn provenance(profile: &Profile) -> String {
    match profile.provenance {
        Provenance::Recorded => "recorded".to_owned(),
        Provenance::FromSource => "from source".to_owned(),
        Provenance::Proposal => "proposal".to_owned(),
    }
}
