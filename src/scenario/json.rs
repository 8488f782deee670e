//! The recordings' form of a scenario: JSON with `name`, `about`, `header`, `sysctls`,
//! `min_kernel`, `steps`.
//!
//! Written files add what the page needs and the recordings do not have: `title`, `kernel` (the
//! profile), the rest of the set-up in `header`, and `timing`, `note`, `mark`, `ask`, `comment` in
//! a step. A trace of a real kernel reads as the scenario it was made from: its answers are left
//! aside.

use super::limits::{self, LimitError, OPS_MAX, TEXT_MAX};
use super::model::{DEFAULT_PROFILE, Question, Scenario};
use super::syntax::{OpSyntax, operation};
use super::text::words;
use crate::engine::op::{Op, SysctlKey, TimedOp, Timing};
use crate::engine::setup::{Build, RxTruesize, Setup};
use crate::engine::units::{Micros, PageSize};
use serde_json::{Map, Value, json};

/// Largest JSON file that is read, bytes. Traces are large because of the kernel's answers.
const JSON_MAX: u32 = 64 * TEXT_MAX;

/// Why a JSON scenario cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JsonError {
    /// Not JSON.
    #[error("not JSON: {0}")]
    Syntax(String),
    /// Too many bytes.
    #[error("{0} bytes; allowed are {JSON_MAX}")]
    Size(u64),
    /// A field outside the steps.
    #[error("{field}: expected {expected}")]
    Field {
        /// Its name.
        field: String,
        /// What it may be.
        expected: String,
    },
    /// A step that is no operation. Steps count from 1 in the message.
    #[error("step {}: {why}", step + 1)]
    Step {
        /// Index of the step.
        step: u32,
        /// What is wrong with it.
        why: String,
    },
    /// Larger than a scenario may be.
    #[error(transparent)]
    Limit(#[from] LimitError),
}

fn field_error(field: &str, expected: &str) -> JsonError {
    JsonError::Field { field: field.into(), expected: expected.into() }
}

/// Reads a scenario, or the scenario of a trace.
///
/// # Errors
/// The first field or step that does not fit, or a limit that is passed.
pub fn from_json(text: &str) -> Result<Scenario, JsonError> {
    if text.len() > JSON_MAX as usize {
        return Err(JsonError::Size(text.len() as u64));
    }
    let value: Value = serde_json::from_str(text).map_err(|e| JsonError::Syntax(e.to_string()))?;
    let top = value.as_object().ok_or_else(|| field_error("scenario", "an object"))?;
    let word = |field: &str| match top.get(field) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(field_error(field, "a text")),
    };
    let mut scenario = Scenario {
        name: word("name")?.or(word("scenario")?).unwrap_or_default(),
        title: word("title")?.unwrap_or_default(),
        about: word("about")?.unwrap_or_default(),
        profile: word("kernel")?.map_or_else(|| DEFAULT_PROFILE.to_owned(), |kernel| series(&kernel)),
        needs: word("min_kernel")?,
        setup: setup(top)?,
        ..Scenario::default()
    };
    let Some(Value::Array(steps)) = top.get("steps") else {
        return Err(field_error("steps", "a list of operations"));
    };
    if steps.len() > OPS_MAX as usize {
        return Err(LimitError::Ops { ops: steps.len() as u64 }.into());
    }
    for (at, step) in (0_u32..).zip(steps) {
        read_step(&mut scenario, at, step).map_err(|why| JsonError::Step { step: at, why })?;
    }
    if let Some(Value::Object(last)) = top.get("end_marks") {
        let at = scenario.op_count();
        read_words(&mut scenario, at, last).map_err(|why| field_error("end_marks", &why))?;
    }
    limits::check(&scenario)?;
    Ok(scenario)
}

/// The profile id of a release: `6.12.117` is of the series `6.12`; other ids stay as they are.
fn series(kernel: &str) -> String {
    let parts: Vec<&str> = kernel.split('.').collect();
    let numeric = parts.iter().all(|p| !p.is_empty() && p.bytes().all(|b| b.is_ascii_digit()));
    if parts.len() == 3 && numeric { parts[..2].join(".") } else { kernel.to_owned() }
}

