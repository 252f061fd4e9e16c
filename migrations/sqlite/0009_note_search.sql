-- `scope` is the organization, and for a personal note its owner too, as one word: a query names
-- the scopes it may see, so that foreign text never enters the candidates.
CREATE VIRTUAL TABLE note_search USING fts5 (scope, title, body, content = '', contentless_delete = 1, tokenize = 'porter unicode61');
CREATE TRIGGER notes_search_added AFTER INSERT ON notes BEGIN
    INSERT INTO note_search (rowid, scope, title, body)
    VALUES (new.rowid, CASE new.kind WHEN 'user_memory' THEN 'p' || hex(new.org_id) || hex(new.owner_id)
                                     ELSE 'o' || hex(new.org_id) END, new.title, new.body);
END;
CREATE TRIGGER notes_search_removed AFTER DELETE ON notes BEGIN
    DELETE FROM note_search WHERE rowid = old.rowid;
END;
CREATE TRIGGER notes_search_changed AFTER UPDATE ON notes BEGIN
    DELETE FROM note_search WHERE rowid = old.rowid;
    INSERT INTO note_search (rowid, scope, title, body)
    VALUES (new.rowid, CASE new.kind WHEN 'user_memory' THEN 'p' || hex(new.org_id) || hex(new.owner_id)
                                     ELSE 'o' || hex(new.org_id) END, new.title, new.body);
END;
