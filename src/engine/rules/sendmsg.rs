//! (being written)
#![allow(unused_variables, missing_docs)]
use crate::engine::ledger::Ledger;
use crate::engine::sock::SockId;
use crate::engine::step::Step;
use crate::engine::units::Micros;
pub fn op_send(l: &mut Ledger, id: SockId, bytes: i64, count: i64, took: Micros) -> Step { Step::default() }
