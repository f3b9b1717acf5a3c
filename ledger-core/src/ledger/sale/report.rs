//! What the world reports of sales, and what clients ask of them.

use crate::coin::Units;
use crate::ledger::record::fact_kind::FactKind;
use crate::ledger::record::operator_decision::OperatorDecision;
use crate::ledger::record::{ExternalId, Scope};
use crate::machine::cash_out::{Asked, Command, CorrectedKey, Deposit, Payee, Pix};
use crate::machine::refund::RefundReport;
use crate::money::Amount;

/// A sale to be quoted: `POST /cash-outs`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CashOutRequest {
    /// The asset's name.
    pub asset: Box<str>,
    /// The network's name.
    pub network: Box<str>,
    /// Crypto, reais, or a code: exactly one.
    pub asked: Asked,
    /// What the code asks for; none where it names no fixed amount.
    pub code_amount: Option<Amount>,
    /// Who is paid.
    pub payee: Payee,
    /// The return wallet.
    pub refund_address: Option<Box<str>>,
    /// The client's own id.
    pub external_id: Option<Box<str>>,
}

/// A report of a sale.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SaleReport {
    /// A deposit was seen.
    Seen(Deposit),
    /// A deposit is confirmed; reported in full, that implies that it was seen.
    Confirmed {
        /// The deposit's transaction, as it was named when it was seen.
        hash: Box<str>,
        /// It, where the report of its arrival may not have come.
        deposit: Option<Deposit>,
    },
    /// A deposit vanished before it was confirmed.
    Vanished(Box<str>),
    /// The order moved.
    Moved(Command),
    /// The PIX was paid; the amount matters when it is not the order's.
    Paid {
        /// The PIX that was paid.
        pix: Pix,
        /// Centavos that were paid; none for the order's own amount.
        amount: Option<Amount>,
    },
    /// The PIX came back.
    Reversed {
        /// The return's own id, which makes the fact known.
        return_id: Box<str>,
        /// Centavos that came back, above zero.
        amount: Amount,
    },
    /// The provider returned so much of the token.
    TokenReturned(Units),
    /// An operator takes a payment whose outcome is unknown.
    Stopped(OperatorDecision),
    /// An operator lets an order go on; with a corrected key, if it was the key.
    Cleared {
        /// The corrected key; none where the key was not the cause.
        pix_key: Option<CorrectedKey>,
        /// Who decided it, and why.
        decided_by: OperatorDecision,
    },
    /// A refund is decided; by an operator, or by the service itself.
    RefundDecided {
        /// The wallet, where an operator names one.
        to: Option<Box<str>>,
        /// Who decided it, and why; none for the service itself.
        decided_by: Option<OperatorDecision>,
    },
    /// What became of a refund.
    Refund(RefundReport),
}

impl SaleReport {
    /// What kind of fact this is.
    ///
    /// # Panics
    ///
    /// For a command that is a request: those are no reports.
    #[must_use]
    pub const fn kind(&self) -> FactKind {
        match self {
            Self::Seen(_) => FactKind::DepositSeen,
            Self::Confirmed { .. } => FactKind::DepositConfirmed,
            Self::Vanished(_) => FactKind::DepositVanished,
            Self::Moved(command) => moved(command),
            Self::Paid { .. } => FactKind::CashOutPaid,
            Self::Reversed { .. } => FactKind::CashOutReversed,
            Self::TokenReturned(_) => FactKind::TokenReturned,
            Self::Stopped(_) => FactKind::CashOutStopped,
            Self::Cleared { .. } => FactKind::CashOutCleared,
            Self::RefundDecided { .. } => FactKind::RefundDecided,
            Self::Refund(RefundReport::Sent(_)) => FactKind::RefundSent,
            Self::Refund(RefundReport::Failed) => FactKind::RefundFailed,
            Self::Refund(RefundReport::Lost) => FactKind::RefundUnknown,
        }
    }

    /// The identity that the world gives the report, if it gives one and that is all that knows it:
    /// of a deposit, the sighting does.
    #[must_use]
    pub(in crate::ledger) fn outside(&self) -> Option<ExternalId> {
        let named = |scope, id: &str| Some(ExternalId { scope, id: id.into() });
        match self {
            Self::Paid { pix, .. } => named(Scope::SentPix, &pix.e2e),
            Self::Reversed { return_id, .. } => named(Scope::ReturnedPayout, return_id),
            _ => None,
        }
    }
}

const fn moved(command: &Command) -> FactKind {
    match command {
        Command::StartSale => FactKind::SaleStarted,
        Command::Fill(_) => FactKind::SaleFilled,
        Command::FailSale => FactKind::SaleFailed,
        Command::LoseSale => FactKind::SaleUnknown,
        Command::Forward => FactKind::SaleForwarding,
        Command::Arrive(_) => FactKind::SaleForwarded,
        Command::Delay => FactKind::CashOutDelayed,
        Command::Resume => FactKind::CashOutResumed,
        Command::StartPayment => FactKind::PaymentStarted,
        Command::FailSend => FactKind::SendFailed,
        Command::GiveUpPayment => FactKind::PaymentImpossible,
        Command::RefuseKey(_) => FactKind::KeyRefused,
        Command::LosePayment => FactKind::PaymentUnknown,
        Command::HandOver => FactKind::TokenHandedOver,
        Command::Cancel => FactKind::CashOutCancelled,
        _ => panic!("a request, or news of another shape"),
    }
}
