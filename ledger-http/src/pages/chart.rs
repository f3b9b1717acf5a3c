//! Charts drawn here as inline SVG: bars, each with its name and number in words beside it.

use std::fmt::Write as _;

/// SVG that was written here, every text in it escaped.
pub(super) struct Svg(String);

impl Svg {
    /// What stands in the page as it is.
    pub(super) fn markup(&self) -> &str {
        &self.0
    }
}

/// One bar: what it is of, how long it is, and the number as it is read.
pub(super) struct Bar {
    pub(super) name: String,
    pub(super) value: i128,
    pub(super) shown: String,
}

/// How wide a chart is, where bars begin, and how long the longest is, in its own units.
const WIDE: i128 = 640;
const LEFT: i128 = 170;
const LONG: i128 = 320;

/// How high a bar's line is.
const LINE: usize = 30;

/// Bars under each other; what is below zero is drawn in the other colour.
pub(super) fn bars(title: &str, bars: &[Bar]) -> Svg {
    let most = bars.iter().map(|bar| bar.value.abs()).max().unwrap_or(0).max(1);
    let high = bars.len() * LINE + 4;
    let mut svg = format!(
        "<svg class=\"chart\" viewBox=\"0 0 {WIDE} {high}\" role=\"img\" aria-label=\"{}\">",
        escaped(title)
    );
    for (place, bar) in bars.iter().enumerate() {
        let (top, long) = (place * LINE, bar.value.abs() * LONG / most);
        let long = if bar.value == 0 { 0 } else { long.max(2) };
        let class = if bar.value < 0 { "bar below" } else { "bar" };
        let _ = write!(
            svg,
            "<text class=\"name\" x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\
             <rect class=\"{class}\" x=\"{LEFT}\" y=\"{}\" width=\"{long}\" height=\"16\" rx=\"3\"/>\
             <text class=\"value\" x=\"{}\" y=\"{}\">{}</text>",
            LEFT - 12,
            top + 19,
            escaped(&bar.name),
            top + 6,
            LEFT + long + 10,
            top + 19,
            escaped(&bar.shown),
        );
    }
    svg.push_str("</svg>");
    Svg(svg)
}

/// Text as it may stand in SVG.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_bar_is_the_largest_number_and_no_text_is_markup() {
        let bar = |name: &str, value| Bar { name: name.into(), value, shown: value.to_string() };
        let svg = bars("a \"b\"", &[bar("<script>", 50), bar("b", -100), bar("c", 0)]);
        let text = svg.markup();
        assert!(!text.contains("<script>") && text.contains("&lt;script&gt;"), "{text}");
        let widths: Vec<&str> = text.split("width=\"").skip(1).map(|w| &w[..3]).collect();
        assert_eq!(widths, ["160", "320", "0\" "]);
        assert_eq!(text.matches("bar below").count(), 1);
    }
}
