//! The kinds of facts that a record may be of, as far as its events tell.

use super::payments::{is_charge, is_delivery, is_purchase};
use super::recorded::FirstReport;
use crate::ledger::{Archive, Event, FactKind};
use crate::machine::entry::Event as Entry;
use crate::machine::hold::{Event as Hold, Kind as HoldKind};
use crate::machine::suspense::Event as Suspense;
use crate::machine::wallet::{deposit, payment, withdrawal};
use crate::machine::{
    agent, cash_out, charge, conversion, delivery, erroneous_delivery, payout, purchase,
    unmatched_deposit,
};

impl<A: Archive> FirstReport<'_, A> {
    /// Tells whether the record may be of a fact of this kind.
    pub(super) fn is_of_kind(&self, kind: FactKind) -> bool {
        let events = &self.record.events;
        let told = events.iter().find_map(|event| match event {
            Event::SetAside { fact, .. } | Event::Repeated { fact, .. } => Some(*fact == kind),
            _ => None,
        });
        let others = |event: &Event| !may_stand_beside(kind, event);
        told.unwrap_or_else(|| {
            events.iter().any(|event| may_make(kind, event)) && !events.iter().any(others)
        })
    }
}

/// Tells whether a fact of this kind may have made the event; one that is known by an id of the
/// world may have been told as another kind.
#[allow(clippy::too_many_lines)] // One line a kind, so that a new one is asked.
fn may_make(kind: FactKind, event: &Event) -> bool {
    use cash_out::Event as Sale;
    match kind {
        FactKind::AccountOpened => matches!(event, Event::AccountOpened { .. }),
        FactKind::PolicyAdopted | FactKind::WalletConfigured => {
            matches!(event, Event::PolicyAdopted(_))
        }
        FactKind::TermsAdopted => matches!(event, Event::TermsAdopted { .. }),
        FactKind::KeyReplaced => matches!(event, Event::KeyReplaced { .. }),
        FactKind::KeyRevoked => matches!(event, Event::KeyRevoked { .. }),
        FactKind::OpeningBalancesClosed => matches!(event, Event::OpeningBalancesClosed { .. }),
        FactKind::AccountMoved => matches!(event, Event::ResidenceChanged { .. }),
        FactKind::AccountArriving => matches!(event, Event::AccountCarried { .. }),
        FactKind::BalanceCarried => matches!(event, Event::BalanceCarried { .. }),
        FactKind::AgentActivated => is_agent(event, |it| {
            matches!(it, agent::Event::Admitted(_) | agent::Event::Activated { .. })
        }),
        FactKind::AgentSuspended => is_agent(event, |it| matches!(it, agent::Event::Suspended)),
        FactKind::AgentReinstated => is_agent(event, |it| matches!(it, agent::Event::Reinstated)),
        FactKind::TreasuryMoved => {
            matches!(event, Event::TreasuryMoved { .. } | Event::CoinsMoved { .. })
        }
        FactKind::FeeAdjusted => matches!(event, Event::FeeAdjusted { .. }),
        FactKind::BalanceWrittenOff => matches!(event, Event::BalanceWrittenOff { .. }),
        FactKind::CatalogueUpdated => {
            matches!(event, Event::CatalogueUpdated { .. } | Event::NetworkPages(_))
        }
        FactKind::MarketsUpdated => matches!(event, Event::MarketsUpdated { .. }),
        FactKind::RateQuoted => matches!(event, Event::RateQuoted { .. }),
        FactKind::PayerReviewed => matches!(event, Event::PayerReviewed { .. }),
        FactKind::HoldPlaced => is_placed(event, |kind| kind != HoldKind::Reservation),
        FactKind::ReservationMade => is_placed(event, |kind| kind == HoldKind::Reservation),
        FactKind::HoldReleased => is_hold(event, |it| matches!(it, Hold::Released { .. })),
        FactKind::ReservationCaptured => is_hold(event, |it| matches!(it, Hold::Captured { .. })),
        FactKind::CourtOrdered => is_suspense(event, |it| matches!(it, Suspense::Ordered { .. })),
        FactKind::SuspenseAttached => is_suspense(event, |it| {
            matches!(it, Suspense::Attached(_) | Suspense::TakenOver { .. })
        }),
        FactKind::SuspenseReturned => {
            is_suspense(event, |it| matches!(it, Suspense::Returned(_) | Suspense::SentBack { .. }))
        }
        FactKind::ErroneousDeliverySettled => {
            let settled = |it: &_| matches!(it, erroneous_delivery::Event::Settled { .. });
            matches!(event, Event::ErroneousDelivery { event, .. } if settled(event))
        }
        FactKind::RecoveryOpened => matches!(event, Event::RecoveryOpened { .. }),
        FactKind::RecoveryBlocked => matches!(event, Event::RecoveryBlocked { .. }),
        FactKind::RecoveryDecided => matches!(event, Event::RecoveryDecided { .. }),
        FactKind::ProductAccountDeclared => matches!(event, Event::ProductAccountDeclared { .. }),
        FactKind::TemplateAdopted => matches!(event, Event::TemplateAdopted { .. }),
        FactKind::EntryPosted | FactKind::BalanceOpened => {
            is_entry(event, |it| matches!(it, Entry::Posted { template: None, .. }))
        }
        FactKind::TemplatePosted => {
            is_entry(event, |it| matches!(it, Entry::Posted { template: Some(_), .. }))
        }
        FactKind::EntryReversed => is_entry(event, |it| matches!(it, Entry::Reversed { .. })),
        FactKind::StatementReceived => matches!(event, Event::StatementReceived(_)),
        FactKind::DayClosed => matches!(event, Event::DayClosed(_)),
        FactKind::DayReopened => matches!(event, Event::DayReopened { .. }),
        FactKind::ProviderCancelled => is_charge(event, |it| matches!(it, charge::Event::Failed)),
        FactKind::ProviderHeld => is_charge(event, is_held),
        FactKind::ProviderSettled => is_charge(event, is_settled),
        FactKind::ProviderReleased => is_charge(event, |it| is_held(it) || is_settled(it)),
        FactKind::PayoutSubmitted => is_payout(event, |it| matches!(it, payout::Event::Submitted)),
        FactKind::PayoutRefused => {
            is_payout(event, |it| matches!(it, payout::Event::Failed { .. }))
        }
        FactKind::PayoutUnknown => is_payout(event, |it| matches!(it, payout::Event::Uncertain)),
        FactKind::PayoutEvidence => is_payout(event, |it| {
            matches!(it, payout::Event::Completed { .. } | payout::Event::Failed { .. })
        }),
        FactKind::PayoutStopped => is_payout(event, |it| matches!(it, payout::Event::Stopped)),
        FactKind::PayoutCleared => is_payout(event, |it| matches!(it, payout::Event::Cleared)),
        FactKind::DeliveryStarted => is_delivery(event, |it| {
            matches!(it, delivery::Event::Begun(_) | delivery::Event::BegunAgain { .. })
        }),
        FactKind::DeliveryAccepted => {
            is_delivery(event, |it| matches!(it, delivery::Event::Accepted))
        }
        FactKind::DeliveryFailed => is_delivery(event, |it| matches!(it, delivery::Event::Failed)),
        FactKind::DeliveryUnknown => {
            is_delivery(event, |it| matches!(it, delivery::Event::Unknown))
        }
        FactKind::DeliverySent => {
            is_delivery(event, |it| matches!(it, delivery::Event::Sent { .. }))
        }
        FactKind::DeliveryEvidence => is_delivery(event, |it| {
            matches!(it, delivery::Event::Sent { .. } | delivery::Event::Failed)
        }),
        FactKind::DeliveryGivenUp => match event {
            Event::Conversion { event, .. } => matches!(event, conversion::Event::Refunded { .. }),
            event => is_purchase(event, |it| matches!(it, purchase::Event::GivenUp { .. })),
        },
        FactKind::DeliveryResumed => {
            is_purchase(event, |it| matches!(it, purchase::Event::Resumed { .. }))
        }
        FactKind::SaleStarted => is_sale(event, |it| matches!(it, Sale::SellingBegun { .. })),
        FactKind::SaleFilled => is_sale(event, |it| matches!(it, Sale::SaleFilled { .. })),
        FactKind::SaleFailed => is_sale(event, |it| matches!(it, Sale::SaleFailed { .. })),
        FactKind::SaleForwarding => is_sale(event, |it| matches!(it, Sale::Forwarding)),
        FactKind::SaleForwarded => is_sale(event, |it| matches!(it, Sale::Forwarded { .. })),
        FactKind::CashOutDelayed => is_sale(event, |it| matches!(it, Sale::Delayed)),
        FactKind::CashOutResumed => is_sale(event, |it| matches!(it, Sale::Resumed)),
        FactKind::CashOutCancelled => is_sale(event, |it| matches!(it, Sale::Failed)),
        FactKind::TokenHandedOver => is_sale(event, |it| matches!(it, Sale::HandedOver { .. })),
        FactKind::SaleUnknown | FactKind::CashOutStopped => {
            is_sale(event, |it| matches!(it, Sale::ReviewOpened(_)))
        }
        FactKind::PaymentStarted => {
            is_sale(event, |it| matches!(it, Sale::PaymentBegun { .. } | Sale::ReviewOpened(_)))
        }
        FactKind::PaymentUnknown => is_sale(event, |it| matches!(it, Sale::PaymentLost)),
        FactKind::SendFailed => is_sale(event, |it| {
            matches!(it, Sale::SendFailed { .. } | Sale::PaymentUnwound(_) | Sale::Failed)
        }),
        FactKind::PaymentImpossible => {
            is_sale(event, |it| matches!(it, Sale::PaymentUnwound(_) | Sale::Failed))
        }
        FactKind::KeyRefused => is_sale(event, |it| {
            matches!(it, Sale::KeyRefused(_) | Sale::PaymentUnwound(_) | Sale::Failed)
        }),
        FactKind::CashOutCleared => {
            is_sale(event, |it| matches!(it, Sale::Cleared { .. } | Sale::PaymentResumed { .. }))
        }
        FactKind::TokenReturned => {
            is_sale(event, |it| matches!(it, Sale::RefundDecided { .. } | Sale::TokenRecovered(_)))
        }
        FactKind::RefundDecided => match event {
            Event::UnmatchedDeposit { event, .. } => matches!(
                event,
                unmatched_deposit::Event::RefundDecided { .. }
                    | unmatched_deposit::Event::RefundAllowed { .. }
            ),
            event => {
                is_sale(event, |it| matches!(it, Sale::RefundDecided { .. } | Sale::RefundAllowed))
            }
        },
        FactKind::RefundSent => is_refund(event, |it| matches!(it, Sale::RefundSent { .. })),
        FactKind::RefundFailed => is_refund(event, |it| matches!(it, Sale::RefundFailed)),
        FactKind::RefundUnknown => is_refund(event, |it| matches!(it, Sale::RefundLost)),
        FactKind::WalletDepositDoubted => {
            is_deposit(event, |it| matches!(it, deposit::Event::Doubted { .. }))
        }
        FactKind::WalletDepositJudged => is_deposit(event, |it| {
            matches!(it, deposit::Event::Cleared { .. } | deposit::Event::Rejected { .. })
        }),
        FactKind::WalletDepositReversed => {
            is_deposit(event, |it| matches!(it, deposit::Event::Reversed { .. }))
        }
        FactKind::WalletDepositAssigned | FactKind::WalletDepositConfirmed => {
            matches!(event, Event::WalletDeposit { .. })
        }
        FactKind::CryptoWithdrawalStarted => {
            is_withdrawal(event, |it| matches!(it, withdrawal::Event::Begun))
        }
        FactKind::CryptoWithdrawalFunded => {
            is_withdrawal(event, |it| matches!(it, withdrawal::Event::Funded(_)))
        }
        FactKind::CryptoWithdrawalConverted => {
            is_withdrawal(event, |it| matches!(it, withdrawal::Event::Converted { .. }))
        }
        FactKind::CryptoWithdrawalUnknown => {
            is_withdrawal(event, |it| matches!(it, withdrawal::Event::Questioned(_)))
        }
        FactKind::CryptoWithdrawalSent | FactKind::CryptoWithdrawalEvidence => {
            matches!(event, Event::CryptoWithdrawal { .. })
        }
        FactKind::WalletPaymentFailed => is_payment(event, |it| {
            matches!(it, payment::Event::Failed { .. } | payment::Event::FailedAfterSend(_))
        }),
        FactKind::WalletPaymentUnknown => {
            is_payment(event, |it| matches!(it, payment::Event::Questioned))
        }
        FactKind::WalletPaymentStarted
        | FactKind::WalletPaymentSent
        | FactKind::WalletPaymentConfirmed
        | FactKind::WalletPaymentResolved => matches!(event, Event::WalletPayment { .. }),
        FactKind::PixReceived
        | FactKind::PixSeen
        | FactKind::PixReturned
        | FactKind::PayoutPaid
        | FactKind::PayoutReturned
        | FactKind::CashOutPaid
        | FactKind::CashOutReversed
        | FactKind::DepositSeen
        | FactKind::DepositConfirmed
        | FactKind::DepositVanished
        | FactKind::WalletDepositSeen
        | FactKind::WalletPaymentPaid
        | FactKind::RecoveryRefunded
        | FactKind::InstructionHandedOut
        | FactKind::TimePassed => true,
    }
}

