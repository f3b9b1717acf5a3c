//! What is answered as JSON beside the pages: what a ledger was created with, and values of its
//! vault; written and read in one place.

use ledger_core::id::{Designation, Environment};
use ledger_store::journal::{Identity, Token};
use ledger_store::{Algorithm, Head, VaultRow};
use serde_json::{Value, json};

use ledger_core::hexadecimal::{bytes, digits};

/// The most values that are asked for at once.
pub(super) const MOST_VALUES: usize = 1_000;

/// Returns what a ledger was created with, and where it ends.
pub(super) fn identity(name: &str, identity: &Identity, head: Head) -> Value {
    let Identity { algorithm, vault_key, designation } = identity;
    let chosen = match designation {
        Designation::Chosen(environment) => Some(environment.name()),
        Designation::ByName => None,
    };
    json!({ "ledger": name, "environment": chosen, "hash": algorithm.tag(),
        "vault_key": digits(vault_key),
        "head": { "record": head.seq, "link": head.link.to_string() } })
}

/// Returns what it was created with, read; none where it is not what [`identity`] writes.
pub(super) fn read_identity(name: &str, body: &Value) -> Option<Identity> {
    if body["ledger"] != name {
        return None;
    }
    let designation = match &body["environment"] {
        Value::Null => Designation::ByName,
        said => {
            let named = |known: &Environment| said == known.name();
            Designation::Chosen(Environment::ALL.into_iter().find(named)?)
        }
    };
    let algorithm = u8::try_from(body["hash"].as_u64()?).ok()?;
    let algorithm = Algorithm::try_from(algorithm).ok()?;
    Some(Identity { algorithm, vault_key: array(&body["vault_key"])?, designation })
}

/// The tokens whose values are asked for.
pub(super) fn tokens(tokens: &[Token]) -> Value {
    json!({ "tokens": tokens.iter().map(|token| digits(token)).collect::<Vec<_>>() })
}

/// The same, read; none where one of them is no token, or there are too many.
pub(super) fn read_tokens(body: &Value) -> Option<Vec<Token>> {
    let tokens = body["tokens"].as_array().filter(|tokens| tokens.len() <= MOST_VALUES)?;
    tokens.iter().map(array).collect()
}

/// Values as the vault keeps them.
pub(super) fn values(rows: &[VaultRow]) -> Value {
    let shown = |row: &VaultRow| {
        let VaultRow { token, kind, value, mask } = row;
        json!({ "token": digits(token), "kind": kind, "value": value, "mask": mask })
    };
    json!({ "values": rows.iter().map(shown).collect::<Vec<_>>() })
}

/// The same, read; none where one of them is not what [`values`] writes.
pub(super) fn read_values(body: &Value) -> Option<Vec<VaultRow>> {
    let row = |row: &Value| {
        Some(VaultRow {
            token: array(&row["token"])?,
            kind: u8::try_from(row["kind"].as_u64()?).ok()?,
            value: row["value"].as_str()?.to_owned(),
            mask: row["mask"].as_str()?.to_owned(),
        })
    };
    body["values"].as_array()?.iter().map(row).collect()
}

/// So many bytes, which a text gives in hexadecimal digits.
fn array<const N: usize>(text: &Value) -> Option<[u8; N]> {
    bytes(text.as_str()?)?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use ledger_store::Chain;

    use super::*;

    #[test]
    fn what_a_ledger_was_created_with_reads_back() {
        for designation in [
            Designation::ByName,
            Designation::Chosen(Environment::Live),
            Designation::Chosen(Environment::Sandbox),
        ] {
            for algorithm in [Algorithm::Blake3, Algorithm::Sha256] {
                let made = Identity { algorithm, vault_key: [0xa7; 32], designation };
                let head = Head::from_chain(&Chain::genesis(algorithm, "loja"));
                let said = identity("loja", &made, head);
                assert_eq!(said["head"]["link"].as_str().unwrap().parse(), Ok(head.link));
                let read = read_identity("loja", &said).unwrap();
                assert_eq!((read.algorithm, read.vault_key), (algorithm, [0xa7; 32]));
                assert_eq!(read.designation, designation);
                assert!(read_identity("live", &said).is_none());
            }
        }
    }

    #[test]
    fn values_and_their_tokens_read_back_and_too_many_do_not() {
        let row = |kind: u8| VaultRow {
            token: [kind; 16],
            kind,
            value: format!("ana {kind}"),
            mask: "a***".to_owned(),
        };
        let rows: Vec<_> = [0, 3, 255].map(row).into();
        assert!(read_values(&values(&rows)).as_ref() == Some(&rows));
        let asked: Vec<Token> = rows.iter().map(|row| row.token).collect();
        assert_eq!(read_tokens(&tokens(&asked)), Some(asked));
        assert_eq!(read_tokens(&tokens(&vec![[1; 16]; MOST_VALUES + 1])), None);
        for wrong in [json!({}), json!({ "tokens": ["ab"] }), json!({ "tokens": ["é".repeat(32)] })]
        {
            assert_eq!(read_tokens(&wrong), None, "{wrong}");
        }
    }
}
