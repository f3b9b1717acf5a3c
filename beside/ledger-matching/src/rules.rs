//! Declared rules: what may be one movement although no id says so.

use std::collections::HashSet;

use ledger_core::time::Span;
use ledger_reconcile::Direction;
use serde::Deserialize;
use serde::de::Error as _;

use crate::canonical;
use crate::movement::{Class, OurMovement, Source, TheirMovement};
use crate::quantity::Quantity;
use crate::read::columns::from_toml;
use crate::statement::FileError;

/// Every rule of a file.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Rules {
    /// The provider's words and tariff.
    pub provider: ProviderRules,
    /// How late a movement of a chain may be dated.
    pub chain: SourceRules,
    /// How late one of an exchange may be.
    pub exchange: SourceRules,
    /// Rules, tried in the order of the file.
    #[serde(rename = "rule")]
    pub rules: Vec<Rule>,
}

/// Declarations about a provider.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ProviderRules {
    /// For how long two instants are of one movement although midnight is between them.
    pub grace_minutes: u32,
    /// The tariff that the provider may take out of one amount.
    #[serde(deserialize_with = "decimal")]
    pub tariff: Quantity,
    /// The words of lines that are no PIX.
    pub words: Words,
}

/// Which words of lines that are no PIX say which class.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Words {
    /// Parts of words that mark a tariff ([`Class::Fee`]).
    pub fee: Vec<String>,
    /// Parts of words that mark own money on the move ([`Class::Own`]).
    pub own: Vec<String>,
    /// PIX that one line has the sum of.
    pub payment: Vec<String>,
}

/// Declarations about another source.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SourceRules {
    /// For how long two instants are of one movement although midnight is between them.
    pub grace_minutes: u32,
}

/// A rule by which movements without a common id are one.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// Its name in results.
    pub name: String,
    /// Whose statements it is for.
    #[serde(deserialize_with = "source")]
    pub source: Source,
    /// Only movements of theirs of these classes; any where none is said.
    #[serde(default, deserialize_with = "classes")]
    pub theirs: Vec<Class>,
    /// Only movements of ours of these classes.
    #[serde(default, deserialize_with = "classes")]
    pub ours: Vec<Class>,
    /// Only movements in this direction.
    #[serde(default, deserialize_with = "direction")]
    pub direction: Option<Direction>,
    /// Only movements of these assets.
    #[serde(default)]
    pub assets: Vec<String>,
    /// Only lines of theirs with one of these words.
    #[serde(default)]
    pub words: Vec<String>,
    /// Only movements of theirs with one of these addresses on the other side.
    #[serde(default)]
    pub counterparty: Vec<String>,
    /// Only movements of ours whose ids begin so: `E` and an institution's number.
    #[serde(default)]
    pub our_ids: Vec<String>,
    /// How far the amounts may be apart.
    #[serde(default, deserialize_with = "decimal")]
    pub within: Quantity,
    /// How far the instants may be apart; a day where nothing is said.
    #[serde(default = "minutes_of_a_day")]
    pub window_minutes: u32,
    /// Which side has several movements for one of the other.
    #[serde(default)]
    pub many: Many,
    /// The likeness of several movements.
    #[serde(default)]
    pub group: Group,
}

/// Which side nets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Many {
    /// One movement of each.
    #[default]
    None,
    /// Several of ours are one of theirs: the provider nets.
    Ours,
    /// Several of theirs are one of ours.
    Theirs,
}

/// The likeness of several movements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Group {
    /// The day on which they count.
    #[default]
    Day,
    /// A name: an order's number, our operation.
    Name,
}

impl Default for ProviderRules {
    fn default() -> Self {
        let words = Words::default();
        Self { grace_minutes: 15, tariff: Quantity::ZERO, words }
    }
}

impl Default for SourceRules {
    fn default() -> Self {
        Self { grace_minutes: 60 }
    }
}

const fn minutes_of_a_day() -> u32 {
    24 * 60
}

impl ProviderRules {
    /// The class of a line that is no PIX, by its word.
    #[must_use]
    pub fn class_of(&self, word: Option<&str>) -> Class {
        let word = word.unwrap_or_default();
        let is = |words: &[String]| words.iter().any(|known| word.contains(&**known));
        if is(&self.words.fee) {
            Class::Fee
        } else if is(&self.words.own) {
            Class::Own
        } else if is(&self.words.payment) {
            Class::Payment
        } else {
            Class::Other
        }
    }
}

