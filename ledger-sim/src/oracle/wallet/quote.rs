//! Quotes of withdrawals, and what quotes have in common, as the oracle sees them: contract 2.6;
//! P:FeeModeDeducted, P:WithdrawalQuoteUse; W63. And the one door for what is asked and reported
//! wallets.

use ledger_core::accounting::CoinAccount;
use ledger_core::coin::Units;
use ledger_core::id::{AccountId, AssetId, Kind, OpId};
use ledger_core::ledger::wallet::{
    Fact, PaymentFinding, Refusal as No, Request, WithdrawalQuoteRequest, WithdrawalReport,
};
use ledger_core::ledger::{Outcome, Refusal};
use ledger_core::machine::cash_out::AmountBasis;
use ledger_core::machine::wallet::{payment, withdrawal};
use ledger_core::terms::{Stablecoin, WalletNetwork, WalletSettings};
use ledger_core::time::Instant;

use crate::goal::Goal;
use crate::oracle::{Oracle, PaymentStatus, later};
use crate::wallets::is_wallet;

/// The networks of the contract (WDR-05).
const NETWORKS: [&str; 9] =
    ["polygon", "bsc", "tron", "eth", "arbitrum", "optimism", "base", "avalanche", "solana"];

/// What a withdrawal would cost, for a while and for one use.
#[derive(Clone, Debug)]
pub(crate) struct WalletQuote {
    pub(crate) offer: Offer,
    pub(crate) expires_at: Instant,
    pub(crate) used: Use,
}

/// What became of a quote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    Not,
    By(OpId),
    Lapsed,
}

/// What was quoted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Offer {
    Withdrawal(Offered),
    Payment(PaymentOffered),
}

/// A payment that was quoted: an estimate (WAL-44).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PaymentOffered {
    pub(crate) account: AccountId,
    pub(crate) asked: AmountBasis,
    pub(crate) net: i64,
    pub(crate) units: u128,
    pub(crate) fee: u128,
}

/// A withdrawal that was quoted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Offered {
    pub(crate) account: AccountId,
    pub(crate) coin: Stablecoin,
    pub(crate) asset: u16,
    pub(crate) usdt: u16,
    pub(crate) chain: u16,
    pub(crate) network: Box<str>,
    pub(crate) address: Box<str>,
    pub(crate) amount: u128,
    pub(crate) network_fee: u128,
    pub(crate) conversion_fee: u128,
    pub(crate) estimated: u128,
    pub(crate) minimum: u128,
}

impl Offered {
    /// Tells whether it is sent as another asset than it is kept in.
    pub(crate) fn converts(&self) -> bool {
        self.coin == Stablecoin::Usdc
    }
}

impl WalletQuote {
    pub(crate) fn account(&self) -> AccountId {
        match &self.offer {
            Offer::Withdrawal(offered) => offered.account,
            Offer::Payment(offered) => offered.account,
        }
    }

    pub(in crate::oracle) fn deadline(&self) -> Option<Instant> {
        (self.used == Use::Not).then_some(self.expires_at)
    }
}

impl Oracle {
    /// Something is asked of a wallet.
    pub(in crate::oracle) fn wallet_request(
        &mut self,
        account: AccountId,
        asked: &Request,
        at: Instant,
    ) -> Result<Outcome, Refusal> {
        let created = match asked {
            Request::Withdrawal(request) => return self.withdrawal_request(account, request, at),
            Request::Deposit(request) => {
                self.may_act(account)?;
                self.deposit_request(account, request, at)
            }
            Request::WithdrawalQuote(request) => {
                self.may_act(account)?;
                self.withdrawal_quote(account, request, at)
            }
            Request::Payment(request) => return self.payment_request(account, request, at),
            Request::PaymentQuote(request) => {
                self.may_act(account)?;
                self.payment_quote(account, request, at)
            }
        };
        created.map(Outcome::Created)
    }

