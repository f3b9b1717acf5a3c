//! Withdrawals from wallets as the oracle sees them: Part A14; rulings 38; W63.

use ledger_core::accounting::CoinAccount;
use ledger_core::coin::Units;
use ledger_core::id::{AccountId, ChainId, Kind, OpId};
use ledger_core::ledger::wallet::{Refusal as No, WithdrawalReport, WithdrawalRequest};
use ledger_core::ledger::{Field, Outcome, Refusal, Request, wallet};
use ledger_core::machine::wallet::withdrawal::{Finding, Sent};
use ledger_core::time::Instant;

use super::quote::{Offer, Offered, Use, WithdrawalFact};
use crate::goal::Goal;
use crate::oracle::{Coin, Oracle};
use crate::wallets::is_same;

/// A withdrawal to an external wallet.
#[derive(Clone, Debug)]
pub(crate) struct Withdrawal {
    pub(crate) terms: Offered,
    quote: OpId,
    pub(crate) step: Step,
    pub(crate) status: WithdrawalStatus,
    /// What is owed to the address, once it left the wallet.
    pub(crate) flight: Option<u128>,
    /// What was sent, as far as anybody reported.
    pub(crate) sent: Option<Sent>,
}

/// How far a withdrawal came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Step {
    Reserved,
    Funding,
    Converting,
    Processing,
}

/// Tells whether it goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum WithdrawalStatus {
    UnderWay,
    UnderReview,
    Completed,
    Failed,
}

impl Withdrawal {
    fn is_sent_in(&self, sent: &Sent) -> bool {
        self.sent.as_ref().is_some_and(|known| known.hash == sent.hash)
    }
}

impl Oracle {
    pub(in crate::oracle) fn withdrawal_request(
        &mut self,
        account: AccountId,
        request: &WithdrawalRequest,
        at: Instant,
    ) -> Result<Outcome, Refusal> {
        let identity = (account, Kind::CryptoWithdrawal, request.external_id.clone());
        if let Some((op, _)) = self.identities.get(&identity) {
            let (op, original) = (*op, &self.withdrawals[op]);
            let mut fields = differing(&original.terms, request);
            fields.extend((Some(original.quote) != request.quote).then_some(Field::Quote));
            fields.sort_unstable();
            if fields.is_empty() {
                self.reach(Goal::WithdrawalRepeated);
                return Ok(Outcome::Repeated(op));
            }
            self.reach(Goal::WithdrawalDiverges);
            return Err(Refusal::IdentityDiverges { original: op, fields });
        }
        self.may_act(account)?;
        let known = request.quote.and_then(|op| Some((op, self.quotes.get(&op)?.clone())));
        let own = known.filter(|(_, quote)| {
            let own = quote.account() == account;
            if !own {
                self.trace.goals.push(Goal::QuoteOfOther);
            }
            own
        });
        if let Some(Use::By(op)) = own.as_ref().map(|(_, quote)| quote.used)
            && op.kind() == Kind::CryptoWithdrawal
        {
            self.reach(Goal::DuplicatePrevented);
            return Ok(Outcome::Repeated(op));
        }
        self.sends(account, at)?;
        let unused = own.filter(|(_, quote)| !matches!(quote.used, Use::By(_)));
        let Some((quote, known)) = unused else { return Err(No::QuoteUnknown.into()) };
        let Offer::Withdrawal(terms) = known.offer else {
            self.reach(Goal::QuoteOfOtherKind);
            return Err(No::QuoteDiffers { fields: vec![Field::Quote] }.into());
        };
        let fields = differing(&terms, request);
        if !fields.is_empty() {
            self.reach(Goal::QuoteDiffers);
            return Err(No::QuoteDiffers { fields }.into());
        }
        if known.used == Use::Lapsed {
            if at == known.expires_at {
                self.reach(Goal::QuoteLate);
            }
            return Err(No::QuoteExpired.into());
        }
        let from = CoinAccount::WalletAvailable(account);
        let available = self.wallet_available(account);
        let wanted = i128::try_from(terms.amount).expect("the simulator moves few coins");
        if available < wanted {
            if available < 0 {
                self.reach(Goal::WalletOwes);
            } else if available + 1 == wanted {
                self.reach(Goal::WithdrawalOneTooMuch);
            }
            return Err(No::FundsInsufficient { available }.into());
        }
        if known.expires_at.since(at).micros() == 1 {
            self.reach(Goal::QuoteAtLast);
        }
        let op = self.next_op(Kind::CryptoWithdrawal);
        self.quotes.get_mut(&quote).expect("found above").used = Use::By(op);
        self.coins(terms.usdt, from, CoinAccount::WalletReserved(account), terms.amount);
        if available == wanted {
            self.reach(Goal::EmptiedByWithdrawal);
        }
        let (step, status) = (Step::Reserved, WithdrawalStatus::UnderWay);
        let it = Withdrawal { terms, quote, step, status, flight: None, sent: None };
        self.withdrawals.insert(op, it);
        let asked = Request::Wallet(wallet::Request::Withdrawal(request.clone()));
        self.identities.insert(identity, (op, asked));
        self.trace.tasks.push((op, None));
        self.note(quote);
        self.note(op);
        Ok(Outcome::Created(op))
    }

