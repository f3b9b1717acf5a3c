//! Certificates of erasures through the service: each under the id of its decision, for ever.
//!
//! One names no person, so no erasure reaches it. Its row is made before anything is erased: what
//! cannot be certified is not erased.

use std::collections::BTreeSet;
use std::sync::Arc;

use ledger_store::ServiceTables;
use ledger_store::projection::schema::table::Cell;
use ledger_store::projection::{TablesFailed, Target};

use crate::operators::connection::OperatorTables;
use crate::operators::{Operators, OperatorsFailed};

const TABLE: &str = "operator_certificates";

const MAKING: &str = "CREATE TABLE IF NOT EXISTS operator_certificates ( \
    ledger TEXT NOT NULL, id TEXT NOT NULL, certificate TEXT NOT NULL, PRIMARY KEY (ledger, id))";

/// The table, of one connection. Its methods block.
pub(crate) struct CertificateStore(ServiceTables);

impl OperatorTables for CertificateStore {
    fn open(target: &Target) -> Result<Self, TablesFailed> {
        Ok(Self(ServiceTables::open(target, TABLE, &[MAKING])?))
    }

    fn existing(target: &Target) -> Result<Option<Self>, TablesFailed> {
        Ok(ServiceTables::existing(target, TABLE)?.map(Self))
    }
}

impl CertificateStore {
    /// Keeps the certificate of a decision, empty while its erasure is under way.
    pub(crate) fn keep(
        &mut self,
        ledger: &str,
        id: &str,
        certificate: &str,
    ) -> Result<(), TablesFailed> {
        let sql = "INSERT INTO operator_certificates (ledger, id, certificate) \
            VALUES ($1, $2, $3) ON CONFLICT (ledger, id) DO UPDATE SET \
            certificate = excluded.certificate WHERE operator_certificates.certificate = ''";
        let values = vec![ledger.into(), id.into(), certificate.into()];
        self.0.write(&[(sql.to_owned(), values)]).map(drop)
    }

    /// The ids of a ledger's decisions that have one.
    pub(crate) fn ids(&mut self, ledger: &str) -> Result<BTreeSet<String>, TablesFailed> {
        let sql = "SELECT id FROM operator_certificates WHERE ledger = $1 AND certificate <> ''";
        let rows = self.0.read(sql, &[ledger.into()])?;
        Ok(rows.iter().filter_map(|row| row.first()?.text().map(str::to_owned)).collect())
    }

    /// Reads the certificate of a decision; none of one whose erasure did not end.
    pub(crate) fn of_decision(
        &mut self,
        ledger: &str,
        id: &str,
    ) -> Result<Option<String>, TablesFailed> {
        let sql = "SELECT certificate FROM operator_certificates \
            WHERE ledger = $1 AND id = $2 AND certificate <> ''";
        let rows = self.0.read(sql, &[ledger.into(), id.into()])?;
        Ok(rows.first().and_then(|row| row.first()).and_then(Cell::text).map(str::to_owned))
    }
}

impl Operators {
    /// Keeps the certificate of an erasure, empty while it is under way. Blocks.
    pub(crate) fn keep_certificate(
        &self,
        (ledger, id): (&str, &str),
        certificate: &str,
    ) -> Result<(), OperatorsFailed> {
        Ok(self.0.certificates.with_tables(|store| store.keep(ledger, id, certificate))?)
    }

    /// The ids of a ledger's decisions that have a certificate.
    pub(crate) async fn certified_ids(
        &self,
        ledger: &str,
    ) -> Result<BTreeSet<String>, OperatorsFailed> {
        let (shared, ledger) = (Arc::clone(&self.0), ledger.to_owned());
        let read = move || shared.certificates.existing(|store| store.ids(&ledger));
        Ok(tokio::task::spawn_blocking(read).await??.unwrap_or_default())
    }

    /// Reads the certificate of the erasure that was decided under an id.
    pub(crate) async fn certificate(
        &self,
        ledger: &str,
        id: &str,
    ) -> Result<Option<String>, OperatorsFailed> {
        let (shared, ledger, id) = (Arc::clone(&self.0), ledger.to_owned(), id.to_owned());
        let read = move || shared.certificates.existing(|store| store.of_decision(&ledger, &id));
        Ok(tokio::task::spawn_blocking(read).await??.flatten())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_certificate_is_kept_once_its_erasure_ended_and_changes_no_more() {
        let folder = tempfile::tempdir().unwrap();
        let target = Target::Sqlite(folder.path().join("ledger.db"));
        assert!(CertificateStore::existing(&target).unwrap().is_none());
        let mut store = CertificateStore::open(&target).unwrap();
        store.keep("live", "e-1", "").unwrap();
        assert_eq!(store.of_decision("live", "e-1").unwrap(), None, "the erasure is under way");
        for certificate in ["the first", "", "another"] {
            store.keep("live", "e-1", certificate).unwrap();
        }
        assert_eq!(store.of_decision("live", "e-1").unwrap().as_deref(), Some("the first"));
        assert_eq!(store.of_decision("sandbox", "e-1").unwrap(), None);
        assert_eq!(store.ids("live").unwrap(), BTreeSet::from(["e-1".to_owned()]));
    }
}
