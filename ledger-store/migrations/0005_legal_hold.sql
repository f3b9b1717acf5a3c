-- Who may not be erased, by tokens, beside the journal: a hold changes no record. A hold that was
-- released stays, with who released it, when and why. Instants are microseconds since 1970.
CREATE TABLE legal_hold (
    ledger       INTEGER NOT NULL REFERENCES ledger (id),
    hold         TEXT    NOT NULL CHECK (hold <> ''),
    placed_at    INTEGER NOT NULL,
    placed_by    TEXT    NOT NULL,
    placed_for   TEXT    NOT NULL,
    released_at  INTEGER,
    released_by  TEXT,
    released_for TEXT,
    PRIMARY KEY (ledger, hold)
) STRICT, WITHOUT ROWID;

CREATE TABLE legal_hold_token (
    ledger INTEGER NOT NULL,
    hold   TEXT    NOT NULL,
    token  BLOB    NOT NULL CHECK (length(token) = 16),
    PRIMARY KEY (ledger, hold, token),
    FOREIGN KEY (ledger, hold) REFERENCES legal_hold (ledger, hold)
) STRICT, WITHOUT ROWID;
