//! The answer to a fact that is set aside says why, and where its money stands (rulings 54).

use serde_json::Value;

use crate::accounting::{Account, CoinAccount, Entry};
use crate::id::{Kind, LedgerName, OpId};
use crate::ledger::{Event, ExternalId, Fact, Intent, Record, SaleReport, SetAsideReason};

macro_rules! words {
    ($($reason:ident $word:literal,)*) => {
        /// The word on the wire for why a fact is set aside (rulings 54).
        #[must_use]
        pub const fn word(reason: SetAsideReason) -> &'static str {
            match reason {
                $(SetAsideReason::$reason => $word,)*
            }
        }

        /// The reason that a word on the wire stands for.
        ///
        /// ```
        /// use ledger_core::contract::{set_aside_reason, set_aside_word};
        ///
        /// let reason = set_aside_reason("amount_exceeds").unwrap();
        /// assert_eq!(set_aside_word(reason), "amount_exceeds");
        /// assert_eq!(set_aside_reason("because"), None);
        /// ```
        #[must_use]
        pub fn reason(word: &str) -> Option<SetAsideReason> {
            match word {
                $($word => Some(SetAsideReason::$reason),)*
                _ => None,
            }
        }
    };
}

words! {
    Unmatched "unmatched",
    OutOfTurn "out_of_turn",
    TooEarly "too_early",
    AmountDiffers "amount_differs",
    AmountExceeds "amount_exceeds",
    PaidLate "paid_late",
    AlreadyPaid "already_paid",
    IdTaken "id_taken",
    OutcomeUnknown "outcome_unknown",
    NotDue "not_due",
    NotAwaited "not_awaited",
    Vanished "vanished",
    ListingDiffers "listing_differs",
    WalletDiffers "wallet_differs",
    PartOfPayment "part_of_payment",
    NameTaken "name_taken",
    PaidBefore "paid_before",
    OutsideTemplate "outside_template",
    OpeningClosed "opening_closed",
    ClosingDiffers "closing_differs",
    UnitDiffers "unit_differs",
}

/// Adds to the answer of a fact set aside by `record` why, the account in which the money of
/// `created` stands, and the PIX that waits besides.
pub(in crate::contract) fn explain(
    body: &mut Value,
    (record, name): (Option<&Record>, &LedgerName),
    created: Option<OpId>,
) {
    let events = record.map_or(&[][..], |record| &record.events);
    let reason = events.iter().rev().find_map(|event| match event {
        Event::SetAside { reason, .. } => *reason,
        _ => None,
    });
    body["reason"] = reason.map(word).into();
    if let Some(op) = created {
        body["booked_to"] = booked_to(events, op).into();
    }
    let own = events.iter().filter_map(Event::op);
    let mut own = own.filter(|op| record.is_some_and(|record| op.seq() == record.seq));
    let besides = own.find(|op| op.kind() == Kind::Suspense && Some(*op) != created);
    if let Some(op) = besides {
        body[op.field()] = op.text(name).into();
    }
}

/// The account that the events book what waits as `op` to.
fn booked_to(events: &[Event], op: OpId) -> Option<&'static str> {
    let own = events.iter().filter(|event| event.op() == Some(op));
    let entries: Vec<_> = own.map(Event::entry).collect();
    let reais = entries.iter().flat_map(Entry::moves).find_map(|m| {
        let waits =
            |account: &Account| matches!(account, Account::SuspensePix | Account::ProviderClaim);
        [m.credit, m.debit].into_iter().find(waits).map(|account| account.control().name())
    });
    let coins = || {
        entries.iter().flat_map(Entry::coin_moves).find_map(|m| {
            let waits = |account: &CoinAccount| {
                matches!(account, CoinAccount::Suspense | CoinAccount::ProviderClaim)
            };
            [m.credit, m.debit].into_iter().find(waits).map(CoinAccount::name)
        })
    };
    reais.or_else(coins)
}

/// The identity of a deposit, or of its confirmation, that a fact reports: the ledger knows it by
/// how often it was mined, and here the first time counts.
pub(in crate::contract) fn deposit_of(what: &Intent) -> Option<ExternalId> {
    let Intent::Fact(reported) = what else { return None };
    match reported.fact.bare() {
        Fact::Sale { report: SaleReport::Seen(deposit), .. } => {
            Some(ExternalId::deposit(&deposit.hash, None))
        }
        Fact::Sale { report: SaleReport::Confirmed { hash, .. }, .. } => {
            Some(ExternalId::confirmation(hash))
        }
        _ => None,
    }
}
