//! The report of an audit as one page that stands for itself: no script, nothing loaded, its plots
//! drawn in it. Every figure is one of the report's [`Sheet`], and stands beside how it is read as
//! it stands in JSON, so that page and JSON can be compared.

mod figure;
mod lines;
mod plots;
mod titles;
mod words;

use askama::Template;
use ledger_store::report::{Holds, Section, Sheet, Value};

use super::chart::Svg;
use super::format::{count, local};
pub use super::lang::Lang;
use figure::Figure;

/// How many rows of a table the page shows; JSON has all of them.
const MOST_ROWS: usize = 1_000;

/// The page, as its template `audit.html` takes it.
#[derive(Template)]
#[template(path = "audit.html")]
struct Page {
    lang: Lang,
    heading: Vec<(&'static str, String)>,
    ledgers: Vec<Ledger>,
}

/// What the head of the page says besides the ledgers' own figures.
#[derive(Clone, Copy, Debug, Default)]
pub struct AuditHeading<'a> {
    /// Whose ledgers they are.
    pub institution: Option<&'a str>,
    /// Of which period the report is, in words; the days of the first and the last record where
    /// nothing is said.
    pub period: Option<&'a str>,
    /// Who prepared the report.
    pub preparer: Option<&'a str>,
}

/// One ledger's part of the page.
struct Ledger {
    name: String,
    environment: &'static str,
    /// The few numbers that matter most: what each is, and the figure.
    heads: Vec<(String, Figure)>,
    parts: Vec<Part>,
    /// What else was proved, a sentence each.
    beside: Vec<String>,
}

/// A section of the report, as the template takes it.
struct Part {
    key: &'static str,
    title: String,
    note: &'static str,
    empty: &'static str,
    plots: Vec<Plot>,
    facts: Vec<(String, Figure)>,
    columns: Vec<(String, bool)>,
    rows: Vec<Vec<Figure>>,
    /// What is said of the rows that the page leaves out; nothing where it shows all.
    left_out: String,
    /// Tells whether the rows are shown only on demand: a plot shows them.
    folded: bool,
}

/// A drawing with its title, and what its lines are.
struct Plot {
    title: String,
    svg: Svg,
    legend: Vec<String>,
}

/// Writes the report of audited ledgers as one page of HTML; beside each sheet stand sentences on
/// what else was proved of its ledger.
///
/// ```
/// use ledger_http::{AuditHeading, PageLang, audit_page};
/// use ledger_store::audit::{Expect, audit};
/// use ledger_store::{MemoryDisk, MemoryJournal, OpenMode};
///
/// let mut journal = MemoryJournal::open(&MemoryDisk::new(), "live", OpenMode::create())?;
/// let report = audit(&mut journal, "live", Expect::default(), |_| ())?;
/// let sheet = report.sheet().expect("an audit closes its report");
/// let heading = AuditHeading { institution: Some("Loja S.A."), ..AuditHeading::default() };
/// let page = audit_page(&[(sheet, &[])], heading, PageLang::En);
/// assert!(page.starts_with("<!doctype html>") && page.contains("Trial balance"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
///
/// Where a filter of the template fails, and it has none that can.
#[must_use]
pub fn audit_page(
    reports: &[(&Sheet, &[String])],
    heading: AuditHeading<'_>,
    lang: Lang,
) -> String {
    let ledgers = reports.iter().map(|(sheet, beside)| ledger(sheet, beside, lang)).collect();
    let heading = heading_rows(reports, heading, lang);
    Page { lang, heading, ledgers }.render().expect("no filter of the template fails")
}

