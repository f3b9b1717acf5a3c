//! Inbox: everything that waits for a person or merely hangs, with what ends it.
//!
//! The filter stands in the address, and the sums, pages and file are of what it lets through. The
//! committed state is walked beside the thread that decides; the names that only the archive knows
//! are read for the rows that are shown.

pub(super) mod assigning;
mod download;
mod items;
mod reasons;
mod rows;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use axum::extract::{Path, State};
use axum::http::request::Parts;
use axum::response::Response;
use ledger_core::id::{Kind, OpId};
use ledger_core::ledger::State as Ledger;
use ledger_core::time::Instant;

use super::deciding;
use super::frame::{Content, Frame};
use super::guard::operator_of;
use crate::operators::assigning::{Assignment, is_at_hand};
use crate::pages::chart::{Bar, bars};
use crate::pages::format::{age, count};
use crate::pages::html::away;
use crate::pages::layout::{Cell, Choice, Figure, Section, Table};
use crate::pages::ledger::viewer::{form_encode, segment};
use crate::pages::ledger::words;
use crate::service::Service;
use items::{InboxQuery, Item, tallies};
use reasons::Reason;
use rows::{Named, fetch_names};

pub(super) use download::download;
pub(super) use items::all;

/// How many rows stand on a page.
const MOST: usize = 100;
/// The spans that the form offers.
const SPANS: [&str; 5] = ["1h", "2h", "24h", "7d", "30d"];

/// What is found at one moment.
struct Inbox {
    asked: InboxQuery,
    now: Instant,
    items: Vec<Item>,
    /// How many there are in all.
    all: usize,
}

impl Inbox {
    /// The request's frame, and what its address asks for, or the page that says why not.
    async fn open(
        (service, ledger): (Service, &str),
        head: Parts,
    ) -> Result<(Frame, Self), Box<Response>> {
        let frame = Frame::for_ledger(service, head, ledger, "waiting")?;
        match Self::gather(&frame).await {
            Some(inbox) => Ok((frame, inbox)),
            None => Err(Box::new(away(&frame.head))),
        }
    }

    /// Returns what the address asks for, gathered beside the thread that decides; none where the
    /// ledger gives no answer.
    async fn gather(frame: &Frame) -> Option<Self> {
        let state = frame.ledger().engine().committed_state().await.ok()?;
        let (mut asked, hanging) =
            (InboxQuery::from_frame(frame), frame.service.parts().hanging.clone());
        let now = frame.service.now().max(state.now);
        let label = frame.ledger().label();
        let mut assigned = match frame.service.operators() {
            Some(operators) => operators.assignments(label).await.ok()?,
            None => Vec::new(),
        };
        if asked.with == "me" {
            asked.me = operator_of(&frame.service, &frame.head).await.map(|known| known.name);
        }
        let gathered = tokio::task::spawn_blocking(move || {
            let ended = take_ended(&mut assigned, &state);
            let assigned = assigned.into_iter().map(|it| (it.operation.clone(), it));
            let assigned: BTreeMap<_, _> = assigned.collect();
            let mut items = all(&state, &hanging, now);
            let all = items.len();
            for item in &mut items {
                item.assignment = assigned.get(&item.op.text(&state.name)).cloned();
            }
            items.retain(|item| asked.takes(item, now));
            (Self { asked, now, items, all }, ended)
        });
        let (mut inbox, ended) = gathered.await.ok()?;
        if !inbox.asked.account.is_empty() {
            // Whose a value in suspense is, the archive knows alone.
            let unowned = |item: &Item| item.account.is_none();
            let ops = inbox.items.iter().filter(|item| unowned(item)).map(|item| item.op);
            let named = fetch_names(frame, ops.collect()).await?;
            for (item, named) in inbox.items.iter_mut().filter(|item| unowned(item)).zip(named) {
                item.account = named.account;
            }
            let asked = &*inbox.asked.account;
            inbox.items.retain(|item| item.account.as_deref() == Some(asked));
        }
        if let (Some(operators), false) = (frame.service.operators(), ended.is_empty()) {
            operators.forget_ended(label, ended).await.ok()?;
        }
        Some(inbox)
    }
}

