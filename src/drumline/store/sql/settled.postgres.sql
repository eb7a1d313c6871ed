-- add_settled --
-- Remember events; nothing happens to those that are known.
INSERT INTO settled_turns (team, id, arrival, why, member, settled_at)
SELECT :team, value->>0, value->>1, value->>2, value->>3, :now
  FROM json_array_elements(CAST(:rows AS json)) AS given (value)
ON CONFLICT (team, id) DO NOTHING
RETURNING *;

-- sittings_among --
-- Those in these sessions, and those in these folders.
SELECT * FROM sittings
 WHERE team = :team AND session IN (SELECT json_array_elements_text(CAST(:sessions AS json)))
UNION
SELECT * FROM sittings
 WHERE team = :team AND cwd IN (SELECT json_array_elements_text(CAST(:folders AS json)))
 ORDER BY session;

-- lives_in_sessions --
-- The lives that speak, or spoke last, in these sessions.
SELECT * FROM lives
 WHERE team = :team AND session <> ''
   AND session IN (SELECT json_array_elements_text(CAST(:sessions AS json)))
 ORDER BY started_at;
