-- Places of limits are written ten times a second while requests come; they are in a file of their own now
-- (limits/own.rs), which has the same table.
DROP TABLE limit_places;
