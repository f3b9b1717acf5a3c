//! Charges as rows of a table.

use crate::ledger::ledger_machine::operation_row::{OperationRow, text};
use crate::machine::charge;
use crate::money::Cents;

/// A charge or a purchase: what is paid, in reais; what is bought, in crypto.
pub(super) fn row(state: &charge::State) -> OperationRow<'_> {
    use charge::State as S;
    let Some(order) = state.order() else { return OperationRow::default() };
    let (name, payment, fee, returned) = match state {
        S::Absent => ("absent", None, None, Cents::ZERO),
        S::Pending(_) => ("pending", None, None, Cents::ZERO),
        S::Expired(_) => ("expired", None, None, Cents::ZERO),
        S::Failed(_) => ("failed", None, None, Cents::ZERO),
        S::UnderReview(a) => ("under_review", Some(&a.payment), None, a.returned),
        S::Delayed(a) => ("delayed", Some(&a.payment), None, a.returned),
        S::Paid(paid) => {
            ("paid", Some(&paid.payment), Some(paid.credit.fee), paid.returned_in_all())
        }
        S::Bought(bought) => ("bought", Some(&bought.payment), None, bought.returned),
        S::Refunded(refunded) => {
            let fee = refunded.credit.as_ref().map(|credit| credit.fee);
            ("refunded", Some(&refunded.payment), fee, refunded.payment.amount.as_cents())
        }
    };
    let purchase = order.purchase.as_deref();
    let sent = match state {
        S::Bought(bought) => bought.delivery.sent_delivery(),
        _ => None,
    };
    let coins =
        purchase.and_then(|terms| text(terms.delivery_terms.delivered_units(), terms.scale));
    OperationRow {
        state: name,
        subaccount: Some(order.subaccount),
        customer: purchase.and_then(|terms| terms.customer.as_deref()),
        external_id: order.external_id.as_deref(),
        amount: Some(order.amount.cents()),
        fee: purchase.map_or(fee, |terms| terms.fees.total()),
        returned: payment.map(|_| returned),
        asset: purchase.map(|_| order.delivery.asset.to_string()),
        network: purchase.map(|_| order.delivery.chain.to_string()),
        coins,
        end_to_end: payment.map(|payment| &*payment.e2e),
        transaction: sent.map(|sent| &*sent.hash),
        ..OperationRow::default()
    }
}
