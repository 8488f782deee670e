//! A lesson's file, taken apart.

use super::assertion::{Assertion, AssertionError};
use crate::scenario::model::Scenario;
use crate::scenario::text::{self, TextError};
use std::collections::BTreeMap;

/// A lesson, ready to be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lesson {
    /// Its name in links.
    pub slug: String,
    /// The scenario's title.
    pub title: String,
    /// One sentence for the list of lessons.
    pub about: String,
    /// The step a bare address stops at: the next operation is the surprise.
    pub surprise_step: u32,
    /// What happens.
    pub scenario: Scenario,
    /// Markdown before the first step.
    pub intro: String,
    /// Markdown to show once so many operations are done.
    pub captions: BTreeMap<u32, String>,
    /// Markdown after the last step, headings included.
    pub afterword: String,
    /// What it claims.
    pub assertions: Vec<Assertion>,
}

impl Lesson {
    /// The caption at a step: its own, or that of the last step before it that has one; before any,
    /// the introduction.
    pub fn caption(&self, step: u32) -> &str {
        self.captions.range(..=step).next_back().map_or(self.intro.as_str(), |(_, text)| text.as_str())
    }
}

/// A file that is no lesson. Lines count from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LessonError {
    /// A block or key that has to be there.
    #[error("{0} is missing")]
    Missing(&'static str),
    /// A key or heading that does not fit.
    #[error("line {line}: expected {expected}")]
    Line {
        /// Where.
        line: u32,
        /// What could have stood there.
        expected: &'static str,
    },
    /// The scenario's text has a fault; its lines count from the block's first.
    #[error("in the scenario: {0}")]
    Scenario(#[from] TextError),
    /// A line of the assert block.
    #[error("line {line}: {error}")]
    Assertion {
        /// Where.
        line: u32,
        /// What is wrong.
        error: AssertionError,
    },
    /// A step past the last operation.
    #[error("{what} names step {step}, but there are {ops} operations")]
    Step {
        /// Caption, assertion or surprise.
        what: &'static str,
        /// The step.
        step: u32,
        /// How many operations there are.
        ops: u32,
    },
}

/// Where prose goes.
#[derive(Default)]
enum Place {
    #[default]
    Intro,
    Step(u32),
    Afterword,
}

/// Reads a lesson's file.
///
/// # Errors
/// What is missing, or the line that does not fit.
pub fn parse(markdown: &str) -> Result<Lesson, LessonError> {
    let mut reader = Reader::default();
    for (number, line) in (1..).zip(markdown.lines()) {
        reader.line(number, line)?;
    }
    reader.finish()
}

#[derive(Default)]
struct Reader {
    block: Option<String>,
    keys: BTreeMap<String, String>,
    scenario: Option<String>,
    intro: String,
    captions: BTreeMap<u32, String>,
    afterword: String,
    place: Place,
    assertions: Vec<Assertion>,
}

impl Reader {
    fn line(&mut self, number: u32, line: &str) -> Result<(), LessonError> {
        if let Some(block) = self.block.take() {
            if line.trim_end() == "```" {
                return Ok(());
            }
            let read = self.in_block(&block, number, line);
            self.block = Some(block);
            return read;
        }
        match line.trim_end() {
            "```lesson" | "```scenario" | "```assert" => {
                self.block = Some(line.trim_end()[3..].to_owned());
            }
            heading if heading.starts_with("## ") => self.heading(number, heading)?,
            // The title stands in the scenario.
            title if title.starts_with("# ") => {}
            prose => self.prose(prose),
        }
        Ok(())
    }

    fn in_block(&mut self, block: &str, number: u32, line: &str) -> Result<(), LessonError> {
        match block {
            "lesson" => {
                let expected = "a key and its value";
                let (key, value) = line.split_once(' ').ok_or(LessonError::Line { line: number, expected })?;
                self.keys.insert(key.to_owned(), value.trim().to_owned());
            }
            "scenario" => {
                let text = self.scenario.get_or_insert_default();
                text.push_str(line);
                text.push('\n');
            }
            _ => {
                let code = line.split('#').next().unwrap_or_default();
                if !code.trim().is_empty() {
                    let read = Assertion::parse(code);
                    self.assertions.extend(read.map_err(|error| LessonError::Assertion { line: number, error })?);
                }
            }
        }
        Ok(())
    }

    fn heading(&mut self, number: u32, heading: &str) -> Result<(), LessonError> {
        let Some(step) = heading.strip_prefix("## step ") else {
            self.place = Place::Afterword;
            self.prose(heading);
            return Ok(());
        };
        let wrong = LessonError::Line { line: number, expected: "a heading such as ## step 3, once" };
        let Ok(step) = step.parse() else {
            return Err(wrong);
        };
        if self.captions.insert(step, String::new()).is_some() {
            return Err(wrong);
        }
        self.place = Place::Step(step);
        Ok(())
    }

    fn prose(&mut self, line: &str) {
        let text = match self.place {
            Place::Intro => &mut self.intro,
            Place::Step(step) => self.captions.entry(step).or_default(),
            Place::Afterword => &mut self.afterword,
        };
        text.push_str(line);
        text.push('\n');
    }

    fn finish(mut self) -> Result<Lesson, LessonError> {
        let scenario = text::parse(&self.scenario.ok_or(LessonError::Missing("the block scenario"))?)?;
        let mut key = |name| self.keys.remove(name).ok_or(LessonError::Missing(name));
        let (slug, about, surprise) = (key("slug")?, key("about")?, key("surprise")?);
        let surprise_step = surprise.parse().map_err(|_| LessonError::Missing("a number as surprise"))?;
        let ops = scenario.op_count();
        let steps = [("surprise", surprise_step + 1)].into_iter();
        let steps = steps.chain(self.captions.keys().map(|step| ("a caption", *step)));
        let mut steps = steps.chain(self.assertions.iter().map(|a| ("an assertion", a.after)));
        if let Some((what, step)) = steps.find(|(_, step)| *step > ops) {
            return Err(LessonError::Step { what, step, ops });
        }
        let trim = |text: String| text.trim().to_owned();
        Ok(Lesson {
            slug,
            about,
            title: scenario.title.clone(),
            surprise_step,
            scenario,
            intro: trim(self.intro),
            captions: self.captions.into_iter().map(|(step, text)| (step, trim(text))).collect(),
            afterword: trim(self.afterword),
            assertions: self.assertions,
        })
    }
}
