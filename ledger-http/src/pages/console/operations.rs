//! Operations: what is open, one of them entry by entry, and what waits for a person.

use axum::extract::{Path, State};
use axum::http::request::Parts;
use axum::response::Response;
use ledger_core::contract::Words;
use ledger_core::id::{Kind, OpId};
use ledger_core::ledger::State as Ledger;
use ledger_store::sequencer::Sequencer;

use super::frame::{Content, Frame};
use crate::pages::chart::{Bar, bars};
use crate::pages::format::{age, count, decimal, local};
use crate::pages::lang::Lang;
use crate::pages::layout::{Cell, Section, Table};
use crate::pages::ledger::{operation, words};
use crate::service::Service;

/// How many operations stand on a page.
const MOST: usize = 100;

/// `GET /{ledger}/operations?kind=…&after=…`.
pub(super) async fn list(
    State(service): State<Service>,
    Path(ledger): Path<String>,
    head: Parts,
) -> Response {
    match Frame::of(service, head, &ledger, "operations") {
        Ok(frame) => frame.summed(open).await,
        Err(response) => *response,
    }
}

fn open(frame: &Frame, state: &Ledger) -> Content {
    let viewer = &frame.viewer;
    let lang = viewer.lang;
    let kind = frame.asked("kind");
    let after = frame.asked("after").and_then(|id| OpId::parse(&id, &state.name));
    let mut found = state
        .open_operations()
        .filter(|(op, _)| kind.as_deref().is_none_or(|kind| op.kind().name() == kind))
        .skip_while(|(op, _)| after.is_some_and(|after| *op <= after));
    let nothing = viewer.t("Nenhuma operação está aberta.", "No operation is open.");
    let mut table = Table::new("", nothing)
        .column(lang.t("Operação", "Operation"))
        .column(lang.t("Tipo", "Kind"))
        .column(lang.t("Conta", "Account"))
        .column(lang.t("Situação", "Status"))
        .column(lang.t("Criada, Brasília", "Created, Brasília"))
        .numbers(lang.t("Idade", "Age"));
    let mut last = None;
    for (op, known) in found.by_ref().take(MOST) {
        let owner = state.owner_of(known);
        let account = owner.and_then(|account| state.account(account));
        let account = account.map_or_else(Cell::default, |known| {
            Cell::text(&*known.name).to(viewer.account(&known.name, None))
        });
        let status = Words::of(known).status.unwrap_or_default();
        table.rows.push(vec![
            viewer.operation_cell(&op.text(&state.name)),
            Cell::text(words::kind(op.kind(), lang)),
            account,
            Cell::code(status),
            Cell::text(local(known.created_at, lang)),
            Cell::number(age(known.created_at, state.now)),
        ]);
        last = Some(op.text(&state.name));
    }
    if let (Some(last), true) = (last, found.next().is_some()) {
        let of = kind.as_deref().map(|kind| format!("&kind={kind}")).unwrap_or_default();
        let href = format!("{}/operations?after={last}{of}", viewer.base);
        table.next = Some((viewer.t("Mais operações", "More operations"), href));
    }
    let filter = kinds(state).into_iter().map(|(kind, open)| {
        let href = format!("{}/operations?kind={}", viewer.base, kind.name());
        (words::kind(kind, lang).to_owned(), Cell::text(count(open, lang)).to(href))
    });
    let filter: Vec<_> = filter.collect();
    let mut sections = vec![super::records::search(viewer, "")];
    if !filter.is_empty() {
        let title = viewer.t("Abertas, por tipo", "Open, by kind");
        sections.push(Section::Facts { title, rows: filter });
    }
    sections.push(Section::Table(table));
    let title = viewer.t("Operações abertas", "Open operations");
    Content { title, subtitle: String::new(), sections }
}

/// How many operations are open, by kind.
pub(super) fn kinds(state: &Ledger) -> Vec<(Kind, u64)> {
    let mut all: Vec<(Kind, u64)> = Kind::all().map(|kind| (kind, 0)).collect();
    for (op, _) in state.open_operations() {
        for (_, open) in all.iter_mut().filter(|(kind, _)| *kind == op.kind()) {
            *open += 1;
        }
    }
    all.retain(|(_, open)| *open > 0);
    all
}

/// `GET /{ledger}/operations/{id}`.
pub(super) async fn one(
    State(service): State<Service>,
    Path((ledger, id)): Path<(String, String)>,
    head: Parts,
) -> Response {
    let shown = move |frame: &Frame, sequencer: &Sequencer| {
        let op = OpId::parse(&id, &sequencer.ledger().state.name)?;
        let mut sections = operation::sections(sequencer, op, &frame.viewer)?;
        let is_open = sequencer.ledger().state.open(op).is_some();
        if is_open && frame.service.operators().is_some() {
            sections.push(super::deciding::about(op, &id, &frame.viewer));
        }
        let title = words::kind(op.kind(), frame.viewer.lang).to_owned();
        Some(Content { title, subtitle: id, sections })
    };
    match Frame::of(service, head, &ledger, "operations") {
        Ok(frame) => frame.read(shown).await,
        Err(response) => *response,
    }
}

