//! What is checked of a database beyond the rows it gives: whose key stands there, whether the
//! index hides rows, and the rules by which it keeps the journal.

use super::{Head, Identity, JournalError, OpenError, Row};

/// The tables that stand in a journal's database: its own, and those a projector fills there.
pub(super) const TABLES: [&str; 16] = [
    "ledger",
    "ledger_lease",
    "journal",
    "vault",
    "vault_erasure",
    "legal_hold",
    "legal_hold_token",
    "operations",
    "statement_rows",
    "balances",
    "open_holds",
    "commissions",
    "commission_rows",
    "coin_balances",
    "outbox",
    "projection_checkpoint",
];

/// What a vault key is hashed for, so that one key is told from another.
const KEY_CHECK: &str = "custody-ledger records 1: which vault key";

impl Identity {
    /// Tells the ledger's vault key from any other, and reveals nothing of it.
    pub(crate) fn key_check(&self) -> [u8; 32] {
        key_check(&self.vault_key)
    }
}

pub(crate) fn key_check(vault_key: &[u8; 32]) -> [u8; 32] {
    blake3::derive_key(KEY_CHECK, vault_key)
}

/// Tells whether the key beside a ledger is the one it was created with, as far as its row says.
pub(super) fn assert_key(
    name: &str,
    identity: Identity,
    key_check: Option<&[u8]>,
) -> Result<Identity, OpenError> {
    if key_check.is_some_and(|known| known != identity.key_check()) {
        return Err(OpenError::VaultKeyChanged { name: name.to_owned() });
    }
    Ok(identity)
}

/// What a table holds of a ledger, by itself and not by an index.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counted {
    /// How many records its rows say they hold.
    pub(super) records: u64,
    /// The number of the last.
    pub(super) last: u64,
    /// Where rows do not continue one another: the record that should come, and the one that does.
    pub(super) gap: Option<(u64, u64)>,
}

/// Tells whether the head, which goes by an index, is what the table itself holds: this many
/// records, and a last one of this number.
pub(super) fn assert_counted(head: Head, counted: Counted) -> Result<(), JournalError> {
    let Counted { records, last, gap } = counted;
    if (records, last) == (head.seq, head.seq) {
        return Ok(());
    }
    if let Some((expected, found)) = gap {
        return Err(JournalError::Gap { expected, found });
    }
    let source = format!(
        "the index ends at record {}, the table holds {records} records up to {last}",
        head.seq
    );
    Err(JournalError::Damaged { seq: head.seq + 1, source: source.into() })
}

/// The rules by which a database keeps a journal, against those it was made with; both as table and
/// name, with their text where they have one.
pub(super) fn assert_rules(
    mut expected: Vec<(String, String, String)>,
    mut found: Vec<(String, String, String)>,
) -> Result<(), JournalError> {
    // What is as it was made first: a namesake does not take its place.
    found.retain(|rule| {
        let known = expected.iter().position(|known| known == rule);
        known.map(|place| expected.swap_remove(place)).is_none()
    });
    let mut faults = Vec::new();
    for (table, name, _) in found {
        let known = expected.iter().position(|(t, n, _)| (t, n) == (&table, &name));
        match known.map(|place| expected.swap_remove(place)) {
            Some(_) => faults.push(format!("rule {name} of table {table} was changed")),
            None => faults.push(format!("rule {name} of table {table} is foreign")),
        }
    }
    let missing =
        expected.iter().map(|(table, name, _)| format!("table {table} lacks rule {name}"));
    faults.extend(missing);
    faults.sort_unstable();
    if faults.is_empty() { Ok(()) } else { Err(JournalError::Rules { faults: faults.join("; ") }) }
}

/// Rows as far as each begins where the last one ended.
pub(super) fn continuous(from_seq: u64, mut rows: Vec<Row>) -> Result<Vec<Row>, JournalError> {
    let Some(first) = rows.first() else {
        return Ok(rows);
    };
    let mut expected = first.first.min(from_seq);
    for place in 0..rows.len() {
        let found = rows[place].first;
        if found != expected && place == 0 {
            return Err(JournalError::Gap { expected, found });
        }
        if found != expected {
            rows.truncate(place);
            break;
        }
        expected = rows[place].last() + 1;
    }
    Ok(rows)
}
