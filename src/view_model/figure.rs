//! A number on screen: what the kernel calls it, whose it is, and its exact value.

use crate::engine::op::SockName;
use std::rc::Rc;

/// A number with its kernel name. Whoever shows it shows all three.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    /// The name used in recordings, or ours for a number the kernel has no name for.
    pub field: Rc<str>,
    /// The socket it belongs to; `None`: the machine.
    pub sock: Option<SockName>,
    /// The exact integer.
    pub value: i64,
}

impl Figure {
    /// A number of a socket.
    pub fn of(sock: SockName, field: &str, value: i64) -> Self {
        Self { field: field.into(), sock: Some(sock), value }
    }

    /// A number of the machine.
    pub fn global(field: &str, value: i64) -> Self {
        Self { field: field.into(), sock: None, value }
    }

    /// With its digits in groups of three.
    pub fn text(&self) -> String {
        group(self.value)
    }
}

/// Digits in groups of three, with a real minus sign.
pub fn group(value: i64) -> String {
    let digits = value.unsigned_abs().to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3 + 3);
    if value < 0 {
        out.push('\u{2212}');
    }
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A change: always with a sign.
pub fn signed(value: i64) -> String {
    if value > 0 { format!("+{}", group(value)) } else { group(value) }
}

/// `n thing` or `n things`.
pub fn count(n: i64, thing: &str) -> String {
    let s = if n == 1 { "" } else { "s" };
    format!("{} {thing}{s}", group(n))
}
