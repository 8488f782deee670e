//! Small pictures, drawn once.

use yew::prelude::*;

/// The product's mark: a tank with its floor.
pub fn mark(size: &'static str) -> Html {
    html! {
        <svg width={size} height={size} viewBox="0 0 20 20" aria-hidden="true">
            <rect x="1.5" y="2.5" width="17" height="15" rx="3" fill="none" stroke="currentColor" stroke-width="1.6"/>
            <rect x="4" y="8" width="12" height="7" rx="1" class="r-forward"/>
            <rect x="4" y="11" width="12" height="4" class="r-floor"/>
        </svg>
    }
}

/// A 16 pixel picture from one path.
fn path(d: &'static str, filled: bool) -> Html {
    let (fill, stroke) = if filled { ("currentColor", "none") } else { ("none", "currentColor") };
    html! {
        <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
            <path {d} {fill} {stroke} stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round"/>
        </svg>
    }
}

macro_rules! icons {
    ($($(#[$doc:meta])* $name:ident = $d:literal $filled:literal,)*) => {
        $($(#[$doc])* pub fn $name() -> Html { path($d, $filled) })*
    };
}
icons! {
    /// To the first step.
    start = "M3.5 3v10M13 3.5v9L6 8z" true,
    /// To the last step.
    end = "M12.5 3v10M3 3.5v9L10 8z" true,
    /// One step back.
    back = "M11.5 3v10L4 8z" true,
    /// One step on.
    forward = "M4.5 3v10L12 8z" true,
    /// One beat back.
    beat_back = "M10 4L6 8l4 4" false,
    /// One beat on.
    beat_forward = "M6 4l4 4-4 4" false,
    /// Play.
    play = "M4 2.5v11l9.5-5.5z" true,
    /// Pause.
    pause = "M4 3h2.8v10H4zM9.2 3H12v10H9.2z" true,
    /// Undo.
    undo = "M6 4L3 7l3 3M3 7h6a4 4 0 0 1 0 8H7" false,
    /// Redo.
    redo = "M10 4l3 3-3 3M13 7H7a4 4 0 0 0 0 8h2" false,
    /// A closed padlock.
    lock = "M4 7.5h8v6H4zM5.8 7.2V5a2.2 2.2 0 0 1 4.4 0v2.2" false,
    /// A tick.
    tick = "M3 8.5l3.2 3.2L13 4.8" false,
    /// A cross.
    cross = "M4 4l8 8M12 4l-8 8" false,
    /// A sun.
    sun = "M8 5a3 3 0 1 0 0 6a3 3 0 1 0 0-6M8 1v1M8 14v1M1 8h1M14 8h1M3 3l1 1M12 12l1 1M3 13l1-1M12 4l1-1" false,
    /// A moon.
    moon = "M13 9.5A5.5 5.5 0 0 1 6.5 3a5.5 5.5 0 1 0 6.5 6.5z" false,
    /// A list.
    list = "M3 4h10M3 8h10M3 12h10" false,
    /// A chain.
    link = "M6.5 9.5l3-3M7 4.8l1.4-1.4a2.9 2.9 0 0 1 4.1 4.1L11 9M9 11.2l-1.4 1.4a2.9 2.9 0 0 1-4.1-4.1L5 7" false,
    /// A triangle that says "pressure".
    pressure = "M8 2.5L14.5 13.5h-13z" true,
}
