//! Everything that can be wrong, in plain words: what it is, and where possible what to do.

use super::numbers::number;
use crate::engine::machine::SetupError;
use crate::engine::op::SysctlKey;
use crate::engine::profiles::{BASE_IDS, UnknownProfile, what_if::Toggle};
use crate::engine::step::{Errno, Imbalance, Refused};
use crate::scenario::link::LinkError;
use crate::scenario::text::TextError;

/// What an error number means here.
pub const fn errno(errno: Errno) -> &'static str {
    match errno {
        Errno::EPERM => "not permitted",
        Errno::ENOENT => "this kernel does not have it",
        Errno::EAGAIN => "not now: try again later",
        Errno::ENOMEM => "no memory: a limit refused",
        Errno::EINVAL => "the value is not allowed",
        Errno::EPIPE => "the sending side is closed",
        Errno::EMSGSIZE => "the datagram is too large",
        Errno::ENOPROTOOPT => "this kernel or socket does not know the option",
        Errno::EOPNOTSUPP => "this socket cannot do that",
        Errno::ECONNRESET => "the peer reset the connection",
        Errno::ENOBUFS => "no buffer memory",
        Errno::EISCONN => "already connected",
        Errno::ENOTCONN => "not connected",
        Errno::ETIMEDOUT => "the peer did not answer in time",
    }
}

/// Why an operation makes no sense where it stands. Nothing was changed.
pub fn refused(refused: &Refused) -> String {
    match refused {
        Refused::UnknownSock(name) => {
            format!("There is no socket named {name} here. Create it first: socket {name}")
        }
        Refused::SockExists(name) => {
            format!("There is a socket named {name} already. Use another name.")
        }
        Refused::NotTcp(name) => format!("{name} is a UDP socket; this needs a TCP socket."),
        Refused::NotUdp(name) => format!("{name} is a TCP socket; this needs a UDP socket."),
        Refused::NotConnected(name) => {
            format!("{name} is not connected. Connect it first: connect {name}")
        }
        Refused::AlreadyConnected(name) => format!("{name} is connected or listening already."),
        Refused::NotListening(name) => {
            format!("{name} is not listening. Let it listen first: listen {name}")
        }
        Refused::NotWaiting { child, listener } => {
            format!("No connection named {child} waits at {listener}.")
        }
        Refused::NotAccepted(name) => {
            format!("{name} still waits at its listener: it must be accepted first.")
        }
        Refused::NoSysctl(key) => format!("This kernel has no sysctl {}.", key.name()),
        Refused::SysctlValue { key, value } => {
            format!("{} is {value:?}, but it takes {}.", key.name(), sysctl_takes(*key))
        }
        Refused::CgroupFile(file) => {
            format!("The model has no cgroup file {file:?}. It has memory.max.")
        }
        Refused::OptionNotReadable(option) => format!("{} cannot be read here.", option.name()),
        Refused::OutOfRange { field, value, min, max } => {
            let [value, min, max] = [value, min, max].map(|n| number(*n));
            format!("{field} is {value}, but it must be from {min} to {max}.")
        }
        Refused::TooManySocks(most) => {
            format!("The model holds at most {} sockets.", number(i64::from(*most)))
        }
    }
}

const fn sysctl_takes(key: SysctlKey) -> &'static str {
    match key.arity() {
        0 => "a word this model knows",
        1 => "one number",
        _ => "three numbers",
    }
}

/// Why a machine cannot be made.
pub fn setup_error(error: &SetupError) -> String {
    match error {
        SetupError::Profile(UnknownProfile { part }) => {
            let toggles = Toggle::ALL.map(Toggle::suffix).join(", +");
            format!("There is no kernel {part:?}. There are {}, and +{toggles}.", BASE_IDS.join(", "))
        }
        SetupError::Sysctl(error) => refused(error),
        SetupError::SysctlRefused { key, value, errno: answer } => {
            let meaning = errno(*answer);
            format!("{} = {value}: the kernel answers {} ({meaning}).", key.name(), answer.name())
        }
    }
}

/// Where a text stops making sense, and what would.
pub fn text_error(error: &TextError) -> String {
    let found = match &error.found {
        Some(found) => format!("not {:?}", found.chars().take(40).collect::<String>()),
        None => "but the line ends".to_owned(),
    };
    let hint = error.hint.as_ref().map(|hint| format!(" ({hint})")).unwrap_or_default();
    format!("Line {}, column {}: expected {}, {found}{hint}.", error.line, error.column, error.expected)
}

/// Which part of a link is wrong: its key.
pub fn link_part(error: &LinkError) -> String {
    match error {
        LinkError::NotALink | LinkError::NoVersion | LinkError::FromTheFuture { .. } => "v",
        LinkError::Missing { part } | LinkError::Value { part, .. } => part,
        LinkError::Twice { part } => part,
        LinkError::TwoSources
        | LinkError::Base64 { .. }
        | LinkError::Truncated { .. }
        | LinkError::Trailing { .. }
        | LinkError::Checksum { .. }
        | LinkError::Content { .. }
        | LinkError::TooLarge
        | LinkError::Text(_)
        | LinkError::Limit(_) => "s",
        LinkError::UnknownLesson { .. } => "lesson",
    }
    .to_owned()
}

/// A balance that does not hold: our own bug, in the words of the badge.
pub fn imbalance(imbalance: &Imbalance) -> String {
    let bytes = number(imbalance.off_by);
    match imbalance.sock {
        Some(name) => format!("off by {bytes} B in socket {name}"),
        None => format!("off by {bytes} B in total {}", imbalance.total),
    }
}
