//! The charts of a result: where its first column names what its other columns count.

use ledger_store::projection::{QueryRows, QueryValue};

use super::is_numeric;
use crate::pages::chart::{Bar, bars, steps};
use crate::pages::format::decimal;
use crate::pages::layout::Section;
use crate::pages::ledger::viewer::Viewer;

/// The most columns that are drawn, each by itself.
const MOST_CHARTS: usize = 3;

/// The most bars of a chart.
const MOST_BARS: usize = 24;

/// How many decimals of a number are drawn.
const DECIMALS: usize = 4;

/// A chart for each column of numbers, where the first column has texts or instants: a line where
/// they are instants that go one way, and bars where they are few.
pub(super) fn charts(viewer: &Viewer, found: &QueryRows) -> Vec<Section> {
    let names = found.rows.iter().map(|row| match &row[..] {
        [QueryValue::Text(name), ..] => Some(&**name),
        [QueryValue::Null, ..] => Some("–"),
        _ => None,
    });
    let Some(names) = names.collect::<Option<Vec<_>>>().filter(|names| names.len() > 1) else {
        return Vec::new();
    };
    let in_time = names.iter().all(|name| is_date(name));
    let backwards = names.first() > names.last();
    let drawn = (1..found.columns.len()).filter(|column| is_numeric(found, *column));
    let chart = |column: usize| {
        let numbers = found.rows.iter().map(|row| parse_scaled(row[column].text().unwrap_or("0")));
        let mut numbers = numbers.collect::<Option<Vec<_>>>()?;
        let title = found.columns[column].name.clone();
        let lang = viewer.lang;
        let svg = if in_time {
            if backwards {
                numbers.reverse();
            }
            steps(&title, &numbers, |number| decimal(&scaled_text(number), lang))?
        } else {
            let bar = |(name, value): (&&str, &i128)| Bar {
                name: (*name).to_owned(),
                value: *value,
                shown: decimal(&scaled_text(*value), lang),
            };
            let drawn: Vec<_> = names.iter().zip(&numbers).map(bar).collect();
            (drawn.len() <= MOST_BARS).then(|| bars(&title, &drawn))?
        };
        Some(Section::Chart { title, svg })
    };
    drawn.filter_map(chart).take(MOST_CHARTS).collect()
}

/// Tells whether a text begins as a year and a month do: `2026-11`.
fn is_date(text: &str) -> bool {
    let bytes = text.as_bytes();
    let digits = |part: &[u8]| part.iter().all(u8::is_ascii_digit);
    bytes.len() >= 7 && digits(&bytes[..4]) && bytes[4] == b'-' && digits(&bytes[5..7])
}

/// A decimal number in its ten-thousandths; nothing for what is none, or too large to draw.
fn parse_scaled(text: &str) -> Option<i128> {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let part: String = part.chars().chain("0000".chars()).take(DECIMALS).collect();
    let number: i128 = format!("{whole}{part}").parse().ok()?;
    (number.unsigned_abs() < 1 << 96).then_some(number)
}

fn scaled_text(number: i128) -> String {
    let (sign, number) = (if number < 0 { "-" } else { "" }, number.unsigned_abs());
    let text = format!("{sign}{}.{:04}", number / 10_000, number % 10_000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use ledger_store::projection::QueryColumn;

    use super::*;
    use crate::pages::lang::Lang;

    fn draw_charts(columns: &[&str], rows: &[&[&str]]) -> Vec<String> {
        let value = |text: &&str| match text.parse::<f64>() {
            Ok(_) => QueryValue::Number((*text).to_owned()),
            Err(_) if text.is_empty() => QueryValue::Null,
            Err(_) => QueryValue::Text((*text).to_owned()),
        };
        let columns = columns.iter().map(|name| QueryColumn { name: (*name).to_owned() }).collect();
        let rows = rows.iter().map(|row| row.iter().map(value).collect()).collect();
        let found = QueryRows { columns, rows, more: false };
        let viewer = Viewer { lang: Lang::En, base: "/live".to_owned(), only: None };
        let charts = charts(&viewer, &found).into_iter().map(|section| match section {
            Section::Chart { svg, .. } => svg.markup().to_owned(),
            _ => panic!("no chart"),
        });
        charts.collect()
    }

    #[test]
    fn names_have_bars_and_instants_a_line() {
        let bars =
            draw_charts(&["kind", "n", "state"], &[&["payout", "2", "a"], &["", "-1.5", "b"]]);
        assert_eq!(bars.len(), 1);
        assert!(bars[0].contains(">payout</text>") && bars[0].contains(">\u{2212}1.5</text>"));
        let days: [&[&str]; 2] = [&["2026-11-20", "10"], &["2026-11-21", "30"]];
        let line = draw_charts(&["day", "cents"], &days);
        assert!(line.len() == 1 && line[0].contains("class=\"step\""), "{line:?}");
        let [first, second] = days;
        assert_eq!(
            draw_charts(&["day", "cents"], &[second, first]),
            line,
            "time goes to the right"
        );
    }

    #[test]
    fn what_names_nothing_or_counts_nothing_is_not_drawn() {
        assert!(draw_charts(&["n", "m"], &[&["1", "2"], &["3", "4"]]).is_empty());
        assert!(draw_charts(&["kind", "state"], &[&["a", "b"], &["c", "d"]]).is_empty());
        assert!(draw_charts(&["kind", "n"], &[&["one row", "1"]]).is_empty());
        assert!(draw_charts(&["kind", "n"], &[&["a", "NaN"], &["b", "1"]]).is_empty());
        assert!(draw_charts(&["k", "n"], &[&["a", &"9".repeat(40)], &["b", "1"]]).is_empty());
    }

    #[test]
    fn decimals_are_drawn_without_a_float() {
        for (text, number) in [("12", 120_000), ("-0.5", -5_000), ("1.23456", 12_345)] {
            assert_eq!(parse_scaled(text), Some(number), "{text}");
        }
        assert_eq!(
            ["12", "-0.5"].map(|text| scaled_text(parse_scaled(text).unwrap())),
            ["12", "-0.5"]
        );
    }
}
