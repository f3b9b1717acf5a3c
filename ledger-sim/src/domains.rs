//! The tables of domains: what becomes a fact or a request, and what the simulator does with each
//! kind of operation.

use ledger_core::ledger::{
    AccountSettings, AgentRequest, CashOutRequest, ChargeRequest, ConversionRequest, Fact,
    GroupRequest, PayoutRequest, Request, TransferRequest,
};
use ledger_core::ledger::{
    account, adjustment, agent, charge, hold, payout, product, purchase, recovery, suspense,
    treasury, wallet,
};

/// A fact, or that of one domain, which becomes one.
pub(crate) trait IntoFact {
    fn into_fact(self) -> Fact;
}

/// A request, or the body of one, which becomes one.
pub(crate) trait IntoRequest {
    fn into_request(self) -> Request;
}

macro_rules! becomes {
    ($trait:ident, $function:ident -> $whole:ident: $($part:ty, $it:ident => $made:expr;)*) => {
        $(
            impl $trait for $part {
                fn $function(self) -> $whole {
                    let $it = self;
                    $made
                }
            }
        )*
    };
}

becomes! {
    IntoFact, into_fact -> Fact:
    Fact, it => it;
    account::Fact, it => Fact::Account(it);
    charge::Fact, it => Fact::Charge(it);
    payout::Fact, it => Fact::Payout(it);
    hold::Fact, it => Fact::Hold(it);
    suspense::Fact, it => Fact::Suspense(it);
    adjustment::Fact, it => Fact::Adjustment(it);
    purchase::Fact, it => Fact::Purchase(it);
    recovery::Fact, it => Fact::Recovery(it);
    treasury::Fact, it => Fact::Treasury(it);
    product::Fact, it => Fact::Product(it);
    agent::Fact, it => Fact::Agent(it);
    wallet::Fact, it => Fact::Wallet(Box::new(it));
}

becomes! {
    IntoRequest, into_request -> Request:
    Request, it => it;
    ChargeRequest, it => Request::Charge(it);
    TransferRequest, it => Request::Transfer(it);
    GroupRequest, it => Request::Group(it);
    PayoutRequest, it => Request::Payout(it);
    ConversionRequest, it => Request::Conversion(it);
    CashOutRequest, it => Request::CashOut(Box::new(it));
    AccountSettings, it => Request::Settings(Box::new(it));
    AgentRequest, it => Request::Agent(it);
    wallet::Request, it => Request::Wallet(it);
}

/// Asks whichever request it is that begins an operation under an id of its client's own; what is
/// none answers `other`.
macro_rules! operation_request {
    ($request:expr, $it:ident => $answer:expr, $other:expr) => {
        match $request {
            ::ledger_core::ledger::Request::Charge($it) => $answer,
            ::ledger_core::ledger::Request::Transfer($it) => $answer,
            ::ledger_core::ledger::Request::Group($it) => $answer,
            ::ledger_core::ledger::Request::Payout($it) => $answer,
            ::ledger_core::ledger::Request::Conversion($it) => $answer,
            ::ledger_core::ledger::Request::CashOut($it) => $answer,
            _ => $other,
        }
    };
}
pub(crate) use operation_request;

/// Returns what reports call requests of this kind.
pub(crate) fn request_name(request: &Request) -> &'static str {
    match request.bare() {
        Request::Charge(_) => "charge",
        Request::Transfer(_) => "transfer",
        Request::Group(_) => "group",
        Request::Payout(_) => "payout",
        Request::Conversion(_) => "conversion",
        Request::Wallet(_) => "wallet",
        Request::Settings(_) => "settings",
        Request::RotateKey(_) => "key",
        Request::CashOut(_) => "cash-out",
        Request::AcceptCashOut { .. } => "cash-out accepted",
        Request::RefundAddress { .. } => "return wallet",
        Request::Agent(_) => "agent",
        Request::Described { .. } => unreachable!("it is bare"),
    }
}

/// The customer whom a charge or a payout names, if it names one.
pub(crate) fn customer_of(request: &Request) -> Option<&str> {
    match request.bare() {
        Request::Charge(request) => request.customer.as_deref(),
        Request::Payout(request) => request.customer.as_deref(),
        _ => None,
    }
}

/// The wallet that a request to begin an operation names, if it may name one.
pub(crate) fn wallet_of(request: &mut Request) -> Option<&mut Box<str>> {
    match request {
        Request::Charge(request) => request.delivery.address.as_mut(),
        Request::Conversion(request) => request.target.address.as_mut(),
        Request::CashOut(request) => request.refund_address.as_mut(),
        _ => None,
    }
}

/// The table of kinds of operations: what the simulator does with each, said once.
///
/// Each line: the kinds; the list of the world that actors take them from; what actors expect once
/// they learn of one; how one is compared; the oracle's book of those that wait for time, and what
/// it foresees then. `each_kind!(name ...)` hands the table to the macro of this name.
macro_rules! each_kind {
    ($name:ident $($given:tt)*) => {
        $name! {
            $($given)*
            Charge, [charges], [expect_payment], [compare_charge], [charges charge_due];
            Transfer | Adjustment, [], [], [], [];
            Payout, [payouts], [expect_outcome], [compare_payout], [];
            Hold, [holds], [], [compare_hold], [holds hold_due];
            Suspense, [suspense], [], [compare_suspense], [];
            Conversion | CommissionWithdrawal,
                [conversions], [expect_conversion], [compare_conversion], [];
            ErroneousDelivery, [erroneous_deliveries], [], [compare_erroneous_delivery], [];
            CashOut, [sales], [expect_acceptance], [compare_sale], [sales sale_due];
            UnmatchedDeposit, [unmatched], [], [compare_unmatched], [];
            WalletDeposit, [wallet_deposits], [expect_coins], [compare_deposit],
                [wallet_deposits deposit_due];
            WalletPayment, [wallet_payments], [expect_payment_from_wallet], [compare_payment], [];
            CryptoWithdrawal, [withdrawals], [expect_withdrawal], [compare_withdrawal], [];
            Quote, [], [use_quote], [compare_quote], [quotes quote_due];
            Entry, [], [], [compare_entry], [];
        }
    };
}
pub(crate) use each_kind;
