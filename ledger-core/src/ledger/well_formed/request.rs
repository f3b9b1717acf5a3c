//! What requests bring: names, ids, addresses and amounts, as the bodies of the wire bound them.

use super::value::{amount, customer, of, text, text_if};
use crate::ledger::command::{
    AgentRequest, ChargeRequest, ConversionRequest, Destination, FundingRequest, Request,
};
use crate::ledger::decision::refusal::Refusal;
use crate::ledger::malformed::Malformed;
use crate::ledger::sale::report::CashOutRequest;
use crate::ledger::wallet;
use crate::machine::cash_out::{Asked, DepositTo};
use crate::machine::charge::Delivery;

pub(super) fn check(request: &Request) -> Result<(), Refusal> {
    match request {
        Request::Charge(asked) => charge(asked),
        Request::Transfer(asked) => {
            customer("from_customer_ref", asked.from.as_deref())?;
            customer("to_customer_ref", asked.to.as_deref())?;
            amount("amount_cents", asked.amount)?;
            external_id(asked.external_id.as_deref())
        }
        Request::Payout(asked) => {
            customer("customer_ref", asked.customer.as_deref())?;
            amount("amount_cents", asked.amount)?;
            external_id(asked.external_id.as_deref())
        }
        Request::Conversion(asked) => conversion(asked),
        Request::Wallet(asked) => of_wallet(asked),
        Request::Settings(asked) => text_if("settlement_address", asked.settlement.as_deref(), 128),
        Request::CashOut(asked) => cash_out(asked),
        Request::AcceptCashOut { supplied, .. } => supplied.as_ref().map_or(Ok(()), deposit_to),
        Request::RefundAddress { address, .. } => text("refund_address", address, 128),
        Request::Agent(AgentRequest::Refer { capability }) => {
            of("capability", Malformed::capability(capability))
        }
        Request::Agent(
            AgentRequest::Validate | AgentRequest::Mandate(_) | AgentRequest::Activate { .. },
        )
        | Request::RotateKey(_) => Ok(()),
    }
}

fn charge(asked: &ChargeRequest) -> Result<(), Refusal> {
    customer("customer_ref", asked.customer.as_deref())?;
    amount("amount_cents", asked.amount)?;
    target(&asked.delivery)?;
    if let Destination::Crypto { memo } = &asked.destination {
        text_if("payout_tag", memo.as_deref(), 120)?;
    }
    if let Some(qr) = &asked.qr {
        supplied("supplied.qr_copypaste", Some(&qr.copypaste), 1_024)?;
        supplied("supplied.qr_image_url", qr.image_url.as_deref(), 1_024)?;
    }
    supplied("supplied.provider_reference", asked.payer_refused.as_deref(), 255)?;
    external_id(asked.external_id.as_deref())
}

fn conversion(asked: &ConversionRequest) -> Result<(), Refusal> {
    if let FundingRequest::Custody { customer: name, .. } = &asked.source {
        customer("customer_ref", name.as_deref())?;
    }
    amount("amount_cents", asked.amount)?;
    target(&asked.target)?;
    text_if("payout_tag", asked.memo.as_deref(), 120)?;
    asked.cap.map_or(Ok(()), |cap| amount("max_debited_cents", cap))?;
    external_id(asked.external_id.as_deref())
}

fn cash_out(asked: &CashOutRequest) -> Result<(), Refusal> {
    text("asset", &asked.asset, 32)?;
    text("network", &asked.network, 32)?;
    net(&asked.asked)?;
    text_if("refund_address", asked.refund_address.as_deref(), 128)?;
    external_id(asked.external_id.as_deref())
}

fn of_wallet(asked: &wallet::Request) -> Result<(), Refusal> {
    match asked {
        wallet::Request::Deposit(asked) => {
            text("network", &asked.network, 32)?;
            supplied("supplied.address", asked.address.as_deref(), 128)
        }
        wallet::Request::WithdrawalQuote(asked) => {
            text("network", &asked.network, 32)?;
            text("address", &asked.address, 128)
        }
        wallet::Request::Withdrawal(asked) => {
            text_if("network", asked.network.as_deref(), 32)?;
            text_if("address", asked.address.as_deref(), 128)?;
            external_id(Some(&asked.external_id))
        }
        wallet::Request::PaymentQuote(asked) | wallet::Request::Payment(asked) => {
            net(&asked.asked)?;
            external_id(asked.external_id.as_deref())
        }
    }
}

fn net(asked: &Asked) -> Result<(), Refusal> {
    match asked {
        Asked::Net(net) => amount("brl_amount", *net),
        Asked::Units(_) | Asked::Code(_) => Ok(()),
    }
}

fn target(target: &Delivery) -> Result<(), Refusal> {
    text("asset", &target.asset, 32)?;
    text("chain", &target.chain, 32)?;
    text_if("payout_address", target.address.as_deref(), 128)
}

fn deposit_to(to: &DepositTo) -> Result<(), Refusal> {
    supplied("supplied.deposit_address", Some(&to.address), 128)?;
    supplied("supplied.deposit_tag", to.tag.as_deref(), 128)
}

fn external_id(id: Option<&str>) -> Result<(), Refusal> {
    id.map_or(Ok(()), |id| of("external_id", Malformed::external_id(id)))
}

fn supplied(field: &'static str, given: Option<&str>, most: usize) -> Result<(), Refusal> {
    given.map_or(Ok(()), |given| of(field, Malformed::supplied(given, most)))
}
