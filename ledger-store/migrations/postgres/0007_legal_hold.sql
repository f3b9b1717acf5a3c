-- Who may not be erased, by tokens, beside the journal: a hold changes no record. A hold that was
-- released stays, with who released it, when and why. Instants are microseconds since 1970.
CREATE TABLE legal_hold (
    ledger       text COLLATE "C" NOT NULL,
    hold         text COLLATE "C" NOT NULL CHECK (hold <> ''),
    placed_at    bigint NOT NULL,
    placed_by    text   NOT NULL,
    placed_for   text   NOT NULL,
    released_at  bigint,
    released_by  text,
    released_for text,
    PRIMARY KEY (ledger, hold)
);

CREATE TABLE legal_hold_token (
    ledger text COLLATE "C" NOT NULL,
    hold   text COLLATE "C" NOT NULL,
    token  bytea NOT NULL CHECK (length(token) = 16),
    PRIMARY KEY (ledger, hold, token),
    FOREIGN KEY (ledger, hold) REFERENCES legal_hold (ledger, hold)
);

-- The server's statistics of a column hold values of it, and outlive the rows. Giving a column its
-- type anew drops what was gathered of it; from here on nothing is.
ALTER TABLE vault ALTER COLUMN value TYPE bytea, ALTER COLUMN mask TYPE bytea;
ALTER TABLE vault ALTER COLUMN value SET STATISTICS 0, ALTER COLUMN mask SET STATISTICS 0;
