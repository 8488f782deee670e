//! The middle of the page: one socket, whole.

use super::moves::{Moves, moves};
use crate::engine::machine::Machine;
use crate::engine::op::{Protocol, SockName};
use crate::engine::reason::Field;
use crate::engine::sock::{Sock, TcpState};
use crate::session::{Action, Play, Session};

/// One tab.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tab {
    /// Which socket.
    pub name: SockName,
    /// Whether it is the one shown.
    pub selected: bool,
    /// Bytes it holds.
    pub held: i64,
}

/// The sockets that answer to a name, the shown one marked.
pub fn tabs(machine: &Machine, selected: Option<SockName>) -> Vec<Tab> {
    let named =
        machine.socks().filter(|(id, sock)| machine.find(sock.name).is_some_and(|(found, _)| found == *id));
    named
        .map(|(_, sock)| Tab { name: sock.name, selected: Some(sock.name) == selected, held: sock.held().get() })
        .collect()
}

/// Closed sockets that still hold memory.
pub fn orphans(machine: &Machine) -> i64 {
    machine.socks().map(|(_, sock)| i64::from(sock.orphan)).sum()
}

/// What kind of socket it is, in words.
pub fn kind(sock: &Sock) -> String {
    let state = match (sock.kind, sock.state) {
        (Protocol::Udp, _) => return "UDP".to_owned(),
        (_, TcpState::Established) => "established",
        (_, TcpState::SynSent) => "SYN sent",
        (_, TcpState::SynRecv) => "SYN received",
        (_, TcpState::FinWait1) => "FIN wait 1",
        (_, TcpState::FinWait2) => "FIN wait 2",
        (_, TcpState::TimeWait) => "time wait",
        (_, TcpState::Close) => "not connected",
        (_, TcpState::CloseWait) => "close wait",
        (_, TcpState::LastAck) => "last ACK",
        (_, TcpState::Listen) => "listening",
        (_, TcpState::Closing) => "closing",
    };
    let mut words = format!("TCP, {state}");
    if sock.bypass {
        words.push_str(", bypasses tcp_mem");
    }
    if !sock.accepted {
        words.push_str(", not accepted yet");
    }
    words
}

/// What the play key does: play or pause; just before a lesson's surprise it shows the surprise and stays there.
pub fn play_key(session: &Session) -> Action {
    let surprise = session.lesson().map(|lesson| lesson.surprise_step);
    let just_before = surprise == Some(session.step_no()) && session.beat().is_none() && !session.edited();
    if session.play() == Play::Paused && just_before { Action::Step } else { Action::TogglePlay }
}

/// What changed hands at the shown socket in the shown step or beat.
pub fn moved(session: &Session) -> Moves {
    let Some(sock) = session.selected() else { return Moves::default() };
    match (session.shown_beat(), session.step()) {
        (Some(beat), _) => moves([beat], sock),
        (None, Some(step)) => moves(&step.beats, sock),
        (None, None) => Moves::default(),
    }
}

/// Whether the socket has a congestion window worth showing.
pub fn cwnd(sock: &Sock) -> Option<i64> {
    let connected = sock.kind == Protocol::Tcp && !matches!(sock.state, TcpState::Close | TcpState::Listen);
    connected.then(|| sock.get(Field::Cwnd))
}
