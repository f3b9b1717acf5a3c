//! What the world reports of wallets.

use super::request::DepositRequest;
use crate::coin::Units;
use crate::id::OpId;
use crate::ledger::record::fact_kind::FactKind;
use crate::ledger::record::operator_decision::OperatorDecision;
use crate::ledger::record::{ExternalId, Scope};
use crate::machine::cash_out;
use crate::machine::wallet::deposit::{Doubt, Mark, Rejection, Transfer};
use crate::machine::wallet::payment::{self, Adjudication, FailureReason};
use crate::machine::wallet::withdrawal::{Finding, Sent};
use crate::terms::WalletSettings;

/// What the world reports of wallets.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // Fields bear the names of the wire's; the contract module describes each.
pub enum Fact {
    /// The wallet's settings changed.
    Configured(WalletSettings),
    /// An operator made a deposit request for an account.
    DepositAssigned { account: Box<str>, request: DepositRequest, decided_by: OperatorDecision },
    /// A transfer was seen.
    DepositSeen { deposit: Option<OpId>, address: Option<Box<str>>, transfer: Transfer },
    /// The network confirmed a transfer; reported with all of it, it implies that it was seen.
    DepositConfirmed { deposit: Option<OpId>, mark: Mark, transfer: Option<Transfer> },
    /// A transfer that was seen is in doubt.
    DepositDoubted { deposit: Option<OpId>, mark: Mark, doubt: Doubt },
    /// An operator lets a deposit in, or keeps it out.
    DepositJudged { deposit: Option<OpId>, finding: DepositFinding, decided_by: OperatorDecision },
    /// What was credited is undone.
    DepositReversed { deposit: Option<OpId>, decided_by: OperatorDecision },
    /// A withdrawal moved.
    Withdrawal { withdrawal: Option<OpId>, report: WithdrawalReport },
    /// A payment moved.
    Payment { payment: Option<OpId>, step: Step },
    /// An operator found out how a payment stands, or decides what becomes of its reserve.
    PaymentResolved { payment: Option<OpId>, finding: PaymentFinding, decided_by: OperatorDecision },
    /// An operator found out how a withdrawal stands, with proof.
    WithdrawalEvidence { withdrawal: Option<OpId>, finding: Finding, decided_by: OperatorDecision },
}

/// How a withdrawal moved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WithdrawalReport {
    /// The coins began to leave the wallet.
    Begin,
    /// They left, and are owed to the address.
    Fund,
    /// Converted into so much.
    Convert(Units),
    /// Sent, and confirmed by the network.
    Send(Sent),
    /// Nobody knows how it stands.
    Lose,
}

/// What an operator found of a deposit under review.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DepositFinding {
    /// It is credited.
    Cleared {
        /// To this account, by its name, where no request says it.
        account: Option<Box<str>>,
        /// So much of it; none for all.
        credited: Option<Units>,
    },
    /// It is not.
    Rejected(Rejection),
}

impl Fact {
    /// What kind of fact this is.
    #[must_use]
    pub const fn kind(&self) -> FactKind {
        match self {
            Self::Configured(_) => FactKind::WalletConfigured,
            Self::DepositAssigned { .. } => FactKind::WalletDepositAssigned,
            Self::DepositSeen { .. } => FactKind::WalletDepositSeen,
            Self::DepositConfirmed { .. } => FactKind::WalletDepositConfirmed,
            Self::DepositDoubted { .. } => FactKind::WalletDepositDoubted,
            Self::DepositJudged { .. } => FactKind::WalletDepositJudged,
            Self::DepositReversed { .. } => FactKind::WalletDepositReversed,
            Self::Withdrawal { report, .. } => match report {
                WithdrawalReport::Begin => FactKind::CryptoWithdrawalStarted,
                WithdrawalReport::Fund => FactKind::CryptoWithdrawalFunded,
                WithdrawalReport::Convert(_) => FactKind::CryptoWithdrawalConverted,
                WithdrawalReport::Send(_) => FactKind::CryptoWithdrawalSent,
                WithdrawalReport::Lose => FactKind::CryptoWithdrawalUnknown,
            },
            Self::WithdrawalEvidence { .. } => FactKind::CryptoWithdrawalEvidence,
            Self::Payment { step, .. } => match step {
                Step::Order | Step::Accept(_) | Step::Begin => FactKind::WalletPaymentStarted,
                Step::Send(..) => FactKind::WalletPaymentSent,
                Step::Confirm => FactKind::WalletPaymentConfirmed,
                Step::Pay(_) => FactKind::WalletPaymentPaid,
                Step::Fail(_) => FactKind::WalletPaymentFailed,
                Step::Lose => FactKind::WalletPaymentUnknown,
            },
            Self::PaymentResolved { .. } => FactKind::WalletPaymentResolved,
        }
    }

