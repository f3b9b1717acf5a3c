//! The kinds of facts, by frozen number: what is set aside is recorded by its kind.

use minicbor::{Decode, Encode};

/// The kinds of facts, for what is set aside without money.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Encode, Decode)]
#[cbor(index_only)]
#[allow(missing_docs)] // Each is documented on the variant of its domain's `Fact`.
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
    #[n(92)]
    AccountMoved,
    #[n(93)]
    AccountArriving,
    #[n(94)]
    BalanceCarried,
    #[n(95)]
    InstructionHandedOut,
    #[n(96)]
    ProductAccountDeclared,
    #[n(97)]
    EntryPosted,
    #[n(98)]
    EntryReversed,
    #[n(99)]
    ReservationMade,
    #[n(100)]
    ReservationCaptured,
    #[n(101)]
    TemplateAdopted,
    #[n(102)]
    TemplatePosted,
    #[n(103)]
    BalanceOpened,
    #[n(104)]
    OpeningBalancesClosed,
    #[n(105)]
    StatementReceived,
    #[n(106)]
    DayClosed,
    #[n(107)]
    DayReopened,
    #[n(108)]
    RecoveryOpened,
    #[n(109)]
    RecoveryBlocked,
    #[n(110)]
    RecoveryDecided,
    #[n(111)]
    RecoveryRefunded,
}

impl FactKind {
    /// Tells whether a fact of this kind has an id of its own, by which it is known for ever; the
    /// others are known by what the world calls them, and the passing of time is no news twice.
    #[must_use]
    pub const fn needs_id(self) -> bool {
        !matches!(
            self,
            Self::PixReceived
                | Self::PixSeen
                | Self::PixReturned
                | Self::PayoutPaid
                | Self::PayoutReturned
                | Self::DepositSeen
                | Self::DepositConfirmed
                | Self::DepositVanished
                | Self::CashOutPaid
                | Self::CashOutReversed
                | Self::WalletDepositSeen
                | Self::WalletPaymentPaid
                | Self::RecoveryRefunded
                | Self::InstructionHandedOut
                | Self::TimePassed
        )
    }
}
