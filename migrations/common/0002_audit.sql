-- Who did what. Append-only (triggers of each database refuse changes); each line carries the
-- digest of the line before it, so that a missing or altered line is found.
CREATE TABLE audit_heads (
    org_id UUID   NOT NULL PRIMARY KEY REFERENCES organizations (id),
    seq    BIGINT NOT NULL,
    digest BYTEA  NOT NULL
);

CREATE TABLE audit_log (
    org_id   UUID        NOT NULL REFERENCES organizations (id),
    seq      BIGINT      NOT NULL,
    at       TIMESTAMPTZ NOT NULL,
    -- Absent: the operator at the command line, or the system.
    actor    UUID,
    face     TEXT        NOT NULL,
    action   TEXT        NOT NULL,
    subject  TEXT        NOT NULL,
    details  JSONB       NOT NULL,
    digest   BYTEA       NOT NULL,
    PRIMARY KEY (org_id, seq)
);
