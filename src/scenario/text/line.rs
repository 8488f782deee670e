//! The words of one operation, read by the table.

use super::error::TextError;
use super::words::{self, Cursor, Word};
use crate::engine::op::{Op, SockName, SockOpt, SysctlKey, TimedOp, Timing};
use crate::engine::units::Micros;
use crate::scenario::limits::{LimitError, MICROS_MAX};
use crate::scenario::syntax::{Arg, Form, OpSyntax};
use serde_json::{Map, Value};

const NAME_EXPECTED: &str = "a letter, then letters, digits or _, at most 15";

/// Reads everything after an operation's name.
pub(super) fn arguments(cursor: &mut Cursor, syntax: &OpSyntax) -> Result<TimedOp, TextError> {
    let mut map = Map::new();
    map.insert("op".into(), syntax.name.into());
    for arg in syntax.args.iter().filter(|a| a.form.is_required()) {
        let value = required(cursor, arg, &map)?;
        map.insert(arg.field.into(), value);
    }
    let mut timing = None;
    while let Some(word) = cursor.word() {
        if word.text.starts_with('@') {
            timing = Some(read_timing(cursor, word)?);
            break;
        }
        optional(cursor, syntax, word, &mut map)?;
    }
    match serde_json::from_value::<Op>(Value::Object(map)) {
        Ok(op) => Ok(TimedOp { op, timing }),
        Err(_) => Err(cursor.here(format!("the words of {}", syntax.usage), syntax.name.into())),
    }
}

fn required(cursor: &mut Cursor, arg: &Arg, read: &Map<String, Value>) -> Result<Value, TextError> {
    let word = cursor.next(arg.what)?;
    match arg.form {
        Form::Name => match SockName::new(word.text) {
            Some(name) => Ok(name.as_str().into()),
            None => Err(cursor.error(word, format!("{} ({NAME_EXPECTED})", arg.what))),
        },
        Form::Option => match SockOpt::from_name(word.text) {
            Some(option) => Ok(option.name().into()),
            None => Err(one_of(cursor, word, arg.what, SockOpt::ALL.map(SockOpt::name).into_iter())),
        },
        Form::Key => match words::sysctl_key(word.text) {
            Some(key) => Ok(key.name().into()),
            None => Err(one_of(cursor, word, arg.what, SysctlKey::ALL.map(SysctlKey::name).into_iter())),
        },
        Form::Rest => {
            let key = read.get("key").and_then(Value::as_str).and_then(SysctlKey::from_name);
            let key = key.expect("the key stands before the value");
            sysctl_rest(cursor, word, key).map(Value::from)
        }
        Form::File => match word.text {
            words::CGROUP_FILE => Ok(word.text.into()),
            _ => Err(cursor.error(word, arg.what.into())),
        },
        Form::OrMax if word.text == "max" => Ok((-1).into()),
        Form::Millis => match words::micros(word.text) {
            Some(us) if us % 1_000 == 0 => ranged(cursor, word, arg, us / 1_000),
            _ => Err(cursor.error(word, arg.what.into())),
        },
        _ => numeric(cursor, word, arg, word.text),
    }
}

/// The words of a sysctl's value.
pub(super) fn sysctl_rest(cursor: &mut Cursor, first: Word, key: SysctlKey) -> Result<String, TextError> {
    let mut value = first.text.to_owned();
    for _ in 1..key.arity() {
        value.push(' ');
        value.push_str(cursor.next(words::sysctl_expected(key))?.text);
    }
    let expected = || words::sysctl_expected(key).to_owned();
    words::sysctl_value(key, &value).map_err(|()| cursor.error(Word { text: &value, ..first }, expected()))
}

/// An error that names what is near, or points at the list.
pub(super) fn one_of<'a>(
    cursor: &Cursor,
    word: Word,
    what: &str,
    known: impl Iterator<Item = &'a str>,
) -> TextError {
    let error = cursor.error(word, what.into());
    match words::nearest(word.text, known) {
        Some(name) => error.hint(format!("did you mean {name:?}?")),
        None => error,
    }
}

