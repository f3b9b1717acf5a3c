//! What sellers ask, as the oracle judges it in the order of rulings 6.

use ledger_core::id::{AccountId, Kind, OpId};
use ledger_core::ledger::{Bounds, CashOutRequest, Outcome, Refusal, Topic};
use ledger_core::machine::cash_out::{AmountBasis, DepositTo, KeyOwner};
use ledger_core::money::Amount;
use ledger_core::terms::{Market, Price, Route, Switch};
use ledger_core::time::{Instant, Span};

use super::terms::{self, Priced, Rates};
use super::{Coin, Liquidation, PayoutAttempts, Phase, Sale, Way};
use crate::goal::Goal;
use crate::oracle::fees::Invocation;
use crate::oracle::{Oracle, later};
use crate::wallets::{is_same_on, is_wallet};

type Judged = Result<Outcome, Refusal>;

impl Oracle {
    /// A sale is quoted: nothing is committed (COUT-33).
    pub(in crate::oracle) fn sale_request(
        &mut self,
        account: AccountId,
        request: &CashOutRequest,
        at: Instant,
    ) -> Result<OpId, Refusal> {
        let sale = self.sale_terms(account, request, None, at)?;
        if sale.split.net == self.room_of(&sale.whom, at) {
            self.reach(Goal::RecipientExact);
        }
        if sale.split.net == sale.range.0 {
            self.reach(Goal::SmallestSale);
        }
        let op = self.next_op(Kind::CashOut);
        self.sales.insert(op, sale);
        self.note(op);
        self.await_time(op);
        Ok(op)
    }

    /// A sale as it would be quoted now; one that pays for a wallet is its payment's to answer for
    /// before a mandate.
    pub(in crate::oracle) fn sale_terms(
        &mut self,
        account: AccountId,
        request: &CashOutRequest,
        payment: Option<OpId>,
        at: Instant,
    ) -> Result<Sale, Refusal> {
        let limits = self.policy.sale_limits();
        let pays_code = matches!(request.asked, AmountBasis::Code(_));
        if limits.paused.is_on() {
            return Err(Refusal::SalesPaused);
        }
        if pays_code && limits.codes_paused.is_on() {
            return Err(Refusal::CodesPaused);
        }
        // What a sale of so much crypto pays is known once it is priced.
        let payee = request.payee.owner.and_then(KeyOwner::document);
        let paid = match request.asked {
            AmountBasis::Net(net) => Some(net.cents()),
            AmountBasis::Code(_) => request.code_amount.map(Amount::cents),
            AmountBasis::Units(_) => None,
        };
        if let Some(paid) = paid.filter(|_| payment.is_none()) {
            self.check_mandate(account, paid, payee, at)?;
        }
        let market = self.buys_from_sellers(request)?.clone();
        let route = market.route;
        let rates = Rates::from_terms(&self.terms(account, at), route);
        let ask = self.sale_price(route, &market.asset_name, at).ok_or(Refusal::RateUnavailable)?;
        let priced = Priced { ask, scale: market.scale.decimals() };
        let range = terms::range(&limits, route);
        let room = self.room(&request.payee, at);
        let bounds = terms::limits(rates, priced, range, Some(&market), room);
        let worked_out = terms::worked_out(request, rates, priced, &bounds);
        let (units, split) =
            worked_out.inspect_err(|refusal| self.refused_sale(request, range, room, refusal))?;
        if paid.is_none() && payment.is_none() {
            self.check_mandate(account, split.net, payee, at)?;
        }
        terms::within((units, split, rates, priced), &market, range, (&bounds, room))
            .inspect_err(|refusal| self.refused_sale(request, range, room, refusal))?;
        if has_reserve(split) && self.market.fresh("usdt", self.policy.rate_age, at).is_none() {
            return Err(Refusal::RateUnavailable);
        }
        let number = self.market.numbers_of(&market);
        Ok(Sale {
            account,
            payment,
            route,
            pair: (market.asset_name.clone(), market.chain_name.clone()),
            coin: Coin { asset: number.0, chain: number.1, units },
            split,
            pays_code,
            rates,
            priced,
            range,
            alone: self.refunded_alone(&market, priced, at),
            claimed: request.payee.tax_number,
            whom: super::whom(&request.payee),
            document: request.payee.owner.and_then(KeyOwner::document),
            wallet: request.refund_address.clone(),
            made_at: at,
            expires_at: later(at, Span::seconds(u32::from(market.valid_minutes) * 60)),
            revival: limits.revival,
            retries: (limits.retry_every, limits.retry_for),
            accepted: None,
            phase: Phase::Quoted,
            delayed: false,
            repriced: None,
            deposits: Vec::new(),
            split_off: Vec::new(),
            odd: Vec::new(),
            gone: Vec::new(),
            promised: 0,
            sold: None,
            liquidation: Liquidation::None,
            handed: None,
            kept: Switch::Off,
            attempts: PayoutAttempts::default(),
            e2e: None,
            reversed: 0,
            given_back: None,
            refund: None,
        })
    }

