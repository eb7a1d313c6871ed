-- due_wakes --
-- Each is looked at by one at a time; who is being woken again at this moment comes next time.
SELECT * FROM wakes WHERE team = :team AND due_at <= :now
 ORDER BY due_at, member LIMIT :most FOR UPDATE SKIP LOCKED;

-- lock_waiting_nudge --
SELECT * FROM nudges
 WHERE team = :team AND member = :member AND incarnation = :incarnation AND state = 'waiting'
 ORDER BY made_at LIMIT 1 FOR UPDATE;
