-- What a payer has spent on language models in a day or a month. A payer is a person ("person/…"), the owner of sandbox
-- keys ("sandbox/…") or the organization ("organization").
CREATE TABLE model_spend (
    org_id  UUID    NOT NULL REFERENCES organizations (id),
    payer   TEXT    NOT NULL,
    -- For instance 2026-11 or 2026-11-27.
    period  TEXT    NOT NULL,
    -- Reserved for runs that have not ended, in micro-dollars.
    held    BIGINT  NOT NULL CHECK (held >= 0),
    spent   BIGINT  NOT NULL CHECK (spent >= 0),
    -- The limit of which administrators were told that most is spent, or 0.
    warned  BIGINT NOT NULL,
    PRIMARY KEY (org_id, payer, period)
);
INSERT INTO model_spend (org_id, payer, period, held, spent, warned)
    SELECT org_id, CASE WHEN payer = '' THEN 'organization' ELSE 'sandbox/' || payer END, period, 0, micro_usd, 0
    FROM model_trials;
DROP TABLE model_trials;

-- What an organization's administrators allow to spend on language models, in micro-dollars; null: no limit of theirs.
CREATE TABLE model_limits (
    org_id       UUID   NOT NULL PRIMARY KEY REFERENCES organizations (id),
    run          BIGINT CHECK (run >= 0),
    person_day   BIGINT CHECK (person_day >= 0),
    person_month BIGINT CHECK (person_month >= 0),
    org_day      BIGINT CHECK (org_day >= 0),
    org_month    BIGINT CHECK (org_month >= 0)
);

-- The cost of language models by day, person, model and interface.
CREATE TABLE model_days (
    org_id    UUID   NOT NULL REFERENCES organizations (id),
    -- For instance 2026-11-27.
    day       TEXT   NOT NULL,
    user_id   UUID   NOT NULL,
    model     TEXT   NOT NULL,
    face      TEXT   NOT NULL,
    runs      BIGINT NOT NULL,
    micro_usd BIGINT NOT NULL,
    PRIMARY KEY (org_id, day, user_id, model, face)
);
