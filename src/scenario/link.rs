//! Links: a scenario and where to look, in the fragment of an address.
//!
//! # The format, version 1
//!
//! No server sees a fragment, so a link is also the file. Anybody may make links from a program of
//! their own; this is the whole specification. A link of version 1 opens for ever: later releases
//! may add parameters, never change these.
//!
//! ```text
//! #v=1&s=PAYLOAD&step=6&sock=s
//! #v=1&lesson=reserve-floor&step=6
//! ```
//!
//! The fragment is a list of `key=value` joined by `&`, in any order, each key once. Values may be
//! percent-encoded; `+` is a plus sign. White space anywhere is dropped, because mail programs
//! break lines. **Unknown keys are left aside**, so that a link with newer trimmings still opens.
//!
//! | key | value | absent |
//! |---|---|---|
//! | `v` | `1` | not a link of ours |
//! | `s` | the payload, below | there must be `lesson` |
//! | `lesson` | the name of a built-in lesson | there must be `s`, not both |
//! | `step` | number of operations done, 0 to as many as there are | 0; for a lesson, just before its surprise |
//! | `beat` | number of beats done inside the next operation | none |
//! | `sock` | the selected socket, one that the scenario makes | none |
//! | `p` | kernel profile instead of the scenario's own | the scenario's |
//! | `c` | up to three profiles to compare with, joined by commas | none |
//! | `u` | unit of amounts: `bytes`, `kib`, `pages`, `mb` | `bytes` |
//! | `m` | layout: `lab`, `compare`, `present`, `embed`, `conformance` | `lab` |
//! | `r` | steps an embedded picture may show: `3-9` | all |
//!
//! The payload is made in four steps:
//!
//! 1. the scenario's text form in UTF-8 (see [`super::text`]), at most 256 KiB, 20 000 operations
//!    and 4096 sockets; any text that reads is good, it need not be in normal form;
//! 2. compressed with raw DEFLATE (RFC 1951, no zlib header);
//! 3. in front of it eight bytes: the length of the compressed data, then its CRC-32 (as in zip and
//!    PNG), both as unsigned 32-bit numbers, high byte first;
//! 4. all of it in base64url (RFC 4648, section 5) without `=`.
//!
//! In Python:
//!
//! ```python
//! c = zlib.compressobj(9, zlib.DEFLATED, -15)
//! d = c.compress(text.encode()) + c.flush()
//! s = base64.urlsafe_b64encode(struct.pack(">II", len(d), zlib.crc32(d)) + d).rstrip(b"=").decode()
//! ```
//!
//! The length tells a link that was cut short from one that was mistyped.

mod error;
mod params;
mod payload;

pub use error::LinkError;

use super::lessons;
use super::limits::{self, COMPARE_MAX, is_id};
use super::model::Scenario;
use super::text;
use super::view::{Mode, StepRange, Units, View};
use crate::engine::op::SockName;
use params::Params;
use std::fmt::Write;

/// The version this release writes, and the newest it reads.
pub const VERSION: u32 = 1;
/// Past this many characters a link is better sent as a file.
pub const LONG: u32 = 4000;

/// What a link is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A built-in lesson, by its slug.
    Lesson(String),
    /// A scenario of its own.
    Scenario(Box<Scenario>),
}

/// An opened link: what, and where to look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// What it is about.
    pub source: Source,
    /// Where to look.
    pub view: View,
}

impl Link {
    /// The scenario it shows: its own or the lesson's. `None` for a lesson that is not built in.
    pub fn scenario(&self) -> Option<Scenario> {
        match &self.source {
            Source::Scenario(scenario) => Some((**scenario).clone()),
            Source::Lesson(slug) => lessons::find(slug).map(|lesson| lesson.scenario),
        }
    }
}

/// Whether an address has no fragment to open: the page then begins with its first lesson.
pub fn is_bare(address: &str) -> bool {
    fragment(address).trim().is_empty()
}

/// The fragment of an address; of a text without `#`, all of it.
fn fragment(address: &str) -> &str {
    match address.split_once('#') {
        Some((_, fragment)) => fragment,
        None if address.contains("://") => "",
        None => address,
    }
}

/// Opens a link: a whole address, a fragment with its `#`, or without.
///
/// # Errors
/// Which part is wrong; see [`LinkError`].
pub fn decode(address: &str) -> Result<Link, LinkError> {
    let params = Params::read(fragment(address))?;
    check_version(&params)?;
    let (source, start, scenario) = match (params.get("s"), params.get("lesson")) {
        (Some(_), Some(_)) => return Err(LinkError::TwoSources),
        (None, None) => {
            return Err(LinkError::Missing { part: "s or lesson" });
        }
        (Some(payload), None) => {
            let scenario = text::parse(&payload::unpack(payload)?)?;
            (Source::Scenario(Box::new(scenario.clone())), 0, scenario)
        }
        (None, Some(slug)) => {
            let lesson = lessons::find(slug).ok_or_else(|| LinkError::unknown_lesson(slug))?;
            (Source::Lesson(slug.to_owned()), lesson.surprise_step, lesson.scenario)
        }
    };
    Ok(Link { source, view: read_view(&params, start, &scenario)? })
}

