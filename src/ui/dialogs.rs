//! Dialogs: the lessons, the keys, and the field for a link or a scenario of one's own.

use super::hotkeys::HOTKEYS;
use super::icons;
use super::lesson::lesson_list;
use crate::engine::profiles;
use crate::explain;
use crate::scenario::{json, link, text};
use crate::session::{Action, Session};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, HtmlTextAreaElement};
use yew::prelude::*;

/// Which dialog is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Open {
    /// The list of lessons.
    Lessons,
    /// The list of keys.
    Keys,
    /// The field for a link, a scenario or a recording.
    Text,
}

/// Which dialog, over what.
#[derive(Properties, PartialEq)]
pub struct Props {
    /// Which one.
    pub open: Open,
    /// The session.
    pub session: Session,
    /// Where actions go.
    pub on: Callback<Action>,
    /// Closes it.
    pub on_close: Callback<()>,
}

/// A modal dialog.
#[component]
pub fn Dialog(props: &Props) -> Html {
    let node = use_node_ref();
    use_effect_with(node.clone(), |node| {
        if let Some(dialog) = node.cast::<Element>() {
            show_modal(&dialog);
        }
    });
    let title = match props.open {
        Open::Lessons => "Lessons",
        Open::Keys => "Keys",
        Open::Text => "Open a link, a scenario or a recording",
    };
    html! {
        <dialog ref={node} aria-labelledby="dialog-title" onclose={props.on_close.reform(|_| ())}>
            <button type="button" class="btn icon quiet close" aria-label="close"
                onclick={props.on_close.reform(|_| ())}>
                { icons::cross() }</button>
            <h2 id="dialog-title">{ title }</h2>
            { match props.open {
                Open::Lessons => lessons(props),
                Open::Keys => keys(),
                Open::Text => html! { <OpenText on={props.on.clone()} on_close={props.on_close.clone()}/> },
            } }
        </dialog>
    }
}

/// `HTMLDialogElement.showModal`, which puts the focus inside and keeps it there.
fn show_modal(dialog: &Element) {
    let method = js_sys::Reflect::get(dialog, &JsValue::from_str("showModal")).ok();
    if let Some(method) = method.and_then(|m| m.dyn_into::<js_sys::Function>().ok()) {
        // It fails when the dialog is open already: then there is nothing to do.
        let _ = method.call0(dialog);
    }
}

fn lessons(props: &Props) -> Html {
    let (on, close) = (props.on.clone(), props.on_close.clone());
    let on_choose = Callback::from(move |slug: String| {
        close.emit(());
        on.emit(Action::OpenLesson(slug));
    });
    lesson_list(props.session.lesson().map(|l| l.slug.as_str()), &on_choose)
}

fn keys() -> Html {
    html! {
        <dl class="keys">
            { for HOTKEYS.iter().map(|hotkey| html! { <>
                <dt><kbd>{ hotkey.shown }</kbd></dt><dd>{ hotkey.help }</dd>
            </> }) }
        </dl>
    }
}

#[derive(Properties, PartialEq)]
struct TextProps {
    on: Callback<Action>,
    on_close: Callback<()>,
}

#[component]
fn OpenText(props: &TextProps) -> Html {
    let field = use_node_ref();
    let fault = use_state_eq(|| None::<String>);
    let onsubmit = {
        let (field, on, close, fault) = (field.clone(), props.on.clone(), props.on_close.clone(), fault.setter());
        Callback::from(move |e: SubmitEvent| {
            e.prevent_default();
            let Some(text) = field.cast::<HtmlTextAreaElement>().map(|f| f.value()) else { return };
            match action(&text) {
                Ok(action) => {
                    close.emit(());
                    on.emit(action);
                }
                Err(words) => fault.set(Some(words)),
            }
        })
    };
    html! {
        <form class="open-text" {onsubmit}>
            <label for="open-text">{ "A link, a scenario in the text form, or a recording (JSON)." }</label>
            <textarea id="open-text" ref={field} spellcheck="false" required=true
                placeholder={"kernel 6.12\nsocket s\nconnect s\nsend s 10000\nack s"}/>
            if let Some(fault) = &*fault { <p class="fault" role="alert">{ fault }</p> }
            <div class="actions"><button type="submit" class="btn primary">{ "Open" }</button></div>
        </form>
    }
}

/// What opens this text, or what is wrong with it.
fn action(pasted: &str) -> Result<Action, String> {
    let trimmed = pasted.trim();
    if trimmed.starts_with('{') {
        let scenario = json::from_json(trimmed).map_err(|error| error.to_string())?;
        return Ok(Action::OpenText(text::print(&scenario)));
    }
    let one_line = !trimmed.contains('\n');
    if one_line && ["#", "http", "v="].iter().any(|start| trimmed.starts_with(start)) {
        // A broken link is told here, where what is open stays.
        link::decode(trimmed).map_err(|error| error.to_string())?;
        return Ok(Action::OpenLink(trimmed.to_owned()));
    }
    let scenario = text::parse(pasted).map_err(|error| explain::text_error(&error))?;
    profiles::by_id(&scenario.profile).map_err(|error| error.to_string())?;
    Ok(Action::OpenText(pasted.to_owned()))
}
