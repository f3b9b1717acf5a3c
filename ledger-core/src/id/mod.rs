//! Names inside the ledger: sequence numbers, operations, accounts, subaccounts, tokens.
//!
//! What the ledger names itself is derived, never random (rulings 9).

mod kind;
mod ledger_name;

use std::fmt;
use std::sync::LazyLock;

use blake3::hazmat::{ContextKey, HasherExt as _, hash_derive_key_context};
use minicbor::{Decode, Encode};

pub use kind::Kind;
pub use ledger_name::{Designation, Environment, LedgerName};

/// The number of a record in its ledger: 1 for the first, no gaps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
#[cbor(transparent)]
pub struct Seq(#[n(0)] pub u64);

/// An API account: what a key opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
#[cbor(transparent)]
pub struct AccountId(#[n(0)] pub u32);

/// A custody account: the house balance or one subaccount of an API account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
#[cbor(transparent)]
pub struct SubaccountId(#[n(0)] pub u32);

/// An asset or a unit of a product: a commodity of the books. `usdt`, `btc`, `depix`, `pontos`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
#[cbor(transparent)]
pub struct AssetId(#[n(0)] pub u16);

/// A network on which assets are delivered. `polygon`, `tron`, `liquid`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
#[cbor(transparent)]
pub struct ChainId(#[n(0)] pub u16);

/// An agent of the mesh: a permanent identity, apart from its accounts and keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
#[cbor(transparent)]
pub struct AgentId(#[n(0)] pub u32);

impl AgentId {
    /// The permanent id of an agent that record `seq` of a ledger registers: 112 bits, as those of
    /// operations.
    #[must_use]
    pub fn text(seq: Seq, ledger: &str) -> String {
        derive_id("ag_", "custody-ledger agent id v1", seq, ledger)
    }

    /// Tells whether text is an id that a ledger of this name gives its agents, given already or
    /// not.
    ///
    /// ```
    /// use ledger_core::id::{AgentId, Seq};
    ///
    /// let id = AgentId::text(Seq(7), "sandbox");
    /// assert!(AgentId::is_given_by("sandbox", &id));
    /// assert!(!AgentId::is_given_by("live", &id));
    /// ```
    #[must_use]
    pub fn is_given_by(ledger: &str, text: &str) -> bool {
        record_of("ag_", text).is_some_and(|seq| Self::text(seq, ledger) == text)
    }

    /// Tells whether text is the id of a referral that a ledger of this name can have given: a
    /// mistyped one is none.
    #[must_use]
    pub fn is_referral(text: &str, ledger: &str) -> bool {
        record_of("rf_", text).is_some_and(|seq| Self::referral(seq, ledger) == text)
    }

    /// Tells whether text has the shape of a referral's id, of whatever ledger.
    #[must_use]
    pub fn is_shaped_as_referral(text: &str) -> bool {
        let digit = |b: u8| matches!(b, b'0'..=b'9' | b'a'..=b'f');
        text.strip_prefix("rf_").is_some_and(|digits| {
            digits.len() == SEQ_DIGITS + TAG_DIGITS && digits.bytes().all(digit)
        })
    }

    /// The id of a referral that record `seq` of a ledger gives.
    #[must_use]
    pub fn referral(seq: Seq, ledger: &str) -> String {
        derive_id("rf_", "custody-ledger referral id v1", seq, ledger)
    }
}

/// The record whose number stands in an id after this prefix.
fn record_of(prefix: &str, text: &str) -> Option<Seq> {
    let digits = text.strip_prefix(prefix)?.get(..SEQ_DIGITS)?;
    let plain = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    u64::from_str_radix(digits, 16).ok().filter(|_| plain).map(Seq)
}

fn derive_id(prefix: &str, context: &str, seq: Seq, ledger: &str) -> String {
    let mut hasher = blake3::Hasher::new_derive_key(context);
    hasher.update(&seq.0.to_le_bytes());
    hasher.update(ledger.as_bytes());
    format_id(prefix, seq, first_eight(hasher.finalize().as_bytes()), TAG_DIGITS)
}

/// An id: its prefix, the number of its record, and the first digits of its tag.
fn format_id(prefix: &str, seq: Seq, tag: u64, tag_digits: usize) -> String {
    let mut text = String::with_capacity(prefix.len() + SEQ_DIGITS + TAG_DIGITS);
    text.push_str(prefix);
    let needed = (u64::BITS - seq.0.leading_zeros()).div_ceil(4) as usize;
    push_hex(&mut text, seq.0, needed.max(SEQ_DIGITS));
    push_hex(&mut text, tag >> (4 * (TAG_DIGITS - tag_digits)), tag_digits);
    text
}

/// The last `digits` hexadecimal digits of a value: an id stands in every answer, and formatting it
/// by `{:012x}` takes several times as long.
fn push_hex(into: &mut String, value: u64, digits: usize) {
    for place in (0..digits).rev() {
        let digit = (value >> (4 * place)) & 0xf;
        into.push(char::from(b"0123456789abcdef"[digit as usize]));
    }
}

/// An operation: its kind, and the number of the record that created it.
///
/// ```
/// use ledger_core::id::{Environment, Kind, LedgerName, OpId, Seq};
///
/// let payout = OpId::new(Kind::Payout, Seq(12));
/// let live = LedgerName::new("live", Environment::Live);
/// let text = payout.text(&live);
/// assert!(text.starts_with("po_00000000000c"));
/// assert_eq!(OpId::parse(&text, &live), Some(payout));
/// let other = LedgerName::new("loja-2", Environment::Live);
/// assert_eq!(OpId::parse(&text, &other), None); // An id of one ledger is none of another.
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OpId(u64);

/// A keyed hash standing for personal data (rulings 11): 128 bits, meaningless without the vault.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Token(pub [u8; 16]);

/// The keyed hash of an API key: what the journal holds instead of the key (AUTH-02).
///
/// ```
/// use ledger_core::contract::Tokens;
///
/// // Whoever guesses a key needs the key of the vault as well to recognise it.
/// let hash = Tokens::new([7; 32]).api_key("svc_live_loja");
/// assert_eq!(hash, Tokens::new([7; 32]).api_key("svc_live_loja"));
/// assert_ne!(hash, Tokens::new([8; 32]).api_key("svc_live_loja"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KeyHash(pub [u8; 32]);

/// The link of a journal's chain after some record: a hash of that and of all before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChainLink(pub [u8; 32]);

/// The SHA-256 of a file that is evidence: a statement, or what a matching came to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EvidenceHash(pub [u8; 32]);

/// What tags are derived by, hashed once: every answer shows some.
static TAGS: LazyLock<ContextKey> =
    LazyLock::new(|| hash_derive_key_context("custody-ledger operation id v1"));

const KIND_BITS: u32 = 4;
const SEQ_DIGITS: usize = 12;
const TAG_DIGITS: usize = 16;
const QUOTE_TAG_DIGITS: usize = 12;

/// Returns what ids of a kind begin with in a ledger.
fn prefix_of(kind: Kind, ledger: &LedgerName) -> &'static str {
    match kind {
        Kind::CashOut if ledger.is_scripted() => "sbx_",
        _ => kind.prefix(),
    }
}

/// How many digits of the tag an id of a kind shows.
const fn tag_digits(kind: Kind) -> usize {
    match kind {
        Kind::Quote => QUOTE_TAG_DIGITS,
        _ => TAG_DIGITS,
    }
}

impl Seq {
    /// The next number.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

impl OpId {
    /// The id that sorts before all others, and names no operation.
    pub const LEAST: Self = Self(0);

    /// The operation of `kind` created by record `seq`.
    #[must_use]
    pub const fn new(kind: Kind, seq: Seq) -> Self {
        Self((seq.0 << KIND_BITS) | kind as u64)
    }

    /// Kind and sequence number as one number, as the journal and indexes hold it.
    #[must_use]
    pub const fn number(self) -> u64 {
        self.0
    }

    /// The operation of this number; none where no kind has it.
    #[must_use]
    pub fn from_number(number: u64) -> Option<Self> {
        kind_of(number).map(|_| Self(number))
    }

    /// Returns what kind of operation this is.
    #[must_use]
    pub fn kind(self) -> Kind {
        kind_of(self.0).expect("only sound ids are constructed or decoded")
    }

    /// The record that created the operation.
    #[must_use]
    pub const fn seq(self) -> Seq {
        Seq(self.0 >> KIND_BITS)
    }

    /// The id as clients see it: prefix, sequence number, and a tag derived from ledger, kind and
    /// number.
    ///
    /// 112 bits in hexadecimal, so an id of one ledger is not an id of another (rulings 9); 96 of a
    /// quote (WDR-01). A cash-out of a sandbox begins with `sbx_` (COUT-01).
    #[must_use]
    pub fn text(self, ledger: &LedgerName) -> String {
        let kind = self.kind();
        format_id(prefix_of(kind, ledger), self.seq(), self.tag(ledger), tag_digits(kind))
    }

    /// Returns what answers call the id: `cashin_id`, `payout_id`, ...
    #[must_use]
    pub fn field(self) -> &'static str {
        self.kind().field()
    }

    /// Reads what [`OpId::text`] wrote for the same ledger; `None` for anything else.
    #[must_use]
    pub fn parse(text: &str, ledger: &LedgerName) -> Option<Self> {
        let kind = Kind::all().find(|kind| text.starts_with(prefix_of(*kind, ledger)))?;
        let digits = &text[prefix_of(kind, ledger).len()..];
        let lower = digits.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        if digits.len() != SEQ_DIGITS + tag_digits(kind) || !lower {
            return None;
        }
        let seq = u64::from_str_radix(&digits[..SEQ_DIGITS], 16).ok()?;
        let op = Self::new(kind, Seq(seq));
        (op.text(ledger) == text).then_some(op)
    }

    fn tag(self, ledger: &str) -> u64 {
        let mut hasher = blake3::Hasher::new_from_context_key(&TAGS);
        hasher.update(&self.0.to_le_bytes());
        hasher.update(ledger.as_bytes());
        first_eight(hasher.finalize().as_bytes())
    }
}

#[inline]
fn kind_of(packed: u64) -> Option<Kind> {
    let index = usize::try_from(packed & 0xF).ok()?;
    Kind::from_number(index)
}

/// The first eight bytes of a hash as a number.
#[must_use]
pub(crate) fn first_eight(hash: &[u8; 32]) -> u64 {
    u64::from_be_bytes(std::array::from_fn(|i| hash[i]))
}

impl fmt::Debug for OpId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}#{}", self.kind(), self.seq().0)
    }
}

/// Debug output shows that there is a token, and enough of it to tell two apart.
impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Token({:02x}{:02x}..)", self.0[0], self.0[1])
    }
}

