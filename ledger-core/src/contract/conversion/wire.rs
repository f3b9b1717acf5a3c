//! Conversions and withdrawals of commission on the wire: what they take, and their answers.

use serde_json::Value;

use super::{delivered_amount, usdt};
use crate::contract::charge::wire::SETTLEMENT;
use crate::contract::error::{Code, Problem};
use crate::contract::input::fields::Fields;
use crate::contract::payout::wire::key_owner;
use crate::contract::purchase::{ASSET, CHAIN, MEMO, PAYOUT_TAG, memo, target};
use crate::contract::schema::answer::{UNITS, USDT, WALLET, cents, decimal, moment, text, word};
use crate::contract::schema::bounds::{Customer, checked};
use crate::contract::schema::field::FieldType::{Centavos, Text};
use crate::contract::schema::field::{Field, concat, optional, required};
use crate::contract::schema::record::record;
use crate::contract::schema::shared::{AMOUNT, CUSTOMER, EXTERNAL_ID, OWNER, owner};
use crate::contract::wire_names;
use crate::id::OpId;
use crate::ledger::{ConversionRequest, FundingRequest, Ownership};
use crate::machine::conversion;
use crate::money::Amount;
use crate::terms::Policy;

const WHERE_TO: &[Field] =
    &[ASSET, CHAIN, required("payout_address", Text(128), "the wallet"), EXTERNAL_ID];

const CAP: Field = optional("max_debited_cents", Centavos, "the most that may be debited");

const OF_CUSTODY: &[Field] = &[AMOUNT, CUSTOMER, OWNER, CAP];

checked!(body ConversionRequest {
    source,
    amount: AMOUNT,
    target,
    memo: PAYOUT_TAG,
    cap: CAP,
    external_id: EXTERNAL_ID,
});

checked!(enum FundingRequest { Custody { customer: Customer(CUSTOMER) } } else Commission);

/// The body of `POST /saldo/sacar-cripto`.
pub(in crate::contract) const CONVERSION: &[Field] = &concat::<
    Field,
    { OF_CUSTODY.len() + WHERE_TO.len() + MEMO.len() },
>(&[OF_CUSTODY, WHERE_TO, MEMO]);

/// The body of `commission.withdraw`.
pub(in crate::contract) const COMMISSION: &[Field] =
    &concat::<Field, { 1 + WHERE_TO.len() + MEMO.len() }>(&[&[AMOUNT], WHERE_TO, MEMO]);

/// `POST /saldo/sacar-cripto` (CUS-34).
///
/// # Errors
///
/// A [`Problem`] naming the field.
pub fn conversion(
    fields: &mut Fields<'_>,
    supplied: &Value,
    policy: &Policy,
) -> Result<ConversionRequest, Problem> {
    let amount = fields.amount("amount_cents")?;
    let customer = fields.customer("customer_ref")?;
    let tax_number = owner(fields, policy)?;
    let ownership = match key_owner(supplied, policy)? {
        Some(found) if found == tax_number => Ownership::Proven,
        Some(_) => Ownership::Refuted,
        None => Ownership::Unknown,
    };
    let tax_number = fields.keep(fields.tokens().document(&tax_number));
    let source = FundingRequest::Custody { customer, tax_number, ownership };
    let cap = fields.amount_if("max_debited_cents")?;
    outgoing(fields, source, amount, cap)
}

/// `commission.withdraw`: a command, because the contract shows no route (COM-05).
///
/// # Errors
///
/// A [`Problem`] naming the field.
pub fn commission(fields: &Fields<'_>) -> Result<ConversionRequest, Problem> {
    let amount = fields.amount("amount_cents")?;
    outgoing(fields, FundingRequest::Commission, amount, None)
}

pub(in crate::contract) fn outgoing(
    fields: &Fields<'_>,
    source: FundingRequest,
    amount: Amount,
    cap: Option<Amount>,
) -> Result<ConversionRequest, Problem> {
    let target = target(fields)?;
    if target.address.is_none() {
        return Err(Problem::new(Code::AddressRequired, "payout_address is required"));
    }
    let (memo, external_id) = (memo(fields)?, fields.external_id()?);
    Ok(ConversionRequest { source, amount, target, memo, cap, external_id })
}

record! {
    /// The answer of `commission.withdraw`.
    pub const COMMISSION_WITHDRAWAL, fn commission_record |
        views, op: OpId, state: &'v conversion::State, progress: &'v conversion::Progress
    | {
        text("withdrawal_id", "the id of the withdrawal", "cw_000000000052ca9692885eacc25b")
            => op.text(&views.state.name);
        word("status", "how it stands", &["paid", "refunded"])
            => wire_names::conversion_status(state);
        word("settlement_status", "how far delivery got", SETTLEMENT)
            => wire_names::conversion_settlement(state);
        cents("amount_cents", "what was withdrawn", 4_000) => progress.order.amount.cents();
        text("asset", "the asset that is delivered", "usdt") => &progress.order.target.asset;
        text("chain", "the network that it is delivered on", "polygon")
            => &progress.order.target.chain;
        text("payout_address", "the wallet that it is delivered to", WALLET)
            => &progress.order.target.address;
        decimal("usdt_amount", "what is delivered, in USDT", USDT, "7.339449").or_null()
            => usdt(progress.order.usdt);
        decimal("amount", "what is delivered, in the asset", UNITS, "7.339449").or_null()
            => delivered_amount(&progress.order.delivery_terms, progress.order.scale);
        text("settlement_tx_hash", "the transaction that delivered it", "0x9f2c").or_null()
            => progress.delivery.sent_delivery().map(|sent| &sent.hash);
        text("external_id", "the account's own id of it", "comissao-1").or_null()
            => &progress.order.external_id;
        moment("created_at", "when it was asked for") => progress.order.created_at.to_string();
        moment("settled_at", "when it was delivered").or_null()
            => progress.delivery.sent_delivery().map(|sent| sent.at.to_string());
    }
}
