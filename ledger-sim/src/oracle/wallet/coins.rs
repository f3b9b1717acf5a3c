//! Coins that arrive for wallets as the oracle sees them: Part A12; rulings 33 and 34.

use ledger_core::accounting::CoinAccount;
use ledger_core::coin::Units;
use ledger_core::id::{AccountId, Kind, OpId};
use ledger_core::ledger::wallet::{DepositFinding, Fact as WalletFact};
use ledger_core::ledger::{Fact, Outcome, Topic};
use ledger_core::machine::wallet::deposit::{Mark, Rejection, Transfer};
use ledger_core::time::Instant;

use super::{DepositStatus, Network, WalletDeposit, Wanted, coins_id, usdt_of};
use crate::goal::Goal;
use crate::oracle::{IdScope, Oracle};

impl Oracle {
    /// Coins were seen.
    pub(in crate::oracle) fn coins_seen(
        &mut self,
        named: Option<OpId>,
        address: Option<&str>,
        transfer: &Transfer,
        at: Instant,
    ) -> Outcome {
        let (op, found) = self.coins_arrive(named, address, transfer, at);
        if found { Outcome::SetAside(Some(op)) } else { Outcome::Applied(Some(op)) }
    }

    /// Tells whether a fact reports that coins were seen which were gone.
    pub(in crate::oracle) fn comes_again(&self, fact: &Fact) -> bool {
        let Fact::Wallet(reported) = fact else { return false };
        let WalletFact::DepositSeen { transfer, .. } = reported.as_ref() else { return false };
        self.had_before(transfer).is_some()
    }

    /// Whose coins these were before they were gone.
    fn had_before(&self, coins: &Transfer) -> Option<OpId> {
        let mut all = self.wallet_deposits.iter();
        all.find(|(_, it)| it.is_gone() && it.is_of(coins)).map(|(op, _)| *op)
    }

    /// Coins that were gone are there: whoever had them waits for a person, later than it asked
    /// for.
    fn come_again(&mut self, op: OpId, coins: &Transfer) {
        let deposit = self.wallet_deposits.get_mut(&op).expect("just found");
        deposit.status = DepositStatus::UnderReview;
        deposit.network = Network::Seen;
        deposit.late = true;
        let undone = deposit.credited.take().is_some();
        deposit.transfer = Some(coins.clone());
        let transit = CoinAccount::Transit(coins.chain);
        self.coins(coins.asset.0, transit, CoinAccount::Suspense, coins.units.get());
        self.note(op);
        self.reach(if undone { Goal::DepositAgainAfterCredit } else { Goal::DepositMinedAgain });
    }

    /// Returns what coins are for, and whether nobody awaits them.
    fn coins_arrive(
        &mut self,
        named: Option<OpId>,
        address: Option<&str>,
        transfer: &Transfer,
        at: Instant,
    ) -> (OpId, bool) {
        use DepositStatus::{Confirming, Expired, UnderReview, Waiting};
        self.seen.insert((IdScope::Coins, coins_id(transfer)));
        if let Some(op) = self.had_before(transfer) {
            self.come_again(op, transfer);
            return (op, false);
        }
        let named = named.filter(|op| self.wallet_deposits.contains_key(op));
        let meant = named.or_else(|| self.meant(address?, transfer, at));
        let transit = CoinAccount::Transit(transfer.chain);
        let (asset, units) = (transfer.asset.0, transfer.units.get());
        let takes = meant.filter(|op| matches!(self.wallet_deposits[op].status, Waiting | Expired));
        let Some(op) = takes else {
            self.coins(asset, transit, CoinAccount::Suspense, units);
            let op = self.coins_found(transfer.clone(), Network::Seen);
            self.reach(if meant.is_some() { Goal::DepositSecond } else { Goal::DepositFound });
            return (op, true);
        };
        let deposit = self.wallet_deposits.get_mut(&op).expect("found above");
        let wanted = deposit.wanted.clone().expect("what waits was asked for");
        deposit.transfer = Some(transfer.clone());
        deposit.late = deposit.status == Expired;
        let takes_token = wanted.accepted.contains(&asset) && transfer.usdt.is_some();
        let same = takes_token && transfer.chain == wanted.chain && units == wanted.amount;
        let exact = same && !deposit.late;
        deposit.status = if exact { Confirming } else { UnderReview };
        let late = deposit.late;
        if exact {
            let to = CoinAccount::WalletConfirming(wanted.account);
            self.at_par((asset, transit), (usdt_of(transfer), to), units);
            if wanted.expires_at.since(at).micros() == 1 {
                self.reach(Goal::DepositAtLast);
            }
            if named.is_none() {
                self.reach(Goal::DepositMatched);
            }
        } else {
            self.coins(asset, transit, CoinAccount::Suspense, units);
            self.reach(if late {
                Goal::DepositLate
            } else if !takes_token {
                Goal::DepositOtherToken
            } else if transfer.chain != wanted.chain {
                Goal::DepositOtherNetwork
            } else if units == wanted.requested {
                Goal::DepositRound
            } else if units.abs_diff(wanted.amount) == 1 {
                Goal::DepositOneOff
            } else {
                Goal::DepositOtherAmount
            });
            if named.is_none() && late {
                self.reach(Goal::DepositLateFound);
            }
        }
        self.note(op);
        (op, false)
    }

