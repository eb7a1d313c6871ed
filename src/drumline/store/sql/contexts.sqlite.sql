-- lock_contexts --
-- The write lock of the whole store is held already.
SELECT 1 AS held;
