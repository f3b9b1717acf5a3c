-- Which vault key the ledger was created with: a hash of it that reveals nothing, so that another
-- key in its place is named. Null in a ledger of an earlier version until it is next opened for
-- writing and the vault's own tokens do not contradict the key.
ALTER TABLE ledger ADD COLUMN key_check bytea CHECK (length(key_check) = 32);
