//! `POST /{ledger}/webhooks/{account}`: an event once more, what was not delivered, an endpoint
//! switched on.

use axum::extract::{Path, Request, State};
use axum::response::Response;
use ledger_core::time::Instant;

use crate::courier::{Act, Acted};
use crate::operation::lines::EndpointAct;
use crate::operators::role::Right;
use crate::pages::console::deciding::SignedIn;
use crate::pages::forms::{field, forbidden_page, see};
use crate::pages::html::{away, nothing_here};
use crate::pages::ledger::viewer::segment;
use crate::service::Service;

/// How many events are sent again at once: as many as a page lists.
const MOST: usize = 100;

/// Takes the form of a button, from an operator who may decide.
pub(super) async fn send(
    State(service): State<Service>,
    Path((ledger, account)): Path<(String, String)>,
    request: Request,
) -> Response {
    let (head, signed_in, sent) = match SignedIn::read_form(&service, request).await {
        Ok(sent) => sent,
        Err(response) => return *response,
    };
    if !signed_in.operator.has(Right::Decide) {
        return forbidden_page(&head);
    }
    let (Some(webhooks), Some(of)) = (service.webhooks(), service.ledgers().by_label(&ledger))
    else {
        return nothing_here(&head);
    };
    let here = format!("/{}/webhooks/{}", segment(&ledger), segment(&account));
    let (name, event) = (field(&sent, "act"), field(&sent, "event"));
    let act = match name {
        "resend" => Act::Resend(event.to_owned()),
        "on" => Act::SwitchOn,
        "again" => {
            let ticked = sent.iter().filter(|(name, _)| name == "event");
            Act::Again(ticked.map(|(_, event)| event.clone()).take(MOST).collect())
        }
        "recover" => match Instant::parse(field(&sent, "since").trim()) {
            Some(since) => Act::Recover(since),
            None => return see(&format!("{here}?done=unreadable")),
        },
        _ => return nothing_here(&head),
    };
    let Ok(state) = of.engine().committed_state().await else { return away(&head) };
    let known = state.account_named(&account).and_then(|account| state.account(account));
    if known.is_some_and(|known| known.credentials.webhook.is_none()) {
        return see(&format!("{here}?done=unaddressed"));
    }
    let acted = webhooks.act(&service, of.environment(), &account, act).await;
    let Ok(acted) = acted else { return away(&head) };
    let (done, at) = match acted {
        Acted::Sent { status: Some(status), delivered } => {
            (format!("{}-{status}", if delivered { "delivered" } else { "failed" }), event)
        }
        Acted::Sent { status: None, .. } => ("silent".to_owned(), event),
        Acted::Queued(events) => (format!("queued-{events}"), ""),
        Acted::SwitchedOn => ("on".to_owned(), ""),
        Acted::NoEndpoint => ("unaddressed".to_owned(), event),
        Acted::Unknown => return nothing_here(&head),
    };
    service.parts().access_log.note_endpoint(&EndpointAct {
        at: service.now(),
        operator: signed_in.operator.name.clone(),
        act: match name {
            "resend" => "resend",
            "on" => "switch_on",
            "again" => "resend_many",
            _ => "recover",
        },
        account,
        outcome: done.clone(),
    });
    let at = if at.is_empty() { String::new() } else { format!("/{}", segment(at)) };
    see(&format!("{here}{at}?done={done}"))
}
