//! The TCP memory pressure flag, with its hysteresis.

use crate::engine::ledger::Ledger;
use crate::engine::op::Protocol;
use crate::engine::reason::{Cmp, Field, Rule, Term};
use crate::engine::snmp::Counter;
use crate::engine::sock::SockId;

/// Turns memory pressure on. A bypassing socket leaves it alone.
//= net/ipv4/tcp.c tcp_enter_memory_pressure @ 5.10 6.1 6.12 7.3
//# Only the first to find the counter above the pressure mark sets the flag and counts one episode.
pub fn tcp_enter_memory_pressure(l: &mut Ledger, id: SockId) {
    let sock = l.sk(id);
    if sock.kind != Protocol::Tcp || sock.bypass || l.machine().tcp.pressure_since().is_some() {
        return;
    }
    let now = l.now();
    l.set_pressure(Rule::TcpEnterMemoryPressure, Some(now));
    l.count(Counter::TcpMemoryPressures);
}

/// Turns memory pressure off, if it is on.
//= net/ipv4/tcp.c tcp_leave_memory_pressure @ 5.10 6.1 6.12 7.3
//# The flag is cleared and its whole duration is counted in milliseconds.
pub fn tcp_leave_memory_pressure(l: &mut Ledger, kind: Protocol) {
    if kind != Protocol::Tcp {
        return;
    }
    if let Some(since) = l.machine().tcp.pressure_since() {
        let ms = (l.now() - since).0 / 1000;
        l.set_pressure(Rule::TcpLeaveMemoryPressure, None);
        l.count_by(Counter::TcpMemoryPressuresChrono, ms);
    }
}

/// Whether a socket feels memory pressure.
//= include/net/tcp.h tcp_under_memory_pressure @ 5.10 6.1 6.12 7.3
//# The memory cgroup's pressure first (none is modelled), then, unless the socket bypasses, the global flag.
pub fn tcp_under_memory_pressure(l: &Ledger, id: SockId) -> bool {
    let sock = l.sk(id);
    sock.kind == Protocol::Tcp && !sock.bypass && l.machine().tcp.pressure_since().is_some()
}

/// As [`tcp_under_memory_pressure`], recorded as a decision of `rule`.
pub fn check_pressure(l: &mut Ledger, id: SockId, rule: Rule) -> bool {
    let on = i64::from(tcp_under_memory_pressure(l, id));
    l.check(rule, Field::Pressure.of(on), Cmp::Ne, Term::Constant.of(0))
}
