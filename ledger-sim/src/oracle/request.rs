//! Requests as the oracle judges them, in the order of rulings 6.

mod group;

use ledger_core::accounting::RowKind;
use ledger_core::id::{AccountId, Kind, OpId, SubaccountId, Token};
use ledger_core::ledger::{
    Field, FundingRequest, Malformed, Outcome, Ownership, PayoutRequest, Refusal, Request, Topic,
    TransferRequest,
};
use ledger_core::money::Balance;
use ledger_core::terms::{Switch, Tariff};
use ledger_core::time::Instant;

use crate::goal::Goal;
use crate::oracle::books::RowOf;
use crate::oracle::fees::payout_fees;
use crate::oracle::payout::{self, Payout, PayoutStatus};
use crate::oracle::{Oracle, conversion, next_midnight, sale};
use crate::spelling::passes_for_another;

type Judged = Result<Outcome, Refusal>;

impl Oracle {
    pub(super) fn request(&mut self, account: AccountId, asked: &Request, at: Instant) -> Judged {
        let Some((kind, external_id)) = created_operation(asked) else {
            return self.further(account, asked.bare(), at);
        };
        let identity = external_id.clone().map(|id| (account, kind, id));
        let original = identity.as_ref().and_then(|id| self.identities.get(id)).cloned();
        if original.is_none() {
            self.request_names(account, asked)?;
            self.may_act(account)?;
        }
        if kind == Kind::CommissionWithdrawal && self.policy.interval_before_reference.is_on() {
            self.withdrawn_lately(account, at)?;
        }
        if let Some((op, original)) = original {
            let stopped = self.agent_of(account).is_some_and(|agent| self.agents[agent].stopped);
            if stopped {
                self.reach(Goal::StoppedRepeats);
            }
            let fields = self.differing(op, &original, asked);
            return self.repeat(account, op, fields, at);
        }
        let op = match asked.bare() {
            Request::Charge(request) => self.charge(account, request, at),
            Request::Transfer(request) => self.transfer(account, request, at),
            Request::Group(request) => self.group(account, request, at),
            Request::Payout(request) => self.payout_request(account, request, at),
            Request::Conversion(request) => self.conversion_request(account, request, at),
            Request::CashOut(request) => self.sale_request(account, request, at),
            _ => unreachable!("answered above"),
        }?;
        if metadata_of(asked).is_some() {
            self.reach(Goal::MetadataAttached);
        }
        if let Some(identity) = identity {
            self.identities.insert(identity, (op, asked.clone()));
        }
        self.note_use(account);
        Ok(Outcome::Created(op))
    }

    /// A request that begins nothing under an id of its own here.
    fn further(&mut self, account: AccountId, asked: &Request, at: Instant) -> Judged {
        match asked {
            Request::AcceptCashOut { order, supplied } => {
                self.accept_sale(account, *order, supplied.as_ref(), at)
            }
            Request::RefundAddress { order, address } => {
                self.refund_address(account, *order, address)
            }
            Request::Settings(settings) => self.settle_settings(account, settings, at),
            Request::RotateKey(key) => self.rotate(account, *key),
            Request::Agent(asked) => self.agent_request(account, asked),
            Request::Wallet(asked) => {
                let answer = self.wallet_request(account, asked, at);
                if let Ok(Outcome::Created(_)) = answer {
                    self.note_use(account);
                }
                answer
            }
            _ => unreachable!("it begins an operation"),
        }
    }

    /// New names of customers, which must not pass for another (rulings 64; P:LookAlikes).
    pub(in crate::oracle) fn request_names(
        &mut self,
        account: AccountId,
        asked: &Request,
    ) -> Result<(), Refusal> {
        if let Request::Group(request) = asked.bare() {
            for (place, leg) in request.legs.iter().enumerate() {
                for (field, name) in
                    [("from_customer_ref", &leg.from), ("to_customer_ref", &leg.to)]
                {
                    let seen = self.is_seen(Some(account), field, name.as_deref());
                    seen.map_err(|refusal| group::of_leg(place, refusal))?;
                }
            }
            return Ok(());
        }
        let (first, second) = match asked.bare() {
            Request::Charge(request) => (("customer_ref", &request.customer), None),
            Request::Payout(request) => (("customer_ref", &request.customer), None),
            Request::Transfer(request) => {
                (("from_customer_ref", &request.from), Some(("to_customer_ref", &request.to)))
            }
            Request::Conversion(request) => match &request.source {
                FundingRequest::Custody { customer, .. } => (("customer_ref", customer), None),
                FundingRequest::Commission => return Ok(()),
            },
            _ => return Ok(()),
        };
        for (field, customer) in [first].into_iter().chain(second) {
            self.is_seen(Some(account), field, customer.as_deref())?;
        }
        Ok(())
    }

