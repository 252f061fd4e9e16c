-- When places of a limit were taken, shared by all nodes (limits/record.rs has the form). `name` bears what is
-- counted, never a secret.
CREATE TABLE limit_places (
    name    TEXT        NOT NULL PRIMARY KEY,
    last_at TIMESTAMPTZ NOT NULL,
    taken   BYTEA       NOT NULL
);
