//! Words: from reasons to typed messages to English sentences, and the glossary of everything on screen.
//!
//! The engine says which rule, which numbers, which branch. Nothing here decides anything. Each enum of the
//! engine has its words in one exhaustive `match` in one file, so that a missing sentence does not compile:
//! terms and fields in `terms`, kernel functions in `glossary::rules` and `consequence`, verdicts, beats, markers
//! and conditions in `words`, errors in `errors`, operations in `ops`, whole steps in `english`.

mod consequence;
mod english;
mod errors;
mod facts;
pub mod glossary;
mod headline;
mod kernels;
mod limit;
mod numbers;
mod ops;
mod path;
mod sentence;
mod summary;
mod terms;
mod words;

pub use errors::{errno, imbalance, link_part, refused, setup_error, text_error};
pub use facts::fact;
pub use headline::{Headline, headline};
pub use kernels::{Switch, kernel_title, provenance, reclaim_rule, toggle};
pub use limit::Limit;
pub use numbers::{Lens, Unit, amount, number};
pub use ops::{answer, brief, op_label, option_short};
pub use path::{PathBeat, PathCall, PathLine, beat_summary, path};
pub use sentence::{Link, Part, Sentence, Span};
pub use summary::{Also, Environment, Life, Main, Message, OptionCall, Receive, Transmit, summary};
pub use terms::{noun, unit};
pub use words::{beat_kind, mark, until, verdict};
