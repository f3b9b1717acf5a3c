-- For which environment the ledger was made: 1 live, 2 sandbox. Null in a ledger that is older than
-- the choice: the one named 'live' is live, any other a sandbox.
ALTER TABLE ledger ADD COLUMN environment smallint CHECK (environment IN (1, 2));
