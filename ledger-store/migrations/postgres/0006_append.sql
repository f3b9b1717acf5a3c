-- Appends rows, and the values that they name, if the ledger's epoch is the writer's and its head is
-- where the writer believes; says whether it has.
--
-- Each statement in here begins after the one before it and sees what others have committed until
-- then. The lock on the ledger's row makes this and a take-over wait for one another: either the
-- take-over finds what was appended here, or the append finds the epoch raised and writes nothing.
-- Everything is of one ledger, the first argument: a database that spreads its tables by it can do
-- the whole where that ledger is.
CREATE FUNCTION journal_append(
    of_ledger    text,
    writer_epoch bigint,
    last_seq     bigint,    -- the head that the writer believes in
    last_link    bytea,
    genesis      bytea,     -- the link of a ledger without records
    firsts       bigint[],  -- of each row
    counts       integer[],
    links        bytea[],
    payloads     bytea[],
    tokens       bytea[],   -- of each value
    kinds        smallint[],
    plain_values bytea[],
    masks        bytea[]
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    head_seq  bigint;
    head_link bytea;
BEGIN
    PERFORM FROM ledger
        WHERE ledger.ledger = of_ledger AND ledger.epoch = writer_epoch FOR UPDATE;
    IF NOT found THEN
        RETURN false;
    END IF;
    SELECT journal.first + journal.count - 1, journal.link INTO head_seq, head_link
        FROM journal WHERE journal.ledger = of_ledger ORDER BY journal.first DESC LIMIT 1;
    IF coalesce(head_seq, 0) <> last_seq OR coalesce(head_link, genesis) <> last_link THEN
        RETURN false;
    END IF;
    IF cardinality(tokens) > 0 THEN
        INSERT INTO vault (ledger, token, kind, value, mask)
            SELECT of_ledger, learned.token, learned.kind, learned.value, learned.mask
            FROM unnest(tokens, kinds, plain_values, masks) AS learned (token, kind, value, mask)
            ON CONFLICT (ledger, token) DO NOTHING;
    END IF;
    INSERT INTO journal (ledger, first, count, link, payload)
        SELECT of_ledger, added.first, added.count, added.link, added.payload
        FROM unnest(firsts, counts, links, payloads) AS added (first, count, link, payload);
    RETURN true;
END
$$;
