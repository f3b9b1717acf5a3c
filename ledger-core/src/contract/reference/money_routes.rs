//! What the routes of money are called and do: charges, balances, payouts, cash-outs.

use super::route::{OK, OK_OR_CREATED, RouteText, Variant, described};
use crate::contract::account::{balance_wire as balance, wire as account};
use crate::contract::charge::wire as charge;
use crate::contract::conversion::wire as conversion;
use crate::contract::payout::wire as payout;
use crate::contract::sale::wire as sale;
use crate::contract::transfer::wire as transfer;

/// `GET /saldo?em=`, an extension of ours.
const BALANCE_AT: Variant = Variant {
    parameter: "em",
    name: "GetBalanceAt",
    schema: "BalanceAt",
    fields: balance::BALANCE_AT,
    summary: "Show the balance of an instant",
    description: "What the house or a subaccount had at `em`, available and blocked together: the running balance of its statement then. An extension of this service; the contract has the balance as it stands alone.",
};

pub(super) const MONEY: &[RouteText] = &[
    described(
        "POST /cashin/charge",
        ("CreateCharge", "Charges"),
        ("Charge", charge::CHARGE, OK),
        "Create a charge",
        "A PIX to be collected, into the balance (`destino: saldo`) or as crypto (`cripto`, the default). The same `external_id` with the same body gives the same charge. The payer's ladder (`GET /cashin/limits`) counts what one CPF or CNPJ pays a day, over all accounts: a second charge of the same payer may be held by the provider, or refused with `limite_do_pagador`.",
    ),
    described(
        "POST /cashin/preview",
        ("PreviewCharge", "Charges"),
        ("ChargePreview", charge::PREVIEW, OK),
        "Preview a charge",
        "What a purchase would cost and deliver. Nothing is created.",
    ),
    described(
        "GET /cashin/charges",
        ("ListCharges", "Charges"),
        ("Charges", charge::CHARGES, OK),
        "Find charges by external id",
        "The charges and conversions of this account under one `external_id`.",
    ),
    described(
        "GET /cashin/catalog",
        ("ChargeCatalogue", "Charges"),
        ("ChargeCatalogue", charge::CATALOGUE, OK),
        "Show what can be bought",
        "Pairs of asset and network, their minimums and fees. Offer only pairs with `entregavel: true`.",
    ),
    described(
        "GET /cashin/limits",
        ("ChargeLimits", "Charges"),
        ("ChargeLimits", charge::LIMITS, OK),
        "Show a payer's limits",
        "What this payer may pay at once and held. It is advice: a charge is judged again when it is created.",
    ),
    described(
        "GET /cashin/{cashin_id}/status",
        ("GetCharge", "Charges"),
        ("ChargeDetail", charge::CHARGE, OK),
        "Show a charge",
        "A charge or a conversion as it stands, with its settlement.",
    ),
    described(
        "POST /saldo/transferir",
        ("CreateTransfer", "Balance"),
        ("Transfer", transfer::TRANSFER, OK),
        "Move between subaccounts",
        "Moves available reais between the house and subaccounts, without a PIX.",
    ),
    described(
        "POST /saldo/sacar-cripto",
        ("CreateConversion", "Balance"),
        ("ChargeDetail", charge::CHARGE, OK),
        "Withdraw custody as crypto",
        "Converts available reais and delivers the asset. The balance is debited amount and fees.",
    ),
    described(
        "commission.withdraw",
        ("WithdrawCommission", "Balance"),
        ("CommissionWithdrawal", conversion::COMMISSION_WITHDRAWAL, OK),
        "Withdraw the commission",
        "Converts the commission and delivers the asset.",
    ),
    described(
        "POST /payouts",
        ("CreatePayout", "Payouts"),
        ("Payout", payout::PAYOUT, OK),
        "Pay a PIX from the balance",
        "Sends a PIX to a key that belongs to `tax_number`. The balance is debited amount and fees.",
    ),
    described(
        "GET /payouts",
        ("ListPayouts", "Payouts"),
        ("Payouts", payout::PAYOUTS, OK),
        "Find payouts by external id",
        "The payouts of this account under one `external_id`.",
    ),
    described(
        "GET /catalog",
        ("SaleCatalogue", "Cash-outs"),
        ("SaleCatalogue", sale::CATALOGUE, OK),
        "Show what can be sold",
        "Assets, the networks that they are deposited on, and the limits of an order.",
    ),
    described(
        "POST /cash-outs/preview",
        ("PreviewCashOut", "Cash-outs"),
        ("CashOutPreview", sale::ORDER, OK),
        "Preview a cash-out",
        "What an order would sell and pay. Nothing is created.",
    ),
    described(
        "POST /cash-outs",
        ("CreateCashOut", "Cash-outs"),
        ("CashOut", sale::ORDER, OK_OR_CREATED),
        "Quote a cash-out",
        "Creates an order, quoted. Send one of `amount`, `brl_amount` and `br_code`. Nothing is committed until it is accepted.",
    ),
    described(
        "GET /cash-outs",
        ("ListCashOuts", "Cash-outs"),
        ("CashOuts", sale::ORDERS, OK),
        "Find cash-outs by external id",
        "The orders of this account under one `external_id`.",
    ),
    described(
        "GET /cash-outs/{cashout_id}",
        ("GetCashOut", "Cash-outs"),
        ("CashOut", sale::ORDER, OK),
        "Show a cash-out",
        "An order as it stands, with its deposit, PIX and refund.",
    ),
    described(
        "POST /cash-outs/{cashout_id}/accept",
        ("AcceptCashOut", "Cash-outs"),
        ("CashOut", sale::ORDER, OK),
        "Accept a cash-out",
        "Commits to the order and gives the deposit address. After a 503 accept the same order again.",
    ),
    described(
        "POST /cash-outs/{cashout_id}/refund-address",
        ("SetRefundAddress", "Cash-outs"),
        ("CashOut", sale::ORDER, OK),
        "Give a return wallet",
        "Gives the wallet of an order in `AWAITING_REFUND_ADDRESS`, once and for all.",
    ),
    described(
        "GET /saldo",
        ("GetBalance", "Balance"),
        ("Balance", balance::BALANCE, OK),
        "Show a balance",
        "The house's balance, or one subaccount's. Only `disponivel_cents` can be spent.",
    )
    .with(&BALANCE_AT),
    described(
        "GET /saldo/consolidado",
        ("ConsolidatedBalance", "Balance"),
        ("ConsolidatedBalance", balance::CONSOLIDATED, OK),
        "Show all balances together",
        "The house, all subaccounts, and everything together.",
    ),
    described(
        "GET /saldo/clientes",
        ("ListCustomers", "Balance"),
        ("Customers", balance::CUSTOMERS, OK),
        "List subaccounts",
        "Subaccounts with their balances, in pages.",
    ),
    described(
        "GET /saldo/extrato",
        ("GetStatement", "Balance"),
        ("Statement", balance::STATEMENT, OK),
        "Show a statement",
        "The accounting ledger, whose entries sum to the balance, or with `visao=operacoes` a row for each operation.",
    ),
    described(
        "GET /comissao",
        ("GetCommission", "Balance"),
        ("Commission", balance::COMMISSION, OK),
        "Show the commission",
        "The partner's commission that was not withdrawn.",
    ),
    described(
        "GET /comissao/extrato",
        ("CommissionStatement", "Balance"),
        ("CommissionStatement", balance::COMMISSION_STATEMENT, OK),
        "Show the ledger of commission",
        "Entries of the commission, newest first.",
    ),
    described(
        "GET /pix/keys/lookup",
        ("LookUpKey", "Payouts"),
        ("KeyOwner", account::LOOKUP, OK),
        "Look up a PIX key",
        "Whose a key is, as the provider reports it. With `available: false` show the recipient as not verified.",
    ),
];
