-- Which vault key the ledger was created with: a hash of it that reveals nothing, so that another
-- key in its place is named. Null in a ledger of an earlier version until it is next opened for
-- writing and the vault's own tokens do not contradict the key.
ALTER TABLE ledger ADD COLUMN key_check BLOB CHECK (key_check IS NULL OR length(key_check) = 32);

CREATE TRIGGER ledger_keeps_its_key_check BEFORE UPDATE OF key_check ON ledger
WHEN OLD.key_check IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'a ledger keeps the check of its vault key'); END;
