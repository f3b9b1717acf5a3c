//! Facts about sales: the liquidation, the payment, and what came back.

use super::deposit::unmatched_order;
use super::report::SaleReport;
use crate::coin::Units;
use crate::id::{AssetId, Kind, OpId};
use crate::ledger::decision::Decision;
use crate::ledger::decision::fact_context::{FactContext, accept, already_known, attribute};
use crate::ledger::record::event::Event;
use crate::ledger::record::set_aside_reason::SetAsideReason as Reason;
use crate::machine::cash_out::{
    self, Ceilings, Command, Context, CorrectedKey, Deposit, Event as Moved, Pix, Progress,
    ReviewReason, Stage,
};
use crate::machine::refund::Coins;
use crate::machine::suspense::{self, Direction, Float};
use crate::machine::{Verdict, unmatched_deposit};
use crate::money::{Amount, Cents};
use crate::terms::{Price, Quote, Route, Switch};

impl FactContext<'_> {
    /// A report of a sale, or of crypto that no order took.
    pub(in crate::ledger) fn sale(&self, report: SaleReport) -> Decision {
        // The order of a wallet payment moves with its payment only (rulings 35).
        let order = self.cash_out().and_then(|(_, state)| state.progress());
        if let Some(known) = order
            && let cash_out::Funding::Wallet(payment) = known.order.funding
        {
            return self.part_of_payment(payment, known, report);
        }
        match report {
            SaleReport::Seen(deposit) => self.deposit_seen(deposit),
            SaleReport::Unlisted => self.aside(Reason::NotAwaited),
            SaleReport::Confirmed { hash, deposit } => self.deposit_confirmed(&hash, deposit),
            SaleReport::Vanished(hash) => self.deposit_vanished(&hash),
            SaleReport::Moved(Command::RefuseKey(back)) => self.key_refused(back),
            SaleReport::Moved(Command::Arrive(arrived)) => self.proceeds_arrived(arrived),
            SaleReport::Moved(command) => self.cash_out_moves(command),
            SaleReport::Paid { pix, amount } => self.cash_out_paid(pix, amount),
            SaleReport::Reversed { return_id, amount } => {
                self.cash_out_reversed(&return_id, amount)
            }
            SaleReport::TokenReturned(units) => self.token_returned(units),
            SaleReport::Stopped(decided_by) => {
                attribute(self.cash_out_moves(Command::Stop), decided_by)
            }
            SaleReport::Cleared { pix_key, decided_by } => {
                let pix_key = pix_key.map(|key| self.with_sandbox_owner(key));
                attribute(self.cash_out_moves(Command::Clear(pix_key)), decided_by)
            }
            SaleReport::RefundDecided { to, decided_by: Some(decided_by) } => {
                attribute(self.refund_decided(to, Switch::On), decided_by)
            }
            SaleReport::RefundDecided { to, decided_by: None } => {
                self.refund_decided(to, Switch::Off)
            }
            SaleReport::Refund(report) => self.refund_reported(report),
            SaleReport::RefundFailed { attempt } => self.refund_failed(attempt),
        }
    }

    pub(in crate::ledger) fn cash_out(&self) -> Option<(OpId, &cash_out::State)> {
        let (op, known) = self.lookup.operation.as_ref()?;
        Some((*op, known.cash_out()?))
    }

    /// The unmatched deposit that the fact names.
    pub(in crate::ledger) fn unmatched_deposit(&self) -> Option<(OpId, &unmatched_deposit::State)> {
        let (op, known) = self.lookup.operation.as_ref()?;
        Some((*op, known.unmatched_deposit()?))
    }

    /// What the order is judged with; the price is that of what was deposited.
    pub(in crate::ledger) fn sale_context(
        &self,
        state: &cash_out::State,
        asset: Option<AssetId>,
    ) -> Context {
        let progress = state.progress();
        let deposited = progress.and_then(|known| known.deposits.first());
        let order = progress.map(|known| known.order.coins.asset);
        let asset = asset.or(deposited.map(|held| held.deposit.coins.asset)).or(order);
        let listed = asset.and_then(|asset| self.state.catalogue.asset_of(asset));
        Context {
            at: self.at,
            quote: asset.and_then(|asset| self.sale_price(progress.map(AsRef::as_ref), asset)),
            scale: listed.map(|(_, scale)| scale),
            ceilings: self.ceilings_of_order(None),
            unmatched: OpId::new(Kind::UnmatchedDeposit, self.state.seq.next()),
        }
    }

    /// Returns what the order that the fact names may pay, as the books know it; by another key,
    /// where it is corrected.
    fn ceilings_of_order(&self, key: Option<CorrectedKey>) -> Ceilings {
        let named = self.cash_out().and_then(|(op, state)| Some((op, state, state.progress()?)));
        named.map_or_else(Ceilings::none, |(op, state, known)| {
            let payee = key.map_or(known.payee, |key| known.payee.with_corrected_key(key));
            self.state.ceilings_of((op, state), &payee, self.at)
        })
    }

    /// A corrected key; in the sandbox its fictional owner has the document that was claimed.
    fn with_sandbox_owner(&self, key: CorrectedKey) -> CorrectedKey {
        let progress = self.cash_out().and_then(|(_, state)| state.progress());
        let payee = progress.filter(|_| self.state.is_sandbox()).map(|known| known.payee);
        let owner =
            payee.and_then(|payee| payee.with_corrected_key(key).with_claimed_owner().owner);
        CorrectedKey { owner: owner.unwrap_or(key.owner), ..key }
    }

    fn sale_price(&self, progress: Option<&Progress>, asset: AssetId) -> Option<Quote> {
        let order = progress.map(|known| &known.order);
        if order.is_some_and(|order| order.route == Route::Liquid && order.coins.asset == asset) {
            return Some(Quote { price: Price::PAR, source: "par".into(), at: self.at });
        }
        let (name, _) = self.state.catalogue.asset_of(asset)?;
        self.state.fresh(name, self.at).cloned()
    }

    /// A report of an order: whatever it cannot take waits, without money.
    pub(in crate::ledger) fn cash_out_moves(&self, command: Command) -> Decision {
        let clears = matches!(command, Command::Clear(_));
        match self.cash_out_verdict(command, None) {
            Some((op, Verdict::Applied(steps))) => self.sale_steps(op, steps),
            Some((_, Verdict::Known)) => already_known(),
            Some((_, Verdict::SetAside)) if clears => self.aside(self.reason_to_stay()),
            Some((_, Verdict::SetAside)) | None => self.aside(self.unfit()),
        }
    }

    pub(in crate::ledger) fn cash_out_verdict(
        &self,
        command: Command,
        asset: Option<AssetId>,
    ) -> Option<(OpId, Verdict<Vec<Moved>>)> {
        let (op, state) = self.cash_out()?;
        let mut now = self.sale_context(state, asset);
        let refused = state.progress().map(|known| known.stage)
            == Some(Stage::Review(ReviewReason::KeyRefused));
        // A key is corrected where it was refused; elsewhere whom the order names is paid.
        if let Command::Clear(key @ Some(_)) = &command
            && refused
        {
            now.ceilings = self.ceilings_of_order(*key);
        }
        Some((op, cash_out::decide(state, command, &now)))
    }

    /// The steps of an order; a surplus becomes an unmatched deposit in the same decision, as does
    /// what an order goes on without.
    pub(in crate::ledger) fn sale_steps(&self, op: OpId, steps: Vec<Moved>) -> Decision {
        let progress = self.cash_out().and_then(|(_, state)| state.progress());
        let mut last = progress.and_then(|known| Some(known.deposits.last()?.deposit.clone()));
        let mut events = Vec::with_capacity(steps.len());
        for event in steps {
            let mut beside = None;
            match &event {
                Moved::DepositSeen { deposit, .. } => last = Some(deposit.clone()),
                Moved::DepositVanished { hash, .. } => {
                    let held = progress.into_iter().flat_map(|known| &known.deposits);
                    let rest = held.map(|held| &held.deposit).filter(|rest| rest.hash != *hash);
                    last = rest.cloned().reduce(|_, latest| latest);
                }
                Moved::Split { unmatched, coins } => {
                    let deposit = last.clone().expect("what is split was deposited");
                    let deposit = Deposit { coins: *coins, ..deposit };
                    let about = progress.map(|progress| (op, progress.as_ref()));
                    let event = unmatched_deposit::Event::SplitOff(Box::new(unmatched_order(
                        deposit, about,
                    )));
                    beside = Some(Event::UnmatchedDeposit { op: *unmatched, event });
                }
                Moved::OddParted { unmatched, hash, .. } => {
                    let event = self.odd_parted(op, hash);
                    beside = Some(Event::UnmatchedDeposit { op: *unmatched, event });
                }
                _ => {}
            }
            events.push(Event::CashOut { op, event: self.with_sighting(event) });
            events.extend(beside);
        }
        accept(self.sale_with_early(op, events))
    }

    /// The PIX of an order was paid; one that contradicts it is money that left without a reason.
    fn cash_out_paid(&self, pix: Pix, amount: Option<Amount>) -> Decision {
        let progress = self.cash_out().and_then(|(_, state)| state.progress());
        let owed = progress.and_then(|known| known.sale).map(|sale| sale.deal.net);
        let contradicts = matches!((owed, amount), (Some(owed), Some(paid)) if owed != paid);
        let (e2e, paid_at) = (pix.e2e.clone(), pix.paid_at);
        // Before anything is priced, what was quoted is what the order means to pay.
        let owed = owed.or(progress.map(|known| known.order.deal.net));
        match self.cash_out_verdict(Command::Pay(pix), None) {
            Some((op, Verdict::Applied(steps))) if !contradicts => self.moved_by_pix(op, steps),
            Some((_, Verdict::Known)) => already_known(),
            Some(_) | None => match amount.or(owed) {
                Some(amount) => {
                    let claim = self.suspense_order(Direction::Out, Float::Payout, &e2e, amount);
                    let claim = suspense::Order { paid_at, ..claim };
                    self.to_suspense(claim, self.unpaid_sale(contradicts))
                }
                None => self.aside(self.unpaid_sale(contradicts)),
            },
        }
    }

    /// A paid PIX came back; what cannot be refunded by its order waits in suspense.
    fn cash_out_reversed(&self, return_id: &str, amount: Amount) -> Decision {
        match self.cash_out_verdict(Command::Reverse(amount), None) {
            Some((op, Verdict::Applied(steps))) => self.moved_by_pix(op, steps),
            Some((_, Verdict::Known)) => already_known(),
            Some((_, Verdict::SetAside)) | None => {
                let came = self.suspense_order(Direction::In, Float::Payout, return_id, amount);
                self.to_suspense(came, self.reversal_reason())
            }
        }
    }

    /// The provider refused the key and gave so much back: no more than it had is the order's, and
    /// where that takes nothing it is nobody's yet.
    fn key_refused(&self, back: Amount) -> Decision {
        let progress = self.cash_out().and_then(|(_, state)| state.progress());
        let net = progress.and_then(|known| known.sale).map(|sale| sale.deal.net);
        let taken = net.map_or(back, |net| net.min(back));
        match self.cash_out_verdict(Command::RefuseKey(taken), None) {
            Some((op, Verdict::Applied(steps))) => {
                let mut decision = self.sale_steps(op, steps);
                if let Some(more) = back.minus(taken.as_cents()).and_then(Cents::amount) {
                    decision.events.extend(self.pays_in(more, Reason::AmountExceeds).events);
                }
                decision
            }
            Some((_, Verdict::Known)) if taken == back => already_known(),
            Some((_, Verdict::Known | Verdict::SetAside)) | None => {
                self.pays_in(back, self.unfit())
            }
        }
    }

    /// Proceeds arrived: what no order awaits is nobody's yet.
    fn proceeds_arrived(&self, arrived: Amount) -> Decision {
        match self.cash_out_verdict(Command::Arrive(arrived), None) {
            Some((op, Verdict::Applied(steps))) => self.sale_steps(op, steps),
            Some((_, Verdict::Known)) => already_known(),
            Some((_, Verdict::SetAside)) | None => self.pays_in(arrived, self.unfit()),
        }
    }

    /// Reais at the payout provider, of which the world says no id: the number of what waits is
    /// one.
    pub(in crate::ledger) fn pays_in(&self, amount: Amount, reason: Reason) -> Decision {
        let outside = format!("{:?}", self.next_suspense());
        let came = self.suspense_order(Direction::In, Float::Payout, &outside, amount);
        self.to_suspense(came, reason)
    }

    /// The provider returned so much of the token it had.
    fn token_returned(&self, units: Units) -> Decision {
        let progress = self.cash_out().and_then(|(_, state)| state.progress());
        let Some(order) = progress.map(|known| &known.order) else {
            return self.aside(Reason::Unmatched);
        };
        let handed = progress.and_then(|known| known.handed.or(known.sale.map(|sale| sale.coins)));
        let coins = Coins { units, ..handed.unwrap_or(order.coins) };
        match self.cash_out_verdict(Command::GiveBack(coins), None) {
            Some((op, Verdict::Applied(steps))) => self.sale_steps(op, steps),
            Some((_, Verdict::Known)) => already_known(),
            Some((_, Verdict::SetAside)) | None if order.route == Route::Liquid => {
                self.book_unmatched_token(coins)
            }
            Some((_, Verdict::SetAside)) | None => self.aside(self.unfit()),
        }
    }
}
