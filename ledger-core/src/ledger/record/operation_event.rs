//! The events of operations: which operation an event belongs to, and what its rows are called.

use super::event::Event;
use crate::accounting::{RowKind, Side};
use crate::id::{OpId, SubaccountId, Token};
use crate::machine::{
    cash_out, charge, conversion, delivery, erroneous_delivery, hold, payout, purchase, suspense,
    transfer, unmatched_deposit, wallet,
};
use crate::money::{Amount, Cents};

/// What happened to an operation: the events that belong to one, and none besides.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)] // Each is the event of the same name.
pub(in crate::ledger) enum OperationEvent<'a> {
    Charge(&'a charge::Event),
    Transfer(&'a transfer::Event),
    Payout(&'a payout::Event),
    Hold(&'a hold::Event),
    Suspense(&'a suspense::Event),
    Conversion(&'a conversion::Event),
    ErroneousDelivery(&'a erroneous_delivery::Event),
    CashOut(&'a cash_out::Event),
    UnmatchedDeposit(&'a unmatched_deposit::Event),
    WalletDeposit(&'a wallet::deposit::Event),
    CryptoWithdrawal(&'a wallet::withdrawal::Event),
    WalletPayment(&'a wallet::payment::Event),
    WalletQuoted(&'a wallet::quote::Event),
    FeeAdjusted { subaccount: SubaccountId, given: Cents, charged: Cents },
    BalanceWrittenOff { subaccount: SubaccountId, amount: Amount },
}

impl Event {
    /// The operation the event belongs to, if it belongs to one.
    #[must_use]
    pub fn op(&self) -> Option<OpId> {
        self.operation().map(|(op, _)| op)
    }

    /// The operation the event belongs to and what happened to it, if it belongs to one.
    #[must_use]
    pub(in crate::ledger) fn operation(&self) -> Option<(OpId, OperationEvent<'_>)> {
        use OperationEvent as E;
        Some(match self {
            Self::Charge { op, event } => (*op, E::Charge(event)),
            Self::Transfer { op, event } => (*op, E::Transfer(event)),
            Self::Payout { op, event } => (*op, E::Payout(event)),
            Self::Hold { op, event } => (*op, E::Hold(event)),
            Self::Suspense { op, event } => (*op, E::Suspense(event)),
            Self::Conversion { op, event } => (*op, E::Conversion(event)),
            Self::ErroneousDelivery { op, event } => (*op, E::ErroneousDelivery(event)),
            Self::CashOut { op, event } => (*op, E::CashOut(event)),
            Self::UnmatchedDeposit { op, event } => (*op, E::UnmatchedDeposit(event)),
            Self::WalletDeposit { op, event } => (*op, E::WalletDeposit(event)),
            Self::CryptoWithdrawal { op, event } => (*op, E::CryptoWithdrawal(event)),
            Self::WalletPayment { op, event } => (*op, E::WalletPayment(event)),
            Self::WalletQuoted { op, event } => (*op, E::WalletQuoted(event)),
            Self::FeeAdjusted { op, subaccount, given, charged, .. } => {
                (*op, E::FeeAdjusted { subaccount: *subaccount, given: *given, charged: *charged })
            }
            Self::BalanceWrittenOff { op, subaccount, amount } => {
                (*op, E::BalanceWrittenOff { subaccount: *subaccount, amount: *amount })
            }
            Self::LedgerOpened { .. }
            | Self::PolicyAdopted(_)
            | Self::AccountOpened { .. }
            | Self::TermsAdopted { .. }
            | Self::SubaccountOpened { .. }
            | Self::SetAside { .. }
            | Self::ReportKept { .. }
            | Self::Judged(_)
            | Self::CatalogueUpdated { .. }
            | Self::RateQuoted { .. }
            | Self::PayerReviewed { .. }
            | Self::SettlementAddressSet { .. }
            | Self::MarketsUpdated { .. }
            | Self::Agent { .. }
            | Self::ReferralGiven { .. }
            | Self::RewardAccrued { .. }
            | Self::CoinsMoved { .. }
            | Self::TreasuryMoved { .. }
            | Self::Enrolled { .. }
            | Self::KeyReplaced { .. }
            | Self::KeyRevoked { .. }
            | Self::WebhookSet { .. }
            | Self::WebhookSecretReplaced { .. }
            | Self::MonitorReplaced { .. }
            | Self::PixDescribed(_)
            | Self::NetworkPages(_)
            | Self::TimePassed => return None,
        })
    }

    /// What a statement calls the rows of this event, by the side of the principal leg.
    #[must_use]
    pub fn row_kind(&self, side: Side) -> RowKind {
        use OperationEvent as E;
        let Some((_, event)) = self.operation() else { return RowKind::Reversal };
        match (event, side) {
            (E::Transfer(_), Side::Debit) => RowKind::TransferOut,
            (E::Transfer(_), Side::Credit) => RowKind::TransferIn,
            (
                E::Charge(
                    charge::Event::Credited { .. }
                    | charge::Event::Purchase(purchase::Event::GivenUp { .. }),
                ),
                _,
            ) => RowKind::Deposit,
            (E::Payout(payout::Event::Requested(_)), _) => RowKind::Payout,
            (E::Conversion(conversion::Event::Requested(_)), _) => RowKind::Conversion,
            (E::FeeAdjusted { .. }, _) => RowKind::FeeAdjustment,
            (E::Suspense(_), _) => RowKind::CourtOrder,
            (E::BalanceWrittenOff { .. }, _) => RowKind::WriteOff,
            (
                E::Charge(_)
                | E::Payout(_)
                | E::Conversion(_)
                | E::Hold(_)
                | E::ErroneousDelivery(_)
                | E::CashOut(_)
                | E::UnmatchedDeposit(_)
                | E::WalletDeposit(_)
                | E::CryptoWithdrawal(_)
                | E::WalletPayment(_)
                | E::WalletQuoted(_),
                _,
            ) => RowKind::Reversal,
        }
    }

    /// What a partner's own ledger calls the row of this event.
    #[must_use]
    pub fn commission_row(&self) -> RowKind {
        use OperationEvent as E;
        let Some((_, event)) = self.operation() else { return RowKind::CommissionReversed };
        match event {
            E::Conversion(conversion::Event::Requested(_)) => RowKind::CommissionWithdrawn,
            E::Conversion(conversion::Event::Refunded { .. }) => RowKind::CommissionRestored,
            E::Conversion(conversion::Event::Delivery { .. })
            | E::Payout(payout::Event::Completed { .. })
            | E::Charge(charge::Event::Purchase(purchase::Event::Delivery(
                delivery::Event::Sent { .. },
            )))
            | E::CashOut(_)
            | E::WalletPayment(_) => RowKind::CommissionEarned,
            E::Charge(_)
            | E::Payout(_)
            | E::Transfer(_)
            | E::Hold(_)
            | E::Suspense(_)
            | E::ErroneousDelivery(_)
            | E::UnmatchedDeposit(_)
            | E::WalletDeposit(_)
            | E::CryptoWithdrawal(_)
            | E::WalletQuoted(_)
            | E::FeeAdjusted { .. }
            | E::BalanceWrittenOff { .. } => RowKind::CommissionReversed,
        }
    }

    /// The client's own description of the rows, if it gave one.
    #[must_use]
    pub const fn note(&self) -> Option<Token> {
        match self {
            Self::Transfer { event: transfer::Event::Done(order), .. } => order.note,
            _ => None,
        }
    }
}
