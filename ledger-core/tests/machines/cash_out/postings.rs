//! Every event of an order and its legs, in reais and in crypto: A8 to A11, rulings 31 to 33, 35.

use ledger_core::machine::cash_out::{Command, Order, Proceeds, Request, State, entry};
use ledger_core::machine::refund::{Coins, RefundReport};

use super::places::strange;
use super::{
    Input, W44, accept, accepted, by_dex, by_exchange, confirm, confirmed, decide_refund, depix,
    detected, first, homeless, now, of_code, of_wallet, on_liquid, operator_refunds, order, pay,
    paying, quoted, see, sent, sold_for, step, step_under, swapped, then, this, usdt, vanish, weth,
};
use crate::grid::name;
use crate::legs::{coins, legs};
use crate::samples::{amount, as_cents};

/// The legs of all that `command` makes of `state`.
fn posted(state: &State, input: impl Into<Input>) -> String {
    let (_, events) = step(state, input);
    events.iter().map(line).collect()
}

fn line(event: &ledger_core::machine::cash_out::Event) -> String {
    let entry = entry(this(), event);
    let reais = match legs(&entry) {
        none if none == "-" => String::new(),
        legs => format!("  {legs}\n"),
    };
    let found = format!("{reais}{}", coins(&entry)).replace("[CashOut#9]", "");
    let found = if found.is_empty() { "  -\n".to_owned() } else { found };
    format!("{}\n{found}", name(event))
}

fn table(steps: &[String], expected: &str) {
    assert_eq!(steps.concat(), expected, "\n{}", steps.concat());
}

fn given_up(order: Order) -> State {
    then(&paying(order), [Command::GiveUpPayment])
}

#[test]
fn w44_a_fast_order_from_its_deposit_to_its_pix() {
    // A7, A8.
    table(
        &[
            line(&first(order())),
            posted(&quoted(order()), accept()),
            posted(&accepted(order()), see(order().coins, "0xa1")),
            posted(&detected(order()), confirm("0xa1")),
            posted(&paying(order()), pay()),
        ],
        "\
Quoted
  -
Accepted
  -
DepositSeen
  asset 0: Dr transit[0] 19444445 / Cr dep 19444445
DepositConfirmed
  asset 0: Dr treas[0] 19444445 / Cr transit[0] 19444445
PaymentBegun
  Dr fx 10500 / Cr flight.pixout 10500
  asset 0: Dr dep 19444445 / Cr fx 19444445
Completed
  Dr flight.pixout 10500 / Cr prov.pay 10000, rev.cashout 400, rev.reserve 100
",
    );
}

#[test]
fn partner_and_residue_have_legs_of_their_own() {
    // INV-19, rulings 18: net 9,900, house 398, partner 99, reserve 100, residue 3 of 10,500.
    let mut order = order();
    order.deal.net = amount(9_900);
    order.asked = ledger_core::machine::cash_out::AmountBasis::Units(order.coins.units);
    order.deal.fees.house = as_cents(398);
    order.deal.fees.partner = as_cents(99);
    order.deal.residue = as_cents(3);
    table(
        &[posted(&paying(order.clone()), pay())],
        "\
Completed
  Dr flight.pixout 10500 / Cr prov.pay 9900, rev.cashout 398, comm[3] 99, rev.reserve 100, rounding 3
",
    );
}

#[test]
fn what_only_waits_moves_nothing() {
    let open = accepted(order());
    let lost = then(&paying(order()), [Command::LosePayment]);
    let failed = then(&paying(order()), [Command::FailSend]);
    let due = given_up(order());
    let sold = then(&confirmed(by_exchange()), [Command::StartSale, sold_for(10_480)]);
    table(
        &[
            posted(&open, Command::Expire),
            posted(&open, Command::Cancel),
            posted(&detected(order()), Command::Delay),
            posted(&then(&detected(order()), [Command::Delay]), Command::Resume),
            posted(&paying(order()), Command::FailSend),
            posted(&failed, Command::Retry),
            posted(&paying(order()), Command::LosePayment),
            posted(&lost, Command::Stop),
            posted(&paying(order()), Command::RefuseKey(amount(9_900))),
            posted(&sold, Command::Forward),
            posted(&given_up(homeless()), Request::Address("0xhome".into())),
            posted(&due, Command::Refund(RefundReport::Failed)),
            posted(&due, Command::Refund(RefundReport::Lost)),
        ],
        "\
Expired
  -
Failed
  -
Delayed
  -
Resumed
  -
SendFailed
  -
RetryDue
  -
PaymentLost
  -
ReviewOpened
  -
KeyRefused
  -
Forwarding
  -
RefundAddressed
  -
RefundFailed
  -
RefundLost
  -
",
    );
}

