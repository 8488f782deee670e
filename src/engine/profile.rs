//! A kernel as data: constants and policies. Rules match on a policy, never on a version.
//!
//! Stable kernels carry backports, so a profile says which release was read or recorded.

use super::setup::Build;
use serde::{Deserialize, Serialize};

/// How a profile came to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Provenance {
    /// Held against recordings of that kernel.
    Recorded,
    /// From sources, letters and reports of measurements; no recording to hold it against.
    FromSource,
    /// A base kernel with one rule of a proposal switched in.
    Proposal,
}

/// How a limit test reads the protocol's counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CounterRead {
    /// Every change is seen at once (before 6.0).
    Exact,
    /// Changes collect per CPU and are folded in batches of `mem_pcpu_rsv` pages (6.0).
    PerCpu,
}

/// What happens to credit when bytes are uncharged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reclaim {
    /// Keep it until `at` bytes are free above the reserve, then return `chunk` (before 6.0).
    Hoard {
        /// Threshold, bytes.
        at: i64,
        /// Returned at once, bytes.
        chunk: i64,
    },
    /// Return every whole page above the reserve at once (6.0).
    EveryPage,
    /// Keep `keep` bytes above the reserve, return what is over it (proposal of May 2023).
    KeepUpTo {
        /// Kept, bytes.
        keep: i64,
    },
}

/// Which places besides an uncharge give credit back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ReclaimPoints {
    /// Timers, close, idle receivers and senders under pressure too (before 6.0).
    Timers,
    /// Uncharges alone (6.0).
    UnchargeOnly,
}

/// What a failed memory cgroup charge means to `__sk_mem_raise_allocated`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum MemcgFailure {
    /// The pages were charged by force already and are taken back if the socket is refused (5.10).
    AlreadyForced,
    /// Nothing was charged (5.16).
    NotCharged,
}

/// Which pressure the fairness test of `__sk_mem_raise_allocated` looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FairnessPressure {
    /// The protocol's or the memory cgroup's (up to 6.6).
    GlobalOrMemcg,
    /// The protocol's alone (6.7).
    Global,
}

/// `SO_RESERVE_MEM`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(clippy::struct_excessive_bools)] // the option and each hunk of its letter are independent
pub struct ReserveRule {
    /// The option exists (5.16).
    pub exists: bool,
    /// Largest value, bytes; larger is EINVAL (6.12.117, 7.3).
    pub max: Option<i64>,
    /// TCP sockets alone (6.12.117, 7.3).
    pub tcp_only: bool,
    /// First patch of the letter: the reserve is kept out of reclaim.
    pub accounting: bool,
    /// Second patch: sndbuf is not moderated below the unused reserve, and set to it under pressure.
    pub sndbuf: bool,
    /// Third patch: `rcv_ssthresh` under pressure is raised to the unused reserve.
    pub ssthresh: bool,
}

/// How much payload fits in receive room.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum WindowFromSpace {
    /// `tcp_adv_win_scale`: half by default (up to 6.5).
    AdvWinScale,
    /// Measured share of payload in truesize, starting at `initial`/256 (6.6).
    ScalingRatio {
        /// 256ths.
        initial: i64,
    },
}

/// Which data segments are inside the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Acceptance {
    /// The start must be inside (up to 6.16).
    StartInWindow,
    /// The end too, unless the queue is empty (6.17 to 7.0).
    EndInWindow,
    /// As before, against the furthest edge ever advertised (7.1).
    EndInMaxWindow,
}

/// Whether a segment fits the receive buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Admission {
    /// What is there already must not exceed rcvbuf.
    Rmem,
    /// What is there and the segment's truesize must not exceed rcvbuf (6.17).
    RmemPlusTruesize,
    /// What is there and the segment's payload must not exceed rcvbuf (6.18).
    RmemPlusLen,
}

/// How the receive buffer grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Autotune {
    /// In whole segments of a nominal truesize (up to 6.5).
    Segments,
    /// In bytes by the measured ratio (6.6).
    Bytes,
    /// In bytes, without a margin of segments, with what waits behind a hole (6.16).
    BytesAndHole,
    /// As before, gently on low RTT (6.19).
    LowRtt,
}

/// The receiver's round trip estimate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RcvRttRule {
    /// A lower sample replaces the estimate at once (6.1); before, it moves by an eighth.
    pub lower_at_once: bool,
    /// A timestamp echoed within its own millisecond is no sample (6.12); before, it counts as one millisecond.
    pub zero_echo_ignored: bool,
    /// A higher timestamp sample is passed over while data waits for the reader (7.3).
    pub higher_waits_for_reader: bool,
}

