//! Deposits into wallets as the oracle sees them: Part A12; rulings 33 and 34; W59.

pub(super) mod coins;
pub(super) mod payment;
pub(super) mod payment_fact;
mod payment_paid;
pub(super) mod payment_reserve;
mod payment_sent;
pub(super) mod quote;
pub(super) mod withdrawal;

use ledger_core::accounting::CoinAccount;
use ledger_core::id::{AccountId, AssetId, ChainId, Kind, OpId};
use ledger_core::ledger::wallet::{DepositRequest, Fact, Refusal as No, Step};
use ledger_core::ledger::{Outcome, Refusal};
use ledger_core::machine::wallet::deposit::{Mark, Transfer};
use ledger_core::terms::{Switch, WalletSettings};
use ledger_core::time::{Instant, Span};

use super::{IdScope, Oracle, later};
use crate::goal::Goal;
use crate::wallets::{is_same_on, is_wallet};

/// A deposit asked for, or coins that nobody asked for.
#[derive(Clone, Debug)]
pub(crate) struct WalletDeposit {
    pub(crate) wanted: Option<Wanted>,
    pub(crate) status: DepositStatus,
    pub(crate) transfer: Option<Transfer>,
    /// Tells whether it came after its request had expired, or there was none.
    pub(crate) late: bool,
    pub(crate) network: Network,
    /// Whose wallet was credited, and with how much.
    pub(crate) credited: Option<(AccountId, u128)>,
}

/// What was asked for.
#[derive(Clone, Debug)]
pub(crate) struct Wanted {
    pub(crate) account: AccountId,
    pub(crate) chain: ChainId,
    pub(crate) address: Box<str>,
    pub(crate) requested: u128,
    /// With the trailing decimals that tell it from others.
    pub(crate) amount: u128,
    pub(crate) expires_at: Instant,
    pub(super) accepted: Vec<u16>,
    pub(super) by_support: bool,
}

/// The contract's words for where a deposit stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum DepositStatus {
    Waiting,
    Expired,
    Confirming,
    UnderReview,
    Available,
    Reversed,
}

/// What the network says of the coins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Network {
    Seen,
    Confirmed,
    Vanished,
}

impl WalletDeposit {
    /// Tells whether its amount is still its own: nothing came yet, or what came in time is not
    /// over.
    fn is_open(&self) -> bool {
        use DepositStatus::{Confirming, UnderReview, Waiting};
        match self.status {
            Waiting => true,
            Confirming | UnderReview => self.wanted.is_some() && !self.late,
            _ => false,
        }
    }

    pub(super) fn deadline(&self) -> Option<Instant> {
        let wanted = self.wanted.as_ref().filter(|_| self.status == DepositStatus::Waiting);
        wanted.map(|wanted| wanted.expires_at)
    }

    /// Tells whether the books no longer count its coins, which may be mined again.
    pub(super) fn is_gone(&self) -> bool {
        let undone = self.network == Network::Vanished || self.credited.is_some();
        self.status == DepositStatus::Reversed && undone
    }

    /// Tells whether the network has yet to say something of its coins.
    pub(super) fn is_unsettled(&self) -> bool {
        use DepositStatus::{Confirming, UnderReview};
        let open = matches!(self.status, Confirming | UnderReview);
        open && self.network == Network::Seen || self.is_gone()
    }

    /// Tells whether it has just this output of this transaction.
    pub(super) fn is_of(&self, coins: &Transfer) -> bool {
        let same = |it: &Transfer| it.chain == coins.chain && it.mark == coins.mark;
        self.transfer.as_ref().is_some_and(same)
    }

    pub(super) fn has(&self, mark: &Mark) -> bool {
        self.transfer.as_ref().is_some_and(|transfer| transfer.mark == *mark)
    }
}

impl Oracle {
    /// What of an asset was seen on a network for wallets, waits for a person, and is not
    /// confirmed.
    pub(crate) fn wallet_transit(&self, asset: AssetId, chain: ChainId) -> i128 {
        let waits = self
            .wallet_deposits
            .values()
            .filter(|it| it.status == DepositStatus::UnderReview && it.network == Network::Seen);
        let coins = waits.filter_map(|it| it.transfer.as_ref());
        let of_kind = coins.filter(|transfer| transfer.asset == asset && transfer.chain == chain);
        of_kind.map(|transfer| transfer.units.to_i128()).sum()
    }

