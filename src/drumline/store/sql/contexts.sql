-- add_context --
INSERT INTO contexts (team, run, version, sections, author, why, published_at)
VALUES (:team, :run, :version, :sections, :author, :why, :now)
RETURNING *;

-- get_context --
SELECT * FROM contexts WHERE team = :team AND run = :run AND version = :version;

-- newest_context --
SELECT * FROM contexts WHERE team = :team AND run = :run ORDER BY version DESC LIMIT 1;

-- last_context --
-- The run whose context was published last; of several at one moment the later version.
SELECT run FROM contexts {by contexts_when} WHERE team = :team ORDER BY published_at DESC, version DESC LIMIT 1;

-- last_run --
-- The run that was opened last.
SELECT run FROM tasks {by tasks_permanent} WHERE team = :team AND permanent = 1 ORDER BY number DESC LIMIT 1;

-- get_holding --
SELECT * FROM holdings WHERE team = :team AND run = :run AND member = :member;

-- list_holdings --
SELECT * FROM holdings WHERE team = :team AND run = :run ORDER BY member;

-- keep_holding --
INSERT INTO holdings (team, run, member, incarnation, offered, held, applied, total, impact, action, needs,
                      offered_at, said_at)
VALUES (:team, :run, :member, :incarnation, :offered, :held, :applied, :total, :impact, :action, :needs,
        :offered_at, :said_at)
ON CONFLICT (team, run, member) DO UPDATE
   SET incarnation = excluded.incarnation, offered = excluded.offered, held = excluded.held,
       applied = excluded.applied, total = excluded.total, impact = excluded.impact,
       action = excluded.action, needs = excluded.needs, offered_at = excluded.offered_at,
       said_at = excluded.said_at
RETURNING *;

-- add_deviation --
INSERT INTO deviations (team, run, number, grave, what, members, author, found_at)
SELECT :team, :run, coalesce(max(number), 0) + 1, :grave, :what, :members, :author, :now
  FROM deviations WHERE team = :team AND run = :run
RETURNING *;

-- list_deviations --
SELECT * FROM deviations WHERE team = :team AND run = :run ORDER BY number;
