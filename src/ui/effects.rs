//! What the browser is told: projections of the session, and the few things that are done at once.

use crate::session::Action;
use gloo::events::EventListener;
use gloo::timers::callback::{Interval, Timeout};
use wasm_bindgen::JsValue;
use web_sys::{Document, Element};
use yew::prelude::*;

/// The address bar is written at most this often, milliseconds.
const ADDRESS_MS: u32 = 250;

fn document() -> Option<Document> {
    web_sys::window()?.document()
}

/// Where the page is mounted.
pub fn root() -> Option<Element> {
    document()?.get_element_by_id("app")
}

/// Takes the skeleton away.
pub fn clear(root: &Element) {
    root.set_text_content(None);
}

/// A panic is our own bug: the page says so and keeps the link.
pub fn watch_for_panics() {
    std::panic::set_hook(Box::new(|info| {
        console_error_panic_hook::hook(info);
        let Some(document) = document() else { return };
        if let Some(crash) = document.get_element_by_id("crash") {
            // Plain attributes and text: nothing here can fail.
            let _ = crash.remove_attribute("hidden");
        }
        let address = web_sys::window().and_then(|w| w.location().href().ok()).unwrap_or_default();
        if let Some(link) = document.get_element_by_id("crash-link") {
            link.set_text_content(Some(&address));
        }
    }));
}

/// The fragment of the address, `#` included, or nothing.
pub fn fragment() -> String {
    web_sys::window().and_then(|w| w.location().hash().ok()).unwrap_or_default()
}

/// The whole address with another fragment.
pub fn address_of(link: &str) -> String {
    let href = web_sys::window().and_then(|w| w.location().href().ok()).unwrap_or_default();
    let page = href.split('#').next().unwrap_or_default();
    format!("{page}#{}", link.trim_start_matches('#'))
}

/// Keeps the address at `link`. A new `place` (another lesson, another scenario) is a new entry of the history.
#[hook]
pub fn use_address(link: Option<String>, place: String) {
    let waiting = use_mut_ref(|| None::<Timeout>);
    let last_place = use_mut_ref(|| None::<String>);
    let latest = use_mut_ref(|| None::<String>);
    {
        // What waits when the page goes away is written at once.
        let latest = latest.clone();
        use_effect_with((), move |()| {
            let listener = web_sys::window().map(|window| {
                EventListener::new(&window, "pagehide", move |_| {
                    if let Some(address) = latest.borrow().as_ref() {
                        write_address(address, false);
                    }
                })
            });
            move || drop(listener)
        });
    }
    use_effect_with((link, place), move |(link, place)| {
        latest.borrow_mut().take();
        let Some(link) = link.clone() else { return };
        let address = address_of(&link);
        *latest.borrow_mut() = Some(address.clone());
        let moved = last_place.borrow().as_ref().is_some_and(|last| last != place);
        *last_place.borrow_mut() = Some(place.clone());
        // What waited belongs to the place that is left: it is written first.
        let late = waiting.borrow_mut().take();
        if moved && !fragment().trim_start_matches('#').eq(link.trim_start_matches('#')) {
            drop(late);
            write_address(&address, true);
        } else {
            *waiting.borrow_mut() = Some(Timeout::new(ADDRESS_MS, move || write_address(&address, false)));
        }
    });
}

fn write_address(address: &str, push: bool) {
    let Some(history) = web_sys::window().and_then(|w| w.history().ok()) else { return };
    // Browsers limit how often and sandboxed frames whether: the page works without.
    let _ = if push {
        history.push_state_with_url(&JsValue::NULL, "", Some(address))
    } else {
        history.replace_state_with_url(&JsValue::NULL, "", Some(address))
    };
}

/// Opens what somebody puts into the address bar, or goes back to.
#[hook]
pub fn use_hashchange(on: Callback<Action>) {
    use_effect_with(on, |on| {
        let on = on.clone();
        let listener = web_sys::window().map(|window| {
            EventListener::new(&window, "hashchange", move |_| on.emit(Action::OpenLink(fragment())))
        });
        move || drop(listener)
    });
}

