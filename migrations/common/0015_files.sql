-- Files that came with a question, or were made by an answer. Their bytes lie in the storage, under a key
-- that never leaves the service.
CREATE TABLE files (
    org_id        UUID        NOT NULL REFERENCES organizations (id),
    id            UUID        NOT NULL,
    -- What it came with (a chat event), and its place there: the same file is taken in once.
    origin        TEXT        NOT NULL,
    position      BIGINT      NOT NULL,
    user_id       UUID        NOT NULL REFERENCES people (id),
    -- Shared: everyone in the conversation it came from could see it. Private: only its owner's runs may.
    audience      TEXT        NOT NULL CHECK (audience IN ('private', 'shared')),
    name          TEXT        NOT NULL,
    declared_type TEXT,
    -- By its content; absent where nothing was received or the content is of no accepted kind.
    kind          TEXT,
    macros        BOOLEAN     NOT NULL,
    bytes         BIGINT,
    sha256        BYTEA,
    -- Absent for a refused file: of these nothing is kept.
    blob_key      TEXT,
    verdict       TEXT        NOT NULL CHECK (verdict IN ('not_yet_readable', 'refused')),
    -- Why it was refused: a stable word, and what belongs to it.
    reason        JSONB,
    created_at    TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (org_id, id),
    UNIQUE (org_id, origin, position)
);

-- Which files a question brought along, in their order.
CREATE TABLE message_files (
    org_id     UUID   NOT NULL,
    message_id UUID   NOT NULL,
    position   BIGINT NOT NULL,
    file_id    UUID   NOT NULL,
    PRIMARY KEY (org_id, message_id, position),
    FOREIGN KEY (org_id, message_id) REFERENCES messages (org_id, id),
    FOREIGN KEY (org_id, file_id) REFERENCES files (org_id, id)
);

-- What follows the first message of a delivery: further messages and files, each said once.
CREATE TABLE delivery_parts (
    org_id      UUID        NOT NULL,
    delivery_id UUID        NOT NULL,
    part        BIGINT      NOT NULL,
    -- Begun: it may stand there already; look before saying it again.
    state       TEXT        NOT NULL CHECK (state IN ('begun', 'done')),
    -- The platform's id of the post, or of the file.
    receipt     TEXT,
    created_at  TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (org_id, delivery_id, part),
    FOREIGN KEY (org_id, delivery_id) REFERENCES deliveries (org_id, id)
);
