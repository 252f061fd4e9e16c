-- Who wants to hear what is decided on a shared conversation; taken off the list with the decision.
CREATE TABLE conversation_askers (
    org_id          UUID        NOT NULL,
    installation_id UUID        NOT NULL,
    conversation    TEXT        NOT NULL,
    platform_team   TEXT        NOT NULL,
    platform_user   TEXT        NOT NULL,
    asked_at        TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (org_id, installation_id, conversation, platform_team, platform_user),
    FOREIGN KEY (org_id, installation_id, conversation)
        REFERENCES conversations (org_id, installation_id, conversation)
);
INSERT INTO conversation_askers (org_id, installation_id, conversation, platform_team, platform_user, asked_at)
SELECT c.org_id, c.installation_id, c.conversation, COALESCE(i.team_id, i.enterprise_id, ''), c.requested_by,
       c.requested_at
FROM conversations c JOIN installations i ON i.org_id = c.org_id AND i.id = c.installation_id
WHERE c.state = 'requested' AND c.requested_by IS NOT NULL AND c.requested_at IS NOT NULL;

-- To which conversations the question of an answer was shared: to each once.
CREATE TABLE shared_answers (
    org_id       UUID        NOT NULL,
    message_id   UUID        NOT NULL,
    conversation TEXT        NOT NULL,
    shared_at    TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (org_id, message_id, conversation)
);
