-- What `serve --mail-url` may do beside postgres.sql, run once by the owner of the table, after the
-- owner's first start with it made it: the table of links that were mailed and sessions they began.
--
-- The writer is the service. A link is used up by being removed, and a session ends so; its use moves
-- when it expires, and nothing else of it.
REVOKE ALL ON dashboard_openers FROM PUBLIC;

GRANT SELECT, INSERT, UPDATE (expires_at), DELETE ON dashboard_openers TO ledger_writer;