    /// Coins are put down that wait for a person.
    pub(in crate::oracle) fn coins_found(&mut self, coins: Transfer, network: Network) -> OpId {
        let op = self.next_op(Kind::WalletDeposit);
        let deposit = WalletDeposit {
            wanted: None,
            status: DepositStatus::UnderReview,
            transfer: Some(coins),
            late: true,
            network,
            credited: None,
        };
        self.wallet_deposits.insert(op, deposit);
        self.note(op);
        op
    }

    /// The request that asked for just this at the address, open or over for less than a week.
    fn meant(&mut self, address: &str, transfer: &Transfer, at: Instant) -> Option<OpId> {
        let (chain, units) = (transfer.chain, transfer.units.get());
        let exact = self.keepers(chain, address, at).find(|(_, it)| it.amount == units);
        let takes =
            |it: &Wanted| it.accepted.contains(&transfer.asset.0) && transfer.usdt.is_some();
        let meant = exact.filter(|(_, it)| takes(it)).map(|(op, _)| op);
        if meant.is_none() && self.open_at(chain, address).next().is_some() {
            self.reach(Goal::DepositLeftAside);
        }
        meant
    }

    /// The network confirmed coins; reported with all of them, that implies that they were seen.
    pub(in crate::oracle) fn coins_confirmed(
        &mut self,
        named: Option<OpId>,
        mark: &Mark,
        transfer: Option<&Transfer>,
        at: Instant,
    ) -> Outcome {
        // Coins whose credit was undone are there again, where all of them is reported.
        let undone = transfer.and_then(|reported| Some((self.had_before(reported)?, reported)));
        let credited = |op: &OpId| self.wallet_deposits[op].credited.is_some();
        if let Some((op, reported)) = undone.filter(|(op, _)| credited(op)) {
            self.come_again(op, reported);
            return self.deposit_confirmed(op);
        }
        if let Some(op) = self.having(named, mark, transfer) {
            return self.deposit_confirmed(op);
        }
        let known =
            |reported: &&Transfer| self.seen.contains(&(IdScope::Coins, coins_id(reported)));
        let Some(transfer) = transfer.filter(|reported| !known(reported)) else {
            return Outcome::SetAside(None);
        };
        let (op, found) = self.coins_arrive(named, None, transfer, at);
        let _ = self.deposit_confirmed(op);
        self.reach(Goal::DepositImplied);
        if found { Outcome::SetAside(Some(op)) } else { Outcome::Applied(None) }
    }

    /// The deposit that these coins are: the one named, or the one they were found with. A report
    /// that names none knows coins that nobody awaited, and those the network has not settled
    /// (P:UnnamedCoins).
    fn having(
        &self,
        named: Option<OpId>,
        mark: &Mark,
        reported: Option<&Transfer>,
    ) -> Option<OpId> {
        let has = |op: &OpId| self.wallet_deposits.get(op).is_some_and(|it| it.has(mark));
        named.filter(has).or_else(|| {
            let reported = reported?;
            let known = |it: &WalletDeposit| it.wanted.is_none() || it.is_unsettled();
            let mut all = self.wallet_deposits.iter();
            all.find(|(_, it)| known(it) && it.is_of(reported)).map(|(op, _)| *op)
        })
    }

