//! What strangers may see by an address that somebody gave them: the picture of a code, the receipt
//! of a PIX, and its public verification.

use askama::Template;
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS};
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use ledger_core::contract::{Environment, Views, Words, initials};
use ledger_core::id::OpId;
use ledger_core::ledger::{Archive as _, ExternalId, Operation, Scope};
use ledger_core::time::Instant;
use ledger_store::Vault;
use ledger_store::archive::JournalArchive;
use ledger_store::sequencer::Sequencer;
use serde_json::Value;

use super::format::{decimal, local};
use super::html::{away, nothing_here, page};
use super::lang::Lang;
use super::layout::Cell;
use super::links::{Opens, is_tag};
use super::qr::Modules;
use crate::service::Service;
use ledger_core::hexadecimal::digits;

/// How long a picture may be kept: the code of a charge never changes.
const KEPT: &str = "private, max-age=86400, immutable";

/// `GET /qr/{id}/{tag}.png` or `.svg`.
pub(super) async fn picture(
    State(service): State<Service>,
    Path((id, file)): Path<(String, String)>,
    head: Parts,
) -> Response {
    let (tag, ending) = file.split_once('.').unwrap_or((&file, ""));
    let Some((ledger, op)) = service.ledgers().operation(&id) else {
        return nothing_here(&head);
    };
    if !matches!(ending, "png" | "svg") || !is_tag(ledger.tokens(), Opens::Picture, &id, tag) {
        return nothing_here(&head);
    }
    let code = match ledger.read(move |sequencer| code_of(sequencer, op)).await {
        Ok(Some(code)) => code,
        Ok(None) => return nothing_here(&head),
        Err(_) => return away(&head),
    };
    let drawn = Modules::encode(&code).and_then(|modules| match ending {
        "svg" => Some((modules.svg().into_bytes(), "image/svg+xml")),
        _ => Some((modules.png().ok()?, "image/png")),
    });
    // A provider's code that no picture holds can still be copied.
    let Some((bytes, content_type)) = drawn else { return nothing_here(&head) };
    let mut response = Response::new(Body::from(bytes));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static(KEPT));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}

/// The code of a charge.
fn code_of(sequencer: &Sequencer, op: OpId) -> Option<String> {
    let operation = sequencer.views().operation(op)?;
    Some(operation.charge()?.order()?.qr.copypaste.to_string())
}

/// A receipt, or what anybody may know of a PIX: a sheet of paper.
#[derive(Template)]
#[template(path = "receipt.html")]
struct Sheet {
    lang: Lang,
    kicker: String,
    title: String,
    amount: String,
    state: String,
    tone: &'static str,
    rows: Vec<(String, Cell)>,
    verify: Option<String>,
    note: String,
}

/// What a receipt tells: of the PIX what anybody may know, and besides, masked, what its sender
/// said.
struct Sent {
    id: String,
    /// The public's view of the PIX.
    pix: Value,
    e2e: String,
    recipient: Option<String>,
    document: Option<String>,
    pix_key: Option<String>,
    /// The record by which it was known, and the chain's link after it.
    proof: Option<(u64, String)>,
    returned: Option<String>,
}

/// Answers `GET /receipts/{id}/{tag}`: the receipt of a PIX that was sent.
pub(super) async fn receipt(
    State(service): State<Service>,
    Path((id, tag)): Path<(String, String)>,
    head: Parts,
) -> Response {
    let Some((ledger, op)) = service.ledgers().operation(&id) else {
        return nothing_here(&head);
    };
    let live = ledger.environment() == Environment::Live;
    if !live || !is_tag(ledger.tokens(), Opens::Receipt, &id, &tag) {
        return nothing_here(&head);
    }
    match ledger.read(move |sequencer| sent_pix(sequencer, op)).await {
        Ok(Some(sent)) => page(&head, StatusCode::OK, &sheet_of(&sent, Lang::from_request(&head))),
        Ok(None) => nothing_here(&head),
        Err(_) => away(&head),
    }
}

