//! Keys: one table serves the listener and the list on screen.

use crate::session::Action;

/// What a key asks the page for.
#[derive(Clone, Debug, PartialEq)]
pub enum Wish {
    /// Something of the session.
    Do(Action),
    /// Play or pause.
    Play,
    /// Open a lesson by its place, from 1.
    Lesson(u32),
    /// Copy the link.
    Share,
    /// Put the focus on the why panel.
    Why,
    /// Put the focus into the console.
    Console,
    /// Show this list.
    Help,
    /// Leave what is open.
    Leave,
    /// Play backwards, or on with backwards.
    BackPlay,
}

/// A line of the table.
pub struct Hotkey {
    /// The keys as `KeyboardEvent.key` names them.
    pub keys: &'static [&'static str],
    /// Whether shift must be down; `None`: either.
    pub shift: Option<bool>,
    /// How it is written in the list.
    pub shown: &'static str,
    /// What it does, in the list.
    pub help: &'static str,
    /// What it does.
    pub wish: fn(&str) -> Wish,
}

const fn key(
    keys: &'static [&'static str],
    shift: Option<bool>,
    shown: &'static str,
    help: &'static str,
    wish: fn(&str) -> Wish,
) -> Hotkey {
    Hotkey { keys, shift, shown, help, wish }
}

/// Every key of the page.
#[rustfmt::skip]
pub const HOTKEYS: &[Hotkey] = &[
    key(&[" "], None, "space", "play or pause", |_| Wish::Play),
    key(&["ArrowRight"], Some(false), "→", "step forward", |_| Wish::Do(Action::Step)),
    key(&["ArrowLeft"], Some(false), "←", "step back", |_| Wish::Do(Action::StepBack)),
    key(&["ArrowRight"], Some(true), "shift →", "next marker", |_| Wish::Do(Action::NextMarker(None))),
    key(&["ArrowLeft"], Some(true), "shift ←", "previous marker", |_| Wish::Do(Action::PrevMarker(None))),
    key(&["."], None, ".", "beat forward", |_| Wish::Do(Action::BeatStep)),
    key(&[","], None, ",", "beat back", |_| Wish::Do(Action::BeatBack)),
    key(&["Home"], None, "Home", "to the start", |_| Wish::Do(Action::Start)),
    key(&["End"], None, "End", "to the end", |_| Wish::Do(Action::End)),
    key(&["j", "J"], None, "J", "play backwards", |_| Wish::BackPlay),
    key(&["k", "K"], None, "K", "pause", |_| Wish::Do(Action::Pause)),
    key(&["l", "L"], None, "L", "play", |_| Wish::Do(Action::Play)),
    key(&["["], None, "[", "slower", |_| Wish::Do(Action::Slower)),
    key(&["]"], None, "]", "faster", |_| Wish::Do(Action::Faster)),
    key(&["1", "2", "3", "4", "5", "6", "7", "8", "9"], None, "1 to 9", "open that lesson",
        |k| Wish::Lesson(k.parse().unwrap_or(1))),
    key(&["s", "S"], None, "S", "copy a link to exactly this", |_| Wish::Share),
    key(&["w", "W"], None, "W", "go to the why panel", |_| Wish::Why),
    key(&["/"], None, "/", "go to the console", |_| Wish::Console),
    key(&["?"], None, "?", "this list", |_| Wish::Help),
    key(&["Escape"], None, "Esc", "leave", |_| Wish::Leave),
];

/// What a pressed key asks for.
pub fn wish(pressed: &str, shift: bool) -> Option<Wish> {
    let hotkey = HOTKEYS.iter().find(|h| h.keys.contains(&pressed) && h.shift.is_none_or(|s| s == shift))?;
    Some((hotkey.wish)(pressed))
}
