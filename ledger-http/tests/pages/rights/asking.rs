//! How somebody asks: with all that they have, in every way there is to bring it.

use std::sync::atomic::Ordering;

use axum::body::Body;
use axum::http::Request;

use super::building::Building;
use super::callers::{Caller, Listener};
use super::samples::Sample;
use crate::house::{Answer, sent_from};

impl Building {
    /// Returns what a caller brings as a token or key; none for nobody.
    pub fn credential(&self, caller: Caller) -> Option<&str> {
        self.credentials.get(&caller).map(String::as_str)
    }

    /// An address that nobody has asked from before, so that no limit of addresses is met.
    pub fn next_peer(&self) -> [u8; 4] {
        let [_, high, middle, low] = self.sent.fetch_add(1, Ordering::Relaxed).to_be_bytes();
        [10, high, middle, low]
    }

    /// Asks a listener.
    pub async fn send(&self, listener: Listener, request: Request<Body>) -> Answer {
        sent_from(self.next_peer(), self.routers[&listener].clone(), request).await
    }

    /// A target or body with what it names: of the building, and the caller's own.
    pub fn filled(&self, caller: Caller, text: &str, token: &str) -> String {
        let credential = self.credential(caller).unwrap_or("nothing").to_owned();
        let own =
            [("caller", caller.name()), ("credential", credential), ("token", token.to_owned())];
        let shared = self.names.iter().map(|(name, of)| (*name, of.clone()));
        let mut names: Vec<_> = shared.chain(own).collect();
        // No name that is left is the beginning of a longer one.
        names.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
        names.iter().fold(text.to_owned(), |text, (name, of)| text.replace(&format!("${name}"), of))
    }

    /// Asks as a caller does, who brings all that they have in every way there is.
    pub async fn ask(&self, caller: Caller, sample: &Sample, accept: &str) -> Answer {
        let listener = sample.listener;
        let Session { cookies, token } = self.session(caller);
        let fill = |text: &str| self.filled(caller, text, &token);
        let host = listener.host();
        let mut request = Request::builder()
            .method(sample.method)
            .uri(fill(sample.target))
            .header("host", host)
            .header("origin", format!("https://{host}"))
            .header("accept", accept)
            .header("cookie", cookies);
        if let Some(credential) = self.credential(caller) {
            request = request.header("authorization", format!("Bearer {credential}"));
            request = request.header("x-api-key", credential);
        }
        let body = fill(sample.body);
        let is_json = body.starts_with('{');
        let kind = if is_json { "application/json" } else { "application/x-www-form-urlencoded" };
        let request = request.header("content-type", kind).body(Body::from(body)).unwrap();
        self.send(listener, request).await
    }

    /// The session of a caller, and what was made up for whoever has none.
    pub fn session(&self, caller: Caller) -> Session {
        if let Some(session) = self.sessions.get(&caller) {
            return session.clone();
        }
        let guess = "0".repeat(64);
        let cookies = match caller {
            Caller::Guesser => {
                format!("operador={guess}; __Host-operador={guess}; __Host-painel={guess}")
            }
            _ => String::new(),
        };
        Session { cookies, token: guess }
    }

    /// Signs an operator in.
    pub async fn sign_in(&mut self, caller: Caller, credential: &str) {
        let host = Listener::Console.host();
        let request = Request::post("/sign-in")
            .header("host", host)
            .header("origin", format!("https://{host}"))
            .body(Body::from(format!("credential={credential}")));
        let answer = self.send(Listener::Console, request.unwrap()).await;
        assert_eq!(answer.status, 303, "{}", answer.text());
        self.begin(caller, (Listener::Console, "/live/decide"), &answer).await;
    }

    /// Keeps the session that an answer begins, with what the forms of a page carry.
    pub async fn begin(&mut self, caller: Caller, (listener, page): (Listener, &str), by: &Answer) {
        let cookies = by.header("set-cookie").split(';').next().unwrap().to_owned();
        let request = Request::get(page).header("cookie", &cookies);
        let page = self.send(listener, request.body(Body::empty()).unwrap()).await.text();
        let carried = page.split("name=\"token\" value=\"").nth(1).expect("a form carries it");
        let token = carried[..64].to_owned();
        self.sessions.insert(caller, Session { cookies, token });
    }
}

/// What a browser brings that is signed in.
#[derive(Clone)]
pub struct Session {
    pub cookies: String,
    /// What its forms carry.
    pub token: String,
}
