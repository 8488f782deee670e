//! Sockets come and go.

use super::slots::{Slot, count, errno, meaning, of, pages, sock, term, words};
use crate::engine::op::{Protocol, SockName};
use crate::engine::reason::{Field, Term};
use crate::engine::step::SynOffer;
use crate::explain::sentence::Sentence;
use crate::explain::summary::Life;

/// A socket came, changed hands, or went.
pub fn life(what: &Life) -> Sentence {
    match *what {
        Life::Created { sock, kind, sndbuf, rcvbuf } => created(sock, kind, sndbuf, rcvbuf),
        Life::CreatedMany { prefix, n } => Sentence::fill(
            "{n} over TCP, {prefix}0 and so on; they hold nothing yet.",
            &[count("n", i64::from(n), "socket"), words("prefix", prefix.as_str())],
        ),
        Life::Connected { sock: name, syn: Some(syn) } => Sentence::fill(
            "{sock} is connected: its SYN offered a window of {win}, scale {scale}.",
            &offer(name, syn),
        ),
        Life::Connected { sock: name, syn: None } => Sentence::fill("{sock} is connected.", &[sock(name)]),
        Life::Listening { sock: name } => Sentence::fill("{sock} waits for connections.", &[sock(name)]),
        Life::ChildMade { child, synack: Some(synack), .. } => Sentence::fill(
            "{sock} waits to be accepted: its SYN-ACK offered a window of {win}, scale {scale}.",
            &offer(child, synack),
        ),
        Life::ChildMade { child, synack: None, .. } => {
            Sentence::fill("{sock} waits to be accepted.", &[sock(child)])
        }
        Life::Accepted { child, charged: 0 } => Sentence::fill(
            "{sock} is accepted; the task's memory cgroup is charged nothing for it.",
            &[sock(child)],
        ),
        Life::Accepted { child, charged } => Sentence::fill(
            "{sock} is accepted: only now is the task's memory cgroup charged {pages} for it.",
            &[sock(child), pages(charged)],
        ),
        Life::Shutdown { sock: name } => Sentence::fill("{sock} sends no more: a FIN is queued.", &[sock(name)]),
        Life::Closed { sock, pages, reset } => closed(sock, pages, reset),
        Life::Failed { sock: name, errno: error } => {
            Sentence::fill("{sock}: {errno}, {meaning}.", &[sock(name), errno(error), meaning(error)])
        }
    }
}

fn created(name: SockName, kind: Protocol, sndbuf: i64, rcvbuf: i64) -> Sentence {
    let kind = if kind == Protocol::Tcp { "TCP" } else { "UDP" };
    let slots = [
        sock(name),
        words("kind", kind),
        of("sndbuf", Field::Sndbuf, sndbuf),
        of("rcvbuf", Field::Rcvbuf, rcvbuf),
    ];
    if sndbuf == 0 || rcvbuf == 0 {
        return Sentence::fill("{sock} is a new {kind} socket; it holds nothing yet.", &slots);
    }
    Sentence::fill(
        "{sock} is a new {kind} socket: a send buffer of {sndbuf} and a receive buffer of {rcvbuf}, \
         and it holds nothing yet.",
        &slots,
    )
}

fn closed(name: SockName, returned: i64, reset: bool) -> Sentence {
    let how = words("how", if reset { " with a reset" } else { "" });
    if returned == 0 {
        return Sentence::fill("{sock} is closed{how}; no page went back.", &[sock(name), how]);
    }
    let slots = [sock(name), how, pages(returned)];
    Sentence::fill("{sock} is closed{how}: {pages} went back.", &slots)
}

fn offer(name: SockName, offer: SynOffer) -> [Slot; 3] {
    [sock(name), term("win", Term::Window, offer.win), of("scale", Field::RcvWscale, offer.wscale)]
}
