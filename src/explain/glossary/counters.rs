//! Counters of `/proc/net/netstat` and `/proc/net/snmp`.

use super::{Entry, entry};
use crate::engine::snmp::Counter;
use crate::explain::numbers::Unit;

/// The entry of a counter.
pub const fn counter(counter: Counter) -> Entry {
    let (unit, source, sentence) = words(counter);
    entry(counter.name(), counter.name(), unit, source, sentence)
}

#[rustfmt::skip] // a table
const fn words(counter: Counter) -> (Unit, &'static str, &'static str) {
    match counter {
        Counter::TcpMemoryPressures => (Unit::Count, "net/ipv4/tcp.c tcp_enter_memory_pressure",
            "How often memory pressure began."),
        Counter::TcpMemoryPressuresChrono => (Unit::Count, "net/ipv4/tcp.c tcp_leave_memory_pressure",
            "How long memory pressure lasted altogether, in milliseconds."),
        Counter::PruneCalled => (Unit::Count, "net/ipv4/tcp_input.c tcp_prune_queue",
            "How often a full receive queue was squeezed."),
        Counter::RcvPruned => (Unit::Count, "net/ipv4/tcp_input.c tcp_prune_queue",
            "How often squeezing did not free enough."),
        Counter::OfoPruned => (Unit::Count, "net/ipv4/tcp_input.c tcp_prune_ofo_queue",
            "How often the out-of-order queue was thrown away to make room."),
        Counter::TcpRcvCollapsed => (Unit::Packets, "net/ipv4/tcp_input.c tcp_collapse",
            "Packets whose payload was copied together to save overhead."),
        Counter::TcpRcvCoalesce => (Unit::Packets, "net/ipv4/tcp_input.c tcp_try_coalesce",
            "Packets that were merged into the one before."),
        Counter::TcpRcvQDrop => (Unit::Packets, "net/ipv4/tcp_input.c tcp_data_queue",
            "In-order segments dropped because memory was refused."),
        Counter::TcpOfoDrop => (Unit::Packets, "net/ipv4/tcp_input.c tcp_data_queue_ofo",
            "Out-of-order segments dropped because memory was refused."),
        Counter::TcpOfoQueue => (Unit::Packets, "net/ipv4/tcp_input.c tcp_data_queue_ofo",
            "Segments that were queued out of order."),
        Counter::TcpOfoMerge => (Unit::Packets, "net/ipv4/tcp_input.c tcp_data_queue_ofo",
            "Segments that overlapped what was queued out of order."),
        Counter::TcpZeroWindowDrop => (Unit::Packets, "net/ipv4/tcp_input.c tcp_data_queue",
            "Segments dropped because they came into a closed window."),
        Counter::BeyondWindow => (Unit::Packets, "net/ipv4/tcp_input.c tcp_sequence",
            "Segments dropped because they reached past the window."),
        Counter::TcpBacklogDrop => (Unit::Packets, "net/ipv4/tcp_ipv4.c tcp_add_backlog",
            "Segments dropped because the socket was busy and its backlog full."),
        Counter::TcpToZeroWindowAdv => (Unit::Count, "net/ipv4/tcp_output.c tcp_select_window",
            "How often the offered window became 0."),
        Counter::TcpFromZeroWindowAdv => (Unit::Count, "net/ipv4/tcp_output.c tcp_select_window",
            "How often the offered window opened again."),
        Counter::TcpWantZeroWindowAdv => (Unit::Count, "net/ipv4/tcp_output.c tcp_select_window",
            "How often the window should have become 0 but was already promised."),
        Counter::TcpAbortOnMemory => (Unit::Count, "net/ipv4/tcp.c tcp_check_oom",
            "Connections ended because memory ran out."),
        Counter::TcpAbortOnClose => (Unit::Count, "net/ipv4/tcp.c __tcp_close",
            "Connections reset because they were closed with unread data."),
        Counter::TcpAbortOnData => (Unit::Count, "net/ipv4/tcp.c __tcp_close",
            "Connections reset because data came after the close."),
        Counter::TcpWqueueTooBig => (Unit::Count, "net/ipv4/tcp_output.c tcp_fragment",
            "How often a packet could not be split because the send queue was too large."),
        Counter::TcpTimeouts => (Unit::Count, "net/ipv4/tcp_timer.c tcp_retransmit_timer",
            "How often the retransmission timer expired."),
        Counter::TcpWinProbe => (Unit::Packets, "net/ipv4/tcp_output.c tcp_write_wakeup",
            "Probes sent into a closed window."),
        Counter::RetransSegs => (Unit::Packets, "net/ipv4/tcp_output.c tcp_retransmit_skb",
            "Segments sent again."),
        Counter::DelayedAcks => (Unit::Count, "net/ipv4/tcp_timer.c tcp_delack_timer_handler",
            "ACKs that the delayed ACK timer sent."),
        Counter::UdpInDatagrams => (Unit::Packets, "net/ipv4/udp.c udp_recvmsg",
            "Datagrams an application read."),
        Counter::UdpInErrors => (Unit::Packets, "net/ipv4/udp.c __udp_queue_rcv_skb",
            "Datagrams that could not be delivered."),
        Counter::UdpRcvbufErrors => (Unit::Packets, "net/ipv4/udp.c __udp_enqueue_schedule_skb",
            "Datagrams dropped because the receive buffer was full."),
        Counter::UdpMemErrors => (Unit::Packets, "net/ipv4/udp.c __udp_enqueue_schedule_skb",
            "Datagrams dropped because memory was refused."),
    }
}
