//! Socket options.

use super::limits::because;
use super::slots::{Slot, errno, meaning, of, pages, sock, words};
use crate::engine::op::{SockName, SockOpt};
use crate::engine::reason::{Field, Term};
use crate::engine::step::Errno;
use crate::explain::limit::Limit;
use crate::explain::numbers::number;
use crate::explain::sentence::Sentence;
use crate::explain::summary::OptionCall;
use crate::explain::terms::noun;

/// An option was set or read.
pub fn option_call(name: SockName, option: SockOpt, what: &OptionCall) -> Sentence {
    let opt = words("option", option.name());
    match *what {
        OptionCall::Set { value, field, before, after } => Sentence::fill(
            "{option} {value}: the {what} of {sock} goes from {before} to {after}.",
            &[
                opt,
                argument(value),
                words("what", noun(Term::Field(field))),
                sock(name),
                of("before", field, before),
                of("after", field, after),
            ],
        ),
        OptionCall::Reserved { value, pages: n, after } => Sentence::fill(
            "{option} {value}: the kernel bought {pages} for {sock}, and its reserve is now {after}.",
            &[opt, argument(value), pages(n), sock(name), of("after", Field::Reserved, after)],
        ),
        OptionCall::Released { value, pages: n, after } => released(name, opt, value, n, after),
        OptionCall::ReserveKept { value } => Sentence::fill(
            "{option} {value}: less than a page below the reserve of {sock}, which stays as it is.",
            &[opt, argument(value), sock(name)],
        ),
        OptionCall::Kept { value } => Sentence::fill(
            "{option} {value}: taken; no accounted number of {sock} changed.",
            &[opt, argument(value), sock(name)],
        ),
        OptionCall::Refused { value, errno, limit } => refused(name, opt, value, errno, limit),
        OptionCall::Read { value } => {
            Sentence::fill("{option} of {sock} reads {value}.", &[opt, sock(name), words("value", number(value))])
        }
        OptionCall::ReadRefused { errno: error } => Sentence::fill(
            "{option} of {sock}: {errno}, {meaning}.",
            &[opt, sock(name), errno(error), meaning(error)],
        ),
    }
}

fn argument(value: i64) -> Slot {
    words("value", value.to_string())
}

fn released(name: SockName, opt: Slot, value: i64, returned: i64, after: i64) -> Sentence {
    let slots = [opt, argument(value), sock(name), of("after", Field::Reserved, after), pages(returned)];
    if returned == 0 {
        Sentence::fill("{option} {value}: the reserve of {sock} is now {after}; no page went back.", &slots)
    } else {
        Sentence::fill("{option} {value}: the reserve of {sock} is now {after}, and {pages} went back.", &slots)
    }
}

fn refused(name: SockName, opt: Slot, value: i64, error: Errno, limit: Option<Limit>) -> Sentence {
    let slots = [opt, argument(value), sock(name), errno(error)];
    let mut sentence = Sentence::fill("{option} {value} on {sock} was refused with {errno}:", &slots);
    sentence.then(because(limit, error));
    sentence
}
