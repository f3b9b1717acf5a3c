//! The words facts and events share: who decided, which of our own accounts, which kind of fact.

use minicbor::{Decode, Encode};

use crate::accounting::{Account, CoinAccount};
use crate::id::{ChainId, Token};

/// Who decided, why, and on what evidence; all of it in the vault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct OperatorDecision {
    /// Who decided, under a token of the vault.
    #[n(0)]
    pub actor: Token,
    /// The reason given, under a token of the vault.
    #[n(1)]
    pub reason: Token,
    /// On what evidence.
    #[n(2)]
    pub evidence: Option<Token>,
}

/// An account of our own money (rulings 30).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
#[cbor(index_only)]
pub enum OwnAccount {
    /// `equity.funding`: own money put in or taken out.
    #[n(0)]
    Funding,
    /// `prov.pix`: PIX collected, held at the provider.
    #[n(1)]
    ProviderPix,
    /// `prov.pay`: the prefunded float of payouts.
    #[n(2)]
    ProviderPay,
    /// `recv.prov`: a claim on the provider.
    #[n(3)]
    ProviderClaim,
    /// `tariff.due`: tariffs owed to the provider.
    #[n(4)]
    TariffDue,
    /// `fx`: what an exchange took or gave in reais.
    #[n(5)]
    Fx,
}

/// An account of our own crypto (rulings 30).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub enum OwnCoins {
    /// `equity.funding`: own coins put in or taken out.
    #[n(0)]
    Funding,
    /// `treas`: the stock on a network.
    #[n(1)]
    Treasury(#[n(0)] ChainId),
    /// `exp.gas`: what networks took.
    #[n(2)]
    Gas,
    /// `recv.prov`: a claim on whoever received it.
    #[n(3)]
    ProviderClaim,
    /// `fx`: what an exchange took or gave in the asset.
    #[n(4)]
    Fx,
    /// `exp.loss`: coins given up as lost.
    #[n(5)]
    Loss,
}

/// Which income a fee correction touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
#[cbor(index_only)]
pub enum Income {
    /// `rev.deposit`: the fee on deposits.
    #[n(0)]
    Deposit,
    /// `rev.payout`: the house's fee on payouts.
    #[n(1)]
    Payout,
    /// `rev.purchase`: the house's fee on purchases.
    #[n(2)]
    Purchase,
    /// `rev.conv`: the house's fee on conversions.
    #[n(3)]
    Conversion,
}

