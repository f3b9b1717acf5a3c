-- Who may do what to tables on PostgreSQL, run once by their owner, after the first `project` made
-- them. The roles are made before, by whoever administers the server; ledger_reader and
-- ledger_writer are those of postgres.sql:
--
--     CREATE ROLE ledger_projector LOGIN;
--     CREATE ROLE ledger_sender LOGIN;
--     CREATE ROLE ledger_analyst LOGIN;
--
-- The projector fills the tables. The sender acknowledges what it delivered and changes nothing
-- else; pruning is the projector's. The writer is an engine that keeps the outbox. The reader audits. The analyst reads all but the outbox.
REVOKE ALL ON operations, statement_rows, balances, open_holds, commissions, commission_rows,
    coin_balances, outbox, outbox_checkpoint, projection_checkpoint FROM PUBLIC;

GRANT SELECT, INSERT, UPDATE, DELETE ON operations, statement_rows, balances, open_holds,
    commissions, commission_rows, coin_balances, outbox, outbox_checkpoint, projection_checkpoint
    TO ledger_projector;

GRANT SELECT ON operations, statement_rows, balances, open_holds, commissions, commission_rows,
    coin_balances, outbox, outbox_checkpoint, projection_checkpoint TO ledger_reader;

GRANT SELECT, INSERT, UPDATE ON outbox, outbox_checkpoint TO ledger_writer;
GRANT SELECT ON projection_checkpoint TO ledger_writer;

GRANT SELECT ON outbox, outbox_checkpoint, projection_checkpoint TO ledger_sender;
GRANT UPDATE (acknowledged_at) ON outbox TO ledger_sender;

GRANT SELECT ON operations, statement_rows, balances, open_holds, commissions, commission_rows,
    coin_balances, outbox_checkpoint, projection_checkpoint TO ledger_analyst;
