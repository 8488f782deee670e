//! Sentences with linked numbers.

use crate::engine::op::SockName;
use crate::engine::reason::{Field, Term};
use crate::explain::{Lens, Link, Sentence, Span, glossary};
use yew::prelude::*;

/// A sentence of `explain` as nodes; its numbers light what they are about.
pub fn sentence(sentence: &Sentence, lens: Lens, sock: Option<SockName>) -> Html {
    html! { <>{ for sentence.spans(lens).into_iter().map(|span| one(span, sock)) }</> }
}

fn one(span: Span, sock: Option<SockName>) -> Html {
    match span.link {
        None | Some(Link::Sock(_)) => html! { { span.text } },
        Some(Link::Rule(rule)) => {
            html! { <span class="mono" title={glossary::rule(rule).sentence}>{ span.text }</span> }
        }
        Some(Link::Number { term, value }) => {
            let entry = glossary::term(term);
            let (about, of) = about(term, sock);
            html! {
                <span class="num" tabindex="0" title={format!("{}: {}", entry.kernel, entry.sentence)}
                    data-field={format!("why.{}", entry.key)} data-sock={sock.map(|s| s.to_string())}
                    data-value={value.to_string()} data-about={about} data-of={of}>{ span.text }</span>
            }
        }
    }
}

/// The thing on screen that a number of the why panel is about.
fn about(term: Term, sock: Option<SockName>) -> (Option<AttrValue>, Option<AttrValue>) {
    let of = sock.map(|s| AttrValue::from(s.to_string()));
    let named = |name: &'static str| Some(AttrValue::from(name));
    match term {
        Term::Field(Field::MemoryAllocated | Field::PcpuFwAlloc) => (named("k_total_pages"), None),
        Term::Field(Field::MemcgSock | Field::MemcgStock) => (named("memcg_sock"), None),
        Term::Field(Field::Pressure) => (named("press"), None),
        Term::Field(field) => (named(field.name()), of),
        Term::UnusedReserved => (named("reserved"), of),
        Term::Reclaimable => (named("fwd_alloc"), of),
        Term::QueuedPlusSize => (named("wmem_queued"), of),
        Term::MemLimit(0) => (named("mem.min"), None),
        Term::MemLimit(1) => (named("mem.pressure"), None),
        Term::MemLimit(_) => (named("mem.max"), None),
        Term::Window | Term::Space | Term::FullSpace => (named("tcp.rcv_wnd"), of),
        _ => (None, None),
    }
}
