//! Several lines over time as inline SVG: even steps at the side, dates below.

use std::fmt::Write as _;

use ledger_core::time::Instant;

use crate::pages::chart::{Svg, escape_html};
use crate::pages::format::local;
use crate::pages::lang::Lang;

/// How wide a drawing is, and how high what is drawn in it, in its own units.
const WIDE: i128 = 1120;
const HIGH: i128 = 190;

/// Room above what is drawn, for half the number of the topmost step.
const TOP: i128 = 12;

/// About how wide a letter of a number is, in the same units.
const LETTER: i128 = 8;

/// How many steps there are at the side, at most.
const STEPS: i128 = 4;

/// One line: its values, one a moment.
pub(super) struct Line {
    pub(super) values: Vec<i128>,
}

/// The lines, each as a step from moment to moment, told apart by colour and by dashes; the first
/// in the first colour. None where there is less than a moment.
pub(super) fn lines(
    title: &str,
    ats: &[Instant],
    lines: &[Line],
    shown: impl Fn(i128) -> String,
    lang: Lang,
) -> Option<Svg> {
    let (began, ended) = (ats.first()?, ats.last()?);
    let values = || lines.iter().flat_map(|line| line.values.iter().copied());
    let step = even_step(values().max()?.max(0) - values().min()?.min(0));
    let most = rounded_up(values().max()?.max(0), step);
    let least = -rounded_up((-values().min()?).max(0), step);
    let range = (most - least).max(1);
    let down = |value: i128| TOP + (most - value) * HIGH / range;
    let time = i128::from(ended.micros() - began.micros()).max(1);
    let mut steps = Vec::new();
    let mut value = least;
    while value <= most {
        steps.push((value, shown(value)));
        value += step;
    }
    // Numbers stand before what is drawn, and end where it begins.
    let longest = steps.iter().map(|(_, text)| text.chars().count()).max()?;
    let left = i128::try_from(longest).unwrap_or(0) * LETTER + 12;
    let across =
        |at: Instant| left + i128::from(at.micros() - began.micros()) * (WIDE - left) / time;
    let mut svg = format!(
        "<svg class=\"chart wide\" viewBox=\"0 0 {WIDE} {}\" role=\"img\" aria-label=\"{}\">",
        TOP + HIGH + 28,
        escape_html(title)
    );
    for (value, text) in &steps {
        let line = down(*value);
        let class = if *value == 0 { "zero strong" } else { "zero" };
        let _ = write!(
            svg,
            "<path class=\"{class}\" d=\"M{left} {line}H{WIDE}\"/>\
             <text class=\"name\" x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>",
            left - 10,
            line + 5,
            escape_html(text),
        );
    }
    for (place, line) in lines.iter().enumerate().rev() {
        let mut path = String::new();
        for (at, value) in ats.iter().zip(&line.values) {
            let (x, y) = (across(*at), down(*value));
            let _ =
                if path.is_empty() { write!(path, "M{x} {y}") } else { write!(path, "H{x}V{y}") };
        }
        // A single moment is a line all the same.
        let _ = write!(path, "H{WIDE}");
        let _ = write!(svg, "<path class=\"line l{place}\" d=\"{path}\"/>");
    }
    let under = TOP + HIGH + 22;
    let dates = [(*began, left, "start"), (*ended, WIDE, "end")];
    let dates = if began == ended { &dates[..1] } else { &dates[..] };
    for (at, x, anchor) in dates {
        let _ = write!(
            svg,
            "<text class=\"name\" x=\"{x}\" y=\"{under}\" text-anchor=\"{anchor}\">{}</text>",
            escape_html(&local(*at, lang)),
        );
    }
    svg.push_str("</svg>");
    Some(Svg::from_markup(svg))
}

/// The smallest of 1, 2, 5, 10, 20, … that a range has few steps of.
fn even_step(range: i128) -> i128 {
    let mut ten = 1;
    loop {
        if let Some(step) = [ten, 2 * ten, 5 * ten].into_iter().find(|step| range <= step * STEPS) {
            return step;
        }
        ten *= 10;
    }
}

fn rounded_up(value: i128, step: i128) -> i128 {
    (value + step - 1) / step * step
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Instant {
        Instant::from_micros(seconds * 1_000_000).unwrap()
    }

    #[test]
    fn lines_are_to_scale_in_value_and_in_time() {
        let drawn = [Line { values: vec![0, 200, 100] }, Line { values: vec![-100, 0, 0] }];
        let ats = [at(0), at(25), at(100)];
        let svg = lines("t", &ats, &drawn, |value| value.to_string(), Lang::En).unwrap();
        let text = svg.markup();
        // From 200 down to -100 in steps of 100, over 190; four letters and a gap at the left.
        assert!(text.contains("class=\"line l0\" d=\"M44 138H313V12H1120V75H1120\""), "{text}");
        assert!(text.contains("class=\"line l1\" d=\"M44 202H313V138H1120V138H1120\""), "{text}");
        assert_eq!(text.matches("class=\"zero\"").count(), 3, "{text}");
        assert!(lines("t", &[], &[], |value| value.to_string(), Lang::En).is_none());
    }

    #[test]
    fn steps_are_round_and_few() {
        for (range, step) in [(0, 1), (4, 1), (5, 2), (9, 5), (81, 50), (400, 100), (401, 200)] {
            assert_eq!(even_step(range), step, "{range}");
        }
        assert_eq!((rounded_up(0, 50), rounded_up(51, 50), rounded_up(100, 50)), (0, 100, 100));
    }
}
