//! What becomes of payments from wallets: each moves with the order that pays its PIX (rulings 35).

use super::request::sale;
use crate::coin::Units;
use crate::id::{Kind, OpId};
use crate::ledger::decision::fact_context::FactContext;
use crate::ledger::decision::refusal::Refusal as Denied;
use crate::ledger::record::event::Event;
use crate::ledger::suspense::waiting::takeover_event;
use crate::ledger::wallet::request::PaymentRequest;
use crate::machine::cash_out::{self, Ceilings, Context, Deposit, DepositTo};
use crate::machine::refund::Coins;
use crate::machine::wallet::deposit;
use crate::machine::wallet::payment::{
    self, Adjudication, Bearer, Command, Cost, FailureReason, Order, Progress, Resolution, Stage,
};
use crate::machine::{Verdict, suspense};
use crate::money::Amount;
use crate::terms::Switch;

/// A payment and the order that pays it, moved in one decision.
pub(in crate::ledger::wallet) struct Pair<'a> {
    pub(in crate::ledger::wallet) case: &'a FactContext<'a>,
    pub(in crate::ledger::wallet) op: OpId,
    pub(in crate::ledger::wallet) payment: payment::State,
    pub(in crate::ledger::wallet) order: Option<(OpId, cash_out::State)>,
    /// Tells whether its PIX is known to be paid: no ceiling is judged then.
    pub(in crate::ledger::wallet) known_paid: Switch,
    pub(in crate::ledger::wallet) events: Vec<Event>,
}

