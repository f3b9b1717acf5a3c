//! An entry as text: its legs, and the statement rows they make.

use ledger_core::accounting::{Account, CoinMove, Entry, Nature, Side};

/// `Dr prov.pix 100 / Cr cust.avail[1] 100`; `-` when nothing moves, `forced` before a forced one.
pub fn legs(entry: &Entry) -> String {
    let side = |wanted: Side| {
        let legs = entry.postings().into_iter().filter(move |leg| leg.side == wanted);
        legs.map(|leg| format!("{} {}", leg.account, leg.amount.cents())).collect::<Vec<_>>()
    };
    let (debits, credits) = (side(Side::Debit), side(Side::Credit));
    assert_eq!(debits.is_empty(), credits.is_empty(), "a leg never stands alone");
    if debits.is_empty() {
        return "-".to_owned();
    }
    let forced = if entry.is_forced() { "forced " } else { "" };
    format!("{forced}Dr {} / Cr {}", debits.join(", "), credits.join(", "))
}

/// The statement rows of an entry (rulings 19): signed, by nature, shifts left out.
pub fn rows(entry: &Entry) -> String {
    let mut rows = Vec::new();
    for m in entry.moves().filter(|m| m.nature != Nature::Shift) {
        let nature = if m.nature == Nature::Fee { "fee" } else { "principal" };
        for (account, sign) in [(m.debit, '-'), (m.credit, '+')] {
            if account.subaccount().is_some() {
                rows.push(format!("{sign}{} {nature}", m.amount.cents()));
            }
        }
    }
    if rows.is_empty() { "no rows".to_owned() } else { rows.join(", ") }
}

/// The moves of crypto: `asset 0: Dr fx 5 / Cr flight.deliv[Charge#7] 5`, one a line.
pub fn coins(entry: &Entry) -> String {
    let line = |m: CoinMove| {
        let (asset, units) = (m.asset.0, m.units);
        format!("  asset {asset}: Dr {} {units} / Cr {} {units}\n", m.debit, m.credit)
    };
    entry.coin_moves().map(line).collect()
}

/// The lines of a posting table for an entry: legs in reais, in crypto, and statement rows, each on
/// lines of its own where there are any.
pub fn line(title: &str, entry: &Entry) -> String {
    let shown = |text: String, none: &str| match text {
        text if text == none => String::new(),
        text => format!("  {text}\n"),
    };
    let moved = shown(legs(entry), "-") + &coins(entry) + &shown(rows(entry), "no rows");
    if moved.is_empty() { format!("{title}: nothing\n") } else { format!("{title}\n{moved}") }
}

/// Debits less credits over all legs: zero for every entry (INV-01).
pub fn imbalance(entry: &Entry) -> i128 {
    let legs = entry.postings().into_iter().map(|leg| match leg.side {
        Side::Debit => i128::from(leg.amount.cents()),
        Side::Credit => -i128::from(leg.amount.cents()),
    });
    legs.sum()
}

/// The accounts an entry touches, each once.
pub fn touched(entry: &Entry) -> Vec<Account> {
    let mut accounts: Vec<_> = entry.moves().flat_map(|m| [m.debit, m.credit]).collect();
    accounts.sort_unstable();
    accounts.dedup();
    accounts
}
