//! A recording: what was done to a real kernel, and what it answered.

use crate::engine::op::{Op, SysctlKey};
use crate::engine::setup::Setup;
use crate::engine::units::PageSize;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

/// One recorded scenario on one kernel.
#[derive(Clone, Debug, PartialEq)]
pub struct Recording {
    /// Release that was recorded, `6.12.117`.
    pub kernel: String,
    /// Name of the scenario, `r08_reserve_tx_cycle`.
    pub scenario: String,
    /// What it shows, in a sentence.
    pub about: String,
    /// The environment: MTU, memory cgroup, page size, sysctls in force when the steps start.
    pub setup: Setup,
    /// Sysctls that this kernel does not have.
    pub sysctls_refused: Vec<String>,
    /// Values that depended on the recording's clock: path of the value, then the steps (from 0).
    pub not_compared: BTreeMap<String, BTreeSet<u32>>,
    /// What was done, in order.
    pub steps: Vec<RecordedStep>,
    /// The file's fields besides the steps, as they were read.
    pub raw: Map<String, Value>,
}

/// One operation and the kernel's answers.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedStep {
    /// The operation.
    pub op: Op,
    /// When it began, microseconds of virtual time since the first operation.
    pub began: i64,
    /// When the state was read, same clock.
    pub read: i64,
    /// The whole step as it was read: the operation's fields, `ret`, `errno`, the extras and `state`.
    pub raw: Map<String, Value>,
}

/// Why a text is no recording. Steps count from 0, as in `not_compared`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LoadError {
    /// Not JSON.
    #[error("not JSON: {0}")]
    Syntax(String),
    /// The input of a recording: it has no answers.
    #[error("a scenario without a kernel's answers, not a recording")]
    Scenario,
    /// A field outside the steps.
    #[error("field `{field}`: expected {expected}")]
    Field {
        /// Its name.
        field: String,
        /// What it must be.
        expected: String,
    },
    /// A field of a step.
    #[error("step {step}, field `{field}`: {why}")]
    Step {
        /// Which step, from 0.
        step: u32,
        /// Its name.
        field: String,
        /// What is wrong with it.
        why: String,
    },
}

impl Recording {
    /// Reads a recording.
    ///
    /// # Errors
    /// The text is not JSON, or a field is missing or has the wrong form: the error names the step and the field.
    pub fn parse(text: &str) -> Result<Self, LoadError> {
        let value: Value = serde_json::from_str(text).map_err(|e| LoadError::Syntax(e.to_string()))?;
        let Value::Object(mut top) = value else {
            return Err(field("(file)", "an object"));
        };
        let Some(steps) = top.remove("steps") else {
            return Err(field("steps", "a list of steps"));
        };
        if !top.contains_key("kernel") && top.contains_key("name") {
            return Err(LoadError::Scenario);
        }
        let Value::Array(steps) = steps else {
            return Err(field("steps", "a list of steps"));
        };
        let steps = (0..).zip(steps).map(|(at, step)| read_step(at, step)).collect::<Result<Vec<_>, _>>()?;
        Ok(Self {
            kernel: text_field(&top, "kernel")?,
            scenario: text_field(&top, "scenario")?,
            about: text_field(&top, "about")?,
            setup: read_setup(&top)?,
            sysctls_refused: read_refused(&top)?,
            not_compared: read_not_compared(&top)?,
            steps,
            raw: top,
        })
    }

    /// `6.12.117/r08_reserve_tx_cycle`: how reports name the recording.
    pub fn name(&self) -> String {
        format!("{}/{}", self.kernel, self.scenario)
    }

    /// Whether the recording itself says that this value must not be compared.
    pub fn leaves_out(&self, path: &str, step: u32) -> bool {
        self.not_compared.get(path).is_some_and(|steps| steps.contains(&step))
    }
}

fn field(name: &str, expected: &str) -> LoadError {
    LoadError::Field { field: name.to_owned(), expected: expected.to_owned() }
}

fn text_field(top: &Map<String, Value>, name: &str) -> Result<String, LoadError> {
    top.get(name).and_then(Value::as_str).map(str::to_owned).ok_or_else(|| field(name, "a text"))
}

