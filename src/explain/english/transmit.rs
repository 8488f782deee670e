//! Sending.

use super::limits::because;
use super::slots::{errno, freed, len, of, pages, sock, term, truesize};
use crate::engine::op::SockName;
use crate::engine::reason::{Field, Term};
use crate::explain::sentence::Sentence;
use crate::explain::summary::Transmit;

/// Something about sending.
pub fn transmit(name: SockName, what: &Transmit) -> Sentence {
    match *what {
        Transmit::SentFromCredit { bytes, truesize: cost, credit } => Sentence::fill(
            "{sock} queued {len} at a cost of {truesize}: the prepaid credit covered it, {credit} are left, \
             and no page was bought.",
            &[sock(name), len(bytes), truesize(cost), of("credit", Field::FwdAlloc, credit)],
        ),
        Transmit::SentBought { bytes, truesize: cost, pages: n } => Sentence::fill(
            "{sock} queued {len} at a cost of {truesize}: the prepaid credit did not cover it, \
             so the kernel bought {pages}.",
            &[sock(name), len(bytes), truesize(cost), pages(n)],
        ),
        Transmit::Sent { bytes } => {
            Sentence::fill("{sock} sent {len}; its queue did not grow.", &[sock(name), len(bytes)])
        }
        Transmit::Stopped { written, errno: error, limit } => {
            let slots = [sock(name), len(written), errno(error)];
            let mut sentence = Sentence::fill("{sock} wrote {len}, then {errno}:", &slots);
            sentence.then(because(limit, error));
            sentence
        }
        Transmit::PeerWindow { win } => Sentence::fill(
            "The peer of {sock} now offers a window of {win}.",
            &[sock(name), term("win", Term::Window, win)],
        ),
        Transmit::AckedReturned { .. }
        | Transmit::AckedReserved { .. }
        | Transmit::AckedKept { .. }
        | Transmit::AckedMore { .. }
        | Transmit::AckedNothing => acked(name, what),
    }
}

fn acked(name: SockName, what: &Transmit) -> Sentence {
    match *what {
        Transmit::AckedReturned { freed: size, pages: n } => Sentence::fill(
            "The ACK freed {freed} of {sock}, and {pages} went back.",
            &[freed(size), sock(name), pages(n)],
        ),
        Transmit::AckedReserved { freed: size, reserved } => Sentence::fill(
            "The ACK freed {freed} of {sock}; no page went back, for {reserved} of its credit are reserved and unused.",
            &[freed(size), sock(name), term("reserved", Term::UnusedReserved, reserved)],
        ),
        Transmit::AckedKept { freed: size, credit } => Sentence::fill(
            "The ACK freed {freed} of {sock}; no page went back, and it keeps {credit} of credit.",
            &[freed(size), sock(name), of("credit", Field::FwdAlloc, credit)],
        ),
        Transmit::AckedMore { grown } => Sentence::fill(
            "The ACK let out more than it freed: the send queue of {sock} costs {freed} more.",
            &[sock(name), freed(grown)],
        ),
        _ => Sentence::fill("The ACK freed no memory of {sock}.", &[sock(name)]),
    }
}
