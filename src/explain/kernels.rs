//! Kernels and proposals in words: the titles of panes, and what each switch changes.

use super::numbers::number;
use crate::engine::profile::{Profile, Provenance, Reclaim};
use crate::engine::profiles::what_if::Toggle;

/// A proposal, or one part of it, as a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switch {
    /// The words beside the switch.
    pub title: &'static str,
    /// What it changes, in our words.
    pub sentence: &'static str,
    /// The letter it comes from, and what became of it.
    pub letter: &'static str,
}

/// A switch in words.
pub const fn toggle(toggle: Toggle) -> Switch {
    match toggle {
        Toggle::Keep64K => Switch {
            title: "Keep 64 KiB of credit",
            sentence: "A socket keeps up to 64 KiB of idle credit and returns only what is above.",
            letter: "net: Keep sk->sk_forward_alloc as a proper size (May 2023, not merged)",
        },
        Toggle::LockWhenSmaller => Switch {
            title: "Lock only when smaller",
            sentence: "SO_RCVBUF locks autotuning out only when the new size is below the default.",
            letter: "net: do not set SOCK_RCVBUF_LOCK if sk_rcvbuf isn't reduced (February 2022, not merged)",
        },
        Toggle::NoReserveAccounting => Switch {
            title: "Without the reserve's floor",
            sentence: "A reclaim returns every whole page, the reserved ones too.",
            letter: "net: add new socket option SO_RESERVE_MEM, part 1 (merged in 5.16)",
        },
        Toggle::NoReserveSndbuf => Switch {
            title: "Without the reserve in the send buffer",
            sentence: "A refused writer's send buffer is cut without regard to its reserve.",
            letter: "net: add new socket option SO_RESERVE_MEM, part 2 (merged in 5.16)",
        },
        Toggle::NoReserveSsthresh => Switch {
            title: "Without the reserve in the window",
            sentence: "Under pressure rcv_ssthresh falls to four segments whatever is reserved.",
            letter: "net: add new socket option SO_RESERVE_MEM, part 3 (merged in 5.16)",
        },
    }
}

/// The title of a kernel's pane: `Linux 6.12.117`, `Linux 6.12.117, Keep 64 KiB of credit`.
pub fn kernel_title(profile: &Profile) -> String {
    let switches = profile.id.split('+').skip(1).filter_map(Toggle::from_suffix);
    let mut title = format!("Linux {}", profile.release);
    for switch in switches {
        title.push_str(", ");
        title.push_str(toggle(switch).title);
    }
    title
}

/// How far a kernel's numbers can be trusted.
pub const fn provenance(profile: &Profile) -> &'static str {
    match profile.provenance {
        Provenance::Recorded => "held against recordings of this kernel",
        Provenance::FromSource => "from sources and reports of it; not held against recordings",
        Provenance::Proposal => "a kernel with a rule changed; nobody ever ran it",
    }
}

/// When a kernel gives idle credit back.
pub fn reclaim_rule(profile: &Profile) -> String {
    match profile.reclaim {
        Reclaim::Hoard { at, chunk } => {
            format!("keeps credit until {} B are idle, then returns {} B", number(at), number(chunk))
        }
        Reclaim::EveryPage => "returns every idle whole page at once".to_owned(),
        Reclaim::KeepUpTo { keep } => {
            format!("keeps {} B of idle credit and returns what is above", number(keep))
        }
    }
}
