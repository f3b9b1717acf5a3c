//! Rows: what moved, dated and classified, each unit in exactly one row.

mod class;
mod counterparty;
mod journal;
mod record;
mod sale;
mod table;
mod trade;

use std::collections::BTreeMap;

use ledger_core::coin::Scale;
use ledger_core::id::{OpId, Seq};
use ledger_core::time::Instant;

use crate::account::{Commodity, LedgerAccount, Treatment};
use crate::person::Person;
use crate::price::AssetPrice;

pub use class::RowClass;
pub(crate) use journal::records_before;
pub use journal::{RowsError, ledger_rows, sum_parts};
pub use record::record_rows;
pub use table::{RowFormat, rows_csv, rows_json};

/// One end of a part: an account, and whose it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct End {
    /// The account of the chart, in reais or in one asset.
    pub account: LedgerAccount,
    /// The person that it belongs to.
    pub person: Person,
}

/// An amount of one commodity that left one account for another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The commodity: reais, or one asset.
    pub commodity: Commodity,
    /// `BRL`, or the asset's name in the ledger.
    pub asset: String,
    /// The commodity's decimals.
    pub scale: Scale,
    /// The amount, in centavos or in the asset's smallest units; above zero.
    pub amount: u128,
    /// The account debited.
    pub from: End,
    /// The account credited.
    pub to: End,
}

/// With whom something was moved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Counterparty {
    /// A person that the ledger knows.
    Person(Person),
    /// An address on a network, as it was given; whose it is, is not known.
    Address(String),
    /// Somebody whose document or key the vault has, under the row's operation.
    Vault,
    /// Somebody whom neither ledger nor vault can name.
    Unknown,
    /// Nobody: it did not leave its owner.
    Nobody,
}

/// A move of an entry, or the two moves of an exchange, dated and classified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The record whose entry moved it.
    pub record: Seq,
    /// The event within the record, from 0.
    pub event: usize,
    /// The instant of the record.
    pub at: Instant,
    /// The operation, if one moved it.
    pub op: Option<OpId>,
    /// The operation's id, as clients know it.
    pub operation: Option<String>,
    /// The class by which reports count it.
    pub class: RowClass,
    /// Tells whether it takes back, in part or whole, what an earlier row of the class moved.
    pub undone: bool,
    /// The person that it belongs to.
    pub person: Person,
    /// The other side of the move.
    pub counterparty: Counterparty,
    /// The asset of a purchase or sale, the asset got of a swap; else all of it.
    pub part: Part,
    /// The other move of an exchange, in another commodity.
    pub against: Option<Part>,
    /// The latest price of the asset that the ledger knew then; the row's reais are not of it.
    pub quote: Option<AssetPrice>,
    /// The ids of the world that the record brings: of a PIX, a transaction.
    pub references: Vec<String>,
}

impl Part {
    /// Tells whether the amount goes into the account of exchanges.
    pub(crate) fn is_into_exchange(&self) -> bool {
        self.to.account.treatment() == Treatment::Exchange
    }

    /// Tells whether the actor of an exchange gets it. What is held grows by debits.
    pub(crate) fn is_got(&self) -> bool {
        self.is_into_exchange() == (self.actor().account.treatment() == Treatment::Held)
    }

    /// Returns the end that is no account of exchanges.
    pub(crate) fn actor(&self) -> &End {
        if self.is_into_exchange() { &self.from } else { &self.to }
    }
}

impl End {
    /// Tells whether what stands there is owed to a client.
    pub(crate) fn is_clients(&self) -> bool {
        self.account.treatment() == Treatment::Clients
    }
}

impl Row {
    /// The parts, each of which is one move of an entry.
    pub fn parts(&self) -> impl Iterator<Item = &Part> {
        std::iter::once(&self.part).chain(&self.against)
    }

    /// Returns the centavos that moved, where reais did.
    #[must_use]
    pub fn centavos(&self) -> Option<u128> {
        self.parts().find(|part| part.commodity == Commodity::Reais).map(|part| part.amount)
    }

    /// Returns what the row adds to a person's balances as a client, in smallest units.
    #[must_use]
    pub fn effect_on(&self, person: &Person) -> BTreeMap<Commodity, i128> {
        let mut effect = BTreeMap::new();
        for part in self.parts() {
            let amount = i128::try_from(part.amount).expect("amounts stay below 10^36");
            for (end, signed) in [(&part.from, -amount), (&part.to, amount)] {
                if end.is_clients() && end.person == *person {
                    *effect.entry(part.commodity).or_insert(0) += signed;
                }
            }
        }
        effect
    }

    /// Names what the ledger does not know of the row.
    #[must_use]
    pub fn unknown(&self) -> Vec<&'static str> {
        let mut unknown = Vec::new();
        if self.person == Person::Unknown {
            unknown.push("person");
        }
        if self.counterparty == Counterparty::Unknown {
            unknown.push("counterparty");
        }
        let is_of_value = !matches!(self.class, RowClass::Internal | RowClass::Own);
        if is_of_value && self.centavos().is_none() {
            unknown.push("reais");
        }
        if self.class == RowClass::Swap && self.against.is_none() {
            unknown.push("against");
        }
        unknown
    }
}
