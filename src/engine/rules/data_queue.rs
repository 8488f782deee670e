//! (being written)
#![allow(unused_variables, missing_docs)]
use crate::engine::ledger::Ledger;
use crate::engine::sock::SockId;
use crate::engine::step::Step;
use crate::engine::units::Micros;
pub struct RxParams { pub len: i64, pub count: i64, pub respect_window: bool, pub win_snapshot: bool, pub read_every: i64, pub rewind_unacked: bool, pub truesize: Option<i64> }
pub fn op_rx(l: &mut Ledger, id: SockId, p: &RxParams, took: Micros) -> Step { Step::default() }
#[allow(clippy::too_many_arguments)]
pub fn op_rx_at(l: &mut Ledger, id: SockId, ofs: i64, len: i64, count: i64, stride: i64, truesize: Option<i64>, took: Micros) -> Step { Step::default() }
pub fn op_rx_skip(l: &mut Ledger, id: SockId, bytes: i64) -> Step { Step::default() }
pub fn op_rx_fin(l: &mut Ledger, id: SockId, took: Micros) -> Step { Step::default() }
pub fn op_rx_rst(l: &mut Ledger, id: SockId, took: Micros) -> Step { Step::default() }
pub fn free_receive_queue(l: &mut Ledger, id: SockId) {}
pub fn free_all(l: &mut Ledger, id: SockId) {}
