//! Opens what a person names at the terminal: a lesson, a link, or a file in any of the forms a scenario has.

use crate::scenario::json::{self, JsonError};
use crate::scenario::lessons;
use crate::scenario::link::{self, Link, LinkError, Source};
use crate::scenario::model::Scenario;
use crate::scenario::text::{self, TextError};
use crate::scenario::view::View;
use std::io;

/// What was opened.
#[derive(Clone, Debug)]
pub struct Opened {
    /// The scenario.
    pub scenario: Scenario,
    /// The link that shows it: the one that was opened, or a new one.
    pub link: Link,
}

/// Why it cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// The file cannot be read.
    #[error("{0}: {1}; a file, a link or a lesson was expected (lessons: {slugs})", slugs = slugs())]
    Read(String, io::Error),
    /// The text form has a mistake.
    #[error("{0}: {1}")]
    Text(String, TextError),
    /// The JSON form has a mistake.
    #[error("{0}: {1}")]
    Json(String, JsonError),
    /// The link has a mistake.
    #[error("link: {0}")]
    Link(#[from] LinkError),
}

fn slugs() -> String {
    lessons::LESSONS.iter().map(|lesson| lesson.slug).collect::<Vec<_>>().join(", ")
}

/// Opens `what`: the name of a lesson, a link (a whole address, or its part from `#` on), or a file. `read` gives the
/// text of a file.
///
/// # Errors
/// Which part cannot be used, and why.
pub fn open(what: &str, read: impl FnOnce(&str) -> io::Result<String>) -> Result<Opened, SourceError> {
    if let Some(lesson) = lessons::find(what) {
        let link = Link { source: Source::Lesson(lesson.slug), view: View::default() };
        return Ok(Opened { scenario: lesson.scenario, link });
    }
    if what.contains("://") || what.starts_with('#') || what.starts_with("v=") {
        let link = link::decode(what)?;
        // A link to a lesson that is not built in does not decode.
        let scenario = link.scenario().unwrap_or_default();
        return Ok(Opened { scenario, link });
    }
    let content = read(what).map_err(|error| SourceError::Read(what.to_owned(), error))?;
    let scenario = if content.trim_start().starts_with('{') {
        json::from_json(&content).map_err(|error| SourceError::Json(what.to_owned(), error))?
    } else {
        text::parse(&content).map_err(|error| SourceError::Text(what.to_owned(), error))?
    };
    let link = Link { source: Source::Scenario(Box::new(scenario.clone())), view: View::default() };
    Ok(Opened { scenario, link })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(content: &str) -> Result<Opened, SourceError> {
        open("a.skm", |_| Ok(content.to_owned()))
    }

    #[test]
    fn a_lesson_a_link_and_both_kinds_of_file_open() {
        let slug = lessons::LESSONS[0].slug;
        let no_file = |_: &str| Err(io::Error::from(io::ErrorKind::NotFound));
        let lesson = open(slug, no_file).unwrap();
        let address = link::encode(&lesson.link).unwrap();
        assert_eq!(open(&address, no_file).unwrap().scenario, lesson.scenario);
        assert_eq!(file("socket s\n").unwrap().scenario.op_count(), 1);
        assert_eq!(file(r#"{"steps":[{"op":"socket","sock":"s"}]}"#).unwrap().scenario.op_count(), 1);
    }

    #[test]
    fn an_error_says_what_and_where() {
        let text = file("socket s\nsned s 1\n").unwrap_err().to_string();
        assert!(text.starts_with("a.skm: ") && text.contains('2'), "{text}");
        assert!(file("{\"steps\":3}").unwrap_err().to_string().contains("steps"));
        let missing = open("nothing", |_| Err(io::Error::from(io::ErrorKind::NotFound)));
        assert!(missing.unwrap_err().to_string().contains(lessons::LESSONS[0].slug));
        assert!(open("#v=1&s=AAAA", |_| Ok(String::new())).unwrap_err().to_string().starts_with("link: "));
    }
}
