//! The fees and settings of an account in force, and the link of its private monitor.

use axum::extract::{Path, State};
use axum::http::request::Parts;
use axum::response::Response;
use ledger_core::id::AccountId;
use ledger_store::sequencer::Sequencer;
use serde_json::{Value, json};

use super::visit::Visit;
use crate::pages::format::{brl, decimal};
use crate::pages::lang::Lang;
use crate::pages::layout::{Cell, Section};
use crate::pages::ledger::viewer::Viewer;
use crate::pages::monitor::Content;
use crate::service::Service;

/// The fees as `GET /keys/me` names them: their basis points, their fixed part, what they are.
const FEES: [(&str, &str, &str, &str); 9] = [
    ("deposito_fee_bps", "deposito_fee_fixed_cents", "Depósito PIX", "PIX deposit"),
    ("saque_fee_total_bps", "", "Saque PIX, em tudo", "PIX payout, in all"),
    ("admin_fee_bps", "admin_fee_fixed_cents", "Compra de cripto, em tudo", "Purchase, in all"),
    (
        "saque_cripto_conversao_fee_bps",
        "saque_cripto_conversao_fee_fixed_cents",
        "Conversão em cripto",
        "Conversion into crypto",
    ),
    ("saque_cripto_fee_bps", "", "Retirada de cripto", "Crypto withdrawal"),
    ("cashout_fee_bps", "cashout_fee_fixed_cents", "Venda de cripto", "Cash-out"),
    ("depix_fee_bps", "depix_fee_fixed_cents", "Venda por DePix", "Cash-out by DePix"),
    ("partner_fee_bps", "", "Sua parte, compras", "Your share, purchases"),
    ("partner_saque_fee_bps", "", "Sua parte, saques", "Your share, payouts"),
];

/// Answers `GET …/terms`: the fees and settings in force.
pub(super) async fn view(
    State(service): State<Service>,
    Path(account): Path<(String, String)>,
    head: Parts,
) -> Response {
    match Visit::for_account(service, head, account, "terms").await {
        Ok(visit) => visit.read(content).await,
        Err(response) => *response,
    }
}

fn content(sequencer: &Sequencer, account: AccountId, viewer: &Viewer) -> Option<Content> {
    let views = sequencer.views();
    let known = views.state.account(account)?;
    let (lang, now) = (viewer.lang, views.state.now);
    let me = views.me(account, &json!({}), now);
    let number = |name: &str| me.get(name).and_then(Value::as_i64);
    let fees = FEES.iter().filter_map(|(bps, fixed, pt, en)| {
        let shown = match (number(bps), number(fixed).filter(|cents| *cents > 0)) {
            (Some(bps), Some(cents)) => {
                format!("{} + {}", percent(bps, lang), brl(cents.into(), lang))
            }
            (Some(bps), None) => percent(bps, lang),
            (None, _) => return None,
        };
        Some((viewer.t(pt, en), Cell::text(shown)))
    });
    let fees = fees.collect();
    let limits = limits(&me, viewer);
    let mut settings = Vec::new();
    let wallet = me["settlement_address"].as_str();
    let none = || viewer.t("nenhum", "none");
    settings.push((
        viewer.t("Carteira própria", "Own wallet"),
        wallet.map_or_else(|| Cell::text(none()), Cell::code),
    ));
    let key = match (known.key, views.state.is_live()) {
        (None, _) => viewer.t("revogada", "revoked"),
        (Some(_), true) => "svc_live_…".to_owned(),
        (Some(_), false) => "svc_test_…".to_owned(),
    };
    settings.push((viewer.t("Chave de API", "API key"), Cell::code(key)));
    if let Some(token) = views.monitor(account) {
        let name = viewer.t("Monitor privado", "Private monitor");
        let base = viewer.base.split("/painel/").next().unwrap_or_default();
        let open = viewer.t("Abrir", "Open");
        settings.push((name, Cell::text(open).to(format!("{base}/monitor/{}", token.expose()))));
    }
    let sections = vec![
        Section::Facts { title: viewer.t("Tarifas em vigor", "Fees in force"), rows: fees },
        Section::Facts { title: viewer.t("Limites", "Limits"), rows: limits },
        Section::Facts { title: viewer.t("Configuração", "Settings"), rows: settings },
        Section::Note(viewer.t(
            "Só a chave muda algo: por PATCH /keys/me, na API.",
            "Only the key changes something: by PATCH /keys/me, in the API.",
        )),
    ];
    Some((viewer.t("Tarifas", "Fees"), known.name.to_string(), sections))
}

/// Returns what one operation and one day may move.
fn limits(me: &Value, viewer: &Viewer) -> Vec<(String, Cell)> {
    let limits = &me["limits"];
    let cents = |value: &Value| value.as_i64().map(|cents| brl(cents.into(), viewer.lang));
    let each = [
        ("cashin", viewer.t("Cobrança PIX, cada", "PIX charge, each")),
        ("payout", viewer.t("Saque PIX, cada", "PIX payout, each")),
        ("cashout", viewer.t("Venda de cripto, cada", "Cash-out, each")),
    ];
    let mut rows = Vec::new();
    for (name, shown) in each {
        let range = &limits["per_operation"][name];
        let bounds = (cents(&range["min_brl_cents"]), cents(&range["max_brl_cents"]));
        if let (Some(least), Some(most)) = bounds {
            rows.push((shown, Cell::text(format!("{least} – {most}"))));
        }
    }
    for (name, shown) in [
        ("cashin_max_cents", viewer.t("Cobranças PIX, por dia", "PIX charges, a day")),
        ("payout_max_cents", viewer.t("Saques PIX, por dia", "PIX payouts, a day")),
    ] {
        if let Some(most) = cents(&limits["daily"][name]) {
            rows.push((shown, Cell::text(most)));
        }
    }
    rows
}

/// Basis points as a percentage: `1,75%`.
fn percent(bps: i64, lang: Lang) -> String {
    let (sign, bps) = (if bps < 0 { "-" } else { "" }, bps.unsigned_abs());
    format!("{}%", decimal(&format!("{sign}{}.{:02}", bps / 100, bps % 100), lang))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn basis_points_are_read_as_a_percentage() {
        assert_eq!(percent(175, Lang::Pt), "1,75%");
        assert_eq!(percent(5, Lang::En), "0.05%");
    }
}
