//! The console: any operation as one line, and the usual ones as buttons.

use super::sockopts::sockopts;
use crate::engine::op::SockName;
use crate::explain;
use crate::scenario::syntax::operation;
use crate::scenario::text::{Completion, completions};
use crate::session::{Action, ConsoleEntry, Outcome, Session};
use crate::view_model::quick::quick;
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// Completions listed.
const LISTED: usize = 12;

/// The session and whom to tell.
#[derive(Properties, PartialEq)]
pub struct Props {
    /// The session.
    pub session: Session,
    /// Where actions go.
    pub on: Callback<Action>,
}

/// The console.
#[component]
pub fn Console(props: &Props) -> Html {
    let Props { session, on } = props;
    let line = use_state_eq(String::new);
    let chosen = use_state_eq(|| None::<usize>);
    let options_open = use_state_eq(|| false);
    let socks: Vec<SockName> = session.machine().socks().filter(|(_, s)| !s.orphan).map(|(_, s)| s.name).collect();
    let list: Vec<Completion> = if line.trim().is_empty() { Vec::new() } else { completions(&line, &socks) };
    let oninput = {
        let (line, chosen) = (line.setter(), chosen.setter());
        Callback::from(move |e: InputEvent| {
            chosen.set(None);
            line.set(e.target_unchecked_into::<HtmlInputElement>().value());
        })
    };
    let take = {
        let (line, chosen) = (line.clone(), chosen.setter());
        Callback::from(move |word: String| {
            chosen.set(None);
            line.set(with_word(&line, &word));
        })
    };
    let onsubmit = {
        let (line, on) = (line.clone(), on.clone());
        Callback::from(move |e: SubmitEvent| {
            e.prevent_default();
            if !line.trim().is_empty() {
                on.emit(Action::ConsoleLine((*line).clone()));
                line.set(String::new());
            }
        })
    };
    let onkeydown = keys(&list, &chosen, &take, &line);
    let toggle = {
        let options_open = options_open.clone();
        Callback::from(move |_: MouseEvent| options_open.set(!*options_open))
    };
    // A line with a fault stays to be mended.
    let count = session.console().len();
    {
        let (line, faulty) =
            (line.setter(), session.console().last().filter(|e| e.is_fault()).map(|e| e.line.clone()));
        use_effect_with(count, move |_| {
            if let Some(text) = faulty {
                line.set(text);
            }
        });
    }
    let said = session.console().last().filter(|e| line.is_empty() || (e.is_fault() && *line == e.line));
    let expanded = !list.is_empty();
    html! {
        <section class="card console" aria-label="console">
            <form {onsubmit} role="search" aria-label="run an operation">
                <label class="prompt" for="console-line" aria-hidden="true">{ "›" }</label>
                <input id="console-line" class="field line" type="text" value={(*line).clone()} {oninput} {onkeydown}
                    autocomplete="off" autocapitalize="off" spellcheck="false" placeholder="any operation ( / )"
                    aria-label="operation" role="combobox" aria-expanded={expanded.to_string()}
                    aria-controls="console-list" aria-autocomplete="list"
                    aria-activedescendant={chosen.filter(|_| expanded).map(|i| format!("console-{i}"))}/>
                { completion_list(&list, *chosen, &take) }
            </form>
            { help(&line) }
            // Always one child: a list that changes its length would make the form anew, and lose the focus.
            { said.map_or_else(Html::default, answer) }
            <div class="quick">
                { for quick(session).into_iter().map(|q| {
                    let title = explain::op_label(&q.op);
                    let op = q.op.clone();
                    let onclick = on.reform(move |_| Action::Run(op.clone().into()));
                    html! { <button type="button" class="btn" {title} {onclick}>{ q.label }</button> }
                }) }
                if session.selected().is_some() {
                    <button type="button" class="btn" aria-expanded={options_open.to_string()} onclick={toggle}>
                        { "setsockopt" }</button>
                }
            </div>
            if let Some(sock) = session.selected().filter(|_| *options_open) {
                { sockopts(sock, on) }
            }
        </section>
    }
}

/// The line with its last word replaced.
fn with_word(line: &str, word: &str) -> String {
    let keep = if line.ends_with(' ') { line } else { &line[..line.rfind(' ').map_or(0, |at| at + 1)] };
    let space = if word.ends_with('=') { "" } else { " " };
    format!("{keep}{word}{space}")
}

fn keys(
    list: &[Completion],
    chosen: &UseStateHandle<Option<usize>>,
    take: &Callback<String>,
    line: &UseStateHandle<String>,
) -> Callback<KeyboardEvent> {
    let words: Vec<String> = list.iter().take(LISTED).map(|c| c.word.clone()).collect();
    let (chosen, take, line) = (chosen.clone(), take.clone(), line.setter());
    Callback::from(move |e: KeyboardEvent| {
        let n = words.len();
        match e.key().as_str() {
            "ArrowDown" if n > 0 => chosen.set(Some(chosen.map_or(0, |i| (i + 1) % n))),
            "ArrowUp" if n > 0 => chosen.set(Some(chosen.map_or(n - 1, |i| (i + n - 1) % n))),
            "Enter" | "Tab" if chosen.is_some_and(|i| i < n) => take.emit(words[chosen.unwrap_or(0)].clone()),
            "Escape" if n > 0 || chosen.is_some() => {
                chosen.set(None);
                line.set(String::new());
            }
            _ => return,
        }
        e.prevent_default();
        e.stop_propagation();
    })
}

fn completion_list(list: &[Completion], chosen: Option<usize>, take: &Callback<String>) -> Html {
    html! {
        <ul class="complete" id="console-list" role="listbox" aria-label="completions" hidden={list.is_empty()}>
            { for list.iter().take(LISTED).enumerate().map(|(i, c)| {
                let word = c.word.clone();
                // Before the field loses the focus.
                let onmousedown = take.reform(move |e: MouseEvent| { e.prevent_default(); word.clone() });
                html! {
                    <li id={format!("console-{i}")} role="option" aria-selected={(chosen == Some(i)).to_string()}
                        {onmousedown}>
                        <b>{ &c.word }</b>{ " " }<span>{ &c.help }</span></li>
                }
            }) }
        </ul>
    }
}

fn help(line: &str) -> Html {
    let Some(syntax) = line.split_whitespace().next().and_then(operation) else { return html! {} };
    html! { <p class="help"><code>{ syntax.usage }</code><br/>{ syntax.help }</p> }
}

fn answer(entry: &ConsoleEntry) -> Html {
    match &entry.outcome {
        Outcome::Done { answer, ok } => html! {
            <p class="answer">{ &entry.line }{ " " }<span class={(!ok).then_some("bad")}>{ answer }</span></p>
        },
        Outcome::Wrong { column, text } => {
            let column = (*column).max(1) as usize;
            html! {
                <div class="fault" role="alert">
                    <pre>{ &entry.line }{ "\n" }
                        <span class="caret">{ format!("{}^", " ".repeat(column - 1)) }</span></pre>
                    <p>{ text }</p>
                </div>
            }
        }
        Outcome::Refused { text } => html! {
            <div class="fault" role="alert"><pre>{ &entry.line }</pre><p>{ text }</p></div>
        },
    }
}