fn setup(top: &Map<String, Value>) -> Result<Setup, JsonError> {
    let mut setup = Setup::default();
    if let Some(Value::Object(header)) = top.get("header") {
        for (field, value) in header {
            header_field(&mut setup, field, value)
                .ok_or_else(|| field_error(&format!("header.{field}"), "a value the set-up knows"))?;
        }
    }
    if let Some(Value::Object(sysctls)) = top.get("sysctls") {
        for (name, value) in sysctls {
            let key = SysctlKey::from_name(name).ok_or_else(|| field_error(name, "a sysctl the model knows"))?;
            let text = scalar(value).ok_or_else(|| field_error(name, words::sysctl_expected(key)))?;
            let value = words::sysctl_value(key, &text);
            let value = value.map_err(|()| field_error(name, words::sysctl_expected(key)))?;
            setup.sysctls.insert(key, value);
        }
    }
    Ok(setup)
}

fn header_field(setup: &mut Setup, field: &str, value: &Value) -> Option<()> {
    let number = || value.as_u64().and_then(|n| u32::try_from(n).ok());
    match field {
        "mtu" => setup.mtu = number()?,
        "memcg" => setup.memcg = value.as_bool().or_else(|| number().map(|n| n != 0))?,
        "memcg_other" => setup.memcg_other = number()?,
        "cpus" => setup.cpus = number()?,
        "build" => setup.build = Build::from_name(value.as_str()?)?,
        "rx_truesize" => setup.rx_truesize = RxTruesize::from_name(value.as_str()?)?,
        "page_size" => {
            let sizes = [PageSize::K4, PageSize::K64];
            setup.page_size = sizes.into_iter().find(|s| Some(s.bytes().get()) == value.as_i64())?;
        }
        // How many packets a recording lists, and where it was made: nothing the machine is made
        // of.
        _ => {}
    }
    Some(())
}

/// Text or number as text.
fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

fn read_step(scenario: &mut Scenario, at: u32, step: &Value) -> Result<(), String> {
    let step = step.as_object().ok_or("expected an object")?;
    let name = step.get("op").and_then(Value::as_str).ok_or("expected an op")?;
    let syntax = operation(name).ok_or_else(|| format!("{name:?} is no operation"))?;
    let op = read_op(syntax, step)?;
    let timing = match step.get("timing") {
        Some(value) => Some(read_timing(value).ok_or("timing: expected after and took, microseconds")?),
        None => None,
    };
    read_words(scenario, at, step)?;
    if let Some(note) = step.get("note") {
        scenario.notes.insert(at, note.as_str().ok_or("note: expected a text")?.to_owned());
    }
    scenario.ops.push(TimedOp { op, timing });
    Ok(())
}

/// Picks the operation's own fields out of a step.
fn read_op(syntax: &OpSyntax, step: &Map<String, Value>) -> Result<Op, String> {
    let mut map = Map::new();
    map.insert("op".into(), syntax.name.into());
    for arg in syntax.args {
        let Some(value) = step.get(arg.field) else {
            continue;
        };
        // The recordings write a cgroup's limit as text; a sysctl's numbers may stand without
        // quotes.
        let value = match (syntax.name, arg.field, value) {
            ("cgroup", "value", Value::String(text)) if text == "max" => (-1).into(),
            ("cgroup", "value", Value::String(text)) => words::number(text).ok_or("value: expected bytes")?.into(),
            ("sysctl", "value", _) => scalar(value).ok_or("value: expected numbers or a word")?.into(),
            _ => value.clone(),
        };
        map.insert(arg.field.into(), value);
    }
    let mut op: Op = serde_json::from_value(Value::Object(map)).map_err(|e| e.to_string())?;
    if let Op::Sysctl { key, value } = &mut op {
        *value = words::sysctl_value(*key, value)
            .map_err(|()| format!("value: expected {}", words::sysctl_expected(*key)))?;
    }
    Ok(op)
}

fn read_timing(value: &Value) -> Option<Timing> {
    let micros = |field: &str| value.get(field)?.as_i64().map(Micros);
    Some(Timing { after: micros("after")?, took: micros("took")? })
}

