//! Why something was refused.

use super::slots::{meaning, of, term};
use crate::engine::reason::{Field, Operand, Term};
use crate::engine::step::Errno;
use crate::explain::limit::Limit;
use crate::explain::sentence::{Part, Sentence};

/// Why a call was refused: the limit, or what the error number means.
pub fn because(limit: Option<Limit>, errno: Errno) -> Sentence {
    limit.map_or_else(|| Sentence::fill("{meaning}.", &[meaning(errno)]), limit_words)
}

/// A limit, as the second half of a sentence.
pub fn limit_words(limit: Limit) -> Sentence {
    let allocated = |value| of("allocated", Field::MemoryAllocated, value);
    let mark = |n, value| term("mark", Term::MemLimit(n), value);
    match limit {
        Limit::SendBuffer { queued, sndbuf } => Sentence::fill(
            "the send queue holds {queued}, and its buffer ends at {sndbuf}.",
            &[of("queued", Field::WmemQueued, queued), of("sndbuf", Field::Sndbuf, sndbuf)],
        ),
        Limit::ReceiveBuffer { queued, rcvbuf } => receive_buffer(queued, rcvbuf),
        Limit::MaxMark { allocated: n, mark: max } => Sentence::fill(
            "the protocol counts {allocated}, above its max mark of {mark}.",
            &[allocated(n), mark(2, max)],
        ),
        Limit::PressureMark { allocated: n, mark: pressure } => Sentence::fill(
            "the protocol would count {allocated}, above its pressure mark of {mark}, where no reserve is sold.",
            &[allocated(n), mark(1, pressure)],
        ),
        Limit::FairShare { share, mark: max } => Sentence::fill(
            "under pressure it may grow only if every socket could hold as much, \
             but that would be {share} and max is {mark}.",
            &[term("share", Term::FairShare, share), mark(2, max)],
        ),
        Limit::MemoryCgroup { wanted, max } => Sentence::fill(
            "the memory cgroup would hold {wanted}, above memory.max of {max}.",
            &[term("wanted", Term::Pages, wanted), term("max", Term::MemcgMax, max)],
        ),
        Limit::NoMemoryCgroup => Sentence::words("it has no memory cgroup to charge."),
        Limit::Argument { value, bound } => argument(value, bound),
    }
}

fn receive_buffer(queued: Operand, rcvbuf: i64) -> Sentence {
    let slots = [("queued", Part::number(queued)), of("rcvbuf", Field::Rcvbuf, rcvbuf)];
    if queued.term == Term::Field(Field::RmemAlloc) {
        Sentence::fill("the receive queue holds {queued}, and its buffer ends at {rcvbuf}.", &slots)
    } else {
        Sentence::fill("the receive queue would hold {queued}, and its buffer ends at {rcvbuf}.", &slots)
    }
}

fn argument(value: i64, bound: i64) -> Sentence {
    let slots = [("value", Part::bare(Term::Argument.of(value))), ("bound", Part::bare(Term::Constant.of(bound)))];
    if value < bound {
        Sentence::fill("the value {value} is below {bound}.", &slots)
    } else {
        Sentence::fill("the value {value} is above {bound}.", &slots)
    }
}
