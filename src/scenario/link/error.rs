//! Which part of a link is wrong.

use super::VERSION;
use crate::scenario::lessons;
use crate::scenario::limits::{LimitError, TEXT_MAX};
use crate::scenario::text::TextError;

/// Why a link does not open. The message says which part is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LinkError {
    /// Nothing in it is ours.
    #[error("this is not a skmem link: it has no part \"v=\"")]
    NotALink,
    /// It has our parts, but no version.
    #[error("this link does not say its version: the part \"v=\" is missing")]
    NoVersion,
    /// A newer release wrote it.
    #[error("this link was made by a newer skmem lab (version {version}); this one reads up to version {VERSION}")]
    FromTheFuture {
        /// Its version.
        version: u32,
    },
    /// A part that has to be there.
    #[error("this link is incomplete: the part \"{part}\" is missing")]
    Missing {
        /// Which.
        part: &'static str,
    },
    /// Both a scenario and a lesson.
    #[error("this link has two scenarios: the parts \"s=\" and \"lesson=\" exclude each other")]
    TwoSources,
    /// The same part twice.
    #[error("this link has the part \"{part}=\" twice")]
    Twice {
        /// Which.
        part: String,
    },
    /// A character base64url does not have.
    #[error(
        "the scenario in this link is mistyped: {found:?} at character {at} of the part \"s=\" cannot stand there"
    )]
    Base64 {
        /// Its place in the payload, from 1.
        at: u32,
        /// The character.
        found: char,
    },
    /// The end is missing.
    #[error("this link was cut short: the part \"s=\" has {found} of {expected} bytes")]
    Truncated {
        /// Bytes it says it has.
        expected: u64,
        /// Bytes it has.
        found: u64,
    },
    /// Something was added at the end.
    #[error("this link has something added to it: the part \"s=\" has {found} bytes instead of {expected}")]
    Trailing {
        /// Bytes it says it has.
        expected: u64,
        /// Bytes it has.
        found: u64,
    },
    /// Right length, wrong content.
    #[error("this link is mistyped: the checksum of the part \"s=\" is {found:08x} instead of {expected:08x}")]
    Checksum {
        /// What the link says.
        expected: u32,
        /// What its content has.
        found: u32,
    },
    /// The checksum is right, but what it covers is not compressed text.
    #[error("the part \"s=\" of this link does not hold compressed text: {why}")]
    Content {
        /// What is wrong with it.
        why: &'static str,
    },
    /// More than a scenario may have.
    #[error("the scenario in this link is too large: it unpacks to more than {TEXT_MAX} bytes")]
    TooLarge,
    /// The scenario's text has a fault.
    #[error("the scenario in this link has a fault: {0}")]
    Text(#[from] TextError),
    /// The scenario passes a limit.
    #[error("the scenario is too large for a link: {0}")]
    Limit(#[from] LimitError),
    /// A lesson that is not built in.
    #[error("there is no lesson {slug:?}; there are {known}")]
    UnknownLesson {
        /// What the link asks for.
        slug: String,
        /// What there is.
        known: String,
    },
    /// A part whose value means nothing.
    #[error("the part \"{part}=\" of this link is {found:?}; expected {expected}")]
    Value {
        /// Which part.
        part: &'static str,
        /// What it says.
        found: String,
        /// What it may say.
        expected: String,
    },
}

impl LinkError {
    pub(super) fn wrong(part: &'static str, found: &str, expected: &str) -> Self {
        let found = found.chars().take(40).collect();
        Self::Value { part, found, expected: expected.into() }
    }

    pub(super) fn unknown_lesson(slug: &str) -> Self {
        let known: Vec<&str> = lessons::LESSONS.iter().map(|l| l.slug).collect();
        Self::UnknownLesson { slug: slug.chars().take(40).collect(), known: known.join(", ") }
    }
}