fn check_version(params: &Params) -> Result<(), LinkError> {
    match params.get("v") {
        None if params.has_any(&["s", "lesson"]) => Err(LinkError::NoVersion),
        None => Err(LinkError::NotALink),
        Some(text) => match text.parse::<u32>() {
            Ok(VERSION) => Ok(()),
            Ok(version) if version > VERSION => Err(LinkError::FromTheFuture { version }),
            _ if !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()) && text.len() > 9 => {
                Err(LinkError::FromTheFuture { version: u32::MAX })
            }
            _ => Err(LinkError::wrong("v", text, "a version number from 1")),
        },
    }
}

fn read_view(params: &Params, start: u32, scenario: &Scenario) -> Result<View, LinkError> {
    let ops = scenario.op_count();
    let steps = format!("a step from 0 to {ops}");
    let step = params.number("step", &steps)?.unwrap_or(start);
    if step > ops {
        return Err(LinkError::wrong("step", &step.to_string(), &steps));
    }
    let names = || Mode::ALL.map(Mode::name).join(", ");
    let units = || Units::ALL.map(Units::name).join(", ");
    Ok(View {
        step,
        beat: params.number("beat", "a number of beats")?,
        sock: params.read_part("sock", "a socket of this scenario", |text| {
            SockName::new(text).filter(|name| scenario.sock_names().contains(name))
        })?,
        profile: params.read_part("p", "a kernel such as 6.12", profile)?,
        compare: params.read_part("c", &format!("up to {COMPARE_MAX} kernels"), profiles)?.unwrap_or_default(),
        units: params.read_part("u", &units(), Units::from_name)?.unwrap_or_default(),
        mode: params.read_part("m", &names(), Mode::from_name)?.unwrap_or_default(),
        range: params.read_part("r", &format!("two steps such as 0-{ops}"), |text| range(text, ops))?,
    })
}

fn profile(text: &str) -> Option<String> {
    is_id(text).then(|| text.to_owned())
}

fn profiles(text: &str) -> Option<Vec<String>> {
    let all: Option<Vec<String>> = text.split(',').map(profile).collect();
    all.filter(|list| list.len() <= COMPARE_MAX as usize)
}

fn range(text: &str, ops: u32) -> Option<StepRange> {
    let (first, last) = text.split_once('-')?;
    let range = StepRange { first: params::digits(first)?, last: params::digits(last)? };
    (range.first <= range.last && range.last <= ops).then_some(range)
}

/// Writes a link as a fragment, `#` included.
///
/// # Errors
/// When the scenario passes a limit or its text is too large, or the lesson or the view does not
/// fit.
pub fn encode(link: &Link) -> Result<String, LinkError> {
    let mut out = format!("#v={VERSION}");
    let (start, scenario) = match &link.source {
        Source::Lesson(slug) => {
            let lesson = lessons::find(slug).ok_or_else(|| LinkError::unknown_lesson(slug))?;
            add(&mut out, "lesson", slug);
            (lesson.surprise_step, lesson.scenario)
        }
        Source::Scenario(scenario) => {
            limits::check(scenario)?;
            add(&mut out, "s", &payload::pack(&text::print(scenario))?);
            (0, (**scenario).clone())
        }
    };
    write_view(&mut out, &link.view, start);
    // A view that would not open is not written.
    read_view(&Params::read(&out[1..])?, start, &scenario)?;
    Ok(out)
}

fn add(out: &mut String, key: &str, value: &str) {
    // Writing to a string cannot fail.
    let _ = write!(out, "&{key}={}", params::escape(value));
}

fn write_view(out: &mut String, view: &View, start: u32) {
    if view.step != start {
        add(out, "step", &view.step.to_string());
    }
    if let Some(beat) = view.beat {
        add(out, "beat", &beat.to_string());
    }
    if let Some(sock) = view.sock {
        add(out, "sock", sock.as_str());
    }
    if let Some(profile) = &view.profile {
        add(out, "p", profile);
    }
    if !view.compare.is_empty() {
        add(out, "c", &view.compare.join(","));
    }
    if view.units != Units::default() {
        add(out, "u", view.units.name());
    }
    if view.mode != Mode::default() {
        add(out, "m", view.mode.name());
    }
    if let Some(StepRange { first, last }) = view.range {
        add(out, "r", &format!("{first}-{last}"));
    }
}
