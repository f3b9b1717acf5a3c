//! The table of what calls need of a provider, or of the system.

use ledger_core::contract::CallKind;
use ledger_core::pix::{BrCode, KeyError, KeyType, Letters, Payee, PixKey};
use serde_json::Value;

use super::SecretFor;

/// What a call lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Need<'a> {
    /// The code of a charge.
    QrCode,
    /// The address of a wallet's deposit.
    WalletAddress,
    /// The address of a deposit for this order.
    SaleAddress(&'a str),
    /// Whose this key is, to be shown.
    Lookup(AskedKey),
    /// Whose this key is that a PIX is sent to.
    Owner(AskedKey),
    /// What is known of the PIX of this end-to-end id.
    Description(&'a str),
    /// What a key or a secret is made of.
    Entropy(SecretFor<'a>),
}

/// A PIX key, as a request says it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskedKey {
    /// The PIX key, as the request spells it.
    pub key: String,
    /// Its type, where the request says it.
    pub kind: Option<String>,
}

/// Which need a route has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    QrCode,
    WalletAddress,
    SaleAddress,
    Lookup,
    Owner,
    Description,
    Secret,
    /// A secret, where the body changes one.
    Settings,
    /// The production key of the agent that the path names.
    Production,
}

/// Every route that needs something, and which fields of `supplied` would bring it.
const ROUTES: &[(&str, &str, Kind, &[&str])] = &[
    ("POST", "/cashin/charge", Kind::QrCode, &["qr_copypaste"]),
    ("POST", "/carteira-usdt/deposits", Kind::WalletAddress, &["address"]),
    ("POST", "/cash-outs/{cashout_id}/accept", Kind::SaleAddress, &["deposit_address"]),
    ("GET", "/pix/keys/lookup", Kind::Lookup, &["lookup"]),
    ("POST", "/payouts", Kind::Owner, &["owner"]),
    ("POST", "/cash-outs", Kind::Owner, &["owner"]),
    ("POST", "/cash-outs/preview", Kind::Owner, &["owner"]),
    ("POST", "/carteira-usdt/quote", Kind::Owner, &["owner"]),
    ("POST", "/carteira-usdt/payments", Kind::Owner, &["owner"]),
    ("GET", "/v1/verificar/{e2e}", Kind::Description, DESCRIBED),
    ("POST", "/keys", Kind::Secret, SECRET),
    ("POST", "/keys/sandbox", Kind::Secret, SECRET),
    ("PATCH", "/keys/me", Kind::Settings, SECRET),
    ("POST", "/mesh/agents", Kind::Secret, SECRET),
    ("POST", "/mesh/agents/{agent_id}/production-request", Kind::Production, SECRET),
];

/// The commands and facts that make a key.
const NAMED: &[(&str, Kind)] = &[
    ("key.rotate", Kind::Secret),
    ("account.opened", Kind::Secret),
    ("key.replaced", Kind::Secret),
    ("agent.activated", Kind::Production),
];

const DESCRIBED: &[&str] = &["instituicao", "liquidado_por", "comprovante_url", "recebedor_nome"];
const SECRET: &[&str] = &["key", "entropy"];

/// The settings of an account whose change makes a secret.
const SECRETS: [&str; 3] = ["webhook_url", "rotate_webhook_secret", "rotate_monitor_token"];

/// Returns what a call lacks of what its route needs; none where nothing is, or was brought.
///
/// ```
/// use ledger_core::contract::CallKind;
/// use ledger_store::provider::supply::{Need, need};
/// use serde_json::json;
///
/// let ask = |method: &str, target: &str| CallKind::Request {
///     method: method.to_owned(),
///     target: target.to_owned(),
///     key: None,
/// };
/// let charge = ask("POST", "/cashin/charge");
/// assert_eq!(need(&charge, &json!({}), &json!(null)), Some(Need::QrCode));
/// // Whoever says that nobody answered is not contradicted.
/// assert_eq!(need(&charge, &json!({}), &json!({ "qr_copypaste": null })), None);
/// assert_eq!(need(&ask("GET", "/saldo"), &json!({}), &json!(null)), None);
/// ```
#[must_use]
pub fn need<'a>(ask: &'a CallKind, body: &'a Value, supplied: &Value) -> Option<Need<'a>> {
    let brought = |names: &[&str]| names.iter().any(|name| supplied.get(*name).is_some());
    match ask {
        CallKind::Request { method, target, .. } => {
            let (path, query) = target.split_once('?').unwrap_or((target, ""));
            let mut routes = ROUTES.iter().filter(|route| route.0 == method);
            let (kind, names, parameter) = routes.find_map(|(_, declared, kind, names)| {
                path_parameter(declared, path).map(|parameter| (*kind, *names, parameter))
            })?;
            (!brought(names)).then(|| of_kind(kind, parameter, query, body)).flatten()
        }
        CallKind::Command { name, .. } | CallKind::Fact(name) => {
            let (_, kind) = NAMED.iter().find(|(known, _)| *known == name)?;
            let agent = body.get("agent_id").and_then(Value::as_str);
            let parameter = match (kind, agent) {
                (Kind::Production, None) => return None,
                (_, agent) => agent.unwrap_or_default(),
            };
            (!brought(SECRET)).then(|| of_kind(*kind, parameter, "", body)).flatten()
        }
    }
}

