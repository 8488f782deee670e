//! The engine at the terminal.
fn main() {}
