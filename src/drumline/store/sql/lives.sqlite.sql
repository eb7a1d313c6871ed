-- lock_place --
-- The write lock of the whole store is held already.
SELECT 1 AS held;

-- lock_open_life --
SELECT * FROM lives WHERE team = :team AND member = :member AND state <> 'ended';

-- lock_life --
SELECT * FROM lives WHERE team = :team AND member = :member AND incarnation = :incarnation;
