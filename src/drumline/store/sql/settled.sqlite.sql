-- add_settled --
-- Remember events; nothing happens to those that are known.
INSERT INTO settled_turns (team, id, arrival, why, member, settled_at)
SELECT :team, json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]'),
       json_extract(value, '$[3]'), :now
  FROM json_each(:rows) WHERE true
ON CONFLICT (team, id) DO NOTHING
RETURNING *;

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
