//! Holds the model's answers against a recording, value by value.

use super::not_modelled;
use super::recording::{RecordedStep, Recording};
use super::report::{Failure, Report};
use super::run::{Played, Player};
use crate::engine::machine::SetupError;
use crate::engine::reason::Fact;
use crate::engine::step::{Refused, Step};
use crate::scenario::text::print_op;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

/// The parts of a step that are answers; the rest is the operation and its time.
const ANSWERS: [&str; 9] = ["ret", "errno", "calls_ok", "segs", "rounds", "read", "syn", "synack", "state"];

/// Parts of `TCP_INFO` that are times: environment, not behaviour.
const CLOCK_FIELDS: [&str; 6] =
    [".tcp.ato", ".tcp.min_rtt", ".tcp.rcv_rtt", ".tcp.rto", ".tcp.rtt", ".tcp.rttvar"];

/// Packet counts of `peer`: absent when no packet came out, which is a count of 0.
const WIRE_COUNTS: [&str; 4] = ["data_bytes", "data_pkts", "pure_acks", "retx"];

/// Counters that the recordings list once they moved, so that absence means 0. The model has others besides
/// (`RetransSegs`, say), which the recordings never list even where they must have moved.
pub const RECORDED_COUNTERS: [&str; 20] = [
    "BeyondWindow",
    "DelayedACKs",
    "OfoPruned",
    "PruneCalled",
    "TCPFromZeroWindowAdv",
    "TCPMemoryPressures",
    "TCPOFODrop",
    "TCPOFOQueue",
    "TCPRcvCoalesce",
    "TCPRcvCollapsed",
    "TCPRcvQDrop",
    "TCPTimeouts",
    "TCPToZeroWindowAdv",
    "TCPWantZeroWindowAdv",
    "TCPWinProbe",
    "TCPZeroWindowDrop",
    "UdpInDatagrams",
    "UdpInErrors",
    "UdpMemErrors",
    "UdpRcvbufErrors",
];

/// Replays a recording and compares every value. `kernel` replaces the recording's own kernel; `reasons` asks for the
/// `why` of each failure. `seen` is shown every operation's report as soon as there is one.
///
/// # Errors
/// The recording's environment cannot be made: see [`Player::new`].
pub fn replay(
    recording: &Recording,
    kernel: Option<&str>,
    reasons: bool,
    mut seen: impl FnMut(u32, &RecordedStep, &Report),
) -> Result<Report, SetupError> {
    let mut player = Player::new(recording, kernel, reasons)?;
    let mut total = Report { traces: 1, ..Report::default() };
    for (at, recorded) in (0..).zip(&recording.steps) {
        let played = player.play(recorded);
        let report = Comparison { recording, at, recorded, own_kernel: kernel.is_none() }.report(&played);
        seen(at, recorded, &report);
        total.merge(report);
    }
    Ok(total)
}

/// One step of a recording, to be compared.
#[derive(Clone, Copy, Debug)]
pub struct Comparison<'a> {
    /// The recording.
    pub recording: &'a Recording,
    /// Which step, from 0.
    pub at: u32,
    /// The step.
    pub recorded: &'a RecordedStep,
    /// The model runs the recording's own kernel, so that it must have every field which that kernel has.
    pub own_kernel: bool,
}

impl Comparison<'_> {
    /// Compares what the model answered.
    pub fn report(&self, played: &Result<Played, Refused>) -> Report {
        let mut report = Report { steps: 1, ..Report::default() };
        match played {
            Err(refused) => self.fail(&mut report, "refused", "a step".into(), refused.to_string().into(), None),
            Ok(Played { answers, step }) => {
                for imbalance in &step.imbalances {
                    let got = serde_json::to_value(imbalance).unwrap_or_default();
                    self.fail(&mut report, "imbalance", Value::Null, got, None);
                }
                self.compare(&mut report, answers, step);
            }
        }
        report
    }

    fn compare(&self, report: &mut Report, answers: &Map<String, Value>, step: &Step) {
        let mut expected = leaves(&self.recorded.raw);
        let mut got = leaves(answers);
        self.compare_names(report, &mut expected, &mut got);
        let paths: BTreeSet<&String> = expected.keys().chain(got.keys()).collect();
        for path in paths {
            self.compare_value(report, path, (expected.get(path), got.get(path)), step);
        }
    }

    /// Which sockets there are. A socket that one side alone has is one difference, not one for each of its numbers.
    fn compare_names(
        &self,
        report: &mut Report,
        expected: &mut BTreeMap<String, Value>,
        got: &mut BTreeMap<String, Value>,
    ) {
        let names = |side: &BTreeMap<String, Value>| -> BTreeSet<String> {
            side.keys().filter_map(|path| sock_name(path)).map(str::to_owned).collect()
        };
        let (recorded, modelled) = (names(expected), names(got));
        for name in recorded.symmetric_difference(&modelled) {
            let here =
                |side: &BTreeSet<String>| Value::from(if side.contains(name) { "listed" } else { "absent" });
            let path = format!("socks.{name}");
            self.fail(report, &path, here(&recorded), here(&modelled), None);
            expected.retain(|path, _| sock_name(path) != Some(name));
            got.retain(|path, _| sock_name(path) != Some(name));
        }
    }

    fn compare_value(
        &self,
        report: &mut Report,
        path: &str,
        sides: (Option<&Value>, Option<&Value>),
        step: &Step,
    ) {
        let field = field_of(path);
        let zero = Value::from(0);
        let (recorded, modelled) = match sides {
            (None, Some(_)) if !counts_as_zero(&field) => return,
            (recorded, modelled) if counts_as_zero(&field) => {
                (recorded.unwrap_or(&zero), modelled.unwrap_or(&zero))
            }
            (recorded, modelled) => (recorded.unwrap_or(&Value::Null), modelled.unwrap_or(&Value::Null)),
        };
        if is_clock(&field) || self.recording.leaves_out(path, self.at) {
            report.not_compared += 1;
        } else if not_modelled::reason(&field).is_some() {
            report.not_modelled += 1;
        } else if recorded.is_null() && modelled.is_null() {
            // Neither kernel nor model has the option.
        } else if !self.own_kernel && (recorded.is_null() || modelled.is_null()) {
            // Another kernel was asked for, and one of the two does not have the field.
        } else if recorded == modelled {
            report.count(&field, true);
        } else {
            let why = last_moved(step, path);
            self.fail(report, path, recorded.clone(), modelled.clone(), why);
        }
    }

    fn fail(&self, report: &mut Report, path: &str, expected: Value, got: Value, why: Option<String>) {
        report.count(&field_of(path), false);
        report.failures.push(Failure {
            trace: self.recording.name(),
            step: self.at,
            field: shown(path).to_owned(),
            expected,
            got,
            op: print_op(&self.recorded.op.clone().into()),
            why,
        });
    }
}

