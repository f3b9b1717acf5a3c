//! What the world says as a line would carry it: the contract's reader lets in whoever has a key,
//! knows assets and networks by name, and takes no word of what is yet to come.
//!
//! What no line can say would keep a failure from being shrunk, and finds what nobody can meet.

use ledger_core::coin::Scale;
use ledger_core::ledger::account::Fact as AccountFact;
use ledger_core::ledger::adjustment::Fact as AdjustmentFact;
use ledger_core::ledger::purchase::Fact as PurchaseFact;
use ledger_core::ledger::suspense::Fact as SuspenseFact;
use ledger_core::ledger::treasury::Fact as TreasuryFact;
use ledger_core::ledger::wallet::Fact as WalletFact;
use ledger_core::ledger::{Fact, Intent, OperatorDecision, SaleReport};
use ledger_core::machine::delivery::DeliveryReport;
use ledger_core::terms::{Policy, Stablecoin, WalletSettings};
use ledger_core::time::Instant;

use crate::oracle::Oracle;

/// What becomes of something when it is to be said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Carried {
    /// It is said as it is now.
    Now,
    /// Its line is refused until more is on the catalogue.
    Later,
    /// Its line is refused.
    Never,
}

/// Makes of `what` what its line at `at` says to the ledger as the oracle knows it.
pub(crate) fn carry(what: &mut Intent, at: Instant, oracle: &Oracle) -> Carried {
    let reported = match what {
        Intent::Request(account, _) => {
            // The door lets in whoever has a key of an account.
            let known = oracle.accounts.get(account.0 as usize);
            let enters = known.is_some_and(|account| account.key.is_some());
            return if enters { Carried::Now } else { Carried::Never };
        }
        Intent::Public(_) | Intent::Enrolment(_) => return Carried::Now,
        Intent::Fact(reported) => reported,
    };
    match &mut reported.fact {
        Fact::Treasury(TreasuryFact::Moved { from, to, .. }) if from == to => {
            return Carried::Never;
        }
        Fact::Treasury(TreasuryFact::CoinsMoved { from, to, .. }) if from == to => {
            return Carried::Never;
        }
        Fact::Account(AccountFact::TermsAdopted { account, from, terms }) => {
            // The terms of sales are replaced, and no line takes them back.
            let known = oracle.account_named(account);
            let current = known.map(|known| oracle.terms(known, from.unwrap_or(at)));
            terms.sale = terms.sale.or(current.and_then(|current| current.sale));
        }
        Fact::Adjustment(AdjustmentFact::BalanceWrittenOff { decided_by, .. })
        | Fact::Suspense(SuspenseFact::CourtOrdered { decided_by, .. }) => {
            prove(decided_by);
        }
        // Only the report that it was sent may name the PIX that paid for it.
        Fact::Purchase(PurchaseFact::Delivery { command, payment, .. })
            if !matches!(command.report, DeliveryReport::Confirm(_)) =>
        {
            *payment = None;
        }
        Fact::Purchase(PurchaseFact::RateQuoted { quote, .. }) => quote.at = quote.at.min(at),
        Fact::Sale {
            report: SaleReport::Seen(deposit) | SaleReport::Confirmed { deposit: Some(deposit), .. },
            ..
        } => deposit.seen_at = deposit.seen_at.min(at),
        Fact::Account(AccountFact::PolicyAdopted(policy)) => keep(policy, &oracle.policy),
        Fact::Wallet(reported) => match &mut **reported {
            WalletFact::Configured(settings) => return name(settings, oracle),
            WalletFact::DepositSeen { transfer, .. }
            | WalletFact::DepositConfirmed { transfer: Some(transfer), .. } => {
                let settings = oracle.policy.wallet.as_deref();
                transfer.usdt = settings.and_then(|settings| settings.at_par(transfer.asset));
            }
            WalletFact::WithdrawalEvidence { decided_by, .. } => prove(decided_by),
            _ => {}
        },
        _ => {}
    }
    Carried::Now
}

/// Where evidence is demanded there is some.
const fn prove(decided_by: &mut OperatorDecision) {
    if decided_by.evidence.is_none() {
        decided_by.evidence = Some(decided_by.reason);
    }
}

/// A policy says nothing of the wallet, and takes no span away.
fn keep(policy: &mut Policy, current: &Policy) {
    policy.wallet.clone_from(&current.wallet);
    policy.rate_age = policy.rate_age.or(current.rate_age);
    policy.precaution = policy.precaution.or(current.precaution);
    policy.commission_interval = policy.commission_interval.or(current.commission_interval);
}

/// A wallet is configured by names: its tokens are counted in millionths, and its networks are
/// those that were ever listed.
fn name(settings: &mut WalletSettings, oracle: &Oracle) -> Carried {
    let token = |coin: Stablecoin| oracle.market.asset_named(&coin.name().to_lowercase());
    let (counted, other) = (token(Stablecoin::Usdt), token(Stablecoin::Usdc));
    let millionths = |(_, scale): &(_, u8)| *scale == Scale::SIX.decimals();
    if !counted.iter().chain(&other).all(millionths) {
        return Carried::Never;
    }
    let Some((token, _)) = counted else { return Carried::Later };
    settings.usdt = token;
    settings.usdc = other.map(|(token, _)| token);
    settings.networks.retain_mut(|network| match oracle.market.chain_named(&network.name) {
        Some(chain) => {
            network.chain = chain;
            true
        }
        None => false,
    });
    // What takes a token that is not listed is refused as a whole.
    let lists = |coin: &Stablecoin| *coin == Stablecoin::Usdt || settings.usdc.is_some();
    let all = settings.networks.iter().all(|network| network.coins.iter().all(lists));
    if settings.networks.is_empty() || !all { Carried::Later } else { Carried::Now }
}

#[cfg(test)]
mod tests {
    use ledger_core::ledger::{Command, Outcome};

    use super::*;
    use crate::run::Run;
    use crate::settings::Settings;

    fn run_commands(seed: u64) -> Vec<Command> {
        let mut run = Run::remembering(Settings::commands(seed, 250)).expect("memory");
        run.through(&mut |_| ()).unwrap_or_else(|wrong| panic!("seed {seed}: {wrong}"));
        run.into_commands()
    }

    #[test]
    fn wallets_are_configured_by_the_numbers_of_the_catalogue_whatever_was_listed_first() {
        let (mut configured, mut otherwise) = (0, 0);
        for seed in 0..60 {
            let mut oracle = Oracle::new(None);
            for command in run_commands(seed) {
                let answer = oracle.execute(&command).answer;
                let Intent::Fact(reported) = &command.what else { continue };
                let Fact::Wallet(reported) = &reported.fact else { continue };
                if let WalletFact::Configured(settings) = &**reported {
                    assert_ne!(answer, Ok(Outcome::SetAside(None)), "seed {seed}: {settings:?}");
                    configured += 1;
                    let eth = oracle.market.chain_named("eth").map(|chain| chain.0);
                    otherwise += u32::from(eth != Some(3));
                }
            }
        }
        assert!(configured > 60 && otherwise > 0, "{configured} {otherwise}");
    }

    #[test]
    fn nobody_asks_without_a_key() {
        let mut asked = 0;
        for seed in 0..20 {
            let mut oracle = Oracle::new(None);
            for command in run_commands(seed) {
                if let Intent::Request(account, _) = &command.what {
                    let known = oracle.accounts.get(account.0 as usize);
                    assert!(known.is_some_and(|known| known.key.is_some()), "seed {seed}");
                    asked += 1;
                }
                oracle.execute(&command);
            }
        }
        assert!(asked > 500, "{asked}");
    }
}
