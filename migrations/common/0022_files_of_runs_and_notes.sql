-- Files of API runs and of notes beside those of chats; files that answers made; and every verdict that
-- reading a file may come to. The tables are made anew because SQLite cannot change a check.
CREATE TABLE files_next (
    org_id        UUID        NOT NULL REFERENCES organizations (id),
    id            UUID        NOT NULL,
    -- What it came with (a chat event, a run, a note, an answer), and its place there: taken in once.
    origin        TEXT        NOT NULL,
    position      BIGINT      NOT NULL,
    user_id       UUID        NOT NULL REFERENCES people (id),
    -- Shared: everyone in the conversation it came from could see it. Private: only its owner's runs may.
    audience      TEXT        NOT NULL CHECK (audience IN ('private', 'shared')),
    name          TEXT        NOT NULL,
    declared_type TEXT,
    -- By its content; absent where nothing was received or the content is of no kind that is read.
    kind          TEXT,
    macros        BOOLEAN     NOT NULL,
    bytes         BIGINT,
    sha256        BYTEA,
    -- Absent for a refused file: of these nothing is kept.
    blob_key      TEXT,
    verdict       TEXT        NOT NULL
                  CHECK (verdict IN ('read', 'partly_read', 'not_yet_readable', 'unreadable', 'refused')),
    -- Why it was refused or cannot be read: a stable word, and what belongs to it.
    reason        JSONB,
    created_at    TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (org_id, id),
    UNIQUE (org_id, origin, position)
);
INSERT INTO files_next
SELECT org_id, id, origin, position, user_id, audience, name, declared_type, kind, macros, bytes, sha256,
       blob_key, verdict, reason, created_at
FROM files;

-- Files of a turn in their order: brought by its question, or made by its answer.
CREATE TABLE message_files_next (
    org_id     UUID   NOT NULL,
    message_id UUID   NOT NULL,
    part       TEXT   NOT NULL CHECK (part IN ('question', 'answer')),
    position   BIGINT NOT NULL,
    file_id    UUID   NOT NULL,
    PRIMARY KEY (org_id, message_id, part, position),
    FOREIGN KEY (org_id, message_id) REFERENCES messages (org_id, id),
    FOREIGN KEY (org_id, file_id) REFERENCES files_next (org_id, id)
);
INSERT INTO message_files_next
SELECT org_id, message_id, 'question', position, file_id FROM message_files;

DROP TABLE message_files;
DROP TABLE files;
ALTER TABLE files_next RENAME TO files;
ALTER TABLE message_files_next RENAME TO message_files;
CREATE INDEX message_files_of_file ON message_files (org_id, file_id);
-- Which stored bytes have a row.
CREATE INDEX files_by_blob ON files (org_id, blob_key) WHERE blob_key IS NOT NULL;

-- Files of a note, in their order.
CREATE TABLE note_files (
    org_id   UUID   NOT NULL,
    note_id  UUID   NOT NULL,
    position BIGINT NOT NULL,
    file_id  UUID   NOT NULL,
    PRIMARY KEY (org_id, note_id, position),
    FOREIGN KEY (org_id, note_id) REFERENCES notes (org_id, id) ON DELETE CASCADE,
    FOREIGN KEY (org_id, file_id) REFERENCES files (org_id, id)
);
CREATE INDEX note_files_of_file ON note_files (org_id, file_id);
