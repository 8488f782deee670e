//! One reason as one line.

use super::consequence::{consequence, sides};
use super::numbers::Unit;
use super::sentence::{Part, Sentence};
use super::terms::{noun, short_name, unit};
use super::words::verdict;
use crate::engine::reason::{Cmp, Fact, Field, Operand, Rule, Term};

/// One reason as one line. A test is written as it turned out, so the line is always true:
/// `20,000 needed > 16,384 prepaid -> pages must be bought`.
pub fn fact(fact: &Fact) -> Sentence {
    match *fact {
        Fact::Called { arg, .. } => called(arg),
        Fact::Checked { rule, lhs, cmp, rhs, taken } => checked(rule, lhs, cmp, rhs, taken),
        Fact::Moved { field, before, after, .. } => moved(field, before, after),
        Fact::Decided { verdict: outcome, .. } => Sentence::words(verdict(outcome)),
    }
}

/// What a function was asked: `2,304 B truesize`, `1 page asked for`.
fn called(arg: Option<Operand>) -> Sentence {
    let Some(arg) = arg else { return Sentence::words("reached") };
    let words = match arg.term {
        Term::Pages | Term::Size => "asked for",
        term => noun(term),
    };
    Sentence::fill("{n} {words}", &[("n", Part::number(arg)), ("words", Part::words(words))])
}

fn checked(rule: Rule, lhs: Operand, cmp: Cmp, rhs: Operand, taken: bool) -> Sentence {
    let so = Part::words(consequence(rule, lhs.term, cmp, rhs.term, taken));
    let holds = if taken { cmp } else { negated(cmp) };
    if let Some(words) = switch(lhs, holds, rhs) {
        return Sentence::fill("{words} -> {so}", &[("words", Part::words(words)), ("so", so)]);
    }
    let mut line = Sentence::default();
    let nouns = sides(rule, lhs.term, rhs.term);
    let (left, right) = nouns.unwrap_or((noun(lhs.term), noun(rhs.term)));
    side(&mut line, lhs, left);
    line.parts.push(Part::words(format!(" {} ", symbol(holds))));
    side(&mut line, rhs, right);
    line.parts.extend([Part::words(" -> "), so]);
    line
}

/// A number and its noun, which constants do not have.
fn side(line: &mut Sentence, operand: Operand, words: &str) {
    line.parts.push(Part::bare(operand));
    let one = operand.value == 1 && unit(operand.term) == Unit::Pages;
    match words.strip_prefix("pages ").filter(|_| one) {
        Some(rest) => line.parts.push(Part::words(format!(" page {rest}"))),
        None if words.is_empty() => {}
        None => line.parts.push(Part::words(format!(" {words}"))),
    }
}

/// Flags read better as words than as a comparison with 0.
fn switch(lhs: Operand, holds: Cmp, rhs: Operand) -> Option<&'static str> {
    if rhs != (Operand { term: Term::Constant, value: 0 }) {
        return None;
    }
    match (lhs.term, holds) {
        (Term::Field(Field::Pressure), Cmp::Ne) => Some("memory pressure is on"),
        (Term::Field(Field::Pressure), Cmp::Eq) => Some("memory pressure is off"),
        (Term::Field(Field::BufLock), Cmp::Ne) => Some("the buffer is locked"),
        (Term::Field(Field::BufLock), Cmp::Eq) => Some("the buffer is not locked"),
        _ => None,
    }
}

/// `forward_alloc 87,816 -> 66,920 (-20,896)`.
pub(super) fn moved(field: Field, before: i64, after: i64) -> Sentence {
    let slots = [
        ("field", Part::words(short_name(field))),
        ("before", Part::bare(field.of(before))),
        ("after", Part::bare(field.of(after))),
        ("delta", Part::change(Term::Field(field), after - before)),
    ];
    match field {
        Field::Pressure | Field::BufLock => Sentence::fill("{field} {before} -> {after}", &slots),
        _ => Sentence::fill("{field} {before} -> {after} ({delta})", &slots),
    }
}

const fn negated(cmp: Cmp) -> Cmp {
    match cmp {
        Cmp::Lt => Cmp::Ge,
        Cmp::Le => Cmp::Gt,
        Cmp::Eq => Cmp::Ne,
        Cmp::Ne => Cmp::Eq,
        Cmp::Ge => Cmp::Lt,
        Cmp::Gt => Cmp::Le,
    }
}

const fn symbol(cmp: Cmp) -> &'static str {
    match cmp {
        Cmp::Lt => "<",
        Cmp::Le => "<=",
        Cmp::Eq => "=",
        Cmp::Ne => "is not",
        Cmp::Ge => ">=",
        Cmp::Gt => ">",
    }
}
