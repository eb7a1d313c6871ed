-- add_tasks --
-- Put many tasks on the board.
INSERT INTO tasks (team, number, title, state, priority, profile, files, outputs, tracker, run,
                   permanent, waits, waited_by, fence, created_at, updated_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- add_texts --
INSERT INTO task_texts (team, number, body) VALUES (?, ?, ?);

-- add_dependencies --
INSERT INTO dependencies (team, number, waits_for) VALUES (?, ?, ?);

-- add_fields --
INSERT INTO task_metadata (team, number, field, value) VALUES (?, ?, ?, ?);

-- add_waiters --
-- Count those who begin to wait for tasks.
UPDATE tasks SET waited_by = waited_by + json_extract(value, '$[1]')
  FROM json_each(:rows)
 WHERE tasks.team = :team AND tasks.number = json_extract(value, '$[0]')
RETURNING *;

-- lock_tasks --
SELECT * FROM tasks
 WHERE team = :team AND number IN (SELECT value FROM json_each(:numbers)) ORDER BY number;

-- lock_task --
-- The write lock of the whole store is held already.
SELECT * FROM tasks WHERE team = :team AND number = :number;

-- lock_graph --
SELECT 1 AS held;

-- lock_files --
SELECT 1 AS held;

-- lock_team --
SELECT 1 AS held;

-- lock_member --
SELECT * FROM members WHERE team = :team AND name = :name;

-- claim_head --
-- Give the best ready task to a member, in the common case: the member is here in this life, its
-- constitution allows it, nothing expired, no files to compare. Otherwise nobody gets anything.
-- Who asks for no lease has the team's own, if it can be told at a glance.
UPDATE tasks
   SET state = 'in_progress', owner = :member,
       incarnation = (SELECT incarnation FROM members WHERE team = :team AND name = :member),
       fence = fence + 1, claimed_at = :now, updated_at = :now,
       lease_until = :now + COALESCE(
           :lease,
           (SELECT CAST(json_extract(settings, '$.lease-by-hand') * 1000000 AS INTEGER)
              FROM teams WHERE team = :team))
 WHERE team = :team AND files = '[]'
   AND number = (
        SELECT number FROM tasks
         WHERE team = :team AND state = 'pending' AND waits = 0 AND permanent = 0
           AND profile IN ('', (SELECT profile FROM members WHERE team = :team AND name = :member))
           AND (run = '' OR run NOT IN (SELECT 'run-' || CAST(number AS TEXT) FROM runs {by runs_stopped} WHERE team = :team AND state = 'stopped'))
         ORDER BY priority DESC, number LIMIT 1)
   AND EXISTS (SELECT 1 FROM teams
                WHERE team = :team AND :allowed LIKE '% ' || constitution || ' %'
                  AND CASE WHEN :lease IS NOT NULL THEN 1
                           WHEN json_valid(settings) THEN json_type(settings, '$.lease-by-hand') IN ('integer', 'real')
                      END)
   AND NOT EXISTS (SELECT 1 FROM tasks
                    WHERE team = :team AND state = 'in_progress' AND lease_until <= :now)
   AND EXISTS (SELECT 1 FROM members
                WHERE team = :team AND name = :member AND active = 1
                  AND (CAST(:incarnation AS BIGINT) IS NULL OR incarnation = :incarnation))
RETURNING *;