    /// Something is reported of wallets.
    pub(in crate::oracle) fn wallet_fact(&mut self, fact: &Fact, at: Instant) -> Outcome {
        match fact {
            Fact::Configured(settings) if !self.is_listed(settings) => Outcome::SetAside(None),
            Fact::Configured(settings) => {
                self.policy.wallet = Some(Box::new(settings.clone()));
                Outcome::Applied(None)
            }
            Fact::DepositAssigned { account, request, .. } => {
                self.deposit_assigned(account, request, at)
            }
            Fact::DepositSeen { deposit, address, transfer } => {
                self.coins_seen(*deposit, address.as_deref(), transfer, at)
            }
            Fact::DepositConfirmed { deposit, mark, transfer } => {
                self.coins_confirmed(*deposit, mark, transfer.as_ref(), at)
            }
            Fact::DepositDoubted { deposit, mark, .. } => self.coins_doubted(*deposit, mark),
            Fact::DepositJudged { deposit, finding, .. } => self.deposit_decided(*deposit, finding),
            Fact::DepositReversed { deposit, .. } => self.deposit_reversed(*deposit),
            Fact::Withdrawal { withdrawal, report } => {
                self.withdrawal_news(*withdrawal, &WithdrawalFact::Moved(report))
            }
            Fact::WithdrawalEvidence { withdrawal, finding, .. } => {
                self.withdrawal_news(*withdrawal, &WithdrawalFact::Found(finding))
            }
            Fact::Payment { payment, step } => self.wallet_payment_moves(*payment, step, at),
            Fact::PaymentResolved { payment, finding, decided_by } => {
                let named = payment.and_then(|op| self.payments.get(&op));
                let unknown = named.is_some_and(|it| it.status == PaymentStatus::UnderReview);
                let failed = matches!(finding, PaymentFinding::Found(payment::Finding::Failed));
                if failed && unknown && decided_by.evidence.is_none() {
                    return Outcome::SetAside(None);
                }
                self.payment_found(*payment, finding, at)
            }
        }
    }

    fn withdrawal_quote(
        &mut self,
        account: AccountId,
        request: &WithdrawalQuoteRequest,
        at: Instant,
    ) -> Result<OpId, Refusal> {
        let settings = self.sends(account, at)?;
        let network = settings.networks.iter().find(|network| {
            *network.name == *request.network
                && network.withdrawals.is_on()
                && NETWORKS.contains(&&*network.name)
                && network.coins.contains(&request.coin)
        });
        let Some(network) = network else { return Err(No::NetworkUnavailable.into()) };
        if !is_wallet(&request.network, &request.address) {
            return Err(Refusal::AddressInvalid);
        }
        let Some(offered) = price_withdrawal(&settings, network, account, request) else {
            let least = smallest(&settings, network, request.coin);
            if least.is_some_and(|least| request.amount.get() + 1 == least) {
                self.reach(Goal::WithdrawalTooSmall);
            }
            let least = least.and_then(Units::new);
            return Err(No::WithdrawalBelowMinimum { least }.into());
        };
        Ok(self.open_quote(Offer::Withdrawal(offered), &settings, at))
    }

    /// A quote is good for a while.
    pub(in crate::oracle) fn open_quote(
        &mut self,
        offer: Offer,
        settings: &WalletSettings,
        at: Instant,
    ) -> OpId {
        let op = self.next_op(Kind::Quote);
        let expires_at = later(at, settings.quote_validity);
        self.quotes.insert(op, WalletQuote { offer, expires_at, used: Use::Not });
        self.await_time(op);
        self.note(op);
        op
    }

    /// The wallet where withdrawals are made.
    pub(in crate::oracle) fn sends(
        &mut self,
        account: AccountId,
        at: Instant,
    ) -> Result<WalletSettings, Refusal> {
        let settings = self.granted_wallet(account, at)?;
        let on = settings.withdrawals.is_on();
        if on { Ok(settings) } else { Err(No::WithdrawalsUnavailable.into()) }
    }

    /// A quote was not used in time.
    pub(in crate::oracle) fn quote_due(&mut self, op: OpId) {
        self.quotes.get_mut(&op).expect("only quotes lapse").used = Use::Lapsed;
        self.note(op);
        self.reach(Goal::QuoteLapsed);
    }

    /// Returns what a wallet may spend.
    pub(crate) fn wallet_available(&self, account: AccountId) -> i128 {
        let settings = self.policy.wallet.as_deref();
        settings.map_or(0, |it| self.coin(it.usdt.0, CoinAccount::WalletAvailable(account)))
    }

    /// Returns what stands in an account of an asset.
    pub(in crate::oracle) fn coin(&self, asset: u16, account: CoinAccount) -> i128 {
        self.coins.get(&(AssetId(asset), account)).copied().unwrap_or(0)
    }
}

/// Returns what so much comes to: fees are deducted, and the tolerance is rounded down (W63).
fn price_withdrawal(
    settings: &WalletSettings,
    network: &WalletNetwork,
    account: AccountId,
    request: &WithdrawalQuoteRequest,
) -> Option<Offered> {
    let (coin, amount) = (request.coin, request.amount.get());
    let conversion_fee = amount * conversion_bps(settings, coin) / 10_000;
    let network_fee = network.network_fee.map_or(0, Units::get);
    let estimated = amount.checked_sub(conversion_fee + network_fee)?;
    let minimum = estimated * (10_000 - u128::from(settings.tolerance.get())) / 10_000;
    (minimum > 0).then(|| Offered {
        account,
        coin,
        asset: settings.asset(coin).expect("what a network takes is listed").0,
        usdt: settings.usdt.0,
        chain: network.chain.0,
        network: network.name.clone(),
        address: request.address.clone(),
        amount,
        network_fee,
        conversion_fee,
        estimated,
        minimum,
    })
}