/// Tells whether the event may stand beside those of a fact of this kind: holds are placed and
/// released by facts of many kinds, which another event tells of.
fn may_stand_beside(kind: FactKind, event: &Event) -> bool {
    match kind {
        FactKind::HoldPlaced => !matches!(event, Event::RecoveryBlocked { .. }),
        FactKind::HoldReleased => match event {
            Event::Judged(_) => true,
            Event::Hold { event, .. } => {
                matches!(event, Hold::Released { .. } | Hold::ToppedUp { .. })
            }
            event => is_charge(event, |it| matches!(it, charge::Event::PartRestored { .. })),
        },
        FactKind::ProductAccountDeclared => !matches!(event, Event::Entry { .. }),
        FactKind::ProviderSettled | FactKind::ProviderReleased => {
            !is_suspense(event, |it| matches!(it, Suspense::Attached(_)))
        }
        _ => true,
    }
}

/// Tells whether a PIX that is held becomes so; what went back of it before is booked.
fn is_held(event: &charge::Event) -> bool {
    use charge::Event::{Delayed, ReturnedUncredited, UnderReview, Withheld};
    matches!(
        event,
        Delayed { .. } | ReturnedUncredited { .. } | UnderReview { .. } | Withheld { .. }
    )
}

/// Tells whether a PIX is booked by it.
fn is_settled(event: &charge::Event) -> bool {
    use charge::Event::{Credited, Purchase, ReturnedUncredited};
    match event {
        Credited { .. } | ReturnedUncredited { .. } => true,
        Purchase(event) => {
            matches!(event, purchase::Event::Paid { .. } | purchase::Event::Cleared)
        }
        _ => false,
    }
}