/// What a changed scaling ratio does beside `window_clamp`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RatioChange {
    /// Nothing: the clamp moves with the buffer alone, so that of a locked buffer stays (6.6 to 6.10).
    RatioOnly,
    /// Only the clamp (and `rcvq_space`) follow.
    ClampOnly,
    /// The change goes through the `TCP_WINDOW_CLAMP` setter, which moves `rcv_ssthresh` too (6.18.15).
    ThroughSetter,
}

/// UDP receive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum UdpRule {
    /// Admits while `rmem <= rcvbuf`; schedules the whole size when the credit does not exceed it (up to 6.1).
    WholeSize,
    /// Admits while `rmem <= rcvbuf`; schedules the shortfall (6.12).
    Shortfall,
    /// Refuses what would exceed rcvbuf unless the queue is empty (6.18).
    Strict,
}

/// How UDP counts a datagram refused for memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum UdpMemErrors {
    /// `InErrors` alone (5.10).
    InErrors,
    /// `InErrors` and `MemErrors` (6.1, 6.12, 7.3).
    Both,
    /// Only `sk_drops` (6.18.15).
    DropsOnly,
}

/// Memory cgroups.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemcgRule {
    /// A charge from softirq over the limit succeeds by force (6.1); before, it fails.
    pub softirq_forces: bool,
    /// Pages charged ahead per refill.
    pub batch: i64,
    /// Groups a CPU can hold stock of.
    pub stock_slots: u32,
    /// memory.stat is updated in batches of this many pages per CPU; `None`: exact when read.
    pub report_batch: Option<i64>,
}

/// How TSO sizes are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TsoAutosize {
    /// By pacing rate (5.10).
    Pacing,
    /// By pacing rate, plus a budget that shrinks with the smallest RTT (5.18).
    PacingAndRtt,
}

/// Whether the head of an skb has a cache of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum HeadAlloc {
    /// General slabs; the room up to the slab's end counts (up to 6.2).
    Kmalloc,
    /// A cache for small heads, as large as a TCP header needs (6.3 to 6.7).
    SmallHead,
    /// The same, and large enough for what GRO pulls (6.8).
    SmallHeadPadded,
}

/// What `TCP_WINDOW_CLAMP` does to `rcv_ssthresh`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ClampSetter {
    /// Nothing (5.10).
    ClampOnly,
    /// Lowering cuts it, raising lifts it to the current window (6.1).
    MovesSsthresh,
}

/// When `SO_RCVBUF` locks the buffer against autotuning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LockRule {
    /// Always.
    Always,
    /// Only when the new size is below `tcp_rmem[1]` (proposal of February 2022, refused).
    WhenSmaller,
}

/// Default values of sysctls; memory-dependent ones are for a machine with plenty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Defaults {
    /// `tcp_rmem`, bytes.
    pub tcp_rmem: [i64; 3],
    /// `tcp_wmem`, bytes.
    pub tcp_wmem: [i64; 3],
    /// `tcp_mem`, pages.
    pub tcp_mem: [i64; 3],
    /// `udp_mem`, pages.
    pub udp_mem: [i64; 3],
    /// `rmem_max`, bytes.
    pub rmem_max: i64,
    /// `wmem_max`, bytes.
    pub wmem_max: i64,
    /// Smallest element `tcp_rmem` takes, bytes.
    pub tcp_rmem_floor: i64,
}

