-- Which values were erased, by token, and the last record of that moment: a value that is gone
-- without such a row was removed by somebody who writes to the database.
CREATE TABLE vault_erasure (
    ledger  text COLLATE "C" NOT NULL,
    token   bytea  NOT NULL CHECK (length(token) = 16),
    records bigint NOT NULL CHECK (records >= 0),
    PRIMARY KEY (ledger, token)
);

-- The record up to which nobody noted erasures; null in a ledger that was made with this.
ALTER TABLE ledger ADD COLUMN erasures_since bigint CHECK (erasures_since >= 0);

UPDATE ledger SET erasures_since = coalesce((
    SELECT first + count - 1 FROM journal WHERE journal.ledger = ledger.ledger
    ORDER BY first DESC LIMIT 1), 0);