fn read_words(scenario: &mut Scenario, at: u32, step: &Map<String, Value>) -> Result<(), String> {
    if let Some(mark) = step.get("mark") {
        scenario.marks.insert(at, mark.as_str().ok_or("mark: expected a text")?.to_owned());
    }
    if let Some(comment) = step.get("comment") {
        scenario.comments.insert(at, comment.as_str().ok_or("comment: expected a text")?.to_owned());
    }
    if let Some(ask) = step.get("ask") {
        let question = serde_json::from_value::<Question>(ask.clone());
        scenario.questions.insert(at, question.map_err(|_| "ask: expected path and text")?);
    }
    Ok(())
}

/// Writes a scenario: one step a line, the operation first.
pub fn to_json(scenario: &Scenario) -> String {
    let mut top = vec![("name", json!(scenario.name))];
    let texts = [("title", &scenario.title), ("about", &scenario.about), ("kernel", &scenario.profile)];
    top.extend(texts.into_iter().filter(|(_, text)| !text.is_empty()).map(|(field, text)| (field, json!(text))));
    top.extend(scenario.needs.iter().map(|needs| ("min_kernel", json!(needs))));
    top.push(("header", write_header(&scenario.setup)));
    let sysctls: Map<String, Value> =
        scenario.setup.sysctls.iter().map(|(key, value)| (key.name().into(), json!(value))).collect();
    top.push(("sysctls", Value::Object(sysctls)));
    let after = write_words(scenario, scenario.op_count());
    if !after.is_empty() {
        top.push(("end_marks", Value::Object(after.into_iter().map(|(k, v)| (k.to_owned(), v)).collect())));
    }
    let head: Vec<String> = top.iter().map(|(field, value)| format!("{}:{value}", json!(field))).collect();
    let steps: Vec<String> = (0..).zip(&scenario.ops).map(|(at, timed)| write_step(scenario, at, timed)).collect();
    format!("{{{},\"steps\":[\n{}\n]}}\n", head.join(","), steps.join(",\n"))
}

fn write_header(setup: &Setup) -> Value {
    let usual = Setup::default();
    let all = [
        (setup.build != usual.build, "build", json!(setup.build.name())),
        (setup.page_size != usual.page_size, "page_size", json!(setup.page_size.bytes().get())),
        (setup.cpus != usual.cpus, "cpus", json!(setup.cpus)),
        (setup.memcg != usual.memcg, "memcg", json!(u32::from(setup.memcg))),
        (setup.memcg_other != usual.memcg_other, "memcg_other", json!(setup.memcg_other)),
        (setup.mtu != usual.mtu, "mtu", json!(setup.mtu)),
        (setup.rx_truesize != usual.rx_truesize, "rx_truesize", json!(setup.rx_truesize.name())),
    ];
    let differing = all.into_iter().filter(|(differs, _, _)| *differs);
    Value::Object(differing.map(|(_, field, value)| (field.to_owned(), value)).collect())
}

fn write_words(scenario: &Scenario, at: u32) -> Vec<(&'static str, Value)> {
    let mut out = Vec::new();
    out.extend(scenario.comments.get(&at).map(|text| ("comment", json!(text))));
    out.extend(scenario.marks.get(&at).map(|text| ("mark", json!(text))));
    out.extend(scenario.questions.get(&at).map(|q| ("ask", json!(q))));
    out
}

fn write_step(scenario: &Scenario, at: u32, timed: &TimedOp) -> String {
    let map = words::fields(&timed.op);
    let name = map.get("op").and_then(Value::as_str).unwrap_or_default();
    let args = operation(name).map_or(&[][..], |syntax| syntax.args);
    let mut out = vec![("op", json!(name))];
    out.extend(args.iter().filter_map(|arg| map.get(arg.field).map(|value| (arg.field, value.clone()))));
    if let Some(Timing { after, took }) = timed.timing {
        out.push(("timing", json!({ "after": after.get(), "took": took.get() })));
    }
    out.extend(write_words(scenario, at));
    out.extend(scenario.notes.get(&at).map(|text| ("note", json!(text))));
    let fields: Vec<String> = out.iter().map(|(field, value)| format!("{}:{value}", json!(field))).collect();
    format!("{{{}}}", fields.join(","))
}
