//! What an agent's mandate lets its account send, and what of a day is used (AGT-13 to AGT-18).

use super::operation::Machine;
use super::refusal::Refusal;
use super::state::State;
use super::usage::Usage;
use crate::id::{AccountId, Token};
use crate::machine::cash_out::{self, Funding, Stage};
use crate::machine::wallet::payment;
use crate::machine::{conversion, payout};
use crate::money::{Amount, Share};
use crate::terms::{Excess, Mandate};
use crate::time::Instant;

/// Reais that leave by an operation of an account, as long as it has not come to nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outgoing {
    /// Whose.
    pub account: AccountId,
    /// How many centavos; fees are not counted.
    pub amount: Amount,
    /// Who receives it, or withdraws it: a CPF or CNPJ, where one is known.
    pub counterparty: Option<Token>,
    /// When it was created: it counts for that day.
    pub at: Instant,
}

impl Machine {
    /// What the operation sends, as it stands: nothing, if it sends no reais, if it failed, or once
    /// all of it came back (P:MandateDay).
    ///
    /// A withdrawal of commission sends the partner's own earnings, and is no payment of an agent.
    #[must_use]
    pub fn outgoing(&self) -> Option<Outgoing> {
        match self {
            Self::Payout(
                payout::State::Requested(order)
                | payout::State::UnderReview(order)
                | payout::State::Submitted(order)
                | payout::State::Uncertain(order),
            ) => Some(of_payout(order)),
            Self::Payout(payout::State::Completed(paid)) => Some(of_payout(&paid.order)),
            Self::Conversion(conversion::State::Paid(standing)) => {
                let order = &standing.order;
                order.source.custody().map(|_| Outgoing {
                    account: order.account,
                    amount: order.amount,
                    counterparty: order.tax_number,
                    at: order.created_at,
                })
            }
            Self::CashOut(cash_out::State::Known(standing)) => of_sale(standing),
            Self::WalletPayment(payment::State::Known(standing)) => of_payment(standing),
            Self::Payout(
                payout::State::Absent | payout::State::Failed(_) | payout::State::Returned(_),
            )
            | Self::Conversion(conversion::State::Absent | conversion::State::Refunded(_))
            | Self::CashOut(cash_out::State::Absent)
            | Self::WalletPayment(payment::State::Absent)
            | Self::WalletDeposit(_)
            | Self::CryptoWithdrawal(_)
            | Self::Quote(_)
            | Self::Receipt(_)
            | Self::Charge(_)
            | Self::Transfer(_)
            | Self::Hold(_)
            | Self::Suspense(_)
            | Self::Stray(_)
            | Self::Adjustment(_) => None,
        }
    }
}

fn of_payout(order: &payout::Order) -> Outgoing {
    Outgoing {
        account: order.account,
        amount: order.amount,
        counterparty: Some(order.tax_number),
        at: order.created_at,
    }
}

/// A payment from a wallet sends from its request on, unless it failed or its reserve went back.
fn of_payment(standing: &payment::Standing) -> Option<Outgoing> {
    let returned = matches!(standing.resolution, Some(payment::Resolution::Returned(_)));
    let order = &standing.order;
    (standing.stage != payment::Stage::Failed && !returned).then_some(Outgoing {
        account: order.account,
        amount: order.net,
        counterparty: order.payee.tax_number,
        at: order.created_at,
    })
}

/// A sale sends from its quote on, so that two quotes cannot promise one ceiling twice; a payment
/// from the wallet counts itself.
fn of_sale(standing: &cash_out::Standing) -> Option<Outgoing> {
    let order = &standing.order;
    let ended = matches!(standing.stage, Stage::Expired | Stage::Failed | Stage::Refunding);
    if ended || order.funding != Funding::Seller {
        return None;
    }
    Some(Outgoing {
        account: order.account,
        amount: standing.sale.map_or(order.deal.net, |sale| sale.deal.net),
        counterparty: standing.payee.tax_number,
        at: order.created_at,
    })
}

impl State {
    /// The mandate of the agent that an account belongs to, if it belongs to one that has set one.
    #[must_use]
    pub fn mandate(&self, account: AccountId) -> Option<&Mandate> {
        let member = self.member(self.agent_of(account)?)?;
        member.state.agent()?.mandate.as_ref()
    }

    /// Whether the mandate lets an account send `amount` to `counterparty` at `at`; in the order of
    /// rulings 6 after the feature switch and before the destination.
    ///
    /// # Errors
    ///
    /// The [`Refusal`], with what would pass.
    pub fn mandate_admits(
        &self,
        account: AccountId,
        amount: Amount,
        counterparty: Option<Token>,
        at: Instant,
    ) -> Result<(), Refusal> {
        let Some(mandate) = self.mandate(account) else { return Ok(()) };
        let used = self.usage(account).on(at).sent;
        mandate.admits(amount, used, counterparty).map_err(|excess| match excess {
            Excess::Operation { most } => Refusal::MandateExceeded { most, until: None },
            Excess::Day { left } => {
                let until = Some(at.next_day_in_brasilia());
                Refusal::MandateExceeded { most: left, until }
            }
            Excess::Counterparty => Refusal::CounterpartyNotAllowed,
        })
    }

    /// What may be sent at once under what the platform allows and the mandate: the lower of the two
    /// (INV-42).
    #[must_use]
    pub fn ceiling(&self, account: AccountId, platform: Amount) -> Share {
        let mandate = self.mandate(account);
        mandate.map_or(platform.share(), |mandate| mandate.ceiling(platform))
    }

    /// Counts what an operation sends for the day it was created on, and no longer once it came to
    /// nothing.
    pub(super) fn count_outgoing(&mut self, before: Option<&Machine>, after: &Machine) {
        let (was, is) = (before.and_then(Machine::outgoing), after.outgoing());
        if was == is {
            return;
        }
        let mut usage = |of: Outgoing, change: fn(&mut Usage, Amount, Instant)| {
            if let Some(usage) = self.usage.get_mut(of.account.0 as usize) {
                change(usage, of.amount, of.at);
            }
        };
        if let Some(of) = was {
            usage(of, Usage::unsend);
        }
        if let Some(of) = is {
            usage(of, Usage::send);
        }
    }
}
