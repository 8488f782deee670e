//! Messages as English sentences: one template each, numbers in named slots.

mod environment;
mod life;
mod limits;
mod options;
mod receive;
mod slots;
mod transmit;

use super::sentence::Sentence;
use super::summary::{Also, Main, Message};
use super::terms::noun;
use crate::engine::reason::{Field, Term};
use slots::{of, words};

impl Message {
    /// The message in words.
    pub fn sentence(&self) -> Sentence {
        let mut sentence = match &self.main {
            Main::Life(what) => life::life(what),
            Main::Transmit(sock, what) => transmit::transmit(*sock, what),
            Main::Receive(sock, what) => receive::receive(*sock, what),
            Main::Option(sock, option, what) => options::option_call(*sock, *option, what),
            Main::Environment(what) => environment::environment(what),
        };
        for also in &self.also {
            sentence.then(on_the_side(*also));
        }
        sentence
    }
}

fn on_the_side(also: Also) -> Sentence {
    match also {
        Also::Unbalanced => Sentence::words("The ledger does not balance: a bug of this model."),
        Also::PressureOn => Sentence::words("Memory pressure begins."),
        Also::PressureOff => Sentence::words("Memory pressure ends."),
        Also::Sndbuf { before, after } => resized(Field::Sndbuf, before, after),
        Also::Rcvbuf { before, after } => resized(Field::Rcvbuf, before, after),
        Also::WindowClosed => Sentence::words("The window closes."),
        Also::Retransmitted => Sentence::words("Data was sent again."),
    }
}

fn resized(field: Field, before: i64, after: i64) -> Sentence {
    let what = words("what", noun(Term::Field(field)));
    let slots = [what, of("after", field, after)];
    if after > before {
        Sentence::fill("The {what} grows to {after}.", &slots)
    } else {
        Sentence::fill("The {what} shrinks to {after}.", &slots)
    }
}
