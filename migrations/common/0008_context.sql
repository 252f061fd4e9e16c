CREATE TABLE notes (
    org_id     UUID        NOT NULL REFERENCES organizations (id),
    id         UUID        NOT NULL,
    kind       TEXT        NOT NULL CHECK (kind IN ('user_memory', 'organisation_memory')),
    owner_id   UUID        NOT NULL REFERENCES people (id),
    title      TEXT        NOT NULL,
    body       TEXT        NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (org_id, id)
);
CREATE INDEX notes_of_owner ON notes (org_id, kind, owner_id, updated_at);
