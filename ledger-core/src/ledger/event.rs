//! Events: what the ledger decided, complete in itself, numbered for ever.

use minicbor::{Decode, Encode};

use crate::accounting::{Account, Entry, RowKind, Side};
use crate::id::{AccountId, CustodyId, KeyHash, OpId, Token};
use crate::machine::{charge, hold, payout, suspense, transfer};
use crate::money::{Amount, Share};
use crate::terms::{Policy, Terms};
use crate::time::Instant;

/// What happened. Field and variant numbers are frozen: the journal is read by them.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Event {
    /// The ledger began, under this policy.
    #[n(0)]
    LedgerOpened {
        /// The ledger's name, which is its identity.
        #[n(0)]
        name: Box<str>,
        /// The policy it began with.
        #[n(1)]
        policy: Policy,
    },
    /// The policy changed.
    #[n(1)]
    PolicyAdopted(#[n(0)] Policy),
    /// An API account was opened, with its house balance.
    #[n(2)]
    AccountOpened {
        /// The account.
        #[n(0)]
        account: AccountId,
        /// Its name.
        #[n(1)]
        name: Box<str>,
        /// The hash of its key.
        #[n(2)]
        key: KeyHash,
        /// Its house balance.
        #[n(3)]
        house: CustodyId,
        /// Its first terms.
        #[n(4)]
        terms: Terms,
    },
    /// An account's terms change from an instant on.
    #[n(3)]
    TermsAdopted {
        /// Whose.
        #[n(0)]
        account: AccountId,
        /// From when.
        #[n(1)]
        from: Instant,
        /// To what.
        #[n(2)]
        terms: Terms,
    },
    /// A subaccount was named for the first time.
    #[n(4)]
    SubaccountOpened {
        /// Its number.
        #[n(0)]
        custody: CustodyId,
        /// Whose.
        #[n(1)]
        account: AccountId,
        /// Its name.
        #[n(2)]
        customer: Box<str>,
    },
    /// Own money moved between own accounts.
    #[n(5)]
    TreasuryMoved {
        /// Credited.
        #[n(0)]
        from: OwnAccount,
        /// Debited.
        #[n(1)]
        to: OwnAccount,
        /// How much.
        #[n(2)]
        amount: Amount,
    },
    /// A charge moved.
    #[n(6)]
    Charge {
        /// Which.
        #[n(0)]
        op: OpId,
        /// How.
        #[n(1)]
        event: charge::Event,
    },
    /// A transfer was made.
    #[n(7)]
    Transfer {
        /// Which.
        #[n(0)]
        op: OpId,
        /// How.
        #[n(1)]
        event: transfer::Event,
    },
    /// A payout moved.
    #[n(8)]
    Payout {
        /// Which.
        #[n(0)]
        op: OpId,
        /// How.
        #[n(1)]
        event: payout::Event,
    },
    /// A hold moved.
    #[n(9)]
    Hold {
        /// Which.
        #[n(0)]
        op: OpId,
        /// How.
        #[n(1)]
        event: hold::Event,
    },
    /// Money in suspense moved.
    #[n(10)]
    Suspense {
        /// Which.
        #[n(0)]
        op: OpId,
        /// How.
        #[n(1)]
        event: suspense::Event,
    },
    /// A fee was corrected: exactly one of the two shares is not zero.
    #[n(11)]
    FeeAdjusted {
        /// The correction's own id.
        #[n(0)]
        op: OpId,
        /// Whose balance.
        #[n(1)]
        custody: CustodyId,
        /// Given to it.
        #[n(2)]
        given: Share,
        /// Charged to it.
        #[n(3)]
        charged: Share,
        /// Which income it corrects.
        #[n(4)]
        income: Income,
    },
    /// A negative balance was written off.
    #[n(12)]
    BalanceWrittenOff {
        /// The correction's own id.
        #[n(0)]
        op: OpId,
        /// Whose balance.
        #[n(1)]
        custody: CustodyId,
        /// How much.
        #[n(2)]
        amount: Amount,
    },
    /// A fact without money contradicted the books and waits for a person.
    #[n(13)]
    SetAside {
        /// What kind of fact.
        #[n(0)]
        fact: FactKind,
        /// The operation it named.
        #[n(1)]
        about: Option<OpId>,
    },
    /// A person decided what the other events of the record say.
    #[n(14)]
    Judged(#[n(0)] Judgement),
    /// Time was told to pass.
    #[n(15)]
    TimePassed,
}

/// Who decided, why, and on what evidence; all of it in the vault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Judgement {
    /// Who.
    #[n(0)]
    pub actor: Token,
    /// Why.
    #[n(1)]
    pub reason: Token,
    /// On what evidence.
    #[n(2)]
    pub evidence: Option<Token>,
}

/// An account of our own money (rulings 30).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
#[cbor(index_only)]
pub enum OwnAccount {
    /// `equity.funding`
    #[n(0)]
    Funding,
    /// `prov.pix`
    #[n(1)]
    ProviderPix,
    /// `prov.pay`
    #[n(2)]
    ProviderPay,
    /// `recv.prov`
    #[n(3)]
    ProviderClaim,
    /// `tariff.due`
    #[n(4)]
    TariffDue,
}

