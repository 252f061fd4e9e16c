-- Since when nothing names a file that belonged to a note: a while later row and bytes go.
ALTER TABLE files ADD COLUMN loose_since TIMESTAMPTZ;
CREATE INDEX files_loose ON files (loose_since) WHERE loose_since IS NOT NULL;
UPDATE files SET loose_since = created_at
WHERE origin LIKE 'note/%'
  AND NOT EXISTS (SELECT 1 FROM note_files n WHERE n.org_id = files.org_id AND n.file_id = files.id)
  AND NOT EXISTS (SELECT 1 FROM message_files m WHERE m.org_id = files.org_id AND m.file_id = files.id);
