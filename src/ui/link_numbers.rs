//! Hover or focus on a number lights everything that is about the same thing.

use gloo::events::EventListener;
use wasm_bindgen::JsCast;
use web_sys::{Document, Element};
use yew::prelude::*;

const LINKED: &str = "data-linked";

/// Listens on the whole page. Yew never sees the attribute: it belongs to this file.
#[hook]
pub fn use_linked_numbers() {
    use_effect_with((), |()| {
        let document = web_sys::window().and_then(|w| w.document());
        let listeners = document.map(|document| {
            ["pointerover", "focusin", "pointerleave", "focusout"].map(|kind| {
                let page = document.clone();
                EventListener::new(&document, kind, move |e| {
                    let leaves = matches!(e.type_().as_str(), "pointerleave" | "focusout");
                    let target = e.target().and_then(|t| t.dyn_into::<Element>().ok()).filter(|_| !leaves);
                    light(&page, target.and_then(|t| t.closest("[data-about]").ok()?).as_ref());
                })
            })
        });
        move || drop(listeners)
    });
}

fn each(document: &Document, selector: &str, mut then: impl FnMut(&Element)) {
    let Ok(list) = document.query_selector_all(selector) else { return };
    for i in 0..list.length() {
        if let Some(element) = list.item(i).and_then(|n| n.dyn_into::<Element>().ok()) {
            then(&element);
        }
    }
}

fn light(document: &Document, about: Option<&Element>) {
    // Setting or removing a plain attribute cannot fail.
    each(document, "[data-linked]", |e| drop(e.remove_attribute(LINKED)));
    let Some(name) = about.and_then(|a| a.get_attribute("data-about")) else { return };
    // Names of fields are letters, digits, dots and underscores.
    if name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_')) {
        each(document, &format!("[data-about=\"{name}\"]"), |e| drop(e.set_attribute(LINKED, "")));
    }
}
