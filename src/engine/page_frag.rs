//! The page fragment a task's writers copy payload into, one after the other.

use super::sock::SockId;
use super::units::Bytes;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The task's current fragment (`task_frag`): how far it is used, and which sockets still hold bytes of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageFrag {
    /// Bytes used from the beginning; `None` before the first.
    pub offset: Option<Bytes>,
    /// The end of the last byte each socket copied into it, as a sequence number.
    pub users: BTreeMap<SockId, i64>,
}
