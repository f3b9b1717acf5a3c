//! Commands in domain terms: requests, which may be refused, and facts, which never are.

use super::account::Owner;
use super::adjustment::income::Income;
use super::agent::member::Newcomer;
use super::record::fact_kind::FactKind;
use super::record::operator_decision::OperatorDecision;
use super::record::payment_details::Beside;
use super::record::{Cause, ExternalId, Scope};
use super::sale::report::{CashOutRequest, SaleReport};
use super::treasury::accounts::{OwnAccount, OwnCoins};
use super::wallet;
use crate::coin::Units;
use crate::id::{AccountId, AssetId, KeyHash, OpId, Token};
use crate::machine::cash_out::DepositTo;
use crate::machine::charge::{Delivery, PixPayment, Qr};
use crate::machine::delivery::{self, DeliveryReport};
use crate::machine::{erroneous_delivery, hold};
use crate::money::{Amount, Bps, Cents};
use crate::terms::{Listing, Mandate, Market, Policy, Quote, Review, Switch, Terms};
use crate::time::Instant;

/// What somebody asks or reports, when, and why we know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// When it was asked, or happened.
    pub at: Instant,
    /// What brought it here, as its record keeps it.
    pub cause: Cause,
    /// What is asked or reported.
    pub what: Intent,
}

/// A request or a fact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Intent {
    /// An API client asks.
    Request(AccountId, Request),
    /// Somebody without a key asks.
    Public(Public),
    /// Somebody without a key asks for one.
    Enrolment(Box<Enrolment>),
    /// The world reports.
    Fact(Reported),
}

/// What an API client may ask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// `POST /cashin/charge`: a PIX to be collected.
    Charge(ChargeRequest),
    /// `POST /saldo/transferir`: money moved between subaccounts.
    Transfer(TransferRequest),
    /// `POST /payouts`: a PIX to be sent.
    Payout(PayoutRequest),
    /// `POST /saldo/sacar-cripto`, and the withdrawal of commission, which has no route.
    Conversion(ConversionRequest),
    /// Something of the USDT wallet.
    Wallet(wallet::Request),
    /// `PATCH /keys/me`: what an account sets itself.
    Settings(Box<AccountSettings>),
    /// `key.rotate`, which has no route: the account's next key.
    RotateKey(KeyHash),
    /// `POST /cash-outs`: a sale of crypto, to be quoted.
    CashOut(Box<CashOutRequest>),
    /// `POST /cash-outs/{cashout_id}/accept`: the quoted order begins.
    AcceptCashOut {
        /// The order that was quoted.
        order: OpId,
        /// Where to deposit, as the provider supplied it (rulings 39).
        supplied: Option<DepositTo>,
    },
    /// `POST /cash-outs/{cashout_id}/refund-address`: where a refund goes.
    RefundAddress {
        /// The order whose refund it is.
        order: OpId,
        /// The return wallet.
        address: Box<str>,
    },
    /// What an agent asks for itself.
    Agent(AgentRequest),
}

/// What may be asked without a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Public {
    /// `POST /mesh/agents`: an agent to be registered.
    Register(Box<Registration>),
}

/// An agent to be registered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registration {
    /// The hash of the key it gets.
    pub key: KeyHash,
    /// Its name, under a token of the vault.
    pub name: Token,
    /// Where it is reached.
    pub contact: Token,
    /// What it can do.
    pub capabilities: Vec<Box<str>>,
    /// The referral it comes by, if it does.
    pub referral: Option<Box<str>>,
}

/// What an agent may ask for itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AgentRequest {
    /// `POST /mesh/agents/{agent_id}/validate`: the sandbox works.
    Validate,
    /// `POST /mesh/agents/{agent_id}/mandate`: what it allows itself to send.
    Mandate(Box<Mandate>),
    /// `POST /mesh/agents/{agent_id}/production-request`, with the hash of the key it would get.
    Activate {
        /// The hash of that key, as this ledger hashes keys.
        key: KeyHash,
    },
    /// `POST /mesh/referrals`: a way in for another agent.
    Refer {
        /// What the other agent is referred for.
        capability: Box<str>,
    },
}

