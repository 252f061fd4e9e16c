-- A post that follows from what was heard was begun then, and whether it stands is not known yet: whoever finds
-- it looks for the post before making another. Nothing where none was begun, or where it certainly failed.
ALTER TABLE heard ADD COLUMN posting_since TIMESTAMPTZ;
-- Of what is under way nobody wrote it down.
UPDATE heard SET posting_since = received_at WHERE done_at IS NULL;
