-- get_settled --
SELECT * FROM settled_turns WHERE team = :team AND id = :id;

-- add_settled --
INSERT INTO settled_turns (team, id, arrival, why, member, settled_at)
VALUES (:team, :id, :arrival, :why, :member, :settled_at);

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

-- forget_settled --
-- The oldest first, so many at a time.
DELETE FROM settled_turns
 WHERE team = :team
   AND id IN (SELECT id FROM settled_turns {by settled_turns_when}
               WHERE team = :team AND settled_at < :before
               ORDER BY settled_at LIMIT :most)
RETURNING *;

-- forget_sittings --
-- Those of long ago whose member has sat down elsewhere since.
DELETE FROM sittings
 WHERE team = :team
   AND session IN (SELECT session FROM sittings
                    WHERE team = :team AND since < :before
                      AND EXISTS (SELECT 1 FROM sittings AS later
                                   WHERE later.team = :team AND later.member = sittings.member
                                     AND later.since > sittings.since)
                    ORDER BY since LIMIT :most)
RETURNING *;

-- sittings_of --
-- Where a member sat down last: whoever opens a new session for it every day left the old ones.
SELECT * FROM sittings {by sittings_of}
 WHERE team = :team AND member = :member AND incarnation = :incarnation
 ORDER BY since DESC
 LIMIT 3;

-- get_sitting --
SELECT * FROM sittings WHERE team = :team AND session = :session;
