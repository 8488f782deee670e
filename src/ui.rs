//! The page: Yew components, hotkeys, and the browser effects that follow the session. Owns no rule.

pub mod app;
pub mod bad_link;
pub mod chart;
pub mod console;
pub mod dialogs;
pub mod effects;
pub mod fields_table;
pub mod figure;
pub mod header;
pub mod hooks;
pub mod hotkeys;
pub mod icons;
pub mod legend;
pub mod lesson;
pub mod link_numbers;
pub mod live;
pub mod machine;
pub mod markdown;
pub mod operations;
pub mod patterns;
pub mod queue_row;
pub mod sentence;
pub mod sockopts;
pub mod stage;
pub mod store;
pub mod tank;
pub mod theme;
pub mod timeline;
pub mod transport;
pub mod why;

/// Mounts the page into the document's body.
pub fn run() {
    effects::watch_for_panics();
    if let Some(root) = effects::root() {
        effects::clear(&root);
        yew::Renderer::<app::App>::with_root(root).render();
    }
}
