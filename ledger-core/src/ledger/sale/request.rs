//! Requests about sales, judged in the order of rulings 6.

use super::report::CashOutRequest;
use crate::coin::{Scale, Units};
use crate::id::{AccountId, Kind, OpId};
use crate::ledger::agent::mandate::against_mandate;
use crate::ledger::decision::lookup::Lookup;
use crate::ledger::decision::refusal::{Bounds, Refusal};
use crate::ledger::decision::repetition::repeat;
use crate::ledger::decision::{Decision, Outcome};
use crate::ledger::record::event::Event;
use crate::ledger::state::State;
use crate::machine::cash_out::{self, AmountBasis, Context, Funding, Order};
use crate::machine::refund::Coins;
use crate::money::{Amount, Cents};
use crate::network::Scheme;
use crate::network::address::may_be_wallet;
use crate::terms::selling::Limits;
use crate::terms::{Deal, Ending, Market, Payer, Price, Quote, Route, SaleRates};
use crate::time::{Instant, Span};

/// How long a quote is good in the sandbox whose ending is `.03`.
const LAPSE: Span = Span::seconds(5);

pub(in crate::ledger) fn create(
    state: &State,
    lookup: &Lookup,
    account: AccountId,
    request: CashOutRequest,
    at: Instant,
) -> Result<Decision, Refusal> {
    if let Some((op, original)) = &lookup.original {
        let progress = original.cash_out().and_then(cash_out::State::progress);
        let progress = progress.expect("an identity of a sale names one that was quoted");
        return repeat(*op, request.differing(&progress.order));
    }
    let order = state.quote_sale(account, request, Funding::Seller, at)?;
    let op = OpId::new(Kind::CashOut, state.seq.next());
    let event = cash_out::Event::Quoted(Box::new(order));
    let events = vec![Event::CashOut { op, event }];
    Ok(Decision { events, outcome: Outcome::Created(op) })
}

/// An order that exists is accepted, or is given the wallet that a refund goes to.
pub(in crate::ledger) fn move_order(
    state: &State,
    lookup: &Lookup,
    asked: cash_out::Request,
    at: Instant,
) -> Result<Decision, Refusal> {
    let Some((op, order)) =
        lookup.operation.as_ref().and_then(|(op, known)| Some((*op, known.cash_out()?)))
    else {
        return Err(Refusal::NotFound);
    };
    let progress = order.progress().ok_or(Refusal::NotFound)?;
    if !progress.order.is_sellers() {
        return Err(Refusal::OutOfTurn);
    }
    if matches!(asked, cash_out::Request::Accept(_))
        && progress.accepted.is_none()
        && state.policy.sale_limits().paused.is_on()
    {
        return Err(Refusal::SalesPaused);
    }
    if let cash_out::Request::Address(address) = &asked
        && !may_be_wallet(&progress.order.chain_name, address)
    {
        return Err(Refusal::RefundAddressInvalid);
    }
    let asked = match asked {
        cash_out::Request::Address(address) => {
            cash_out::Request::Address(progress.as_confirmed(address))
        }
        accepts @ cash_out::Request::Accept(_) => accepts,
    };
    let now = Context {
        at,
        quote: None,
        scale: None,
        ceilings: state.ceilings(op, order, at),
        unmatched: OpId::new(Kind::UnmatchedDeposit, state.seq.next()),
    };
    let events = cash_out::request(order, asked, &now).map_err(|refusal| {
        let limits =
            Limits::for_order(progress.order.deal, &progress.order, now.ceilings.room, state);
        match refusal {
            cash_out::Refusal::Mandate(excess) => against_mandate(excess, at),
            cash_out::Refusal::QuoteExpired => Refusal::QuoteExpired,
            cash_out::Refusal::NoAddress => Refusal::SettlerUnavailable,
            cash_out::Refusal::RecipientCeiling { .. } => {
                Refusal::RecipientCeiling { limits: Box::new(limits) }
            }
            cash_out::Refusal::AddressFixed => Refusal::RefundAddressFixed,
            cash_out::Refusal::OutOfTurn => Refusal::OutOfTurn,
        }
    })?;
    let events = events.into_iter().map(|event| Event::CashOut { op, event }).collect();
    Ok(Decision { events, outcome: Outcome::Done })
}

impl Limits {
    fn for_order(_: Deal, order: &Order, room: Cents, state: &State) -> Self {
        let market = state.catalogue.market(&order.asset_name, &order.chain_name);
        let bounds = market.map(|market| (market.least, market.most)).unwrap_or_default();
        Self::at((order.rates, order.quote.price, order.scale), order.range, bounds, room)
    }

