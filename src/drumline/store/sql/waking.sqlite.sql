-- due_wakes --
-- The write lock of the whole store is held already.
SELECT * FROM wakes WHERE team = :team AND due_at <= :now ORDER BY due_at, member LIMIT :most;

-- lock_waiting_nudge --
SELECT * FROM nudges
 WHERE team = :team AND member = :member AND incarnation = :incarnation AND state = 'waiting'
 ORDER BY made_at LIMIT 1;