    fn deposit_confirmed(&mut self, op: OpId) -> Outcome {
        let deposit = self.wallet_deposits.get_mut(&op).expect("the caller found it");
        let transfer = deposit.transfer.clone().expect("the caller found it by its coins");
        let (asset, units) = (transfer.asset.0, transfer.units.get());
        let stock = CoinAccount::Treasury(transfer.chain);
        match (deposit.status, deposit.network) {
            (DepositStatus::Confirming, _) => {
                let wanted = deposit.wanted.clone().expect("only what was asked for confirms");
                deposit.status = DepositStatus::Available;
                deposit.network = Network::Confirmed;
                deposit.credited = Some((wanted.account, units));
                self.coins(asset, stock, CoinAccount::Transit(transfer.chain), units);
                let from = CoinAccount::WalletConfirming(wanted.account);
                let to = CoinAccount::WalletAvailable(wanted.account);
                self.credit_wallet((usdt_of(&transfer), from), (usdt_of(&transfer), to), units);
                self.notify(op, Topic::WalletDepositCredited);
                let usdc = asset != usdt_of(&transfer);
                self.reach(if usdc { Goal::DepositOfUsdc } else { Goal::DepositExact });
                if wanted.by_support {
                    self.reach(Goal::DepositAssigned);
                }
            }
            (DepositStatus::UnderReview, Network::Seen) => {
                deposit.network = Network::Confirmed;
                self.coins(asset, stock, CoinAccount::Transit(transfer.chain), units);
            }
            (DepositStatus::Reversed, Network::Vanished) => {
                deposit.status = DepositStatus::UnderReview;
                deposit.network = Network::Confirmed;
                deposit.late = true;
                self.coins(asset, stock, CoinAccount::Suspense, units);
                self.reach(Goal::DepositReappeared);
            }
            _ => return Outcome::Known,
        }
        self.note(op);
        Outcome::Applied(None)
    }

    /// Coins that were seen may vanish, or compliance looks at them.
    pub(in crate::oracle) fn coins_doubted(&mut self, named: Option<OpId>, mark: &Mark) -> Outcome {
        let Some(op) = self.having(named, mark, None) else { return Outcome::SetAside(None) };
        let deposit = self.wallet_deposits.get_mut(&op).expect("just found");
        match deposit.status {
            DepositStatus::Confirming => deposit.status = DepositStatus::UnderReview,
            DepositStatus::UnderReview => return Outcome::Known,
            _ => return Outcome::SetAside(None),
        }
        let wanted = deposit.wanted.clone().expect("only what was asked for confirms");
        let transfer = deposit.transfer.clone().expect("found by its coins");
        let from = (usdt_of(&transfer), CoinAccount::WalletConfirming(wanted.account));
        let to = (transfer.asset.0, CoinAccount::Suspense);
        self.at_par(from, to, transfer.units.get());
        self.note(op);
        self.reach(Goal::DepositDoubted);
        Outcome::Applied(None)
    }

    /// A person lets a deposit in, or keeps it out.
    pub(in crate::oracle) fn deposit_decided(
        &mut self,
        named: Option<OpId>,
        finding: &DepositFinding,
    ) -> Outcome {
        let Some(op) = named.filter(|op| self.wallet_deposits.contains_key(op)) else {
            return Outcome::SetAside(None);
        };
        match finding {
            DepositFinding::Rejected(rejection) => self.deposit_rejected(op, *rejection),
            DepositFinding::Cleared { account, credited } => {
                let known = account.as_deref().map(|name| self.account_named(name));
                if known == Some(None) {
                    return Outcome::SetAside(None);
                }
                self.deposit_cleared(op, known.flatten(), credited.map(Units::get))
            }
        }
    }

