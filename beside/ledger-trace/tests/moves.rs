//! Each kind of move on lots, in the smallest case that shows it.
#![allow(missing_docs)] // The names of tests are sentences.

use ledger_core::accounting::{Account as A, CoinAccount as C};
use ledger_core::id::{AccountId, AssetId, ChainId, Kind, OpId, Seq, SubaccountId};
use ledger_trace::{Begins, Flow, Hop, LedgerAccount, Rule, Slot, Step, Tracer};

const ANA: SubaccountId = SubaccountId(0);
const BIA: SubaccountId = SubaccountId(1);

struct Case {
    tracer: Tracer,
    seq: u64,
}

impl Case {
    fn new(rule: Rule) -> Self {
        Self { tracer: Tracer::new(rule), seq: 0 }
    }

    fn op(&mut self, kind: Kind) -> OpId {
        self.seq += 1;
        OpId::new(kind, Seq(self.seq))
    }

    fn moves(&mut self, op: OpId, moves: &[(LedgerAccount, LedgerAccount, u128)]) -> Vec<Hop> {
        self.prefers(op, None, moves)
    }

    fn prefers(
        &mut self,
        op: OpId,
        prefers: Option<OpId>,
        moves: &[(LedgerAccount, LedgerAccount, u128)],
    ) -> Vec<Hop> {
        let slot = |place: LedgerAccount| place.slot(Some(op));
        let flow = |(from, to, amount): &(LedgerAccount, LedgerAccount, u128)| {
            let (from, to) = (slot(*from), slot(*to));
            Flow { from, to, amount: *amount }
        };
        let flows = moves.iter().map(flow).collect();
        let record = Seq(self.seq);
        let begins = Begins::Nothing;
        let step = Step { record, event: 0, op: Some(op), prefers, begins, flows };
        let mut hops = Vec::new();
        self.tracer.step(&step, &mut |hop| hops.push(*hop));
        hops
    }

    fn pix(&mut self, to: SubaccountId, amount: u128) -> OpId {
        let op = self.op(Kind::Charge);
        self.moves(op, &[(brl(A::ProviderPix), brl(A::Available(to)), amount)]);
        op
    }

    /// The lots of a part of an account: source and amount, in their line.
    fn lots(&self, slot: Slot) -> Vec<(u32, u128)> {
        let slots = self.tracer.slots().filter(|(at, _)| *at == slot);
        slots.flat_map(|(_, lots)| lots).map(|lot| (lot.source.0, lot.amount)).collect()
    }

    fn available(&self, of: SubaccountId) -> Vec<(u32, u128)> {
        self.lots(brl(A::Available(of)).slot(None))
    }
}

fn brl(account: A) -> LedgerAccount {
    LedgerAccount::Reais(account)
}

fn usdt(account: C) -> LedgerAccount {
    LedgerAccount::Coins(AssetId(0), account)
}

fn sources(hops: &[Hop]) -> Vec<(u32, u128)> {
    hops.iter().map(|hop| (hop.source.0, hop.amount)).collect()
}

#[test]
fn a_payout_takes_the_first_the_last_or_a_part_of_each() {
    for (rule, taken) in [
        (Rule::FirstIn, vec![(0, 30), (1, 15)]),
        (Rule::LastIn, vec![(2, 20), (1, 25)]),
        (Rule::Proportion, vec![(0, 14), (1, 22), (2, 9)]),
    ] {
        let mut case = Case::new(rule);
        for amount in [30, 50, 20] {
            case.pix(ANA, amount);
        }
        let payout = case.op(Kind::Payout);
        let hops =
            case.moves(payout, &[(brl(A::Available(ANA)), brl(A::PayoutInFlight(payout)), 45)]);
        assert_eq!(sources(&hops), taken, "{rule:?}");
    }
}

#[test]
fn money_that_is_blocked_and_let_go_has_its_place_in_the_line_again() {
    let mut case = Case::new(Rule::FirstIn);
    case.pix(ANA, 30);
    case.pix(ANA, 50);
    let hold = case.op(Kind::Hold);
    let (available, frozen) = (brl(A::Available(ANA)), brl(A::Frozen(ANA)));
    case.moves(hold, &[(available, frozen, 40)]);
    assert_eq!(case.lots(frozen.slot(Some(hold))), [(0, 30), (1, 10)]);
    case.moves(hold, &[(frozen, available, 40)]);
    assert_eq!(case.available(ANA), [(0, 30), (1, 50)]);
}

#[test]
fn a_hold_takes_the_money_of_its_cause_first_and_a_return_the_money_it_brought() {
    let mut case = Case::new(Rule::FirstIn);
    case.pix(ANA, 30);
    let contested = case.pix(ANA, 50);
    let hold = case.op(Kind::Hold);
    let (available, frozen) = (brl(A::Available(ANA)), brl(A::Frozen(ANA)));
    let hops = case.prefers(hold, Some(contested), &[(available, frozen, 20)]);
    assert_eq!(sources(&hops), [(1, 20)]);
    let hops = case.prefers(contested, Some(contested), &[(available, brl(A::ProviderPix), 40)]);
    assert_eq!(sources(&hops), [(1, 30), (0, 10)]);
}

#[test]
fn two_holds_do_not_take_from_each_other() {
    let mut case = Case::new(Rule::FirstIn);
    case.pix(ANA, 30);
    case.pix(ANA, 50);
    let (first, second) = (case.op(Kind::Hold), case.op(Kind::Hold));
    let (available, frozen) = (brl(A::Available(ANA)), brl(A::Frozen(ANA)));
    case.moves(first, &[(available, frozen, 30)]);
    case.moves(second, &[(available, frozen, 50)]);
    assert_eq!(sources(&case.moves(second, &[(frozen, available, 10)])), [(1, 10)]);
}

