CREATE TRIGGER usage_entries_no_update BEFORE UPDATE ON usage_entries
BEGIN SELECT RAISE(ABORT, 'the usage ledger is append-only'); END;
CREATE TRIGGER usage_entries_no_delete BEFORE DELETE ON usage_entries
BEGIN SELECT RAISE(ABORT, 'the usage ledger is append-only'); END;
