//! The page as a whole.

use super::bad_link::bad_link_page;
use super::console::Console;
use super::dialogs::{Dialog, Open};
use super::effects;
use super::header::{self, header};
use super::hotkeys::{Wish, wish};
use super::lesson::lesson_card;
use super::link_numbers::use_linked_numbers;
use super::live::Live;
use super::machine::MachineCard;
use super::operations::Operations;
use super::patterns::patterns;
use super::stage::Stage;
use super::store::Store;
use super::theme::use_theme;
use super::timeline::Timeline;
use super::transport::transport;
use super::why::why;
use crate::engine::memcg::MemcgId;
use crate::engine::op::SockName;
use crate::scenario::lessons::LESSONS;
use crate::session::{Action, Play, Session};
use crate::timeline::{MarkKind, Probe};
use crate::view_model::chart::{Line, Series};
use crate::view_model::fields::{Changed, Fields};
use crate::view_model::stage::play_key;
use gloo::events::EventListener;
use gloo::timers::callback::Timeout;
use std::collections::BTreeMap;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use yew::prelude::*;

/// "Link copied" stays this long, milliseconds.
const SHARED_MS: u32 = 2000;

/// What a phone shows below the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tab {
    Socket,
    Timeline,
    Operations,
    Console,
}

impl Tab {
    const ALL: [Self; 4] = [Self::Socket, Self::Timeline, Self::Operations, Self::Console];

    const fn name(self) -> &'static str {
        match self {
            Self::Socket => "Socket",
            Self::Timeline => "Timeline",
            Self::Operations => "Operations",
            Self::Console => "Console",
        }
    }
}

/// The page.
#[component]
pub fn App() -> Html {
    let store = use_reducer(|| Store::open(Session::open_fragment(&effects::fragment())));
    let on = {
        let dispatcher = store.dispatcher();
        use_callback((), move |action: Action, ()| dispatcher.dispatch(action))
    };
    let open = use_state_eq(|| None::<Open>);
    let tab = use_state_eq(|| Tab::Socket);
    let (theme, on_theme) = use_theme();
    let (shared, on_share) = use_share(&store.session);
    let session = &store.session;
    let bad = session.bad_link().cloned();

    effects::use_address(bad.is_none().then(|| session.link()), place(session));
    effects::use_title(session.title());
    effects::use_hashchange(on.clone());
    effects::use_ticks(session.tick_ms(), on.clone());
    effects::use_work(session.working(), on.clone());
    effects::use_ready();
    use_linked_numbers();
    use_hotkeys(session, &on, &on_share, &open);
    let run = use_run(session);
    let shown = use_memo((session.clone(), ()), |(session, ())| {
        let fields = Rc::new(Fields::read(session.machine(), session.selected()));
        let changed = session.before().map(|m| Changed::between(&Fields::read(m, session.selected()), &fields));
        (fields, Rc::new(changed.unwrap_or_default()))
    });
    let (fields, changed) = (shown.0.clone(), shown.1.clone());

    if let Some(bad) = bad {
        return html! { <>{ patterns() }{ bad_link_page(&bad, &on) }</> };
    }
    let opener = |what: Open| {
        let open = open.setter();
        Callback::from(move |()| open.set(Some(what)))
    };
    let on_close = {
        let open = open.setter();
        Callback::from(move |()| open.set(None))
    };
    let session = session.clone();
    html! {
        <ContextProvider<Rc<Changed>> context={changed}>
        <div class="page" data-motion={store.motion.name()} data-tab={tab.name()}>
            { patterns() }
            { header(&header::Props {
                session: &session,
                on: &on,
                theme,
                on_theme,
                on_share,
                shared,
                on_help: opener(Open::Keys),
                on_open: opener(Open::Text),
            }) }
            <main>
                <div class={classes!("left", session.lesson().is_none().then_some("own"))}>
                    { lesson_card(&session, &opener(Open::Lessons)) }
                    <Operations session={session.clone()} on={on.clone()}/>
                    <Console session={session.clone()} on={on.clone()}/>
                </div>
                <Stage store={(*store).clone()} {fields} most={run.most} on={on.clone()}/>
                <div class="right">
                    <MachineCard machine={session.machine().clone()} since={since(&session)}
                        most_memcg={run.most_memcg}/>
                    { why(&session, &on) }
                </div>
                <Timeline session={session.clone()} series={run.series.clone()} theme={theme.name()} on={on.clone()}/>
            </main>
            { tabs(*tab, &tab.setter()) }
            { transport(&session, &on) }
            { notice(&session, &on) }
            <Live sentence={session.live_sentence()} scrubbing={store.scrubbing}/>
            if let Some(open) = *open {
                <Dialog {open} session={session.clone()} on={on.clone()} {on_close}/>
            }
        </div>
        </ContextProvider<Rc<Changed>>>
    }
}

/// Another place is another entry of the browser's history.
fn place(session: &Session) -> String {
    match session.lesson() {
        Some(lesson) => format!("lesson {}", lesson.slug),
        None => format!("scenario {} {}", session.head().name, session.head().title),
    }
}

/// The step after which pressure has been on.
fn since(session: &Session) -> Option<u32> {
    let now = session.step_no() + u32::from(session.beat().is_some());
    session.timeline().prev_marker(now + 1, Some(MarkKind::PressureOn)).map(|m| m.at)
}

/// The run in numbers.
struct Run {
    series: Rc<Vec<Series>>,
    most: i64,
    most_memcg: i64,
}

