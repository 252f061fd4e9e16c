-- What the owner of sandbox keys, or an organization on trial, has spent on language models in a month, with what is
-- reserved for runs that have not ended.
CREATE TABLE model_trials (
    org_id    UUID   NOT NULL REFERENCES organizations (id),
    -- The person's id, or empty for the organization.
    payer     TEXT   NOT NULL,
    -- For instance 2026-11.
    period    TEXT   NOT NULL,
    micro_usd BIGINT NOT NULL CHECK (micro_usd >= 0),
    PRIMARY KEY (org_id, payer)
);
