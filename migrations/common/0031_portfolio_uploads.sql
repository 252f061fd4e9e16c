-- Files that an administrator has uploaded to import, while what stands against them is looked at. Their bytes lie
-- in the storage; a day later they are removed.
CREATE TABLE portfolio_uploads (
    org_id     UUID        NOT NULL REFERENCES organizations (id),
    id         UUID        NOT NULL,
    user_id    UUID        NOT NULL REFERENCES people (id),
    -- Name and storage key of each file.
    files      JSONB       NOT NULL,
    -- Source, order of dates, building, and what columns are.
    wish       JSONB       NOT NULL,
    -- waiting: to be confirmed. running: being imported. done, failed: with the outcome.
    state      TEXT        NOT NULL CHECK (state IN ('waiting', 'running', 'done', 'failed')),
    -- The number of the import, or why there is none.
    outcome    JSONB       NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (org_id, id)
);
