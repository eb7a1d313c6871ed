-- add_task --
INSERT INTO tasks (team, number, title, state, priority, profile, files, outputs, tracker, run,
                   permanent, waits, waited_by, fence, created_at, updated_at)
VALUES (:team, :number, :title, :state, :priority, :profile, :files, :outputs, :tracker, :run,
        :permanent, :waits, :waited_by, :fence, :created_at, :updated_at);

-- add_text --
INSERT INTO task_texts (team, number, body) VALUES (:team, :number, :body);

-- get_text --
SELECT body FROM task_texts WHERE team = :team AND number = :number;

-- get_task --
SELECT * FROM tasks WHERE team = :team AND number = :number;

-- list_tasks --
-- One page of the board, oldest first.
SELECT * FROM tasks
 WHERE team = :team AND number > :after
   AND (CAST(:state AS TEXT) IS NULL OR state = :state)
   AND (CAST(:owner AS TEXT) IS NULL OR owner = :owner)
 ORDER BY number
 LIMIT :most;

-- count_tasks --
SELECT state, count(*) AS tasks, sum(CASE WHEN waits > 0 THEN 1 ELSE 0 END) AS waiting
  FROM tasks WHERE team = :team AND permanent = 0 GROUP BY state;

-- ready_tasks --
-- What a member of this profile could take, best first; after the place reached so far.
-- Nothing of a run that rests is taken.
SELECT * FROM tasks
 WHERE team = :team AND state = 'pending' AND waits = 0 AND permanent = 0
   AND run NOT IN (SELECT 'run-' || CAST(number AS TEXT) FROM runs {by runs_stopped} WHERE team = :team AND state = 'stopped')
   AND (CAST(:profile AS TEXT) IS NULL OR profile = '' OR profile = :profile)
   AND (priority < :priority OR (priority = :priority AND number > :number))
 ORDER BY priority DESC, number
 LIMIT :most;

-- held_tasks --
SELECT * FROM tasks {by tasks_held} WHERE team = :team AND state = 'in_progress' ORDER BY number;

-- held_files --
-- The file sets that are being worked on now.
SELECT number, owner, files FROM tasks {by tasks_held}
 WHERE team = :team AND state = 'in_progress' AND files <> '[]'
 ORDER BY number;

-- take_task --
-- Give a ready task to a member: the caller holds its lock and has checked it.
UPDATE tasks
   SET state = 'in_progress', owner = :member, incarnation = :incarnation, fence = fence + 1,
       claimed_at = :now, lease_until = :now + :lease, updated_at = :now
 WHERE team = :team AND number = :number AND state = 'pending' AND waits = 0 AND owner IS NULL
RETURNING *;

-- renew_task --
UPDATE tasks SET lease_until = :now + :lease, updated_at = :now
 WHERE team = :team AND number = :number AND owner IS NOT NULL
RETURNING *;

-- move_task --
-- Leave a state: the claim, if there was one, ends with it.
UPDATE tasks
   SET state = :state, owner = NULL, incarnation = NULL, claimed_at = NULL, lease_until = NULL,
       updated_at = :now
 WHERE team = :team AND number = :number
RETURNING *;

-- edit_task --
UPDATE tasks
   SET title = :title, priority = :priority, profile = :profile, files = :files,
       outputs = :outputs, tracker = :tracker, updated_at = :now
 WHERE team = :team AND number = :number
RETURNING *;

-- join_run --
-- Let a task of no run be one of a run, which delivers its work.
UPDATE tasks SET run = :run, updated_at = :now WHERE team = :team AND number = :number RETURNING *;

-- free_waiters --
-- Count down those who waited for a completed task.
UPDATE tasks SET waits = waits - 1, updated_at = :now
 WHERE team = :team
   AND number IN (SELECT number FROM dependencies WHERE team = :team AND waits_for = :number)
RETURNING *;

-- add_waits --
UPDATE tasks SET waits = waits + :more, updated_at = :now
 WHERE team = :team AND number = :number
RETURNING *;

-- add_waiter --
-- Count those who wait for a task, so that one nobody waits for can be completed in one step.
UPDATE tasks SET waited_by = waited_by + :more WHERE team = :team AND number = :number RETURNING *;

-- complete_alone --
-- Complete a held task of no run that nobody waits for or is to hear of, nothing verifies and no handoff is
-- about, if it is still the same claim. (A task with an owner is in progress; saying so would let a planner
-- prefer the index of all held tasks.)
UPDATE tasks
   SET state = 'completed', owner = NULL, incarnation = NULL, claimed_at = NULL, lease_until = NULL,
       updated_at = :now
 WHERE team = :team AND number = :number AND waited_by = 0 AND owner = :member AND run = ''
   AND (CAST(:fence AS BIGINT) IS NULL OR fence = :fence)
   AND (CAST(:incarnation AS BIGINT) IS NULL OR incarnation = :incarnation)
   AND NOT EXISTS (SELECT 1 FROM task_metadata
                    WHERE team = :team AND number = :number
                      AND field IN ('verify', 'handoff', 'handed-off', 'brief.notify'))
   AND EXISTS (SELECT 1 FROM teams
                WHERE teams.team = :team AND :allowed LIKE '% ' || constitution || ' %')
