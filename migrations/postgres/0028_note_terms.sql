-- The search index is written by the service, which makes the terms; nothing is derived in the database.
DROP INDEX note_search;
ALTER TABLE notes DROP COLUMN search;

-- The terms of each note with their counts, and, in `search`, each once together with the words of the
-- note's scope (context/index.rs), so that foreign notes never become candidates.
CREATE TABLE note_terms (
    org_id  UUID     NOT NULL,
    note_id UUID     NOT NULL,
    version BIGINT   NOT NULL,
    length  BIGINT   NOT NULL,
    terms   TEXT     NOT NULL,
    search  tsvector NOT NULL,
    PRIMARY KEY (org_id, note_id)
);
-- Without a list of pending entries, which every search would have to read.
CREATE INDEX note_search ON note_terms USING gin (search) WITH (fastupdate = off);
