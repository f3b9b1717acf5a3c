//! Statements of holdings: a wallet by its own signature, a float or an exchange balance by a
//! signer and the hash of a file.

use ledger_core::time::Instant;
use ledger_proofs::Hash;
use ledger_proofs::document::Digits;
use ledger_store::signing::key::{KeyMalformed, Signer, Verifier};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::digest::sha256;
use crate::signature;
use crate::wallet::{bitcoin, ethereum};

/// The kind of place that holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// An address of Ethereum's kind, signed by EIP-191.
    Ethereum,
    /// An address P2WPKH of Bitcoin, signed by BIP-322.
    Bitcoin,
    /// An account at a bank, provider or exchange: a file, and a signer's Ed25519.
    File,
}

/// The holding of one commodity in one place, clients' and own apart.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Statement {
    /// The kind of place.
    pub kind: Kind,
    /// `BRL`, or an asset's name.
    pub asset: String,
    /// The network of a wallet; none for an account.
    #[serde(default)]
    pub network: Option<String>,
    /// The address, or the account's name.
    pub source: String,
    /// Held for clients, in smallest units.
    pub clients: Digits,
    /// Held for the house, in smallest units.
    pub own: Digits,
    /// The instant of which it is true: `2026-11-26T12:00:00Z`.
    pub as_of: String,
    /// The hash of the file that shows it, SHA-256; none for a wallet.
    #[serde(default)]
    pub evidence: Option<Hash>,
    /// The public key of the signer, `NAME+HASH+BASE64`; none for a wallet.
    #[serde(default)]
    pub signer: Option<String>,
    /// Of a wallet what it gives; of a signer the line of a signed note.
    #[serde(default)]
    pub signature: String,
}

/// The error of a statement that is not believed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum StatementRefused {
    /// A field has not the form that its kind asks for.
    #[error("its {0} is malformed, or is none that its kind has")]
    Field(&'static str),
    /// The signature is not of this text by this wallet or signer.
    #[error("its signature is not of this text by {0}")]
    Signature(String),
    /// The signer's key is no key.
    #[error("its signer")]
    Signer(#[from] KeyMalformed),
}

impl Kind {
    /// Its name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ethereum => "ethereum",
            Self::Bitcoin => "bitcoin",
            Self::File => "file",
        }
    }
}

impl Statement {
    /// Reads one statement of JSON; where it is not signed yet, its signature may be missing.
    ///
    /// # Errors
    ///
    /// The error of the JSON.
    pub fn parse(text: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }

    /// The statement as JSON, with a line feed at the end.
    #[must_use]
    pub fn json(&self) -> String {
        serde_json::to_string_pretty(self).expect("it has text for keys alone") + "\n"
    }

    /// Tells whether a file is the one whose hash it names.
    #[must_use]
    pub fn is_shown_by(&self, file: &[u8]) -> bool {
        self.evidence == Some(sha256(&[file]))
    }

    /// The text that is signed for the ledger of this origin; it ends with a line feed, which a
    /// wallet does not sign.
    ///
    /// ```
    /// use ledger_reserves::{Kind, Statement};
    /// use ledger_proofs::document::Digits;
    ///
    /// let statement = Statement {
    ///     kind: Kind::Ethereum,
    ///     asset: "USDT".to_owned(),
    ///     network: Some("polygon".to_owned()),
    ///     source: "0x2c7536E3605D9C16a7a3D7b1898e529396a65c23".to_owned(),
    ///     clients: Digits(5_000_000),
    ///     own: Digits(0),
    ///     as_of: "2026-11-26T12:00:00Z".to_owned(),
    ///     evidence: None,
    ///     signer: None,
    ///     signature: String::new(),
    /// };
    /// assert!(statement.text("ledger.example.com/live/live").contains("\nclients 5000000\n"));
    /// assert!(statement.verify("ledger.example.com/live/live").is_err()); // Nobody signed it.
    /// ```
    #[must_use]
    pub fn text(&self, origin: &str) -> String {
        let Self { kind, asset, network, source, clients, own, as_of, evidence, .. } = self;
        let network = network.as_deref().unwrap_or("-");
        let evidence = evidence.map_or_else(|| "-".to_owned(), |hash| hash.to_string());
        format!(
            "custody-ledger reserve statement 1\nledger {origin}\nkind {}\nasset {asset}\n\
             network {network}\nsource {source}\nclients {}\nown {}\nas of {as_of}\n\
             evidence {evidence}\n",
            kind.name(),
            clients.0,
            own.0,
        )
    }

