//! The movements that records made on the balances of the viewer's account: rows of statements,
//! what was blocked and released, and coins of the wallet.

use ledger_core::accounting::{Account, Nature, Row};
use ledger_core::id::{OpId, SubaccountId};
use ledger_core::ledger::{Archive as _, Event, Record};
use ledger_core::money::Balance;
use ledger_store::export::legs;
use ledger_store::sequencer::Sequencer;

use crate::pages::format::{brl, decimal, local};
use crate::pages::layout::{Cell, Table};
use crate::pages::ledger::viewer::Viewer;
use crate::pages::ledger::words;

/// A table of what moved, of one operation or of all, the first first.
pub(in crate::pages) fn table(
    sequencer: &Sequencer,
    records: &[Record],
    only: Option<OpId>,
    viewer: &Viewer,
) -> Table {
    let lang = viewer.lang;
    let nothing = viewer.t("Nada se moveu ainda no saldo.", "Nothing moved on the balance yet.");
    let mut table = Table::new(viewer.t("Movimentos", "Movements"), nothing)
        .column(lang.t("Quando, Brasília", "When, Brasília"))
        .column(lang.t("O quê", "What"))
        .numbers(lang.t("Valor", "Amount"))
        .numbers(lang.t("Saldo após", "Balance after"));
    for record in records {
        let events = record.events.iter().enumerate();
        for (place, event) in events.filter(|(_, of)| only.is_none() || of.op() == only) {
            for (what, whose, amount, after) in
                event_movements(sequencer, record, (place, event), viewer)
            {
                table.rows.push(vec![
                    // Four columns are what a phone shows: the moment leads to its record.
                    Cell::text(local(record.at, lang)).to(viewer.record(record.seq.0)),
                    Cell::text(format!("{what} · {whose}")),
                    Cell::number(amount),
                    Cell::number(
                        after.map(|after| brl(after.cents().into(), lang)).unwrap_or_default(),
                    ),
                ]);
            }
        }
    }
    table
}

/// What happened, on whose balance, how much, and what that had afterwards.
type Moved = (String, String, String, Option<Balance>);

fn event_movements(
    sequencer: &Sequencer,
    record: &Record,
    (place, event): (usize, &Event),
    viewer: &Viewer,
) -> Vec<Moved> {
    let (ledger, lang) = (sequencer.ledger(), viewer.lang);
    let entry = event.entry();
    let mut own: Vec<SubaccountId> = entry
        .moves()
        .flat_map(|m| [m.debit.subaccount(), m.credit.subaccount()])
        .flatten()
        .collect();
    own.sort_unstable();
    own.dedup();
    let is_own = |id: &SubaccountId| {
        let account = ledger.state.subaccount(*id).map(|known| known.account);
        account.is_some() && account == viewer.only
    };
    let mut all = Vec::new();
    for subaccount in own.into_iter().filter(is_own) {
        let customer = ledger.archive.customer(subaccount);
        let whose = customer.map_or_else(|| viewer.t("Casa", "House"), str::to_owned);
        for row in rows(sequencer, subaccount, record.seq.0) {
            if usize::from(row.event) == place {
                let label = || words::row(row.kind, row.nature, lang).to_owned();
                let what = row.note.map_or_else(label, |note| sequencer.views().value(note));
                let amount = brl(row.value.cents().into(), lang);
                all.push((what, whose.clone(), amount, Some(row.balance_after)));
            }
        }
        let shifted = entry
            .moves()
            .filter(|m| m.nature == Nature::Shift && m.debit.subaccount() == Some(subaccount));
        for m in shifted {
            let what = match (m.debit, m.credit) {
                (Account::Available(_), _) => viewer.t("Bloqueado no saldo", "Blocked"),
                (_, Account::Available(_)) => viewer.t("Liberado no saldo", "Released"),
                _ => viewer.t("Continua bloqueado", "Stays blocked"),
            };
            all.push((what, whose.clone(), brl(m.amount.cents().into(), lang), None));
        }
    }
    // Coins and commission are kept for the account as a whole.
    for leg in legs(sequencer, event).iter().filter(|leg| viewer.sees(sequencer, leg)) {
        let what = match leg.place.chart {
            "wal.avail" => viewer.t("Carteira, disponível", "Wallet, available"),
            "wal.reserved" => viewer.t("Carteira, reservado", "Wallet, reserved"),
            "wal.confirming" => viewer.t("Carteira, a confirmar", "Wallet, to be confirmed"),
            "comm" => viewer.t("Comissão", "Commission"),
            _ => continue,
        };
        let text = ledger_store::export::decimal(-leg.amount, leg.scale);
        let amount = match leg.commodity.as_str() {
            "BRL" => brl(-leg.amount, lang),
            other => format!("{} {}", decimal(&text, lang), other.to_uppercase()),
        };
        all.push((what, leg.place.kept_for.join(" / "), amount, None));
    }
    all
}

/// The rows of a statement that a record posted, found by halving.
fn rows(sequencer: &Sequencer, subaccount: SubaccountId, seq: u64) -> Vec<Row> {
    let ledger = sequencer.ledger();
    let row = |number: u32| ledger.archive.row(subaccount, number);
    let last = ledger.state.books.subaccount(subaccount).rows;
    let (mut low, mut high) = (0, last);
    while low < high {
        let middle = low + (high - low) / 2;
        match row(middle + 1) {
            Some(found) if found.seq.0 < seq => low = middle + 1,
            _ => high = middle,
        }
    }
    (low + 1..=last).map_while(row).take_while(|row| row.seq.0 == seq).collect()
}