    /// Tells whether a wallet names its tokens and networks by the numbers they were listed under.
    pub(super) fn is_listed(&self, settings: &WalletSettings) -> bool {
        let named = |name: &str, token| self.market.asset_named(name) == Some((token, 6));
        let mut networks = settings.networks.iter();
        named("usdt", settings.usdt)
            && settings.usdc.is_none_or(|token| named("usdc", token))
            && networks.all(|it| self.market.chain_named(&it.name) == Some(it.chain))
    }

    /// The wallet where it is granted and operates.
    pub(super) fn granted_wallet(
        &mut self,
        account: AccountId,
        at: Instant,
    ) -> Result<WalletSettings, Refusal> {
        if !self.terms(account, at).wallet.is_some_and(Switch::is_on) {
            self.reach(Goal::WalletNotGranted);
            return Err(No::NotGranted.into());
        }
        let open = self.policy.wallet.as_deref().filter(|settings| settings.enabled.is_on());
        open.cloned().ok_or_else(|| No::Unavailable.into())
    }

    pub(super) fn deposit_request(
        &mut self,
        account: AccountId,
        request: &DepositRequest,
        at: Instant,
    ) -> Result<OpId, Refusal> {
        let settings = self.granted_wallet(account, at)?;
        if settings.network(&request.network).is_none() {
            return Err(No::NetworkUnavailable.into());
        }
        if request.amount < settings.least_deposit {
            return Err(No::DepositBelowMinimum { least: settings.least_deposit }.into());
        }
        let own = |deposit: &&WalletDeposit| {
            deposit.is_open()
                && deposit.wanted.as_ref().is_some_and(|wanted| wanted.account == account)
        };
        let open = self.wallet_deposits.values().filter(own).count();
        if open >= usize::from(settings.open_deposits) {
            self.reach(Goal::DepositsTooMany);
            return Err(No::TooManyOpen.into());
        }
        let Some(address) = request.address.as_deref() else {
            return Err(No::AddressMissing.into());
        };
        if !is_wallet(&request.network, address) {
            return Err(No::AddressInvalid.into());
        }
        Ok(self.await_deposit(account, request, &settings, at, false))
    }

    /// A request is open: its amount is told apart from every other at its address.
    fn await_deposit(
        &mut self,
        account: AccountId,
        request: &DepositRequest,
        settings: &WalletSettings,
        at: Instant,
        by_support: bool,
    ) -> OpId {
        let network = settings.network(&request.network).expect("the caller looked");
        let address = request.address.clone().expect("the caller looked");
        let numbers = network.coins.iter().filter_map(|coin| settings.asset(*coin));
        let accepted = numbers.map(|asset| asset.0).collect();
        let requested = request.amount.get();
        let amount = self.made_distinct(network.chain, &address, requested, at);
        let expires_at = later(at, Span::hours(settings.deposit_hours.into()));
        let chain = network.chain;
        let wanted =
            Wanted { account, chain, address, requested, amount, expires_at, accepted, by_support };
        let op = self.next_op(Kind::WalletDeposit);
        let deposit = WalletDeposit {
            wanted: Some(wanted),
            status: DepositStatus::Waiting,
            transfer: None,
            late: false,
            network: Network::Seen,
            credited: None,
        };
        self.wallet_deposits.insert(op, deposit);
        self.await_time(op);
        self.note(op);
        op
    }

    /// The amount asked for and 1 to 9,999 millionths: every record begins to look elsewhere, and
    /// goes on until nobody keeps the amount (P:DepositSuffix).
    fn made_distinct(
        &mut self,
        chain: ChainId,
        address: &str,
        requested: u128,
        at: Instant,
    ) -> u128 {
        let mut more = self.first_suffix();
        let taken =
            |amount: u128| self.keepers(chain, address, at).any(|(_, it)| it.amount == amount);
        if !taken(requested + more) {
            return requested + more;
        }
        let first = requested + more;
        while taken(requested + more) {
            more = more % 9_999 + 1;
        }
        let open = self.open_at(chain, address).any(|(_, it)| it.amount == first);
        self.reach(if open { Goal::DepositsDistinguished } else { Goal::DepositAmountKept });
        requested + more
    }

