//! Facts of accounts and their keys: opened, replaced, revoked.

use crate::contract::account::terms_fact::{TERMS, merge_terms};
use crate::contract::agent::fact::ACTIVATED;
use crate::contract::error::Problem;
use crate::contract::fact::parts::{ACCOUNT, ACTOR, EVIDENCE, ID, REASON, account, decided_by};
use crate::contract::fact::shape::{FactShape, ReadContext, Subject};
use crate::contract::input::fields::Fields;
use crate::contract::input::secret::Secret;
use crate::contract::schema::bounds::checked;
use crate::contract::schema::field::FieldType::Object;
use crate::contract::schema::field::optional;
use crate::id::KeyHash;
use crate::ledger::account::Fact as AccountFact;
use crate::ledger::agent::Fact as AgentFact;
use crate::ledger::{Fact, FactKind};
use crate::terms::Terms;

checked!(enum AccountFact {
    Opened { name: ACCOUNT },
    TermsAdopted { account: ACCOUNT },
    KeyReplaced { account: ACCOUNT },
    KeyRevoked { account: ACCOUNT },
} else PolicyAdopted);

/// Facts by which operators open accounts, and replace or revoke their keys.
pub const FACTS: &[FactShape] = &[
    FactShape {
        kind: FactKind::AccountOpened,
        name: "account.opened",
        subject: Subject::Account,
        meaning: "An API account was opened. `supplied.key` brings its key; without it, \
                  `supplied.entropy` (64 hex digits) makes one, which the answer shows once, in \
                  `api_key`.",
        fields: &[
            ID,
            ACCOUNT,
            optional("terms", Object(TERMS), "terms that differ from the published ones"),
        ],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"account.opened","environment":"live","body":{"id":"acc-1","account":"loja"},"supplied":{"key":"svc_live_loja"}}"#,
        read: read_opening,
    },
    FactShape {
        kind: FactKind::KeyReplaced,
        name: "key.replaced",
        subject: Subject::Account,
        meaning: "An operator gave an account another key, for one that was lost or revoked. \
                  `supplied.key` brings it; without it, `supplied.entropy` (64 hex digits) makes \
                  one, which the answer shows once, in `api_key`.",
        fields: &[ID, ACCOUNT, ACTOR, REASON, EVIDENCE],
        example: r#"{"at":"2026-11-22T12:00:00Z","fact":"key.replaced","body":{"id":"rep-1","account":"loja","actor":"bia","reason":"key lost"},"supplied":{"key":"svc_live_loja_2"}}"#,
        read: |fields, context| {
            let key = Secret::from_supply(context.supplied, fields.ledger().environment())?;
            Ok(Fact::Account(AccountFact::KeyReplaced {
                account: account(fields)?,
                key: fields.tokens().api_key(key.expose()),
                decided_by: decided_by(fields)?,
            }))
        },
    },
    FactShape {
        kind: FactKind::KeyRevoked,
        name: "key.revoked",
        subject: Subject::Account,
        meaning: "An operator took an account's key: nothing opens the account until key.replaced.",
        fields: &[ID, ACCOUNT, ACTOR, REASON, EVIDENCE],
        example: r#"{"at":"2026-11-22T12:00:00Z","fact":"key.revoked","body":{"id":"rev-1","account":"loja","actor":"bia","reason":"published by mistake"}}"#,
        read: |fields, _| {
            Ok(Fact::Account(AccountFact::KeyRevoked {
                account: account(fields)?,
                decided_by: decided_by(fields)?,
            }))
        },
    },
];

/// Which field of a fact, by the fact's name, names the account that it opens; none of a fact that
/// opens no account.
#[must_use]
pub fn opened_account(fact: &str) -> Option<&'static str> {
    match fact {
        "account.opened" => Some("account"),
        // An agent's account bears the agent's id.
        ACTIVATED => Some("agent_id"),
        _ => None,
    }
}

/// The key that a fact brings to an account, if it does.
#[must_use]
pub fn key_of(fact: &Fact) -> Option<KeyHash> {
    match fact.bare() {
        Fact::Account(AccountFact::Opened { key, .. } | AccountFact::KeyReplaced { key, .. }) => {
            Some(*key)
        }
        Fact::Agent(AgentFact::Activated(newcomer)) => Some(newcomer.key),
        _ => None,
    }
}

fn read_opening(fields: &mut Fields<'_>, context: &ReadContext<'_>) -> Result<Fact, Problem> {
    let name = account(fields)?;
    let terms = match fields.value("terms") {
        Some(body) => {
            let inner = Fields::new(body, fields.tokens(), fields.ledger())?;
            inner.only(TERMS)?;
            // What names nothing of its own has what is published.
            let published = Terms::published_at(context.at);
            Some(merge_terms(&inner, published)?).filter(|terms| *terms != published)
        }
        None => None,
    };
    let key = Secret::from_supply(context.supplied, fields.ledger().environment())?;
    Ok(Fact::Account(AccountFact::Opened {
        name,
        key: fields.tokens().api_key(key.expose()),
        terms,
    }))
}
