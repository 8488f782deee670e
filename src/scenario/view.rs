//! The view data of a link: where the reader looks, as plain data.

use crate::engine::op::SockName;

/// How the page is laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mode {
    /// Everything at hand.
    #[default]
    Lab,
    /// Two or three kernels beside each other.
    Compare,
    /// Large, for a projector.
    Present,
    /// Only the picture, inside another page.
    Embed,
    /// Every recording against the model.
    Conformance,
}

impl Mode {
    /// Every mode, in display order.
    pub const ALL: [Self; 5] = [Self::Lab, Self::Compare, Self::Present, Self::Embed, Self::Conformance];

    /// The word used in links.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Lab => "lab",
            Self::Compare => "compare",
            Self::Present => "present",
            Self::Embed => "embed",
            Self::Conformance => "conformance",
        }
    }

    /// Looks a mode up by its word.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|m| m.name() == name)
    }
}

/// In which unit amounts are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Units {
    /// Exact bytes.
    #[default]
    Bytes,
    /// KiB.
    Kib,
    /// Pages of the machine.
    Pages,
    /// MB (millions of bytes).
    Mb,
}

impl Units {
    /// Every unit, in the order the key walks through them.
    pub const ALL: [Self; 4] = [Self::Bytes, Self::Kib, Self::Pages, Self::Mb];

    /// The word used in links.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bytes => "bytes",
            Self::Kib => "kib",
            Self::Pages => "pages",
            Self::Mb => "mb",
        }
    }

    /// Looks a unit up by its word.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|u| u.name() == name)
    }
}

/// The part of a scenario an embedded picture may show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepRange {
    /// First step shown, a number of operations done.
    pub first: u32,
    /// Last step shown; not before the first.
    pub last: u32,
}

/// Where a reader looks. The theme is not part of it: that is the reader's own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct View {
    /// Number of operations done.
    pub step: u32,
    /// Number of beats done inside the next operation; absent: none.
    pub beat: Option<u32>,
    /// The selected socket.
    pub sock: Option<SockName>,
    /// The kernel profile instead of the scenario's own. Whether it exists, the engine knows.
    pub profile: Option<String>,
    /// Profiles compared with it; at most [`super::limits::COMPARE_MAX`].
    pub compare: Vec<String>,
    /// Unit of amounts.
    pub units: Units,
    /// Layout.
    pub mode: Mode,
    /// Fixed range of steps, for embedding.
    pub range: Option<StepRange>,
}