    /// A name that a subaccount has is its own, whatever it looks like.
    pub(in crate::oracle) fn is_seen(
        &mut self,
        account: Option<AccountId>,
        field: &'static str,
        customer: Option<&str>,
    ) -> Result<(), Refusal> {
        let new = customer.filter(|name| passes_for_another(name)).filter(|name| {
            account.and_then(|account| self.subaccount_of(account, Some(name))).is_none()
        });
        if new.is_none() {
            return Ok(());
        }
        self.reach(Goal::NamePassesForAnother);
        Err(Refusal::Malformed { field, why: Malformed::LookAlike })
    }

    /// The fields in which a request differs from the original, in the order the refusal names
    /// them: rulings 7.
    fn differing(&self, op: OpId, original: &Request, asked: &Request) -> Vec<Field> {
        let mut fields = match (original.bare(), asked.bare()) {
            (Request::Charge(a), Request::Charge(b)) => self.differing_charge(op, a, b),
            (Request::Transfer(a), Request::Transfer(b)) => vec![
                (a.amount == b.amount, Field::Amount),
                (a.from == b.from, Field::From),
                (a.to == b.to, Field::To),
                (a.note == b.note, Field::Note),
            ],
            (Request::Group(a), Request::Group(b)) => {
                vec![(a.note == b.note, Field::Note), (a.legs == b.legs, Field::Legs)]
            }
            (Request::Transfer(_), Request::Group(_))
            | (Request::Group(_), Request::Transfer(_)) => vec![(false, Field::Legs)],
            (Request::Payout(a), Request::Payout(b)) => payout::differing(a, b),
            (Request::Conversion(a), Request::Conversion(b)) => conversion::differing(a, b),
            (Request::CashOut(a), Request::CashOut(b)) => sale::terms::differing(a, b),
            _ => unreachable!("an identity is of one kind"),
        };
        fields.push((metadata_of(original) == metadata_of(asked), Field::Metadata));
        fields.retain(|(same, _)| !same);
        fields.into_iter().map(|(_, field)| field).collect()
    }

    fn repeat(&mut self, account: AccountId, op: OpId, fields: Vec<Field>, at: Instant) -> Judged {
        if fields.is_empty() {
            self.reach(Goal::SameBody);
            if op.kind() == Kind::CashOut {
                self.reach(Goal::SaleAskedAgain);
            }
            if op.kind() == Kind::CommissionWithdrawal {
                self.reach(Goal::CommissionRetried);
            }
            if !self.terms(account, at).custody.is_on() {
                self.reach(Goal::RepeatWhileOff);
            }
            return Ok(Outcome::Repeated(op));
        }
        if op.kind() == Kind::Charge && !self.policy.divergent_charge_is_refused.is_on() {
            self.reach(Goal::ChangedBodyTaken);
            return Ok(Outcome::Repeated(op));
        }
        self.reach(Goal::ChangedBody);
        if fields.contains(&Field::Metadata) {
            self.reach(Goal::MetadataChanged);
        }
        if fields.contains(&Field::Legs) {
            self.reach(Goal::GroupChanged);
        }
        Err(Refusal::IdentityDiverges { original: op, fields })
    }

    fn transfer(
        &mut self,
        account: AccountId,
        request: &TransferRequest,
        at: Instant,
    ) -> Result<OpId, Refusal> {
        if !self.terms(account, at).custody.is_on() {
            return Err(Refusal::CustodyDisabled);
        }
        if request.from == request.to {
            self.reach(Goal::TransferToSelf);
            return Err(Refusal::SameParty);
        }
        let cents = request.amount.cents();
        let from = self.subaccount_of(account, request.from.as_deref());
        if let Some(until) = from.and_then(|from| self.waits(from, at)) {
            self.reach(Goal::TransferWaits);
            return Err(Refusal::Waiting { until });
        }
        let from = self.source_of(from, cents)?;
        let to = self.resolve(account, request.to.as_deref());
        let op = self.next_op(Kind::Transfer);
        self.give(from, -cents);
        self.give(to, cents);
        self.row(from, op, RowKind::TransferOut, RowOf::Principal(-cents));
        self.row(to, op, RowKind::TransferIn, RowOf::Principal(cents));
        self.note(op);
        self.transfers += 1;
        if self.subaccount(from).available == 0 {
            self.reach(Goal::EmptiedByTransfer);
        }
        Ok(op)
    }

