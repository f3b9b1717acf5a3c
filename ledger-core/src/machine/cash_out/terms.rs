//! The terms of a cash-out order: fixed when it is quoted.

use minicbor::{Decode, Encode};

use crate::coin::{Scale, Units};
use crate::id::{AccountId, OpId, Token};
use crate::machine::refund::Coins;
use crate::money::Amount;
use crate::pix::KeyType;
use crate::terms::{Deal, Ending, Quote, Route, SaleRates};
use crate::time::{Instant, Span};

/// What the seller named: exactly one of three.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub enum AmountBasis {
    /// So much crypto: `amount`.
    #[n(0)]
    Units(#[n(0)] Units),
    /// So many centavos for the recipient: `brl_amount`.
    #[n(1)]
    Net(#[n(0)] Amount),
    /// A Copia e Cola: `br_code`; paid to the centavo (FEE-23).
    #[n(2)]
    Code(#[n(0)] Token),
}

/// Whose crypto it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub enum Funding {
    /// A seller's, who deposits it.
    #[n(0)]
    Seller,
    /// The USDT wallet's: the payment accounts for it (rulings 35).
    #[n(1)]
    Wallet(#[n(0)] OpId),
}

/// Who is paid. Tokens all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub struct Payee {
    /// The PIX key; none where only the code names it.
    #[n(0)]
    pub pix_key: Option<Token>,
    /// The recipient's name, read from a code (COUT-25).
    #[n(1)]
    pub merchant: Option<Token>,
    /// The recipient's CPF or CNPJ: `payee_tax_number` (COUT-27).
    #[n(2)]
    pub tax_number: Option<Token>,
    /// The first whom the daily ceiling counts: the document that the key is, the key, or the
    /// address in a dynamic code (rulings 66).
    #[n(3)]
    pub counted_as: Token,
    /// What kind of key it is, as declared or deduced: `pix_key_type` (rulings 51).
    #[n(4)]
    pub key_type: Option<KeyType>,
    /// Whose the key is. None in orders recorded before it was kept: these count as `counted_as`
    /// alone, and whom the client named is who receives.
    #[n(5)]
    pub owner: Option<KeyOwner>,
}

/// Whose a PIX key is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub enum KeyOwner {
    /// Nobody looked it up.
    #[n(0)]
    Unproven,
    /// The owner of this document: the key is the document, or a lookup of the key named it.
    #[n(1)]
    Proven(#[n(0)] Token),
}

/// A PIX key that an operator corrects an order with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CorrectedKey {
    /// The key, under a token of the vault.
    pub token: Token,
    /// What kind of key it is; none where nobody said.
    pub kind: Option<KeyType>,
    /// The first whom the daily ceiling counts: the document that the key is, or the key.
    pub counted_as: Token,
    /// Whose the key is.
    pub owner: KeyOwner,
}

impl Payee {
    /// Everybody whom the daily ceiling counts, each once: the key, and each document that the key
    /// is, a lookup named or the client claimed (rulings 66).
    pub fn recipients(&self) -> impl Iterator<Item = Token> + use<> {
        let proven = self.owner.and_then(KeyOwner::document);
        let claimed = self.tax_number.filter(|_| self.owner.is_some());
        let (claimed, proven) = (
            claimed.filter(|claimed| *claimed != self.counted_as),
            proven.filter(|proven| *proven != self.counted_as && Some(*proven) != claimed),
        );
        [Some(self.counted_as), claimed, proven].into_iter().flatten()
    }

    /// The document that receives for certain, which alone a mandate can name (rulings 66).
    #[must_use]
    pub fn counterparty(&self) -> Option<Token> {
        match self.owner {
            Some(owner) => owner.document(),
            None => self.tax_number,
        }
    }

    /// The recipient's document: the proven one, or the one that the client claims.
    #[must_use]
    pub fn document(&self) -> Option<Token> {
        self.owner.and_then(KeyOwner::document).or(self.tax_number)
    }

    /// The token that stands for no value of the vault: the location of a code, where no key is
    /// known. None where there is a key.
    #[must_use]
    pub fn valueless(&self) -> Option<Token> {
        self.pix_key.is_none().then_some(self.counted_as)
    }

    /// The payee once an operator corrected the key. A key that is a document names who receives.
    #[must_use]
    pub fn with_corrected_key(self, key: CorrectedKey) -> Self {
        let own = key.owner.document().filter(|own| *own == key.counted_as);
        Self {
            pix_key: Some(key.token),
            key_type: key.kind,
            counted_as: key.counted_as,
            owner: Some(key.owner),
            tax_number: own.or(self.tax_number),
            ..self
        }
    }

    /// The payee in the sandbox, where a key's fictional owner has the document that the client
    /// claims (rulings 66).
    #[must_use]
    pub fn with_claimed_owner(self) -> Self {
        let unproven = self.owner == Some(KeyOwner::Unproven);
        match self.tax_number.filter(|_| unproven) {
            Some(claimed) => Self { owner: Some(KeyOwner::Proven(claimed)), ..self },
            None => self,
        }
    }
}

impl KeyOwner {
    /// The owner's document, where it is proven.
    #[must_use]
    pub const fn document(self) -> Option<Token> {
        match self {
            Self::Unproven => None,
            Self::Proven(document) => Some(document),
        }
    }
}

