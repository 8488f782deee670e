//! A socket's line as `ss -m` prints it.

use super::figure::Figure;
use crate::engine::sock::Sock;

/// One letter of the line and the number behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Letter {
    /// `r`, `rb`, `t`, `tb`, `f`, `w`, `o`, `bl`, `d`.
    pub letters: &'static str,
    /// The number.
    pub figure: Figure,
}

/// The nine numbers of `skmem:(...)`, in the order of `ss`.
pub fn skmem(sock: &Sock) -> [Letter; 9] {
    let letter = |letters, field: &str, value| Letter { letters, figure: Figure::of(sock.name, field, value) };
    [
        letter("r", "rmem_alloc", sock.rmem_alloc().get()),
        letter("rb", "rcvbuf", sock.rcvbuf().get()),
        // The device takes packets over at once, so nothing is charged to wmem_alloc between operations.
        letter("t", "wmem_alloc", 0),
        letter("tb", "sndbuf", sock.sndbuf().get()),
        letter("f", "fwd_alloc", sock.forward_alloc().get()),
        letter("w", "wmem_queued", sock.wmem_queued().get()),
        letter("o", "optmem", 0),
        letter("bl", "backlog", 0),
        letter("d", "drops", sock.get(crate::engine::reason::Field::Drops)),
    ]
}
