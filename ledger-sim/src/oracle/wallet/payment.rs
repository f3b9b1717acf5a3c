//! Payments from wallets as they are asked for: contract 4.5; WAL-31, WAL-38 to WAL-51; W60;
//! P:ReserveBuffer, P:QuoteDivergent.

use ledger_core::accounting::CoinAccount;
use ledger_core::coin::Units;
use ledger_core::id::{AccountId, Kind, OpId};
use ledger_core::ledger::wallet::{PaymentRequest, Refusal as No};
use ledger_core::ledger::{CashOutRequest, Field, Outcome, Refusal, Request, wallet};
use ledger_core::machine::cash_out::{AmountBasis, KeyOwner, Payee};
use ledger_core::terms::WalletSettings;
use ledger_core::time::{Instant, Span};

use super::quote::{Offer, PaymentOffered, Use};
use crate::goal::Goal;
use crate::oracle::{Oracle, Sale, Split, later};

pub(crate) use ledger_core::machine::wallet::payment::FailureReason;

/// A payment from a wallet.
#[derive(Clone, Debug)]
pub(crate) struct Payment {
    pub(crate) account: AccountId,
    pub(crate) asked: AmountBasis,
    pub(crate) net: i64,
    pub(crate) payee: Payee,
    pub(in crate::oracle) usdt: u16,
    pub(in crate::oracle) chain: u16,
    pub(crate) estimate: u128,
    pub(crate) fee: u128,
    pub(crate) reserved: u128,
    pub(in crate::oracle) quote: Option<OpId>,
    pub(in crate::oracle) made_at: Instant,
    pub(crate) status: PaymentStatus,
    /// The order that pays its PIX, what that costs, and how its reais are divided.
    pub(crate) order: Option<(OpId, u128, Split)>,
    /// The transaction that funded its order, and whether the network confirmed it.
    pub(crate) sent: Option<Box<str>>,
    pub(crate) confirmed: bool,
    pub(crate) e2e: Option<Box<str>>,
    pub(crate) reason: Option<FailureReason>,
    /// What an operator decided of a reserve that was kept.
    pub(crate) fate: Option<Fate>,
    /// Tells whether coins that were given up as lost are there after all.
    pub(crate) recovered: bool,
}

/// The contract's words for where a payment stands, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum PaymentStatus {
    Reserved,
    Ordered,
    Accepted,
    Sending,
    Sent,
    UnderReview,
    Completed,
    Failed,
    FailedAfterSend,
}

/// What becomes of a reserve kept after the send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// It went back.
    Returned,
    /// It went back, and the coins are our loss.
    ReturnedAndLost,
    /// The PIX was paid after all.
    Paid,
    /// The coins are lost on the client's account.
    Lost,
}

impl Payment {
    /// Tells whether its reserve is still whole.
    pub(crate) fn is_reserved(&self) -> bool {
        use PaymentStatus::{Completed, Failed};
        !matches!(self.status, Completed | Failed) && self.fate.is_none()
    }

    /// Tells whether it was sent, and neither failed nor ended.
    pub(crate) fn is_sent(&self) -> bool {
        use PaymentStatus::{Sent, UnderReview};
        matches!(self.status, Sent | UnderReview) && self.sent.is_some()
    }

    /// Tells whether it waits for a person to decide on its reserve, and for nothing else.
    pub(crate) fn waits_for_person(&self) -> bool {
        self.status == PaymentStatus::FailedAfterSend && self.fate.is_none()
    }

    /// Tells whether what funded it has not arrived, and may.
    pub(crate) fn is_awaited(&self) -> bool {
        self.sent.is_some() && !self.confirmed && matches!(self.fate, None | Some(Fate::Returned))
    }

    /// Tells whether its coins were given up as lost, and did not turn up.
    pub(crate) fn is_given_up(&self) -> bool {
        let lost = matches!(self.fate, Some(Fate::Lost | Fate::ReturnedAndLost));
        lost && !self.recovered
    }

    /// Tells whether it sends nothing after all, as a mandate counts (AGT-18).
    pub(in crate::oracle) fn came_to_nothing(&self) -> bool {
        let returned = matches!(self.fate, Some(Fate::Returned | Fate::ReturnedAndLost));
        self.status == PaymentStatus::Failed || returned
    }
}

