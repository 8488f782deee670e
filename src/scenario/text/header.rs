//! Set-up lines: the words before the first operation.

use super::append_line;
use super::error::TextError;
use super::line::{one_of, sysctl_rest};
use super::words::{self, Cursor, Word};
use crate::engine::op::SysctlKey;
use crate::engine::setup::{Build, RxTruesize};
use crate::engine::units::PageSize;
use crate::scenario::limits::{CPUS_MAX, ID_MAX, MTU, PAGES_MAX, is_id};
use crate::scenario::model::Scenario;

/// One set-up line of the text form.
#[derive(Clone, Copy, Debug)]
pub struct HeaderSyntax {
    /// The word the line begins with.
    pub name: &'static str,
    /// The words that follow.
    pub usage: &'static str,
    /// What it says, in one sentence.
    pub help: &'static str,
}

/// Every set-up line, in the order they are printed.
pub const HEADERS: &[HeaderSyntax] = &[
    HeaderSyntax { name: "name", usage: "name WORD", help: "A short name for files and lists." },
    HeaderSyntax { name: "title", usage: "title TEXT", help: "The title, one line." },
    HeaderSyntax { name: "about", usage: "about TEXT", help: "What it shows; may be repeated." },
    HeaderSyntax { name: "kernel", usage: "kernel PROFILE", help: "The kernel, such as 6.12 or 6.12+64k." },
    HeaderSyntax { name: "needs", usage: "needs VERSION", help: "The oldest kernel it means anything on." },
    HeaderSyntax { name: "build", usage: "build debian-cloud|distro|minimal", help: "Which build of the kernel." },
    HeaderSyntax { name: "pages", usage: "pages 4k|64k", help: "The page size." },
    HeaderSyntax { name: "cpus", usage: "cpus N", help: "How many CPUs; the task runs on the first." },
    HeaderSyntax {
        name: "memcg",
        usage: "memcg yes|no",
        help: "Whether the task has a memory cgroup of its own.",
    },
    HeaderSyntax {
        name: "memcg-other",
        usage: "memcg-other PAGES",
        help: "Other memory in the task's group, which counts towards memory.max.",
    },
    HeaderSyntax { name: "mtu", usage: "mtu BYTES", help: "The MTU of the device." },
    HeaderSyntax {
        name: "rx-truesize",
        usage: "rx-truesize copy|half-page|full-page",
        help: "What an arriving packet costs: decided by the driver.",
    },
    HeaderSyntax { name: "set", usage: "set KEY = VALUE", help: "A sysctl, written before the first operation." },
];

/// Which set-up lines were there.
pub(super) type Seen = std::collections::BTreeSet<&'static str>;

/// Whether a word begins a set-up line.
pub(super) fn is_header(name: &str) -> bool {
    HEADERS.iter().any(|h| h.name == name)
}

/// Reads one set-up line; `line` is the whole line, `first` its first word.
pub(super) fn read(
    prose: &mut Cursor,
    first: Word,
    line: &str,
    scenario: &mut Scenario,
    seen: &mut Seen,
) -> Result<(), TextError> {
    let header = HEADERS.iter().find(|h| h.name == first.text).expect("the caller looked");
    let once = !matches!(header.name, "about" | "set");
    if once && !seen.insert(header.name) {
        return Err(prose.error(first, format!("{} only once", header.name)));
    }
    match header.name {
        "title" => scenario.title = prose.prose("the title")?,
        "about" => append_line(&mut scenario.about, &prose.prose("what it shows")?),
        _ => {
            let mut words = prose.without_note(line);
            words.word();
            plain(&mut words, header.name, scenario)?;
            words.end()?;
        }
    }
    Ok(())
}

fn plain(words: &mut Cursor, name: &str, scenario: &mut Scenario) -> Result<(), TextError> {
    let setup = &mut scenario.setup;
    match name {
        "name" => scenario.name = id(words, "a name")?,
        "kernel" => scenario.profile = id(words, "a kernel such as 6.12")?,
        "needs" => scenario.needs = Some(id(words, "a version such as 6.1")?),
        "build" => setup.build = choice(words, &Build::ALL.map(|b| (b.name(), b)))?,
        "pages" => {
            setup.page_size = choice(words, &[("4k", PageSize::K4), ("64k", PageSize::K64)])?;
        }
        "cpus" => setup.cpus = number(words, "a number of CPUs", 1, CPUS_MAX)?,
        "memcg" => setup.memcg = choice(words, &[("yes", true), ("no", false)])?,
        "memcg-other" => setup.memcg_other = number(words, "a number of pages", 0, PAGES_MAX)?,
        "mtu" => setup.mtu = number(words, "a number of bytes", MTU.0, MTU.1)?,
        "rx-truesize" => {
            setup.rx_truesize = choice(words, &RxTruesize::ALL.map(|r| (r.name(), r)))?;
        }
        _ => {
            let word = words.next("a sysctl")?;
            let key = words::sysctl_key(word.text)
                .ok_or_else(|| one_of(words, word, "a sysctl", SysctlKey::ALL.map(SysctlKey::name).into_iter()))?;
            let equals = words.next("=")?;
            if equals.text != "=" {
                return Err(words.error(equals, "=".into()));
            }
            let first = words.next(words::sysctl_expected(key))?;
            let value = sysctl_rest(words, first, key)?;
            if setup.sysctls.insert(key, value).is_some() {
                return Err(words.error(word, format!("{} only once", key.name())));
            }
        }
    }
    Ok(())
}

fn id(words: &mut Cursor, expected: &str) -> Result<String, TextError> {
    let word = words.next(expected)?;
    if is_id(word.text) {
        return Ok(word.text.to_owned());
    }
    Err(words.error(word, format!("{expected} (letters, digits and .+_-, at most {ID_MAX})")))
}

fn choice<T: Copy>(words: &mut Cursor, all: &[(&str, T)]) -> Result<T, TextError> {
    let names: Vec<&str> = all.iter().map(|(name, _)| *name).collect();
    let expected = names.join(" or ");
    let word = words.next(&expected)?;
    let found = all.iter().find(|(name, _)| *name == word.text);
    found.map(|(_, value)| *value).ok_or_else(|| words.error(word, expected))
}

fn number(words: &mut Cursor, what: &str, min: u32, max: u32) -> Result<u32, TextError> {
    let word = words.next(what)?;
    let value = words::number(word.text).ok_or_else(|| words.error(word, what.into()))?;
    let fits = u32::try_from(value).ok().filter(|v| (min..=max).contains(v));
    fits.ok_or_else(|| words.error(word, format!("{what} from {min} to {max}")))
}
