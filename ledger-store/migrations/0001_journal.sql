-- One file holds several ledgers, each with its own total order, writer and vault.
CREATE TABLE ledger (
    id        INTEGER PRIMARY KEY,
    name      TEXT    NOT NULL UNIQUE,
    algorithm INTEGER NOT NULL,            -- hash of the chain: 1 BLAKE3, 2 SHA-256
    epoch     INTEGER NOT NULL DEFAULT 0,  -- raised by every writer that takes over
    vault_key BLOB    NOT NULL CHECK (length(vault_key) = 32)
) STRICT;

-- The rows of records. The head of a ledger is its last row: there is no second place to keep it.
-- The payload comes last, so that reading the head does not touch its overflow pages.
-- The table keeps its rowid: without it, rows of a thousand records take twice as long to append.
CREATE TABLE journal (
    ledger  INTEGER NOT NULL REFERENCES ledger (id),
    first   INTEGER NOT NULL CHECK (first >= 1),
    count   INTEGER NOT NULL CHECK (count BETWEEN 1 AND 1000),
    link    BLOB    NOT NULL CHECK (length(link) = 32),
    payload BLOB    NOT NULL,
    PRIMARY KEY (ledger, first)
) STRICT;

-- Personal data under tokens, beside the journal so that it can be erased.
CREATE TABLE vault (
    ledger INTEGER NOT NULL REFERENCES ledger (id),
    token  BLOB    NOT NULL CHECK (length(token) = 16),
    kind   INTEGER NOT NULL,
    value  TEXT    NOT NULL,
    mask   TEXT    NOT NULL,
    PRIMARY KEY (ledger, token)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER journal_is_never_updated BEFORE UPDATE ON journal
BEGIN SELECT RAISE(ABORT, 'the journal is append-only: no update'); END;

CREATE TRIGGER journal_is_never_deleted BEFORE DELETE ON journal
BEGIN SELECT RAISE(ABORT, 'the journal is append-only: no delete'); END;

-- Also closes the way around the triggers above: INSERT OR REPLACE deletes without firing them,
-- by the row's key or by its rowid. (NEW.rowid is -1 here where the statement gave none.)
CREATE TRIGGER journal_has_no_gap BEFORE INSERT ON journal
WHEN NEW.first IS NOT IFNULL(
    (SELECT first + count FROM journal WHERE ledger = NEW.ledger ORDER BY first DESC LIMIT 1), 1)
    OR EXISTS (SELECT 1 FROM journal WHERE rowid = NEW.rowid)
BEGIN SELECT RAISE(ABORT, 'the journal is append-only: a row begins where the last one ended'); END;

-- What a chain and its tokens were derived from cannot change under them.
CREATE TRIGGER ledger_is_never_redefined
BEFORE UPDATE OF id, name, algorithm, vault_key ON ledger
BEGIN SELECT RAISE(ABORT, 'a ledger keeps its name, hash algorithm and vault key'); END;

CREATE TRIGGER ledger_is_never_deleted BEFORE DELETE ON ledger
BEGIN SELECT RAISE(ABORT, 'a ledger is never deleted'); END;

-- INSERT OR REPLACE would delete without firing the trigger above.
CREATE TRIGGER ledger_is_never_replaced BEFORE INSERT ON ledger
WHEN EXISTS (SELECT 1 FROM ledger WHERE name = NEW.name OR id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'a ledger of this name exists'); END;

CREATE TRIGGER ledger_epoch_only_rises BEFORE UPDATE OF epoch ON ledger
WHEN NEW.epoch <= OLD.epoch
BEGIN SELECT RAISE(ABORT, 'the epoch of a ledger only rises'); END;
