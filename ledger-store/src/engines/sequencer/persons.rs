//! The persons that records name: what the vault keeps of them for an operation.

use ledger_core::contract::{Personal, Sort};
use ledger_core::id::{OpId, Seq, SubaccountId, Token};
use ledger_core::ledger::{Archive as _, Event};

use super::Sequencer;

/// How CBOR begins a string of sixteen bytes, as which a token stands in a record.
const TOKEN: u8 = 0x50;

impl Sequencer {
    /// Returns what the vault keeps of persons for an operation: each value that a record of it
    /// names, in the order in which they were named first. What was erased is not among it, and for
    /// an operation that is not there is nothing.
    ///
    /// ```
    /// # use ledger_store::{Algorithm, journal::Identity, sequencer::Sequencer};
    /// use ledger_core::id::{Kind, OpId, Seq};
    ///
    /// # let identity = Identity::by_name(Algorithm::Blake3, [7; 32]);
    /// # let sequencer = Sequencer::new("live", identity);
    /// assert_eq!(sequencer.persons_of(OpId::new(Kind::Payout, Seq(1))), []);
    /// ```
    #[must_use]
    pub fn persons_of(&self, op: OpId) -> Vec<Personal> {
        let archive = &self.ledger.archive;
        let trail = archive.trail(op).unwrap_or_else(|| vec![op.seq()]);
        let mut persons: Vec<Personal> = Vec::new();
        for record in trail.into_iter().filter_map(|seq: Seq| archive.record(seq)) {
            for event in record.events.iter().filter(|event| event.op() == Some(op)) {
                for token in tokens_of(event) {
                    let known = persons.iter().any(|person| person.token == token);
                    persons.extend(self.personal(token).filter(|_| !known));
                }
            }
        }
        persons
    }

    /// The operations that at most `rows` rows of a statement tell of, from row `from` on, counted
    /// from 1; nothing beyond the last row.
    #[must_use]
    pub fn operations_of(
        &self,
        subaccount: SubaccountId,
        from: u32,
        rows: u32,
    ) -> Option<Vec<OpId>> {
        let last = self.ledger.state.books.subaccount(subaccount).rows;
        if from > last {
            return None;
        }
        let numbers = from..=last.min(from.saturating_add(rows.max(1) - 1));
        let row = |number| self.ledger.archive.row(subaccount, number);
        Some(numbers.filter_map(row).map(|row| row.op).collect())
    }

    fn personal(&self, token: Token) -> Option<Personal> {
        let secret = self.vault.get(token.0)?;
        let sort = Sort::ALL.into_iter().find(|sort| *sort as u8 == secret.kind)?;
        let (value, mask) = (secret.value.as_str().into(), secret.mask.as_str().into());
        Some(Personal { token, sort, value, mask })
    }
}

/// Returns what may be a token in an event's bytes, as it is written in a record: what the vault
/// does not know is none.
fn tokens_of(event: &Event) -> impl Iterator<Item = Token> {
    let bytes = minicbor::to_vec(event).expect("writing to memory cannot fail");
    let starts = 1..(bytes.len() + 1).saturating_sub(16).max(1);
    let token = |start: usize| {
        let token = bytes.get(start..start + 16)?.try_into().ok()?;
        (bytes[start - 1] == TOKEN).then_some(Token(token))
    };
    starts.filter_map(token).collect::<Vec<_>>().into_iter()
}
