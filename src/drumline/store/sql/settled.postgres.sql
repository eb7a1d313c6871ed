-- lock_settled --
-- One batch remembered at a time: an event that two bring at once must count once.
SELECT pg_advisory_xact_lock(hashtextextended('drumline settled turns ' || :team, 0)) AS held;

-- known_settled --
SELECT id FROM settled_turns
 WHERE team = :team AND id IN (SELECT json_array_elements_text(CAST(:ids AS json)));

-- add_settled_many --
COPY settled_turns (team, id, arrival, why, member, settled_at) FROM STDIN;

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
