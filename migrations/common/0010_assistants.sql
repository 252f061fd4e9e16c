CREATE TABLE assistants (
    org_id         UUID        NOT NULL REFERENCES organizations (id),
    id             UUID        NOT NULL,
    name           TEXT        NOT NULL,
    colour         TEXT        NOT NULL,
    tone           TEXT        NOT NULL,
    greeting       TEXT        NOT NULL,
    -- Fixed, per organization: what is said about billing, privacy and so on beyond the standard text.
    about          TEXT        NOT NULL,
    shared_enabled BOOLEAN     NOT NULL,
    created_by     UUID        REFERENCES people (id),
    created_at     TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (org_id, id)
);
-- Found by id alone by the operator's command line.
CREATE UNIQUE INDEX assistants_by_id ON assistants (id);

-- An assistant on a platform. Secrets are sealed with the row as associated data.
CREATE TABLE installations (
    org_id                  UUID        NOT NULL REFERENCES organizations (id),
    id                      UUID        NOT NULL,
    assistant_id            UUID        NOT NULL,
    platform                TEXT        NOT NULL CHECK (platform IN ('slack', 'teams', 'web')),
    state                   TEXT        NOT NULL CHECK (state IN ('pending', 'active', 'disabled')),
    -- Why it is disabled: a stable word of the platform.
    disabled_because        TEXT,
    -- The unguessable part of its addresses: found by digest, shown again by unsealing.
    address_digest          BYTEA       NOT NULL UNIQUE,
    address                 BYTEA       NOT NULL,
    app_id                  TEXT,
    client_id               TEXT,
    client_secret           BYTEA,
    signing_secret          BYTEA,
    previous_signing_secret BYTEA,
    bot_token               BYTEA,
    team_id                 TEXT,
    bot_user_id             TEXT,
    created_at              TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (org_id, id),
    FOREIGN KEY (org_id, assistant_id) REFERENCES assistants (org_id, id)
);
CREATE UNIQUE INDEX installations_of_assistant ON installations (org_id, assistant_id, platform);

-- A teammate's platform identity bound to an account.
CREATE TABLE links (
    org_id          UUID        NOT NULL,
    id              UUID        NOT NULL,
    installation_id UUID        NOT NULL,
    platform_team   TEXT        NOT NULL,
    platform_user   TEXT        NOT NULL,
    user_id         UUID        NOT NULL REFERENCES people (id),
    created_at      TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (org_id, id),
    UNIQUE (org_id, installation_id, platform_team, platform_user),
    FOREIGN KEY (org_id, installation_id) REFERENCES installations (org_id, id)
);

-- One-time connection links, by digest. One live link per platform identity: a new one replaces it.
CREATE TABLE link_offers (
    token_digest    BYTEA       NOT NULL PRIMARY KEY,
    org_id          UUID        NOT NULL,
    installation_id UUID        NOT NULL,
    platform_team   TEXT        NOT NULL,
    platform_user   TEXT        NOT NULL,
    -- What the page shows of the platform's identity.
    shown_user      TEXT        NOT NULL,
    shown_team      TEXT        NOT NULL,
    expires_at      TIMESTAMPTZ NOT NULL,
    used_at         TIMESTAMPTZ,
    UNIQUE (org_id, installation_id, platform_team, platform_user),
    FOREIGN KEY (org_id, installation_id) REFERENCES installations (org_id, id)
);

CREATE TABLE conversations (
    org_id          UUID        NOT NULL,
    installation_id UUID        NOT NULL,
    conversation    TEXT        NOT NULL,
    state           TEXT        NOT NULL CHECK (state IN ('approved', 'suspended', 'revoked')),
    decided_by      UUID,
    decided_at      TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (org_id, installation_id, conversation),
    FOREIGN KEY (org_id, installation_id) REFERENCES installations (org_id, id)
);
