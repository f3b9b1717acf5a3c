//! What stands in a building and is not for everybody, and where each caller looks for it.

use axum::body::Body;
use axum::http::Request;

use super::asking::Session;
use super::building::{Building, CPF, OTHERS_MAIL, PAYER, PIX_KEY};
use super::callers::{Caller, Listener};
use super::samples::samples;
use crate::house::links;

/// The most pages that one caller opens.
const MOST: usize = 800;

/// Each secret with the spellings in which it would be read.
pub fn secrets(building: &Building) -> Vec<(&'static str, Vec<String>)> {
    let named = |name: &str| building.names[name].clone();
    let spelled = |text: &str| vec![text.to_owned(), text.replace('@', "%40")];
    let key = named("key");
    vec![
        ("the CPF of who paid", vec![CPF.to_owned(), "390.533.447-05".to_owned()]),
        ("the name of who paid", vec![PAYER.to_owned(), PAYER.replace(' ', "+")]),
        ("the PIX key of who was paid", spelled(PIX_KEY)),
        ("the e-mail that registered another account", spelled(OTHERS_MAIL)),
        ("an operation of another account", vec![named("payout"), named("suspense")]),
        ("the name of another account", vec![named("account")]),
        ("the key of another account", vec![key]),
        ("the monitor of another account", vec![named("others_monitor")]),
        ("the secret of another's endpoint", vec![named("secret")]),
        ("another operator's credential", vec![named("evas")]),
        ("the listeners' tokens", vec!["tokentoken".to_owned()]),
    ]
}

impl Building {
    /// All that a caller is answered: to every request, and on every page that a link leads to, each
    /// with where it was.
    pub async fn read_by(&self, caller: Caller) -> Vec<(String, String)> {
        let mut answers = Vec::new();
        for sample in samples() {
            // The session goes on.
            if ["/sign-out", "/painel/leave"].contains(&sample.path) {
                continue;
            }
            let kinds: &[&str] = match sample.method {
                "GET" => &["text/html", "application/json"],
                _ => &["text/html"],
            };
            for accept in kinds {
                let answer = self.ask(caller, &sample, accept).await;
                answers.push((sample.route(), plain(&answer.bytes)));
            }
        }
        let starts = [
            (Listener::Console, "/live/".to_owned()),
            (Listener::Console, "/sandbox/".to_owned()),
            (Listener::Clients, "/painel".to_owned()),
            (Listener::Clients, self.filled(caller, "/monitor/$credential", "")),
        ];
        for (listener, start) in starts {
            self.crawl(caller, (listener, start), &mut answers).await;
        }
        answers
    }

    /// Opens what a page links to, and what that does.
    async fn crawl(
        &self,
        caller: Caller,
        (listener, start): (Listener, String),
        answers: &mut Vec<(String, String)>,
    ) {
        let Session { cookies, .. } = self.session(caller);
        let (mut seen, mut next) = (vec![start], 0);
        while let Some(target) = seen.get(next).cloned() {
            next += 1;
            let mut request = Request::get(&target).header("host", listener.host());
            request = request.header("cookie", &cookies).header("accept-language", "en");
            if let Some(credential) = self.credential(caller) {
                request = request.header("authorization", format!("Bearer {credential}"));
            }
            let answer = self.send(listener, request.body(Body::empty()).unwrap()).await;
            let text = plain(&answer.bytes);
            for link in links(&String::from_utf8_lossy(&answer.bytes)) {
                if !link.contains("lang=") && !seen.contains(&link) {
                    seen.push(link);
                }
            }
            assert!(seen.len() < MOST, "{caller:?} has more than {MOST} pages: {target}");
            answers.push((target, text));
        }
    }
}

/// A text as it is read: what stands in a page in entities is itself.
fn plain(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    text.replace("&#38;", "&").replace("&#43;", "+").replace("&#64;", "@").replace("&nbsp;", " ")
}