    /// A withdrawal moved, or a person found out how it stands.
    pub(in crate::oracle) fn withdrawal_news(
        &mut self,
        op: Option<OpId>,
        reported: &WithdrawalFact<'_>,
    ) -> Outcome {
        let found = op.and_then(|op| Some((op, self.withdrawals.get(&op)?.clone())));
        let Some((op, it)) = found else { return Outcome::SetAside(None) };
        let outcome = match it.status {
            WithdrawalStatus::UnderWay => self.while_under_way(op, &it, reported),
            WithdrawalStatus::UnderReview => self.while_reviewed(op, &it, reported),
            WithdrawalStatus::Completed => match reported {
                WithdrawalFact::Moved(WithdrawalReport::Send(sent))
                | WithdrawalFact::Found(Finding::Completed(sent)) => {
                    if it.is_sent_in(sent) {
                        return Outcome::Known;
                    }
                    return self.withdrawn_in_error(op, &it.terms, sent);
                }
                WithdrawalFact::Moved(_) => Outcome::Known,
                WithdrawalFact::Found(_) => Outcome::SetAside(None),
            },
            WithdrawalStatus::Failed => match reported {
                WithdrawalFact::Moved(WithdrawalReport::Send(sent))
                | WithdrawalFact::Found(Finding::Completed(sent)) => {
                    return self.withdrawn_in_error(op, &it.terms, sent);
                }
                WithdrawalFact::Moved(WithdrawalReport::Lose)
                | WithdrawalFact::Found(Finding::Failed) => Outcome::Known,
                _ => Outcome::SetAside(None),
            },
        };
        if matches!(outcome, Outcome::Applied(_)) {
            self.note(op);
        }
        outcome
    }

    fn while_under_way(
        &mut self,
        op: OpId,
        it: &Withdrawal,
        reported: &WithdrawalFact<'_>,
    ) -> Outcome {
        match reported {
            WithdrawalFact::Moved(WithdrawalReport::Begin) if it.step == Step::Reserved => {
                self.withdrawal(op).step = Step::Funding;
            }
            WithdrawalFact::Moved(WithdrawalReport::Fund) if it.flight.is_none() => self.fund(op),
            WithdrawalFact::Moved(WithdrawalReport::Begin | WithdrawalReport::Fund)
            | WithdrawalFact::Found(Finding::Resumed) => {
                return Outcome::Known;
            }
            WithdrawalFact::Moved(WithdrawalReport::Convert(obtained)) if it.terms.converts() => {
                if it.step == Step::Processing {
                    return Outcome::Known;
                }
                self.convert(op, obtained.get());
                if obtained.get() < it.terms.minimum + it.terms.network_fee {
                    self.withdrawal(op).status = WithdrawalStatus::UnderReview;
                    self.reach(Goal::ConvertedTooLittle);
                }
            }
            WithdrawalFact::Moved(WithdrawalReport::Convert(_)) => return Outcome::SetAside(None),
            WithdrawalFact::Moved(WithdrawalReport::Send(sent)) => self.arrives(op, sent),
            WithdrawalFact::Moved(WithdrawalReport::Lose) => {
                self.withdrawal(op).status = WithdrawalStatus::UnderReview;
            }
            WithdrawalFact::Found(Finding::Completed(sent)) => self.arrives(op, sent),
            WithdrawalFact::Found(Finding::Failed) => self.withdrawal_fails(op),
        }
        Outcome::Applied(None)
    }

