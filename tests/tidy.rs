//! House rules: the layers, what the engine may not touch, and how long a file may be.
#![cfg(not(target_arch = "wasm32"))]

use std::fs;
use std::path::{Path, PathBuf};

/// The rooms, lowest first: a room may use those before it and nothing after it.
const ROOMS: [&str; 10] =
    ["engine", "scenario", "sim", "timeline", "replay", "explain", "interop", "session", "view_model", "ui"];

/// What pure accounting may not touch: clocks, dice, I/O, floats, hash order, the browser, display.
const BANNED_IN_ENGINE: [&str; 17] = [
    "f32",
    "f64",
    "HashMap",
    "HashSet",
    "Instant",
    "SystemTime",
    "std::io",
    "std::fs",
    "std::env",
    "std::thread",
    "println!",
    "eprintln!",
    "rand::",
    "yew",
    "web_sys",
    "js_sys",
    "gloo",
];

/// Words that mean somebody left.
const UNFINISHED: [&str; 6] = ["TODO", "FIXME", "XXX", "todo!(", "unimplemented!(", "being written"];

/// Lines a file may have, its unit tests apart: what one reads in one sitting.
const FILE_LINES_MAX: usize = 400;
/// Characters a line may have.
const LINE_CHARS_MAX: usize = 120;

fn rust_files(dir: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = fs::read_dir(dir).unwrap().map(|e| e.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

/// Every source file as (path below `src`, text).
fn sources() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    rust_files(&root, &mut files);
    files
        .into_iter()
        .map(|path| {
            let name = path.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/");
            let text = fs::read_to_string(&path).unwrap();
            (name, text)
        })
        .collect()
}

/// The room a file belongs to; `None` for `lib.rs`, `main.rs` and the programs.
fn room_of(name: &str) -> Option<usize> {
    let first = name.split('/').next().unwrap().trim_end_matches(".rs");
    ROOMS.iter().position(|room| *room == first)
}

/// The text without its unit tests.
fn production(text: &str) -> &str {
    text.split("#[cfg(test)]").next().unwrap()
}

fn has_word(line: &str, word: &str) -> bool {
    let boundary = |c: Option<char>| !c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let checks_start = word.starts_with(|c: char| c.is_alphanumeric());
    let checks_end = word.ends_with(|c: char| c.is_alphanumeric());
    line.match_indices(word).any(|(at, _)| {
        (!checks_start || boundary(line[..at].chars().next_back()))
            && (!checks_end || boundary(line[at + word.len()..].chars().next()))
    })
}

/// The rooms a line of code names, by `crate::` or `skmem_lab::`.
fn rooms_named(line: &str) -> Vec<usize> {
    let mut named = Vec::new();
    for prefix in ["crate::", "skmem_lab::"] {
        for (at, _) in line.match_indices(prefix) {
            let rest = &line[at + prefix.len()..];
            let inside = rest.strip_prefix('{').map_or(rest, |r| r.split('}').next().unwrap());
            for part in inside.split(',').take(if rest.starts_with('{') { usize::MAX } else { 1 }) {
                let word: String = part.trim().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                named.extend(ROOMS.iter().position(|room| *room == word));
            }
        }
    }
    named
}

fn fail_if_any(complaints: &[String]) {
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
}

#[test]
fn nothing_points_to_a_higher_room() {
    let mut complaints = Vec::new();
    for (name, text) in sources() {
        let Some(own) = room_of(&name) else { continue };
        for (n, line) in text.lines().enumerate() {
            for other in rooms_named(line) {
                if other > own {
                    complaints.push(format!("src/{name}:{}: {} may not use {}", n + 1, ROOMS[own], ROOMS[other]));
                }
            }
        }
    }
    fail_if_any(&complaints);
}

#[test]
fn the_engine_is_pure() {
    let mut complaints = Vec::new();
    for (name, text) in sources().into_iter().filter(|(name, _)| room_of(name) == Some(0)) {
        for (n, line) in production(&text).lines().enumerate() {
            if line.trim_start().starts_with("//") {
                continue;
            }
            for word in BANNED_IN_ENGINE.iter().filter(|word| has_word(line, word)) {
                complaints.push(format!("src/{name}:{}: `{word}` is banned in engine", n + 1));
            }
        }
    }
    fail_if_any(&complaints);
}

/// A rule matches on a policy of the profile, never on which kernel it is.
#[test]
fn rules_do_not_ask_for_the_version() {
    let mut complaints = Vec::new();
    for (name, text) in sources().into_iter().filter(|(name, _)| name.starts_with("engine/rules/")) {
        for (n, line) in production(&text).lines().enumerate() {
            if line.contains("profile().id") || line.contains("profile().release") || line.contains("profile.id") {
                complaints.push(format!("src/{name}:{}: a rule asks which kernel it is", n + 1));
            }
        }
    }
    fail_if_any(&complaints);
}

#[test]
fn files_can_be_read_in_one_sitting() {
    let mut complaints = Vec::new();
    for (name, text) in sources() {
        let lines = production(&text).lines().count();
        if lines > FILE_LINES_MAX {
            complaints.push(format!("src/{name}: {lines} lines, at most {FILE_LINES_MAX}: split it"));
        }
        if !text.starts_with("//!") {
            complaints.push(format!("src/{name}: does not say what it is for (`//!` in the first line)"));
        }
        for (n, line) in text.lines().enumerate() {
            if line.chars().count() > LINE_CHARS_MAX {
                complaints.push(format!("src/{name}:{}: longer than {LINE_CHARS_MAX} characters", n + 1));
            }
        }
    }
    fail_if_any(&complaints);
}

#[test]
fn nothing_is_left_unfinished() {
    let mut complaints = Vec::new();
    for (name, text) in sources() {
        for (n, line) in text.lines().enumerate() {
            for word in UNFINISHED.iter().filter(|word| has_word(line, word)) {
                complaints.push(format!("src/{name}:{}: {word}", n + 1));
            }
        }
    }
    fail_if_any(&complaints);
}

/// The list of rooms here, in `lib.rs` and on disk is the same one.
#[test]
fn every_folder_is_a_room() {
    let lib = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs")).unwrap();
    for line in lib.lines().filter_map(|l| l.strip_prefix("pub mod ")) {
        let module = line.trim_end_matches(';');
        assert!(ROOMS.contains(&module), "{module} is in lib.rs but is no room");
    }
    for (name, _) in sources() {
        let known = room_of(&name).is_some() || name == "lib.rs" || name == "main.rs" || name.starts_with("bin/");
        assert!(known, "src/{name} belongs to no room");
    }
}
