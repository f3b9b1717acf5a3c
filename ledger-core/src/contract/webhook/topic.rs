//! When each event is sent, and what its `data` is.

use crate::contract::schema::answer::AnswerField;
use crate::contract::{charge, payout, sale, wallet};
use crate::ledger::Topic;

/// When an event of this topic is sent, a sentence without its subject.
#[must_use]
pub const fn topic_meaning(topic: Topic) -> &'static str {
    match topic {
        Topic::WebhookTest => "`POST /webhooks/test` was asked for.",
        Topic::ChargeDelayed => "The PIX was paid, and the provider holds its release.",
        Topic::ChargePaid => "The PIX was paid and counts.",
        Topic::ChargeSettled => "The crypto was sent, or the credit completed.",
        Topic::SettlementFailed => "The delivery failed; it is tried again.",
        Topic::ChargeExpired => "The charge was not paid before `expires_at`.",
        Topic::ChargeRefunded => "The PIX went back to the payer.",
        Topic::ChargeFailed => "The provider cancelled the charge before it was paid.",
        Topic::ChargeHeld => "What was paid is held.",
        Topic::CashOutAccepted => "The order was accepted and awaits its deposit.",
        Topic::DepositDetected => "The deposit was seen on its network.",
        Topic::CashOutProcessing => "The order is being sold and paid.",
        Topic::CashOutUnderReview => "The order waits for a person.",
        Topic::CashOutRefunding => "The deposit is being returned.",
        Topic::CashOutCompleted => "The PIX was paid.",
        Topic::CashOutRefunded => "The deposit was returned, or the PIX was reversed.",
        Topic::CashOutExpired => "The quote or its deposit came too late.",
        Topic::CashOutFailed => "The order failed.",
        Topic::RefundAddressAwaited => "A refund is due and no return wallet is known.",
        Topic::WalletDepositCredited => "A deposit into the wallet was credited.",
        Topic::WalletPaymentCompleted => "A payment from the wallet was paid.",
        Topic::WalletPaymentFailed => "A payment from the wallet failed.",
        Topic::PayoutCreated => "A payout was asked for, and its amount reserved.",
        Topic::PayoutProcessing => "A payout was handed to the provider.",
        Topic::PayoutCompleted => "The PIX of a payout was paid.",
        Topic::PayoutFailed => "A payout failed, and its amount returned.",
        Topic::PayoutReturned => "A PIX that was paid came back.",
    }
}

/// The operation that `data` of an event of this topic shows: what it is called, and its fields;
/// none for `webhook.test`, which shows no operation.
#[must_use]
pub const fn topic_data(topic: Topic) -> Option<(&'static str, &'static [AnswerField])> {
    Some(match topic {
        Topic::WebhookTest => return None,
        Topic::ChargeDelayed
        | Topic::ChargePaid
        | Topic::ChargeSettled
        | Topic::SettlementFailed
        | Topic::ChargeExpired
        | Topic::ChargeRefunded
        | Topic::ChargeFailed
        | Topic::ChargeHeld => ("ChargeDetail", charge::wire::CHARGE),
        Topic::CashOutAccepted
        | Topic::DepositDetected
        | Topic::CashOutProcessing
        | Topic::CashOutUnderReview
        | Topic::CashOutRefunding
        | Topic::CashOutCompleted
        | Topic::CashOutRefunded
        | Topic::CashOutExpired
        | Topic::CashOutFailed
        | Topic::RefundAddressAwaited => ("CashOut", sale::wire::ORDER),
        Topic::WalletDepositCredited => ("WalletDeposit", wallet::wire::DEPOSIT),
        Topic::WalletPaymentCompleted | Topic::WalletPaymentFailed => {
            ("WalletPayment", wallet::wire::PAYMENT)
        }
        Topic::PayoutCreated
        | Topic::PayoutProcessing
        | Topic::PayoutCompleted
        | Topic::PayoutFailed
        | Topic::PayoutReturned => ("Payout", payout::wire::PAYOUT),
    })
}
