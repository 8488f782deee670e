//! The decisions of a step, function by function.

use super::facts::fact as line;
use super::sentence::{Part, Sentence};
use super::words::beat_kind;
use crate::engine::op::SockName;
use crate::engine::reason::{Beat, BeatKind, Fact, Rule};
use crate::engine::step::Step;
use crate::engine::units::Micros;

/// One beat of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathBeat {
    /// What it is about.
    pub kind: BeatKind,
    /// Whose it is.
    pub sock: Option<SockName>,
    /// When it happens.
    pub at: Micros,
    /// What it is about, in words.
    pub title: &'static str,
    /// The functions it went through, in order.
    pub calls: Vec<PathCall>,
}

/// One kernel function on the path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathCall {
    /// The function.
    pub rule: Rule,
    /// What it found and did.
    pub lines: Vec<PathLine>,
}

/// One line of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathLine {
    /// The reason.
    pub fact: Fact,
    /// For a test: whether the kernel's condition held.
    pub taken: Option<bool>,
    /// The reason in words.
    pub sentence: Sentence,
}

/// The decisions of a step: every beat, every function in it, every test with its numbers.
pub fn path(step: &Step) -> Vec<PathBeat> {
    step.beats.iter().map(path_beat).collect()
}

fn path_beat(beat: &Beat) -> PathBeat {
    let mut calls: Vec<PathCall> = Vec::new();
    for fact in &beat.facts {
        let rule = fact.rule();
        let taken = if let Fact::Checked { taken, .. } = fact { Some(*taken) } else { None };
        let found = PathLine { fact: *fact, taken, sentence: line(fact) };
        match calls.last_mut().filter(|call| call.rule == rule) {
            Some(call) => call.lines.push(found),
            None => calls.push(PathCall { rule, lines: vec![found] }),
        }
    }
    PathBeat { kind: beat.kind, sock: beat.sock, at: beat.at, title: beat_kind(beat.kind), calls }
}

/// A beat in one line: what it is about, and the last thing that changed in it.
pub fn beat_summary(beat: &Beat) -> Sentence {
    let mut sentence = Sentence::words(beat_kind(beat.kind));
    let moved = |fact: &&Fact| matches!(fact, Fact::Moved { .. });
    let last = beat.facts.iter().rfind(moved).or_else(|| beat.facts.last());
    if let Some(last) = last {
        sentence.parts.push(Part::words(": "));
        sentence.parts.extend(line(last).parts);
    }
    sentence
}
