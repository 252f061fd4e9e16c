-- Who asked for a job, as the path `person` or `person/key`; empty if nobody in particular. Claims step from asker to
-- asker through the index, so a long queue of one does not slow them down.
ALTER TABLE jobs ADD COLUMN asker TEXT NOT NULL DEFAULT '';
DROP INDEX jobs_due;
CREATE INDEX jobs_due ON jobs (pool, org_id, asker, run_after, id) WHERE state = 'queued';