/// Returns what the head says, in the order in which it is read.
fn heading_rows(
    reports: &[(&Sheet, &[String])],
    AuditHeading { institution, period, preparer }: AuditHeading<'_>,
    lang: Lang,
) -> Vec<(&'static str, String)> {
    let instant = |(sheet, _): &(&Sheet, &[String]), wanted: &str| {
        let Holds::Facts(facts) = &sheet.section("chain")?.holds else { return None };
        facts.iter().find_map(|(name, value)| match value {
            Value::At(at) if *name == wanted => Some(*at),
            _ => None,
        })
    };
    let first = reports.iter().filter_map(|report| instant(report, "first_at")).min();
    let last = reports.iter().filter_map(|report| instant(report, "last_at")).max();
    let day = |at| local(at, lang).split(' ').next().unwrap_or_default().to_owned();
    let lived = first.zip(last).map(|(first, last)| format!("{} – {}", day(first), day(last)));
    let rows = [
        (lang.t("Instituição", "Institution"), institution.map(str::to_owned)),
        (lang.t("Período", "Period"), period.map(str::to_owned).or(lived)),
        (lang.t("Preparado por", "Prepared by"), preparer.map(str::to_owned)),
    ];
    rows.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
}

fn ledger(sheet: &Sheet, beside: &[String], lang: Lang) -> Ledger {
    Ledger {
        name: sheet.ledger.to_string(),
        environment: sheet.ledger.environment().name(),
        heads: heads(sheet, lang),
        parts: sheet.sections.iter().map(|section| part(section, lang)).collect(),
        beside: beside.to_vec(),
    }
}

/// The figures at the top: they stand in their sections, too.
fn heads(sheet: &Sheet, lang: Lang) -> Vec<(String, Figure)> {
    let fact = |section: &str, name: &str| {
        let Holds::Facts(facts) = &sheet.section(section)?.holds else { return None };
        facts.iter().find(|(known, _)| *known == name).map(|(_, value)| value.clone())
    };
    let of_reais = |name: &str| {
        let Holds::Table { columns, rows } = &sheet.section("coverage")?.holds else { return None };
        let column = columns.iter().position(|known| *known == name)?;
        rows.first().and_then(|row| row.get(column)).cloned()
    };
    let waiting = || {
        let Holds::Table { rows, .. } = &sheet.section("waiting")?.holds else { return None };
        Some(Value::Count(rows.len() as u64))
    };
    let shown = [
        ("records", fact("chain", "records")),
        ("owed_to_customers", of_reais("owed_to_customers")),
        ("surplus", of_reais("surplus")),
        ("waiting", waiting()),
    ];
    let shown = shown.into_iter().filter_map(|(name, value)| Some((name, value?)));
    shown
        .map(|(name, value)| (words::word(name, lang).to_owned(), Figure::from_value(&value, lang)))
        .collect()
}

fn part(section: &Section, lang: Lang) -> Part {
    let words = titles::section(section.key, lang);
    let mut part = Part {
        key: section.key,
        title: words.as_ref().map_or(section.key, |words| words.title).to_owned(),
        note: words.as_ref().map_or("", |words| words.note),
        empty: words.as_ref().map_or("", |words| words.empty),
        plots: plots::for_section(section, lang),
        facts: Vec::new(),
        columns: Vec::new(),
        rows: Vec::new(),
        left_out: String::new(),
        folded: section.key.ends_with("over_time"),
    };
    let named = |name: &str| words::word(name, lang).to_owned();
    match &section.holds {
        Holds::Facts(facts) => {
            let facts = facts.iter().map(|(name, value)| (named(name), Figure::whole(value, lang)));
            part.facts = facts.collect();
        }
        Holds::Table { columns, rows } => {
            let figure = |value: &Value| Figure::from_value(value, lang);
            let row = |row: &Vec<Value>| row.iter().map(figure).collect();
            part.rows = rows.iter().take(MOST_ROWS).map(row).collect();
            let numeric = |column: usize| {
                part.rows.iter().any(|row: &Vec<Figure>| row[column].class == "number")
            };
            part.columns = columns
                .iter()
                .enumerate()
                .map(|(place, name)| (named(name), numeric(place)))
                .collect();
            let more = rows.len().saturating_sub(MOST_ROWS);
            if more > 0 {
                let text = lang
                    .t("linhas a mais, que estão no JSON.", "more rows, which are in the JSON.");
                part.left_out = format!("{} {text}", count(more as u64, lang));
            }
        }
    }
    part
}
