-- lock_task --
SELECT * FROM tasks WHERE team = :team AND number = :number FOR UPDATE;

-- lock_graph --
-- One change of the waiting graph at a time: two halves of a cycle must not pass each other.
SELECT pg_advisory_xact_lock(hashtextextended('drumline graph ' || :team, 0)) AS held;

-- lock_files --
-- One comparison of file sets at a time.
SELECT pg_advisory_xact_lock(hashtextextended('drumline files ' || :team, 0)) AS held;

-- claim_head --
-- Give the best ready task to a member, unless its files must be compared with others first.
-- A row another claimant is looking at is skipped: whoever finds nothing asks again in order.
WITH claimant AS (
    SELECT incarnation, profile FROM members
     WHERE team = :team AND name = :member AND active = 1
       AND (CAST(:incarnation AS BIGINT) IS NULL OR incarnation = :incarnation)
), anyone AS (
    SELECT number, priority, files FROM tasks
     WHERE team = :team AND profile = ''
       AND state = 'pending' AND waits = 0 AND permanent = 0
     ORDER BY priority DESC, number LIMIT 1 FOR UPDATE SKIP LOCKED
), fitting AS (
    SELECT number, priority, files FROM tasks
     WHERE team = :team AND profile = (SELECT profile FROM claimant WHERE profile <> '')
       AND state = 'pending' AND waits = 0 AND permanent = 0
     ORDER BY priority DESC, number LIMIT 1 FOR UPDATE SKIP LOCKED
), head AS (
    SELECT number, files FROM (SELECT * FROM anyone UNION ALL SELECT * FROM fitting) AS either
     ORDER BY priority DESC, number LIMIT 1
)
UPDATE tasks
   SET state = 'in_progress', owner = :member, incarnation = claimant.incarnation,
       fence = fence + 1, claimed_at = :now, lease_until = :now + :lease, updated_at = :now
  FROM claimant, head
 WHERE tasks.team = :team AND tasks.number = head.number AND head.files = '[]'
RETURNING tasks.*;
