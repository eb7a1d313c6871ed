-- lock_settled --
-- The write lock of the whole store is held already.
SELECT 1 AS held;

-- known_settled --
SELECT id FROM settled_turns WHERE team = :team AND id IN (SELECT value FROM json_each(:ids));

-- add_settled_many --
INSERT INTO settled_turns (team, id, arrival, why, member, settled_at) VALUES (?, ?, ?, ?, ?, ?);

-- sittings_among --
-- Those in these sessions, and those in these folders.
SELECT * FROM sittings WHERE team = :team AND session IN (SELECT value FROM json_each(:sessions))
UNION
SELECT * FROM sittings INDEXED BY sittings_where
 WHERE team = :team AND cwd IN (SELECT value FROM json_each(:folders))
 ORDER BY session;

-- lives_in_sessions --
-- The lives that speak, or spoke last, in these sessions.
SELECT * FROM lives INDEXED BY lives_session
 WHERE team = :team AND session <> '' AND session IN (SELECT value FROM json_each(:sessions))
 ORDER BY started_at;
