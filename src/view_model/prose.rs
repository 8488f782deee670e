//! Lesson prose, taken apart: the part of Markdown that lessons use, small enough to ship in the page.
//!
//! Headings, paragraphs, lists of one level, code, **strong**, *emphasis* and [links](https://example.org).
//! `tests/prose.rs` holds it to a full Markdown reader on every built-in lesson.

/// A block of prose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// A heading of any level.
    Heading(Vec<Inline>),
    /// A paragraph.
    Paragraph(Vec<Inline>),
    /// A list, each item a line of prose.
    List {
        /// Numbered.
        ordered: bool,
        /// Its items.
        items: Vec<Vec<Inline>>,
    },
    /// Lines between fences, as they are.
    Code(String),
}

/// A piece of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Inline {
    /// Words.
    Text(String),
    /// A name of the kernel's, as it is.
    Code(String),
    /// Set in bold.
    Strong(Vec<Inline>),
    /// Set apart.
    Emphasis(Vec<Inline>),
    /// Leads somewhere.
    Link {
        /// Where to.
        href: String,
        /// Its words.
        text: Vec<Inline>,
    },
}

/// Takes a text apart.
pub fn read(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let line = line.trim_end();
        if line.trim().is_empty() {
            continue;
        }
        if line.starts_with("```") {
            let mut code = String::new();
            for inside in lines.by_ref().take_while(|l| !l.starts_with("```")) {
                code.push_str(inside);
                code.push('\n');
            }
            blocks.push(Block::Code(code));
        } else if let Some(words) = heading(line) {
            blocks.push(Block::Heading(inline(words)));
        } else {
            let mut paragraph = vec![line];
            while let Some(next) =
                lines.next_if(|l| !l.trim().is_empty() && !l.starts_with("```") && heading(l).is_none())
            {
                paragraph.push(next.trim_end());
            }
            blocks.extend(group(&paragraph));
        }
    }
    blocks
}

fn heading(line: &str) -> Option<&str> {
    let words = line.trim_start_matches('#');
    let level = line.len() - words.len();
    if (1..=6).contains(&level) { words.strip_prefix(' ').map(str::trim) } else { None }
}

/// The words of a list's item, and whether the list is numbered.
fn item(line: &str) -> Option<(bool, &str)> {
    if let Some(words) = line.strip_prefix("* ").or_else(|| line.strip_prefix("- ")) {
        return Some((false, words));
    }
    let words = line.trim_start_matches(|c: char| c.is_ascii_digit());
    if words.len() == line.len() { None } else { words.strip_prefix(". ").map(|words| (true, words)) }
}

/// Lines without a blank one between them: a paragraph, or a list, or both.
fn group(lines: &[&str]) -> Vec<Block> {
    let mut blocks: Vec<(Option<bool>, Vec<String>)> = Vec::new();
    for line in lines {
        match (item(line), blocks.last_mut()) {
            (Some((ordered, words)), Some((Some(open), items))) if *open == ordered => {
                items.push(words.to_owned());
            }
            (Some((ordered, words)), _) => blocks.push((Some(ordered), vec![words.to_owned()])),
            (None, Some((_, texts))) => {
                if let Some(last) = texts.last_mut() {
                    last.push(' ');
                    last.push_str(line.trim_start());
                }
            }
            (None, None) => blocks.push((None, vec![line.trim_start().to_owned()])),
        }
    }
    let block = |(list, texts): (Option<bool>, Vec<String>)| match list {
        Some(ordered) => Block::List { ordered, items: texts.iter().map(|text| inline(text)).collect() },
        None => Block::Paragraph(inline(&texts.join(" "))),
    };
    blocks.into_iter().map(block).collect()
}

/// Takes a line apart.
fn inline(text: &str) -> Vec<Inline> {
    let mut out = Vec::new();
    let mut words = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if let Some((piece, after)) = special(rest) {
            if !words.is_empty() {
                out.push(Inline::Text(std::mem::take(&mut words)));
            }
            out.push(piece);
            rest = after;
        } else {
            words.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    if !words.is_empty() {
        out.push(Inline::Text(words));
    }
    out
}

/// What begins here, if more than words, and what comes after it.
fn special(text: &str) -> Option<(Inline, &str)> {
    if let Some(rest) = text.strip_prefix('`') {
        let (code, after) = rest.split_once('`')?;
        return Some((Inline::Code(code.to_owned()), after));
    }
    if let Some((inside, after)) = between(text, "**") {
        return Some((Inline::Strong(inline(inside)), after));
    }
    if let Some((inside, after)) = between(text, "*") {
        return Some((Inline::Emphasis(inline(inside)), after));
    }
    let (words, rest) = text.strip_prefix('[')?.split_once("](")?;
    let (href, after) = rest.split_once(')')?;
    Some((Inline::Link { href: href.to_owned(), text: inline(words) }, after))
}

/// What stands between two marks, with no space beside them on the inside.
fn between<'a>(text: &'a str, mark: &str) -> Option<(&'a str, &'a str)> {
    let (inside, after) = text.strip_prefix(mark)?.split_once(mark)?;
    let tight = !inside.is_empty() && !inside.starts_with([' ', '*']) && !inside.ends_with(' ');
    tight.then_some((inside, after))
}
