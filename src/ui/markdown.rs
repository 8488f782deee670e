//! Lesson prose as nodes: no raw HTML is ever set.

use pulldown_cmark::{Event as Md, HeadingLevel, Options, Parser, Tag, TagEnd};
use yew::prelude::*;
use yew::virtual_dom::{VList, VNode, VTag};

/// Markdown to nodes.
pub fn markdown(text: &str) -> Html {
    let mut builder = Builder { open: vec![(None, Vec::new())] };
    let mut parser = Parser::new_ext(text, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH);
    parser.by_ref().for_each(|event| builder.event(event));
    builder.finish()
}

/// Elements that are open, innermost last, each with its children so far. The first is the whole.
struct Builder {
    open: Vec<(Option<VTag>, Vec<VNode>)>,
}

impl Builder {
    fn event(&mut self, event: Md) {
        match event {
            Md::Start(tag) => self.start(tag),
            Md::End(end) => self.end(end),
            Md::Text(text) => self.add(html! { { text.to_string() } }),
            Md::Code(text) => self.add(html! { <code>{ text.to_string() }</code> }),
            Md::SoftBreak => self.add(html! { { " " } }),
            Md::HardBreak => self.add(html! { <br/> }),
            Md::Rule => self.add(html! { <hr/> }),
            // Raw HTML and anything newer is shown as it is written.
            Md::Html(text) | Md::InlineHtml(text) => self.add(html! { { text.to_string() } }),
            _ => {}
        }
    }

    fn start(&mut self, tag: Tag) {
        let mut element = VTag::new(name(&tag));
        if let Tag::Link { dest_url, .. } = tag {
            let safe = ["https://", "http://", "#"].iter().any(|scheme| dest_url.starts_with(scheme));
            if safe {
                element.add_attribute("href", dest_url.to_string());
                element.add_attribute("rel", "noopener noreferrer");
            }
        }
        self.open.push((Some(element), Vec::new()));
    }

    fn end(&mut self, _end: TagEnd) {
        if self.open.len() < 2 {
            return;
        }
        if let Some((Some(mut element), children)) = self.open.pop() {
            element.add_children(children);
            self.add(element.into());
        }
    }

    fn add(&mut self, node: VNode) {
        if let Some((_, children)) = self.open.last_mut() {
            children.push(node);
        }
    }

    fn finish(mut self) -> Html {
        while self.open.len() > 1 {
            self.end(TagEnd::Paragraph);
        }
        let children = self.open.pop().map(|(_, children)| children).unwrap_or_default();
        VList::with_children(children, None).into()
    }
}

const fn name(tag: &Tag) -> &'static str {
    match tag {
        Tag::Paragraph => "p",
        // The page has its own first and second level.
        Tag::Heading { level: HeadingLevel::H1 | HeadingLevel::H2, .. } => "h3",
        Tag::Heading { .. } => "h4",
        Tag::BlockQuote(_) => "blockquote",
        Tag::CodeBlock(_) => "pre",
        Tag::List(Some(_)) => "ol",
        Tag::List(None) => "ul",
        Tag::Item => "li",
        Tag::Emphasis => "em",
        Tag::Strong => "strong",
        Tag::Strikethrough => "s",
        Tag::Link { .. } => "a",
        Tag::Table(_) => "table",
        Tag::TableHead | Tag::TableRow => "tr",
        Tag::TableCell => "td",
        _ => "span",
    }
}
