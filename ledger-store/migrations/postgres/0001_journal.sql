-- One database holds several ledgers, each with its own total order, writer and vault.
-- Every table is keyed by the ledger first, and a ledger is known by its name: no sequence hands
-- out numbers, so ledgers may live on different nodes. Names compare byte by byte, so that no
-- change of the system's collations can disturb an index.
CREATE TABLE ledger (
    ledger    text COLLATE "C" NOT NULL PRIMARY KEY,
    algorithm smallint NOT NULL,            -- hash of the chain: 1 BLAKE3, 2 SHA-256
    epoch     bigint   NOT NULL DEFAULT 0,  -- raised by every writer that takes over
    vault_key bytea    NOT NULL CHECK (length(vault_key) = 32)
);

-- The rows of records. The head of a ledger is its last row: there is no second place to keep it.
-- No foreign key: the guard of every append reads the ledger's row and locks it.
CREATE TABLE journal (
    ledger  text COLLATE "C" NOT NULL,
    first   bigint  NOT NULL CHECK (first >= 1),
    count   integer NOT NULL CHECK (count BETWEEN 1 AND 1000),
    link    bytea   NOT NULL CHECK (length(link) = 32),
    payload bytea   NOT NULL,
    PRIMARY KEY (ledger, first)
);

-- Personal data under tokens, beside the journal so that it can be erased.
-- Values are UTF-8 as bytes: a JSON string may hold the one character that text cannot.
CREATE TABLE vault (
    ledger text COLLATE "C" NOT NULL,
    token  bytea    NOT NULL CHECK (length(token) = 16),
    kind   smallint NOT NULL,
    value  bytea    NOT NULL,
    mask   bytea    NOT NULL,
    PRIMARY KEY (ledger, token)
);
