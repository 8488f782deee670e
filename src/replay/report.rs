//! What came of a replay: counts, the table by field, and every difference.

use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// How often a field was compared, and how often it differed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct FieldCount {
    /// Values compared.
    pub compared: u64,
    /// Of these, values that differ.
    pub mismatches: u64,
}

/// One value that differs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Failure {
    /// The recording, `6.12.117/r08_reserve_tx_cycle`.
    pub trace: String,
    /// Which step, from 0.
    pub step: u32,
    /// Path of the value, `socks.s.fwd_alloc`; `refused` when the model would not execute the operation.
    pub field: String,
    /// What the kernel answered.
    pub expected: Value,
    /// What the model answered.
    pub got: Value,
    /// The operation, as text.
    #[serde(skip)]
    pub op: String,
    /// Which rule of the model wrote the number last in this step.
    #[serde(skip)]
    pub why: Option<String>,
}

/// The sum of one or more replays.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Report {
    /// Recordings replayed.
    pub traces: u64,
    /// Operations executed.
    pub steps: u64,
    /// Values compared.
    pub values: u64,
    /// Values that differ.
    pub mismatches: u64,
    /// Values that depend on the recording's clock.
    pub not_compared: u64,
    /// Values the model does not claim.
    pub not_modelled: u64,
    /// The same by field, with `*` for a socket's name.
    pub by_field: BTreeMap<String, FieldCount>,
    /// Every value that differs, in order.
    pub failures: Vec<Failure>,
}

impl Report {
    /// Adds another report to this one.
    pub fn merge(&mut self, other: Self) {
        self.traces += other.traces;
        self.steps += other.steps;
        self.values += other.values;
        self.mismatches += other.mismatches;
        self.not_compared += other.not_compared;
        self.not_modelled += other.not_modelled;
        for (field, count) in other.by_field {
            let sum = self.by_field.entry(field).or_default();
            sum.compared += count.compared;
            sum.mismatches += count.mismatches;
        }
        self.failures.extend(other.failures);
    }

    /// Counts one compared value of `field`.
    pub fn count(&mut self, field: &str, same: bool) {
        self.values += 1;
        self.mismatches += u64::from(!same);
        let count = self.by_field.entry(field.to_owned()).or_default();
        count.compared += 1;
        count.mismatches += u64::from(!same);
    }

    /// The sentence a replay ends with.
    pub fn last_line(&self) -> String {
        let Self { traces, steps, values, mismatches, not_compared, not_modelled, .. } = self;
        format!(
            "replayed {traces} traces, {steps} steps: {values} values compared, {mismatches} mismatches, \
             {not_compared} not compared, {not_modelled} not modelled"
        )
    }
}
