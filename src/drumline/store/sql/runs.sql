-- add_run --
INSERT INTO runs (team, number, goal, pipeline, lead, task, state, tier, chosen, phase, iteration, modules,
                  domains, why, base, branch, delivered, starter, started_at)
VALUES (:team, :number, :goal, :pipeline, :lead, :task, 'working', :tier, :chosen, '', 0, 0, 0, '', :base, :branch, '',
        :starter, :now)
RETURNING *;

-- add_run_mode --
INSERT INTO run_modes (team, run, mode) VALUES (:team, :run, :mode) RETURNING *;

-- get_run --
SELECT runs.*, run_modes.mode
  FROM runs
  LEFT JOIN run_modes ON run_modes.team = runs.team AND run_modes.run = 'run-' || CAST(runs.number AS TEXT)
 WHERE runs.team = :team AND runs.number = :number;

-- list_runs --
-- Newest first.
SELECT runs.*, run_modes.mode
  FROM runs
  LEFT JOIN run_modes ON run_modes.team = runs.team AND run_modes.run = 'run-' || CAST(runs.number AS TEXT)
 WHERE runs.team = :team AND runs.number < :before ORDER BY runs.number DESC LIMIT :most;

-- mode_at_work --
-- How the lead of the run a team is at works, where that is not as usual.
SELECT run_modes.mode
  FROM runs {by runs_working}
  JOIN run_modes ON run_modes.team = runs.team AND run_modes.run = 'run-' || CAST(runs.number AS TEXT)
 WHERE runs.team = :team AND runs.state = 'working'
 ORDER BY runs.number DESC LIMIT 1;

-- working_runs --
SELECT number FROM runs {by runs_working} WHERE team = :team AND state = 'working' ORDER BY number;

-- run_at_work --
-- The run a team is at, its phase, and the gate that is open in it: known without loading what a run is.
SELECT runs.number, runs.phase, runs.iteration,
       (SELECT count(*) FROM gates
         WHERE gates.team = runs.team AND gates.run = 'run-' || CAST(runs.number AS TEXT)
           AND gates.phase = runs.phase AND gates.state = 'open') AS judged
  FROM runs {by runs_working}
 WHERE runs.team = :team AND runs.state = 'working'
 ORDER BY runs.number DESC LIMIT 1;

-- save_run --
UPDATE runs
   SET state = :state, tier = :tier, phase = :phase, iteration = :iteration, modules = :modules,
       domains = :domains, why = :why, delivered = :delivered, pipeline = :pipeline,
       ended_at = CASE WHEN :over = 1 THEN coalesce(ended_at, :now) ELSE NULL END
 WHERE team = :team AND number = :number
RETURNING *;

-- add_run_task --
INSERT INTO run_tasks (team, number, run, phase, iteration, key, failures)
VALUES (:team, :number, :run, :phase, :iteration, :key, 0)
RETURNING *;

-- tasks_of_run --
-- All of a run's tasks but its permanent one, in order; what came up on the way has no phase of its own.
SELECT tasks.*, run_tasks.phase AS run_phase, run_tasks.iteration AS run_iteration, run_tasks.key AS run_key,
       run_tasks.failures AS run_failures
  FROM tasks {by tasks_of_run}
  LEFT JOIN run_tasks ON run_tasks.team = tasks.team AND run_tasks.number = tasks.number
 WHERE tasks.team = :team AND tasks.run = :run AND tasks.run <> '' AND tasks.permanent = 0
 ORDER BY tasks.number;

-- phase_of_task --
-- The phase a run's task was planned for; none for one that came up on the way.
SELECT phase FROM run_tasks WHERE team = :team AND number = :number;

-- count_failure --
INSERT INTO run_tasks (team, number, run, phase, iteration, key, failures)
VALUES (:team, :number, :run, :phase, :iteration, '', 1)
ON CONFLICT (team, number) DO UPDATE SET failures = run_tasks.failures + 1
RETURNING *;

-- add_judgement --
INSERT INTO judgements (team, run, kind, subject, attempt, prompt, state, lead, author, tries, words, asked_at)
VALUES (:team, :run, :kind, :subject, :attempt, :prompt, 'asked', :lead, '', 0, '', :now)
RETURNING *;

-- get_judgement --
SELECT * FROM judgements
 WHERE team = :team AND run = :run AND kind = :kind AND subject = :subject AND attempt = :attempt;

-- judgements_of_run --
SELECT * FROM judgements WHERE team = :team AND run = :run ORDER BY asked_at, kind, subject, attempt;

-- judgements_for --
-- What one who leads is asked and has not answered, oldest first.
SELECT * FROM judgements {by judgements_open}
 WHERE team = :team AND lead = :lead AND state IN ('asked', 'taken')
 ORDER BY asked_at, kind, subject, attempt;

-- leads_asked --
SELECT DISTINCT lead FROM judgements {by judgements_open} WHERE team = :team AND state IN ('asked', 'taken');

-- save_judgement --
UPDATE judgements
   SET state = :state, answer = :answer, author = :author, incarnation = :incarnation, tries = :tries,
       prompt = :prompt, words = :words, ended_at = CASE WHEN :over = 1 THEN :now ELSE NULL END
 WHERE team = :team AND run = :run AND kind = :kind AND subject = :subject AND attempt = :attempt
RETURNING *;

-- add_gate --
INSERT INTO gates (team, run, phase, iteration, state, points, summary, guidance, author, opened_at)
VALUES (:team, :run, :phase, :iteration, 'open', :points, '', '', '', :now)
RETURNING *;

-- get_gate --
SELECT * FROM gates WHERE team = :team AND run = :run AND phase = :phase AND iteration = :iteration;

-- gates_of_run --
SELECT * FROM gates WHERE team = :team AND run = :run ORDER BY opened_at, phase, iteration;

-- close_gate --
UPDATE gates
   SET state = :state, points = :points, summary = :summary, guidance = :guidance, author = :author,
       ended_at = :now
 WHERE team = :team AND run = :run AND phase = :phase AND iteration = :iteration AND state = 'open'
RETURNING *;

-- add_run_question --
INSERT INTO run_questions (team, run, occasion, question) VALUES (:team, :run, :occasion, :question)
RETURNING *;

-- questions_of_run --
SELECT run_questions.occasion, questions.number, questions.state, questions.choice, questions.what,
       questions.words
  FROM run_questions
  JOIN questions ON questions.team = run_questions.team AND questions.number = run_questions.question
 WHERE run_questions.team = :team AND run_questions.run = :run
 ORDER BY questions.number;
