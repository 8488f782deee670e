//! The `key=value` parts of a fragment.

use super::error::LinkError;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Every key this version reads.
const KNOWN: [&str; 11] = ["v", "s", "lesson", "step", "beat", "sock", "p", "c", "u", "m", "r"];

/// The parts this version knows; the others are left aside.
pub(super) struct Params {
    parts: BTreeMap<&'static str, String>,
}

impl Params {
    /// Splits a fragment.
    pub fn read(fragment: &str) -> Result<Self, LinkError> {
        let plain: String = fragment.chars().filter(|c| !c.is_whitespace()).collect();
        let mut parts = BTreeMap::new();
        for (key, value) in plain.split('&').filter_map(|part| part.split_once('=')) {
            let Some(known) = KNOWN.into_iter().find(|k| *k == key) else {
                continue;
            };
            if parts.insert(known, unescape(value)).is_some() {
                return Err(LinkError::Twice { part: key.to_owned() });
            }
        }
        Ok(Self { parts })
    }

    /// The value of a part.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.parts.get(key).map(String::as_str)
    }

    /// Whether one of these parts is there.
    pub fn has_any(&self, keys: &[&str]) -> bool {
        keys.iter().any(|key| self.parts.contains_key(key))
    }

    /// The value of a part that is a number.
    pub fn number(&self, key: &'static str, expected: &str) -> Result<Option<u32>, LinkError> {
        self.read_part(key, expected, digits)
    }

    /// The value of a part, read by `read`; an error when that finds no meaning in it.
    pub fn read_part<T>(
        &self,
        key: &'static str,
        expected: &str,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<Option<T>, LinkError> {
        self.get(key).map(|text| read(text).ok_or_else(|| LinkError::wrong(key, text, expected))).transpose()
    }
}

/// Decimal digits only: no sign.
pub(super) fn digits(text: &str) -> Option<u32> {
    let plain = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if plain { text.parse().ok() } else { None }
}

/// What stands for itself in a fragment and is not ours to interpret.
fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~+,".contains(&byte)
}

/// Percent-encodes what could be misread.
pub(super) fn escape(value: &str) -> String {
    let mut out = String::new();
    for byte in value.bytes() {
        if is_plain(byte) {
            out.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

/// Takes percent-encoding away; what is no encoding stays as it is.
fn unescape(value: &str) -> String {
    let raw = value.as_bytes();
    let mut out = Vec::with_capacity(raw.len());
    let mut at = 0;
    while let Some(&byte) = raw.get(at) {
        let pair = raw.get(at + 1..at + 3).and_then(|pair| std::str::from_utf8(pair).ok());
        let hex = pair.filter(|p| byte == b'%' && p.bytes().all(|b| b.is_ascii_hexdigit()));
        let code = hex.and_then(|hex| u8::from_str_radix(hex, 16).ok());
        out.push(code.unwrap_or(byte));
        at += if code.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&out).into_owned()
}
