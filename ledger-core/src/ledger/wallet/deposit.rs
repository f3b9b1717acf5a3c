//! Deposits into wallets: requests, and what the networks and operators report of them.

use super::Refusal;
use super::report::DepositFinding;
use super::request::DepositRequest;
use crate::coin::Units;
use crate::id::{AccountId, ChainId, Kind, OpId};
use crate::ledger::decision::fact_context::{FactContext, accept, already_known};
use crate::ledger::decision::refusal::Refusal as Denied;
use crate::ledger::decision::{Decision, Outcome};
use crate::ledger::record::event::Event;
use crate::ledger::record::set_aside_reason::SetAsideReason as Reason;
use crate::ledger::state::State;
use crate::machine::Verdict;
use crate::machine::wallet::deposit::{
    self, Command, Doubt, Mark, Order, Origin, Rejection, Transfer,
};
use crate::network::Scheme;
use crate::network::address::{self, may_be_wallet};
use crate::terms::{WalletNetwork, WalletSettings};
use crate::time::{Instant, Span};

/// How many millionths may be added to an amount to tell requests apart (P:DepositSuffix).
const SUFFIXES: u64 = 9_999;
/// How far apart the first tries of successive records lie: prime to [`SUFFIXES`].
const STRIDE: u64 = 7_919;

/// Judges a request for a deposit: every reason to refuse it, in order.
///
/// # Errors
///
/// The first refusal that stands against it.
pub(super) fn request(
    state: &State,
    account: AccountId,
    request: &DepositRequest,
    at: Instant,
) -> Result<Decision, Denied> {
    let settings = state.offered_wallet(account, at)?;
    let network = settings.network(&request.network).ok_or(Refusal::NetworkUnavailable)?;
    // What the request may ask is judged before what only a provider can supply.
    let least = settings.least_deposit;
    if request.amount < least {
        return Err(Refusal::DepositBelowMinimum { least }.into());
    }
    if usize::from(settings.open_deposits) <= state.domains.wallets.open_deposits(account) {
        return Err(Refusal::TooManyOpen.into());
    }
    let address = request.address.as_deref().ok_or(Refusal::AddressMissing)?;
    if !fits(state, &network.name, address) {
        return Err(Refusal::AddressInvalid.into());
    }
    let order = order(state, settings, network, account, (request.amount, address), at);
    let order = order.ok_or(Refusal::TooManyOpen)?;
    let event = deposit::Event::Requested(Box::new(order));
    let op = OpId::new(Kind::WalletDeposit, state.seq.next());
    let events = vec![Event::WalletDeposit { op, event }];
    Ok(Decision { events, outcome: Outcome::Created(op) })
}

/// Tells whether an address has the shape of its network; a sandbox's are markers (WAL-13).
fn fits(state: &State, network: &str, address: &str) -> bool {
    state.is_sandbox() || may_be_wallet(network, address)
}

/// The terms of a new request; none when no amount is left that would tell it from the others.
fn order(
    state: &State,
    settings: &WalletSettings,
    network: &WalletNetwork,
    account: AccountId,
    (requested, address): (Units, &str),
    at: Instant,
) -> Option<Order> {
    let spelled = address::canonical(Scheme::for_network(&network.name), address);
    let amount = made_distinct(state, (network.chain, &spelled), requested, at)?;
    let coins = network.coins.iter();
    Some(Order {
        account,
        chain: network.chain,
        network: network.name.clone(),
        title: network.title.clone(),
        accepted: coins.filter_map(|coin| Some((*coin, settings.asset(*coin)?))).collect(),
        address: address.into(),
        requested,
        amount,
        origin: Origin::Request,
        created_at: at,
        expires_at: at.after(Span::hours(settings.deposit_hours.into())),
    })
}

/// The amount to send: what was asked for and 1 to 9,999 millionths, the first that is free at this
/// address, tried from a point that the record's number gives (P:DepositSuffix; rulings 68).
fn made_distinct(
    state: &State,
    (chain, address): (ChainId, &str),
    requested: Units,
    at: Instant,
) -> Option<Units> {
    let first = state.seq.next().0 % SUFFIXES * STRIDE % SUFFIXES;
    let suffixes = (0..SUFFIXES).map(|step| 1 + (first + step) % SUFFIXES);
    let amounts = suffixes.filter_map(|more| Units::new(requested.get() + u128::from(more)));
    let mut free =
        amounts.filter(|amount| state.domains.wallets.is_free(chain, address, *amount, at));
    free.next()
}

