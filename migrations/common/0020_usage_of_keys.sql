-- Through which face and with which project key a run came: on the line that reserves it.
ALTER TABLE usage_entries ADD COLUMN face TEXT;
ALTER TABLE usage_entries ADD COLUMN key_id UUID;

-- Ended runs by day, face and key, counted with their last line: what pages show without reading the ledger.
CREATE TABLE usage_days (
    org_id    UUID   NOT NULL REFERENCES organizations (id),
    -- For instance 2026-11-22, UTC.
    day       TEXT   NOT NULL,
    face      TEXT   NOT NULL,
    -- All zeros: without a key.
    key_id    UUID   NOT NULL,
    completed BIGINT NOT NULL,
    failed    BIGINT NOT NULL,
    -- Micro-dollars.
    charged   BIGINT NOT NULL,
    PRIMARY KEY (org_id, day, face, key_id)
);

-- Runs of a sandbox key in a month; a failed one is given back.
CREATE TABLE key_quotas (
    org_id UUID   NOT NULL,
    key_id UUID   NOT NULL,
    -- For instance 2026-11.
    period TEXT   NOT NULL,
    used   BIGINT NOT NULL CHECK (used >= 0),
    PRIMARY KEY (org_id, key_id),
    FOREIGN KEY (org_id, key_id) REFERENCES project_keys (org_id, id)
);

-- What ended before: no face was kept with it. Both databases write a time's date first.
INSERT INTO usage_days (org_id, day, face, key_id, completed, failed, charged)
SELECT org_id, SUBSTR(CAST(created_at AS TEXT), 1, 10), 'system', CAST('00000000-0000-0000-0000-000000000000' AS UUID),
       COUNT(DISTINCT CASE WHEN kind = 'settle' THEN run_id END),
       COUNT(DISTINCT CASE WHEN kind = 'release' THEN run_id END),
       CAST(SUM(charged) AS BIGINT)
FROM usage_entries WHERE kind IN ('settle', 'release')
GROUP BY org_id, SUBSTR(CAST(created_at AS TEXT), 1, 10);