fn optional(
    cursor: &Cursor,
    syntax: &OpSyntax,
    word: Word,
    map: &mut Map<String, Value>,
) -> Result<(), TextError> {
    for arg in syntax.args {
        let value = match arg.form {
            Form::Protocol if word.text == "udp" || word.text == "tcp" => word.text.into(),
            Form::Flag if word.text == arg.field => 1.into(),
            Form::MaybeNumber if words::number(word.text).is_some() => numeric(cursor, word, arg, word.text)?,
            Form::Count => match word.text.strip_prefix('x').filter(|n| words::number(n).is_some()) {
                Some(digits) => numeric(cursor, word, arg, digits)?,
                None => continue,
            },
            Form::Named => match word.text.split_once('=').filter(|(key, _)| *key == arg.field) {
                Some((_, digits)) => numeric(cursor, word, arg, digits)?,
                None => continue,
            },
            _ => continue,
        };
        return match map.insert(arg.field.into(), value) {
            Some(_) => Err(cursor.error(word, format!("{} only once", arg.field))),
            None => Ok(()),
        };
    }
    Err(cursor.error(word, may_follow(syntax, map)))
}

/// What may still stand on the line.
fn may_follow(syntax: &OpSyntax, map: &Map<String, Value>) -> String {
    let mut words: Vec<String> = Vec::new();
    for arg in syntax.args.iter().filter(|a| !a.form.is_required() && !map.contains_key(a.field)) {
        words.push(match arg.form {
            Form::Count => "xCOUNT".into(),
            Form::Named => format!("{}=", arg.field),
            Form::Flag => arg.field.into(),
            _ => arg.what.into(),
        });
    }
    words.push("the end of the line".into());
    words.join(", ").replace(", the end", " or the end")
}

fn numeric(cursor: &Cursor, word: Word, arg: &Arg, digits: &str) -> Result<Value, TextError> {
    match words::number(digits) {
        Some(value) => ranged(cursor, word, arg, value),
        None if looks_numeric(digits) => Err(out_of_range(cursor, word, arg)),
        None => Err(cursor.error(word, arg.what.into())),
    }
}

/// Digits that no number here can hold.
fn looks_numeric(digits: &str) -> bool {
    let plain = digits.strip_prefix(['-', '+']).unwrap_or(digits);
    !plain.is_empty() && plain.bytes().all(|b| b.is_ascii_digit())
}

fn ranged(cursor: &Cursor, word: Word, arg: &Arg, value: i64) -> Result<Value, TextError> {
    if (arg.min..=arg.max).contains(&value) { Ok(value.into()) } else { Err(out_of_range(cursor, word, arg)) }
}

fn out_of_range(cursor: &Cursor, word: Word, arg: &Arg) -> TextError {
    cursor.error(word, format!("{} from {} to {}", arg.what, arg.min, arg.max))
}

/// `@after=2ms took=1ms`, either of them, at the end of the line.
fn read_timing(cursor: &mut Cursor, first: Word) -> Result<Timing, TextError> {
    let mut timing = Timing::USUAL;
    let mut seen = [false; 2];
    let mut word = Word { text: &first.text[1..], column: first.column + 1 };
    loop {
        let expected = || "after=TIME or took=TIME, such as after=2ms".to_owned();
        let (key, time) = word.text.split_once('=').ok_or_else(|| cursor.error(word, expected()))?;
        let (slot, place) = match key {
            "after" => (&mut timing.after, 0),
            "took" => (&mut timing.took, 1),
            _ => return Err(cursor.error(word, expected())),
        };
        if std::mem::replace(&mut seen[place], true) {
            return Err(cursor.error(word, format!("{key} only once")));
        }
        *slot = match words::micros(time) {
            Some(us) if (0..=MICROS_MAX).contains(&us) => Micros(us),
            _ => return Err(cursor.error(word, "a time from 0us to 3600s, such as 2ms".into())),
        };
        match cursor.word() {
            Some(next) => word = next,
            None => return Ok(timing),
        }
    }
}

/// What a limit of a single operation expects.
pub(super) fn expected_by(error: &LimitError) -> String {
    match error {
        LimitError::Number { field, min, max, .. } => format!("{field} from {min} to {max}"),
        LimitError::Word { expected, .. } => expected.clone(),
        other => other.to_string(),
    }
}

/// A scenario that grew too large at this line.
pub(super) fn over_total(line: &Cursor, error: &LimitError) -> TextError {
    use crate::scenario::limits::{OPS_MAX, SOCKETS_MAX, WORK_MAX};
    match error {
        LimitError::Ops { ops } => line.here(format!("at most {OPS_MAX} operations"), ops.to_string()),
        LimitError::Sockets { sockets, .. } => {
            line.here(format!("at most {SOCKETS_MAX} sockets"), sockets.to_string())
        }
        LimitError::Work { work, .. } => {
            line.here(format!("at most {WORK_MAX} calls and packets altogether"), work.to_string())
        }
        other => line.here(other.to_string(), String::new()),
    }
}
