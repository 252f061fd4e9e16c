-- The model whose runs may use the note; absent: every model.
ALTER TABLE notes ADD COLUMN model TEXT;
ALTER TABLE notes ADD COLUMN folder TEXT;
-- Who changed it last; absent where nobody has since it was written.
ALTER TABLE notes ADD COLUMN updated_by UUID;

-- Lists run newest first within what a person may see: their own personal notes, and the organization's.
DROP INDEX notes_of_owner;
CREATE INDEX notes_personal ON notes (org_id, owner_id, id) WHERE kind = 'user_memory';
CREATE INDEX notes_organization ON notes (org_id, id) WHERE kind = 'organisation_memory';
CREATE INDEX notes_in_folder ON notes (org_id, kind, folder, id) WHERE folder IS NOT NULL;

-- Custom analysts. A deleted one stays as a row: runs and assistants that named it say which it was.
CREATE TABLE analysts (
    org_id      UUID        NOT NULL REFERENCES organizations (id),
    id          UUID        NOT NULL,
    -- Under which runs select it.
    model_id    UUID        NOT NULL,
    owner_id    UUID        NOT NULL REFERENCES people (id),
    name        TEXT        NOT NULL,
    base        TEXT        NOT NULL,
    tone        TEXT        NOT NULL,
    emoji       TEXT,
    description TEXT        NOT NULL,
    created_at  TIMESTAMPTZ NOT NULL,
    updated_at  TIMESTAMPTZ NOT NULL,
    deleted_at  TIMESTAMPTZ,
    PRIMARY KEY (org_id, id),
    UNIQUE (org_id, model_id)
);
CREATE INDEX analysts_of_owner ON analysts (org_id, owner_id, id) WHERE deleted_at IS NULL;

-- The Organization notes that every run of an analyst gets. The notes stand on their own.
CREATE TABLE analyst_notes (
    org_id     UUID        NOT NULL,
    analyst_id UUID        NOT NULL,
    note_id    UUID        NOT NULL,
    added_at   TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (org_id, analyst_id, note_id),
    FOREIGN KEY (org_id, analyst_id) REFERENCES analysts (org_id, id),
    FOREIGN KEY (org_id, note_id) REFERENCES notes (org_id, id) ON DELETE CASCADE
);
CREATE INDEX analyst_notes_of_note ON analyst_notes (org_id, note_id);

-- The analyst whose model, tone and Organization Context the assistant answers with.
ALTER TABLE assistants ADD COLUMN analyst_id UUID;
