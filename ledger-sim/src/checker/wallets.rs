//! Comparison of what stands in wallets' operations: deposits, quotes, withdrawals.

use ledger_core::accounting::CoinAccount;
use ledger_core::coin::Units;
use ledger_core::id::{AccountId, OpId};
use ledger_core::ledger::{Operation, State};
use ledger_core::machine::wallet::deposit::{self, OnChain, Timing, Transfer};
use ledger_core::machine::wallet::payment::{self, Resolution};
use ledger_core::machine::wallet::quote::{self, Offer};
use ledger_core::machine::wallet::withdrawal::{self, Sent, Stage, Terms};

use super::sales::split;
use crate::oracle::{
    DepositStatus, FailureReason, Fate, Network, Offer as Quoted, Offered, Oracle, PaymentOffered,
    PaymentStatus, Split, Step, Use, WithdrawalStatus,
};
use crate::spelling::canonical;

/// What was asked for: by whom, how much, and how much with its trailing decimals.
type WantedView = (AccountId, u128, u128);

/// Status; what was asked for; what came, whether late, what the network says, what was credited.
type DepositView = (DepositStatus, Option<WantedView>, Option<CameView>);
type CameView = (Transfer, bool, Network, Option<(AccountId, u128)>);

pub(super) fn deposit_of(oracle: &Oracle, op: OpId) -> DepositView {
    let it = &oracle.wallet_deposits[&op];
    let wanted = it.wanted.as_ref().map(|it| (it.account, it.requested, it.amount));
    let came = it.transfer.clone().map(|came| (came, it.late, it.network, it.credited));
    (it.status, wanted, came)
}

pub(super) fn deposit_found(operation: &Operation) -> Option<DepositView> {
    use deposit::State;
    let found = operation.wallet_deposit()?;
    let status = match found {
        State::Absent => return None,
        State::Waiting(_) => DepositStatus::Waiting,
        State::Expired(_) => DepositStatus::Expired,
        State::Confirming(_) => DepositStatus::Confirming,
        State::UnderReview(_) => DepositStatus::UnderReview,
        State::Available(_) => DepositStatus::Available,
        State::Reversed(_) => DepositStatus::Reversed,
    };
    let order = found.order();
    let wanted = order.map(|it| (it.account, it.requested.get(), it.amount.get()));
    let came = found.arrival().map(|it| {
        let network = match it.chain {
            OnChain::Seen => Network::Seen,
            OnChain::Confirmed => Network::Confirmed,
            OnChain::Vanished => Network::Vanished,
        };
        let credited = it.credit.map(|(account, units, _)| (account, units.get()));
        let mut transfer = it.transfer.clone();
        transfer.mark.hash = canonical(&transfer.mark.hash);
        (transfer, it.timing == Timing::Late, network, credited)
    });
    Some((status, wanted, came))
}

/// What was quoted, and what became of it.
type QuoteView = (Quoted, Use);

pub(super) fn quote_of(oracle: &Oracle, op: OpId) -> QuoteView {
    let it = &oracle.quotes[&op];
    (it.offer.clone(), it.used)
}

pub(super) fn quote_found(operation: &Operation) -> Option<QuoteView> {
    let found = operation.quote()?;
    let used = match found {
        quote::State::Absent => return None,
        quote::State::Open(_) => Use::Not,
        quote::State::Used(_, by) => Use::By(*by),
        quote::State::Lapsed(_) => Use::Lapsed,
    };
    let order = found.order()?;
    let quoted = match &order.offer {
        Offer::Withdrawal(terms) => Quoted::Withdrawal(to_offered(terms)),
        Offer::Payment(offer) => Quoted::Payment(PaymentOffered {
            account: order.account,
            asked: offer.asked,
            net: offer.net.cents(),
            units: offer.units.get(),
            fee: offer.fee.map_or(0, Units::get),
        }),
    };
    Some((quoted, used))
}

fn to_offered(terms: &Terms) -> Offered {
    let or_nothing = |units: Option<Units>| units.map_or(0, Units::get);
    Offered {
        account: terms.account,
        coin: terms.coin,
        asset: terms.asset.0,
        usdt: terms.usdt.0,
        chain: terms.chain.0,
        network: terms.network.clone(),
        address: terms.address.clone(),
        amount: terms.amount.get(),
        network_fee: or_nothing(terms.network_fee),
        conversion_fee: or_nothing(terms.conversion_fee),
        estimated: terms.estimated.get(),
        minimum: terms.minimum.get(),
    }
}