/// `POST /keys` and `POST /keys/sandbox`: an account with its first key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enrolment {
    /// Who asks for it.
    pub owner: Owner,
    /// The hash of the key.
    pub key: KeyHash,
    /// What opens the account's private monitor.
    pub monitor: Token,
    /// The address it is asked from.
    pub address: Token,
}

/// What an account sets itself; what is not given stays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AccountSettings {
    /// The wallet that purchases on Polygon go to when none is named.
    pub settlement: Option<Box<str>>,
    /// Where webhooks go.
    pub webhook: Option<Token>,
    /// Whether what they are signed with is replaced.
    pub rotate_secret: Switch,
    /// A secret that may be taken: replacing one, or for the first address.
    pub secret: Option<Token>,
    /// Whether what opens the private monitor is replaced.
    pub rotate_monitor: Switch,
    /// What it is replaced by.
    pub monitor: Option<Token>,
    /// The partner's percentage of a purchase: `partner_fee_bps`.
    pub purchase_partner: Option<Bps>,
    /// The partner's percentage of a sale: `partner_cashout_fee_bps`.
    pub sale_partner: Option<Bps>,
    /// The partner's percentage of a payout: `partner_saque_fee_bps`.
    pub payout_partner: Option<Bps>,
}

/// A charge to be issued. A customer of `None` is the house.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChargeRequest {
    /// The subaccount to credit.
    pub customer: Option<Box<str>>,
    /// What the QR asks for, in centavos.
    pub amount: Amount,
    /// The payer's CPF or CNPJ.
    pub payer: Token,
    /// The payer's name.
    pub payer_name: Option<Token>,
    /// Whether retention is allowed.
    pub allow_hold: Switch,
    /// Asset, chain and wallet, echoed.
    pub delivery: Delivery,
    /// What the provider supplied; without it a new charge is refused (rulings 39).
    pub qr: Option<Qr>,
    /// The provider's reference, when it refused the payer instead (ERR-15).
    pub payer_refused: Option<Box<str>>,
    /// Where the money goes: `destino`.
    pub destination: Destination,
    /// The client's own id.
    pub external_id: Option<Box<str>>,
}

/// Where the money of a charge goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Destination {
    /// Into custody: `saldo`.
    Custody,
    /// It buys crypto: `cripto`.
    Crypto {
        /// The memo of the wallet: `payout_tag`.
        memo: Option<Box<str>>,
    },
}

/// Custody or commission to be turned into crypto.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConversionRequest {
    /// Whose money it takes.
    pub source: FundingRequest,
    /// Centavos to convert.
    pub amount: Amount,
    /// Asset, network and wallet.
    pub target: Delivery,
    /// The memo of the wallet.
    pub memo: Option<Box<str>>,
    /// The most that may be debited (P:MaxDebited).
    pub cap: Option<Amount>,
    /// The client's own id.
    pub external_id: Option<Box<str>>,
}

/// Whose money a conversion takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FundingRequest {
    /// A subaccount's, or the house's.
    Custody {
        /// The subaccount; none: the house.
        customer: Option<Box<str>>,
        /// The withdrawing customer's CPF or CNPJ.
        tax_number: Token,
    },
    /// The account's partner commission.
    Commission,
}

/// A transfer to be made. A customer of `None` is the house (`casa`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TransferRequest {
    /// The subaccount to debit.
    pub from: Option<Box<str>>,
    /// The subaccount to credit.
    pub to: Option<Box<str>>,
    /// How much, in centavos, above zero.
    pub amount: Amount,
    /// The client's own description.
    pub note: Option<Token>,
    /// The client's own id.
    pub external_id: Option<Box<str>>,
}