/// The terms of an order.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub struct Order {
    /// The API account that asked; the partner's part of the fees is its commission.
    #[n(0)]
    pub account: AccountId,
    /// By which route: `path`.
    #[n(1)]
    pub route: Route,
    /// Which asset, on which network, how much the seller is to send.
    #[n(2)]
    pub coins: Coins,
    /// The asset's name.
    #[n(3)]
    pub asset_name: Box<str>,
    /// The network's name.
    #[n(4)]
    pub chain_name: Box<str>,
    /// The asset's decimals.
    #[n(5)]
    pub scale: Scale,
    /// What the seller named.
    #[n(6)]
    pub asked: AmountBasis,
    /// How the gross is divided when exactly that arrives.
    #[n(7)]
    pub deal: Deal,
    /// The rates, for what arrives instead (P:DepositVariance).
    #[n(8)]
    pub rates: SaleRates,
    /// The price at which it was quoted.
    #[n(9)]
    pub quote: Quote,
    /// The reserve's equivalent in millionths of USDT (FEE-21); none where there is no reserve.
    #[n(10)]
    pub reserve_usdt: Option<Units>,
    /// The least and the most that may be paid, in centavos.
    #[n(11)]
    pub range: (Amount, Amount),
    /// The largest refund without an operator, in the asset; none: any (on Liquid).
    #[n(12)]
    pub refund_alone: Option<Units>,
    /// Who is paid.
    #[n(13)]
    pub payee: Payee,
    /// The return wallet, confirmed by the customer.
    #[n(14)]
    pub refund_address: Option<Box<str>>,
    /// Whose crypto it is.
    #[n(15)]
    pub funding: Funding,
    /// The client's own id.
    #[n(16)]
    pub external_id: Option<Box<str>>,
    /// When it was quoted.
    #[n(17)]
    pub created_at: Instant,
    /// Until when the quote is good and the deposit expected.
    #[n(18)]
    pub expires_at: Instant,
    /// How long after that a deposit revives it (COUT-44).
    #[n(19)]
    pub revival: Span,
    /// How often, and for how long, a failed send is tried again (P:RetrySchedule).
    #[n(20)]
    pub retries: (Span, Span),
    /// How many confirmations a deposit needs, for people.
    #[n(21)]
    pub confirmations: u16,
}

/// A deposit as seen on its network.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub struct Deposit {
    /// What arrived, in its own asset and on its own network.
    #[n(0)]
    pub coins: Coins,
    /// In which transaction; with the output's number where it has several.
    #[n(1)]
    pub hash: Box<str>,
    /// On-chain origin, informational only: never a refund's destination by itself (COUT-20).
    #[n(2)]
    pub from: Option<Box<str>>,
    /// When the network saw it.
    #[n(3)]
    pub seen_at: Instant,
    /// How many confirmations it had then; none where nobody said.
    #[n(4)]
    pub confirmations: Option<u16>,
}

impl Deposit {
    /// The transaction that brought it; none where a provider gave it back, and words of the
    /// ledger's stand for one.
    #[must_use]
    pub fn transaction(&self) -> Option<&str> {
        Some(&*self.hash).filter(|hash| !hash.contains(' '))
    }
}

/// Where to deposit, as the provider supplied it (rulings 39).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DepositTo {
    /// The address that the seller sends to.
    pub address: Box<str>,
    /// The memo that must accompany the deposit.
    pub tag: Option<Box<str>>,
}

/// What is sold for the recipient: how much crypto, and how its reais are divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub struct Sale {
    /// The crypto that is sold.
    #[n(0)]
    pub coins: Coins,
    /// How the reais that it gives are divided.
    #[n(1)]
    pub deal: Deal,
}

/// What a swap or an exchange gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub enum Proceeds {
    /// Crypto, in one's own stock on its network or at the exchange.
    #[n(0)]
    Coins(#[n(0)] Coins),
    /// Reais, at the exchange.
    #[n(1)]
    Reais(#[n(0)] Amount),
}

/// The PIX that paid the recipient.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub struct Pix {
    /// Its end-to-end id.
    #[n(0)]
    pub e2e: Box<str>,
    /// When it was paid.
    #[n(1)]
    pub paid_at: Instant,
    /// Where its receipt is, when available.
    #[n(2)]
    pub receipt_url: Option<Box<str>>,
    /// And as PDF.
    #[n(3)]
    pub receipt_pdf_url: Option<Box<str>>,
    /// And where anybody may verify it.
    #[n(4)]
    pub verify_url: Option<Box<str>>,
}

impl Order {
    /// Tells whether it pays a Copia e Cola, to the centavo.
    #[must_use]
    pub const fn pays_code(&self) -> bool {
        matches!(self.asked, AmountBasis::Code(_))
    }

    /// Tells whether its crypto is a seller's, so that the order itself accounts for it.
    #[must_use]
    pub const fn is_sellers(&self) -> bool {
        matches!(self.funding, Funding::Seller)
    }

    /// Returns what its amount would ask the sandbox to play: that which was sent, or the code's
    /// (P:SbxWhichAmount).
    #[must_use]
    pub fn ending(&self) -> Ending {
        match self.asked {
            AmountBasis::Units(units) => Ending::of_units(units, self.scale),
            AmountBasis::Net(_) | AmountBasis::Code(_) => Ending::of_reais(self.deal.net),
        }
    }
}
