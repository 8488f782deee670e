//! How large a scenario may be. Links come from anywhere, so every count has a bound, and the sum
//! of the work too.

mod error;

pub use error::LimitError;

use super::model::Scenario;
use super::syntax::{Form, operation};
use super::text::words;
use crate::engine::op::{Op, SockName, SockOpt, SysctlKey, TimedOp, Timing};
use crate::engine::setup::Setup;
use crate::engine::units::PageSize;
use serde_json::Value;

/// Largest text form, bytes; also the most a link may unpack to.
pub const TEXT_MAX: u32 = 256 * 1024;
/// Most operations in a scenario.
pub const OPS_MAX: u32 = 20_000;
/// Most sockets a scenario may make, children of listeners included.
pub const SOCKETS_MAX: u32 = 4096;
/// Most sockets one `many` makes.
pub const MANY_MAX: i64 = 4096;
/// Most repetitions of one operation.
pub const COUNT_MAX: i64 = 100_000;
/// Most bytes of one call.
pub const BYTES_MAX: i64 = 64 * 1024 * 1024;
/// Most payload bytes of one segment or datagram.
pub const LEN_MAX: i64 = 65_535;
/// Largest window of the peer, bytes: 65535 shifted by 14.
pub const WINDOW_MAX: i64 = 65_535 << 14;
/// Longest sleep, milliseconds.
pub const SLEEP_MS_MAX: i64 = 3_600_000;
/// Longest pause before an operation, and longest operation, microseconds.
pub const MICROS_MAX: i64 = 3_600_000_000;
/// Most work in one scenario: calls, packets and sockets, and one more for every 16 KiB a call
/// sends.
pub const WORK_MAX: u64 = 1_000_000;
/// Longest line of prose, bytes.
pub const LINE_MAX: u32 = 4096;
/// Longest scenario name or profile id, bytes.
pub const ID_MAX: u32 = 64;
/// Most profiles beside the first.
pub const COMPARE_MAX: u32 = 3;
/// Most CPUs of a machine.
pub const CPUS_MAX: u32 = 64;
/// Most pages of other memory in the task's group: 64 GiB of 4 KiB pages.
pub const PAGES_MAX: u32 = 16 << 20;
/// Smallest and largest MTU, bytes.
pub const MTU: (u32, u32) = (68, 65_535);

/// Running totals of a scenario, checked while it is read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Totals {
    ops: u32,
    sockets: u64,
    work: u64,
}

impl Totals {
    /// Adds one operation.
    ///
    /// # Errors
    /// When the scenario has too many operations, sockets or too much work with it.
    pub fn add(&mut self, op: &Op) -> Result<(), LimitError> {
        if self.ops >= OPS_MAX {
            return Err(LimitError::Ops { ops: u64::from(self.ops) + 1 });
        }
        let at = self.ops;
        self.ops += 1;
        self.sockets += match op {
            Op::Socket { .. } | Op::PeerConnect { .. } => 1,
            Op::Many { n, .. } => u64::from(*n),
            _ => 0,
        };
        if self.sockets > u64::from(SOCKETS_MAX) {
            return Err(LimitError::Sockets { op: at, sockets: self.sockets });
        }
        self.work = self.work.saturating_add(work(op));
        if self.work > WORK_MAX {
            return Err(LimitError::Work { op: at, work: self.work });
        }
        Ok(())
    }
}

/// The work of one operation, in calls and packets.
fn work(op: &Op) -> u64 {
    match op {
        Op::Send { bytes, count, .. } => u64::from(*count) * (1 + u64::from(*bytes) / 16_384),
        Op::Rx { count, .. }
        | Op::RxAt { count, .. }
        | Op::Read { count, .. }
        | Op::UdpRx { count, .. }
        | Op::UdpSend { count, .. } => u64::from(*count),
        Op::Many { n, .. } => u64::from(*n),
        _ => 1,
    }
}

/// Checks a whole scenario: that its text form exists and reads back, and that no limit is passed.
///
/// # Errors
/// The first thing that does not fit, with the operation, the field, the value and what is allowed.
pub fn check(scenario: &Scenario) -> Result<(), LimitError> {
    check_head(scenario)?;
    check_setup(&scenario.setup)?;
    let mut totals = Totals::default();
    for (at, timed) in (0_u32..).zip(&scenario.ops) {
        totals.add(&timed.op)?;
        check_op(at, timed)?;
    }
    check_places(scenario)
}

fn check_head(s: &Scenario) -> Result<(), LimitError> {
    id("name", &s.name, true)?;
    id("kernel", &s.profile, false)?;
    if let Some(needs) = &s.needs {
        id("needs", needs, false)?;
    }
    if !s.title.is_empty() {
        prose("title", &s.title, false)?;
    }
    if !s.about.is_empty() {
        lines("about", &s.about, false)?;
    }
    Ok(())
}

/// A name or profile id: letters, digits and `.+_-`.
pub(super) fn is_id(text: &str) -> bool {
    !text.is_empty()
        && text.len() <= ID_MAX as usize
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b".+_-".contains(&b))
}

fn id(field: &'static str, text: &str, may_be_empty: bool) -> Result<(), LimitError> {
    if is_id(text) || (may_be_empty && text.is_empty()) {
        return Ok(());
    }
    let expected = format!("letters, digits and .+_-, at most {ID_MAX}");
    Err(LimitError::Setup { field, value: text.into(), expected })
}

