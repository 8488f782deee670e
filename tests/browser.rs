//! Components in a real browser: what a click sends, what is drawn after it.
#![cfg(target_arch = "wasm32")]

use skmem_lab::session::{Action, Session};
use skmem_lab::ui::console::Console;
use skmem_lab::ui::operations::Operations;
use skmem_lab::ui::queue_row::{Kind, QueueRow};
use skmem_lab::ui::store::{Motion, Store};
use skmem_lab::ui::transport::transport;
use skmem_lab::view_model::queues;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::{Element, HtmlElement};
use yew::prelude::*;
use yew::scheduler;

wasm_bindgen_test_configure!(run_in_browser);

const TEXT: &str = "socket s\nconnect s\nsend s 1000\nsend s 20000\nack s";

fn session() -> Session {
    Session::open_fragment("").after(Action::OpenText(TEXT.to_owned()))
}

/// The list, the transport, the console and the send queue over one store, as on the page.
#[component]
fn Bench() -> Html {
    let store = use_reducer(|| Store::open(session()));
    let on = {
        let dispatcher = store.dispatcher();
        use_callback((), move |action: Action, ()| dispatcher.dispatch(action))
    };
    let session = store.session.clone();
    let row = session.selected().and_then(|name| session.machine().find(name)).map(|(_, s)| queues::send(s, 700));
    html! {
        <div data-motion={store.motion.name()}>
            <Operations session={session.clone()} on={on.clone()}/>
            <Console session={session.clone()} on={on.clone()}/>
            { transport(&session, &on) }
            if let Some(row) = row {
                <QueueRow kind={Kind::Send} {row} stamp={store.stamp} motion={store.motion}/>
            }
        </div>
    }
}

async fn mount() -> Element {
    let document = web_sys::window().and_then(|w| w.document()).expect("a document");
    let root = document.create_element("div").expect("an element");
    document.body().expect("a body").append_child(&root).expect("it goes in");
    yew::Renderer::<Bench>::with_root(root.clone()).render();
    scheduler::flush().await;
    root
}

fn find(root: &Element, selector: &str) -> HtmlElement {
    let found = root.query_selector(selector).expect("a selector");
    found.unwrap_or_else(|| panic!("{selector}")).unchecked_into()
}

async fn click(root: &Element, selector: &str) {
    find(root, selector).click();
    scheduler::flush().await;
}

fn text(root: &Element, selector: &str) -> String {
    find(root, selector).text_content().unwrap_or_default()
}

#[wasm_bindgen_test]
async fn a_click_on_step_moves_the_cursor_and_the_list() {
    let root = mount().await;
    assert_eq!(text(&root, ".transport b"), "0");
    click(&root, "[aria-label='step forward']").await;
    assert_eq!(text(&root, ".transport b"), "1");
    assert_eq!(text(&root, "[aria-current] .label"), "socket s");
}

#[wasm_bindgen_test]
async fn a_click_in_the_list_seeks() {
    let root = mount().await;
    click(&root, ".ops li:nth-child(4) button").await;
    assert_eq!(text(&root, ".transport b"), "3");
}

#[wasm_bindgen_test]
async fn the_end_has_no_step_forward() {
    let root = mount().await;
    click(&root, "[aria-label='to the end']").await;
    assert!(find(&root, "[aria-label='step forward']").has_attribute("disabled"));
    assert!(!find(&root, "[aria-label='step back']").has_attribute("disabled"));
}

#[wasm_bindgen_test]
async fn a_button_of_the_console_runs_its_operation() {
    let root = mount().await;
    click(&root, "[aria-label='to the end']").await;
    click(&root, ".quick .btn").await;
    assert_eq!(text(&root, "[aria-current] .label"), "send 10000");
    assert!(text(&root, ".console .answer").contains("send s 10000"));
}

#[wasm_bindgen_test]
async fn a_new_skb_enters_and_a_jump_moves_nothing() {
    let root = mount().await;
    click(&root, ".ops li:nth-child(4) button").await;
    assert!(root.query_selector(".skb.enters").expect("a selector").is_none(), "a seek keeps still");
    click(&root, "[aria-label='step forward']").await;
    assert!(root.query_selector(".skb.enters").expect("a selector").is_some(), "a step lets the new skb in");
}

#[wasm_bindgen_test]
fn an_action_without_effect_draws_nothing() {
    let store = Rc::new(Store::open(session()));
    let same = store.clone().reduce(Action::StepBack);
    assert!(Rc::ptr_eq(&store, &same));
    assert_eq!(store.reduce(Action::Step).motion, Motion::Full);
}