    /// The operation the fact is about, if it names one.
    #[must_use]
    pub const fn about(&self) -> Option<OpId> {
        match self {
            Self::Configured(_) | Self::DepositAssigned { .. } => None,
            Self::DepositSeen { deposit, .. }
            | Self::DepositConfirmed { deposit, .. }
            | Self::DepositDoubted { deposit, .. }
            | Self::DepositJudged { deposit, .. }
            | Self::DepositReversed { deposit, .. } => *deposit,
            Self::Payment { payment, .. } | Self::PaymentResolved { payment, .. } => *payment,
            Self::Withdrawal { withdrawal, .. } | Self::WithdrawalEvidence { withdrawal, .. } => {
                *withdrawal
            }
        }
    }

    /// The identity the world gave it, where it gave one.
    #[must_use]
    pub fn outside(&self) -> Option<ExternalId> {
        match self {
            Self::DepositSeen { transfer, .. } => Some(transfer.outside()),
            Self::Payment { step: Step::Pay(pix), .. } => {
                Some(ExternalId { scope: Scope::SentPix, id: pix.e2e.clone() })
            }
            _ => None,
        }
    }

    /// The transaction in which it reports that something left.
    #[must_use]
    pub fn sent_in(&self) -> Option<&str> {
        match self {
            Self::Payment { step: Step::Send(hash, _), .. }
            | Self::PaymentResolved {
                finding: PaymentFinding::Found(payment::Finding::Sent(hash)),
                ..
            } => Some(hash),
            Self::Withdrawal { report: WithdrawalReport::Send(sent), .. }
            | Self::WithdrawalEvidence { finding: Finding::Completed(sent), .. } => {
                Some(&sent.hash)
            }
            _ => None,
        }
    }

    /// The PIX it names besides, which may be known already.
    #[must_use]
    pub fn pix(&self) -> Option<&str> {
        match self {
            Self::PaymentResolved {
                finding:
                    PaymentFinding::Found(payment::Finding::Paid(pix))
                    | PaymentFinding::Decided(payment::Adjudication::Paid(pix)),
                ..
            } => Some(&pix.e2e),
            _ => None,
        }
    }

    /// All of the coins that it says came, where it says all of them.
    #[must_use]
    pub const fn coins(&self) -> Option<&Transfer> {
        match self {
            Self::DepositSeen { transfer, .. }
            | Self::DepositConfirmed { transfer: Some(transfer), .. } => Some(transfer),
            _ => None,
        }
    }

    /// The transfer it names besides, which may have been seen before.
    #[must_use]
    pub fn transfer(&self) -> Option<ExternalId> {
        match self {
            Self::DepositConfirmed { transfer: Some(transfer), .. } => Some(transfer.outside()),
            Self::Payment { step: Step::Send(hash, _), .. }
            | Self::PaymentResolved {
                finding: PaymentFinding::Found(payment::Finding::Sent(hash)),
                ..
            } => Some(ExternalId { scope: Scope::Deposit, id: hash.clone() }),
            _ => None,
        }
    }
}

/// How a payment moved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Its order was created.
    Order,
    /// Its order was accepted: the provider supplied where to deposit.
    Accept(Box<str>),
    /// Sending the coins to it began.
    Begin,
    /// Sent in this transaction; with what left, where that is reported.
    Send(Box<str>, Option<Units>),
    /// The network confirmed it.
    Confirm,
    /// The PIX was paid.
    Pay(cash_out::Pix),
    /// It definitely failed.
    Fail(FailureReason),
    /// Nobody knows how it stands.
    Lose,
}

/// What an operator found out or decides of a payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PaymentFinding {
    /// Of one under review.
    Found(payment::Finding),
    /// Of the reserve of one that failed after it was sent.
    Decided(Adjudication),
}
