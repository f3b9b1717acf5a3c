//! An entry as text: its legs, and the statement rows they make.

use ledger_core::accounting::{Account, Entry, Nature, Side};

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
            if account.custody().is_some() {
                rows.push(format!("{sign}{} {nature}", m.amount.cents()));
            }
        }
    }
    if rows.is_empty() { "no rows".to_owned() } else { rows.join(", ") }
}

/// One line of a posting table.
pub fn line(title: &str, entry: &Entry) -> String {
    format!("{title}\n  {}\n  {}\n", legs(entry), rows(entry))
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
