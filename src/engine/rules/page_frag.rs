//! In which steps payload is charged: a copy ends with the page fragment it goes into.

use crate::engine::ledger::Ledger;
use crate::engine::sock::{Sock, SockId};
use crate::engine::units::Bytes;

/// Bytes of one fragment (an order-3 block of 4 KiB pages).
const FRAG_SIZE: i64 = 32_768;
/// A fragment with less room than this is left.
const ROOM_MIN: i64 = 32;

/// Room in the task's current fragment, bytes. Starts a new one when it is used up.
//= net/core/sock.c sk_page_frag_refill @ 5.10 6.1 6.12 7.3
//= net/core/sock.c skb_page_frag_refill @ 5.10 6.1 6.12 7.3
//# A fragment that no skb refers to any more is used from its beginning again. All writers of a task share it. It
//# is one page where pages are larger.
pub fn sk_page_frag_refill(l: &mut Ledger) -> i64 {
    let size = FRAG_SIZE.max(l.machine().setup().page_size.bytes().0);
    let offset = match l.machine().task_frag.offset {
        Some(offset) if in_use(l) && offset.0 + ROOM_MIN <= size => offset.0,
        _ => {
            l.m.task_frag.offset = Some(Bytes::ZERO);
            l.m.task_frag.users.clear();
            0
        }
    };
    size - offset
}

/// Whether any socket still holds bytes of the current fragment.
fn in_use(l: &Ledger) -> bool {
    let machine = l.machine();
    machine.task_frag.users.iter().any(|(id, end)| machine.socks.get(id).is_some_and(|sock| oldest(sock) < *end))
}

/// The oldest byte a socket still holds.
fn oldest(sock: &Sock) -> i64 {
    let tx = &sock.tx;
    tx.rtx_queue.front().or_else(|| tx.write_queue.front()).map_or(tx.write_seq, |skb| skb.seq)
}

/// `copy` bytes that end at sequence number `end` went into the current fragment.
pub fn used(l: &mut Ledger, id: SockId, copy: i64, end: i64) {
    let frag = &mut l.m.task_frag;
    frag.offset = Some(frag.offset.unwrap_or(Bytes::ZERO) + Bytes(copy));
    frag.users.insert(id, end);
}
