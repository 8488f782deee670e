//! Plays a scenario and collects, for every operation, the answers in the recordings' format and the reasons.

use super::run::{Played, Player};
use crate::engine::machine::SetupError;
use crate::engine::op::TimedOp;
use crate::engine::reason::{Beat, Fact, Operand};
use crate::engine::step::Refused;
use crate::scenario::model::Scenario;
use crate::scenario::text::print_op;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// A scenario played to its end, or to the operation the engine refused.
#[derive(Clone, Debug)]
pub struct Run {
    /// The kernel it was played on.
    pub profile: String,
    /// Every operation and what came of it, in order.
    pub steps: Vec<RunStep>,
    /// The operation that makes no sense, if there is one: its index, its text, and why.
    pub stop: Option<(u32, String, Refused)>,
}

/// One operation of a run.
#[derive(Clone, Debug)]
pub struct RunStep {
    /// The operation.
    pub op: TimedOp,
    /// What came of it.
    pub played: Played,
}

/// Plays `scenario` on its own kernel, or on `profile`.
///
/// # Errors
/// The profile is unknown, or the kernel refuses a sysctl of the set-up.
pub fn play(scenario: &Scenario, profile: Option<&str>) -> Result<Run, SetupError> {
    let mut player = Player::for_scenario(scenario, profile)?;
    let mut run = Run { profile: player.machine().profile().id.clone(), steps: Vec::new(), stop: None };
    for (at, op) in (0..).zip(&scenario.ops) {
        match player.apply(&op.op, op.timing.unwrap_or_default()) {
            Ok(played) => run.steps.push(RunStep { op: op.clone(), played }),
            Err(refused) => {
                run.stop = Some((at, print_op(op), refused));
                break;
            }
        }
    }
    Ok(run)
}

impl Run {
    /// The run as JSON: what the recordings hold of a step, and its beats with their reasons.
    pub fn to_json(&self) -> Value {
        let steps: Vec<Value> = self.steps.iter().map(RunStep::to_json).collect();
        let mut out = json!({ "profile": self.profile, "steps": steps });
        if let Some((at, text, refused)) = &self.stop {
            out["stop"] = json!({ "op": at, "text": text, "refused": refused.to_string() });
        }
        out
    }

    /// The run as comma-separated values: a line for each operation; its number, text and kernel functions, then a
    /// column for every number any step has. What a step does not have is empty.
    pub fn to_csv(&self) -> String {
        let rows: Vec<BTreeMap<String, Value>> =
            self.steps.iter().map(|step| numbers(&step.played.answers)).collect();
        let columns: BTreeSet<&String> = rows.iter().flat_map(BTreeMap::keys).collect();
        let head = ["op", "text", "rules"].into_iter().chain(columns.iter().map(|column| column.as_str()));
        let mut lines = vec![csv_line(head)];
        for (at, (step, row)) in self.steps.iter().zip(&rows).enumerate() {
            let mut cells = vec![at.to_string(), print_op(&step.op), step.rules().join(" ")];
            cells.extend(columns.iter().map(|column| row.get(*column).map_or_else(String::new, plain)));
            lines.push(csv_line(cells.iter().map(String::as_str)));
        }
        lines.concat()
    }
}

impl RunStep {
    fn to_json(&self) -> Value {
        let mut out = match serde_json::to_value(&self.op.op) {
            Ok(Value::Object(fields)) => fields,
            _ => Map::new(),
        };
        let timing = self.op.timing.unwrap_or_default();
        out.insert("timing".to_owned(), json!({ "after": timing.after, "took": timing.took }));
        out.extend(self.played.answers.clone());
        out.insert("beats".to_owned(), self.played.step.beats.iter().map(beat_json).collect());
        out.insert("counts".to_owned(), serde_json::to_value(self.played.step.counts).unwrap_or_default());
        out.insert(
            "imbalances".to_owned(),
            serde_json::to_value(&self.played.step.imbalances).unwrap_or_default(),
        );
        Value::Object(out)
    }