/// Which income a fee correction touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
#[cbor(index_only)]
pub enum Income {
    /// `rev.deposit`
    #[n(0)]
    Deposit,
    /// `rev.payout`
    #[n(1)]
    Payout,
}

/// The kinds of facts, for what is set aside without money.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Encode, Decode)]
#[cbor(index_only)]
#[allow(missing_docs)] // Each is documented on the variant of `Fact` that bears its name.
pub enum FactKind {
    #[n(0)]
    AccountOpened,
    #[n(1)]
    PolicyAdopted,
    #[n(2)]
    TermsAdopted,
    #[n(3)]
    TreasuryMoved,
    #[n(4)]
    PixReceived,
    #[n(5)]
    PixReturned,
    #[n(6)]
    ProviderReleased,
    #[n(7)]
    ProviderCancelled,
    #[n(8)]
    PayoutSubmitted,
    #[n(9)]
    PayoutPaid,
    #[n(10)]
    PayoutRefused,
    #[n(11)]
    PayoutUnknown,
    #[n(12)]
    PayoutReturned,
    #[n(13)]
    PayoutEvidence,
    #[n(14)]
    HoldPlaced,
    #[n(15)]
    HoldReleased,
    #[n(16)]
    SuspenseAttached,
    #[n(17)]
    SuspenseReturned,
    #[n(18)]
    FeeAdjusted,
    #[n(19)]
    BalanceWrittenOff,
    #[n(20)]
    TimePassed,
}

impl Event {
    /// Accounts for the event: a pure function of it alone.
    #[must_use]
    pub fn entry(&self) -> Entry {
        match self {
            Self::LedgerOpened { .. }
            | Self::PolicyAdopted(_)
            | Self::AccountOpened { .. }
            | Self::TermsAdopted { .. }
            | Self::SubaccountOpened { .. }
            | Self::SetAside { .. }
            | Self::Judged(_)
            | Self::TimePassed => Entry::NONE,
            Self::TreasuryMoved { from, to, amount } => {
                Entry::NONE.principal(to.account(), from.account(), *amount)
            }
            Self::Charge { op, event } => charge::entry(*op, event),
            Self::Transfer { event, .. } => transfer::entry(event),
            Self::Payout { op, event } => payout::entry(*op, event),
            Self::Hold { event, .. } => hold::entry(event),
            Self::Suspense { event, .. } => suspense::entry(event),
            Self::FeeAdjusted { custody, given, charged, income, .. } => {
                let available = Account::Available(*custody);
                Entry::NONE.fee(income.account(), available, *given).fee(
                    available,
                    income.account(),
                    *charged,
                )
            }
            Self::BalanceWrittenOff { custody, amount, .. } => {
                Entry::NONE.principal(Account::Loss, Account::Available(*custody), *amount)
            }
        }
    }

    /// The operation the event belongs to, if it belongs to one.
    #[must_use]
    pub const fn op(&self) -> Option<OpId> {
        match self {
            Self::Charge { op, .. }
            | Self::Transfer { op, .. }
            | Self::Payout { op, .. }
            | Self::Hold { op, .. }
            | Self::Suspense { op, .. }
            | Self::FeeAdjusted { op, .. }
            | Self::BalanceWrittenOff { op, .. } => Some(*op),
            _ => None,
        }
    }

    /// What a statement calls the rows of this event, by the side of the principal leg.
    #[must_use]
    pub const fn row_kind(&self, side: Side) -> RowKind {
        match (self, side) {
            (Self::Transfer { .. }, Side::Debit) => RowKind::TransferOut,
            (Self::Transfer { .. }, Side::Credit) => RowKind::TransferIn,
            (Self::Charge { event: charge::Event::Credited { .. }, .. }, _) => RowKind::Deposit,
            (Self::Payout { event: payout::Event::Requested(_), .. }, _) => RowKind::Payout,
            (Self::FeeAdjusted { .. }, _) => RowKind::FeeAdjustment,
            (Self::BalanceWrittenOff { .. }, _) => RowKind::WriteOff,
            (_, _) => RowKind::Reversal,
        }
    }

    /// The client's own description of the rows, if it gave one.
    #[must_use]
    pub const fn note(&self) -> Option<Token> {
        match self {
            Self::Transfer { event: transfer::Event::Done(order), .. } => order.note,
            _ => None,
        }
    }
}

impl OwnAccount {
    /// The account in the chart.
    #[must_use]
    pub const fn account(self) -> Account {
        match self {
            Self::Funding => Account::Funding,
            Self::ProviderPix => Account::ProviderPix,
            Self::ProviderPay => Account::ProviderPay,
            Self::ProviderClaim => Account::ProviderClaim,
            Self::TariffDue => Account::TariffDue,
        }
    }

    /// Reads the account's name in the chart.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        let all = [
            Self::Funding,
            Self::ProviderPix,
            Self::ProviderPay,
            Self::ProviderClaim,
            Self::TariffDue,
        ];
        all.into_iter().find(|own| own.account().control().name() == name)
    }
}

impl Income {
    /// The account in the chart.
    #[must_use]
    pub const fn account(self) -> Account {
        match self {
            Self::Deposit => Account::DepositIncome,
            Self::Payout => Account::PayoutIncome,
        }
    }
}
