-- One value sealed by the first node's master key: a node with another key is told at its start.
CREATE TABLE seal_check (
    id     BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    sealed BYTEA  NOT NULL
);