    fn payout_request(
        &mut self,
        account: AccountId,
        request: &PayoutRequest,
        at: Instant,
    ) -> Result<OpId, Refusal> {
        let terms = self.terms(account, at);
        if !terms.custody.is_on() {
            return Err(Refusal::CustodyDisabled);
        }
        if !terms.payouts.is_on() {
            return Err(Refusal::PayoutsDisabled);
        }
        let proven = request.ownership == Ownership::Proven;
        let proven = proven.then_some(request.tax_number);
        self.check_mandate(account, request.amount.cents(), proven, at)?;
        if request.ownership == Ownership::Refuted {
            return Err(Refusal::KeyNotOwned);
        }
        let proof = self.policy.unproven_keys_refused.is_some_and(Switch::is_on);
        if proof && request.ownership == Ownership::Unknown {
            return Err(Refusal::KeyUnproven);
        }
        let Tariff::Fixed(tariff) = terms.payout_tariff else {
            self.reach(Goal::TariffUnknown);
            return Err(Refusal::TariffUnknown);
        };
        if request.amount < terms.payout_least {
            return Err(Refusal::BelowMinimum { minimum: Some(terms.payout_least) });
        }
        if request.amount > terms.payout_most {
            return Err(Refusal::AboveMaximum { maximum: terms.payout_most });
        }
        let cents = request.amount.cents();
        let left = self.left_to_pay_out(account, &terms, at);
        if left.is_some_and(|left| cents > left) {
            self.reach(Goal::PayoutCeiling);
            self.last_of_the_day(at);
            return Err(Refusal::DailyCeiling { until: next_midnight(at) });
        }
        if left == Some(cents) {
            self.reach(Goal::PayoutFillsDay);
        }
        let subaccount = self.subaccount_of(account, request.customer.as_deref());
        if let Some(until) = subaccount.and_then(|subaccount| self.waits(subaccount, at)) {
            if until.since(at).micros() == 1 {
                self.reach(Goal::LastMicrosecond);
            }
            return Err(Refusal::Waiting { until });
        }
        let fees = payout_fees(cents, &terms, tariff);
        let subaccount = self.source_of(subaccount, cents + fees.total())?;
        let op = self.next_op(Kind::Payout);
        self.give(subaccount, -(cents + fees.total()));
        self.row(subaccount, op, RowKind::Payout, RowOf::Principal(-cents));
        self.row(subaccount, op, RowKind::Payout, RowOf::Fee(-fees.total()));
        self.totals.payouts_in_flight += cents + fees.total();
        let payout = Payout {
            account,
            subaccount,
            amount: cents,
            fees,
            status: PayoutStatus::Requested,
            e2e: None,
            returned: 0,
            proven,
            handed_out: false,
            gives_fee_back: self.policy.returned_payout_refunds_fee.is_on(),
            created_at: at,
        };
        self.payouts.insert(op, payout);
        self.accounts[account.0 as usize].paid_out.push(op);
        self.notify(op, Topic::PayoutCreated);
        self.trace.asked.push(op);
        self.note(op);
        if self.subaccount(subaccount).waiting_until == Some(at) {
            self.reach(Goal::WaitOver);
        }
        if self.subaccount(subaccount).available == 0 {
            self.reach(Goal::EmptiedByPayout);
        }
        Ok(op)
    }

    /// The source of a spend of so much, if it can bear it; one never seen has nothing (CUS-17).
    pub(super) fn source_of(
        &mut self,
        source: Option<SubaccountId>,
        cents: i64,
    ) -> Result<SubaccountId, Refusal> {
        let available = source.map_or(Balance::ZERO, |source| self.spendable(source));
        match source {
            Some(source) if cents <= available.cents() => Ok(source),
            _ => {
                let own = source.map_or(0, |source| self.subaccount(source).available);
                if own < 0 {
                    self.reach(Goal::SpendBelowZero);
                } else if cents <= own {
                    self.reach(Goal::HouseCovers);
                }
                if cents - 1 == available.cents() {
                    self.reach(Goal::OneTooMuch);
                }
                Err(Refusal::FundsInsufficient { available })
            }
        }
    }

    /// The subaccount named, opened now when it is new.
    pub(super) fn resolve(&mut self, account: AccountId, customer: Option<&str>) -> SubaccountId {
        let known = self.subaccount_of(account, customer);
        known.unwrap_or_else(|| self.open_subaccount(account, customer.map(Into::into)))
    }
}

/// The metadata that a request gives what it begins.
fn metadata_of(request: &Request) -> Option<Token> {
    match request {
        Request::Described { metadata, .. } => Some(*metadata),
        _ => None,
    }
}

/// The kind of operation that a request begins, and the id that its client gives that.
pub(crate) fn created_operation(request: &Request) -> Option<(Kind, &Option<Box<str>>)> {
    Some(match request.bare() {
        Request::Charge(request) => (Kind::Charge, &request.external_id),
        Request::Transfer(request) => (Kind::Transfer, &request.external_id),
        Request::Group(request) => (Kind::Transfer, &request.external_id),
        Request::Payout(request) => (Kind::Payout, &request.external_id),
        Request::Conversion(request) => {
            let kind = match request.source {
                FundingRequest::Custody { .. } => Kind::Conversion,
                FundingRequest::Commission => Kind::CommissionWithdrawal,
            };
            (kind, &request.external_id)
        }
        Request::CashOut(request) => (Kind::CashOut, &request.external_id),
        _ => return None,
    })
}
