-- What `serve --mail-url` may do beside postgres.sql, run once by the owner of the tables, after the
-- owner's first start with it made them: the links that were mailed, and the sessions they began.
--
-- The writer is the service. A link is used up by being removed, and a session ends so.
REVOKE ALL ON dashboard_links, dashboard_sessions FROM PUBLIC;

GRANT SELECT, INSERT, DELETE ON dashboard_links TO ledger_writer;
GRANT SELECT, INSERT, UPDATE, DELETE ON dashboard_sessions TO ledger_writer;