    fn refused_sale(
        &mut self,
        request: &CashOutRequest,
        range: (i64, i64),
        room: i64,
        refusal: &Refusal,
    ) {
        let AmountBasis::Net(net) = request.asked else { return };
        match refusal {
            Refusal::RecipientCeiling { .. } if net.cents() == room + 1 => {
                self.reach(Goal::RecipientOver);
            }
            Refusal::SaleOutOfRange { bound: Bounds::Below, .. } if net.cents() + 1 == range.0 => {
                self.reach(Goal::BelowSmallestSale);
            }
            Refusal::SaleOutOfRange { bound: Bounds::Above, .. } if net.cents() == range.1 + 1 => {
                self.reach(Goal::AboveLargestSale);
            }
            _ => {}
        }
    }

    /// The destination: a pair that is bought now, paid as it can be, and a wallet on its network.
    fn buys_from_sellers(&mut self, request: &CashOutRequest) -> Result<&Market, Refusal> {
        if self.market.sellers.is_empty() {
            return Err(Refusal::CatalogueMissing);
        }
        let pair = (request.asset.clone(), request.network.clone());
        let market = self.market.sellers.get(&pair).ok_or(Refusal::PairUnknown)?;
        let liquid = market.route == Route::Liquid;
        if !market.offered.is_on() {
            self.trace.goals.push(Goal::NetworkClosed);
            return Err(Refusal::NetworkUnavailable);
        }
        if liquid && matches!(request.asked, AmountBasis::Code(_)) {
            return Err(Refusal::CodeOnLiquid);
        }
        if liquid && request.payee.tax_number.is_none() {
            return Err(Refusal::PayeeDocumentMissing);
        }
        match request.refund_address.as_deref() {
            Some(wallet) if !is_wallet(&market.chain_name, wallet) => {
                Err(Refusal::RefundAddressInvalid)
            }
            _ => Ok(market),
        }
    }

    /// The price now: one real for one unit on Liquid, else the latest that is not too old.
    pub(super) fn sale_price(&self, route: Route, asset: &str, at: Instant) -> Option<Invocation> {
        match route {
            Route::Liquid => Some(Invocation::read(&Price::PAR.text())),
            _ => self.market.fresh(asset, self.policy.rate_age, at),
        }
    }

    /// 5,000 USDT in the asset (COUT-52): themselves, or what they buy of it; on Liquid any sale.
    fn refunded_alone(&self, market: &Market, priced: Priced, at: Instant) -> Option<u128> {
        let whole = u128::from(self.policy.sale_limits().refund_alone);
        if *market.chain_name == *"near" {
            // Nobody can check where it would go: a person decides (rulings 65).
            return Some(1);
        }
        if market.route == Route::Liquid {
            return None;
        }
        if ["usdt", "usdc"].contains(&&*market.asset_name) {
            return Some((whole * 10_u128.pow(priced.scale.into())).max(1));
        }
        let usdt = self.market.fresh("usdt", self.policy.rate_age, at);
        let cents = usdt.map_or(0, |usdt| usdt.brings(whole * 1_000_000, 6));
        Some(priced.buy_back_units(cents).max(1))
    }