/// Returns what a receipt shows of an operation that sent a PIX; none of one that did not.
fn sent_pix(sequencer: &Sequencer, op: OpId) -> Option<Sent> {
    let views = sequencer.views();
    let operation = views.operation(op)?;
    let shown = client_view(&views, op, &operation)?;
    let text = |name: &str| shown.get(name).and_then(Value::as_str).map(str::to_owned);
    let e2e = text("pix_e2e").or_else(|| text("e2e"))?;
    let pix = views.verification(&e2e, &Value::Null, true).ok()?;
    let outside = ExternalId { scope: Scope::SentPix, id: e2e.as_str().into() };
    let seen = views.archive.fact_seq(&outside);
    let evidence = seen.and_then(|seq| sequencer.evidence(seq.0));
    let proof = evidence.map(|evidence| (evidence.seq, digits(&evidence.after.0)));
    let cents = shown.get("returned_cents").and_then(Value::as_i64).filter(|cents| *cents > 0);
    let returned = cents.map(|cents| format!("{}.{:02}", cents / 100, cents % 100));
    Some(Sent {
        id: op.text(&views.state.name),
        pix,
        recipient: text("recipient_name").or_else(|| text("merchant_name")),
        document: text("recipient_document").or_else(|| text("payee_tax_number")),
        pix_key: text("pix_key"),
        returned: returned.or_else(|| text("brl_reversed")),
        proof,
        e2e,
    })
}

/// The words of operations whose PIX was paid: a payout, a cash-out, a payment from a wallet.
const PAID: [&str; 4] = ["completed", "returned", "COMPLETED", "concluido"];

/// The client's own view of an operation that has sent its PIX.
fn client_view(
    views: &Views<'_, JournalArchive, Vault>,
    op: OpId,
    operation: &Operation,
) -> Option<Value> {
    let status = Words::for_operation(operation).status?;
    PAID.contains(&&*status).then(|| views.creation_response(op, operation).into())
}

fn sheet_of(sent: &Sent, lang: Lang) -> Sheet {
    let (state, tone) = match (&sent.returned, sent.pix["pago"].as_bool()) {
        (None, Some(true)) => (lang.t("PIX enviado", "PIX sent").to_owned(), "good"),
        (Some(part), _) => {
            let part = format!("R$\u{a0}{}", decimal(part, lang));
            (format!("{} {part}", lang.t("Devolvido:", "Returned:")), "warn")
        }
        (None, _) => (lang.t("PIX devolvido", "PIX returned").to_owned(), "warn"),
    };
    let mut rows = paid_rows(&sent.pix, lang);
    let mut row = |pt, en, text: Option<String>, cell: fn(String) -> Cell| {
        rows.extend(text.map(|text| (lang.t(pt, en).to_owned(), cell(text))));
    };
    let recipient = sent.recipient.as_deref().and_then(initials);
    if sent.pix["recebedor_iniciais"].is_null() {
        row("Recebedor, iniciais", "Recipient, initials", recipient, Cell::text);
    }
    row("CPF/CNPJ", "CPF/CNPJ", sent.document.clone(), Cell::text);
    row("Chave PIX", "PIX key", sent.pix_key.clone(), Cell::text);
    row("ID da transação", "End-to-end id", Some(sent.e2e.clone()), Cell::code);
    row("Operação", "Operation", Some(sent.id.clone()), Cell::code);
    if let Some((seq, link)) = &sent.proof {
        row("Registro", "Record", Some(seq.to_string()), Cell::text);
        row("Elo da cadeia", "Link of the chain", Some(link.clone()), Cell::code);
    }
    Sheet {
        lang,
        kicker: crate::documents::Config::TITLE.to_owned(),
        title: lang.t("Comprovante de PIX", "PIX receipt").to_owned(),
        amount: amount(&sent.pix, lang),
        state,
        tone,
        rows,
        verify: Some(format!("../../verify/{}", sent.e2e)),
        note: lang
            .t(
                "Nomes, documentos e chaves aparecem mascarados. O elo prova o registro no livro: \
                 quem guarda a cadeia confere que nada foi mudado.",
                "Names, documents and keys are shown masked. The link proves the record in the \
                 ledger: whoever keeps the chain can check that nothing was changed.",
            )
            .to_owned(),
    }
}

