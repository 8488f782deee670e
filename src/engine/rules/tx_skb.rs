//! (being written)
#![allow(unused_variables, missing_docs)]
use crate::engine::ledger::Ledger;
use crate::engine::sock::SockId;
use crate::engine::step::Step;
use crate::engine::units::Micros;
pub fn wmem_free_all(l: &mut Ledger, id: SockId) {}
