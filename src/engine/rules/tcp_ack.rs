//! (being written)
#![allow(unused_variables, missing_docs)]
use crate::engine::ledger::Ledger;
use crate::engine::sock::SockId;
use crate::engine::step::Step;
use crate::engine::units::Micros;
pub fn op_ack(l: &mut Ledger, id: SockId, bytes: Option<i64>, win: Option<i64>, took: Micros) -> Step { Step::default() }
pub fn op_ack_all(l: &mut Ledger, id: SockId, took: Micros) -> Step { Step::default() }
pub fn op_peer_win(l: &mut Ledger, id: SockId, win: i64, took: Micros) -> Step { Step::default() }
pub fn tcp_ack(l: &mut Ledger, id: SockId, ack_seq: i64, win: i64) {}
