//! Executes a recording's operations on the model, in the recording's environment.

use super::recording::{RecordedStep, Recording};
use super::state::Reporter;
use crate::engine::Machine;
use crate::engine::machine::SetupError;
use crate::engine::op::{Op, Timing};
use crate::engine::profile::Profile;
use crate::engine::profiles::{self, UnknownProfile};
use crate::engine::step::{Refused, Step};
use crate::engine::units::Micros;
use crate::scenario::model::Scenario;
use serde_json::{Map, Value, json};

/// What the model answered to one operation.
#[derive(Clone, Debug)]
pub struct Played {
    /// `ret`, `errno`, the extras and `state` in the recordings' format.
    pub answers: Map<String, Value>,
    /// The step with its reasons.
    pub step: Step,
}

/// A recording being replayed.
#[derive(Debug)]
pub struct Player {
    machine: Machine,
    reporter: Reporter,
    /// When the previous state was read, microseconds.
    read: Option<i64>,
}

/// The profile that `version` names: an id (`6.12`, `6.12+64k`) or a release (`6.12.117`).
///
/// # Errors
/// No such profile; the error lists what there is.
pub fn profile(version: &str) -> Result<Profile, UnknownProfile> {
    profiles::by_id(version).or_else(|unknown| profiles::by_release(version).map_err(|_| unknown))
}

impl Player {
    /// A machine in the recording's environment. `kernel` replaces the recording's own kernel; `reasons` says whether
    /// steps record why.
    ///
    /// # Errors
    /// No profile for that kernel, or a sysctl the kernel refuses.
    pub fn new(recording: &Recording, kernel: Option<&str>, reasons: bool) -> Result<Self, SetupError> {
        let profile = match kernel {
            Some(version) => profile(version)?,
            None => profiles::by_release(&recording.kernel)?,
        };
        let mut machine = Machine::with_profile(profile, &recording.setup)?;
        machine.set_reasons(reasons);
        Ok(Self { machine, reporter: Reporter::default(), read: None })
    }

    /// A machine in a scenario's environment, with reasons. `kernel` replaces the scenario's own kernel.
    ///
    /// # Errors
    /// As [`Player::new`].
    pub fn for_scenario(scenario: &Scenario, kernel: Option<&str>) -> Result<Self, SetupError> {
        let machine = Machine::with_profile(profile(kernel.unwrap_or(&scenario.profile))?, &scenario.setup)?;
        Ok(Self { machine, reporter: Reporter::default(), read: None })
    }

    /// The machine as it is now.
    pub const fn machine(&self) -> &Machine {
        &self.machine
    }

    /// Executes the next operation. Time comes from the recording: it is environment, like the peer's packets.
    ///
    /// # Errors
    /// The engine finds the operation nonsensical; nothing was changed, but the time is gone.
    pub fn play(&mut self, recorded: &RecordedStep) -> Result<Played, Refused> {
        let timing = timing(recorded, self.read);
        self.read = Some(recorded.read);
        self.apply(&recorded.op, timing)
    }

    /// Executes any operation.
    ///
    /// # Errors
    /// As [`Player::play`].
    pub fn apply(&mut self, op: &Op, timing: Timing) -> Result<Played, Refused> {
        self.reporter.before(op, &self.machine);
        let step = self.machine.apply(op, timing)?;
        let answers = self.reporter.answers(op, &step, &self.machine);
        Ok(Played { answers, step })
    }
}

/// How long an operation took: from when it began to when the state was read. The pause before it began counts from
/// the previous reading.
fn timing(recorded: &RecordedStep, previous_read: Option<i64>) -> Timing {
    let after = recorded.began - previous_read.unwrap_or(0);
    Timing { after: Micros(after), took: Micros(recorded.read - recorded.began) }
}

/// The whole recording as the model would have recorded it: the same file format, with the model's answers.
///
/// A refused operation has `refused` in place of its answers.
///
/// # Errors
/// As [`Player::new`].
pub fn states(recording: &Recording, kernel: Option<&str>) -> Result<Value, SetupError> {
    let mut player = Player::new(recording, kernel, false)?;
    let mut steps = Vec::new();
    for recorded in &recording.steps {
        let mut out = match serde_json::to_value(&recorded.op) {
            Ok(Value::Object(op)) => op,
            _ => Map::new(),
        };
        out.insert("t_us".to_owned(), json!([recorded.began, recorded.read]));
        match player.play(recorded) {
            Ok(played) => out.extend(played.answers),
            Err(refused) => {
                out.insert("refused".to_owned(), refused.to_string().into());
            }
        }
        steps.push(Value::Object(out));
    }
    let mut top = Map::new();
    for field in ["kernel", "scenario", "about", "page_size", "memcg", "header", "sysctls", "sysctls_refused"] {
        if let Some(value) = recording.raw.get(field) {
            top.insert(field.to_owned(), value.clone());
        }
    }
    top.insert("profile".to_owned(), player.machine().profile().id.clone().into());
    top.insert("steps".to_owned(), Value::Array(steps));
    Ok(Value::Object(top))
}
