//! Days: what each account of the chart had at the beginning and the end of days or months, what
//! was booked on it, what was earned by kind, and how closing stands.
//!
//! The span stands in the address. It is read back from the committed books, by a hand of its own
//! on the journal, so the thread that decides does not wait for it.

mod closing;
mod tables;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::Response;
use ledger_core::ledger::State as Ledger;
use ledger_core::time::Instant;
use ledger_store::days::{Days, Period, Span, days_until};

use super::frame::{Content, Frame};
use crate::pages::html::{apology, away, file};
use crate::pages::layout::{Cell, Choice, Section};
use crate::pages::ledger::viewer::form_encode;
use crate::service::Service;

/// How many records are read for one page, the span's and those after it.
const RECORDS: u64 = 1_000_000;
/// How many days or months a page has at most.
const PERIODS: usize = 400;

/// What the address asks for.
struct DaysQuery {
    from: String,
    to: String,
    by: Period,
    span: Span,
}

/// Why there is no page.
enum Nothing {
    Dates,
    TooMuch,
    Away,
}

impl DaysQuery {
    /// The span of the address; the month of the last record where it says none.
    fn from_frame(frame: &Frame, now: Instant) -> Option<Self> {
        let by = match frame.filter_value("by").as_deref() {
            Some("month") => Period::Month,
            _ => Period::Day,
        };
        let today = now.day_in_brasilia().to_string();
        let from = frame.filter_value("from").unwrap_or_else(|| format!("{}-01", &today[..7]));
        let to = frame.filter_value("to").unwrap_or(today);
        let span = Span::parse(&from, &to, by)?;
        Some(Self { from, to, by, span })
    }

    /// The address of the page that asks the same of another span.
    fn address(&self, frame: &Frame, path: &str, from: &str, to: &str) -> String {
        let by = if self.by == Period::Month { "&by=month" } else { "" };
        format!(
            "{}/{path}?from={}&to={}{by}",
            frame.viewer.base,
            form_encode(from),
            form_encode(to)
        )
    }
}

/// The request's frame, and what its address asks for, or the page that says why not.
async fn open_frame(
    service: Service,
    ledger: &str,
    head: Parts,
) -> Result<(Frame, DaysQuery, Days), Box<Response>> {
    let frame = Frame::for_ledger(service, head, ledger, "days")?;
    match read_days(&frame).await {
        Ok((asked, days)) => Ok((frame, asked, days)),
        Err(why) => Err(Box::new(nothing(&frame, &why))),
    }
}

/// Reads what the address asks for, beside the thread that decides.
async fn read_days(frame: &Frame) -> Result<(DaysQuery, Days), Nothing> {
    let engine = frame.ledger().engine().clone();
    let state = engine.committed_state().await.map_err(|_| Nothing::Away)?;
    // A ledger without a record has no day of its own.
    let now = if state.seq.0 == 0 { frame.service.now() } else { state.now };
    let asked = DaysQuery::from_frame(frame, now).ok_or(Nothing::Dates)?;
    if asked.span.periods().nth(PERIODS).is_some() {
        return Err(Nothing::TooMuch);
    }
    let span = asked.span;
    let read = tokio::task::spawn_blocking(move || {
        let mut journal = engine.reader().map_err(|_| Nothing::Away)?;
        let days = days_until(&mut *journal, &state, span, RECORDS);
        days.map_err(|_| Nothing::Away)?.ok_or(Nothing::TooMuch)
    });
    let days = read.await.map_err(|_| Nothing::Away)??;
    Ok((asked, days))
}

/// The page that says why there is no other.
fn nothing(frame: &Frame, why: &Nothing) -> Response {
    let lang = frame.viewer.lang;
    let (status, sentence) = match why {
        Nothing::Away => return away(&frame.head),
        Nothing::Dates => (
            StatusCode::BAD_REQUEST,
            lang.t(
                "Datas são como 2026-11-20, meses como 2026-11, e a primeira não vem depois da última.",
                "Dates are like 2026-11-20, months like 2026-11, and the first is not after the last.",
            ),
        ),
        Nothing::TooMuch => (
            StatusCode::UNPROCESSABLE_ENTITY,
            lang.t(
                "É demais para uma página: peça menos, ou use o comando days.",
                "It is too much for a page: ask for less, or use the command days.",
            ),
        ),
    };
    apology(&frame.head, status, lang.t("Sem página", "No page"), sentence)
}

