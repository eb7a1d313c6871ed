-- lock_team_notes --
-- The write lock of the whole store is held already.
SELECT 1 AS held;
