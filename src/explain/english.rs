//! Messages as English sentences: one template each, numbers in named slots.

use super::errors::errno as errno_words;
use super::limit::Limit;
use super::numbers::number;
use super::sentence::{Part, Sentence};
use super::summary::{Also, Environment, Life, Main, Message, OptionCall, Receive, Transmit};
use super::terms::noun;
use super::words::verdict as verdict_words;
use crate::engine::op::{Protocol, SockName, SockOpt};
use crate::engine::reason::{Field, Term};
use crate::engine::step::{Errno, SynOffer};

/// A slot of a template.
type Slot = (&'static str, Part);

impl Message {
    /// The message in words.
    pub fn sentence(&self) -> Sentence {
        let mut sentence = match &self.main {
            Main::Life(what) => life(what),
            Main::Transmit(sock, what) => transmit(*sock, what),
            Main::Receive(sock, what) => receive(*sock, what),
            Main::Option(sock, option, what) => option_call(*sock, *option, what),
            Main::Environment(what) => environment(what),
        };
        for also in &self.also {
            sentence.then(on_the_side(*also));
        }
        sentence
    }
}

fn of(name: &'static str, field: Field, value: i64) -> Slot {
    (name, Part::number(field.of(value)))
}

fn term(name: &'static str, term: Term, value: i64) -> Slot {
    (name, Part::number(term.of(value)))
}

fn bytes(name: &'static str, value: i64) -> Slot {
    (name, Part::bytes(value))
}

fn pages(value: i64) -> Slot {
    ("pages", Part::pages(value))
}

fn sock(name: SockName) -> Slot {
    ("sock", Part::Sock(name))
}

fn words(name: &'static str, text: impl Into<String>) -> Slot {
    (name, Part::words(text))
}

fn answer(errno: Errno) -> [Slot; 2] {
    [
        words("errno", errno.name()),
        words("meaning", errno_words(errno)),
    ]
}

fn life(what: &Life) -> Sentence {
    match *what {
        Life::Created {
            sock: name,
            kind,
            sndbuf,
            rcvbuf,
        } => Sentence::fill(
            "A {kind} socket, {sock}: it may send {sndbuf} and receive {rcvbuf} of truesize; it holds nothing yet.",
            &[
                words("kind", if kind == Protocol::Tcp { "TCP" } else { "UDP" }),
                sock(name),
                of("sndbuf", Field::Sndbuf, sndbuf),
                of("rcvbuf", Field::Rcvbuf, rcvbuf),
            ],
        ),
        Life::CreatedMany { prefix, n } => Sentence::fill(
            "{n} TCP sockets, {prefix}0 and so on; they hold nothing yet.",
            &[
                ("n", Part::count(i64::from(n))),
                words("prefix", prefix.as_str()),
            ],
        ),
        Life::Connected {
            sock: name,
            syn: Some(syn),
        } => Sentence::fill(
            "{sock} is connected: its SYN offered a window of {win}, scale {scale}.",
            &offer(name, syn),
        ),
        Life::Connected {
            sock: name,
            syn: None,
        } => Sentence::fill("{sock} is connected.", &[sock(name)]),
        Life::Listening { sock: name } => {
            Sentence::fill("{sock} waits for connections.", &[sock(name)])
        }
        Life::ChildMade {
            child,
            synack: Some(synack),
            ..
        } => Sentence::fill(
            "A peer connected: {sock} waits to be accepted; its SYN-ACK offered a window of {win}, scale {scale}.",
            &offer(child, synack),
        ),
        Life::ChildMade {
            child,
            synack: None,
            ..
        } => Sentence::fill(
            "A peer connected: {sock} waits to be accepted.",
            &[sock(child)],
        ),
        Life::Accepted { child, charged: 0 } => Sentence::fill(
            "{sock} is accepted; it holds nothing to charge.",
            &[sock(child)],
        ),
        Life::Accepted { child, charged } => Sentence::fill(
            "{sock} is accepted: its {pages} are charged to the memory cgroup of the task only now.",
            &[sock(child), pages(charged)],
        ),
        Life::Shutdown { sock: name } => {
            Sentence::fill("{sock} sends no more: a FIN is queued.", &[sock(name)])
        }
        Life::Closed {
            sock: name,
            pages: 0,
            reset,
        } => Sentence::fill(
            "{sock} is closed{how}; no page goes back now.",
            &[sock(name), how(reset)],
        ),
        Life::Closed {
            sock: name,
            pages: n,
            reset,
        } => Sentence::fill(
            "{sock} is closed{how}: {pages} go back.",
            &[sock(name), how(reset), pages(n)],
        ),
        Life::Failed { sock: name, errno } => {
            let [errno, meaning] = answer(errno);
            Sentence::fill("{sock}: {errno}, {meaning}.", &[sock(name), errno, meaning])
        }
    }
}

fn offer(name: SockName, offer: SynOffer) -> [Slot; 3] {
    [
        sock(name),
        term("win", Term::Window, offer.win),
        of("scale", Field::RcvWscale, offer.wscale),
    ]
}

fn how(reset: bool) -> Slot {
    words("how", if reset { " with a reset" } else { "" })
}

fn transmit(name: SockName, what: &Transmit) -> Sentence {
    match what {
        Transmit::SentFromCredit {
            bytes: len,
            truesize,
            credit,
        } => Sentence::fill(
            "{sock} queued {len}, which cost {truesize}: the prepaid credit covered it, {credit} are left and no page was bought.",
            &[
                sock(name),
                bytes("len", *len),
                bytes("truesize", *truesize),
                of("credit", Field::FwdAlloc, *credit),
            ],
        ),
        Transmit::SentBought {
            bytes: len,
            truesize,
            pages: n,
        } => Sentence::fill(
            "{sock} queued {len}, which cost {truesize}: the prepaid credit did not cover it, and {pages} were bought.",
            &[
                sock(name),
                bytes("len", *len),
                bytes("truesize", *truesize),
                pages(*n),
            ],
        ),
        Transmit::Sent { bytes: len } => Sentence::fill(
            "{sock} sent {len}; the queue did not grow.",
            &[sock(name), bytes("len", *len)],
        ),
        Transmit::Stopped {
            written,
            errno,
            limit,
        } => {
            let mut sentence = Sentence::fill(
                "{sock} wrote {written}, then {errno}:",
                &[
                    sock(name),
                    bytes("written", *written),
                    words("errno", errno.name()),
                ],
            );
            sentence.then(because(*limit, *errno));
            sentence
        }
        Transmit::AckedReturned { freed, pages: n } => Sentence::fill(
            "The ACK freed {freed} of {sock}, and {pages} went back.",
            &[bytes("freed", *freed), sock(name), pages(*n)],
        ),
        Transmit::AckedReserved { freed, reserved } => Sentence::fill(
            "The ACK freed {freed} of {sock}; no page went back, for {reserved} of the credit are reserved and unused.",
            &[
                bytes("freed", *freed),
                sock(name),
                term("reserved", Term::UnusedReserved, *reserved),
            ],
        ),
        Transmit::AckedKept { freed, credit } => Sentence::fill(
            "The ACK freed {freed} of {sock}; no page went back, and {credit} of credit are kept.",
            &[
                bytes("freed", *freed),
                sock(name),
                of("credit", Field::FwdAlloc, *credit),
            ],
        ),
        Transmit::AckedMore { grown } => Sentence::fill(
            "The ACK let more out than it freed: the queues of {sock} hold {grown} more.",
            &[sock(name), bytes("grown", *grown)],
        ),
        Transmit::AckedNothing => {
            Sentence::fill("The ACK freed no memory of {sock}.", &[sock(name)])
        }
        Transmit::PeerWindow { win } => Sentence::fill(
            "The peer of {sock} now offers a window of {win}.",
            &[sock(name), term("win", Term::Window, *win)],
        ),
    }
}

fn receive(name: SockName, what: &Receive) -> Sentence {
    match what {
        Receive::QueuedFromCredit {
            packets,
            bytes: len,
            truesize,
        } => Sentence::fill(
            "{sock} received {n} with {len}, which cost {truesize}: the prepaid credit covered it.",
            &[
                sock(name),
                packets_of(*packets),
                bytes("len", *len),
                bytes("truesize", *truesize),
            ],
        ),
        Receive::QueuedBought {
            packets,
            bytes: len,
            truesize,
            pages: n,
        } => Sentence::fill(
            "{sock} received {n} with {len}, which cost {truesize}: {pages} were bought.",
            &[
                sock(name),
                packets_of(*packets),
                bytes("len", *len),
                bytes("truesize", *truesize),
                pages(*n),
            ],
        ),
        Receive::QueuedFree {
            packets,
            bytes: len,
        } => Sentence::fill(
            "{sock} received {n} with {len}; the receive queue costs no more than before.",
            &[sock(name), packets_of(*packets), bytes("len", *len)],
        ),
        Receive::Dropped {
            dropped,
            packets,
            verdict,
            limit,
        } => {
            let mut sentence = Sentence::fill(
                "{sock} lost {dropped} of {n}, {verdict}.",
                &[
                    sock(name),
                    ("dropped", Part::count(*dropped)),
                    packets_of(*packets),
                    words("verdict", verdict_words(*verdict)),
                ],
            );
            if let Some(limit) = limit {
                sentence.then(limit_words(*limit));
            }
            sentence
        }
        Receive::Skipped { bytes: len } => Sentence::fill(
            "The peer of {sock} goes {len} further without sending them.",
            &[sock(name), bytes("len", *len)],
        ),
        Receive::Fin => Sentence::fill("The peer of {sock} sends no more.", &[sock(name)]),
        Receive::Reset { pages: n } => Sentence::fill(
            "The peer reset {sock}: {pages} go back.",
            &[sock(name), pages(*n)],
        ),
        Receive::ReadReturned {
            bytes: len,
            freed,
            pages: n,
        } => Sentence::fill(
            "The application read {len} from {sock}, which freed {freed}, and {pages} went back.",
            &[
                bytes("len", *len),
                sock(name),
                bytes("freed", *freed),
                pages(*n),
            ],
        ),
        Receive::ReadKept { bytes: len, freed } => Sentence::fill(
            "The application read {len} from {sock}, which freed {freed}; no page went back.",
            &[bytes("len", *len), sock(name), bytes("freed", *freed)],
        ),
        Receive::ReadNothing => {
            Sentence::fill("There was nothing to read from {sock}.", &[sock(name)])
        }
        Receive::ReadFailed { errno } => {
            let [errno, meaning] = answer(*errno);
            Sentence::fill(
                "Reading {sock}: {errno}, {meaning}.",
                &[sock(name), errno, meaning],
            )
        }
    }
}

fn packets_of(n: i64) -> Slot {
    ("n", Part::packets(n))
}

fn option_call(name: SockName, option: SockOpt, what: &OptionCall) -> Sentence {
    let opt = words("option", option.name());
    let plain = |value: i64| words("value", value.to_string());
    match what {
        OptionCall::Set {
            value,
            field,
            before,
            after,
        } => Sentence::fill(
            "{option} {value}: the {what} of {sock} was {before} and is now {after}.",
            &[
                opt,
                plain(*value),
                words("what", noun(Term::Field(*field))),
                sock(name),
                of("before", *field, *before),
                of("after", *field, *after),
            ],
        ),
        OptionCall::Reserved {
            value,
            pages: n,
            after,
        } => Sentence::fill(
            "{option} {value}: {pages} were bought for {sock}, whose reserve is now {after}.",
            &[
                opt,
                plain(*value),
                pages(*n),
                sock(name),
                of("after", Field::Reserved, *after),
            ],
        ),
        OptionCall::Released {
            value,
            pages: 0,
            after,
        } => Sentence::fill(
            "{option} {value}: the reserve of {sock} is now {after}; no page went back.",
            &[
                opt,
                plain(*value),
                sock(name),
                of("after", Field::Reserved, *after),
            ],
        ),
        OptionCall::Released {
            value,
            pages: n,
            after,
        } => Sentence::fill(
            "{option} {value}: the reserve of {sock} is now {after}, and {pages} went back.",
            &[
                opt,
                plain(*value),
                sock(name),
                of("after", Field::Reserved, *after),
                pages(*n),
            ],
        ),
        OptionCall::Kept { value } => Sentence::fill(
            "{option} {value}: taken; no accounted number of {sock} changed.",
            &[opt, plain(*value), sock(name)],
        ),
        OptionCall::Refused {
            value,
            errno,
            limit,
        } => {
            let mut sentence = Sentence::fill(
                "{option} {value} on {sock} was refused with {errno}:",
                &[opt, plain(*value), sock(name), words("errno", errno.name())],
            );
            sentence.then(because(*limit, *errno));
            sentence
        }
        OptionCall::Read { value } => Sentence::fill(
            "{option} of {sock} reads {value}.",
            &[opt, sock(name), words("value", number(*value))],
        ),
        OptionCall::ReadRefused { errno } => {
            let [errno, meaning] = answer(*errno);
            Sentence::fill(
                "{option} of {sock}: {errno}, {meaning}.",
                &[opt, sock(name), errno, meaning],
            )
        }
    }
}

fn environment(what: &Environment) -> Sentence {
    match what {
        Environment::Setting { name, value } => Sentence::fill(
            "{name} is now {value}.",
            &[words("name", name), words("value", value)],
        ),
        Environment::SettingRefused { name, value, errno } => {
            let [errno, meaning] = answer(*errno);
            Sentence::fill(
                "{name} = {value}: {errno}, {meaning}.",
                &[words("name", name), words("value", value), errno, meaning],
            )
        }
        Environment::Moved { into: true } => Sentence::words(
            "The task is back in its own memory cgroup; sockets it has keep theirs.",
        ),
        Environment::Moved { into: false } => Sentence::words(
            "The task is in the root cgroup now; sockets it has keep their memory cgroup.",
        ),
        Environment::Bypass { on: true } => {
            Sentence::words("From now on new sockets bypass the protocol's memory.")
        }
        Environment::Bypass { on: false } => {
            Sentence::words("New sockets are counted by the protocol again.")
        }
        Environment::SleptFired { ms, timers } => Sentence::fill(
            "{ms} ms passed, and {n} fired.",
            &[
                words("ms", number(i64::from(*ms))),
                words("n", count(*timers, "timer")),
            ],
        ),
        Environment::Slept { ms } => Sentence::fill(
            "{ms} ms passed; no timer fired.",
            &[words("ms", number(i64::from(*ms)))],
        ),
        Environment::Looked => Sentence::words("Nothing happened: a look at the state."),
    }
}

fn count(n: i64, one: &str) -> String {
    format!("{} {one}{}", number(n), if n == 1 { "" } else { "s" })
}

/// Why a call was refused: the limit, or what the error number means.
fn because(limit: Option<Limit>, errno: Errno) -> Sentence {
    match limit {
        Some(limit) => limit_words(limit),
        None => Sentence::fill("{meaning}.", &[words("meaning", errno_words(errno))]),
    }
}

fn limit_words(limit: Limit) -> Sentence {
    let allocated = |value| of("allocated", Field::MemoryAllocated, value);
    match limit {
        Limit::SendBuffer { queued, sndbuf } => Sentence::fill(
            "the send queue holds {queued}, and its buffer ends at {sndbuf}.",
            &[
                of("queued", Field::WmemQueued, queued),
                of("sndbuf", Field::Sndbuf, sndbuf),
            ],
        ),
        Limit::ReceiveBuffer { queued, rcvbuf } => Sentence::fill(
            "The receive queue came to {queued}, and its buffer ends at {rcvbuf}.",
            &[
                ("queued", Part::number(queued)),
                of("rcvbuf", Field::Rcvbuf, rcvbuf),
            ],
        ),
        Limit::MaxMark { allocated: n, mark } => Sentence::fill(
            "the protocol counts {allocated}, above its max mark of {mark}.",
            &[allocated(n), term("mark", Term::MemLimit(2), mark)],
        ),
        Limit::PressureMark { allocated: n, mark } => Sentence::fill(
            "the protocol would count {allocated}, above its pressure mark of {mark}; a reserve is not sold there.",
            &[allocated(n), term("mark", Term::MemLimit(1), mark)],
        ),
        Limit::FairShare { share, mark } => Sentence::fill(
            "under pressure a socket may grow only if all could hold as much: that would be {share}, and max is {mark}.",
            &[
                term("share", Term::FairShare, share),
                term("mark", Term::MemLimit(2), mark),
            ],
        ),
        Limit::MemoryCgroup { wanted, max } => Sentence::fill(
            "the memory cgroup would hold {wanted}, above memory.max of {max}.",
            &[
                term("wanted", Term::Pages, wanted),
                term("max", Term::MemcgMax, max),
            ],
        ),
        Limit::Argument { value, bound } => Sentence::fill(
            "the value {value} is beyond {bound}.",
            &[
                ("value", Part::bare(Term::Argument.of(value))),
                ("bound", Part::bare(Term::Constant.of(bound))),
            ],
        ),
    }
}

fn on_the_side(also: Also) -> Sentence {
    match also {
        Also::Unbalanced => Sentence::words("The ledger does not balance: a bug of this model."),
        Also::PressureOn => Sentence::words("Memory pressure begins."),
        Also::PressureOff => Sentence::words("Memory pressure ends."),
        Also::Sndbuf { before, after } => changed("The send buffer", Field::Sndbuf, before, after),
        Also::Rcvbuf { before, after } => {
            changed("The receive buffer", Field::Rcvbuf, before, after)
        }
        Also::WindowClosed => Sentence::words("The window closes."),
        Also::Retransmitted => Sentence::words("Data was sent again."),
    }
}

fn changed(what: &'static str, field: Field, before: i64, after: i64) -> Sentence {
    let grows = if after > before { "grows" } else { "shrinks" };
    Sentence::fill(
        "{what} {grows} to {after}.",
        &[
            words("what", what),
            words("grows", grows),
            of("after", field, after),
        ],
    )
}