impl FactContext<'_> {
    /// An operator makes a request for a client (P:LateWalletDeposit).
    pub(super) fn deposit_assigned(&self, name: &str, request: &DepositRequest) -> Decision {
        let account = self.state.account_named(name);
        let settings = self.state.wallet_settings();
        let network = settings.and_then(|settings| settings.network(&request.network));
        let (Some(account), Some(settings), Some(network), Some(address)) =
            (account, settings, network, request.address.as_deref())
        else {
            return self.aside(Reason::Unmatched);
        };
        let asked = (request.amount, address);
        let made = order(self.state, settings, network, account, asked, self.at);
        let Some(order) = made.filter(|_| fits(self.state, &network.name, address)) else {
            return self.aside(Reason::WalletDiffers);
        };
        let order = Order { origin: Origin::Support, ..order };
        let event = deposit::Event::Requested(Box::new(order));
        let op = OpId::new(Kind::WalletDeposit, self.state.seq.next());
        let events = vec![Event::WalletDeposit { op, event }];
        Decision { events, outcome: Outcome::Applied(Some(op)) }
    }

    /// A transfer was seen: it belongs to the deposit named, or to the one that it was asked for by
    /// at its address; any other is put down as found.
    pub(super) fn wallet_deposit_seen(&self, transfer: &Transfer) -> Decision {
        let (op, events) = self.arrival(transfer);
        let found = matches!(events[..], [deposit::Event::Found { .. }]);
        let events = events.into_iter().map(|event| Event::WalletDeposit { op, event }).collect();
        if found {
            return self.waits(events, Some(op), self.arrival_reason());
        }
        Decision { events, outcome: Outcome::Applied(Some(op)) }
    }

    /// Which deposit a new transfer is for, and what becomes of it.
    fn arrival(&self, transfer: &Transfer) -> (OpId, Vec<deposit::Event>) {
        if let Some((op, state)) = self
            .mined_again(transfer)
            .or_else(|| self.deposit())
            .or_else(|| self.exact_request(transfer))
            && let Verdict::Applied(event) = deposit::decide(state, Command::See(transfer.clone()))
        {
            return (op, vec![event]);
        }
        let op = OpId::new(Kind::WalletDeposit, self.state.seq.next());
        let about = self.about;
        (op, vec![deposit::Event::Found { transfer: transfer.clone(), about }])
    }

    /// Tells whether coins are seen that were gone.
    pub(super) fn is_mined_again(&self, transfer: &Transfer) -> bool {
        self.mined_again(transfer).is_some()
    }

    /// The deposit that had just these coins before they were gone, whatever the report names.
    fn mined_again(&self, transfer: &Transfer) -> Option<(OpId, &deposit::State)> {
        let (op, known) = self.lookup.holder.as_ref()?;
        let state = known.wallet_deposit()?;
        state.has_lost(transfer).then_some((*op, state))
    }

    /// The request that asked for exactly this at the address reported, while it keeps its amount:
    /// many share an address, and what differs may be anybody's (rulings 68).
    fn exact_request(&self, transfer: &Transfer) -> Option<(OpId, &deposit::State)> {
        let (op, known) = self.lookup.request.as_ref()?;
        let state = known.wallet_deposit()?;
        let order = state.order()?;
        (order.expects(transfer) && self.at < order.kept_until()).then_some((*op, state))
    }

    /// The network confirmed a transfer; reported with what arrived, it implies that it was seen.
    pub(super) fn wallet_deposit_confirmed(
        &self,
        mark: &Mark,
        transfer: Option<&Transfer>,
    ) -> Decision {
        let confirm = || Command::Confirm(mark.clone());
        // Reported in full, coins whose credit was undone are there again; reported by their mark
        // alone, that is what was known before.
        let again = transfer.and_then(|transfer| self.mined_again(transfer));
        let again =
            again.filter(|(_, state)| state.arrival().is_some_and(|it| it.credit.is_some()));
        if let (None, Some((op, state))) = (again, self.deposit_having(mark)) {
            return match transfer.filter(|told| state.is_contradicted_by(told)) {
                Some(told) => self.coins_contradicted((op, state), told),
                None => self.deposit_moves(op, state, confirm()),
            };
        }
        let fresh = self.lookup.coins_seen.is_none() || again.is_some();
        let Some(transfer) = transfer.filter(|_| fresh) else {
            return self.aside(self.arrival_reason());
        };
        let (op, mut events) = self.arrival(transfer);
        let before = again.or_else(|| self.deposit()).filter(|(named, _)| *named == op);
        let before = before.map_or(&deposit::State::Absent, |(_, state)| state);
        let found = matches!(events[..], [deposit::Event::Found { .. }]);
        let seen = deposit::evolve(before, &events[0], self.at);
        match deposit::decide(&seen, confirm()) {
            Verdict::Applied(event) => events.push(event),
            other => unreachable!("what was just seen is confirmed: {other:?}"),
        }
        let events = events.into_iter().map(|event| Event::WalletDeposit { op, event }).collect();
        if found { self.waits(events, Some(op), self.arrival_reason()) } else { accept(events) }
    }

    /// A confirmation of other coins than were seen ends that sighting: what the network confirmed
    /// is booked in its place, and waits for a person (rulings 1 and 54).
    fn coins_contradicted(
        &self,
        (op, state): (OpId, &deposit::State),
        told: &Transfer,
    ) -> Decision {
        let (mut state, mut events) = (state.clone(), Vec::new());
        let mut moves = |command| match deposit::decide(&state, command) {
            Verdict::Applied(event) => {
                state = deposit::evolve(&state, &event, self.at);
                events.push(Event::WalletDeposit { op, event });
                true
            }
            Verdict::Known | Verdict::SetAside => false,
        };
        let mark = || told.mark.clone();
        moves(Command::Doubt(mark(), Doubt::Reorganisation));
        moves(Command::Reject(Rejection::Vanished));
        // Coins of another network, or beside what is confirmed, are none that it could have.
        if moves(Command::See(told.clone())) && moves(Command::Confirm(mark())) {
            return self.waits(events, Some(op), Reason::AmountDiffers);
        }
        self.aside(Reason::AmountDiffers)
    }

    /// A transfer that was seen is in doubt.
    pub(super) fn deposit_doubted(&self, mark: &Mark, doubt: Doubt) -> Decision {
        match self.deposit_having(mark) {
            Some((op, state)) => self.deposit_moves(op, state, Command::Doubt(mark.clone(), doubt)),
            None => self.aside(self.unfit()),
        }
    }

    /// An operator lets a deposit in, or keeps it out.
    pub(super) fn deposit_decided(&self, finding: &DepositFinding) -> Decision {
        let Some((op, state)) = self.deposit() else { return self.aside(Reason::Unmatched) };
        let command = match finding {
            DepositFinding::Cleared { account, credited } => {
                let named = account.as_deref().map(|name| self.state.account_named(name));
                if named == Some(None) {
                    return self.aside(Reason::Unmatched);
                }
                Command::Clear { account: named.flatten(), credited: *credited }
            }
            DepositFinding::Rejected(rejection) => Command::Reject(*rejection),
        };
        self.deposit_moves(op, state, command)
    }

    /// What was credited is undone.
    pub(super) fn deposit_reversed(&self) -> Decision {
        match self.deposit() {
            Some((op, state)) => self.deposit_moves(op, state, Command::Reverse),
            None => self.aside(Reason::Unmatched),
        }
    }

    fn deposit_moves(&self, op: OpId, state: &deposit::State, command: Command) -> Decision {
        match deposit::decide(state, command) {
            Verdict::Applied(event) => accept(vec![Event::WalletDeposit { op, event }]),
            Verdict::Known => already_known(),
            Verdict::SetAside => self.aside(Reason::OutOfTurn),
        }
    }

    fn deposit(&self) -> Option<(OpId, &deposit::State)> {
        let (op, known) = self.lookup.operation.as_ref()?;
        Some((*op, known.wallet_deposit()?))
    }

    /// The deposit that has this transfer: the one named, or the one that was found with it.
    fn deposit_having(&self, mark: &Mark) -> Option<(OpId, &deposit::State)> {
        let holder = self.lookup.holder.as_ref();
        let holder = holder.and_then(|(op, known)| Some((*op, known.wallet_deposit()?)));
        let mut candidates = self.deposit().into_iter().chain(holder);
        candidates.find(|(_, state)| state.has(mark))
    }
}

impl State {
    /// No other open request at the address awaits the same amount (INV-38).
    pub(super) fn awaits_alone(&self, order: &Order) -> Result<(), &'static str> {
        let known = self.account(order.account).map(|_| ());
        known.ok_or("a deposit is requested by an account that exists")?;
        let other =
            self.domains.wallets.awaiting(order.chain, &order.spelled_address(), order.amount);
        let other = other.and_then(|op| self.open(op)?.wallet_deposit()?.order());
        // Before there was one spelling, two of one address were two addresses.
        let same = other.is_some_and(|other| other.address == order.address);
        if same { Err("open requests at one address await different amounts") } else { Ok(()) }
    }
}
