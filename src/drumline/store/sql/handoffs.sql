-- add_handoff --
INSERT INTO handoffs (team, number, version, member, fence, run, phase, folder, said, at)
VALUES (:team, :number,
        1 + (SELECT coalesce(max(version), 0) FROM handoffs WHERE team = :team AND number = :number),
        :member, :fence, :run, :phase, :folder, :said, :now)
RETURNING *;

-- last_handoff --
SELECT * FROM handoffs WHERE team = :team AND number = :number ORDER BY version DESC LIMIT 1;

-- handoffs_in_folder --
-- The task whose files are in a folder, as it was last handed off.
SELECT * FROM handoffs {by handoffs_folder} WHERE team = :team AND folder = :folder ORDER BY version DESC LIMIT 1;

-- handoffs_of_run --
-- What stands of a run: the last version of each task.
SELECT * FROM handoffs {by handoffs_run}
 WHERE team = :team AND run = :run
   AND version = (SELECT max(version) FROM handoffs AS later
                   WHERE later.team = :team AND later.number = handoffs.number)
 ORDER BY number;

-- add_await --
INSERT INTO awaits (team, number, member) VALUES (:team, :number, :member) RETURNING *;

-- remove_await --
DELETE FROM awaits WHERE team = :team AND number = :number AND member = :member RETURNING *;

-- awaited_by --
-- Whose handoff a task waits for.
SELECT member FROM awaits WHERE team = :team AND number = :number ORDER BY member;

-- awaiting --
-- The tasks of a run that wait for a member's handoff.
SELECT awaits.number FROM awaits JOIN tasks
    ON tasks.team = awaits.team AND tasks.number = awaits.number
 WHERE awaits.team = :team AND awaits.member = :member AND tasks.run = :run
 ORDER BY awaits.number;

-- owed_to --
-- The tasks outside runs that depend on a task, and wait for the handoff of whoever holds it.
SELECT awaits.number FROM dependencies
  JOIN awaits ON awaits.team = dependencies.team AND awaits.number = dependencies.number
  JOIN tasks ON tasks.team = awaits.team AND tasks.number = awaits.number
 WHERE dependencies.team = :team AND dependencies.waits_for = :number AND awaits.member = :member AND tasks.run = ''
 ORDER BY awaits.number;
