//! The endpoint of an account, and how its latest deliveries went.

use axum::extract::{Path, State};
use axum::http::request::Parts;
use axum::response::Response;
use ledger_core::id::AccountId;
use ledger_store::sequencer::Sequencer;

use super::visit::Visit;
use crate::courier::{Delivery, DeliveryState, EndpointRecord, token_text};
use crate::pages::format::{count, local};
use crate::pages::layout::{Cell, Section, Table};
use crate::pages::ledger::viewer::Viewer;
use crate::pages::monitor::Content;
use crate::service::Service;

/// Answers `GET …/webhooks`: the endpoint and its latest deliveries.
pub(super) async fn view(
    State(service): State<Service>,
    Path(account): Path<(String, String)>,
    head: Parts,
) -> Response {
    let visit = match Visit::for_account(service, head, account, "webhooks").await {
        Ok(visit) => visit,
        Err(response) => return *response,
    };
    let seen = match visit.service().webhooks() {
        Some(webhooks) => {
            let account = visit.account().to_owned();
            webhooks.latest_deliveries(visit.environment(), account).await.ok()
        }
        None => None,
    };
    visit.read(move |sequencer, account, viewer| content(sequencer, account, viewer, seen)).await
}

fn content(
    sequencer: &Sequencer,
    account: AccountId,
    viewer: &Viewer,
    seen: Option<(Vec<Delivery>, EndpointRecord)>,
) -> Option<Content> {
    let views = sequencer.views();
    let known = views.state.account(account)?;
    let credentials = &known.credentials;
    let lang = viewer.lang;
    let url = credentials.webhook.map(|url| views.value(url));
    let none = viewer.t("nenhum", "none");
    let mut facts =
        vec![(viewer.t("Endereço", "Address"), url.map_or_else(|| Cell::text(none), Cell::code))];
    let signed = if credentials.secret.is_some() {
        viewer.t("sim", "yes")
    } else {
        viewer.t("não: não há segredo", "no: there is no secret")
    };
    facts.push((viewer.t("Assinado", "Signed"), Cell::text(signed)));
    let title = viewer.t("Webhooks", "Webhooks");
    let Some((deliveries, endpoint)) = seen else {
        let sentence = viewer
            .t("Este serviço não envia webhooks agora.", "This service sends no webhooks now.");
        let sections =
            vec![Section::Facts { title: String::new(), rows: facts }, Section::Note(sentence)];
        return Some((title, known.name.to_string(), sections));
    };
    // What another address was answered with says nothing of the present one.
    let present = credentials.webhook.map(token_text).unwrap_or_default();
    if let Some((since, reason)) = endpoint.off.filter(|_| endpoint.url == present) {
        let text = format!("{} ({})", local(since, lang), reason.name());
        facts.push((viewer.t("Desligado desde", "Switched off since"), Cell::mark(text)));
    }
    facts.push((viewer.t("Entregues", "Delivered"), Cell::text(success(&deliveries, viewer))));
    let nothing = viewer.t("Nenhuma entrega ainda.", "No delivery yet.");
    let mut table = Table::new(viewer.t("Últimas entregas", "Latest deliveries"), nothing)
        .column(lang.t("Evento", "Event"))
        .column(lang.t("Situação", "Status"))
        .numbers(lang.t("Tentativas", "Attempts"))
        .numbers("HTTP")
        .column(lang.t("Mudou, Brasília", "Changed, Brasília"))
        .column(lang.t("Próxima tentativa", "Next attempt"));
    table.rows.extend(deliveries.iter().map(|delivery| {
        vec![
            Cell::code(&*delivery.topic),
            Cell::code(delivery.state.name()),
            Cell::number(count(delivery.attempts.into(), lang)),
            Cell::number(
                delivery.http_status.map_or_else(|| "–".to_owned(), |status| status.to_string()),
            ),
            Cell::text(local(delivery.updated_at, lang)),
            Cell::text(delivery.next_at.map_or_else(|| "–".to_owned(), |at| local(at, lang))),
        ]
    }));
    let sections =
        vec![Section::Facts { title: String::new(), rows: facts }, Section::Table(table)];
    Some((title, known.name.to_string(), sections))
}

/// How many of the latest deliveries that have ended were delivered: `98% (49 de 50)`.
fn success(deliveries: &[Delivery], viewer: &Viewer) -> String {
    let of = |state| deliveries.iter().filter(|delivery| delivery.state == state).count();
    let delivered = of(DeliveryState::Delivered);
    let ended = delivered + of(DeliveryState::Abandoned);
    if ended == 0 {
        return viewer.t("nenhuma terminou", "none has ended");
    }
    let percent = delivered * 100 / ended;
    format!("{percent}% ({delivered} {} {ended})", viewer.t("de", "of"))
}
