//! The small reader of lesson prose agrees with a full Markdown reader on everything lessons say.
#![cfg(not(target_arch = "wasm32"))]

use pulldown_cmark::{Event, Parser, Tag};
use skmem_lab::scenario::lessons;
use skmem_lab::view_model::prose::{Block, Inline, read};

/// Markdown as one line of marks and words, by the full reader.
fn full(text: &str) -> String {
    let said = |event| match event {
        Event::Start(tag) => open(&tag).to_owned(),
        Event::End(end) => format!("/{}", &format!("{end:?}").to_lowercase()[..1]),
        Event::Text(words) => words.to_string(),
        Event::Code(code) => format!("`{code}`"),
        Event::SoftBreak => " ".to_owned(),
        other => panic!("lessons do not use {other:?}"),
    };
    Parser::new(text).map(said).collect()
}

fn open(tag: &Tag) -> &'static str {
    match tag {
        Tag::Heading { .. } => "<h>",
        Tag::Paragraph => "<p>",
        Tag::List(Some(_)) => "<ol>",
        Tag::List(None) => "<ul>",
        Tag::Item => "<i>",
        Tag::Strong => "<s>",
        Tag::Emphasis => "<e>",
        Tag::Link { .. } => "<l>",
        Tag::CodeBlock(_) => "<c>",
        other => panic!("lessons do not use {other:?}"),
    }
}

/// The same by the small reader.
fn small(text: &str) -> String {
    read(text).iter().map(block).collect()
}

fn block(block: &Block) -> String {
    match block {
        Block::Heading(words) => format!("<h>{}/h", line(words)),
        Block::Paragraph(words) => format!("<p>{}/p", line(words)),
        Block::Code(code) => format!("<c>{code}/c"),
        Block::List { ordered, items } => {
            let items: Vec<String> = items.iter().map(|words| format!("<i>{}/i", line(words))).collect();
            format!("{}{}/l", if *ordered { "<ol>" } else { "<ul>" }, items.concat())
        }
    }
}

fn line(pieces: &[Inline]) -> String {
    let piece = |piece: &Inline| match piece {
        Inline::Text(words) => words.clone(),
        Inline::Code(code) => format!("`{code}`"),
        Inline::Strong(words) => format!("<s>{}/s", line(words)),
        Inline::Emphasis(words) => format!("<e>{}/e", line(words)),
        Inline::Link { text, .. } => format!("<l>{}/l", line(text)),
    };
    pieces.iter().map(piece).collect()
}

#[test]
fn every_lesson_reads_the_same() {
    for lesson in lessons::all() {
        let texts = lesson.captions.values().chain([&lesson.intro, &lesson.afterword]);
        for text in texts {
            assert_eq!(small(text), full(text), "in {}: {text}", lesson.slug);
        }
    }
}

#[test]
fn the_marks_it_knows() {
    let text = "## A *heading*\n\nOne **bold `code`** and\na [link](https://a.example/b).\n\n1. first\n2. second\n   goes on\n\n* x\n\n\
                ```\nas  it\nis\n```\n";
    assert_eq!(small(text), full(text));
}

#[test]
fn marks_without_an_end_are_words() {
    for text in ["3 * 4 = 12", "a ` b", "[no link]", "2 ** 3", "*"] {
        assert_eq!(small(text), format!("<p>{text}/p"));
    }
}
