//! Words of a line, and the small readers shared by set-up lines, operations and limits.

use super::error::TextError;
use crate::engine::op::{Op, SysctlKey};
use crate::scenario::limits::LINE_MAX;
use serde_json::{Map, Value};

/// The only cgroup file the model knows.
pub(crate) const CGROUP_FILE: &str = "memory.max";
/// What a path looks like, for messages.
pub(crate) const PATH_EXPECTED: &str = "a field such as s.reserved";

/// One word and the column it begins at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word<'a> {
    pub text: &'a str,
    pub column: u32,
}

/// Walks through the words of one line.
pub(crate) struct Cursor<'a> {
    rest: &'a str,
    column: u32,
    line: u32,
}

impl<'a> Cursor<'a> {
    pub const fn new(text: &'a str, line: u32) -> Self {
        Self { rest: text, column: 1, line }
    }

    fn skip_spaces(&mut self) {
        let trimmed = self.rest.trim_start();
        self.column += chars(&self.rest[..self.rest.len() - trimmed.len()]);
        self.rest = trimmed;
    }

    /// The next word, if there is one.
    pub fn word(&mut self) -> Option<Word<'a>> {
        self.skip_spaces();
        let end = self.rest.find(char::is_whitespace).unwrap_or(self.rest.len());
        if end == 0 {
            return None;
        }
        let (text, rest) = self.rest.split_at(end);
        let word = Word { text, column: self.column };
        self.column += chars(text);
        self.rest = rest;
        Some(word)
    }

    /// The next word; an error that says what was expected when there is none.
    pub fn next(&mut self, expected: &str) -> Result<Word<'a>, TextError> {
        self.word().ok_or_else(|| TextError::new(self.line, self.column, expected.into(), None))
    }

    /// Nothing may follow.
    pub fn end(&mut self) -> Result<(), TextError> {
        self.word().map_or(Ok(()), |word| Err(self.error(word, "the end of the line".into())))
    }

    /// The rest of the line as prose.
    pub fn prose(&mut self, expected: &str) -> Result<String, TextError> {
        self.skip_spaces();
        let text = prose_of(self.rest);
        if text.is_empty() {
            return Err(TextError::new(self.line, self.column, expected.into(), None));
        }
        check_prose(self, &text)?;
        Ok(text)
    }

    /// A new cursor at the start of the same line, without its note.
    pub fn without_note<'b>(&self, line: &'b str) -> Cursor<'b> {
        Cursor::new(split_note(line).0, self.line)
    }

    /// An error at a word.
    pub fn error(&self, word: Word, expected: String) -> TextError {
        TextError::new(self.line, word.column, expected, Some(word.text.into()))
    }

    /// An error at the place the cursor stands at, which is too long.
    pub fn here(&self, expected: String, found: String) -> TextError {
        TextError::new(self.line, self.column, expected, Some(found))
    }
}

fn chars(text: &str) -> u32 {
    u32::try_from(text.chars().count()).unwrap_or(u32::MAX)
}

/// Splits a line at its `#`: what comes before, and the note after it.
pub(super) fn split_note(line: &str) -> (&str, Option<&str>) {
    line.split_once('#').map_or((line, None), |(code, note)| (code, Some(note)))
}

/// Prose as it is kept: control characters become spaces, spaces around it go.
pub(super) fn prose_of(text: &str) -> String {
    let plain: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    plain.trim().to_owned()
}

/// Prose has a length.
pub(super) fn check_prose(cursor: &Cursor, text: &str) -> Result<(), TextError> {
    if text.len() <= LINE_MAX as usize {
        return Ok(());
    }
    Err(cursor.here(format!("at most {LINE_MAX} bytes of text"), format!("{} bytes", text.len())))
}

/// The fields of an operation by name, as they are serialized.
pub(crate) fn fields(op: &Op) -> Map<String, Value> {
    match serde_json::to_value(op) {
        Ok(Value::Object(map)) => map,
        _ => unreachable!("an operation is an object with plain fields"),
    }
}

/// A sysctl's value in its normal form: numbers, as many as the key has, or one word.
pub(crate) fn sysctl_value(key: SysctlKey, text: &str) -> Result<String, ()> {
    let words: Vec<&str> = text.split_whitespace().collect();
    if key.arity() == 0 {
        let plain = |w: &&str| w.len() <= 32 && w.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        return if words.len() == 1 && words.iter().all(plain) { Ok(words[0].to_owned()) } else { Err(()) };
    }
    let numbers: Vec<String> = words.iter().filter_map(|w| number(w)).map(|n| n.to_string()).collect();
    let fits = numbers.len() == words.len() && u32::try_from(numbers.len()) == Ok(key.arity());
    if fits { Ok(numbers.join(" ")) } else { Err(()) }
}

/// What a sysctl's value is, for messages.
pub(crate) const fn sysctl_expected(key: SysctlKey) -> &'static str {
    match key.arity() {
        0 => "a word",
        1 => "a number",
        _ => "three numbers",
    }
}

/// A key by its dotted name, or by its last part.
pub(crate) fn sysctl_key(text: &str) -> Option<SysctlKey> {
    SysctlKey::from_name(text)
        .or_else(|| SysctlKey::ALL.into_iter().find(|key| key.name().rsplit('.').next() == Some(text)))
}

/// A decimal number: an optional sign, then digits.
pub(crate) fn number(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    text.parse().ok()
}

/// A time with its unit (`us`, `ms`, `s`), in microseconds.
pub(super) fn micros(text: &str) -> Option<i64> {
    let units = [("us", 1), ("ms", 1_000), ("s", 1_000_000)];
    units.into_iter().find_map(|(unit, scale)| number(text.strip_suffix(unit)?)?.checked_mul(scale))
}

/// Microseconds as they are printed.
pub(super) fn micros_text(us: i64) -> String {
    if us % 1_000 == 0 { format!("{}ms", us / 1_000) } else { format!("{us}us") }
}

/// A field path: up to four words joined by dots.
pub(crate) fn is_path(text: &str) -> bool {
    let plain = |part: &str| {
        !part.is_empty() && part.len() <= 40 && part.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
    };
    text.split('.').count() <= 4 && text.split('.').all(plain)
}

/// The known word that is nearest to `word`, if one is near enough to be meant.
pub(crate) fn nearest<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    if word.len() > 32 {
        return None;
    }
    let lower = word.to_ascii_lowercase();
    let far = 1 + chars(word) / 4;
    known
        .map(|name| (distance(&lower, &name.to_ascii_lowercase()), name))
        .filter(|(d, _)| *d <= far)
        .min_by_key(|(d, _)| *d)
        .map(|(_, name)| name)
}

/// How many letters have to be changed, added or dropped.
fn distance(a: &str, b: &str) -> u32 {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<u32> = (0..).take(b.len() + 1).collect();
    for (i, x) in (1_u32..).zip(a.chars()) {
        let mut corner = row[0];
        row[0] = i;
        for (j, y) in b.iter().enumerate() {
            let swap = corner + u32::from(x != *y);
            corner = row[j + 1];
            row[j + 1] = swap.min(row[j] + 1).min(corner + 1);
        }
    }
    row[b.len()]
}
