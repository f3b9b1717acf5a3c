//! Signing in and out: a link is asked for by e-mail, used by a button, and begins a session.

use askama::Template;
use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::Response;
use ledger_core::contract::{Call, CallKind, Environment};
use ledger_core::ledger::Origin;
use serde_json::{Value, json};

use super::guard::{session, set_session};
use crate::edge::client_address::client_address;
use crate::pages::forms::{field, forbidden_page, form, is_own, see, with_forms};
use crate::pages::html::{apology, away, page};
use crate::pages::lang::Lang;
use crate::pages::monitor::base_path;
use crate::panel::secret;
use crate::request_id::RequestId;
use crate::service::Service;

#[derive(Template)]
#[template(path = "sign_in.html")]
struct SignIn<'a> {
    lang: Lang,
    title: &'a str,
    sentence: &'a str,
    action: String,
    /// Tells whether it asks for an e-mail.
    asks: bool,
    go: &'a str,
    other_language: String,
}

/// The page that asks whoever is not signed in for an e-mail.
pub(super) fn asking(service: &Service, head: &Parts) -> Response {
    let lang = Lang::from_request(head);
    if service.panel().is_none() {
        let title = lang.t("Painel", "Dashboard");
        let sentence = lang.t(
            "Este serviço não envia links por e-mail, e por isso ninguém entra no painel.",
            "This service mails no links, so nobody signs in to the dashboard.",
        );
        return apology(head, StatusCode::NOT_FOUND, title, sentence);
    }
    with_forms(page(
        head,
        StatusCode::OK,
        &SignIn {
            lang,
            title: lang.t("Painel", "Dashboard"),
            sentence: lang.t(
                "Para entrar, informe o e-mail das suas contas: um link chega nele.",
                "To sign in, say the e-mail of your accounts: a link is sent to it.",
            ),
            action: format!("{}/painel/link", base_path(service)),
            asks: true,
            go: lang.t("Pedir o link", "Ask for the link"),
            other_language: Lang::switch(head),
        },
    ))
}

/// `POST /painel/link`: asks the contract, as `POST /keys/painel-link` does, and shows its answer.
pub(super) async fn ask(State(service): State<Service>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let lang = Lang::from_request(&head);
    let (Some(panel), true) = (service.panel(), is_own(&service, &head.headers)) else {
        return forbidden_page(&head);
    };
    let Some(form) = form(&service, body).await else { return forbidden_page(&head) };
    let email = field(&form, "email").trim();
    let trusted = &service.limits().trusted_proxies;
    let id = RequestId::from_extensions(&head.extensions, &service.parts().numbers);
    let ask = CallKind::Request {
        method: "POST".to_owned(),
        target: "/keys/painel-link".to_owned(),
        key: None,
    };
    let now = service.now();
    let call = Call {
        at: now,
        origin: Origin::Request(id.as_str().into()),
        ask,
        body: json!({ "email": email }),
        supplied: Value::Null,
        ip: client_address(&head.extensions, &head.headers, trusted),
    };
    let Ok(outcome) = service.ledgers().handle(Environment::Live, call, now).await else {
        return away(&head);
    };
    let (status, title, sentence) = match outcome.response.status {
        200 => {
            panel.ask(email);
            let sentence = lang.t(
                "Se este e-mail estiver cadastrado, o link chega em instantes e vale 15 minutos.",
                "If this e-mail is registered, the link arrives in moments; it works for 15 minutes.",
            );
            (StatusCode::OK, lang.t("Confira seu e-mail", "Check your e-mail"), sentence)
        }
        429 => {
            let sentence = lang.t(
                "Foram pedidos links demais. Tente de novo em uma hora.",
                "Too many links were asked for. Try again in an hour.",
            );
            (StatusCode::TOO_MANY_REQUESTS, lang.t("Espere um pouco", "Wait a little"), sentence)
        }
        _ => {
            let sentence = lang.t("Volte e informe um e-mail.", "Go back and say an e-mail.");
            (StatusCode::BAD_REQUEST, lang.t("Falta o e-mail", "The e-mail is missing"), sentence)
        }
    };
    apology(&head, status, title, sentence)
}

/// `GET /painel/enter/{link}`: a button, so that no program that opens links uses this one up.
pub(super) async fn button(
    State(service): State<Service>,
    Path(link): Path<String>,
    head: Parts,
) -> Response {
    let lang = Lang::from_request(&head);
    let Some(panel) = service.panel() else { return dead_link_page(&head) };
    match panel.opens(&link, service.now()).await {
        Ok(true) => {}
        Ok(false) => return dead_link_page(&head),
        Err(_) => return away(&head),
    }
    with_forms(page(
        &head,
        StatusCode::OK,
        &SignIn {
            lang,
            title: lang.t("Entrar no painel", "Sign in to the dashboard"),
            sentence: lang.t(
                "O link vale uma vez. A sessão dura 12 horas sem uso, e 7 dias no máximo.",
                "The link works once. The session lasts 12 hours unused, and 7 days at most.",
            ),
            action: format!("{}/painel/enter/{link}", base_path(&service)),
            asks: false,
            go: lang.t("Entrar", "Sign in"),
            other_language: Lang::switch(&head),
        },
    ))
}

/// Answers `POST /painel/enter/{link}`: begins a session, once for a link.
pub(super) async fn enter(
    State(service): State<Service>,
    Path(link): Path<String>,
    head: Parts,
) -> Response {
    let Some(panel) = service.panel() else { return dead_link_page(&head) };
    if !is_own(&service, &head.headers) {
        return forbidden_page(&head);
    }
    let opener = match panel.enter(&link, service.now()).await {
        Ok(Some(opener)) => opener,
        Ok(None) => return dead_link_page(&head),
        Err(_) => return away(&head),
    };
    let mut response = see(&format!("{}{}", base_path(&service), super::PATH));
    set_session(&service, &mut response, Some(opener.expose()));
    response
}

/// Answers `POST /painel/leave`: ends the session.
pub(super) async fn leave(State(service): State<Service>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let (Some(panel), Some(cookie)) = (service.panel(), session(&service, &head.headers)) else {
        return see(&format!("{}{}", base_path(&service), super::PATH));
    };
    let form = form(&service, body).await.unwrap_or_default();
    let expected = secret::form_token(&cookie);
    if !is_own(&service, &head.headers) || !secret::same(&expected, field(&form, "token")) {
        return forbidden_page(&head);
    }
    if panel.leave(&cookie).await.is_err() {
        return away(&head);
    }
    let mut response = see(&format!("{}{}", base_path(&service), super::PATH));
    set_session(&service, &mut response, None);
    response
}

/// The page for a link that opens nothing; it does not say whether it ever did.
fn dead_link_page(head: &Parts) -> Response {
    let lang = Lang::from_request(head);
    let title = lang.t("Este link não abre nada", "This link opens nothing");
    let sentence = lang.t(
        "Ele já foi usado, passou dos 15 minutos, ou nunca existiu. Peça outro em /painel.",
        "It was used, is older than 15 minutes, or never was one. Ask for another at /painel.",
    );
    apology(head, StatusCode::NOT_FOUND, title, sentence)
}
