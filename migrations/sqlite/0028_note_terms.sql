-- The search index is written by the service, which makes the terms; nothing is derived in the database.
DROP TRIGGER notes_search_added;
DROP TRIGGER notes_search_removed;
DROP TRIGGER notes_search_changed;
DROP TABLE note_search;

-- The terms of each note with their counts. `number` names the note in the full-text index; a rowid of
-- its own would change when the database is vacuumed.
CREATE TABLE note_terms (
    number  INTEGER PRIMARY KEY,
    org_id  UUID    NOT NULL,
    note_id UUID    NOT NULL,
    version BIGINT  NOT NULL,
    length  BIGINT  NOT NULL,
    terms   TEXT    NOT NULL,
    UNIQUE (org_id, note_id)
);

-- `terms`: each term of a note once, and the words of its scope (context/index.rs), so that foreign notes
-- never become candidates.
CREATE VIRTUAL TABLE note_search USING fts5 (
    terms, content = '', contentless_delete = 1, detail = none, tokenize = "ascii tokenchars '_-'"
);
