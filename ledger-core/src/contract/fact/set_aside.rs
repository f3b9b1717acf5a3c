//! What the answer to a fact says beside its outcome: why it is set aside and where its money
//! stands, or which of its fields say something else than the first time (rulings 54).

use serde_json::Value;

use crate::accounting::{Account, CoinAccount, Entry};
use crate::coin::Units;
use crate::contract::fact::shape::{FactShape, Subject};
use crate::contract::schema::metadata::METADATA;
use crate::hexadecimal::digits;
use crate::id::{OpId, Token};
use crate::ledger::account::Fact as AccountFact;
use crate::ledger::adjustment::Fact as AdjustmentFact;
use crate::ledger::cell::Fact as CellFact;
use crate::ledger::charge::Fact as ChargeFact;
use crate::ledger::hold::Fact as HoldFact;
use crate::ledger::payout::Fact as PayoutFact;
use crate::ledger::purchase::Fact as PurchaseFact;
use crate::ledger::suspense::Fact as SuspenseFact;
use crate::ledger::treasury::Fact as TreasuryFact;
use crate::ledger::{
    Event, ExternalId, Fact, FactDetails, Intent, Record, SaleReport, SetAsideReason, wallet,
};
use crate::machine::cash_out::{self, Deposit, Pix};
use crate::machine::charge::{self, PixPayment};
use crate::machine::wallet::deposit::{self, Transfer};
use crate::machine::wallet::payment;
use crate::machine::{hold, payout, purchase, suspense, unmatched_deposit};
use crate::money::Amount;
use crate::time::Instant;

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

/// Adds to the answer of a fact set aside by `record` why, and the account in which the money of
/// `created` stands.
pub(in crate::contract) fn explain(
    body: &mut Value,
    record: Option<&Record>,
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

/// The identity of a deposit that a fact reports: the ledger knows it by how often it was mined,
/// and here the first time counts.
pub(in crate::contract) fn deposit_of(what: &Intent) -> Option<ExternalId> {
    let Intent::Fact(reported) = what else { return None };
    match reported.fact.bare() {
        Fact::Sale { report: SaleReport::Seen(deposit), .. } => {
            Some(ExternalId::deposit(&deposit.hash, None))
        }
        _ => None,
    }
}

/// What a fact or a record says of a field, as text that is equal where the values are.
type FieldText = (&'static str, String);

/// The fields of `body` in which `fact` differs from what `first`, which made it known, says.
pub(in crate::contract) fn differing(
    shape: &FactShape,
    fact: &Fact,
    body: &Value,
    first: &Record,
) -> Vec<&'static str> {
    let given = |name: &str| body.get(name).is_some_and(|value| !value.is_null());
    let recorded = record_fields(first);
    let differs = |(name, value): &FieldText| {
        let mut same = recorded.iter().filter(|(known, _)| known == name).peekable();
        given(name) && same.peek().is_some() && same.all(|(_, known)| known != value)
    };
    let named = operation_field(shape, body).filter(|_| !is_about(first, fact.about()));
    // The first report was recorded with no instant after itself, so a repeat is read alike.
    let mut fact = fact.clone();
    fact.cap_instants(first.at);
    let said = of_fact(&fact);
    let others = said.iter().filter(|said| differs(said)).map(|(name, _)| *name);
    named.into_iter().chain(others).collect()
}

/// The field in which the body names the operation that the fact is about.
fn operation_field(shape: &FactShape, body: &Value) -> Option<&'static str> {
    let Subject::Operation(names) = shape.subject else { return None };
    let given = |name: &&&str| body.get(**name).is_some_and(|value| !value.is_null());
    names.iter().find(given).copied()
}

/// Tells whether the record is about `op`: that one moved, or what waits was said to be of it.
fn is_about(record: &Record, op: Option<OpId>) -> bool {
    record.events.iter().any(|event| {
        let said = match event {
            Event::SetAside { about, .. } => *about,
            Event::Suspense {
                event: suspense::Event::Received(order) | suspense::Event::Ordered { order, .. },
                ..
            } => order.about,
            Event::UnmatchedDeposit {
                event: unmatched_deposit::Event::Received(order), ..
            } => order.about,
            Event::WalletDeposit { event: deposit::Event::Found { about, .. }, .. } => *about,
            Event::Hold { event: hold::Event::Placed { order, .. }, .. } => order.cause,
            other => other.op(),
        };
        said == op || op.is_some() && event.op() == op
    })
}

