//! Limits: what of a day's own limits is used, and the ladder that payers climb.

use axum::extract::{Path, State};
use axum::http::request::Parts;
use axum::response::Response;
use ledger_core::ledger::State as Ledger;
use ledger_core::money::{Amount, Cents};

use super::frame::{Content, Frame};
use crate::pages::format::{brl, count, reais};
use crate::pages::layout::{Cell, Figure, Section, Table};
use crate::service::Service;

/// How many accounts stand on a page.
const ACCOUNTS: usize = 100;

/// Answers `GET /{ledger}/limits`: limits used today, and the payers' ladder.
pub(super) async fn view(
    State(service): State<Service>,
    Path(ledger): Path<String>,
    head: Parts,
) -> Response {
    match Frame::for_ledger(service, head, &ledger, "limits") {
        Ok(frame) => frame.render_committed(content).await,
        Err(response) => *response,
    }
}

fn content(frame: &Frame, state: &Ledger) -> Content {
    let viewer = &frame.viewer;
    let lang = viewer.lang;
    let amount = |cents: i64| brl(cents.into(), lang);
    let mut sections = Vec::new();
    let name = |pt, en| viewer.t(pt, en);
    let of = |limit: Amount| Cell::text(amount(limit.cents()));
    if let Some(ladder) = &state.policy.ladder {
        let rows = vec![
            (name("Primeiro QR de um documento", "First QR of a document"), of(ladder.first_qr)),
            (name("Primeiro pagamento", "First payment"), of(ladder.first_transaction)),
            (name("Primeiras 24 horas", "First 24 hours"), of(ladder.first_day)),
            (name("Dia maduro", "Mature day"), of(ladder.mature_day)),
            (name("Acima disso fica retido até", "What passes is held up to"), of(ladder.held)),
        ];
        sections.push(Section::Facts { title: name("Escada do pagador", "Payer ladder"), rows });
    } else {
        sections.push(Section::Note(name(
            "A escada do pagador está desligada.",
            "The payer ladder is switched off.",
        )));
    }
    let sales = state.policy.sale_limits();
    let figure = |name, text| Figure { name, value: Cell::text(text), note: String::new() };
    sections.insert(
        0,
        Section::Figures(vec![
            figure(
                name("Documentos conhecidos", "Documents known"),
                count(state.payers().count() as u64, lang),
            ),
            figure(
                name("Teto do recebedor por dia", "Recipient's ceiling a day"),
                amount(sales.recipient_daily.cents()),
            ),
        ]),
    );
    let mut table = Table::new(
        name("Hoje, por conta", "Today, by account"),
        name("Nenhuma conta foi aberta.", "No account was opened."),
    )
    .column(lang.t("Conta", "Account"))
    .numbers(lang.t("Cobrado, R$", "Charged, R$"))
    .numbers(lang.t("Limite, R$", "Limit, R$"))
    .numbers(lang.t("Livre, R$", "Free, R$"))
    .numbers(lang.t("Sacado, R$", "Paid out, R$"))
    .numbers(lang.t("Limite, R$", "Limit, R$"))
    .numbers(lang.t("Livre, R$", "Free, R$"));
    let after = frame.number("after").and_then(|after| usize::try_from(after).ok()).unwrap_or(0);
    for (account, known) in state.accounts().skip(after).take(ACCOUNTS) {
        let usage = state.usage(account).on(state.now);
        let terms = state.terms(account, state.now);
        let number = |cents: i64| Cell::number(reais(cents.into(), lang));
        let bound = |limit: Option<Amount>, used: Cents| match limit {
            Some(limit) => {
                let free = limit.as_cents().less_or_nothing(used);
                [number(limit.cents()), number(free.cents())]
            }
            None => [Cell::number("–"), Cell::number("–")],
        };
        let mut row = vec![Cell::text(&*known.name).to(viewer.account(&known.name, None))];
        row.push(number(usage.charged.cents()));
        row.extend(bound(terms.charged_daily, usage.charged));
        row.push(number(usage.paid_out.cents()));
        row.extend(bound(terms.paid_out_daily, usage.paid_out));
        table.rows.push(row);
    }
    if state.accounts().nth(after + ACCOUNTS).is_some() {
        let href = format!("{}/limits?after={}", viewer.base, after + ACCOUNTS);
        table.next = Some((name("Mais contas", "More accounts"), href));
    }
    sections.push(Section::Table(table));
    Content {
        title: name("Limites", "Limits"),
        subtitle: name(
            "Do dia de Brasília em que o livro está.",
            "Of the day of Brasília that the ledger is in.",
        ),
        sections,
    }
}
