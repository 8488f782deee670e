//! The engine at the terminal.

#[cfg(not(target_arch = "wasm32"))]
#[path = "skmem/cli.rs"]
mod cli;

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    cli::main()
}

/// The command line needs a terminal.
#[cfg(target_arch = "wasm32")]
fn main() {}
