//! Requests of an account that the ledger never opened.

use ledger_core::contract::{Problem, RouteKind};
use ledger_core::id::{AccountId, KeyHash, OpId};
use ledger_core::ledger::{
    AgentRequest, ConversionRequest, FundingRequest, Intent, Ownership, PayoutRequest, Refusal,
    Request, TransferRequest,
};
use ledger_core::machine::charge::Delivery;

use super::counter::purchase;
use super::{Harness, instant};
use crate::samples::{SOMEBODY, amount};

const NOBODY: AccountId = AccountId(7);

fn requests() -> Vec<Request> {
    let target = Delivery { asset: "usdt".into(), chain: "polygon".into(), address: None };
    let transfer = TransferRequest {
        from: Some("ana".into()),
        external_id: Some("t-1".into()),
        ..TransferRequest::new(amount(100))
    };
    let payout = PayoutRequest {
        customer: Some("ana".into()),
        ..PayoutRequest::new(amount(100), SOMEBODY, SOMEBODY, Ownership::Proven)
    };
    let conversion = ConversionRequest::new(FundingRequest::Commission, amount(100), target);
    let order = OpId::new(ledger_core::id::Kind::CashOut, ledger_core::id::Seq(1));
    vec![
        Request::Charge(purchase(Some("ana"), 100)),
        Request::Transfer(TransferRequest { from: None, ..transfer.clone() }),
        Request::Transfer(transfer),
        Request::Payout(payout),
        Request::Conversion(conversion),
        Request::AcceptCashOut { order, supplied: None },
        Request::Settings(Box::default()),
        Request::RotateKey(KeyHash([9; 32])),
        Request::Agent(AgentRequest::Validate),
    ]
}

#[test]
fn a_request_of_an_unknown_account_is_refused_as_that_and_not_for_want_of_funds() {
    let mut harness = Harness::open(instant());
    for request in requests() {
        let what = Intent::Request(NOBODY, request.clone());
        assert_eq!(harness.execute(what), Err(Refusal::AccountUnknown), "{request:?}");
    }
    let problem = Problem::from(Refusal::AccountUnknown);
    assert_eq!(problem.code.status(RouteKind::Other), 401);
}
