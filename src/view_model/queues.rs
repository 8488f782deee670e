//! The two rows of a socket: what waits to be acknowledged, and what waits to be read.

use super::blocks::{Block, Part, Piece, lay_out};
use super::figure::Figure;
use super::scale::{Px, Scale, bar};
use crate::engine::op::Protocol;
use crate::engine::reason::Field;
use crate::engine::sock::{RxSkb, Sock, TcpState, TxSkb};

/// A named stretch of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// Which part.
    pub part: Part,
    /// Left edge.
    pub x: Px,
    /// Width.
    pub width: Px,
    /// Payload in it, bytes.
    pub bytes: i64,
    /// skbs in it.
    pub skbs: i64,
}

/// A limit drawn as an upright ruler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ruler {
    /// The limit.
    pub figure: Figure,
    /// Where it stands.
    pub x: Px,
    /// Whether the application fixed it.
    pub locked: bool,
}

/// A known length beside the blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScaleBar {
    /// How many bytes.
    pub bytes: i64,
    /// How long that is.
    pub width: Px,
}

/// The window the peer was offered, from the end of what is queued.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Window {
    /// Left edge.
    pub x: Px,
    /// Width of `rcv_wnd` at the row's scale.
    pub width: Px,
    /// `tcp.rcv_wnd`.
    pub rcv_wnd: Figure,
    /// `tcp.rcv_ssthresh`.
    pub rcv_ssthresh: Figure,
}

/// One row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its scale: bytes of truesize to pixels.
    pub scale: Scale,
    /// The skbs.
    pub blocks: Vec<Block>,
    /// Its parts, empty ones left out.
    pub spans: Vec<Span>,
    /// What is queued.
    pub queued: Figure,
    /// The limit.
    pub ruler: Ruler,
    /// A known length.
    pub bar: ScaleBar,
    /// The window over the free room; receive rows of connected TCP sockets only.
    pub window: Option<Window>,
}

/// Room beyond the ruler, so that an overshoot shows.
const fn domain(limit: i64, queued: i64) -> i64 {
    let most = if limit > queued { limit } else { queued };
    most + most / 12
}

fn row(queued: Figure, limit: Figure, locked: bool, pieces: Vec<Piece>, width_px: i64) -> Row {
    let scale = Scale::new(domain(limit.value, queued.value), width_px);
    let spans = [Part::InFlight, Part::Unsent, Part::InOrder, Part::OutOfOrder]
        .into_iter()
        .filter_map(|part| span(part, &pieces, scale))
        .collect();
    let bytes = bar(scale.domain);
    Row {
        bar: ScaleBar { bytes, width: scale.at(bytes) },
        ruler: Ruler { x: scale.at(limit.value), figure: limit, locked },
        blocks: lay_out(pieces, scale),
        spans,
        queued,
        window: None,
        scale,
    }
}

fn span(part: Part, pieces: &[Piece], scale: Scale) -> Option<Span> {
    let before: i64 = pieces.iter().take_while(|p| p.part != part).map(|p| p.truesize).sum();
    let (mut skbs, mut bytes, mut size) = (0, 0, 0);
    for piece in pieces.iter().filter(|p| p.part == part) {
        skbs += 1;
        bytes += piece.len;
        size += piece.truesize;
    }
    let (x, width) = (scale.at(before), scale.between(before, before + size));
    (skbs > 0).then_some(Span { part, x, width, bytes, skbs })
}

fn sent(part: Part) -> impl Fn(&TxSkb) -> Piece {
    move |skb| Piece { id: skb.seq, len: skb.len, truesize: skb.truesize.get(), part }
}

fn received(part: Part) -> impl Fn(&RxSkb) -> Piece {
    move |skb| Piece { id: skb.seq, len: skb.len, truesize: skb.truesize.get(), part }
}

/// The send queue: in flight first, then what was never sent.
pub fn send(sock: &Sock, width_px: i64) -> Row {
    let pieces = sock.tx.rtx_queue.iter().map(sent(Part::InFlight));
    let pieces = pieces.chain(sock.tx.write_queue.iter().map(sent(Part::Unsent))).collect();
    let queued = Figure::of(sock.name, "wmem_queued", sock.wmem_queued().get());
    let limit = Figure::of(sock.name, "sndbuf", sock.sndbuf().get());
    row(queued, limit, sock.sndbuf_locked(), pieces, width_px)
}

/// The receive queue: in order first, then what lies beyond a hole.
pub fn receive(sock: &Sock, width_px: i64) -> Row {
    let in_order: Vec<&RxSkb> = match sock.kind {
        Protocol::Tcp => sock.rx.receive_queue.iter().collect(),
        Protocol::Udp => sock.udp.reader_queue.iter().chain(&sock.udp.receive_queue).collect(),
    };
    let pieces = in_order.into_iter().map(received(Part::InOrder));
    let pieces = pieces.chain(sock.rx.out_of_order_queue.iter().map(received(Part::OutOfOrder))).collect();
    let queued = Figure::of(sock.name, "rmem_alloc", sock.rmem_alloc().get());
    let limit = Figure::of(sock.name, "rcvbuf", sock.rcvbuf().get());
    let mut row = row(queued, limit, sock.rcvbuf_locked(), pieces, width_px);
    if sock.kind == Protocol::Tcp && !matches!(sock.state, TcpState::Close | TcpState::Listen) {
        let start = sock.rmem_alloc().get();
        let wnd = sock.rcv_wnd().get();
        row.window = Some(Window {
            x: row.scale.at(start),
            width: row.scale.between(start, start + wnd),
            rcv_wnd: Figure::of(sock.name, "tcp.rcv_wnd", wnd),
            rcv_ssthresh: Figure::of(sock.name, "tcp.rcv_ssthresh", sock.get(Field::RcvSsthresh)),
        });
    }
    row
}