    /// The kernel functions that decided something, in order, each once.
    fn rules(&self) -> Vec<&'static str> {
        let mut seen = BTreeSet::new();
        let facts = self.played.step.beats.iter().flat_map(|beat| &beat.facts);
        facts.map(|fact| fact.rule().name()).filter(|name| seen.insert(*name)).collect()
    }
}

/// The numbers of a step's answers by path, without `state.` and `socks.`: `ret`, `s.fwd_alloc`, `global.press`.
pub fn numbers(answers: &Map<String, Value>) -> BTreeMap<String, Value> {
    let leaves = super::compare::leaves(answers).into_iter();
    leaves
        .map(|(path, value)| {
            let path = path.strip_prefix("state.").map_or(path.clone(), str::to_owned);
            (path.strip_prefix("socks.").map_or(path.clone(), str::to_owned), value)
        })
        .collect()
}

fn beat_json(beat: &Beat) -> Value {
    let facts: Vec<Value> = beat.facts.iter().map(fact_json).collect();
    json!({ "kind": beat.kind, "sock": beat.sock, "at": beat.at, "facts": facts })
}

/// A reason with the kernel's names: one of `called`, `checked`, `moved`, `decided`.
fn fact_json(fact: &Fact) -> Value {
    let side = |operand: &Operand| json!({ "term": operand.term, "value": operand.value });
    let rule = fact.rule().name();
    match fact {
        Fact::Called { arg, .. } => json!({ "rule": rule, "called": arg.as_ref().map(side) }),
        Fact::Checked { lhs, cmp, rhs, taken, .. } => {
            json!({ "rule": rule, "checked": { "lhs": side(lhs), "cmp": cmp, "rhs": side(rhs) }, "taken": taken })
        }
        Fact::Moved { field, before, after, .. } => {
            json!({ "rule": rule, "moved": field.name(), "before": before, "after": after })
        }
        Fact::Decided { verdict, .. } => json!({ "rule": rule, "decided": verdict }),
    }
}

/// A number as digits, a word without quotes, nothing for what the kernel does not have.
fn plain(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Cells in one line, quoted where they must be.
fn csv_line<'a>(cells: impl Iterator<Item = &'a str>) -> String {
    let cell = |text: &str| {
        if text.contains([',', '"', '\n']) {
            format!("\"{}\"", text.replace('"', "\"\""))
        } else {
            text.to_owned()
        }
    };
    cells.map(cell).collect::<Vec<_>>().join(",") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::text;

    fn played(scenario: &str) -> Run {
        play(&text::parse(scenario).unwrap(), Some("6.12")).unwrap()
    }

    #[test]
    fn a_run_has_answers_reasons_and_a_table() {
        let run = played("socket s\nsetsockopt s SO_RCVBUF 30000\n");
        let json = run.to_json();
        assert_eq!(json["profile"], "6.12");
        assert_eq!(json["steps"][1]["state"]["socks"]["s"]["rcvbuf"], 60_000);
        let facts = json["steps"][1]["beats"][0]["facts"].as_array().unwrap();
        assert!(facts.iter().any(|fact| fact["moved"] == "rcvbuf" && fact["after"] == 60_000), "{facts:?}");

        let csv = run.to_csv();
        let mut lines = csv.lines();
        let columns: Vec<&str> = lines.next().unwrap().split(',').collect();
        let at = columns.iter().position(|name| *name == "s.rcvbuf").unwrap();
        assert_eq!(lines.nth(1).unwrap().split(',').nth(at), Some("60000"));
    }

    #[test]
    fn a_nonsensical_operation_stops_the_run_with_its_reason() {
        let run = played("socket s\nsend t 1\n");
        assert_eq!(run.steps.len(), 1);
        let (at, text, refused) = run.stop.unwrap();
        assert_eq!((at, text.as_str(), refused.to_string().as_str()), (1, "send t 1", "no socket named t"));
    }
}