impl Oracle {
    /// Returns what a payment would cost: nothing is reserved (WAL-44).
    pub(in crate::oracle) fn payment_quote(
        &mut self,
        account: AccountId,
        request: &PaymentRequest,
        at: Instant,
    ) -> Result<OpId, Refusal> {
        let settings = self.pays(account, request, at)?;
        let net = request.net.expect("looked at before").cents();
        let quote = self.next_op(Kind::Quote);
        let sale = self.sale_of_payment(account, request, quote, at)?;
        let fee = settings.payment_fee.map_or(0, Units::get);
        let (asked, units) = (request.asked, sale.coin.units);
        let offer = Offer::Payment(PaymentOffered { account, asked, net, units, fee });
        Ok(self.open_quote(offer, &settings, at))
    }

    pub(in crate::oracle) fn payment_request(
        &mut self,
        account: AccountId,
        request: &PaymentRequest,
        at: Instant,
    ) -> Result<Outcome, Refusal> {
        let external_id = request.external_id.clone();
        let identity = external_id.map(|id| (account, Kind::WalletPayment, id));
        let known = identity.as_ref().and_then(|identity| self.identities.get(identity));
        if let Some(op) = known.map(|(op, _)| *op) {
            return self.payment_repeated(op, request);
        }
        self.may_act(account)?;
        let settings = self.pays(account, request, at)?;
        let quote = self.quote_used(account, request)?;
        let op = self.next_op(Kind::WalletPayment);
        let sale = self.sale_of_payment(account, request, op, at)?;
        let fee = settings.payment_fee.map_or(0, Units::get);
        let total = sale.coin.units + fee;
        let available = self.wallet_available(account);
        let strict = settings.strict_buffer.is_on();
        let reserved = self.reserve_of(total, available, strict)?;
        let payment = Payment {
            account,
            asked: request.asked,
            net: sale.split.net,
            payee: request.payee,
            usdt: settings.usdt.0,
            chain: sale.coin.chain,
            estimate: sale.coin.units,
            fee,
            reserved,
            quote,
            made_at: at,
            status: PaymentStatus::Reserved,
            order: None,
            sent: None,
            confirmed: false,
            e2e: None,
            reason: None,
            fate: None,
            recovered: false,
        };
        let from = CoinAccount::WalletAvailable(account);
        self.coins(payment.usdt, from, CoinAccount::WalletReserved(account), reserved);
        self.payments.insert(op, payment);
        if let Some(identity) = identity {
            let asked = wallet::Request::Payment(Box::new(request.clone()));
            self.identities.insert(identity, (op, Request::Wallet(asked)));
        }
        if let Some(quote) = quote {
            self.quotes.get_mut(&quote).expect("found above").used = Use::By(op);
            self.note(quote);
            self.reach(Goal::PaymentAsQuoted);
        }
        self.trace.tasks.push((op, None));
        self.note(op);
        Ok(Outcome::Created(op))
    }

    fn payment_repeated(&mut self, op: OpId, request: &PaymentRequest) -> Result<Outcome, Refusal> {
        let original = &self.payments[&op];
        let same = original.asked == request.asked;
        let code =
            [original.asked, request.asked].iter().any(|it| matches!(it, AmountBasis::Code(_)));
        let net = request.net.is_some_and(|net| net.cents() == original.net);
        let quote = request.quote.is_none_or(|quote| quote == original.quote);
        let fields = [
            (same || !code, Field::Code),
            (net, Field::BrlAmount),
            (original.payee.pix_key == request.payee.pix_key, Field::PixKey),
            (quote, Field::Quote),
        ];
        let fields = fields.into_iter().filter(|(same, _)| !same);
        let mut fields: Vec<Field> = fields.map(|(_, field)| field).collect();
        fields.sort_unstable();
        if fields.is_empty() {
            self.reach(Goal::PaymentRepeated);
            return Ok(Outcome::Repeated(op));
        }
        self.reach(Goal::PaymentDiverges);
        Err(Refusal::IdentityDiverges { original: op, fields })
    }

    /// The wallet where such payments are made: the feature, the mandate, the smallest.
    fn pays(
        &mut self,
        account: AccountId,
        request: &PaymentRequest,
        at: Instant,
    ) -> Result<WalletSettings, Refusal> {
        let settings = self.granted_wallet(account, at)?;
        let method = match request.asked {
            AmountBasis::Code(_) => settings.by_code,
            AmountBasis::Units(_) | AmountBasis::Net(_) => settings.by_key,
        };
        if !settings.payments.is_on() || !method.is_on() {
            self.reach(Goal::PaymentsOff);
            return Err(No::PaymentsUnavailable.into());
        }
        let net = request.net.ok_or(Refusal::CodeWithoutAmount)?;
        let proven = request.payee.owner.and_then(KeyOwner::document);
        let (cents, to) = (net.cents(), proven);
        let mandated = self.check_mandate(account, cents, to, at);
        mandated.inspect_err(|_| self.reach(Goal::PaymentAgainstMandate))?;
        let least = settings.least_payment;
        if net < least {
            if cents + 1 == least.cents() {
                self.reach(Goal::PaymentTooSmall);
            }
            return Err(No::PaymentBelowMinimum { least }.into());
        }
        Ok(settings)
    }

