//! Receiving and reading.

use super::limits::limit_words;
use super::slots::{Slot, count, errno, freed, len, meaning, pages, sock, truesize, words};
use crate::engine::op::SockName;
use crate::engine::reason::Verdict;
use crate::explain::limit::Limit;
use crate::explain::numbers::number;
use crate::explain::sentence::Sentence;
use crate::explain::summary::Receive;
use crate::explain::words::verdict as verdict_words;

/// Something about receiving.
pub fn receive(name: SockName, what: &Receive) -> Sentence {
    match *what {
        Receive::QueuedFromCredit { packets, bytes, truesize: cost } => Sentence::fill(
            "{sock} received {n} with {len} at a cost of {truesize}: the prepaid credit covered it.",
            &[sock(name), packets_of(packets), len(bytes), truesize(cost)],
        ),
        Receive::QueuedBought { packets, bytes, truesize: cost, pages: n } => Sentence::fill(
            "{sock} received {n} with {len} at a cost of {truesize}: the kernel bought {pages}.",
            &[sock(name), packets_of(packets), len(bytes), truesize(cost), pages(n)],
        ),
        Receive::QueuedFree { packets, bytes } => Sentence::fill(
            "{sock} received {n} with {len}; its receive queue costs no more than before.",
            &[sock(name), packets_of(packets), len(bytes)],
        ),
        Receive::Dropped { dropped, packets, verdict, limit } => lost(name, dropped, packets, verdict, limit),
        Receive::Skipped { bytes } => Sentence::fill(
            "The peer of {sock} goes on {len} further without sending what is between.",
            &[sock(name), len(bytes)],
        ),
        Receive::Fin => Sentence::fill("The peer of {sock} sends no more.", &[sock(name)]),
        Receive::Reset { pages: n } => {
            Sentence::fill("The peer reset {sock}: {pages} went back.", &[sock(name), pages(n)])
        }
        Receive::ReadReturned { bytes, freed: size, pages: n } => Sentence::fill(
            "The application read {len} from {sock}, which freed {freed}, and {pages} went back.",
            &[len(bytes), sock(name), freed(size), pages(n)],
        ),
        Receive::ReadKept { bytes, freed: size } => Sentence::fill(
            "The application read {len} from {sock}, which freed {freed}; no page went back.",
            &[len(bytes), sock(name), freed(size)],
        ),
        Receive::ReadNothing => Sentence::fill("There was nothing to read from {sock}.", &[sock(name)]),
        Receive::ReadFailed { errno: error } => {
            Sentence::fill("Reading from {sock}: {errno}, {meaning}.", &[sock(name), errno(error), meaning(error)])
        }
    }
}

fn lost(name: SockName, dropped: i64, packets: i64, verdict: Verdict, limit: Option<Limit>) -> Sentence {
    let why = verdict_words(verdict);
    let slots = [
        sock(name),
        words("dropped", number(dropped)),
        packets_of(packets),
        words("why", why.strip_prefix("dropped: ").unwrap_or(why)),
    ];
    let Some(limit) = limit else { return Sentence::fill("{sock} lost {dropped} of {n}: {why}.", &slots) };
    let mut sentence = Sentence::fill("{sock} lost {dropped} of {n}: {why};", &slots);
    sentence.then(limit_words(limit));
    sentence
}

fn packets_of(n: i64) -> Slot {
    count("n", n, "packet")
}