/// Answers `GET /{ledger}/days?from=…&to=…&by=…`: the chart by days or months.
pub(super) async fn view(
    State(service): State<Service>,
    Path(ledger): Path<String>,
    head: Parts,
) -> Response {
    match open_frame(service, &ledger, head).await {
        Ok((frame, asked, days)) => {
            let view = move |frame: &Frame, state: &Ledger| {
                let mut content = content(frame, &asked, &days);
                content.sections.push(closing::checklist(frame, state));
                content
            };
            frame.render_committed(view).await
        }
        Err(response) => *response,
    }
}

/// `GET /{ledger}/days.csv`: every account of every period that the same address shows.
pub(super) async fn download(
    State(service): State<Service>,
    Path(ledger): Path<String>,
    head: Parts,
) -> Response {
    match open_frame(service, &ledger, head).await {
        Ok((_, _, days)) => file(days.csv(), "text/csv; charset=utf-8", "days.csv"),
        Err(response) => *response,
    }
}

fn content(frame: &Frame, asked: &DaysQuery, days: &Days) -> Content {
    let viewer = &frame.viewer;
    let mut sections = vec![filter(frame, asked)];
    let whole = days.whole();
    if let Some(whole) = &whole {
        sections.extend(tables::accounts(viewer, whole).into_iter().map(Section::Table));
        sections.push(Section::Table(tables::income(viewer, whole)));
        sections.push(Section::Table(tables::periods(frame, asked, days)));
    } else {
        let none = viewer.t("O livro não chegou até lá.", "The ledger had not come so far.");
        sections.push(Section::Note(none));
    }
    let csv = asked.address(frame, "days.csv", &asked.from, &asked.to);
    let month = |at: Instant| at.day_in_brasilia().to_string()[..7].to_owned();
    let mut rows = vec![(viewer.t("Arquivo", "File"), Cell::text("CSV").to(csv))];
    let other = |at: Instant| {
        let month = month(at);
        Cell::text(&*month).to(asked.address(frame, "days", &month, &month))
    };
    // No link leads to where nothing can be.
    let began = whole.as_ref().is_some_and(|whole| whole.lines.iter().any(|of| of.opening != 0));
    if let Some(before) = Instant::from_micros(asked.span.begins().micros() - 1)
        && began
    {
        rows.push((viewer.t("Mês anterior", "Month before"), other(before)));
    }
    if whole.as_ref().is_some_and(|whole| whole.over) {
        rows.push((viewer.t("Mês seguinte", "Next month"), other(asked.span.ends())));
    }
    sections.push(Section::Facts { title: String::new(), rows });
    let unfinished = match &whole {
        Some(whole) if !whole.over => viewer.t(" · ainda não terminou", " · not over yet"),
        _ => String::new(),
    };
    Content {
        title: viewer.t("Dias", "Days"),
        subtitle: whole.map_or_else(String::new, |whole| whole.name + &unfinished),
        sections,
    }
}

/// The form of the filter.
fn filter(frame: &Frame, asked: &DaysQuery) -> Section {
    let viewer = &frame.viewer;
    let text = |name, label, value: &str| Choice {
        name,
        label,
        value: value.to_owned(),
        options: Vec::new(),
    };
    let by = if asked.by == Period::Month { "month" } else { "day" };
    let periods = vec![
        ("day".to_owned(), viewer.t("dia", "day")),
        ("month".to_owned(), viewer.t("mês", "month")),
    ];
    Section::Filter {
        action: format!("{}/days", viewer.base),
        fields: vec![
            text("from", viewer.t("De", "From"), &asked.from),
            text("to", viewer.t("Até", "To"), &asked.to),
            Choice { options: periods, ..text("by", viewer.t("Por", "By"), by) },
        ],
        go: viewer.t("Mostrar", "Show"),
    }
}