/// One kernel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(clippy::struct_excessive_bools)] // each is one independent change of the kernel's history
pub struct Profile {
    /// `6.12`, or `6.12+64k` with a proposal switched in.
    pub id: String,
    /// The release that was recorded or read.
    pub release: String,
    /// How it came to be.
    pub provenance: Provenance,
    /// How limits read the counter.
    pub counter: CounterRead,
    /// Reclaim era.
    pub reclaim: Reclaim,
    /// Where else credit goes back.
    pub reclaim_points: ReclaimPoints,
    /// Failed memory cgroup charges.
    pub memcg_failure: MemcgFailure,
    /// Fairness test.
    pub fairness: FairnessPressure,
    /// A charge whose counter reads 0 passes every limit and leaves the pressure flag alone (7.3).
    pub zero_read_passes: bool,
    /// Payload may be charged up to `tcp_wmem[0]` when memory is refused (`tcp_wmem_schedule`, 6.0).
    pub wmem_floor: bool,
    /// `SO_RESERVE_MEM`.
    pub reserve: ReserveRule,
    /// `SO_BUF_LOCK` exists (5.15).
    pub buf_lock: bool,
    /// When `SO_RCVBUF` locks.
    pub lock_rule: LockRule,
    /// `SO_RCVBUF` on TCP sets `window_clamp` (7.1).
    pub rcvbuf_sets_clamp: bool,
    /// `TCP_WINDOW_CLAMP`.
    pub clamp_setter: ClampSetter,
    /// Window from space.
    pub window: WindowFromSpace,
    /// A changed ratio.
    pub ratio_change: RatioChange,
    /// The first window is at most 65535 (up to 6.9).
    pub initial_window_64k: bool,
    /// Under pressure, `tcp_grow_window` adjusts `rcv_ssthresh` (5.16); before, it does nothing.
    pub grow_adjusts: bool,
    /// The timestamp option is subtracted from advmss before a passive child's buffers are set up (6.1).
    pub child_advmss_early: bool,
    /// Window inside which data is taken.
    pub acceptance: Acceptance,
    /// Receive buffer test.
    pub admission: Admission,
    /// A segment refused for memory makes the next ACK offer no window (6.6).
    pub nomem_zero_window: bool,
    /// `tcp_prune_queue` does nothing with an empty receive queue, and clamps the window only strictly above the buffer
    /// (7.3).
    pub prune_needs_rmem: bool,
    /// An out-of-order skb below the arriving one is never dropped for it (6.12).
    pub prune_spares_lower: bool,
    /// Receive autotuning.
    pub autotune: Autotune,
    /// The receiver's round trip estimate.
    pub rcv_rtt: RcvRttRule,
    /// Share of the round trip a duplicate ACK may be held back, percent: 5, or `tcp_comp_sack_rtt_percent` (7.3).
    pub compressed_ack_percent: u32,
    /// Out-of-order segments are measured too (6.12).
    pub measures_ofo: bool,
    /// A FIN without data is taken at a closed window (6.12).
    pub zero_window_takes_fin: bool,
    /// TUN puts what does not fit a page behind the head into page fragments (6.6); before, the head grows.
    pub tun_pages: bool,
    /// A reset that is obeyed counts in `sk_drops` (5.10).
    pub reset_counts_drop: bool,
    /// UDP receive.
    pub udp: UdpRule,
    /// UDP error counters.
    pub udp_mem_errors: UdpMemErrors,
    /// Memory cgroups.
    pub memcg: MemcgRule,
    /// TSO sizes.
    pub tso: TsoAutosize,
    /// An skb about to leave is filled from the next one (6.10).
    pub grow_skb: bool,
    /// A writer that must wait drops the skb it started and could not fill before it pushes what is queued (6.7).
    pub empty_tail_dropped: bool,
    /// A pure ACK that acknowledges nothing new may close the window (6.6).
    pub zero_window_ack_counts: bool,
    /// A lone FIN ignores the congestion window (up to 6.1).
    pub fin_ignores_cwnd: bool,
    /// skb heads.
    pub heads: HeadAlloc,
    /// The batch of `sockets_allocated`.
    pub sockets_batch: i64,
    /// `sk_bypass_prot_mem` exists (6.19).
    pub bypass: bool,
    /// `tcp_shrink_window` exists (6.5, and 6.1 by backport).
    pub shrink_window: bool,
    /// `tcp_rcvbuf_low_rtt` exists (6.19).
    pub low_rtt: bool,
    /// Sysctl defaults.
    pub defaults: Defaults,
}

impl Profile {
    /// `MAX_TCP_HEADER`, bytes, of a build.
    pub const fn max_tcp_header(build: Build) -> i64 {
        match build {
            Build::DebianCloud => 256,
            Build::Distro => 320,
            Build::Minimal => 192,
        }
    }

    /// `MAX_HEADER`, bytes, of a build.
    const fn max_header(build: Build) -> i64 {
        match build {
            Build::DebianCloud => 80,
            Build::Distro => 176,
            Build::Minimal => 32,
        }
    }

    /// Size of one object of the small-head cache, bytes (6.3 and later).
    pub const fn small_head_object(&self, build: Build) -> i64 {
        let header = Self::max_tcp_header(build);
        let padded = Self::max_header(build) + 128 + 64;
        let pads = matches!(self.heads, HeadAlloc::SmallHeadPadded);
        let room = if pads && padded > header { padded } else { header };
        let size = super::units::round_up(room, 64) + super::rules::truesize::SHARED_INFO;
        if size & (size - 1) == 0 { size + 64 } else { size }
    }
}