/// One line of prose, as the text form keeps it.
fn prose(field: &'static str, line: &str, may_be_empty: bool) -> Result<(), LimitError> {
    let fits = line.len() <= LINE_MAX as usize
        && line.trim() == line
        && !line.chars().any(char::is_control)
        && (may_be_empty || !line.is_empty());
    if fits {
        return Ok(());
    }
    let expected = format!("a line of text, at most {LINE_MAX} bytes, without spaces around it");
    Err(LimitError::Setup { field, value: line.into(), expected })
}

fn lines(field: &'static str, text: &str, may_be_empty: bool) -> Result<(), LimitError> {
    text.split('\n').try_for_each(|line| prose(field, line, may_be_empty))
}

fn check_setup(setup: &Setup) -> Result<(), LimitError> {
    let wrong = |field, value: String, expected: String| Err(LimitError::Setup { field, value, expected });
    if setup.page_size != PageSize::K4 && setup.page_size != PageSize::K64 {
        return wrong("pages", setup.page_size.bytes().to_string(), "4k or 64k".into());
    }
    if setup.cpus == 0 || setup.cpus > CPUS_MAX {
        return wrong("cpus", setup.cpus.to_string(), format!("1 to {CPUS_MAX}"));
    }
    if setup.memcg_other > PAGES_MAX {
        return wrong("memcg-other", setup.memcg_other.to_string(), format!("0 to {PAGES_MAX}"));
    }
    if setup.mtu < MTU.0 || setup.mtu > MTU.1 {
        return wrong("mtu", setup.mtu.to_string(), format!("{} to {}", MTU.0, MTU.1));
    }
    for (key, value) in &setup.sysctls {
        if words::sysctl_value(*key, value).as_ref() != Ok(value) {
            return wrong(key.name(), value.clone(), words::sysctl_expected(*key).into());
        }
    }
    Ok(())
}

/// Checks one operation's own fields against the table.
///
/// # Errors
/// The first field that does not fit.
///
/// # Panics
/// When an operation is missing from the table: our own bug, held by a test.
pub fn check_op(at: u32, timed: &TimedOp) -> Result<(), LimitError> {
    let fields = words::fields(&timed.op);
    let name = fields.get("op").and_then(Value::as_str).unwrap_or_default();
    let syntax = operation(name).expect("every operation is in the table");
    for arg in syntax.args {
        let Some(value) = fields.get(arg.field) else {
            continue;
        };
        if let Some(value) = value.as_i64() {
            if value < arg.min || value > arg.max {
                let (min, max) = (arg.min, arg.max);
                return Err(LimitError::Number { op: at, name: syntax.name, field: arg.field, value, min, max });
            }
        } else if let Some(text) = value.as_str() {
            check_word(at, syntax.name, arg.form, arg.field, text, &timed.op)?;
        }
    }
    timed.timing.map_or(Ok(()), |timing| check_timing(at, syntax.name, timing))
}

fn check_word(
    op: u32,
    name: &'static str,
    form: Form,
    field: &'static str,
    text: &str,
    whole: &Op,
) -> Result<(), LimitError> {
    let (fits, expected) = match (form, whole) {
        (Form::File, _) => (text == words::CGROUP_FILE, words::CGROUP_FILE),
        (Form::Rest, Op::Sysctl { key, value }) => {
            (words::sysctl_value(*key, value).as_ref() == Ok(value), words::sysctl_expected(*key))
        }
        (Form::Name, Op::Many { prefix, n }) => {
            let last = format!("{prefix}{}", n.saturating_sub(1));
            (SockName::new(&last).is_some(), "a prefix short enough: a name has at most 15 characters")
        }
        (Form::Name, _) => (SockName::new(text).is_some(), "a socket name"),
        (Form::Option, _) => (SockOpt::from_name(text).is_some(), "a socket option"),
        (Form::Key, _) => (SysctlKey::from_name(text).is_some(), "a sysctl"),
        _ => (true, ""),
    };
    if fits {
        return Ok(());
    }
    Err(LimitError::Word { op, name, field, value: text.into(), expected: expected.into() })
}

fn check_timing(op: u32, name: &'static str, timing: Timing) -> Result<(), LimitError> {
    for (field, value) in [("after", timing.after.get()), ("took", timing.took.get())] {
        if !(0..=MICROS_MAX).contains(&value) {
            return Err(LimitError::Number { op, name, field, value, min: 0, max: MICROS_MAX });
        }
    }
    Ok(())
}

fn check_places(s: &Scenario) -> Result<(), LimitError> {
    let ops = s.op_count();
    let inside = |what: &'static str, at: u32, end: u32| {
        if at < end { Ok(()) } else { Err(LimitError::Place { what, at, ops }) }
    };
    for (at, text) in &s.notes {
        inside("note", *at, ops)?;
        lines("note", text, false)?;
    }
    for (at, question) in &s.questions {
        inside("question", *at, ops)?;
        prose("ask", &question.text, false)?;
        if !words::is_path(&question.path) {
            let expected = words::PATH_EXPECTED.into();
            return Err(LimitError::Setup { field: "ask", value: question.path.clone(), expected });
        }
    }
    for (at, text) in &s.marks {
        inside("mark", *at, ops + 1)?;
        prose("mark", text, false)?;
    }
    for (at, text) in &s.comments {
        inside("comment", *at, ops + 1)?;
        lines("comment", text, true)?;
    }
    Ok(())
}
