-- What a platform granted, and to whom.
ALTER TABLE installations ADD COLUMN team_name TEXT;
-- Installed for a whole organization of the platform.
ALTER TABLE installations ADD COLUMN is_enterprise BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE installations ADD COLUMN enterprise_id TEXT;
-- Comma-separated, sorted; absent where the platform did not say.
ALTER TABLE installations ADD COLUMN scopes TEXT;
-- What a call was refused for.
ALTER TABLE installations ADD COLUMN missing_scope TEXT;
ALTER TABLE installations ADD COLUMN installed_at TIMESTAMPTZ;
-- Rotated tokens: the next one, when the current one ends, and until when a node is fetching another.
ALTER TABLE installations ADD COLUMN refresh_token BYTEA;
ALTER TABLE installations ADD COLUMN token_expires_at TIMESTAMPTZ;
ALTER TABLE installations ADD COLUMN refreshing_until TIMESTAMPTZ;
-- Until when the signing secret before the current one is still accepted.
ALTER TABLE installations ADD COLUMN previous_secret_until TIMESTAMPTZ;
-- The name under which the platform knows the assistant.
ALTER TABLE installations ADD COLUMN registered_name TEXT;
-- When a verified call of the platform came last, to the minute.
ALTER TABLE installations ADD COLUMN heard_at TIMESTAMPTZ;

-- An admin on the way through a platform's consent page, by digest of the state it carries. Used up
-- before the code is exchanged.
CREATE TABLE install_states (
    state_digest    BYTEA       NOT NULL PRIMARY KEY,
    org_id          UUID        NOT NULL,
    installation_id UUID        NOT NULL,
    user_id         UUID        NOT NULL REFERENCES people (id),
    -- The admin's own sign-in: nobody else's browser may bring the state back.
    session_digest  BYTEA       NOT NULL,
    expires_at      TIMESTAMPTZ NOT NULL,
    used_at         TIMESTAMPTZ,
    FOREIGN KEY (org_id, installation_id) REFERENCES installations (org_id, id)
);
