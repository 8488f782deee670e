//! The built-in lessons: one Markdown file each, in `static/lessons/`.
//!
//! A file is prose with three fenced blocks of ours:
//!
//! * `lesson`: `slug`, `surprise` (the step a bare address stops at, just before the event),
//!   `about`;
//! * `scenario`: the text form;
//! * `assert`: one assertion a line (see [`Assertion`]), checked by `skmem check`.
//!
//! Prose before the first `## step N` is the introduction. What follows `## step N` is the caption
//! once N operations are done. Any other `##` heading begins the afterword. Steps of a lesson are
//! only ever added at the end: links count on them.

mod assertion;
mod markdown;

pub use assertion::{Assertion, AssertionError, Cmp, Verdict, errno_name, errno_value};
pub use markdown::{Lesson, LessonError, parse};

/// A lesson as it is built in.
#[derive(Clone, Copy, Debug)]
pub struct BuiltIn {
    /// Its name in links.
    pub slug: &'static str,
    /// The whole file.
    pub markdown: &'static str,
}

/// Every lesson, in the order they are taught. The first is what a bare address shows.
pub const LESSONS: &[BuiltIn] = &[
    BuiltIn { slug: "reserve-floor", markdown: include_str!("../../static/lessons/reserve-floor.md") },
    BuiltIn { slug: "window-pressure", markdown: include_str!("../../static/lessons/window-pressure.md") },
    BuiltIn { slug: "option-rounding", markdown: include_str!("../../static/lessons/option-rounding.md") },
    BuiltIn { slug: "who-dropped", markdown: include_str!("../../static/lessons/who-dropped.md") },
];

/// The lesson of that name.
///
/// # Panics
/// When a built-in lesson does not read: our own bug, held by a test.
pub fn find(slug: &str) -> Option<Lesson> {
    LESSONS.iter().find(|l| l.slug == slug).map(read)
}

/// Every lesson, read.
///
/// # Panics
/// When a built-in lesson does not read: our own bug, held by a test.
pub fn all() -> Vec<Lesson> {
    LESSONS.iter().map(read).collect()
}

fn read(built_in: &BuiltIn) -> Lesson {
    match parse(built_in.markdown) {
        Ok(lesson) => lesson,
        Err(error) => panic!("lesson {}: {error}", built_in.slug),
    }
}