#[test]
fn a_deposit_that_vanishes_is_reversed_where_it_stood() {
    // Rulings 33: `transit` always empties.
    let strange = then(&accepted(order()), [Command::See(strange(&order()))]);
    table(
        &[posted(&detected(order()), vanish("0xa1")), posted(&strange, vanish("0xs1"))],
        "\
DepositVanished
  asset 0: Dr dep 19444445 / Cr transit[0] 19444445
DepositVanished
  asset 0: Dr susp.crypto 19444445 / Cr transit[2] 19444445
",
    );
}

#[test]
fn a_surplus_leaves_its_order_for_the_refund_of_a_receipt() {
    // Rulings 32.
    let over = then(&accepted(of_code()), [see(usdt(25_000_000), "0xa1")]);
    table(
        &[posted(&over, confirm("0xa1"))],
        "\
DepositConfirmed
  asset 0: Dr treas[0] 25000000 / Cr transit[0] 25000000
Split
  asset 0: Dr dep 5555555 / Cr refund[UnmatchedDeposit#12] 5555555
PaymentBegun
  Dr fx 10500 / Cr flight.pixout 10500
  asset 0: Dr dep 19444445 / Cr fx 19444445
",
    );
}

#[test]
fn a_strange_token_is_cleared_or_rejected_out_of_suspense() {
    // Rulings 33.
    let open = accepted(order());
    let one = 10_u128.pow(18);
    let seen = then(&open, [see(weth(20 * one), "0xs1"), confirm("0xs1")]);
    let eighteen = ledger_core::machine::cash_out::Context {
        scale: ledger_core::coin::Scale::new(18),
        ..now()
    };
    let cleared = step_under(&seen, Command::Clear(None), &eighteen).1;
    table(
        &[
            posted(&open, see(weth(20 * one), "0xs1")),
            cleared.iter().map(line).collect(),
            posted(&seen, operator_refunds(Some("0xhome"))),
        ],
        "\
DepositSeen
  asset 4: Dr transit[0] 20000000000000000000 / Cr susp.crypto 20000000000000000000
ReviewOpened
  -
Cleared
  asset 4: Dr susp.crypto 20000000000000000000 / Cr dep 20000000000000000000
PaymentBegun
  Dr fx 10800 / Cr flight.pixout 10800
  asset 4: Dr dep 20000000000000000000 / Cr fx 20000000000000000000
RefundDecided
  asset 4: Dr susp.crypto 20000000000000000000 / Cr refund 20000000000000000000
",
    );
}

#[test]
fn a_swap_moves_the_own_stock_through_the_exchange() {
    // Rulings 31 without forwarding; slippage is what remains in `fx`.
    let secured = confirmed(by_dex());
    let selling = then(&secured, [Command::StartSale]);
    table(
        &[
            posted(&detected(by_dex()), confirm("0xa1")),
            posted(&secured, Command::StartSale),
            posted(&selling, swapped()),
            posted(&then(&selling, [swapped()]), Command::StartPayment),
            posted(&selling, Command::FailSale),
            posted(&selling, Command::LoseSale),
        ],
        "\
DepositConfirmed
  asset 0: Dr treas[2] 19444445 / Cr transit[2] 19444445
Secured
  -
SellingBegun
  asset 0: Dr exch 19444445 / Cr treas[2] 19444445
SaleFilled
  asset 0: Dr fx 19444445 / Cr exch 19444445
  asset 0: Dr exch 19400000 / Cr fx 19400000
  asset 0: Dr treas[0] 19400000 / Cr exch 19400000
PaymentBegun
  Dr fx 10500 / Cr flight.pixout 10500
  asset 0: Dr dep 19444445 / Cr fx 19444445
SaleFailed
  asset 0: Dr treas[2] 19444445 / Cr exch 19444445
RefundDecided
  asset 0: Dr dep 19444445 / Cr refund 19444445
ReviewOpened
  -
",
    );
}

#[test]
fn a_sale_at_the_exchange_is_forwarded_to_the_payout_provider() {
    // Rulings 31 with forwarding; in reais, and in another crypto.
    let selling = then(&confirmed(by_exchange()), [Command::StartSale]);
    let got = Proceeds::Coins(Coins { chain: by_exchange().coins.chain, ..usdt(19_400_000) });
    let arrived = || Command::Arrive(amount(10_470));
    table(
        &[
            posted(&selling, sold_for(10_480)),
            posted(&then(&selling, [sold_for(10_480)]), arrived()),
            posted(&selling, Command::Fill(got)),
            posted(&then(&selling, [Command::Fill(got), Command::StartPayment]), arrived()),
        ],
        "\
SaleFilled
  Dr exch 10480 / Cr fx 10480
  asset 0: Dr fx 19444445 / Cr exch 19444445
Forwarded
  Dr fx 10480, prov.pay 10470 / Cr exch 10480, fx 10470
PaymentBegun
  Dr fx 10500 / Cr flight.pixout 10500
  asset 0: Dr dep 19444445 / Cr fx 19444445
SaleFilled
  asset 0: Dr fx 19444445 / Cr exch 19444445
  asset 0: Dr exch 19400000 / Cr fx 19400000
Forwarded
  Dr prov.pay 10470 / Cr fx 10470
  asset 0: Dr fx 19400000 / Cr exch 19400000
",
    );
}

#[test]
fn w53_a_payment_given_up_gives_everything_back() {
    // A7: the sale is reversed, fee and reserve among it.
    table(
        &[
            posted(&paying(order()), Command::GiveUpPayment),
            posted(&given_up(order()), sent("0xb1")),
            posted(&given_up(order()), Command::LoseCoins(usdt(W44))),
        ],
        "\
PaymentUnwound
  Dr flight.pixout 10500 / Cr fx 10500
  asset 0: Dr fx 19444445 / Cr dep 19444445
RefundDecided
  asset 0: Dr dep 19444445 / Cr refund 19444445
RefundSent
  asset 0: Dr refund 19444445 / Cr treas[0] 19444445
RefundForgone
  asset 0: Dr refund 19444445 / Cr exp.loss 19444445
",
    );
}

#[test]
fn w54_a_refused_key_refunds_the_net_and_earns_when_it_is_sent() {
    let refused = then(&paying(order()), [Command::RefuseKey(amount(9_900))]);
    let due = then(&refused, [decide_refund()]);
    let resumed = then(&refused, [Command::Clear(None)]);
    table(
        &[
            posted(&refused, decide_refund()),
            posted(&due, sent("0xb1")),
            posted(&due, Command::LoseCoins(usdt(W44))),
            posted(&refused, Command::Clear(None)),
            posted(&resumed, pay()),
        ],
        "\
RefundDecided
  Dr flight.pixout 10000 / Cr prov.pay 100, fx 9900
  asset 0: Dr fx 18333333 / Cr refund 18333333
RefundSent
  Dr flight.pixout 500 / Cr rev.cashout 400, rev.reserve 100
  asset 0: Dr refund 18333333 / Cr treas[0] 18333333
RefundForgone
  Dr flight.pixout 500 / Cr rev.cashout 400, rev.reserve 100
  asset 0: Dr refund 18333333 / Cr exp.loss 18333333
PaymentResumed
  Dr exp.loss 100 / Cr prov.pay 100
Completed
  Dr flight.pixout 10500 / Cr prov.pay 10000, rev.cashout 400, rev.reserve 100
",
    );
}

#[test]
fn w55_a_pix_that_came_back_keeps_fee_and_reserve() {
    let reversed = then(&paying(order()), [pay(), Command::Reverse(amount(10_000))]);
    table(
        &[
            posted(&then(&paying(order()), [pay()]), Command::Reverse(amount(10_000))),
            posted(&reversed, sent("0xb1")),
        ],
        "\
RefundDecided
  Dr prov.pay 10000, flight.pixout 10000 / Cr flight.pixout 10000, fx 10000
  asset 0: Dr fx 18518518 / Cr refund 18518518
RefundSent
  asset 0: Dr refund 18518518 / Cr treas[0] 18518518
",
    );
}

#[test]
fn a_stablecoin_handed_to_the_provider_is_a_claim_on_it() {
    // A11, rulings 32: one unit is one real.
    let handed = then(&paying(on_liquid()), [Command::HandOver]);
    let awaited = then(&handed, [Command::GiveUpPayment]);
    table(
        &[
            posted(&detected(on_liquid()), confirm("0xa1")),
            posted(&paying(on_liquid()), pay()),
            posted(&paying(on_liquid()), Command::HandOver),
            posted(&handed, pay()),
            posted(&handed, Command::GiveUpPayment),
            posted(&awaited, Command::GiveBack(depix(10_250_000_000))),
            posted(&awaited, Command::GiveBack(depix(10_000_000_000))),
        ],
        "\
DepositConfirmed
  asset 1: Dr treas[1] 10250000000 / Cr transit[1] 10250000000
PaymentBegun
  Dr fx 10250 / Cr flight.pixout 10250
  asset 1: Dr dep 10250000000 / Cr fx 10250000000
Completed
  Dr flight.pixout 10250 / Cr prov.pay 10000, rev.cashout 250
HandedOver
  asset 1: Dr recv.prov 10250000000 / Cr treas[1] 10250000000
Completed
  Dr flight.pixout 10250, prov.pay 10250 / Cr prov.pay 10000, fx 10250, rev.cashout 250
  asset 1: Dr fx 10250000000 / Cr recv.prov 10250000000
PaymentUnwound
  Dr flight.pixout 10250 / Cr fx 10250
  asset 1: Dr fx 10250000000 / Cr dep 10250000000
RefundDecided
  asset 1: Dr treas[1] 10250000000 / Cr recv.prov 10250000000
  asset 1: Dr dep 10250000000 / Cr refund 10250000000
RefundDecided
  asset 1: Dr treas[1] 10000000000 / Cr recv.prov 10000000000
  asset 1: Dr dep 10000000000 / Cr refund 10000000000
  asset 1: Dr dep 250000000 / Cr recv.prov 250000000
",
    );
}

#[test]
fn a_stablecoin_reported_late_at_the_provider_is_booked_as_if_in_time() {
    // Rulings 8: after the payment the legs that the payment had without it; and after a refund was
    // decided a claim, until it is back in the stock.
    let refunding = then(&paying(on_liquid()), [Command::GiveUpPayment]);
    let claimed = then(&refunding, [Command::HandOver]);
    let paid = then(&paying(on_liquid()), [pay()]);
    let late = step(&paid, Command::HandOver).1;
    table(
        &[
            late.iter().map(line).collect(),
            posted(&refunding, Command::HandOver),
            posted(&claimed, Command::GiveBack(depix(10_000_000_000))),
        ],
        "\
HandedOver
  asset 1: Dr recv.prov 10250000000 / Cr treas[1] 10250000000
TokenKept
  Dr prov.pay 10250 / Cr fx 10250
  asset 1: Dr fx 10250000000 / Cr recv.prov 10250000000
HandedOver
  asset 1: Dr recv.prov 10250000000 / Cr treas[1] 10250000000
TokenRecovered
  asset 1: Dr treas[1] 10000000000 / Cr recv.prov 10000000000
",
    );
}

#[test]
fn an_order_of_the_wallet_moves_own_assets_alone() {
    // Rulings 35: its confirmation is Dr treas / Cr transit; the payment books everything else.
    table(
        &[
            posted(&accepted(of_wallet()), see(of_wallet().coins, "0xa1")),
            posted(&detected(of_wallet()), confirm("0xa1")),
            posted(&detected(of_wallet()), vanish("0xa1")),
            posted(&paying(of_wallet()), pay()),
        ],
        "\
DepositSeen
  -
DepositConfirmed
  asset 0: Dr treas[0] 19444445 / Cr transit[0] 19444445
PaymentBegun
  -
DepositVanished
  -
Completed
  -
",
    );
}