impl fmt::Debug for ChainLink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ChainLink({:02x}{:02x}..)", self.0[0], self.0[1])
    }
}

impl fmt::Debug for EvidenceHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "EvidenceHash({:02x}{:02x}..)", self.0[0], self.0[1])
    }
}

impl fmt::Debug for KeyHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KeyHash({:02x}{:02x}..)", self.0[0], self.0[1])
    }
}

macro_rules! byte_string {
    ($name:ident, $length:literal) => {
        impl<C> Encode<C> for $name {
            fn encode<W: minicbor::encode::Write>(
                &self,
                e: &mut minicbor::Encoder<W>,
                _: &mut C,
            ) -> Result<(), minicbor::encode::Error<W::Error>> {
                e.bytes(&self.0)?.ok()
            }
        }

        impl<'b, C> Decode<'b, C> for $name {
            fn decode(
                d: &mut minicbor::Decoder<'b>,
                _: &mut C,
            ) -> Result<Self, minicbor::decode::Error> {
                let bytes = d.bytes()?.try_into();
                bytes.map(Self).map_err(|_| {
                    minicbor::decode::Error::message(concat!($length, " bytes were expected"))
                })
            }
        }
    };
}

impl<C> Encode<C> for OpId {
    fn encode<W: minicbor::encode::Write>(
        &self,
        e: &mut minicbor::Encoder<W>,
        _: &mut C,
    ) -> Result<(), minicbor::encode::Error<W::Error>> {
        e.u64(self.0)?.ok()
    }
}

impl<'b, C> Decode<'b, C> for OpId {
    fn decode(d: &mut minicbor::Decoder<'b>, _: &mut C) -> Result<Self, minicbor::decode::Error> {
        let named = Self::from_number(d.u64()?);
        named.ok_or_else(|| minicbor::decode::Error::message("an operation id names a known kind"))
    }
}

byte_string!(Token, "16");
byte_string!(KeyHash, "32");
byte_string!(ChainLink, "32");
byte_string!(EvidenceHash, "32");

/// An account that a product declared: single, or that of one customer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
#[cbor(array)]
pub struct ProductAccount {
    /// Its number in this ledger, from 0 in the order of declaration.
    #[n(0)]
    pub number: u32,
    /// The subaccount that it is kept for, where each customer has one.
    #[n(1)]
    pub holder: Option<SubaccountId>,
}

impl ProductAccount {
    /// Stands for all of them where sums are kept by class.
    pub(crate) const LEAST: Self = Self { number: 0, holder: None };
}

/// The number, with the holder where there is one: `3`, `3/17`.
impl fmt::Display for ProductAccount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.holder {
            Some(holder) => write!(f, "{}/{}", self.number, holder.0),
            None => write!(f, "{}", self.number),
        }
    }
}