impl Pair<'_> {
    pub(in crate::ledger::wallet) fn progress(&self) -> &Progress {
        self.payment.progress().expect("facts find payments that were requested")
    }

    /// Tells whether it was sent, and neither failed nor ended.
    pub(in crate::ledger::wallet) fn is_sent(&self) -> bool {
        let progress = self.progress();
        matches!(progress.stage, Stage::Sent | Stage::UnderReview) && progress.sent.is_some()
    }

    /// Moves the payment; `None` where it cannot take that.
    pub(in crate::ledger::wallet) fn pay(&mut self, command: Command) -> Option<()> {
        let verdict = payment::decide(&self.payment, command);
        let Verdict::Applied(steps) = verdict else { return None };
        for event in steps {
            self.payment = payment::evolve(&self.payment, &event);
            self.events.push(Event::WalletPayment { op: self.op, event });
        }
        Some(())
    }

    /// Moves the order; `None` where it cannot take that.
    pub(in crate::ledger::wallet) fn sell(&mut self, command: cash_out::Command) -> Option<()> {
        let now = self.context();
        let (_, order) = self.order.as_ref()?;
        let Verdict::Applied(steps) = cash_out::decide(order, command, &now) else { return None };
        self.move_order(steps)
    }

    /// The order takes these steps.
    fn move_order(&mut self, steps: Vec<cash_out::Event>) -> Option<()> {
        let (op, order) = self.order.as_mut()?;
        for event in steps {
            *order = cash_out::evolve(order, &event, self.case.at);
            self.events.push(Event::CashOut { op: *op, event });
        }
        Some(())
    }

    fn context(&self) -> Context {
        let state = self.case.state;
        let ceilings = match &self.order {
            // Nothing is paid for what was settled before.
            Some((op, order)) if !self.known_paid.is_on() && !self.payment.has_ended() => {
                state.ceilings(*op, order, self.case.at)
            }
            _ => Ceilings::none(),
        };
        Context {
            at: self.case.at,
            quote: None,
            scale: None,
            ceilings,
            unmatched: OpId::new(Kind::UnmatchedDeposit, state.seq.next()),
        }
    }

    /// The order is created, unless it would cost more than is reserved.
    pub(in crate::ledger::wallet) fn create(&mut self) -> Option<()> {
        let order = &self.progress().order;
        let request = PaymentRequest {
            asked: order.asked,
            net: Some(order.net),
            payee: order.payee,
            quote: None,
            external_id: None,
        };
        let state = self.case.state;
        let sale = match sale(state, order.account, &request, self.op, self.case.at) {
            Ok(sale) => sale,
            // Without a price it is tried again; whatever else is definite.
            Err(Denied::RateUnavailable) => return None,
            Err(Denied::RecipientCeiling { .. }) => {
                return self.pay(Command::Fail(FailureReason::Ceiling));
            }
            Err(_) => return self.pay(Command::Fail(FailureReason::Cost)),
        };
        let cashout = OpId::new(Kind::CashOut, state.seq.next());
        let cost = Cost { units: sale.coins.units, deal: sale.deal };
        self.pay(Command::Order(cashout, cost))?;
        if self.progress().stage == Stage::Ordered {
            self.order = Some((cashout, cash_out::State::Absent));
            self.move_order(vec![cash_out::Event::Quoted(Box::new(sale))])?;
        }
        Some(())
    }

    /// The order is accepted, unless the recipient may not have so much today.
    pub(in crate::ledger::wallet) fn accept(&mut self, address: Box<str>) -> Option<()> {
        let now = self.context();
        let (_, order) = self.order.as_ref()?;
        let asked = cash_out::Request::Accept(Some(DepositTo { address, tag: None }));
        match cash_out::request(order, asked, &now) {
            Ok(steps) => self.move_order(steps)?,
            Err(cash_out::Refusal::RecipientCeiling { .. }) => {
                return self.fall(Command::Fail(FailureReason::Ceiling));
            }
            Err(_) => return None,
        }
        self.pay(Command::Accept)
    }

    pub(in crate::ledger::wallet) fn send(
        &mut self,
        hash: Box<str>,
        left: Option<Units>,
    ) -> Option<()> {
        let (_, cost) = self.progress().cashout?;
        let excess = left.and_then(|left| left.minus(Some(cost.units)));
        if left.is_some_and(|left| left < cost.units) {
            return None;
        }
        self.pay(Command::Send(hash.clone(), excess))?;
        self.fund(hash)
    }

    /// The order sees what funds it.
    pub(in crate::ledger::wallet) fn fund(&mut self, hash: Box<str>) -> Option<()> {
        // One transaction funds one order.
        if self.case.lookup.coins_seen.is_some() {
            return None;
        }
        let (_, cost) = self.progress().cashout?;
        let Order { usdt, chain, .. } = *self.progress().order;
        let coins = Coins { asset: usdt, chain, units: cost.units };
        let seen_at = self.case.at;
        let deposit = Deposit { coins, hash, from: None, seen_at, confirmations: None };
        self.sell(cash_out::Command::See(deposit))
    }

    /// Returns what was sent arrived: the order books it, and pays.
    fn arrive(&mut self) -> Option<()> {
        let hash = self.progress().sent.clone()?;
        self.sell(cash_out::Command::Confirm(hash))
    }

    pub(in crate::ledger::wallet) fn confirm(&mut self) -> Option<()> {
        self.pay(Command::Confirm)?;
        if self.progress().recovered.is_on() {
            self.book_found();
            return Some(());
        }
        self.arrive()?;
        match self.progress().stage {
            // A reserve that was settled before leaves nothing to pay for.
            _ if self.payment.has_ended() => self.sell(cash_out::Command::GiveUpPayment),
            // A ceiling stands against its PIX: a person looks.
            _ if self.order_waits() => match self.progress().stage {
                Stage::Sent => self.pay(Command::Lose),
                _ => Some(()),
            },
            Stage::FailedAfterSend => {
                self.stop_order();
                Some(())
            }
            _ => Some(()),
        }
    }

    /// Tells whether a ceiling stands against what its order would pay.
    fn order_waits(&self) -> bool {
        let order = self.order.as_ref().and_then(|(_, order)| order.progress());
        order.is_some_and(|known| match known.stage {
            cash_out::Stage::Review(reason) => reason.is_ceiling(),
            _ => false,
        })
    }

    /// Its order pays after all, if no ceiling stands against that any more.
    pub(in crate::ledger::wallet) fn let_go(&mut self) -> Option<()> {
        if self.order_waits() { self.sell(cash_out::Command::Clear(None)) } else { Some(()) }
    }

    /// Coins that a client had borne the loss of wait for a person as found, unless they were
    /// reported as such before.
    pub(in crate::ledger::wallet) fn book_found(&mut self) {
        let progress = self.progress();
        let reported = self.case.lookup.lost_coins_seen.is_some();
        let Some(coins) = progress.coins_lost().filter(|_| !reported) else { return };
        if progress.given_up() == Some(Bearer::Client) {
            let op = OpId::new(Kind::WalletDeposit, self.case.state.seq.next());
            let found = deposit::Event::Found { transfer: coins.clone(), about: Some(self.op) };
            for event in [found, deposit::Event::Settled(coins)] {
                self.events.push(Event::WalletDeposit { op, event });
            }
        }
    }

    /// The end of a claim on just the PIX that this payment asked for, with its order.
    fn claim(&self, op: OpId) -> Option<Event> {
        let (cashout, _) = self.order.as_ref()?;
        let claim = self.case.state.open(op)?.suspense()?;
        let suspense::State::Waiting(order) = claim else { return None };
        let own = order.about == Some(self.op) || order.about == Some(*cashout);
        if !own || order.amount != self.progress().order.net {
            return None;
        }
        takeover_event(op, order, *cashout)
    }

    /// That the PIX was paid implies that what funded it arrived (rulings 8).
    pub(in crate::ledger::wallet) fn complete(
        &mut self,
        pix: cash_out::Pix,
        command: Command,
    ) -> Option<()> {
        // One PIX pays one payment; one that was reported too early is a claim of this payment's.
        if let Some(seq) = self.case.lookup.pix_seen {
            let claim = self.claim(OpId::new(Kind::Suspense, seq))?;
            self.events.push(claim);
        }
        self.pays(pix, command)
    }

    pub(in crate::ledger::wallet) fn pays(
        &mut self,
        pix: cash_out::Pix,
        command: Command,
    ) -> Option<()> {
        self.known_paid = Switch::On;
        if !self.progress().confirmed.is_on() {
            self.arrive()?;
        }
        self.let_go()?;
        self.sell(cash_out::Command::Pay(pix))?;
        self.pay(command)
    }

    /// The payment failed, or nobody knows how it stands; its order fails with it where nothing was
    /// sent, and is paid by nobody where something was.
    pub(in crate::ledger::wallet) fn fall(&mut self, command: Command) -> Option<()> {
        let ordered = self.order.is_some();
        self.pay(command)?;
        match self.progress().stage {
            Stage::Failed if ordered => self.sell(cash_out::Command::Cancel),
            Stage::FailedAfterSend => {
                self.stop_order();
                Some(())
            }
            _ => Some(()),
        }
    }

    /// Nobody is asked to pay what failed: a person decides on its reserve first.
    fn stop_order(&mut self) {
        self.sell(cash_out::Command::LosePayment);
        self.sell(cash_out::Command::Stop);
    }

    /// Tells whether the reserve goes back although the PIX was reported paid; or, as of what was
    /// not sent, although coins were reported sent.
    pub(in crate::ledger::wallet) fn returns_contradicted(&self) -> bool {
        use payment::Event as E;
        let state = self.case.state;
        let mut steps = self.events.iter().filter_map(|event| match event {
            Event::WalletPayment { event, .. } => Some(event),
            _ => None,
        });
        let back = |event: &E| match event {
            E::Failed { .. } => Some(true),
            E::Resolved { resolution: Resolution::Returned(_), .. } => Some(false),
            _ => None,
        };
        let Some(unsent) = steps.find_map(back) else { return false };
        let names = [Some(self.op), self.order.as_ref().map(|(order, _)| *order)];
        let mut paid = names
            .into_iter()
            .flatten()
            .flat_map(|op| state.suspended_about(op, suspense::Order::is_a_payment));
        // What a provider kept of a refused key has no id of the world's, and paid nobody.
        let paid = paid.any(|(op, claim)| *claim.outside != *format!("{op:?}"));
        paid || unsent && state.has_claim_open(self.op)
    }

    /// The order ends with a reserve that is settled without it.
    fn end_order(&mut self) -> Option<()> {
        match (self.progress().confirmed.is_on(), self.progress().sent.clone()) {
            (true, _) => self.sell(cash_out::Command::GiveUpPayment),
            (false, _) => Some(()),
        }
    }

    pub(in crate::ledger::wallet) fn settle(&mut self, decision: Adjudication) -> Option<()> {
        match decision {
            Adjudication::Paid(pix) => {
                self.complete(pix.clone(), Command::Resolve(Adjudication::Paid(pix)))
            }
            decision => {
                let lost = match &decision {
                    Adjudication::Return(lost) => lost.is_on(),
                    Adjudication::Paid(_) | Adjudication::Lost => true,
                };
                self.pay(Command::Resolve(decision))?;
                let hash = self.progress().sent.clone();
                if let (false, true, Some(hash)) = (self.progress().confirmed.is_on(), lost, hash) {
                    self.sell(cash_out::Command::Vanish(hash))?;
                    return self.sell(cash_out::Command::Cancel);
                }
                self.end_order()
            }
        }
    }
}

/// A cost for asking only whether the order exists already.
pub(in crate::ledger::wallet) fn free() -> Cost {
    let deal = crate::terms::SaleRates::default().exactly(Amount::CENTAVO, Amount::CENTAVO);
    Cost {
        units: Units::new(u128::MAX >> 64).expect("a number of units"),
        deal: deal.expect("a centavo pays a centavo"),
    }
}