/// A payout to be sent. A customer of `None` is the house.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PayoutRequest {
    /// The subaccount to debit.
    pub customer: Option<Box<str>>,
    /// Centavos that the beneficiary receives.
    pub amount: Amount,
    /// The beneficiary's PIX key.
    pub pix_key: Token,
    /// The beneficiary's CPF or CNPJ.
    pub tax_number: Token,
    /// Whether the key is known to belong to the tax number (PAY-02).
    pub ownership: Ownership,
    /// The client's own id.
    pub external_id: Option<Box<str>>,
}

/// What is known of a PIX key's owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ownership {
    /// The key is the tax number.
    Proven,
    /// The key is another tax number.
    Refuted,
    /// Nothing is known; the provider decides (P:KeyOwnership).
    Unknown,
}

/// A fact and the identity that makes it known for ever; the passing of time needs none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reported {
    /// The fact's own id, where the world gives none.
    pub id: Option<Box<str>>,
    /// The fact itself, as it was reported.
    pub fact: Fact,
}

/// What the world reports.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // Fields bear the names of the wire's; the contract room describes each.
pub enum Fact {
    /// An API account was opened; without terms it has the published ones.
    AccountOpened { name: Box<str>, key: KeyHash, terms: Option<Terms> },
    /// The ledger's policy was changed.
    PolicyAdopted(Policy),
    /// An account's terms change from an instant on; none: at once.
    TermsAdopted { account: Box<str>, from: Option<Instant>, terms: Terms },
    /// Own money moved between own accounts.
    TreasuryMoved { from: OwnAccount, to: OwnAccount, amount: Amount },
    /// A PIX arrived, for a charge if it named one.
    PixReceived { charge: Option<OpId>, payment: PixPayment },
    /// A PIX received went back to its payer, in part or whole.
    PixReturned { charge: Option<OpId>, return_id: Box<str>, amount: Amount },
    /// The provider released a charge it held; with the PIX, it implies that it was paid.
    ProviderReleased { charge: Option<OpId>, payment: Option<PixPayment> },
    /// The provider cancelled a charge before payment.
    ProviderCancelled { charge: Option<OpId> },
    /// The provider took a payout.
    PayoutSubmitted { payout: Option<OpId> },
    /// A payout was paid; the amount matters only when no payout is known by that id.
    PayoutPaid { payout: Option<OpId>, e2e: Box<str>, amount: Option<Amount> },
    /// A payout was definitely not paid.
    PayoutRefused { payout: Option<OpId> },
    /// A payout's outcome is unknown.
    PayoutUnknown { payout: Option<OpId> },
    /// A paid payout came back, in part or whole.
    PayoutReturned { payout: Option<OpId>, return_id: Box<str>, amount: Amount },
    /// An operator found out what became of a payout: paid by this PIX, or not paid.
    PayoutEvidence { payout: Option<OpId>, paid: Option<Box<str>>, decided_by: OperatorDecision },
    /// An operator blocks money.
    HoldPlaced {
        account: Box<str>,
        customer: Option<Box<str>>,
        cause: Option<OpId>,
        kind: hold::Kind,
        amount: Amount,
        decided_by: OperatorDecision,
    },
    /// An operator lets go: of so much, or of everything.
    HoldReleased { hold: Option<OpId>, amount: Option<Amount>, decided_by: OperatorDecision },
    /// An operator gives a PIX in suspense to a charge.
    SuspenseAttached { suspense: Option<OpId>, charge: Option<OpId>, decided_by: OperatorDecision },
    /// What stood in suspense went back.
    SuspenseReturned { suspense: Option<OpId>, decided_by: OperatorDecision },
    /// A fee is corrected: given to the subaccount, or charged to it.
    FeeAdjusted {
        account: Box<str>,
        customer: Option<Box<str>>,
        given: Cents,
        charged: Cents,
        income: Income,
        decided_by: OperatorDecision,
    },
    /// A negative balance is written off.
    BalanceWrittenOff {
        account: Box<str>,
        customer: Option<Box<str>>,
        amount: Amount,
        decided_by: OperatorDecision,
    },
    /// Pairs were listed, changed or dropped; the ledger gives assets and networks their numbers.
    CatalogueUpdated { listed: Vec<Listing>, dropped: Vec<(Box<str>, Box<str>)> },
    /// Pairs that sellers may deposit were listed, changed or dropped.
    MarketsUpdated { opened: Vec<Market>, closed: Vec<(Box<str>, Box<str>)> },
    /// An asset's price was reported.
    RateQuoted { asset: Box<str>, quote: Quote },
    /// Somebody looked at a payer.
    PayerReviewed { payer: Token, review: Review, decided_by: OperatorDecision },
    /// A PIX was seen that the provider has not settled yet.
    PixSeen { charge: Option<OpId>, payment: PixPayment },
    /// The provider settled a PIX that was seen.
    ProviderSettled { charge: Option<OpId> },
    /// The provider holds a PIX that was seen.
    ProviderHeld { charge: Option<OpId>, until: Option<Instant> },
    /// A delivery moved; with the PIX, that it was sent implies that it was paid.
    Delivery { op: Option<OpId>, command: delivery::Command, payment: Option<PixPayment> },
    /// An operator found out what became of a delivery: sent in this transaction, or not sent.
    DeliveryEvidence { op: Option<OpId>, sent: Option<Box<str>>, decided_by: OperatorDecision },
    /// An operator gives a delivery up.
    DeliveryGivenUp { op: Option<OpId>, to: GiveUpTo, decided_by: OperatorDecision },
    /// An operator lets what is left of a purchase be delivered.
    DeliveryResumed { op: Option<OpId>, decided_by: OperatorDecision },
    /// Compliance stops a payout before it is sent.
    PayoutStopped { payout: Option<OpId>, decided_by: OperatorDecision },
    /// Compliance lets a payout go on.
    PayoutCleared { payout: Option<OpId>, decided_by: OperatorDecision },
    /// Own crypto moved between own accounts.
    CoinsMoved { asset: AssetId, from: OwnCoins, to: OwnCoins, units: Units },
    /// A court takes money from a subaccount; a block may have been placed for it.
    CourtOrdered {
        account: Box<str>,
        customer: Option<Box<str>>,
        hold: Option<OpId>,
        amount: Amount,
        decided_by: OperatorDecision,
    },
    /// A claim on crypto that went astray ended.
    ErroneousDeliverySettled {
        erroneous_delivery: Option<OpId>,
        end: erroneous_delivery::End,
        decided_by: OperatorDecision,
    },
    /// A report of a sale, or of crypto that no order took.
    Sale { order: Option<OpId>, report: SaleReport },
    /// An agent that production was granted to comes from the sandbox.
    AgentActivated(Box<Newcomer>),
    /// Policy stops an agent, by its permanent id.
    AgentSuspended { agent: Box<str>, decided_by: OperatorDecision },
    /// Policy lets an agent go on.
    AgentReinstated { agent: Box<str>, decided_by: OperatorDecision },
    /// Something of the USDT wallet.
    Wallet(Box<wallet::Fact>),
    /// An account got another key, for one that was lost or revoked.
    KeyReplaced { account: Box<str>, key: KeyHash, decided_by: OperatorDecision },
    /// An account's key was revoked.
    KeyRevoked { account: Box<str>, decided_by: OperatorDecision },
    /// A fact, with what is reported beside it once and shown ever after.
    Described { fact: Box<Fact>, beside: Beside },
    /// Nothing but time.
    TimePassed,
}

