//! Where the service's own pages and pictures are, and the answers that name them.

use ledger_core::contract::{Body, Environment, Tokens};
use serde_json::Value;

use super::Config;

/// What an address of an operation opens. Each has a tag of its own, so that whoever was given one
/// does not have another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opens {
    /// The picture of a charge's code.
    Picture,
    /// The receipt of a PIX that was sent.
    Receipt,
}

impl Opens {
    const fn name(self) -> &'static str {
        match self {
            Self::Picture => "qr",
            Self::Receipt => "receipts",
        }
    }
}

/// Returns what nobody guesses of an address: 128 bits under the ledger's own key, in hexadecimal
/// digits.
pub(super) fn tag(tokens: &Tokens, opens: Opens, id: &str) -> String {
    format!("{:032x}", tokens.link(&format!("{} {id}", opens.name())))
}

/// Tells whether a tag is that of an address, in a time that does not depend on where they differ.
pub(super) fn is_tag(tokens: &Tokens, opens: Opens, id: &str, given: &str) -> bool {
    let own = tag(tokens, opens, id);
    let differs =
        own.bytes().zip(given.bytes()).fold(0, |differs, (own, given)| differs | (own ^ given));
    own.len() == given.len() && differs == 0
}

/// The path of what an operation's address opens, without its ending.
pub(super) fn path(tokens: &Tokens, opens: Opens, id: &str) -> String {
    format!("/{}/{id}/{}", opens.name(), tag(tokens, opens, id))
}

/// Tells whether an answer may be about something that has a page: a look at its fields' names, as
/// most answers are not.
pub(crate) fn may_name_pages(body: &Body) -> bool {
    let has = |name| body.text(name).is_some();
    body.has_lists() || PAGED.into_iter().any(has)
}

/// The ids of what has pages.
const PAGED: [&str; 4] = ["cashin_id", "cashout_id", "payment_id", "payout_id"];

/// Names the service's own pages in an answer, where the provider named none.
///
/// Receipts are of real money only: a page that looks like proof of a payment in the sandbox would
/// be one of nothing.
pub(crate) fn complete(
    config: &Config,
    tokens: &Tokens,
    environment: Environment,
    body: &mut Value,
) {
    let lists = body.as_object_mut().into_iter().flat_map(|fields| fields.values_mut());
    for item in lists.filter_map(Value::as_array_mut).flatten() {
        complete(config, tokens, environment, item);
    }
    let at = |opens, id: &str| format!("{}{}", config.base_url, path(tokens, opens, id));
    let of = |body: &Value, name: &str| body.get(name).and_then(Value::as_str).map(str::to_owned);
    let open = |body: &Value, name: &str| body.get(name).is_some_and(Value::is_null);
    if let (Some(id), Some(_)) = (of(body, "cashin_id"), of(body, "qr_copypaste"))
        && open(body, "qr_image_url")
    {
        body["qr_image_url"] = format!("{}.png", at(Opens::Picture, &id)).into();
    }
    if environment != Environment::Live {
        return;
    }
    if let (Some(id), Some(e2e)) = (of(body, "cashout_id"), of(body, "pix_e2e"))
        && of(body, "state").is_some_and(|state| state == "COMPLETED")
    {
        if open(body, "receipt_url") {
            body["receipt_url"] = at(Opens::Receipt, &id).into();
        }
        if open(body, "verify_url") {
            body["verify_url"] = format!("{}/verify/{e2e}", config.base_url).into();
        }
    }
    if let Some(id) = of(body, "payment_id")
        && of(body, "status").is_some_and(|status| status == "concluido")
        && open(body, "receipt_url")
    {
        body["receipt_url"] = at(Opens::Receipt, &id).into();
    }
    if let Some(id) = of(body, "payout_id")
        && of(body, "status").is_some_and(|status| status == "completed")
        && body.get("receipt_url").is_none_or(Value::is_null)
    {
        body["receipt_url"] = at(Opens::Receipt, &id).into();
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const TOKENS: Tokens = Tokens::new([7; 32]);

    fn complete_body(environment: Environment, mut body: Value) -> Value {
        complete(&Config::at("https://api.example.com"), &TOKENS, environment, &mut body);
        body
    }

    #[test]
    fn an_address_has_a_tag_of_its_own_and_of_its_ledgers_key() {
        let (qr, receipt) = (tag(&TOKENS, Opens::Picture, "a"), tag(&TOKENS, Opens::Receipt, "a"));
        assert_eq!((qr.len(), qr == receipt), (32, false));
        assert!(is_tag(&TOKENS, Opens::Picture, "a", &qr));
        for other in [receipt.as_str(), "", &qr[..31], &format!("{qr}0")] {
            assert!(!is_tag(&TOKENS, Opens::Picture, "a", other), "{other}");
        }
        assert_ne!(tag(&Tokens::new([8; 32]), Opens::Picture, "a"), qr);
        assert_ne!(tag(&TOKENS, Opens::Picture, "b"), qr);
    }

    #[test]
    fn what_the_provider_named_stays() {
        let body = json!({ "cashin_id": "ci_1", "qr_copypaste": "0002",
            "qr_image_url": "https://psp.example/1.png" });
        assert_eq!(complete_body(Environment::Live, body.clone()), body);
        let body = json!({ "cashin_id": "cv_1", "qr_copypaste": null, "qr_image_url": null });
        assert_eq!(complete_body(Environment::Live, body.clone()), body);
    }

    #[test]
    fn only_real_money_that_was_sent_has_a_receipt() {
        let sold = |state: &str| {
            json!({ "cashout_id": "co_1", "state": state, "pix_e2e": "E1", "receipt_url": null,
                "receipt_pdf_url": null, "verify_url": null })
        };
        let paid = complete_body(Environment::Live, sold("COMPLETED"));
        let expected = format!(
            "https://api.example.com/receipts/co_1/{}",
            tag(&TOKENS, Opens::Receipt, "co_1")
        );
        assert_eq!(paid["receipt_url"], expected);
        assert_eq!(paid["verify_url"], "https://api.example.com/verify/E1");
        assert!(paid["receipt_pdf_url"].is_null());
        for (environment, state) in
            [(Environment::Live, "PROCESSING"), (Environment::Sandbox, "COMPLETED")]
        {
            assert_eq!(complete_body(environment, sold(state)), sold(state));
        }
        let payout = json!({ "payout_id": "po_1", "status": "completed" });
        assert!(complete_body(Environment::Live, payout)["receipt_url"].is_string());
        let list = json!({ "payouts": [{ "payout_id": "po_2", "status": "sent" }],
            "items": [{ "payment_id": "cu_1", "status": "concluido",
            "receipt_url": null }, { "payment_id": "cu_2", "status": "falhou",
            "receipt_url": null }] });
        let list = complete_body(Environment::Live, list);
        assert!(list["payouts"][0].get("receipt_url").is_none());
        assert!(list["items"][0]["receipt_url"].is_string());
        assert!(list["items"][1]["receipt_url"].is_null());
    }
}
