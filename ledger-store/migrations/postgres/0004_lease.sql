-- Until when a ledger's last writer may believe that it is the last, by the server's clock. A row
-- counts while its epoch is the ledger's; a ledger without one is not leased.
CREATE TABLE ledger_lease (
    ledger text COLLATE "C" NOT NULL PRIMARY KEY,
    epoch  bigint      NOT NULL,
    until  timestamptz NOT NULL
);