fn is_agent(event: &Event, is: fn(&agent::Event) -> bool) -> bool {
    matches!(event, Event::Agent { event, .. } if is(event))
}

fn is_hold(event: &Event, is: fn(&Hold) -> bool) -> bool {
    matches!(event, Event::Hold { event, .. } if is(event))
}

fn is_placed(event: &Event, is: fn(HoldKind) -> bool) -> bool {
    let placed = |it: &Hold| matches!(it, Hold::Placed { order, .. } if is(order.kind));
    matches!(event, Event::Hold { event, .. } if placed(event))
}

fn is_suspense(event: &Event, is: fn(&Suspense) -> bool) -> bool {
    matches!(event, Event::Suspense { event, .. } if is(event))
}

fn is_entry(event: &Event, is: fn(&Entry) -> bool) -> bool {
    matches!(event, Event::Entry { event, .. } if is(event))
}

fn is_payout(event: &Event, is: fn(&payout::Event) -> bool) -> bool {
    matches!(event, Event::Payout { event, .. } if is(event))
}

fn is_sale(event: &Event, is: fn(&cash_out::Event) -> bool) -> bool {
    matches!(event, Event::CashOut { event, .. } if is(event))
}

/// Tells whether the event is of a refund, of an order or of crypto that no order took.
fn is_refund(event: &Event, is: fn(&cash_out::Event) -> bool) -> bool {
    is_sale(event, is) || matches!(event, Event::UnmatchedDeposit { .. })
}

fn is_deposit(event: &Event, is: fn(&deposit::Event) -> bool) -> bool {
    matches!(event, Event::WalletDeposit { event, .. } if is(event))
}

fn is_withdrawal(event: &Event, is: fn(&withdrawal::Event) -> bool) -> bool {
    matches!(event, Event::CryptoWithdrawal { event, .. } if is(event))
}

fn is_payment(event: &Event, is: fn(&payment::Event) -> bool) -> bool {
    matches!(event, Event::WalletPayment { event, .. } if is(event))
}
