//! Where two timelines part: the same operations on two kernels.

use super::line::{Brief, Timeline};
use super::world::World;
use crate::engine::Machine;
use crate::engine::op::{Protocol, SockName};
use crate::engine::reason::Field;
use crate::engine::sock::Sock;

/// One number that differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Whose number; `None`: the machine's.
    pub sock: Option<SockName>,
    /// Which number.
    pub field: Field,
    /// In the first.
    pub a: i64,
    /// In the second.
    pub b: i64,
}

/// Fields of a socket, in display order.
#[rustfmt::skip]
const SOCK_FIELDS: [Field; Field::SOCK_COUNT] = [
    Field::FwdAlloc, Field::WmemQueued, Field::RmemAlloc, Field::Reserved, Field::Sndbuf, Field::Rcvbuf,
    Field::BufLock, Field::Drops, Field::RcvLowat, Field::WindowClamp, Field::RcvSsthresh, Field::RcvWnd,
    Field::RcvSpace, Field::RcvMss, Field::ScalingRatio, Field::RcvWscale, Field::SndWscale, Field::Advmss,
    Field::SndWnd, Field::Cwnd, Field::SndSsthresh, Field::Unacked,
];

/// Every accounted number that differs between two machines. A socket that only one has differs in what is not 0.
pub fn differences(a: &Machine, b: &Machine) -> Vec<Difference> {
    let mut found = Vec::new();
    let mut left = a.socks().peekable();
    let mut right = b.socks().peekable();
    loop {
        let id = match (left.peek(), right.peek()) {
            (Some((l, _)), Some((r, _))) => *l.min(r),
            (Some((l, _)), None) => *l,
            (None, Some((r, _))) => *r,
            (None, None) => break,
        };
        let one = left.next_if(|(l, _)| *l == id).map(|(_, sock)| sock);
        let other = right.next_if(|(r, _)| *r == id).map(|(_, sock)| sock);
        sock_differences(one, other, &mut found);
    }
    let pressure = |m: &Machine| i64::from(m.proto(Protocol::Tcp).pressure_since().is_some());
    let atomic = |m: &Machine| m.proto(Protocol::Tcp).memory_allocated().get();
    let per_cpu = |m: &Machine| m.proto(Protocol::Tcp).per_cpu().get();
    let memcg = |m: &Machine| m.memcgs().iter().map(|g| g.sock().get()).sum();
    let mut machine = |field, read: &dyn Fn(&Machine) -> i64| {
        add(&mut found, None, field, read(a), read(b));
    };
    machine(Field::MemoryAllocated, &atomic);
    machine(Field::PcpuFwAlloc, &per_cpu);
    machine(Field::Pressure, &pressure);
    machine(Field::MemcgSock, &memcg);
    found
}

fn sock_differences(one: Option<&Sock>, other: Option<&Sock>, found: &mut Vec<Difference>) {
    let name = one.or(other).map(|sock| sock.name);
    let read = |sock: Option<&Sock>, field| sock.map_or(0, |sock| sock.get(field));
    for field in SOCK_FIELDS {
        add(found, name, field, read(one, field), read(other, field));
    }
}

fn add(found: &mut Vec<Difference>, sock: Option<SockName>, field: Field, a: i64, b: i64) {
    if a != b {
        found.push(Difference { sock, field, a, b });
    }
}

/// The first step at which two timelines of the same operations differ, in a number or in an answer.
pub fn first_difference<W: World>(a: &Timeline<W>, b: &Timeline<W>) -> Option<u32> {
    if !differences(a.start().machine(), b.start().machine()).is_empty() {
        return Some(0);
    }
    next_difference(a, b, 0)
}

/// The first step after `from` at which something new differs: the differing numbers are not those of the step
/// before, or the answers are not the same.
pub fn next_difference<W: World>(a: &Timeline<W>, b: &Timeline<W>, from: u32) -> Option<u32> {
    let (mut one, mut other) = (a.state_at(from), b.state_at(from));
    one.set_reasons(false);
    other.set_reasons(false);
    let mut known = differences(one.machine(), other.machine());
    for ((x, y), at) in a.ops_from(from).zip(b.ops_from(from)).zip(from + 1..) {
        let (first, second) = (one.apply(x, None), other.apply(y, None));
        let (Ok(first), Ok(second)) = (&first, &second) else {
            return if first.is_ok() == second.is_ok() { None } else { Some(at) };
        };
        let answer = |step: &crate::engine::step::Step| Brief { ret: step.ret, errno: step.errno, work: 0 };
        let now = differences(one.machine(), other.machine());
        if answer(first) != answer(second) || (now != known && !now.is_empty()) {
            return Some(at);
        }
        known = now;
    }
    None
}
