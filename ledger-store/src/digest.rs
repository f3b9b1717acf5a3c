//! The state hash: one number for everything a ledger knows, equal on every machine of one version.

use std::io::{self, BufWriter, Write};

use ledger_core::ledger::Ledger;

use crate::archive::JournalArchive;
use crate::chain::Link;

/// How many bytes are hashed at once: a ledger is written a number or a word at a time.
const AT_ONCE: usize = 1 << 16;

/// Hashes state and archive in an order of their own, never in that of a hash table.
///
/// ```
/// use ledger_store::Algorithm;
/// use ledger_store::digest::digest;
/// use ledger_store::journal::Identity;
/// use ledger_store::sequencer::Sequencer;
///
/// let identity = Identity::by_name(Algorithm::Blake3, [7; 32]);
/// let hash = |name| digest(Sequencer::new(name, identity).ledger());
/// assert_eq!(hash("live"), hash("live"));
/// assert_ne!(hash("live"), hash("sandbox"));
/// ```
///
/// # Panics
///
/// Never: hashing cannot fail.
#[must_use]
pub fn digest(ledger: &Ledger<JournalArchive>) -> Link {
    let mut hasher = blake3::Hasher::new_derive_key("custody-ledger state hash v2");
    describe(ledger, &mut hasher).expect("hashing cannot fail");
    Link(*hasher.finalize().as_bytes())
}

fn describe(ledger: &Ledger<JournalArchive>, hasher: &mut blake3::Hasher) -> io::Result<()> {
    let mut into = BufWriter::with_capacity(AT_ONCE, hasher);
    write!(into, "{:?}", ledger.state)?;
    ledger.archive.describe(&mut into)?;
    into.flush()
}

#[cfg(test)]
mod tests {
    use ledger_core::accounting::{Nature, Row, RowKind};
    use ledger_core::id::{AccountId, Kind, OpId, Seq, SubaccountId};
    use ledger_core::ledger::{Archive as _, ExternalId};
    use ledger_core::money::Balance;
    use ledger_core::time::Instant;

    use super::*;
    use crate::Algorithm;
    use crate::journal::Identity;

    /// The hash of an empty ledger of whose archive alone something was changed.
    fn digest_after(change: impl FnOnce(&mut JournalArchive)) -> Link {
        let identity = Identity::by_name(Algorithm::Blake3, [7; 32]);
        let mut ledger = Ledger::new("live", JournalArchive::new("live", identity));
        change(&mut ledger.archive);
        digest(&ledger)
    }

    fn row(op: OpId, cents: i64) -> Row {
        Row {
            seq: op.seq(),
            event: 0,
            at: Instant::default(),
            op,
            kind: RowKind::Deposit,
            nature: Nature::Principal,
            value: Balance::new(cents),
            balance_after: Balance::new(cents),
            note: None,
        }
    }

    #[test]
    fn states_that_differ_in_what_the_archive_holds_have_different_hashes() {
        let op = OpId::new(Kind::Charge, Seq(7));
        let hashes = [
            digest_after(|_| ()),
            digest_after(|archive| archive.name_subaccount(SubaccountId(3), AccountId(0), "ana")),
            digest_after(|archive| archive.name_subaccount(SubaccountId(3), AccountId(0), "bia")),
            digest_after(|archive| {
                assert_eq!(archive.learn_outside(&ExternalId::fact("a"), Seq(7)), Seq(7));
            }),
            digest_after(|archive| {
                assert_eq!(archive.learn_identity(AccountId(0), Kind::Payout, "a", op), op);
                archive.learn_outside(&ExternalId::fact("a"), Seq(8));
            }),
            digest_after(|archive| archive.note(op, Seq(7))),
            digest_after(|archive| archive.note(op, Seq(8))),
            digest_after(|archive| archive.push_row(SubaccountId(0), 1, row(op, 10))),
            digest_after(|archive| archive.push_row(SubaccountId(0), 1, row(op, 11))),
            digest_after(|archive| archive.push_commission_row(AccountId(0), 1, row(op, 12))),
            digest_after(|archive| archive.push_commission_row(AccountId(0), 1, row(op, 13))),
        ];
        let mut distinct = hashes.to_vec();
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(distinct.len(), hashes.len(), "{hashes:?}");
        assert_eq!(digest_after(|_| ()), hashes[0]);
    }
}
