//! What a lesson claims, checked against the engine.

use crate::scenario::text::words::{is_path, number};
use std::fmt;

/// errno names that assertions may use, and their numbers on Linux.
const ERRNOS: [(&str, i64); 16] = [
    ("EPERM", 1),
    ("ENOENT", 2),
    ("EAGAIN", 11),
    ("ENOMEM", 12),
    ("EACCES", 13),
    ("EINVAL", 22),
    ("EPIPE", 32),
    ("EDOM", 33),
    ("ENOPROTOOPT", 92),
    ("EOPNOTSUPP", 95),
    ("EADDRINUSE", 98),
    ("ECONNRESET", 104),
    ("ENOBUFS", 105),
    ("EISCONN", 106),
    ("ENOTCONN", 107),
    ("ECONNREFUSED", 111),
];

/// The number of an errno name, `ENOMEM` and the like.
pub fn errno_value(name: &str) -> Option<i64> {
    ERRNOS.iter().find(|(n, _)| *n == name).map(|(_, value)| *value)
}

/// The name of an errno number, where it has one here.
pub fn errno_name(value: i64) -> Option<&'static str> {
    ERRNOS.iter().find(|(_, v)| *v == value).map(|(name, _)| *name)
}

/// How the two numbers compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cmp {
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
}

impl Cmp {
    /// Every comparison.
    pub const ALL: [Self; 6] = [Self::Eq, Self::Ne, Self::Lt, Self::Le, Self::Gt, Self::Ge];

    /// Its sign.
    pub const fn sign(self) -> &'static str {
        match self {
            Self::Eq => "==",
            Self::Ne => "!=",
            Self::Lt => "<",
            Self::Le => "<=",
            Self::Gt => ">",
            Self::Ge => ">=",
        }
    }

    /// Whether `left` stands so to `right`.
    pub const fn holds(self, left: i64, right: i64) -> bool {
        match self {
            Self::Eq => left == right,
            Self::Ne => left != right,
            Self::Lt => left < right,
            Self::Le => left <= right,
            Self::Gt => left > right,
            Self::Ge => left >= right,
        }
    }
}

/// How an assertion came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It holds.
    Holds,
    /// The number is another one.
    Fails {
        /// What there was.
        found: i64,
    },
    /// There is no such number.
    Unknown,
}

/// One claim: `on 5.10 after 3: errno == ENOPROTOOPT`.
///
/// `after` is a number of operations done. The target is a path with the recordings' names: `ret`,
/// `errno`, `s.fwd_alloc`, `s.tcp.rcv_ssthresh`, `s.peer.adv_win`, `global.k_total_pages`,
/// `global.snmp.PruneCalled`. The value is a number, an errno name, or `yes` (1) and `no` (0).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assertion {
    /// The kernel it is claimed for; absent: the scenario's own.
    pub profile: Option<String>,
    /// How many operations are done.
    pub after: u32,
    /// Which number.
    pub target: String,
    /// How it compares.
    pub cmp: Cmp,
    /// With what.
    pub value: i64,
}

/// A line that is no assertion.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected}, found {found:?}")]
pub struct AssertionError {
    /// What could have stood there.
    pub expected: &'static str,
    /// What stood there; empty: the line ended.
    pub found: String,
}

impl Assertion {
    /// Reads one line: `[on PROFILE[,PROFILE...]] after N: PATH SIGN VALUE`. Several profiles give
    /// several assertions.
    ///
    /// # Errors
    /// The first word that does not fit.
    pub fn parse(line: &str) -> Result<Vec<Self>, AssertionError> {
        let mut words = line.split_whitespace();
        let mut next = |expected| words.next().ok_or(AssertionError { expected, found: String::new() });
        let wrong = |expected, word: &str| AssertionError { expected, found: word.to_owned() };
        let mut word = next("on or after")?;
        let mut profiles = vec![None];
        if word == "on" {
            let list = next("a kernel such as 6.12")?;
            profiles = list.split(',').map(|p| Some(p.to_owned())).collect();
            word = next("after")?;
        }
        if word != "after" {
            return Err(wrong("after", word));
        }
        let step = next("a step and a colon")?;
        let after = step.strip_suffix(':').and_then(|digits| digits.parse().ok());
        let after = after.ok_or_else(|| wrong("a step and a colon", step))?;
        let target = next("a field such as s.reserved")?;
        if !is_path(target) {
            return Err(wrong("a field such as s.reserved", target));
        }
        let sign = next("==, !=, <, <=, > or >=")?;
        let cmp = Cmp::ALL.into_iter().find(|c| c.sign() == sign);
        let cmp = cmp.ok_or_else(|| wrong("==, !=, <, <=, > or >=", sign))?;
        let text = next("a number, an errno name, yes or no")?;
        let value = value(text).ok_or_else(|| wrong("a number, an errno name, yes or no", text))?;
        if let Ok(more) = next("") {
            return Err(wrong("the end of the line", more));
        }
        let target = target.to_owned();
        Ok(profiles
            .into_iter()
            .map(|profile| Self { profile, after, target: target.clone(), cmp, value })
            .collect())
    }

    /// Checks it against numbers: `lookup` gives the number of a path after that step.
    pub fn holds(&self, lookup: impl Fn(&str) -> Option<i64>) -> Verdict {
        match lookup(&self.target) {
            None => Verdict::Unknown,
            Some(found) if self.cmp.holds(found, self.value) => Verdict::Holds,
            Some(found) => Verdict::Fails { found },
        }
    }
}

fn value(text: &str) -> Option<i64> {
    match text {
        "yes" => Some(1),
        "no" => Some(0),
        _ => errno_value(text).or_else(|| number(text)),
    }
}

impl fmt::Display for Assertion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(profile) = &self.profile {
            write!(f, "on {profile} ")?;
        }
        write!(f, "after {}: {} {} ", self.after, self.target, self.cmp.sign())?;
        match (self.target.as_str(), errno_name(self.value), self.value) {
            ("errno", Some(name), _) => f.write_str(name),
            ("global.press", _, 0) => f.write_str("no"),
            ("global.press", _, 1) => f.write_str("yes"),
            _ => write!(f, "{}", self.value),
        }
    }
}
