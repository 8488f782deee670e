//! Proposals and patch hunks as switches on a base kernel: a letter's change, on or off.

use crate::engine::profile::{LockRule, Profile, Provenance, Reclaim};

/// One switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Toggle {
    /// Keep 64 KiB of credit (proposal of May 2023).
    Keep64K,
    /// `SO_RCVBUF` locks only when it shrinks (proposal of February 2022).
    LockWhenSmaller,
    /// Without the first hunk of the reserve: reclaim takes the reserve too.
    NoReserveAccounting,
    /// Without the second hunk: sndbuf does not know the reserve.
    NoReserveSndbuf,
    /// Without the third hunk: `rcv_ssthresh` does not know the reserve.
    NoReserveSsthresh,
}

impl Toggle {
    /// Every switch, in display order.
    pub const ALL: [Self; 5] = [
        Self::Keep64K,
        Self::LockWhenSmaller,
        Self::NoReserveAccounting,
        Self::NoReserveSndbuf,
        Self::NoReserveSsthresh,
    ];

    /// What stands after the `+` in a profile id.
    pub const fn suffix(self) -> &'static str {
        match self {
            Self::Keep64K => "64k",
            Self::LockWhenSmaller => "lock-smaller",
            Self::NoReserveAccounting => "no-reserve-accounting",
            Self::NoReserveSndbuf => "no-reserve-sndbuf",
            Self::NoReserveSsthresh => "no-reserve-ssthresh",
        }
    }

    /// Looks a switch up by its suffix.
    pub fn from_suffix(suffix: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|t| t.suffix() == suffix)
    }

    /// Switches the rule in `profile` and says so in its id.
    pub fn apply(self, profile: &mut Profile) {
        match self {
            Self::Keep64K => profile.reclaim = Reclaim::KeepUpTo { keep: 65_536 },
            Self::LockWhenSmaller => profile.lock_rule = LockRule::WhenSmaller,
            Self::NoReserveAccounting => profile.reserve.accounting = false,
            Self::NoReserveSndbuf => profile.reserve.sndbuf = false,
            Self::NoReserveSsthresh => profile.reserve.ssthresh = false,
        }
        profile.provenance = Provenance::Proposal;
        profile.id = format!("{}+{}", profile.id, self.suffix());
    }
}
