-- The rights that `serve --console-listen` needs beside postgres.sql where operators decide: on the
-- tables that `custody-ledger operator add` made, run by their owner, who runs this once after it.
--
-- The writer is the service. It reads who may decide and makes nobody one: that is the owner's.
REVOKE ALL ON operators, operator_sessions, operator_proposals, operator_assignments,
    operator_acts, operator_certificates FROM PUBLIC;

GRANT SELECT ON operators TO ledger_writer;
GRANT SELECT, INSERT, UPDATE (expires_at), DELETE ON operator_sessions TO ledger_writer;
-- A decision that waits for a second operator.
GRANT SELECT, INSERT, UPDATE ON operator_proposals TO ledger_writer;
-- What was done about persons: who and why, and never taken back.
GRANT SELECT, INSERT, UPDATE ON operator_acts TO ledger_writer;
-- The certificates of erasures.
GRANT SELECT, INSERT, UPDATE ON operator_certificates TO ledger_writer;
-- With whom an operation of the inbox is.
GRANT SELECT, INSERT, UPDATE, DELETE ON operator_assignments TO ledger_writer;
