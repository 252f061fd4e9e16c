-- An upload that is being imported is claimed by a process, which says now and then that it lives: one that died leaves
-- it claimed, and whoever opens it then sees that it failed and may import it again.
ALTER TABLE portfolio_uploads ADD COLUMN attempt BIGINT NOT NULL DEFAULT 0;
ALTER TABLE portfolio_uploads ADD COLUMN alive_at TIMESTAMPTZ;
