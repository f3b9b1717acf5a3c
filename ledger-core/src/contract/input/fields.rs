//! Reading a JSON object field by field; every complaint names the field (GEN-02).

use core::cell::RefCell;

use serde_json::{Map, Value};

use super::echo::mask_input;
use super::tokens::{Personal, Tokens};
use crate::contract::error::{Code, Problem, malformed_field, wrong};
use crate::contract::schema::field::{Field, FieldType};
use crate::id::{LedgerName, OpId, Token};
use crate::ledger::{LARGEST_AMOUNT, Malformed};
use crate::money::{Amount, Bps, Cents};
use crate::pix::Letters;
use crate::terms::{Policy, Switch};
use crate::time::Instant;

/// A JSON object being read, with the personal values it brought.
pub struct Fields<'a> {
    map: &'a Map<String, Value>,
    tokens: &'a Tokens,
    ledger: &'a LedgerName,
    personal: Vec<Personal>,
    reads: Option<&'a Reads>,
    /// What may be read: of a route or a fact, the fields that it declares in either list.
    declared: Option<[&'static [Field]; 2]>,
}

/// Which fields of a request's body were read, by their places in it, so that the answer can name
/// the others (rulings 55).
#[derive(Debug, Default)]
pub struct Reads(RefCell<Vec<usize>>);

/// The most fields that an answer names as ignored.
const MOST_NAMED: usize = 50;

impl Reads {
    fn note(&self, place: usize) {
        let mut read = self.0.borrow_mut();
        if !read.contains(&place) {
            read.push(place);
        }
    }

    /// The fields of `body` that nobody read, in the order they stand; at most 50 of them.
    #[must_use]
    pub fn ignored_fields(&self, body: &Value) -> Vec<String> {
        let read = self.0.borrow();
        let Some(map) = body.as_object() else { return Vec::new() };
        let unread = map.keys().enumerate().filter(|(place, _)| !read.contains(place));
        unread.take(MOST_NAMED).map(|(_, key)| mask_input(key)).collect()
    }
}

impl<'a> Fields<'a> {
    /// Reads `body`, which must be an object.
    ///
    /// # Errors
    ///
    /// A [`Problem`] when it is something else.
    pub fn new(
        body: &'a Value,
        tokens: &'a Tokens,
        ledger: &'a LedgerName,
    ) -> Result<Self, Problem> {
        let map = body.as_object();
        let map = map.ok_or_else(|| wrong("body", "must be a JSON object"))?;
        Ok(Self { map, tokens, ledger, personal: Vec::new(), reads: None, declared: None })
    }

    /// Lets nothing be read from now on but what a route or a fact declares.
    #[must_use]
    pub fn with_declared(self, declared: &'static [Field]) -> Self {
        Self { declared: Some([declared, &[]]), ..self }
    }

    /// Lets these be read besides.
    #[must_use]
    pub fn or_declared(self, besides: &'static [Field]) -> Self {
        Self { declared: self.declared.map(|[first, _]| [first, besides]), ..self }
    }

    /// Says in `reads` from now on which fields are read.
    #[must_use]
    pub fn noting(self, reads: &'a Reads) -> Self {
        Self { reads: Some(reads), ..self }
    }

    /// The personal values read so far.
    #[must_use]
    pub fn into_personal(self) -> Vec<Personal> {
        self.personal
    }

