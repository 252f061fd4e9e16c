-- Money of usage in micro-dollars. Entries are only added; balances are their sums and are kept
-- beside them so that a reservation is one conditional update.
CREATE TABLE usage_balances (
    org_id   UUID   NOT NULL PRIMARY KEY REFERENCES organizations (id),
    -- The month of the included credit, for instance 2026-11.
    period   TEXT   NOT NULL,
    included BIGINT NOT NULL CHECK (included >= 0),
    funded   BIGINT NOT NULL CHECK (funded >= 0)
);

CREATE TABLE usage_entries (
    org_id     UUID        NOT NULL REFERENCES organizations (id),
    id         UUID        NOT NULL,
    run_id     UUID,
    kind       TEXT        NOT NULL CHECK (kind IN ('grant', 'expire', 'credit', 'reserve', 'settle', 'release')),
    bucket     TEXT        NOT NULL CHECK (bucket IN ('included', 'funded')),
    -- The change of the balance: a reservation is negative, what it gives back is positive.
    amount     BIGINT      NOT NULL,
    -- What the run was charged; only on `settle`.
    charged    BIGINT      NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (org_id, id)
);
-- Once per run, whatever the attempts: a run is reserved once, and settled or released once.
CREATE UNIQUE INDEX usage_entries_once ON usage_entries (org_id, run_id, kind, bucket) WHERE run_id IS NOT NULL;
CREATE UNIQUE INDEX usage_entries_end ON usage_entries (org_id, run_id, bucket) WHERE kind IN ('settle', 'release');
