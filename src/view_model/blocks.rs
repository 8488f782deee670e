//! skbs to scale: width is truesize, the part that is payload is solid.

use super::scale::{Px, Scale};

/// Narrower blocks are drawn together.
pub const NARROW: Px = Px::whole(6);

/// An skb as it is to be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Tells skbs of one queue apart while they live: their first byte.
    pub id: i64,
    /// Payload, bytes.
    pub len: i64,
    /// Charged size, bytes.
    pub truesize: i64,
    /// The part of the queue it lies in.
    pub part: Part,
}

/// The part of a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// Sent, not acknowledged.
    InFlight,
    /// Written, not sent.
    Unsent,
    /// Received, in order.
    InOrder,
    /// Received beyond a hole.
    OutOfOrder,
}

/// What is drawn: one skb, or several narrow ones together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// Identity of the first.
    pub id: i64,
    /// How many skbs.
    pub skbs: i64,
    /// The part of the queue.
    pub part: Part,
    /// Payload, bytes.
    pub len: i64,
    /// Charged size, bytes.
    pub truesize: i64,
    /// Left edge.
    pub x: Px,
    /// Width of the payload.
    pub payload: Px,
    /// Width of the overhead.
    pub overhead: Px,
}

impl Block {
    /// The whole width.
    pub const fn width(&self) -> Px {
        Px(self.payload.0 + self.overhead.0)
    }
}

/// Lays skbs out one after another. Narrow neighbours of one part join.
pub fn lay_out(pieces: impl IntoIterator<Item = Piece>, scale: Scale) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut start = 0;
    let mut open = false;
    let mut begin = 0;
    for piece in pieces {
        let narrow = scale.between(start, start + piece.truesize) < NARROW;
        match blocks.last_mut() {
            Some(last) if open && narrow && last.part == piece.part => {
                last.skbs += 1;
                last.len += piece.len;
                last.truesize += piece.truesize;
                measure(last, begin, scale);
            }
            _ => {
                begin = start;
                let mut block = Block {
                    id: piece.id,
                    skbs: 1,
                    part: piece.part,
                    len: piece.len,
                    truesize: piece.truesize,
                    x: Px(0),
                    payload: Px(0),
                    overhead: Px(0),
                };
                measure(&mut block, begin, scale);
                blocks.push(block);
            }
        }
        open = narrow;
        start += piece.truesize;
    }
    blocks
}

fn measure(block: &mut Block, begin: i64, scale: Scale) {
    block.x = scale.at(begin);
    block.payload = scale.between(begin, begin + block.len);
    block.overhead = scale.between(begin + block.len, begin + block.truesize);
}
