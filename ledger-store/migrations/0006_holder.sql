-- Who took a ledger over last, as JSON: its process, its host, since when, and whether it holds the
-- lock of a file. A writer without a lease has a row whose lease has lapsed since 1970.
ALTER TABLE ledger_lease ADD COLUMN holder TEXT;
