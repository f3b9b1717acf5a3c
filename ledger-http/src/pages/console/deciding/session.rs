//! Signing in to the console: an operator's credential begins a session, which a cookie brings.

use axum::extract::{Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;

use crate::operators::door::identify;
use crate::operators::tables::WHOLE;
use crate::operators::{Identified, Operator, OperatorsFailed};
use crate::pages::console::frame::Frame;
use crate::pages::forms::{
    cookie, field, forbidden_page, form, is_by_https, is_of_host, see, set_cookie,
};
use crate::pages::html::{apology, away};
use crate::pages::lang::Lang;
use crate::pages::layout::{Input, Section};
use crate::panel::secret;
use crate::service::Service;

/// The cookie's name by https, where no other host of the domain can set it, and otherwise.
const COOKIES: [&str; 2] = ["__Host-operador", "operador"];

/// An operator who is signed in.
pub(in crate::pages::console) struct SignedIn {
    pub(in crate::pages::console) operator: Operator,
    cookie: String,
}

impl SignedIn {
    /// Whose session a request brings; nothing where it brings none that goes on.
    ///
    /// # Errors
    ///
    /// [`OperatorsFailed`] where that cannot be looked up.
    pub(in crate::pages::console) async fn from_headers(
        service: &Service,
        headers: &HeaderMap,
    ) -> Result<Option<Self>, OperatorsFailed> {
        let brought = COOKIES.into_iter().find_map(|name| cookie(headers, name));
        let (Some(operators), Some(cookie)) = (service.operators(), brought) else {
            return Ok(None);
        };
        let operator = operators.session(&cookie, service.now()).await?;
        Ok(operator.map(|operator| Self { operator, cookie }))
    }

    /// The request's frame, and whose session it brings, or the page that says why not.
    pub(in crate::pages::console) async fn open_frame(
        (service, ledger): (Service, &str),
        head: Parts,
        here: &'static str,
    ) -> Result<(Frame, Option<Self>), Box<Response>> {
        let Ok(signed_in) = Self::from_headers(&service, &head.headers).await else {
            return Err(Box::new(away(&head)));
        };
        Ok((Frame::for_ledger(service, head, ledger, here)?, signed_in))
    }

    /// The form that a request sends from its own session, or the page that says why not.
    pub(in crate::pages::console) async fn read_form(
        service: &Service,
        request: Request,
    ) -> Result<(Parts, Self, Vec<(String, String)>), Box<Response>> {
        let (head, body) = request.into_parts();
        let signed_in = match Self::from_headers(service, &head.headers).await {
            Ok(Some(signed_in)) => signed_in,
            Ok(None) => return Err(Box::new(forbidden_page(&head))),
            Err(_) => return Err(Box::new(away(&head))),
        };
        let sent = form(service, body).await.unwrap_or_default();
        if signed_in.has_sent(&head.headers, &sent) {
            Ok((head, signed_in, sent))
        } else {
            Err(Box::new(forbidden_page(&head)))
        }
    }

    /// Returns what the forms of this session carry.
    pub(in crate::pages::console) fn token(&self) -> String {
        secret::form_token(&self.cookie)
    }

    /// Tells whether a form is of this session and of this host.
    fn has_sent(&self, headers: &HeaderMap, form: &[(String, String)]) -> bool {
        is_of_host(headers) && secret::same(&self.token(), field(form, "token"))
    }

    /// The button that ends the session.
    pub(in crate::pages::console) fn sign_out(&self, lang: Lang) -> Section {
        let go = format!("{} ({})", lang.t("Sair", "Sign out"), self.operator.name);
        let (action, hidden) = ("/sign-out".to_owned(), vec![("token", self.token())]);
        Section::Form { action, hidden, fields: Vec::new(), go }
    }
}

/// The form that asks for a credential and leads on to a page.
pub(in crate::pages::console) fn asking(lang: Lang, to: &str) -> Section {
    let note = lang.t("sua credencial de operador", "your operator's credential").to_owned();
    let credential =
        Input { name: "credential", note, value: String::new(), required: true, secret: true };
    Section::Form {
        action: "/sign-in".to_owned(),
        hidden: vec![("to", to.to_owned())],
        fields: vec![credential],
        go: lang.t("Entrar", "Sign in").to_owned(),
    }
}

/// Answers `POST /sign-in`: begins a session for a credential.
pub(super) async fn enter(State(service): State<Service>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let (Some(operators), true) = (service.operators(), is_of_host(&head.headers)) else {
        return forbidden_page(&head);
    };
    let Some(form) = form(&service, body).await else { return forbidden_page(&head) };
    let (credential, lang) = (field(&form, "credential").trim(), Lang::from_request(&head));
    match identify(&service, operators, &head, credential).await {
        Some(Identified::Known(_)) => {}
        Some(Identified::Unknown) => {
            let title = lang.t("Credencial desconhecida", "Unknown credential");
            let sentence = lang.t("Volte e tente de novo.", "Go back and try again.");
            return apology(&head, StatusCode::UNAUTHORIZED, title, sentence);
        }
        Some(Identified::LockedOut(_)) => {
            let title = lang.t("Espere um pouco", "Wait a little");
            let sentence = lang.t(
                "Vieram credenciais erradas demais deste endereço. Tente de novo em cinco minutos.",
                "Too many wrong credentials came from this address. Try again in five minutes.",
            );
            return apology(&head, StatusCode::TOO_MANY_REQUESTS, title, sentence);
        }
        None => return away(&head),
    }
    let Ok(opener) = operators.enter(credential, service.now()).await else { return away(&head) };
    let mut response = see(own_path(field(&form, "to")));
    set(&head.headers, &mut response, Some(opener.expose()));
    response
}

/// Answers `POST /sign-out`: ends the session.
pub(super) async fn leave(State(service): State<Service>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let (Some(operators), Ok(Some(signed_in))) =
        (service.operators(), SignedIn::from_headers(&service, &head.headers).await)
    else {
        return see("/");
    };
    let form = form(&service, body).await.unwrap_or_default();
    if !signed_in.has_sent(&head.headers, &form) {
        return forbidden_page(&head);
    }
    if operators.leave(&signed_in.cookie).await.is_err() {
        return away(&head);
    }
    let mut response = see("/");
    set(&head.headers, &mut response, None);
    response
}

fn set(headers: &HeaderMap, response: &mut Response, session: Option<&str>) {
    let is_secure = is_by_https(headers);
    let name = if is_secure { COOKIES[0] } else { COOKIES[1] };
    set_cookie(response, (name, session), WHOLE, is_secure);
}

/// A path of the console, or its beginning: a form leads to no other site.
fn own_path(path: &str) -> &str {
    let is_own = path.starts_with('/') && !path.starts_with("//") && !path.contains('\\');
    if is_own { path } else { "/" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_leads_to_no_other_site() {
        assert_eq!(own_path("/live/decide?decision=a"), "/live/decide?decision=a");
        for other in ["//evil.example", "https://evil.example", "/\\evil.example", ""] {
            assert_eq!(own_path(other), "/", "{other}");
        }
    }
}
