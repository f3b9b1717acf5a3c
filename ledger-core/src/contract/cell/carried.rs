//! What is carried of an account beside its balances, as a fact's body brings it.

use serde_json::{Value, json};

use crate::contract::error::{Problem, wrong};
use crate::contract::input::fields::{Fields, missing};
use crate::contract::input::tokens::{Sort, Tokens, Vault};
use crate::contract::schema::field::FieldType::{Text, Word};
use crate::contract::schema::field::{Field, required};
use crate::contract::views::Views;
use crate::hexadecimal::{bytes, digits};
use crate::id::{AccountId, Token};
use crate::ledger::{Archive, Carried, Refusal};

/// The most hexadecimal digits of what is carried.
pub(super) const LONGEST: usize = 262_144;

/// The most characters of one personal value.
const LONGEST_VALUE: usize = 4_096;

/// What both ledgers must hash alike.
const CHECKED: &str = "account.arriving";

/// A personal value that a token of the account stands for.
pub(super) const PERSONS: &[Field] = &[
    required("sort", Word(16), "tax_number, name, pix, text, email or credential"),
    required("value", Text(LONGEST_VALUE), "the value, which goes to the vault"),
];

/// What is carried, as the fields of the fact by which it arrives: it, and what shows that both
/// ledgers have one vault key.
#[must_use]
pub fn carried_body(carried: &Carried, tokens: &Tokens) -> Value {
    let bytes = minicbor::to_vec(carried).expect("what is encoded to memory can be written");
    json!({ "carried": digits(&bytes), "vault_check": vault_check(tokens) })
}

impl<A: Archive, V: Vault> Views<'_, A, V> {
    /// The body of the fact by which an account that leaves this ledger arrives in another, but for
    /// its id; none where it is not leaving, or has no key.
    ///
    /// It holds the account's personal values in clear: they go from vault to vault.
    #[must_use]
    pub fn arriving(&self, account: AccountId, tokens: &Tokens) -> Option<Value> {
        let known = self.state.account(account)?;
        known.residence.bound_for()?;
        let carried = Carried::from_account(known, self.state.usage(account))?;
        let persons: Vec<Value> = tokens_of(&carried)
            .filter_map(|token| {
                let value = self.vault.value(token)?;
                let sort =
                    Sort::ALL.into_iter().find(|sort| tokens.token(*sort, value) == token)?;
                Some(json!({ "sort": word(sort), "value": value }))
            })
            .collect();
        let mut body = carried_body(&carried, tokens);
        body["account"] = (*known.name).into();
        body["ledger"] = (*self.state.name).into();
        body["persons"] = persons.into();
        Some(body)
    }
}

impl<A: Archive, V: Vault> Views<'_, A, V> {
    /// Refuses to show the balances of an account that are not all here.
    pub(in crate::contract) fn balances_are_here(&self, account: AccountId) -> Result<(), Problem> {
        if self.state.has_balances_of(account) { Ok(()) } else { Err(Refusal::AccountMoves.into()) }
    }
}

/// What is carried, from a fact's body, with the persons it names.
pub(super) fn read(fields: &mut Fields<'_>) -> Result<Box<Carried>, Problem> {
    let (text, checked) =
        (fields.required_text("carried", LONGEST)?, fields.required_text("vault_check", 16)?);
    if checked != vault_check(fields.tokens()) {
        let why =
            "the ledger it leaves has another vault key: a key and its tokens mean nothing here";
        return Err(wrong("vault_check", why));
    }
    let malformed = || wrong("carried", "must be what a ledger gave, in hexadecimal digits");
    let bytes = bytes(text).ok_or_else(malformed)?;
    let carried: Carried = minicbor::decode(&bytes).map_err(|_| malformed())?;
    let persons = match fields.value("persons") {
        None => &[][..],
        Some(persons) => {
            persons.as_array().ok_or_else(|| wrong("persons", "must be an array of objects"))?
        }
    };
    let mut kept = Vec::new();
    for person in persons {
        let person = Fields::new(person, fields.tokens(), fields.ledger())?;
        person.only(PERSONS)?;
        let sort = person.required_text("sort", 16)?;
        let sort = Sort::ALL.into_iter().find(|known| word(*known) == sort);
        let sort = sort.ok_or_else(|| wrong("persons", "names a sort that is none"))?;
        let value = person.required_text("value", LONGEST_VALUE)?;
        let personal = fields.tokens().personal_value(sort, value);
        let personal =
            personal.ok_or_else(|| wrong("persons", "has a value that is none of its sort"))?;
        if !tokens_of(&carried).any(|token| token == personal.token) {
            return Err(wrong("persons", "names somebody that the account does not"));
        }
        kept.push(personal);
    }
    for personal in kept {
        fields.keep(personal);
    }
    Ok(Box::new(carried))
}

/// The tokens of everybody that what is carried names.
fn tokens_of(carried: &Carried) -> impl Iterator<Item = Token> + '_ {
    let owner = carried.owner.iter();
    let owner =
        owner.flat_map(|owner| [owner.name, owner.email, owner.responsible, owner.document]);
    let credentials = carried.credentials;
    let replaced = carried.replaced_secret.map(|replaced| replaced.secret);
    owner.chain([credentials.webhook, credentials.secret, credentials.monitor, replaced]).flatten()
}

/// What two ledgers say alike that have one vault key, so that keys and tokens mean the same in
/// both.
#[must_use]
pub fn vault_check(tokens: &Tokens) -> String {
    format!("{:016x}", tokens.line(CHECKED))
}

const fn word(sort: Sort) -> &'static str {
    match sort {
        Sort::Document => "tax_number",
        Sort::Name => "name",
        Sort::PixKey => "pix",
        Sort::Text => "text",
        Sort::Email => "email",
        Sort::Credential => "credential",
    }
}

/// A body's `ledger`: the other one's name.
pub(super) fn ledger(fields: &Fields<'_>) -> Result<Box<str>, Problem> {
    fields.text("ledger", 80)?.map(Into::into).ok_or_else(|| missing("ledger"))
}
