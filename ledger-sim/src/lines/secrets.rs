//! What else tokens stand for: e-mails, addresses, codes, and entropies with what is made of them.

use std::net::{IpAddr, Ipv4Addr};

use ledger_core::hexadecimal::digits;
use ledger_core::id::{KeyHash, Token};
use ledger_core::machine::cash_out::Payee;
use ledger_core::money::Amount;

use super::codes::{Goal, code};
use super::people::{People, Sort};
use super::{Unrepresentable, Written};

/// How many hexadecimal digits of an entropy a key shows.
const SHOWN: usize = 48;

impl People {
    /// An e-mail address.
    pub(super) fn email(&mut self, token: Token) -> String {
        if let Some(text) = self.find_text(Sort::Email, token) {
            return text.clone();
        }
        let text = format!("pessoa{}@example.com", self.next());
        let read = self.tokens.email(&text).token;
        self.learn(Sort::Email, [token, read], &text)
    }

    /// Where webhooks go.
    pub(super) fn url(&mut self, token: Token) -> String {
        if let Some(text) = self.find_text(Sort::Url, token) {
            return text.clone();
        }
        let text = format!("https://loja{}.example.com/pix", self.next());
        let read = self.tokens.text(&text).token;
        self.learn(Sort::Url, [token, read], &text)
    }

    /// An address that something is asked from.
    pub(super) fn address(&mut self, token: Token) -> String {
        if let Some(text) = self.find_text(Sort::Address, token) {
            return text.clone();
        }
        let [_, a, b, c] = self.next().to_be_bytes();
        let address = IpAddr::V4(Ipv4Addr::new(10, a, b, c));
        let read = self.tokens.address(address);
        self.learn(Sort::Address, [token, read], &address.to_string())
    }

    /// A code that says so much of so much: another where any of it is another.
    pub(super) fn code(
        &mut self,
        token: Token,
        amount: Option<Amount>,
        payee: &Payee,
    ) -> Written<String> {
        let said = (token, amount, payee.pix_key, payee.merchant);
        if let Some(text) = self.codes.get(&said) {
            return Ok(text.clone());
        }
        let merchant = payee.merchant.ok_or(Unrepresentable("a code that names no merchant"))?;
        let name = self.name(merchant);
        let number = self.next();
        let text = match payee.pix_key {
            Some(key) => {
                let (key, _) = self.any_key(key)?;
                code(&Goal::Key(&key), &name, amount, number)
            }
            None => {
                let behind = digits(&payee.counted_as.0);
                let url = format!("pix.example.com/{behind}?n={number}");
                code(&Goal::Url(&url), &name, amount, number)
            }
        };
        // Key and merchant are read as other tokens, which stand for the same texts.
        let key = payee.pix_key.and_then(|key| self.read_key(key));
        let merchant = Some(self.tokens.name(&name).token);
        let read = (self.tokens.text(&text).token, amount, key, merchant);
        self.codes.insert(said, text.clone());
        self.codes.insert(read, text.clone());
        Ok(text)
    }

    /// The entropy of a key that is asked for, which makes what opens the monitor besides.
    pub(super) fn enrolment_entropy(&mut self, key: KeyHash, monitor: Token) -> Written<String> {
        let entropy = self.entropy_of(key);
        match self.find_text(Sort::Monitor, monitor) {
            Some(known) if *known == entropy => Ok(entropy),
            Some(_) => Err(Unrepresentable("a key and a monitor of two entropies")),
            None => Ok(self.learn(Sort::Monitor, [monitor; 2], &entropy)),
        }
    }

    /// The entropy that makes a key.
    pub(super) fn entropy_of(&mut self, key: KeyHash) -> String {
        let key = self.key(key);
        let shown = key.rsplit('_').next().unwrap_or_default();
        format!("{shown:0<64}")
    }

    /// The entropy of what an account makes anew: a secret, what opens its monitor, or both.
    pub(super) fn secrets(
        &mut self,
        secret: Option<Token>,
        monitor: Option<Token>,
    ) -> Written<String> {
        let made = [(Sort::Secret, secret), (Sort::Monitor, monitor)];
        let made = made.map(|(sort, token)| token.map(|token| (sort, token)));
        let mut known =
            made.iter().flatten().filter_map(|(sort, token)| self.find_text(*sort, *token));
        let entropy = known.next().cloned();
        if known.any(|other| Some(other) != entropy.as_ref()) {
            return Err(Unrepresentable("a secret and a monitor of two entropies"));
        }
        let entropy =
            entropy.unwrap_or_else(|| format!("{:0>1$}{2:0<16}", self.next(), SHOWN, "e"));
        for (sort, token) in made.into_iter().flatten() {
            self.learn(sort, [token; 2], &entropy);
        }
        Ok(entropy)
    }
}
