CREATE TABLE sessions (
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
);
CREATE UNIQUE INDEX sessions_by_origin ON sessions (org_id, origin) WHERE origin IS NOT NULL;

CREATE TABLE session_participants (
    org_id     UUID NOT NULL,
    session_id UUID NOT NULL,
    user_id    UUID NOT NULL REFERENCES people (id),
    PRIMARY KEY (org_id, session_id, user_id),
    FOREIGN KEY (org_id, session_id) REFERENCES sessions (org_id, id)
);

-- One turn: the question and its state.
CREATE TABLE messages (
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
    PRIMARY KEY (org_id, id),
    FOREIGN KEY (org_id, session_id) REFERENCES sessions (org_id, id)
);
CREATE INDEX messages_of_session ON messages (org_id, session_id, created_at, id);
CREATE UNIQUE INDEX messages_of_run ON messages (org_id, run_id);

CREATE TABLE responses (
    org_id     UUID        NOT NULL,
    message_id UUID        NOT NULL,
    answer     JSONB       NOT NULL,
    -- Goal, values and what was missing: where a follow-up starts.
    frame      JSONB,
    model      TEXT        NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (org_id, message_id),
    FOREIGN KEY (org_id, message_id) REFERENCES messages (org_id, id)
);
