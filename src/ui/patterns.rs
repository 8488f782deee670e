//! The fill patterns of the roles, defined once for the whole page.

use yew::prelude::*;

/// An svg that shows nothing and holds the patterns.
pub fn patterns() -> Html {
    html! {
        <svg width="0" height="0" class="sr" aria-hidden="true"><defs>
            { hatch("p-overhead", "var(--payload)") }
            { hatch("p-overhead-soft", "var(--payload-soft)") }
            <pattern id="p-floor" width="8" height="8" patternUnits="userSpaceOnUse">
                <path d="M0 8L8 0M0 0L8 8" stroke="var(--floor)" stroke-width="1.1" opacity=".7"/>
            </pattern>
            <pattern id="p-memcg" width="7" height="7" patternUnits="userSpaceOnUse">
                <rect width="7" height="7" fill="var(--memcg-soft)"/>
                <circle cx="3.5" cy="3.5" r="1.5" fill="var(--memcg)"/>
            </pattern>
            <pattern id="p-sticky" width="6" height="6" patternUnits="userSpaceOnUse">
                <rect width="6" height="6" fill="var(--pressure-bg)"/>
                <path d="M0 3h6" stroke="var(--pressure)" stroke-width="1.2"/>
            </pattern>
            <pattern id="p-cached" width="5" height="5" patternUnits="userSpaceOnUse">
                <rect width="5" height="5" fill="var(--card)"/>
                <circle cx="2.5" cy="2.5" r="1" fill="var(--forward-line)"/>
            </pattern>
        </defs></svg>
    }
}

fn hatch(id: &'static str, ink: &'static str) -> Html {
    html! {
        <pattern {id} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <rect width="6" height="6" fill="var(--card)"/><rect width="2.6" height="6" fill={ink}/>
        </pattern>
    }
}

/// A small sample of a role's look, for legends.
pub fn key(class: &'static str) -> Html {
    html! {
        <svg class="key" width="16" height="12" aria-hidden="true">
            <rect x=".5" y=".5" width="15" height="11" {class} stroke="var(--line-2)"/>
        </svg>
    }
}
