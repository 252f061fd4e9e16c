-- When a post of a delivery got no answer in time: it may still be made, so it is looked for before it is
-- made again, and looked after once all is said.
ALTER TABLE deliveries ADD COLUMN doubted_at TIMESTAMPTZ;

-- Until which message a person stopped a thread: a question before it may be heard only after the stop.
CREATE TABLE stopped_threads (
    org_id          UUID        NOT NULL,
    installation_id UUID        NOT NULL,
    conversation    TEXT        NOT NULL,
    thread          TEXT        NOT NULL,
    platform_user   TEXT        NOT NULL,
    until_message   TEXT        NOT NULL,
    stopped_at      TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (org_id, installation_id, conversation, thread, platform_user)
);
