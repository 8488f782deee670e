//! Slots of templates.

use crate::engine::op::SockName;
use crate::engine::reason::{Field, Term};
use crate::engine::step::Errno;
use crate::explain::errors::errno as errno_words;
use crate::explain::numbers::number;
use crate::explain::sentence::Part;

/// A slot of a template: its name and what stands there.
pub type Slot = (&'static str, Part);

/// A field's number, linked to it.
pub fn of(name: &'static str, field: Field, value: i64) -> Slot {
    (name, Part::number(field.of(value)))
}

/// A number of a comparison, linked to it.
pub fn term(name: &'static str, term: Term, value: i64) -> Slot {
    (name, Part::number(term.of(value)))
}

/// Payload bytes.
pub fn len(value: i64) -> Slot {
    term("len", Term::Len, value)
}

/// Bytes of truesize charged.
pub fn truesize(value: i64) -> Slot {
    term("truesize", Term::Truesize, value)
}

/// Bytes of truesize freed.
pub fn freed(value: i64) -> Slot {
    term("freed", Term::Truesize, value)
}

/// Pages bought or returned.
pub fn pages(value: i64) -> Slot {
    term("pages", Term::Pages, value)
}

/// A socket.
pub fn sock(name: SockName) -> Slot {
    ("sock", Part::Sock(name))
}

/// Words.
pub fn words(name: &'static str, text: impl Into<String>) -> Slot {
    (name, Part::words(text))
}

/// A count of things.
pub fn count(name: &'static str, n: i64, one: &str) -> Slot {
    words(name, format!("{} {one}{}", number(n), if n == 1 { "" } else { "s" }))
}

/// An error's name.
pub fn errno(errno: Errno) -> Slot {
    words("errno", errno.name())
}

/// What an error means.
pub fn meaning(errno: Errno) -> Slot {
    words("meaning", errno_words(errno))
}