    /// Unknown outcomes move by evidence; what was sent is evidence of itself.
    fn while_reviewed(
        &mut self,
        op: OpId,
        it: &Withdrawal,
        reported: &WithdrawalFact<'_>,
    ) -> Outcome {
        match reported {
            WithdrawalFact::Moved(WithdrawalReport::Send(sent)) if it.is_sent_in(sent) => {
                return Outcome::Known;
            }
            WithdrawalFact::Moved(WithdrawalReport::Send(sent)) if it.sent.is_none() => {
                self.arrives(op, sent);
            }
            WithdrawalFact::Found(Finding::Completed(sent))
                if it.sent.is_none()
                    || it.is_sent_in(sent)
                    || it.terms.minimum <= sent.received.get() =>
            {
                match &it.sent {
                    Some(known) if known.hash == sent.hash => {}
                    Some(_) => self.reach(Goal::TooLittleMadeUp),
                    None => self.reach(Goal::WithdrawalFoundSent),
                }
                self.arrives(op, sent);
            }
            WithdrawalFact::Found(Finding::Resumed) if it.sent.is_none() => {
                self.withdrawal(op).status = WithdrawalStatus::UnderWay;
                self.trace.tasks.push((op, None));
                self.reach(Goal::WithdrawalResumed);
            }
            WithdrawalFact::Found(Finding::Failed) if it.sent.is_none() => {
                self.withdrawal_fails(op);
                self.reach(Goal::WithdrawalFoundFailed);
            }
            // Something else left for it than what is known to have arrived.
            WithdrawalFact::Moved(WithdrawalReport::Send(sent))
            | WithdrawalFact::Found(Finding::Completed(sent)) => {
                let outcome = self.withdrawn_in_error(op, &it.terms, sent);
                if outcome != Outcome::Known {
                    self.reach(Goal::WithdrawalSentTwice);
                }
                return outcome;
            }
            WithdrawalFact::Moved(WithdrawalReport::Lose | WithdrawalReport::Begin) => {
                return Outcome::Known;
            }
            WithdrawalFact::Moved(WithdrawalReport::Fund) if it.flight.is_some() => {
                return Outcome::Known;
            }
            _ => return Outcome::SetAside(None),
        }
        Outcome::Applied(None)
    }

    /// What is reserved leaves the wallet, and is owed to the address.
    fn fund(&mut self, op: OpId) {
        let it = self.withdrawal(op);
        it.flight = Some(it.terms.amount);
        it.step = if it.terms.converts() { Step::Converting } else { Step::Processing };
        let terms = it.terms.clone();
        let from = (terms.usdt, CoinAccount::WalletReserved(terms.account));
        let to = (terms.asset, CoinAccount::WithdrawalInFlight(op));
        self.at_par(from, to, terms.amount);
    }

    /// What conversion cost is no longer owed to the address.
    fn convert(&mut self, op: OpId, obtained: u128) {
        if self.withdrawal(op).flight.is_none() {
            self.fund(op);
        }
        let it = self.withdrawal(op);
        let (whole, asset) = (it.terms.amount, it.terms.asset);
        it.flight = Some(whole.min(obtained));
        it.step = Step::Processing;
        let lost = whole.saturating_sub(obtained);
        self.coins(asset, CoinAccount::WithdrawalInFlight(op), CoinAccount::Fx, lost);
    }

