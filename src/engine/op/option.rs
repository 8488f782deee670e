//! Socket options, by the kernel's names.

use serde::{Deserialize, Serialize};

/// A socket option the model knows, by the kernel's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[allow(non_camel_case_types, missing_docs)] // the kernel's names are the documentation
#[rustfmt::skip]
pub enum SockOpt {
    SO_SNDBUF, SO_SNDBUFFORCE, SO_RCVBUF, SO_RCVBUFFORCE, SO_BUF_LOCK, SO_RESERVE_MEM, SO_RCVLOWAT,
    TCP_NODELAY, TCP_WINDOW_CLAMP,
}

impl SockOpt {
    /// Every option, in display order.
    pub const ALL: [Self; 9] = [
        Self::SO_RESERVE_MEM,
        Self::SO_RCVBUF,
        Self::SO_SNDBUF,
        Self::SO_RCVBUFFORCE,
        Self::SO_SNDBUFFORCE,
        Self::SO_BUF_LOCK,
        Self::SO_RCVLOWAT,
        Self::TCP_NODELAY,
        Self::TCP_WINDOW_CLAMP,
    ];

    /// The kernel's spelling.
    pub const fn name(self) -> &'static str {
        match self {
            Self::SO_SNDBUF => "SO_SNDBUF",
            Self::SO_SNDBUFFORCE => "SO_SNDBUFFORCE",
            Self::SO_RCVBUF => "SO_RCVBUF",
            Self::SO_RCVBUFFORCE => "SO_RCVBUFFORCE",
            Self::SO_BUF_LOCK => "SO_BUF_LOCK",
            Self::SO_RESERVE_MEM => "SO_RESERVE_MEM",
            Self::SO_RCVLOWAT => "SO_RCVLOWAT",
            Self::TCP_NODELAY => "TCP_NODELAY",
            Self::TCP_WINDOW_CLAMP => "TCP_WINDOW_CLAMP",
        }
    }

    /// Looks an option up by the kernel's spelling.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|o| o.name() == name)
    }
}
