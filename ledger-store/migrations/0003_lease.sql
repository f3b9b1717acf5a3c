-- Until when a ledger's last writer may believe that it is the last: microseconds since 1970 by this
-- machine's clock, on which every writer of this file goes. A row counts while its epoch is the
-- ledger's; a ledger without one is not leased.
CREATE TABLE ledger_lease (
    ledger INTEGER NOT NULL PRIMARY KEY REFERENCES ledger (id),
    epoch  INTEGER NOT NULL,
    until  INTEGER NOT NULL
) STRICT;
