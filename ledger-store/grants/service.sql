-- What `serve --outbox true` may do beside postgres.sql, run once by the owner of the tables, after
-- the owner's first start of it made them: the outbox, and what the courier of webhooks remembers.
--
-- The writer is the service. It gives up no event of the outbox and rewrites of an attempt only the
-- answer, which is forgotten when a person is erased: what it removes are deliveries that have ended, with their attempts, when their time is over.
REVOKE ALL ON outbox, outbox_checkpoint, webhook_deliveries, webhook_attempts, webhook_endpoints,
    webhook_filters FROM PUBLIC;

GRANT SELECT, INSERT, UPDATE ON outbox, outbox_checkpoint TO ledger_writer;

GRANT SELECT, INSERT, UPDATE, DELETE ON webhook_deliveries TO ledger_writer;
GRANT SELECT, INSERT, DELETE ON webhook_attempts TO ledger_writer;
GRANT UPDATE (answer) ON webhook_attempts TO ledger_writer;
GRANT SELECT, INSERT, UPDATE ON webhook_endpoints, webhook_filters TO ledger_writer;

-- Checkpoints, where `--checkpoint-key` was said when the owner first started it: rows are added and
-- never changed, and what was sent of them is remembered.
DO $$BEGIN
    IF to_regclass('ledger_checkpoint') IS NOT NULL THEN
        REVOKE ALL ON ledger_checkpoint, ledger_checkpoint_sent FROM PUBLIC;
        GRANT SELECT, INSERT ON ledger_checkpoint TO ledger_writer;
        GRANT SELECT, INSERT, UPDATE ON ledger_checkpoint_sent TO ledger_writer;
    END IF;
    IF to_regclass('ledger_cosignature') IS NOT NULL THEN
        REVOKE ALL ON ledger_cosignature FROM PUBLIC;
        GRANT SELECT, INSERT ON ledger_cosignature TO ledger_writer;
    END IF;
END$$;