impl Rules {
    /// Reads the text of a file.
    ///
    /// # Errors
    ///
    /// [`FileError`] naming the line and column of the first fault.
    pub fn parse(file: &str, text: &str) -> Result<Self, FileError> {
        let rules: Self = from_toml(file, text)?;
        let mut names = HashSet::new();
        match rules.rules.iter().find(|rule| !names.insert(&rule.name)) {
            None => Ok(rules),
            Some(rule) => {
                let place = text.rfind(&*rule.name).unwrap_or(0);
                let line = text[..place].matches('\n').count() as u64 + 1;
                let reason = format!("two rules are named \"{}\"", rule.name);
                Err(FileError::one(file, line, 1, reason))
            }
        }
    }

    /// Tells whether a rule nets movements like this one by name, so that names alone pair none.
    #[must_use]
    pub fn nets_by_name(&self, movement: &TheirMovement) -> bool {
        let mut netting = self.rules.iter().filter(|rule| rule.many != Many::None);
        netting.any(|rule| rule.group == Group::Name && rule.takes_theirs(movement))
    }

    /// For how long two instants are of one movement although midnight is between them.
    #[must_use]
    pub const fn grace(&self, source: Source) -> Span {
        let minutes = match source {
            Source::Provider => self.provider.grace_minutes,
            Source::Chain => self.chain.grace_minutes,
            Source::Exchange => self.exchange.grace_minutes,
        };
        Span::seconds(minutes.saturating_mul(60))
    }
}

impl Rule {
    /// Tells whether the rule is for a movement of theirs.
    #[must_use]
    pub fn takes_theirs(&self, movement: &TheirMovement) -> bool {
        let account = &movement.account;
        let word = || movement.word.as_deref().unwrap_or_default();
        let to = |address: &String| {
            let spelled = canonical::wallet(&account.network, address);
            movement
                .address
                .as_deref()
                .is_some_and(|known| canonical::wallet(&account.network, known) == spelled)
        };
        account.source == self.source
            && is_among(&self.theirs, movement.class)
            && self.direction.is_none_or(|direction| direction == movement.direction)
            && self.has_asset(&account.asset)
            && (self.words.is_empty() || self.words.iter().any(|known| word().contains(&**known)))
            && (self.counterparty.is_empty() || self.counterparty.iter().any(to))
    }

    /// Tells whether the rule is for a movement of ours.
    #[must_use]
    pub fn takes_ours(&self, movement: &OurMovement) -> bool {
        let id = || movement.id.as_deref().unwrap_or_default();
        movement.account.source == self.source
            && is_among(&self.ours, movement.class)
            && self.direction.is_none_or(|direction| direction == movement.direction)
            && self.has_asset(&movement.account.asset)
            && (self.our_ids.is_empty()
                || self.our_ids.iter().any(|begin| id().starts_with(&**begin)))
    }

    /// How far instants may be apart.
    #[must_use]
    pub const fn window(&self) -> Span {
        Span::seconds(self.window_minutes.saturating_mul(60))
    }

    fn has_asset(&self, asset: &str) -> bool {
        self.assets.is_empty() || self.assets.iter().any(|known| known.eq_ignore_ascii_case(asset))
    }
}

fn is_among(classes: &[Class], class: Class) -> bool {
    classes.is_empty() || classes.contains(&class)
}

fn decimal<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Quantity, D::Error> {
    let text = String::deserialize(deserializer)?;
    let amount = Quantity::parse(&text).filter(|amount| !amount.is_negative());
    amount.ok_or_else(|| D::Error::custom(format!("\"{text}\" is no decimal of zero or more")))
}

fn source<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Source, D::Error> {
    let text = String::deserialize(deserializer)?;
    let known = Source::ALL.into_iter().find(|source| source.name() == text);
    let words = "provider, chain and exchange";
    known.ok_or_else(|| D::Error::custom(format!("\"{text}\" is none of {words}")))
}

fn direction<'de, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Direction>, D::Error> {
    let text = String::deserialize(deserializer)?;
    let known = [Direction::In, Direction::Out].into_iter().find(|it| it.name() == text);
    known.map(Some).ok_or_else(|| D::Error::custom(format!("\"{text}\" is neither in nor out")))
}

fn classes<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Vec<Class>, D::Error> {
    let names = Vec::<String>::deserialize(deserializer)?;
    let class = |name: String| {
        let known = Class::parse(&name);
        known.ok_or_else(|| D::Error::custom(format!("\"{name}\" is no class of movements")))
    };
    names.into_iter().map(class).collect()
}