/// Every scalar of a step's answers by its path. A list counts as one.
pub(super) fn leaves(step: &Map<String, Value>) -> BTreeMap<String, Value> {
    let mut out = BTreeMap::new();
    for name in ANSWERS {
        if let Some(value) = step.get(name) {
            collect(name, value, &mut out);
        }
    }
    out
}

fn collect(path: &str, value: &Value, out: &mut BTreeMap<String, Value>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                collect(&format!("{path}.{name}"), value, out);
            }
        }
        other => {
            out.insert(path.to_owned(), other.clone());
        }
    }
}

/// `s` of `state.socks.s.fwd_alloc`.
fn sock_name(path: &str) -> Option<&str> {
    path.strip_prefix("state.socks.")?.split('.').next()
}

/// A path as reports show it: `socks.s.fwd_alloc`.
fn shown(path: &str) -> &str {
    path.strip_prefix("state.").unwrap_or(path)
}

/// A path as the table groups it: `socks.*.fwd_alloc`.
fn field_of(path: &str) -> String {
    let path = shown(path);
    match path.strip_prefix("socks.").map(|rest| rest.split_once('.')) {
        Some(Some((_, field))) => format!("socks.*.{field}"),
        Some(None) => "socks.*".to_owned(),
        None => path.to_owned(),
    }
}

fn is_clock(field: &str) -> bool {
    field.ends_with("Chrono")
        || CLOCK_FIELDS.iter().any(|name| field.starts_with("socks.") && field.ends_with(name))
}

fn counts_as_zero(field: &str) -> bool {
    let counter = field.strip_prefix("global.snmp.");
    let packets = field.strip_prefix("socks.*.peer.");
    counter.is_some_and(|name| RECORDED_COUNTERS.contains(&name) || name.ends_with("Chrono"))
        || packets.is_some_and(|name| WIRE_COUNTS.contains(&name))
}

/// Which rule moved the number last in this step: `tcp_grow_window 0 -> 5840`.
fn last_moved(step: &Step, path: &str) -> Option<String> {
    let wanted = sock_name(path);
    step.beats.iter().rev().find_map(|beat| {
        if wanted.is_some() && beat.sock.is_some_and(|sock| Some(sock.as_str()) != wanted) {
            return None;
        }
        beat.facts.iter().rev().find_map(|fact| match fact {
            Fact::Moved { rule, field, before, after } if path.ends_with(&format!(".{}", field.name())) => {
                Some(format!("{} {before} -> {after}", rule.name()))
            }
            _ => None,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn paths_are_grouped_without_the_sockets_name() {
        assert_eq!(field_of("state.socks.s.tcp.rcv_wnd"), "socks.*.tcp.rcv_wnd");
        assert_eq!(field_of("state.global.snmp.PruneCalled"), "global.snmp.PruneCalled");
        assert_eq!(field_of("socks.s"), "socks.*");
        assert_eq!(field_of("ret"), "ret");
    }

    #[test]
    fn clocks_are_told_from_numbers() {
        assert!(is_clock("global.snmp.TCPMemoryPressuresChrono"));
        assert!(is_clock("socks.*.tcp.rtt") && is_clock("socks.*.tcp.ato"));
        assert!(!is_clock("socks.*.tcp.rcv_space") && !is_clock("global.snmp.TCPMemoryPressures"));
    }

    #[test]
    fn answers_fall_apart_into_scalars() {
        let socks = json!({ "s": { "tun": [1], "inq": 2 } });
        let step = json!({ "op": "send", "ret": 1, "t_us": [0, 1], "state": { "socks": socks } });
        let Value::Object(step) = step else { unreachable!() };
        let found: Vec<(String, Value)> = leaves(&step).into_iter().collect();
        let expected = [("ret", json!(1)), ("state.socks.s.inq", json!(2)), ("state.socks.s.tun", json!([1]))];
        assert_eq!(found, expected.map(|(path, value)| (path.to_owned(), value)));
    }
}
