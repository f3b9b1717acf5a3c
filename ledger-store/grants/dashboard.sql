-- The rights that `serve --mail-url` needs beside postgres.sql: on the table of links that were mailed
-- and of sessions they began. The owner of the table runs this once, after a first start made it.
--
-- The writer is the service. It removes a link that is used up and a session that ends, and moves the
-- expiry of a session that is used.
REVOKE ALL ON dashboard_openers FROM PUBLIC;

GRANT SELECT, INSERT, UPDATE (expires_at), DELETE ON dashboard_openers TO ledger_writer;
