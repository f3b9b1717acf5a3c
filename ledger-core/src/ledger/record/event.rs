//! Events: what the ledger decided, complete in itself, numbered for ever.

use minicbor::{Decode, Encode};

use super::account::{Carried, Owner, Residence};
use super::early_report::EarlyReport;
use super::payment_details::{NetworkPage, PixDetails};
use super::set_aside_reason::SetAsideReason;
use crate::accounting::own_accounts::{Income, OwnAccount, OwnCoins};
use crate::accounting::{DayClose, DeclaredAccount, ReceivedStatement};
use crate::coin::Units;
use crate::id::{AccountId, AgentId, AssetId, ChainLink, KeyHash, OpId, SubaccountId, Token};
use crate::ledger::notification::task::TaskKind;
use crate::ledger::record::fact_kind::FactKind;
use crate::ledger::record::operator_decision::OperatorDecision;
use crate::machine::{
    agent, cash_out, charge, conversion, entry, erroneous_delivery, hold, payout, suspense,
    transfer, unmatched_deposit, wallet,
};
use crate::money::{Amount, Cents};
use crate::template::Template;
use crate::terms::{Listing, Market, Policy, Quote, Review, Terms};
use crate::time::Instant;

/// What happened. Field and variant numbers are frozen: the journal is read by them.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
#[allow(missing_docs)] // Where a machine moved, `op` is the operation and `event` what happened.
pub enum Event {
    /// The ledger began, under this policy.
    #[n(0)]
    LedgerOpened {
        /// The ledger's name, which is its identity.
        #[n(0)]
        name: Box<str>,
        /// The policy it began with.
        #[n(1)]
        policy: Box<Policy>,
    },
    /// The policy changed.
    #[n(1)]
    PolicyAdopted(#[n(0)] Box<Policy>),
    /// An API account was opened, with its house balance.
    #[n(2)]
    AccountOpened {
        /// Its number in this ledger.
        #[n(0)]
        account: AccountId,
        /// Its name, which no other account of the ledger bears.
        #[n(1)]
        name: Box<str>,
        /// The hash of its key.
        #[n(2)]
        key: KeyHash,
        /// Its house balance.
        #[n(3)]
        house: SubaccountId,
        /// Its first terms.
        #[n(4)]
        terms: Box<Terms>,
    },
    /// An account's terms change from an instant on.
    #[n(3)]
    TermsAdopted {
        /// The account whose terms change.
        #[n(0)]
        account: AccountId,
        /// The instant from which they hold.
        #[n(1)]
        from: Instant,
        /// The terms from then on.
        #[n(2)]
        terms: Box<Terms>,
    },
    /// A subaccount was named for the first time.
    #[n(4)]
    SubaccountOpened {
        /// Its number in this ledger.
        #[n(0)]
        subaccount: SubaccountId,
        /// The API account that it is of.
        #[n(1)]
        account: AccountId,
        /// The client's own name for it: `customer_ref`.
        #[n(2)]
        customer: Box<str>,
    },
    /// Own money moved between own accounts.
    #[n(5)]
    TreasuryMoved {
        /// The account that is credited.
        #[n(0)]
        from: OwnAccount,
        /// The account that is debited.
        #[n(1)]
        to: OwnAccount,
        /// Centavos that moved, above zero.
        #[n(2)]
        amount: Amount,
    },
    /// A charge moved.
    #[n(6)]
    Charge {
        #[n(0)]
        op: OpId,
        #[n(1)]
        event: charge::Event,
    },
    /// A transfer was made.
    #[n(7)]
    Transfer {
        #[n(0)]
        op: OpId,
        #[n(1)]
        event: transfer::Event,
    },
    /// A payout moved.
    #[n(8)]
    Payout {
        #[n(0)]
        op: OpId,
        #[n(1)]
        event: payout::Event,
    },
    /// A hold moved.
    #[n(9)]
    Hold {
        #[n(0)]
        op: OpId,
        #[n(1)]
        event: hold::Event,
    },
    /// Money in suspense moved.
    #[n(10)]
    Suspense {
        #[n(0)]
        op: OpId,
        #[n(1)]
        event: suspense::Event,
    },
    /// A fee was corrected: exactly one of the two shares is not zero.
    #[n(11)]
    FeeAdjusted {
        /// The correction's own id.
        #[n(0)]
        op: OpId,
        /// The subaccount whose balance it changes.
        #[n(1)]
        subaccount: SubaccountId,
        /// Given to it.
        #[n(2)]
        given: Cents,
        /// Charged to it.
        #[n(3)]
        charged: Cents,
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
        /// The subaccount whose balance was below zero.
        #[n(1)]
        subaccount: SubaccountId,
        /// Centavos written off, above zero.
        #[n(2)]
        amount: Amount,
    },
    /// A fact contradicted the books and waits for a person; what money it carries, the other
    /// events of the record say.
    #[n(13)]
    SetAside {
        /// What kind of fact.
        #[n(0)]
        fact: FactKind,
        /// The operation it named.
        #[n(1)]
        about: Option<OpId>,
        /// Why; none in journals written before it was recorded.
        #[n(2)]
        reason: Option<SetAsideReason>,
    },
    /// A person decided what the other events of the record say.
    #[n(14)]
    Judged(#[n(0)] OperatorDecision),
    /// Time was made to pass.
    #[n(15)]
    TimePassed,
    /// A conversion of custody or commission moved.
    #[n(16)]
    Conversion {
        #[n(0)]
        op: OpId,
        #[n(1)]
        event: conversion::Event,
    },
    /// Crypto that went astray moved.
    #[n(17)]
    ErroneousDelivery {
        #[n(0)]
        op: OpId,
        #[n(1)]
        event: erroneous_delivery::Event,
    },
    /// Pairs were listed or changed, and others dropped.
    #[n(18)]
    CatalogueUpdated {
        /// Listed or changed.
        #[n(0)]
        listed: Vec<Listing>,
        /// Dropped: asset and network.
        #[n(1)]
        dropped: Vec<(Box<str>, Box<str>)>,
    },
    /// An asset's price was reported.
    #[n(19)]
    RateQuoted {
        /// The asset's name.
        #[n(0)]
        asset: Box<str>,
        /// The price, its source and its instant.
        #[n(1)]
        quote: Quote,
    },
    /// A payer was reviewed.
    #[n(20)]
    PayerReviewed {
        /// The payer's CPF or CNPJ, under a token of the vault.
        #[n(0)]
        payer: Token,
        /// What was found.
        #[n(1)]
        review: Review,
    },
    /// Own crypto moved between own accounts.
    #[n(21)]
    CoinsMoved {
        /// The asset, by its number in this ledger.
        #[n(0)]
        asset: AssetId,
        /// The account that is credited.
        #[n(1)]
        from: OwnCoins,
        /// The account that is debited.
        #[n(2)]
        to: OwnCoins,
        /// How much, in the asset's smallest units.
        #[n(3)]
        units: Units,
    },
    /// An account's own wallet was set, for purchases that name none.
    #[n(22)]
    SettlementAddressSet {
        /// The account whose wallet it is.
        #[n(0)]
        account: AccountId,
        /// The wallet's address, on Polygon.
        #[n(1)]
        address: Box<str>,
    },
    /// A cash-out order moved.
    #[n(24)]
    CashOut {
        #[n(0)]
        op: OpId,
        #[n(1)]
        event: cash_out::Event,
    },
    /// Crypto that no order took moved.
    #[n(25)]
    UnmatchedDeposit {
        #[n(0)]
        op: OpId,
        #[n(1)]
        event: unmatched_deposit::Event,
    },
    /// Pairs that sellers may deposit were listed or changed, and others dropped.
    #[n(23)]
    MarketsUpdated {
        /// Listed or changed.
        #[n(0)]
        opened: Vec<Market>,
        /// Dropped: asset and network.
        #[n(1)]
        closed: Vec<(Box<str>, Box<str>)>,
    },
    /// An agent moved.
    #[n(26)]
    Agent {
        /// Which, in this ledger.
        #[n(0)]
        agent: AgentId,
        /// What happened to it.
        #[n(1)]
        event: agent::Event,
    },
    /// An agent gave a referral, for others to come by.
    #[n(27)]
    ReferralGiven {
        /// The agent that gave it.
        #[n(0)]
        agent: AgentId,
        /// The referral's id.
        #[n(1)]
        referral: Box<str>,
        /// What the other agent is referred for.
        #[n(2)]
        capability: Box<str>,
    },
    /// What agents settled earned a reward for the one that referred them.
    #[n(28)]
    RewardAccrued {
        /// Who earned it.
        #[n(0)]
        agent: AgentId,
        /// Centavos earned, above zero.
        #[n(1)]
        reward: Amount,
    },
    /// A deposit into a USDT wallet moved.
    #[n(29)]
    WalletDeposit {
        #[n(0)]
        op: OpId,
        #[n(1)]
        event: wallet::deposit::Event,
    },
    /// A payment from a USDT wallet moved.
    #[n(30)]
    WalletPayment {
        #[n(0)]
        op: OpId,
        #[n(1)]
        event: wallet::payment::Event,
    },
    /// A withdrawal from a USDT wallet moved.
    #[n(31)]
    CryptoWithdrawal {
        #[n(0)]
        op: OpId,
        #[n(1)]
        event: wallet::withdrawal::Event,
    },
    /// A quote of a wallet was issued, used or lapsed.
    #[n(32)]
    Quote {
        #[n(0)]
        op: OpId,
        #[n(1)]
        event: wallet::quote::Event,
    },
    /// An account was asked for without a key; its opening stands before this in the same record.
    #[n(33)]
    Enrolled {
        /// The account that was opened.
        #[n(0)]
        account: AccountId,
        /// Who asked for it.
        #[n(1)]
        owner: Box<Owner>,
        /// What opens its private monitor.
        #[n(2)]
        monitor: Token,
        /// The address it was asked from, which the vault does not know.
        #[n(3)]
        address: Token,
    },
    /// An account got another key, and the one it had is dead.
    #[n(34)]
    KeyReplaced {
        /// The account that the key opens.
        #[n(0)]
        account: AccountId,
        /// The hash of the new one.
        #[n(1)]
        key: KeyHash,
    },
    /// An account's key is dead, and it has no other.
    #[n(35)]
    KeyRevoked {
        /// The account that has no key now.
        #[n(0)]
        account: AccountId,
    },
    /// Where an account's webhooks go was set.
    #[n(36)]
    WebhookSet {
        /// The account whose webhooks they are.
        #[n(0)]
        account: AccountId,
        /// The address, in the vault.
        #[n(1)]
        url: Token,
    },
    /// What an account's webhooks are signed with was replaced.
    #[n(37)]
    WebhookSecretReplaced {
        /// The account whose webhooks they are.
        #[n(0)]
        account: AccountId,
        /// The secret, in the vault.
        #[n(1)]
        secret: Token,
    },
    /// A report that came before what it is of is kept until that comes (rulings 46).
    #[n(39)]
    ReportKept {
        /// Of which operation.
        #[n(0)]
        op: OpId,
        /// What it says.
        #[n(1)]
        report: EarlyReport,
    },
    /// What opens an account's private monitor was replaced.
    #[n(38)]
    MonitorReplaced {
        /// The account whose monitor it is.
        #[n(0)]
        account: AccountId,
        /// The link's token, in the vault.
        #[n(1)]
        monitor: Token,
    },
    /// What the world reported of the record's PIX besides that it was paid.
    #[n(40)]
    PixDescribed(#[n(0)] Box<PixDetails>),
    /// Where networks show their transactions.
    #[n(41)]
    NetworkPages(#[n(0)] Vec<NetworkPage>),
    /// An account took a step of its way from one ledger to another.
    #[n(42)]
    ResidenceChanged {
        /// The account that moves.
        #[n(0)]
        account: AccountId,
        /// Where it lives now.
        #[n(1)]
        residence: Residence,
    },
    /// An account is on its way here: opened by the same record, or setting out once more.
    #[n(43)]
    AccountCarried {
        /// The account that was opened.
        #[n(0)]
        account: AccountId,
        /// The ledger that it comes from.
        #[n(1)]
        ledger: Box<str>,
        /// What it had there beside its balances.
        #[n(2)]
        carried: Box<Carried>,
    },
    /// A balance left for another ledger, or came from there: at most one of the two amounts is not
    /// zero.
    #[n(44)]
    BalanceCarried {
        /// The correction's own id.
        #[n(0)]
        op: OpId,
        /// The subaccount whose balance it is; of a commission, the house of its account.
        #[n(1)]
        subaccount: SubaccountId,
        /// The account whose commission was carried, if it was.
        #[n(2)]
        commission_of: Option<AccountId>,
        /// The centavos that came here; zero where the balance left.
        #[n(3)]
        given: Cents,
        /// Left from here.
        #[n(4)]
        taken: Cents,
        /// Tells whether a PIX deposit was ever credited to it.
        #[n(5)]
        deposited: bool,
        /// The end of the waiting period its first deposit started, if one ever did.
        #[n(6)]
        waiting_until: Option<Instant>,
    },
    /// An instruction was handed to whoever carries it out, where its machine has no step of its
    /// own for that (rulings 70).
    #[n(45)]
    HandedOut {
        /// The operation that it is for.
        #[n(0)]
        op: OpId,
        /// What is asked.
        #[n(1)]
        kind: TaskKind,
        /// Which attempt, from 1.
        #[n(2)]
        attempt: u32,
    },
    /// The ledger goes on after the record of this `link`: later ones are lost (rulings 79).
    #[n(46)]
    LossAccepted {
        #[n(0)]
        link: ChainLink,
        /// When, by the machine's clock: the record lets no time pass.
        #[n(1)]
        accepted_at: Instant,
    },
    /// A product declared an account of its own; the first opening balance declares
    /// `equity.opening`.
    #[n(47)]
    ProductAccountDeclared {
        /// Its number in this ledger.
        #[n(0)]
        number: u32,
        /// What it is.
        #[n(1)]
        declared: Box<DeclaredAccount>,
    },
    /// An entry of a product moved money.
    #[n(48)]
    Entry {
        #[n(0)]
        op: OpId,
        #[n(1)]
        event: entry::Event,
    },
    /// A template of entries was adopted: it was proven to balance.
    #[n(49)]
    TemplateAdopted {
        /// Its number in this ledger, by which entries quote it.
        #[n(0)]
        number: u32,
        /// Its version among those of its name, from 1.
        #[n(1)]
        version: u32,
        /// Its amounts, legs and conditions.
        #[n(2)]
        template: Box<Template>,
    },
    /// An account takes no opening balances any more.
    #[n(50)]
    OpeningBalancesClosed {
        /// The API account.
        #[n(0)]
        account: AccountId,
    },
    /// An operation was created with metadata: the event follows the one that creates it, in the
    /// same record.
    #[n(51)]
    MetadataAttached {
        /// The operation that was created.
        #[n(0)]
        op: OpId,
        /// The canonical JSON of its metadata, in the vault.
        #[n(1)]
        metadata: Token,
    },
    /// A statement of accounts outside was received: evidence that a close may name.
    #[n(52)]
    StatementReceived(#[n(0)] Box<ReceivedStatement>),
    /// A day was closed, as the books were at its end.
    #[n(53)]
    DayClosed(#[n(0)] Box<DayClose>),
    /// The last day that was closed is open again.
    #[n(54)]
    DayReopened {
        /// Its first instant in Brasília.
        #[n(0)]
        begins: Instant,
    },
    /// A bank asked for a contested PIX, or a part of it.
    #[n(55)]
    RecoveryOpened {
        /// The recovery's name, as the bank has it.
        #[n(0)]
        recovery: Box<str>,
        /// The charge whose PIX is contested.
        #[n(1)]
        cause: OpId,
        /// Centavos that are contested.
        #[n(2)]
        amount: Amount,
        /// Until when it blocks what comes.
        #[n(3)]
        blocks_until: Instant,
        /// Until when a person decides.
        #[n(4)]
        decides_until: Instant,
    },
    /// A hold was placed for a recovery, by the same record.
    #[n(56)]
    RecoveryBlocked {
        /// The recovery, by the id that its bank gave it.
        #[n(0)]
        recovery: Box<str>,
        /// The hold that was placed for it.
        #[n(1)]
        hold: OpId,
    },
    /// A recovery was decided.
    #[n(57)]
    RecoveryDecided {
        /// The recovery, by the id that its bank gave it.
        #[n(0)]
        recovery: Box<str>,
        /// Centavos that go back; none where it was rejected.
        #[n(1)]
        accepted: Cents,
    },
    /// A part of what was accepted went back to the payer, by the same record.
    #[n(58)]
    RecoveryRefunded {
        /// The recovery, by the id that its bank gave it.
        #[n(0)]
        recovery: Box<str>,
        /// The id of the return.
        #[n(1)]
        return_id: Box<str>,
        /// Centavos that went back.
        #[n(2)]
        amount: Amount,
    },
    /// A fact told again, under a new id of its own, what was known: its record keeps that id.
    #[n(59)]
    Repeated {
        /// The kind of fact.
        #[n(0)]
        fact: FactKind,
        /// The operation it named.
        #[n(1)]
        about: Option<OpId>,
    },
}
