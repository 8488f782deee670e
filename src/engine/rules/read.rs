//! (being written)
#![allow(unused_variables, missing_docs)]
use crate::engine::ledger::Ledger;
use crate::engine::sock::SockId;
use crate::engine::step::Step;
use crate::engine::units::Micros;
pub fn op_read(l: &mut Ledger, id: SockId, bytes: i64, count: i64, took: Micros) -> Step { Step::default() }
pub fn op_read_all(l: &mut Ledger, id: SockId, took: Micros) -> Step { Step::default() }
