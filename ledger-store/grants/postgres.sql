-- Who may do what to a journal on PostgreSQL, run once by the owner of the tables, after the first
-- opening made them. The roles are made before, by whoever administers the server:
--
--     CREATE ROLE ledger_writer LOGIN;
--     CREATE ROLE ledger_reader LOGIN;
--
-- The writer appends. Neither role can change or remove a record, give a ledger another name, hash,
-- key or environment, or lift a table's rules; the owner's role is for new versions only. A service
-- that keeps an outbox and sends webhooks has tables of its own: service.sql is for those.
REVOKE ALL ON ledger, ledger_lease, journal, vault, vault_erasure, legal_hold, legal_hold_token,
    _sqlx_migrations FROM PUBLIC;

GRANT SELECT, INSERT ON ledger, journal TO ledger_writer;
GRANT UPDATE (epoch) ON ledger TO ledger_writer;
GRANT SELECT, INSERT, UPDATE, DELETE ON ledger_lease TO ledger_writer;
GRANT SELECT, INSERT, DELETE ON vault TO ledger_writer;
GRANT SELECT, INSERT, UPDATE ON vault_erasure TO ledger_writer;
GRANT SELECT, INSERT ON legal_hold, legal_hold_token TO ledger_writer;
GRANT UPDATE (released_at, released_by, released_for) ON legal_hold TO ledger_writer;
GRANT SELECT ON _sqlx_migrations TO ledger_writer;
-- What it does is done with the rights of whoever calls it.
REVOKE ALL ON FUNCTION journal_append FROM PUBLIC;
GRANT EXECUTE ON FUNCTION journal_append TO ledger_writer;

-- The clock beside the last record, where the owner's first start was of a ledger of real money.
DO $$BEGIN
    IF to_regclass('ledger_moment') IS NOT NULL THEN
        REVOKE ALL ON ledger_moment FROM PUBLIC;
        GRANT SELECT, INSERT, UPDATE ON ledger_moment TO ledger_writer;
    END IF;
END$$;

GRANT SELECT ON ledger, ledger_lease, journal, vault, vault_erasure, legal_hold,
    legal_hold_token, _sqlx_migrations TO ledger_reader;
