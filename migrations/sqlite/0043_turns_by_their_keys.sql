-- Sessions, who takes part, turns and their files by their keys alone. A table with a rowid is looked up twice, in the
-- tree of the key and in that of the rowid; among a million turns each of the two is deep and mostly cold. Responses
-- stay as they are: an answer is long, and a tree of long rows is deeper than two trees.
CREATE TABLE sessions_next (
    org_id     UUID        NOT NULL REFERENCES organizations (id),
    id         UUID        NOT NULL,
    audience   TEXT        NOT NULL CHECK (audience IN ('private', 'shared')),
    -- The person of a private session.
    owner_id   UUID        REFERENCES people (id),
    -- Opaque key of whoever opened it: the same origin leads to the same session.
    origin     TEXT,
    created_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (org_id, id),
    CHECK ((audience = 'private') = (owner_id IS NOT NULL))
) WITHOUT ROWID;
INSERT INTO sessions_next
SELECT org_id, id, audience, owner_id, origin, created_at FROM sessions;

CREATE TABLE session_participants_next (
    org_id     UUID NOT NULL,
    session_id UUID NOT NULL,
    user_id    UUID NOT NULL REFERENCES people (id),
    PRIMARY KEY (org_id, session_id, user_id),
    FOREIGN KEY (org_id, session_id) REFERENCES sessions_next (org_id, id)
) WITHOUT ROWID;
INSERT INTO session_participants_next
SELECT org_id, session_id, user_id FROM session_participants;

-- One turn: the question and its state.
CREATE TABLE messages_next (
    org_id            UUID        NOT NULL REFERENCES organizations (id),
    id                UUID        NOT NULL,
    session_id        UUID        NOT NULL,
    run_id            UUID        NOT NULL,
    user_id           UUID        NOT NULL REFERENCES people (id),
    question          TEXT        NOT NULL,
    tone              TEXT        NOT NULL,
    fast              BOOLEAN     NOT NULL,
    organisation_safe BOOLEAN     NOT NULL,
    status            TEXT        NOT NULL CHECK (status IN ('processing', 'completed', 'failed')),
    -- Why it failed: a stable word.
    failure           TEXT,
    created_at        TIMESTAMPTZ NOT NULL,
    finished_at       TIMESTAMPTZ,
    -- The project key that asked.
    key_id            UUID,
    question_digest   BYTEA,
    PRIMARY KEY (org_id, id),
    FOREIGN KEY (org_id, session_id) REFERENCES sessions_next (org_id, id)
) WITHOUT ROWID;
INSERT INTO messages_next
SELECT org_id, id, session_id, run_id, user_id, question, tone, fast, organisation_safe, status, failure, created_at,
       finished_at, key_id, question_digest
FROM messages;

CREATE TABLE responses_next (
    org_id     UUID        NOT NULL,
    message_id UUID        NOT NULL,
    answer     JSONB       NOT NULL,
    -- Goal, values and what was missing: where a follow-up starts.
    frame      JSONB,
    model      TEXT        NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (org_id, message_id),
    FOREIGN KEY (org_id, message_id) REFERENCES messages_next (org_id, id)
);
INSERT INTO responses_next
SELECT org_id, message_id, answer, frame, model, created_at FROM responses;

-- Files of a turn in their order: brought by its question, or made by its answer.
CREATE TABLE message_files_next (
    org_id     UUID   NOT NULL,
    message_id UUID   NOT NULL,
    part       TEXT   NOT NULL CHECK (part IN ('question', 'answer')),
    position   BIGINT NOT NULL,
    file_id    UUID   NOT NULL,
    PRIMARY KEY (org_id, message_id, part, position),
    FOREIGN KEY (org_id, message_id) REFERENCES messages_next (org_id, id),
    FOREIGN KEY (org_id, file_id) REFERENCES files (org_id, id)
) WITHOUT ROWID;
INSERT INTO message_files_next
SELECT org_id, message_id, part, position, file_id FROM message_files;

DROP TABLE message_files;
DROP TABLE responses;
DROP TABLE messages;
DROP TABLE session_participants;
DROP TABLE sessions;
ALTER TABLE sessions_next RENAME TO sessions;
ALTER TABLE session_participants_next RENAME TO session_participants;
ALTER TABLE messages_next RENAME TO messages;
ALTER TABLE responses_next RENAME TO responses;
ALTER TABLE message_files_next RENAME TO message_files;

CREATE UNIQUE INDEX sessions_by_origin ON sessions (org_id, origin) WHERE origin IS NOT NULL;
CREATE INDEX messages_of_session ON messages (org_id, session_id, created_at, id);
CREATE UNIQUE INDEX messages_of_run ON messages (org_id, run_id);
CREATE INDEX messages_of_person ON messages (org_id, user_id, created_at, id);
CREATE INDEX messages_by_question ON messages (org_id, user_id, question_digest, created_at, id)
    WHERE question_digest IS NOT NULL;
CREATE INDEX messages_not_completed ON messages (org_id, status, user_id, created_at, id)
    WHERE status <> 'completed';
CREATE INDEX message_files_of_file ON message_files (org_id, file_id);