impl Inbox {
    /// Returns the places of a page's rows, which begin after operation `after`; those of one
    /// operation stand on one page.
    fn shown_after(&self, after: u64) -> Range<usize> {
        let number = |at: usize| self.items[at].op.number();
        let from = self.items.partition_point(|item| item.op.number() <= after);
        let mut end = self.items.len().min(from + MOST);
        while end > from && end < self.items.len() && number(end) == number(end - 1) {
            end += 1;
        }
        from..end
    }
}

/// Takes out the assignments of operations that have ended: nobody has anything to do about them.
fn take_ended(assigned: &mut Vec<Assignment>, state: &Ledger) -> Vec<String> {
    let has_ended = |it: &mut Assignment| {
        let op = OpId::parse(&it.operation, &state.name);
        // One of a later record than the state's is not known to it yet.
        op.is_none_or(|op| op.seq() <= state.seq && !is_at_hand(state, op))
    };
    assigned.extract_if(.., has_ended).map(|it| it.operation).collect()
}

/// Answers `GET /{ledger}/waiting?kind=…&account=…&why=…&older=…&with=…&after=…`: the inbox.
pub(super) async fn view(
    State(service): State<Service>,
    Path(ledger): Path<String>,
    head: Parts,
) -> Response {
    let (frame, inbox) = match Inbox::open((service, &ledger), head).await {
        Ok(opened) => opened,
        Err(response) => return *response,
    };
    let after = frame.number("after").unwrap_or(0);
    let shown = inbox.shown_after(after);
    let ops = inbox.items[shown.clone()].iter().map(|item| item.op).collect();
    let Some(names) = fetch_names(&frame, ops).await else { return away(&frame.head) };
    let Ok(proposed) = deciding::waiting(&frame).await else { return away(&frame.head) };
    let page = frame.refreshing().render_committed(move |frame, _| {
        let mut content = content(frame, &inbox, (shown, &names));
        content.sections.splice(1..1, deciding::proposals(&proposed, &frame.viewer));
        content
    });
    page.await
}

/// The address of the page that asks the same, and more.
fn address(frame: &Frame, path: &str, asked: &InboxQuery, more: &[(&str, &str)]) -> String {
    let kept = asked.pairs().map(|(name, value)| -> (&str, &str) { (name, value) });
    let kept = kept.filter(|(name, _)| more.iter().all(|(other, _)| other != name));
    let pairs = kept.chain(more.iter().copied()).filter(|(_, value)| !value.is_empty());
    let query: Vec<String> =
        pairs.map(|(name, of)| format!("{name}={}", form_encode(of))).collect();
    let mark = if query.is_empty() { "" } else { "?" };
    format!("{}/{path}{mark}{}", frame.viewer.base, query.join("&"))
}

fn content(frame: &Frame, inbox: &Inbox, (shown, names): (Range<usize>, &[Named])) -> Content {
    let viewer = &frame.viewer;
    let mut sections = vec![figures(frame, inbox), filter(frame, inbox)];
    if !inbox.items.is_empty() {
        sections.push(Section::Table(sums(frame, inbox)));
        sections.push(ages(frame, inbox));
    }
    let others = frame.service.ledgers().all().map(|ledger| ledger.label().to_owned());
    let others = others.filter(|label| *label != frame.ledger().label());
    let links = others.map(|label| {
        let base = format!("/{}", segment(&label));
        let here = address(frame, "waiting", &inbox.asked, &[]);
        let href = format!("{base}{}", here.strip_prefix(&*viewer.base).unwrap_or("/waiting"));
        (viewer.t("O mesmo em", "The same in"), Cell::text(label).to(href))
    });
    let more = shown.end < inbox.items.len();
    let mut table = rows::table(frame, inbox, inbox.items[shown].iter().zip(names));
    if let (true, Some(last)) = (more, names.last()) {
        let after = last.op.number().to_string();
        let href = address(frame, "waiting", &inbox.asked, &[("after", &after)]);
        table.next = Some((viewer.t("Mais pendências", "More of the inbox"), href));
    }
    sections.push(Section::Table(table));
    let csv = address(frame, "waiting.csv", &inbox.asked, &[]);
    let file = (viewer.t("Arquivo", "File"), Cell::text("CSV").to(csv));
    let rows = std::iter::once(file).chain(links).collect();
    sections.push(Section::Facts { title: String::new(), rows });
    let subtitle = viewer.t(
        "O que espera por uma pessoa, e o que está parado há tempo demais.",
        "What waits for a person, and what has hung for too long.",
    );
    Content { title: viewer.t("Pendências", "Inbox"), subtitle, sections }
}

