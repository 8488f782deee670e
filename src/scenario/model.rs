//! A scenario as data.

use crate::engine::op::{Op, SockName, TimedOp};
use crate::engine::setup::Setup;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The kernel profile of a scenario that names none. Fixed for ever: links rely on it.
pub const DEFAULT_PROFILE: &str = "6.12";

/// A question asked before an operation; the engine's number after it is the answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// What is asked for, as in assertions: `s.reserved`, `global.k_total_pages`, `ret`.
    pub path: String,
    /// The question, one line.
    pub text: String,
}

/// A list of operations and the machine they run on, with the words people put beside them.
///
/// Operations count from 0 here; a step is a number of operations done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scenario {
    /// Short name for files and lists: letters, digits and `.+_-`; may be empty.
    pub name: String,
    /// One line; may be empty.
    pub title: String,
    /// Lines of prose; may be empty.
    pub about: String,
    /// Kernel profile id, such as `6.12` or `6.12+64k`. Whether it exists, the engine knows.
    pub profile: String,
    /// The oldest kernel it means anything on, for recordings.
    pub needs: Option<String>,
    /// The machine.
    pub setup: Setup,
    /// What happens, in order.
    pub ops: Vec<TimedOp>,
    /// What a teacher says about an operation once it is done, by its index.
    pub notes: BTreeMap<u32, String>,
    /// Named places on the timeline: before the operation of that index, or after the last one.
    pub marks: BTreeMap<u32, String>,
    /// Questions asked before the operation of that index.
    pub questions: BTreeMap<u32, Question>,
    /// Comment lines of the text form that stand before the operation of that index, or after the
    /// last one.
    pub comments: BTreeMap<u32, String>,
}

impl Default for Scenario {
    fn default() -> Self {
        Self {
            name: String::new(),
            title: String::new(),
            about: String::new(),
            profile: DEFAULT_PROFILE.into(),
            needs: None,
            setup: Setup::default(),
            ops: Vec::new(),
            notes: BTreeMap::new(),
            marks: BTreeMap::new(),
            questions: BTreeMap::new(),
            comments: BTreeMap::new(),
        }
    }
}

impl Scenario {
    /// How many operations there are. Scenarios are bounded far below `u32::MAX`; beyond it the
    /// count saturates.
    pub fn op_count(&self) -> u32 {
        u32::try_from(self.ops.len()).unwrap_or(u32::MAX)
    }

    /// The names of every socket the scenario makes, sorted.
    pub fn sock_names(&self) -> BTreeSet<SockName> {
        let mut names = BTreeSet::new();
        for timed in &self.ops {
            match &timed.op {
                Op::Socket { sock, .. } => drop(names.insert(*sock)),
                Op::PeerConnect { child, .. } => drop(names.insert(*child)),
                Op::Many { prefix, n } => {
                    names.extend((0..*n).filter_map(|i| SockName::new(&format!("{prefix}{i}"))));
                }
                _ => {}
            }
        }
        names
    }
}
