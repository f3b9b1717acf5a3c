//! Certificate: what says that a person was erased through the service, as a file to be kept.

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::Response;

use crate::operators::role::Right;
use crate::pages::console::frame::Frame;
use crate::pages::console::guard::operator_of;
use crate::pages::html::{apology, away, file, nothing_here};
use crate::service::Service;

/// Answers `GET /{ledger}/person/certificates/{id}`: the certificate of an erasure.
pub(in crate::pages::console) async fn download(
    State(service): State<Service>,
    Path((ledger, id)): Path<(String, String)>,
    head: Parts,
) -> Response {
    let frame = match Frame::for_ledger(service, head, &ledger, "person") {
        Ok(frame) => frame,
        Err(response) => return *response,
    };
    let (head, lang) = (&frame.head, frame.viewer.lang);
    let reader = operator_of(&frame.service, head).await;
    let may = reader.is_some_and(|operator| operator.has(Right::HoldFunds));
    let Some(operators) = frame.service.operators().filter(|_| may) else {
        let title = lang.t("Certificado de um apagamento", "Certificate of an erasure");
        let sentence = lang.t(
            "Lê-lo pede um operador com o papel hold.",
            "Reading it asks for an operator with the role hold.",
        );
        return apology(head, StatusCode::FORBIDDEN, title, sentence);
    };
    match operators.certificate(&ledger, &id).await {
        Ok(Some(certificate)) => {
            file(certificate, "text/plain; charset=utf-8", &format!("{}.erased", plain(&id)))
        }
        Ok(None) => nothing_here(head),
        Err(_) => away(head),
    }
}

/// An id as a file may be named by it.
fn plain(id: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '-' };
    id.chars().map(plain).collect()
}