/// The smallest withdrawal of which something must arrive: in closed form, where the core searches.
fn smallest(settings: &WalletSettings, network: &WalletNetwork, coin: Stablecoin) -> Option<u128> {
    let kept = 10_000_u128.checked_sub(u128::from(settings.tolerance.get())).filter(|k| *k > 0)?;
    let after_fee = 10_000_u128.checked_sub(conversion_bps(settings, coin)).filter(|k| *k > 0)?;
    let wanted = 10_000_u128.div_ceil(kept) + network.network_fee.map_or(0, Units::get);
    // What the conversion leaves of an amount is that part of it, rounded up.
    Some((wanted - 1) * 10_000 / after_fee + 1)
}

fn conversion_bps(settings: &WalletSettings, coin: Stablecoin) -> u128 {
    match coin {
        Stablecoin::Usdt => 0,
        Stablecoin::Usdc => settings.conversion_fee.get().into(),
    }
}

/// What is reported of a withdrawal.
pub(in crate::oracle) enum WithdrawalFact<'a> {
    /// That it moved.
    Moved(&'a WithdrawalReport),
    /// What a person found out.
    Found(&'a withdrawal::Finding),
}

#[cfg(test)]
mod tests {
    use ledger_core::id::{AssetId, ChainId};
    use ledger_core::money::{Amount, Bps};
    use ledger_core::terms::Switch;
    use ledger_core::time::Span;

    use super::*;

    fn settings(tolerance: u16, conversion: u16, fee: u128) -> WalletSettings {
        let bps = |bps| Bps::new(bps).expect("below the whole");
        let network = WalletNetwork {
            chain: ChainId(0),
            name: "polygon".into(),
            title: "Polygon".into(),
            coins: vec![Stablecoin::Usdt, Stablecoin::Usdc],
            eta_minutes: None,
            withdrawals: Switch::On,
            network_fee: Units::new(fee),
        };
        WalletSettings {
            usdt: AssetId(0),
            usdc: Some(AssetId(1)),
            networks: vec![network],
            enabled: Switch::On,
            payments: Switch::Off,
            by_key: Switch::Off,
            by_code: Switch::Off,
            withdrawals: Switch::On,
            document_required: Switch::Off,
            least_deposit: Units::new(1_000_000).expect("positive"),
            least_payment: Amount::CENTAVO,
            payment_fee: None,
            deposit_hours: 1,
            open_deposits: 5,
            quote_validity: Span::seconds(300),
            tolerance: bps(tolerance),
            conversion_fee: bps(conversion),
            strict_buffer: Switch::Off,
        }
    }

    fn sample_quote(settings: &WalletSettings, coin: Stablecoin, amount: u128) -> Option<Offered> {
        let request = WithdrawalQuoteRequest {
            coin,
            network: "polygon".into(),
            address: "0x".into(),
            amount: Units::new(amount)?,
        };
        price_withdrawal(settings, &settings.networks[0], AccountId(0), &request)
    }

    /// W63: 50 USDT less a network fee of 0.1.
    #[test]
    fn a_withdrawal_is_that_of_the_worked_example() {
        let settings = settings(50, 0, 100_000);
        let offered = sample_quote(&settings, Stablecoin::Usdt, 50_000_000).expect("enough");
        assert_eq!((offered.estimated, offered.minimum), (49_900_000, 49_650_500));
    }

    #[test]
    fn the_smallest_withdrawal_passes_and_one_millionth_less_does_not() {
        for tolerance in [0, 1, 50, 5_000, 9_999] {
            for conversion in [0, 1, 20, 330, 9_999] {
                for fee in [0, 1, 100_000] {
                    let settings = settings(tolerance, conversion, fee);
                    for coin in [Stablecoin::Usdt, Stablecoin::Usdc] {
                        let least = smallest(&settings, &settings.networks[0], coin);
                        let least = least.expect("something passes");
                        let reported = format!("{tolerance} {conversion} {fee} {coin:?} {least}");
                        assert!(sample_quote(&settings, coin, least).is_some(), "{reported}");
                        assert!(sample_quote(&settings, coin, least - 1).is_none(), "{reported}");
                    }
                }
            }
        }
        let nothing = settings(10_000, 0, 0);
        assert_eq!(smallest(&nothing, &nothing.networks[0], Stablecoin::Usdt), None);
    }
}