/// Where the money of a delivery given up goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GiveUpTo {
    /// Back to the payer of a purchase, by this return.
    Payer(Box<str>),
    /// To custody: of a purchase, the customer's; of a conversion, where it came from.
    Custody,
}

impl Intent {
    /// The identity of a fact; requests and the passing of time have none.
    #[must_use]
    pub fn outside(&self) -> Option<ExternalId> {
        let Self::Fact(reported) = self else { return None };
        let named = |scope, id: &str| Some(ExternalId { scope, id: id.into() });
        match reported.fact.bare() {
            Fact::PixReceived { payment, .. } | Fact::PixSeen { payment, .. } => {
                named(Scope::ReceivedPix, &payment.e2e)
            }
            Fact::PixReturned { return_id, .. } => named(Scope::ReturnedDeposit, return_id),
            Fact::PayoutPaid { e2e, .. } => named(Scope::SentPix, e2e),
            Fact::PayoutReturned { return_id, .. } => named(Scope::ReturnedPayout, return_id),
            Fact::Sale { report, .. } if report.outside().is_some() => report.outside(),
            Fact::Wallet(fact) if fact.outside().is_some() => fact.outside(),
            _ => reported.id.as_deref().and_then(|id| named(Scope::Fact, id)),
        }
    }
}

