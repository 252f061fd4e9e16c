-- What an admin shapes beyond name and colour. Prompts: [{"title", "message"}], at most four.
ALTER TABLE assistants ADD COLUMN description TEXT NOT NULL DEFAULT '';
ALTER TABLE assistants ADD COLUMN prompts JSONB NOT NULL DEFAULT '[]';
-- The icon's bytes lie with the files, under this key.
ALTER TABLE assistants ADD COLUMN icon_key TEXT;
ALTER TABLE assistants ADD COLUMN icon_type TEXT;

-- Conversations again, now also those that somebody only asked in. A constraint cannot be changed in
-- place everywhere.
CREATE TABLE conversations_next (
    org_id          UUID        NOT NULL,
    installation_id UUID        NOT NULL,
    conversation    TEXT        NOT NULL,
    state           TEXT        NOT NULL CHECK (state IN ('requested', 'approved', 'suspended', 'revoked')),
    -- As the platform calls it, where it was asked.
    title           TEXT        NOT NULL DEFAULT '',
    -- Why it is suspended.
    reason          TEXT,
    -- Who asked there first, and when.
    requested_by    TEXT,
    requested_at    TIMESTAMPTZ,
    -- Ids of the buildings that shared answers may use; absent: all of the organization.
    buildings       JSONB,
    decided_by      UUID,
    decided_at      TIMESTAMPTZ,
    PRIMARY KEY (org_id, installation_id, conversation),
    FOREIGN KEY (org_id, installation_id) REFERENCES installations (org_id, id)
);
INSERT INTO conversations_next (org_id, installation_id, conversation, state, decided_by, decided_at)
SELECT org_id, installation_id, conversation, state, decided_by, decided_at FROM conversations;
DROP TABLE conversations;
ALTER TABLE conversations_next RENAME TO conversations;

-- What people think of an answer; a second press replaces the first.
CREATE TABLE feedback (
    org_id          UUID        NOT NULL,
    id              UUID        NOT NULL,
    installation_id UUID        NOT NULL,
    delivery_id     UUID        NOT NULL,
    platform_team   TEXT        NOT NULL,
    platform_user   TEXT        NOT NULL,
    -- The linked account, where there is one.
    user_id         UUID,
    helpful         BOOLEAN     NOT NULL,
    given_at        TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (org_id, id),
    UNIQUE (org_id, delivery_id, platform_team, platform_user),
    FOREIGN KEY (org_id, installation_id) REFERENCES installations (org_id, id)
);
CREATE INDEX feedback_by_time ON feedback (org_id, installation_id, given_at);
CREATE INDEX deliveries_failed ON deliveries (org_id, installation_id, created_at) WHERE state = 'failed';
