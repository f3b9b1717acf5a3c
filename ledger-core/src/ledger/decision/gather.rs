//! Looking up what a command names: in the state what is open, in the archive what has ended.

use super::lookup::{Lookup, operation};
use super::prefetch::Prefetched;
use crate::id::{AccountId, Kind, OpId, SubaccountId};
use crate::ledger::archive::{Archive, first_seen};
use crate::ledger::command::{Intent, Request};
use crate::ledger::conversion::request::FundingRequest;
use crate::ledger::fact::Fact;
use crate::ledger::record::observation::TxObservation;
use crate::ledger::record::{ExternalId, Scope};
use crate::ledger::sale::report::SaleReport;
use crate::ledger::state::State;
use crate::ledger::{purchase, wallet};
use crate::machine::refund;
use crate::machine::wallet::deposit::Transfer;
use crate::network::address;

impl Lookup {
    /// Looks up everything `what` names.
    #[must_use]
    pub fn gather(state: &State, archive: &impl Archive, what: &Intent) -> Self {
        let outside = what.outside();
        Self::with(state, archive, (what, outside.as_ref()), Prefetched::default())
    }

    /// Looks up everything `what` names, but for the subaccounts that are known already; with the
    /// identity of a fact.
    #[must_use]
    pub(in crate::ledger) fn with(
        state: &State,
        archive: &impl Archive,
        (what, outside): (&Intent, Option<&ExternalId>),
        subaccounts: Prefetched,
    ) -> Self {
        match what {
            Intent::Request(account, request) => {
                Self::for_request(state, archive, *account, request, subaccounts)
            }
            Intent::Public(_) => Self::default(),
            Intent::Enrolment(_) => Self::default(),
            Intent::Fact(reported) => {
                let fact = reported.fact.bare();
                let mut lookup = Self::for_fact(state, archive, fact);
                lookup.seen = match (&lookup.observation, fact) {
                    (Some(observation), Fact::Sale { report, .. }) => {
                        observation.known(archive, report)
                    }
                    (_, _) => outside.and_then(|outside| first_seen(archive, outside)),
                };
                lookup
            }
        }
    }

    fn for_request(
        state: &State,
        archive: &impl Archive,
        account: AccountId,
        request: &Request,
        Prefetched([first, second]): Prefetched,
    ) -> Self {
        let look = |customer: &Option<Box<str>>, known: Option<SubaccountId>| match customer {
            Some(customer) => known.or_else(|| archive.subaccount(account, customer)),
            None => state.account(account).map(|account| account.house),
        };
        let party = |customer| look(customer, first);
        let (kind, external_id, subaccounts) = match request {
            Request::Charge(r) => (Kind::Charge, &r.external_id, [party(&r.customer), None]),
            Request::Transfer(r) => {
                (Kind::Transfer, &r.external_id, [party(&r.from), look(&r.to, second)])
            }
            Request::Payout(r) => (Kind::Payout, &r.external_id, [party(&r.customer), None]),
            Request::Conversion(r) => match &r.source {
                FundingRequest::Custody { customer, .. } => {
                    (Kind::Conversion, &r.external_id, [party(customer), None])
                }
                FundingRequest::Commission => {
                    (Kind::CommissionWithdrawal, &r.external_id, [None, None])
                }
            },
            Request::CashOut(r) => (Kind::CashOut, &r.external_id, [None, None]),
            Request::AcceptCashOut { order: op, .. } | Request::RefundAddress { order: op, .. } => {
                let operation = operation(state, archive, *op);
                let own = operation.filter(|(_, known)| known.account() == Some(account));
                return Self { operation: own, ..Self::default() };
            }
            Request::Wallet(request) => {
                let named = |op| operation(state, archive, op);
                let original = request.identity();
                let original = original.and_then(|(kind, id)| archive.identity(account, kind, id));
                return Self {
                    operation: request.quote().and_then(named),
                    original: original.and_then(named),
                    ..Self::default()
                };
            }
            Request::Settings(_) | Request::RotateKey(_) | Request::Agent(_) => {
                return Self::default();
            }
        };
        let original = external_id
            .as_deref()
            .and_then(|external_id| archive.identity(account, kind, external_id))
            .and_then(|op| operation(state, archive, op));
        Self { subaccounts, original, ..Self::default() }
    }