fn object<'a>(top: &'a Map<String, Value>, name: &str) -> Result<&'a Map<String, Value>, LoadError> {
    top.get(name).and_then(Value::as_object).ok_or_else(|| field(name, "an object"))
}

/// Pages that the recordings' probe itself holds in its memory cgroup: they count towards `memory.max`, and no
/// recording shows them. What `t17` and `x28` allow is 15 to 16 on 5.10, 26 to 31 on 6.1 and 21 to 27 on 6.12 and 7.3.
fn probe_pages(kernel: &str) -> u32 {
    if kernel.starts_with("5.10.") { 15 } else { 26 }
}

fn read_setup(top: &Map<String, Value>) -> Result<Setup, LoadError> {
    let mut setup = Setup::default();
    let page = top.get("page_size").and_then(Value::as_i64);
    setup.page_size = [PageSize::K4, PageSize::K64]
        .into_iter()
        .find(|size| Some(size.bytes().get()) == page)
        .ok_or_else(|| field("page_size", "4096 or 65536"))?;
    setup.memcg_other = probe_pages(&text_field(top, "kernel")?);
    setup.memcg = top.get("memcg").and_then(Value::as_bool).ok_or_else(|| field("memcg", "true or false"))?;
    if let Some(mtu) = object(top, "header")?.get("mtu") {
        let mtu = mtu.as_u64().and_then(|mtu| u32::try_from(mtu).ok());
        setup.mtu = mtu.ok_or_else(|| field("header.mtu", "a number of bytes"))?;
    }
    for (name, value) in object(top, "sysctls")? {
        let path = format!("sysctls.{name}");
        let key = SysctlKey::from_name(name).ok_or_else(|| field(&path, "a sysctl the model knows"))?;
        let value = value.as_str().ok_or_else(|| field(&path, "a text"))?;
        setup.sysctls.insert(key, value.to_owned());
    }
    Ok(setup)
}

fn read_refused(top: &Map<String, Value>) -> Result<Vec<String>, LoadError> {
    let wrong = || field("sysctls_refused", "a list of names");
    let list = top.get("sysctls_refused").and_then(Value::as_array).ok_or_else(wrong)?;
    // A name alone, or a name with the value that was refused.
    list.iter()
        .map(|entry| entry.as_str().map_or_else(|| Ok(entry.to_string()), |name| Ok(name.to_owned())))
        .collect()
}

fn read_not_compared(top: &Map<String, Value>) -> Result<BTreeMap<String, BTreeSet<u32>>, LoadError> {
    let mut out = BTreeMap::new();
    for (path, steps) in object(top, "not_compared")? {
        let steps = serde_json::from_value(steps.clone())
            .map_err(|_| field(&format!("not_compared.{path}"), "a list of step numbers"))?;
        out.insert(path.clone(), steps);
    }
    Ok(out)
}

fn read_step(at: u32, step: Value) -> Result<RecordedStep, LoadError> {
    let wrong = |name: &str, why: &str| LoadError::Step { step: at, field: name.to_owned(), why: why.to_owned() };
    let Value::Object(raw) = step else {
        return Err(wrong("(step)", "expected an object"));
    };
    let op = read_op(at, &raw)?;
    for name in ["ret", "errno"] {
        raw.get(name).and_then(Value::as_i64).ok_or_else(|| wrong(name, "expected a whole number"))?;
    }
    let times: Option<Vec<i64>> =
        raw.get("t_us").and_then(Value::as_array).and_then(|times| times.iter().map(Value::as_i64).collect());
    let Some([began, read]) = times.as_deref() else {
        return Err(wrong("t_us", "expected two times, microseconds"));
    };
    let (began, read) = (*began, *read);
    let state = raw.get("state").and_then(Value::as_object).ok_or_else(|| wrong("state", "expected an object"))?;
    for part in ["socks", "global"] {
        let name = format!("state.{part}");
        state.get(part).and_then(Value::as_object).ok_or_else(|| wrong(&name, "expected an object"))?;
    }
    Ok(RecordedStep { op, began, read, raw })
}