/// `GET /{ledger}/waiting`.
pub(super) async fn waiting(
    State(service): State<Service>,
    Path(ledger): Path<String>,
    head: Parts,
) -> Response {
    match Frame::of(service, head, &ledger, "waiting") {
        Ok(frame) => frame.summed(review).await,
        Err(response) => *response,
    }
}

/// What waits for a person: the operation, why, how much, and for how many hours.
pub(super) struct Waiting {
    op: OpId,
    why: String,
    sum: String,
    pub(super) hours: u64,
}

/// All that waits for a person, the oldest first.
pub(super) fn all_waiting(state: &Ledger) -> Vec<Waiting> {
    let mut all: Vec<Waiting> = state
        .open_operations()
        .filter_map(|(op, known)| {
            let hours = state.now.since(known.created_at).whole_hours();
            let waits = known.machine.waits(state.now)?;
            Some(Waiting { op, why: waits.why(), sum: waits.sum().text(), hours })
        })
        .collect();
    all.sort_by_key(|waiting| std::cmp::Reverse(waiting.hours));
    all
}

fn review(frame: &Frame, state: &Ledger) -> Content {
    let viewer = &frame.viewer;
    let lang = viewer.lang;
    let all = all_waiting(state);
    let nothing = viewer.t("Nada espera por uma pessoa.", "Nothing waits for a person.");
    let mut table = Table::new("", nothing)
        .column(lang.t("Por quê", "Why"))
        .column(lang.t("Operação", "Operation"))
        .numbers(lang.t("Quanto", "How much"))
        .numbers(lang.t("Horas", "Hours"));
    let shown = all.iter().take(MOST);
    table.rows.extend(shown.map(|waiting| {
        let id = waiting.op.text(&state.name);
        vec![
            Cell::text(reason(&waiting.why, lang)),
            viewer.operation_cell(&id),
            Cell::number(localised(&waiting.sum, lang)).to(viewer.operation(&id)),
            Cell::number(count(waiting.hours, lang)),
        ]
    }));
    let mut sections = Vec::new();
    if !all.is_empty() {
        let title = viewer.t("Há quanto tempo", "For how long");
        let of = |name: String, from: u64, to: u64| {
            let number = all.iter().filter(|known| (from..to).contains(&known.hours)).count();
            let shown = count(number as u64, lang);
            Bar { name, value: i128::try_from(number).unwrap_or(i128::MAX), shown }
        };
        let ages = [
            of(viewer.t("menos de 1 h", "under 1 h"), 0, 1),
            of(viewer.t("1 a 24 h", "1 to 24 h"), 1, 24),
            of(viewer.t("1 a 7 dias", "1 to 7 days"), 24, 168),
            of(viewer.t("mais de 7 dias", "over 7 days"), 168, u64::MAX),
        ];
        let svg = bars(&title, &ages);
        sections.push(Section::Chart { title, svg });
    }
    if all.len() > MOST {
        let text = viewer.t("São mostradas as 100 mais antigas de", "The 100 oldest are shown of");
        sections.push(Section::Note(format!("{text} {}.", count(all.len() as u64, lang))));
    }
    sections.push(Section::Table(table));
    let title = viewer.t("Pendências", "Unknown and review");
    let subtitle = viewer.t(
        "O que não se sabe, e o que espera pela decisão de uma pessoa.",
        "What is not known, and what waits for a person's decision.",
    );
    Content { title, subtitle, sections }
}

/// A number with what it is of, `19.53 usdt`, as its readers write it.
fn localised(sum: &str, lang: Lang) -> String {
    let (number, of) = sum.split_once(' ').unwrap_or((sum, ""));
    if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
        return sum.to_owned();
    }
    format!("{} {of}", decimal(number, lang)).trim_end().to_owned()
}

/// Why an operation waits, as the audit says it, in Portuguese.
fn reason(why: &str, lang: Lang) -> String {
    let known = [
        ("provider hold", "retido no provedor"),
        ("PIX under review", "PIX em análise"),
        ("halted purchase", "compra interrompida"),
        ("unknown delivery", "envio sem resposta"),
        ("unknown payout", "saque sem resposta"),
        ("stopped payout", "saque em análise"),
        ("claim on crypto", "cripto a reaver"),
        ("refund without a wallet", "devolução sem carteira"),
        ("refund for an operator", "devolução para o operador"),
        ("unknown refund", "devolução sem resposta"),
        ("unknown sale", "venda sem resposta"),
        ("crypto nobody takes", "cripto sem ordem"),
        ("wallet deposit under review", "depósito da carteira em análise"),
        ("wallet payment under review", "pagamento da carteira em análise"),
        ("reserve to decide on", "reserva a decidir"),
        ("wallet withdrawal under review", "retirada da carteira em análise"),
        ("suspense", "valor a esclarecer"),
        ("claim on the provider", "valor a reaver do provedor"),
    ];
    match lang {
        Lang::En => why.to_owned(),
        Lang::Pt => {
            let found = known.into_iter().find(|(en, _)| *en == why);
            let sale = why.replace("sale under review", "venda em análise");
            found.map_or(sale, |(_, pt)| pt.to_owned())
        }
    }
}
