-- Durable jobs. `attempt` rises at every claim and is the fence: a statement of an older attempt
-- matches no row. `crashes` counts leases that ran out, `errors` attempts that answered an error.
CREATE TABLE jobs (
    org_id      UUID        NOT NULL REFERENCES organizations (id),
    id          UUID        NOT NULL,
    pool        TEXT        NOT NULL,
    kind        TEXT        NOT NULL,
    -- One job of a lane runs at a time, in the order they came.
    lane        TEXT        NOT NULL,
    payload     JSONB       NOT NULL,
    state       TEXT        NOT NULL CHECK (state IN ('queued', 'running', 'done')),
    attempt     BIGINT      NOT NULL,
    crashes     BIGINT      NOT NULL,
    errors      BIGINT      NOT NULL,
    run_after   TIMESTAMPTZ NOT NULL,
    -- Total age limit: beyond it the job is ended as failed.
    expires_at  TIMESTAMPTZ NOT NULL,
    lease_until TIMESTAMPTZ,
    leased_by   UUID,
    created_at  TIMESTAMPTZ NOT NULL,
    finished_at TIMESTAMPTZ,
    PRIMARY KEY (org_id, id)
);
CREATE INDEX jobs_due ON jobs (pool, org_id, run_after, id) WHERE state = 'queued';
CREATE INDEX jobs_lane ON jobs (org_id, lane, created_at, id) WHERE state = 'queued';
CREATE UNIQUE INDEX jobs_one_running ON jobs (org_id, lane) WHERE state = 'running';
CREATE INDEX jobs_leases ON jobs (lease_until) WHERE state = 'running';
CREATE INDEX jobs_done ON jobs (finished_at) WHERE state = 'done';
