//! Lesson prose as nodes: no raw HTML is ever set.

use crate::view_model::prose::{Block, Inline, read};
use yew::prelude::*;

/// Markdown to nodes.
pub fn markdown(text: &str) -> Html {
    html! { <>{ for read(text).iter().map(block) }</> }
}

fn block(block: &Block) -> Html {
    match block {
        // The page has its own first and second level.
        Block::Heading(words) => html! { <h3>{ inlines(words) }</h3> },
        Block::Paragraph(words) => html! { <p>{ inlines(words) }</p> },
        Block::Code(code) => html! { <pre>{ code }</pre> },
        Block::List { ordered, items } => {
            let items = items.iter().map(|words| html! { <li>{ inlines(words) }</li> });
            if *ordered {
                html! { <ol>{ for items }</ol> }
            } else {
                html! { <ul>{ for items }</ul> }
            }
        }
    }
}

fn inlines(pieces: &[Inline]) -> Html {
    html! { <>{ for pieces.iter().map(inline) }</> }
}

fn inline(piece: &Inline) -> Html {
    match piece {
        Inline::Text(words) => html! { { words } },
        Inline::Code(code) => html! { <code>{ code }</code> },
        Inline::Strong(words) => html! { <strong>{ inlines(words) }</strong> },
        Inline::Emphasis(words) => html! { <em>{ inlines(words) }</em> },
        Inline::Link { href, text } if ["https://", "http://", "#"].iter().any(|s| href.starts_with(s)) => {
            html! { <a href={href.clone()} rel="noopener noreferrer">{ inlines(text) }</a> }
        }
        Inline::Link { text, .. } => inlines(text),
    }
}
