//! What pages call things, in both languages; the contract's own words where it has some.

use ledger_core::accounting::{Class, Nature, RowKind};
use ledger_core::contract::row_label;
use ledger_core::id::Kind;
use ledger_core::ledger::{Event, Origin, Record};
use ledger_core::machine::hold;
use ledger_sim::PLAYED;

use crate::pages::lang::Lang;

/// Returns what an operation of this kind is.
pub(in crate::pages) const fn kind(kind: Kind, lang: Lang) -> &'static str {
    let [pt, en] = kind.titles();
    lang.t(pt, en)
}

/// Returns what a row of a statement tells of.
pub(in crate::pages) const fn row(kind: RowKind, nature: Nature, lang: Lang) -> &'static str {
    let en = match (kind, nature) {
        (RowKind::Deposit, Nature::Fee) => "Deposit fee",
        (RowKind::Deposit, _) => "PIX deposit",
        (RowKind::Payout, Nature::Fee) => "Payout fee",
        (RowKind::Payout, _) => "PIX payout",
        (RowKind::TransferIn, _) => "Transfer received",
        (RowKind::TransferOut, _) => "Transfer sent",
        (RowKind::Reversal, Nature::Fee) => "Fee reversed",
        (RowKind::Reversal, _) => "Reversal",
        (RowKind::FeeAdjustment, _) => "Fee adjustment",
        (RowKind::WriteOff, _) => "Negative balance written off",
        (RowKind::Conversion, Nature::Fee) => "Conversion fee",
        (RowKind::Conversion, _) => "Conversion into crypto",
        (RowKind::CommissionEarned, _) => "Commission",
        (RowKind::CommissionReversed, _) => "Commission reversed",
        (RowKind::CommissionWithdrawn, _) => "Commission withdrawn",
        (RowKind::CommissionRestored, _) => "Commission withdrawal returned",
        (RowKind::CourtOrder, _) => "Court order",
        (RowKind::Entry, _) => "Entry",
        (RowKind::Carried, _) => "Account moved to another ledger",
    };
    lang.t(row_label(kind, nature), en)
}

/// Why money is blocked.
pub(in crate::pages) const fn hold(kind: hold::Kind, lang: Lang) -> &'static str {
    let (pt, en) = match kind {
        hold::Kind::Maturity => ("Prazo de liberação", "Release period"),
        hold::Kind::Dispute => ("Contestação do pagador", "Payer's dispute"),
        hold::Kind::Precautionary => ("Bloqueio cautelar", "Precautionary block"),
        hold::Kind::Judicial => ("Ordem judicial", "Court order"),
        hold::Kind::Administrative => ("Decisão nossa", "Our decision"),
        hold::Kind::Reservation => ("Reserva", "Reservation"),
    };
    lang.t(pt, en)
}

/// Returns what a balance of an account of this class means.
pub(in crate::pages) const fn class(class: Class, lang: Lang) -> &'static str {
    let (pt, en) = match class {
        Class::Asset => ("Ativo", "Assets"),
        Class::Liability => ("Passivo", "Liabilities"),
        Class::Equity => ("Capital próprio", "Equity"),
        Class::Income => ("Receitas", "Income"),
        Class::Expense => ("Despesas", "Expenses"),
        Class::Trading => ("Câmbio", "Trading"),
    };
    lang.t(pt, en)
}

/// The name that an event has in the journal's own terms: `Payout requested`, `TermsAdopted`.
pub(in crate::pages) fn event(event: &Event) -> String {
    let whole = format!("{event:?}");
    let word =
        |text: &str| -> String { text.chars().take_while(char::is_ascii_alphanumeric).collect() };
    let of = event.op().and_then(|_| whole.split_once("event: ")).map(|(_, inner)| word(inner));
    match of {
        Some(inner) => format!("{} · {}", word(&whole), apart(&inner)),
        None => apart(&word(&whole)),
    }
}

/// `DepositConfirmed` as `deposit confirmed`.
pub(super) fn apart(name: &str) -> String {
    let mut text = String::new();
    for (place, letter) in name.chars().enumerate() {
        if letter.is_ascii_uppercase() && place > 0 {
            text.push(' ');
        }
        text.push(letter.to_ascii_lowercase());
    }
    text
}

/// Where a record came from.
pub(super) fn cause(record: &Record, lang: Lang) -> String {
    let origin = match &record.cause.origin {
        Origin::Call => lang.t("chamada sem identificação", "a call without an id").to_owned(),
        Origin::Request(id) => format!("{} {id}", lang.t("requisição", "request")),
        Origin::Line { source, number, .. } => match source.strip_prefix(PLAYED) {
            Some(source) => format!("sandbox, {source}:{number}"),
            None => format!("{source}:{number}"),
        },
    };
    if record.cause.deadline {
        return format!("{} {origin}", lang.t("prazo vencido, com", "a deadline, with"));
    }
    origin
}
