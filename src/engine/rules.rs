//! The kernel's rules, one file per concept; functions are named exactly as the kernel names them.

pub mod ack_out;
pub mod autotune;
pub mod check;
pub mod close;
pub mod coalesce;
pub mod collapse;
pub mod cong;
pub mod create;
pub mod data_queue;
pub mod delack;
pub mod dispatch;
pub mod forward_alloc;
pub mod grow_window;
pub mod loss;
pub mod memcg;
pub mod ofo;
pub mod options;
pub mod page_frag;
pub mod pressure;
pub mod prune;
pub mod raise_allocated;
pub mod rcv_mss;
pub mod rcv_rtt;
pub mod rcv_window;
pub mod read;
pub mod reclaim;
pub mod reserve_mem;
pub mod retransmit;
pub mod rto;
pub mod rtt;
pub mod sendmsg;
pub mod sequence;
pub mod size_goal;
pub mod sndbuf;
pub mod tcp_ack;
pub mod timer;
pub mod truesize;
pub mod tso;
pub mod tx_skb;
pub mod udp;
pub mod write_xmit;

pub(super) use check::check_op;
pub(super) use dispatch::run_op;

use super::sock::Sock;

/// Packets sent, neither acknowledged nor known lost (`tcp_packets_in_flight`).
pub(super) fn in_flight(sock: &Sock) -> i64 {
    sock.get(super::reason::Field::Unacked) - sock.tx.lost_out + sock.tx.retrans_out
}