/// What was computed of one run, socket by socket.
#[derive(Default)]
struct Runs {
    of: Option<Session>,
    by_sock: BTreeMap<Option<SockName>, Rc<Run>>,
}

/// The lines of the run, computed again when the run changes and once for each socket that is looked at.
#[hook]
fn use_run(session: &Session) -> Rc<Run> {
    let runs = use_mut_ref(Runs::default);
    let mut runs = runs.borrow_mut();
    if !runs.of.as_ref().is_some_and(|of| of.same_run(session)) {
        *runs = Runs { of: Some(session.clone()), by_sock: BTreeMap::new() };
    }
    let sock = session.selected();
    runs.by_sock.entry(sock).or_insert_with(|| Rc::new(run(session, sock))).clone()
}

fn run(session: &Session, sock: Option<SockName>) -> Run {
    let timeline = session.timeline();
    let (lines, mut probes): (Vec<Line>, Vec<Probe>) =
        Line::ALL.into_iter().filter_map(|line| Some((line, line.probe(sock)?))).unzip();
    // The task's own group is the first.
    probes.push(Probe::Memcg(MemcgId(0)));
    let mut values = timeline.series(&probes, 0..timeline.end() + 1);
    let page = session.machine().setup().page_size.bytes().get();
    let most_memcg = values.pop().and_then(|v| v.into_iter().max()).unwrap_or(0) * page;
    let series: Vec<Series> =
        lines.into_iter().zip(values).map(|(line, values)| Series { line, values }).collect();
    let most = series.iter().find(|s| s.line == Line::FwdAlloc).and_then(|s| s.values.iter().copied().max());
    Run { series: Rc::new(series), most: most.unwrap_or(0), most_memcg }
}

/// Whether the link was just copied, and what copies it.
#[hook]
fn use_share(session: &Session) -> (bool, Callback<()>) {
    let shared = use_state_eq(|| false);
    let timer = use_mut_ref(|| None::<Timeout>);
    let setter = shared.setter();
    let copy = use_callback(session.link(), move |(), link| {
        let (setter, timer) = (setter.clone(), timer.clone());
        let done = Callback::from(move |taken: bool| {
            setter.set(taken);
            let setter = setter.clone();
            *timer.borrow_mut() = Some(Timeout::new(SHARED_MS, move || setter.set(false)));
        });
        effects::copy(&effects::address_of(link), done);
    });
    (*shared, copy)
}

#[hook]
fn use_hotkeys(
    session: &Session,
    on: &Callback<Action>,
    on_share: &Callback<()>,
    open: &UseStateHandle<Option<Open>>,
) {
    let key = (session.clone(), on.clone(), on_share.clone(), open.setter());
    use_effect_with(key, |(session, on, on_share, open)| {
        let (session, on, on_share, open) = (session.clone(), on.clone(), on_share.clone(), open.clone());
        let listener = web_sys::window().map(|window| {
            let options = gloo::events::EventListenerOptions::enable_prevent_default();
            EventListener::new_with_options(&window, "keydown", options, move |event| {
                let Some(event) = event.dyn_ref::<KeyboardEvent>() else { return };
                if event.ctrl_key() || event.alt_key() || event.meta_key() {
                    return;
                }
                if effects::typing(event) {
                    if event.key() == "Escape" {
                        effects::blur();
                    }
                    return;
                }
                let Some(wish) = wish(&event.key(), event.shift_key()) else { return };
                event.prevent_default();
                fulfil(wish, &session, &on, &on_share, &open);
            })
        });
        move || drop(listener)
    });
}

fn fulfil(
    wish: Wish,
    session: &Session,
    on: &Callback<Action>,
    on_share: &Callback<()>,
    open: &UseStateSetter<Option<Open>>,
) {
    match wish {
        Wish::Do(action) => on.emit(action),
        Wish::Lesson(n) => {
            if let Some(lesson) = LESSONS.get(n as usize - 1) {
                on.emit(Action::OpenLesson(lesson.slug.to_owned()));
            }
        }
        Wish::Share => on_share.emit(()),
        Wish::Why => effects::focus("why"),
        Wish::Console => effects::focus("console-line"),
        Wish::Help => open.set(Some(Open::Keys)),
        Wish::Leave => {
            open.set(None);
            effects::blur();
            if session.play() != Play::Paused {
                on.emit(Action::Pause);
            }
        }
        Wish::BackPlay => on.emit(Action::PlayBackward),
        Wish::Play => on.emit(play_key(session)),
    }
}

fn tabs(current: Tab, set: &UseStateSetter<Tab>) -> Html {
    html! {
        <nav class="phone-tabs" aria-label="views">
            { for Tab::ALL.into_iter().map(|tab| {
                let set = set.clone();
                let here = (tab == current).then_some("true");
                html! { <button type="button" key={tab.name()} aria-current={here}
                    onclick={Callback::from(move |_| set.set(tab))}>{ tab.name() }</button> }
            }) }
        </nav>
    }
}

fn notice(session: &Session, on: &Callback<Action>) -> Html {
    let Some(notice) = session.notice() else { return html! {} };
    let way_on = notice.way_on.clone();
    html! {
        <div class="notice" role="alert">
            <span>{ notice.text.clone() }</span>
            { way_on.map(|way| html! {
                <button type="button" class="btn" onclick={on.reform(move |_| way.action.clone())}>
                    { way.label.clone() }</button>
            }) }
            <button type="button" class="btn icon" aria-label="dismiss" onclick={on.reform(|_| Action::DismissNotice)}>
                { super::icons::cross() }</button>
        </div>
    }
}
