//! Filters of addresses: what each may say. What cannot be read is answered, and narrows nothing.

use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::Response;
use ledger_core::contract::{mask_input, nearest_name};
use ledger_core::id::{Kind, LedgerName, OpId};
use ledger_core::ledger::WaitingReason;
use ledger_core::time::Span;

use crate::operators::decisions;
use crate::pages::html::apology;
use crate::pages::lang::Lang;

/// What a field of an address may say, in Portuguese and in English.
type Says = (&'static str, &'static str);

const NUMBER: Says = ("um número", "a number");
const OPERATION: Says = ("o ID de uma operação", "an operation's id");
const KIND: Says = ("um tipo de operação", "a kind of operations");
const WHY: Says = ("um motivo da lista", "a reason of the list");
const SPAN: Says = ("minutos, horas ou dias: 30m, 1h, 7d", "minutes, hours or days: 30m, 1h, 7d");
const PERIOD: Says = ("day ou month", "day or month");
const SECONDS: Says = ("segundos, de 5 a 3600", "seconds, from 5 to 3600");
const DECISION: Says = ("uma decisão da lista", "a decision of the list");

/// The page that says what of this view's address cannot be read; none where all of it can.
pub(super) fn unreadable(head: &Parts, view: &str, ledger: &LedgerName) -> Option<Response> {
    let query = head.uri.query().unwrap_or_default();
    if let Some(sentence) = unknown(head, view) {
        let title = Lang::from_request(head).t("Filtro desconhecido", "Unknown filter");
        return Some(apology(head, StatusCode::BAD_REQUEST, title, &sentence));
    }
    let said = form_urlencoded::parse(query.as_bytes());
    let mut said = said.map(|(name, text)| (name, text.trim().to_owned()));
    let (name, text, (pt, en)) = said.find_map(|(name, text)| {
        let wrong = misread(view, ledger, &name, &text).filter(|_| !text.is_empty())?;
        Some((name, text, wrong))
    })?;
    let lang = Lang::from_request(head);
    let title = lang.t("Filtro ilegível", "Unreadable filter");
    let must = lang.t("deve ser", "must be");
    let sentence = format!("{name} = {}: {must} {}.", mask_input(&text), lang.t(pt, en));
    Some(apology(head, StatusCode::BAD_REQUEST, title, &sentence))
}

/// The fields that every view takes.
const EVERYWHERE: [&str; 3] = ["lang", "refresh", "done"];

/// The fields that narrow a view; none of one whose form has fields of its own.
fn names(view: &str) -> Option<&'static [&'static str]> {
    Some(match view {
        "" => &["q"],
        "waiting" => &["kind", "account", "why", "older", "with", "after"],
        "operations" => &["kind", "after"],
        "records" => &["before"],
        "accounts" => &["customer", "after", "before", "from", "to", "as"],
        "trial-balance" => &["account", "for", "before"],
        "days" => &["by", "from", "to"],
        "requests" => &["id", "code"],
        "limits" => &["after"],
        "solvency" | "fees" | "webhooks" => &[],
        _ => return None,
    })
}

/// Says which field of the address the view does not take, and those that it does.
fn unknown(head: &Parts, view: &str) -> Option<String> {
    let taken = names(view)?;
    let all = || taken.iter().chain(&EVERYWHERE).copied();
    let said = form_urlencoded::parse(head.uri.query()?.as_bytes());
    let mut strange = said.filter(|(name, _)| !all().any(|known| known == name));
    let (name, _) = strange.next()?;
    let lang = Lang::from_request(head);
    let is_none = lang.t("não é filtro desta página", "is no filter of this page");
    let has = lang.t("ela toma", "it takes");
    let near = nearest_name(&name, all());
    let near = near.map(|near| format!(" ({}: {near})", lang.t("o mais próximo", "the nearest")));
    let (name, near) = (mask_input(&name), near.unwrap_or_default());
    Some(format!("{name} {is_none}{near}; {has} {}.", all().collect::<Vec<_>>().join(", ")))
}

/// Returns what a field should say, where it says something else.
fn misread(view: &str, ledger: &LedgerName, name: &str, text: &str) -> Option<Says> {
    let (reads, says) = match (view, name) {
        ("operations", "after") => (OpId::parse(text, ledger).is_some(), OPERATION),
        (_, "after" | "before") => (text.parse::<u64>().is_ok(), NUMBER),
        (_, "kind") => (Kind::all().any(|kind| kind.name() == text), KIND),
        ("waiting", "why") => (is_reason(text), WHY),
        ("waiting", "older") => (span(text).is_some(), SPAN),
        ("days", "by") => (["day", "month"].contains(&text), PERIOD),
        (_, "refresh") => (refresh_seconds(text).is_some(), SECONDS),
        (_, "decision") => (decisions::find_by_name(text).is_some(), DECISION),
        _ => return None,
    };
    (!reads).then_some(says)
}

/// The name of the reason for which a recovery waits.
pub(super) const ANALYSIS: &str = "recovery to decide";

fn is_reason(text: &str) -> bool {
    let mut reasons = WaitingReason::ALL.iter();
    ["waiting", "unknown", "hanging", ANALYSIS].contains(&text)
        || reasons.any(|known| known.name() == text)
}

/// After how many seconds a page is loaded anew; none of anything else.
pub(super) fn refresh_seconds(text: &str) -> Option<u32> {
    text.parse().ok().filter(|seconds| (5..=3_600).contains(seconds))
}

/// The span of `30m`, `1h` or `7d`; none of anything else.
pub(super) fn span(text: &str) -> Option<Span> {
    let unit = text.chars().next_back()?;
    let number: u32 = text.strip_suffix(unit)?.parse().ok()?;
    let seconds = match unit {
        'm' => 60,
        'h' => 3_600,
        'd' => 86_400,
        _ => return None,
    };
    number.checked_mul(seconds).map(Span::seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_loaded_anew_after_5_to_3600_seconds() {
        let read = ["5", "30", "3600"].map(refresh_seconds);
        assert_eq!(read, [Some(5), Some(30), Some(3_600)]);
        for none in ["", "0", "4", "3601", "-30", "30s", "1e2", "99999999999"] {
            assert_eq!(refresh_seconds(none), None, "{none}");
        }
    }

    #[test]
    fn a_span_is_minutes_hours_or_days() {
        for (text, seconds) in [("30m", 1_800), ("1h", 3_600), ("7d", 604_800)] {
            assert_eq!(span(text), Some(Span::seconds(seconds)), "{text}");
        }
        for none in ["", "1", "h", "-1h", "1w", "99999999999h", "99999999d", "1 h", "ué"] {
            assert_eq!(span(none), None, "{none}");
        }
    }
}
