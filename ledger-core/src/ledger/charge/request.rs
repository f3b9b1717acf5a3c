//! Charges, judged in the order of rulings 6: idempotency, feature, destination, limits.

use crate::id::{AccountId, Kind, OpId, SubaccountId, Token};
use crate::ledger::account::opening::resolve;
use crate::ledger::decision::lookup::Lookup;
use crate::ledger::decision::named::Named;
use crate::ledger::decision::refusal::{Refusal, within};
use crate::ledger::decision::repetition::{repeat, repeatable};
use crate::ledger::decision::{Decision, Outcome};
use crate::ledger::record::event::Event;
use crate::ledger::state::{State, usage};
use crate::machine::charge::{self, Delivery, Order, Qr};
use crate::machine::purchase;
use crate::money::Amount;
use crate::terms::{Allowance, Band, Ladder, Payer, Review, ServiceRates, Switch, Terms};
use crate::time::{Instant, Span};

/// How long a QR code is valid (contract, section 2.1).
const QR_VALIDITY: Span = Span::seconds(15 * 60);

repeatable! {
    /// A charge to be issued. A customer of `None` is the house.
    ChargeRequest, as |asked, order: &Order, subaccount: Option<SubaccountId>| {
        /// The subaccount to credit.
        customer?: Box<str>, same { Customer: asked.is_for(order, subaccount) };
        /// What the QR asks for, in centavos.
        amount: Amount, same { Amount: order.amount == asked.amount };
        /// The payer's CPF or CNPJ.
        payer: Token, same { Payer: order.payer == asked.payer };
        /// The payer's name.
        payer_name?: Token, same { PayerName: order.payer_name == asked.payer_name };
        /// Tells whether retention is allowed.
        allow_hold: Switch, same { AllowHold: order.allow_hold == asked.allow_hold };
        /// Asset, chain and wallet, echoed.
        delivery: Delivery, same {
            Asset: order.delivery.asset == asked.delivery.asset,
            Chain: order.delivery.chain == asked.delivery.chain,
            Address: asked.goes_to(order),
        };
        /// What the provider supplied; without it a new charge is refused (rulings 39).
        qr?: Qr, free;
        /// The provider's reference, when it refused the payer instead (ERR-15).
        payer_refused?: Box<str>, free;
        /// Where the money goes: `destino`.
        destination: Destination, same {
            Destination: order.purchase.is_none() == (asked.destination == Destination::Custody),
            Memo: asked.has_memo_of(order),
        };
        /// The client's own id.
        external_id?: Box<str>, free;
    }
}

/// Where the money of a charge goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Destination {
    /// Into custody: `saldo`.
    Custody,
    /// It buys crypto: `cripto`.
    Crypto {
        /// The memo of the wallet: `payout_tag`.
        memo: Option<Box<str>>,
    },
}

impl ChargeRequest {
    /// Returns what it names of what the ledger keeps.
    pub(in crate::ledger) fn references(&self) -> Named<'_> {
        let named = Named::new(Kind::Charge, self.external_id.as_deref());
        named.with_balance("customer_ref", self.customer.as_deref())
    }
}

