-- Project keys of the HTTP API. Only digests of their secrets are kept; a key is found by its id, which
-- it bears in the clear, so ids are unique over all organizations.
CREATE TABLE project_keys (
    org_id          UUID        NOT NULL REFERENCES organizations (id),
    id              UUID        NOT NULL,
    owner_id        UUID        NOT NULL REFERENCES people (id),
    name            TEXT        NOT NULL,
    environment     TEXT        NOT NULL CHECK (environment IN ('sandbox', 'development', 'production')),
    secret_digest   BYTEA       NOT NULL,
    -- The secret before a rotation, accepted until then.
    previous_digest BYTEA,
    previous_until  TIMESTAMPTZ,
    created_at      TIMESTAMPTZ NOT NULL,
    expires_at      TIMESTAMPTZ,
    revoked_at      TIMESTAMPTZ,
    last_used_at    TIMESTAMPTZ,
    PRIMARY KEY (org_id, id)
);
CREATE UNIQUE INDEX project_keys_by_id ON project_keys (id);
CREATE INDEX project_keys_of_owner ON project_keys (org_id, owner_id, id);

-- The project key a turn was asked with: whose usage it is. Absent for other doors.
ALTER TABLE messages ADD COLUMN key_id UUID;
