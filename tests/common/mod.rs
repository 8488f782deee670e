//! Tables of hand arithmetic: one line an operation, then what must be true after it.
//!
//! `rx s 1460 | rcv_ssthresh=67176 win=65536  # how it was worked out`. What can stand on the right:
//!
//! - `EAGAIN` and its like: the error of the call (a line with a right side and no error asks for none);
//! - `ret`, `calls`: what the call returned, and how many calls of a loop went through;
//! - a field of a socket by its name on screen (`fwd_alloc`, `rcv_ssthresh`): of the operation's socket, or `other.field`;
//! - `win`: what the peer was last offered, bytes; `inq`: bytes to read; `queued`: datagrams in the queue;
//! - `offer`, `wscale`: window and scale of the SYN or SYN-ACK of this line; `acks`: packets it sent without data;
//! - `pages`, `udp_pages`: charged in all; `read`, `udp_read`: what limits see; `memcg`: pages of the task's group;
//! - `press`: 0 or 1; a counter by the kernel's name.
#![allow(dead_code)] // each test file uses its part
#![allow(clippy::doc_markdown)]

use skmem_lab::engine::Machine;
use skmem_lab::engine::op::{Op, Protocol, SockName, SysctlKey, Timing};
use skmem_lab::engine::reason::Field;
use skmem_lab::engine::setup::{Build, Setup};
use skmem_lab::engine::snmp::Counter;
use skmem_lab::engine::sock::Sock;
use skmem_lab::engine::step::{Errno, Step};
use skmem_lab::scenario::text;
use std::fmt::Write as _;

/// What the lab recorded with: the sysctls of every recording, whatever the kernel's defaults are.
pub const RECORDED: &[(SysctlKey, &str)] = &[
    (SysctlKey::TcpMem, "98304 131072 196608"),
    (SysctlKey::TcpRmem, "4096 131072 6291456"),
    (SysctlKey::RmemMax, "212992"),
    (SysctlKey::WmemMax, "212992"),
];

/// A set-up with these sysctls.
pub fn setup(sysctls: &[(SysctlKey, &str)]) -> Setup {
    let mut setup = Setup::default();
    for (key, value) in sysctls {
        setup.sysctls.insert(*key, (*value).to_owned());
    }
    setup
}

/// The same on the minimal build.
pub fn minimal(sysctls: &[(SysctlKey, &str)]) -> Setup {
    Setup { build: Build::Minimal, ..setup(sysctls) }
}

/// Runs one operation.
pub fn run(m: &mut Machine, line: &str) -> Step {
    let op = text::parse_op(line).unwrap_or_else(|e| panic!("{line}: {e}"));
    m.apply(&op.op, op.timing.unwrap_or(Timing::USUAL)).unwrap_or_else(|e| panic!("{line}: {e}"))
}

/// A socket by name.
pub fn sock<'m>(m: &'m Machine, name: &str) -> &'m Sock {
    m.find(SockName::new(name).unwrap()).unwrap_or_else(|| panic!("no socket {name}")).1
}

/// A socket's number by its name on screen.
pub fn field(sock: &Sock, name: &str) -> Option<i64> {
    const FIELDS: [Field; 22] = [
        Field::FwdAlloc,
        Field::WmemQueued,
        Field::RmemAlloc,
        Field::Reserved,
        Field::Sndbuf,
        Field::Rcvbuf,
        Field::BufLock,
        Field::Drops,
        Field::RcvLowat,
        Field::WindowClamp,
        Field::RcvSsthresh,
        Field::RcvWnd,
        Field::RcvSpace,
        Field::RcvMss,
        Field::ScalingRatio,
        Field::RcvWscale,
        Field::SndWscale,
        Field::Advmss,
        Field::SndWnd,
        Field::Cwnd,
        Field::SndSsthresh,
        Field::Unacked,
    ];
    match name {
        "win" => return Some(sock.peer.adv_win),
        "inq" => return Some(sock.rx.rcv_nxt - i64::from(sock.rx.fin_seen) - sock.rx.copied_seq),
        "queued" => {
            let held = sock.udp.reader_queue.len() + sock.udp.receive_queue.len();
            return Some(i64::try_from(held).unwrap());
        }
        _ => {}
    }
    FIELDS.into_iter().find(|f| f.name().trim_start_matches("tcp.") == name).map(|f| sock.get(f))
}

