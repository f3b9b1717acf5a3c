//! What clients are notified of: the topics of notifications.

/// What a notification is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Topic {
    /// A charge will be held by us once it is paid.
    ChargeHeld,
    /// A charge was paid, and the provider holds it.
    ChargeDelayed,
    /// A charge was paid and credited, or buys crypto now; a conversion was debited.
    ChargePaid,
    /// The credit is available, or the crypto was sent.
    ChargeSettled,
    /// A send failed; it is retried.
    SettlementFailed,
    /// A charge was not paid in time.
    ChargeExpired,
    /// All of it went back: to the payer, or to the balance it came from.
    ChargeRefunded,
    /// The provider cancelled a charge before payment.
    ChargeFailed,
    /// A payout was debited.
    PayoutCreated,
    /// A payout is at the provider.
    PayoutProcessing,
    /// A payout was paid.
    PayoutCompleted,
    /// A payout was not paid.
    PayoutFailed,
    /// A payout came back, in part or whole.
    PayoutReturned,
    /// A sale was accepted: the deposit is awaited.
    CashOutAccepted,
    /// A deposit was seen.
    DepositDetected,
    /// What was deposited is being sold or paid.
    CashOutProcessing,
    /// A person has to look.
    CashOutUnderReview,
    /// A refund is under way.
    CashOutRefunding,
    /// The PIX was paid.
    CashOutCompleted,
    /// The refund was sent.
    CashOutRefunded,
    /// The quote or the deposit came to nothing in time.
    CashOutExpired,
    /// The sale came to nothing.
    CashOutFailed,
    /// A refund is due and no return wallet is known.
    RefundAddressAwaited,
    /// A deposit into a USDT wallet was credited.
    WalletDepositCredited,
    /// A payment from a USDT wallet was paid.
    WalletPaymentCompleted,
    /// A payment from a USDT wallet failed, before or after it was sent (P:FailedEvents).
    WalletPaymentFailed,
    /// Somebody tries whether an endpoint hears.
    WebhookTest,
}
