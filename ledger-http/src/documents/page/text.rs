//! Text as it stands in HTML.

/// Text as it may stand in HTML.
pub(super) fn escape_html(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Text in which backquotes mark what is of the wire.
pub(super) fn mark_code(text: &str) -> String {
    let parts = escape_html(text);
    let parts = parts.split('`').enumerate();
    let tagged = |(place, part): (usize, &str)| match place % 2 {
        1 => format!("<code>{part}</code>"),
        _ => part.to_owned(),
    };
    parts.map(tagged).collect()
}
