//! (being written)
#![allow(unused_variables, missing_docs)]
use crate::engine::ledger::Ledger;
use crate::engine::sock::SockId;
use crate::engine::step::Step;
use crate::engine::units::Micros;
pub fn arm_syn_timer(l: &mut Ledger, id: SockId) {}
pub fn write_timer_fired(l: &mut Ledger, id: SockId) {}
