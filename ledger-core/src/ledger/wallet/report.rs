//! What the world reports of wallets.

use super::request::DepositRequest;
use crate::coin::Units;
use crate::id::OpId;
use crate::ledger::record::fact_kind::FactKind;
use crate::ledger::record::facts::facts;
use crate::ledger::record::operator_decision::OperatorDecision;
use crate::ledger::record::{ExternalId, Scope};
use crate::machine::cash_out;
use crate::machine::wallet::deposit::{Doubt, Mark, Rejection, Transfer};
use crate::machine::wallet::payment::{self, Adjudication, FailureReason};
use crate::machine::wallet::withdrawal::{Finding, Sent};
use crate::terms::WalletSettings;
use crate::time::Instant;

facts! {
    /// What the world reports of wallets.
    #[allow(missing_docs)] // Fields bear the wire's names; the contract module describes each.
    Fact {
        /// The wallet's settings changed.
        Configured(settings: WalletSettings) is FactKind::WalletConfigured;
        /// An operator made a deposit request for an account.
        DepositAssigned { account: Box<str>, request: DepositRequest, decided_by: OperatorDecision }
            is FactKind::WalletDepositAssigned;
        /// A transfer was seen.
        DepositSeen { deposit: Option<OpId>, address: Option<Box<str>>, transfer: Transfer }
            is FactKind::WalletDepositSeen, about *deposit, outside Some(transfer.outside()),
            anew is_mined_again(transfer);
        /// The network confirmed a transfer; reported with all of it, it implies that it was seen.
        DepositConfirmed { deposit: Option<OpId>, mark: Mark, transfer: Option<Transfer> }
            is FactKind::WalletDepositConfirmed, about *deposit;
        /// A transfer that was seen is in doubt.
        DepositDoubted { deposit: Option<OpId>, mark: Mark, doubt: Doubt }
            is FactKind::WalletDepositDoubted, about *deposit;
        /// An operator lets a deposit in, or keeps it out.
        DepositJudged {
            deposit: Option<OpId>,
            finding: DepositFinding,
            decided_by: OperatorDecision,
        }
            is FactKind::WalletDepositJudged, about *deposit;
        /// What was credited is undone.
        DepositReversed { deposit: Option<OpId>, decided_by: OperatorDecision }
            is FactKind::WalletDepositReversed, about *deposit;
        /// A withdrawal moved.
        Withdrawal { withdrawal: Option<OpId>, report: WithdrawalReport }
            is report.kind(), about *withdrawal;
        /// A payment moved.
        Payment { payment: Option<OpId>, step: Step }
            is step.kind(),
            about *payment,
            outside step.paid_pix().map(|pix| ExternalId::new(Scope::SentPix, &pix.e2e)),
            at step.paid_at();
        /// An operator found out how a payment stands, or decides what becomes of its reserve.
        PaymentResolved {
            payment: Option<OpId>,
            finding: PaymentFinding,
            decided_by: OperatorDecision,
        }
            is FactKind::WalletPaymentResolved,
            about *payment,
            pix finding.paid_pix().map(|pix| (Scope::SentPix, &*pix.e2e)),
            at finding.paid_at();
        /// An operator found out how a withdrawal stands, with proof.
        WithdrawalEvidence {
            withdrawal: Option<OpId>,
            finding: Finding,
            decided_by: OperatorDecision,
        }
            is FactKind::CryptoWithdrawalEvidence, about *withdrawal;
    }
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

impl WithdrawalReport {
    const fn kind(&self) -> FactKind {
        match self {
            Self::Begin => FactKind::CryptoWithdrawalStarted,
            Self::Fund => FactKind::CryptoWithdrawalFunded,
            Self::Convert(_) => FactKind::CryptoWithdrawalConverted,
            Self::Send(_) => FactKind::CryptoWithdrawalSent,
            Self::Lose => FactKind::CryptoWithdrawalUnknown,
        }
    }
}

impl Step {
    const fn kind(&self) -> FactKind {
        match self {
            Self::Order | Self::Accept(_) | Self::Begin => FactKind::WalletPaymentStarted,
            Self::Send(..) => FactKind::WalletPaymentSent,
            Self::Confirm => FactKind::WalletPaymentConfirmed,
            Self::Pay(_) => FactKind::WalletPaymentPaid,
            Self::Fail(_) => FactKind::WalletPaymentFailed,
            Self::Lose => FactKind::WalletPaymentUnknown,
        }
    }

    fn paid_at(&mut self) -> Option<&mut Instant> {
        match self {
            Self::Pay(pix) => Some(&mut pix.paid_at),
            _ => None,
        }
    }

    /// The PIX that was paid.
    const fn paid_pix(&self) -> Option<&cash_out::Pix> {
        match self {
            Self::Pay(pix) => Some(pix),
            _ => None,
        }
    }
}

impl PaymentFinding {
    fn paid_at(&mut self) -> Option<&mut Instant> {
        match self {
            Self::Found(payment::Finding::Paid(pix)) | Self::Decided(Adjudication::Paid(pix)) => {
                Some(&mut pix.paid_at)
            }
            _ => None,
        }
    }

    /// The PIX that was paid.
    const fn paid_pix(&self) -> Option<&cash_out::Pix> {
        match self {
            Self::Found(payment::Finding::Paid(pix))
            | Self::Decided(payment::Adjudication::Paid(pix)) => Some(pix),
            _ => None,
        }
    }
}

impl Fact {
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
