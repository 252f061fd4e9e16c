-- How many attempts of a job only learned that it was not their time: they are no tries.
ALTER TABLE jobs ADD COLUMN untried BIGINT NOT NULL DEFAULT 0;
