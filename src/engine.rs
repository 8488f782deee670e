//! Pure accounting: the kernel's rules, and nothing else.
//!
//! No I/O, no clock, no dice, no floats, no display text, no hash iteration, no use of another room.
//! Start reading at [`machine::Machine::apply`].

pub mod op;
pub mod setup;
pub mod units;
