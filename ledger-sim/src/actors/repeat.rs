//! Asking again: the same, another body under the same id, and after a refusal that names a time.

use ledger_core::id::{AccountId, Token};
use ledger_core::ledger::{
    CashOutRequest, ChargeRequest, ConversionRequest, Destination, FundingRequest, GroupRequest,
    Intent, Ownership, PayoutRequest, Request, TransferRequest,
};
use ledger_core::money::Amount;
use ledger_core::terms::Switch;
use ledger_core::time::Instant;

use super::sale::seller;
use super::values::{amount, document_as_key, external_id};
use crate::domains::operation_request;
use crate::world::World;

/// A request that begins an operation, as its client may make it again.
pub(crate) trait Repeatable {
    /// The client's own id of it.
    fn external_id(&mut self) -> &mut Option<Box<str>>;

    /// Says something else under the same id.
    fn change(&mut self, world: &mut World, which: u64, other: Other);

    /// Asks for less, once a waiting period is over.
    fn lessen(&mut self, _: &mut World) {}

    /// Tells whether the contract takes metadata of what it begins.
    fn takes_metadata(&self) -> bool {
        true
    }
}

/// Other values than a request's own.
pub(crate) struct Other {
    amount: Amount,
    customer: Option<Box<str>>,
    token: Token,
}

impl Repeatable for ChargeRequest {
    fn external_id(&mut self) -> &mut Option<Box<str>> {
        &mut self.external_id
    }

    fn change(&mut self, world: &mut World, which: u64, other: Other) {
        match which {
            0 => self.customer = other.customer,
            1 => self.payer = other.token,
            2 => self.payer_name = Some(other.token),
            3 => self.allow_hold = Switch::Off,
            4 => self.delivery.asset = "usdc".into(),
            5 => self.delivery.address = Some(format!("0x{}1", "a".repeat(39)).into()),
            6 => {
                let buys = matches!(self.destination, Destination::Crypto { .. });
                self.destination = match (buys, world.rng.percent(50)) {
                    (true, true) => Destination::Custody,
                    (_, _) => Destination::Crypto { memo: Some("78".into()) },
                };
            }
            _ => self.amount = other.amount,
        }
    }
}

impl Repeatable for TransferRequest {
    fn external_id(&mut self) -> &mut Option<Box<str>> {
        &mut self.external_id
    }

    fn change(&mut self, _: &mut World, which: u64, other: Other) {
        match which {
            0 => self.from = other.customer,
            1 => self.to = other.customer,
            2 => self.note = Some(other.token),
            _ => self.amount = other.amount,
        }
    }
}

impl Repeatable for GroupRequest {
    fn external_id(&mut self) -> &mut Option<Box<str>> {
        &mut self.external_id
    }

    fn change(&mut self, world: &mut World, which: u64, other: Other) {
        let leg = usize::try_from(which).unwrap_or(0) % self.legs.len();
        match world.rng.below(4) {
            0 => self.note = Some(other.token),
            1 => self.legs[leg].to = other.customer,
            2 if leg > 0 => self.legs.truncate(leg),
            _ => self.legs[leg].amount = other.amount,
        }
    }
}

impl Repeatable for PayoutRequest {
    fn external_id(&mut self) -> &mut Option<Box<str>> {
        &mut self.external_id
    }

    fn change(&mut self, _: &mut World, which: u64, other: Other) {
        let token = other.token;
        match which {
            0 => self.customer = other.customer,
            1 => (self.pix_key, self.ownership) = (token, Ownership::Unknown),
            2 => {
                let (key, owner) = (document_as_key(token), Ownership::Proven);
                (self.tax_number, self.pix_key, self.ownership) = (token, key, owner);
            }
            _ => self.amount = other.amount,
        }
    }

    fn lessen(&mut self, world: &mut World) {
        self.amount = amount(world.rng.within(1, 300));
    }
}

impl Repeatable for ConversionRequest {
    fn external_id(&mut self) -> &mut Option<Box<str>> {
        &mut self.external_id
    }

    fn change(&mut self, _: &mut World, which: u64, other: Other) {
        match which {
            0 => self.target.chain = "tron".into(),
            1 => self.target.asset = "usdt".into(),
            2 => self.memo = Some("79".into()),
            // A cap is no part of what was asked (P:MaxDebited).
            3 => self.cap = Some(other.amount),
            4 => {
                if let FundingRequest::Custody { tax_number, .. } = &mut self.source {
                    *tax_number = other.token;
                }
            }
            _ => self.amount = other.amount,
        }
    }

    fn takes_metadata(&self) -> bool {
        false
    }
}

impl Repeatable for CashOutRequest {
    fn external_id(&mut self) -> &mut Option<Box<str>> {
        &mut self.external_id
    }

    fn change(&mut self, world: &mut World, which: u64, _: Other) {
        seller::change_body(world, self, which);
    }
}

/// The request without its metadata, to be changed.
pub(crate) fn bare(request: &mut Request) -> &mut Request {
    match request {
        Request::Described { request, .. } => bare(request),
        request => request,
    }
}

/// The same request once more, or one that says the same id and something else.
pub(super) fn ask_again(world: &mut World) {
    let Some((account, mut request)) = world.rng.pick_late(&world.asked).cloned() else { return };
    world.inject("requests made twice");
    if world.rng.percent(35) {
        change(world, account, &mut request);
    }
    world.ask(account, request);
}

fn change(world: &mut World, account: AccountId, request: &mut Request) {
    world.inject("requests made twice with another body");
    let Some(client) = world.client_of(account).cloned() else { return };
    let amount = amount(world.rng.within(1, 9_000));
    let customer = world.customer(&client);
    let token = world.token(9);
    let which = world.rng.below(8);
    let described = operation_request!(request.bare(), it => it.takes_metadata(), false);
    if world.rng.percent(8) && described {
        let other = world.rng.percent(70).then_some(token);
        *request = request.bare().clone().with_metadata(other);
        return;
    }
    let other = Other { amount, customer, token };
    operation_request!(bare(request), it => it.change(world, which, other), ());
}

/// Refused for a waiting period, customers try at its last microsecond and at its very end.
pub(crate) fn learn_wait(world: &mut World, what: &Intent, until: Instant) {
    let Intent::Request(account, request) = what else { return };
    let mut again = request.clone();
    operation_request!(bare(&mut again), it => {
        it.lessen(world);
        *it.external_id() = external_id(world);
    }, return);
    plan_around(world, until, 30, &Intent::Request(*account, again));
}

/// Refused until an instant, some ask the same again a microsecond before it and at it.
pub(crate) fn learn_limit(world: &mut World, what: &Intent, until: Instant) {
    let Intent::Request(account, request) = what else { return };
    let mut again = request.clone();
    operation_request!(bare(&mut again), it => *it.external_id() = external_id(world), return);
    // Less than one of the two on average: each may be refused like this one, and lead to more.
    plan_around(world, until, 35, &Intent::Request(*account, again));
}

/// Plans a request for just before an instant and for it, each in so many cases of a hundred.
fn plan_around(world: &mut World, until: Instant, percent: u64, what: &Intent) {
    let last = Instant::from_micros(until.micros() - 1).unwrap_or(until);
    for at in [last, until] {
        if world.now < at && world.rng.percent(percent) {
            world.plan(at, what.clone());
        }
    }
}
