-- What a platform refused for a reason that only an administrator can mend: by the platform's word,
-- with how often and when last.
CREATE TABLE installation_alerts (
    org_id          UUID        NOT NULL,
    installation_id UUID        NOT NULL,
    word            TEXT        NOT NULL,
    times           BIGINT      NOT NULL,
    first_at        TIMESTAMPTZ NOT NULL,
    last_at         TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (org_id, installation_id, word),
    FOREIGN KEY (org_id, installation_id) REFERENCES installations (org_id, id)
);
