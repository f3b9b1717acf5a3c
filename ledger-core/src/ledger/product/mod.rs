//! Accounts of a product's own, and the entries that it posts.

mod commodity;
pub(super) mod fact;
pub(super) mod index;
mod opening;
mod posting;
mod template;

use crate::accounting::{Account, RowKind, Side};
use crate::coin::units_text;
use crate::id::{AccountId, AssetId, OpId, Token};
use crate::ledger::archive::Archive;
use crate::ledger::ledger_machine::operation_row::OperationRow;
use crate::ledger::ledger_machine::{LedgerMachine, REVERSED, RowKinds};
use crate::ledger::record::Record;
use crate::ledger::registry::Registered;
use crate::ledger::state::State;
use crate::ledger::state::apply::Applied;
use crate::ledger::state::outgoing::{Crypto, Outgoing};
use crate::ledger::waiting::Waiting;
use crate::machine::entry::{self, Event};
use crate::terms::Catalogue;
use crate::time::Instant;

pub use crate::accounting::DeclaredAccount;
pub use fact::{Fact, Leg};
pub use posting::{Holder, NamedAmount, NamedHolder, TemplatePosting};

impl LedgerMachine for entry::State {
    /// No client asked for it.
    fn creation(_: &Event) -> Option<(AccountId, Option<&str>)> {
        None
    }

    fn note(event: &Event) -> Option<Token> {
        match event {
            Event::Posted { note, .. } => *note,
            Event::Reversed { .. } => None,
        }
    }

    fn row_kinds(event: &Event, _: Side) -> RowKinds {
        match event {
            Event::Posted { .. } => [RowKind::Entry, RowKind::CommissionReversed],
            Event::Reversed { .. } => REVERSED,
        }
    }

    fn crypto(&self) -> Crypto<'_> {
        Crypto::default()
    }

    /// The sum of its moves in reais, and of those in the first other commodity.
    fn row(&self, catalogue: &Catalogue) -> OperationRow<'_> {
        let name = match self {
            Self::Absent => "absent",
            Self::Posting(_) | Self::Posted(_) => "posted",
            Self::Reversing(_) | Self::Reversed(_) => "reversed",
        };
        let sum = |asset| {
            let moved = self.moves().iter().filter(move |moved| moved.asset == asset);
            moved.map(|moved| moved.amount.cents()).reduce(i64::saturating_add)
        };
        let unit = self.moves().iter().find_map(|moved| moved.asset);
        let (asset, scale) = unit.map(|unit| catalogue.asset_or_number(unit)).unzip();
        let coins = unit.and_then(|unit| sum(Some(unit))).zip(scale);
        OperationRow {
            state: name,
            amount: sum(None).or_else(|| unit.is_none().then_some(0)),
            asset,
            coins: coins.map(|(units, scale)| units_text(units.unsigned_abs().into(), scale)),
            ..OperationRow::default()
        }
    }

    fn waits(&self, _: Instant) -> Option<Waiting> {
        None
    }

    fn outgoing(&self) -> Option<Outgoing> {
        None
    }
}

impl Applied for entry::State {
    /// An entry is posted within the record that it is named after, and taken back within another;
    /// it moves money of accounts that were declared, and leaves none where it may not stand.
    fn apply(
        state: &mut State,
        archive: &mut impl Archive,
        record: &Record,
        (op, event): (OpId, &Event),
    ) -> Result<(), &'static str> {
        let posts = matches!(event, Event::Posted { .. });
        if posts != (op.seq() == record.seq) {
            return Err(Self::MISPLACED);
        }
        let (Event::Posted { moved, .. } | Event::Reversed { moved, .. }) = event;
        state.is_declared(moved.debit, moved.asset)?;
        state.is_declared(moved.credit, moved.asset)?;
        state.moves::<Self>(archive, record, (op, event))
    }
}

impl State {
    /// The accounts that products declared, in the order of their numbers.
    pub fn product_accounts(&self) -> impl Iterator<Item = &DeclaredAccount> {
        self.domains.products.accounts.iter().map(|known| &**known)
    }

    /// The account of this number that a product declared.
    #[must_use]
    pub fn product_account(&self, number: u32) -> Option<&DeclaredAccount> {
        self.domains.products.by_number(number)
    }

    /// Tells whether an account may not stand where a move would leave it: a product's, below zero
    /// in the sign of its class, where it may not.
    pub(in crate::ledger) fn is_overdrawn(&self, account: Account, net_credit: i128) -> bool {
        let declared = account.product().and_then(|of| self.product_account(of.number));
        declared
            .is_some_and(|declared| !declared.overdraft.is_on() && account.natural(net_credit) < 0)
    }

    /// Checks that an account of a product stands where it was declared, and is kept in a
    /// commodity: none for reais.
    pub(in crate::ledger) fn is_declared(
        &self,
        account: Account,
        asset: Option<AssetId>,
    ) -> Result<(), &'static str> {
        let Some(of) = account.product() else { return Ok(()) };
        let declared = self.product_account(of.number).ok_or("no product declared it")?;
        let is_its = declared.account(of.number, of.holder) == Some(account);
        is_its.then_some(()).ok_or("an account of a product is of the class that was declared")?;
        let counts = declared.asset() == asset;
        counts.then_some(()).ok_or("an account of a product counts what was declared")
    }
}
