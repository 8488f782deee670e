//! What can be done to the shown socket with one click.

use crate::engine::machine::Machine;
use crate::engine::op::{Op, PeerOptions, Protocol, SockName, SockOpt};
use crate::engine::sock::TcpState;
use crate::session::Session;

/// A button: what it says and what it does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quick {
    /// The word on it.
    pub label: &'static str,
    /// The operation.
    pub op: Op,
}

/// IPv4 and TCP headers without options, bytes.
const HEADERS: u32 = 40;

/// The buttons for what is shown now.
pub fn quick(session: &Session) -> Vec<Quick> {
    let machine = session.machine();
    let Some((sock, shown)) = session.selected().and_then(|name| Some((name, machine.find(name)?.1))) else {
        return vec![Quick { label: "socket", op: Op::Socket { sock: free_name(machine), kind: Protocol::Tcp } }];
    };
    let len = machine.setup().mtu.saturating_sub(HEADERS).max(1);
    match (shown.kind, shown.state) {
        (Protocol::Udp, _) => vec![
            Quick { label: "send", op: Op::UdpSend { sock, len: 1000, count: 1, no_pump: 0 } },
            Quick { label: "rx", op: Op::UdpRx { sock, len: 1000, count: 1, truesize: None } },
            Quick { label: "read", op: Op::Read { sock, bytes: 65_536, count: 1 } },
        ],
        (_, TcpState::Close) => vec![
            Quick { label: "connect", op: Op::Connect { sock, peer: PeerOptions::default() } },
            Quick { label: "listen", op: Op::Listen { sock } },
        ],
        (_, TcpState::Listen) => {
            let child = free_name(machine);
            let waiting = shown.accept_queue.front();
            let waiting = waiting.and_then(|id| machine.socks().find(|(other, _)| other == id));
            let accept = waiting.map(|(_, child)| Op::Accept { sock, child: child.name });
            let mut all = vec![Quick {
                label: "peer connects",
                op: Op::PeerConnect { sock, child, peer: PeerOptions::default() },
            }];
            all.extend(accept.map(|op| Quick { label: "accept", op }));
            all
        }
        _ => vec![
            Quick { label: "send", op: Op::Send { sock, bytes: 10_000, count: 1 } },
            Quick { label: "ack", op: Op::Ack { sock, bytes: None, win: None } },
            Quick {
                label: "rx",
                op: Op::Rx {
                    sock,
                    len,
                    count: 1,
                    respect_window: 0,
                    win_snapshot: 0,
                    read_every: 0,
                    rewind_unacked: 0,
                    truesize: None,
                },
            },
            Quick { label: "read", op: Op::Read { sock, bytes: 65_536, count: 1 } },
            Quick {
                label: "past buffer",
                op: Op::RxAt { sock, ofs: past_buffer(machine, sock), len, count: 1, stride: 0, truesize: None },
            },
        ],
    }
}

/// How far beyond the next expected byte nothing fits any more: the window, and never less than the buffer.
fn past_buffer(machine: &Machine, sock: SockName) -> i32 {
    let most = machine.find(sock).map_or(0, |(_, s)| s.rcvbuf().get().max(s.rcv_wnd().get()));
    i32::try_from(most.min(1 << 30)).unwrap_or(1 << 30)
}

fn free_name(machine: &Machine) -> SockName {
    let names =
        ["s", "c", "t", "a", "b", "d", "e"].into_iter().map(str::to_owned).chain((1..).map(|n| format!("s{n}")));
    let mut names = names.filter_map(|name| SockName::new(&name));
    // The list of names never ends, the list of sockets does.
    names.find(|name| machine.find(*name).is_none()).unwrap_or_else(|| unreachable!())
}

/// A socket option and the number its field begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptionRow {
    /// The option.
    pub option: SockOpt,
    /// What its field says first.
    pub value: i32,
}

/// Every option, with a value that teaches something.
pub fn options() -> Vec<OptionRow> {
    let value = |option| match option {
        SockOpt::SO_RESERVE_MEM => 102_400,
        SockOpt::SO_RCVBUF | SockOpt::SO_RCVBUFFORCE => 65_536,
        SockOpt::SO_SNDBUF | SockOpt::SO_SNDBUFFORCE => 32_768,
        SockOpt::SO_BUF_LOCK => 3,
        SockOpt::SO_RCVLOWAT => 16_384,
        SockOpt::TCP_NODELAY => 1,
        SockOpt::TCP_WINDOW_CLAMP => 20_000,
    };
    SockOpt::ALL.into_iter().map(|option| OptionRow { option, value: value(option) }).collect()
}
