//! Pure accounting: the kernel's rules, and nothing else.
//!
//! No I/O, no clock, no dice, no floats, no display text, no hash iteration, no use of another room.
//! Start reading at [`machine::Machine::apply`].

pub mod ledger;
pub mod machine;
pub mod memcg;
pub mod op;
pub mod page_frag;
pub mod profile;
pub mod profiles;
pub mod proto;
pub mod reason;
pub mod rules;
pub mod setup;
pub mod snmp;
pub mod sock;
pub mod step;
pub mod sysctl;
pub mod timers;
pub mod units;

pub use machine::Machine;