    /// The point of no return (COUT-34): the deposit is awaited, and the recipient's day is used.
    pub(in crate::oracle) fn accept_sale(
        &mut self,
        account: AccountId,
        op: OpId,
        supplied: Option<&DepositTo>,
        at: Instant,
    ) -> Judged {
        let known = self.sales.get(&op).filter(|sale| sale.account == account);
        let Some(sale) = known.cloned() else { return Err(Refusal::NotFound) };
        if sale.payment.is_some() {
            self.reach(Goal::PaymentOrderAlone);
            return Err(Refusal::OutOfTurn);
        }
        if sale.accepted.is_some() {
            self.reach(Goal::AcceptedAgain);
            return Ok(Outcome::Done);
        }
        if self.policy.sale_limits().paused.is_on() {
            return Err(Refusal::SalesPaused);
        }
        match sale.phase {
            Phase::Quoted => {}
            Phase::Expired => {
                if at == sale.expires_at {
                    self.reach(Goal::AcceptedTooLate);
                }
                return Err(Refusal::QuoteExpired);
            }
            _ => return Err(Refusal::OutOfTurn),
        }
        self.accept_mandated(op, at)?;
        let room = self.room_of(&sale.whom, at);
        if room < sale.split.net {
            let market = self.market.sellers.get(&sale.pair);
            let limits = terms::limits(sale.rates, sale.priced, sale.range, market, room);
            self.reach(Goal::CeilingAtAccept);
            return Err(Refusal::RecipientCeiling { limits: Box::new(limits) });
        }
        if supplied.is_none() {
            self.silent.insert(op);
            return Err(Refusal::SettlerUnavailable);
        }
        if self.silent.remove(&op) {
            self.reach(Goal::AcceptedAfterSilence);
        }
        if sale.expires_at.since(at).micros() == 1 {
            self.reach(Goal::AcceptedAtLast);
        }
        let sale = self.sale(op);
        (sale.accepted, sale.phase) = (Some(at), Phase::Awaiting);
        let net = sale.split.net;
        self.promise(op, net);
        self.notify(op, Topic::CashOutAccepted);
        self.note(op);
        self.trace.changed = true;
        Ok(Outcome::Done)
    }

    /// The return wallet, reported when a refund waits for it; it stands once it is set
    /// (P:RefundImmutable).
    pub(in crate::oracle) fn refund_address(
        &mut self,
        account: AccountId,
        op: OpId,
        address: &str,
    ) -> Judged {
        let known = self.sales.get(&op).filter(|sale| sale.account == account);
        let Some(sale) = known else { return Err(Refusal::NotFound) };
        if sale.payment.is_some() {
            return Err(Refusal::OutOfTurn);
        }
        if !is_wallet(&sale.pair.1, address) {
            return Err(Refusal::RefundAddressInvalid);
        }
        let due = sale.refund.as_ref();
        let known = due.and_then(|due| due.to.as_ref()).or(sale.wallet.as_ref());
        if let Some(known) = known {
            if is_same_on(Some(&sale.pair.1), known, address) {
                return Ok(Outcome::Done);
            }
            self.reach(Goal::WalletStands);
            return Err(Refusal::RefundAddressFixed);
        }
        // A refund on another network is an operator's: a client names wallets of its order's.
        let waits = due.is_some_and(|due| due.way == Way::Due && due.coin.chain == sale.coin.chain);
        if !waits {
            return Err(Refusal::OutOfTurn);
        }
        self.refund_addressed(op, address);
        self.refund_steps(op);
        self.reach(Goal::WalletCame);
        self.note(op);
        self.trace.changed = true;
        Ok(Outcome::Done)
    }
}

/// Tells whether the sale carries a reserve, whose equivalent in USDT is frozen with it (FEE-21).
const fn has_reserve(split: terms::Split) -> bool {
    split.reserve > 0
}
