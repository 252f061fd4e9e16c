//! Converts an assistant's Markdown to safe HTML.
//!
//! Answers quote text from outside, so nothing in them is trusted. Raw HTML is shown as text, and images are replaced
//! by their description. Links may use only http, https or a path on this server, and external links show their
//! full URL.

use pulldown_cmark::{Alignment, CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};
use url::Url;

/// Converts Markdown to HTML. Tables and code blocks are written here and not by the library, whose markup has
/// inline styles, which the pages' content security policy forbids, and an unused language class.
pub fn to_html(markdown: &str) -> String {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    let mut writer = Writer::default();
    let events: Vec<Event<'_>> = Parser::new_ext(markdown, options)
        .filter_map(|event| writer.safe(event))
        .collect();
    let mut page = String::with_capacity(markdown.len() * 2);
    html::push_html(&mut page, events.into_iter());
    page
}

/// Whether a link may point to this address: http, https or a path on this server.
pub fn is_safe_address(address: &str) -> bool {
    let plain = !address
        .chars()
        .any(|c| c.is_control() || c.is_whitespace() || c == '\\');
    let lower = address.to_ascii_lowercase();
    let web = lower.starts_with("https://") || lower.starts_with("http://");
    plain && (web || (address.starts_with('/') && !address.starts_with("//")))
}

/// Escapes text for HTML.
pub fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            other => safe.push(other),
        }
    }
    safe
}

/// Position in the document while its events are processed.
#[derive(Default)]
struct Writer {
    /// The open link, unless its address is unsafe. Markdown links cannot be nested.
    link: Option<Link>,
    columns: Vec<Alignment>,
    column: usize,
    in_head: bool,
}

struct Link {
    address: String,
    /// The link text so far.
    text: String,
}

impl Link {
    /// Closes the link. Adds the full URL, with the host in ASCII, unless the link text shows it already.
    fn end(self) -> String {
        match Url::parse(&self.address) {
            Ok(url) if url.as_str().trim_end_matches('/') != self.text.trim_end_matches('/') => {
                format!("</a> ({})", escaped(url.as_str()))
            }
            _ => "</a>".to_owned(),
        }
    }
}

impl Writer {
    fn safe<'a>(&mut self, event: Event<'a>) -> Option<Event<'a>> {
        if let (Some(link), Event::Text(text) | Event::Code(text)) = (&mut self.link, &event) {
            link.text.push_str(text);
        }
        match event {
            Event::Html(raw) | Event::InlineHtml(raw) => Some(Event::Text(raw)),
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(_) | Event::Code(_) | Event::SoftBreak | Event::HardBreak | Event::Rule => {
                Some(event)
            }
            Event::InlineMath(_)
            | Event::DisplayMath(_)
            | Event::FootnoteReference(_)
            | Event::TaskListMarker(_) => None,
        }
    }

    fn start<'a>(&mut self, tag: Tag<'a>) -> Option<Event<'a>> {
        match tag {
            Tag::Paragraph
            | Tag::BlockQuote(None)
            | Tag::List(_)
            | Tag::Item
            | Tag::Emphasis
            | Tag::Strong
            | Tag::Strikethrough => Some(Event::Start(tag)),
            // Headings of an answer are below the page's own h1 and h2.
            Tag::Heading { level, .. } => raw(if is_main(level) { "<h3>" } else { "<h4>" }),
            Tag::HtmlBlock => raw("<p class=\"typed\">"),
            Tag::CodeBlock(_) => raw("<pre><code>"),
            Tag::Link { dest_url, .. } => {
                self.link = is_safe_address(&dest_url).then(|| Link {
                    address: dest_url.to_string(),
                    text: String::new(),
                });
                self.link.is_some().then(|| {
                    owned(format!(
                        "<a href=\"{}\" rel=\"noopener nofollow\">",
                        escaped(&dest_url)
                    ))
                })
            }
            Tag::Table(columns) => {
                self.columns = columns;
                raw("<div class=\"table\" tabindex=\"0\"><table>")
            }
            Tag::TableHead => {
                (self.in_head, self.column) = (true, 0);
                raw("<thead><tr>")
            }
            Tag::TableRow => {
                self.column = 0;
                raw("<tr>")
            }
            Tag::TableCell => raw(self.cell()),
            _ => None,
        }
    }

    fn end<'a>(&mut self, tag: TagEnd) -> Option<Event<'a>> {
        match tag {
            TagEnd::Paragraph
            | TagEnd::BlockQuote(None)
            | TagEnd::List(_)
            | TagEnd::Item
            | TagEnd::Emphasis
            | TagEnd::Strong
            | TagEnd::Strikethrough => Some(Event::End(tag)),
            TagEnd::Heading(level) => raw(if is_main(level) { "</h3>\n" } else { "</h4>\n" }),
            TagEnd::HtmlBlock => raw("</p>\n"),
            TagEnd::CodeBlock => raw("</code></pre>\n"),
            TagEnd::Link => self.link.take().map(|link| owned(link.end())),
            TagEnd::Table => raw("</tbody></table></div>\n"),
            TagEnd::TableHead => {
                self.in_head = false;
                raw("</tr></thead><tbody>")
            }
            TagEnd::TableRow => raw("</tr>"),
            TagEnd::TableCell => raw(if self.in_head { "</th>" } else { "</td>" }),
            _ => None,
        }
    }

    fn cell(&mut self) -> &'static str {
        let alignment = self.columns.get(self.column).copied().unwrap_or(Alignment::None);
        self.column += 1;
        match (self.in_head, alignment) {
            (true, Alignment::Right) => "<th class=\"number\">",
            (true, Alignment::Center) => "<th class=\"middle\">",
            (true, _) => "<th>",
            (false, Alignment::Right) => "<td class=\"number\">",
            (false, Alignment::Center) => "<td class=\"middle\">",
            (false, _) => "<td>",
        }
    }
}

fn is_main(level: HeadingLevel) -> bool {
    matches!(level, HeadingLevel::H1 | HeadingLevel::H2)
}

#[expect(clippy::unnecessary_wraps, reason = "keeps the arms of the two matches alike")]
fn raw<'a>(markup: &'static str) -> Option<Event<'a>> {
    Some(Event::Html(CowStr::Borrowed(markup)))
}

fn owned<'a>(markup: String) -> Event<'a> {
    Event::Html(markup.into())
}