/// Keeps the document's title.
#[hook]
pub fn use_title(title: String) {
    use_effect_with(title, |title| {
        if let Some(document) = document() {
            document.set_title(title);
        }
    });
}

/// Says that the first state is on screen.
#[hook]
pub fn use_ready() {
    use_effect_with((), |()| {
        if let Some(root) = document().and_then(|d| d.document_element()) {
            // A plain attribute: this cannot fail.
            let _ = root.set_attribute("data-ready", "true");
        }
    });
}

/// While something plays: a tick every so many milliseconds.
#[hook]
pub fn use_ticks(tick_ms: Option<u32>, on: Callback<Action>) {
    let stood = use_mut_ref(|| true);
    use_effect_with((tick_ms, on), move |(tick_ms, on)| {
        // The first step of play is the answer to the key: it comes at once.
        if stood.replace(tick_ms.is_none()) && tick_ms.is_some() {
            on.emit(Action::Tick);
        }
        let on = on.clone();
        let clock = tick_ms.map(|ms| Interval::new(ms, move || on.emit(Action::Tick)));
        move || drop(clock)
    });
}

/// While a long scenario is being computed: some more of it whenever the page is idle.
#[hook]
pub fn use_work(working: Option<(u32, u32)>, on: Callback<Action>) {
    use_effect_with(working, move |working| {
        let more = working.map(|_| Timeout::new(0, move || on.emit(Action::Work)));
        move || drop(more)
    });
}

/// Copies a text, and says through `done` whether it was taken.
pub fn copy(text: &str, done: Callback<bool>) {
    let Some(clipboard) = web_sys::window().map(|w| w.navigator().clipboard()) else {
        return done.emit(false);
    };
    if clipboard.is_undefined() {
        return done.emit(false);
    }
    let promise = clipboard.write_text(text);
    let refused = done.clone();
    let taken = wasm_bindgen::closure::Closure::once_into_js(move |_: JsValue| done.emit(true));
    let failed = wasm_bindgen::closure::Closure::once_into_js(move |_: JsValue| refused.emit(false));
    if let (Ok(taken), Ok(failed)) = (taken.dyn_into(), failed.dyn_into()) {
        let _ = then(&promise, &taken, &failed);
    }
}

use wasm_bindgen::JsCast;

/// `promise.then(taken, failed)` with functions made by us.
fn then(
    promise: &js_sys::Promise,
    taken: &js_sys::Function,
    failed: &js_sys::Function,
) -> Result<JsValue, JsValue> {
    let method: js_sys::Function = js_sys::Reflect::get(promise, &JsValue::from_str("then"))?.dyn_into()?;
    method.call2(promise, taken, failed)
}

/// Puts the focus on an element by id.
pub fn focus(id: &str) {
    let element = document().and_then(|d| d.get_element_by_id(id));
    if let Some(element) = element.and_then(|e| e.dyn_into::<web_sys::HtmlElement>().ok()) {
        // An element that cannot take it leaves the focus where it is.
        let _ = element.focus();
    }
}

/// Takes the focus away from where it is.
pub fn blur() {
    let active = document().and_then(|d| d.active_element());
    if let Some(element) = active.and_then(|e| e.dyn_into::<web_sys::HtmlElement>().ok()) {
        let _ = element.blur();
    }
}

/// Whether keys belong to what has the focus: somebody types, or a control answers to this key.
pub fn typing(event: &KeyboardEvent) -> bool {
    let Some(target) = event.target().and_then(|t| t.dyn_into::<Element>().ok()) else { return false };
    // What lies behind an open dialog takes no keys.
    if document().is_some_and(|d| d.query_selector("dialog[open]").ok().flatten().is_some()) {
        return true;
    }
    let key = event.key();
    match target.tag_name().to_ascii_lowercase().as_str() {
        "input" | "textarea" | "select" => true,
        "button" | "summary" | "a" => key == " " || key == "Enter",
        _ => target.closest("dialog").ok().flatten().is_some(),
    }
}