fn of_fact(fact: &Fact) -> Vec<FieldText> {
    if let Fact::Described { beside: FactDetails::Metadata(token), .. } = fact {
        return vec![metadata(*token)];
    }
    match fact.bare() {
        Fact::Account(AccountFact::Opened { name, .. }) => vec![("account", name.to_string())],
        Fact::Charge(
            ChargeFact::PixReceived { payment, .. }
            | ChargeFact::PixSeen { payment, .. }
            | ChargeFact::ProviderReleased { payment: Some(payment), .. },
        )
        | Fact::Purchase(PurchaseFact::Delivery { payment: Some(payment), .. }) => {
            pix_received(payment)
        }
        Fact::Charge(ChargeFact::PixReturned { amount, .. })
        | Fact::Payout(
            PayoutFact::Returned { amount, .. } | PayoutFact::Paid { amount: Some(amount), .. },
        )
        | Fact::Hold(HoldFact::Placed { amount, .. } | HoldFact::Captured { amount, .. })
        | Fact::Adjustment(AdjustmentFact::BalanceWrittenOff { amount, .. })
        | Fact::Suspense(SuspenseFact::CourtOrdered { amount, .. }) => vec![cents(*amount)],
        Fact::Hold(HoldFact::Reserved { amount, ends_at, .. }) => {
            reservation_fields(*amount, *ends_at)
        }
        Fact::Treasury(TreasuryFact::Moved { from, to, amount }) => {
            vec![("from", format!("{from:?}")), ("to", format!("{to:?}")), cents(*amount)]
        }
        Fact::Treasury(TreasuryFact::CoinsMoved { asset, from, to, units: moved }) => vec![
            ("asset", format!("{asset:?}")),
            ("from", format!("{from:?}")),
            ("to", format!("{to:?}")),
            units(*moved),
        ],
        Fact::Adjustment(AdjustmentFact::FeeAdjusted { given, charged, .. }) => {
            vec![("effect_cents", (given.cents() - charged.cents()).to_string())]
        }
        Fact::Charge(ChargeFact::PayerReviewed { review, .. }) => {
            vec![("finding", format!("{review:?}"))]
        }
        Fact::Purchase(PurchaseFact::RateQuoted { quote, .. }) => {
            vec![("brl_per_unit", format!("{:?}", quote.price))]
        }
        Fact::Cell(CellFact::BalanceCarried { effect, .. }) => {
            vec![("effect_cents", effect.cents().to_string())]
        }
        Fact::Cell(CellFact::Moved { ledger, .. } | CellFact::Arriving { ledger, .. }) => {
            vec![("ledger", ledger.to_string())]
        }
        Fact::Sale { report, .. } => of_sale(report),
        Fact::Wallet(fact) => of_wallet(fact),
        _ => Vec::new(),
    }
}

fn of_sale(report: &SaleReport) -> Vec<FieldText> {
    match report {
        SaleReport::Seen(deposit) | SaleReport::Confirmed { deposit: Some(deposit), .. } => {
            deposit_fields(deposit)
        }
        SaleReport::Paid { pix, amount } => {
            pix_sent(pix).into_iter().chain(amount.map(cents)).collect()
        }
        SaleReport::Reversed { amount, .. } => vec![cents(*amount)],
        _ => Vec::new(),
    }
}

fn of_wallet(fact: &wallet::Fact) -> Vec<FieldText> {
    match fact {
        wallet::Fact::Payment { step: wallet::Step::Pay(pix), .. } => pix_sent(pix),
        fact => fact.coins().map(transfer_fields).unwrap_or_default(),
    }
}

fn record_fields(record: &Record) -> Vec<FieldText> {
    let traced = |event: &Event| {
        matches!(event, Event::Charge { event: charge::Event::ReturnedTraced { .. }, .. })
    };
    if !record.events.iter().any(traced) {
        return record.events.iter().flat_map(of_event).collect();
    }
    // One return, of which blocks on several subaccounts gave a part each (rulings 81).
    let returned: i64 = record.events.iter().filter_map(went_back).map(Amount::cents).sum();
    let others = record.events.iter().filter(|event| went_back(event).is_none());
    others.flat_map(of_event).chain([("amount_cents", returned.to_string())]).collect()
}

/// What one event says went back of a deposit.
fn went_back(event: &Event) -> Option<Amount> {
    let Event::Charge { event, .. } = event else { return None };
    match event {
        charge::Event::Returned { amount, .. }
        | charge::Event::ReturnedTraced { amount, .. }
        | charge::Event::Purchase(purchase::Event::ReturnedCredited { amount, .. }) => {
            Some(*amount)
        }
        _ => None,
    }
}

