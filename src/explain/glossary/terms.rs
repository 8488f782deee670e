//! Numbers of comparisons.

use super::{Entry, entry, field};
use crate::engine::reason::Term;
use crate::explain::terms::unit;

/// The entry of a number in a comparison.
pub const fn term(term: Term) -> Entry {
    if let Term::Field(f) = term {
        return field(f);
    }
    let (key, kernel, source, sentence) = words(term);
    entry(key, kernel, unit(term), source, sentence)
}

macro_rules! table {
    ($($term:pat, $key:literal $kernel:literal $source:literal $sentence:literal;)*) => {
        const fn words(term: Term) -> (&'static str, &'static str, &'static str, &'static str) {
            match term {
                Term::Field(f) => {
                    let e = field(f);
                    (e.key, e.kernel, e.source, e.sentence)
                }
                $($term => ($key, $kernel, $source, $sentence),)*
            }
        }
    };
}

table! {
    Term::Size, "size" "size" "include/net/sock.h sk_wmem_schedule"
        "The bytes a rule was asked for.";
    Term::Pages, "pages" "sk_mem_pages(size)" "include/net/sock.h sk_mem_pages"
        "Whole pages: what is missing, rounded up.";
    Term::Reclaimable, "reclaimable" "sk_forward_alloc - sk_unused_reserved_mem()" "include/net/sock.h sk_mem_reclaim"
        "Credit above the unused reserve: what may be given back.";
    Term::UnusedReserved, "unused_reserved" "sk_unused_reserved_mem()" "include/net/sock.h sk_unused_reserved_mem"
        "What is left of the reserve when everything queued is paid from it.";
    Term::PageSize, "page_size" "PAGE_SIZE" "include/net/sock.h SK_MEM_QUANTUM"
        "The unit in which memory is bought and returned.";
    Term::ReclaimThreshold, "reclaim_threshold" "SK_RECLAIM_THRESHOLD" "include/net/sock.h sk_mem_uncharge"
        "How much credit a socket may keep before some goes back.";
    Term::MemLimit(0), "mem_min" "sysctl_mem[0]" "net/core/sock.c sk_prot_mem_limits"
        "tcp_mem or udp_mem, first number: at or below it everything is granted and pressure ends.";
    Term::MemLimit(1), "mem_pressure" "sysctl_mem[1]" "net/core/sock.c sk_prot_mem_limits"
        "tcp_mem or udp_mem, second number: above it memory pressure begins.";
    Term::MemLimit(_), "mem_max" "sysctl_mem[2]" "net/core/sock.c sk_prot_mem_limits"
        "tcp_mem or udp_mem, third number: above it requests are refused.";
    Term::BufLimit(0), "buf_min" "sysctl_tcp_wmem[0] or sysctl_tcp_rmem[0]" "net/core/sock.c __sk_mem_raise_allocated"
        "What every socket may hold even under pressure.";
    Term::BufLimit(1), "buf_default" "sysctl_tcp_wmem[1] or sysctl_tcp_rmem[1]" "net/ipv4/tcp.c tcp_init_sock"
        "The size a buffer starts with.";
    Term::BufLimit(_), "buf_max" "sysctl_tcp_wmem[2] or sysctl_tcp_rmem[2]" "net/ipv4/tcp_input.c tcp_rcv_space_adjust"
        "The size autotuning may reach.";
    Term::OptMax, "opt_max" "sysctl_rmem_max or sysctl_wmem_max" "net/core/sock.c sk_setsockopt"
        "The largest value setsockopt takes, before it is doubled.";
    Term::MemcgMax, "memcg_max" "memory.max" "mm/memcontrol.c try_charge_memcg"
        "The limit of the memory cgroup.";
    Term::PcpuRsv, "mem_pcpu_rsv" "sysctl_mem_pcpu_rsv" "include/net/proto_memory.h sk_memory_allocated_add"
        "How many pages a CPU may hold back from the global counter.";
    Term::FairShare, "fair_share" "alloc * sk_mem_pages(...)" "net/core/sock.c __sk_mem_raise_allocated"
        "Pages all sockets would hold if each held as much as this one.";
    Term::QueuedPlusSize, "queued_plus_size" "queued + size" "net/core/sock.c __sk_mem_raise_allocated"
        "What is in the queue together with what is asked for.";
    Term::Notsent, "notsent" "tcp_notsent" "net/ipv4/tcp.c tcp_get_info"
        "Bytes written and not yet sent.";
    Term::Len, "len" "skb->len" "include/linux/skbuff.h skb->len"
        "Payload of a segment or datagram.";
    Term::Truesize, "truesize" "skb->truesize" "include/linux/skbuff.h skb->truesize"
        "What a packet costs: payload, unused room and bookkeeping.";
    Term::Space, "space" "tcp_space()" "include/net/tcp.h tcp_space"
        "Free receive buffer, as payload.";
    Term::FullSpace, "full_space" "tcp_full_space()" "include/net/tcp.h tcp_full_space"
        "The whole receive buffer, as payload.";
    Term::Window, "window" "window" "net/ipv4/tcp_output.c __tcp_select_window"
        "A window to offer.";
    Term::Seq, "seq" "seq" "include/net/tcp.h TCP_SKB_CB"
        "A place in the byte stream, counted from the connection's first byte.";
    Term::InFlight, "in_flight" "tcp_packets_in_flight()" "include/net/tcp.h tcp_packets_in_flight"
        "Packets sent and neither acknowledged nor thought lost.";
    Term::Quota, "quota" "cwnd_quota" "net/ipv4/tcp_output.c tcp_cwnd_test"
        "Packets that may leave now.";
    Term::Mss, "mss" "mss_now" "net/ipv4/tcp_output.c tcp_current_mss"
        "The largest payload of one segment.";
    Term::SizeGoal, "size_goal" "size_goal" "net/ipv4/tcp.c tcp_xmit_size_goal"
        "How much a writer puts into one skb.";
    Term::UnackedBytes, "unacked_bytes" "rcv_nxt - rcv_wup" "net/ipv4/tcp_input.c __tcp_ack_snd_check"
        "Bytes received since the last ACK.";
    Term::QuickAcks, "quick_acks" "icsk_ack.quick" "net/ipv4/tcp_input.c tcp_incr_quickack"
        "How many ACKs leave at once before delaying begins.";
    Term::Time, "time" "tcp_jiffies32" "include/net/tcp.h tcp_jiffies32"
        "Simulated time.";
    Term::Copied, "copied" "copied" "net/ipv4/tcp_input.c tcp_rcv_space_adjust"
        "Bytes the application read in the measured time.";
    Term::Constant, "constant" "constant" "the rule itself"
        "A fixed number of the rule.";
    Term::Argument, "argument" "val" "net/core/sock.c sk_setsockopt"
        "The value the caller passed.";
    Term::Policy, "policy" "policy" "the kernel profile"
        "Which rule of this kernel applies.";
}
