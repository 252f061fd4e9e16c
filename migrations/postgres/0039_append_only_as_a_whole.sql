-- Row triggers do not see TRUNCATE.
CREATE TRIGGER audit_log_kept_whole BEFORE TRUNCATE ON audit_log
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER usage_entries_kept_whole BEFORE TRUNCATE ON usage_entries
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
