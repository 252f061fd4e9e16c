CREATE TRIGGER usage_entries_append_only BEFORE UPDATE OR DELETE ON usage_entries
FOR EACH ROW EXECUTE FUNCTION refuse_change();
