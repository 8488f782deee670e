//! (being written)
#![allow(unused_variables, missing_docs)]
use crate::engine::ledger::Ledger;
use crate::engine::sock::SockId;
use crate::engine::step::Step;
use crate::engine::units::Micros;
pub fn tcp_send_ack(l: &mut Ledger, id: SockId) {}
pub fn on_packet_sent(l: &mut Ledger, id: SockId, carries_data: bool) -> i64 { 0 }