/// The operation of a step. Other fields of the step are passed over.
fn read_op(at: u32, raw: &Map<String, Value>) -> Result<Op, LoadError> {
    let mut fields = raw.clone();
    for answer in ["ret", "errno", "t_us", "state", "syn", "synack", "calls_ok", "segs", "rounds", "read"] {
        fields.remove(answer);
    }
    // A sysctl's value may be a bare number, a cgroup's limit is text.
    match (fields.get("op").and_then(Value::as_str), fields.get("value")) {
        (Some("sysctl"), Some(Value::Number(number))) => {
            let text = number.to_string();
            fields.insert("value".to_owned(), text.into());
        }
        (Some("cgroup"), Some(Value::String(text))) => {
            let bytes = if text == "max" { Some(-1) } else { text.parse::<i64>().ok() };
            if let Some(bytes) = bytes {
                fields.insert("value".to_owned(), bytes.into());
            }
        }
        _ => {}
    }
    serde_json::from_value(Value::Object(fields.clone())).map_err(|error| LoadError::Step {
        step: at,
        field: culprit(&fields, &error.to_string()),
        why: error.to_string(),
    })
}

/// Which field makes an operation unreadable: the one without which the complaint is another.
fn culprit(fields: &Map<String, Value>, complaint: &str) -> String {
    if let Some(rest) = complaint.strip_prefix("missing field `") {
        return rest.trim_end_matches('`').to_owned();
    }
    for name in fields.keys().filter(|name| *name != "op") {
        let mut others = fields.clone();
        others.remove(name);
        match serde_json::from_value::<Op>(Value::Object(others)) {
            Err(error) if error.to_string() == complaint => {}
            _ => return name.clone(),
        }
    }
    "op".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_step(step: &str) -> String {
        format!(
            r#"{{"kernel":"6.12.117","scenario":"x","about":"","page_size":4096,"memcg":true,"header":{{"mtu":9000}},
            "sysctls":{{"net.ipv4.tcp_mem":"1 2 3"}},"sysctls_refused":[],
            "not_compared":{{"ret":[2]}},"steps":[{step}]}}"#
        )
    }

    const STATE: &str = r#""ret":0,"errno":0,"t_us":[5,9],"state":{"socks":{},"global":{}}"#;

    #[test]
    fn the_environment_and_the_operation_are_read() {
        let text = with_step(&format!(r#"{{"op":"sysctl","key":"net.core.rmem_max","value":5,{STATE}}}"#));
        let recording = Recording::parse(&text).unwrap();
        assert_eq!(recording.setup.mtu, 9000);
        assert_eq!(recording.setup.sysctls[&SysctlKey::TcpMem], "1 2 3");
        assert_eq!(recording.steps[0].op, Op::Sysctl { key: SysctlKey::RmemMax, value: "5".to_owned() });
        assert_eq!((recording.steps[0].began, recording.steps[0].read), (5, 9));
        assert!(recording.leaves_out("ret", 2) && !recording.leaves_out("ret", 1));
    }

    #[test]
    fn an_error_names_step_and_field() {
        let cases = [
            (format!(r#"{{"op":"send","sock":"s","bytes":"many",{STATE}}}"#), "step 0, field `bytes`"),
            (format!(r#"{{"op":"send","sock":"s",{STATE}}}"#), "step 0, field `bytes`"),
            (format!(r#"{{"op":"send","sock":"9","bytes":1,{STATE}}}"#), "step 0, field `sock`"),
            (format!(r#"{{"op":"dance",{STATE}}}"#), "step 0, field `op`"),
            (r#"{"op":"state","ret":0,"errno":0,"t_us":[1],"state":{}}"#.to_owned(), "step 0, field `t_us`"),
            (r#"{"op":"state","ret":0,"t_us":[1,2],"state":{}}"#.to_owned(), "step 0, field `errno`"),
            (r#"{"op":"state","ret":0,"errno":0,"t_us":[1,2],"state":{"socks":{}}}"#.to_owned(), "`state.global`"),
        ];
        for (step, expected) in cases {
            let error = Recording::parse(&with_step(&step)).unwrap_err().to_string();
            assert!(error.contains(expected), "{step}: {error}");
        }
        assert!(Recording::parse("{").unwrap_err().to_string().starts_with("not JSON"));
        assert_eq!(Recording::parse(r#"{"name":"x","steps":[]}"#), Err(LoadError::Scenario));
    }
}
