-- add_tasks --
-- Put many tasks on the board.
COPY tasks (team, number, title, state, priority, profile, files, outputs, tracker, run,
            permanent, waits, waited_by, fence, created_at, updated_at) FROM STDIN;

-- add_texts --
COPY task_texts (team, number, body) FROM STDIN;

-- add_dependencies --
COPY dependencies (team, number, waits_for) FROM STDIN;

-- add_fields --
COPY task_metadata (team, number, field, value) FROM STDIN;

-- add_waiters --
-- Count those who begin to wait for tasks.
UPDATE tasks SET waited_by = waited_by + CAST(value->>1 AS BIGINT)
  FROM json_array_elements(CAST(:rows AS json)) AS given (value)
 WHERE tasks.team = :team AND tasks.number = CAST(value->>0 AS BIGINT)
RETURNING tasks.*;

-- lock_tasks --
-- In the order of their numbers, as whoever locks one after the other does.
SELECT * FROM tasks
 WHERE team = :team
   AND number IN (SELECT CAST(json_array_elements_text(CAST(:numbers AS json)) AS BIGINT))
 ORDER BY number FOR UPDATE;

-- lock_task --
SELECT * FROM tasks WHERE team = :team AND number = :number FOR UPDATE;

-- lock_graph --
-- One change of the waiting graph at a time: two halves of a cycle must not pass each other.
SELECT pg_advisory_xact_lock(hashtextextended('drumline graph ' || :team, 0)) AS held;

-- lock_files --
-- One comparison of file sets at a time.
SELECT pg_advisory_xact_lock(hashtextextended('drumline files ' || :team, 0)) AS held;

-- lock_team --
-- One manifest taken over at a time.
SELECT 1 AS held FROM teams WHERE team = :team FOR UPDATE;

-- lock_member --
-- Keep a member in its life, and on the team, until this transaction ends.
SELECT * FROM members WHERE team = :team AND name = :name FOR SHARE;

-- claim_head --
-- Give the best ready task to a member, in the common case: the member is here in this life, its
-- constitution allows it, nothing expired, no files to compare. Otherwise nobody gets anything.
-- A row another claimant is looking at is skipped: whoever finds nothing asks again in order.
-- One with files is let go with this statement: they are compared under their own lock, in order.
-- Who asks for no lease has the team's own, if it can be told at a glance. Who may not claim looks at no task.
WITH claimant AS (
    SELECT incarnation, profile FROM members
     WHERE team = :team AND name = :member AND active = 1
       AND (CAST(:incarnation AS BIGINT) IS NULL OR incarnation = :incarnation)
       FOR SHARE
), agreed AS (
    SELECT COALESCE(CAST(:lease AS BIGINT),
                    CAST(CAST(substring(settings FROM '"lease-by-hand": ?([0-9]+[.]?[0-9]*)[,}]') AS FLOAT8)
                         * 1000000 AS BIGINT)) AS lease
      FROM teams WHERE team = :team AND :allowed LIKE '% ' || constitution || ' %'
), head AS (
    SELECT number, files FROM tasks
     WHERE team = :team AND state = 'pending' AND waits = 0 AND permanent = 0
       AND EXISTS (SELECT 1 FROM claimant, agreed WHERE lease IS NOT NULL)
       AND profile IN ('', (SELECT profile FROM claimant))
       AND (run = '' OR run NOT IN (SELECT 'run-' || CAST(number AS TEXT) FROM runs {by runs_stopped} WHERE team = :team AND state = 'stopped'))
     ORDER BY priority DESC, number LIMIT 1 FOR UPDATE SKIP LOCKED
)
UPDATE tasks
   SET state = 'in_progress', owner = :member, incarnation = claimant.incarnation,
       fence = fence + 1, claimed_at = :now, lease_until = :now + agreed.lease, updated_at = :now
  FROM claimant, head, agreed
 WHERE tasks.team = :team AND tasks.number = head.number AND head.files = '[]'
   AND NOT EXISTS (SELECT 1 FROM tasks AS held
                    WHERE held.team = :team AND held.state = 'in_progress' AND held.lease_until <= :now)
RETURNING tasks.*;