    fn deposit_cleared(
        &mut self,
        op: OpId,
        named: Option<AccountId>,
        wanted: Option<u128>,
    ) -> Outcome {
        let aside = Outcome::SetAside(None);
        let deposit = self.wallet_deposits.get_mut(&op).expect("the caller found it");
        if deposit.status == DepositStatus::Available {
            let credited = deposit.credited.map(|(_, units)| units);
            let same = wanted.is_none_or(|units| Some(units) == credited);
            return if same { Outcome::Known } else { aside };
        }
        if deposit.status != DepositStatus::UnderReview || deposit.network != Network::Confirmed {
            return aside;
        }
        let owner = deposit.wanted.as_ref().map(|wanted| wanted.account);
        if owner.is_some() && named.is_some() && owner != named {
            return aside;
        }
        let Some(account) = owner.or(named) else { return aside };
        let transfer = deposit.transfer.clone().expect("under review is what came");
        let whole = transfer.units.get();
        let units = wanted.unwrap_or(whole);
        if transfer.usdt.is_none() || units > whole {
            return aside;
        }
        deposit.status = DepositStatus::Available;
        deposit.credited = Some((account, units));
        let asset = transfer.asset.0;
        let to = (usdt_of(&transfer), CoinAccount::WalletAvailable(account));
        self.credit_wallet((asset, CoinAccount::Suspense), to, units);
        let stock = CoinAccount::Treasury(transfer.chain);
        self.coins(asset, CoinAccount::Suspense, stock, whole - units);
        self.notify(op, Topic::WalletDepositCredited);
        self.note(op);
        self.reach(if units < whole {
            Goal::DepositClearedInPart
        } else if owner.is_none() {
            Goal::FoundCleared
        } else {
            Goal::DepositCleared
        });
        Outcome::Applied(None)
    }

    /// Only what is there goes back, and only what is not there yet can vanish.
    fn deposit_rejected(&mut self, op: OpId, how: Rejection) -> Outcome {
        let deposit = self.wallet_deposits.get_mut(&op).expect("the caller found it");
        let network = match how {
            Rejection::Returned => Network::Confirmed,
            Rejection::Vanished => Network::Vanished,
        };
        let fits = match how {
            Rejection::Returned => deposit.network == Network::Confirmed,
            Rejection::Vanished => deposit.network == Network::Seen,
        };
        match deposit.status {
            DepositStatus::UnderReview if fits => {}
            DepositStatus::Reversed if deposit.credited.is_none() && deposit.network == network => {
                return Outcome::Known;
            }
            _ => return Outcome::SetAside(None),
        }
        deposit.status = DepositStatus::Reversed;
        deposit.network = network;
        let transfer = deposit.transfer.clone().expect("under review is what came");
        let to = match how {
            Rejection::Returned => CoinAccount::Treasury(transfer.chain),
            Rejection::Vanished => CoinAccount::Transit(transfer.chain),
        };
        self.coins(transfer.asset.0, CoinAccount::Suspense, to, transfer.units.get());
        self.note(op);
        self.reach(match how {
            Rejection::Returned => Goal::DepositSentBack,
            Rejection::Vanished => Goal::DepositVanished,
        });
        Outcome::Applied(None)
    }

    /// What was credited is undone, spent or not (P:ReverseSpent).
    pub(in crate::oracle) fn deposit_reversed(&mut self, named: Option<OpId>) -> Outcome {
        let found = named.and_then(|op| Some((op, self.wallet_deposits.get_mut(&op)?)));
        let Some((op, deposit)) = found else { return Outcome::SetAside(None) };
        let Some((account, units)) = deposit.credited else { return Outcome::SetAside(None) };
        match deposit.status {
            DepositStatus::Available => deposit.status = DepositStatus::Reversed,
            _ => return Outcome::Known,
        }
        let transfer = deposit.transfer.clone().expect("what was credited came");
        let from = (usdt_of(&transfer), CoinAccount::WalletAvailable(account));
        let to = (transfer.asset.0, CoinAccount::Treasury(transfer.chain));
        self.at_par(from, to, units);
        self.note(op);
        self.reach(Goal::DepositReversed);
        if self.coin(usdt_of(&transfer), from.1) < 0 {
            self.reach(Goal::WalletBelowZero);
        }
        Outcome::Applied(None)
    }
}