/// What a name on the right side means after a step.
fn value(m: &Machine, step: &Step, op: &Op, name: &str) -> i64 {
    let offer = step.syn.or(step.synack);
    let of =
        |sock: &str, name: &str| field(self::sock(m, sock), name).unwrap_or_else(|| panic!("what is {name}?"));
    match name {
        "ret" => step.ret,
        "calls" => step.calls_ok.unwrap_or(-1),
        "offer" => offer.map_or(-1, |o| o.win),
        "wscale" => offer.map_or(-1, |o| o.wscale),
        "acks" => i64::try_from(step.wire.iter().filter(|(_, p)| p.len == 0).count()).unwrap(),
        "pages" => m.proto(Protocol::Tcp).total().0,
        "udp_pages" => m.proto(Protocol::Udp).total().0,
        "read" => m.proto(Protocol::Tcp).read().0,
        "udp_read" => m.proto(Protocol::Udp).read().0,
        "memcg" => m.own_memcg().map_or(-1, |g| g.sock().0),
        "press" => i64::from(m.proto(Protocol::Tcp).pressure_since().is_some()),
        _ => {
            if let Some(counter) = Counter::ALL.iter().find(|c| c.name() == name) {
                return m.snmp().get(*counter);
            }
            let own = match op {
                Op::PeerConnect { child, .. } => Some(*child),
                _ => op.sock(),
            };
            match (name.split_once('.'), own) {
                (Some((sock, name)), _) => of(sock, name),
                (None, Some(sock)) => of(sock.as_str(), name),
                (None, None) => panic!("whose {name}?"),
            }
        }
    }
}

/// Runs a table on a machine; what is wrong, one line each.
fn differences(m: &mut Machine, kernel: &str, table: &str) -> String {
    let mut wrong = String::new();
    for line in table.lines().map(|l| l.split('#').next().unwrap().trim()).filter(|l| !l.is_empty()) {
        let (op_text, rest) = line.split_once('|').unwrap_or((line, ""));
        let parsed = text::parse_op(op_text.trim()).unwrap_or_else(|e| panic!("{op_text}: {e}"));
        let timing = parsed.timing.unwrap_or(Timing::USUAL);
        let step = m.apply(&parsed.op, timing).unwrap_or_else(|e| panic!("{kernel}: {op_text}: {e}"));
        let mut error = "none";
        for word in rest.split_whitespace() {
            let Some((name, number)) = word.split_once('=') else {
                error = word;
                continue;
            };
            let expected: i64 = number.parse().unwrap_or_else(|_| panic!("{word} is no number"));
            let got = value(m, &step, &parsed.op, name);
            if got != expected {
                let _ = writeln!(wrong, "{kernel}: {}: {name}: expected {expected}, got {got}", op_text.trim());
            }
        }
        let got = step.errno.map_or("none", Errno::name);
        if !rest.trim().is_empty() && got != error {
            let _ = writeln!(wrong, "{kernel}: {}: expected error {error}, got {got}", op_text.trim());
        }
    }
    wrong
}

/// Runs a table on each kernel with a set-up.
pub fn check_with(kernels: &[&str], setup: &Setup, table: &str) {
    let mut wrong = String::new();
    for kernel in kernels {
        wrong += &differences(&mut Machine::new(kernel, setup).unwrap(), kernel, table);
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// Runs a table on each kernel with its own defaults.
pub fn check(kernels: &[&str], table: &str) {
    check_with(kernels, &Setup::default(), table);
}
