//! What the world reports of sales, and what clients ask of them.

use crate::coin::Units;
use crate::ledger::decision::repetition::repeatable;
use crate::ledger::record::fact_kind::FactKind;
use crate::ledger::record::facts::facts;
use crate::ledger::record::observation::Observed;
use crate::ledger::record::operator_decision::OperatorDecision;
use crate::ledger::record::{ExternalId, Scope};
use crate::machine::cash_out::{AmountBasis, Command, CorrectedKey, Deposit, Order, Payee, Pix};
use crate::machine::refund::{Coins, RefundReport};
use crate::money::Amount;
use crate::network::address;

repeatable! {
    /// A sale to be quoted: `POST /cash-outs`.
    CashOutRequest, as |asked, order: &Order| {
        /// The asset's name.
        asset: Box<str>, same { Asset: *order.asset_name == *asked.asset };
        /// The network's name.
        network: Box<str>, same { Network: *order.chain_name == *asked.network };
        /// Crypto, reais, or a code: exactly one.
        asked: AmountBasis, same {
            CryptoAmount: asked.agrees(order, |asked| matches!(asked, AmountBasis::Units(_))),
            BrlAmount: asked.agrees(order, |asked| matches!(asked, AmountBasis::Net(_))),
            Code: asked.agrees(order, |asked| matches!(asked, AmountBasis::Code(_))),
        };
        /// What the code asks for; none where it names no fixed amount.
        code_amount?: Amount, free;
        /// Who is paid.
        payee: Payee, same {
            PixKey: order.payee.pix_key == asked.payee.pix_key,
            PayeeTaxNumber: order.payee.tax_number == asked.payee.tax_number,
        };
        /// The return wallet.
        refund_address?: Box<str>, same { RefundAddress: asked.returns_to(order) };
        /// The client's own id.
        external_id?: Box<str>, free;
    }
}

impl CashOutRequest {
    /// Tells whether it asks for as much as the order, where either says so in these terms.
    fn agrees(&self, order: &Order, terms: fn(&AmountBasis) -> bool) -> bool {
        order.asked == self.asked || !(terms(&order.asked) || terms(&self.asked))
    }

    fn returns_to(&self, order: &Order) -> bool {
        let (theirs, ours) = (order.refund_address.as_deref(), self.refund_address.as_deref());
        address::is_same(&order.chain_name, theirs, ours)
    }
}

facts! {
    /// A report of a sale.
    SaleReport {
        /// A deposit was seen.
        Seen(deposit: Deposit) is FactKind::DepositSeen, at Some(&mut deposit.seen_at),
            anew is_confirming(deposit);
        /// Coins came that no catalogue ever named: nothing is booked of them (rulings 67).
        Unlisted is FactKind::DepositSeen;
        /// A deposit is confirmed; reported in full, that implies that it was seen.
        Confirmed {
            /// The deposit's transaction, as it was named when it was seen.
            hash: Box<str>,
            /// It, where the report of its arrival may not have come.
            deposit: Option<Deposit>,
        }
            is FactKind::DepositConfirmed,
            at deposit.as_mut().map(|deposit| &mut deposit.seen_at);
        /// A deposit vanished before it was confirmed.
        Vanished(hash: Box<str>) is FactKind::DepositVanished;
        /// The order moved.
        Moved(command: Command) is command_kind(command);
        /// The PIX was paid; the amount matters when it is not the order's.
        Paid {
            /// The PIX that was paid.
            pix: Pix,
            /// Centavos that were paid; none for the order's own amount.
            amount: Option<Amount>,
        }
            is FactKind::CashOutPaid,
            outside Some(ExternalId::new(Scope::SentPix, &pix.e2e)),
            pix Some((Scope::SentPix, &pix.e2e)),
            at Some(&mut pix.paid_at),
            anew is_order_paid_by_claim(amount);
        /// The PIX came back.
        Reversed {
            /// The return's own id, which makes the fact known.
            return_id: Box<str>,
            /// Centavos that came back, above zero.
            amount: Amount,
        }
            is FactKind::CashOutReversed,
            outside Some(ExternalId::new(Scope::ReturnedPayout, return_id)),
            pix Some((Scope::ReturnedPayout, return_id)),
            anew is_reversal_waiting(amount);
        /// The provider returned so much of the token.
        TokenReturned(units: Units) is FactKind::TokenReturned;
        /// An operator takes a payment whose outcome is unknown.
        Stopped(decided_by: OperatorDecision) is FactKind::CashOutStopped;
        /// An operator lets an order go on; with a corrected key, if it was the key.
        Cleared {
            /// The corrected key; none where the key was not the cause.
            pix_key: Option<CorrectedKey>,
            /// Who decided it, and why.
            decided_by: OperatorDecision,
        } is FactKind::CashOutCleared;
        /// A refund is decided; by an operator, or by the service itself.
        RefundDecided {
            /// The wallet, where an operator names one.
            to: Option<Box<str>>,
            /// Who decided it, and why; none for the service itself.
            decided_by: Option<OperatorDecision>,
        } is FactKind::RefundDecided;
        /// What became of a refund.
        Refund(report: RefundReport) is refund_kind(report);
        /// This attempt of a refund definitely was not sent.
        RefundFailed {
            /// Which attempt, from 1, as its instruction numbered it.
            attempt: u32,
        } is FactKind::RefundFailed;
    }
}

impl SaleReport {
    /// Returns what it says of which transaction of a deposit, if it tells of one.
    pub(in crate::ledger) fn observation(&self) -> Option<(Observed, &str)> {
        match self {
            Self::Seen(deposit) => Some((Observed::Deposit, &deposit.hash)),
            Self::Confirmed { hash, .. } => Some((Observed::Confirmation, hash)),
            Self::Vanished(hash) => Some((Observed::Vanishing, hash)),
            _ => None,
        }
    }

    /// The coins of a deposit that is reported in full.
    pub(in crate::ledger) fn coins(&self) -> Option<Coins> {
        match self {
            Self::Seen(deposit) => Some(deposit.coins),
            Self::Confirmed { deposit, .. } => deposit.as_ref().map(|deposit| deposit.coins),
            _ => None,
        }
    }
}

const fn refund_kind(report: &RefundReport) -> FactKind {
    match report {
        RefundReport::Sent(_) => FactKind::RefundSent,
        RefundReport::Failed => FactKind::RefundFailed,
        RefundReport::Lost => FactKind::RefundUnknown,
    }
}

const fn command_kind(command: &Command) -> FactKind {
    match command {
        Command::StartSale => FactKind::SaleStarted,
        Command::Fill(_) => FactKind::SaleFilled,
        Command::FailSale => FactKind::SaleFailed,
        Command::LoseSale => FactKind::SaleUnknown,
        Command::Forward => FactKind::SaleForwarding,
        Command::Arrive(_) => FactKind::SaleForwarded,
        Command::Delay => FactKind::CashOutDelayed,
        Command::Resume => FactKind::CashOutResumed,
        Command::StartPayment => FactKind::PaymentStarted,
        Command::FailSend => FactKind::SendFailed,
        Command::GiveUpPayment => FactKind::PaymentImpossible,
        Command::RefuseKey(_) => FactKind::KeyRefused,
        Command::LosePayment => FactKind::PaymentUnknown,
        Command::HandOver => FactKind::TokenHandedOver,
        Command::Cancel => FactKind::CashOutCancelled,
        _ => panic!("a request, or news of another shape"),
    }
}
