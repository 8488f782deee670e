//! What components show, rendered to text without a browser.
#![cfg(not(target_arch = "wasm32"))]

use futures::executor::block_on;
use skmem_lab::engine::op::{Protocol, SockName};
use skmem_lab::scenario::link;
use skmem_lab::session::{Action, Session};
use skmem_lab::ui::bad_link::bad_link_page;
use skmem_lab::ui::hotkeys::{HOTKEYS, Wish, wish};
use skmem_lab::ui::machine::gauge;
use skmem_lab::ui::queue_row::{self, Kind, QueueRow};
use skmem_lab::ui::tank::{self, TankZone};
use skmem_lab::ui::why::why;
use skmem_lab::view_model::moves::Moves;
use skmem_lab::view_model::queues;
use std::rc::Rc;
use yew::LocalServerRenderer;
use yew::prelude::*;

/// A session of these operations, at its end.
fn run(lines: &str) -> Session {
    let session = Session::open_fragment("").after(Action::OpenText(lines.to_owned()));
    assert!(session.notice().is_none(), "{:?}", session.notice());
    session.after(Action::End)
}

fn sock(session: &Session) -> Rc<skmem_lab::engine::sock::Sock> {
    let name = SockName::new("s").expect("a name");
    Rc::new(session.machine().find(name).expect("socket s exists").1.clone())
}

fn html<C>(props: C::Properties) -> String
where
    C: BaseComponent,
{
    block_on(LocalServerRenderer::<C>::with_props(props).hydratable(false).render())
}

#[derive(Properties, PartialEq)]
struct ShownProps {
    nodes: Html,
}

/// Shows nodes that are there already.
#[component]
fn Shown(props: &ShownProps) -> Html {
    props.nodes.clone()
}

fn nodes(nodes: Html) -> String {
    html::<Shown>(ShownProps { nodes })
}

fn row(session: &Session, kind: Kind) -> String {
    let sock = sock(session);
    let row = match kind {
        Kind::Send => queues::send(&sock, 700),
        Kind::Receive => queues::receive(&sock, 700),
    };
    html::<QueueRow>(yew::props!(queue_row::Props { kind, row }))
}

/// The value of every attribute `name` in document order.
fn attributes(html: &str, name: &str) -> Vec<String> {
    let needle = format!(" {name}=\"");
    html.split(&needle).skip(1).filter_map(|rest| rest.split('"').next()).map(str::to_owned).collect()
}

fn unescaped(html: &str) -> String {
    let pairs = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#x27;", "'"), ("&#39;", "'"), ("&amp;", "&")];
    pairs.iter().fold(html.to_owned(), |text, (from, to)| text.replace(from, to))
}

const SENT: &str = "socket s\nconnect s\nsend s 1000\nsend s 10000\nsend s 20000";

#[test]
fn a_queue_shows_every_skb_with_its_truesize() {
    let session = run(SENT);
    let shown: i64 =
        attributes(&row(&session, Kind::Send), "data-truesize").iter().map(|t| t.parse::<i64>().unwrap()).sum();
    assert_eq!(shown, sock(&session).wmem_queued().get());
}

#[test]
fn a_number_carries_its_field_its_socket_and_its_value() {
    let html = row(&run(SENT), Kind::Send);
    assert!(html.contains(r#"data-field="wmem_queued" data-sock="s" data-value=""#), "{html}");
    assert!(html.contains(r#"data-field="sndbuf" data-sock="s" data-value="46080""#), "{html}");
}

#[test]
fn a_fixed_buffer_has_a_padlock_and_says_so() {
    let open = row(&run("socket s\nconnect s"), Kind::Receive);
    assert!(!open.contains("locked"));
    let fixed = row(&run("socket s\nsetsockopt s SO_RCVBUF 65536\nconnect s"), Kind::Receive);
    assert!(fixed.contains("class=\"lock\"") && fixed.contains(", locked"), "{fixed}");
}

#[test]
fn sent_and_unsent_differ_in_more_than_colour() {
    let html = row(&run(SENT), Kind::Send);
    assert!(html.contains("in flight") && html.contains("not sent yet"), "{html}");
    assert!(html.contains("brace dashed"));
}

#[test]
fn the_floor_has_the_height_of_the_unused_reserve() {
    let session = run("socket s\nconnect s\nsetsockopt s SO_RESERVE_MEM 102400\nsend s 10000");
    let sock = sock(&session);
    let page = session.machine().setup().page_size;
    let html = html::<TankZone>(yew::props!(tank::Props { sock: sock.clone(), page, moves: Moves::default() }));
    let floor = html.split('<').find(|tag| tag.contains("tank-floor\"")).expect("a floor");
    let height = attributes(floor, "height");
    let expected = skmem_lab::view_model::tank::tank(&sock, page, 0, 198).floor;
    assert_eq!(height, [expected.to_string()]);
    assert!(html.contains(r#"data-field="unused_reserved""#));
}

#[test]
fn the_gauge_says_its_limits_and_its_lag() {
    let session = run(SENT);
    let html = nodes(gauge(session.machine(), Protocol::Tcp, 310));
    for text in ["mark-min", "mark-pressure", "mark-max", "counted + ", "in this CPU's cache", "no pressure"] {
        assert!(html.contains(text), "{text} in {html}");
    }
}

#[test]
fn why_names_the_function_and_links_its_numbers() {
    let session = run(SENT);
    let html = nodes(why(&session, &Callback::noop()));
    let headline = session.headline().expect("a send has a headline");
    assert!(html.contains(headline.rule.name()), "{html}");
    assert!(html.contains("data-about=\"fwd_alloc\""), "{html}");
}

#[test]
fn a_bad_link_keeps_its_text_and_offers_a_way_on() {
    let broken = "v=1&lesson=no-such-lesson";
    let session = Session::open_fragment(broken);
    let bad = session.bad_link().expect("it does not open").clone();
    let html = nodes(bad_link_page(&bad, &Callback::noop()));
    let why = link::decode(broken).expect_err("it does not open").to_string();
    let html = unescaped(&html);
    for text in ["This link does not open", broken, "Open the first lesson", &why] {
        assert!(html.contains(text), "{text} in {html}");
    }
}

#[test]
fn every_key_does_one_thing() {
    for hotkey in HOTKEYS {
        for key in hotkey.keys {
            let shift = hotkey.shift.unwrap_or(false);
            let found =
                HOTKEYS.iter().filter(|h| h.keys.contains(key) && h.shift.is_none_or(|s| s == shift)).count();
            assert_eq!(found, 1, "{key}");
        }
    }
    assert_eq!(wish(" ", false), Some(Wish::Play));
    assert_eq!(wish("ArrowRight", true), Some(Wish::Do(Action::NextMarker(None))));
    assert_eq!(wish("3", false), Some(Wish::Lesson(3)));
    assert_eq!(wish("x", false), None);
}