    /// The quote that a payment names: the account's own, of this very payment, and still good
    /// (P:QuoteDivergent).
    fn quote_used(
        &mut self,
        account: AccountId,
        request: &PaymentRequest,
    ) -> Result<Option<OpId>, Refusal> {
        let Some(named) = request.quote else { return Ok(None) };
        let known = named.and_then(|op| Some((op, self.quotes.get(&op)?)));
        let Some((op, quote)) = known.filter(|(_, quote)| quote.account() == account) else {
            return Err(No::QuoteUnknown.into());
        };
        let fields = match &quote.offer {
            Offer::Withdrawal(_) => vec![Field::Quote],
            Offer::Payment(offered) => {
                let net = request.net.is_some_and(|net| net.cents() == offered.net);
                let reported =
                    [(offered.asked == request.asked, Field::Code), (net, Field::BrlAmount)];
                reported.into_iter().filter(|(same, _)| !same).map(|(_, field)| field).collect()
            }
        };
        match quote.used {
            Use::By(_) => {
                self.reach(Goal::PaymentQuoteSpent);
                Err(No::QuoteUnknown.into())
            }
            _ if !fields.is_empty() => {
                self.reach(Goal::PaymentNotQuoted);
                Err(No::QuoteDiffers { fields }.into())
            }
            Use::Not => Ok(Some(op)),
            Use::Lapsed => {
                self.reach(Goal::PaymentQuoteOver);
                Err(No::QuoteExpired.into())
            }
        }
    }

    /// The order that would pay it now: of USDT on Polygon, and no limit of its own but that of a
    /// sale.
    pub(in crate::oracle) fn sale_of_payment(
        &mut self,
        account: AccountId,
        asked: &PaymentRequest,
        payment: OpId,
        at: Instant,
    ) -> Result<Sale, Refusal> {
        let request = CashOutRequest {
            asset: "usdt".into(),
            network: "polygon".into(),
            asked: asked.asked,
            code_amount: asked.net,
            payee: asked.payee,
            refund_address: None,
            external_id: None,
        };
        let sale = self.sale_terms(account, &request, Some(payment), at);
        let mut sale = sale.map_err(|refusal| match refusal {
            Refusal::RateUnavailable | Refusal::RecipientCeiling { .. } => refusal,
            Refusal::SalesPaused
            | Refusal::CodesPaused
            | Refusal::CatalogueMissing
            | Refusal::PairUnknown
            | Refusal::CodeOnLiquid
            | Refusal::NetworkUnavailable => No::PaymentsUnavailable.into(),
            _ => No::QuoteRefused.into(),
        })?;
        // Its payment ends it; no deadline does.
        sale.expires_at = later(at, Span::days(36_500));
        Ok(sale)
    }

    /// Up to 1 % more than it costs, in whole millionths; or all there is (P:ReserveBuffer).
    fn reserve_of(&mut self, total: u128, available: i128, strict: bool) -> Result<u128, Refusal> {
        let most = total * 101 / 100;
        let there = u128::try_from(available).unwrap_or(0);
        if most <= there {
            return Ok(most);
        }
        if total <= there && !strict {
            self.reach(Goal::PaymentTookAll);
            return Ok(there);
        }
        if available < 0 {
            self.reach(Goal::PaymentWhileOwing);
        } else if total <= there {
            self.reach(Goal::PaymentStrictly);
        } else if total == there + 1 {
            self.reach(Goal::PaymentOneTooMuch);
        }
        Err(No::FundsInsufficient { available }.into())
    }
}

/// W60: what is reserved of R$ 100.00.
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reserves_are_those_of_the_worked_example() {
        let total = 18_868_519;
        for (available, strict, expected) in [
            (100_000_000, true, Some(19_057_204)),
            (19_057_204, true, Some(19_057_204)),
            (19_057_203, false, Some(19_057_203)),
            (19_057_203, true, None),
            (18_868_519, false, Some(18_868_519)),
            (18_868_518, false, None),
            (-1, false, None),
        ] {
            let reserved = Oracle::new(None).reserve_of(total, available, strict).ok();
            assert_eq!(reserved, expected, "{available} {strict}");
        }
    }
}
