-- Who took a ledger over last, as JSON: its process, its host, since when, and whether its session
-- holds an advisory lock. A writer without a lease has a row whose lease has lapsed since 1970.
ALTER TABLE ledger_lease ADD COLUMN holder text;