impl Fact {
    /// What kind of fact this is.
    #[must_use]
    pub const fn kind(&self) -> FactKind {
        match self {
            Self::AccountOpened { .. } => FactKind::AccountOpened,
            Self::PolicyAdopted(_) => FactKind::PolicyAdopted,
            Self::TermsAdopted { .. } => FactKind::TermsAdopted,
            Self::TreasuryMoved { .. } => FactKind::TreasuryMoved,
            Self::PixReceived { .. } => FactKind::PixReceived,
            Self::PixReturned { .. } => FactKind::PixReturned,
            Self::ProviderReleased { .. } => FactKind::ProviderReleased,
            Self::ProviderCancelled { .. } => FactKind::ProviderCancelled,
            Self::PayoutSubmitted { .. } => FactKind::PayoutSubmitted,
            Self::PayoutPaid { .. } => FactKind::PayoutPaid,
            Self::PayoutRefused { .. } => FactKind::PayoutRefused,
            Self::PayoutUnknown { .. } => FactKind::PayoutUnknown,
            Self::PayoutReturned { .. } => FactKind::PayoutReturned,
            Self::PayoutEvidence { .. } => FactKind::PayoutEvidence,
            Self::HoldPlaced { .. } => FactKind::HoldPlaced,
            Self::HoldReleased { .. } => FactKind::HoldReleased,
            Self::SuspenseAttached { .. } => FactKind::SuspenseAttached,
            Self::SuspenseReturned { .. } => FactKind::SuspenseReturned,
            Self::FeeAdjusted { .. } => FactKind::FeeAdjusted,
            Self::BalanceWrittenOff { .. } => FactKind::BalanceWrittenOff,
            Self::TimePassed => FactKind::TimePassed,
            Self::CatalogueUpdated { .. } => FactKind::CatalogueUpdated,
            Self::RateQuoted { .. } => FactKind::RateQuoted,
            Self::MarketsUpdated { .. } => FactKind::MarketsUpdated,
            Self::PayerReviewed { .. } => FactKind::PayerReviewed,
            Self::PixSeen { .. } => FactKind::PixSeen,
            Self::ProviderSettled { .. } => FactKind::ProviderSettled,
            Self::ProviderHeld { .. } => FactKind::ProviderHeld,
            Self::Delivery { command, .. } => match command.report {
                DeliveryReport::Begin => FactKind::DeliveryStarted,
                DeliveryReport::Accept => FactKind::DeliveryAccepted,
                DeliveryReport::Confirm(_) => FactKind::DeliverySent,
                DeliveryReport::Fail => FactKind::DeliveryFailed,
                DeliveryReport::Lose => FactKind::DeliveryUnknown,
            },
            Self::DeliveryEvidence { .. } => FactKind::DeliveryEvidence,
            Self::DeliveryGivenUp { .. } => FactKind::DeliveryGivenUp,
            Self::DeliveryResumed { .. } => FactKind::DeliveryResumed,
            Self::PayoutStopped { .. } => FactKind::PayoutStopped,
            Self::PayoutCleared { .. } => FactKind::PayoutCleared,
            Self::CoinsMoved { .. } => FactKind::TreasuryMoved,
            Self::ErroneousDeliverySettled { .. } => FactKind::ErroneousDeliverySettled,
            Self::CourtOrdered { .. } => FactKind::CourtOrdered,
            Self::Sale { report, .. } => report.kind(),
            Self::AgentActivated(_) => FactKind::AgentActivated,
            Self::AgentSuspended { .. } => FactKind::AgentSuspended,
            Self::AgentReinstated { .. } => FactKind::AgentReinstated,
            Self::Wallet(fact) => fact.kind(),
            Self::Described { fact, .. } => fact.kind(),
            Self::KeyReplaced { .. } => FactKind::KeyReplaced,
            Self::KeyRevoked { .. } => FactKind::KeyRevoked,
        }
    }