    /// The millionths that the next record tries first.
    pub(crate) fn first_suffix(&self) -> u128 {
        u128::from(self.seq + 1) % 9_999 * 7_919 % 9_999 + 1
    }

    /// Requests at an address whose amounts no other is given: open ones, and those that ended or
    /// would have ended less than seven days ago.
    pub(crate) fn keepers<'a>(
        &'a self,
        chain: ChainId,
        address: &'a str,
        at: Instant,
    ) -> impl Iterator<Item = (OpId, &'a Wanted)> {
        let wanted = self.wallet_deposits.iter().filter_map(move |(op, deposit)| {
            let wanted = deposit.wanted.as_ref()?;
            let kept = at < later(wanted.expires_at, Span::days(7));
            (kept || deposit.is_open()).then_some((*op, wanted))
        });
        let network = self.market.chain_numbered(chain.0);
        wanted.filter(move |(_, it)| it.chain == chain && is_same_on(network, &it.address, address))
    }

    /// Open requests at an address.
    pub(crate) fn open_at<'a>(
        &'a self,
        chain: ChainId,
        address: &'a str,
    ) -> impl Iterator<Item = (OpId, &'a Wanted)> {
        let open = self.wallet_deposits.iter().filter(|(_, deposit)| deposit.is_open());
        let wanted = open.filter_map(|(op, deposit)| Some((*op, deposit.wanted.as_ref()?)));
        let network = self.market.chain_numbered(chain.0);
        wanted.filter(move |(_, it)| it.chain == chain && is_same_on(network, &it.address, address))
    }

    /// An operator asks for a client.
    pub(super) fn deposit_assigned(
        &mut self,
        account: &str,
        request: &DepositRequest,
        at: Instant,
    ) -> Outcome {
        let aside = Outcome::SetAside(None);
        let Some(account) = self.account_named(account) else { return aside };
        let Some(settings) = self.policy.wallet.as_deref().cloned() else { return aside };
        let sound = |address: &str| is_wallet(&request.network, address);
        if settings.network(&request.network).is_none()
            || !request.address.as_deref().is_some_and(sound)
        {
            return aside;
        }
        Outcome::Applied(Some(self.await_deposit(account, request, &settings, at, true)))
    }

    /// Nothing came in time.
    pub(super) fn deposit_due(&mut self, op: OpId) {
        let deposit = self.wallet_deposits.get_mut(&op).expect("only deposits expire");
        deposit.status = DepositStatus::Expired;
        self.note(op);
        self.reach(Goal::DepositExpired);
    }

    /// Credits a wallet, which may have been below zero.
    pub(super) fn credit_wallet(
        &mut self,
        from: (u16, CoinAccount),
        to: (u16, CoinAccount),
        units: u128,
    ) {
        let before = self.coin(to.0, to.1);
        self.at_par(from, to, units);
        if before < 0 && 0 < self.coin(to.0, to.1) {
            self.reach(Goal::WalletCured);
        }
    }

    /// Moves units one to one, through the exchange pair where the assets are two (rulings 34).
    pub(super) fn at_par(
        &mut self,
        (asset, from): (u16, CoinAccount),
        (other, to): (u16, CoinAccount),
        units: u128,
    ) {
        if asset == other {
            self.coins(asset, from, to, units);
        } else {
            self.coins(asset, from, CoinAccount::Fx, units);
            self.coins(other, CoinAccount::Fx, to, units);
        }
    }
}

/// The asset that a wallet is credited in.
pub(super) fn usdt_of(transfer: &Transfer) -> u16 {
    transfer.usdt.map_or(transfer.asset.0, |usdt| usdt.0)
}

/// The id that the world gave a fact, where it gave one.
pub(super) fn identity(fact: &Fact) -> Option<(IdScope, Box<str>)> {
    match fact {
        Fact::DepositSeen { transfer, .. } => Some((IdScope::Coins, coins_id(transfer))),
        Fact::Payment { step: Step::Pay(pix), .. } => Some((IdScope::PixOut, pix.e2e.clone())),
        _ => None,
    }
}

/// The identity of coins: their output, on their network.
fn coins_id(transfer: &Transfer) -> Box<str> {
    format!("{}/{}/{}", transfer.chain.0, transfer.mark.hash, transfer.mark.index).into()
}
