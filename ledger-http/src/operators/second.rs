//! A second operator: which decisions want one, and those that wait for one, kept in the service's
//! tables.

use std::collections::BTreeMap;

use ledger_core::time::{Instant, Span};
use ledger_store::ServiceTables;
use ledger_store::projection::schema::table::Cell;
use ledger_store::projection::{TablesFailed, Target};
use ledger_store::vault::Person;
use serde_json::Value;

use super::connection::OperatorTables;

/// For how long a decision waits for a second operator.
pub(crate) const LAPSES: Span = Span::hours(24);

/// The table of what waits.
const TABLE: &str = "operator_proposals";

const MAKING: &str = "CREATE TABLE IF NOT EXISTS operator_proposals ( \
    ledger TEXT NOT NULL, decision TEXT NOT NULL, id TEXT NOT NULL, body TEXT NOT NULL, \
    proposed_by TEXT NOT NULL, proposed_at BIGINT NOT NULL, ended_by TEXT, outcome TEXT, \
    PRIMARY KEY (ledger, decision, id))";

/// Which decisions want a second operator, each about more than so many centavos.
#[derive(Clone, Debug, Default)]
pub(crate) struct SecondOperator(BTreeMap<String, i64>);

impl SecondOperator {
    pub(crate) fn above(bounds: impl IntoIterator<Item = (String, i64)>) -> Self {
        Self(bounds.into_iter().collect())
    }

    /// Tells whether one wants it about so much; none is an amount that nobody can count in
    /// centavos.
    pub(crate) fn is_wanted(&self, decision: &str, cents: Option<i64>) -> bool {
        self.0.get(decision).is_some_and(|bound| cents.is_none_or(|cents| cents > *bound))
    }
}

/// A decision as it is known: by its ledger's label, its name and its own id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DecisionKey {
    pub(crate) ledger: String,
    pub(crate) decision: String,
    pub(crate) id: String,
}

/// A decision that one operator proposed, and another may confirm.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Proposed {
    pub(crate) key: DecisionKey,
    /// The fact's fields without `actor`; empty once it ended.
    pub(crate) body: Value,
    pub(crate) by: String,
    pub(crate) at: Instant,
    /// Who confirms it, and is not known to have been answered.
    pub(crate) confirming: Option<String>,
    /// Who ended it, and as what: `confirmed`, `declined`, or by nobody `erased`.
    pub(crate) ended: Option<(String, String)>,
}

impl Proposed {
    /// Until when it may be confirmed.
    pub(crate) fn until(&self) -> Instant {
        self.at.after(LAPSES)
    }

    /// Tells whether it still waits.
    pub(crate) fn waits(&self, now: Instant) -> bool {
        self.ended.is_none() && now < self.until()
    }
}

/// The table, of one connection. Its methods block.
pub(crate) struct ProposalStore(ServiceTables);

impl OperatorTables for ProposalStore {
    fn open(target: &Target) -> Result<Self, TablesFailed> {
        Ok(Self(ServiceTables::open(target, TABLE, &[MAKING])?))
    }

    fn existing(target: &Target) -> Result<Option<Self>, TablesFailed> {
        Ok(ServiceTables::existing(target, TABLE)?.map(Self))
    }
}

impl ProposalStore {
    /// Keeps a proposal in the place of one that ended or lapsed; `false` where another waits.
    pub(super) fn propose(&mut self, proposed: &Proposed) -> Result<bool, TablesFailed> {
        let lapsed = since(proposed.at);
        // What a person wrote is kept no longer than it is wanted.
        let empty = "UPDATE operator_proposals SET body = '{}' WHERE proposed_at <= $1";
        let insert = "INSERT INTO operator_proposals \
            (ledger, decision, id, body, proposed_by, proposed_at, ended_by, outcome) \
            VALUES ($1, $2, $3, $4, $5, $6, NULL, NULL) \
            ON CONFLICT (ledger, decision, id) DO UPDATE SET body = excluded.body, \
            proposed_by = excluded.proposed_by, proposed_at = excluded.proposed_at, \
            ended_by = NULL, outcome = NULL \
            WHERE operator_proposals.outcome <> 'confirming' OR operator_proposals.proposed_at <= $7";
        let mut values = key_cells(&proposed.key).to_vec();
        values.extend([
            proposed.body.to_string().into(),
            (&*proposed.by).into(),
            proposed.at.micros().into(),
            lapsed.into(),
        ]);
        self.0.write(&[(empty.to_owned(), vec![lapsed.into()])])?;
        Ok(self.0.write(&[(insert.to_owned(), values)])? == 1)
    }