fn of_event(event: &Event) -> Vec<FieldText> {
    match event {
        Event::AccountOpened { name, .. } => vec![("account", name.to_string())],
        Event::Charge { event, .. } => of_charge(event),
        Event::Payout {
            event: payout::Event::Completed { amount, .. } | payout::Event::Returned { amount, .. },
            ..
        }
        | Event::BalanceWrittenOff { amount, .. } => vec![cents(*amount)],
        Event::Hold { event: hold::Event::Placed { order, .. }, .. } => {
            reservation_fields(order.requested, order.ends_at)
        }
        Event::Hold { event: hold::Event::Captured { amount, .. }, .. } => vec![cents(*amount)],
        Event::Suspense { event: suspense::Event::Received(order), .. } => {
            let mut said = vec![cents(order.amount)];
            if order.direction == suspense::Direction::In {
                said.push(("paid_at", order.paid_at.to_string()));
            }
            said
        }
        Event::Suspense { event: suspense::Event::Ordered { order, .. }, .. } => {
            vec![cents(order.amount)]
        }
        Event::TreasuryMoved { from, to, amount } => {
            vec![("from", format!("{from:?}")), ("to", format!("{to:?}")), cents(*amount)]
        }
        Event::CoinsMoved { asset, from, to, units: moved } => vec![
            ("asset", format!("{asset:?}")),
            ("from", format!("{from:?}")),
            ("to", format!("{to:?}")),
            units(*moved),
        ],
        Event::FeeAdjusted { given, charged, .. } => {
            vec![("effect_cents", (given.cents() - charged.cents()).to_string())]
        }
        Event::BalanceCarried { given, taken, .. } => {
            vec![("effect_cents", (given.cents() - taken.cents()).to_string())]
        }
        Event::AccountCarried { ledger, .. } => vec![("ledger", ledger.to_string())],
        Event::ResidenceChanged { residence, .. } => {
            residence.bound_for().map(|to| ("ledger", to.to_owned())).into_iter().collect()
        }
        Event::PayerReviewed { review, .. } => vec![("finding", format!("{review:?}"))],
        Event::RateQuoted { quote, .. } => vec![("brl_per_unit", format!("{:?}", quote.price))],
        Event::CashOut { event, .. } => of_order(event),
        Event::UnmatchedDeposit { event: unmatched_deposit::Event::Received(order), .. } => {
            deposit_fields(&order.deposit)
        }
        Event::WalletDeposit {
            event:
                deposit::Event::Seen { transfer, .. }
                | deposit::Event::Mismatched(transfer)
                | deposit::Event::Found { transfer, .. },
            ..
        } => transfer_fields(transfer),
        Event::WalletPayment { event: payment::Event::Completed { pix, .. }, .. } => pix_sent(pix),
        Event::MetadataAttached { metadata: token, .. } => vec![metadata(*token)],
        _ => Vec::new(),
    }
}

fn of_charge(event: &charge::Event) -> Vec<FieldText> {
    match event {
        charge::Event::Delayed { payment, .. }
        | charge::Event::UnderReview { payment }
        | charge::Event::Credited { payment, .. }
        | charge::Event::Purchase(purchase::Event::Paid { payment, .. }) => pix_received(payment),
        charge::Event::ReturnedUncredited { amount }
        | charge::Event::Returned { amount, .. }
        | charge::Event::Purchase(
            purchase::Event::ReturnedUndelivered { amount, .. }
            | purchase::Event::ReturnedDelivered { amount, .. }
            | purchase::Event::ReturnedCredited { amount, .. },
        ) => vec![cents(*amount)],
        _ => Vec::new(),
    }
}

fn of_order(event: &cash_out::Event) -> Vec<FieldText> {
    match event {
        cash_out::Event::DepositSeen { deposit, .. } => deposit_fields(deposit),
        cash_out::Event::Completed { pix, sale, .. } => {
            pix_sent(pix).into_iter().chain([cents(sale.deal.net)]).collect()
        }
        cash_out::Event::RefundDecided {
            source: cash_out::RefundSource::Reversal(amount), ..
        } => {
            vec![cents(*amount)]
        }
        _ => Vec::new(),
    }
}

fn cents(amount: Amount) -> FieldText {
    ("amount_cents", amount.cents().to_string())
}

fn metadata(token: Token) -> FieldText {
    (METADATA.name, digits(&token.0))
}

fn reservation_fields(amount: Amount, ends_at: Option<Instant>) -> Vec<FieldText> {
    let until = ends_at.map(|at| ("expires_at", at.to_string()));
    [cents(amount)].into_iter().chain(until).collect()
}

fn units(units: Units) -> FieldText {
    ("amount", units.get().to_string())
}

fn pix_received(pix: &PixPayment) -> Vec<FieldText> {
    vec![cents(pix.amount), ("paid_at", pix.paid_at.to_string())]
}

fn pix_sent(pix: &Pix) -> Vec<FieldText> {
    vec![("paid_at", pix.paid_at.to_string())]
}

fn deposit_fields(deposit: &Deposit) -> Vec<FieldText> {
    let coins = deposit.coins;
    vec![
        ("asset", format!("{:?}", coins.asset)),
        ("network", format!("{:?}", coins.chain)),
        units(coins.units),
    ]
}

fn transfer_fields(transfer: &Transfer) -> Vec<FieldText> {
    vec![
        ("asset", format!("{:?}", transfer.asset)),
        ("network", format!("{:?}", transfer.chain)),
        units(transfer.units),
    ]
}
