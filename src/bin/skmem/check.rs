//! `skmem check`.

use super::{End, say};
use skmem_lab::replay::lessons::{LessonCheck, check};
use skmem_lab::scenario::lessons;

/// Checks every built-in lesson.
pub fn run() -> End {
    let checks = check(&lessons::all());
    for LessonCheck { slug, claims, failures } in &checks {
        say(&format!("{slug}: {claims} claims, {} failures", failures.len()));
        for failure in failures {
            say(&format!("  {failure}"));
        }
    }
    let claims: u32 = checks.iter().map(|check| check.claims).sum();
    let failures: usize = checks.iter().map(|check| check.failures.len()).sum();
    say(&format!("checked {} lessons: {claims} claims, {failures} failures", checks.len()));
    if failures > 0 { End::Differs } else { End::Well }
}
