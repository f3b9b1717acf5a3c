//! A sample: records drawn by chance, with the operations and balances that they touch, each proved
//! against a checkpoint by the tree, without a replay of the rest.

use std::collections::BTreeSet;
use std::fmt;

use ledger_core::accounting::Account;
use ledger_core::id::{OpId, Seq, SubaccountId};
use ledger_core::ledger::{Archive as _, Event, Record};
use thiserror::Error;

use crate::check::ProofRefused;
use crate::checkpoints::{Prover, ProverError};
use crate::document::Proof;
use ledger_store::codec::{self, CodecError};
use ledger_store::sequencer::Sequencer;

/// What draws are derived under.
const DRAWS: &str = "custody-ledger audit sample v1";

/// Parts of a hundred millionth: how finely chances are counted.
const PARTS: u128 = 10_u128.pow(8);

/// How finely they are multiplied.
const FINE: u128 = 10_u128.pow(18);

/// What is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// How many records, at least 1; all of them where there are fewer.
    pub records: u64,
    /// From which the same records are drawn again.
    pub seed: u64,
}

/// What was drawn and proved.
#[derive(Clone, Debug)]
pub struct Sampled {
    /// The records of the checkpoint, out of which was drawn.
    pub size: u64,
    /// The records that were drawn, in order.
    pub records: Vec<u64>,
    /// How many operations they touch, and how many records of those were proved; none where
    /// nothing says which those are.
    pub operations: Option<(u64, u64)>,
    /// How many balances they touch, each proved in the tree of balances; none where the ledger is
    /// not known as it stood at the checkpoint.
    pub balances: Option<u64>,
}

/// The chance that a sample misses every record at fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chance {
    /// How many records are at fault.
    pub at_fault: u64,
    /// How probably none of them is drawn, in hundred millionths, rounded up.
    pub parts: u64,
}

