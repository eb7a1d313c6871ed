-- add_turn --
-- The next turn of a life, whose row the caller has locked.
INSERT INTO turns (team, member, incarnation, number, task, run, prompt, state, outcome, started_at)
SELECT :team, :member, :incarnation, coalesce(max(number), 0) + 1, CAST(:task AS BIGINT), :run,
       :prompt, 'running', '', :now
  FROM turns WHERE team = :team AND member = :member AND incarnation = :incarnation
RETURNING *;

-- get_turn --
SELECT * FROM turns
 WHERE team = :team AND member = :member AND incarnation = :incarnation AND number = :number;

-- list_turns --
-- One page of a member's turns, oldest first.
SELECT * FROM turns
 WHERE team = :team AND member = :member
   AND (incarnation, number) > (CAST(:incarnation AS BIGINT), CAST(:number AS BIGINT))
 ORDER BY incarnation, number
 LIMIT :most;

-- running_turn --
SELECT * FROM turns
 WHERE team = :team AND member = :member AND incarnation = :incarnation AND state = 'running';

-- turns_on_task --
-- How many other members have a request in flight for a task.
SELECT count(*) AS turns FROM turns {by turns_task}
 WHERE team = :team AND state = 'running' AND task = :task AND member <> :member;

-- turns_in_run --
SELECT count(*) AS turns FROM turns {by turns_run}
 WHERE team = :team AND state = 'running' AND run = :run AND member <> :member;

-- settle_turn --
UPDATE turns SET state = :state, outcome = :outcome, settled_at = :now
 WHERE team = :team AND member = :member AND incarnation = :incarnation AND number = :number
   AND state = 'running'
RETURNING *;
