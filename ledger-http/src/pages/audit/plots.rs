//! The plots of a report, drawn of the rows of their sections.

use ledger_core::time::Instant;
use ledger_store::report::{Amount, Holds, Section, Value};

use super::figure::amount_text;
use super::lines::{Line, lines};
use super::{Plot, words};
use crate::pages::chart::{Bar, bars};
use crate::pages::format::count;
use crate::pages::lang::Lang;

/// How many bars a chart has at most: the longest.
const MOST_BARS: usize = 12;

/// Rows and what their columns are called.
struct Rows<'a> {
    columns: &'a [&'static str],
    shown: Vec<&'a Vec<Value>>,
    lang: Lang,
}

/// Returns what is drawn of a section; nothing of most.
pub(super) fn for_section(section: &Section, lang: Lang) -> Vec<Plot> {
    let Holds::Table { columns, rows } = &section.holds else { return Vec::new() };
    let rows = Rows { columns, shown: rows.iter().collect(), lang };
    match section.key {
        "over_time" => rows.by_commodity(|rows, name| {
            rows.amounts_over_time(name, &["held", "owed", "customers"])
        }),
        "open_over_time" => rows.counts_over_time(&["open", "waiting", "unknown"]),
        "coverage" => rows.by_commodity(Rows::held_and_owed),
        "ageing" => rows.by_commodity(Rows::by_age),
        "fees" => {
            Vec::from_iter(rows.bars("account", "net", lang.t("Líquido por tipo", "Net by type")))
        }
        "limits" => rows.used_of_limits(),
        _ => Vec::new(),
    }
}