/// What is wrong with what was drawn.
#[derive(Debug, Error)]
#[allow(missing_docs)] // Where a field has no line, the message says what it is.
pub enum SampleRefused {
    /// There is nothing to draw from.
    #[error("the checkpoint is of no record: there is nothing to draw")]
    Nothing,
    /// It cannot be proved.
    #[error(transparent)]
    Prover(#[from] ProverError),
    /// A proof does not lead to the checkpoint.
    #[error("record {record}, drawn or of an operation that is: its proof is wrong")]
    Proof {
        record: u64,
        #[source]
        source: ProofRefused,
    },
    /// A record cannot be read, or is in other bytes than a ledger writes.
    #[error("record {record} is in the ledger, and is no record as it is written")]
    Codec {
        record: u64,
        #[source]
        source: CodecError,
    },
}

/// Draws records out of those of a prover's checkpoint and proves each: in the tree, in the bytes
/// that a ledger writes, with entries that balance.
///
/// `beside` is the ledger as it stands at the checkpoint or later, where it is known: it says which
/// records an operation has, and at the checkpoint which balances there were. Of its word nothing
/// is taken: each of those records is proved as the drawn ones are, and the balances by the root
/// that was signed.
///
/// # Errors
///
/// [`SampleRefused`], naming the first record at fault.
pub fn sample(
    prover: &mut Prover,
    beside: Option<&Sequencer>,
    sample: Sample,
) -> Result<Sampled, SampleRefused> {
    let size = prover.size();
    if size == 0 {
        return Err(SampleRefused::Nothing);
    }
    let records = draw_records(sample, size);
    let (mut operations, mut holders) = (BTreeSet::new(), BTreeSet::new());
    for record in &records {
        let decoded = prove_record(prover, *record)?;
        operations.extend(decoded.events.iter().filter_map(Event::op));
        holders.extend(touched_subaccounts(&decoded));
    }
    let operations = beside.map(|beside| {
        let each = operations.iter().map(|op| operation(prover, beside, *op));
        let counted = each.sum::<Result<u64, SampleRefused>>()?;
        Ok::<_, SampleRefused>((operations.len() as u64, counted))
    });
    let then = beside.filter(|beside| beside.head().seq == size);
    let balances = then.map(|then| balances(prover, then, &holders)).transpose()?;
    Ok(Sampled { size, records, operations: operations.transpose()?, balances })
}

/// The numbers of the records that are drawn, in order: each as probable as any other.
fn draw_records(Sample { records, seed }: Sample, size: u64) -> Vec<u64> {
    if size <= records {
        return (1..=size).collect();
    }
    let key = blake3::derive_key(DRAWS, &seed.to_le_bytes());
    let mut draws = blake3::Hasher::new_keyed(&key).finalize_xof();
    // Numbers beyond the last whole multiple would favour the first records.
    let fair = u64::MAX - u64::MAX % size;
    let mut numbers = BTreeSet::new();
    while (numbers.len() as u64) < records {
        let mut bytes = [0; 8];
        draws.fill(&mut bytes);
        let number = u64::from_le_bytes(bytes);
        if number < fair {
            numbers.insert(number % size + 1);
        }
    }
    numbers.into_iter().collect()
}

/// Proves one record, and reads it: an entry that would not balance cannot be read.
fn prove_record(prover: &mut Prover, record: u64) -> Result<Record, SampleRefused> {
    let proof = prover.record(record)?;
    proof.within(prover.checkpoint()).map_err(|source| SampleRefused::Proof { record, source })?;
    let bytes = prover.bytes(record)?;
    read(record, &bytes)
}

fn read(record: u64, bytes: &[u8]) -> Result<Record, SampleRefused> {
    let wrong = |source| SampleRefused::Codec { record, source };
    let decoded = codec::decode(Seq(record), bytes).map_err(wrong)?;
    codec::assert_as_written(&decoded, bytes, &mut Vec::new()).map_err(wrong)?;
    Ok(decoded)
}

/// The subaccounts that a record's entries move anything on.
fn touched_subaccounts(record: &Record) -> Vec<SubaccountId> {
    let mut touched = Vec::new();
    for event in &record.events {
        for m in event.entry().moves() {
            touched.extend([&m.debit, &m.credit].into_iter().filter_map(Account::subaccount));
        }
    }
    touched
}

/// Proves every record of an operation up to the checkpoint; says how many there are.
fn operation(prover: &mut Prover, beside: &Sequencer, op: OpId) -> Result<u64, SampleRefused> {
    let id = op.text(&beside.ledger().state.name);
    let Proof::Operation(proof) = prover.operation(beside, &id)? else {
        unreachable!("an operation was asked for")
    };
    let numbers: Vec<u64> = proof.records.iter().map(|proved| proved.record).collect();
    let last = numbers.last().copied().unwrap_or(op.seq().0);
    let wrong = |source| SampleRefused::Proof { record: last, source };
    Proof::Operation(proof).within(prover.checkpoint()).map_err(wrong)?;
    let records = numbers.iter().map(|number| read(*number, &prover.bytes(*number)?));
    let records = records.collect::<Result<Vec<Record>, SampleRefused>>()?;
    Ok(records.len() as u64)
}

/// Proves the balances of these subaccounts; says how many holders there are.
fn balances(
    prover: &mut Prover,
    then: &Sequencer,
    subaccounts: &BTreeSet<SubaccountId>,
) -> Result<u64, SampleRefused> {
    prover.hold_balances(then)?;
    let (state, archive) = (&then.ledger().state, &then.ledger().archive);
    let mut holders = BTreeSet::new();
    for subaccount in subaccounts {
        let known = state.subaccount(*subaccount);
        if let Some(account) = known.and_then(|known| state.account(known.account)) {
            let customer = archive.customer(*subaccount).map(str::to_owned);
            holders.insert((account.name.to_string(), customer));
        }
    }
    let count = holders.len() as u64;
    for (account, customer) in holders {
        let proof = prover.balance(&account, customer.as_deref())?;
        let record = prover.size();
        let wrong = |source| SampleRefused::Proof { record, source };
        proof.within(prover.checkpoint()).map_err(wrong)?;
    }
    Ok(count)
}

impl Sampled {
    /// The chance that none of so many records at fault was drawn: C(n-b, k) / C(n, k), in whole
    /// numbers, rounded up.
    #[must_use]
    pub fn miss_chance(&self, at_fault: u64) -> Chance {
        let (size, drawn) = (u128::from(self.size), self.records.len() as u128);
        let at_fault = at_fault.min(self.size);
        let bad = u128::from(at_fault);
        let mut left = FINE;
        // The quotient is the same with both counts exchanged: the smaller one is gone through.
        let (each, other) = if bad < drawn { (bad, drawn) } else { (drawn, bad) };
        for place in 0..each {
            let (over, under) = ((size - place).saturating_sub(other), size - place);
            left = (left * over).div_ceil(under);
        }
        let parts = left.div_ceil(FINE / PARTS);
        let parts = u64::try_from(parts).expect("a chance is at most one");
        Chance { at_fault, parts }
    }
}

/// In percent, with six decimals.
impl fmt::Display for Chance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:06}%", self.parts / 1_000_000, self.parts % 1_000_000)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample_result(size: u64, drawn: u64) -> Sampled {
        let records = super::draw_records(Sample { records: drawn, seed: 7 }, size);
        Sampled { size, records, operations: None, balances: None }
    }

    #[test]
    fn draws_are_the_same_by_seed_distinct_and_spread_over_all_records() {
        let of = |seed| draw_records(Sample { records: 200, seed }, 1_000);
        assert_eq!(of(7), of(7));
        assert_ne!(of(7), of(8));
        let mut often = [0_u32; 1_000];
        for seed in 0..500 {
            let records = of(seed);
            assert!(records.is_sorted_by(|one, next| one < next) && records.len() == 200);
            for record in records {
                often[usize::try_from(record - 1).unwrap()] += 1;
            }
        }
        // Each is drawn in 100 of 500 samples; six standard deviations are 54.
        assert!(often.iter().all(|times| (46..=154).contains(times)), "{often:?}");
        assert_eq!(draw_records(Sample { records: 9, seed: 1 }, 4), [1, 2, 3, 4]);
    }

    #[test]
    fn the_chance_to_miss_is_the_quotient_of_combinations() {
        // One of 63 records, 20 drawn: 43 in 63; C(61, 20) / C(63, 20) = 43 * 42 / (63 * 62).
        assert_eq!(sample_result(63, 20).miss_chance(1).to_string(), "68.253969%");
        assert_eq!(
            sample_result(63, 20).miss_chance(2).parts,
            (43 * 42 * 100_000_000_u64).div_ceil(63 * 62)
        );
        // By hand: C(8, 3) / C(10, 3) = 56 / 120, whichever of the two is the smaller.
        assert_eq!(sample_result(10, 3).miss_chance(2).to_string(), "46.666667%");
        assert_eq!(sample_result(10, 2).miss_chance(3).to_string(), "46.666667%");
        assert_eq!(sample_result(10, 10).miss_chance(1).parts, 0, "all were drawn");
        assert_eq!(sample_result(10, 3).miss_chance(0).to_string(), "100.000000%");
        assert_eq!(
            sample_result(10, 3).miss_chance(8).parts,
            0,
            "there are not so many sound ones"
        );
    }
}