fn of_kind<'a>(kind: Kind, parameter: &'a str, query: &str, body: &'a Value) -> Option<Need<'a>> {
    Some(match kind {
        Kind::QrCode => Need::QrCode,
        Kind::WalletAddress => Need::WalletAddress,
        Kind::SaleAddress => Need::SaleAddress(parameter),
        Kind::Lookup => Need::Lookup(of_query(query)?),
        Kind::Owner => Need::Owner(of_recipient(body)?),
        Kind::Description => Need::Description(parameter),
        Kind::Secret => Need::Entropy(SecretFor::Call),
        Kind::Settings => {
            let asks = |name: &str| body.get(name).is_some_and(|it| *it != Value::Bool(false));
            let any = SECRETS.into_iter().any(asks);
            any.then_some(Need::Entropy(SecretFor::Call))?
        }
        Kind::Production => Need::Entropy(SecretFor::Production(parameter)),
    })
}

/// The path's parameter, where it is of the declared shape; empty where that has none.
fn path_parameter<'a>(declared: &str, path: &'a str) -> Option<&'a str> {
    // Most paths are none of these, and begin otherwise.
    let mut both = declared.bytes().take_while(|byte| *byte != b'{').zip(path.bytes());
    if !both.all(|(declared, found)| declared == found) {
        return None;
    }
    let (mut segments, mut parameter) = (path.split('/'), "");
    for segment in declared.split('/') {
        let found = segments.next()?;
        if segment.starts_with('{') {
            parameter = Some(found).filter(|found| !found.is_empty())?;
        } else if segment != found {
            return None;
        }
    }
    segments.next().is_none().then_some(parameter)
}

/// The key that a lookup asks about.
fn of_query(query: &str) -> Option<AskedKey> {
    let get = |name: &str| {
        let mut pairs = form_urlencoded::parse(query.as_bytes());
        let (_, value) = pairs.find(|(known, _)| known == name)?;
        Some(value.into_owned()).filter(|value| !value.is_empty())
    };
    let (key, kind) = (get("key")?, get("type"));
    let declared = match &kind {
        Some(name) => Some(KeyType::parse(name)?),
        None => None,
    };
    PixKey::parse(&key, declared, Letters::Accepted).ok()?;
    Some(AskedKey { key, kind })
}

/// The key that a PIX is sent to, whose owner somebody must look up: one that is no document.
fn of_recipient(body: &Value) -> Option<AskedKey> {
    let text = |name: &str| body.get(name).and_then(Value::as_str);
    if let Some(code) = text("br_code") {
        let code = BrCode::parse(code).ok()?;
        let Payee::Key(key) = code.payee() else { return None };
        let (kind, key) = (key.kind().name(), key.document().is_none().then(|| key.as_str())?);
        return Some(AskedKey { key: key.to_owned(), kind: Some(kind.to_owned()) });
    }
    let (key, kind) = (text("pix_key")?, text("pix_key_type"));
    let declared = match kind {
        Some(name) => Some(KeyType::parse(name)?),
        None => None,
    };
    match PixKey::parse(key, declared, Letters::Accepted) {
        Ok(parsed) if parsed.document().is_none() => {
            Some(AskedKey { key: key.to_owned(), kind: kind.map(str::to_owned) })
        }
        Ok(_) | Err(KeyError::Ambiguous | KeyError::Invalid) => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn need_for(request: &str, body: &Value) -> Option<String> {
        let (method, target) = request.split_once(' ').unwrap();
        let (method, target) = (method.to_owned(), target.to_owned());
        let ask = CallKind::Request { method, target, key: None };
        need(&ask, body, &Value::Null).map(|need| format!("{need:?}"))
    }

    #[test]
    fn every_route_of_the_table_is_a_route_of_the_contract() {
        use ledger_core::contract::{Invocation, routes};

        let shapes = routes::<crate::state::archive::JournalArchive, crate::Vault>;
        for (method, path, ..) in ROUTES {
            let mut known = shapes().map(|route| route.ask);
            let declared = |ask: Invocation| match ask {
                Invocation::Route(of, declared) => of.name() == *method && declared == *path,
                Invocation::Command(_) => false,
            };
            assert!(known.any(declared), "{method} {path}");
        }
        for (name, _) in NAMED {
            let command = shapes().any(|route| route.ask == Invocation::Command(name));
            let fact = ledger_core::contract::FactShape::by_name(name).is_some();
            assert!(command || fact, "{name}");
        }
    }

    #[test]
    fn a_payout_asks_whose_a_key_is_unless_the_key_says_it() {
        let payout = |key: &str| need_for("POST /payouts", &json!({ "pix_key": key }));
        assert!(payout("bia@exemplo.com.br").unwrap().starts_with("Owner"));
        assert_eq!(payout("529.982.247-25"), None); // A document, or no key.
        assert_eq!(payout("nonsense"), None);
    }

    #[test]
    fn a_lookup_asks_about_the_key_as_it_was_meant() {
        let asked =
            need_for("GET /pix/keys/lookup?type=email&key=bia%2Bpix%40exemplo.com.br", &json!({}));
        let key = r#"Lookup(AskedKey { key: "bia+pix@exemplo.com.br", kind: Some("email") })"#;
        assert_eq!(asked.as_deref(), Some(key));
        assert_eq!(need_for("GET /pix/keys/lookup?key=%4", &json!({})), None);
        assert_eq!(need_for("GET /pix/keys/lookup", &json!({})), None);
    }

    #[test]
    fn paths_are_matched_as_a_whole() {
        let accepts = need_for("POST /cash-outs/co_1/accept", &json!({}));
        assert_eq!(accepts.as_deref(), Some(r#"SaleAddress("co_1")"#));
        assert_eq!(need_for("POST /cash-outs//accept", &json!({})), None);
        assert_eq!(need_for("POST /cash-outs/co_1/accept/more", &json!({})), None);
        assert_eq!(need_for("GET /cash-outs/co_1/accept", &json!({})), None);
        let settings = |body: Value| need_for("PATCH /keys/me", &body).is_some();
        assert!(settings(json!({ "webhook_url": "https://loja.example/hook" })));
        assert!(!settings(json!({ "rotate_webhook_secret": false })));
    }
}