/// `GET /verify/{e2e}`: the page of `GET /v1/verificar/{e2e}`, and nothing more than that says.
pub(super) async fn verification(
    State(service): State<Service>,
    Path(e2e): Path<String>,
    head: Parts,
) -> Response {
    let mut found = Ok(None);
    for ledger in service.ledgers().all() {
        let asked = e2e.clone();
        let known = ledger.read(move |sequencer| {
            sequencer.views().verification(&asked, &Value::Null, false).ok()
        });
        found = known.await;
        if !matches!(found, Ok(None)) {
            break;
        }
    }
    let lang = Lang::from_request(&head);
    match found {
        Ok(Some(pix)) => page(&head, StatusCode::OK, &public_sheet(&pix, e2e, lang)),
        Ok(None) => super::html::apology(
            &head,
            StatusCode::NOT_FOUND,
            lang.t("PIX desconhecido", "Unknown PIX"),
            lang.t(
                "Nenhum PIX é conhecido aqui por este ID. Confira o ID no comprovante.",
                "No PIX is known here by this end-to-end id. Check the id on the receipt.",
            ),
        )
        .into_response(),
        Err(_) => away(&head),
    }
}

fn public_sheet(pix: &Value, e2e: String, lang: Lang) -> Sheet {
    let known = pix["verificado"].as_bool() == Some(true);
    let paid = pix["pago"].as_bool() == Some(true);
    let (state, tone) = match (known, paid) {
        (true, true) => (lang.t("Verificado e pago", "Verified and paid"), "good"),
        (true, false) => (lang.t("Conhecido, e não pago", "Known, and not paid"), "warn"),
        (false, _) => (lang.t("Não verificado", "Not verified"), "warn"),
    };
    let mut rows = paid_rows(pix, lang);
    rows.push((lang.t("ID da transação", "End-to-end id").to_owned(), Cell::code(e2e)));
    Sheet {
        lang,
        kicker: crate::documents::Config::TITLE.to_owned(),
        title: lang.t("Verificação de PIX", "PIX verification").to_owned(),
        amount: amount(pix, lang),
        state: state.to_owned(),
        tone,
        rows,
        verify: None,
        note: lang
            .t(
                "Esta página diz o que qualquer pessoa pode saber de um PIX que passou por aqui: \
                 nenhum nome, documento ou chave.",
                "This page says what anybody may know of a PIX that passed here: no name, \
                 document or key.",
            )
            .to_owned(),
    }
}

fn amount(pix: &Value, lang: Lang) -> String {
    let text = pix["valor_brl"].as_str();
    text.map_or_else(|| "R$\u{a0}–".to_owned(), |text| format!("R$\u{a0}{}", decimal(text, lang)))
}

/// Returns what both sheets say of a PIX.
fn paid_rows(pix: &Value, lang: Lang) -> Vec<(String, Cell)> {
    let mut rows = Vec::new();
    let mut row = |pt, en, text: Option<String>| {
        rows.extend(text.map(|text| (lang.t(pt, en).to_owned(), Cell::text(text))));
    };
    let text = |name: &str| pix[name].as_str().map(str::to_owned);
    let paid_at = text("pago_em").and_then(|at| Instant::parse(&at));
    row(
        "Pago em, hora de Brasília",
        "Paid at, time of Brasília",
        paid_at.map(|at| local(at, lang)),
    );
    row("Recebedor, iniciais", "Recipient, initials", text("recebedor_iniciais"));
    row("Instituição", "Institution", text("instituicao"));
    row("Liquidado por", "Settled by", text("liquidado_por"));
    rows
}
