//! Fields of orders that sell crypto, and of crypto that no order took, as events tell them.

use super::recorded::FirstReport;
use super::text::{FieldText, cents, token, units, word};
use crate::id::OpId;
use crate::ledger::{Archive, Event, FactKind};
use crate::machine::cash_out::{self, Deposit, Pix, Proceeds, RefundSource};
use crate::machine::unmatched_deposit;

impl<A: Archive> FirstReport<'_, A> {
    /// Fields of orders that sell crypto, and of crypto that no order took.
    pub(super) fn sale_fields(&self, event: &Event) -> Vec<FieldText> {
        match event {
            Event::CashOut { event, .. } => self.order_fields(event),
            Event::UnmatchedDeposit { event, .. } => self.receipt_fields(event),
            event => self.waiting_fields(event),
        }
    }

    fn order_fields(&self, event: &cash_out::Event) -> Vec<FieldText> {
        match event {
            cash_out::Event::DepositSeen { deposit, .. } => self.deposit_fields(deposit),
            cash_out::Event::DepositConfirmed { coins, .. } => self.coins(*coins),
            cash_out::Event::SaleFilled { proceeds, .. } => match proceeds {
                Proceeds::Coins(coins) => {
                    let reais = [("amount_cents", None)];
                    self.coins(*coins).into_iter().chain(reais).collect()
                }
                Proceeds::Reais(amount) => {
                    vec![cents("amount_cents", amount.cents()), ("asset", None)]
                }
            },
            cash_out::Event::Forwarded { arrived, .. } => {
                vec![cents("amount_cents", arrived.cents())]
            }
            cash_out::Event::Completed { pix, sale, .. } => {
                let paid = cents("amount_cents", sale.deal.net.cents());
                pix_sent(pix).into_iter().chain([paid]).collect()
            }
            cash_out::Event::KeyRefused(back) => vec![cents("returned_cents", back.cents())],
            cash_out::Event::PaymentResumed { pix_key, key_type, .. } => vec![
                ("pix_key", pix_key.map(token)),
                ("pix_key_type", key_type.map(|kind| kind.name().to_owned())),
            ],
            cash_out::Event::RefundDecided { coins, source, to, .. } => {
                let (_, scale) = self.asset(coins.asset);
                let own = match source {
                    RefundSource::Reversal(amount) => Some(cents("amount_cents", amount.cents())),
                    RefundSource::Returned { .. } => Some(units("amount", coins.units, scale)),
                    RefundSource::Deposit | RefundSource::Suspense | RefundSource::Sale { .. } => {
                        None
                    }
                };
                own.into_iter().chain([wallet_address(to.as_deref())]).collect()
            }
            cash_out::Event::RefundAddressed(to) => vec![wallet_address(Some(to))],
            cash_out::Event::RefundSent { hash, .. } => vec![word("tx_hash", hash)],
            _ => Vec::new(),
        }
    }

    fn receipt_fields(&self, event: &unmatched_deposit::Event) -> Vec<FieldText> {
        match event {
            unmatched_deposit::Event::Received(order) => self.deposit_fields(&order.deposit),
            unmatched_deposit::Event::Confirmed(coins) => self.coins(*coins),
            unmatched_deposit::Event::RefundDecided { to, .. } => {
                vec![wallet_address(to.as_deref())]
            }
            unmatched_deposit::Event::RefundAllowed { to } => vec![wallet_address(Some(to))],
            unmatched_deposit::Event::RefundSent { hash, .. } => vec![word("tx_hash", hash)],
            _ => Vec::new(),
        }
    }

    fn deposit_fields(&self, deposit: &Deposit) -> Vec<FieldText> {
        let mut fields = self.coins(deposit.coins);
        fields.push(("from", deposit.from.as_deref().map(str::to_owned)));
        fields.push(("seen_at", Some(deposit.seen_at.to_string())));
        fields
    }
}

/// Tells whether the event is the sum that a fact of this kind said of an order.
pub(super) fn tells(kind: FactKind, event: &Event) -> bool {
    use cash_out::Event as Sale;
    let Event::CashOut { event, .. } = event else { return false };
    matches!(
        (kind, event),
        (FactKind::SaleFilled, Sale::SaleFilled { .. })
            | (FactKind::SaleForwarded, Sale::Forwarded { .. })
            | (FactKind::KeyRefused, Sale::KeyRefused(_))
    )
}

/// Tells whether the event is of crypto that no order took, and that was said to be of `op`.
pub(super) fn is_receipt_about(event: &Event, op: Option<OpId>) -> bool {
    let Event::UnmatchedDeposit { event, .. } = event else { return false };
    matches!(event, unmatched_deposit::Event::Received(order) if order.about == op)
}

/// Fields of a PIX that was sent.
pub(super) fn pix_sent(pix: &Pix) -> Vec<FieldText> {
    let address = |url: &Option<Box<str>>| url.as_deref().map(str::to_owned);
    vec![
        word("e2e", &pix.e2e),
        ("paid_at", Some(pix.paid_at.to_string())),
        ("receipt_url", address(&pix.receipt_url)),
        ("receipt_pdf_url", address(&pix.receipt_pdf_url)),
        ("verify_url", address(&pix.verify_url)),
    ]
}

fn wallet_address(to: Option<&str>) -> FieldText {
    ("refund_address", to.map(str::to_owned))
}
