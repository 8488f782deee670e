//! The name a scenario gives a socket.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// Longest name a socket may have, in bytes.
pub const NAME_MAX: usize = 15;

/// The name a scenario gives a socket: a letter, then letters, digits or `_`; 1 to 15 bytes.
///
/// Stored inline so that it is `Copy` and compares fast.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SockName {
    bytes: [u8; NAME_MAX],
    len: u8,
}

impl SockName {
    /// Checks and stores `name`. `None` when it is empty, too long, or has a character that is not allowed.
    pub fn new(name: &str) -> Option<Self> {
        let raw = name.as_bytes();
        if raw.is_empty() || raw.len() > NAME_MAX || !raw[0].is_ascii_alphabetic() {
            return None;
        }
        if !raw.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'_') {
            return None;
        }
        let mut bytes = [0; NAME_MAX];
        bytes[..raw.len()].copy_from_slice(raw);
        Some(Self { bytes, len: u8::try_from(raw.len()).ok()? })
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.bytes[..usize::from(self.len)]).unwrap_or_default()
    }
}

impl fmt::Display for SockName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for SockName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.as_str())
    }
}

impl Serialize for SockName {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for SockName {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let text = String::deserialize(d)?;
        Self::new(&text).ok_or_else(|| {
            serde::de::Error::custom(format!(
                "socket name {text:?}: expected a letter, then letters, digits or _, at most {NAME_MAX} bytes"
            ))
        })
    }
}
