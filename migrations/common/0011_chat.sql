-- Chat events taken in. Two layers against duplicates: the platform's event, and the message it
-- speaks of (a mention and a message event of one post arrive in either order).
CREATE TABLE inbox (
    org_id          UUID        NOT NULL,
    id              UUID        NOT NULL,
    installation_id UUID        NOT NULL,
    event_key       TEXT        NOT NULL,
    message_key     TEXT        NOT NULL,
    turn            JSONB       NOT NULL,
    -- Set once the turn was decided; the fence against deciding twice.
    decided_at      TIMESTAMPTZ,
    message_id      UUID,
    received_at     TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (org_id, id)
);
CREATE UNIQUE INDEX inbox_by_event ON inbox (org_id, installation_id, event_key);
CREATE UNIQUE INDEX inbox_by_message ON inbox (org_id, installation_id, message_key);

-- What is to be said in a chat, and how far it has come. Separate from the run: a finished
-- answer is never lost because a platform refused it.
CREATE TABLE deliveries (
    org_id          UUID        NOT NULL,
    id              UUID        NOT NULL,
    installation_id UUID        NOT NULL,
    inbox_id        UUID,
    kind            TEXT        NOT NULL,
    target          JSONB       NOT NULL,
    -- What to say; absent for an answer, which is read from its message.
    say             JSONB,
    message_id      UUID,
    state           TEXT        NOT NULL CHECK (state IN ('pending', 'posting', 'placed', 'delivered', 'failed')),
    -- The platform's id of the placeholder or post.
    receipt         TEXT,
    failure         TEXT,
    created_at      TIMESTAMPTZ NOT NULL,
    finished_at     TIMESTAMPTZ,
    PRIMARY KEY (org_id, id)
);
CREATE UNIQUE INDEX deliveries_once ON deliveries (org_id, inbox_id, kind) WHERE inbox_id IS NOT NULL;

-- Posts of the preview platform: what a chat window shows.
CREATE TABLE preview_posts (
    org_id       UUID        NOT NULL REFERENCES organizations (id),
    id           UUID        NOT NULL,
    conversation TEXT        NOT NULL,
    thread       TEXT        NOT NULL,
    author       TEXT        NOT NULL CHECK (author IN ('person', 'assistant')),
    -- The person who wrote it, or the one who alone sees it.
    user_id      UUID,
    only_for     UUID,
    delivery_id  UUID,
    body         JSONB       NOT NULL,
    created_at   TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (org_id, id)
);
CREATE INDEX preview_posts_of_conversation ON preview_posts (org_id, conversation, id);
CREATE UNIQUE INDEX preview_posts_of_delivery ON preview_posts (org_id, delivery_id) WHERE delivery_id IS NOT NULL;