    /// The ledger whose operation ids are read.
    #[must_use]
    pub const fn ledger(&self) -> &'a LedgerName {
        self.ledger
    }

    /// Derives tokens under the vault's key, of personal values that the body brings.
    #[must_use]
    pub const fn tokens(&self) -> &'a Tokens {
        self.tokens
    }

    /// Remembers a personal value and gives its token.
    pub fn keep(&mut self, personal: Personal) -> Token {
        let token = personal.token;
        self.personal.push(personal);
        token
    }

    /// Refuses any field but those in `known`: facts are ours, so a misspelling is an error.
    ///
    /// # Errors
    ///
    /// A [`Problem`] naming the field.
    pub fn only(&self, known: &[Field]) -> Result<(), Problem> {
        let named = |key: &str| known.iter().any(|field| field.name == key);
        match self.map.keys().find(|key| !named(key)) {
            Some(key) if known.is_empty() => {
                Err(wrong(&mask_input(key), "is unknown: no field is known here"))
            }
            Some(key) => {
                let known: Vec<_> = known.iter().map(|field| field.name).collect();
                let known = known.join(", ");
                Err(wrong(&mask_input(key), &format!("is unknown here; known are {known}")))
            }
            None => Ok(()),
        }
    }

    /// A field's value; none when absent or null.
    #[must_use]
    pub fn value(&self, name: &str) -> Option<&'a Value> {
        let known = self.declared.is_none() || self.declaration(name).is_some();
        debug_assert!(known, "{name} is read and not declared");
        // Bodies have a few fields: comparing their names takes less time than hashing one.
        let mut fields = self.map.iter().enumerate();
        let (place, (_, value)) = fields.find(|(_, (key, _))| *key == name)?;
        if let Some(reads) = self.reads {
            reads.note(place);
        }
        Some(value).filter(|value| !value.is_null())
    }

    /// Text of 1 to `most` characters, if given (P:CharCount); of a field declared to name a
    /// transaction or a wallet, none but printable ASCII.
    ///
    /// # Errors
    ///
    /// A [`Problem`] when it is no string, empty, too long, or no such name.
    pub fn text(&self, name: &str, most: usize) -> Result<Option<&'a str>, Problem> {
        let Some(value) = self.value(name) else { return Ok(None) };
        let text = value.as_str().ok_or_else(|| wrong(name, "must be a string"))?;
        let checked = match self.declaration(name).map(|field| field.holds) {
            Some(FieldType::Reference(_)) => Malformed::reference(text, most),
            _ => Malformed::text(text, most),
        };
        checked.map_err(|why| malformed_field(name, why))?;
        Ok(Some(text))
    }

    /// The field of this name that the route or fact declares.
    fn declaration(&self, name: &str) -> Option<&'static Field> {
        self.declared?.into_iter().flatten().find(|field| field.name == name)
    }

    /// Text within the length that its field declares, if given.
    ///
    /// # Errors
    ///
    /// As [`Fields::text`].
    ///
    /// # Panics
    ///
    /// When the field is declared to hold something else.
    pub fn declared_text(&self, field: &Field) -> Result<Option<&'a str>, Problem> {
        match field.holds {
            FieldType::Text(most) | FieldType::Word(most) | FieldType::Reference(most) => {
                self.text(field.name, most)
            }
            _ => unreachable!("{} is no field of text", field.name),
        }
    }

    /// Text that must be given.
    ///
    /// # Errors
    ///
    /// A [`Problem`] when it is missing or not as [`Fields::text`] wants it.
    pub fn required_text(&self, name: &str, most: usize) -> Result<&'a str, Problem> {
        self.text(name, most)?.ok_or_else(|| missing(name))
    }

    /// A list of objects, each read by `read`, if given; what is wrong names the object's place.
    ///
    /// # Errors
    ///
    /// A [`Problem`] when it is no list, or one of it is no object or not as `read` wants it.
    pub fn objects<T>(
        &self,
        name: &str,
        read: impl Fn(&Fields<'_>) -> Result<T, Problem>,
    ) -> Result<Option<Vec<T>>, Problem> {
        let items = match self.value(name) {
            None => return Ok(None),
            Some(Value::Array(items)) => items,
            Some(_) => return Err(wrong(name, "must be an array of objects")),
        };
        let read = items.iter().enumerate().map(|(place, item)| {
            let item = Self::new(item, self.tokens, self.ledger);
            item.and_then(|item| read(&item)).map_err(|problem| inside(name, place, problem))
        });
        read.collect::<Result<_, _>>().map(Some)
    }

    /// Text that must be given, without the blanks and line breaks around it that come along when
    /// it is pasted: the length and all else are of what stands between them.
    ///
    /// # Errors
    ///
    /// A [`Problem`] when it is missing, or what is left is not as [`Fields::text`] wants it.
    pub fn pasted_text(&self, name: &str, most: usize) -> Result<&'a str, Problem> {
        let value = self.value(name).ok_or_else(|| missing(name))?;
        let text = value.as_str().ok_or_else(|| wrong(name, "must be a string"))?.trim();
        Malformed::text(text, most).map_err(|why| malformed_field(name, why))?;
        Ok(text)
    }

    /// A positive number of centavos that must be given, as a JSON integer.
    ///
    /// # Errors
    ///
    /// `amount_invalido` for 50.0, "50", zero, negatives, and more than a trillion reais.
    pub fn amount(&self, name: &str) -> Result<Amount, Problem> {
        self.amount_if(name)?.ok_or_else(|| missing(name))
    }

    /// A positive number of centavos, if given.
    ///
    /// # Errors
    ///
    /// As [`Fields::amount`].
    pub fn amount_if(&self, name: &str) -> Result<Option<Amount>, Problem> {
        let Some(value) = self.value(name) else { return Ok(None) };
        let amount = value.as_i64().filter(|cents| *cents <= LARGEST_AMOUNT).and_then(Amount::new);
        amount.map(Some).ok_or_else(|| no_cents(name, value, 1))
    }

    /// A number of centavos that may be zero, if given.
    ///
    /// # Errors
    ///
    /// As [`Fields::amount`], but zero passes.
    pub fn share_if(&self, name: &str) -> Result<Option<Cents>, Problem> {
        let Some(value) = self.value(name) else { return Ok(None) };
        let as_cents = value.as_i64().filter(|cents| *cents <= LARGEST_AMOUNT).and_then(Cents::new);
        as_cents.map(Some).ok_or_else(|| no_cents(name, value, 0))
    }

    /// A signed number of centavos other than zero that must be given.
    ///
    /// # Errors
    ///
    /// As [`Fields::amount`], but negatives pass.
    pub fn signed_cents(&self, name: &str) -> Result<i64, Problem> {
        let value = self.value(name).ok_or_else(|| missing(name))?;
        let countable = -LARGEST_AMOUNT..=LARGEST_AMOUNT;
        let cents = value.as_i64().filter(|cents| *cents != 0 && countable.contains(cents));
        cents.ok_or_else(|| no_cents(name, value, -LARGEST_AMOUNT))
    }

    /// A whole number up to `most`, if given.
    ///
    /// # Errors
    ///
    /// A [`Problem`] when it is anything else.
    pub fn whole_if(&self, name: &str, most: u16) -> Result<Option<u16>, Problem> {
        let Some(value) = self.value(name) else { return Ok(None) };
        let number = value.as_u64().and_then(|number| u16::try_from(number).ok());
        let number = number.filter(|number| *number <= most);
        number.map(Some).ok_or_else(|| wrong(name, &format!("must be a whole number up to {most}")))
    }

    /// A percentage in basis points, if given.
    ///
    /// # Errors
    ///
    /// A [`Problem`] when it is no whole number up to 10,000.
    pub fn bps_if(&self, name: &str) -> Result<Option<Bps>, Problem> {
        Ok(self.whole_if(name, 10_000)?.and_then(Bps::new))
    }

    /// A switch, if given.
    ///
    /// # Errors
    ///
    /// A [`Problem`] when it is no boolean.
    pub fn switch_if(&self, name: &str) -> Result<Option<Switch>, Problem> {
        let Some(value) = self.value(name) else { return Ok(None) };
        let on = value.as_bool().ok_or_else(|| wrong(name, "must be true or false"))?;
        Ok(Some(if on { Switch::On } else { Switch::Off }))
    }

    /// An instant, if given.
    ///
    /// # Errors
    ///
    /// A [`Problem`] when it is no RFC 3339 text with an offset.
    pub fn instant_if(&self, name: &str) -> Result<Option<Instant>, Problem> {
        let Some(text) = self.text(name, 40)? else { return Ok(None) };
        Instant::parse(text).map(Some).ok_or_else(|| {
            wrong(name, "must be an RFC 3339 instant with an offset, to the microsecond")
        })
    }

    /// An operation's id that must be given; none inside when it is no id of this ledger, so that
    /// a fact about it is set aside rather than lost.
    ///
    /// # Errors
    ///
    /// A [`Problem`] when it is missing or no string.
    pub fn operation(&self, name: &str) -> Result<Option<OpId>, Problem> {
        Ok(OpId::parse(self.required_text(name, 80)?, self.ledger))
    }

    /// The account's own id of 1 to 64 characters, if given (LIM-19).
    ///
    /// # Errors
    ///
    /// As [`Fields::text`].
    pub fn external_id(&self) -> Result<Option<Box<str>>, Problem> {
        Ok(self.text("external_id", 64)?.map(Into::into))
    }

    /// A subaccount's name of 1 to 80 characters, if given; never `casa` (P:CasaReserved).
    ///
    /// # Errors
    ///
    /// As [`Fields::text`], and for `casa`.
    pub fn customer(&self, name: &str) -> Result<Option<Box<str>>, Problem> {
        let Some(customer) = self.text(name, 80)? else { return Ok(None) };
        Malformed::customer(customer).map_err(|why| malformed_field(name, why))?;
        Ok(Some(customer.into()))
    }

    /// A subaccount's name where `casa`, or nothing, is the house (CUS-28).
    ///
    /// # Errors
    ///
    /// As [`Fields::text`].
    pub fn party(&self, name: &str) -> Result<Option<Box<str>>, Problem> {
        Ok(self.text(name, 80)?.filter(|customer| *customer != "casa").map(Into::into))
    }
}

/// A problem of an object in a list, with its place there.
pub fn inside(name: &str, place: usize, problem: Problem) -> Problem {
    Problem { detail: format!("{name}[{place}]: {}", problem.detail), ..problem }
}

/// A field that must be given and is not.
#[must_use]
pub fn missing(name: &str) -> Problem {
    malformed_field(name, Malformed::Missing)
}

fn no_cents(name: &str, value: &Value, least: i64) -> Problem {
    let what = match value.as_i64() {
        _ if !value.is_number() => ", not text",
        Some(0) if least < 0 => ", not zero",
        _ => "",
    };
    let most = LARGEST_AMOUNT;
    let detail = format!("{name} must be a JSON integer of centavos{what}, from {least} to {most}");
    Problem::new(Code::AmountInvalid, detail)
}

/// Tells whether a CNPJ may contain letters under this policy.
pub fn letters(policy: &Policy) -> Letters {
    if policy.cnpj_with_letters.is_on() { Letters::Accepted } else { Letters::Refused }
}
