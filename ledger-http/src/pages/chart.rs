//! Charts drawn here as inline SVG: bars, each with its name and number in words beside it.

use std::fmt::Write as _;

/// SVG that was written here, every text in it escaped.
pub(super) struct Svg(String);

impl Svg {
    /// What was drawn elsewhere, every text in it escaped.
    pub(super) const fn from_markup(markup: String) -> Self {
        Self(markup)
    }

    /// Returns what stands in the page as it is.
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

/// How wide a chart and its longest bar are, in its own units.
const WIDE: i128 = 460;

/// How high a bar is with its name above it.
const LINE: usize = 46;

/// Bars under each other; what is below zero is drawn in the other colour.
pub(super) fn bars(title: &str, bars: &[Bar]) -> Svg {
    let most = bars.iter().map(|bar| bar.value.abs()).max().unwrap_or(0).max(1);
    bars_of(title, bars, most)
}

/// The same, of which the longest possible bar is `most`, above zero; what is more is as long.
pub(super) fn bars_of(title: &str, bars: &[Bar], most: i128) -> Svg {
    let high = bars.len() * LINE;
    let mut svg = format!(
        "<svg class=\"chart\" viewBox=\"0 0 {WIDE} {high}\" role=\"img\" aria-label=\"{}\">",
        escape_html(title)
    );
    for (place, bar) in bars.iter().enumerate() {
        let (top, long) = (place * LINE, (bar.value.abs() * WIDE / most).min(WIDE));
        let long = if bar.value == 0 { 0 } else { long.max(2) };
        let class = if bar.value < 0 { "bar below" } else { "bar" };
        let _ = write!(
            svg,
            "<text class=\"name\" x=\"0\" y=\"{line}\">{}</text>\
             <text class=\"value\" x=\"{WIDE}\" y=\"{line}\" text-anchor=\"end\">{}</text>\
             <rect class=\"rail\" y=\"{under}\" width=\"{WIDE}\" height=\"8\" rx=\"4\"/>\
             <rect class=\"{class}\" y=\"{under}\" width=\"{long}\" height=\"8\" rx=\"4\"/>",
            escape_html(&bar.name),
            escape_html(&bar.shown),
            line = top + 16,
            under = top + 24,
        );
    }
    svg.push_str("</svg>");
    Svg(svg)
}

/// A balance after each of its rows, as a step line from the first row to the last: how it stood,
/// with what it was at most and at least beside it.
pub(super) fn steps(title: &str, values: &[i128], shown: impl Fn(i128) -> String) -> Option<Svg> {
    let (began, stands) = (values.first()?, values.last()?);
    let most = values.iter().copied().max()?.max(0);
    let least = values.iter().copied().min()?.min(0);
    let range = (most - least).max(1);
    // Room above and below for the two numbers.
    let (top, high) = (24, 110);
    let count = i128::try_from(values.len()).ok()?;
    let across = |place: usize| i128::try_from(place).unwrap_or(0) * WIDE / count;
    let down = |value: i128| top + (most - value) * high / range;
    let mut path = format!("M0 {}", down(*began));
    for (place, value) in values.iter().enumerate() {
        let _ = write!(path, "V{}H{}", down(*value), across(place + 1));
    }
    let zero = down(0);
    let mut svg = format!(
        "<svg class=\"chart\" viewBox=\"0 0 {WIDE} {}\" role=\"img\" aria-label=\"{}\">",
        top + high + 26,
        escape_html(title)
    );
    let _ = write!(
        svg,
        "<path class=\"under\" d=\"{path}V{zero}H0Z\"/><path class=\"zero\" d=\"M0 {zero}H{WIDE}\"/>\
         <path class=\"step\" d=\"{path}\"/>\
         <text class=\"name\" x=\"0\" y=\"14\">{}</text>\
         <text class=\"name\" x=\"0\" y=\"{}\">{}</text>\
         <text class=\"value\" x=\"{WIDE}\" y=\"{}\" text-anchor=\"end\">{}</text></svg>",
        escape_html(&shown(most)),
        top + high + 20,
        escape_html(&shown(least)),
        top + high + 20,
        escape_html(&shown(*stands)),
    );
    Some(Svg(svg))
}

/// Text as it may stand in HTML and in SVG.
pub(crate) fn escape_html(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_line_goes_through_every_value_to_scale() {
        let svg = steps("t", &[100, 50, 0, 100], |value| value.to_string()).unwrap();
        assert!(
            svg.markup().contains("d=\"M0 24V24H115V79H230V134H345V24H460\""),
            "{}",
            svg.markup()
        );
        // What is below zero is below the line of zero.
        let svg = steps("t", &[-100, 100], |value| value.to_string()).unwrap();
        assert!(svg.markup().contains("class=\"zero\" d=\"M0 79H460\""), "{}", svg.markup());
        assert!(steps("t", &[], |value| value.to_string()).is_none());
    }

    #[test]
    fn the_longest_bar_is_the_largest_number_and_no_text_is_markup() {
        let bar = |name: &str, value| Bar { name: name.into(), value, shown: value.to_string() };
        let svg = bars("a \"b\"", &[bar("<script>", 50), bar("b", -100), bar("c", 0)]);
        let text = svg.markup();
        assert!(!text.contains("<script>") && text.contains("&lt;script&gt;"), "{text}");
        let widths: Vec<&str> = text.split("width=\"").skip(1).map(|w| &w[..3]).collect();
        assert_eq!(widths, ["460", "230", "460", "460", "460", "0\" "]);
        assert_eq!(text.matches("bar below").count(), 1);
    }
}
