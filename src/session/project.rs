//! What the page projects outwards: address, title, live region, balance.

use super::{Cursor, Session, Source};
use crate::engine::step::Imbalance;
use crate::explain;
use crate::scenario::link::{self, Link};
use crate::scenario::view::View;

/// Whether the books balance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ledger {
    /// They do.
    Balanced,
    /// They do not: our own bug, shown instead of hidden.
    Off(Vec<Imbalance>),
}

impl Session {
    /// The fragment for the address bar, without `#`: everything needed to come back here. An unedited lesson is named,
    /// anything else is spelled out. While a bad link is shown: that link. Empty when no link can be made.
    pub fn link(&self) -> String {
        if let Some(bad) = &self.bad_link {
            return bad.fragment.clone();
        }
        self.make_link().map_or_else(|_| String::new(), |link| link.trim_start_matches('#').to_owned())
    }

    /// Why no link can be made, if none can.
    pub fn link_error(&self) -> Option<String> {
        self.make_link().err().map(|error| error.to_string())
    }

    fn make_link(&self) -> Result<String, link::LinkError> {
        let branch = self.doc.branch();
        let source = match &self.doc.source {
            Source::Lesson(lesson) if !branch.edited => link::Source::Lesson(lesson.slug.clone()),
            _ => link::Source::Scenario(Box::new(self.doc.scenario())),
        };
        let known = |name| self.timeline().ops().any(|op| makes(&op.op, name));
        let view = View {
            step: self.at.step,
            beat: self.beat(),
            sock: self.selected.filter(|name| known(*name)),
            profile: Some(self.doc.profile.clone()).filter(|id| *id != branch.head.profile),
            compare: self.doc.tracks.iter().map(|track| track.profile.clone()).collect(),
            units: self.units,
            mode: self.mode,
            range: self.range,
        };
        link::encode(&Link { source, view })
    }

    /// The page's title.
    pub fn title(&self) -> String {
        let head = self.head();
        let title = [head.title.as_str(), head.name.as_str()];
        let title = title.into_iter().find(|text| !text.is_empty()).unwrap_or("untitled");
        format!("{title} - step {} of {} - skmem lab", self.at.step, self.timeline().len())
    }

    /// One polite sentence about what is shown.
    pub fn live_sentence(&self) -> String {
        let Cursor { step, beat } = self.at;
        if let Some(beat_shown) = self.shown_beat() {
            let words = explain::beat_summary(beat_shown).text(self.lens());
            return format!("Beat {beat} of {} of step {}: {words}.", self.beat_count(), step + 1);
        }
        let len = self.timeline().len();
        let Some(message) = self.message() else {
            return format!("Before the first of {len} operations.");
        };
        format!("Step {step} of {len}. {}", message.sentence().text(self.lens()))
    }

    /// Whether the books balance here.
    pub fn ledger(&self) -> Ledger {
        let mut off = self.here.imbalances.clone();
        if let Some(step) = &self.here.step {
            for found in &step.imbalances {
                if !off.contains(found) {
                    off.push(found.clone());
                }
            }
        }
        if off.is_empty() { Ledger::Balanced } else { Ledger::Off(off) }
    }
}

/// Whether an operation makes a socket of that name.
fn makes(op: &crate::engine::op::Op, name: crate::engine::op::SockName) -> bool {
    use crate::engine::op::Op;
    match op {
        Op::Socket { sock, .. } => *sock == name,
        Op::PeerConnect { child, .. } => *child == name,
        Op::Many { prefix, n } => {
            let number = name.as_str().strip_prefix(prefix.as_str());
            number.is_some_and(|text| text.parse::<u32>().is_ok_and(|i| i < *n && i.to_string() == text))
        }
        _ => false,
    }
}