    /// The hash that the key of a wallet signs, for one whose key signs no texts; none for an
    /// account or a malformed address.
    #[must_use]
    pub fn wallet_digest(&self, origin: &str) -> Option<[u8; 32]> {
        let text = self.text(origin);
        let unsigned = text.strip_suffix('\n')?;
        match self.kind {
            Kind::Ethereum => Some(ethereum::digest(unsigned)),
            Kind::Bitcoin => Some(bitcoin::Address::parse(&self.source)?.sighash(unsigned)),
            Kind::File => None,
        }
    }

    /// Signs a statement of an account by a key of Ed25519.
    #[must_use]
    pub fn sign(mut self, origin: &str, signer: &Signer) -> Self {
        self.signature = signature::line(&self.text(origin), signer);
        self.signer = Some(signer.verifier().to_string());
        self
    }

    /// Checks the form of its fields and its signature.
    ///
    /// # Errors
    ///
    /// [`StatementRefused`].
    pub fn verify(&self, origin: &str) -> Result<(), StatementRefused> {
        let text = self.text(origin);
        self.check_fields()?;
        let unsigned = text.strip_suffix('\n').expect("the text ends with a line feed");
        let refused = |by: &str| Err(StatementRefused::Signature(by.to_owned()));
        let sound = match self.kind {
            Kind::Ethereum => ethereum::address(&self.source)
                .is_some_and(|wallet| ethereum::is_signed(&wallet, unsigned, &self.signature)),
            Kind::Bitcoin => bitcoin::Address::parse(&self.source)
                .is_some_and(|wallet| wallet.is_signed(unsigned, &self.signature)),
            Kind::File => {
                let key: Verifier = self.signer.as_deref().unwrap_or_default().parse()?;
                if !signature::is_by(&key, &text, &self.signature) {
                    return refused(key.name());
                }
                true
            }
        };
        if sound { Ok(()) } else { refused(&self.source) }
    }

    fn check_fields(&self) -> Result<(), StatementRefused> {
        let line = |text: &str| {
            let blank = text.trim() != text || text.is_empty() || text == "-";
            !blank && !text.chars().any(char::is_control)
        };
        let network = self.network.as_deref();
        let plain = |name: &str| {
            let sound = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-');
            line(name) && name.bytes().all(sound)
        };
        let is_file = self.kind == Kind::File;
        let checks = [
            ("asset", line(&self.asset)),
            ("source", line(&self.source) && self.identity().is_some()),
            (
                "network",
                match self.kind {
                    Kind::Ethereum => network.is_some_and(|name| plain(name) && name != "bitcoin"),
                    // Under two names one wallet would count twice.
                    Kind::Bitcoin => network == Some("bitcoin"),
                    Kind::File => network.is_none(),
                },
            ),
            ("as_of", self.time().is_some()),
            ("evidence", self.evidence.is_some() == is_file),
            ("signer", self.signer.is_some() == is_file),
            ("signature", line(&self.signature)),
        ];
        match checks.into_iter().find(|(_, sound)| !sound) {
            None => Ok(()),
            Some((field, _)) => Err(StatementRefused::Field(field)),
        }
    }

    /// The instant of which it is true, if it is written in the one form, `2026-11-26T12:00:00Z`.
    #[must_use]
    pub fn time(&self) -> Option<Instant> {
        let sound = self.as_of.len() == 20 && self.as_of.ends_with('Z');
        Instant::parse(&self.as_of).filter(|_| sound)
    }

    /// One text for each place and commodity, however it was spelled: it may be counted once.
    #[must_use]
    pub fn identity(&self) -> Option<String> {
        let source = match self.kind {
            Kind::Ethereum => ethereum::address(&self.source).map(|_| self.source.to_lowercase()),
            Kind::Bitcoin => bitcoin::Address::parse(&self.source).map(|it| it.identity()),
            Kind::File => {
                let plain = |c: char| c.is_ascii_graphic() || c == ' ';
                let sound = self.source.chars().all(plain);
                let words: Vec<&str> = self.source.split_whitespace().collect();
                sound.then(|| words.join(" ").to_lowercase())
            }
        };
        let network = self.network.as_deref().unwrap_or("-");
        source.map(|source| format!("{} {network} {source} {}", self.kind.name(), self.asset))
    }
}
