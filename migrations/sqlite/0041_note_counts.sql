-- The terms of a note are wide, and read of the few notes that are ranked in full. What is read of each note that
-- says a word stands apart from them, many on a page: the table is made anew, for a column that is dropped leaves
-- the rows where they were.
ALTER TABLE note_terms RENAME TO note_terms_before;
CREATE TABLE note_terms (
    number  INTEGER PRIMARY KEY,
    org_id  UUID    NOT NULL,
    note_id UUID    NOT NULL,
    version BIGINT  NOT NULL,
    length  BIGINT  NOT NULL,
    UNIQUE (org_id, note_id)
);
INSERT INTO note_terms (number, org_id, note_id, version, length)
SELECT number, org_id, note_id, version, length FROM note_terms_before;

-- `number` as in note_terms.
CREATE TABLE note_counts (
    number  INTEGER PRIMARY KEY REFERENCES note_terms (number) ON DELETE CASCADE,
    org_id  UUID    NOT NULL,
    note_id UUID    NOT NULL,
    terms   TEXT    NOT NULL
);
INSERT INTO note_counts (number, org_id, note_id, terms)
SELECT number, org_id, note_id, terms FROM note_terms_before;
DROP TABLE note_terms_before;