    /// It arrived, which implies every step before; too little waits for a person (WDR-11).
    fn arrives(&mut self, op: OpId, sent: &Sent) {
        if self.claim_ends(op, &sent.hash) {
            self.reach(Goal::WithdrawalClaimEnds);
        }
        let it = self.withdrawal(op).clone();
        if it.step < Step::Funding {
            self.reach(Goal::WithdrawalImplied);
        }
        if it.flight.is_none() {
            self.fund(op);
        }
        let (received, terms) = (sent.received.get(), &it.terms);
        let asked = sent.network_fee.map_or(terms.network_fee, Units::get);
        if terms.converts() && it.step < Step::Processing {
            self.convert(op, received + asked);
        }
        let it = self.withdrawal(op);
        // A person may take what arrived for all that will.
        let taken = it.is_sent_in(sent);
        it.sent = Some(sent.clone());
        if received < it.terms.minimum && !taken {
            it.status = WithdrawalStatus::UnderReview;
            self.reach(Goal::ArrivedTooLittle);
            return;
        }
        it.status = WithdrawalStatus::Completed;
        let owed = it.flight.expect("funded above");
        let (usdt, asset, account) = (it.terms.usdt, it.terms.asset, it.terms.account);
        let stock = CoinAccount::Treasury(ChainId(it.terms.chain));
        let converts = it.terms.converts();
        let flight = CoinAccount::WithdrawalInFlight(op);
        let fee = asked.min(owed - received.min(owed));
        let left = owed - received.min(owed) - fee;
        self.coins(asset, flight, stock, received.min(owed));
        self.coins(asset, CoinAccount::Loss, stock, received.saturating_sub(owed));
        self.coins(asset, flight, CoinAccount::Gas, fee);
        let wallet = CoinAccount::WalletAvailable(account);
        self.credit_wallet((asset, flight), (usdt, wallet), left);
        self.reach(if converts { Goal::WithdrawalOfUsdc } else { Goal::WithdrawalSent });
        if left > 0 {
            self.reach(Goal::WithdrawalLeft);
        }
        if received > owed {
            self.reach(Goal::WithdrawalExceeded);
        }
    }

    /// Nothing left: the whole reserve goes back, whatever it was turned into.
    fn withdrawal_fails(&mut self, op: OpId) {
        let it = self.withdrawal(op);
        it.status = WithdrawalStatus::Failed;
        let (terms, flight) = (it.terms.clone(), it.flight);
        let wallet = CoinAccount::WalletAvailable(terms.account);
        let Some(owed) = flight else {
            let from = CoinAccount::WalletReserved(terms.account);
            return self.credit_wallet((terms.usdt, from), (terms.usdt, wallet), terms.amount);
        };
        let from = CoinAccount::WithdrawalInFlight(op);
        if terms.converts() {
            self.coins(terms.asset, from, CoinAccount::Fx, owed);
            let back = (terms.usdt, CoinAccount::Fx);
            self.credit_wallet(back, (terms.usdt, wallet), terms.amount);
        } else {
            self.credit_wallet((terms.usdt, from), (terms.usdt, wallet), owed);
        }
        self.reach(Goal::WithdrawalFailedFunded);
    }

    /// What was sent beyond what the books say is a claim on who received it (rulings 8).
    fn withdrawn_in_error(&mut self, about: OpId, terms: &Offered, sent: &Sent) -> Outcome {
        let coin = Coin { asset: terms.asset, chain: terms.chain, units: sent.received.get() };
        let outcome = self.claim(about, coin, &sent.hash, Goal::SentInError);
        if outcome != Outcome::Known {
            self.reach(Goal::WithdrawalInError);
        }
        outcome
    }

    fn withdrawal(&mut self, op: OpId) -> &mut Withdrawal {
        self.withdrawals.get_mut(&op).expect("the caller found it")
    }
}

/// Where a request says otherwise than its quote.
fn differing(terms: &Offered, request: &WithdrawalRequest) -> Vec<Field> {
    let amount = request.amount.is_none_or(|amount| amount.get() == terms.amount);
    let coin = request.coin.is_none_or(|coin| coin == terms.coin);
    let network = request.network.as_ref().is_none_or(|network| *network == terms.network);
    let address =
        request.address.as_deref().is_none_or(|it| is_same(Some(it), Some(&*terms.address)));
    let fields = [
        (amount, Field::CryptoAmount),
        (coin, Field::Asset),
        (network, Field::Network),
        (address, Field::WalletAddress),
    ];
    fields.into_iter().filter(|(same, _)| !same).map(|(_, field)| field).collect()
}