    /// The last 200 of a ledger, the latest first.
    pub(super) fn all(&mut self, ledger: &str) -> Result<Vec<Proposed>, TablesFailed> {
        self.select(ledger, "ORDER BY proposed_at DESC, id LIMIT 200")
    }

    /// Those of a ledger whose words are still kept, the latest first.
    pub(super) fn with_words(&mut self, ledger: &str) -> Result<Vec<Proposed>, TablesFailed> {
        self.select(ledger, "AND body <> '{}' ORDER BY proposed_at DESC, id")
    }

    fn select(&mut self, ledger: &str, which: &str) -> Result<Vec<Proposed>, TablesFailed> {
        let sql = format!(
            "SELECT ledger, decision, id, body, proposed_by, proposed_at, ended_by, outcome \
            FROM operator_proposals WHERE ledger = $1 {which}"
        );
        let rows = self.0.read(&sql, &[ledger.into()])?;
        rows.iter().map(|row| parse_row(row).ok_or_else(malformed_row)).collect()
    }

    /// Claims one for whoever confirms it, before it is carried out: from then on nobody declines
    /// it, and nobody else confirms it. `false` where it waits no more.
    pub(super) fn claim(
        &mut self,
        proposed: &Proposed,
        by: &str,
        now: Instant,
    ) -> Result<bool, TablesFailed> {
        self.change(
            "ended_by = $4, outcome = 'confirming'",
            "proposed_at = $5 AND proposed_at > $6 AND (outcome IS NULL OR \
            outcome = 'confirming' AND ended_by = $4)",
            (&proposed.key, [by.into(), proposed.at.micros().into(), since(now).into()]),
        )
    }

    /// Lets one wait again that could not be carried out.
    pub(super) fn release(&mut self, key: &DecisionKey, by: &str) -> Result<bool, TablesFailed> {
        let condition = "outcome = 'confirming' AND ended_by = $4";
        self.change("ended_by = NULL, outcome = NULL", condition, (key, [by.into()]))
    }

    /// Ends one that was claimed and is carried out.
    pub(crate) fn confirm(&mut self, key: &DecisionKey) -> Result<bool, TablesFailed> {
        self.change("outcome = 'confirmed', body = '{}'", "outcome = 'confirming'", (key, []))
    }

    /// Declines one that waits; `false` where none of this key does, or somebody confirms it.
    pub(super) fn decline(
        &mut self,
        key: &DecisionKey,
        by: &str,
        now: Instant,
    ) -> Result<bool, TablesFailed> {
        self.change(
            "ended_by = $4, outcome = 'declined', body = '{}'",
            "outcome IS NULL AND proposed_at > $5",
            (key, [by.into(), since(now).into()]),
        )
    }

    /// Ends those that say something of a person, so that nothing of it is kept; says how many.
    pub(super) fn forget(&mut self, person: &Person) -> Result<usize, TablesFailed> {
        let sql = "UPDATE operator_proposals SET body = '{}', ended_by = '', outcome = 'erased' \
            WHERE ledger = $1 AND decision = $2 AND id = $3";
        let theirs = self.theirs(person)?;
        let one = |key: &Vec<Cell>| (sql.to_owned(), key.clone());
        self.0.write(&theirs.iter().map(one).collect::<Vec<_>>())?;
        Ok(theirs.len())
    }

