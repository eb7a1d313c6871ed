-- lock_recall --
-- One source at a time: whoever reads it second finds what the first one kept.
SELECT pg_advisory_xact_lock(hashtextextended('drumline recall ' || :team, 0)) AS held;

-- add_recall --
-- All pieces of one source in one statement.
INSERT INTO recall (team, home, path, line, kind, member, heading, day, name, text, words)
SELECT :team, :home, :path, line, kind, member, heading, day, name, text, words
  FROM json_to_recordset(CAST(:pieces AS json))
       AS piece (line BIGINT, kind TEXT, member TEXT, heading TEXT, day TEXT, name TEXT, text TEXT, words TEXT);

-- plan_recall --
-- How common words are decides how they are best looked for: no one plan fits all.
SELECT set_config('plan_cache_mode', 'force_custom_plan', true) AS mode;

-- find_recall --
-- What has the words, in any team of the store, the newest first.
SELECT recall.team, recall.path, recall.line, recall.kind, recall.member, recall.heading, recall.day,
       recall.name, recall.text, recall.words, homes.place
  FROM recall
  LEFT JOIN homes ON homes.team = recall.team AND homes.home = recall.home
 WHERE recall.lexemes @@ CAST(:lexemes AS tsquery)
 ORDER BY recall.id DESC
 LIMIT :most;