#[test]
fn a_payout_that_fails_or_comes_back_brings_the_money_that_left() {
    let mut case = Case::new(Rule::FirstIn);
    case.pix(ANA, 30);
    case.pix(ANA, 50);
    let payout = case.op(Kind::Payout);
    let (available, flight) = (brl(A::Available(ANA)), brl(A::PayoutInFlight(payout)));
    case.moves(payout, &[(available, flight, 40)]);
    case.moves(payout, &[(flight, brl(A::ProviderPay), 38), (flight, brl(A::PayoutIncome), 2)]);
    assert_eq!(case.available(ANA), [(1, 40)]);
    let back = [(brl(A::ProviderPay), available, 38), (brl(A::PayoutIncome), available, 2)];
    case.moves(payout, &back);
    assert_eq!(case.available(ANA), [(0, 30), (1, 50)]);
}

#[test]
fn what_falls_below_zero_is_an_advance_that_later_money_makes_good() {
    let mut case = Case::new(Rule::FirstIn);
    let charge = case.pix(ANA, 30);
    let available = brl(A::Available(ANA));
    let payout = case.op(Kind::Payout);
    case.moves(payout, &[(available, brl(A::PayoutInFlight(payout)), 25)]);
    let hops = case.prefers(charge, Some(charge), &[(available, brl(A::ProviderPix), 30)]);
    assert_eq!(sources(&hops), [(0, 5), (1, 25)]);
    assert_eq!(case.tracer.balance(available), -25);
    let later = case.op(Kind::Charge);
    let hops = case.moves(later, &[(brl(A::ProviderPix), available, 40)]);
    let covers: Vec<_> = hops.iter().map(|hop| (hop.covers.map(|of| of.0), hop.amount)).collect();
    assert_eq!(covers, [(Some(1), 25), (None, 15)]);
    assert_eq!(case.tracer.balance(available), 15);
}

#[test]
fn a_fee_that_is_given_back_in_the_same_entry_is_no_advance() {
    let mut case = Case::new(Rule::FirstIn);
    let charge = case.op(Kind::Charge);
    let (available, income) = (brl(A::Available(ANA)), brl(A::DepositIncome));
    let provider = brl(A::ProviderPix);
    case.moves(charge, &[(provider, available, 100), (available, income, 1)]);
    let back = [(available, provider, 100), (income, available, 1)];
    let hops = case.prefers(charge, Some(charge), &back);
    assert!(hops.iter().all(|hop| hop.source.0 == 0 && hop.covers.is_none()), "{hops:?}");
    assert_eq!(case.tracer.balance(available), 0);
}

#[test]
fn a_leg_of_a_group_waits_for_the_leg_that_funds_it() {
    let mut case = Case::new(Rule::FirstIn);
    case.pix(ANA, 30);
    let group = case.op(Kind::Transfer);
    let carla = SubaccountId(2);
    let [ana, bia, carla_has] = [ANA, BIA, carla].map(|of| brl(A::Available(of)));
    case.moves(group, &[(bia, carla_has, 30), (ana, bia, 30)]);
    assert_eq!(case.available(carla), [(0, 30)]);
    assert_eq!(case.tracer.balance(bia), 0);
}

#[test]
fn coins_that_were_bought_are_of_the_sources_of_their_reais_by_the_operation_s_own_rate() {
    let mut case = Case::new(Rule::FirstIn);
    case.pix(ANA, 100);
    case.pix(ANA, 200);
    let bought = case.op(Kind::Conversion);
    let flight = brl(A::ConversionInFlight(bought));
    let delivery = usdt(C::DeliveryInFlight(bought));
    case.moves(
        bought,
        &[
            (brl(A::Available(ANA)), flight, 300),
            (flight, brl(A::Fx), 300),
            (usdt(C::Fx), delivery, 50),
        ],
    );
    // 16 2/3 and 33 1/3 units: the unit that is left goes to the larger remainder.
    assert_eq!(case.lots(delivery.slot(Some(bought))), [(0, 17), (1, 33)]);
    // Undone, both commodities go back the way they came.
    case.moves(bought, &[(brl(A::Fx), flight, 300), (delivery, usdt(C::Fx), 50)]);
    assert_eq!(case.lots(flight.slot(None)), [(0, 100), (1, 200)]);
}

#[test]
fn reais_of_a_sale_are_of_the_sources_of_its_coins() {
    let mut case = Case::new(Rule::Proportion);
    let sale = case.op(Kind::CashOut);
    let (dep, flight) = (usdt(C::Deposited(sale)), brl(A::SaleInFlight(sale)));
    case.moves(sale, &[(usdt(C::Transit(ChainId(0))), dep, 9)]);
    // The entry lists reais first; they wait for the coins that they are paid for.
    case.moves(sale, &[(brl(A::Fx), flight, 500), (dep, usdt(C::Fx), 9)]);
    assert_eq!(case.lots(flight.slot(None)), [(0, 500)]);
}

#[test]
fn commission_is_withdrawn_from_all_that_was_earned_by_the_rule() {
    let mut case = Case::new(Rule::LastIn);
    let commission = brl(A::Commission(AccountId(0)));
    for amount in [30, 50] {
        case.pix(ANA, amount);
        let payout = case.op(Kind::Payout);
        let flight = brl(A::PayoutInFlight(payout));
        case.moves(payout, &[(brl(A::Available(ANA)), flight, amount)]);
        case.moves(payout, &[(flight, commission, amount)]);
    }
    let withdrawal = case.op(Kind::CommissionWithdrawal);
    let flight = brl(A::ConversionInFlight(withdrawal));
    let hops = case.moves(withdrawal, &[(commission, flight, 60)]);
    assert_eq!(sources(&hops), [(1, 50), (0, 10)]);
}