    /// The keys of those that say something of a person.
    pub(super) fn theirs(&mut self, person: &Person) -> Result<Vec<Vec<Cell>>, TablesFailed> {
        let sql = "SELECT ledger, decision, id, body FROM operator_proposals WHERE body <> '{}'";
        let rows = self.0.read(sql, &[])?;
        let theirs = rows.iter().filter_map(|row| {
            let [key @ .., body] = &row[..] else { return None };
            let said: Value = serde_json::from_str(body.text()?).ok()?;
            is_said(&said, |text| person.is_in(text)).then(|| key.to_vec())
        });
        Ok(theirs.collect())
    }

    /// Changes one of this key where a condition holds; whether it did.
    fn change<const N: usize>(
        &mut self,
        changes: &str,
        condition: &str,
        (key, more): (&DecisionKey, [Cell; N]),
    ) -> Result<bool, TablesFailed> {
        let sql = format!(
            "UPDATE operator_proposals SET {changes} \
            WHERE ledger = $1 AND decision = $2 AND id = $3 AND {condition}"
        );
        let values = key_cells(key).into_iter().chain(more).collect();
        Ok(self.0.write(&[(sql, values)])? == 1)
    }
}

/// Tells whether a field of a decision's body holds such a text.
pub(super) fn is_said(body: &Value, is_such: impl Fn(&str) -> bool) -> bool {
    let mut texts = body.as_object().into_iter().flatten().filter_map(|(_, value)| value.as_str());
    texts.any(is_such)
}

/// Returns the instant, in microseconds: proposals made by then have lapsed.
fn since(now: Instant) -> i64 {
    now.micros().saturating_sub(i64::try_from(LAPSES.micros()).unwrap_or(i64::MAX))
}

fn key_cells(key: &DecisionKey) -> [Cell; 3] {
    [(&*key.ledger).into(), (&*key.decision).into(), (&*key.id).into()]
}

fn parse_row(row: &[Cell]) -> Option<Proposed> {
    let [ledger, decision, id, body, by, at, ended_by, outcome] = row else { return None };
    let text = |cell: &Cell| cell.text().map(str::to_owned);
    let (confirming, ended) = match text(ended_by).zip(text(outcome)) {
        Some((by, outcome)) if outcome == "confirming" => (Some(by), None),
        ended => (None, ended),
    };
    Some(Proposed {
        key: DecisionKey { ledger: text(ledger)?, decision: text(decision)?, id: text(id)? },
        body: serde_json::from_str(body.text()?).ok()?,
        by: text(by)?,
        at: Instant::from_micros(at.number()?)?,
        confirming,
        ended,
    })
}