    fn for_fact(state: &State, archive: &impl Archive, fact: &Fact) -> Self {
        let named = |op: Option<OpId>| op.and_then(|op| operation(state, archive, op));
        let mut lookup = Self { operation: named(fact.about()), ..Self::default() };
        lookup.subaccounts[0] = fact.subaccount().and_then(|(account, customer)| {
            let account = state.account_named(account)?;
            match customer {
                Some(customer) => archive.subaccount(account, customer),
                None => state.account(account).map(|account| account.house),
            }
        });
        let hash = match fact {
            Fact::Sale { order, report } => {
                lookup.add_sale(state, archive, *order, report);
                return lookup;
            }
            Fact::Suspense(fact) => {
                lookup.charge = named(fact.charge());
                None
            }
            Fact::Purchase(fact) => {
                lookup.add_purchase(archive, fact);
                fact.sent_in()
            }
            Fact::Wallet(fact) => {
                lookup.add_wallet(state, archive, fact);
                fact.sent_in()
            }
            _ => None,
        };
        let delivery = fact.about().zip(hash);
        lookup.claimed =
            delivery.and_then(|(op, hash)| first_seen(archive, &ExternalId::delivery(op, hash)));
        lookup.pix_seen = fact
            .pix()
            .and_then(|(scope, id)| first_seen(archive, &ExternalId { scope, id: id.into() }));
        lookup
    }

    /// What a report of a sale needs: which sighting of a transaction it is about, and who has it.
    fn add_sale(
        &mut self,
        state: &State,
        archive: &impl Archive,
        order: Option<OpId>,
        report: &SaleReport,
    ) {
        let named = |op| operation(state, archive, op);
        let split = self.operation.as_ref().and_then(|(_, known)| known.split_by(report, named));
        // What vanishes is the whole transaction, of which a surplus is a part.
        let order = split.as_ref().map(|(op, _)| *op).or(order);
        self.operation = split.or(self.operation.take());
        let about = (order, self.operation.as_ref().map(|(_, known)| &**known));
        if let Some((observation, taken)) = TxObservation::gather(archive, report, about, named) {
            self.holder = taken;
            self.observation = Some(Box::new(observation));
        }
        let hash = match report {
            SaleReport::Refund(refund::RefundReport::Sent(hash)) | SaleReport::Vanished(hash) => {
                Some(hash)
            }
            _ => None,
        };
        let holder = self.holder.as_ref().map(|(op, _)| *op).or(order);
        // What an order went on without may have vanished while the order had it.
        let named = self.holder.as_ref().or(self.operation.as_ref());
        let before = named.and_then(|(_, known)| known.unmatched()?.order()?.about);
        let before = before.filter(|_| matches!(report, SaleReport::Vanished(_)));
        let mut about = holder.into_iter().chain(before);
        self.claimed = hash.and_then(|hash| {
            about.find_map(|op| first_seen(archive, &ExternalId::delivery(op, hash)))
        });
    }

    /// What a purchase bought for a customer goes to that customer's custody when it is given up.
    fn add_purchase(&mut self, archive: &impl Archive, fact: &purchase::Fact) {
        let purchase::Fact::DeliveryGivenUp { .. } = fact else { return };
        let order = self.operation.as_ref().and_then(|(_, known)| known.charge()?.order());
        let customer = order.and_then(|order| order.purchase.as_ref()?.customer.as_deref());
        let account = order.map(|order| order.account);
        let known = account.zip(customer);
        self.subaccounts[0] = known.and_then(|(id, name)| archive.subaccount(id, name));
    }

    /// What a fact about a wallet needs: who has the coins, and the order that moves with them.
    fn add_wallet(&mut self, state: &State, archive: &impl Archive, fact: &wallet::Fact) {
        let named = |op: Option<OpId>| op.and_then(|op| operation(state, archive, op));
        self.coins_seen = fact.transfer().and_then(|transfer| first_seen(archive, &transfer));
        let op = self.coins_seen.map(|seq| OpId::new(Kind::WalletDeposit, seq));
        let having = fact.coins().and_then(|coins| state.wallets.having(coins));
        self.holder = named(having.or(op));
        if let wallet::Fact::DepositSeen { address: Some(address), transfer, .. } = fact {
            let Transfer { chain, units, .. } = *transfer;
            let spelled = address::canonical(state.scheme(chain), address);
            self.request = named(state.wallets.keeping(chain, &spelled, units));
        }
        // The order that pays a payment's PIX moves with it.
        let payment = self.operation.as_ref().and_then(|(_, known)| known.wallet_payment());
        let lost = payment.and_then(|payment| payment.progress()?.coins_lost());
        self.lost_coins_seen = lost.and_then(|coins| first_seen(archive, &coins.outside()));
        let order = payment.and_then(|payment| payment.progress()?.cashout);
        if let Some((order, _)) = order {
            self.order = named(Some(order));
            self.holder = None;
        }
        if let wallet::Fact::Payment { payment: Some(op), step: wallet::Step::Accept(_) } = fact {
            let funds = |hash: &str| ExternalId { scope: Scope::Deposit, id: hash.into() };
            let claims = state.claims_about(*op);
            let unused =
                claims.filter(|(_, claim)| first_seen(archive, &funds(&claim.hash)).is_none());
            self.sent_early = unused.map(|(claim, _)| claim).collect();
        }
    }
}
