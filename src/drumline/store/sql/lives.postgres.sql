-- lock_place --
-- One beginning in a member's place at a time: there may be no life yet whose row could be locked.
SELECT pg_advisory_xact_lock(hashtextextended('drumline place ' || :team || ' ' || :member, 0)) AS held;

-- lock_open_life --
SELECT * FROM lives WHERE team = :team AND member = :member AND state <> 'ended' FOR UPDATE;

-- lock_life --
SELECT * FROM lives
 WHERE team = :team AND member = :member AND incarnation = :incarnation
   FOR UPDATE;