fn malformed_row() -> TablesFailed {
    TablesFailed("a row of the operators' tables is malformed".into())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn noon() -> Instant {
        Instant::parse("2026-11-20T12:00:00Z").unwrap()
    }

    fn proposal(by: &str, at: Instant) -> Proposed {
        let (ledger, decision) = ("live".to_owned(), "fee.adjusted".to_owned());
        let key = DecisionKey { ledger, decision, id: "c-1".to_owned() };
        Proposed {
            key,
            body: json!({ "id": "c-1" }),
            by: by.to_owned(),
            at,
            confirming: None,
            ended: None,
        }
    }

    #[test]
    fn one_waits_until_it_is_ended_or_lapses_and_then_keeps_no_words() {
        let folder = tempfile::tempdir().unwrap();
        let target = Target::Sqlite(folder.path().join("ledger.db"));
        assert!(ProposalStore::existing(&target).unwrap().is_none());
        let mut store = ProposalStore::open(&target).unwrap();
        let first = proposal("bia", noon());
        assert!(store.propose(&first).unwrap());
        assert!(!store.propose(&proposal("eva", noon())).unwrap(), "another waits");
        assert_eq!(store.all("live").unwrap(), std::slice::from_ref(&first));
        assert_eq!(store.all("sandbox").unwrap(), []);
        assert!(store.decline(&first.key, "caio", noon()).unwrap());
        assert!(!store.decline(&first.key, "caio", noon()).unwrap());
        let ended = store.all("live").unwrap().remove(0);
        assert_eq!(ended.ended, Some(("caio".to_owned(), "declined".to_owned())));
        assert_eq!((&ended.body, ended.waits(noon())), (&json!({}), false));
        assert!(store.propose(&first).unwrap(), "it may be proposed again");
        let later = noon().after(LAPSES);
        assert!(!first.waits(later) && !store.decline(&first.key, "caio", later).unwrap());
        let other =
            Proposed { key: DecisionKey { id: "c-2".into(), ..first.key }, at: later, ..first };
        assert!(store.propose(&other).unwrap());
        let bodies: Vec<_> = store.all("live").unwrap().into_iter().map(|it| it.body).collect();
        assert_eq!(bodies, [json!({ "id": "c-1" }), json!({})], "what lapsed keeps no words");
    }

    #[test]
    fn whoever_claims_first_confirms_and_nobody_declines_meanwhile() {
        let folder = tempfile::tempdir().unwrap();
        let mut store =
            ProposalStore::open(&Target::Sqlite(folder.path().join("ledger.db"))).unwrap();
        let first = proposal("bia", noon());
        store.propose(&first).unwrap();
        assert!(store.claim(&first, "eva", noon()).unwrap());
        assert!(store.claim(&first, "eva", noon()).unwrap(), "she may try again");
        assert!(!store.claim(&first, "ana", noon()).unwrap());
        assert!(!store.decline(&first.key, "bia", noon()).unwrap());
        assert!(!store.propose(&first).unwrap());
        let waits = store.all("live").unwrap().remove(0);
        assert_eq!((waits.confirming.as_deref(), waits.waits(noon())), (Some("eva"), true));
        // What could not be carried out waits again, and may be declined.
        assert!(!store.release(&first.key, "ana").unwrap());
        assert!(store.release(&first.key, "eva").unwrap());
        assert_eq!(store.all("live").unwrap(), std::slice::from_ref(&first));
        assert!(!store.confirm(&first.key).unwrap(), "nobody claims it");
        assert!(store.claim(&first, "eva", noon()).unwrap());
        assert!(store.confirm(&first.key).unwrap());
        assert!(!store.decline(&first.key, "bia", noon()).unwrap());
        assert!(!store.claim(&first, "eva", noon()).unwrap());
    }

    #[test]
    fn what_waits_says_nothing_of_whoever_is_erased() {
        let folder = tempfile::tempdir().unwrap();
        let mut store =
            ProposalStore::open(&Target::Sqlite(folder.path().join("ledger.db"))).unwrap();
        let mut of_ana = proposal("bia", noon());
        of_ana.body = json!({ "id": "c-1", "reason": "ANA@example.com asked, 529.982.247-25" });
        store.propose(&of_ana).unwrap();
        let key = DecisionKey { id: "c-2".into(), ..of_ana.key.clone() };
        store.propose(&Proposed { key, ..proposal("bia", noon()) }).unwrap();
        for (person, forgotten) in [
            (Person::default().name("Rui"), 0),
            (Person::default().email("ana@example.com"), 1),
            (Person::default().email("ana@example.com"), 0),
        ] {
            assert_eq!(store.forget(&person).unwrap(), forgotten);
        }
        let waiting: Vec<_> = store
            .all("live")
            .unwrap()
            .into_iter()
            .map(|it| {
                let waits = it.waits(noon());
                (it.key.id, it.body, waits)
            })
            .collect();
        assert_eq!(
            waiting,
            [
                ("c-1".to_owned(), json!({}), false),
                ("c-2".to_owned(), json!({ "id": "c-1" }), true),
            ]
        );
    }

    #[test]
    fn a_second_is_wanted_above_the_bound_and_of_what_nobody_can_count() {
        let policy = SecondOperator::above([("fee.adjusted".to_owned(), 500)]);
        let wanted = [Some(500), Some(501), None].map(|of| policy.is_wanted("fee.adjusted", of));
        assert_eq!(wanted, [false, true, true]);
        assert!(!policy.is_wanted("hold.placed", None));
    }
}
