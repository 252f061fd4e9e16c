-- What a run is doing, in a few words for the person who waits. Only of turns that are in progress.
ALTER TABLE messages ADD COLUMN progress TEXT;
