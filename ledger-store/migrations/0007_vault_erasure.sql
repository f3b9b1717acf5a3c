-- Which values were erased, by token, and the last record of that moment: a value that is gone
-- without such a row was removed by somebody who writes to the file.
CREATE TABLE vault_erasure (
    ledger  INTEGER NOT NULL REFERENCES ledger (id),
    token   BLOB    NOT NULL CHECK (length(token) = 16),
    records INTEGER NOT NULL CHECK (records >= 0),
    PRIMARY KEY (ledger, token)
) STRICT, WITHOUT ROWID;

-- The record up to which nobody noted erasures; null in a ledger that was made with this.
ALTER TABLE ledger ADD COLUMN erasures_since INTEGER CHECK (erasures_since >= 0);

UPDATE ledger SET erasures_since = IFNULL((
    SELECT first + count - 1 FROM journal WHERE ledger = ledger.id ORDER BY first DESC LIMIT 1), 0);

CREATE TRIGGER ledger_keeps_its_erasures_since BEFORE UPDATE OF erasures_since ON ledger
BEGIN SELECT RAISE(ABORT, 'a ledger keeps since when its erasures are noted'); END;
