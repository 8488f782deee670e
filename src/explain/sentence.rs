//! A sentence as words and numbers: each number keeps its link to the thing it counts.

use super::numbers::{self, Lens, Unit};
use super::terms;
use crate::engine::op::SockName;
use crate::engine::reason::{Operand, Rule, Term};
use std::fmt;

/// A piece of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// Words.
    Words(String),
    /// A number, linked.
    Number {
        /// What it counts.
        term: Term,
        /// The number.
        value: i64,
        /// Said with its unit.
        with_unit: bool,
        /// Said with its sign even when positive.
        signed: bool,
    },
    /// An amount that is not a field: a sum made here.
    Amount {
        /// The number.
        value: i64,
        /// Its unit.
        unit: Unit,
    },
    /// A kernel function.
    Rule(Rule),
    /// A socket.
    Sock(SockName),
}

/// What a piece of a sentence describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Link {
    /// A number on screen; `Term::Field(f)` carries `f.name()` as its `data-field`.
    Number {
        /// What it counts.
        term: Term,
        /// The exact number.
        value: i64,
    },
    /// A kernel function.
    Rule(Rule),
    /// A socket.
    Sock(SockName),
}

/// A piece of text with its link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// The text, spaces included.
    pub text: String,
    /// What it describes.
    pub link: Option<Link>,
}

/// A sentence.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sentence {
    /// Its pieces, in order.
    pub parts: Vec<Part>,
}

impl Part {
    /// A number with its unit.
    pub const fn number(operand: Operand) -> Self {
        let Operand { term, value } = operand;
        Self::Number { term, value, with_unit: true, signed: false }
    }

    /// A number without its unit.
    pub const fn bare(operand: Operand) -> Self {
        let Operand { term, value } = operand;
        Self::Number { term, value, with_unit: false, signed: false }
    }

    /// A change: always with a sign.
    pub const fn change(term: Term, value: i64) -> Self {
        Self::Number { term, value, with_unit: false, signed: true }
    }

    /// A plain count.
    pub const fn count(value: i64) -> Self {
        Self::Amount { value, unit: Unit::Count }
    }

    /// Bytes that are no field.
    pub const fn bytes(value: i64) -> Self {
        Self::Amount { value, unit: Unit::Bytes }
    }

    /// Packets that are no field.
    pub const fn packets(value: i64) -> Self {
        Self::Amount { value, unit: Unit::Packets }
    }

    /// Pages that are no field.
    pub const fn pages(value: i64) -> Self {
        Self::Amount { value, unit: Unit::Pages }
    }

    /// Words.
    pub fn words(text: impl Into<String>) -> Self {
        Self::Words(text.into())
    }

    fn span(&self, lens: Lens) -> Span {
        match self {
            Self::Words(text) => Span { text: text.clone(), link: None },
            Self::Number { term, value, with_unit, signed } => {
                let unit = terms::unit(*term);
                let plus = if *signed && *value > 0 { "+" } else { "" };
                let text = if *with_unit {
                    numbers::amount(*value, unit, lens)
                } else {
                    numbers::bare(*value, unit, lens)
                };
                let link = Link::Number { term: *term, value: *value };
                Span { text: format!("{plus}{text}"), link: Some(link) }
            }
            Self::Amount { value, unit } => Span { text: numbers::amount(*value, *unit, lens), link: None },
            Self::Rule(rule) => Span { text: rule.name().to_owned(), link: Some(Link::Rule(*rule)) },
            Self::Sock(name) => Span { text: name.as_str().to_owned(), link: Some(Link::Sock(*name)) },
        }
    }
}

impl Sentence {
    /// A whole template with its named slots filled: `{size} asked for`.
    ///
    /// # Panics
    /// In debug builds when a slot has no part: our own bug.
    pub fn fill(template: &str, slots: &[(&str, Part)]) -> Self {
        let mut sentence = Self::default();
        let mut rest = template;
        while let Some((words, after)) = rest.split_once('{') {
            sentence.say(words);
            let Some((name, after)) = after.split_once('}') else {
                break;
            };
            let part = slots.iter().find(|(slot, _)| *slot == name);
            debug_assert!(part.is_some(), "no part for slot {name:?} of {template:?}");
            if let Some((_, part)) = part {
                sentence.parts.push(part.clone());
            }
            rest = after;
        }
        sentence.say(rest);
        sentence
    }

    /// Only words.
    pub fn words(text: &str) -> Self {
        Self::fill(text, &[])
    }

    fn say(&mut self, words: &str) {
        if !words.is_empty() {
            self.parts.push(Part::words(words));
        }
    }

    /// Appends another sentence.
    pub fn then(&mut self, other: Self) {
        if !self.parts.is_empty() && !other.parts.is_empty() {
            self.say(" ");
        }
        self.parts.extend(other.parts);
    }

    /// The pieces as text, each with what it describes.
    pub fn spans(&self, lens: Lens) -> Vec<Span> {
        self.parts.iter().map(|part| part.span(lens)).collect()
    }

    /// The whole text.
    pub fn text(&self, lens: Lens) -> String {
        self.parts.iter().map(|part| part.span(lens).text).collect()
    }

    /// The whole text in the kernel's own units.
    pub fn plain(&self) -> String {
        self.text(Lens::EXACT)
    }
}

impl fmt::Display for Sentence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.plain())
    }
}