/// Judges a request for a charge: every reason to refuse it, in order.
///
/// # Errors
///
/// The first [`Refusal`] that stands against it.
pub(in crate::ledger) fn request(
    state: &State,
    lookup: &Lookup,
    account: AccountId,
    mut request: ChargeRequest,
    at: Instant,
) -> Result<Decision, Refusal> {
    if let Some((op, original)) = &lookup.original {
        let order = original.charge().and_then(charge::State::order);
        let order = order.expect("an identity of a charge names a charge that was requested");
        let differing = request.differing(order, lookup.subaccounts[0]);
        let literal = !state.policy.divergent_charge_is_refused.is_on();
        return repeat(*op, if literal { Vec::new() } else { differing });
    }
    if state.policy.cash_in_paused.is_on() {
        return Err(Refusal::CashInPaused);
    }
    let terms = state.terms(account, at);
    let purchase = match &request.destination {
        Destination::Custody if !terms.custody.is_on() => return Err(Refusal::CustodyDisabled),
        Destination::Custody => None,
        Destination::Crypto { memo } => {
            let memo = memo.clone();
            Some(agree(state, account, (&terms, &mut request), memo, at)?)
        }
    };
    let least = match &purchase {
        Some((_, least)) => *least,
        None => {
            let net = state.policy.least_net;
            let passes = |amount| terms.charge_passes(net, amount);
            least(&terms, request.amount, passes, || terms.smallest_charge(net))
        }
    };
    let least = least.ok_or(Refusal::BelowMinimum { minimum: None })?;
    within(request.amount, (least, terms.charge_most))
        .map_err(|it| above_the_payers_day(state, account, &request, at).unwrap_or(it))?;
    // What passes its own minimum was agreed; nothing else may become a deposit by default.
    let purchase = purchase
        .map(|(agreed, minimum)| agreed.ok_or(Refusal::BelowMinimum { minimum }))
        .transpose()?;
    let allowance = admit(state, account, &terms, &request, at)?;
    let held = held_hours(&terms, allowance.as_ref(), &request);
    if held.is_some() && !request.allow_hold.is_on() {
        // What the ladder lets pass at once, the account's own terms hold.
        let allowance = allowance.filter(|it| it.admits(request.amount) != Some(Band::Instant));
        return Err(Refusal::HoldNotAllowed { allowance: allowance.map(Box::new) });
    }
    if let Some(reference) = request.payer_refused {
        return Err(Refusal::PayerRefused { reference });
    }
    let Some(qr) = request.qr else { return Err(Refusal::QrMissing) };
    let mut events = Vec::with_capacity(2);
    let op = OpId::new(Kind::Charge, state.seq.next());
    let subaccount = match purchase {
        None => resolve(state, account, lookup.subaccounts[0], request.customer, &mut events),
        Some(_) => state.account(account).map(|known| known.house).expect("a key opens an account"),
    };
    let order = Order {
        account,
        subaccount,
        amount: request.amount,
        fee: terms.deposit,
        retention_hours: held,
        release: terms.release,
        waiting_hours: terms.waiting_hours,
        created_at: at,
        expires_at: at.after(QR_VALIDITY),
        payer: request.payer,
        payer_name: request.payer_name,
        allow_hold: request.allow_hold,
        delivery: request.delivery,
        qr,
        external_id: request.external_id,
        purchase: purchase.map(Box::new),
    };
    let event = charge::Event::Requested(Box::new(order));
    events.push(Event::Charge { op, event });
    Ok(Decision { events, outcome: Outcome::Created(op) })
}

/// The least that a charge must be: the account's own minimum where the charge and the largest
/// `passes`, as it is then no less than the smallest that does; otherwise that, which takes a
/// search.
fn least(
    terms: &Terms,
    amount: Amount,
    passes: impl Fn(Amount) -> bool,
    smallest: impl FnOnce() -> Option<Amount>,
) -> Option<Amount> {
    let (least, most) = (terms.charge_least, terms.charge_most);
    let found = within(amount, (least, most)).is_ok() && passes(amount) && passes(most);
    if found { Some(least) } else { smallest() }
}

/// Returns what a purchase is agreed under, and the [`least`] that it must be; without the former
/// where the amount is below the latter.
fn agree(
    state: &State,
    account: AccountId,
    (terms, request): (&Terms, &mut ChargeRequest),
    memo: Option<Box<str>>,
    at: Instant,
) -> Result<(Option<purchase::Terms>, Option<Amount>), Refusal> {
    let unnamed = request.delivery.address.is_none();
    let offered = state.destination(account, &mut request.delivery, memo.as_deref(), at, None)?;
    let rates = terms.purchase_rates(offered.listing.rail);
    let passes = |amount| rates.passes(offered.offer(), state.policy.least_net, amount);
    let smallest = || state.purchase_rates(account, &offered, at).1;
    let least = least(terms, request.amount, passes, smallest);
    let agreed = rates.net(request.amount).and_then(|cost| {
        Some(purchase::Terms {
            fees: rates.on(request.amount)?,
            delivery_terms: offered.delivery_terms(cost)?,
            scale: offered.listing.scale,
            usdt: offered.usdt(cost),
            quote: offered.quote,
            memo,
            customer: request.customer.clone(),
            default_address: if unnamed { Switch::On } else { Switch::Off },
        })
    });
    Ok((agreed, least))
}