RETURNING *;

-- expire_claims --
-- Take back what nobody renewed.
UPDATE tasks
   SET state = 'pending', owner = NULL, incarnation = NULL, claimed_at = NULL, lease_until = NULL,
       updated_at = :now
 WHERE team = :team AND state = 'in_progress' AND lease_until <= :now
RETURNING *;

-- release_claims --
-- Take back what a member's earlier life, or a removed member, still held.
UPDATE tasks {by tasks_owner}
   SET state = 'pending', owner = NULL, incarnation = NULL, claimed_at = NULL, lease_until = NULL,
       updated_at = :now
 WHERE team = :team AND state = 'in_progress' AND owner = :member
RETURNING *;

-- add_dependency --
INSERT INTO dependencies (team, number, waits_for) VALUES (:team, :number, :waits_for)
ON CONFLICT (team, number, waits_for) DO NOTHING
RETURNING *;

-- remove_dependency --
DELETE FROM dependencies WHERE team = :team AND number = :number AND waits_for = :waits_for
RETURNING *;

-- blockers --
-- What a task waits for, and how far each is. (CROSS: SQLite would begin with all tasks, for their order.)
SELECT tasks.* FROM dependencies CROSS JOIN tasks
 WHERE dependencies.team = :team AND dependencies.number = :number
   AND tasks.team = dependencies.team AND tasks.number = dependencies.waits_for
 ORDER BY tasks.number;

-- waiting_for --
SELECT number FROM dependencies WHERE team = :team AND waits_for = :number ORDER BY number;

-- stuck_tasks --
-- What waits for a task that failed or was cancelled.
SELECT * FROM tasks
 WHERE team = :team AND state = 'pending' AND waits > 0
   AND EXISTS (SELECT 1 FROM dependencies JOIN tasks AS blocker
                   ON blocker.team = dependencies.team AND blocker.number = dependencies.waits_for
                WHERE dependencies.team = :team AND dependencies.number = tasks.number
                  AND blocker.state IN ('failed', 'cancelled'))
 ORDER BY number;

-- edges --
SELECT number, waits_for FROM dependencies WHERE team = :team ORDER BY number, waits_for;

-- edges_from --
-- Every wait that can be reached from one task. (CROSS: as above.)
WITH RECURSIVE reached (number) AS (
    SELECT CAST(:number AS BIGINT)
    UNION
    SELECT dependencies.waits_for FROM dependencies JOIN reached
        ON dependencies.number = reached.number
     WHERE dependencies.team = :team
)
SELECT dependencies.number, dependencies.waits_for FROM reached CROSS JOIN dependencies
 WHERE dependencies.team = :team AND dependencies.number = reached.number
 ORDER BY dependencies.number, dependencies.waits_for;

-- permanent_task --
SELECT * FROM tasks WHERE team = :team AND run = :run AND permanent = 1;

-- set_field --
INSERT INTO task_metadata (team, number, field, value) VALUES (:team, :number, :field, :value)
ON CONFLICT (team, number, field) DO UPDATE SET value = excluded.value
RETURNING *;

-- clear_one --
DELETE FROM task_metadata WHERE team = :team AND number = :number AND field = :field RETURNING *;

-- clear_field --
-- Make room: a field and what lies under it cannot both have a value.
DELETE FROM task_metadata
 WHERE team = :team AND number = :number
   AND (field = :field OR substr(field, 1, length(:field) + 1) = :field || '.')
RETURNING *;

-- get_fields --
SELECT field, value FROM task_metadata WHERE team = :team AND number = :number ORDER BY field;

-- tasks_with_field --
-- The tasks of a run that have a field.
SELECT task_metadata.number
  FROM tasks {by tasks_of_run}
  JOIN task_metadata ON task_metadata.team = tasks.team AND task_metadata.number = tasks.number
 WHERE tasks.team = :team AND tasks.run = :run AND tasks.run <> '' AND tasks.permanent = 0
   AND task_metadata.field = :field;

-- renew_life_claims --
-- Hold on to all that one life has claimed: never for shorter, and no sign of progress.
UPDATE tasks {by tasks_owner}
   SET lease_until = CASE WHEN lease_until < :now + :lease THEN :now + :lease ELSE lease_until END
 WHERE team = :team AND state = 'in_progress' AND owner = :member AND incarnation = :incarnation
RETURNING *;

-- release_life_claims --
-- Take back what one life held, and nothing of its successor's.
UPDATE tasks {by tasks_owner}
   SET state = 'pending', owner = NULL, incarnation = NULL, claimed_at = NULL, lease_until = NULL,
       updated_at = :now
 WHERE team = :team AND state = 'in_progress' AND owner = :member AND incarnation = :incarnation
RETURNING *;