/// How much money is unknown, and how many wait and hang, of what is asked.
fn figures(frame: &Frame, inbox: &Inbox) -> Section {
    let viewer = &frame.viewer;
    let lang = viewer.lang;
    let unknown = inbox.items.iter().filter(|item| item.unknown);
    let sums = tallies(unknown.clone(), |item| &*item.commodity);
    let zero = || format!("{} BRL", crate::pages::format::reais(0, lang));
    let shown = sums.iter().filter_map(|(commodity, tally)| {
        Some(format!("{} {commodity}", tally.sum?.signed_text(lang)))
    });
    let shown = shown.reduce(|all, next| format!("{all} · {next}")).unwrap_or_else(zero);
    let figure = |name: String, text: String, why: &str, note: String| Figure {
        name,
        value: Cell::text(text).to(address(frame, "waiting", &inbox.asked, &[("why", why)])),
        note,
    };
    let number = |hangs: bool| inbox.items.iter().filter(|item| item.hangs() == hangs).count();
    let oldest = |hangs: bool| {
        let oldest = inbox.items.iter().find(|item| item.hangs() == hangs);
        oldest.map_or_else(String::new, |item| {
            format!("{} {}", viewer.t("a mais antiga:", "the oldest:"), age(item.since, inbox.now))
        })
    };
    let operations = format!(
        "{} {}",
        count(unknown.count() as u64, lang),
        viewer.t("operações sem resposta", "operations of unknown outcome"),
    );
    Section::Figures(vec![
        figure(viewer.t("Dinheiro sem resposta", "Unknown money"), shown, "unknown", operations),
        figure(
            viewer.t("Esperam por uma pessoa", "Wait for a person"),
            count(number(false) as u64, lang),
            "waiting",
            oldest(false),
        ),
        figure(
            viewer.t("Paradas", "Hanging"),
            count(number(true) as u64, lang),
            "hanging",
            oldest(true),
        ),
    ])
}

/// The form of the filter.
fn filter(frame: &Frame, inbox: &Inbox) -> Section {
    let viewer = &frame.viewer;
    let lang = viewer.lang;
    let any = || (String::new(), viewer.t("todos", "any"));
    let kinds =
        Kind::all().map(|kind| (kind.name().to_owned(), words::kind(kind, lang).to_owned()));
    let groups = [
        ("waiting", viewer.t("espera por uma pessoa", "waits for a person")),
        ("unknown", viewer.t("sem resposta", "of unknown outcome")),
    ];
    let groups = groups.into_iter().map(|(name, shown)| (name.to_owned(), shown));
    let reasons = Reason::all().map(|r| (r.name().to_owned(), r.label(lang).to_owned()));
    let spans = SPANS.into_iter().map(str::to_owned);
    let given = Some(inbox.asked.older.clone()).filter(|of| !SPANS.contains(&of.as_str()));
    let spans = spans.chain(given.filter(|of| !of.is_empty())).map(|of| (of.clone(), of));
    let choice = |name, label, value: &str, options: Vec<(String, String)>| Choice {
        name,
        label,
        value: value.to_owned(),
        options,
    };
    let options = |rest: &mut dyn Iterator<Item = _>| std::iter::once(any()).chain(rest).collect();
    let asked = &inbox.asked;
    let words = [("me", viewer.t("comigo", "me")), ("nobody", viewer.t("ninguém", "nobody"))];
    let words = words.into_iter().map(|(name, shown)| (name.to_owned(), shown));
    let named = inbox.items.iter().filter_map(|item| item.assignment.as_ref()?.with.clone());
    let asked_for = Some(asked.with.clone()).filter(|it| !["", "me", "nobody"].contains(&&**it));
    let named: BTreeSet<String> = named.chain(asked_for).collect();
    let mut whom = words.chain(named.into_iter().map(|name| (name.clone(), name)));
    Section::Filter {
        action: format!("{}/waiting", viewer.base),
        fields: vec![
            choice("kind", viewer.t("Tipo", "Kind"), &asked.kind, options(&mut { kinds })),
            choice("account", viewer.t("Conta", "Account"), &asked.account, Vec::new()),
            choice(
                "why",
                viewer.t("Motivo", "Reason"),
                &asked.why,
                options(&mut groups.chain(reasons)),
            ),
            choice(
                "older",
                viewer.t("Mais antigas que", "Older than"),
                &asked.older,
                options(&mut { spans }),
            ),
            choice("with", viewer.t("Com quem", "With whom"), &asked.with, options(&mut whom)),
        ],
        go: viewer.t("Filtrar", "Filter"),
    }
}

