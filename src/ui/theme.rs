//! Light and dark: the system's choice until somebody chooses, then theirs, kept.

use web_sys::MediaQueryList;
use yew::prelude::*;

const KEY: &str = "skmem-lab.theme";

/// Light or dark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

impl Theme {
    /// The word on the root element and in storage.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    /// The other one.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Light => Self::Dark,
            Self::Dark => Self::Light,
        }
    }
}

/// Storage may be forbidden, in a sandboxed frame for example: then nothing is kept.
fn storage() -> Option<web_sys::Storage> {
    web_sys::window()?.local_storage().ok()?
}

fn kept() -> Option<Theme> {
    match storage()?.get_item(KEY).ok()??.as_str() {
        "light" => Some(Theme::Light),
        "dark" => Some(Theme::Dark),
        _ => None,
    }
}

fn system_query() -> Option<MediaQueryList> {
    web_sys::window()?.match_media("(prefers-color-scheme: dark)").ok()?
}

fn system() -> Theme {
    if system_query().is_some_and(|query| query.matches()) { Theme::Dark } else { Theme::Light }
}

fn show(chosen: Option<Theme>) {
    let root = web_sys::window().and_then(|w| w.document()).and_then(|d| d.document_element());
    if let (Some(root), Some(theme)) = (root, chosen) {
        // Without the attribute the page follows the system by itself; setting it cannot fail.
        let _ = root.set_attribute("data-theme", theme.name());
    }
}

/// The theme in force, and what switches it.
#[hook]
pub fn use_theme() -> (Theme, Callback<()>) {
    let chosen = use_state_eq(kept);
    let follows = use_state_eq(system);
    use_effect_with(*chosen, |chosen| show(*chosen));
    {
        let follows = follows.setter();
        use_effect_with((), move |()| {
            let listener = system_query()
                .map(|query| gloo::events::EventListener::new(&query, "change", move |_| follows.set(system())));
            move || drop(listener)
        });
    }
    let theme = chosen.unwrap_or(*follows);
    let switch = use_callback(theme, move |(), theme| {
        let next = theme.other();
        if let Some(storage) = storage() {
            // Full or forbidden storage: the choice lasts as long as the page.
            let _ = storage.set_item(KEY, next.name());
        }
        chosen.set(Some(next));
    });
    (theme, switch)
}
