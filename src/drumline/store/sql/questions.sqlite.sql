-- lock_questions --
-- The write lock of the whole store is held already.
SELECT 1 AS held;
