-- What belongs to Slack moves out of the neutral table. Another platform adds a table of its own.
CREATE TABLE slack_installations (
    org_id                  UUID        NOT NULL,
    installation_id         UUID        NOT NULL,
    app_id                  TEXT,
    client_id               TEXT,
    client_secret           BYTEA,
    signing_secret          BYTEA,
    -- Signing secrets before the current one, and when the last of them is no longer accepted.
    previous_signing_secret BYTEA,
    previous_secret_until   TIMESTAMPTZ,
    bot_token               BYTEA,
    bot_user_id             TEXT,
    team_id                 TEXT,
    team_name               TEXT,
    -- Installed for a whole Enterprise Grid organization.
    is_enterprise           BOOLEAN     NOT NULL,
    enterprise_id           TEXT,
    -- Comma-separated, sorted; absent if Slack did not report them.
    scopes                  TEXT,
    -- The scope that a call was last refused for.
    missing_scope           TEXT,
    -- Token rotation: the next token, when the current one expires, and until when a node is fetching another.
    refresh_token           BYTEA,
    token_expires_at        TIMESTAMPTZ,
    refreshing_until        TIMESTAMPTZ,
    PRIMARY KEY (org_id, installation_id),
    FOREIGN KEY (org_id, installation_id) REFERENCES installations (org_id, id)
);

INSERT INTO slack_installations (org_id, installation_id, app_id, client_id, client_secret, signing_secret,
                                 previous_signing_secret, previous_secret_until, bot_token, bot_user_id, team_id,
                                 team_name, is_enterprise, enterprise_id, scopes, missing_scope, refresh_token,
                                 token_expires_at, refreshing_until)
SELECT org_id, id, app_id, client_id, client_secret, signing_secret,
       previous_signing_secret, previous_secret_until, bot_token, bot_user_id, team_id,
       team_name, is_enterprise, enterprise_id, scopes, missing_scope, refresh_token,
       token_expires_at, refreshing_until
FROM installations WHERE platform = 'slack';

ALTER TABLE installations DROP COLUMN app_id;
ALTER TABLE installations DROP COLUMN client_id;
ALTER TABLE installations DROP COLUMN client_secret;
ALTER TABLE installations DROP COLUMN signing_secret;
ALTER TABLE installations DROP COLUMN previous_signing_secret;
ALTER TABLE installations DROP COLUMN previous_secret_until;
ALTER TABLE installations DROP COLUMN bot_token;
ALTER TABLE installations DROP COLUMN bot_user_id;
ALTER TABLE installations DROP COLUMN team_id;
ALTER TABLE installations DROP COLUMN team_name;
ALTER TABLE installations DROP COLUMN is_enterprise;
ALTER TABLE installations DROP COLUMN enterprise_id;
ALTER TABLE installations DROP COLUMN scopes;
ALTER TABLE installations DROP COLUMN missing_scope;
ALTER TABLE installations DROP COLUMN refresh_token;
ALTER TABLE installations DROP COLUMN token_expires_at;
ALTER TABLE installations DROP COLUMN refreshing_until;
