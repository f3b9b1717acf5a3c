//! In what a request differs from the original of its id: rulings 7.

use ledger_core::id::{AccountId, OpId};
use ledger_core::ledger::{
    ChargeRequest, ConversionRequest, Destination, Field, FundingRequest, Malformed, Refusal,
    Request,
};

use crate::goal::Goal;
use crate::oracle::{Oracle, sale};
use crate::spelling::passes_for_another;
use crate::wallets::is_same;

impl Oracle {
    /// New names of customers, which must not pass for another (rulings 64; P:LookAlikes).
    pub(in crate::oracle) fn request_names(
        &mut self,
        account: AccountId,
        asked: &Request,
    ) -> Result<(), Refusal> {
        let (first, second) = match asked {
            Request::Charge(request) => (("customer_ref", &request.customer), None),
            Request::Payout(request) => (("customer_ref", &request.customer), None),
            Request::Transfer(request) => {
                (("from_customer_ref", &request.from), Some(("to_customer_ref", &request.to)))
            }
            Request::Conversion(request) => match &request.source {
                FundingRequest::Custody { customer, .. } => (("customer_ref", customer), None),
                FundingRequest::Commission => return Ok(()),
            },
            _ => return Ok(()),
        };
        for (field, customer) in [first].into_iter().chain(second) {
            self.is_seen(Some(account), field, customer.as_deref())?;
        }
        Ok(())
    }

    /// A name that a subaccount has is its own, whatever it looks like.
    pub(in crate::oracle) fn is_seen(
        &mut self,
        account: Option<AccountId>,
        field: &'static str,
        customer: Option<&str>,
    ) -> Result<(), Refusal> {
        let new = customer.filter(|name| passes_for_another(name)).filter(|name| {
            account.and_then(|account| self.subaccount_of(account, Some(name))).is_none()
        });
        if new.is_none() {
            return Ok(());
        }
        self.reach(Goal::NamePassesForAnother);
        Err(Refusal::Malformed { field, why: Malformed::LookAlike })
    }

    /// The fields in which a request differs from the original.
    pub(super) fn differing(&self, op: OpId, original: &Request, asked: &Request) -> Vec<Field> {
        match (original, asked) {
            (Request::Charge(a), Request::Charge(b)) => {
                let mut fields = differing(original, asked);
                let reported = |request: &ChargeRequest| match &request.destination {
                    Destination::Custody => None,
                    Destination::Crypto { memo } => Some(memo.clone()),
                };
                match (reported(a), reported(b)) {
                    (Some(first), Some(second)) => {
                        // The wallet is the one it goes to, whether named or the account's own.
                        let goes_to = &self.charges[&op].address;
                        let named = b.delivery.address.as_deref();
                        let same = is_same(a.delivery.address.as_deref(), named)
                            || named.is_some() && is_same(named, goes_to.as_deref());
                        if same {
                            fields.retain(|field| *field != Field::Address);
                        }
                        fields.extend((first != second).then_some(Field::Memo));
                    }
                    (None, None) => {}
                    (_, _) => {
                        // Wallet and memo mean another thing where the money goes elsewhere.
                        fields.retain(|field| *field != Field::Address);
                        fields.push(Field::Destination);
                    }
                }
                fields
            }
            _ => differing(original, asked),
        }
    }
}

/// The fields in which a request differs from the original, in the order the refusal names them.
fn differing(original: &Request, asked: &Request) -> Vec<Field> {
    let mut fields = match (original, asked) {
        (Request::Charge(a), Request::Charge(b)) => vec![
            (a.amount == b.amount, Field::Amount),
            (a.customer == b.customer, Field::Customer),
            (a.payer == b.payer, Field::Payer),
            (a.payer_name == b.payer_name, Field::PayerName),
            (a.allow_hold == b.allow_hold, Field::AllowHold),
            (a.delivery.asset == b.delivery.asset, Field::Asset),
            (a.delivery.chain == b.delivery.chain, Field::Chain),
            (is_same(a.delivery.address.as_deref(), b.delivery.address.as_deref()), Field::Address),
        ],
        (Request::Transfer(a), Request::Transfer(b)) => vec![
            (a.amount == b.amount, Field::Amount),
            (a.from == b.from, Field::From),
            (a.to == b.to, Field::To),
            (a.note == b.note, Field::Note),
        ],
        (Request::Payout(a), Request::Payout(b)) => vec![
            (a.amount == b.amount, Field::Amount),
            (a.customer == b.customer, Field::Customer),
            (a.pix_key == b.pix_key, Field::PixKey),
            (a.tax_number == b.tax_number, Field::TaxNumber),
        ],
        (Request::Conversion(a), Request::Conversion(b)) => {
            let owner = |request: &ConversionRequest| match &request.source {
                FundingRequest::Custody { customer, tax_number, .. } => {
                    (Some(customer.clone()), Some(*tax_number))
                }
                FundingRequest::Commission => (None, None),
            };
            let (first, second) = (owner(a), owner(b));
            vec![
                (a.amount == b.amount, Field::Amount),
                (first.0 == second.0, Field::Customer),
                (a.target.asset == b.target.asset, Field::Asset),
                (a.target.chain == b.target.chain, Field::Chain),
                (is_same(a.target.address.as_deref(), b.target.address.as_deref()), Field::Address),
                (first.1 == second.1, Field::TaxNumber),
                (a.memo == b.memo, Field::Memo),
            ]
        }
        (Request::CashOut(a), Request::CashOut(b)) => sale::terms::differing(a, b),
        _ => unreachable!("an identity is of one kind"),
    };
    fields.retain(|(same, _)| !same);
    fields.into_iter().map(|(_, field)| field).collect()
}
