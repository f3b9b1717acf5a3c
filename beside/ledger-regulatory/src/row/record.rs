//! The rows of one record.

use ledger_core::accounting::Nature;
use ledger_core::ledger::{Event, Record, Scope};
use ledger_store::sequencer::Sequencer;

use super::class::{Classification, single_class, trade_class};
use super::counterparty::{counterparty, is_to_own_wallet};
use super::trade::{EntryMove, PairedMoves, paired_moves};
use super::{End, Part, Row, RowClass};
use crate::account::LedgerAccount;
use crate::balance::commodity_name;
use crate::person::Person;
use crate::price::AssetPrice;

/// Returns the rows of a record, which the ledger has applied: each move of its entries is one part
/// of one row.
#[must_use]
pub fn record_rows(sequencer: &Sequencer, record: &Record) -> Vec<Row> {
    let mut rows = Vec::new();
    for (place, event) in record.events.iter().enumerate() {
        let moves = event_moves(sequencer, event);
        if moves.is_empty() {
            continue;
        }
        let context = Context { sequencer, record, place, event };
        let PairedMoves { trades, others } = paired_moves(moves);
        rows.extend(trades.into_iter().map(|(part, against)| context.trade_row(part, against)));
        rows.extend(others.into_iter().map(|moved| context.single_row(moved)));
    }
    rows
}

fn event_moves(sequencer: &Sequencer, event: &Event) -> Vec<EntryMove> {
    let entry = event.entry();
    let part = |from: LedgerAccount, to: LedgerAccount, amount| {
        let end = |account| End { account, person: Person::for_account(sequencer, account) };
        let commodity = from.commodity();
        let (asset, scale) = commodity_name(sequencer, commodity);
        Part { commodity, asset, scale, amount, from: end(from), to: end(to) }
    };
    let reais = entry.moves().map(|moved| {
        let amount = u128::from(moved.amount.cents().unsigned_abs());
        let (from, to) = (LedgerAccount::Reais(moved.debit), LedgerAccount::Reais(moved.credit));
        EntryMove { part: part(from, to, amount), fee: moved.nature == Nature::Fee }
    });
    let coins = entry.coin_moves().map(|moved| {
        let account = |account| LedgerAccount::Coins(moved.asset, account);
        let (from, to) = (account(moved.debit), account(moved.credit));
        EntryMove { part: part(from, to, moved.units.get()), fee: false }
    });
    reais.chain(coins).collect()
}

struct Context<'a> {
    sequencer: &'a Sequencer,
    record: &'a Record,
    place: usize,
    event: &'a Event,
}

impl Context<'_> {
    fn trade_row(&self, part: Part, against: Part) -> Row {
        let (classified, person) = trade_class(&part, &against);
        self.row(classified, person, part, Some(against))
    }

    fn single_row(&self, EntryMove { part, fee }: EntryMove) -> Row {
        let (class, undone) = single_class(&part, fee);
        let person = self.person(class, undone, &part);
        self.row((class, undone), person, part, None)
    }

    /// The payer of a fee is its person, and so is who gets one back.
    fn person(&self, class: RowClass, undone: bool, part: &Part) -> Person {
        let (first, second) = if class == RowClass::Fee && undone {
            (&part.to, &part.from)
        } else {
            (&part.from, &part.to)
        };
        let known = [first, second].into_iter().filter(|end| end.is_clients());
        let known: Vec<&Person> = known.map(|end| &end.person).collect();
        let is_identified = known.iter().find(|person| ***person != Person::Unknown);
        match (is_identified.or(known.first()), class) {
            (_, RowClass::Fee) if !first.is_clients() => {
                let payer = self.event.op().map(|op| Person::for_operation(self.sequencer, op));
                payer.unwrap_or(Person::Unknown)
            }
            (Some(person), _) => (*person).clone(),
            (None, _) => Person::Institution,
        }
    }

    fn row(
        &self,
        (class, undone): Classification,
        person: Person,
        part: Part,
        against: Option<Part>,
    ) -> Row {
        let sequencer = self.sequencer;
        let op = self.event.op();
        let leaves = class == RowClass::TransferOut;
        let own = leaves && op.is_some_and(|op| is_to_own_wallet(sequencer, op));
        let class = if own { RowClass::ToOwnWallet } else { class };
        let counterparty = counterparty(sequencer, self.event, ((class, undone), &person), &part);
        let outside = self.record.outside.iter().cloned().chain(self.event.outsides());
        let mut references: Vec<String> =
            outside.filter(|id| id.scope != Scope::Fact).map(|id| id.id.to_string()).collect();
        references.dedup();
        Row {
            record: self.record.seq,
            event: self.place,
            at: self.record.at,
            op,
            operation: op.map(|op| op.text(&sequencer.ledger().state.name)),
            class,
            undone,
            person,
            counterparty,
            quote: AssetPrice::latest(sequencer, &part.asset),
            part,
            against,
            references,
        }
    }
}