    /// The operation the fact is about, if it names one.
    #[must_use]
    pub const fn about(&self) -> Option<OpId> {
        match self {
            Self::PixReceived { charge: op, .. }
            | Self::PixReturned { charge: op, .. }
            | Self::ProviderReleased { charge: op, .. }
            | Self::ProviderCancelled { charge: op }
            | Self::PayoutSubmitted { payout: op }
            | Self::PayoutPaid { payout: op, .. }
            | Self::PayoutRefused { payout: op }
            | Self::PayoutUnknown { payout: op }
            | Self::PayoutReturned { payout: op, .. }
            | Self::PayoutEvidence { payout: op, .. }
            | Self::HoldPlaced { cause: op, .. }
            | Self::HoldReleased { hold: op, .. }
            | Self::CourtOrdered { hold: op, .. }
            | Self::SuspenseAttached { suspense: op, .. }
            | Self::SuspenseReturned { suspense: op, .. }
            | Self::PixSeen { charge: op, .. }
            | Self::ProviderSettled { charge: op }
            | Self::ProviderHeld { charge: op, .. }
            | Self::Delivery { op, .. }
            | Self::DeliveryEvidence { op, .. }
            | Self::DeliveryGivenUp { op, .. }
            | Self::DeliveryResumed { op, .. }
            | Self::PayoutStopped { payout: op, .. }
            | Self::PayoutCleared { payout: op, .. }
            | Self::Sale { order: op, .. }
            | Self::ErroneousDeliverySettled { erroneous_delivery: op, .. } => *op,
            Self::Wallet(fact) => fact.about(),
            Self::Described { fact, .. } => fact.about(),
            Self::AccountOpened { .. }
            | Self::PolicyAdopted(_)
            | Self::TermsAdopted { .. }
            | Self::TreasuryMoved { .. }
            | Self::FeeAdjusted { .. }
            | Self::BalanceWrittenOff { .. }
            | Self::CatalogueUpdated { .. }
            | Self::RateQuoted { .. }
            | Self::MarketsUpdated { .. }
            | Self::PayerReviewed { .. }
            | Self::CoinsMoved { .. }
            | Self::AgentActivated(_)
            | Self::AgentSuspended { .. }
            | Self::AgentReinstated { .. }
            | Self::KeyReplaced { .. }
            | Self::KeyRevoked { .. }
            | Self::TimePassed => None,
        }
    }
}

impl Fact {
    /// The fact itself, without what is reported beside it.
    #[must_use]
    pub const fn bare(&self) -> &Self {
        match self {
            Self::Described { fact, .. } => fact,
            fact => fact,
        }
    }

    /// The fact, with what is reported beside it.
    #[must_use]
    pub fn with(self, beside: Option<Beside>) -> Self {
        match beside {
            Some(beside) => Self::Described { fact: Box::new(self), beside },
            None => self,
        }
    }
}
