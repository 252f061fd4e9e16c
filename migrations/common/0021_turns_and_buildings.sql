-- SHA-256 of the trimmed question: by it a client finds its turn again after a lost reply. Absent for
-- turns from before.
ALTER TABLE messages ADD COLUMN question_digest BYTEA;

-- Lists of a person's turns, newest first: all, those with one question, those that are not completed.
CREATE INDEX messages_of_person ON messages (org_id, user_id, created_at, id);
CREATE INDEX messages_by_question ON messages (org_id, user_id, question_digest, created_at, id)
    WHERE question_digest IS NOT NULL;
DROP INDEX messages_processing;
CREATE INDEX messages_not_completed ON messages (org_id, status, user_id, created_at, id)
    WHERE status <> 'completed';

-- Properties. What is known of each comes with the import.
CREATE TABLE buildings (
    org_id     UUID        NOT NULL REFERENCES organizations (id),
    -- The organization's own identifier of it, as its people and systems use it.
    id         TEXT        NOT NULL,
    name       TEXT        NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (org_id, id)
);

-- Which buildings a member may use; owners and admins need none.
CREATE TABLE building_grants (
    org_id      UUID        NOT NULL,
    user_id     UUID        NOT NULL,
    building_id TEXT        NOT NULL,
    granted_at  TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (org_id, user_id, building_id),
    FOREIGN KEY (org_id, building_id) REFERENCES buildings (org_id, id) ON DELETE CASCADE,
    FOREIGN KEY (org_id, user_id) REFERENCES memberships (org_id, user_id)
);

-- Members who may use every building, also those to come.
CREATE TABLE building_grants_of_all (
    org_id     UUID        NOT NULL,
    user_id    UUID        NOT NULL,
    granted_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (org_id, user_id),
    FOREIGN KEY (org_id, user_id) REFERENCES memberships (org_id, user_id)
);
