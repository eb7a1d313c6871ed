-- get_settled --
SELECT * FROM settled_turns WHERE team = :team AND id = :id;

-- move_settled --
-- An event that was looked at again.
UPDATE settled_turns SET why = :why, member = :member WHERE team = :team AND id = :id RETURNING *;

-- count_drained --
-- How many events came to what, counted by the transactions that took them in.
SELECT substr(name, 9) AS why, value FROM counters
 WHERE team = :team AND substr(name, 1, 8) = 'settled:' AND value > 0
 ORDER BY name;

-- set_sitting --
INSERT INTO sittings (team, session, runtime, member, incarnation, cwd, author, since)
VALUES (:team, :session, :runtime, :member, :incarnation, :cwd, :author, :now)
ON CONFLICT (team, session) DO UPDATE
   SET runtime = excluded.runtime, member = excluded.member, incarnation = excluded.incarnation,
       cwd = excluded.cwd, author = excluded.author, since = excluded.since
RETURNING *;

-- sittings_of --
SELECT * FROM sittings WHERE team = :team AND member = :member ORDER BY session;

-- get_sitting --
SELECT * FROM sittings WHERE team = :team AND session = :session;

-- list_sittings --
SELECT * FROM sittings WHERE team = :team ORDER BY session;
