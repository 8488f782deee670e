//! What is wrong with a text, and where.

use std::fmt;

/// The most of a found word that is repeated in a message, in characters.
const SHOWN: usize = 40;

/// The first place where a text stops making sense.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// What could have stood there.
    pub expected: String,
    /// What stood there; absent: the line ended.
    pub found: Option<String>,
    /// A way on, where one is known.
    pub hint: Option<String>,
}

impl TextError {
    pub(super) const fn new(line: u32, column: u32, expected: String, found: Option<String>) -> Self {
        Self { line, column, expected, found, hint: None }
    }

    pub(super) fn hint(mut self, hint: String) -> Self {
        self.hint = Some(hint);
        self
    }
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: expected {}, found ", self.line, self.column, self.expected)?;
        match &self.found {
            Some(found) if found.chars().count() > SHOWN => {
                let start: String = found.chars().take(SHOWN).collect();
                write!(f, "\"{start}...\"")?;
            }
            Some(found) => write!(f, "\"{found}\"")?,
            None => f.write_str("the end of the line")?,
        }
        self.hint.as_ref().map_or(Ok(()), |hint| write!(f, "; {hint}"))
    }
}

impl std::error::Error for TextError {}
