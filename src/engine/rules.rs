//! The kernel's rules, one file per concept; functions are named exactly as the kernel names them.

pub mod check;
pub mod dispatch;
pub mod forward_alloc;
pub mod memcg;
pub mod pressure;
pub mod raise_allocated;
pub mod reclaim;
pub mod reserve_mem;
pub mod sndbuf;
pub mod timer;
pub mod truesize;

pub(super) use check::check_op;
pub(super) use dispatch::run_op;
