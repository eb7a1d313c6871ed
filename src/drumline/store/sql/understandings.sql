-- begin_understanding --
-- A life begins once with a task; whoever comes back finds how far it was.
INSERT INTO understandings (team, run, task, member, incarnation, phase, level, plans, stage, attempt,
                            plan_attempt, asked, why, rejections, remains, begun_at, changed_at)
VALUES (:team, :run, :task, :member, :incarnation, :phase, :level, :plans, 'unverified', 1, 1, '[]', '', '[]',
        :remains, :now, :now)
ON CONFLICT (team, run, task, member, incarnation) DO NOTHING
RETURNING *;

-- get_understanding --
SELECT * FROM understandings {by understandings_of_life}
 WHERE team = :team AND member = :member AND incarnation = :incarnation AND task = :task;

-- understandings_of_run --
SELECT * FROM understandings WHERE team = :team AND run = :run ORDER BY begun_at, task, member, incarnation;

-- understandings_under_way --
-- Of the tasks that somebody holds: what the holder, and whoever had it before, has shown.
SELECT understandings.*
  FROM tasks {by tasks_held}
  JOIN understandings ON understandings.team = tasks.team AND understandings.run = tasks.run
                     AND understandings.task = tasks.number
 WHERE tasks.team = :team AND tasks.state = 'in_progress' AND tasks.run = :run
 ORDER BY understandings.begun_at, understandings.task, understandings.member, understandings.incarnation;

-- save_understanding --
UPDATE understandings
   SET stage = :stage, attempt = :attempt, plan_attempt = :plan_attempt, analysis = :analysis, asked = :asked,
       plan = :plan, why = :why, rejections = :rejections, changed_at = :now
 WHERE team = :team AND run = :run AND task = :task AND member = :member AND incarnation = :incarnation
RETURNING *;