/// What was agreed; how far it came; what was sent; and what is owed to the address.
type WithdrawalView = (Offered, WithdrawalStatus, Step, Option<Sent>, u128);

pub(super) fn withdrawal_of(oracle: &Oracle, op: OpId) -> WithdrawalView {
    let it = &oracle.withdrawals[&op];
    let open = matches!(it.status, WithdrawalStatus::UnderWay | WithdrawalStatus::UnderReview);
    let flight = it.flight.filter(|_| open).unwrap_or(0);
    (it.terms.clone(), it.status, it.step, it.sent.clone(), flight)
}

pub(super) fn withdrawal_found(
    state: &State,
    op: OpId,
    operation: &Operation,
) -> Option<WithdrawalView> {
    use withdrawal::State as WithdrawalState;
    let found = operation.crypto_withdrawal()?;
    let status = match found {
        WithdrawalState::Absent => return None,
        WithdrawalState::UnderWay(_) => WithdrawalStatus::UnderWay,
        WithdrawalState::UnderReview(_) => WithdrawalStatus::UnderReview,
        WithdrawalState::Completed(_) => WithdrawalStatus::Completed,
        WithdrawalState::Failed(_) => WithdrawalStatus::Failed,
    };
    let progress = found.progress()?;
    let step = match progress.stage {
        Stage::Reserved => Step::Reserved,
        Stage::Funding => Step::Funding,
        Stage::Converting => Step::Converting,
        Stage::Processing => Step::Processing,
    };
    let terms = &progress.order.terms;
    let flight = state.books.coin(terms.asset, CoinAccount::WithdrawalInFlight(op));
    let flight = u128::try_from(flight).ok()?;
    let sent = progress.sent.clone().map(|sent| Sent { hash: canonical(&sent.hash), ..sent });
    Some((to_offered(terms), status, step, sent, flight))
}

/// Status, why it failed, what became of its reserve; estimate, fee and reserve; its order, what
/// that costs and how its reais are divided; what funded it, whether confirmed, its PIX, and
/// whether lost coins are there after all.
type PaymentView = (
    (PaymentStatus, Option<FailureReason>, Option<Fate>),
    [u128; 3],
    Option<(OpId, u128, Split)>,
    (Option<Box<str>>, bool, Option<Box<str>>, bool),
);

pub(super) fn payment_of(oracle: &Oracle, op: OpId) -> PaymentView {
    let it = &oracle.payments[&op];
    let sent = (it.sent.clone(), it.confirmed, it.e2e.clone(), it.recovered);
    ((it.status, it.reason, it.fate), [it.estimate, it.fee, it.reserved], it.order, sent)
}

pub(super) fn payment_found(operation: &Operation) -> Option<PaymentView> {
    let it = operation.wallet_payment()?.progress()?;
    let status = match it.stage {
        payment::Stage::Reserved => PaymentStatus::Reserved,
        payment::Stage::Ordered => PaymentStatus::Ordered,
        payment::Stage::Accepted => PaymentStatus::Accepted,
        payment::Stage::Sending => PaymentStatus::Sending,
        payment::Stage::Sent => PaymentStatus::Sent,
        payment::Stage::UnderReview => PaymentStatus::UnderReview,
        payment::Stage::Completed => PaymentStatus::Completed,
        payment::Stage::Failed => PaymentStatus::Failed,
        payment::Stage::FailedAfterSend => PaymentStatus::FailedAfterSend,
    };
    let fate = it.resolution.as_ref().map(|resolution| match resolution {
        Resolution::Returned(None) => Fate::Returned,
        Resolution::Returned(Some(_)) => Fate::ReturnedAndLost,
        Resolution::Paid(_) => Fate::Paid,
        Resolution::Lost(_) => Fate::Lost,
    });
    let order = it.cashout.map(|(op, cost)| (op, cost.units.get(), split(cost.deal)));
    let fee = it.order.fee.map_or(0, Units::get);
    let units = [it.order.estimate.get(), fee, it.order.reserved.get()];
    let e2e = it.pix.as_ref().map(|pix| pix.e2e.clone());
    let sent = it.sent.as_deref().map(canonical);
    let sent = (sent, it.confirmed.is_on(), e2e, it.recovered.is_on());
    Some(((status, it.reason, fate), units, order, sent))
}
