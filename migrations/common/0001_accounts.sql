-- One text for SQLite and PostgreSQL. SQLite takes the type names it does not know as NUMERIC
-- affinity: a blob stays a blob, an RFC 3339 text stays a text, a JSON object stays a text.
--
-- Global tables: organizations, people, sign_ins. Everything else leads with org_id.
CREATE TABLE organizations (
    id                 UUID        NOT NULL PRIMARY KEY,
    name               TEXT        NOT NULL UNIQUE,
    plan               TEXT        NOT NULL CHECK (plan IN ('trial', 'pro', 'enterprise')),
    -- The organization's own monthly credit; absent: the plan's.
    included_micro_usd BIGINT,
    created_at         TIMESTAMPTZ NOT NULL
);

CREATE TABLE people (
    id             UUID        NOT NULL PRIMARY KEY,
    email          TEXT        NOT NULL UNIQUE,
    name           TEXT        NOT NULL,
    -- Argon2id in PHC form; absent: cannot sign in with a password.
    password_hash  TEXT,
    deactivated_at TIMESTAMPTZ,
    created_at     TIMESTAMPTZ NOT NULL
);

CREATE TABLE memberships (
    org_id     UUID        NOT NULL REFERENCES organizations (id),
    user_id    UUID        NOT NULL REFERENCES people (id),
    role       TEXT        NOT NULL CHECK (role IN ('owner', 'admin', 'member')),
    active     BOOLEAN     NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (org_id, user_id)
);
CREATE INDEX memberships_of_person ON memberships (user_id);

-- A signed-in browser. Only the digest of the cookie's token is kept.
CREATE TABLE sign_ins (
    token_digest BYTEA       NOT NULL PRIMARY KEY,
    id           UUID        NOT NULL UNIQUE,
    user_id      UUID        NOT NULL REFERENCES people (id),
    org_id       UUID        NOT NULL REFERENCES organizations (id),
    created_at   TIMESTAMPTZ NOT NULL,
    expires_at   TIMESTAMPTZ NOT NULL
);
CREATE INDEX sign_ins_of_person ON sign_ins (user_id);
CREATE INDEX sign_ins_expired ON sign_ins (expires_at);

-- Named windows shared by all nodes. `name` bears what is counted, never a secret.
CREATE TABLE limit_windows (
    name       TEXT        NOT NULL PRIMARY KEY,
    started_at TIMESTAMPTZ NOT NULL,
    used       BIGINT      NOT NULL
);