/// The refusal of a charge out of range that is above what its payer may pay in a day: the payer's
/// limit is the one to name (rulings 74).
fn above_the_payers_day(
    state: &State,
    account: AccountId,
    request: &ChargeRequest,
    at: Instant,
) -> Option<Refusal> {
    let ladder = state.policy.ladder?;
    let allowance = state.payer_allowance(ladder, (&request.payer, account), at);
    let above = ladder.held < request.amount && allowance.admits(request.amount).is_none();
    above.then(|| Refusal::PayerLimit { allowance: Box::new(allowance) })
}

/// The limits of the payer and of the account.
fn admit(
    state: &State,
    account: AccountId,
    terms: &Terms,
    request: &ChargeRequest,
    at: Instant,
) -> Result<Option<Allowance>, Refusal> {
    let payer = state.payer(&request.payer);
    if payer.review == Review::Blocked {
        return Err(Refusal::PayerBlocked);
    }
    let of = (&request.payer, account);
    let allowance = state.policy.ladder.map(|ladder| state.payer_allowance(ladder, of, at));
    let used = state.usage(account).on(at).charged;
    if let Some(allowance) = allowance
        && allowance.admits(request.amount).is_none()
    {
        return Err(Refusal::PayerLimit { allowance: Box::new(allowance) });
    }
    if !usage::within(used, request.amount, terms.charged_daily) {
        return Err(Refusal::DailyCeiling { until: at.next_day_in_brasilia() });
    }
    Ok(allowance)
}

/// How long the provider holds it: by the payer's ladder, or by the terms of custody.
fn held_hours(
    terms: &Terms,
    allowance: Option<&Allowance>,
    request: &ChargeRequest,
) -> Option<u16> {
    let ladder = match allowance.and_then(|allowance| allowance.admits(request.amount)) {
        Some(Band::Held(hours)) => Some(hours),
        Some(Band::Instant) | None => None,
    };
    let retained = request.destination == Destination::Custody
        && terms.retention_above.is_some_and(|above| above < request.amount);
    let subaccount = retained.then_some(terms.retention_hours);
    ladder.max(subaccount)
}

impl ChargeRequest {
    /// Tells whether the order is for the same customer; a purchase's subaccount is the house's.
    fn is_for(&self, order: &Order, subaccount: Option<SubaccountId>) -> bool {
        match &order.purchase {
            Some(agreed) => agreed.customer == self.customer,
            None => Some(order.subaccount) == subaccount,
        }
    }

    /// Tells whether the order goes to the same wallet; one for another destination differs by
    /// that.
    fn goes_to(&self, order: &Order) -> bool {
        let named = self.delivery.address.as_deref();
        match (&order.purchase, &self.destination) {
            (Some(agreed), Destination::Crypto { .. }) => {
                (named.is_none() && agreed.default_address.is_on()) || order.delivery.is_to(named)
            }
            (None, Destination::Custody) => order.delivery.is_to(named),
            (Some(_), Destination::Custody) | (None, Destination::Crypto { .. }) => true,
        }
    }

    /// Tells whether the order has the same memo, where both are of purchases.
    fn has_memo_of(&self, order: &Order) -> bool {
        match (&order.purchase, &self.destination) {
            (Some(agreed), Destination::Crypto { memo }) => agreed.memo == *memo,
            (_, Destination::Custody) | (None, _) => true,
        }
    }
}

impl State {
    /// Returns what the ladder counts of a document; nothing for one never seen.
    #[must_use]
    pub fn payer(&self, document: &crate::id::Token) -> Payer {
        self.payers.get(document).copied().unwrap_or_default()
    }

    /// Returns what a document may pay by a ladder, for charges of this account.
    fn payer_allowance(
        &self,
        ladder: Ladder,
        (document, account): (&crate::id::Token, AccountId),
        at: Instant,
    ) -> Allowance {
        let elsewhere = self.unpaid_elsewhere(document, account);
        ladder.allowance_beside(&self.payer(document), elsewhere, at)
    }

    /// The rates and the smallest amount of a purchase of this pair, for charges and previews
    /// alike.
    #[must_use]
    pub fn purchase_rates(
        &self,
        account: AccountId,
        offered: &crate::ledger::Offered<'_>,
        at: Instant,
    ) -> (ServiceRates, Option<Amount>) {
        let terms = self.terms(account, at);
        let rates = terms.purchase_rates(offered.listing.rail);
        let range = (terms.charge_least, terms.charge_most);
        (rates, rates.smallest(offered.offer(), self.policy.least_net, range))
    }
}
