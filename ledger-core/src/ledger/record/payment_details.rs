//! What the world reports once, beside a fact, and every later answer shows: of a PIX whom it paid
//! and who settled it, of networks where their transactions are shown (rulings 57).

use minicbor::{Decode, Encode};

use crate::id::Token;

/// What is reported of a PIX besides that it was paid.
#[derive(Clone, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub struct PixDetails {
    /// The recipient's name, in the vault.
    #[n(0)]
    pub recipient: Option<Token>,
    /// The recipient's document, in the vault.
    #[n(1)]
    pub document: Option<Token>,
    /// The recipient's institution.
    #[n(2)]
    pub institution: Option<Box<str>>,
    /// Who settled it.
    #[n(3)]
    pub settled_by: Option<Box<str>>,
    /// Where its receipt is.
    #[n(4)]
    pub receipt_url: Option<Box<str>>,
    /// The document of whoever paid a PIX that was received, in the vault.
    #[n(5)]
    pub payer: Option<Token>,
}

/// Where a network's transactions are shown.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct NetworkPage {
    /// The network's name.
    #[n(0)]
    pub chain: Box<str>,
    /// The address of a transaction's page, with `{tx}` where its hash goes.
    #[n(1)]
    pub template: Box<str>,
}

impl PixDetails {
    /// Tells whether nothing is reported.
    #[must_use]
    pub fn is_blank(&self) -> bool {
        *self == Self::default()
    }
}

/// What is reported beside a fact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FactDetails {
    /// Of the PIX it reports.
    Pix(Box<PixDetails>),
    /// Of the networks of a catalogue.
    Pages(Vec<NetworkPage>),
    /// Metadata of what it creates: its canonical JSON, in the vault.
    Metadata(Token),
}
