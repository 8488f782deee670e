//! (being written)
#![allow(unused_variables, missing_docs)]
use crate::engine::ledger::Ledger;
use crate::engine::sock::SockId;
use crate::engine::step::Step;
use crate::engine::units::Micros;
pub fn tcp_send_fin(l: &mut Ledger, id: SockId) {}
pub fn push_pending_frames(l: &mut Ledger, id: SockId) {}
pub fn tcp_data_snd_check(l: &mut Ledger, id: SockId) {}