impl<'a> Rows<'a> {
    fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|known| *known == name)
    }

    fn value(&self, row: &'a [Value], name: &str) -> Option<&'a Value> {
        row.get(self.column(name)?)
    }

    fn amount(&self, row: &'a [Value], name: &str) -> Option<&'a Amount> {
        match self.value(row, name)? {
            Value::Amount(amount) => Some(amount),
            _ => None,
        }
    }

    fn text(&self, row: &'a [Value], name: &str) -> &'a str {
        match self.value(row, name) {
            Some(Value::Text(text) | Value::Code(text) | Value::Word(text)) => text,
            _ => "",
        }
    }

    fn ats(&self) -> Vec<Instant> {
        let at = |row: &&Vec<Value>| match self.value(row, "at") {
            Some(Value::At(at)) => Some(*at),
            _ => None,
        };
        self.shown.iter().filter_map(at).collect()
    }

    fn display_names(&self, names: &[&str]) -> Vec<String> {
        names.iter().map(|name| words::word(name, self.lang).to_owned()).collect()
    }

    /// Returns what is drawn of the rows of each commodity, reais first as the rows are.
    fn by_commodity(&self, draw: impl Fn(&Rows<'a>, &str) -> Option<Plot>) -> Vec<Plot> {
        let mut names: Vec<&str> = Vec::new();
        for row in &self.shown {
            let name = self.text(row, "commodity");
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let of = |name: &str| {
            let its = |row: &&&Vec<Value>| self.text(row, "commodity") == name;
            let shown = self.shown.iter().filter(its).copied().collect();
            draw(&Rows { shown, ..*self }, name)
        };
        names.into_iter().filter_map(of).collect()
    }

    /// Amounts of one commodity in the course of time; a column without any is no line.
    fn amounts_over_time(&self, commodity: &str, names: &[&'static str]) -> Option<Plot> {
        let like = self.shown.iter().find_map(|row| self.amount(row, names[0]))?;
        let units = |name: &str| -> Vec<i128> {
            self.shown.iter().filter_map(|row| self.amount(row, name)).map(|it| it.units).collect()
        };
        let (names, drawn): (Vec<&str>, Vec<Line>) = names
            .iter()
            .map(|name| (*name, Line { values: units(name) }))
            .filter(|(_, line)| line.values.len() == self.shown.len())
            .unzip();
        let text = |units: i128| step(&Amount { units, ..like.clone() }, self.lang);
        let svg = lines(commodity, &self.ats(), &drawn, text, self.lang)?;
        Some(Plot { title: commodity.to_owned(), svg, legend: self.display_names(&names) })
    }

    fn counts_over_time(&self, names: &[&'static str]) -> Vec<Plot> {
        let counts = |name: &&str| {
            let values = self.shown.iter().map(|row| match self.value(row, name) {
                Some(Value::Count(number)) => i128::from(*number),
                _ => 0,
            });
            Line { values: values.collect() }
        };
        let drawn: Vec<Line> = names.iter().map(counts).collect();
        let text = |number: i128| count(u64::try_from(number).unwrap_or_default(), self.lang);
        let title = self.lang.t("Operações", "Operations");
        let svg = lines(title, &self.ats(), &drawn, text, self.lang);
        let plot = |svg| Plot { title: title.to_owned(), svg, legend: self.display_names(names) };
        svg.map(plot).into_iter().collect()
    }

    /// Returns what is held of a commodity, and to whom it is owed.
    fn held_and_owed(&self, commodity: &str) -> Option<Plot> {
        let row = self.shown.first()?;
        let parts = [
            "held",
            "receivable",
            "owed_to_customers",
            "in_flight",
            "in_suspense",
            "owed_to_others",
        ];
        let drawn: Vec<Bar> = parts
            .into_iter()
            .filter_map(|name| Some((name, self.amount(row, name)?)))
            .filter(|(_, amount)| amount.units != 0)
            .map(|(name, amount)| self.bar(words::word(name, self.lang), amount))
            .collect();
        plot(commodity, &drawn)
    }

    fn by_age(&self, commodity: &str) -> Option<Plot> {
        let mut ages: Vec<(&str, Amount)> = Vec::new();
        for row in &self.shown {
            let (age, amount) = (self.text(row, "age"), self.amount(row, "sum")?);
            match ages.iter_mut().find(|(known, _)| *known == age) {
                Some((_, sum)) => sum.units += amount.units,
                None => ages.push((age, amount.clone())),
            }
        }
        let drawn: Vec<Bar> =
            ages.iter().map(|(age, sum)| self.bar(words::word(age, self.lang), sum)).collect();
        plot(commodity, &drawn)
    }

    /// A bar a row; of many the longest.
    fn bars(&self, name: &str, value: &str, title: &str) -> Option<Plot> {
        let amounts = self
            .shown
            .iter()
            .filter_map(|row| Some((self.text(row, name), self.amount(row, value)?)));
        let mut drawn: Vec<Bar> = amounts
            .filter(|(_, amount)| amount.units != 0)
            .map(|(name, amount)| self.bar(name, amount))
            .collect();
        drawn.sort_by_key(|bar| std::cmp::Reverse(bar.value.abs()));
        drawn.truncate(MOST_BARS);
        plot(title, &drawn)
    }

    /// Returns what accounts that have a limit have used of it, each to the scale of its own limit.
    fn used_of_limits(&self) -> Vec<Plot> {
        let of = |used: &str, limit: &str, title: &str| {
            let mut drawn: Vec<Bar> = self
                .shown
                .iter()
                .filter_map(|row| {
                    let (used, limit) = (self.amount(row, used)?, self.amount(row, limit)?);
                    let share = used.units * 1_000 / limit.units.max(1);
                    let text = format!(
                        "{} / {}",
                        amount_text(used, self.lang),
                        amount_text(limit, self.lang)
                    );
                    Some(Bar {
                        name: self.text(row, "account").to_owned(),
                        value: share,
                        shown: text,
                    })
                })
                .collect();
            drawn.sort_by_key(|bar| std::cmp::Reverse(bar.value));
            drawn.truncate(MOST_BARS);
            if drawn.is_empty() {
                return None;
            }
            let svg = crate::pages::chart::bars_of(title, &drawn, 1_000);
            Some(Plot { title: title.to_owned(), svg, legend: Vec::new() })
        };
        let lang = self.lang;
        let charged = lang.t("Cobrado, do limite", "Charged, of the limit");
        let paid = lang.t("Sacado, do limite", "Paid out, of the limit");
        [of("charged_today", "charge_limit", charged), of("paid_out_today", "payout_limit", paid)]
            .into_iter()
            .flatten()
            .collect()
    }

    fn bar(&self, name: &str, amount: &Amount) -> Bar {
        let (name, shown) = (name.to_owned(), amount_text(amount, self.lang));
        Bar { name, value: amount.units, shown }
    }
}

/// A chart of these bars; none where there is none.
fn plot(title: &str, drawn: &[Bar]) -> Option<Plot> {
    if drawn.is_empty() {
        return None;
    }
    Some(Plot { title: title.to_owned(), svg: bars(title, drawn), legend: Vec::new() })
}

/// An amount as a step at the side of lines: without decimals that say nothing.
fn step(amount: &Amount, lang: Lang) -> String {
    let text = amount_text(amount, lang);
    let point = lang.t(",", ".");
    match text.split_once(point) {
        Some((whole, part)) if part.bytes().all(|digit| digit == b'0') => whole.to_owned(),
        _ => text,
    }
}