/// The kinds of facts, for what is set aside without money.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Encode, Decode)]
#[cbor(index_only)]
#[allow(missing_docs)] // Each is documented on the variant of `Fact`, or of the wallet's, that bears its name.
pub enum FactKind {
    #[n(0)]
    AccountOpened,
    #[n(1)]
    PolicyAdopted,
    #[n(2)]
    TermsAdopted,
    #[n(3)]
    TreasuryMoved,
    #[n(4)]
    PixReceived,
    #[n(5)]
    PixReturned,
    #[n(6)]
    ProviderReleased,
    #[n(7)]
    ProviderCancelled,
    #[n(8)]
    PayoutSubmitted,
    #[n(9)]
    PayoutPaid,
    #[n(10)]
    PayoutRefused,
    #[n(11)]
    PayoutUnknown,
    #[n(12)]
    PayoutReturned,
    #[n(13)]
    PayoutEvidence,
    #[n(14)]
    HoldPlaced,
    #[n(15)]
    HoldReleased,
    #[n(16)]
    SuspenseAttached,
    #[n(17)]
    SuspenseReturned,
    #[n(18)]
    FeeAdjusted,
    #[n(19)]
    BalanceWrittenOff,
    #[n(20)]
    TimePassed,
    #[n(21)]
    CatalogueUpdated,
    #[n(22)]
    RateQuoted,
    #[n(23)]
    PayerReviewed,
    #[n(24)]
    PixSeen,
    #[n(25)]
    ProviderSettled,
    #[n(26)]
    ProviderHeld,
    #[n(27)]
    DeliveryStarted,
    #[n(28)]
    DeliveryAccepted,
    #[n(29)]
    DeliverySent,
    #[n(30)]
    DeliveryFailed,
    #[n(31)]
    DeliveryUnknown,
    #[n(32)]
    DeliveryEvidence,
    #[n(33)]
    DeliveryGivenUp,
    #[n(34)]
    PayoutStopped,
    #[n(35)]
    PayoutCleared,
    #[n(36)]
    ErroneousDeliverySettled,
    #[n(37)]
    CourtOrdered,
    #[n(38)]
    MarketsUpdated,
    #[n(39)]
    DepositSeen,
    #[n(40)]
    DepositConfirmed,
    #[n(41)]
    DepositVanished,
    #[n(42)]
    SaleStarted,
    #[n(43)]
    SaleFilled,
    #[n(44)]
    SaleFailed,
    #[n(45)]
    SaleUnknown,
    #[n(46)]
    SaleForwarding,
    #[n(47)]
    SaleForwarded,
    #[n(48)]
    CashOutDelayed,
    #[n(49)]
    CashOutResumed,
    #[n(50)]
    PaymentStarted,
    #[n(51)]
    CashOutPaid,
    #[n(52)]
    SendFailed,
    #[n(53)]
    PaymentImpossible,
    #[n(54)]
    KeyRefused,
    #[n(55)]
    PaymentUnknown,
    #[n(56)]
    TokenHandedOver,
    #[n(57)]
    TokenReturned,
    #[n(58)]
    CashOutReversed,
    #[n(59)]
    CashOutCancelled,
    #[n(60)]
    CashOutStopped,
    #[n(61)]
    CashOutCleared,
    #[n(62)]
    RefundDecided,
    #[n(63)]
    RefundSent,
    #[n(64)]
    RefundFailed,
    #[n(65)]
    RefundUnknown,
    #[n(66)]
    AgentActivated,
    #[n(67)]
    AgentSuspended,
    #[n(68)]
    AgentReinstated,
    #[n(69)]
    WalletConfigured,
    #[n(70)]
    WalletDepositAssigned,
    #[n(71)]
    WalletDepositSeen,
    #[n(72)]
    WalletDepositConfirmed,
    #[n(73)]
    WalletDepositDoubted,
    #[n(74)]
    WalletDepositJudged,
    #[n(75)]
    WalletDepositReversed,
    #[n(76)]
    CryptoWithdrawalStarted,
    #[n(77)]
    CryptoWithdrawalFunded,
    #[n(78)]
    CryptoWithdrawalConverted,
    #[n(79)]
    CryptoWithdrawalSent,
    #[n(80)]
    CryptoWithdrawalUnknown,
    #[n(81)]
    CryptoWithdrawalEvidence,
    #[n(82)]
    WalletPaymentStarted,
    #[n(83)]
    WalletPaymentSent,
    #[n(84)]
    WalletPaymentConfirmed,
    #[n(85)]
    WalletPaymentPaid,
    #[n(86)]
    WalletPaymentFailed,
    #[n(87)]
    WalletPaymentUnknown,
    #[n(88)]
    WalletPaymentResolved,
    #[n(89)]
    KeyReplaced,
    #[n(90)]
    KeyRevoked,
    #[n(91)]
    DeliveryResumed,
}

impl OwnAccount {
    /// The account in the chart.
    #[must_use]
    pub const fn account(self) -> Account {
        match self {
            Self::Funding => Account::Funding,
            Self::ProviderPix => Account::ProviderPix,
            Self::ProviderPay => Account::ProviderPay,
            Self::ProviderClaim => Account::ProviderClaim,
            Self::TariffDue => Account::TariffDue,
            Self::Fx => Account::Fx,
        }
    }

    /// Reads the account's name in the chart.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        let all = [
            Self::Funding,
            Self::ProviderPix,
            Self::ProviderPay,
            Self::ProviderClaim,
            Self::TariffDue,
            Self::Fx,
        ];
        all.into_iter().find(|own| own.account().control().name() == name)
    }
}

impl OwnCoins {
    /// The account in the chart.
    #[must_use]
    pub const fn account(self) -> CoinAccount {
        match self {
            Self::Funding => CoinAccount::Funding,
            Self::Treasury(chain) => CoinAccount::Treasury(chain),
            Self::Gas => CoinAccount::Gas,
            Self::ProviderClaim => CoinAccount::ProviderClaim,
            Self::Fx => CoinAccount::Fx,
            Self::Loss => CoinAccount::Loss,
        }
    }
}

impl Income {
    /// The account in the chart.
    #[must_use]
    pub const fn account(self) -> Account {
        match self {
            Self::Deposit => Account::DepositIncome,
            Self::Payout => Account::PayoutIncome,
            Self::Purchase => Account::PurchaseIncome,
            Self::Conversion => Account::ConversionIncome,
        }
    }
}
