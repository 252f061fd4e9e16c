-- What people did beside saying something: pressed a button, stopped a session, deleted a question,
-- opened the assistant's page. Taken in before it is acknowledged, done once.
CREATE TABLE heard (
    org_id          UUID        NOT NULL,
    id              UUID        NOT NULL,
    installation_id UUID        NOT NULL,
    -- The same for every time the platform tells of it.
    heard_key       TEXT        NOT NULL,
    heard           JSONB       NOT NULL,
    -- Set once it was done; the fence against doing it twice.
    done_at         TIMESTAMPTZ,
    received_at     TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (org_id, id),
    FOREIGN KEY (org_id, installation_id) REFERENCES installations (org_id, id)
);
CREATE UNIQUE INDEX heard_once ON heard (org_id, installation_id, heard_key);

-- When admins were last told of a thing, so that they are not told again at once.
CREATE TABLE notices (
    org_id          UUID        NOT NULL,
    installation_id UUID        NOT NULL,
    subject         TEXT        NOT NULL,
    told_at         TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (org_id, installation_id, subject),
    FOREIGN KEY (org_id, installation_id) REFERENCES installations (org_id, id)
);

-- Turns under way, few among many: for those who want to stop theirs.
CREATE INDEX messages_processing ON messages (org_id, created_at, id) WHERE status = 'processing';