/// The sums by kind and commodity.
fn sums(frame: &Frame, inbox: &Inbox) -> Table {
    let viewer = &frame.viewer;
    let lang = viewer.lang;
    let title = if inbox.asked.narrows() {
        let (of, all) = (count(inbox.items.len() as u64, lang), count(inbox.all as u64, lang));
        format!("{}: {of} / {all}", viewer.t("Somas do que se filtrou", "Sums of what is filtered"))
    } else {
        viewer.t("Somas", "Sums")
    };
    let mut table = Table::new(title, "")
        .column(lang.t("Tipo", "Kind"))
        .numbers(lang.t("Esperam", "Wait"))
        .numbers(lang.t("Paradas", "Hang"))
        .numbers(lang.t("Soma", "Sum"))
        .column(lang.t("Moeda", "Commodity"))
        .numbers(lang.t("A mais antiga", "The oldest"));
    for ((kind, commodity), tally) in
        tallies(inbox.items.iter(), |item| (item.op.kind(), &*item.commodity))
    {
        let of = |more: &[(&str, &str)]| address(frame, "waiting", &inbox.asked, more);
        let kind_of = ("kind", kind.name());
        let oldest = tally.oldest.map(|since| age(since, inbox.now)).unwrap_or_default();
        let number = |number: u64, why: &str| match number {
            0 => Cell::number("0"),
            some => Cell::number(count(some, lang)).to(of(&[kind_of, ("why", why)])),
        };
        table.rows.push(vec![
            Cell::text(words::kind(kind, lang)).to(of(&[kind_of])),
            number(tally.waits, "waiting"),
            number(tally.hangs, "hanging"),
            Cell::number(tally.sum.map(|sum| sum.signed_text(lang)).unwrap_or_default()),
            Cell::text(commodity),
            Cell::number(oldest),
        ]);
    }
    table
}

/// For how long they have been there, as bars.
fn ages(frame: &Frame, inbox: &Inbox) -> Section {
    let viewer = &frame.viewer;
    let hours = |item: &&Item| inbox.now.since(item.since).whole_hours();
    let of = |name: String, from: u64, to: u64| {
        let within = |item: &&Item| (from..to).contains(&hours(item));
        let number = inbox.items.iter().filter(within).count();
        let shown = count(number as u64, viewer.lang);
        Bar { name, value: i128::try_from(number).unwrap_or(i128::MAX), shown }
    };
    let title = viewer.t("Há quanto tempo", "For how long");
    let svg = bars(
        &title,
        &[
            of(viewer.t("menos de 1 h", "under 1 h"), 0, 1),
            of(viewer.t("1 a 24 h", "1 to 24 h"), 1, 24),
            of(viewer.t("1 a 7 dias", "1 to 7 days"), 24, 168),
            of(viewer.t("mais de 7 dias", "over 7 days"), 168, u64::MAX),
        ],
    );
    Section::Chart { title, svg }
}
