//! The one inequality of a step most worth showing.

use super::facts::fact as line;
use super::limit::limit_of;
use super::sentence::Sentence;
use crate::engine::reason::{Fact, Field, Rule, Term};
use crate::engine::step::Step;
use crate::timeline::is_drop;

/// A kernel function and what it found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Headline {
    /// The function.
    pub rule: Rule,
    /// The reason.
    pub fact: Fact,
    /// The reason in words.
    pub sentence: Sentence,
}

/// The test of a step most worth showing: a limit that refused, then pressure, then what went back, then what was
/// bought; of several the last. Without a test the largest change of memory.
pub fn headline(step: &Step) -> Option<Headline> {
    let facts = || step.beats.iter().flat_map(|beat| &beat.facts);
    let refused = step.errno.is_some() || facts().any(is_loss);
    let best = facts()
        .max_by_key(|fact| worth(fact, refused))
        .filter(|fact| worth(fact, refused) > 0)?;
    Some(Headline {
        rule: rule_of(best),
        fact: *best,
        sentence: line(best),
    })
}

pub(super) const fn rule_of(fact: &Fact) -> Rule {
    match fact {
        Fact::Called { rule, .. }
        | Fact::Checked { rule, .. }
        | Fact::Moved { rule, .. }
        | Fact::Decided { rule, .. } => *rule,
    }
}

fn is_loss(fact: &Fact) -> bool {
    matches!(fact, Fact::Decided { verdict, .. } if is_drop(*verdict))
}

fn worth(fact: &Fact, refused: bool) -> u32 {
    if refused && limit_of(fact).is_some() {
        return 100;
    }
    match *fact {
        Fact::Checked {
            rule,
            lhs,
            rhs,
            taken,
            ..
        } => worth_of_test(rule, lhs.term, rhs.term, taken),
        Fact::Moved {
            field: Field::FwdAlloc | Field::Reserved,
            ..
        } => 12,
        Fact::Moved {
            field: Field::Sndbuf | Field::Rcvbuf | Field::RcvSsthresh,
            ..
        } => 11,
        Fact::Moved { .. } => 5,
        Fact::Decided { .. } => 3,
        Fact::Called { .. } => 1,
    }
}

fn worth_of_test(rule: Rule, lhs: Term, rhs: Term, taken: bool) -> u32 {
    match (rule, lhs, rhs) {
        (Rule::SockReserveMemory, ..) => 95,
        (Rule::SkMemReduceAllocated, ..) if taken => 92,
        (Rule::SkMemRaiseAllocated, _, Term::MemLimit(1)) if taken => 91,
        (Rule::SkMemRaiseAllocated, Term::QueuedPlusSize, _) if taken => 90,
        (Rule::SkMemUncharge | Rule::SkMemReclaim | Rule::SkMemReclaimPartial, ..) => {
            if taken {
                80
            } else {
                70
            }
        }
        (Rule::SkWmemSchedule | Rule::SkRmemSchedule | Rule::SkForcedMemSchedule, ..) => {
            if taken {
                60
            } else {
                75
            }
        }
        (Rule::UdpEnqueueScheduleSkb, _, Term::Field(Field::FwdAlloc)) => 62,
        (Rule::SkStreamModerateSndbuf | Rule::TcpShouldExpandSndbuf, ..) => 40,
        (Rule::SkSetsockopt, Term::Argument, _) => 20,
        _ => 30,
    }
}
