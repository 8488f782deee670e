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
    let facts: Vec<&Fact> = step.beats.iter().flat_map(|beat| &beat.facts).collect();
    let lost = facts.iter().rposition(|fact| is_loss(fact));
    let refused = step.errno.is_some() || lost.is_some();
    let flips = facts.iter().any(|fact| matches!(fact, Fact::Moved { field: Field::Pressure, .. }));
    // What was tested right before the last drop explains it, if no limit does.
    let before = &facts[..lost.unwrap_or(0)];
    let reason = before.iter().rposition(|fact| matches!(fact, Fact::Checked { .. }));
    let worth = |at: usize| {
        if reason == Some(at) { 98 } else { worth(facts[at], refused, flips) }
    };
    let best = (0..facts.len()).max_by_key(|at| worth(*at))?;
    let fact = *facts[best];
    Some(Headline { rule: fact.rule(), fact, sentence: line(&fact) })
}

fn is_loss(fact: &Fact) -> bool {
    matches!(fact, Fact::Decided { verdict, .. } if is_drop(*verdict))
}

fn worth(fact: &Fact, refused: bool, flips: bool) -> u32 {
    if refused && limit_of(fact).is_some() {
        return 100;
    }
    match *fact {
        Fact::Checked { rule, lhs, rhs, taken, .. } => worth_of_test(rule, lhs.term, rhs.term, taken, flips),
        Fact::Moved { field: Field::FwdAlloc | Field::Reserved, .. } => 12,
        Fact::Moved { field: Field::Sndbuf | Field::Rcvbuf | Field::RcvSsthresh, .. } => 11,
        Fact::Moved { .. } => 5,
        Fact::Decided { .. } => 3,
        Fact::Called { .. } => 1,
    }
}

fn worth_of_test(rule: Rule, lhs: Term, rhs: Term, taken: bool, flips: bool) -> u32 {
    match (rule, lhs, rhs) {
        (Rule::SockReserveMemory, ..) => 95,
        (Rule::SkMemReduceAllocated, ..) if taken => 92,
        (Rule::SkMemRaiseAllocated, _, Term::MemLimit(1)) if taken && flips => 91,
        (Rule::SkMemRaiseAllocated, Term::QueuedPlusSize, _) if taken => 90,
        (Rule::SkMemRaiseAllocated, _, Term::BufLimit(0) | Term::FairShare) if taken => 85,
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
        (Rule::TcpRcvEstablished, Term::Truesize, _) if taken => 60,
        (Rule::UdpEnqueueScheduleSkb, _, Term::Field(Field::FwdAlloc)) => 62,
        (Rule::SkStreamModerateSndbuf | Rule::TcpShouldExpandSndbuf, ..) => 40,
        (Rule::SkSetsockopt, Term::Argument, _) => 10,
        (_, Term::Seq | Term::Time | Term::QuickAcks | Term::UnackedBytes, _)
        | (Rule::TcpAckSndCheck | Rule::TcpSendAck | Rule::TcpTsoShouldDefer, ..) => 4,
        _ => 9,
    }
}