    fn at(
        (rates, price, scale): (SaleRates, Price, Scale),
        (least, most): (Amount, Amount),
        bounds: (Option<Units>, Option<Units>),
        room: Cents,
    ) -> Self {
        let units =
            |bound: Amount| rates.cost_at(bound).and_then(|cost| price.units_for(cost, scale));
        let most_now = rates.bound_of(room, most);
        let fits = most_now.amount().filter(|now| least <= *now).and_then(units);
        Self {
            least: units(least).max(bounds.0),
            most: fits.map(|units| bounds.1.map_or(units, |most| most.min(units))),
            scale,
            most_now,
            most_ever: most,
        }
    }
}

impl State {
    /// A sale as it would be quoted now: all of it, and nothing committed (COUT-33, COUT-65).
    ///
    /// # Errors
    ///
    /// The [`Refusal`], in the order of rulings 6.
    pub fn quote_sale(
        &self,
        account: AccountId,
        mut request: CashOutRequest,
        funding: Funding,
        at: Instant,
    ) -> Result<Order, Refusal> {
        let limits = self.policy.sale_limits();
        if self.is_sandbox() {
            request.payee = request.payee.with_claimed_owner();
        }
        if limits.paused.is_on() {
            return Err(Refusal::SalesPaused);
        }
        if matches!(request.asked, AmountBasis::Code(_)) && limits.codes_paused.is_on() {
            return Err(Refusal::CodesPaused);
        }
        // What a sale of so much crypto pays is known once it is priced.
        let payee = request.payee.counterparty();
        let paid = match request.asked {
            _ if funding != Funding::Seller => None,
            AmountBasis::Net(net) => Some(net),
            AmountBasis::Code(_) => request.code_amount,
            AmountBasis::Units(_) => None,
        };
        if let Some(paid) = paid {
            self.mandate_admits(account, paid, payee, at)?;
        }
        let market = self.market(&request)?;
        let rates = self.terms(account, at).sale_rates(market.route);
        let quote = self.sale_quote(market, at).ok_or(Refusal::RateUnavailable)?;
        let (price, scale) = (quote.price, market.scale);
        let range = match market.route {
            Route::Liquid => (limits.liquid_least, limits.liquid_most),
            Route::Fast | Route::Dex | Route::Convert => (limits.least, limits.most),
        };
        let room = self.room(&request.payee, at);
        let bounds = Limits::at((rates, price, scale), range, (market.least, market.most), room);
        let (units, deal) = price_order(&request, (rates, price, scale), &bounds)?;
        if paid.is_none() && funding == Funding::Seller {
            self.mandate_admits(account, deal.net, payee, at)?;
        }
        let bound = rates.bounded_amount(deal).ok_or(Refusal::Uncountable)?;
        let exceeds = rates.exceeds((units, deal), range.1, (price, scale));
        let exceeds = exceeds.ok_or(Refusal::Uncountable)?;
        within((units, bound), market, (range.0, exceeds), &bounds)?;
        if room < deal.net.as_cents() {
            return Err(Refusal::RecipientCeiling { limits: Box::new(bounds) });
        }
        let reserve_usdt = match rates.reserve.amount() {
            Some(reserve) => {
                let usdt = self.fresh("usdt", at).ok_or(Refusal::RateUnavailable)?;
                usdt.price.units_for(reserve, Scale::SIX)
            }
            None => None,
        };
        let order = Order {
            account,
            route: market.route,
            coins: Coins { asset: market.asset, chain: market.chain, units },
            asset_name: market.asset_name.clone(),
            chain_name: market.chain_name.clone(),
            scale,
            asked: request.asked,
            deal,
            rates,
            reserve_usdt,
            range,
            refund_alone: self.refund_alone(market, &quote, at),
            quote,
            payee: request.payee,
            refund_address: request.refund_address,
            funding,
            external_id: request.external_id,
            created_at: at,
            expires_at: at.after(Span::seconds(u32::from(market.valid_minutes) * 60)),
            revival: limits.revival,
            retries: (limits.retry_every, limits.retry_for),
            confirmations: market.confirmations,
        };
        if self.is_sandbox() && order.is_sellers() {
            return self.apply_script(order, bounds);
        }
        Ok(order)
    }

    /// An order of the sandbox, as its ending has it: refused as a market, a provider or a payer's
    /// limits would (SBX-06, P:SbxLimitCode, P:SbxRefusalStep), or good for five seconds.
    fn apply_script(&self, order: Order, limits: Limits) -> Result<Order, Refusal> {
        let at = order.created_at;
        match order.ending() {
            Ending::Limits => {
                Err(Refusal::SaleOutOfRange { bound: Bounds::Above, limits: Box::new(limits) })
            }
            Ending::ProviderRefusal => {
                Err(Refusal::PayerRefused { reference: "sandbox-06".into() })
            }
            Ending::PayerLimit => {
                let ladder = self.policy.ladder.unwrap_or_default();
                let allowance = Box::new(ladder.allowance(&Payer::default(), at));
                Err(Refusal::PayerLimit { allowance })
            }
            Ending::Lapse => Ok(Order { expires_at: at.after(LAPSE), ..order }),
            Ending::Success
            | Ending::Delay
            | Ending::Failure
            | Ending::Slow
            | Ending::SettlerAway => Ok(order),
        }
    }

