-- Records are compact already: trying to compress them costs more than writing them.
ALTER TABLE journal ALTER COLUMN payload SET STORAGE EXTERNAL;
