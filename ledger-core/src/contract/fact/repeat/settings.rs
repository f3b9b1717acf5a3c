//! Policies, terms and settings of the wallet, which name only what changes: a field says the same
//! where it changes nothing of what the record adopted.

use serde_json::{Map, Value};

use crate::contract::account::policy_fact::{POLICY, merge_policy};
use crate::contract::account::terms_fact::{TERMS, merge_terms};
use crate::contract::fact::shape::FactShape;
use crate::contract::input::fields::Fields;
use crate::contract::schema::field::Field;
use crate::contract::wallet::settings_fact::{SETTINGS, merge_settings};
use crate::ledger::{Archive, Event, FactKind, Ledger, Record};
use crate::terms::WalletSettings;

/// The fields of a body that change something of what the record adopted.
pub(super) fn differing_settings<A: Archive>(
    shape: &FactShape,
    fields: &Fields<'_>,
    ledger: &Ledger<A>,
    record: &Record,
) -> Vec<&'static str> {
    let adopted = record.events.iter().find_map(|event| match (shape.kind, event) {
        (FactKind::AccountOpened, Event::AccountOpened { terms, .. }) => {
            let same = fields.value("terms").is_none_or(|body| {
                let inner = Fields::new(body, fields.tokens(), fields.ledger());
                inner.and_then(|inner| merge_terms(&inner, **terms)).is_ok_and(|t| t == **terms)
            });
            Some(if same { Vec::new() } else { vec!["terms"] })
        }
        (FactKind::TermsAdopted, Event::TermsAdopted { terms, .. }) => {
            Some(changing(TERMS, fields, |one| {
                merge_terms(one, **terms).is_ok_and(|merged| merged == **terms)
            }))
        }
        (FactKind::PolicyAdopted, Event::PolicyAdopted(policy)) => {
            Some(changing(POLICY, fields, |one| {
                merge_policy(one, policy).is_ok_and(|merged| merged == **policy)
            }))
        }
        (FactKind::WalletConfigured, Event::PolicyAdopted(policy)) => {
            let settings = policy.wallet.as_deref()?;
            Some(changing(SETTINGS, fields, |one| {
                let merged = merge_settings(one, &ledger.state, settings.clone());
                // A token that was listed since is none of the fields.
                merged.is_ok_and(|merged| {
                    WalletSettings { usdc: settings.usdc, ..merged } == *settings
                })
            }))
        }
        _ => None,
    });
    adopted.unwrap_or_default()
}

/// The declared fields of a body that alone change something, where the whole does.
fn changing(
    declared: &[Field],
    fields: &Fields<'_>,
    changes_nothing: impl Fn(&Fields<'_>) -> bool,
) -> Vec<&'static str> {
    if changes_nothing(fields) {
        return Vec::new();
    }
    let changes = |field: &&Field| {
        let given = field.name != "id";
        fields.value(field.name).filter(|_| given).is_some_and(|value| {
            let alone = Map::from_iter([(field.name.to_owned(), value.clone())]);
            let alone = Value::Object(alone);
            let read = Fields::new(&alone, fields.tokens(), fields.ledger());
            !read.is_ok_and(|one| changes_nothing(&one))
        })
    };
    declared.iter().filter(changes).map(|field| field.name).collect()
}