    /// The destination: a pair that is bought now, and a return wallet on its network.
    fn market(&self, request: &CashOutRequest) -> Result<&Market, Refusal> {
        if self.catalogue.markets().next().is_none() {
            return Err(Refusal::CatalogueMissing);
        }
        let market = self.catalogue.market(&request.asset, &request.network);
        let market = market.ok_or(Refusal::PairUnknown)?;
        if !market.offered.is_on() {
            return Err(Refusal::NetworkUnavailable);
        }
        let liquid = market.route == Route::Liquid;
        // A code is paid from what has a price of its own, and a key on Liquid needs its owner.
        if liquid && matches!(request.asked, AmountBasis::Code(_)) {
            return Err(Refusal::CodeOnLiquid);
        }
        if liquid && request.payee.tax_number.is_none() {
            return Err(Refusal::PayeeDocumentMissing);
        }
        let wallet = request.refund_address.as_deref();
        match wallet {
            Some(address) if !may_be_wallet(&market.chain_name, address) => {
                Err(Refusal::RefundAddressInvalid)
            }
            _ => Ok(market),
        }
    }

    /// The price a sale is quoted at: one real for one unit on Liquid.
    fn sale_quote(&self, market: &Market, at: Instant) -> Option<Quote> {
        match market.route {
            Route::Liquid => Some(Quote { price: Price::PAR, source: "par".into(), at }),
            _ => self.fresh(&market.asset_name, at).cloned(),
        }
    }

    /// The largest refund without an operator, in the asset; none on Liquid, where no sale is large
    /// enough (COUT-52, COUT-84). Where it cannot be counted, the smallest there is.
    fn refund_alone(&self, market: &Market, quote: &Quote, at: Instant) -> Option<Units> {
        let whole = u128::from(self.policy.sale_limits().refund_alone);
        let least = Units::new(1).expect("one unit is a number of units");
        if market.route == Route::Liquid {
            return None;
        }
        if !Scheme::for_network(&market.chain_name).checks_addresses() {
            // Nobody can tell whether the return wallet is one (rulings 65).
            return Some(least);
        }
        if matches!(&*market.asset_name, "usdt" | "usdc") {
            return Units::new(whole.saturating_mul(market.scale.one())).or(Some(least));
        }
        let usdt = Units::new(whole * Scale::SIX.one());
        let cents = usdt.zip(self.fresh("usdt", at));
        let cents = cents.and_then(|(units, usdt)| usdt.price.cents(units, Scale::SIX));
        cents.and_then(|cents| quote.price.units(cents, market.scale)).or(Some(least))
    }
}

/// How much crypto for how many reais, from whichever was named (FEE-41, rulings 47).
fn price_order(
    request: &CashOutRequest,
    (rates, price, scale): (SaleRates, Price, Scale),
    bounds: &Limits,
) -> Result<(Units, Deal), Refusal> {
    let too_much =
        || Refusal::SaleOutOfRange { bound: Bounds::Above, limits: Box::new(bounds.clone()) };
    let too_little =
        || Refusal::SaleOutOfRange { bound: Bounds::Below, limits: Box::new(bounds.clone()) };
    let of_net = |net: Amount| {
        let cost = rates.cost(net)?;
        let units = price.units_for(cost, scale)?;
        Some((units, rates.exactly(net, price.cents(units, scale)?)?))
    };
    match (request.asked, request.code_amount) {
        (AmountBasis::Net(net), _) | (AmountBasis::Code(_), Some(net)) => {
            of_net(net).ok_or_else(too_much)
        }
        (AmountBasis::Code(_), None) => Err(Refusal::CodeWithoutAmount),
        (AmountBasis::Units(units), _) => {
            let gross = price.cents(units, scale);
            let deal = gross.and_then(|gross| rates.largest(gross)).ok_or_else(too_little)?;
            Ok((units, deal))
        }
    }
}

/// The limits of the sale and of the market.
fn within(
    (units, bound): (Units, Amount),
    market: &Market,
    (least, exceeds): (Amount, bool),
    limits: &Limits,
) -> Result<(), Refusal> {
    let out = |bound| Refusal::SaleOutOfRange { bound, limits: Box::new(limits.clone()) };
    if bound < least || market.least.is_some_and(|least| units < least) {
        return Err(out(Bounds::Below));
    }
    if exceeds || market.most.is_some_and(|most| most < units) {
        return Err(out(Bounds::Above));
    }
    Ok(())
}
